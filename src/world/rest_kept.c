// The best state of an island so far, to go back to where help does not help.
#include "world/rest.h"

carom_status carom_rest_kept_take(const carom_rest *rest, const carom_rest_island *island,
                                  carom_rest_kept *kept, carom_error *err)
{
    carom_arena *scratch = rest->step->world->scratch;
    kept->rolling = NULL;
    TAKE(scratch, kept->impulse, island->set.count, err);
    if (rest->system.rolling)
        TAKE(scratch, kept->rolling, island->set.count, err);
    TAKE(scratch, kept->twist, island->set.body_count, err);
    carom_rest_kept_note(rest, island, kept);
    return CAROM_OK;
}

void carom_rest_kept_note(const carom_rest *rest, const carom_rest_island *island,
                          carom_rest_kept *kept)
{
    for (int i = 0; i < island->set.count; ++i)
        kept->impulse[i] = rest->system.contacts[island->set.first + i].impulse;
    for (int i = 0; i < island->set.count && kept->rolling; ++i)
        kept->rolling[i] = rest->system.rolling[island->set.first + i].impulse;
    for (int i = 0; i < island->set.body_count; ++i) {
        const carom_contact_body *body =
            &rest->system.bodies[rest->member[island->set.first_body + i]];
        kept->twist[i] = (carom_contact_twist){ body->v, body->w };
    }
    kept->residual = island->residual;
}

void carom_rest_kept_give_back(carom_rest *rest, carom_rest_island *island,
                               const carom_rest_kept *kept)
{
    for (int i = 0; i < island->set.count; ++i)
        rest->system.contacts[island->set.first + i].impulse = kept->impulse[i];
    for (int i = 0; i < island->set.count && kept->rolling; ++i)
        rest->system.rolling[island->set.first + i].impulse = kept->rolling[i];
    for (int i = 0; i < island->set.body_count; ++i) {
        carom_contact_body *body = &rest->system.bodies[rest->member[island->set.first_body + i]];
        body->v = kept->twist[i].v;
        body->w = kept->twist[i].w;
    }
    island->residual = kept->residual;
}

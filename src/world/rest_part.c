// Parts of an island for a linear system (rest_direct.c): all of it, or where it is worst.
//
// What sweeps leave of a large pile at rest is often a few bodies: a column that leans and carries
// many others falls over within a few steps where it is not held, and a sweep takes out a hundredth
// of that. Solving for the impulses at those bodies alone, with all others free to give way, is one
// exact step of block coordinate descent: what it leaves elsewhere is a sweep's.
#include <string.h>
#include "world/rest.h"

// Most bodies of the worst part, without those that only touch it; and the contacts that count as
// its own, as a share of the speed that the worst one lacks: the first share, doubled as often as
// there would be too many.
enum { BODIES_MAX = 24 };
#define FIRST_SHARE 0.1
#define LAST_SHARE 0.8

carom_status carom_rest_part_whole(const carom_rest *rest, const carom_rest_island *island,
                                   carom_rest_part *part, carom_error *err)
{
    const carom_contact_island *set = &island->set;
    TAKE(rest->step->world->scratch, part->contact, set->count, err);
    part->most_work = 0;
    part->ordered = false;
    part->count = set->count;
    part->body = rest->member + set->first_body;
    part->body_count = set->body_count;
    for (int k = 0; k < set->count; ++k)
        part->contact[k] = set->first + k;
    return CAROM_OK;
}

// The speed that the active rows of a contact lack, squared.
static double lack(const carom_rest *rest, int contact)
{
    const carom_contact_record *c = &rest->system.contacts[contact];
    bool presses, sticks;
    carom_rest_active(rest, contact, &presses, &sticks);
    if (!presses)
        return 0;
    vec3 u = carom_contact_velocity_at(&rest->system, contact);
    double normal = vec3_dot(c->n, u);
    vec3 slip = vec3_axpy(u, -normal, c->n);
    normal -= c->target;
    return normal * normal + (sticks ? vec3_dot(slip, slip) : 0);
}

static bool moves(const carom_rest *rest, int body)
{
    return rest->system.bodies[body].inverse_mass > 0;
}

// Puts a body into the part, unless it is there.
static void enter(const carom_rest *rest, carom_rest_part *part, unsigned char *in, int body)
{
    if (in[body] || !moves(rest, body))
        return;
    in[body] = 1;
    part->body[part->body_count++] = body;
}

// The bodies of all contacts that lack at least `least`; false where there are too many.
static bool gather(const carom_rest *rest, const carom_contact_island *set, const double *lacks,
                   double least, carom_rest_part *part, unsigned char *in)
{
    part->body_count = 0;
    for (int k = 0; k < set->count && part->body_count <= BODIES_MAX; ++k) {
        if (!(lacks[k] >= least))
            continue;
        enter(rest, part, in, rest->system.contacts[set->first + k].a);
        enter(rest, part, in, rest->system.contacts[set->first + k].b);
    }
    if (part->body_count <= BODIES_MAX)
        return true;
    for (int k = 0; k < part->body_count; ++k)
        in[part->body[k]] = 0;
    return false;
}

// Every contact of the bodies so far; then whoever is at its other end.
static void close(const carom_rest *rest, const carom_contact_island *set, carom_rest_part *part,
                  unsigned char *in)
{
    part->count = 0;
    for (int i = set->first; i < set->first + set->count; ++i)
        if (in[rest->system.contacts[i].a] || in[rest->system.contacts[i].b])
            part->contact[part->count++] = i;
    for (int k = 0; k < part->count; ++k) {
        enter(rest, part, in, rest->system.contacts[part->contact[k]].a);
        enter(rest, part, in, rest->system.contacts[part->contact[k]].b);
    }
}

carom_status carom_rest_part_worst(const carom_rest *rest, const carom_rest_island *island,
                                   carom_rest_part *part, carom_error *err)
{
    const carom_contact_island *set = &island->set;
    carom_arena *scratch = rest->step->world->scratch;
    double *lacks, worst = 0;
    unsigned char *in;
    TAKE(scratch, part->contact, set->count, err);
    TAKE(scratch, part->body, set->body_count, err);
    TAKE(scratch, lacks, set->count, err);
    TAKE_ZEROS(scratch, in, rest->step->world->count, err);
    part->count = part->body_count = 0;
    part->most_work = 0;
    part->ordered = false;
    for (int k = 0; k < set->count; ++k) {
        lacks[k] = lack(rest, set->first + k);
        worst = fmax(worst, lacks[k]);
    }
    for (double share = FIRST_SHARE; worst > 0 && share <= LAST_SHARE; share *= 2)
        if (gather(rest, set, lacks, share * share * worst, part, in)) {
            close(rest, set, part, in);
            break;
        }
    return CAROM_OK;
}

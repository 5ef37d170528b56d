// What no chain can do: refused with what, where and fix.
#include "chain/chain_check.h"

#include <math.h>

static bool is_sliced(const carom_chain_body *body)
{
    return body->kind == CAROM_CHAIN_SPHERE || body->kind == CAROM_CHAIN_CYLINDER;
}

carom_status carom_chain_check(const carom_chain *chain, carom_error *err)
{
    NEED(err, chain);
    if (!chain->bodies || chain->body_count < 2) {
        carom_error_set(err, CAROM_BAD_INPUT, "a chain of %zu bodies cannot collide",
                        chain->bodies ? chain->body_count : 0);
        return carom_error_fix(err, "give at least two bodies");
    }
    for (size_t b = 0; b < chain->body_count; b++)
        TRY(carom_chain_check_body(chain, b, err));
    for (size_t c = 0; c + 1 < chain->body_count; c++)
        TRY(carom_chain_check_contact(chain, c, err));
    if (!(chain->duration >= 0 && isfinite(chain->duration))) {
        carom_error_set(err, CAROM_BAD_INPUT, "duration is %g", chain->duration);
        return carom_error_fix(err, "use seconds above 0, or leave it out to run until separation");
    }
    if (!(chain->tolerance >= 0 && chain->tolerance < 1)) {
        carom_error_set(err, CAROM_BAD_INPUT, "tolerance is %g, outside (0, 1)", chain->tolerance);
        return carom_error_fix(err, "use a relative energy error such as 1e-10");
    }
    return CAROM_OK;
}

// Refuses a value that must be positive and finite.
static carom_status positive(const char *name, double value, size_t b, carom_error *err)
{
    if (value > 0 && isfinite(value))
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "%s is %g", name, value);
    carom_error_where(err, "body %zu", b);
    return carom_error_fix(err, "use a finite value above 0");
}

carom_status carom_chain_check_body(const carom_chain *chain, size_t b, carom_error *err)
{
    const carom_chain_body *body = &chain->bodies[b];
    bool inside = b > 0 && b + 1 < chain->body_count;
    if (body->kind == CAROM_CHAIN_WALL && (inside || body->velocity != 0)) {
        carom_error_set(err, CAROM_BAD_INPUT,
                        inside ? "a wall stands inside the row" : "a wall moves with velocity %g",
                        body->velocity);
        carom_error_where(err, "body %zu", b);
        return carom_error_fix(err, "walls stand still, as the first or the last body");
    }
    if (!isfinite(body->velocity)) {
        carom_error_set(err, CAROM_BAD_INPUT, "velocity is %g", body->velocity);
        return carom_error_where(err, "body %zu", b);
    }
    if (body->kind == CAROM_CHAIN_MASS) {
        TRY(positive("mass", body->mass, b, err));
        return body->radius == 0 ? CAROM_OK : positive("radius", body->radius, b, err);
    }
    if (!is_sliced(body))
        return CAROM_OK;
    TRY(positive("radius", body->radius, b, err));
    TRY(positive("young", body->young, b, err));
    TRY(positive("density", body->density, b, err));
    if (body->kind == CAROM_CHAIN_CYLINDER)
        TRY(positive("length", body->length, b, err));
    if (body->slices < 1) {
        carom_error_set(err, CAROM_BAD_INPUT, "slices is %d", body->slices);
        carom_error_where(err, "body %zu", b);
        return carom_error_fix(err, "use 1 or more; 80 is a good start");
    }
    if (!(body->damping >= 0 && isfinite(body->damping))) {
        carom_error_set(err, CAROM_BAD_INPUT, "damping is %g", body->damping);
        carom_error_where(err, "body %zu", b);
        return carom_error_fix(err, "use a time of 0 s or more");
    }
    return CAROM_OK;
}

carom_status carom_chain_check_contact(const carom_chain *chain, size_t c, carom_error *err)
{
    const carom_chain_contact *contact = &chain->contacts[c];
    bool soft = is_sliced(&chain->bodies[c]) || is_sliced(&chain->bodies[c + 1]);
    if (!(contact->gap >= 0 && isfinite(contact->gap))) {
        carom_error_set(err, CAROM_BAD_INPUT, "gap is %g: the bodies overlap", contact->gap);
        carom_error_fix(err, "use a gap of 0 (touching) or more");
    } else if (!(contact->stiffness >= 0 && isfinite(contact->stiffness))) {
        carom_error_set(err, CAROM_BAD_INPUT, "stiffness is %g", contact->stiffness);
        carom_error_fix(err, "use a finite value above 0");
    } else if (contact->stiffness == 0 && !soft) {
        carom_error_set(err, CAROM_BAD_INPUT, "two rigid bodies meet without a contact spring");
        carom_error_fix(err, "give the contact a stiffness above 0");
    } else if (contact->stiffness > 0 && !(contact->exponent >= 1 && contact->exponent <= 20)) {
        carom_error_set(err, CAROM_BAD_INPUT, "exponent is %g, outside [1, 20]", contact->exponent);
        carom_error_fix(err, "use 1 (Hooke), 1.5 (Hertz) or more");
    } else if (!isfinite(carom_chain_body_mass(&chain->bodies[c])) &&
               !isfinite(carom_chain_body_mass(&chain->bodies[c + 1]))) {
        carom_error_set(err, CAROM_BAD_INPUT, "two walls face each other");
        carom_error_fix(err, "put a body that moves between them");
    } else {
        return CAROM_OK;
    }
    return carom_error_where(err, "contact %zu, between bodies %zu and %zu", c, c, c + 1);
}

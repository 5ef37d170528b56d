// Refuses problems no law can work with, and says which number is wrong.
#include "carom/impact.h"

#include <math.h>
#include <stdbool.h>
#include "base/error.h"
#include "math/vec.h"

static carom_status bad_body(carom_error *err, int index, const char *fix)
{
    carom_error_where(err, "body %d", index);
    carom_error_body(err, index);
    carom_error_fix(err, "%s", fix);
    return CAROM_BAD_INPUT;
}

static carom_status bad_contact(carom_error *err, int index, const char *fix)
{
    carom_error_where(err, "contact %d", index);
    carom_error_contact(err, index);
    carom_error_fix(err, "%s", fix);
    return CAROM_BAD_INPUT;
}

static const double *not_finite(const double *values, int count)
{
    for (int i = 0; i < count; ++i)
        if (!isfinite(values[i]))
            return &values[i];
    return NULL;
}

// No principal minor below zero by more than round-off. A body on a hinge has rank one.
static bool semidefinite(sym3 s)
{
    const double noise = 1e-12;
    double xy = s.xx * s.yy, xz = s.xx * s.zz, yz = s.yy * s.zz;
    double min = fmin(s.xx, fmin(s.yy, s.zz));
    return min >= 0 && s.xy * s.xy <= (1 + noise) * xy && s.xz * s.xz <= (1 + noise) * xz &&
           s.yz * s.yz <= (1 + noise) * yz && sym3_det(s) >= -noise * s.xx * yz;
}

static carom_status check_body(const carom_impact_body *body, int index, carom_error *err)
{
    const double *odd;
    if (!(body->inverse_mass >= 0) || !isfinite(body->inverse_mass)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the inverse mass is %g", body->inverse_mass);
        return bad_body(err, index,
                        "a mass is a number above 0; an immovable body has inverse mass 0");
    }
    if ((odd = not_finite(body->inverse_inertia, 6)) || (odd = not_finite(body->position, 3)) ||
        (odd = not_finite(body->velocity, 3)) || (odd = not_finite(body->spin, 3))) {
        carom_error_set(err, CAROM_BAD_INPUT, "the body holds the number %g", *odd);
        return bad_body(err, index, "every number must be finite");
    }
    const double *s = body->inverse_inertia;
    sym3 inverse = { s[0], s[1], s[2], s[3], s[4], s[5] };
    bool zero = true;
    for (int i = 0; i < 6; ++i)
        zero = zero && s[i] == 0;
    if (!zero && !semidefinite(inverse)) {
        carom_error_set(err, CAROM_BAD_INPUT,
                        "the inverse inertia is not positive semidefinite (xx = %g)", s[0]);
        return bad_body(err, index,
                        "give the inverse of a real inertia, or six zeros for no rotation");
    }
    if (body->inverse_mass == 0 && !zero) {
        carom_error_set(err, CAROM_BAD_INPUT, "an immovable body has the inverse inertia xx = %g",
                        s[0]);
        return bad_body(err, index, "give it six zeros, or a mass");
    }
    return CAROM_OK;
}

static carom_status check_ends(const carom_impact *impact, const carom_impact_contact *contact,
                               int index, carom_error *err)
{
    if (contact->a < 0 || contact->a >= impact->body_count || contact->b < 0 ||
        contact->b >= impact->body_count) {
        carom_error_set(err, CAROM_BAD_INPUT, "it joins bodies %d and %d, but there are %d bodies",
                        contact->a, contact->b, impact->body_count);
        return bad_contact(err, index, "bodies are counted from 0");
    }
    if (contact->a == contact->b) {
        carom_error_set(err, CAROM_BAD_INPUT, "body %d touches itself", contact->a);
        return bad_contact(err, index, "name two different bodies");
    }
    if (impact->bodies[contact->a].inverse_mass == 0 &&
        impact->bodies[contact->b].inverse_mass == 0) {
        carom_error_set(err, CAROM_BAD_INPUT, "bodies %d and %d are both immovable", contact->a,
                        contact->b);
        return bad_contact(err, index, "leave the contact out, or give one of the two a mass");
    }
    return CAROM_OK;
}

static carom_status check_numbers(const carom_impact_contact *contact, int index, carom_error *err)
{
    const double *odd;
    if ((odd = not_finite(contact->point, 3)) || (odd = not_finite(contact->normal, 3)) ||
        (odd = not_finite(contact->shift, 3))) {
        carom_error_set(err, CAROM_BAD_INPUT, "point, normal or shift holds the number %g", *odd);
        return bad_contact(err, index, "every number must be finite");
    }
    double length = vec3_length(vec3_from(contact->normal));
    if (fabs(length - 1) > 1e-6) {
        carom_error_set(err, CAROM_BAD_INPUT, "the normal has length %g", length);
        return bad_contact(err, index, "give a unit vector that points from body a to body b");
    }
    struct {
        const char *name;
        double value, min, max;
    } ranges[] = { { "restitution", contact->restitution, 0, 1 },
                   { "friction", contact->friction, 0, 1e6 },
                   { "tangential_restitution", contact->tangential_restitution, -1, 1 },
                   { "stiffness", contact->stiffness, 1e-100, 1e100 },
                   { "exponent", contact->exponent, 1, 100 },
                   { "gap", contact->gap, 0, 1e100 } };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; ++i)
        if (!(ranges[i].value >= ranges[i].min && ranges[i].value <= ranges[i].max)) {
            carom_error_set(err, CAROM_BAD_INPUT, "%s is %g, outside [%g, %g]", ranges[i].name,
                            ranges[i].value, ranges[i].min, ranges[i].max);
            return bad_contact(err, index, "use a value inside that range");
        }
    return CAROM_OK;
}

carom_status carom_impact_check(const carom_impact *impact, carom_error *err)
{
    NEED(err, impact);
    if (impact->body_count < 0 || impact->contact_count < 0)
        return carom_error_set(err, CAROM_BAD_INPUT, "there are %d bodies and %d contacts",
                               impact->body_count, impact->contact_count);
    for (int i = 0; i < impact->body_count; ++i)
        TRY(check_body(&impact->bodies[i], i, err));
    for (int i = 0; i < impact->contact_count; ++i) {
        TRY(check_ends(impact, &impact->contacts[i], i, err));
        TRY(check_numbers(&impact->contacts[i], i, err));
    }
    return CAROM_OK;
}

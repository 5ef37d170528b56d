// Reading a tower certificate; what a body has to be for itself is checked here.
#include "certificate/tower_certificate.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "rational/rational.h"

bool carom_tower_certificate_reject(tower_certificate *c, const char *why, ...)
{
    va_list arguments;
    va_start(arguments, why);
    vsnprintf(c->verdict->reason, sizeof c->verdict->reason, why, arguments);
    va_end(arguments);
    snprintf(c->verdict->where, sizeof c->verdict->where, "%s", c->at);
    snprintf(c->verdict->fix, sizeof c->verdict->fix, "%s",
             "take the certificate as --prove --certificate wrote it, or prove the scene again");
    return false;
}

// Says which member is being looked at.
void carom_tower_certificate_look_at(tower_certificate *c, const char *member, ...)
{
    va_list arguments;
    va_start(arguments, member);
    vsnprintf(c->at, sizeof c->at, member, arguments);
    va_end(arguments);
}

// Refuses members that nobody reads: a misspelt one would be an edit without effect.
bool carom_tower_certificate_members(tower_certificate *c, const json_t *object,
                                     const char *const *names)
{
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        return carom_tower_certificate_reject(c, "an object is missing");
    json_object_foreach((json_t *)object, key, value)
    {
        bool known = false;
        for (int n = 0; names[n]; ++n)
            known = known || strcmp(names[n], key) == 0;
        if (!known)
            return carom_tower_certificate_reject(c, "a certificate has no member \"%.40s\" here",
                                                  key);
    }
    return true;
}

// -- reading ------------------------------------------------------------------------------------

bool carom_tower_certificate_rational(tower_certificate *c, const json_t *value, mpq_t out)
{
    const char *text = json_string_value(value);
    if (!text || mpq_set_str(out, text, 10) != 0 || mpz_sgn(mpq_denref(out)) == 0)
        return carom_tower_certificate_reject(c, "a number is not written as a fraction in quotes");
    mpq_canonicalize(out);
    return true;
}

bool carom_tower_certificate_point(tower_certificate *c, const json_t *value, tower_point *out)
{
    return json_array_size(value) == 2
               ? carom_tower_certificate_rational(c, json_array_get(value, 0), out->x) &&
                     carom_tower_certificate_rational(c, json_array_get(value, 1), out->y)
               : carom_tower_certificate_reject(c, "a point has not two coordinates");
}

void carom_tower_certificate_init_point(tower_point *p)
{
    mpq_inits(p->x, p->y, NULL);
}
void carom_tower_certificate_clear_point(tower_point *p)
{
    mpq_clears(p->x, p->y, NULL);
}

static void init_solid(tower_solid *s)
{
    *s = (tower_solid){ .fixed = true };
    mpq_init(s->mass);
    carom_tower_certificate_init_point(&s->centre);
    for (int k = 0; k < 3; ++k)
        mpq_inits(s->sum[k], s->motion[k], NULL);
}

static bool take_corners(tower_certificate *c, tower_solid *s, const json_t *list, int count)
{
    s->corners = carom_rational_calloc(1, (size_t)count * sizeof *s->corners);
    if (!s->corners)
        return carom_tower_certificate_reject(c, "no memory");
    for (int v = 0; v < count; ++v)
        carom_tower_certificate_init_point(&s->corners[v]);
    s->corner_count = count;
    for (int v = 0; v < count; ++v)
        if (!carom_tower_certificate_point(c, json_array_get(list, (size_t)v), &s->corners[v]))
            return false;
    return true;
}

// twice = (b - a) x (p - a)
static void area(tower_certificate *c, const tower_point *a, const tower_point *b,
                 const tower_point *p, mpq_t twice)
{
    mpq_sub(c->t[0], b->x, a->x);
    mpq_sub(c->t[1], p->y, a->y);
    mpq_mul(twice, c->t[0], c->t[1]);
    mpq_sub(c->t[0], b->y, a->y);
    mpq_sub(c->t[1], p->x, a->x);
    mpq_mul(c->t[0], c->t[0], c->t[1]);
    mpq_sub(twice, twice, c->t[0]);
}

// Strictly convex and counter-clockwise: every other corner lies left of every edge.
static bool check_outline(tower_certificate *c, const tower_solid *s)
{
    for (int v = 0; v < s->corner_count; ++v)
        for (int w = 2; w < s->corner_count; ++w) {
            area(c, &s->corners[v], &s->corners[(v + 1) % s->corner_count],
                 &s->corners[(v + w) % s->corner_count], c->t[2]);
            if (mpq_sgn(c->t[2]) <= 0)
                return carom_tower_certificate_reject(
                    c, "the corners are not those of a convex polygon, "
                       "counter-clockwise");
        }
    return true;
}

// t[3], t[4] = where the corners put the centre of mass.
static void centre_of(tower_certificate *c, const tower_solid *s)
{
    for (int k = 3; k < 6; ++k)
        mpq_set_ui(c->t[k], 0, 1);
    for (int v = 0; v < s->corner_count; ++v) {
        const tower_point *a = &s->corners[0], *b = &s->corners[v],
                          *p = &s->corners[(v + 1) % s->corner_count];
        if (s->corner_masses) {
            mpq_set_ui(c->t[2], 3, 1);
            mpq_add(c->t[3], c->t[3], b->x);
            mpq_add(c->t[4], c->t[4], b->y);
            mpq_set_si(c->t[5], s->corner_count, 1);
            continue;
        }
        area(c, a, b, p, c->t[2]); // triangles from corner 0: weight times three times the centre
        mpq_add(c->t[5], c->t[5], c->t[2]);
        for (int k = 0; k < 2; ++k) {
            mpq_add(c->t[6], k ? a->y : a->x, k ? b->y : b->x);
            mpq_add(c->t[6], c->t[6], k ? p->y : p->x);
            mpq_mul(c->t[6], c->t[6], c->t[2]);
            mpq_add(c->t[3 + k], c->t[3 + k], c->t[6]);
        }
    }
    mpq_set_ui(c->t[6], s->corner_masses ? 1 : 3, 1);
    mpq_mul(c->t[5], c->t[5], c->t[6]);
    mpq_div(c->t[3], c->t[3], c->t[5]);
    mpq_div(c->t[4], c->t[4], c->t[5]);
}

// The largest coordinate difference of two corners that follow each other.
static void extent(tower_certificate *c, const tower_solid *s, mpq_t out)
{
    mpq_set_ui(out, 0, 1);
    for (int v = 0; v < s->corner_count; ++v)
        for (int k = 0; k < 2; ++k) {
            const tower_point *a = &s->corners[v], *b = &s->corners[(v + 1) % s->corner_count];
            mpq_sub(c->t[0], k ? b->y : b->x, k ? a->y : a->x);
            mpq_abs(c->t[0], c->t[0]);
            if (mpq_cmp(c->t[0], out) > 0)
                mpq_set(out, c->t[0]);
        }
}

// The centre of mass is where the corners put it, to the rounding of a double (a centre that is
// not exact is the centre of a polygon whose corners were rounded once more).
static bool check_centre(tower_certificate *c, const tower_solid *s)
{
    centre_of(c, s);
    extent(c, s, c->t[5]);
    mpq_set_ui(c->t[6], 1, 1000000000000);
    mpq_mul(c->t[5], c->t[5], c->t[6]);
    for (int k = 0; k < 2; ++k) {
        mpq_sub(c->t[6], c->t[3 + k], k ? s->centre.y : s->centre.x);
        mpq_abs(c->t[6], c->t[6]);
        if (mpq_cmp(c->t[6], c->t[5]) > 0)
            return carom_tower_certificate_reject(
                c,
                "the centre of mass is not where the corners put it (off by %.2g in "
                "%c)",
                mpq_get_d(c->t[6]), "xy"[k]);
    }
    return true;
}

static bool read_plane(tower_certificate *c, const json_t *value, tower_solid *s)
{
    static const char *const names[] = { "point", "normal", NULL };
    if (!carom_tower_certificate_members(c, value, names))
        return false;
    s->corners = carom_rational_calloc(1, 2 * sizeof *s->corners);
    if (!s->corners)
        return carom_tower_certificate_reject(c, "no memory");
    carom_tower_certificate_init_point(&s->corners[0]);
    carom_tower_certificate_init_point(&s->corners[1]);
    s->corner_count = 2;
    return carom_tower_certificate_point(c, json_object_get(value, "point"), &s->corners[0]) &&
           carom_tower_certificate_point(c, json_object_get(value, "normal"), &s->corners[1]) &&
           (mpq_sgn(s->corners[1].x) != 0 || mpq_sgn(s->corners[1].y) != 0 ||
            carom_tower_certificate_reject(c, "the normal of a half plane is 0"));
}

static bool read_mass(tower_certificate *c, const json_t *value, tower_solid *s)
{
    const char *masses = json_string_value(json_object_get(value, "masses"));
    if (masses && strcmp(masses, "corners") != 0 && strcmp(masses, "homogeneous") != 0)
        return carom_tower_certificate_reject(
            c, "masses are \"%.40s\", neither \"homogeneous\" nor \"corners\"", masses);
    s->corner_masses = masses && strcmp(masses, "corners") == 0;
    return carom_tower_certificate_rational(c, json_object_get(value, "mass"), s->mass) &&
           (mpq_sgn(s->mass) > 0 || carom_tower_certificate_reject(c, "a mass is not positive")) &&
           carom_tower_certificate_point(c, json_object_get(value, "centre"), &s->centre);
}

static bool read_solid(tower_certificate *c, const json_t *value, bool body, tower_solid *s)
{
    static const char *const names[] = { "corners", "fixed", "mass", "masses", "centre", NULL };
    const json_t *corners = json_object_get(value, "corners");
    const json_t *fixed = json_object_get(value, "fixed");
    size_t count = json_array_size(corners);
    if (!body && !corners)
        return read_plane(c, value, s);
    if (!carom_tower_certificate_members(c, value, names))
        return false;
    if (fixed && !json_is_boolean(fixed))
        return carom_tower_certificate_reject(c, "\"fixed\" is neither true nor false");
    s->fixed = !body || json_is_true(fixed);
    if (count < 3 || count > CAROM_TOWER_CORNERS_MAX)
        return carom_tower_certificate_reject(c, "a body has %zu corners", count);
    if (!take_corners(c, s, corners, (int)count) || !check_outline(c, s))
        return false;
    return s->fixed || (read_mass(c, value, s) && check_centre(c, s));
}

// Gaps that count as touching are far below the size of the bodies: a wide tolerance would find
// contacts where there are none.
static bool check_tolerance(tower_certificate *c)
{
    mpq_set_ui(c->t[3], 0, 1);
    for (int b = 0; b < c->body_count; ++b) {
        extent(c, &c->solids[b], c->t[4]);
        if (!c->solids[b].fixed && mpq_cmp(c->t[4], c->t[3]) > 0)
            mpq_set(c->t[3], c->t[4]);
    }
    mpq_set_ui(c->t[4], 1, 100000000);
    mpq_mul(c->t[3], c->t[3], c->t[4]);
    return (mpq_sgn(c->tolerance) >= 0 ||
            carom_tower_certificate_reject(c, "the tolerance is negative")) &&
           (mpq_cmp(c->tolerance, c->t[3]) <= 0 ||
            carom_tower_certificate_reject(c,
                                           "the tolerance is %.2g: more than 1e-8 of a body's size",
                                           mpq_get_d(c->tolerance)));
}

bool carom_tower_certificate_read(tower_certificate *c)
{
    const json_t *bodies = json_object_get(c->root, "bodies");
    const json_t *supports = json_object_get(c->root, "supports");
    size_t first = json_array_size(bodies), second = json_array_size(supports);
    if (first == 0 || first + second > 100000)
        return carom_tower_certificate_reject(c, "%zu bodies and supports", first + second);
    c->solids = carom_rational_calloc(1, (first + second) * sizeof *c->solids);
    if (!c->solids)
        return carom_tower_certificate_reject(c, "no memory");
    for (size_t n = 0; n < first + second; ++n)
        init_solid(&c->solids[n]);
    c->solid_count = (int)(first + second);
    c->body_count = c->verdict->bodies = (int)first;
    for (size_t n = 0; n < first + second; ++n) {
        const json_t *value =
            n < first ? json_array_get(bodies, n) : json_array_get(supports, n - first);
        carom_tower_certificate_look_at(c, n < first ? "bodies[%zu]" : "supports[%zu]",
                                        n < first ? n : n - first);
        if (!read_solid(c, value, n < first, &c->solids[n]))
            return false;
    }
    carom_tower_certificate_look_at(c, "gravity");
    if (!carom_tower_certificate_rational(c, json_object_get(c->root, "gravity"), c->gravity) ||
        (mpq_sgn(c->gravity) < 0 && !carom_tower_certificate_reject(c, "gravity is negative")))
        return false;
    carom_tower_certificate_look_at(c, "tolerance");
    return carom_tower_certificate_rational(c, json_object_get(c->root, "tolerance"),
                                            c->tolerance) &&
           check_tolerance(c);
}

void carom_tower_certificate_end_json(void *json)
{
    json_decref(json);
}

void carom_tower_certificate_release(tower_certificate *c)
{
    for (int n = 0; n < c->solid_count; ++n) {
        tower_solid *s = &c->solids[n];
        for (int v = 0; v < s->corner_count; ++v)
            carom_tower_certificate_clear_point(&s->corners[v]);
        carom_rational_free(s->corners);
        mpq_clear(s->mass);
        carom_tower_certificate_clear_point(&s->centre);
        for (int k = 0; k < 3; ++k)
            mpq_clears(s->sum[k], s->motion[k], NULL);
    }
    carom_rational_free(c->solids);
    mpq_clears(c->gravity, c->tolerance, NULL);
    for (int k = 0; k < 8; ++k)
        mpq_clear(c->t[k]);
    json_decref(carom_rational_let_go(c->root));
}

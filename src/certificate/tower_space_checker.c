// An independent reader of certificates in space: rational sums, and nothing of the solver.
//
// For every body, forces and weight give the acceleration that the motion says (none, where the
// claim is "stable"): m (a - g) = sum of +-f n, J alpha = sum of +-f (p - c) x n. No force pulls;
// no contact closes; a force acts only where a contact stays closed. These are the optimality
// conditions of Gauss's principle, so the motion is the acceleration of bodies at rest with these
// contacts. The contacts are those that the certificate lists: whether they are those of a scene is
// compared in tower_scene.c.
#include "certificate/tower_space_checker.h"

#include <stdlib.h>
#include <string.h>
#include "rational/rational.h"

typedef struct body3 {
    bool fixed;
    mpq_t mass, centre[3], inertia[6];
    mpq_t motion[6], sum[6]; // acceleration; forces and moments
} body3;

typedef struct space_checker {
    tower_certificate *c;
    const json_t *root;
    int body_count;
    body3 *bodies;
    mpq_t gravity[3], tolerance;
    mpq_t t[6]; // scratch
} space_checker;

static bool read_list(tower_certificate *c, const json_t *list, int count, mpq_t *out)
{
    if (json_array_size(list) != (size_t)count)
        return carom_tower_certificate_reject(c, "a list has %zu numbers, not %d",
                                              json_array_size(list), count);
    for (int k = 0; k < count; ++k)
        if (!carom_tower_certificate_rational(c, json_array_get(list, (size_t)k), out[k]))
            return false;
    return true;
}

// -- bodies -------------------------------------------------------------------------------------

// J is positive definite: leading minors.
static bool positive(space_checker *s, mpq_t *j)
{
    mpq_t *t = s->t;
    mpq_mul(t[0], j[0], j[1]); // xx yy - xy^2
    mpq_mul(t[1], j[3], j[3]);
    mpq_sub(t[0], t[0], t[1]);
    bool good = mpq_sgn(j[0]) > 0 && mpq_sgn(t[0]) > 0;
    mpq_mul(t[0], t[0], j[2]); // det = zz minor - yz (xx yz - xy xz) + xz (xy yz - yy xz)
    mpq_mul(t[1], j[0], j[5]);
    mpq_mul(t[2], j[3], j[4]);
    mpq_sub(t[1], t[1], t[2]);
    mpq_mul(t[1], t[1], j[5]);
    mpq_sub(t[0], t[0], t[1]);
    mpq_mul(t[1], j[3], j[5]);
    mpq_mul(t[2], j[1], j[4]);
    mpq_sub(t[1], t[1], t[2]);
    mpq_mul(t[1], t[1], j[4]);
    mpq_add(t[0], t[0], t[1]);
    return good && mpq_sgn(t[0]) > 0;
}

static bool read_body(space_checker *s, const json_t *value, body3 *b)
{
    static const char *const names[] = { "name", "fixed", "mass", "centre", "inertia", NULL };
    const json_t *fixed = json_object_get(value, "fixed");
    if (!carom_tower_certificate_members(s->c, value, names))
        return false;
    if (fixed && !json_is_boolean(fixed))
        return carom_tower_certificate_reject(s->c, "\"fixed\" is neither true nor false");
    b->fixed = json_is_true(fixed);
    if (b->fixed)
        return true;
    if (!carom_tower_certificate_rational(s->c, json_object_get(value, "mass"), b->mass) ||
        !read_list(s->c, json_object_get(value, "centre"), 3, b->centre) ||
        !read_list(s->c, json_object_get(value, "inertia"), 6, b->inertia))
        return false;
    if (mpq_sgn(b->mass) <= 0)
        return carom_tower_certificate_reject(s->c, "a mass is not positive");
    return positive(s, b->inertia) ||
           carom_tower_certificate_reject(s->c, "an inertia tensor is not positive definite");
}

static void init_body(body3 *b)
{
    b->fixed = true;
    mpq_init(b->mass);
    for (int k = 0; k < 6; ++k)
        mpq_inits(b->inertia[k], b->motion[k], b->sum[k], NULL);
    mpq_inits(b->centre[0], b->centre[1], b->centre[2], NULL);
}

static void clear_body(body3 *b)
{
    mpq_clear(b->mass);
    for (int k = 0; k < 6; ++k)
        mpq_clears(b->inertia[k], b->motion[k], b->sum[k], NULL);
    mpq_clears(b->centre[0], b->centre[1], b->centre[2], NULL);
}

static bool read_bodies(space_checker *s)
{
    const json_t *bodies = json_object_get(s->root, "bodies");
    size_t count = json_array_size(bodies);
    carom_tower_certificate_look_at(s->c, "bodies");
    if (count == 0 || count > 100000)
        return carom_tower_certificate_reject(s->c, "%zu bodies", count);
    s->bodies = carom_rational_calloc(1, count * sizeof *s->bodies);
    if (!s->bodies)
        return carom_tower_certificate_reject(s->c, "no memory");
    s->body_count = s->c->verdict->bodies = (int)count;
    for (int b = 0; b < s->body_count; ++b)
        init_body(&s->bodies[b]);
    for (int b = 0; b < s->body_count; ++b) {
        carom_tower_certificate_look_at(s->c, "bodies[%d]", b);
        if (!read_body(s, json_array_get(bodies, (size_t)b), &s->bodies[b]))
            return false;
    }
    return true;
}

static bool read_motion(space_checker *s)
{
    const json_t *motion = json_object_get(s->root, "motion");
    carom_tower_certificate_look_at(s->c, "motion");
    if (s->c->verdict->stable)
        return !motion || carom_tower_certificate_reject(s->c, "a stable tower has no motion");
    if (json_array_size(motion) != (size_t)s->body_count)
        return carom_tower_certificate_reject(s->c, "the motion is not given for every body");
    bool moves = false;
    for (int b = 0; b < s->body_count; ++b) {
        carom_tower_certificate_look_at(s->c, "motion[%d]", b);
        if (!read_list(s->c, json_array_get(motion, (size_t)b), 6, s->bodies[b].motion))
            return false;
        for (int k = 0; k < 6; ++k) {
            bool zero = mpq_sgn(s->bodies[b].motion[k]) == 0;
            if (s->bodies[b].fixed && !zero)
                return carom_tower_certificate_reject(s->c, "a fixed body moves");
            moves = moves || !zero;
        }
    }
    return moves || carom_tower_certificate_reject(s->c, "nothing moves");
}

// -- contacts -----------------------------------------------------------------------------------

// out = (p - centre) x n
static void lever(const body3 *b, mpq_t *p, mpq_t *n, mpq_t *out, mpq_t *r)
{
    for (int k = 0; k < 3; ++k)
        mpq_sub(r[k], p[k], b->centre[k]);
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        mpq_mul(out[k], r[i], n[j]);
        mpq_mul(r[3], r[j], n[i]);
        mpq_sub(out[k], out[k], r[3]);
    }
}

// Adds the force to a body and its part of the opening: sign (n . a + ((p - c) x n) . alpha).
static void act(body3 *b, int sign, mpq_t *p, mpq_t *n, const mpq_t force, mpq_t opening)
{
    mpq_t turn[3], r[4], term;
    if (b->fixed)
        return;
    mpq_inits(turn[0], turn[1], turn[2], r[0], r[1], r[2], r[3], term, NULL);
    lever(b, p, n, turn, r);
    for (int k = 0; k < 6; ++k) {
        mpq_srcptr part = k < 3 ? n[k] : turn[k - 3];
        mpq_mul(term, part, force);
        (sign > 0 ? mpq_add : mpq_sub)(b->sum[k], b->sum[k], term);
        mpq_mul(term, part, b->motion[k]);
        (sign > 0 ? mpq_add : mpq_sub)(opening, opening, term);
    }
    mpq_clears(turn[0], turn[1], turn[2], r[0], r[1], r[2], r[3], term, NULL);
}

static int named(const space_checker *s, const json_t *value)
{
    json_int_t n = json_integer_value(value);
    return json_is_integer(value) && n >= 0 && n < s->body_count ? (int)n : -1;
}

static bool check_contact(space_checker *s, const json_t *value, mpq_t *p, mpq_t *n, mpq_t force)
{
    static const char *const names[] = { "a", "b", "point", "normal", "force", NULL };
    tower_certificate *c = s->c;
    if (!carom_tower_certificate_members(c, value, names) ||
        !read_list(c, json_object_get(value, "point"), 3, p) ||
        !read_list(c, json_object_get(value, "normal"), 3, n) ||
        !carom_tower_certificate_rational(c, json_object_get(value, "force"), force))
        return false;
    int a = named(s, json_object_get(value, "a")), b = named(s, json_object_get(value, "b"));
    if (a < 0 || b < 0 || a == b || (s->bodies[a].fixed && s->bodies[b].fixed))
        return carom_tower_certificate_reject(c, "the contact names no two bodies that may move");
    if (mpq_sgn(force) < 0)
        return carom_tower_certificate_reject(c, "the force pulls");
    if (mpq_sgn(n[0]) == 0 && mpq_sgn(n[1]) == 0 && mpq_sgn(n[2]) == 0)
        return carom_tower_certificate_reject(c, "the normal is 0");
    mpq_set_ui(s->t[0], 0, 1);
    act(&s->bodies[b], 1, p, n, force, s->t[0]);
    act(&s->bodies[a], -1, p, n, force, s->t[0]);
    if (mpq_sgn(s->t[0]) < 0)
        return carom_tower_certificate_reject(
            c, "the motion closes the contact of bodies %d and %d", a, b);
    c->verdict->forces += mpq_sgn(force) > 0;
    return mpq_sgn(force) == 0 || mpq_sgn(s->t[0]) == 0 ||
           carom_tower_certificate_reject(
               c, "a force acts where the motion opens the contact of bodies %d and %d", a, b);
}

static bool check_contacts(space_checker *s)
{
    const json_t *contacts = json_object_get(s->root, "contacts");
    mpq_t p[3], n[3], force;
    bool good = true;
    carom_tower_certificate_look_at(s->c, "contacts");
    if (!json_is_array(contacts))
        return carom_tower_certificate_reject(s->c, "there is no list of contacts");
    mpq_inits(p[0], p[1], p[2], n[0], n[1], n[2], force, NULL);
    s->c->verdict->contacts = (int)json_array_size(contacts);
    for (int k = 0; good && k < s->c->verdict->contacts; ++k) {
        carom_tower_certificate_look_at(s->c, "contacts[%d]", k);
        good = check_contact(s, json_array_get(contacts, (size_t)k), p, n, force);
    }
    mpq_clears(p[0], p[1], p[2], n[0], n[1], n[2], force, NULL);
    return good;
}

// -- Newton -------------------------------------------------------------------------------------

static bool check_newton(space_checker *s, int number)
{
    static const int entry[3][3] = { { 0, 3, 4 }, { 3, 1, 5 }, { 4, 5, 2 } };
    body3 *b = &s->bodies[number];
    bool good = true;
    for (int k = 0; k < 3; ++k) {
        mpq_sub(s->t[0], b->motion[k], s->gravity[k]);
        mpq_mul(s->t[0], s->t[0], b->mass);
        good = good && mpq_equal(s->t[0], b->sum[k]);
        mpq_set_ui(s->t[0], 0, 1);
        for (int l = 0; l < 3; ++l) {
            mpq_mul(s->t[1], b->inertia[entry[k][l]], b->motion[3 + l]);
            mpq_add(s->t[0], s->t[0], s->t[1]);
        }
        good = good && mpq_equal(s->t[0], b->sum[3 + k]);
    }
    carom_tower_certificate_look_at(s->c, "bodies[%d]", number);
    return good || carom_tower_certificate_reject(
                       s->c,
                       s->c->verdict->stable
                           ? "body %d is not balanced"
                           : "forces and weight do not accelerate body %d as the motion says",
                       number);
}

static bool check(space_checker *s)
{
    static const char *const names[] = { "carom",     "kind",   "dimension", "claim",  "gravity",
                                         "tolerance", "bodies", "contacts",  "motion", NULL };
    const char *claim = json_string_value(json_object_get(s->root, "claim"));
    carom_tower_certificate_look_at(s->c, "the file");
    if (!carom_tower_certificate_members(s->c, s->root, names))
        return false;
    if (!claim || (strcmp(claim, "stable") != 0 && strcmp(claim, "unstable") != 0))
        return carom_tower_certificate_reject(s->c,
                                              "the claim is neither \"stable\" nor \"unstable\"");
    s->c->verdict->stable = strcmp(claim, "stable") == 0;
    carom_tower_certificate_look_at(s->c, "gravity");
    if (!read_list(s->c, json_object_get(s->root, "gravity"), 3, s->gravity))
        return false;
    carom_tower_certificate_look_at(s->c, "tolerance");
    if (!carom_tower_certificate_rational(s->c, json_object_get(s->root, "tolerance"),
                                          s->tolerance))
        return false;
    if (mpq_sgn(s->tolerance) < 0)
        return carom_tower_certificate_reject(s->c, "the tolerance is negative");
    s->c->verdict->tolerance = mpq_get_d(s->tolerance);
    if (!read_bodies(s) || !read_motion(s) || !check_contacts(s))
        return false;
    for (int b = 0; b < s->body_count; ++b)
        if (!s->bodies[b].fixed && !check_newton(s, b))
            return false;
    s->c->verdict->accelerations = !s->c->verdict->stable;
    return true;
}

bool carom_tower_space_checker_check(tower_certificate *c)
{
    space_checker s = { .c = c, .root = c->root };
    mpq_inits(s.gravity[0], s.gravity[1], s.gravity[2], s.tolerance, NULL);
    for (int k = 0; k < 6; ++k)
        mpq_init(s.t[k]);
    bool good = check(&s);
    for (int b = 0; b < s.body_count; ++b)
        clear_body(&s.bodies[b]);
    carom_rational_free(s.bodies);
    mpq_clears(s.gravity[0], s.gravity[1], s.gravity[2], s.tolerance, NULL);
    for (int k = 0; k < 6; ++k)
        mpq_clear(s.t[k]);
    return good;
}

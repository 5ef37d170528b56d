// Grows the arrays of an impact, fills them with bodies of several kinds and resolves them.
#include "support/instant.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "support/check.h"

// -- memory ---------------------------------------------------------------------------------------

static void *grown(void *old, int room, size_t size)
{
    void *memory = realloc(old, (size_t)room * size);
    if (!memory)
        abort();
    return memory;
}

static carom_impact_body *new_body(instant *t)
{
    if (t->impact.body_count == t->body_room) {
        t->body_room = 2 * t->body_room + 16;
        t->bodies = grown(t->bodies, t->body_room, sizeof *t->bodies);
        t->v = grown(t->v, t->body_room, sizeof *t->v);
        t->w = grown(t->w, t->body_room, sizeof *t->w);
        t->impact.bodies = t->bodies;
    }
    carom_impact_body *body = &t->bodies[t->impact.body_count++];
    *body = (carom_impact_body){ 0 };
    return body;
}

void instant_clear(instant *t)
{
    t->impact.body_count = t->impact.contact_count = 0;
    t->report = (carom_impact_report){ 0 };
    t->err = (carom_error){ 0 };
}

void instant_free(instant *t)
{
    free(t->bodies);
    free(t->contacts);
    free(t->v);
    free(t->w);
    free(t->p);
    *t = (instant){ 0 };
}

// -- bodies and contacts --------------------------------------------------------------------------

int instant_ball(instant *t, double mass, double radius, vec3 position, vec3 velocity)
{
    carom_impact_body *body = new_body(t);
    body->inverse_mass = mass > 0 ? 1 / mass : 0;
    for (int k = 0; k < 3 && radius > 0; ++k)
        body->inverse_inertia[k] = 2.5 / (radius * radius) * body->inverse_mass;
    vec3_store(position, body->position);
    vec3_store(velocity, body->velocity);
    return t->impact.body_count - 1;
}

int instant_body(instant *t, double mass, double x, double y, double z)
{
    return instant_ball(t, mass, 0.5, vec3_make(x, y, z), vec3_make(0, 0, 0));
}

int instant_wall(instant *t, vec3 velocity)
{
    return instant_ball(t, 0, 0, vec3_make(0, 0, 0), velocity);
}

int instant_box(instant *t, double mass, vec3 half, quat q, vec3 position, vec3 velocity)
{
    int i = instant_ball(t, mass, 1, position, velocity);
    double x = half.x * half.x, y = half.y * half.y, z = half.z * half.z;
    sym3 inverse = { 3 / (mass * (y + z)), 3 / (mass * (x + z)), 3 / (mass * (x + y)), 0, 0, 0 };
    inverse = sym3_rotate(quat_matrix(q), inverse);
    double entries[6] = { inverse.xx, inverse.yy, inverse.zz, inverse.xy, inverse.xz, inverse.yz };
    memcpy(t->bodies[i].inverse_inertia, entries, sizeof entries);
    return i;
}

carom_impact_contact *instant_contact(instant *t, int a, int b, vec3 point, vec3 normal)
{
    if (t->impact.contact_count == t->contact_room) {
        t->contact_room = 2 * t->contact_room + 16;
        t->contacts = grown(t->contacts, t->contact_room, sizeof *t->contacts);
        t->p = grown(t->p, t->contact_room, sizeof *t->p);
        t->impact.contacts = t->contacts;
    }
    carom_impact_contact *contact = &t->contacts[t->impact.contact_count++];
    *contact = carom_impact_contact_default();
    contact->a = a;
    contact->b = b;
    vec3_store(point, contact->point);
    vec3_store(normal, contact->normal);
    return contact;
}

carom_impact_contact *instant_touch(instant *t, int a, int b)
{
    const double *p = t->bodies[a].position, *q = t->bodies[b].position;
    vec3 d = { q[0] - p[0], q[1] - p[1], q[2] - p[2] };
    double length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    vec3 middle = { (p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2 };
    return instant_contact(t, a, b, middle, vec3_make(d.x / length, d.y / length, d.z / length));
}

static double distance(const instant *t, int a, int b)
{
    return vec3_length(
        vec3_sub(vec3_from(t->bodies[b].position), vec3_from(t->bodies[a].position)));
}

void instant_touch_all(instant *t, double radius)
{
    for (int a = 0; a < t->impact.body_count; ++a)
        for (int b = a + 1; b < t->impact.body_count; ++b)
            if (distance(t, a, b) <= 2 * radius + 1e-9)
                instant_touch(t, a, b);
}

void instant_set_restitution(instant *t, double restitution)
{
    for (int i = 0; i < t->impact.contact_count; ++i)
        t->contacts[i].restitution = restitution;
}

void instant_set_friction(instant *t, double friction)
{
    for (int i = 0; i < t->impact.contact_count; ++i)
        t->contacts[i].friction = friction;
}

void instant_set_exponent(instant *t, double exponent)
{
    for (int i = 0; i < t->impact.contact_count; ++i)
        t->contacts[i].exponent = exponent;
}

// -- whole instants -------------------------------------------------------------------------------

void instant_chain(instant *t, int count, const double *masses, const double *velocities)
{
    instant_clear(t);
    for (int i = 0; i < count; ++i) {
        int body = instant_body(t, masses ? masses[i] : 1, i, 0, 0);
        t->bodies[body].velocity[0] = velocities[i];
    }
    for (int i = 0; i + 1 < count; ++i)
        instant_touch(t, i, i + 1);
}

void instant_rack(instant *t)
{
    instant_clear(t);
    instant_body(t, 1, -1, 0, 0);
    for (int row = 0; row < 5; ++row)
        for (int j = 0; j <= row; ++j)
            instant_body(t, 1, row * sqrt(3) / 2, j - row / 2.0, 0);
    t->bodies[0].velocity[0] = 1;
    instant_touch_all(t, 0.5);
}

static void shake(instant *t, int body, carom_random *random)
{
    for (int k = 0; k < 3; ++k)
        t->bodies[body].velocity[k] = carom_random_between(random, -1, 1);
}

static double distance_squared(const double p[3], const double q[3])
{
    double x = q[0] - p[0], y = q[1] - p[1], z = q[2] - p[2];
    return x * x + y * y + z * z;
}

// A place in touch with one of the spheres so far and, if one was found in time, clear of the
// others.
static void place_on(const instant *t, carom_random *random, double at[3])
{
    int count = t->impact.body_count;
    for (int attempt = 0; count > 0 && attempt < 200; ++attempt) {
        double d[3];
        int mate = carom_random_below(random, count);
        bool free_place = true;
        carom_random_direction(random, d);
        for (int k = 0; k < 3; ++k)
            at[k] = t->bodies[mate].position[k] + d[k];
        for (int j = 0; j < count && free_place; ++j)
            free_place = j == mate || distance_squared(t->bodies[j].position, at) > 0.98;
        if (free_place)
            return;
    }
}

void instant_cluster(instant *t, int count, uint64_t seed)
{
    enum { CONTACTS_MAX = 2048 };
    carom_random random = carom_random_make(seed, 7);
    instant_clear(t);
    for (int i = 0; i < count; ++i) {
        double at[3] = { 0, 0, 0 };
        place_on(t, &random, at);
        int body = instant_body(t, carom_random_between(&random, 0.5, 2), at[0], at[1], at[2]);
        shake(t, body, &random);
    }
    for (int i = 0; i < count; ++i)
        for (int j = i + 1; j < count && t->impact.contact_count < CONTACTS_MAX; ++j)
            if (distance_squared(t->bodies[i].position, t->bodies[j].position) < 1.2)
                instant_touch(t, i, j);
}

// The two points at distance 1 from three centres; 0 where there are none.
static int trilaterate(vec3 a, vec3 b, vec3 c, vec3 out[2])
{
    vec3 ab = vec3_sub(b, a), ac = vec3_sub(c, a), n = vec3_cross(ab, ac);
    double nn = vec3_dot(n, n);
    if (nn < 1e-6)
        return 0;
    vec3 to = vec3_add(vec3_scale(vec3_dot(ac, ac), vec3_cross(n, ab)),
                       vec3_scale(vec3_dot(ab, ab), vec3_cross(ac, n)));
    to = vec3_scale(0.5 / nn, to); // circumcentre relative to a
    double rest = 1 - vec3_dot(to, to);
    if (rest <= 0)
        return 0;
    double height = sqrt(rest / nn);
    out[0] = vec3_axpy(vec3_add(a, to), height, n);
    out[1] = vec3_axpy(vec3_add(a, to), -height, n);
    return 2;
}

static bool overlaps(const instant *t, vec3 p)
{
    for (int i = 0; i < t->impact.body_count; ++i)
        if (vec3_length(vec3_sub(p, vec3_from(t->bodies[i].position))) < 1 - 1e-9)
            return true;
    return false;
}

// Among all places in touch with three spheres the one nearest to a point.
static vec3 nearest_place(const instant *t, vec3 aim)
{
    vec3 best = vec3_make(0, 0, 0), place[2];
    double nearest = HUGE_VAL;
    int count = t->impact.body_count;
    for (int i = 0; i < count; ++i)
        for (int j = i + 1; j < count; ++j)
            for (int k = j + 1; k < count; ++k) {
                int found =
                    trilaterate(vec3_from(t->bodies[i].position), vec3_from(t->bodies[j].position),
                                vec3_from(t->bodies[k].position), place);
                for (int m = 0; m < found; ++m) {
                    double d = vec3_length(vec3_sub(place[m], aim));
                    if (d < nearest && !overlaps(t, place[m])) {
                        nearest = d;
                        best = place[m];
                    }
                }
            }
    return best;
}

void instant_packing(instant *t, int count, uint64_t seed)
{
    carom_random random = carom_random_make(seed, (uint64_t)count);
    instant_clear(t);
    instant_body(t, 1, 0, 0, 0);
    instant_body(t, 1, 1, 0, 0);
    instant_body(t, 1, 0.5, sqrt(0.75), 0);
    while (t->impact.body_count < count) {
        double reach = 0.3 * sqrt(t->impact.body_count);
        vec3 aim;
        aim.x = carom_random_between(&random, -1, 1) * reach;
        aim.y = carom_random_between(&random, -1, 1) * reach;
        aim.z = carom_random_between(&random, -1, 1) * reach;
        vec3 at = nearest_place(t, aim);
        instant_body(t, 1, at.x, at.y, at.z);
    }
    instant_touch_all(t, 0.5);
    for (int i = 0; i < count; ++i)
        shake(t, i, &random);
}

// Each lattice cell holds a sphere off its centre; cells that share a face touch.
void instant_lattice(instant *t, int side, uint64_t seed)
{
    carom_random random = carom_random_make(seed, 3);
    instant_clear(t);
    for (int i = 0; i < side * side * side; ++i) {
        double at[3] = { i / (side * side), i / side % side, i % side };
        for (int k = 0; k < 3; ++k)
            at[k] += carom_random_between(&random, -0.2, 0.2);
        shake(t, instant_body(t, 1, at[0], at[1], at[2]), &random);
    }
    for (int i = 0; i < side * side * side; ++i) {
        if (i / (side * side) + 1 < side)
            instant_touch(t, i, i + side * side);
        if (i / side % side + 1 < side)
            instant_touch(t, i, i + side);
        if (i % side + 1 < side)
            instant_touch(t, i, i + 1);
    }
}

void instant_triples(instant *t, int triples, uint64_t seed)
{
    carom_random random = carom_random_make(seed, 4);
    instant_clear(t);
    for (int i = 0; i < triples; ++i) {
        int first = t->impact.body_count;
        for (int k = 0; k < 3; ++k)
            instant_body(t, carom_random_between(&random, 0.5, 2), k, 10 * i, 0);
        t->bodies[first].velocity[0] = carom_random_between(&random, 0.1, 1);
        t->bodies[first + 2].velocity[0] = carom_random_between(&random, -1, -0.1);
        instant_touch(t, first, first + 1);
        instant_touch(t, first + 1, first + 2);
    }
}

void instant_box_on_floor(instant *t, const double half[3], double from)
{
    instant_clear(t);
    instant_wall(t, vec3_make(0, 0, 0));
    instant_box(t, 1, vec3_from(half), quat_identity(), vec3_make(0, 0, half[2]),
                vec3_make(0, 0, 0));
    for (int i = 0; i < 4; ++i) {
        double x = i & 1 ? half[0] : fmax(-half[0], from);
        instant_contact(t, 0, 1, vec3_make(x, i & 2 ? half[1] : -half[1], 0), vec3_make(0, 0, 1));
    }
}

// -- results --------------------------------------------------------------------------------------

bool instant_resolve(instant *t, carom_workspace *workspace, const carom_law *law,
                     const carom_law_options *options)
{
    carom_impact_outcome out = { t->v, t->w, t->p, { 0 } };
    carom_status status = carom_impact_resolve(workspace, &t->impact, law, options, &out, &t->err);
    t->report = out.report;
    return status == CAROM_OK;
}

static void set_options(const carom_law *law, carom_law_options *options, const char *text)
{
    char word[64], *value;
    while (text && *text) {
        size_t span = strcspn(text, " ");
        snprintf(word, sizeof word, "%.*s", (int)span, text);
        text += span + strspn(text + span, " ");
        carom_error err = { 0 };
        value = strchr(word, '=');
        if (CHECK(value != NULL, "an option has a value: %s", word)) {
            *value = 0;
            CHECK(carom_law_set(law, options, word, value + 1, &err) == CAROM_OK, "%s", err.what);
        }
    }
}

void instant_run(instant *t, carom_workspace *workspace, const char *name, const char *text)
{
    size_t length = strcspn(name, " ");
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    const carom_law *law = carom_law_find(word, &t->err);
    if (!CHECK(law != NULL, "there is a law %s", word))
        return;
    carom_law_options options = carom_law_defaults(law);
    set_options(law, &options, name + length + strspn(name + length, " "));
    set_options(law, &options, text);
    CHECK(instant_resolve(t, workspace, law, &options), "%s %s: %s", name, text ? text : "",
          t->err.what);
}

void instant_run_threads(instant *t, const char *law, const char *options, int threads)
{
    carom_workspace *workspace = carom_workspace_create();
    carom_workspace_set_threads(workspace, threads);
    instant_run(t, workspace, law, options);
    carom_workspace_destroy(workspace);
}

carom_desiderata_figures instant_measure(const instant *t, const char *law)
{
    carom_error err = { 0 };
    carom_desiderata_figures f = { .distance = -2 };
    carom_impact impact = t->impact;
    carom_desiderata *d = carom_desiderata_create(&impact, &err);
    const carom_law *found = carom_law_find(law, &err);
    if (CHECK(d && found, "%s", err.what))
        CHECK(carom_desiderata_measure(d, found, NULL, &f, &err) == CAROM_OK, "%s", err.what);
    carom_desiderata_destroy(d);
    return f;
}

void instant_verdict(const instant *t, const char *law, int bit, carom_verdict wanted,
                     const char *what)
{
    carom_desiderata_figures f = instant_measure(t, law);
    CHECK_TEXT(carom_desiderata_word(f.of[bit].verdict), carom_desiderata_word(wanted),
               "%s: %s of %s, figure %g, bound %g", what, carom_law_promise_name(bit), law,
               f.of[bit].figure, f.of[bit].bound);
}

double instant_energy_ratio(const instant *t)
{
    return t->report.energy_after / t->report.energy_before;
}

static double normal_speed(const instant *t, int contact, bool after)
{
    const carom_impact_contact *c = &t->contacts[contact];
    vec3 speed[2];
    int ends[2] = { c->a, c->b };
    for (int k = 0; k < 2; ++k) {
        const carom_impact_body *body = &t->bodies[ends[k]];
        vec3 arm = vec3_sub(vec3_from(c->point), vec3_from(body->position));
        vec3 v = vec3_from(after ? t->v[ends[k]] : body->velocity);
        vec3 w = vec3_from(after ? t->w[ends[k]] : body->spin);
        speed[k] = vec3_add(v, vec3_cross(w, arm));
    }
    return vec3_dot(vec3_from(c->normal), vec3_sub(speed[1], speed[0]));
}

double instant_speed_after(const instant *t, int contact)
{
    return normal_speed(t, contact, true);
}

double instant_approach(const instant *t)
{
    double sum = 0;
    for (int i = 0; i < t->impact.contact_count; ++i) {
        double u = normal_speed(t, i, false);
        sum += u * u;
    }
    return sqrt(sum);
}

double instant_distance(const instant *t, double (*other)[3])
{
    double sum = 0;
    for (int i = 0; i < t->impact.body_count; ++i)
        sum += distance_squared(t->v[i], other[i]);
    return sqrt(sum);
}

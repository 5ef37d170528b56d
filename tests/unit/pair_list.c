// Lists of pairs that live for several calls: over families of random motions no near pair is
// missed, none is listed that is not near, the list is sorted and the same for any number of
// threads; and where bodies are slow most calls do not search, though one of them be fast or the
// floor rise.
#include "collide/pair_list.h"
#include "base/random.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

enum { BODIES = 280, PLANES = 3, CALLS = 60 };

static const carom_shape *shape[BODIES];
static vec3 position[BODIES], velocity[BODIES], spin[BODIES];
static quat rotation[BODIES];
static double reach[BODIES];
static unsigned char fixed[BODIES], absent[BODIES];

// How bodies of a family move: in radii and radians per call.
typedef struct family {
    const char *name;
    double jitter;       // each by itself
    vec3 drift;          // all together
    double fast;         // one of them
    double turn, rise;   // all; the first plane
    bool boxes, changes; // beside spheres; kinds, shapes and numbers change on the way
    int most;            // searches in CALLS, at most
} family;

static const family families[] = {
    { "at rest", 0, { 0, 0, 0 }, 0, 0, 0, true, false, 3 },
    { "jitter", 0.005, { 0, 0, 0 }, 0, 0.002, 0, true, false, 22 },
    { "drift", 0.003, { 0.2, -0.1, 0.4 }, 0, 0, 0, false, false, 10 },
    { "one fast", 0.002, { 0, 0, 0 }, 0.15, 0, 0, false, false, 3 },
    { "one fast among boxes", 0.002, { 0.1, 0, 0 }, 0.3, 0.001, 0, true, false, 22 },
    { "turning", 0, { 0, 0, 0 }, 0, 0.3, 0, true, false, CALLS },
    { "rising floor", 0.005, { 0, 0, 0 }, 0, 0, 0.05, true, false, 4 },
    { "shaken", 0.02, { 0, 0.05, -0.1 }, 0.3, 0.01, 0.04, true, false, 30 },
    { "gas", 0.5, { 0, 0, 0 }, 2, 0.5, 0.2, true, false, CALLS },
    { "changes", 0.005, { 0, 0, 0 }, 0, 0, 0.01, true, true, CALLS },
};

static carom_shape *ball[2], *box[2], *plane;

static vec3 random_vector(carom_random *random, double size)
{
    double x = carom_random_between(random, -size, size);
    double y = carom_random_between(random, -size, size);
    return vec3_make(x, y, carom_random_between(random, -size, size));
}

static void place(const family *f, carom_random *random)
{
    for (int i = 0; i < BODIES; ++i) {
        int kind =
            f->boxes ? (int)carom_random_below(random, 4) : (int)carom_random_below(random, 2);
        shape[i] = i < PLANES ? plane : kind < 2 ? ball[kind] : box[kind - 2];
        position[i] = i < PLANES ? vec3_make(0, 0, -4.5) : random_vector(random, 5);
        rotation[i] = quat_identity();
        velocity[i] = vec3_scale(f->jitter, random_vector(random, 1));
        spin[i] = vec3_scale(f->turn, random_vector(random, 1));
        reach[i] = carom_random_between(random, 0, 0.05);
        fixed[i] = i < PLANES || (f->drift.x == 0 && carom_random_below(random, 10) == 0);
    }
    rotation[1] = quat_unit((quat){ 1, 0.3, 0, 0 });
    rotation[2] = quat_unit((quat){ 1, 0, -0.4, 0 });
    velocity[BODIES / 2] = vec3_make(f->fast, 0, f->fast / 2);
}

static void move(const family *f, carom_random *random)
{
    position[0].z += f->rise;
    for (int i = PLANES; i < BODIES; ++i) {
        if (fixed[i])
            continue;
        velocity[i] = vec3_add(velocity[i], vec3_scale(0.3 * f->jitter, random_vector(random, 1)));
        position[i] = vec3_add(position[i], vec3_add(velocity[i], f->drift));
        vec3 half = vec3_scale(0.5, spin[i]);
        rotation[i] = quat_unit(quat_mul((quat){ 1, half.x, half.y, half.z }, rotation[i]));
        reach[i] = 0.02 + vec3_length(velocity[i]);
    }
}

// Another shape, another kind, somebody absent, one body more or less.
static void change(carom_collide_bodies *bodies, int call)
{
    int i = PLANES + call * 7 % (BODIES - PLANES);
    if (call % 5 == 1)
        shape[i] = shape[i] == ball[1] ? box[1] : ball[1];
    if (call % 5 == 2)
        fixed[i] = !fixed[i];
    if (call % 5 == 3)
        bodies->count = bodies->count == BODIES ? BODIES - 1 : BODIES;
    if (call % 15 == 4)
        rotation[1] = quat_unit((quat){ 1, 0.01 * call, 0.2, 0 });
    bodies->absent = call % 11 == 5 ? absent : NULL;
    absent[i] = 1;
}

static bool is_plane(const carom_collide_bodies *b, int i)
{
    return b->shape[i]->kind == CAROM_SHAPE_PLANE;
}

// Whether the bounds of two bodies come within reach, and within `more` beyond it.
static bool is_near(const carom_collide_bodies *b, int i, int j, double more)
{
    double s = b->margin + b->reach[i] + b->reach[j] + more;
    if ((b->fixed[i] && b->fixed[j]) || (b->absent && (b->absent[i] || b->absent[j])) ||
        (is_plane(b, i) && is_plane(b, j)))
        return false;
    if (is_plane(b, j))
        return is_near(b, j, i, more);
    carom_pose pj = carom_pose_make(b->position[j], b->rotation[j]);
    carom_bounds y = carom_shape_bounds(b->shape[j], &pj);
    if (is_plane(b, i)) {
        vec3 n = quat_rotate(b->rotation[i], vec3_make(0, 0, 1));
        vec3 half = vec3_scale(0.5, vec3_sub(y.max, y.min)), middle = vec3_add(y.min, half);
        double flat = fabs(n.x) * half.x + fabs(n.y) * half.y + fabs(n.z) * half.z;
        if (more > 0) // the corners of wider bounds may be nearer than the body
            flat += (fabs(n.x) + fabs(n.y) + fabs(n.z) - 1) * (b->margin / 2 + b->reach[j]);
        double height = vec3_dot(n, vec3_sub(middle, b->position[i]));
        return height <= fmin(flat, b->shape[j]->bounding_radius) + s;
    }
    carom_pose pi = carom_pose_make(b->position[i], b->rotation[i]);
    carom_bounds x = carom_shape_bounds(b->shape[i], &pi);
    double balls = b->shape[i]->bounding_radius + b->shape[j]->bounding_radius + s;
    if (vec3_length(vec3_sub(b->position[i], b->position[j])) > balls)
        return false;
    if (more > 0 &&
        (b->shape[i]->kind == CAROM_SHAPE_SPHERE || b->shape[j]->kind == CAROM_SHAPE_SPHERE))
        return true; // a box may be asked about among spheres, by spheres
    return x.min.x <= y.max.x + s && y.min.x <= x.max.x + s && x.min.y <= y.max.y + s &&
           y.min.y <= x.max.y + s && x.min.z <= y.max.z + s && y.min.z <= x.max.z + s;
}

typedef struct faults {
    int missing, wrong, unsorted, wanted;
} faults;

static void judge(const carom_collide_bodies *bodies, const carom_body_pair *pair, int count,
                  faults *sum)
{
    static bool found[BODIES][BODIES];
    memset(found, 0, sizeof found);
    for (int k = 0; k < count; ++k) {
        found[pair[k].a][pair[k].b] = true;
        sum->wrong += !is_near(bodies, pair[k].a, pair[k].b, 1e-5);
        sum->unsorted += pair[k].a >= pair[k].b;
        sum->unsorted += k > 0 && (pair[k].a < pair[k - 1].a ||
                                   (pair[k].a == pair[k - 1].a && pair[k].b <= pair[k - 1].b));
    }
    for (int i = 0; i < bodies->count; ++i)
        for (int j = i + 1; j < bodies->count; ++j)
            if (is_near(bodies, i, j, 0)) {
                ++sum->wanted;
                sum->missing += !found[i][j];
            }
}

static carom_pair_list *create(void)
{
    carom_pair_list *list = NULL;
    CHECK(carom_pair_list_create(&list, NULL) == CAROM_OK, "there is memory for a list");
    return list;
}

static void check_family(const family *f)
{
    enum { LISTS = 4 };
    static const int threads[LISTS] = { 1, 2, 5, 16 };
    carom_random random = carom_random_make(11, 1);
    carom_pair_list *list[LISTS];
    faults sum = { 0 };
    int other = 0;
    place(f, &random);
    memset(absent, 0, sizeof absent);
    carom_collide_bodies bodies = { .count = BODIES,
                                    .shape = shape,
                                    .position = position,
                                    .rotation = rotation,
                                    .fixed = fixed,
                                    .reach = reach,
                                    .margin = 0.01 };
    for (int t = 0; t < LISTS; ++t)
        list[t] = create();
    for (int call = 0; call < CALLS; ++call) {
        carom_body_pair *pair[LISTS];
        int count[LISTS];
        for (int t = 0; t < LISTS; ++t) {
            bodies.threads = threads[t];
            CHECK(carom_pair_list_find(list[t], &bodies, &pair[t], &count[t], NULL) == CAROM_OK,
                  "%s: call %d is answered", f->name, call);
            other += count[t] != count[0] ||
                     memcmp(pair[t], pair[0], (size_t)count[0] * sizeof *pair[0]) != 0;
        }
        judge(&bodies, pair[0], count[0], &sum);
        move(f, &random);
        if (f->changes)
            change(&bodies, call);
    }
    CHECK(sum.missing == 0, "%s: %d of %d near pairs are missing", f->name, sum.missing,
          sum.wanted);
    CHECK(sum.wanted > CALLS, "%s: %d pairs are near", f->name, sum.wanted);
    CHECK(sum.wrong == 0, "%s: %d pairs are not near", f->name, sum.wrong);
    CHECK(sum.unsorted == 0, "%s: pairs are sorted and unique", f->name);
    CHECK(other == 0, "%s: 2 to 16 threads find the same list", f->name);
    CHECK_MOST(carom_pair_list_searches(list[0]), f->most, "%s: searches in %d calls", f->name,
               CALLS);
    for (int t = 0; t < LISTS; ++t)
        carom_pair_list_destroy(list[t]);
}

static void check_refusal(void)
{
    carom_pair_list *list = create();
    carom_body_pair *pair;
    carom_random random = carom_random_make(3, 1);
    int count;
    carom_error err = { 0 };
    place(&families[0], &random);
    carom_collide_bodies bodies = {
        .count = BODIES, .shape = shape, .position = position, .rotation = rotation, .margin = 0.01
    };
    for (int k = 0; k < 3; ++k)
        carom_pair_list_find(list, &bodies, &pair, &count, NULL);
    position[7].y = (double)NAN;
    CHECK(carom_pair_list_find(list, &bodies, &pair, &count, &err) == CAROM_BAD_INPUT,
          "a position that is not a number is refused where pairs are kept");
    CHECK(strstr(err.what, "body 7") != NULL, "and the body is named: %s", err.what);
    carom_pair_list_destroy(list);
}

int main(void)
{
    for (int k = 0; k < 2; ++k) {
        carom_sphere_create(k ? 1 : 0.5, &ball[k], NULL);
        carom_box_create((double[3]){ k ? 0.9 : 0.5, 0.4, 0.6 }, &box[k], NULL);
    }
    carom_plane_create(&plane, NULL);
    for (size_t i = 0; i < sizeof families / sizeof *families; ++i)
        check_family(&families[i]);
    check_refusal();
    for (int k = 0; k < 2; ++k) {
        carom_shape_release(ball[k]);
        carom_shape_release(box[k]);
    }
    carom_shape_release(plane);
    return check_report();
}

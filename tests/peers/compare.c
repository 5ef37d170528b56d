// Random pairs of convex shapes against another library, with a referee.
//
// The referee is the definition: along a unit direction n from a to b the shapes are apart by
// g(n) = min over b of n.x - max over a of n.x, from support points written out here. The gap of
// two convex shapes is the largest g(n). A claim (gap, n) is *sound* when g(n) equals the gap; of
// two sound claims the larger is the better one. So every difference has a winner, whatever either
// library thinks:
//
//   agree      both sound, equal within the tolerance
//   rough      the peer is off by at most 1 mm (the shapes are about 1 m)
//   ours       the peer is off by more: its claim is unsound, or sound but not the largest
//   peer       the peer's is sound and larger than ours: ours is wrong
//   unsound    our own claim is not sound: ours is wrong
//
// The test demands that the last two never happen and prints the rest.
#include "peer.h"
#include "base/random.h"
#include "collide/narrow.h"
#include "shape/polytope.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHAPES = 80, HULL_POINTS = 12, KINDS = 6 };

// Flat-sided pairs are computed in a dozen operations; curved ones by EPA, which stops within 1e-11
// of the size on its bound, so the gap is good to that and the normal to its square root.
#define TOLERANCE 1e-8

typedef struct sample {
    const carom_shape *shape;
    peer_shape peer;
    carom_pose pose;
} sample;

typedef struct tally {
    int pairs, unknown, agree, apart, overlap_differs;
    int rough, ours, peer, unsound;
    double worst_ours, worst_peer; // how far the loser was off, m
} tally;

static sample pool[KINDS][SHAPES];
static double hull_points[SHAPES][3 * HULL_POINTS];

static const char *const kind_name[KINDS] = { "sphere", "capsule", "cylinder",
                                              "box",    "hull",    "plane" };

// A random hull; the peer gets its corners in the shape's own frame.
static carom_shape *make_hull(carom_random *random, peer_shape *p, double *corners)
{
    double points[3 * HULL_POINTS];
    carom_shape *hull = NULL;
    for (int i = 0; i < HULL_POINTS; ++i) {
        carom_random_direction(random, points + 3 * i);
        for (int k = 0; k < 3; ++k)
            points[3 * i + k] *= carom_random_between(random, 0.3, 1);
    }
    carom_hull_create(points, HULL_POINTS, &hull, NULL);
    p->points = corners;
    p->point_count = hull->polytope->vertex_count;
    for (int i = 0; i < p->point_count; ++i)
        vec3_store(hull->polytope->vertex[i], corners + 3 * i);
    return hull;
}

static void fill_pool(carom_random *random)
{
    for (int i = 0; i < KINDS * SHAPES; ++i) {
        sample *s = &pool[i / SHAPES][i % SHAPES];
        peer_shape *p = &s->peer;
        carom_shape *shape = NULL;
        p->kind = (peer_kind)(i / SHAPES);
        p->slot = i;
        p->radius = carom_random_between(random, 0.2, 1);
        p->half_length = carom_random_between(random, 0.2, 1);
        for (int k = 0; k < 3; ++k)
            p->half[k] = carom_random_between(random, 0.2, 1);
        if (p->kind == PEER_SPHERE)
            carom_sphere_create(p->radius, &shape, NULL);
        else if (p->kind == PEER_CAPSULE)
            carom_capsule_create(p->radius, p->half_length, &shape, NULL);
        else if (p->kind == PEER_CYLINDER)
            carom_cylinder_create(p->radius, p->half_length, &shape, NULL);
        else if (p->kind == PEER_BOX)
            carom_box_create(p->half, &shape, NULL);
        else if (p->kind == PEER_PLANE)
            carom_plane_create(&shape, NULL);
        else
            shape = make_hull(random, p, hull_points[i % SHAPES]);
        s->shape = shape;
    }
}

// Uniform rotations by rejection (Shoemake's quaternion from four uniform numbers in the unit
// ball).
static quat random_rotation(carom_random *random)
{
    for (int i = 0; i < 1000; ++i) {
        quat q = { carom_random_between(random, -1, 1), carom_random_between(random, -1, 1),
                   carom_random_between(random, -1, 1), carom_random_between(random, -1, 1) };
        double squared = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
        if (squared <= 1 && squared > 1e-6)
            return quat_unit(q);
    }
    return quat_identity();
}

static sample make_sample(carom_random *random, peer_kind kind)
{
    sample s = pool[kind][carom_random_below(random, SHAPES)];
    s.pose.rotation = quat_matrix(random_rotation(random));
    for (int i = 0; i < 9; ++i)
        s.peer.rotation[i] = s.pose.rotation.m[i / 3][i % 3];
    return s;
}

static void place(sample *s, vec3 position)
{
    s->pose.position = position;
    vec3_store(position, s->peer.position);
}

// Farthest reach of a shape along n, from its definition.
static double reach(const sample *s, vec3 n)
{
    const peer_shape *p = &s->peer;
    vec3 d = mat3_tmul(s->pose.rotation, n);
    double base = vec3_dot(n, s->pose.position), max = -HUGE_VAL;
    switch (p->kind) {
    case PEER_SPHERE:
        return base + p->radius;
    case PEER_CAPSULE:
        return base + p->radius + fabs(d.z) * p->half_length;
    case PEER_CYLINDER:
        return base + p->radius * sqrt(d.x * d.x + d.y * d.y) + fabs(d.z) * p->half_length;
    case PEER_BOX:
        return base + fabs(d.x) * p->half[0] + fabs(d.y) * p->half[1] + fabs(d.z) * p->half[2];
    case PEER_PLANE:
        return d.z > 1 - 1e-12 ? base : HUGE_VAL;
    case PEER_HULL:
        for (int i = 0; i < p->point_count; ++i)
            max = fmax(max, vec3_dot(d, vec3_from(p->points + 3 * i)));
    }
    return base + max;
}

static double referee(const sample *a, const sample *b, vec3 n)
{
    return -reach(b, vec3_neg(n)) - reach(a, n);
}

static void judge(const sample *a, const sample *b, const peer_answer *peer, tally *t)
{
    if (!peer->known) {
        ++t->unknown;
        return;
    }
    carom_contact own = carom_narrow_gap(a->shape, &a->pose, b->shape, &b->pose, 100);
    double sound = referee(a, b, own.normal);
    if (!(fabs(sound - own.gap) <= TOLERANCE)) {
        ++t->unsound;
        return;
    }
    if (!peer->measured) { // only "they do not overlap"
        if (own.gap >= -TOLERANCE) {
            ++t->apart;
            return;
        }
        // Ours is sound with a negative gap along its normal; whether that is the largest g(n) must
        // be settled.
        ++t->overlap_differs;
        ++t->ours;
        t->worst_ours = fmax(t->worst_ours, -own.gap);
        return;
    }
    vec3 n = vec3_unit(vec3_from(peer->normal));
    double theirs = referee(a, b, n), difference = peer->gap - own.gap;
    bool peer_sound = fabs(theirs - peer->gap) <= 1e-6;
    // Whatever the peer claims, its direction may still beat ours.
    if (theirs > own.gap + 1e-6) {
        ++t->peer;
        t->worst_peer = fmax(t->worst_peer, theirs - own.gap);
    } else if (peer_sound && fabs(difference) <= 1e-6) {
        ++t->agree;
    } else {
        bool rough = fabs(difference) <= 1e-3 && fabs(theirs - own.gap) <= 1e-3;
        t->rough += rough;
        t->ours += !rough;
        t->worst_ours = fmax(t->worst_ours, fabs(difference));
    }
}

static tally compare(peer_kind first, peer_kind second, int pairs)
{
    tally t = { .pairs = pairs };
    carom_random random = carom_random_make(11, (uint64_t)(KINDS * (int)first + (int)second));
    for (int i = 0; i < pairs; ++i) {
        sample a = make_sample(&random, first), b = make_sample(&random, second);
        double direction[3];
        carom_random_direction(&random, direction);
        double size =
            a.shape->bounding_radius + (second == PEER_PLANE ? 0 : b.shape->bounding_radius);
        double distance = size * carom_random_between(&random, 0.2, 1.05);
        place(&b, vec3_make(0, 0, 0));
        place(&a, vec3_scale(-distance, vec3_from(direction)));
        if (second == PEER_PLANE)
            place(&a, vec3_scale(distance, carom_pose_column(&b.pose, 2)));
        peer_answer answer = peer_ask(&a.peer, &b.peer);
        judge(&a, &b, &answer, &t);
    }
    return t;
}

int main(int argc, char **argv)
{
    int pairs = argc > 1 ? atoi(argv[1]) : 1000;
    carom_random random = carom_random_make(3, 0);
    fill_pool(&random);
    peer_open();
    printf("%-20s %7s %7s %7s %7s %7s %6s %6s %9s\n", peer_name, "pairs", "agree", "apart", "rough",
           "ours", "peer", "unsnd", "worst");
    for (int i = 0; i < KINDS - 1; ++i)
        for (int j = i; j < KINDS; ++j) {
            tally t = compare((peer_kind)i, (peer_kind)j, pairs);
            char name[32];
            snprintf(name, sizeof name, "%s-%s", kind_name[i], kind_name[j]);
            if (t.unknown == t.pairs)
                printf("%-20s not offered\n", name);
            else
                printf("%-20s %7d %7d %7d %7d %7d %6d %6d %9.2g\n", name, t.pairs, t.agree, t.apart,
                       t.rough, t.ours, t.peer, t.unsound, t.worst_ours);
            CHECK(t.unsound == 0, "%s: our gap is the one along our normal (%d are not)", name,
                  t.unsound);
            CHECK(t.peer == 0, "%s: %s finds nothing better (%d times, by up to %g m)", name,
                  peer_name, t.peer, t.worst_peer);
        }
    peer_close();
    for (int i = 0; i < KINDS * SHAPES; ++i)
        carom_shape_release(pool[i / SHAPES][i % SHAPES].shape);
    return check_report();
}

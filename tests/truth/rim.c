// The rim of a cylinder against edges, rims, capsules and faces: normals to 1e-9 at any gap.
//
// Pairs are built around a normal n chosen within the cone of normals of a point of the rim: what
// lies on its other side with -n in its own cone is nearest there, at the chosen gap. The whole is
// turned eight ways: nothing may depend on it, the number of contacts neither.
#include <math.h>
#include "collide/narrow.h"
#include "support/check.h"

enum { TURNS = 8, GAPS = 7 };
static const double gaps[GAPS] = { 1e-3, 1e-6, 1e-9, 0, -1e-9, -1e-6, -1e-4 };

typedef enum partner { EDGE, RIM, CAPSULE, FACE, PARTNERS } partner;
static const char *const names[PARTNERS] = { "edge of a box", "rim", "capsule", "face of a box" };

// Where the two meet before the turn: n from the cylinder out, d along the partner's feature.
typedef struct meeting {
    vec3 point, n, d;
} meeting;

// A rim point at the angle `place`, n lifted by `lift` from the radius, d turned by `cross` from
// the rim's tangent.
static meeting meeting_at(double radius, double half, double place, double lift, double cross)
{
    vec3 out = { cos(place), sin(place), 0 }, z = { 0, 0, 1 }, along = vec3_cross(z, out);
    vec3 n = vec3_axpy(vec3_scale(cos(lift), out), sin(lift), z);
    meeting m = { .point = vec3_axpy(vec3_scale(radius, out), half, z), .n = n };
    m.d = vec3_axpy(vec3_scale(cos(cross), along), sin(cross), vec3_cross(n, along));
    return m;
}

static mat3 columns(vec3 x, vec3 y, vec3 z)
{
    if (vec3_dot(vec3_cross(x, y), z) < 0)
        x = vec3_neg(x); // all of these shapes are their own mirror images
    return (mat3){ { { x.x, y.x, z.x }, { x.y, y.y, z.y }, { x.z, y.z, z.z } } };
}

// The partner's shape and pose so that its feature passes through m.point + gap n.
static carom_shape *build(partner kind, const meeting *m, double gap, carom_pose *pose)
{
    const double tilt = 0.6; // of the normal within the partner's own cone
    carom_shape *shape = NULL;
    vec3 at = vec3_axpy(m->point, gap, m->n), side = vec3_cross(m->n, m->d);
    vec3 f = vec3_axpy(vec3_scale(-cos(tilt), m->n), sin(tilt), side);
    vec3 g = vec3_axpy(vec3_scale(-sin(tilt), m->n), -cos(tilt), side);
    *pose = carom_pose_identity();
    if (kind == EDGE || kind == FACE) {
        vec3 half = { 0.7, 0.3, 0.4 };
        CHECK(carom_box_create((double[]){ half.x, half.y, half.z }, &shape, NULL) == CAROM_OK,
              "a box");
        if (kind == FACE) {
            f = vec3_neg(m->n);
            g = side;
        }
        pose->rotation = columns(m->d, f, g);
        pose->position = vec3_axpy(vec3_axpy(at, -half.y, f), kind == EDGE ? -half.z : 0.1, g);
        pose->position = vec3_axpy(pose->position, 0.2, m->d);
    } else if (kind == RIM) {
        CHECK(carom_cylinder_create(0.35, 0.5, &shape, NULL) == CAROM_OK, "a cylinder");
        pose->rotation = columns(m->d, f, g);
        pose->position = vec3_axpy(vec3_axpy(at, -0.35, f), -0.5, g);
    } else {
        CHECK(carom_capsule_create(0.15, 0.6, &shape, NULL) == CAROM_OK, "a capsule");
        pose->rotation = columns(m->n, side, m->d);
        pose->position = vec3_axpy(vec3_axpy(at, 0.15, m->n), 0.1, m->d);
    }
    return shape;
}

static carom_pose turned(carom_pose pose, quat q, vec3 by)
{
    mat3 r = quat_matrix(q), out;
    for (int k = 0; k < 3; ++k) {
        vec3 column = mat3_mul(r, carom_pose_column(&pose, k));
        out.m[0][k] = column.x;
        out.m[1][k] = column.y;
        out.m[2][k] = column.z;
    }
    return (carom_pose){ .rotation = out, .position = vec3_add(by, mat3_mul(r, pose.position)) };
}

static void check_one(partner kind, const meeting *m, double gap, int turn)
{
    const double radius = 0.4, half = 0.6;
    quat q = quat_unit((quat){ cos(turn), sin(1.7 * turn), cos(2.3 * turn), sin(turn + 1) });
    vec3 by = { 0.3 * turn, -0.1 * turn, 0.2 };
    carom_shape *cylinder = NULL;
    carom_pose own = carom_pose_identity(), other;
    CHECK(carom_cylinder_create(radius, half, &cylinder, NULL) == CAROM_OK, "a cylinder");
    carom_shape *second = build(kind, m, gap, &other);
    carom_manifold found = { 0 };
    own = turned(own, q, by);
    other = turned(other, q, by);
    carom_narrow_touch(cylinder, &own, second, &other, 0.01, 0, NULL, &found);
    vec3 n = quat_rotate(q, m->n);
    vec3 at = vec3_add(by, quat_rotate(q, vec3_axpy(m->point, 0.5 * gap, m->n)));
    if (CHECK(found.count == 1, "rim and %s at gap %g, turn %d: %d contacts in place of one",
              names[kind], gap, turn, found.count)) {
        carom_manifold_point *c = &found.points[0];
        CHECK_MOST(vec3_length(vec3_sub(c->normal, n)), 1e-9,
                   "rim and %s at gap %g, turn %d: normal", names[kind], gap, turn);
        CHECK_NEAR(c->gap, gap, 1e-13, "rim and %s, turn %d: gap", names[kind], turn);
        CHECK_MOST(vec3_length(vec3_sub(c->point, at)), 1e-9,
                   "rim and %s at gap %g, turn %d: point", names[kind], gap, turn);
    }
    carom_shape_release(cylinder);
    carom_shape_release(second);
}

int main(void)
{
    const double lifts[] = { 0.2, 0.8, 1.2 }, crossings[] = { 0.3, 1, 2.2 };
    for (int kind = 0; kind < PARTNERS; ++kind)
        for (int i = 0; i < 9; ++i)
            for (int g = 0; g < GAPS; ++g)
                for (int turn = 0; turn < TURNS; ++turn) {
                    meeting m = meeting_at(0.4, 0.6, 0.7 * i, lifts[i % 3], crossings[i / 3]);
                    check_one((partner)kind, &m, gaps[g], turn);
                }
    return check_report();
}

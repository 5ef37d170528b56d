// Contacts do not depend on which body comes first (same bits), nor on a rotation, a mirror image
// or a shift of the scene (to round-off), for every pair of kinds.
#include "base/random.h"
#include "collide/narrow.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

enum { KINDS = 7 };

static int trials;

static carom_shape *make(int kind)
{
    carom_shape *s = NULL, *part = NULL;
    double points[24] = { 1,   0, 0,   -1,  0.2, 0,    0,   0.8, 0.1, 0,    -0.7, 0.3,
                          0.1, 0, 0.9, 0.2, 0.1, -0.8, 0.5, 0.5, 0.5, -0.5, -0.4, -0.5 };
    double ell[12] = { 0, 0, 1.2, 0, 1.2, 0.4, 0.4, 0.4, 0.4, 1, 0, 1 };
    carom_part parts[2] = { { NULL, { 0, 0, 0 }, { 1, 0, 0, 0 } },
                            { NULL, { 0.5, 0.1, 0 }, { 0.6, 0.8, 0, 0 } } };
    switch (kind) {
    case 0:
        carom_sphere_create(0.6, &s, NULL);
        break;
    case 1:
        carom_capsule_create(0.3, 0.6, &s, NULL);
        break;
    case 2:
        carom_cylinder_create(0.4, 0.6, &s, NULL);
        break;
    case 3:
        carom_box_create((double[3]){ 0.3, 0.5, 0.7 }, &s, NULL);
        break;
    case 4:
        carom_hull_create(points, 8, &s, NULL);
        break;
    case 5:
        carom_profile_extrude(ell, 6, 0.3, &s, NULL);
        break;
    default:
        carom_box_create((double[3]){ 0.3, 0.3, 0.5 }, &part, NULL);
        parts[0].shape = parts[1].shape = part;
        carom_compound_create(parts, 2, &s, NULL);
        carom_shape_release(part);
    }
    return s;
}

static quat random_rotation(carom_random *random)
{
    return quat_unit((quat){ carom_random_normal(random), carom_random_normal(random),
                             carom_random_normal(random), carom_random_normal(random) });
}

// Every contact of `m`, turned by `by` and shifted, is a contact of `n`. Returns the worst misfit,
// m.
static double misfit(const carom_manifold *m, const carom_manifold *n, const mat3 *by, vec3 shift)
{
    double worst = m->count == n->count ? 0 : HUGE_VAL;
    for (int i = 0; i < m->count; ++i) {
        vec3 point = vec3_add(mat3_mul(*by, m->points[i].point), shift);
        vec3 normal = mat3_mul(*by, m->points[i].normal);
        double best = HUGE_VAL;
        for (int j = 0; j < n->count; ++j) {
            double d = vec3_length(vec3_sub(point, n->points[j].point)) +
                       vec3_length(vec3_sub(normal, n->points[j].normal)) +
                       fabs(m->points[i].gap - n->points[j].gap);
            best = fmin(best, d);
        }
        worst = fmax(worst, best);
    }
    return worst;
}

// The deepest contact alone: gap and normal.
static double misfit_of_deepest(const carom_contact *m, const carom_contact *n, const mat3 *by)
{
    if (m->gap == HUGE_VAL && n->gap == HUGE_VAL)
        return 0;
    return fmax(fabs(m->gap - n->gap) * 1e5,
                vec3_length(vec3_sub(mat3_mul(*by, m->normal), n->normal)));
}

static bool same_turned(const carom_manifold *m, const carom_manifold *n)
{
    if (m->count != n->count)
        return false;
    for (int i = 0; i < m->count; ++i) {
        const carom_manifold_point *p = &m->points[i], *q = &n->points[i];
        vec3 back = vec3_neg(q->normal);
        if (memcmp(&p->point, &q->point, sizeof p->point) != 0 || p->gap != q->gap ||
            p->normal.x != back.x || p->normal.y != back.y || p->normal.z != back.z ||
            p->feature_a != q->feature_b || p->feature_b != q->feature_a)
            return false;
    }
    return true;
}

static void check_pair(int i, int j)
{
    carom_shape *a = make(i), *b = make(j);
    carom_random random = carom_random_make(21, (uint64_t)(10 * i + j));
    const char *names[2] = { carom_shape_kind_name(a->kind), carom_shape_kind_name(b->kind) };
    int touching = 0, swapped = 0, rotated = 0;
    double worst = 0;
    // Flat-sided and round shapes: round-off. Meshes: the golden section knows the place along an
    // edge to the root of round-off. Cylinders: caps are polygons of 16 corners, so the deepest
    // contact alone is compared, its gap and its normal.
    bool curved = i > 0 && (i == 2 || j == 2), mesh = i == 5 || j == 5;
    double allowance = mesh ? 1e-6 : 1e-9;
    for (int trial = 0; trial < trials; ++trial) {
        double d[3], size = a->bounding_radius + b->bounding_radius;
        carom_random_direction(&random, d);
        quat qa = random_rotation(&random), qb = random_rotation(&random),
             q = random_rotation(&random);
        vec3 place = vec3_scale(size * carom_random_between(&random, 0.5, 0.9), vec3_from(d));
        vec3 shift = vec3_make(3, -5, 7);
        carom_pose pa = carom_pose_make(vec3_make(0, 0, 0), qa), pb = carom_pose_make(place, qb);
        carom_manifold m, n;
        carom_narrow_touch(a, &pa, b, &pb, 0.02, 0, NULL, &m);
        touching += m.count > 0;
        carom_narrow_touch(b, &pb, a, &pa, 0.02, 0, NULL, &n);
        swapped += !same_turned(&m, &n);
        mat3 by = quat_matrix(q);
        carom_pose ra = carom_pose_make(shift, quat_mul(q, qa));
        carom_pose rb = carom_pose_make(vec3_add(shift, mat3_mul(by, place)), quat_mul(q, qb));
        carom_narrow_touch(a, &ra, b, &rb, 0.02, 0, NULL, &n);
        double off = misfit(&m, &n, &by, shift);
        if (curved) {
            carom_contact before = carom_narrow_gap(a, &pa, b, &pb, 0.02);
            carom_contact after = carom_narrow_gap(a, &ra, b, &rb, 0.02);
            off = misfit_of_deepest(&before, &after, &by);
        }
        // A corner whose gap equals the margin, or two directions that tie, may fall either way.
        rotated += off > allowance;
        if (off <= allowance)
            worst = fmax(worst, off);
    }
    CHECK(touching > trials / 10, "%s-%s: enough pairs touch (%d)", names[0], names[1], touching);
    CHECK(swapped == 0, "%s-%s: same bits whichever comes first (%d differ)", names[0], names[1],
          swapped);
    CHECK(rotated <= trials / 25, "%s-%s: turned with the scene (%d of %d differ)", names[0],
          names[1], rotated, trials);
    CHECK_MOST(worst, allowance, "%s-%s: round-off under rotation", names[0], names[1]);
    carom_shape_release(a);
    carom_shape_release(b);
}

// Mirrored in the plane x = 0: symmetric kinds, mirrored poses, mirrored contacts.
static void check_mirror(int i, int j)
{
    carom_shape *a = make(i), *b = make(j);
    carom_random random = carom_random_make(22, (uint64_t)(10 * i + j));
    mat3 mirror = { { { -1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
    int differ = 0;
    for (int trial = 0; trial < trials; ++trial) {
        double d[3], size = a->bounding_radius + b->bounding_radius;
        carom_random_direction(&random, d);
        quat qa = random_rotation(&random), qb = random_rotation(&random);
        vec3 place = vec3_scale(size * carom_random_between(&random, 0.5, 0.9), vec3_from(d));
        carom_pose pa = carom_pose_make(vec3_make(0, 0, 0), qa), pb = carom_pose_make(place, qb);
        carom_pose ma = carom_pose_make(vec3_make(0, 0, 0), (quat){ qa.w, qa.x, -qa.y, -qa.z });
        carom_pose mb =
            carom_pose_make(mat3_mul(mirror, place), (quat){ qb.w, qb.x, -qb.y, -qb.z });
        carom_manifold m, n;
        carom_narrow_touch(a, &pa, b, &pb, 0.02, 0, NULL, &m);
        carom_narrow_touch(a, &ma, b, &mb, 0.02, 0, NULL, &n);
        differ += misfit(&m, &n, &mirror, vec3_make(0, 0, 0)) > 1e-6;
    }
    CHECK(differ <= trials / 50, "%s-%s: mirrored with the scene (%d differ)",
          carom_shape_kind_name(a->kind), carom_shape_kind_name(b->kind), differ);
    carom_shape_release(a);
    carom_shape_release(b);
}

int main(void)
{
    trials = check_effort(150, 50);
    for (int i = 0; i < KINDS; ++i)
        for (int j = i; j < KINDS; ++j)
            check_pair(i, j);
    for (int i = 0; i < 4; ++i)
        for (int j = i; j < 4; ++j)
            check_mirror(i, j);
    return check_report();
}

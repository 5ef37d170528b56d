// Separating axes of boxes in lanes: the bits of a plain search, one pair after the other, in
// whichever lane and in registers of any width, for boxes anywhere, face on face, edge on edge,
// along the diagonal of a wall, and off these by a last digit or two.
#include "base/random.h"
#include "collide/box_pairs.h"
#include "collide/face.h"
#include "collide/narrow.h"
#include "support/check.h"

#include <string.h>

// The same lanes in the narrowest registers of this kind of processor.
static void narrow_find(carom_boxes *boxes);
static carom_axis narrow_axis(const carom_core *a, const carom_core *b, double margin)
    __attribute__((unused));
#undef CAROM_LANES_WIDE
#define CAROM_LANES_WIDE
#define carom_boxes_find narrow_find
#define carom_boxes_axis narrow_axis
#include "collide/boxes.c"
#undef carom_boxes_find
#undef carom_boxes_axis

// -- the plain search -----------------------------------------------------------------------------

typedef struct plain_pair {
    double c[3][3], abs_c[3][3], t[3], ha[3], hb[3];
    double size, small; // of both together, and as if both were the smaller one
} plain_pair;

typedef struct best_axis {
    double gap;
    double direction[3]; // in a's frame, not yet pointing from a to b
} best_axis;

static plain_pair plain_make(const carom_core *a, const carom_core *b)
{
    plain_pair s;
    carom_pose between = carom_pose_between(&a->pose, &b->pose);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            s.c[i][j] = between.rotation.m[i][j];
            s.abs_c[i][j] = fabs(s.c[i][j]);
        }
    vec3_store(between.position, s.t);
    vec3_store(a->shape->half, s.ha);
    vec3_store(b->shape->half, s.hb);
    s.size = a->shape->bounding_radius + b->shape->bounding_radius;
    s.small = 2 * fmin(a->shape->bounding_radius, b->shape->bounding_radius);
    return s;
}

static double plain_gap_along(const plain_pair *s, const double direction[3])
{
    double gap = 0;
    for (int k = 0; k < 3; ++k) {
        double on_b = 0;
        for (int i = 0; i < 3; ++i)
            on_b += direction[i] * s->c[i][k];
        gap += s->t[k] * direction[k] - s->ha[k] * fabs(direction[k]) - s->hb[k] * fabs(on_b);
    }
    return gap;
}

// Faces that tie although their normals differ: edge on parallel edge, as when two plates lean
// against each other. No single normal is right then; their mean is, it favours no side, and it is
// the direction the boxes part in.
static bool plain_join(const plain_pair *s, const best_axis face[6], best_axis *best)
{
    double sum[3] = { 0, 0, 0 }, length = 0;
    int tied[2] = { 0, 0 };
    for (int f = 0; f < 6; ++f)
        if (face[f].gap >= best->gap - 1e-9 * s->size) {
            ++tied[f / 3];
            for (int k = 0; k < 3; ++k)
                sum[k] += face[f].direction[k];
        }
    // neighbours along the diagonal in a wall of bricks, see face.h; where the strip that they
    // share is too narrow by far, its corners need not be found to say that they do not touch
    if (tied[0] > 1 && tied[1] > 1 && fabs(best->gap) <= CAROM_OVERLAP_SLIVER * s->small) {
        if (fabs(best->gap) <= 0.03 * CAROM_OVERLAP_SLIVER * s->small)
            best->gap = HUGE_VAL;
        return false;
    }
    for (int k = 0; k < 3; ++k)
        length += sum[k] * sum[k];
    length = sqrt(length);
    if (length < 0.5)
        return false;
    double differs = 0;
    for (int k = 0; k < 3; ++k) {
        sum[k] /= length;
        differs = fmax(differs, fabs(sum[k] - best->direction[k]));
    }
    if (differs < 1e-3) // parallel faces
        return false;
    best->gap = plain_gap_along(s, sum);
    for (int k = 0; k < 3; ++k)
        best->direction[k] = sum[k];
    return true;
}

static best_axis plain_face_of_a(const plain_pair *s, int i)
{
    const double *row = s->abs_c[i];
    best_axis face = { fabs(s->t[i]) - s->ha[i] -
                           (row[0] * s->hb[0] + row[1] * s->hb[1] + row[2] * s->hb[2]),
                       { 0, 0, 0 } };
    face.direction[i] = s->t[i] < 0 ? -1 : 1;
    return face;
}

static best_axis plain_face_of_b(const plain_pair *s, int j)
{
    double t = s->t[0] * s->c[0][j] + s->t[1] * s->c[1][j] + s->t[2] * s->c[2][j];
    double sign = t < 0 ? -1 : 1;
    return (best_axis){ fabs(t) - s->hb[j] -
                            (s->abs_c[0][j] * s->ha[0] + s->abs_c[1][j] * s->ha[1] +
                             s->abs_c[2][j] * s->ha[2]),
                        { sign * s->c[0][j], sign * s->c[1][j], sign * s->c[2][j] } };
}

// Whether apart / sqrt(square) is below the best gap for sure: most edges are, and need neither the
// root nor the quotient. The margin is far above round-off; what it leaves is looked at in full.
static bool short_of(double apart, double square, double best)
{
    const double sure = 1 + 1e-9;
    if (apart < 0)
        return best >= 0 || apart * apart > sure * best * best * square;
    return best > 0 && sure * apart * apart < best * best * square;
}

// Axis e_i x C_j. Nearly parallel edges are skipped: the faces cover that case, and the axis is
// noise.
static void plain_try(const plain_pair *s, int i, int j, best_axis *best)
{
    int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    double square = s->c[i1][j] * s->c[i1][j] + s->c[i2][j] * s->c[i2][j];
    if (square < 0.99e-10)
        return;
    double t = s->t[i2] * s->c[i1][j] - s->t[i1] * s->c[i2][j];
    double ra = s->ha[i1] * s->abs_c[i2][j] + s->ha[i2] * s->abs_c[i1][j];
    double rb = s->hb[j1] * s->abs_c[i][j2] + s->hb[j2] * s->abs_c[i][j1];
    double apart = fabs(t) - ra - rb;
    if (short_of(apart, square, best->gap))
        return;
    double length = sqrt(square);
    if (length < 1e-5)
        return;
    double gap = apart / length;
    // Faces win ties: round-off of the quotient must not decide.
    if (gap <= best->gap + 1e-14 * s->size / length)
        return;
    double sign = t < 0 ? -1 : 1;
    best->gap = gap;
    best->direction[i] = 0;
    best->direction[i1] = -sign * s->c[i2][j] / length;
    best->direction[i2] = sign * s->c[i1][j] / length;
}

static carom_axis plain_axis(const carom_core *a, const carom_core *b, double margin)
{
    plain_pair s = plain_make(a, b);
    best_axis face[6], best = { -HUGE_VAL, { 0, 0, 0 } };
    for (int f = 0; f < 6; ++f) {
        face[f] = f < 3 ? plain_face_of_a(&s, f) : plain_face_of_b(&s, f - 3);
        if (face[f].gap > margin)
            return (carom_axis){ .gap = face[f].gap };
        if (face[f].gap > best.gap)
            best = face[f];
    }
    double faces = best.gap;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            plain_try(&s, i, j, &best);
    // Also just before they touch: the direction of so short a distance would be noise.
    bool joined = best.gap == faces && best.gap < 1e-6 * s.size && plain_join(&s, face, &best);
    return (carom_axis){ .normal = mat3_mul(a->pose.rotation, vec3_from(best.direction)),
                         .gap = best.gap,
                         .exact = best.gap <= 0 || joined };
}

// -- both -----------------------------------------------------------------------------------------

enum { SIZES = 4, PAIRS = 4000 };
static carom_shape *size[SIZES];

static double between(carom_random *random, double most)
{
    return carom_random_between(random, -most, most);
}

static quat turned(carom_random *random, double most)
{
    return quat_unit(
        (quat){ 1, between(random, most), between(random, most), between(random, most) });
}

// Edge on edge, as two plates that lean against each other: one is the other's mirror image.
static void lean(carom_random *random, const carom_shape *shape, double off, quat q[2],
                 double at[3])
{
    double slope = carom_random_between(random, 0.1, 0.5), c = 1 / sqrt(1 + slope * slope);
    double cosine = 2 * c * c - 1, sine = 2 * c * c * slope;
    q[0] = quat_unit((quat){ 1, slope, 0, 0 });
    q[1] = quat_unit((quat){ 1, -slope, 0, 0 });
    at[0] = between(random, shape->half.x);
    at[1] = 2 * (shape->half.y * cosine + shape->half.z * sine) + between(random, off);
    at[2] = between(random, off);
}

// b lies beside a, along some of a's axes as far as they reach together; off that by `off`.
static carom_box_pair pair_of(carom_random *random, int kind, double off)
{
    carom_box_pair pair = { .margin = 1e-3 };
    static quat rotation[2 * PAIRS];
    static int next;
    quat *q = &rotation[next = (next + 2) % (2 * PAIRS)];
    double at[3], half[2][3];
    for (int k = 0; k < 2; ++k) {
        pair.shape[k] = size[carom_random_below(random, SIZES)];
        pair.rotation[k] = &q[k];
    }
    if (kind % 4 != 0) // of a wall
        pair.shape[1] = pair.shape[0];
    q[0] = kind > 3 ? turned(random, 3) : quat_identity();
    q[1] = kind == 0 || kind == 4 ? turned(random, 3) : quat_mul(q[0], turned(random, off));
    for (int k = 0; k < 2; ++k)
        vec3_store(pair.shape[k]->half, half[k]);
    for (int k = 0; k < 3; ++k) {
        double reach = half[0][k] + half[1][k];
        bool beside = kind % 4 != 0 && carom_random_below(random, 2);
        at[k] = beside ? reach + between(random, off) : between(random, 1.1 * reach);
    }
    if (kind == 3)
        lean(random, pair.shape[0], off, q, at);
    pair.position[0] = vec3_make(between(random, 9), between(random, 9), between(random, 9));
    vec3 way = kind == 3 ? vec3_from(at) : quat_rotate(q[0], vec3_from(at));
    pair.position[1] = vec3_add(pair.position[0], way);
    return pair;
}

static bool same_axis(const carom_axis *x, const carom_axis *y, double margin)
{
    if (x->gap > margin || y->gap > margin)
        return x->gap > margin && y->gap > margin;
    return memcmp(&x->gap, &y->gap, sizeof x->gap) == 0 && x->exact == y->exact &&
           memcmp(&x->normal, &y->normal, sizeof x->normal) == 0;
}

typedef struct tally {
    int axes, lanes, narrow, touch, joined;
} tally;

static void fill(carom_boxes *boxes, int lane, const carom_core *a, const carom_core *b,
                 const quat *qa, const quat *qb, double margin)
{
    double turn_a[4] = { qa->w, qa->x, qa->y, qa->z }, turn_b[4] = { qb->w, qb->x, qb->y, qb->z };
    double d[3], ha[3], hb[3];
    vec3_store(vec3_sub(b->pose.position, a->pose.position), d);
    vec3_store(a->shape->half, ha);
    vec3_store(b->shape->half, hb);
    for (int k = 0; k < 3; ++k) {
        boxes->between[k][lane] = d[k];
        boxes->half_a[k][lane] = ha[k];
        boxes->half_b[k][lane] = hb[k];
    }
    for (int k = 0; k < 4; ++k) {
        boxes->turn_a[k][lane] = turn_a[k];
        boxes->turn_b[k][lane] = turn_b[k];
    }
    boxes->radius_a[lane] = a->shape->bounding_radius;
    boxes->radius_b[lane] = b->shape->bounding_radius;
    boxes->margin[lane] = margin;
}

static carom_axis axis_in(const carom_boxes *boxes, int lane)
{
    return (carom_axis){ .normal = vec3_make(boxes->normal[0][lane], boxes->normal[1][lane],
                                             boxes->normal[2][lane]),
                         .gap = boxes->gap[lane],
                         .exact = boxes->exact[lane] != 0 };
}

static void compare_four(carom_random *random, int kind, double off, tally *sum)
{
    carom_boxes boxes, narrow;
    carom_axis plain[CAROM_BOXES];
    double margin = 1e-3;
    for (int lane = 0; lane < CAROM_BOXES; ++lane) {
        carom_box_pair pair = pair_of(random, kind, off);
        carom_core a = { .shape = pair.shape[0],
                         .pose = carom_pose_make(pair.position[0], *pair.rotation[0]) };
        carom_core b = { .shape = pair.shape[1],
                         .pose = carom_pose_make(pair.position[1], *pair.rotation[1]) };
        b.pose.position = vec3_sub(b.pose.position, a.pose.position);
        a.pose.position = vec3_make(0, 0, 0);
        plain[lane] = plain_axis(&a, &b, margin);
        double reach = a.shape->bounding_radius + b.shape->bounding_radius + margin;
        if (vec3_length(b.pose.position) > reach) // the plain one leaves that to others
            plain[lane].gap = HUGE_VAL;
        carom_axis one = carom_boxes_axis(&a, &b, margin);
        sum->axes += !same_axis(&plain[lane], &one, margin);
        fill(&boxes, lane, &a, &b, pair.rotation[0], pair.rotation[1], margin);
        sum->touch += plain[lane].gap <= margin;
        sum->joined += plain[lane].gap <= margin && plain[lane].exact && plain[lane].gap > 0;
    }
    narrow = boxes;
    carom_boxes_find(&boxes);
    narrow_find(&narrow);
    for (int lane = 0; lane < CAROM_BOXES; ++lane) {
        carom_axis wide = axis_in(&boxes, lane), thin = axis_in(&narrow, lane);
        sum->lanes += !same_axis(&plain[lane], &wide, margin);
        sum->narrow += !same_axis(&plain[lane], &thin, margin);
    }
}

// The contacts by lanes are those of the narrow phase, whichever box is named first.
static void compare_contacts(carom_random *random, int kind, double off, int *wrong, int *points)
{
    static carom_box_pairs gathered;
    static carom_manifold out[2];
    carom_box_pair pair[7];
    gathered.held = gathered.count = 0;
    for (int k = 0; k < 7; ++k) {
        pair[k] = pair_of(random, kind, off);
        carom_box_pairs_add(&gathered, &pair[k]);
    }
    carom_box_pairs_end(&gathered);
    for (int k = 0; k < 7; ++k) {
        carom_pose pose[2];
        for (int i = 0; i < 2; ++i)
            pose[i] = carom_pose_make(pair[k].position[i], *pair[k].rotation[i]);
        carom_narrow_touch(pair[k].shape[0], &pose[0], pair[k].shape[1], &pose[1], pair[k].margin,
                           0, NULL, &out[0]);
        bool done = carom_box_pairs_touch(&gathered.axis[k], &pair[k], &out[1]);
        *wrong +=
            !done || out[0].count != out[1].count ||
            memcmp(out[0].points, out[1].points, (size_t)out[0].count * sizeof *out[0].points) != 0;
        *points += out[1].count;
    }
}

static void check_kind(int kind)
{
    static const double off[] = { 0, 1e-16, 1e-14, 1e-10, 1e-6, 1e-3 };
    carom_random random = carom_random_make(23, (uint64_t)kind);
    tally sum = { 0 };
    int wrong = 0, points = 0;
    for (int n = 0; n < PAIRS / CAROM_BOXES; ++n) {
        compare_four(&random, kind, off[n % 6], &sum);
        compare_contacts(&random, kind, off[n % 6], &wrong, &points);
    }
    CHECK(sum.axes == 0, "kind %d: %d axes of single pairs are others", kind, sum.axes);
    CHECK(sum.lanes == 0, "kind %d: %d axes in lanes are others", kind, sum.lanes);
    CHECK(sum.narrow == 0, "kind %d: %d axes in narrow lanes are others", kind, sum.narrow);
    CHECK(sum.touch > PAIRS / 20, "kind %d: %d pairs touch", kind, sum.touch);
    CHECK(kind != 3 || sum.joined > 0, "kind %d: faces that tie are joined %d times", kind,
          sum.joined);
    CHECK(wrong == 0, "kind %d: %d pairs have other contacts", kind, wrong);
    CHECK(points > PAIRS / 20, "kind %d: there are %d contacts", kind, points);
}

static void check_one_place(void)
{
    static carom_box_pairs gathered;
    static carom_manifold out;
    quat q[2] = { quat_identity(), quat_unit((quat){ 1, 0.1, 0, 0 }) };
    carom_box_pair pair = {
        { size[0], size[1] }, { &q[0], &q[1] }, { { 1, 2, 3 }, { 1, 2, 3 } }, 1e-3
    };
    carom_box_pairs_add(&gathered, &pair);
    carom_box_pairs_end(&gathered);
    CHECK(!carom_box_pairs_touch(&gathered.axis[0], &pair, &out),
          "two boxes at one place are left to the narrow phase");
}

int main(void)
{
    for (int k = 0; k < SIZES; ++k)
        carom_box_create((double[3]){ 0.5, k < 2 ? 0.5 : 0.3, k ? 0.4 : 0.5 }, &size[k], NULL);
    for (int kind = 0; kind < 8; ++kind)
        check_kind(kind);
    check_one_place();
    for (int k = 0; k < SIZES; ++k)
        carom_shape_release(size[k]);
    return check_report();
}

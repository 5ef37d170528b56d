// Separating axes of two boxes (Gottschalk, Lin, Manocha 1996, section 5, "OBBTree").
//
// Symbols: C = Ra^T Rb, t = Ra^T (pb - pa), h half edges. Along a unit axis L the boxes are apart
// by |t . L| - sum ha_i |L_i| - sum hb_j |L . C_j|. The largest value over the fifteen axes is
// minus the least overlap, or a lower bound of the distance.
#include "collide/boxes.h"
#include "collide/face.h"
#include "math/lanes.h"

typedef struct frames {
    lanes a[3][3], b[3][3]; // shape to world
} frames;

typedef struct pairs {
    lanes c[3][3], abs_c[3][3], t[3], ha[3], hb[3];
    lanes size, small; // of both together, and as if both were the smaller one
    lanes margin;
    lanes_flags apart; // some face shows a gap above the margin
} pairs;

typedef struct axes {
    lanes gap;
    lanes direction[3]; // in a's frame, not yet pointing from a to b
} axes;

LANES_INLINE lanes sign_of(lanes t)
{
    return lanes_pick(t < lanes_all(0), lanes_all(-1), lanes_all(1));
}

LANES_INLINE pairs pairs_make(const carom_boxes *boxes, const frames *f)
{
    pairs s;
    lanes d[3], ra = lanes_load(boxes->radius_a), rb = lanes_load(boxes->radius_b);
    for (int k = 0; k < 3; ++k) {
        d[k] = lanes_load(boxes->between[k]);
        s.ha[k] = lanes_load(boxes->half_a[k]);
        s.hb[k] = lanes_load(boxes->half_b[k]);
    }
    for (int i = 0; i < 3; ++i) {
        s.t[i] = f->a[0][i] * d[0] + f->a[1][i] * d[1] + f->a[2][i] * d[2];
        for (int j = 0; j < 3; ++j) {
            s.c[i][j] = f->a[0][i] * f->b[0][j] + f->a[1][i] * f->b[1][j] + f->a[2][i] * f->b[2][j];
            s.abs_c[i][j] = lanes_abs(s.c[i][j]);
        }
    }
    lanes reach;
    s.margin = lanes_load(boxes->margin);
    s.size = ra + rb;
    s.small = 2 * lanes_min(ra, rb);
    reach = s.size + s.margin;
    s.apart = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > reach * reach * (1 + 1e-12);
    return s;
}

LANES_INLINE void put_better(axes *best, lanes_flags better, const axes *other)
{
    best->gap = lanes_pick(better, other->gap, best->gap);
    for (int k = 0; k < 3; ++k)
        best->direction[k] = lanes_pick(better, other->direction[k], best->direction[k]);
}

LANES_INLINE axes face_of_a(const pairs *s, int i)
{
    const lanes *row = s->abs_c[i], none = lanes_all(0);
    axes face = { lanes_abs(s->t[i]) - s->ha[i] -
                      (row[0] * s->hb[0] + row[1] * s->hb[1] + row[2] * s->hb[2]),
                  { none, none, none } };
    face.direction[i] = sign_of(s->t[i]);
    return face;
}

LANES_INLINE axes face_of_b(const pairs *s, int j)
{
    lanes t = s->t[0] * s->c[0][j] + s->t[1] * s->c[1][j] + s->t[2] * s->c[2][j];
    lanes sign = sign_of(t);
    return (axes){ lanes_abs(t) - s->hb[j] -
                       (s->abs_c[0][j] * s->ha[0] + s->abs_c[1][j] * s->ha[1] +
                        s->abs_c[2][j] * s->ha[2]),
                   { sign * s->c[0][j], sign * s->c[1][j], sign * s->c[2][j] } };
}

// Whether apart / sqrt(square) is below the best gap for sure: most edges are, and need neither the
// root nor the quotient. The margin is far above round-off; what it leaves is looked at in full.
LANES_INLINE lanes_flags falls_short(lanes apart, lanes square, lanes best)
{
    const lanes none = lanes_all(0), sure = lanes_all(1 + 1e-9);
    lanes_flags below = (best >= none) | (apart * apart > sure * best * best * square);
    lanes_flags above = (best > none) & (sure * apart * apart < best * best * square);
    lanes_flags inside = apart < none;
    return (inside & below) | (~inside & above);
}

// Axis e_i x C_j. Nearly parallel edges are skipped: the faces cover that case, and the axis is
// noise. Faces win ties: round-off of the quotient must not decide.
LANES_INLINE void try_edges(const pairs *s, int i, int j, axes *best)
{
    int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    lanes square = s->c[i1][j] * s->c[i1][j] + s->c[i2][j] * s->c[i2][j];
    lanes t = s->t[i2] * s->c[i1][j] - s->t[i1] * s->c[i2][j];
    lanes ra = s->ha[i1] * s->abs_c[i2][j] + s->ha[i2] * s->abs_c[i1][j];
    lanes rb = s->hb[j1] * s->abs_c[i][j2] + s->hb[j2] * s->abs_c[i][j1];
    lanes apart = lanes_abs(t) - ra - rb;
    lanes_flags open = (square >= 0.99e-10) & ~falls_short(apart, square, best->gap) & ~s->apart;
    if (!lanes_any(open))
        return;
    lanes length = lanes_sqrt(lanes_pick(open, square, lanes_all(1))), gap = apart / length;
    lanes_flags better = open & (length >= 1e-5) & (gap > best->gap + 1e-14 * s->size / length);
    if (!lanes_any(better))
        return;
    lanes sign = sign_of(t);
    axes edge = { .gap = gap };
    edge.direction[i] = lanes_all(0);
    edge.direction[i1] = -sign * s->c[i2][j] / length;
    edge.direction[i2] = sign * s->c[i1][j] / length;
    put_better(best, better, &edge);
}

LANES_INLINE lanes gap_along(const pairs *s, const lanes direction[3])
{
    lanes gap = lanes_all(0);
    for (int k = 0; k < 3; ++k) {
        lanes on_b = lanes_all(0);
        for (int i = 0; i < 3; ++i)
            on_b += direction[i] * s->c[i][k];
        gap += s->t[k] * direction[k] - s->ha[k] * lanes_abs(direction[k]) -
               s->hb[k] * lanes_abs(on_b);
    }
    return gap;
}

// Neighbours along the diagonal in a wall of bricks, see face.h: where the strip that they share is
// too narrow by far, its corners need not be found to say that they do not touch.
LANES_INLINE lanes_flags part_diagonal(const pairs *s, lanes_flags asked, const lanes tied[2],
                                       axes *best)
{
    lanes gap = lanes_abs(best->gap);
    lanes_flags diagonal =
        asked & (tied[0] > 1) & (tied[1] > 1) & (gap <= CAROM_OVERLAP_SLIVER * s->small);
    best->gap = lanes_pick(diagonal & (gap <= 0.03 * CAROM_OVERLAP_SLIVER * s->small),
                           lanes_all(HUGE_VAL), best->gap);
    return diagonal;
}

// Faces that tie although their normals differ: edge on parallel edge, as when two plates lean
// against each other. No single normal is right then; their mean is, it favours no side, and it is
// the direction the boxes part in. Returns for whom it is taken.
LANES_INLINE lanes_flags join_tied_faces(const pairs *s, const axes face[6], lanes_flags asked,
                                         axes *best)
{
    lanes sum[3] = { lanes_all(0), lanes_all(0), lanes_all(0) };
    lanes tied[2] = { lanes_all(0), lanes_all(0) }, length = lanes_all(0), differs = lanes_all(0);
    for (int f = 0; f < 6; ++f) {
        lanes_flags ties = face[f].gap >= best->gap - 1e-9 * s->size;
        tied[f / 3] += lanes_keep(ties, lanes_all(1));
        for (int k = 0; k < 3; ++k)
            sum[k] += lanes_keep(ties, face[f].direction[k]);
    }
    lanes_flags diagonal = part_diagonal(s, asked, tied, best);
    for (int k = 0; k < 3; ++k)
        length += sum[k] * sum[k];
    length = lanes_sqrt(length);
    lanes_flags joined = asked & ~diagonal & (length >= 0.5);
    length = lanes_pick(joined, length, lanes_all(1));
    for (int k = 0; k < 3; ++k) {
        sum[k] /= length;
        differs = lanes_max(differs, lanes_abs(sum[k] - best->direction[k]));
    }
    joined &= differs >= 1e-3; // or the faces are parallel
    if (lanes_any(joined)) {
        axes mean = { gap_along(s, sum), { sum[0], sum[1], sum[2] } };
        put_better(best, joined, &mean);
    }
    return joined;
}

LANES_INLINE void find_axes(carom_boxes *boxes, const frames *f)
{
    pairs s = pairs_make(boxes, f);
    axes face[6], best = { .gap = lanes_all(-HUGE_VAL) };
    for (int k = 0; k < 6; ++k) {
        face[k] = k < 3 ? face_of_a(&s, k) : face_of_b(&s, k - 3);
        put_better(&best, face[k].gap > best.gap, &face[k]);
    }
    s.apart |= best.gap > s.margin;
    lanes_flags joined = lanes_flags_all(0);
    if (lanes_any(~s.apart)) {
        lanes faces = best.gap;
        for (int j = 0; j < 3; ++j) // written out: indices that are constants cost nothing
            try_edges(&s, 0, j, &best);
        for (int j = 0; j < 3; ++j)
            try_edges(&s, 1, j, &best);
        for (int j = 0; j < 3; ++j)
            try_edges(&s, 2, j, &best);
        // Also just before they touch: the direction of so short a distance would be noise.
        lanes_flags asked = ~s.apart & (best.gap == faces) & (best.gap < 1e-6 * s.size);
        if (lanes_any(asked))
            joined = join_tied_faces(&s, face, asked, &best);
    }
    lanes_store(boxes->gap, lanes_pick(s.apart, lanes_all(HUGE_VAL), best.gap));
    for (int r = 0; r < 3; ++r)
        lanes_store(boxes->normal[r], f->a[r][0] * best.direction[0] +
                                          f->a[r][1] * best.direction[1] +
                                          f->a[r][2] * best.direction[2]);
    lanes_flags exact = (best.gap <= 0) | joined;
    memcpy(boxes->exact, &exact, sizeof exact);
}

LANES_INLINE void turn(const double q[4][CAROM_BOXES], lanes m[3][3])
{
    lanes w = lanes_load(q[0]), x = lanes_load(q[1]), y = lanes_load(q[2]), z = lanes_load(q[3]);
    m[0][0] = 1 - 2 * (y * y + z * z);
    m[0][1] = 2 * (x * y - w * z);
    m[0][2] = 2 * (x * z + w * y);
    m[1][0] = 2 * (x * y + w * z);
    m[1][1] = 1 - 2 * (x * x + z * z);
    m[1][2] = 2 * (y * z - w * x);
    m[2][0] = 2 * (x * z - w * y);
    m[2][1] = 2 * (y * z + w * x);
    m[2][2] = 1 - 2 * (x * x + y * y);
}

CAROM_LANES_WIDE static void find_turned(carom_boxes *boxes)
{
    frames f;
    turn(boxes->turn_a, f.a);
    turn(boxes->turn_b, f.b);
    find_axes(boxes, &f);
}

CAROM_LANES_WIDE static void find_framed(carom_boxes *boxes)
{
    frames f;
    for (int k = 0; k < 9; ++k) {
        f.a[k / 3][k % 3] = lanes_load(boxes->turn_a[k]);
        f.b[k / 3][k % 3] = lanes_load(boxes->turn_b[k]);
    }
    find_axes(boxes, &f);
}

void carom_boxes_find(carom_boxes *boxes)
{
    find_turned(boxes);
}

carom_axis carom_boxes_axis(const carom_core *a, const carom_core *b, double margin)
{
    carom_boxes boxes;
    vec3 between = vec3_sub(b->pose.position, a->pose.position);
    double d[3], half_a[3], half_b[3];
    vec3_store(between, d);
    vec3_store(a->shape->half, half_a);
    vec3_store(b->shape->half, half_b);
    for (int lane = 0; lane < CAROM_BOXES; ++lane) {
        for (int k = 0; k < 3; ++k) {
            boxes.between[k][lane] = d[k];
            boxes.half_a[k][lane] = half_a[k];
            boxes.half_b[k][lane] = half_b[k];
        }
        for (int k = 0; k < 9; ++k) {
            boxes.turn_a[k][lane] = a->pose.rotation.m[k / 3][k % 3];
            boxes.turn_b[k][lane] = b->pose.rotation.m[k / 3][k % 3];
        }
        boxes.radius_a[lane] = a->shape->bounding_radius;
        boxes.radius_b[lane] = b->shape->bounding_radius;
        boxes.margin[lane] = margin;
    }
    find_framed(&boxes);
    return (carom_axis){ .normal =
                             vec3_make(boxes.normal[0][0], boxes.normal[1][0], boxes.normal[2][0]),
                         .gap = boxes.gap[0],
                         .exact = boxes.exact[0] != 0 };
}

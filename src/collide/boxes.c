// Separating axes of two boxes (Gottschalk, Lin, Manocha 1996, section 5, "OBBTree").
//
// Symbols: C = Ra^T Rb, t = Ra^T (pb - pa), h half edges. Along a unit axis L the boxes are apart
// by |t . L| - sum ha_i |L_i| - sum hb_j |L . C_j|. The largest value over the fifteen axes is
// minus the least overlap, or a lower bound of the distance.
#include "collide/face.h"

typedef struct boxes {
    double c[3][3], abs_c[3][3], t[3], ha[3], hb[3];
    double size, small; // of both together, and as if both were the smaller one
} boxes;

typedef struct best_axis {
    double gap;
    double direction[3]; // in a's frame, not yet pointing from a to b
} best_axis;

static boxes boxes_make(const carom_core *a, const carom_core *b)
{
    boxes s;
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

static double gap_along(const boxes *s, const double direction[3])
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
static bool join_tied_faces(const boxes *s, const best_axis face[6], best_axis *best)
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
    if (length < .5)
        return false;
    double differs = 0;
    for (int k = 0; k < 3; ++k) {
        sum[k] /= length;
        differs = fmax(differs, fabs(sum[k] - best->direction[k]));
    }
    if (differs < 1e-3) // parallel faces
        return false;
    best->gap = gap_along(s, sum);
    for (int k = 0; k < 3; ++k)
        best->direction[k] = sum[k];
    return true;
}

static best_axis face_of_a(const boxes *s, int i)
{
    const double *row = s->abs_c[i];
    best_axis face = { fabs(s->t[i]) - s->ha[i] -
                           (row[0] * s->hb[0] + row[1] * s->hb[1] + row[2] * s->hb[2]),
                       { 0, 0, 0 } };
    face.direction[i] = s->t[i] < 0 ? -1 : 1;
    return face;
}

static best_axis face_of_b(const boxes *s, int j)
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
static bool falls_short(double apart, double square, double best)
{
    const double sure = 1 + 1e-9;
    if (apart < 0)
        return best >= 0 || apart * apart > sure * best * best * square;
    return best > 0 && sure * apart * apart < best * best * square;
}

// Axis e_i x C_j. Nearly parallel edges are skipped: the faces cover that case, and the axis is
// noise.
__attribute__((always_inline)) static inline void try_edges(const boxes *s, int i, int j,
                                                            best_axis *best)
{
    int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    double square = s->c[i1][j] * s->c[i1][j] + s->c[i2][j] * s->c[i2][j];
    if (square < 0.99e-10)
        return;
    double t = s->t[i2] * s->c[i1][j] - s->t[i1] * s->c[i2][j];
    double ra = s->ha[i1] * s->abs_c[i2][j] + s->ha[i2] * s->abs_c[i1][j];
    double rb = s->hb[j1] * s->abs_c[i][j2] + s->hb[j2] * s->abs_c[i][j1];
    double apart = fabs(t) - ra - rb;
    if (falls_short(apart, square, best->gap))
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

carom_axis carom_boxes_axis(const carom_core *a, const carom_core *b, double margin)
{
    boxes s = boxes_make(a, b);
    best_axis face[6], best = { -HUGE_VAL, { 0, 0, 0 } };
    for (int f = 0; f < 6; ++f) {
        face[f] = f < 3 ? face_of_a(&s, f) : face_of_b(&s, f - 3);
        if (face[f].gap > margin)
            return (carom_axis){ .gap = face[f].gap };
        if (face[f].gap > best.gap)
            best = face[f];
    }
    double faces = best.gap;
    for (int j = 0; j < 3; ++j) // written out: indices that are constants cost nothing
        try_edges(&s, 0, j, &best);
    for (int j = 0; j < 3; ++j)
        try_edges(&s, 1, j, &best);
    for (int j = 0; j < 3; ++j)
        try_edges(&s, 2, j, &best);
    // Also just before they touch: the direction of so short a distance would be noise.
    bool joined = best.gap == faces && best.gap < 1e-6 * s.size && join_tied_faces(&s, face, &best);
    return (carom_axis){ .normal = mat3_mul(a->pose.rotation, vec3_from(best.direction)),
                         .gap = best.gap,
                         .exact = best.gap <= 0 || joined };
}

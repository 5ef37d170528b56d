// What joints ask of a linkage: equations for positions and velocities, and the impulses that meet
// them.
//
// Anchors that coincide are three equations along the axes of the world. Axes that agree are
// products u.w = 0 of a vector u fixed in a with a vector w fixed in b; their rate is
// (w_b - w_a).(w x u). A string is (r^2 - L^2) / 2L = 0.
//
// For given speeds r that the rows lack the impulses P solve  G M^-1 G^T P = r.  Closed loops of
// hinges make that matrix singular, though the equations agree with each other: a door on two
// hinges has five equations too many. With a compliance e per row it becomes, for the velocities,
//     (M + G^T D G) dv = G^T D r,     P = D (r - G dv),     D = 1 / (e G M^-1 G^T)_own,
// which is positive definite whatever the rows, has one 6 x 6 block per body and is as sparse as
// the linkage. Whoever asks repeats with what is left; each time a share of about e of it remains.
// Impulses, not dv, act on the bodies: momentum is kept to round-off.
#include "world/linkage.h"
#include "world/motion.h"

// Shaky linkages have stresses that no velocity shows: theirs must not grow beyond measure.
static const double compliance = 1e-8, soft = 1e-3;

// An end of a joint: where and how fast it is.
typedef struct place {
    int member; // -1: immovable
    vec3 arm, anchor;
    quat q;
    vec3 v, w; // of the anchor and of the body, where it is immovable
} place;

static place place_of(const carom_linkage_path *path, const carom_linkage_body *bodies, double at,
                      int body, vec3 anchor)
{
    const carom_world *world = path->world;
    const vec3 zero = { 0, 0, 0 };
    place p = { .member = -1, .anchor = anchor, .q = quat_identity(), .v = zero, .w = zero };
    if (body < 0)
        return p;
    vec3 x = world->now.position[body], v = zero;
    p.q = world->now.rotation[body];
    if (!world->fixed[body]) {
        p.member = path->all->local[body];
        x = bodies[p.member].x;
        p.q = bodies[p.member].q;
    } else if (world->kind[body] == CAROM_BODY_DRIVEN) {
        const sym3 round = { 1, 1, 1, 0, 0, 0 };
        p.w = world->now.spin[body];
        carom_motion_drive(world, body, path->from + at, &x, &v);
        carom_motion_turn(round, at, &p.q, &p.w);
    }
    p.arm = quat_rotate(p.q, anchor);
    p.anchor = vec3_add(x, p.arm);
    p.v = vec3_add(v, vec3_cross(p.w, p.arm));
    return p;
}

static carom_linkage_row row_of(const place *a, const place *b)
{
    return (carom_linkage_row){ .a = a->member, .b = b->member, .on = true };
}

static carom_linkage_row along(const place *a, const place *b, vec3 d, double error)
{
    carom_linkage_row row = row_of(a, b);
    row.d = d;
    row.turn_a = vec3_cross(a->arm, d);
    row.turn_b = vec3_cross(b->arm, d);
    row.error = error;
    row.target = vec3_dot(d, vec3_sub(a->v, b->v));
    return row;
}

// u belongs to a, w to b.
static carom_linkage_row across(const place *a, const place *b, vec3 u, vec3 w)
{
    carom_linkage_row row = row_of(a, b);
    row.turn_a = row.turn_b = vec3_cross(w, u);
    row.error = vec3_dot(u, w);
    row.target = vec3_dot(row.turn_a, vec3_sub(a->w, b->w));
    return row;
}

static int rows_of(const carom_linkage_path *path, const carom_linkage_body *bodies, double at,
                   const carom_world_joint *joint, carom_linkage_row *rows)
{
    const vec3 axes[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    place a = place_of(path, bodies, at, joint->a, joint->anchor_a);
    place b = place_of(path, bodies, at, joint->b, joint->anchor_b);
    vec3 r = vec3_sub(b.anchor, a.anchor);
    if (joint->kind == CAROM_JOINT_STRING) {
        double length = joint->length;
        rows[0] = along(&a, &b, vec3_scale(1 / length, r),
                        0.5 * (vec3_dot(r, r) - length * length) / length);
        rows[0].pull = true;
        rows[0].length = length;
        rows[0].bounce = joint->restitution;
        return 1;
    }
    rows[0] = along(&a, &b, axes[0], r.x);
    rows[1] = along(&a, &b, axes[1], r.y);
    rows[2] = along(&a, &b, axes[2], r.z);
    if (joint->kind == CAROM_JOINT_BALL)
        return 3;
    if (joint->kind == CAROM_JOINT_HINGE) {
        vec3 t1, t2, axis = quat_rotate(b.q, joint->axis_b);
        vec3_tangents(joint->axis_a, &t1, &t2);
        rows[3] = across(&a, &b, quat_rotate(a.q, t1), axis);
        rows[4] = across(&a, &b, quat_rotate(a.q, t2), axis);
        return 5;
    }
    quat turned = quat_mul(b.q, quat_conjugate(joint->turn)); // equals that of a
    for (int k = 0; k < 3; ++k)
        rows[3 + k] =
            across(&a, &b, quat_rotate(a.q, axes[k]), quat_rotate(turned, axes[(k + 1) % 3]));
    return 6;
}

int carom_linkage_rows_make(const carom_linkage_path *path, const carom_linkage_body *bodies,
                            double at, const carom_linkage_row *kept, carom_linkage_row *rows)
{
    const int *joint = path->all->joint + path->part->first_joint;
    int count = 0;
    for (int k = 0; k < path->part->joint_count; ++k) {
        int first = count;
        count += rows_of(path, bodies, at, &path->world->joints[joint[k]], rows + first);
        for (int i = first; i < count; ++i)
            rows[i].joint = joint[k];
    }
    for (int i = 0; i < count && kept; ++i) {
        rows[i].on = kept[i].on;
        rows[i].impulse = kept[i].impulse;
    }
    return count;
}

double carom_linkage_rows_speed(const carom_linkage_row *row, const carom_linkage_body *bodies)
{
    double speed = 0;
    if (row->b >= 0)
        speed += vec3_dot(row->d, bodies[row->b].v) + vec3_dot(row->turn_b, bodies[row->b].w);
    if (row->a >= 0)
        speed -= vec3_dot(row->d, bodies[row->a].v) + vec3_dot(row->turn_a, bodies[row->a].w);
    return speed;
}

static void push_one(carom_linkage_body *body, double impulse, vec3 d, vec3 turn)
{
    body->v = vec3_axpy(body->v, impulse * body->inverse_mass, d);
    body->w = vec3_axpy(body->w, impulse, sym3_mul(body->inverse, turn));
}

void carom_linkage_rows_push(const carom_linkage_row *row, double impulse,
                             carom_linkage_body *bodies)
{
    if (row->b >= 0)
        push_one(&bodies[row->b], impulse, row->d, row->turn_b);
    if (row->a >= 0)
        push_one(&bodies[row->a], -impulse, row->d, row->turn_a);
}

// The row as seen by one body.
static void six_of(double sign, vec3 d, vec3 turn, double out[6])
{
    out[0] = sign * d.x, out[1] = sign * d.y, out[2] = sign * d.z;
    out[3] = sign * turn.x, out[4] = sign * turn.y, out[5] = sign * turn.z;
}

static double answer_of(const carom_linkage_body *body, vec3 d, vec3 turn)
{
    return body->inverse_mass * vec3_dot(d, d) + vec3_dot(turn, sym3_mul(body->inverse, turn));
}

static void add_row(carom_sparse_block *matrix, carom_linkage_row *row,
                    const carom_linkage_body *bodies, bool shaky)
{
    double a[6], b[6], own = 0;
    row->stiff = 0;
    if (!row->on)
        return;
    if (row->a >= 0)
        own += answer_of(&bodies[row->a], row->d, row->turn_a);
    if (row->b >= 0)
        own += answer_of(&bodies[row->b], row->d, row->turn_b);
    if (!(own > 0))
        return;
    row->stiff = 1 / ((shaky ? soft : compliance) * own);
    six_of(-1, row->d, row->turn_a, a);
    six_of(1, row->d, row->turn_b, b);
    if (row->a >= 0)
        carom_sparse_block_add(matrix, row->a, row->a, row->stiff, a, a);
    if (row->b >= 0)
        carom_sparse_block_add(matrix, row->b, row->b, row->stiff, b, b);
    if (row->a >= 0 && row->b >= 0)
        carom_sparse_block_add(matrix, row->b, row->a, row->stiff, b, a);
}

static void add_mass(carom_sparse_block *matrix, int i, const carom_linkage_body *body)
{
    sym3 s = sym3_rotate(quat_matrix(body->q), body->inertia);
    const double column[3][3] = { { s.xx, s.xy, s.xz },
                                  { s.xy, s.yy, s.yz },
                                  { s.xz, s.yz, s.zz } };
    for (int k = 0; k < 3; ++k) {
        double unit[6] = { 0 }, inertia[6] = { 0, 0, 0, column[k][0], column[k][1], column[k][2] };
        unit[k] = 1;
        carom_sparse_block_add(matrix, i, i, 1 / body->inverse_mass, unit, unit);
        unit[k] = 0;
        unit[3 + k] = 1;
        carom_sparse_block_add(matrix, i, i, 1, unit, inertia);
    }
}

bool carom_linkage_rows_factor(const carom_linkage_path *path, carom_linkage_row *rows,
                               const carom_linkage_body *bodies)
{
    carom_sparse_block *matrix = path->part->matrix;
    carom_sparse_block_clear(matrix);
    for (int i = 0; i < path->part->count; ++i)
        add_mass(matrix, i, &bodies[i]);
    for (int i = 0; i < path->row_count; ++i)
        add_row(matrix, &rows[i], bodies, path->shaky);
    return carom_sparse_block_factor(matrix);
}

static void add_six(double *x, double factor, const double six[6])
{
    for (int k = 0; k < 6; ++k)
        x[k] += factor * six[k];
}

static double dot_six(const double *x, const double six[6])
{
    double sum = 0;
    for (int k = 0; k < 6; ++k)
        sum += x[k] * six[k];
    return sum;
}

void carom_linkage_rows_answer(carom_linkage_path *path, carom_linkage_row *rows,
                               const double *wanted, carom_linkage_body *bodies)
{
    double *x = path->x, a[6], b[6];
    for (int i = 0; i < 6 * path->part->count; ++i)
        x[i] = 0;
    for (int i = 0; i < path->row_count; ++i) {
        const carom_linkage_row *row = &rows[i];
        six_of(-1, row->d, row->turn_a, a);
        six_of(1, row->d, row->turn_b, b);
        if (row->a >= 0)
            add_six(x + 6 * (size_t)row->a, row->stiff * wanted[i], a);
        if (row->b >= 0)
            add_six(x + 6 * (size_t)row->b, row->stiff * wanted[i], b);
    }
    carom_sparse_block_solve(path->part->matrix, x);
    for (int i = 0; i < path->row_count; ++i) {
        carom_linkage_row *row = &rows[i];
        double met = 0;
        if (row->stiff == 0)
            continue;
        six_of(-1, row->d, row->turn_a, a);
        six_of(1, row->d, row->turn_b, b);
        if (row->a >= 0)
            met += dot_six(x + 6 * (size_t)row->a, a);
        if (row->b >= 0)
            met += dot_six(x + 6 * (size_t)row->b, b);
        double impulse = row->stiff * (wanted[i] - met);
        carom_linkage_rows_push(row, impulse, bodies);
        row->impulse += impulse;
        path->driven += impulse * row->target;
    }
}

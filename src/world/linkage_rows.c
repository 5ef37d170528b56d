// What joints ask of a linkage: equations for positions and velocities, and the impulses that meet
// them.
//
// Anchors that coincide are three equations along the axes of the world. Axes that agree are
// products u.w = 0 of a vector u fixed in a with a vector w fixed in b; their rate is
// (w_b - w_a).(w x u). A string or rod is (r^2 - L^2) / 2L = 0. What slides along an axis that b
// carries is t.r = 0 for the two directions t across it; the anchor of a acts on b where it is.
//
// Motors, stops and springs act along one row, that of the joint's position p (joint.c), as a moves
// against b: p - bound <= 0 of a stop, p = p0 + speed t of a motor that holds. Springs are no
// equations; their row says where they pull, and the compliance of a damper (linkage_force.c).
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

__attribute__((always_inline)) static inline place place_of(const carom_linkage_path *path,
                                                            const carom_linkage_body *bodies,
                                                            double at, int body, vec3 anchor)
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
        p.q = bodies[p.member].q;
        p.arm = quat_rotate(p.q, anchor);
        p.anchor = vec3_add(bodies[p.member].x, p.arm);
        return p;
    }
    if (world->kind[body] == CAROM_BODY_DRIVEN) {
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

// The place b as far as it carries an anchor of a.
static place carry(const place *b, const place *a)
{
    place carried = *b;
    vec3 r = vec3_sub(a->anchor, b->anchor);
    carried.arm = vec3_add(b->arm, r);
    carried.anchor = a->anchor;
    carried.v = vec3_add(b->v, vec3_cross(b->w, r));
    return carried;
}

static carom_linkage_row along(const place *a, const place *b, vec3 d)
{
    carom_linkage_row row = row_of(a, b);
    row.d = d;
    row.turn_a = vec3_cross(a->arm, d);
    row.turn_b = vec3_cross(b->arm, d);
    row.target = vec3_dot(d, vec3_sub(a->v, b->v));
    return row;
}

// u belongs to a, w to b.
static carom_linkage_row across(const place *a, const place *b, vec3 u, vec3 w)
{
    carom_linkage_row row = row_of(a, b);
    row.turn_a = row.turn_b = vec3_cross(w, u);
    row.target = vec3_dot(row.turn_a, vec3_sub(a->w, b->w));
    return row;
}

static carom_linkage_row bound_row(carom_linkage_row row, const carom_world_joint *joint, int side)
{
    row.kind = CAROM_LINKAGE_ROW_BOUND;
    row.side = side;
    row.bounce = joint->restitution;
    return row;
}

// The row of the joint's position, positive where it grows: a moves against b.
static carom_linkage_row position_row(const place *a, const place *b,
                                      const carom_world_joint *joint)
{
    if (joint->kind == CAROM_JOINT_HINGE) {
        carom_linkage_row row = row_of(b, a);
        row.turn_a = row.turn_b = quat_rotate(b->q, joint->axis_b);
        row.target = vec3_dot(row.turn_a, vec3_sub(b->w, a->w));
        return row;
    }
    if (joint->kind == CAROM_JOINT_SLIDER) {
        place carried = carry(b, a);
        return along(&carried, a, quat_rotate(b->q, joint->axis_b));
    }
    return along(b, a, vec3_unit(vec3_sub(a->anchor, b->anchor)));
}

static carom_linkage_row motor_row(carom_linkage_row row, const carom_world_joint *joint, double p,
                                   double at, const carom_linkage_row *kept)
{
    row.kind = CAROM_LINKAGE_ROW_MOTOR;
    row.drive = joint->aim;
    row.origin = kept ? kept->origin : p;
    row.target += joint->aim;
    row.error = carom_joint_difference(joint, row.origin, p) - joint->aim * at;
    return row;
}

// Stops, motor and spring of a joint.
static int position_rows(const place *a, const place *b, const carom_world_joint *joint, double at,
                         const carom_linkage_row *kept, carom_linkage_row *rows)
{
    int count = 0;
    const carom_joint_ends ends = { { a->anchor, b->anchor }, { a->q, b->q } };
    double p = carom_joint_position(joint, &ends);
    carom_linkage_row row = position_row(a, b, joint), back = row;
    back.d = vec3_neg(row.d);
    back.turn_a = vec3_neg(row.turn_a);
    back.turn_b = vec3_neg(row.turn_b);
    back.target = -row.target;
    for (int side = 0; side < 2; ++side)
        if (joint->bounded[side]) {
            double excess = carom_joint_excess(joint, p, side);
            rows[count] = bound_row(side ? back : row, joint, side);
            rows[count].origin = kept ? kept[count].origin : fmax(excess, 0);
            rows[count].error = excess - rows[count].origin;
            ++count;
        }
    if (joint->motor == CAROM_MOTOR_SPEED) {
        rows[count] = motor_row(row, joint, p, at, kept ? kept + count : NULL);
        ++count;
    } else if (carom_joint_has_spring(joint)) {
        rows[count] = row;
        rows[count].kind = CAROM_LINKAGE_ROW_SPRING;
        rows[count].on = false;
        rows[count++].error = carom_joint_difference(joint, joint->aim, p);
    }
    return count;
}

// A string or rod.
static carom_linkage_row distance_row(const place *a, const place *b,
                                      const carom_world_joint *joint)
{
    vec3 r = vec3_sub(b->anchor, a->anchor);
    carom_linkage_row row = along(a, b, vec3_scale(1 / joint->length, r));
    row.length = joint->length;
    return joint->kind == CAROM_JOINT_STRING ? bound_row(row, joint, 0) : row;
}

// The bodies do not turn against each other: pairs of axes u of a and w of b that stay at right
// angles.
static void parallel_axes(const place *a, const place *b, const carom_world_joint *joint, vec3 u[3],
                          vec3 w[3])
{
    const vec3 axes[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    quat turned = quat_mul(b->q, quat_conjugate(joint->turn)); // equals that of a
    for (int k = 0; k < 3; ++k) {
        u[k] = quat_rotate(a->q, axes[k]);
        w[k] = quat_rotate(turned, axes[(k + 1) % 3]);
    }
}

// The same of a hinge: its axis on b, and what is across it on a. Returns how many.
static inline int square_axes(const place *a, const place *b, const carom_world_joint *joint,
                              vec3 u[3], vec3 w[3])
{
    if (joint->kind == CAROM_JOINT_BALL)
        return 0;
    if (joint->kind != CAROM_JOINT_HINGE) {
        parallel_axes(a, b, joint, u, w);
        return 3;
    }
    vec3_tangents(joint->axis_a, &u[0], &u[1]);
    u[0] = quat_rotate(a->q, u[0]);
    u[1] = quat_rotate(a->q, u[1]);
    w[0] = w[1] = quat_rotate(b->q, joint->axis_b);
    return 2;
}

// Directions in which the anchors stay together, for r from that of a to that of b. Returns how
// many.
static int held_directions(const place *b, const carom_world_joint *joint, vec3 d[3])
{
    if (joint->kind != CAROM_JOINT_SLIDER) {
        d[0] = vec3_make(1, 0, 0), d[1] = vec3_make(0, 1, 0), d[2] = vec3_make(0, 0, 1);
        return 3;
    }
    vec3_tangents(joint->axis_b, &d[0], &d[1]);
    d[0] = quat_rotate(b->q, d[0]);
    d[1] = quat_rotate(b->q, d[1]);
    return 2;
}

static bool is_distance(const carom_world_joint *joint)
{
    return joint->kind == CAROM_JOINT_STRING || joint->kind == CAROM_JOINT_ROD;
}

// What held_rows finds off. Returns how many.
static inline int held_errors(const place *a, const place *b, const carom_world_joint *joint,
                              double *error)
{
    vec3 r = vec3_sub(b->anchor, a->anchor), d[3], u[3], w[3];
    if (joint->kind == CAROM_JOINT_SPRING)
        return 0;
    if (is_distance(joint)) {
        double length = joint->length;
        error[0] = 0.5 * (vec3_dot(r, r) - length * length) / length;
        return 1;
    }
    int count = held_directions(b, joint, d), square = square_axes(a, b, joint, u, w);
    double sign = joint->kind == CAROM_JOINT_SLIDER ? -1 : 1; // there b carries the anchor of a
    for (int k = 0; k < count; ++k)
        error[k] = sign * vec3_dot(d[k], r);
    for (int k = 0; k < square; ++k)
        error[count + k] = vec3_dot(u[k], w[k]);
    return count + square;
}

// Returns how many.
static int held_rows(const place *a, const place *b, const carom_world_joint *joint,
                     carom_linkage_row *rows)
{
    vec3 d[3], u[3], w[3];
    if (joint->kind == CAROM_JOINT_SPRING)
        return 0;
    if (is_distance(joint)) {
        rows[0] = distance_row(a, b, joint);
        return 1;
    }
    int count = held_directions(b, joint, d), square = square_axes(a, b, joint, u, w);
    place carried = joint->kind == CAROM_JOINT_SLIDER ? carry(b, a) : *a;
    for (int k = 0; k < count; ++k)
        rows[k] = along(&carried, joint->kind == CAROM_JOINT_SLIDER ? a : b, d[k]);
    for (int k = 0; k < square; ++k)
        rows[count + k] = across(a, b, u[k], w[k]);
    return count + square;
}

// Whether the joint's position has rows of its own.
static bool has_position(const carom_world_joint *joint)
{
    return joint->bounded[0] || joint->bounded[1] || joint->motor != CAROM_MOTOR_NONE ||
           carom_joint_has_spring(joint);
}

static int rows_of(const carom_linkage_path *path, const carom_linkage_body *bodies, double at,
                   const carom_world_joint *joint, const carom_linkage_row *kept,
                   carom_linkage_row *rows)
{
    double error[CAROM_LINKAGE_ROWS];
    if (joint->broken)
        return 0;
    place a = place_of(path, bodies, at, joint->a, joint->anchor_a);
    place b = place_of(path, bodies, at, joint->b, joint->anchor_b);
    int count = held_rows(&a, &b, joint, rows);
    held_errors(&a, &b, joint, error);
    for (int i = 0; i < count; ++i)
        rows[i].error = error[i];
    if (has_position(joint))
        count += position_rows(&a, &b, joint, at, kept ? kept + count : NULL, rows + count);
    return count;
}

void carom_linkage_rows_errors(const carom_linkage_path *path, const carom_linkage_body *bodies,
                               double at, const carom_linkage_row *rows, double *error)
{
    const int *list = path->all->joint + path->part->first_joint;
    carom_linkage_row position[CAROM_LINKAGE_ROWS];
    for (int k = 0, i = 0; k < path->part->joint_count; ++k) {
        const carom_world_joint *joint = &path->world->joints[list[k]];
        if (joint->broken)
            continue;
        place a = place_of(path, bodies, at, joint->a, joint->anchor_a);
        place b = place_of(path, bodies, at, joint->b, joint->anchor_b);
        i += held_errors(&a, &b, joint, error + i);
        int more = has_position(joint) ? position_rows(&a, &b, joint, at, rows + i, position) : 0;
        for (int m = 0; m < more; ++m)
            error[i++] = position[m].error;
    }
}

int carom_linkage_rows_make(const carom_linkage_path *path, const carom_linkage_body *bodies,
                            double at, const carom_linkage_row *kept, carom_linkage_row *rows)
{
    const int *joint = path->all->joint + path->part->first_joint;
    int count = 0;
    for (int k = 0; k < path->part->joint_count; ++k) {
        int first = count;
        count += rows_of(path, bodies, at, &path->world->joints[joint[k]],
                         kept ? kept + first : NULL, rows + first);
        for (int i = first; i < count; ++i)
            rows[i].joint = joint[k];
    }
    for (int i = 0; i < count && kept; ++i) {
        rows[i].on = kept[i].on;
        rows[i].impulse = kept[i].impulse;
        rows[i].push = kept[i].push;
        rows[i].slip = kept[i].slip;
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

void carom_linkage_rows_act(carom_linkage_path *path, carom_linkage_row *row, double impulse,
                            carom_linkage_body *bodies)
{
    carom_linkage_rows_push(row, impulse, bodies);
    row->impulse += impulse;
    path->work.driven += impulse * (row->target - row->drive);
    path->work.motors += impulse * row->drive;
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

double carom_linkage_rows_response(const carom_linkage_row *row, const carom_linkage_body *bodies)
{
    double own = 0;
    if (row->a >= 0)
        own += answer_of(&bodies[row->a], row->d, row->turn_a);
    if (row->b >= 0)
        own += answer_of(&bodies[row->b], row->d, row->turn_b);
    return own;
}

double carom_linkage_rows_scale(const carom_linkage_path *path, const carom_linkage_row *row)
{
    bool angle = row->d.x == 0 && row->d.y == 0 && row->d.z == 0;
    return angle ? path->lever : 1;
}

// How far a row counts in the matrix: as an equation, or as a damper that acts for `damp` seconds.
static double weight_of(const carom_linkage_path *path, const carom_linkage_row *row,
                        const carom_linkage_body *bodies, double damp)
{
    double own = carom_linkage_rows_response(row, bodies);
    if (row->kind == CAROM_LINKAGE_ROW_SPRING)
        return row->push == 0 ? damp * path->world->joints[row->joint].damping : 0;
    return row->on && own > 0 ? 1 / ((path->shaky ? soft : compliance) * own) : 0;
}

static void add_row(carom_sparse_block *matrix, const carom_linkage_row *row)
{
    double a[6], b[6];
    if (row->stiff == 0)
        return;
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
    double m = 1 / body->inverse_mass;
    const double block[36] = { m, 0, 0, 0,    0,    0,    0, m, 0, 0,    0,    0,
                               0, 0, m, 0,    0,    0,    0, 0, 0, s.xx, s.xy, s.xz,
                               0, 0, 0, s.xy, s.yy, s.yz, 0, 0, 0, s.xz, s.yz, s.zz };
    carom_sparse_block_add_block(matrix, i, block);
}

bool carom_linkage_rows_factor(const carom_linkage_path *path, carom_linkage_row *rows,
                               const carom_linkage_body *bodies, double damp)
{
    carom_sparse_block *matrix = path->part->matrix;
    carom_sparse_block_clear(matrix);
    for (int i = 0; i < path->part->count; ++i)
        add_mass(matrix, i, &bodies[i]);
    for (int i = 0; i < path->row_count; ++i) {
        rows[i].stiff = weight_of(path, &rows[i], bodies, damp);
        add_row(matrix, &rows[i]);
    }
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
        if (row->stiff == 0)
            continue;
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
        carom_linkage_rows_act(path, row, row->stiff * (wanted[i] - met), bodies);
    }
}

// Springs, dampers, servos and motors of a linkage.
//
// All act along the row of a joint's position p. Over a flight of h seconds, with s = dp/dt:
//     before  P0 = h/2 F(p0, s0)            after  P1 = h/2 F(p1, s1),    F = -k (p - rest) - c s,
// where s1 is the speed that the joints allow at the end: the part of the damper is found together
// with them, as a row of compliance 2/(h c) in their matrix (linkage_rows.c). The first half is the
// second one backwards, so that the flight stays its own inverse, and of second order; without
// dampers it is velocity Verlet [Hairer, Lubich, Wanner 2006, I.1.4 and VII.1.4]. Dampers so strong
// that a motion is gone within the interval take (p1 - p0)/h in place of s0, found together with
// the joints, too: of first order, but stable whatever the damper, and right where it creeps.
//
// A servo is a spring and a damper whose sum is bounded; whether it is at its bound is decided
// before each flight. A motor holds its speed, as a row like those of joints whose anchor is
// driven, while that takes no more than its force; else it pushes with all of it until the speed is
// right: the interval ends there (time_of_impact.c), or what it pushes with is reduced so that it
// gets there just at the end.
#include "world/linkage.h"

// Slip that a motor takes out in this part of the interval counts as none.
#define LITTLE 1e-6

static const carom_world_joint *joint_of(const carom_linkage_path *path,
                                         const carom_linkage_row *row)
{
    return &path->world->joints[row->joint];
}

// How fast the position changes.
static double speed_of(const carom_linkage_row *row, const carom_linkage_body *bodies)
{
    return carom_linkage_rows_speed(row, bodies) - (row->target - row->drive);
}

static bool is_servo(const carom_linkage_path *path, const carom_linkage_row *row)
{
    return joint_of(path, row)->motor == CAROM_MOTOR_POSITION;
}

// An impulse along the row, with the work that it takes from an anchor that is driven.
static void push(carom_linkage_path *path, carom_linkage_row *row, double impulse)
{
    carom_linkage_rows_push(row, impulse, path->now);
    row->impulse += impulse;
    path->work.driven += impulse * (row->target - row->drive);
}

static void spring_before(carom_linkage_path *path, carom_linkage_row *row, double h)
{
    const carom_world_joint *joint = joint_of(path, row);
    double speed = speed_of(row, path->now), damping = path->implicit ? 0 : joint->damping;
    double force = -joint->stiffness * row->error - damping * speed;
    row->push = 0;
    if (is_servo(path, row)) {
        row->push = force > joint->force ? 1 : force < -joint->force ? -1 : 0;
        force = row->push != 0 ? row->push * joint->force : force;
        path->work.motors += 0.5 * h * force * speed;
    } else {
        path->work.damped += 0.5 * h * damping * speed * speed;
    }
    push(path, row, 0.5 * h * force);
    row->origin = row->impulse;
}

void carom_linkage_force_before(carom_linkage_path *path, double h)
{
    for (int i = 0; i < path->row_count; ++i) {
        carom_linkage_row *row = &path->rows[i];
        if (row->kind == CAROM_LINKAGE_ROW_SPRING)
            spring_before(path, row, h);
        if (row->kind != CAROM_LINKAGE_ROW_MOTOR || row->on)
            continue;
        double force = row->push * joint_of(path, row)->force;
        path->work.motors += 0.5 * h * force * speed_of(row, path->now);
        push(path, row, 0.5 * h * force);
    }
}

void carom_linkage_force_after(carom_linkage_path *path, double h)
{
    for (int i = 0; i < path->row_count; ++i) {
        carom_linkage_row *row = &path->rows[i];
        const carom_world_joint *joint = joint_of(path, row);
        bool pushes = row->kind == CAROM_LINKAGE_ROW_MOTOR && !row->on;
        if (row->kind == CAROM_LINKAGE_ROW_SPRING && row->push == 0)
            push(path, row, -0.5 * h * joint->stiffness * row->error);
        else if (row->kind == CAROM_LINKAGE_ROW_SPRING || pushes)
            push(path, row, 0.5 * h * row->push * joint->force);
    }
}

void carom_linkage_force_book(carom_linkage_path *path, double h)
{
    for (int i = 0; i < path->row_count; ++i) {
        const carom_linkage_row *row = &path->rows[i];
        const carom_world_joint *joint = joint_of(path, row);
        bool spring = row->kind == CAROM_LINKAGE_ROW_SPRING;
        if (!spring && (row->kind != CAROM_LINKAGE_ROW_MOTOR || row->on))
            continue;
        double speed = speed_of(row, path->now), force = row->push * joint->force;
        double damped = 0.5 * h * joint->damping * speed * speed;
        if (spring && !is_servo(path, row))
            path->work.damped += damped;
        else if (spring && row->push == 0)
            path->work.motors -= 0.5 * h * joint->stiffness * row->error * speed + damped;
        else
            path->work.motors += 0.5 * h * force * speed;
    }
}

double carom_linkage_force_lacks(const carom_linkage_row *row, const carom_linkage_body *bodies)
{
    if (row->stiff == 0)
        return 0;
    return -speed_of(row, bodies) - (row->impulse - row->origin) / row->stiff;
}

double carom_linkage_force_drags(const carom_linkage_row *row, double error, double h)
{
    if (row->stiff == 0)
        return 0;
    return (row->error - error) / h - (row->impulse - row->origin) / row->stiff;
}

double carom_linkage_force_stored(const carom_linkage_path *path, const carom_linkage_row *rows)
{
    double sum = 0;
    for (int i = 0; i < path->row_count; ++i)
        if (rows[i].kind == CAROM_LINKAGE_ROW_SPRING && !is_servo(path, &rows[i]))
            sum += 0.5 * joint_of(path, &rows[i])->stiffness * rows[i].error * rows[i].error;
    return sum;
}

// Every row counts at both of its bodies, and a row is as fast as all that act there together.
static double fastest(carom_linkage_path *path, bool damping)
{
    double *sum = path->x, most = 0;
    for (int i = 0; i < path->part->count; ++i)
        sum[i] = 0;
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < path->row_count; ++i) {
            const carom_linkage_row *row = &path->rows[i];
            if (row->kind != CAROM_LINKAGE_ROW_SPRING)
                continue;
            const carom_world_joint *joint = joint_of(path, row);
            double factor = damping ? joint->damping : joint->stiffness;
            for (int k = 0; k < 2; ++k) {
                carom_linkage_row one = *row;
                *(k ? &one.a : &one.b) = -1;
                int member = k ? row->b : row->a;
                if (member >= 0 && pass == 0)
                    sum[member] += factor * carom_linkage_rows_response(&one, path->start);
            }
            if (pass == 1)
                most = fmax(most, (row->a < 0 ? 0 : sum[row->a]) + (row->b < 0 ? 0 : sum[row->b]));
        }
    return most;
}

void carom_linkage_force_rates(carom_linkage_path *path, double *swing, double *settle)
{
    *swing = sqrt(fastest(path, false));
    *settle = path->damps ? fastest(path, true) : 0;
}

// -- motors --------------------------------------------------------------------------------------

// m/s or rad/s.
static double little_slip(const carom_linkage_path *path, const carom_linkage_row *row)
{
    double response = carom_linkage_rows_response(row, path->start);
    return fmax(path->quiet / carom_linkage_rows_scale(path, row),
                LITTLE * path->h * joint_of(path, row)->force * response);
}

void carom_linkage_force_begin_motors(carom_linkage_path *path)
{
    for (int i = 0; i < path->row_count && path->forced; ++i) {
        carom_linkage_row *row = &path->rows[i];
        if (row->kind != CAROM_LINKAGE_ROW_MOTOR)
            continue;
        row->slip = speed_of(row, path->start) - row->drive;
        row->on = fabs(row->slip) <= little_slip(path, row);
        row->push = row->slip > 0 ? -1 : 1;
    }
}

bool carom_linkage_force_change_motors(carom_linkage_path *path)
{
    bool changed = false;
    path->reaches = HUGE_VAL;
    for (int i = 0; i < path->row_count && path->forced; ++i) {
        carom_linkage_row *row = &path->rows[i];
        if (row->kind != CAROM_LINKAGE_ROW_MOTOR)
            continue;
        double most = joint_of(path, row)->force * path->h,
               slip = speed_of(row, path->now) - row->drive;
        if (row->on) {
            row->on = fabs(row->impulse) <= most * (1 + 1e-9);
            row->push = row->impulse > 0 ? 1 : -1;
            row->slip = 0;
            changed = changed || !row->on;
            continue;
        }
        if (row->slip * slip >= 0 || fabs(slip) <= little_slip(path, row))
            continue;
        double share = row->slip / (row->slip - slip);
        if (path->joins)
            row->push *= share;
        else
            path->reaches = fmin(path->reaches, share * path->h);
        path->overlong = path->overlong || !path->joins;
        changed = changed || path->joins;
    }
    return changed;
}

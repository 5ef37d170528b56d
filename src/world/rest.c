// Resting contact: inelastic, with Coulomb's cone, over one interval.
//
// For each contact: 0 <= p_n, u_n + max(gap, 0)/h >= 0, p_n (u_n + gap/h) = 0, |p_t| <= friction
// p_n with p_t against the slip. Projected Gauss-Seidel, contact by contact in the order of the
// list and back, started from the impulses of the last interval. A contact's own 3 x 3 block is
// used through its normal and tangential parts.
#include <stdlib.h>
#include "world/step.h"

typedef struct row {
    int touch;
    double normal_mass;  // 1 / (n.K n)
    double tangent_mass; // 1 / (largest tangential response)
    double target;       // m/s, least normal speed allowed at the end
    double p;            // N s, normal impulse
    vec3 q;              // N s, tangential impulse
    vec3 last, along;    // N s, whole impulse before the sweep, and the direction of search
} row;

static carom_status choose(carom_step *step, row **rows, int *count, carom_error *err);
static double sweep(carom_step *step, row *rows, int count, bool forward);
static double accelerate(carom_step *step, row *rows, int count, double last_size);
static double sweep_joints(carom_step *step, carom_world_joint_row *joints, int count,
                           bool forward);
static carom_status remember(carom_step *step, const row *rows, int count, carom_error *err);

carom_status carom_rest_solve(carom_step *step, carom_error *err)
{
    carom_world *world = step->world;
    carom_ledger *ledger = &world->now.ledger;
    row *rows = NULL;
    carom_world_joint_row *joints = NULL;
    int count = 0, joint_count = 0;
    TRY(choose(step, &rows, &count, err));
    TRY(carom_world_joint_rows(step, &joints, &joint_count, err));
    double scale = vec3_length(vec3_from(world->options.gravity)) * step->h, residual = 0;
    for (int i = 0; i < count; ++i)
        scale = fmax(scale, fabs(step->touches[rows[i].touch].u));
    double size = 0; // of the last residual
    int k = 0;
    for (; k < world->options.rest_sweeps && count + joint_count > 0; ++k) {
        residual = sweep_joints(step, joints, joint_count, k % 2 == 0);
        residual = fmax(residual, sweep(step, rows, count, k % 2 == 0));
        if (residual <= world->options.rest_tolerance * scale ||
            k + 1 == world->options.rest_sweeps)
            break;
        size = accelerate(step, rows, count, size);
    }
    ledger->rest_sweeps += k;
    ledger->rest_residual = fmax(ledger->rest_residual, scale > 0 ? residual / scale : 0);
    return remember(step, rows, count, err);
}

static vec3 respond(const carom_world *world, const carom_touch *touch, vec3 impulse)
{
    int a = touch->a, b = touch->b;
    vec3 at_a = vec3_cross(sym3_mul(world->inverse_inertia[a], vec3_cross(touch->arm_a, impulse)),
                           touch->arm_a);
    vec3 at_b = vec3_cross(sym3_mul(world->inverse_inertia[b], vec3_cross(touch->arm_b, impulse)),
                           touch->arm_b);
    double mass = world->inverse_mass[a] + world->inverse_mass[b];
    return vec3_add(vec3_scale(mass, impulse), vec3_add(at_a, at_b));
}

// Judged by the speed before this interval's gravity: a body that has just bounced flies on, one
// that is about to hit waits for its time of impact. Without times of impact, whatever would close
// within the interval takes part.
static bool takes_part(const carom_step *step, const carom_touch *touch)
{
    const carom_world_options *options = &step->world->options;
    if (touch->gap <= options->slop)
        return fabs(touch->u) <= options->resting_speed || (!step->to_event && touch->u < 0);
    if (step->to_event)
        return false;
    double u = vec3_dot(touch->normal,
                        carom_step_slip(step->world, touch)); // with this interval's gravity
    return touch->gap + u * step->h < 0;
}

static carom_status choose(carom_step *step, row **rows_out, int *count_out, carom_error *err)
{
    carom_world *world = step->world;
    double ratio = world->memory_interval > 0 ? step->h / world->memory_interval : 0;
    row *rows;
    int count = 0;
    TAKE(world->scratch, rows, step->touch_count, err);
    for (int i = 0; i < step->touch_count; ++i)
        step->touches[i].resting = takes_part(step, &step->touches[i]);
    for (int i = 0; i < step->touch_count; ++i) {
        carom_touch *touch = &step->touches[i];
        if (!touch->resting)
            continue;
        vec3 n = touch->normal, t1, t2;
        vec3_tangents(n, &t1, &t2);
        vec3 r1 = respond(world, touch, t1), r2 = respond(world, touch, t2);
        double k11 = vec3_dot(t1, r1), k22 = vec3_dot(t2, r2), k12 = vec3_dot(t1, r2);
        double half = 0.5 * (k11 - k22),
               largest = 0.5 * (k11 + k22) + sqrt(half * half + k12 * k12);
        vec3 start = vec3_scale(ratio, touch->impulse);
        double p = fmax(0, vec3_dot(n, start));
        vec3 q = vec3_axpy(start, -vec3_dot(n, start), n);
        double most = touch->friction * p, size = vec3_length(q);
        if (size > most)
            q = vec3_scale(most / size, q);
        rows[count++] = (row){ .touch = i,
                               .normal_mass = 1 / vec3_dot(n, respond(world, touch, n)),
                               .tangent_mass = 1 / largest,
                               .target = -fmax(touch->gap, 0) / step->h,
                               .p = p,
                               .q = q };
        carom_step_push(world, touch, vec3_axpy(q, p, n));
    }
    *rows_out = rows;
    *count_out = count;
    return CAROM_OK;
}

// One contact: first the normal impulse, then friction within the cone. Returns the change of
// velocity it made.
static double relax(carom_world *world, const carom_touch *touch, row *r)
{
    vec3 n = touch->normal, slip = carom_step_slip(world, touch);
    double p = fmax(0, r->p - r->normal_mass * (vec3_dot(n, slip) - r->target));
    double change = fabs(p - r->p) / r->normal_mass;
    carom_step_push(world, touch, vec3_scale(p - r->p, n));
    r->p = p;
    if (touch->friction == 0)
        return change;
    slip = carom_step_slip(world, touch);
    vec3 along = vec3_axpy(slip, -vec3_dot(n, slip), n);
    vec3 q = vec3_axpy(r->q, -r->tangent_mass, along);
    double most = touch->friction * p, size = vec3_length(q);
    if (size > most)
        q = vec3_scale(most / size, q);
    vec3 delta = vec3_sub(q, r->q);
    carom_step_push(world, touch, delta);
    r->q = q;
    return fmax(change, vec3_length(delta) / r->tangent_mass);
}

static vec3 whole(const carom_touch *touch, const row *r)
{
    return vec3_axpy(r->q, r->p, touch->normal);
}

// Goes on along the last direction as far as the residual shrinks (Fletcher and Reeves); starts
// anew where it grows.
static double accelerate(carom_step *step, row *rows, int count, double last_size)
{
    double size = 0;
    for (int i = 0; i < count; ++i) {
        vec3 change = vec3_sub(whole(&step->touches[rows[i].touch], &rows[i]), rows[i].last);
        size += vec3_dot(change, change) / rows[i].normal_mass;
    }
    double ratio = last_size > 0 && size <= last_size ? size / last_size : 0;
    for (int i = 0; i < count; ++i) {
        row *r = &rows[i];
        const carom_touch *touch = &step->touches[r->touch];
        vec3 change = vec3_sub(whole(touch, r), r->last), extra = vec3_scale(ratio, r->along);
        r->along = vec3_add(extra, change);
        if (ratio == 0)
            continue;
        double p = vec3_dot(extra, touch->normal);
        r->p += p;
        r->q = vec3_add(r->q, vec3_axpy(extra, -p, touch->normal));
        carom_step_push(step->world, touch, extra);
    }
    return size;
}

static double sweep(carom_step *step, row *rows, int count, bool forward)
{
    double worst = 0;
    for (int i = 0; i < count; ++i)
        rows[i].last = whole(&step->touches[rows[i].touch], &rows[i]);
    for (int k = 0; k < count; ++k) {
        row *r = &rows[forward ? k : count - 1 - k];
        worst = fmax(worst, relax(step->world, &step->touches[r->touch], r));
    }
    return worst;
}

static double sweep_joints(carom_step *step, carom_world_joint_row *joints, int count, bool forward)
{
    double worst = 0;
    for (int k = 0; k < count; ++k)
        worst =
            fmax(worst, carom_world_joint_relax(
                            step, carom_world_joint_row_at(joints, forward ? k : count - 1 - k)));
    return worst;
}

static carom_status remember(carom_step *step, const row *rows, int count, carom_error *err)
{
    carom_world *world = step->world;
    for (int i = 0; i < step->touch_count; ++i)
        step->touches[i].impulse = vec3_make(0, 0, 0);
    if (count > world->memory_capacity) {
        size_t capacity = 2 * (size_t)count;
        if (!carom_world_grow((void **)&world->memory, capacity, sizeof *world->memory))
            return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %d resting contacts",
                                   count);
        world->memory_capacity = (int)capacity;
    }
    world->memory_count = count;
    world->memory_interval = step->h;
    for (int i = 0; i < count; ++i) {
        carom_touch *touch = &step->touches[rows[i].touch];
        touch->impulse = vec3_axpy(rows[i].q, rows[i].p, touch->normal);
        world->memory[i] =
            (carom_world_memory){ touch->a, touch->b, touch->feature, touch->impulse };
    }
    return CAROM_OK;
}

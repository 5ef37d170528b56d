// Impulses of joints in an instant of impact, with the law in between: equation (1) of
// impact_phase_joints.c.
//
// It is piecewise linear in q and differs from A = G M^-1 G^T by a matrix whose rank is the number
// of contacts that act: Broyden's method from A ends after two steps per contact [Gay 1979]. Laws
// that jump, or that end at a residual, may leave it without an end; one projection
// (q' = A^-1 (t - G v+), which only takes energy) then meets the joints, and moves contacts.
//
// Strings are one-sided rows: those that would stretch take part, those that would push do not.
// Between steps a taut string has a small speed g along itself that changes its sign from step to
// step (world_joint.c: only the mean of two is across); it changes its sign here too, g+ = -g-,
// which does no work: 1/2 q (g- + g+).
#include <string.h>
#include "world/impact_phase_joints.h"

// Speeds of joints that count as zero, of the fastest contact.
#define TOLERANCE 1e-13
// Times that the law is asked per set of strings, and in vain once the joints are met as well as
// the law's own residual; changes of that set.
enum { ASK_MAX = 40, ASK_VAIN = 6, SETS = 8 };

typedef carom_impact_joint_link link;
typedef carom_impact_joint_split split;

// s->end from the impulses of the links: equation (1).
static carom_status ask(split *s, carom_error *err)
{
    int bodies = s->reduced.body_count;
    memcpy(s->end, s->start, carom_impact_joint_places(s) * sizeof *s->end);
    for (int i = 0; i < s->active_count; ++i) {
        const link *one = &s->links[s->active[i]];
        carom_row_apply(&one->row, one->before * one->q, s->end);
    }
    if (s->reduced.contact_count > 0) {
        for (int i = 0; i < bodies; ++i) {
            vec3_store(s->end[i].linear, s->bodies[i].velocity);
            vec3_store(s->end[i].angular, s->bodies[i].spin);
        }
        TRY(carom_impact_resolve(s->world->workspace, &s->reduced, s->law, &s->options, &s->answer,
                                 err));
        for (int i = 0; i < bodies; ++i)
            s->end[i] =
                (carom_twist){ vec3_from(s->answer.velocities[i]), vec3_from(s->answer.spins[i]) };
    }
    for (int i = 0; i < s->active_count; ++i) {
        const link *one = &s->links[s->active[i]];
        carom_row_apply(&one->row, (1 - one->before) * one->q, s->end);
    }
    return CAROM_OK;
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += a[i] * b[i];
    return sum;
}

// The next step of Broyden's method from the steps so far [Kelley 1995, section 7.3]: z = -A^-1 F
// on entry. False where the update is singular and the method must start anew.
static bool next_step(const double *steps, int count, int n, double *z)
{
    for (int j = 0; j + 1 < count; ++j) {
        const double *one = steps + (size_t)j * (size_t)n, *after = one + n;
        double part = dot(one, z, n) / dot(one, one, n);
        for (int i = 0; i < n; ++i)
            z[i] += part * after[i];
    }
    if (count == 0)
        return true;
    const double *last = steps + (size_t)(count - 1) * (size_t)n;
    double left = 1 - dot(last, z, n) / dot(last, last, n);
    if (fabs(left) < 1e-6)
        return false;
    for (int i = 0; i < n; ++i)
        z[i] /= left;
    return true;
}

static carom_status solve(split *s, carom_error *err)
{
    if (carom_impact_joint_is_single(s))
        return carom_impact_joint_single(s, err);
    carom_arena_mark mark = carom_arena_mark_here(s->world->scratch);
    double *steps, *best, min = INFINITY;
    TRY(carom_impact_joint_factor(s, err));
    int n = s->active_count, count = 0, vain = 0;
    double residual = s->world->options.impact_residual * s->scale;
    TAKE(s->world->scratch, steps, (size_t)ASK_MAX * (size_t)n + 1, err);
    TAKE(s->world->scratch, best, (size_t)n + 1, err);
    for (int turn = 0; turn < ASK_MAX; ++turn) {
        TRY(ask(s, err));
        double *z = steps + (size_t)count * (size_t)n;
        double max = carom_impact_joint_misfit(s, s->end, z);
        ++vain;
        if (max < min) {
            vain = max < 0.5 * min ? 0 : vain;
            min = max;
            for (int i = 0; i < n; ++i)
                best[i] = s->links[s->active[i]].q;
        }
        if (!(max > TOLERANCE * s->scale) || (vain >= ASK_VAIN && min < residual))
            break;
        carom_impact_joint_divide(s, z);
        for (int i = 0; i < n; ++i)
            z[i] = -z[i];
        if (!next_step(steps, count, n, z)) {
            memcpy(steps, z, (size_t)n * sizeof *z);
            count = 0;
            z = steps;
        }
        for (int i = 0; i < n; ++i)
            s->links[s->active[i]].q += z[i] * s->unit[i];
        ++count;
    }
    if (n > 0 && min > TOLERANCE * s->scale) { // the law jumps: the nearest, and the rest by force
        for (int i = 0; i < n; ++i)
            s->links[s->active[i]].q = best[i];
        TRY(ask(s, err));
    }
    TRY(carom_impact_joint_project(s, s->end, true, err));
    carom_arena_rewind(s->world->scratch, mark);
    return CAROM_OK;
}

// Strings that stretch join, strings that push leave. False where none does either.
static bool change_strings(split *s)
{
    const double still = 1e-9 * s->scale;
    bool any = false;
    for (int k = 0; k < s->link_count; ++k) {
        link *one = &s->links[k];
        if (!one->pull)
            continue;
        double first = carom_row_speed(&one->row, s->start) - one->drive;
        double last = carom_row_speed(&one->row, s->end) - one->drive;
        bool stop = one->bounce >= 0;
        bool join = !one->on && last > still + (stop ? 0 : fabs(first));
        bool leave = one->on && one->q > 0;
        if (!join && !leave)
            continue;
        one->target = one->drive - (stop ? one->bounce * fmax(first, 0) : first);
        one->on = join;
        one->q = 0;
        any = true;
    }
    return any;
}

carom_status carom_impact_joint_solve(split *s, carom_error *err)
{
    for (int set = 0; set < SETS; ++set) {
        TRY(solve(s, err));
        if (!change_strings(s))
            break;
    }
    return CAROM_OK;
}

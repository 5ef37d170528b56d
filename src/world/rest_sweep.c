// Sweeps over one island.
//
// Projected Gauss-Seidel: contact by contact the normal impulse that stops the approach, then
// friction within the cone, there and back in turn. Between sweeps the change goes on along the
// last direction as long as it shrinks (nonsmooth nonlinear conjugate gradients, Fletcher and
// Reeves; Silcowitz-Hansen et al. 2010), with a fresh start where it grows. What is handed back is
// always the result of a sweep, hence inside the cone.
//
// Where that is not done, a sweep passes over contacts neither of whose bodies has changed since
// the sweep before: in a pile that has come to rest but for a few bodies, nearly all of them.
#include <string.h>
#include "base/team.h"
#include "world/rest.h"

enum { ALL_SWEEPS = 500 };
enum { LOOK = -1, START = 0 }; // passes before the first sweep
#define LEAST_PART 0.06
#define COUNTS 0.1 // of the change at which sweeps end: less is no change
#define LARGE_TOLERANCE 100

static double sweep(carom_rest *rest, const carom_rest_island *island, carom_rest_pass *now);
static double walk(carom_rest *rest, const carom_rest_island *island, carom_rest_pass *now);
static void accelerate(carom_rest *rest, const carom_rest_island *island, double ratio);

// Sweeps allowed: all of them for islands of up to ALL_SWEEPS contacts, fewer for larger ones.
int carom_rest_sweep_cap(const carom_rest *rest, const carom_rest_island *island)
{
    int most = rest->step->world->options.rest_sweeps;
    if (island->count <= ALL_SWEEPS)
        return most;
    double part = fmax(0.5 * ALL_SWEEPS / island->count, LEAST_PART);
    return (int)ceil(part * most);
}

double carom_rest_sweep_tolerance(const carom_rest *rest, const carom_rest_island *island)
{
    double tolerance = rest->step->world->options.rest_tolerance;
    return island->count <= ALL_SWEEPS ? tolerance : LARGE_TOLERANCE * tolerance;
}

static int range_count(const carom_rest_island *island)
{
    int ranges = 0;
    for (int p = 0; p < CAROM_REST_PHASES; ++p)
        ranges += island->phase_count[p];
    return ranges;
}

static void start_range(carom_rest *rest, carom_rest_range *range)
{
    double fastest = 0;
    for (int i = range->begin; i < range->end; ++i) {
        carom_rest_contact *c = &rest->contacts[i];
        fastest = fmax(fastest, fabs(carom_rest_candidate(rest, i)->u));
        if (rest->first && (c->impulse.x != 0 || c->impulse.y != 0 || c->impulse.z != 0))
            carom_rest_push(&rest->bodies[c->a], &rest->bodies[c->b], c->point, c->impulse);
        if (rest->first && rest->rolls && rest->rolls[i].rolling > 0)
            carom_rest_turn(&rest->bodies[c->a], &rest->bodies[c->b], rest->rolls[i].moment);
    }
    range->fastest = fastest;
}

void carom_rest_sweep_start(carom_rest *rest, carom_rest_island *island, int threads)
{
    const carom_step *step = rest->step;
    carom_rest_pass look = { .number = LOOK, .forward = true, .threads = threads, .least = 0 };
    carom_rest_pass start = { .number = START, .forward = true, .threads = threads };
    island->scale = vec3_length(vec3_from(step->world->options.gravity)) * step->h;
    if (island->round)
        walk(rest, island, &look);
    if (rest->first || !island->round)
        walk(rest, island, &start);
    int ranges = range_count(island);
    for (int r = island->first_range; r < island->first_range + ranges; ++r)
        island->scale = fmax(island->scale, rest->ranges[r].fastest);
}

static void note_before(carom_rest *rest, const carom_rest_island *island)
{
    for (int i = 0; i < island->body_count; ++i) {
        const carom_rest_body *body = &rest->bodies[rest->member[island->first_body + i]];
        rest->body_before[island->first_body + i] = (carom_rest_twist){ body->v, body->w };
    }
}

// The first sweep passes over nothing.
static void forget_changes(carom_rest *rest, const carom_rest_island *island)
{
    for (int i = 0; i < island->body_count && !island->round; ++i)
        rest->changed_in[rest->member[island->first_body + i]] = 0;
}

void carom_rest_sweep_island(carom_rest *rest, carom_rest_island *island, int cap, int threads)
{
    double tolerance = carom_rest_sweep_tolerance(rest, island) * island->scale, change = 0,
           last = 0;
    bool accelerated = island->joint_count == 0 && !island->round && (cap > 100 || island->helped);
    double least = COUNTS * tolerance;
    if (accelerated) {
        memset(rest->along + island->first, 0, (size_t)island->count * sizeof *rest->along);
        memset(rest->body_along + island->first_body, 0,
               (size_t)island->body_count * sizeof *rest->body_along);
    }
    if (accelerated && rest->rolls)
        carom_rest_roll_forget(rest, island);
    forget_changes(rest, island);
    for (int k = 0; k < cap; ++k) {
        carom_rest_pass now = { .number = k + 1,
                                .least = accelerated || island->joint_count > 0 ? -1 : least,
                                .forward = k % 2 == 0,
                                .threads = threads };
        if (accelerated)
            note_before(rest, island);
        change = sweep(rest, island, &now);
        ++island->sweeps;
        if (change <= tolerance || k + 1 == cap ||
            carom_rest_ask_stopped(rest, island->count + island->joint_count))
            break;
        if (accelerated)
            accelerate(rest, island, last > 0 && now.size <= last ? now.size / last : 0);
        last = now.size;
    }
    island->residual = island->scale > 0 ? change / island->scale : 0;
}

static inline void push(carom_rest_body *a, carom_rest_body *b, vec3 arm_a, vec3 arm_b,
                        vec3 impulse)
{
    if (a->inverse_mass > 0) {
        a->v = vec3_axpy(a->v, -a->inverse_mass, impulse);
        a->w = vec3_sub(a->w, sym3_mul(a->inverse_inertia, vec3_cross(arm_a, impulse)));
    }
    if (b->inverse_mass > 0) {
        b->v = vec3_axpy(b->v, b->inverse_mass, impulse);
        b->w = vec3_add(b->w, sym3_mul(b->inverse_inertia, vec3_cross(arm_b, impulse)));
    }
}

// One contact. Returns the change of its impulse.
static inline vec3 relax(carom_rest_body *bodies, carom_rest_contact *c)
{
    carom_rest_body *a = &bodies[c->a], *b = &bodies[c->b];
    vec3 arm_a = vec3_sub(c->point, a->x), arm_b = vec3_sub(c->point, b->x), n = c->n;
    vec3 slip =
        vec3_sub(vec3_add(b->v, vec3_cross(b->w, arm_b)), vec3_add(a->v, vec3_cross(a->w, arm_a)));
    double old = vec3_dot(n, c->impulse);
    double p = old - c->normal_mass * (vec3_dot(n, slip) - c->target);
    if (!(p > 0)) {
        if (c->impulse.x == 0 && c->impulse.y == 0 && c->impulse.z == 0)
            return c->impulse;
        p = 0;
    }
    slip = vec3_axpy(slip, p - old, c->lift);
    vec3 q = vec3_axpy(c->impulse, -c->tangent_mass, slip);
    q = vec3_axpy(q, -vec3_dot(n, q), n);
    double most = c->friction * p, size = vec3_dot(q, q);
    if (size > most * most)
        q = vec3_scale(most / sqrt(size), q);
    vec3 impulse = vec3_axpy(q, p, n), change = vec3_sub(impulse, c->impulse);
    push(a, b, arm_a, arm_b, change);
    c->impulse = impulse;
    return change;
}

// The same for its moment against rolling. Returns the square of the impulse that would change
// speeds as much.
static double turn_back(carom_rest *rest, int i)
{
    carom_rest_roll *roll = &rest->rolls[i];
    const carom_rest_roll_answer *answer = &rest->roll_answers[i];
    const carom_rest_contact *c = &rest->contacts[i];
    carom_rest_body *a = &rest->bodies[c->a], *b = &rest->bodies[c->b];
    if (roll->rolling == 0) // leaves even the sign of a zero alone
        return 0;
    double press = fmax(vec3_dot(c->n, c->impulse), 0);
    vec3 change = carom_rest_roll_relax(roll, answer->mass, vec3_sub(b->w, a->w), press);
    carom_rest_turn(a, b, change);
    rest->roll_change[i] = change;
    return vec3_dot(change, change) * answer->reach * answer->reach;
}

static void note_change(carom_rest *rest, int body, int number)
{
    if (rest->bodies[body].inverse_mass > 0)
        rest->changed_in[body] = number;
}

static void sweep_range(carom_rest *rest, carom_rest_range *range, const carom_rest_pass *now)
{
    int count = range->end - range->begin;
    const bool rolls = rest->rolls != NULL;
    double worst = 0, size = 0;
    for (int k = 0; k < count; ++k) {
        int i = now->forward ? range->begin + k : range->end - 1 - k;
        carom_rest_contact *c = &rest->contacts[i];
        if (rest->changed_in[c->a] < now->number - 1 && rest->changed_in[c->b] < now->number - 1 &&
            now->least >= 0)
            continue;
        vec3 change = relax(rest->bodies, c);
        double square = vec3_dot(change, change);
        if (rolls)
            square += turn_back(rest, i);
        double mass = rest->bodies[c->a].inverse_mass + rest->bodies[c->b].inverse_mass;
        double change_squared = square * mass * mass;
        if (change_squared > now->least * now->least) {
            note_change(rest, c->a, now->number);
            note_change(rest, c->b, now->number);
        }
        worst = change_squared > worst ? change_squared : worst;
        size += square * mass;
        rest->change[i] = change;
    }
    range->change = sqrt(worst);
    range->size = size;
}

static double sweep_joints(carom_rest *rest, const carom_rest_island *island, bool forward)
{
    double worst = 0;
    for (int k = 0; k < island->joint_count; ++k) {
        int at = island->first_joint + (forward ? k : island->joint_count - 1 - k);
        worst = fmax(worst, carom_linkage_relax(rest->step, rest->joint_order[at], rest->bodies));
    }
    return worst;
}

static void walk_range(carom_rest *rest, const carom_rest_island *island, carom_rest_range *range,
                       const carom_rest_pass *now)
{
    if (now->number == LOOK)
        carom_rest_round_watch(rest, range, now);
    else if (now->number == START)
        (island->round ? carom_rest_round_start : start_range)(rest, range);
    else
        (island->round ? carom_rest_round_sweep : sweep_range)(rest, range, now);
}

static void walk_ranges(carom_rest *rest, const carom_rest_island *island, const int span[2],
                        const carom_rest_pass *now, int threads)
{
    CAROM_TEAM_EACH (r, span[1], threads)
        walk_range(rest, island, &rest->ranges[span[0] + r], now);
}
CAROM_TEAM_SHARE5(walk_ranges, carom_rest *, const carom_rest_island *, const int *,
                  const carom_rest_pass *, int)

// Goes through all ranges, phase by phase; returns the largest change.
static double walk(carom_rest *rest, const carom_rest_island *island, carom_rest_pass *now)
{
    bool forward = now->forward;
    double worst = 0;
    int ranges = range_count(island);
    int first = island->first_range + (forward ? 0 : ranges);
    for (int p = 0; p < CAROM_REST_PHASES; ++p) {
        int count = island->phase_count[forward ? p : CAROM_REST_PHASES - 1 - p];
        int from = forward ? first : first - count, span[2] = { from, count };
        int team = count > 1 ? now->threads : 1;
        CAROM_TEAM(team, walk_ranges(rest, island, span, now, team));
        first = forward ? first + count : from;
    }
    now->size = 0;
    for (int r = island->first_range; r < island->first_range + ranges; ++r) {
        worst = fmax(worst, rest->ranges[r].change);
        now->size += rest->ranges[r].size;
    }
    return worst;
}

static double sweep(carom_rest *rest, const carom_rest_island *island, carom_rest_pass *now)
{
    double joints = sweep_joints(rest, island, now->forward), contacts = walk(rest, island, now);
    // also where it is not a number
    return now->size < HUGE_VAL ? fmax(joints, contacts) : HUGE_VAL;
}

// Goes on by `ratio` of the last direction; the velocities go along, as they are linear in the
// impulses.
static void accelerate(carom_rest *rest, const carom_rest_island *island, double ratio)
{
    for (int i = island->first; i < island->first + island->count; ++i) {
        vec3 extra = vec3_scale(ratio, rest->along[i]);
        rest->along[i] = vec3_add(extra, rest->change[i]);
        rest->contacts[i].impulse = vec3_add(rest->contacts[i].impulse, extra);
    }
    if (rest->rolls)
        carom_rest_roll_accelerate(rest, island, ratio);
    for (int i = island->first_body; i < island->first_body + island->body_count; ++i) {
        carom_rest_body *body = &rest->bodies[rest->member[i]];
        carom_rest_twist *along = &rest->body_along[i];
        const carom_rest_twist *before = &rest->body_before[i];
        vec3 extra_v = vec3_scale(ratio, along->v), extra_w = vec3_scale(ratio, along->w);
        along->v = vec3_add(extra_v, vec3_sub(body->v, before->v));
        along->w = vec3_add(extra_w, vec3_sub(body->w, before->w));
        body->v = vec3_add(body->v, extra_v);
        body->w = vec3_add(body->w, extra_w);
    }
}

// Compact records of the contact problem, and the micro-step of each island.
//
// The micro-step is the contact time of the characteristic contact divided by the steps wanted. A
// contact that meets another body of effective inverse mass w at speed U with f = k delta^eta is
// compressed by D = ((eta + 1) U^2 / (2 k w))^(1/(eta+1)) and lasts T = 2 I D / U, I the integral
// of 1/sqrt(1 - x^(eta+1)) over [0, 1]: pi/2 for Hooke; Hertz: T = 3.2181 (k w)^(-2/5) U^(-1/5). In
// a cluster the neighbours stiffen it. The largest eigenvalue of W is what counts; per body it is
// bounded well by w_i = sum over the contacts j of the body of (its part of W_ij)^2 / (its part of
// W_jj): for two balls this is W_ii, in a chain of equal balls 2 W_ii, the exact limit.
#include "impact/wave_group.h"

#include <string.h>
#include "math/power.h"

// Steps that the stiffest contact at the fastest approach gets at least: leapfrog is stable from 2
// on for Hertz contacts (T times the largest frequency is 4.03), from 1.6 for Hooke's.
#define STIFFEST_STEPS 2.5
// Round-off of inertias that are alike about all axes, relative.
#define ROUND 1e-14
// Far more than the round-off of those times, relative.
#define BOUND_NOISE 1e-9
// Contacts of a body beyond which w_i takes the plain bound: all neighbours in line with this one.
enum { NEIGHBOURS_MAX = 64 };

// No micro-step, nor the one before the first.
#define NEVER -2

// Without restitution an island only loads, in half a contact time: a small one gets so many times
// the steps then, falling to 1 at e^2 = LOADING_E2.
#define LOADING_STEPS 1.5
#define LOADING_E2 0.09
// With friction an island of fewer contacts than FEW gets as many more steps as it has fewer
// contacts, up to FEW_STEPS times: two boxes or a ball in a corner turn more within a contact time
// than a body among many, and cost next to nothing. Twice that where the ratio of its masses is
// FEW_UNLIKE and more, evenly from 1 on: the light one swings between the others. Not without
// friction: round-off grows from kick to kick, and symmetry would suffer.
#define FEW 64
#define FEW_STEPS 4
#define FEW_UNLIKE 10
// Such an island with unlike masses (wave_disparity) also gets so many times the projections, and
// they leave so much less slack: what is left at each of the many kicks of a light body between
// heavy ones points the same way.
#define PROJECTIONS_UNLIKE 10
#define SLACK_UNLIKE 0.03
// But not beyond this ratio of masses: where they are 1e6 to 1e12 times apart such an island broke
// its promises in 2 of 11,000 problems.
#define UNLIKE_MAX 1e4

static void fill_contact(wave_field *field, int i);
static void fill_dissipative(wave_field *field, int i);
static void fill_body(wave_field *field, int i);
static void fill_all(wave_field *field, int contacts, int bodies);
CAROM_TEAM_SHARE3(fill_all, wave_field *, int, int)
static double effective_inverse_mass(const wave_field *field, int i);
static double effective_inverse_mass_at(const wave_field *field, const carom_row *row, int body);
static double mass_ratio(const wave_field *field, const wave_run *run);
static double more_steps(const wave_run *run);
static wave_scales measure_piece(const wave_field *field, const wave_run *run, int piece,
                                 double common);
static double contact_time(double k, double w, double eta, double speed);

// What the records need room for.
typedef struct needs {
    bool arms, lossy, driven, alike, hertz, round;
} needs;

// Inertia alike about all axes, to round-off.
static bool is_round(const carom_impact_body *body)
{
    const double *s = body->inverse_inertia;
    double most = 0;
    for (int k = 1; k < 6; ++k)
        most = fmax(most, fabs(k < 3 ? s[k] - s[0] : s[k]));
    return most <= ROUND * s[0];
}

static needs survey(const wave_field *field, const carom_problem *problem)
{
    double exponent = field->set.exponent;
    needs all = { .alike = true, .hertz = true, .round = true };
    for (int i = 0; i < problem->contact_count; ++i) {
        const carom_row *row = &problem->normal[i];
        const carom_impact_contact *contact = &problem->contacts[i];
        // Normals through the centres leave arms of round-off size: they turn nothing.
        double turns = vec3_dot(row->turn_a, row->arm_a) + vec3_dot(row->turn_b, row->arm_b);
        all.arms = all.arms || turns > 1e-26 * row->diagonal;
        all.lossy = all.lossy || contact->restitution < 1;
        all.alike =
            all.alike && contact->gap == 0 && contact->stiffness == problem->contacts[0].stiffness;
        all.hertz = all.hertz && (exponent > 0 ? exponent : contact->exponent) == 1.5;
    }
    for (int i = 0; i < problem->body_count; ++i) {
        const carom_impact_body *body = &problem->bodies[i];
        all.round = all.round && is_round(body);
        for (int k = 0; k < 3 && body->inverse_mass == 0; ++k)
            all.driven = all.driven || body->velocity[k] != 0 || body->spin[k] != 0;
    }
    all.arms = all.arms || all.driven;
    return all;
}

static carom_status take_dissipative(wave_field *field, carom_arena *arena, carom_error *err)
{
    const carom_problem *problem = field->problem;
    int n = problem->contact_count, bodies = problem->body_count;
    // wave_first_group of what would be the piece behind the last
    int pieces = n / field->piece + bodies / field->piece + 2 * problem->island_count + 2;
    TAKE(arena, field->dissipative, n, err);
    TAKE(arena, field->groups, n / LANES + pieces, err);
    TAKE(arena, field->compressed, n, err);
    TAKE(arena, field->depth, n + LANES, err);
    TAKE(arena, field->idle, n, err);
    TAKE(arena, field->compressed_count, pieces, err);
    TAKE_ZEROS(arena, field->pushes, bodies, err);
    TAKE(arena, field->pushed_bodies, bodies, err);
    TAKE(arena, field->pushed_count, pieces, err);
    if (problem->threads > 1) {
        TAKE(arena, field->pushed, n, err);
        TAKE(arena, field->outer_pushes, field->outer, err);
    }
    return CAROM_OK;
}

carom_status carom_wave_setup_field(wave_field *field, const carom_problem *problem,
                                    carom_arena *arena, wave_run **runs, carom_error *err)
{
    int n = problem->contact_count, bodies = problem->body_count;
    needs all = survey(field, problem);
    field->problem = problem;
    const bool dissipative = all.lossy || problem->tangent;
    field->plain = !all.arms && !dissipative && all.alike && all.hertz;
    field->lossy = all.lossy;
    field->shape = all.arms || (problem->tangent && !all.round) ? WAVE_TURNING
                   : problem->tangent                           ? WAVE_ROUND
                                                                : WAVE_STRAIGHT;
    TRY(carom_wave_place(field, arena, runs, err));
    TAKE(arena, field->bodies, bodies, err);
    TAKE(arena, field->contacts, n, err);
    TAKE_ZEROS(arena, field->kick, n, err);
    TAKE_ZEROS(arena, field->lambda, n, err);
    if (!all.alike)
        TAKE(arena, field->springs, n, err);
    if (field->shape != WAVE_STRAIGHT) {
        TAKE(arena, field->spins, bodies, err);
        TAKE(arena, field->inverse_inertia, bodies, err);
    }
    if (all.arms)
        TAKE(arena, field->arms, n, err);
    else
        TAKE(arena, field->spread, bodies, err);
    if (dissipative)
        TRY(take_dissipative(field, arena, err));
    if (all.driven)
        TAKE(arena, field->driven_speed, n, err);
    CAROM_TEAM(problem->threads, fill_all(field, n, bodies));
    return CAROM_OK;
}

static void fill_all(wave_field *field, int contacts, int bodies)
{
    int threads = field->problem->threads;
    int end = carom_team_end(contacts, threads), last = carom_team_end(bodies, threads);
    for (int i = carom_team_begin(contacts, threads); i < end; ++i)
        fill_contact(field, i);
    for (int i = carom_team_begin(bodies, threads); i < last; ++i)
        fill_body(field, i);
}

static void fill_contact(wave_field *field, int i)
{
    int which = field->order[i];
    const carom_row *row = &field->problem->normal[which];
    const carom_impact_contact *contact = &field->problem->contacts[which];
    const carom_impact_body *a = &field->problem->bodies[row->a];
    const carom_impact_body *b = &field->problem->bodies[row->b];
    field->contacts[i] =
        (wave_contact){ .d = row->d, .a = field->place_of[row->a], .b = field->place_of[row->b] };
    if (field->springs)
        field->springs[i] = (wave_spring){ contact->gap, contact->stiffness };
    if (field->arms)
        field->arms[i] = (wave_arm){ row->arm_a, 0, row->arm_b, 0 };
    if (field->dissipative)
        fill_dissipative(field, i);
    if (field->driven_speed) {
        double drift = 0;
        if (row->inv_a == 0)
            drift -=
                vec3_dot(row->d, vec3_from(a->velocity)) + vec3_dot(row->arm_a, vec3_from(a->spin));
        if (row->inv_b == 0)
            drift +=
                vec3_dot(row->d, vec3_from(b->velocity)) + vec3_dot(row->arm_b, vec3_from(b->spin));
        field->driven_speed[i] = drift;
    }
}

// The largest response of a body to a tangential impulse at a contact: the larger eigenvalue.
static double tangential(const carom_impact_body *body, vec3 arm, vec3 normal)
{
    const double *s = body->inverse_inertia;
    sym3 inverse = { s[0], s[1], s[2], s[3], s[4], s[5] };
    vec3 t1, t2;
    vec3_tangents(normal, &t1, &t2);
    vec3 torque1 = vec3_cross(arm, t1), torque2 = vec3_cross(arm, t2);
    vec3 turn1 = sym3_mul(inverse, torque1);
    double a = vec3_dot(torque1, turn1), b = vec3_dot(torque2, turn1);
    double c = vec3_dot(torque2, sym3_mul(inverse, torque2));
    return body->inverse_mass + 0.5 * (a + c) + sqrt(0.25 * (a - c) * (a - c) + b * b);
}

static void fill_dissipative(wave_field *field, int i)
{
    int which = field->order[i];
    const carom_row *row = &field->problem->normal[which];
    const carom_impact_contact *contact = &field->problem->contacts[which];
    const carom_impact_body *a = &field->problem->bodies[row->a];
    const carom_impact_body *b = &field->problem->bodies[row->b];
    vec3 point = vec3_from(contact->point);
    wave_dissipative state = { .arm_a = vec3_sub(point, vec3_from(a->position)),
                               .arm_b = vec3_sub(carom_problem_point_of_b(contact),
                                                 vec3_from(b->position)),
                               .mu = contact->friction,
                               .e2 = contact->restitution * contact->restitution,
                               .seen = NEVER,
                               .wnn_a = row->inv_a + vec3_dot(row->turn_a, row->arm_a),
                               .wnn_b = row->inv_b + vec3_dot(row->turn_b, row->arm_b) };
    if (state.mu > 0 && row->inv_a > 0)
        state.wtt_a = tangential(a, state.arm_a, row->d);
    if (state.mu > 0 && row->inv_b > 0)
        state.wtt_b = tangential(b, state.arm_b, row->d);
    if (row->inv_a > 0)
        state.reach_a = vec3_dot(state.arm_a, row->d);
    if (row->inv_b > 0)
        state.reach_b = -vec3_dot(state.arm_b, row->d);
    field->dissipative[i] = state;
    field->idle[i] = NEVER;
}

static void fill_body(wave_field *field, int i)
{
    int which = field->body_of[i];
    const carom_impact_body *body = &field->problem->bodies[which];
    const double *s = body->inverse_inertia;
    field->bodies[i] =
        (wave_body){ .v = vec3_from(body->velocity), .inverse_mass = body->inverse_mass };
    if (field->spins)
        field->spins[i] = (wave_spin){ .w = vec3_from(body->spin),
                                       .inverse = field->shape == WAVE_ROUND ? s[0] : 0 };
    if (field->spins)
        field->inverse_inertia[i] = (sym3){ s[0], s[1], s[2], s[3], s[4], s[5] };
    const carom_problem *problem = field->problem;
    if (!field->spread)
        return;
    sym3 sum = { 0, 0, 0, 0, 0, 0 };
    for (int k = problem->first_contact[which]; k < problem->first_contact[which + 1]; ++k) {
        vec3 d = problem->normal[problem->contact_list[k]].d;
        sum = (sym3){ sum.xx + d.x * d.x, sum.yy + d.y * d.y, sum.zz + d.z * d.z,
                      sum.xy + d.x * d.y, sum.xz + d.x * d.z, sum.yz + d.y * d.z };
    }
    field->spread[i] = sum;
}

static void measure_all(wave_field *field, const wave_run *run, double common)
{
    CAROM_TEAM_EACH (piece, run->pieces, run->threads)
        field->scales[run->first_piece + piece] = measure_piece(field, run, piece, common);
}
CAROM_TEAM_SHARE3(measure_all, wave_field *, const wave_run *, double)

void carom_wave_setup_island(wave_field *field, wave_run *run)
{
    const carom_problem *problem = field->problem;
    double exponent = field->set.exponent;
    double common = exponent > 0 ? exponent : problem->contacts[field->order[run->first]].exponent;
    wave_scales all = { .uniform = true };
    CAROM_TEAM(run->threads, measure_all(field, run, common));
    for (int piece = 0; piece < run->pieces; ++piece) {
        const wave_scales *part = &field->scales[run->first_piece + piece];
        all.fastest = fmax(all.fastest, part->fastest);
        all.stiffest = fmax(all.stiffest, part->stiffest);
        all.square += part->square;
        all.fourth += part->fourth;
        all.stiffness += part->stiffness;
        all.e2 += part->e2;
        all.lossy = all.lossy || part->lossy;
        all.frictional = all.frictional || part->frictional;
        all.uniform = all.uniform && part->uniform;
    }
    run->speed = run->first_speed = all.fastest;
    run->frictional = all.frictional;
    run->lossy = all.lossy || all.frictional;
    run->hertz = all.uniform && common == 1.5;
    run->scale = run->slack = 1;
    if (!(all.fastest > field->set.tolerance * problem->fastest))
        return;
    // Weighted by energy: contacts at rest, whose sign of u is round-off, must not count.
    run->characteristic = sqrt(all.fourth / all.square);
    run->stiffness = all.stiffness / all.square;
    run->stiffest = all.stiffest;
    run->mass_ratio = mass_ratio(field, run);
    if (field->set.steps == 0 && run->frictional && !problem->coarse)
        run->steps *= more_steps(run);
    if (run->frictional && run->count < FEW && run->mass_ratio <= UNLIKE_MAX) {
        run->projections *= 1 + (PROJECTIONS_UNLIKE - 1) * wave_disparity(run);
        run->slack = 1 - (1 - SLACK_UNLIKE) * wave_disparity(run);
    }
    if (field->set.steps == 0 && run->fine)
        run->steps *= 1 + (LOADING_STEPS - 1) * fmax(1 - all.e2 / all.square / LOADING_E2, 0);
    run->exponent = all.uniform ? common : 0;
    run->h = carom_wave_setup_step(field, run);
    run->state = WAVE_MARCHED;
}

// How many times more steps an island of few contacts gets.
static double more_steps(const wave_run *run)
{
    double few = fmin(fmax(FEW / (double)run->count, 1), FEW_STEPS);
    double unlike = fmin((run->mass_ratio - 1) / (FEW_UNLIKE - 1), 1);
    return few > 1 ? few * (1 + unlike) : 1;
}

static double mass_ratio(const wave_field *field, const wave_run *run)
{
    double min = HUGE_VAL, max = 0;
    for (int i = run->first_body; i < run->first_body + run->body_count; ++i) {
        min = fmin(min, field->bodies[i].inverse_mass);
        max = fmax(max, field->bodies[i].inverse_mass);
    }
    return max / min;
}

static wave_scales measure_piece(const wave_field *field, const wave_run *run, int piece,
                                 double common)
{
    const carom_problem *problem = field->problem;
    wave_scales all = { .uniform = true };
    const int *first = &field->first_place[run->first_piece + piece];
    for (int i = first[0]; i < first[1]; ++i) {
        const carom_impact_contact *contact = &problem->contacts[field->order[i]];
        double w = effective_inverse_mass(field, i), speed = -problem->u[field->order[i]];
        all.stiffest = fmax(all.stiffest, contact->stiffness * w);
        if (speed > 0) {
            all.fastest = fmax(all.fastest, speed);
            all.square += speed * speed;
            all.fourth += speed * speed * speed * speed;
            all.stiffness += contact->stiffness * w * speed * speed;
            all.e2 += contact->restitution * contact->restitution * speed * speed;
        }
        all.lossy = all.lossy || contact->restitution < 1;
        all.frictional = all.frictional || contact->friction > 0;
        all.uniform = all.uniform && (field->set.exponent > 0 || contact->exponent == common);
    }
    return all;
}

// Time of the characteristic contact over the steps wanted, but never so long that the stiffest
// contact at the fastest speed gets fewer than STIFFEST_STEPS. Where exponents differ, the shortest
// time of all at the fastest speed.
double carom_wave_setup_step(const wave_field *field, wave_run *run)
{
    if (run->exponent > 0) {
        run->timed[0] =
            (wave_timed){ run->characteristic,
                          contact_time(run->stiffness, 1, run->exponent, run->characteristic) /
                              run->steps };
        run->timed[1] =
            (wave_timed){ run->speed, contact_time(run->stiffest, 1, run->exponent, run->speed) /
                                          STIFFEST_STEPS };
        return fmin(run->timed[0].step, run->timed[1].step);
    }
    double time = HUGE_VAL;
    for (int i = run->first; i < run->first + run->count; ++i) {
        const carom_impact_contact *contact = &field->problem->contacts[field->order[i]];
        time = fmin(time, contact_time(contact->stiffness, effective_inverse_mass(field, i),
                                       contact->exponent, run->speed));
    }
    return time / run->steps;
}

// T goes as U^-s, s = (eta - 1) / (eta + 1) from 0 to 1. By Bernoulli's inequality, x^s <= 1 + s (x
// - 1), it lies between T0 / (1 + s (U / U0 - 1)) and T0 (1 + s (U0 / U - 1)).
void carom_wave_setup_step_bounds(const wave_run *run, double *min, double *max)
{
    double s = (run->exponent - 1) / (run->exponent + 1);
    const double speed[2] = { run->characteristic, run->speed };
    *min = 0;
    *max = HUGE_VAL;
    if (!(run->exponent >= 1))
        return;
    *min = HUGE_VAL;
    for (int k = 0; k < 2; ++k) {
        double ratio = speed[k] / run->timed[k].speed, step = run->timed[k].step;
        *min = fmin(*min, (1 - BOUND_NOISE) * step / (1 + s * (ratio - 1)));
        *max = fmin(*max, (1 + BOUND_NOISE) * step * (1 + s * (1 / ratio - 1)));
    }
}

static double contact_time(double k, double w, double eta, double speed)
{
    // I falls slowly from pi/2 (Hooke) to 1 (eta to infinity); Hertz 1.4716. The line through the
    // two ends in 2/(eta + 1) is within 2 %, enough for a step size.
    double power = eta + 1, integral = 1 + 0.5707963 * 2 / power;
    return 2 * integral / speed * carom_power(0.5 * power * speed * speed / (k * w), 1 / power);
}

// w_i of the opening comment.
static double effective_inverse_mass(const wave_field *field, int i)
{
    const carom_row *row = &field->problem->normal[field->order[i]];
    const wave_contact *c = &field->contacts[i];
    if (!field->spread)
        return effective_inverse_mass_at(field, row, row->a) +
               effective_inverse_mass_at(field, row, row->b);
    return row->inv_a * vec3_dot(row->d, sym3_mul(field->spread[c->a], row->d)) +
           row->inv_b * vec3_dot(row->d, sym3_mul(field->spread[c->b], row->d));
}

static double effective_inverse_mass_at(const wave_field *field, const carom_row *row, int body)
{
    const carom_problem *problem = field->problem;
    int first = problem->first_contact[body], count = problem->first_contact[body + 1] - first;
    bool is_b = row->b == body;
    vec3 turn = is_b ? row->turn_b : row->turn_a, arm = is_b ? row->arm_b : row->arm_a;
    double inverse = is_b ? row->inv_b : row->inv_a, own = inverse + vec3_dot(turn, arm), sum = 0;
    if (count > NEIGHBOURS_MAX)
        return count * own;
    for (int k = first; k < first + count; ++k) {
        const carom_row *other = &problem->normal[problem->contact_list[k]];
        bool other_b = other->b == body;
        vec3 other_arm = other_b ? other->arm_b : other->arm_a;
        vec3 other_turn = other_b ? other->turn_b : other->turn_a;
        double mixed = inverse * vec3_dot(row->d, other->d) + vec3_dot(turn, other_arm);
        sum += mixed * mixed / (inverse + vec3_dot(other_turn, other_arm));
    }
    return sum;
}

// The scalar of an island, after the micro-steps.
//
// Without loss and friction all impulses P are scaled by s: the energy changes by s P.u- + 1/2 s^2
// P.W P, u- the speeds before, and is kept for s = -2 P.u- / P.W P.
//
// With them the ledgers of the contacts (wave_dissipative.c) say what each contact owes: e^2 of
// what it has stored, less what it has returned. Friction owes nothing. What is owed is paid by
// scaling the impulses of release, P_r, the part that acted while contacts opened. Adding y P_r
// changes the work in the normal directions by
//
//     1/2 a y^2 + b y = owed,    b = Q_n.u_n+,  a = Q_n.(W Q)_n,  Q = P_r
//
// which has one root next to 0, as b is a sum of products of release and opening speed. A single
// mode of vibration gets Stronge's restitution exactly. The scaled impulses stay in their cones.
//
// Where nothing is lost Q = P is the better direction, and gives the first formula. So Q = P_r + w
// P_c, P_c = P - P_r, with w = 1 without loss and 0 from ALMOST of the work on. The law is
// therefore continuous where friction goes to 0 or restitution to 1.
//
// At last, energy must not have grown: the projections of friction end before they have converged.
// Where it has, all impulses are scaled down to where it has not.
#include "impact/wave.h"

#define ALMOST 0.02
// A march that has to be scaled beyond these was unstable.
#define SCALE_MIN 0.1
#define SCALE_MAX 10

// Sums over an island. P impulses, u- and u+ velocities of contact points before and after.
typedef struct sums {
    double work;     // P.u-
    double response; // P.W P
    double owed;
} sums;

static sums add_up(const wave_field *field, const wave_run *run);
static void scale_dissipative(wave_field *field, wave_run *run);

// A march whose impulses are no numbers, or far from what the energy allows, was unstable (masses a
// trillion times apart with friction can do that): it is taken back, and the island left to the
// finish.
static void take_back_march(wave_field *field, wave_run *run)
{
    for (int i = run->first; i < run->first + run->count; ++i) {
        field->lambda[i] = 0;
        if (field->dissipative)
            field->dissipative[i].impulse = vec3_make(0, 0, 0);
    }
    run->scale = 1;
    run->capped = true;
    run->state = WAVE_TAKEN_BACK;
}

void carom_wave_scale(wave_field *field, wave_run *run)
{
    if (field->dissipative) {
        scale_dissipative(field, run);
        return;
    }
    sums all = add_up(field, run);
    bool moved = all.response != 0 || all.work != 0;
    run->scale = moved ? -2 * all.work / all.response : 1;
    if (!(isfinite(run->scale) && run->scale > SCALE_MIN && run->scale < SCALE_MAX))
        take_back_march(field, run);
}

// -- without loss and friction --------------------------------------------------------------------

// M^-1 times this: what a body gets from all impulses of its contacts, linear and angular.
static void momentum_of(const wave_field *field, int body, vec3 *linear, vec3 *angular)
{
    const carom_problem *problem = field->problem;
    int which = field->body_of[body];
    *linear = *angular = vec3_make(0, 0, 0);
    for (int k = problem->first_contact[which]; k < problem->first_contact[which + 1]; ++k) {
        int i = field->rank_of[problem->contact_list[k]];
        const wave_contact *c = &field->contacts[i];
        bool is_b = c->b == body;
        if (field->lambda[i] == 0)
            continue;
        double lambda = is_b ? field->lambda[i] : -field->lambda[i];
        *linear = vec3_axpy(*linear, lambda, c->d);
        if (field->arms)
            *angular = vec3_axpy(*angular, lambda, is_b ? field->arms[i].b : field->arms[i].a);
    }
}

static double contact_part(const wave_field *field, const wave_run *run, int piece)
{
    double part = 0;
    int first = field->first_place[run->first_piece + piece];
    for (int i = first; i < field->first_place[run->first_piece + piece + 1]; ++i)
        part += field->lambda[i] * field->problem->u[field->order[i]];
    return part;
}

static double body_part(const wave_field *field, const wave_run *run, int piece)
{
    double part = 0;
    int first = run->first_body + piece * field->piece;
    for (int body = first; body < first + wave_piece_size(field, run->body_count, piece); ++body) {
        vec3 linear, angular;
        momentum_of(field, body, &linear, &angular);
        part += field->bodies[body].inverse_mass * vec3_dot(linear, linear);
        if (field->arms)
            part += vec3_dot(angular, sym3_mul(field->inverse_inertia[body], angular));
    }
    return part;
}

// Piece by piece: once per island, so one thread does it.
static sums add_up(const wave_field *field, const wave_run *run)
{
    sums all = { 0, 0, 0 };
    for (int piece = 0; piece < run->pieces; ++piece)
        all.work += contact_part(field, run, piece);
    for (int piece = 0; piece < run->body_pieces; ++piece)
        all.response += body_part(field, run, piece);
    return all;
}

// -- with them ------------------------------------------------------------------------------------

static vec3 relative_velocity(vec3 va, vec3 wa, vec3 vb, vec3 wb, const wave_dissipative *state)
{
    return vec3_sub(vec3_add(vb, vec3_cross(wb, state->arm_b)),
                    vec3_add(va, vec3_cross(wa, state->arm_a)));
}

// At contact i: before the impact; now; and with the displacements in place of velocities.
static vec3 velocity_before(const wave_field *field, int i)
{
    const carom_impact_contact *c = &field->problem->contacts[field->order[i]];
    const carom_impact_body *a = &field->problem->bodies[c->a], *b = &field->problem->bodies[c->b];
    return relative_velocity(vec3_from(a->velocity), vec3_from(a->spin), vec3_from(b->velocity),
                             vec3_from(b->spin), &field->dissipative[i]);
}

static vec3 velocity_now(const wave_field *field, int i)
{
    const wave_contact *c = &field->contacts[i];
    const vec3 none = { 0, 0, 0 };
    return relative_velocity(field->bodies[c->a].v, field->spins ? field->spins[c->a].w : none,
                             field->bodies[c->b].v, field->spins ? field->spins[c->b].w : none,
                             &field->dissipative[i]);
}

static vec3 displacement(const wave_field *field, int i)
{
    const wave_contact *c = &field->contacts[i];
    const vec3 none = { 0, 0, 0 };
    return relative_velocity(field->bodies[c->a].q, field->spins ? field->spins[c->a].q : none,
                             field->bodies[c->b].q, field->spins ? field->spins[c->b].q : none,
                             &field->dissipative[i]);
}

static sums add_up_dissipative(const wave_field *field, const wave_run *run)
{
    sums all = { 0, 0, 0 };
    for (int i = run->first; i < run->first + run->count; ++i) {
        const wave_dissipative *state = &field->dissipative[i];
        vec3 before = velocity_before(field, i), p = state->impulse;
        all.work += vec3_dot(p, before);
        all.response += vec3_dot(p, vec3_sub(velocity_now(field, i), before));
        all.owed += state->due + state->e2 * state->stored - state->returned;
    }
    return all;
}

// Q at contact i.
static vec3 direction(const wave_dissipative *state, double w)
{
    vec3 q = vec3_scale(w, vec3_sub(state->impulse, state->release));
    return vec3_add(q, state->release);
}

// M^-1 J^T Q into the displacements, which nobody needs any more.
static void respond_to_direction(wave_field *field, const wave_run *run, double w)
{
    const vec3 none = { 0, 0, 0 };
    for (int i = run->first_body; i < run->first_body + run->body_count; ++i) {
        field->bodies[i].q = none;
        if (field->spins)
            field->spins[i].q = none;
    }
    for (int i = run->first; i < run->first + run->count; ++i) {
        const wave_contact *c = &field->contacts[i];
        const wave_dissipative *state = &field->dissipative[i];
        vec3 q = direction(state, w);
        for (int end = 0; end < 2; ++end) {
            int which = end ? c->b : c->a;
            wave_body *body = &field->bodies[which];
            if (body->inverse_mass == 0)
                continue;
            vec3 impulse = end ? q : vec3_neg(q);
            body->q = vec3_axpy(body->q, body->inverse_mass, impulse);
            if (!field->spins)
                continue;
            wave_spin *spin = &field->spins[which];
            vec3 torque = vec3_cross(end ? state->arm_b : state->arm_a, impulse);
            spin->q = vec3_add(spin->q, sym3_mul(field->inverse_inertia[which], torque));
        }
    }
}

// The root next to 0 of 1/2 a y^2 + b y = owed; the nearest point to one where there is none.
static double root_of(double a, double b, double owed)
{
    if (!(b > 0))
        return 0;
    double inside = b * b + 2 * a * owed;
    double y = inside >= 0 ? 2 * owed / (b + sqrt(inside)) : -b / a;
    return fmin(fmax(y, -1), 1);
}

static void scale_dissipative(wave_field *field, wave_run *run)
{
    sums all = add_up_dissipative(field, run);
    double loss = -(all.work + 0.5 * all.response + all.owed);
    double w = fmin(fmax(1 - loss / (-ALMOST * all.work), 0), 1);
    double a = 0, b = 0, work = 0, now = 0, twice = 0; // Q_n.(W Q)_n, Q_n.u_n+, Q.u-, Q.u+, Q.W Q
    respond_to_direction(field, run, w);
    for (int i = run->first; i < run->first + run->count; ++i) {
        vec3 q = direction(&field->dissipative[i], w), d = field->contacts[i].d;
        vec3 u = velocity_now(field, i), answer = displacement(field, i);
        a += vec3_dot(q, d) * vec3_dot(answer, d);
        b += vec3_dot(q, d) * vec3_dot(u, d);
        work += vec3_dot(q, velocity_before(field, i));
        now += vec3_dot(q, u);
        twice += vec3_dot(q, answer);
    }
    double y = root_of(a, b, all.owed), down = 1;
    double after = all.work + y * work; // P.u- with the scaled impulses
    double response = all.response + 2 * y * (now - work) + y * y * twice;
    if (after + 0.5 * response > 0)
        down = -2 * after / response;
    bool moved = all.response != 0 || all.work != 0;
    if (!isfinite(y * down) || (moved && !(after < 0 && down > SCALE_MIN))) {
        take_back_march(field, run);
        return;
    }
    for (int i = run->first; i < run->first + run->count; ++i) {
        wave_dissipative *state = &field->dissipative[i];
        vec3 p = vec3_axpy(state->impulse, y, direction(state, w));
        state->impulse = vec3_scale(down, p);
        field->lambda[i] = vec3_dot(state->impulse, field->contacts[i].d);
    }
}

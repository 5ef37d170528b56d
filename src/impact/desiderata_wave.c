// Waves: does the law let resting contacts break away (BRK), does what happens at one contact
// depend on the others (WAV), and how far is it from contact springs [QCE, sections 1, 2 and 5].
//
// BRK. Almost dispersion-free springs (exponent 5) tell whether contacts that touch at rest and get
// pressed must part afterwards, and how fast. Laws that prescribe u+ = -e u- hold all of them
// together. Compared is the fastest parting only: which contact parts how fast is a matter of
// detail in which good laws differ.
//
// WAV. C: contacts with an impulse in the elastic frictionless instant. Disturbing the motion by
// dv = M^-1 J_C^T x with W_CC x = e_j moves u_j- alone; the answer is column j of D = du+/du-.
// Where W_CC is singular (a box on four corners) only the projection P e_j can be moved, and a law
// that treats each contact alone answers diag(d) P: the figure is the largest entry of D P -
// diag(d) P, d from the diagonal. All in units where W_ii = 1, so that light and heavy bodies count
// alike. D is taken by differences to one side, first towards approach, and where these show no
// wave to the other side: the map has kinks where a contact is at rest (a wall and two equal balls:
// what the second does to the first depends on u_wall > 0 alone), and differences to both sides
// at once may cancel there.
#include <string.h>
#include "impact/desiderata.h"
#include "base/sets.h"
#include "impact/law.h"

// A contact with less relative speed than this (of the fastest) is at rest.
#define RESTING 1e-9
// The wave separates a contact where it ends with more than this.
#define PARTED 0.1
// A law whose pressed contacts part with less than 2 % of the springs' speed holds them together.
#define BRK_BOUND 0.98
#define STEEP_EXPONENT 5
// Disturbance relative to the fastest speed: derivative to about 1e-5, far above round-off.
#define DISTURBANCE 1e-6
// Below this a derivative counts as none.
#define WAV_BOUND 1e-3
// Neighbours with a smaller W_ij (where W_ii = 1) do not pass a wave on.
#define COUPLED 0.05
// Impulses below this fraction of the largest (in the energy norm) do not count.
#define CARRYING 1e-6
// Columns of D measured at most: the contacts with the largest impulses.
enum { COLUMNS = 8 };

static carom_status springs_on_other(carom_desiderata *d, const carom_law_options *options,
                                     bool *done, carom_error *err);

// -- BRK ------------------------------------------------------------------------------------------

static void copy_to_other(carom_desiderata *d)
{
    memcpy(d->other_bodies, d->impact.bodies,
           (size_t)d->impact.body_count * sizeof *d->other_bodies);
    memcpy(d->other_contacts, d->impact.contacts,
           (size_t)d->impact.contact_count * sizeof *d->other_contacts);
}

static bool any_resting(const carom_desiderata *d)
{
    for (int i = 0; i < d->impact.contact_count; ++i)
        if (fabs(d->problem.u[i]) <= RESTING * d->problem.fastest)
            return d->problem.fastest > 0;
    return false;
}

// The largest speed afterwards of a contact that was at rest and got pressed; -1 without any.
static double fastest_parting(const carom_desiderata *d, const carom_impact_outcome *result)
{
    double fastest = -1, max = 0;
    for (int i = 0; i < d->impact.contact_count; ++i)
        max = fmax(max, result->impulses[i][0] * sqrt(d->problem.normal[i].diagonal));
    for (int i = 0; i < d->impact.contact_count; ++i) {
        double p = result->impulses[i][0] * sqrt(d->problem.normal[i].diagonal);
        if (fabs(d->problem.u[i]) <= RESTING * d->problem.fastest && p > CARRYING * max)
            fastest = fmax(fastest, fmax(carom_desiderata_speed(d, result, i), 0));
    }
    return fastest;
}

carom_status carom_desiderata_wave_break(carom_desiderata *d, carom_desideratum *brk,
                                         carom_error *err)
{
    *brk = (carom_desideratum){ .bound = BRK_BOUND };
    if (!any_resting(d))
        return CAROM_OK;
    if (!d->has_steep) {
        if (d->tried_steep)
            return CAROM_OK;
        d->tried_steep = true;
        copy_to_other(d);
        for (int i = 0; i < d->impact.contact_count; ++i)
            d->other_contacts[i].exponent = STEEP_EXPONENT;
        TRY(springs_on_other(d, NULL, &d->has_steep, err));
        if (!d->has_steep)
            return CAROM_OK;
        d->steep = fastest_parting(d, &d->other_result);
    }
    double parting = fastest_parting(d, &d->result);
    if (d->steep <= PARTED * d->problem.fastest || parting < 0)
        return CAROM_OK;
    brk->figure = 1 - fmin(parting / d->steep, 1);
    brk->verdict = brk->figure <= BRK_BOUND ? CAROM_VERDICT_HOLDS : CAROM_VERDICT_BROKEN;
    return CAROM_OK;
}

// The second instant by the law `springs`; not done where they do not settle within their caps.
static carom_status springs_on_other(carom_desiderata *d, const carom_law_options *options,
                                     bool *done, carom_error *err)
{
    carom_judged springs = { carom_desiderata_yardstick(), options };
    *done = false;
    carom_status status = carom_desiderata_resolve_other(d, springs, err);
    *done = status == CAROM_OK && d->other_result.report.end == CAROM_IMPACT_SETTLED;
    return status == CAROM_NO_MEMORY || status == CAROM_INTERRUPTED ? status : CAROM_OK;
}

// -- the distance to springs ----------------------------------------------------------------------

static bool has_friction(const carom_desiderata *d)
{
    return d->problem.tangent != NULL;
}

carom_status carom_desiderata_wave_distance(carom_desiderata *d, carom_judged judged,
                                            carom_desiderata_figures *figures, carom_error *err)
{
    double speed = 0, away = 0, turning = 0;
    if (has_friction(d) || judged.law == carom_desiderata_yardstick())
        return CAROM_OK;
    if (!d->has_springs) {
        if (d->tried_springs)
            return CAROM_OK;
        d->tried_springs = true;
        copy_to_other(d);
        TRY(springs_on_other(d, d->referred ? &d->reference : NULL, &d->has_springs, err));
        if (!d->has_springs)
            return CAROM_OK;
        memcpy(d->springs, d->other_result.velocities,
               (size_t)d->impact.body_count * sizeof *d->springs);
        memcpy(d->springs_spin, d->other_result.spins,
               (size_t)d->impact.body_count * sizeof *d->springs_spin);
    }
    for (int i = 0; i < d->impact.contact_count; ++i)
        speed += d->problem.u[i] * d->problem.u[i];
    for (int i = 0; i < d->impact.body_count; ++i) {
        const carom_impact_body *body = &d->impact.bodies[i];
        vec3 dv = vec3_sub(vec3_from(d->result.velocities[i]), vec3_from(d->springs[i]));
        vec3 dw = vec3_sub(vec3_from(d->result.spins[i]), vec3_from(d->springs_spin[i]));
        const double *s = body->inverse_inertia;
        sym3 inverse = { s[0], s[1], s[2], s[3], s[4], s[5] };
        away += vec3_dot(dv, dv);
        if (sym3_det(inverse) > 0)
            turning += body->inverse_mass * vec3_dot(dw, sym3_mul(sym3_inverse(inverse), dw));
    }
    if (speed > 0) {
        figures->distance = sqrt(away / speed);
        figures->spin_distance = sqrt(turning / speed);
    }
    return CAROM_OK;
}

// -- WAV ------------------------------------------------------------------------------------------

// The disturbed instant: contacts in C, and arrays over C or over all contacts.
typedef struct disturbance {
    carom_desiderata *d;
    int *members; // of C, the largest impulse first
    int count;
    int *group;         // over all contacts: representative of its group, -1 outside C
    double delta;       // disturbance where W_ii = 1; negative: towards approach
    double *before;     // u+ of all contacts, undisturbed
    double *after;      // u+ of all contacts, disturbed
    double *x, *moved;  // over C: impulses that disturb, and what they change: P e_j
    double *rest, *way; // over C: residual and direction of the solve
    double *image;      // over C: W times direction
    carom_twist *twist; // of all bodies
    double answer[COLUMNS][COLUMNS], moves[COLUMNS][COLUMNS]; // D P and P
} disturbance;

static carom_status begin_disturbance(carom_desiderata *d, disturbance *s, carom_error *err);
static void find_members(disturbance *s);
static void join_coupled(disturbance *s);
static void disturb(disturbance *s, int j);
static carom_status answer_all(disturbance *s, carom_judged judged, carom_error *err);
static double largest_cross(const disturbance *s, bool *asked);

carom_status carom_desiderata_wave_cross(carom_desiderata *d, carom_judged judged,
                                         carom_desideratum *wav, carom_error *err)
{
    disturbance s = { .d = d };
    bool asked = false;
    carom_arena_mark mark = carom_arena_mark_here(d->arena);
    TRY(begin_disturbance(d, &s, err));
    copy_to_other(d);
    for (int i = 0; i < d->impact.contact_count; ++i) {
        d->other_contacts[i].restitution = 1;
        d->other_contacts[i].friction = 0;
    }
    TRY(carom_desiderata_resolve_other(d, judged, err));
    carom_desiderata_speeds(d, &d->other_result, s.before);
    find_members(&s);
    join_coupled(&s);
    wav->bound = WAV_BOUND;
    for (int side = 0; side < 2 && wav->figure <= WAV_BOUND; ++side) {
        s.delta = -s.delta;
        TRY(answer_all(&s, judged, err));
        wav->figure = fmax(wav->figure, largest_cross(&s, &asked));
    }
    wav->verdict = !asked                    ? CAROM_VERDICT_UNASKED
                   : wav->figure > WAV_BOUND ? CAROM_VERDICT_HOLDS
                                             : CAROM_VERDICT_BROKEN;
    carom_arena_rewind(d->arena, mark);
    return CAROM_OK;
}

static int columns_of(const disturbance *s)
{
    return s->count < COLUMNS ? s->count : COLUMNS;
}

// The columns of D P on the side of s->delta.
static carom_status answer_all(disturbance *s, carom_judged judged, carom_error *err)
{
    carom_desiderata *d = s->d;
    for (int j = 0; j < columns_of(s); ++j) {
        disturb(s, j);
        TRY(carom_desiderata_resolve_other(d, judged, err));
        carom_desiderata_speeds(d, &d->other_result, s->after);
        for (int i = 0; i < columns_of(s); ++i) {
            int c = s->members[i];
            double unit = sqrt(d->problem.normal[c].diagonal);
            s->answer[i][j] = (s->after[c] - s->before[c]) / (s->delta * unit);
            s->moves[i][j] = s->moved[i];
        }
    }
    return CAROM_OK;
}

static carom_status begin_disturbance(carom_desiderata *d, disturbance *s, carom_error *err)
{
    int m = d->impact.contact_count;
    TAKE(d->arena, s->members, m, err);
    TAKE(d->arena, s->group, m, err);
    TAKE(d->arena, s->before, m, err);
    TAKE(d->arena, s->after, m, err);
    TAKE(d->arena, s->x, m, err);
    TAKE(d->arena, s->moved, m, err);
    TAKE(d->arena, s->rest, m, err);
    TAKE(d->arena, s->way, m, err);
    TAKE(d->arena, s->image, m, err);
    TAKE(d->arena, s->twist, d->impact.body_count, err);
    for (int i = 0; i < m; ++i)
        s->delta = fmax(s->delta, fabs(d->problem.u[i]) / sqrt(d->problem.normal[i].diagonal));
    s->delta *= DISTURBANCE;
    return CAROM_OK;
}

// Contacts whose impulse counts, the COLUMNS largest sorted to the front.
static void find_members(disturbance *s)
{
    const carom_desiderata *d = s->d;
    double(*impulses)[3] = d->other_result.impulses;
    double max = 0;
    for (int i = 0; i < d->impact.contact_count; ++i)
        max = fmax(max, impulses[i][0] * sqrt(d->problem.normal[i].diagonal));
    for (int i = 0; i < d->impact.contact_count; ++i)
        if (impulses[i][0] * sqrt(d->problem.normal[i].diagonal) > CARRYING * max)
            s->members[s->count++] = i;
    for (int k = 0; k < s->count && k < COLUMNS; ++k)
        for (int i = k + 1; i < s->count; ++i)
            if (impulses[s->members[i]][0] > impulses[s->members[k]][0]) {
                int kept = s->members[k];
                s->members[k] = s->members[i];
                s->members[i] = kept;
            }
}

// y = W_CC x in units where W_ii = 1, through the bodies.
static void multiply(disturbance *s, const double *x, double *y)
{
    const carom_row *rows = s->d->problem.normal;
    memset(s->twist, 0, (size_t)s->d->impact.body_count * sizeof *s->twist);
    for (int i = 0; i < s->count; ++i) {
        const carom_row *row = &rows[s->members[i]];
        carom_row_apply(row, x[i] / sqrt(row->diagonal), s->twist);
    }
    for (int i = 0; i < s->count; ++i) {
        const carom_row *row = &rows[s->members[i]];
        y[i] = carom_row_speed(row, s->twist) / sqrt(row->diagonal);
    }
}

static double dot(const double *a, const double *b, int count)
{
    double sum = 0;
    for (int i = 0; i < count; ++i)
        sum += a[i] * b[i];
    return sum;
}

// x that minimises |W x - e_j|: conjugate gradients on the normal equations, from zero.
static void solve_column(disturbance *s, int j)
{
    int n = s->count;
    double *gradient = s->moved; // free until the end
    for (int i = 0; i < n; ++i) {
        s->x[i] = 0;
        s->rest[i] = i == j;
    }
    multiply(s, s->rest, gradient);
    memcpy(s->way, gradient, (size_t)n * sizeof *gradient);
    double size = dot(gradient, gradient, n), first = size;
    for (int k = 0; k < 3 * n + 10 && size > 1e-24 * first; ++k) {
        multiply(s, s->way, s->image);
        double step = size / dot(s->image, s->image, n), last = size;
        for (int i = 0; i < n; ++i) {
            s->x[i] += step * s->way[i];
            s->rest[i] -= step * s->image[i];
        }
        multiply(s, s->rest, gradient);
        size = dot(gradient, gradient, n);
        for (int i = 0; i < n; ++i)
            s->way[i] = gradient[i] + size / last * s->way[i];
    }
    multiply(s, s->x, s->moved);
}

// Moves u_j- by delta, the other contacts of C as little as possible.
static void disturb(disturbance *s, int j)
{
    carom_desiderata *d = s->d;
    solve_column(s, j);
    for (int i = 0; i < s->count; ++i)
        s->x[i] *= s->delta;
    multiply(s, s->x, s->image);
    for (int i = 0; i < d->impact.body_count; ++i) {
        const carom_impact_body *body = &d->impact.bodies[i];
        vec3_store(vec3_add(vec3_from(body->velocity), s->twist[i].linear),
                   d->other_bodies[i].velocity);
        vec3_store(vec3_add(vec3_from(body->spin), s->twist[i].angular), d->other_bodies[i].spin);
    }
}

// Groups of contacts in C that a wave can pass between: neighbours with W_ij, and theirs. Four
// balls on a circle have none, their contacts are at right angles.
static void join_coupled(disturbance *s)
{
    const carom_problem *problem = &s->d->problem;
    for (int i = 0; i < problem->contact_count; ++i)
        s->group[i] = -1;
    for (int k = 0; k < s->count; ++k)
        s->group[s->members[k]] = s->members[k];
    for (int body = 0; body < problem->body_count; ++body)
        for (int k = problem->first_contact[body]; k < problem->first_contact[body + 1]; ++k)
            for (int l = problem->first_contact[body]; l < k; ++l) {
                int i = problem->contact_list[k], j = problem->contact_list[l];
                const carom_row *a = &problem->normal[i], *b = &problem->normal[j];
                if (s->group[i] >= 0 && s->group[j] >= 0 &&
                    fabs(carom_row_coupling(a, b)) > COUPLED * sqrt(a->diagonal * b->diagonal))
                    sets_join(s->group, i, j);
            }
}

static double largest_cross(const disturbance *s, bool *asked)
{
    int columns = columns_of(s);
    double largest = 0;
    for (int i = 0; i < columns; ++i)
        for (int j = 0; j < columns; ++j) {
            bool reached = sets_find(s->group, s->members[i]) == sets_find(s->group, s->members[j]);
            if (i == j || !reached || s->moves[i][i] == 0)
                continue;
            double alone = s->answer[i][i] / s->moves[i][i];
            largest = fmax(largest, fabs(s->answer[i][j] - alone * s->moves[i][j]));
            *asked = true;
        }
    return largest;
}

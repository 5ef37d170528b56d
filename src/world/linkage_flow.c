// The motion of a linkage over one interval.
//
// Joints act by impulses at the ends of short flights, and in between every body flies freely, on
// a parabola and by Euler's equations (motion.c):
//     v+ = v0 + M^-1 G(q0)^T P,   (q1, v-) = flight(q0, v+),   v1 = v- + M^-1 G(q1)^T Q
// with P such that the joints hold at q1 and Q such that G(q1) v1 = 0. That is SHAKE [Ryckaert,
// Ciccotti, Berendsen 1977] with the velocities of RATTLE [Andersen 1983], on the rotation group
// in place of point masses. It is of second order and its own inverse with -h; impulses act on both
// bodies at one point, so that momenta stay to round-off; positions and velocities satisfy the
// joints whatever the step. Five such flights, of s, s, 1 - 4 s, s, s of the interval with
// s = 1/(4 - 4^(1/3)), cancel the error of second order [Suzuki 1990]: what is left is of the
// fourth, and as each flight is reversible the energy does not drift [Hairer, Lubich, Wanner 2006,
// V.3 and VII.1].
//
// An interval is cut into as many equal pieces as it takes to keep its energy to 1e-12: one, unless
// something turns by more than .1 rad or a whip cracks.
//
// P is found by Newton's method with the matrix at q0; its error is that of h times the spin.
// Strings are one-sided: those that are taut and would stretch take part as rods do, those that
// would have to push do not, and those that would be too long at the end join.
#include "world/linkage.h"
#include "world/motion.h"

enum { ITERATIONS = 40, SHAKY_ITERATIONS = 4, PROJECTIONS = 12, SETS = 8, STAGES = 5 };
// Pieces that an interval may have: of small linkages, of large ones, and times bodies in between.
enum { MOST_PIECES = 64, LEAST_PIECES = 2, BODY_PIECES = 512 };
#define LITTLE 3e-3     // rad below which a linkage that contacts hold makes one flight
#define TURN 0.1        // rad that a piece of the interval may turn
#define EXACT 1e-12     // gain of energy, as a share, at which an interval needs no shorter pieces
#define ROUND_OFF 1e-15 // of the extent: positions cannot be better
#define STUCK 1e-11     // of the extent: good enough where Newton's method gets no further
#define SHAKY 1e-2      // of the extent: joints of shaky linkages may be off by so much

static bool flight(carom_linkage_path *path, double h);
static bool project(carom_linkage_path *path, carom_linkage_row *rows, carom_linkage_body *bodies);
static void catch_strings(carom_linkage_path *path);
static bool change_strings(carom_linkage_path *path);

static void copy(const carom_linkage_path *path, const carom_linkage_body *from,
                 carom_linkage_body *to)
{
    for (int i = 0; i < path->part->count; ++i)
        to[i] = from[i];
}

static void swap_rows(carom_linkage_row **a, carom_linkage_row **b)
{
    carom_linkage_row *kept = *a;
    *a = *b;
    *b = kept;
}

// How fast the linkage turns, rad/s: bodies, and strings about their ends.
static double turning(const carom_linkage_path *path)
{
    double max = 0;
    for (int i = 0; i < path->part->count; ++i)
        max = fmax(max, vec3_length(path->start[i].w));
    for (int i = 0; i < path->row_count; ++i) {
        const carom_linkage_row *row = &path->rows[i];
        if (!row->pull || !row->on)
            continue;
        vec3 va = row->a < 0 ? vec3_make(0, 0, 0) : path->start[row->a].v;
        vec3 vb = row->b < 0 ? vec3_make(0, 0, 0) : path->start[row->b].v;
        max = fmax(max, vec3_length(vec3_sub(vb, va)) / row->length);
    }
    return max;
}

// From path->start; false where the joints cannot be met.
static bool run(carom_linkage_path *path, double h, int pieces)
{
    const double s = 0.41449077179437573714, back = 1 - 4 * s;
    const double share[STAGES] = { s, s, back, s, s };
    copy(path, path->start, path->now);
    path->at = 0;
    carom_linkage_rows_make(path, path->now, 0, path->rows, path->next);
    swap_rows(&path->rows, &path->next);
    if (!carom_linkage_rows_factor(path, path->rows, path->now))
        return false;
    for (int k = 0; k < pieces; ++k) {
        for (int i = 0; i < (path->single ? 1 : STAGES); ++i)
            if (!flight(path, (path->single ? 1 : share[i]) * h / pieces))
                return false;
        path->at = h * (k + 1) / pieces; // exactly, at the end
    }
    return true;
}

static double kinetic(const carom_linkage_path *path, const carom_linkage_body *bodies)
{
    double sum = 0;
    for (int i = 0; i < path->part->count; ++i) {
        const carom_linkage_body *body = &bodies[i];
        vec3 w = quat_rotate(quat_conjugate(body->q), body->w);
        sum += 0.5 * vec3_dot(body->v, body->v) / body->inverse_mass +
               0.5 * vec3_dot(w, sym3_mul(body->inertia, w));
    }
    return sum;
}

// Whether the motion from start to now has kept the energy: that of motion, or of a fall by the
// size of the bodies, but for the work of driven anchors. Coordinates and their round-off say how
// well velocities can be known.
static bool keeps_energy(const carom_linkage_path *path, double driven)
{
    double before = kinetic(path, path->start), after = kinetic(path, path->now);
    double fall = 0, own = 0, mass = 0, noise = 10 * ROUND_OFF * path->extent / path->h;
    for (int i = 0; i < path->part->count; ++i) {
        double m = 1 / path->start[i].inverse_mass;
        fall += m * vec3_dot(path->start[i].pull, vec3_sub(path->now[i].x, path->start[i].x)) +
                path->now[i].work;
        own += m * vec3_length(path->start[i].pull) * path->lever;
        mass += m;
    }
    double scale = fmax(fmax(before, after), own);
    double round_off = noise * (sqrt(2 * mass * scale) + mass * noise);
    return fabs(after - before - fall - (path->driven - driven)) <= EXACT * scale + round_off;
}

// Large linkages get fewer pieces.
static int most_pieces(const carom_linkage_path *path)
{
    int max = BODY_PIECES / path->part->count;
    return max < LEAST_PIECES ? LEAST_PIECES : max > MOST_PIECES ? MOST_PIECES : max;
}

// Runs with as many pieces as it takes. Where joints are not met, shorter pieces are tried first:
// then the linkage is taken for a shaky one.
static void run_well(carom_linkage_path *path, double driven, int *pieces)
{
    int max = most_pieces(path), failures = 0;
    path->shaky = false;
    for (;;) {
        bool finest = *pieces >= max;
        path->driven = driven;
        for (int i = 0; i < path->row_count; ++i)
            path->rows[i].impulse = 0;
        path->lost = !run(path, path->h, *pieces);
        if (path->shaky || (!path->lost && (finest || path->held || keeps_energy(path, driven))))
            return;
        failures += path->lost;
        path->shaky = failures > 1 || (path->lost && finest);
        *pieces = 2 * *pieces < max ? 2 * *pieces : max;
    }
}

static void settle(carom_linkage_path *path)
{
    double turn = turning(path) * path->h;
    int pieces = (int)fmin(ceil(fmax(turn / TURN, 1)), most_pieces(path));
    path->single = path->held && turn < LITTLE;
    for (int set = 0; set < SETS; ++set) {
        run_well(path, path->begun, &pieces);
        if (path->lost || !change_strings(path))
            return;
    }
}

void carom_linkage_flow(carom_linkage_path *path, double h)
{
    path->driven = path->caught = path->at = 0;
    path->h = h;
    path->row_count = carom_linkage_rows_make(path, path->start, 0, NULL, path->rows);
    catch_strings(path);
    path->begun = path->driven;
    settle(path);
}

void carom_linkage_flow_again(carom_linkage_path *path)
{
    path->held = true;
    settle(path);
}

// -- one flight ----------------------------------------------------------------------------------

// Torques of contacts and from outside over h seconds.
static void twist(const carom_linkage_path *path, carom_linkage_body *to, double h)
{
    vec3 was = to->w;
    if (path->held)
        to->w = vec3_axpy(to->w, h, sym3_mul(to->inverse, to->torque));
    if (!path->world->forced)
        return;
    to->w = vec3_axpy(to->w, h, sym3_mul(to->inverse, to->turn));
    to->work += 0.5 * h * vec3_dot(to->turn, vec3_add(was, to->w));
}

static void fly(const carom_linkage_path *path, double h)
{
    for (int i = 0; i < path->part->count; ++i) {
        carom_linkage_body *to = &path->trial[i];
        *to = path->now[i];
        vec3 pull = vec3_axpy(to->pull, to->inverse_mass, to->force);
        to->x = vec3_axpy(vec3_axpy(to->x, h, to->v), 0.5 * h * h, pull);
        to->v = vec3_axpy(to->v, h, pull);
        twist(path, to, 0.5 * h);
        carom_motion_turn(to->inertia, h, &to->q, &to->w);
        to->inverse = sym3_rotate(quat_matrix(to->q), sym3_inverse(to->inertia));
        twist(path, to, 0.5 * h);
    }
}

// Errors of rows about an axis are angles.
static double worst_error(const carom_linkage_path *path, const carom_linkage_row *rows)
{
    double worst = 0;
    for (int i = 0; i < path->row_count; ++i) {
        bool angle = rows[i].d.x == 0 && rows[i].d.y == 0 && rows[i].d.z == 0;
        if (rows[i].on)
            worst = fmax(worst, fabs(rows[i].error) * (angle ? path->lever : 1));
    }
    return worst;
}

static bool flight(carom_linkage_path *path, double h)
{
    double last = HUGE_VAL, worst = HUGE_VAL;
    for (int k = 0; k < (path->shaky ? SHAKY_ITERATIONS : ITERATIONS); ++k) {
        fly(path, h);
        carom_linkage_rows_make(path, path->trial, path->at + h, path->rows, path->next);
        worst = worst_error(path, path->next);
        if (worst <= ROUND_OFF * path->extent || worst > 0.5 * last)
            break;
        last = worst;
        for (int i = 0; i < path->row_count; ++i)
            path->wanted[i] = -path->next[i].error / h;
        carom_linkage_rows_answer(path, path->rows, path->wanted, path->now);
    }
    for (int i = 0; i < path->row_count; ++i)
        path->next[i].impulse = path->rows[i].impulse;
    swap_rows(&path->rows, &path->next);
    carom_linkage_body *now = path->now;
    path->now = path->trial;
    path->trial = now;
    path->at += h;
    return worst <= (path->shaky ? SHAKY : STUCK) * path->extent &&
           project(path, path->rows, path->now);
}

// The velocities nearest in energy that the joints allow.
static bool project(carom_linkage_path *path, carom_linkage_row *rows, carom_linkage_body *bodies)
{
    double last = HUGE_VAL;
    if (!carom_linkage_rows_factor(path, rows, bodies))
        return false;
    for (int k = 0; k < PROJECTIONS; ++k) {
        double worst = 0;
        for (int i = 0; i < path->row_count; ++i) {
            path->wanted[i] =
                rows[i].target - rows[i].rebound - carom_linkage_rows_speed(&rows[i], bodies);
            if (rows[i].on)
                worst = fmax(worst, fabs(path->wanted[i]));
        }
        if (worst == 0 || worst > 0.5 * last)
            break;
        last = worst;
        carom_linkage_rows_answer(path, rows, path->wanted, bodies);
    }
    return true;
}

// -- strings -------------------------------------------------------------------------------------

// At the start: strings that are taut and stretch, or would, take part; velocities are made to
// agree with them and with the joints.
static void catch_strings(carom_linkage_path *path)
{
    const carom_world_options *options = &path->world->options;
    // one that comes back more slowly would not slacken by more than the option `touch`
    double min = sqrt(2 * options->touch * vec3_length(vec3_from(options->gravity)));
    double before = kinetic(path, path->start), slow = carom_resting_fine(path->world);
    path->struck = false;
    for (int i = 0; i < path->row_count; ++i) {
        carom_linkage_row *row = &path->rows[i];
        double stretch = carom_linkage_rows_speed(row, path->start) - row->target;
        row->on = !row->pull || (row->error >= -options->touch && stretch >= -path->quiet);
        row->rebound = row->pull && row->bounce * stretch > min ? row->bounce * stretch : 0;
        path->struck = path->struck || (row->pull && row->on && stretch > slow);
    }
    for (int set = 0; set < SETS; ++set) {
        bool changed = false;
        path->driven = 0;
        copy(path, path->start, path->now);
        for (int i = 0; i < path->row_count; ++i)
            path->rows[i].impulse = 0;
        if (!project(path, path->rows, path->now))
            return;
        for (int i = 0; i < path->row_count; ++i) {
            carom_linkage_row *row = &path->rows[i];
            bool pushes = row->pull && row->on && row->impulse > path->quiet_impulse;
            row->on = row->on && !pushes;
            changed = changed || pushes;
        }
        if (!changed)
            break;
    }
    copy(path, path->now, path->start);
    for (int i = 0; i < path->row_count; ++i) {
        carom_linkage_row *row = &path->rows[i];
        row->on = row->on && !(row->rebound > path->quiet); // it slackens
        row->rebound = 0;
    }
    path->caught = before - kinetic(path, path->start) + path->driven;
}

// At the end: strings that had to push leave, strings that are too long join. False where the set
// stays as it is.
static bool change_strings(carom_linkage_path *path)
{
    bool changed = false;
    path->overlong = false;
    for (int i = 0; i < path->row_count; ++i) {
        carom_linkage_row *row = &path->rows[i];
        bool leaves = row->pull && row->on && row->impulse > path->quiet_impulse;
        bool longer = row->pull && !row->on && row->error > path->world->options.touch;
        bool joins = longer && path->joins;
        path->overlong = path->overlong || (longer && !joins);
        row->on = (row->on || joins) && !leaves;
        changed = changed || leaves || joins;
    }
    return changed;
}

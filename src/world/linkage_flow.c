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
// Between two flights Q and the next P are one impulse: velocities are made to agree with the
// joints at the end of the interval only, or where forces depend on them. And as flights are
// composed, the rotation within one needs no more than the midpoint rule, of second order and its
// own inverse.
//
// An interval is cut into as many equal pieces as it takes to keep its energy to 1e-12 (of large
// linkages to 1e-8): one, unless something turns by more than 0.1 rad or a whip cracks.
//
// P is found by Newton's method with the matrix at q0, whose error is that of h times the spin,
// from the forces at other moments of the interval (linkage_past.c). Strings and stops are
// one-sided: those that are taut and would stretch take part as rods do, those that would have to
// push do not, and those that would be too long at the end join.
//
// Springs, dampers and motors act by half of their impulse before and half after each flight
// (linkage_force.c), which keeps the order and the symmetry. The energy that is to be kept then is
// that of the springs, too, less what dampers took and motors brought: quadratures of the same
// order along the way, so that the balance tests the motion.
#include "math/constants.h"
#include "world/linkage.h"
#include "world/motion.h"

enum { ITERATIONS = 40, SHAKY_ITERATIONS = 4, DRAG_ITERATIONS = 3, PROJECTIONS = 12, SETS = 8 };
// Pieces that an interval may have: of small linkages, of large ones, and times bodies in between.
enum { PIECES_MAX = 64, PIECES_MIN = 2, BODY_PIECES = 256, EXACT_BODIES = 8 };
// Pieces that springs may ask for, whatever the size.
enum { SPRING_PIECES = 512 };
#define LITTLE 3e-3  // rad below which a linkage that contacts hold makes one flight
#define TURN 0.1     // rad that a piece of the interval may turn
#define EXACT 1e-12  // gain of energy, as a share, at which an interval needs no shorter pieces
#define LARGE 1e-8   // the same of linkages of more than EXACT_BODIES: a whip of 50 in real time
#define FORCED 1e-11 // the same with springs: 1e-6 after 1e5 steps at worst
#define LOSSY 1e-8   // the same with dampers and motors: energy comes and goes anyway
#define MARGIN 1.2   // of pieces, as how the error falls is known about only
#define SWING 0.5    // rad that a spring may swing in a piece
#define DRAG                                                                                       \
    1.5                 // dampers that settle faster than that take all there is in an interval; up
                        // to 3 the flight backwards would have an answer
#define ROUND_OFF 1e-15 // of the extent: positions cannot be better
#define FINE 1e-2       // of the share of energy that may be gained: what positions may bring in
#define STUCK 1e-11     // of the extent: good enough where Newton's method gets no further
#define SHAKY 1e-2      // of the extent: joints of shaky linkages may be off by so much

static bool flight(carom_linkage_path *path, double h, bool last);
static bool project(carom_linkage_path *path, carom_linkage_row *rows, carom_linkage_body *bodies,
                    double damp);
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

// How fast the linkage turns, rad/s: bodies, and strings and rods about their ends.
static double turning(const carom_linkage_path *path)
{
    double max = 0;
    for (int i = 0; i < path->part->count; ++i)
        max = fmax(max, vec3_length(path->start[i].w));
    for (int i = 0; i < path->row_count; ++i) {
        const carom_linkage_row *row = &path->rows[i];
        if (!(row->length > 0) || !row->on)
            continue;
        vec3 va = row->a < 0 ? vec3_make(0, 0, 0) : path->start[row->a].v;
        vec3 vb = row->b < 0 ? vec3_make(0, 0, 0) : path->start[row->b].v;
        max = fmax(max, vec3_length(vec3_sub(vb, va)) / row->length);
    }
    return max;
}

// Flights of these shares of an interval, of order 4.
enum { STAGES = 5 };
#define SUZUKI 0.41449077179437573714 // 1/(4 - 4^(1/3))
static const double shares[STAGES] = { SUZUKI, SUZUKI, 1 - 4 * SUZUKI, SUZUKI, SUZUKI };

// From path->start; false where the joints cannot be met.
static bool run(carom_linkage_path *path, double h, int pieces)
{
    int stages = path->single ? 1 : STAGES;
    copy(path, path->start, path->now);
    copy(path, path->start, path->trial);
    path->at = path->before = 0;
    if (!path->factored) {
        carom_linkage_rows_make(path, path->now, 0, path->rows, path->next);
        swap_rows(&path->rows, &path->next);
    }
    for (int i = 0; i < path->row_count; ++i)
        path->past.noted[i] = path->rows[i].impulse;
    double damp = path->implicit ? 0.5 * h / pieces : 0;
    if (!path->factored && !carom_linkage_rows_factor(path, path->rows, path->now, damp))
        return false;
    path->factored = false;
    for (int k = 0; k < pieces; ++k) {
        for (int i = 0; i < stages; ++i) {
            bool last = k == pieces - 1 && i == stages - 1;
            if (!flight(path, (path->single ? 1 : shares[i]) * h / pieces, last))
                return false;
        }
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

static double exact_of(const carom_linkage_path *path)
{
    double exact = !path->forced ? EXACT : path->loses ? LOSSY : FORCED;
    return path->part->count > EXACT_BODIES ? fmax(exact, LARGE) : exact;
}

// By how much, as a share of what is allowed, the motion from start to now has not kept the energy:
// that of motion, or of a fall by the size of the bodies, but for the work of driven anchors.
// Coordinates and their round-off say how well velocities can be known.
static double imbalance(carom_linkage_path *path)
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
    double brought = path->work.driven - path->begun.driven;
    double scale = fmax(fmax(before, after), own), exact = exact_of(path);
    if (path->forced) {
        brought +=
            path->work.motors - path->begun.motors - (path->work.damped - path->begun.damped);
        brought += path->stored[0] - path->stored[1];
        scale = fmax(scale, fmax(path->stored[0], path->stored[1]));
    }
    double round_off = noise * (sqrt(2 * mass * scale) + mass * noise);
    double added = after - before - fall - brought;
    if (path->implicit && !path->held) { // what is gone is what the dampers took
        path->work.damped -= added;
        return 0;
    }
    double allowed = exact * scale + round_off;
    return allowed > 0 ? fabs(added) / allowed : added == 0 ? 0 : HUGE_VAL;
}

// Large linkages get fewer pieces.
static int pieces_max(const carom_linkage_path *path)
{
    int max = BODY_PIECES / path->part->count;
    return path->part->count <= EXACT_BODIES ? PIECES_MAX : max > PIECES_MIN ? max : PIECES_MIN;
}

// Pieces for which an interval that was off by so many times what is allowed would keep its energy:
// the error falls with their fourth power. With the most at once where not even those would do.
static int finer(int pieces, double off, int max)
{
    double wanted = pieces * fmax(sqrt(sqrt(off)) * MARGIN, 1) + 1;
    return wanted < max ? (int)wanted : max;
}

// Runs with as many pieces as it takes. Where joints are not met, shorter pieces are tried first:
// then the linkage is taken for a shaky one.
static void run_well(carom_linkage_path *path, int *pieces)
{
    int max = pieces_max(path), failures = 0;
    path->shaky = false;
    for (;;) {
        bool finest = *pieces >= max;
        path->work = path->begun;
        for (int i = 0; i < path->row_count; ++i)
            path->rows[i].impulse = 0;
        path->lost = !run(path, path->h, *pieces);
        if (path->forced)
            path->stored[1] = carom_linkage_force_stored(path, path->rows);
        double off = path->lost ? 1 : imbalance(path);
        if (path->shaky || (!path->lost && (off <= 1 || finest || path->held)))
            return;
        failures += path->lost;
        path->shaky = failures > 1 || (path->lost && finest);
        *pieces = finer(path->lost ? 2 * *pieces - 1 : *pieces, off, max);
    }
}

// How many pieces springs and dampers ask for at least. Of dampers so strong that motion is gone
// within the interval only what they leave counts; springs too stiff are not followed.
static int forced_pieces(carom_linkage_path *path)
{
    double swing, settle;
    carom_linkage_force_rates(path, &swing, &settle);
    path->implicit = settle * path->h > DRAG;
    path->stiff = swing * path->h > SPRING_PIECES * SWING ? CAROM_TWO_PI / swing : 0;
    return (int)ceil(fmin(fmax(swing * path->h / SWING, 1), SPRING_PIECES));
}

// `single`: one flight per piece is enough.
static void settle(carom_linkage_path *path, bool single)
{
    double turn = turning(path) * path->h;
    int pieces = (int)fmin(ceil(fmax(turn / TURN, 1)), pieces_max(path));
    int forced = path->forced ? forced_pieces(path) : 1;
    pieces = forced > pieces ? forced : pieces;
    path->single = single || (path->held && turn < LITTLE) || path->implicit;
    path->lost = path->stiff > 0;
    for (int set = 0; set < SETS && !path->lost; ++set) {
        run_well(path, &pieces);
        if (path->lost || !change_strings(path))
            return;
    }
}

void carom_linkage_flow(carom_linkage_path *path, double h)
{
    path->work = (carom_linkage_work){ 0 };
    path->caught = path->at = 0;
    path->joined = false;
    path->h = h;
    path->forced = path->damps = path->loses = path->implicit = false;
    path->stiff = path->stored[0] = path->stored[1] = 0;
    path->row_count = carom_linkage_rows_make(path, path->start, 0, NULL, path->rows);
    for (int i = 0; i < path->row_count; ++i) {
        const carom_linkage_row *row = &path->rows[i];
        bool spring = row->kind == CAROM_LINKAGE_ROW_SPRING;
        path->forced = path->forced || spring || row->kind == CAROM_LINKAGE_ROW_MOTOR;
        path->damps = path->damps || (spring && path->world->joints[row->joint].damping > 0);
        path->loses =
            path->loses || path->damps || path->world->joints[row->joint].motor != CAROM_MOTOR_NONE;
    }
    if (path->forced)
        path->stored[0] = carom_linkage_force_stored(path, path->rows);
    catch_strings(path);
    path->begun = path->work;
    settle(path, path->held); // what contacts press only starts the resting solve from there
}

void carom_linkage_flow_again(carom_linkage_path *path)
{
    path->held = true;
    for (int i = 0; i < path->row_count; ++i) {
        carom_linkage_row *row = &path->rows[i];
        if (row->kind == CAROM_LINKAGE_ROW_MOTOR && !row->on && row->slip != 0)
            row->push = row->slip > 0 ? -1 : 1; // as at the start
    }
    settle(path, false);
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

static void land(carom_linkage_body *body)
{
    body->inverse = sym3_rotate(quat_matrix(body->q), body->own_inverse);
}

static void fly(const carom_linkage_path *path, double h)
{
    for (int i = 0; i < path->part->count; ++i) {
        const carom_linkage_body *from = &path->now[i];
        carom_linkage_body *to = &path->trial[i];
        vec3 pull = vec3_axpy(from->pull, from->inverse_mass, from->force);
        to->x = vec3_axpy(vec3_axpy(from->x, h, from->v), 0.5 * h * h, pull);
        to->v = vec3_axpy(from->v, h, pull);
        to->q = from->q;
        to->w = from->w;
        to->work = from->work;
        to->inverse = from->inverse;
        twist(path, to, 0.5 * h);
        carom_motion_turn_midpoint(to->inertia, to->own_inverse, h, &to->q, &to->w);
        if (path->held || path->world->forced)
            land(to);
        twist(path, to, 0.5 * h);
    }
}

static double worst_error(const carom_linkage_path *path)
{
    double worst = 0;
    for (int i = 0; i < path->row_count; ++i) {
        const carom_linkage_row *row = &path->rows[i];
        double off = row->on ? fabs(path->error[i]) * carom_linkage_rows_scale(path, row) : 0;
        worst = off <= worst ? worst : off; // what is not a number stays
    }
    return worst;
}

// Positions need not be better: by round-off, or by what they bring into the energy, e/h to
// velocities.
static double tolerance(const carom_linkage_path *path, double h)
{
    return fmax(ROUND_OFF * path->extent, FINE * exact_of(path) * path->speed * fabs(h));
}

// Impulses at the start of a flight such that the joints hold at its end. Returns by how much they
// do not (m).
static double meet(carom_linkage_path *path, double h)
{
    double last = HUGE_VAL, worst = HUGE_VAL, enough = tolerance(path, h);
    carom_linkage_past_guess(path, h);
    for (int k = 0; k < (path->shaky ? SHAKY_ITERATIONS : ITERATIONS); ++k) {
        fly(path, h);
        carom_linkage_rows_errors(path, path->trial, path->at + h, path->rows, path->error);
        worst = worst_error(path);
        bool drags = path->implicit && k < DRAG_ITERATIONS; // dampers have no error to look at
        if (!drags && (worst <= enough || worst > 0.5 * last))
            break;
        last = worst;
        for (int i = 0; i < path->row_count; ++i)
            path->wanted[i] = path->rows[i].kind == CAROM_LINKAGE_ROW_SPRING
                                  ? carom_linkage_force_drags(&path->rows[i], path->error[i], h)
                                  : -path->error[i] / h;
        carom_linkage_rows_answer(path, path->rows, path->wanted, path->now);
    }
    carom_linkage_past_note(path, h);
    return worst;
}

// Between two flights nobody asks for velocities, unless forces depend on them: the impulses that
// would make them agree with the joints are part of those that the next flight begins with.
static bool flight(carom_linkage_path *path, double h, bool last)
{
    if (path->forced)
        carom_linkage_force_before(path, h);
    double off = meet(path, h);
    for (int i = 0; i < path->part->count; ++i)
        land(&path->trial[i]);
    path->at += h;
    carom_linkage_rows_make(path, path->trial, path->at, path->rows, path->next);
    swap_rows(&path->rows, &path->next);
    carom_linkage_body *now = path->now;
    path->now = path->trial;
    path->trial = now;
    if (path->forced)
        carom_linkage_force_after(path, h);
    if (!(off <= (path->shaky ? SHAKY : STUCK) * path->extent))
        return false;
    if (!last && !path->forced)
        return carom_linkage_rows_factor(path, path->rows, path->now, 0);
    if (!project(path, path->rows, path->now, 0.5 * h))
        return false;
    if (path->forced)
        carom_linkage_force_book(path, h);
    return true;
}

// The velocities nearest in energy that the joints allow, after dampers have acted for `damp`
// seconds at the speeds they then have; the factors at hand are those for the next flight.
static bool project(carom_linkage_path *path, carom_linkage_row *rows, carom_linkage_body *bodies,
                    double damp)
{
    double last = HUGE_VAL;
    damp = path->damps ? damp : 0;
    if (!carom_linkage_rows_factor(path, rows, bodies, damp))
        return false;
    for (int i = 0; i < path->row_count && damp != 0; ++i)
        if (rows[i].kind == CAROM_LINKAGE_ROW_SPRING)
            rows[i].origin = rows[i].impulse;
    for (int k = 0; k < PROJECTIONS; ++k) {
        double worst = 0;
        for (int i = 0; i < path->row_count; ++i) {
            const carom_linkage_row *row = &rows[i];
            path->wanted[i] =
                row->kind == CAROM_LINKAGE_ROW_SPRING
                    ? carom_linkage_force_lacks(row, bodies)
                    : row->target - row->rebound - carom_linkage_rows_speed(row, bodies);
            if (row->on || row->kind == CAROM_LINKAGE_ROW_SPRING)
                worst = fmax(worst, fabs(path->wanted[i]));
        }
        if (worst == 0 || worst > 0.5 * last)
            break;
        last = worst;
        carom_linkage_rows_answer(path, rows, path->wanted, bodies);
    }
    return damp == 0 || path->implicit || carom_linkage_rows_factor(path, rows, bodies, 0);
}

// -- strings and stops ---------------------------------------------------------------------------

// Whether a string or stop does what it cannot.
static bool pushes_apart(const carom_linkage_path *path, const carom_linkage_row *row)
{
    return row->kind == CAROM_LINKAGE_ROW_BOUND && row->on &&
           row->impulse > carom_linkage_rows_scale(path, row) * path->quiet_impulse;
}

// At the start: strings that are taut and stretch, or would, and stops that are reached take part;
// velocities are made to agree with them and with the joints. Stops that are met faster than the
// resting speed have been the law's, unless it is asked at the end of steps only.
static void catch_strings(carom_linkage_path *path)
{
    const carom_world_options *options = &path->world->options;
    // one that comes back more slowly would not slacken by more than the option `touch`
    double min = sqrt(2 * options->touch * vec3_length(vec3_from(options->gravity)));
    double before = kinetic(path, path->start), slow = carom_resting_fine(path->world);
    bool bounded = false;
    path->struck = path->factored = false;
    for (int i = 0; i < path->row_count; ++i) {
        carom_linkage_row *row = &path->rows[i];
        if (row->kind != CAROM_LINKAGE_ROW_BOUND)
            continue;
        bounded = true;
        double scale = carom_linkage_rows_scale(path, row);
        double stretch = scale * (carom_linkage_rows_speed(row, path->start) - row->target);
        bool lawful = row->length == 0 && options->stepping != CAROM_STEPPING_ELASTIC;
        row->on = scale * row->error >= -options->touch && stretch >= -path->quiet;
        row->rebound = !lawful && row->bounce * stretch > min ? row->bounce * stretch / scale : 0;
        path->struck = path->struck || (row->on && stretch > slow);
    }
    carom_linkage_force_begin_motors(path);
    for (int set = 0; set < SETS; ++set) {
        bool changed = false;
        path->work = (carom_linkage_work){ 0 };
        copy(path, path->start, path->now);
        for (int i = 0; i < path->row_count; ++i)
            path->rows[i].impulse = 0;
        if (!project(path, path->rows, path->now, 0))
            return;
        for (int i = 0; i < path->row_count; ++i) {
            carom_linkage_row *row = &path->rows[i];
            bool pushes = pushes_apart(path, row);
            row->on = row->on && !pushes;
            changed = changed || pushes;
        }
        if (!changed)
            break;
    }
    path->factored = !path->forced && !bounded && !path->shaky;
    copy(path, path->now, path->start);
    for (int i = 0; i < path->row_count; ++i) {
        carom_linkage_row *row = &path->rows[i];
        double scale = carom_linkage_rows_scale(path, row);
        row->on = row->on && !(scale * row->rebound > path->quiet); // it slackens
        row->rebound = 0;
    }
    path->caught = before - kinetic(path, path->start) + path->work.driven + path->work.motors;
}

// Where contacts press, the moment at which a string or stop is met is looked for as if they
// pressed as in the step before. A stop that is met faster than the resting speed all the same does
// not catch within the interval, where it would know no restitution, but is the law's at the start
// of the next.
static bool waits(const carom_linkage_path *path, const carom_linkage_row *row)
{
    double speed = carom_linkage_rows_speed(row, path->now) - row->target;
    return path->held && path->located && row->length == 0 &&
           carom_linkage_rows_scale(path, row) * speed > carom_resting_fine(path->world);
}

// At the end: strings that had to push leave, strings that are too long join. False where the set
// stays as it is.
static bool change_strings(carom_linkage_path *path)
{
    bool changed = false;
    path->overlong = false;
    for (int i = 0; i < path->row_count; ++i) {
        carom_linkage_row *row = &path->rows[i];
        if (row->kind != CAROM_LINKAGE_ROW_BOUND)
            continue;
        double excess = carom_linkage_rows_scale(path, row) * row->error;
        bool leaves = pushes_apart(path, row);
        bool longer = !row->on && excess > path->world->options.touch;
        bool joins = longer && path->joins && !waits(path, row);
        path->overlong = path->overlong || (longer && !path->joins);
        row->on = (row->on || joins) && !leaves;
        path->joined = path->joined || joins;
        changed = changed || leaves || joins;
    }
    return carom_linkage_force_change_motors(path) || changed;
}

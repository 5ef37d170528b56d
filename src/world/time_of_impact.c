// Times of impact: for which pairs they are found, and the first one within the interval.
//
// A pair is located (its impact happens at the moment of contact) as long as nothing of it rests,
// and as the step can afford it: each time of impact means looking at the whole world once more.
// Pairs that would pass through each other within the interval are worth more of that than others,
// and pairs that lose nothing are worth all: a moment missed would cost them energy. A pair that is
// not located is resolved at the start of the interval in which it closes.
//
// Conservative advancement on the true motion (parabolas, not chords; of jointed bodies the cubics
// that agree with their linkage's motion at both ends): along the direction of the smallest gap two
// convex bodies stay apart at least until the gap is used up by the speed of their centres along
// it, their acceleration and the speed at which they turn [Mirtich 1996, chapter 2]. Of compounds
// every pair of parts has a direction of its own: what leaves the floor of a container may be on
// its way to a wall that is farther off.
//
// A string that is slack and becomes taut, and a stop of a joint that is reached, are located in
// the same way: the ends move on those curves, and the interval ends when they are as far apart as
// the string is long. The curves are those of the linkage at their ends only: it is followed anew
// to that moment, and looked at again. A motor that gets to its speed ends the interval, too.
#include "collide/narrow.h"
#include "shape/mesh.h"
#include "world/linkage.h"
#include "world/motion.h"
#include "world/rest.h"
#include "world/step.h"

enum { ADVANCES = 200, FAST_SHARE = 10 };
// What is chosen where nobody says it. Events come by the second, not by the step, and so does what
// they may cost: a scene in steps of 1/240 s has as many as one in steps of 1/60 s. The least lets
// scenes of some twenty bodies be located at any step; so that this holds for meshes, too, what
// those cost more has a bound of its own, the most.
enum { WORK_PER_SECOND = 240000, LEAST_WORK = 500, MOST_WORK = 5000 };
// A jointed body costs about as much in an interval as three others.
enum { JOINT_WORK = 2 };

static bool rests(const carom_step *step, int first, int last);
static bool passes(const carom_step *step, int a, int b);
static double first_contact(const carom_step *step, int first, int last, double max);
static void limit_by_joints(carom_step *step);

static int end_of_pair(const carom_step *step, int first)
{
    const carom_candidate *candidate = &step->candidates[first];
    int last = first + 1;
    while (last < step->candidate_count && step->candidates[last].a == candidate->a &&
           step->candidates[last].b == candidate->b)
        ++last;
    return last;
}

// What a shape makes its pairs dearer by, in pairs of simple ones: measured, a mesh costs as much
// as a third of its triangles, parts of a compound beyond the walls of a box a quarter each.
static double dearness(const carom_shape *shape)
{
    enum { TRIANGLES = 3, PARTS = 4, WALLS = 6 };
    double sum = 0;
    if (shape->kind == CAROM_SHAPE_MESH)
        return (double)shape->mesh->triangle_count / TRIANGLES;
    for (int i = 0; i < shape->part_count; ++i)
        sum += dearness(shape->parts[i].shape) + (i < WALLS ? 0 : 1.0 / PARTS);
    return sum;
}

// What meshes and compounds make one more interval cost more.
static double dearness_of(const carom_step *step)
{
    const carom_world *world = step->world;
    double work = 0;
    for (int first = 0, last; first < step->candidate_count; first = last) {
        last = end_of_pair(step, first);
        work += dearness(world->shape[step->candidates[first].a]) +
                dearness(world->shape[step->candidates[first].b]);
    }
    return work;
}

carom_time_of_impact_work carom_time_of_impact_afford(const carom_world_options *options,
                                                      double step)
{
    if (!options)
        return (carom_time_of_impact_work){ 0 };
    double set = options->event_work;
    if (set >= 0)
        return (carom_time_of_impact_work){ 0, set, set, FAST_SHARE * set };
    return (carom_time_of_impact_work){ 1,
                                        fmin(fmax(WORK_PER_SECOND * step, LEAST_WORK), MOST_WORK),
                                        MOST_WORK, FAST_SHARE * MOST_WORK };
}

void carom_time_of_impact_choose(carom_step *step)
{
    const carom_world *world = step->world;
    step->locates = false;
    if (!step->to_event)
        return; // as they are made, candidates are not located
    carom_time_of_impact_work most = carom_time_of_impact_afford(&world->options, step->whole);
    bool afforded = step->work <= most.plain && step->dear_work <= most.dear;
    double plain =
        (double)world->count + step->candidate_count + JOINT_WORK * (double)world->joint_count;
    step->work += plain;
    step->dear_work += plain + dearness_of(step);
    bool slow = step->work <= most.plain && step->dear_work <= most.dear;
    bool fast = step->dear_work <= most.fast;
    if (!slow && afforded)
        ++step->world->profile.thrifty; // once a step
    step->crowded = !slow;
    step->locates = slow;
    for (int first = 0, last; first < step->candidate_count; first = last) {
        last = end_of_pair(step, first);
        int a = step->candidates[first].a, b = step->candidates[first].b;
        bool worth =
            slow || (fast && passes(step, a, b)) ||
            carom_restitution_now(world, &step->candidates[first]) >= CAROM_RESTITUTION_ELASTIC;
        bool located = worth && !rests(step, first, last);
        for (int i = first; i < last; ++i)
            step->candidates[i].located = located;
    }
}

carom_status carom_time_of_impact_limit(carom_step *step, carom_error *err)
{
    for (int first = 0, last; first < step->candidate_count && step->to_event; first = last) {
        last = end_of_pair(step, first);
        if (!step->candidates[first].located)
            continue;
        TRY(carom_progress_check(&step->world->stop, "times of impact", err));
        step->h = fmin(step->h, first_contact(step, first, last, step->h));
    }
    limit_by_joints(step);
    return CAROM_OK;
}

static vec3 pull_of(const carom_world *world, int i)
{
    return world->pull[i];
}

// A pair of which something rests belongs to the resting solver; so does one inside of a pile that
// cannot meet fast enough to bounce before the step ends: its time of impact would cut the step of
// the whole pile for nothing. What lies above the floor falls by what gravity gives in the step,
// which is the speed up to which piles rest, and by the little that it moves already.
static bool rests(const carom_step *step, int first, int last)
{
    const carom_world *world = step->world;
    double slop = world->options.slop, fine = carom_resting_fine(world);
    bool slow = true;
    for (int i = first; i < last; ++i) {
        const carom_candidate *candidate = &step->candidates[i];
        if (fabs(candidate->u) <= candidate->resting &&
            (candidate->gap <= slop || carom_rest_choose_holds(step, candidate)))
            return true;
        vec3 pull = vec3_sub(pull_of(world, candidate->b), pull_of(world, candidate->a));
        double meets = -candidate->u - step->remaining * fmin(0, vec3_dot(pull, candidate->normal));
        slow = slow && candidate->resting > fine && meets <= candidate->resting + fine;
    }
    return slow;
}

// How a body moves in the interval if nothing touches it: acceleration grows linearly from `early`
// to `late`.
typedef struct course {
    vec3 x, v, early, late;
    quat q;
    vec3 w;
    double h;
    double spin;                   // rad/s, at most
    const carom_linkage_body *end; // of a jointed body; null: of others
    quat end_q;                    // on the side of q
    bool tumbles;                  // its spin changes within the interval: by its inertia
    sym3 inertia;
} course;

// A body that turns farther than this within the interval does not turn about one axis, unless its
// inertia is the same about all: its free rotation is followed as it moves (motion.c), and no
// farther than that can be done quickly: the interval ends there.
static const double FAR = 0.1, FARTHEST = 1; // rad

static void follow(const carom_world *world, int i, course *c)
{
    if (world->fixed[i] || !(c->spin * c->h > FAR) || sym3_is_number(world->inertia[i]))
        return;
    c->inertia = world->inertia[i];
    c->tumbles = true;
    c->h = fmin(c->h, FARTHEST / c->spin);
    for (int k = 1; k <= 2; ++k) {
        quat q = c->q;
        vec3 w = c->w;
        carom_motion_turn(c->inertia, 0.5 * k * c->h, &q, &w);
        c->spin = fmax(c->spin, vec3_length(w));
    }
}

static course course_of(const carom_step *step, int i, bool pressed)
{
    const carom_world *world = step->world;
    const carom_linkage_body *from, *to;
    vec3 fall = world->pull[i];
    course c = { world->now.position[i],
                 world->now.velocity[i],
                 fall,
                 fall,
                 world->now.rotation[i],
                 world->now.spin[i],
                 step->h,
                 vec3_length(world->now.spin[i]),
                 NULL,
                 quat_identity(),
                 false,
                 { 0, 0, 0, 0, 0, 0 } };
    c.v = vec3_sub(c.v, vec3_from(world->drive[i].belt)); // which does not move the body
    if (!carom_linkage_ends(step, i, pressed, &from, &to, &c.h)) {
        follow(world, i, &c);
        return c;
    }
    vec3 chord = vec3_scale(6 / (c.h * c.h), vec3_sub(to->x, from->x));
    double per = 1 / c.h;
    c.v = from->v;
    c.w = from->w;
    c.early = vec3_axpy(vec3_axpy(chord, -4 * per, from->v), -2 * per, to->v);
    c.late = vec3_axpy(vec3_axpy(vec3_neg(chord), 2 * per, from->v), 4 * per, to->v);
    c.spin = fmax(vec3_length(from->w), vec3_length(to->w));
    c.end = to;
    double same = c.q.w * to->q.w + c.q.x * to->q.x + c.q.y * to->q.y + c.q.z * to->q.z;
    c.end_q = same < 0 ? (quat){ -to->q.w, -to->q.x, -to->q.y, -to->q.z } : to->q;
    return c;
}

static vec3 velocity_after(const course *c, double t)
{
    vec3 v = vec3_axpy(c->v, t, c->early);
    return c->end ? vec3_axpy(v, 0.5 * t * t / c->h, vec3_sub(c->late, c->early)) : v;
}

// Half of w q: how fast q changes.
static quat rate_of(vec3 w, quat q)
{
    return quat_mul((quat){ 0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z }, q);
}

// The cubic through both rotations with the spins there.
static quat between(const course *c, double t)
{
    double s = t / c->h, r = 1 - s;
    double k0 = r * r * (1 + 2 * s), k1 = s * s * (1 + 2 * r), d0 = t * r * r,
           d1 = -c->h * s * s * r;
    quat p = c->q, q = c->end_q, u = rate_of(c->w, p), v = rate_of(c->end->w, q);
    return quat_unit((quat){
        k0 * p.w + k1 * q.w + d0 * u.w + d1 * v.w, k0 * p.x + k1 * q.x + d0 * u.x + d1 * v.x,
        k0 * p.y + k1 * q.y + d0 * u.y + d1 * v.y, k0 * p.z + k1 * q.z + d0 * u.z + d1 * v.z });
}

static vec3 position_after(const course *c, double t)
{
    vec3 position = vec3_axpy(vec3_axpy(c->x, t, c->v), 0.5 * t * t, c->early);
    return c->end ? vec3_axpy(position, t * t * t / (6 * c->h), vec3_sub(c->late, c->early))
                  : position;
}

static quat rotation_after(const course *c, double t)
{
    quat q = c->q;
    vec3 w = c->w;
    if (c->tumbles && carom_motion_turn(c->inertia, t, &q, &w))
        return q;
    return c->end ? between(c, t) : quat_unit(quat_mul(carom_motion_rotation(c->w, t), c->q));
}

static carom_pose pose_after(const course *c, double t)
{
    return carom_pose_make(position_after(c, t), rotation_after(c, t));
}

// The most acceleration along n within the interval.
static double pull_along(const course *c, vec3 n)
{
    double early = vec3_dot(c->early, n);
    return c->end ? fmax(early, vec3_dot(c->late, n)) : early;
}

static double spin_speed(const carom_world *world, int i, double spin)
{
    if (carom_shape_kind_of(world->shape[i]) == CAROM_SHAPE_SPHERE)
        return 0;
    return spin > 0 ? spin * carom_shape_radius(world->shape[i]) : 0;
}

// They move farther against each other than either is thick.
static bool passes(const carom_step *step, int a, int b)
{
    const carom_world *world = step->world;
    vec3 velocity = vec3_sub(world->now.velocity[b], world->now.velocity[a]);
    double speed = vec3_length(velocity) + spin_speed(world, a, vec3_length(world->now.spin[a])) +
                   spin_speed(world, b, vec3_length(world->now.spin[b]));
    return speed * step->remaining > fmin(world->thickness[a], world->thickness[b]);
}

// When gap - speed t - half t^2 acceleration is used up; infinite where it never is. gap >= 0.
static double used_up(double gap, double speed, double acceleration)
{
    double square = speed * speed + 2 * acceleration * gap;
    if (square < 0 || (speed <= 0 && acceleration <= 0))
        return HUGE_VAL;
    if (speed > 0)
        return 2 * gap / (speed + sqrt(square));
    return (sqrt(square) - speed) / acceleration;
}

// Until when the contacts of a pair that touches stay open. Where they have just bounced, the gap
// of the pair says nothing: it is their own speed that keeps them apart, until it is used up.
static double apart_until(const carom_step *step, int first, int last, const course pair[2])
{
    const carom_world *world = step->world;
    int a = step->candidates[first].a, b = step->candidates[first].b;
    double turning = pair[0].spin * spin_speed(world, a, pair[0].spin) +
                     pair[1].spin * spin_speed(world, b, pair[1].spin);
    double until = HUGE_VAL;
    bool touching = false;
    for (int i = first; i < last; ++i) {
        const carom_candidate *candidate = &step->candidates[i];
        vec3 n = candidate->normal;
        double back = turning + pull_along(&pair[0], n) + pull_along(&pair[1], vec3_neg(n));
        until = fmin(until, used_up(fmax(candidate->gap, 0), -candidate->u, back));
        touching = touching || candidate->gap <= world->options.slop;
    }
    return touching ? until : 0;
}

static carom_contact gap_after(const carom_step *step, int first, const course pair[2], double t,
                               double reach)
{
    const carom_shape *const *shape = step->world->shape;
    const carom_candidate *candidate = &step->candidates[first];
    carom_pose pose_a = pose_after(&pair[0], t), pose_b = pose_after(&pair[1], t);
    return carom_narrow_gap(shape[candidate->a], &pose_a, shape[candidate->b], &pose_b, reach);
}

// Contacts that were found are those of faces, edges and corners that are near now. What bounced off
// on one end turns fast, and its other end may come down before the first is back: where a body
// turns far until then, the pair is looked at in between. The moment at which it meets, or `until`.
static double meets_elsewhere(const carom_step *step, int first, const course pair[2], double until)
{
    enum { LOOKS = 32, HALVES = 60 };
    const double seen = 0.1; // rad
    const carom_world *world = step->world;
    double turn = 0, touch = world->options.touch, low = 0, high = until;
    for (int k = 0; k < 2; ++k) {
        int i = k ? step->candidates[first].b : step->candidates[first].a;
        if (carom_shape_kind_of(world->shape[i]) != CAROM_SHAPE_SPHERE)
            turn = fmax(turn, pair[k].spin * until);
    }
    int looks = (int)fmin(LOOKS, turn / seen), k = 1;
    for (; k <= looks; ++k) {
        high = until * k / looks;
        if (gap_after(step, first, pair, high, touch).gap < -touch)
            break;
        low = high;
    }
    if (k > looks)
        return until;
    for (int i = 0; i < HALVES && high - low > 1e-15 * until; ++i) {
        double middle = 0.5 * (low + high);
        double gap = gap_after(step, first, pair, middle, touch).gap;
        if (gap > 0 && gap <= 0.5 * touch)
            return middle;
        *(gap > 0 ? &low : &high) = middle;
    }
    return low;
}

// The gap as it is now, from the contacts that were found.
static carom_contact gap_now(const carom_step *step, int first, int last)
{
    carom_contact min = { .a = -1, .b = -1, .gap = HUGE_VAL };
    for (int i = first; i < last; ++i)
        if (step->candidates[i].gap < min.gap) {
            min.gap = step->candidates[i].gap;
            min.normal = step->candidates[i].normal;
        }
    return min;
}

// How two bodies close in on each other along a normal.
typedef struct closing {
    const course *pair;
    vec3 speed;     // m/s: of the second centre against the first
    double turning; // m/s, at most
} closing;

static double closed_after(const closing *c, double gap, vec3 n)
{
    return used_up(gap, c->turning - vec3_dot(c->speed, n),
                   pull_along(&c->pair[0], n) + pull_along(&c->pair[1], vec3_neg(n)));
}

// The same for every pair of parts within reach: the first that may meet. `gap` becomes the least.
static double parts_closed_after(const carom_step *step, int first, int last, const closing *c,
                                 double t, double reach, double *gap)
{
    const carom_shape *const *shape = step->world->shape;
    const carom_candidate *candidates = &step->candidates[first];
    carom_manifold found;
    double until = HUGE_VAL;
    *gap = HUGE_VAL;
    if (t == 0) {
        found.count = 0;
        for (int i = 0; i < last - first; ++i)
            carom_manifold_add(&found, (carom_manifold_point){ .normal = candidates[i].normal,
                                                               .gap = candidates[i].gap });
    } else {
        carom_pose pose_a = pose_after(&c->pair[0], t), pose_b = pose_after(&c->pair[1], t);
        carom_narrow_nearest(shape[candidates->a], &pose_a, shape[candidates->b], &pose_b, reach,
                             &found);
    }
    for (int i = 0; i < found.count; ++i) {
        const carom_manifold_point *p = &found.points[i];
        *gap = fmin(*gap, p->gap);
        until = fmin(until, closed_after(c, fmax(p->gap, 0), p->normal));
    }
    return until;
}

static bool has_parts(const carom_step *step, int i)
{
    return step->world->shape[i]->kind == CAROM_SHAPE_COMPOUND;
}

static double first_contact(const carom_step *step, int first, int last, double max)
{
    const carom_world *world = step->world;
    int a = step->candidates[first].a, b = step->candidates[first].b;
    course pair[2] = { course_of(step, a, false), course_of(step, b, false) };
    pair[1].x = carom_world_image(world, a, b);
    for (int k = 0; k < 2; ++k)
        max = pair[k].tumbles ? fmin(max, pair[k].h) : max;
    bool parts = has_parts(step, a) || has_parts(step, b);
    closing c = { .pair = pair };
    c.turning = spin_speed(world, a, pair[0].spin) + spin_speed(world, b, pair[1].spin);
    double early = vec3_length(vec3_sub(pair[1].early, pair[0].early));
    double fall = fmax(early, vec3_length(vec3_sub(pair[1].late, pair[0].late)));
    double t = fmin(apart_until(step, first, last, pair), max);
    if (t > 0) {
        double other = meets_elsewhere(step, first, pair, t);
        if (other < t)
            return other;
    }
    for (int k = 0; k < ADVANCES && t < max; ++k) {
        c.speed = vec3_sub(velocity_after(&pair[1], t), velocity_after(&pair[0], t));
        double left = max - t, gap, open;
        double reach = (vec3_length(c.speed) + c.turning + 0.5 * fall * left) * left;
        if (parts) {
            open = parts_closed_after(step, first, last, &c, t, reach, &gap);
        } else {
            carom_contact contact =
                t == 0 ? gap_now(step, first, last) : gap_after(step, first, pair, t, reach);
            gap = contact.gap;
            open = gap <= reach ? closed_after(&c, fmax(gap, 0), contact.normal) : HUGE_VAL;
        }
        if (!(gap <= reach))
            return max;
        if (gap <= 0.5 * world->options.touch)
            return t;
        t += open;
    }
    return fmin(t, max);
}

// -- strings and stops ---------------------------------------------------------------------------

// A string, or one stop of a joint, and how the two ends move.
typedef struct bound {
    const carom_step *step;
    const carom_world_joint *joint;
    int side;
    double origin; // m or rad: how far it was beyond at the start, which is not taken back
    course ends[2];
} bound;

// How far beyond that the joint is at a time (m or rad).
static double excess_after(const bound *s, double t)
{
    const carom_world *world = s->step->world;
    carom_joint_ends ends;
    for (int k = 0; k < 2; ++k) {
        int body = k ? s->joint->b : s->joint->a;
        vec3 anchor = k ? s->joint->anchor_b : s->joint->anchor_a, position, velocity;
        ends.anchor[k] = anchor;
        ends.turn[k] = quat_identity();
        if (body < 0)
            continue;
        ends.turn[k] = rotation_after(&s->ends[k], t);
        position = position_after(&s->ends[k], t);
        if (world->kind[body] == CAROM_BODY_DRIVEN)
            carom_motion_drive(world, body, world->now.ledger.time + t, &position, &velocity);
        ends.anchor[k] = vec3_add(position, mat3_mul(quat_matrix(ends.turn[k]), anchor));
    }
    return carom_joint_excess(s->joint, carom_joint_position(s->joint, &ends), s->side) - s->origin;
}

// When a string that does not pull at the start becomes taut; `max` where it does not before. It
// may be taut and about to slacken for a moment: looked for at times that double. The root between
// two times of different sign by false position [Dowell and Jarratt 1971, Illinois].
static double first_taut(const bound *s, double max)
{
    enum { DOUBLINGS = 24, ITERATIONS = 60 };
    double low = 0, f_low = 0, high = 0, f_high = excess_after(s, 0);
    for (int k = DOUBLINGS; k >= 0 && !(f_low < 0 && f_high > 0); --k) {
        low = high;
        f_low = f_high;
        high = ldexp(max, -k);
        f_high = excess_after(s, high);
    }
    if (!(f_high > 0) || !(f_low < 0))
        return max;
    for (int k = 0, side = 0; k < ITERATIONS && high - low > 1e-15 * max; ++k) {
        double t = low + (high - low) * (f_low / (f_low - f_high)), f = excess_after(s, t);
        if (f == 0)
            return t;
        if (f > 0) {
            high = t;
            f_high = f;
            f_low *= side == 1 ? 0.5 : 1;
            side = 1;
        } else {
            low = t;
            f_low = f;
            f_high *= side == -1 ? 0.5 : 1;
            side = -1;
        }
    }
    return high;
}

static void limit_by_bounds(carom_step *step)
{
    const carom_world *world = step->world;
    for (int j = 0; j < world->joint_count; ++j) {
        const carom_world_joint *joint = &world->joints[j];
        for (int side = 0; side < 2; ++side) {
            bool there = joint->bounded[side] || (joint->kind == CAROM_JOINT_STRING && side == 0);
            if (!there || joint->broken || !carom_linkage_slack(step, j, side))
                continue;
            bound s = { .step = step, .joint = joint, .side = side };
            for (int k = 0; k < 2; ++k)
                if ((k ? joint->b : joint->a) >= 0)
                    s.ends[k] = course_of(step, k ? joint->b : joint->a, true);
            if (joint->kind != CAROM_JOINT_STRING)
                s.origin = fmax(excess_after(&s, 0), 0);
            step->h = fmin(step->h, first_taut(&s, step->h));
        }
    }
}

static void limit_by_joints(carom_step *step)
{
    enum { FOLLOWED = 6 };
    for (int k = 0; k < FOLLOWED && step->locates && step->links; ++k) {
        double before = step->h;
        limit_by_bounds(step);
        step->h = fmin(step->h, carom_linkage_reaches(step));
        if (!(step->h < before && step->h > 0))
            return;
        carom_linkage_follow(step);
    }
}

// Times of impact: for which pairs they are found, and the first one within the interval.
//
// A pair is located (its impact happens at the moment of contact) as long as nothing of it rests,
// and as the step can afford it: each time of impact means looking at the whole world once more.
// Pairs that would pass through each other within the interval are worth more of that than others,
// and pairs that lose nothing are worth all: a moment missed would cost them energy. A pair that is
// not located is resolved at the start of the interval in which it closes.
//
// When a pair meets: time_of_impact_pair.c.
//
// A string that is slack and becomes taut, and a stop of a joint that is reached, are located in
// the same way: the ends move on those curves, and the interval ends when they are as far apart as
// the string is long. The curves are those of the linkage at their ends only: it is followed anew
// to that moment, and looked at again. A motor that gets to its speed ends the interval, too.
#include "shape/mesh.h"
#include "world/course.h"
#include "world/linkage.h"
#include "world/motion.h"
#include "world/rest.h"
#include "world/step.h"

enum { FAST_SHARE = 10 };
// What is chosen where nobody says it. Events come by the second, not by the step, and so does what
// they may cost: a scene in steps of 1/240 s has as many as one in steps of 1/60 s. The least lets
// scenes of some twenty bodies be located at any step; so that this holds for meshes, too, what
// those cost more has a bound of its own, the most.
enum { WORK_PER_SECOND = 240000, WORK_MIN = 500, WORK_MAX = 5000 };
// A jointed body costs about as much in an interval as three others.
enum { JOINT_WORK = 2 };

static bool rests(const carom_step *step, int first, int last);
static bool passes(const carom_step *step, int a, int b);
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

double carom_time_of_impact_dearness(const carom_step *step)
{
    const carom_world *world = step->world;
    double work = 0;
    for (int first = 0, last; first < step->candidate_count; first = last) {
        int a = step->candidates[first].a, b = step->candidates[first].b;
        last = end_of_pair(step, first);
        if (!world->sphere[a])
            work += dearness(world->shape[a]);
        if (!world->sphere[b])
            work += dearness(world->shape[b]);
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
    return (carom_time_of_impact_work){ 1, fmin(fmax(WORK_PER_SECOND * step, WORK_MIN), WORK_MAX),
                                        WORK_MAX, FAST_SHARE * WORK_MAX };
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
    step->dear_work += plain + step->dear;
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
        step->h = fmin(step->h, carom_time_of_impact_pair(step, first, last, step->h));
    }
    TRY(carom_progress_check(&step->world->stop, "times of impact", err)); // in the last pair
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

// They move farther against each other than either is thick.
static bool passes(const carom_step *step, int a, int b)
{
    const carom_world *world = step->world;
    vec3 velocity = vec3_sub(world->now.velocity[b], world->now.velocity[a]);
    double speed = vec3_length(velocity) +
                   carom_course_turning(world, a, vec3_length(world->now.spin[a])) +
                   carom_course_turning(world, b, vec3_length(world->now.spin[b]));
    return speed * step->remaining > fmin(world->thickness[a], world->thickness[b]);
}

// -- strings and stops ---------------------------------------------------------------------------

// A string, or one stop of a joint, and how the two ends move.
typedef struct bound {
    const carom_step *step;
    const carom_world_joint *joint;
    int side;
    double origin; // m or rad: how far it was beyond at the start, which is not taken back
    carom_course ends[2];
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
        ends.turn[k] = carom_course_rotation(&s->ends[k], t);
        position = carom_course_position(&s->ends[k], t);
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
                    s.ends[k] = carom_course_of(step, k ? joint->b : joint->a, true);
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

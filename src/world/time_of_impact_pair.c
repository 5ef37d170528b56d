// When a pair meets within the interval.
//
// Conservative advancement on the true motion (parabolas, not chords; of jointed bodies the cubics
// that agree with their linkage's motion at both ends): along the direction of the smallest gap two
// convex bodies stay apart at least until the gap is used up by the speed of their centres along
// it, their acceleration and the speed at which they turn [Mirtich 1996, chapter 2]. Of compounds
// every pair of parts has a direction of its own: what leaves the floor of a container may be on
// its way to a wall that is farther off. Of meshes every pair of triangles has one, as far as none
// of those of nearer ones parts it (collide/parting.h); where that leaves more than a list of
// planes, what is farther than the last is approached at full speed in its own direction.
#include "collide/narrow.h"
#include "collide/parting.h"
#include "world/course.h"

enum { ADVANCES = 200, SEEDS = 16 };

// A pair, and how its bodies close in on each other.
typedef struct meeting {
    const carom_step *step;
    const carom_candidate *contacts; // of the pair, `count` of them
    int count;
    carom_course pair[2];
    vec3 speed;                // m/s: of the second centre against the first
    double turning;            // m/s, at most
    double fall;               // m/s^2, at most, in any direction
    double time, left, reach;  // s, to go; m: what is farther does not meet
    double gap, until;         // least; s from now on: nothing meets before
    double near;               // m: features not so far apart are contacts already
    const carom_partings *now; // planes of the contacts, at the beginning; null: later
    carom_progress_meter meter;
} meeting;

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

// Between two bodies in a direction from the first to the second.
static double pull_between(const meeting *m, vec3 n)
{
    return carom_course_pull(&m->pair[0], n) + carom_course_pull(&m->pair[1], vec3_neg(n));
}

static double closed_after(const meeting *m, double gap, vec3 n)
{
    return used_up(gap, m->turning - vec3_dot(m->speed, n), pull_between(m, n));
}

// -- contacts that open ---------------------------------------------------------------------------

// The most that turning bends the way of any point (m/s^2); where the spin changes by its inertia,
// by no more than its square [Euler's equations], as much again.
static double bend(const meeting *m)
{
    double sum = 0;
    for (int k = 0; k < 2; ++k) {
        const carom_course *c = &m->pair[k];
        int body = k ? m->contacts->b : m->contacts->a;
        sum += (c->tumbles ? 2 : 1) * c->spin * carom_course_turning(m->step->world, body, c->spin);
    }
    return sum;
}

// The gap as it is now, from the contacts that were found.
static carom_contact gap_now(const meeting *m)
{
    carom_contact min = { .a = -1, .b = -1, .gap = HUGE_VAL };
    for (int i = 0; i < m->count; ++i)
        if (m->contacts[i].gap < min.gap) {
            min.gap = m->contacts[i].gap;
            min.normal = m->contacts[i].normal;
        }
    return min;
}

// Until when the contacts of a pair that touches stay open. Where they have just bounced, the gap
// of the pair says nothing: it is their own speed that keeps them apart, until it is used up.
static double apart_until(const meeting *m)
{
    double until = HUGE_VAL, turning = bend(m);
    bool touching = false;
    for (int i = 0; i < m->count; ++i) {
        const carom_candidate *candidate = &m->contacts[i];
        double back = turning + pull_between(m, candidate->normal);
        until = fmin(until, used_up(fmax(candidate->gap, 0), -candidate->u, back));
        touching = touching || candidate->gap <= m->step->world->options.slop;
    }
    return touching ? until : 0;
}

// -- pairs that are apart -------------------------------------------------------------------------

static carom_contact gap_after(const meeting *m, double t)
{
    const carom_shape *const *shape = m->step->world->shape;
    carom_pose pose_a = carom_course_pose(&m->pair[0], t),
               pose_b = carom_course_pose(&m->pair[1], t);
    return carom_narrow_gap(shape[m->contacts->a], &pose_a, shape[m->contacts->b], &pose_b,
                            m->reach);
}

// Contacts that were found are those of faces, edges and corners that are near now. What bounced
// off on one end turns fast, and its other end may come down before the first is back: where a body
// turns far until then, the pair is looked at in between. The moment at which it meets, or `until`.
static double meets_elsewhere(meeting *m, double until)
{
    enum { LOOKS = 32, HALVES = 60 };
    const double seen = 0.1; // rad
    double turn = 0, touch = m->step->world->options.touch, low = 0, high = until;
    for (int k = 0; k < 2; ++k) {
        int i = k ? m->contacts->b : m->contacts->a;
        if (carom_shape_kind_of(m->step->world->shape[i]) != CAROM_SHAPE_SPHERE)
            turn = fmax(turn, m->pair[k].spin * until);
    }
    int looks = (int)fmin(LOOKS, turn / seen), k = 1;
    m->reach = touch;
    for (; k <= looks; ++k) {
        high = until * k / looks;
        if (gap_after(m, high).gap < -touch)
            break;
        low = high;
    }
    if (k > looks)
        return until;
    for (int i = 0; i < HALVES && high - low > 1e-15 * until; ++i) {
        double middle = 0.5 * (low + high), gap = gap_after(m, middle).gap;
        if (gap > 0 && gap <= 0.5 * touch)
            return middle;
        *(gap > 0 ? &low : &high) = middle;
    }
    return low;
}

// A direction and the gap along it: nothing that it parts meets before.
static void note(meeting *m, double gap, vec3 normal)
{
    m->gap = fmin(m->gap, gap);
    m->until = fmin(m->until, closed_after(m, fmax(gap, 0), normal));
}

static void look_at_bodies(meeting *m)
{
    carom_contact contact = m->time == 0 ? gap_now(m) : gap_after(m, m->time);
    if (contact.gap <= m->reach)
        note(m, contact.gap, contact.normal);
}

static void look_at_points(meeting *m, const carom_manifold *found)
{
    for (int i = 0; i < found->count; ++i)
        note(m, found->points[i].gap, found->points[i].normal);
}

static void look_at_parts(meeting *m)
{
    const carom_shape *const *shape = m->step->world->shape;
    carom_manifold found;
    if (m->time == 0) {
        for (int i = 0; i < m->count; ++i)
            note(m, m->contacts[i].gap, m->contacts[i].normal);
        return;
    }
    carom_pose pose_a = carom_course_pose(&m->pair[0], m->time),
               pose_b = carom_course_pose(&m->pair[1], m->time);
    carom_narrow_nearest(shape[m->contacts->a], &pose_a, shape[m->contacts->b], &pose_b, m->reach,
                         &found);
    look_at_points(m, &found);
}

// -- meshes ---------------------------------------------------------------------------------------

static bool has_mesh(const carom_shape *shape)
{
    bool any = shape->kind == CAROM_SHAPE_MESH;
    for (int i = 0; i < shape->part_count && !any; ++i)
        any = has_mesh(shape->parts[i].shape);
    return any;
}

// How far anything goes, at most, before `until`: what is farther apart does not meet before.
static double way_until(const meeting *m)
{
    double t = m->until;
    if (isinf(t))
        return m->reach;
    return fmin(m->reach, (vec3_length(m->speed) + m->turning + 0.5 * m->fall * t) * t);
}

// A plane from which the bodies part, or to which they come late, need not stand between features
// by all of their gap: with a tenth of it much that is rough lies behind it, too.
static void widen(const meeting *m, carom_parting *plane, bool turned)
{
    const double kept = 0.1;
    vec3 n = turned ? vec3_neg(plane->normal) : plane->normal;
    double wanted = fmin(m->until, m->left), gap = plane->gap;
    if (!(gap > 0) || closed_after(m, kept * gap, n) < wanted)
        return;
    plane->low += 0.5 * (1 - kept) * gap;
    plane->high -= 0.5 * (1 - kept) * gap;
}

// The features of a mesh and another part, as far as they may meet before `until`.
static void look_at_features(meeting *m, const carom_narrow_part *a, const carom_narrow_part *b,
                             bool turned)
{
    carom_partings known = { .count = 0 };
    if (m->now)
        known = *m->now;
    known.meter = &m->meter;
    for (int k = 0; turned && k < known.count; ++k)
        known.list[k] = carom_parting_turned(&known.list[k]);
    while (
        carom_parting_next(a->shape, a->pose, b->shape, b->pose, m->near, way_until(m), &known)) {
        carom_parting *last = &known.list[known.count - 1];
        note(m, last->gap, turned ? vec3_neg(last->normal) : last->normal);
        if (known.count == CAROM_PARTING_MAX) // all others are farther, in whatever direction
            m->until = fmin(
                m->until, used_up(fmax(last->gap, 0), vec3_length(m->speed) + m->turning, m->fall));
        widen(m, last, turned);
    }
}

static void look_at_part(void *context, const carom_narrow_part *a, const carom_narrow_part *b,
                         bool turned)
{
    meeting *m = context;
    if (b->shape->kind == CAROM_SHAPE_MESH) {
        look_at_features(m, a, b, turned);
    } else if (!m->now) { // where contacts are known they stand for all other pairs of parts
        carom_manifold found;
        carom_narrow_nearest(a->shape, a->pose, b->shape, b->pose, m->reach, &found);
        for (int i = 0; turned && i < found.count; ++i)
            found.points[i].normal = vec3_neg(found.points[i].normal);
        look_at_points(m, &found);
    }
}

static void look_at_meshes(meeting *m)
{
    const carom_shape *const *shape = m->step->world->shape;
    carom_pose pose_a = carom_course_pose(&m->pair[0], m->time),
               pose_b = carom_course_pose(&m->pair[1], m->time);
    m->near = m->now ? m->step->world->options.slop : -HUGE_VAL;
    carom_narrow_parts(shape[m->contacts->a], &pose_a, shape[m->contacts->b], &pose_b, m->reach,
                       look_at_part, m);
}

// The planes of the contacts there are.
static void list_planes(const meeting *m, carom_partings *planes)
{
    double slop = m->step->world->options.slop;
    planes->count = 0;
    planes->loose = 0;
    planes->meter = NULL;
    for (int i = 0; i < m->count && planes->count < SEEDS; ++i) {
        const carom_candidate *c = &m->contacts[i];
        carom_parting plane = carom_parting_of(c->point, c->normal, c->gap);
        if (c->gap <= slop)
            carom_parting_add(planes, &plane, slop);
    }
}

// -------------------------------------------------------------------------------------------------

static void look(meeting *m, double time, double max)
{
    double left = max - time;
    m->time = time;
    m->left = left;
    m->speed = vec3_sub(carom_course_velocity(&m->pair[1], time),
                        carom_course_velocity(&m->pair[0], time));
    m->reach = (vec3_length(m->speed) + m->turning + 0.5 * m->fall * left) * left;
    m->gap = m->until = HUGE_VAL;
}

// From a moment at which contacts open: until when they, and all else of meshes, are apart.
static double opened_until(meeting *m, bool meshes, double max)
{
    m->left = max;
    double until = apart_until(m);
    if (!meshes || !(until > 0))
        return until;
    carom_partings planes;
    list_planes(m, &planes);
    look(m, 0, fmin(until, max));
    m->now = &planes;
    look_at_meshes(m);
    m->now = NULL;
    return fmin(until, m->until);
}

static bool is_compound(const carom_step *step, int i)
{
    return step->world->shape[i]->kind == CAROM_SHAPE_COMPOUND;
}

static double meets(meeting *m, bool meshes, double max)
{
    const carom_world *world = m->step->world;
    bool parts = is_compound(m->step, m->contacts->a) || is_compound(m->step, m->contacts->b);
    double t = fmin(opened_until(m, meshes, max), max);
    double other = t > 0 ? meets_elsewhere(m, t) : t;
    if (other < t)
        return other;
    for (int k = 0; k < ADVANCES && t < max && !carom_progress_told(&world->stop); ++k) {
        look(m, t, max);
        if (meshes)
            look_at_meshes(m);
        else if (parts)
            look_at_parts(m);
        else
            look_at_bodies(m);
        if (!(m->gap <= m->reach))
            return max;
        if (m->gap <= 0.5 * world->options.touch)
            return t;
        t += m->until;
    }
    return fmin(t, max);
}

double carom_time_of_impact_pair(const carom_step *step, int first, int last, double max)
{
    const carom_world *world = step->world;
    int a = step->candidates[first].a, b = step->candidates[first].b;
    meeting m = { .step = step, .contacts = &step->candidates[first], .count = last - first };
    m.meter.stop = &step->world->stop;
    m.pair[0] = carom_course_of(step, a, false);
    m.pair[1] = carom_course_of(step, b, false);
    m.pair[1].x = carom_world_image(world, a, b);
    for (int k = 0; k < 2; ++k)
        max = m.pair[k].tumbles ? fmin(max, m.pair[k].h) : max;
    m.turning = carom_course_turning(world, a, m.pair[0].spin) +
                carom_course_turning(world, b, m.pair[1].spin);
    double early = vec3_length(vec3_sub(m.pair[1].early, m.pair[0].early));
    m.fall = fmax(early, vec3_length(vec3_sub(m.pair[1].late, m.pair[0].late)));
    bool meshes = world->shape[a]->kind != CAROM_SHAPE_PLANE &&
                  world->shape[b]->kind != CAROM_SHAPE_PLANE &&
                  (has_mesh(world->shape[a]) || has_mesh(world->shape[b]));
    double t = meets(&m, meshes, max);
    carom_progress_meter_flush(&m.meter);
    return t;
}

// What goes through another within an interval, for the audit: nothing is changed.
//
// A pair that is not located (time_of_impact.c) moves by the contacts that it had at the start of
// the interval. Where its bodies go farther against each other than the thinner one is thick, they
// may be through each other at the end, with no overlap that the next look would find. So their
// motion is followed once more, by steps that cannot pass what is a quarter of that thickness: by
// the gap where they are apart, by that quarter where they are not. The deepest overlap on the way
// is noted, as that of any other contact. What turns farther than FARTHEST is taken to turn about
// one axis, which is no worse than all else about it.
#include "base/team.h"
#include "collide/narrow.h"
#include "world/journal.h"
#include "world/motion.h"
#include "world/step.h"

enum { LOOKS = 400 };
static const double FARTHEST = 4; // rad

// How a body moves: world_move.c.
typedef struct course {
    const carom_shape *shape;
    vec3 x, v, w;
    quat q;
    sym3 inertia;
} course;

static course course_of(const carom_step *step, int i)
{
    const carom_world *world = step->world;
    vec3 mean = vec3_scale(0.5, vec3_add(world->before[i], world->now.velocity[i]));
    vec3 belt = vec3_from(world->drive[i].belt);
    const sym3 unit = { 1, 1, 1, 0, 0, 0 };
    bool simple = world->fixed[i] || vec3_length(world->now.spin[i]) * step->h > FARTHEST;
    return (course){ .shape = world->shape[i],
                     .x = world->now.position[i],
                     .v = vec3_sub(step->held[i] ? world->now.velocity[i] : mean, belt),
                     .w = world->now.spin[i],
                     .q = world->now.rotation[i],
                     .inertia = simple ? unit : world->inertia[i] };
}

static double rim_speed(const carom_world *world, int i)
{
    double spin = world->sphere[i] ? 0 : vec3_length(world->now.spin[i]);
    return spin > 0 ? spin * carom_shape_radius(world->shape[i]) : 0;
}

// The most that two bodies move against each other, m/s.
static double speed_of(const carom_step *step, int a, int b)
{
    const carom_world *world = step->world;
    vec3 v = vec3_sub(world->now.velocity[b], world->now.velocity[a]),
         before = vec3_sub(world->before[b], world->before[a]);
    double square = fmax(vec3_dot(v, v), vec3_dot(before, before));
    return sqrt(square) + rim_speed(world, a) + rim_speed(world, b);
}

static carom_pose move_on(course *c, double time)
{
    c->x = vec3_axpy(c->x, time, c->v);
    carom_motion_turn(c->inertia, time, &c->q, &c->w);
    return carom_pose_make(c->x, c->q);
}

// The deepest that the two get into each other, m.
static double deepest(course pair[2], double h, double speed, double thickness)
{
    double most = 0, t = 0, on = 0, part = 0.25 * thickness / speed;
    for (int k = 0; k < LOOKS; ++k) {
        carom_pose a = move_on(&pair[0], on), b = move_on(&pair[1], on);
        double gap = carom_narrow_gap(pair[0].shape, &a, pair[1].shape, &b, speed * (h - t)).gap;
        if (gap == HUGE_VAL) // out of reach until the end
            break;
        most = fmax(most, -gap);
        if (t == h)
            break;
        on = fmin(h - t, fmax(part, gap / speed));
        t = on < h - t ? t + on : h;
    }
    return most;
}

static void note_share(carom_step *step, int threads)
{
    carom_world *world = step->world;
    carom_audit worst = { 0 };
    int end = carom_team_end(step->candidate_count, threads);
    for (int i = carom_team_begin(step->candidate_count, threads); i < end; ++i) {
        const carom_candidate *c = &step->candidates[i];
        if (c->located || (i > 0 && c[-1].a == c->a && c[-1].b == c->b) ||
            (step->linked && (step->linked[c->a] || step->linked[c->b])))
            continue;
        double thickness = fmin(world->thickness[c->a], world->thickness[c->b]);
        double speed = speed_of(step, c->a, c->b);
        if (speed * step->h <= thickness)
            continue;
        course pair[2] = { course_of(step, c->a), course_of(step, c->b) };
        pair[1].x = carom_world_image(world, c->a, c->b);
        double depth = deepest(pair, step->h, speed, thickness);
        if (depth > world->options.slop)
            carom_journal_overlap(&worst, depth / thickness, c->a, c->b);
    }
    carom_team_lock(threads);
    if (worst.overlap > 0)
        carom_journal_overlap(&world->journal.audit, worst.overlap, worst.overlap_a,
                              worst.overlap_b);
    carom_team_unlock(threads);
}
CAROM_TEAM_SHARE2(note_share, carom_step *, int)

// The fastest of all bodies, and the thinnest.
typedef struct extremes {
    double square, rim, thickness; // (m/s)^2, m/s, m
} extremes;
static const extremes none = { 0, 0, HUGE_VAL };

static void extremes_share(const carom_world *world, extremes *all, int threads)
{
    extremes own = none; // not those of all, which others write
    int end = carom_team_end(world->count, threads);
    for (int i = carom_team_begin(world->count, threads); i < end; ++i) {
        if (world->kind[i] >= CAROM_BODY_REMOVED)
            continue;
        vec3 v = world->now.velocity[i], before = world->before[i];
        double square = vec3_dot(v, v), earlier = vec3_dot(before, before);
        double rim = rim_speed(world, i), thickness = world->thickness[i];
        square = earlier > square ? earlier : square;
        own.square = square > own.square ? square : own.square;
        own.rim = rim > own.rim ? rim : own.rim;
        own.thickness = thickness < own.thickness ? thickness : own.thickness;
    }
    carom_team_lock(threads);
    all->square = fmax(all->square, own.square);
    all->rim = fmax(all->rim, own.rim);
    all->thickness = fmin(all->thickness, own.thickness);
    carom_team_unlock(threads);
}
CAROM_TEAM_SHARE3(extremes_share, const carom_world *, extremes *, int)

// Whether even the two fastest bodies would go less far against each other than the thinnest is
// thick: as a rule, and told without a look at any pair. The allowance is for round-off.
static bool all_slow(const carom_step *step)
{
    const carom_world *world = step->world;
    extremes all = none;
    int team = carom_team_worth(world->count, world->options.threads);
    CAROM_TEAM(team, extremes_share(world, &all, team));
    return 2 * (sqrt(all.square) + all.rim) * step->h * (1 + 1e-9) <= all.thickness;
}

void carom_passing_note(carom_step *step)
{
    int team = carom_team_worth(step->candidate_count, step->world->options.threads);
    if (step->candidate_count == 0 || all_slow(step))
        return;
    CAROM_TEAM(team, note_share(step, team));
}

// Which contacts the resting solve has to look at.
//
// A contact needs no record as long as its gap cannot close: u + gap/h stays above what the solve
// may change of it. In a shaken layer that is true of nine contacts in ten. The change is guessed
// from what drives it (one interval's gravity, approach below the resting speed); where a body has
// changed by more than that, the contact is found after the solve, and a further round takes it in.
#include "base/team.h"
#include "world/rest.h"

// Share of the slop by which a contact left out may close.
#define LEFT_OUT 0.1

// Judged by the speed before this interval's gravity: a body that has just bounced flies on, one
// that is about to hit waits for its time of impact. Without times of impact, whatever may close
// within the interval takes part.
static bool takes_part(const carom_step *step, const carom_touch *touch)
{
    const carom_world_options *options = &step->world->options;
    if (!touch->located)
        return true;
    return touch->gap <= options->slop && fabs(touch->u) <= options->resting_speed;
}

// Balls on strings may close up again: a row of them would open a little with every blow.
double carom_rest_choose_closed(const carom_world *world, const carom_touch *touch)
{
    return world->strung[touch->a] || world->strung[touch->b] ? 0 : world->options.slop;
}

// Whether the gap closes within the interval at a normal speed of u.
static bool closes(const carom_step *step, const carom_touch *touch, double u)
{
    bool closed = touch->gap <= carom_rest_choose_closed(step->world, touch);
    return closed ? u < 0 : touch->gap + u * step->h < 0;
}

static double speed_now(const carom_step *step, const carom_touch *touch)
{
    return vec3_dot(touch->normal, carom_step_slip(step->world, touch));
}

static bool is_zero(vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

static bool may_press(const carom_step *step, const carom_touch *touch, double margin)
{
    const carom_world *world = step->world;
    if (!takes_part(step, touch))
        return false;
    if (!is_zero(touch->recalled))
        return true;
    // between two movable bodies gravity changes nothing
    bool both = !world->fixed[touch->a] && !world->fixed[touch->b];
    return closes(step, touch, (both ? touch->u : speed_now(step, touch)) - margin);
}

// Impulses of the last interval, for this one's length, inside the cone.
static vec3 start_impulse(const carom_touch *touch, double ratio)
{
    vec3 n = touch->normal, start = vec3_scale(ratio, touch->recalled);
    double p = vec3_dot(n, start);
    if (!(p > 0))
        return vec3_make(0, 0, 0);
    vec3 q = vec3_axpy(start, -p, n);
    double most = touch->friction * p, size = vec3_length(q);
    return vec3_axpy(size > most ? vec3_scale(most / size, q) : q, p, n);
}

static void choose_share(carom_step *step, int *count, int threads)
{
    const carom_world *world = step->world;
    double kick = vec3_length(vec3_from(world->options.gravity)) * step->h;
    double margin = 2 * fmax(2 * kick, world->options.resting_speed);
    double ratio = world->memory_interval > 0 ? step->h / world->memory_interval : 0;
    int end = carom_team_end(step->touch_count, threads), found = 0;
    for (int i = carom_team_begin(step->touch_count, threads); i < end; ++i) {
        carom_touch *touch = &step->touches[i];
        touch->resting = may_press(step, touch, margin) ? CAROM_TOUCH_NEW : CAROM_TOUCH_OUT;
        if (touch->resting && !is_zero(touch->recalled))
            touch->impulse = start_impulse(touch, ratio);
        found += touch->resting != CAROM_TOUCH_OUT;
    }
#pragma omp atomic
    *count += found;
}

int carom_rest_choose(carom_step *step)
{
    int count = 0, team = step->touch_count > 1000 ? step->world->options.threads : 1;
    CAROM_TEAM(team, choose_share(step, &count, team));
    return count;
}

static void more_share(carom_step *step, const unsigned char *moved, int *count, int threads)
{
    double little = LEFT_OUT * step->world->options.slop / step->h;
    int end = carom_team_end(step->touch_count, threads), found = 0;
    for (int i = carom_team_begin(step->touch_count, threads); i < end; ++i) {
        carom_touch *touch = &step->touches[i];
        if (touch->resting != CAROM_TOUCH_OUT) {
            touch->resting = CAROM_TOUCH_IN;
            continue;
        }
        if ((moved[touch->a] || moved[touch->b]) && takes_part(step, touch) &&
            closes(step, touch, speed_now(step, touch) + little)) {
            touch->resting = CAROM_TOUCH_NEW;
            ++found;
        }
    }
#pragma omp atomic
    *count += found;
}

int carom_rest_choose_more(carom_step *step, const unsigned char *moved)
{
    int count = 0, team = step->touch_count > 1000 ? step->world->options.threads : 1;
    if (step->h == 0)
        return 0;
    CAROM_TEAM(team, more_share(step, moved, &count, team));
    return count;
}

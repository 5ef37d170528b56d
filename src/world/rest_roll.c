// Resistance of resting contacts against rolling and drilling.
//
// A contact is not a point but a small patch, over which the pressure shifts where one body rolls
// on the other, and which grinds where it turns about the normal. As in granular codes both are one
// moment against the relative spin w_b - w_a, a vector M with
//     |M| <= rho p_n,   w_b - w_a = 0 where |M| is less, M against w_b - w_a where it is not:
// Coulomb's law with a length rho in the place of the coefficient. It is relaxed contact by contact
// right behind the impulse, M := M - (w_b - w_a) / k, put back on the ball of radius rho p_n. k is
// the response of the relative spin: for balls 1/Ia + 1/Ib; for other bodies a bound of the largest
// eigenvalue of Ia^-1 + Ib^-1 (its largest sum of a row, exact in the principal axes), which keeps
// every single relaxation from gaining energy.
//
// Between balls of one size neither grip nor moment changes what the other one sees. On a wall they
// do, and each sweep leaves 5/7 of what moment and grip owe each other.
//
// Moments start from those of the last interval, like impulses: a large island gets few sweeps, and
// moments that had to be found anew would keep a pile trembling (60,000 balls in a box: six times
// the kinetic energy at rest that they have without any resistance). The linear systems of
// rest_direct.c and rest_gradient.c leave them as they are, like the friction of contacts that
// slide: sweeps in between, and always at the end, let them follow.
#include "world/rest.h"

carom_status carom_rest_roll_begin(carom_step *step, carom_error *err)
{
    const carom_world *world = step->world;
    double ratio = world->memory_interval > 0 ? step->h / world->memory_interval : 0;
    step->moments = NULL;
    if (!world->rolling)
        return CAROM_OK;
    TAKE_ZEROS(world->scratch, step->moments, step->touch_count, err);
    for (int i = 0; i < step->press_count; ++i) {
        const carom_press *press = &step->presses[i];
        int recall = step->recall_of[press->touch];
        double p = vec3_dot(step->touches[press->touch].normal, press->impulse);
        if (recall == 0 || !(p > 0))
            continue;
        vec3 start = vec3_scale(ratio, step->recalled_turns[recall - 1]);
        double most = carom_restitution_rolling(world, press->a, press->b) * p;
        double size = vec3_length(start);
        step->moments[press->touch] = size > most ? vec3_scale(most / size, start) : start;
    }
    return CAROM_OK;
}

vec3 carom_rest_roll_remembered(const carom_step *step, int touch, double left)
{
    int recall = step->recall_of[touch];
    vec3 moment = step->moments[touch];
    return recall > 0 ? vec3_axpy(moment, left, step->recalled_turns[recall - 1]) : moment;
}

carom_status carom_rest_roll_load(carom_rest *rest, carom_error *err)
{
    rest->rolls = NULL;
    if (rest->step->moments)
        TAKE(rest->step->world->scratch, rest->rolls, rest->contact_count, err);
    return CAROM_OK;
}

static vec3 *moment_of(const carom_rest *rest, int contact)
{
    return &rest->step->moments[carom_rest_press(rest, contact)->touch];
}

static carom_rest_roll make(const carom_rest *rest, int contact)
{
    const carom_press *press = carom_rest_press(rest, contact);
    return (carom_rest_roll){ .rolling =
                                  carom_restitution_rolling(rest->step->world, press->a, press->b),
                              .moment = *moment_of(rest, contact) };
}

carom_rest_roll carom_rest_roll_ball(const carom_rest *rest, int contact, const double arms[2])
{
    carom_rest_roll roll = make(rest, contact);
    const carom_rest_watch *watch = &rest->watches[contact];
    double a = rest->balls[watch->a].inverse_inertia, b = rest->balls[watch->b].inverse_inertia;
    roll.mass = 1 / (a + b);
    roll.speed = fabs(arms[0]) * a + fabs(arms[1]) * b;
    return roll;
}

// Not less than the largest eigenvalue.
static double largest(sym3 s)
{
    double x = fabs(s.xx) + fabs(s.xy) + fabs(s.xz), y = fabs(s.xy) + fabs(s.yy) + fabs(s.yz);
    return fmax(fmax(x, y), fabs(s.xz) + fabs(s.yz) + fabs(s.zz));
}

carom_rest_roll carom_rest_roll_body(const carom_rest *rest, int contact)
{
    carom_rest_roll roll = make(rest, contact);
    const carom_touch *touch = carom_rest_touch(rest, contact);
    const carom_rest_body *a = &rest->bodies[touch->a], *b = &rest->bodies[touch->b];
    sym3 p = a->inverse_inertia, q = b->inverse_inertia;
    sym3 sum = { p.xx + q.xx, p.yy + q.yy, p.zz + q.zz, p.xy + q.xy, p.xz + q.xz, p.yz + q.yz };
    roll.mass = 1 / largest(sum);
    roll.speed = vec3_length(vec3_sub(touch->point, a->x)) * largest(p) +
                 vec3_length(vec3_sub(touch->point, b->x)) * largest(q);
    return roll;
}

void carom_rest_roll_accelerate(carom_rest *rest, const carom_rest_island *island, double ratio)
{
    for (int i = island->first; i < island->first + island->count; ++i) {
        carom_rest_roll *roll = &rest->rolls[i];
        vec3 extra = vec3_scale(ratio, roll->along);
        roll->along = vec3_add(extra, roll->change);
        roll->moment = vec3_add(roll->moment, extra);
    }
}

// Contacts between balls have no records before they are needed.
static bool there(const carom_rest *rest, const carom_rest_island *island, int contact)
{
    return !island->round || rest->made[contact];
}

static vec3 before(const carom_rest *rest, int contact)
{
    return rest->first ? vec3_make(0, 0, 0) : *moment_of(rest, contact);
}

void carom_rest_roll_driven(const carom_rest *rest, const carom_rest_island *island, int contact,
                            double work[2])
{
    const carom_world *world = rest->step->world;
    const carom_touch *touch = carom_rest_touch(rest, contact);
    vec3 old = before(rest, contact);
    vec3 now = there(rest, island, contact) ? rest->rolls[contact].moment : old;
    work[0] = carom_step_driven_turn(world, touch, vec3_sub(now, old));
    work[1] = carom_step_driven_turn(world, touch, old);
}

void carom_rest_roll_scale(carom_rest *rest, const carom_rest_island *island, double part)
{
    for (int i = island->first; i < island->first + island->count; ++i) {
        vec3 old = before(rest, i);
        if (there(rest, island, i))
            rest->rolls[i].moment = vec3_axpy(old, part, vec3_sub(rest->rolls[i].moment, old));
    }
}

void carom_rest_roll_store(const carom_rest *rest, int contact)
{
    *moment_of(rest, contact) = rest->rolls[contact].moment;
}

// Resistance of resting contacts against rolling and spinning.
//
// A contact is not a point but a small patch, over which the pressure shifts where one body rolls
// on the other, and which grinds where it turns about the normal (spinning friction). As in
// granular codes both are one angular impulse against the relative spin w_b - w_a, a vector M with
//     |M| <= rho p_n,   w_b - w_a = 0 where |M| is less, M against w_b - w_a where it is not:
// Coulomb's law with a length rho in the place of the coefficient. It is relaxed contact by contact
// right behind the impulse, M := M - (w_b - w_a) / k, put back on the ball of radius rho p_n. k is
// the response of the relative spin: for spheres 1/Ia + 1/Ib; for other bodies a bound of the
// largest eigenvalue of Ia^-1 + Ib^-1 (its largest sum of a row, exact in the principal axes),
// which keeps every single relaxation from gaining energy.
//
// Between spheres of one size neither friction nor M changes what the other one sees. On a wall
// they do, and each sweep leaves 5/7 of what the two owe each other: such a contact is not in
// balance when it has been relaxed, and has to be looked at again.
//
// M starts from that of the last interval, like impulses: a large island gets few sweeps, and
// angular impulses that had to be found anew kept a pile trembling (6,000 spheres in a box: six
// times the kinetic energy at rest that they have without any resistance). The linear systems of
// rest_direct.c know those that hold; those of rest_gradient.c leave all of them as they are, like
// the friction of contacts that slide: sweeps in between, and always at the end, let them follow.
#include "world/pair_material.h"
#include "world/rest.h"

carom_status carom_rest_roll_begin(carom_step *step, carom_error *err)
{
    step->rolling_impulses = NULL;
    if (step->world->rolling)
        TAKE_ZEROS(step->world->scratch, step->rolling_impulses, step->candidate_count, err);
    return CAROM_OK;
}

vec3 carom_rest_roll_remembered(const carom_step *step, int candidate, double left)
{
    int warm = step->warm_index[candidate];
    vec3 impulse = step->rolling_impulses[candidate];
    return warm > 0 ? vec3_axpy(impulse, left, step->warm_rolling[warm - 1]) : impulse;
}

carom_status carom_rest_roll_load(carom_rest *rest, carom_error *err)
{
    carom_arena *scratch = rest->step->world->scratch;
    rest->system.rolling = NULL;
    if (!rest->step->rolling_impulses)
        return CAROM_OK;
    TAKE(scratch, rest->system.rolling, rest->contact_count, err);
    TAKE(scratch, rest->system.rolling_response, rest->contact_count, err);
    TAKE(scratch, rest->system.rolling_last, rest->contact_count, err);
    TAKE(scratch, rest->system.rolling_direction, rest->contact_count, err);
    return CAROM_OK;
}

static vec3 *impulse_of(const carom_rest *rest, int contact)
{
    return &rest->step->rolling_impulses[carom_rest_source(rest, contact)->candidate];
}

// The angular impulse of the last step, for this interval's length, within what the impulse allows
// that the contact starts from.
static vec3 start(const carom_rest *rest, int contact, double rolling)
{
    const carom_step *step = rest->step;
    const carom_resting_contact *resting = carom_rest_source(rest, contact);
    int warm = step->warm_index[resting->candidate];
    double p = vec3_dot(step->candidates[resting->candidate].normal, resting->impulse);
    double interval = step->world->warm.interval;
    if (warm == 0 || !(p > 0) || !(interval > 0))
        return vec3_make(0, 0, 0);
    vec3 impulse = vec3_scale(step->h / interval, step->warm_rolling[warm - 1]);
    double max = rolling * p, size = vec3_length(impulse);
    return size > max ? vec3_scale(max / size, impulse) : impulse;
}

carom_contact_rolling carom_rest_roll_make(const carom_rest *rest, int contact)
{
    const carom_resting_contact *resting = carom_rest_source(rest, contact);
    double rolling = carom_pair_material_rolling(rest->step->world, resting->a, resting->b);
    vec3 impulse = rest->first ? start(rest, contact, rolling) : *impulse_of(rest, contact);
    return (carom_contact_rolling){ impulse, rolling };
}

// Not less than the largest eigenvalue.
static double largest(sym3 s)
{
    double x = fabs(s.xx) + fabs(s.xy) + fabs(s.xz), y = fabs(s.xy) + fabs(s.yy) + fabs(s.yz);
    return fmax(fmax(x, y), fabs(s.xz) + fabs(s.yz) + fabs(s.zz));
}

carom_contact_rolling_response carom_rest_roll_of(const carom_rest *rest, int contact)
{
    const carom_candidate *candidate = carom_rest_candidate(rest, contact);
    const carom_contact_body *a = &rest->system.bodies[candidate->a],
                             *b = &rest->system.bodies[candidate->b];
    sym3 p = a->inverse_inertia, q = b->inverse_inertia;
    sym3 sum = { p.xx + q.xx, p.yy + q.yy, p.zz + q.zz, p.xy + q.xy, p.xz + q.xz, p.yz + q.yz };
    double at_a = vec3_length(vec3_sub(candidate->point, a->x)) * largest(p),
           at_b = vec3_length(vec3_sub(carom_step_point_of_b(candidate), b->x)) * largest(q);
    return (carom_contact_rolling_response){
        .mass = 1 / largest(sum), .reach = (at_a + at_b) / (a->inverse_mass + b->inverse_mass)
    };
}

bool carom_rest_roll_holds(const carom_rest *rest, int contact)
{
    const carom_contact_record *c = &rest->system.contacts[contact];
    const carom_contact_body *a = &rest->system.bodies[c->a], *b = &rest->system.bodies[c->b];
    double u = vec3_dot(c->n, carom_contact_velocity_at(&rest->system, contact));
    double p = vec3_dot(c->n, c->impulse) - c->normal_mass * (u - c->target);
    carom_contact_rolling roll = rest->system.rolling[contact];
    double max = roll.length * p;
    vec3 impulse =
        vec3_axpy(roll.impulse, -rest->system.rolling_response[contact].mass, vec3_sub(b->w, a->w));
    return p > 0 && vec3_dot(impulse, impulse) < max * max;
}

static vec3 before(const carom_rest *rest, int contact)
{
    return rest->first ? vec3_make(0, 0, 0) : *impulse_of(rest, contact);
}

void carom_rest_roll_driven(const carom_rest *rest, int contact, double work[2])
{
    const carom_world *world = rest->step->world;
    const carom_candidate *candidate = carom_rest_candidate(rest, contact);
    vec3 old = before(rest, contact);
    vec3 now = rest->system.rolling[contact].impulse;
    work[0] = carom_step_driven_turn(world, candidate, vec3_sub(now, old));
    work[1] = carom_step_driven_turn(world, candidate, old);
}

void carom_rest_roll_scale(carom_rest *rest, const carom_rest_island *island, double part)
{
    for (int i = island->set.first; i < island->set.first + island->set.count; ++i) {
        vec3 old = before(rest, i);
        rest->system.rolling[i].impulse =
            vec3_axpy(old, part, vec3_sub(rest->system.rolling[i].impulse, old));
    }
}

void carom_rest_roll_store(const carom_rest *rest, int contact)
{
    *impulse_of(rest, contact) = rest->system.rolling[contact].impulse;
}

// Islands of balls: their records, and the relaxation of one contact.
//
// Between balls the arm of an impulse lies along the normal n. A normal impulse therefore turns
// nothing, K n = n (1/ma + 1/mb), and across the normal K is one number, 1/ma + 1/mb + la^2/Ia +
// lb^2/Ib with the arms l: normal and tangential impulse are found one after the other, each
// exactly, for a third of the general contact's work.
//
// Most contacts of a sweep have nothing to do: they are open, or in balance. A contact that is open
// by so many m/s stays so until its two bodies have been changed by as much; one in balance, until
// they have been changed by what counts. Each body adds up how far its velocity has travelled, and
// a sweep looks at a contact only when that sum says so.
#include "base/team.h"
#include "world/rest.h"

// Difference of two balls at a contact, as a share, up to which moment and grip leave each other
// alone.
#define ALIKE 1e-2

static void load_immovable(carom_rest *rest)
{
    const carom_world *world = rest->step->world;
    int immovable = rest->member_count;
    for (int i = 0; i < world->count; ++i)
        if (world->fixed[i]) {
            rest->balls[immovable] = (carom_rest_ball){ .v = world->now.velocity[i] };
            rest->travel[immovable] = 0;
            rest->place[i] = immovable++;
        }
}

// The bodies of the islands, by this thread's share.
static void load_members(carom_rest *rest, int threads)
{
    const carom_world *world = rest->step->world;
    int end = carom_team_end(rest->member_count, threads);
    for (int k = carom_team_begin(rest->member_count, threads); k < end; ++k) {
        int i = rest->member[k];
        rest->place[i] = k;
        rest->travel[k] = 0;
        rest->balls[k] = (carom_rest_ball){ .v = world->now.velocity[i],
                                            .inverse_mass = world->inverse_mass[i],
                                            .w = world->now.spin[i],
                                            .inverse_inertia = 1 / world->inertia[i].xx };
    }
}
CAROM_TEAM_SHARE2(load_members, carom_rest *, int)

carom_status carom_rest_round_load(carom_rest *rest, carom_error *err)
{
    const carom_world *world = rest->step->world;
    bool any = false;
    for (int k = 0; k < rest->island_count && !any; ++k)
        any = rest->islands[k].fresh && rest->islands[k].round;
    if (!any)
        return CAROM_OK;
    size_t places = (size_t)rest->member_count + (size_t)rest->immovable_count;
    TAKE(world->scratch, rest->place, world->count, err);
    TAKE(world->scratch, rest->balls, places, err);
    TAKE(world->scratch, rest->travel, places, err);
    TAKE(world->scratch, rest->ball_contacts, rest->contact_count, err);
    TAKE(world->scratch, rest->watches, rest->contact_count, err);
    TAKE(world->scratch, rest->made, rest->contact_count, err);
    load_immovable(rest);
    int team = carom_team_worth(rest->member_count, world->options.threads);
    CAROM_TEAM(team, load_members(rest, team));
    return CAROM_OK;
}

static double target_of(const carom_rest *rest, const carom_candidate *candidate)
{
    return carom_rest_choose_target(rest->step, candidate);
}

static void make_contact(carom_rest *rest, int i)
{
    const carom_world *world = rest->step->world;
    const carom_candidate *candidate = carom_rest_candidate(rest, i);
    const carom_rest_ball *a = &rest->balls[rest->watches[i].a];
    const carom_rest_ball *b = &rest->balls[rest->watches[i].b];
    vec3 n = candidate->normal, impulse = carom_rest_press(rest, i)->impulse;
    double press = vec3_dot(n, impulse), arm_a = 0, arm_b = 0;
    if (a->inverse_mass > 0)
        arm_a = vec3_dot(n, vec3_sub(candidate->point, world->now.position[candidate->a]));
    if (b->inverse_mass > 0)
        arm_b = vec3_dot(n, vec3_sub(world->now.position[candidate->b], candidate->point));
    double mass = a->inverse_mass + b->inverse_mass;
    double turn = arm_a * arm_a * a->inverse_inertia + arm_b * arm_b * b->inverse_inertia;
    rest->made[i] = 1;
    rest->ball_contacts[i] = (carom_rest_ball_contact){ .n = n,
                                                        .press = press,
                                                        .grip = vec3_axpy(impulse, -press, n),
                                                        .arm_a = arm_a,
                                                        .arm_b = arm_b,
                                                        .normal_mass = 1 / mass,
                                                        .tangent_mass = 1 / (mass + turn),
                                                        .target = target_of(rest, candidate),
                                                        .friction = candidate->friction };
    if (rest->rolls)
        rest->rolls[i] = carom_rest_roll_make(rest, i);
}

// What a contact starts from: an impulse that was not yet balanced against the others is looked at
// in the first sweep; one that was, when something changes; an open contact, when it may close.
void carom_rest_round_watch(carom_rest *rest, carom_rest_range *range, const carom_rest_pass *now)
{
    double fastest = 0;
    for (int i = range->begin; i < range->end; ++i) {
        const carom_resting_contact *press = carom_rest_press(rest, i);
        const carom_candidate *candidate = &rest->step->candidates[press->candidate];
        carom_rest_watch *watch = &rest->watches[i];
        *watch = (carom_rest_watch){ rest->place[press->a], rest->place[press->b], -1 };
        fastest = fabs(candidate->u) > fastest ? fabs(candidate->u) : fastest;
        vec3 apart = vec3_sub(rest->balls[watch->b].v, rest->balls[watch->a].v);
        rest->made[i] = vec3_dot(press->impulse, press->impulse) > 0;
        if (!rest->made[i])
            watch->wake = vec3_dot(candidate->normal, apart) - target_of(rest, candidate);
        else if (!press->fresh)
            watch->wake = now->least;
        if (rest->made[i])
            make_contact(rest, i);
    }
    range->fastest = fastest;
}

// Lets an impulse act: `press` along the normal and `grip` across it.
static inline void push(carom_rest_ball *a, carom_rest_ball *b, const carom_rest_ball_contact *c,
                        vec3 impulse, vec3 grip)
{
    vec3 turn = vec3_cross(c->n, grip);
    if (a->inverse_mass > 0) {
        a->v = vec3_axpy(a->v, -a->inverse_mass, impulse);
        a->w = vec3_axpy(a->w, -a->inverse_inertia * c->arm_a, turn);
    }
    if (b->inverse_mass > 0) {
        b->v = vec3_axpy(b->v, b->inverse_mass, impulse);
        b->w = vec3_axpy(b->w, -b->inverse_inertia * c->arm_b, turn);
    }
}

// Lets a moment act.
static inline void turn(carom_rest_ball *a, carom_rest_ball *b, vec3 moment)
{
    if (a->inverse_mass > 0)
        a->w = vec3_axpy(a->w, -a->inverse_inertia, moment);
    if (b->inverse_mass > 0)
        b->w = vec3_axpy(b->w, b->inverse_inertia, moment);
}

void carom_rest_round_start(carom_rest *rest, carom_rest_range *range)
{
    for (int i = range->begin; i < range->end; ++i) {
        if (!rest->made[i])
            continue;
        const carom_rest_ball_contact *c = &rest->ball_contacts[i];
        const carom_rest_watch *watch = &rest->watches[i];
        vec3 impulse = vec3_axpy(c->grip, c->press, c->n);
        carom_rest_ball *a = &rest->balls[watch->a], *b = &rest->balls[watch->b];
        double size = vec3_length(impulse);
        push(a, b, c, impulse, c->grip);
        if (rest->rolls && rest->rolls[i].rolling > 0) {
            double at_a = c->arm_a * a->inverse_inertia, at_b = c->arm_b * b->inverse_inertia;
            turn(a, b, rest->rolls[i].moment);
            size += (at_a + at_b) * c->normal_mass * vec3_length(rest->rolls[i].moment);
        }
        rest->travel[watch->a] += size * a->inverse_mass;
        rest->travel[watch->b] += size * b->inverse_mass;
    }
}

// One contact. Returns the square of the change of its impulse, and by how much it is open now.
static inline double relax(carom_rest_ball *a, carom_rest_ball *b, carom_rest_ball_contact *c,
                           double *open)
{
    vec3 n = c->n, apart = vec3_sub(b->v, a->v);
    double u = vec3_dot(n, apart), press = c->press - c->normal_mass * (u - c->target);
    *open = 0;
    if (!(press > 0)) {
        *open = u - c->target - c->press / c->normal_mass;
        if (c->press == 0)
            return 0;
        press = 0;
    }
    vec3 spin = vec3_axpy(vec3_scale(c->arm_a, a->w), c->arm_b, b->w);
    vec3 slip = vec3_sub(vec3_axpy(apart, -u, n), vec3_cross(spin, n));
    vec3 grip = vec3_axpy(c->grip, -c->tangent_mass, slip);
    double most = c->friction * press, size = vec3_dot(grip, grip);
    if (size > most * most)
        grip = vec3_scale(most / sqrt(size), grip);
    vec3 across = vec3_sub(grip, c->grip), change = vec3_axpy(across, press - c->press, n);
    push(a, b, c, change, across);
    c->press = press;
    c->grip = grip;
    return vec3_dot(change, change);
}

// The same for its moment against rolling. Returns the square of the impulse that would change
// speeds as much, and the share of it that the contact's own grip sees. Where that is none, the
// grip has not changed the relative spin either, and the one from before it spares the processor
// waiting.
static inline double turn_back(carom_rest_ball *a, carom_rest_ball *b,
                               const carom_rest_ball_contact *c, carom_rest_roll *roll, vec3 spin,
                               double *own)
{
    if (roll->rolling == 0) // leaves even the sign of a zero alone
        return 0;
    double mass = 1 / (a->inverse_inertia + b->inverse_inertia);
    double at_a = c->arm_a * a->inverse_inertia, at_b = c->arm_b * b->inverse_inertia;
    double reach = (at_a + at_b) * c->normal_mass, apart = fabs(at_a - at_b);
    if (apart > ALIKE * (at_a + at_b)) {
        *own = apart / (at_a + at_b);
        spin = vec3_sub(b->w, a->w);
    }
    vec3 change = carom_rest_roll_relax(roll, mass, spin, c->press);
    turn(a, b, change);
    return vec3_dot(change, change) * reach * reach;
}

// `rolls` is a constant where it is called: most worlds have no moments, and a sweep that does not
// ask for them is a fifteenth shorter.
__attribute__((always_inline)) static inline void
sweep(carom_rest *rest, carom_rest_range *range, const carom_rest_pass *now, const bool rolls)
{
    int count = range->end - range->begin;
    double worst = 0, size = 0, *travel = rest->travel;
    for (int k = 0; k < count; ++k) {
        int i = now->forward ? range->begin + k : range->end - 1 - k;
        carom_rest_watch *watch = &rest->watches[i];
        if (travel[watch->a] + travel[watch->b] <= watch->wake)
            continue;
        if (!rest->made[i])
            make_contact(rest, i);
        carom_rest_ball *a = &rest->balls[watch->a], *b = &rest->balls[watch->b];
        carom_rest_ball_contact *c = &rest->ball_contacts[i];
        vec3 spin = rolls ? vec3_sub(b->w, a->w) : vec3_make(0, 0, 0);
        double open, square = relax(a, b, c, &open), change = 0, own = 0;
        if (rolls && (square > 0 || c->press > 0))
            square += turn_back(a, b, c, &rest->rolls[i], spin, &own);
        if (square > 0) {
            double length = sqrt(square), mass = a->inverse_mass + b->inverse_mass;
            travel[watch->a] += length * a->inverse_mass;
            travel[watch->b] += length * b->inverse_mass;
            change = length * mass;
            size += square * mass;
        }
        watch->wake = travel[watch->a] + travel[watch->b] + (open > now->least ? open : now->least);
        if (rolls && own > 0) // grip and moment are not in balance with each other
            watch->wake -= own * change;
        worst = change > worst ? change : worst;
    }
    range->change = worst;
    range->size = size;
}

void carom_rest_round_sweep(carom_rest *rest, carom_rest_range *range, const carom_rest_pass *now)
{
    if (rest->rolls)
        sweep(rest, range, now, true);
    else
        sweep(rest, range, now, false);
}

void carom_rest_round_store(const carom_rest *rest, const carom_rest_island *island,
                            unsigned char *moved, int threads)
{
    carom_world *world = rest->step->world;
    int end = island->first_body + carom_team_end(island->body_count, threads);
    for (int k = island->first_body + carom_team_begin(island->body_count, threads); k < end; ++k) {
        int i = rest->member[k];
        moved[i] = !carom_rest_same(world->now.velocity[i], rest->balls[k].v) ||
                   !carom_rest_same(world->now.spin[i], rest->balls[k].w);
        world->now.velocity[i] = rest->balls[k].v;
        world->now.spin[i] = rest->balls[k].w;
    }
    end = island->first + carom_team_end(island->count, threads);
    for (int i = island->first + carom_team_begin(island->count, threads); i < end; ++i) {
        const carom_rest_ball_contact *c = &rest->ball_contacts[i];
        if (!rest->made[i])
            continue;
        rest->step->resting_contacts[rest->press_of[i]].impulse =
            vec3_axpy(c->grip, c->press, c->n);
        if (rest->rolls)
            carom_rest_roll_store(rest, i);
    }
}

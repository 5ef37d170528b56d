// Islands of balls: their records, and the relaxation of one contact.
//
// Between balls the arm of an impulse lies along the normal n. A normal impulse therefore turns
// nothing, K n = n (1/ma + 1/mb), and across the normal K is one number, 1/ma + 1/mb + la^2/Ia +
// lb^2/Ib with the arms l: normal and tangential impulse are found one after the other, each
// exactly, for a third of the general contact's work.
#include "base/team.h"
#include "world/rest.h"

static void load_immovable(carom_rest *rest)
{
    const carom_world *world = rest->step->world;
    int immovable = rest->member_count;
    for (int i = 0; i < world->count; ++i)
        if (world->fixed[i]) {
            rest->balls[immovable] = (carom_rest_ball){ .v = world->now.velocity[i] };
            rest->ball_changed_in[immovable] = 0;
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
        rest->balls[k] = (carom_rest_ball){ .v = world->now.velocity[i],
                                            .inverse_mass = world->inverse_mass[i],
                                            .w = world->now.spin[i],
                                            .inverse_inertia = 1 / world->inertia[i].xx };
    }
}

static carom_rest_ball_contact load_contact(const carom_rest *rest, const carom_touch *touch)
{
    const carom_world *world = rest->step->world;
    int a = rest->place[touch->a], b = rest->place[touch->b];
    const carom_rest_ball *ball_a = &rest->balls[a], *ball_b = &rest->balls[b];
    vec3 n = touch->normal;
    double press = vec3_dot(n, touch->impulse), arm_a = 0, arm_b = 0;
    if (ball_a->inverse_mass > 0)
        arm_a = vec3_dot(n, vec3_sub(touch->point, world->now.position[touch->a]));
    if (ball_b->inverse_mass > 0)
        arm_b = vec3_dot(n, vec3_sub(world->now.position[touch->b], touch->point));
    double mass = ball_a->inverse_mass + ball_b->inverse_mass;
    double turn = arm_a * arm_a * ball_a->inverse_inertia + arm_b * arm_b * ball_b->inverse_inertia;
    bool open = touch->gap > carom_rest_choose_closed(world, touch);
    return (carom_rest_ball_contact){ .a = a,
                                      .b = b,
                                      .n = n,
                                      .press = press,
                                      .grip = vec3_axpy(touch->impulse, -press, n),
                                      .arm_a = arm_a,
                                      .arm_b = arm_b,
                                      .normal_mass = 1 / mass,
                                      .tangent_mass = 1 / (mass + turn),
                                      .target = open ? -touch->gap / rest->step->h : 0,
                                      .friction = touch->friction };
}

static void load_island(carom_rest *rest, const carom_rest_island *island, int threads)
{
    int end = island->first + carom_team_end(island->count, threads);
    for (int i = island->first + carom_team_begin(island->count, threads); i < end; ++i)
        rest->ball_contacts[i] = load_contact(rest, &rest->step->touches[rest->touch_of[i]]);
}

static void load_share(carom_rest *rest, int threads)
{
    load_members(rest, threads);
    carom_team_wait(threads);
    CAROM_TEAM_EACH (k, rest->island_count, threads) {
        const carom_rest_island *island = &rest->islands[k];
        if (island->fresh && island->round && island->count < CAROM_REST_LARGE)
            load_island(rest, island, 1);
    }
    for (int k = 0; k < rest->island_count; ++k) {
        const carom_rest_island *island = &rest->islands[k];
        if (island->fresh && island->round && island->count >= CAROM_REST_LARGE)
            load_island(rest, island, threads);
    }
}

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
    TAKE(world->scratch, rest->ball_changed_in, places, err);
    TAKE(world->scratch, rest->ball_contacts, rest->contact_count, err);
    load_immovable(rest);
    int team = rest->contact_count > 1000 ? world->options.threads : 1;
    CAROM_TEAM(team, load_share(rest, team));
    return CAROM_OK;
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

void carom_rest_round_start(carom_rest *rest, carom_rest_range *range)
{
    const carom_step *step = rest->step;
    double fastest = 0, size = 0;
    for (int i = range->begin; i < range->end; ++i) {
        const carom_rest_ball_contact *c = &rest->ball_contacts[i];
        double u = fabs(step->touches[rest->touch_of[i]].u);
        fastest = u > fastest ? u : fastest;
        if (c->press == 0)
            continue;
        size = 1;
        if (rest->first)
            push(&rest->balls[c->a], &rest->balls[c->b], c, vec3_axpy(c->grip, c->press, c->n),
                 c->grip);
    }
    range->change = fastest;
    range->size = size;
}

// One contact. Returns the square of the change of its impulse.
static inline double relax(carom_rest_ball *balls, carom_rest_ball_contact *c)
{
    carom_rest_ball *a = &balls[c->a], *b = &balls[c->b];
    vec3 n = c->n, apart = vec3_sub(b->v, a->v);
    double u = vec3_dot(n, apart), press = c->press - c->normal_mass * (u - c->target);
    if (!(press > 0)) {
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

void carom_rest_round_sweep(carom_rest *rest, carom_rest_range *range, const carom_rest_pass *now)
{
    int count = range->end - range->begin, *changed_in = rest->ball_changed_in;
    double worst = 0, size = 0;
    for (int k = 0; k < count; ++k) {
        carom_rest_ball_contact *c =
            &rest->ball_contacts[now->forward ? range->begin + k : range->end - 1 - k];
        if (changed_in[c->a] < now->number - 1 && changed_in[c->b] < now->number - 1)
            continue;
        double square = relax(rest->balls, c);
        if (square == 0)
            continue;
        double mass = rest->balls[c->a].inverse_mass + rest->balls[c->b].inverse_mass;
        double change = square * mass * mass;
        if (change > now->enough) {
            if (rest->balls[c->a].inverse_mass > 0)
                changed_in[c->a] = now->number;
            if (rest->balls[c->b].inverse_mass > 0)
                changed_in[c->b] = now->number;
        }
        worst = change > worst ? change : worst;
        size += square * mass;
    }
    range->change = sqrt(worst);
    range->size = size;
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
        rest->step->touches[rest->touch_of[i]].impulse = vec3_axpy(c->grip, c->press, c->n);
    }
}

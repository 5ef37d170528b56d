// Draws impacts from Philox streams by family and number.
#include "support/families.h"

#include <math.h>
#include <stdlib.h>
#include "base/random.h"

enum { FAMILY_SEED = 7 };

static double between(carom_random *r, double min, double max)
{
    return carom_random_between(r, min, max);
}

static bool chance(carom_random *r, double probability)
{
    return carom_random_unit(r) < probability;
}

static vec3 direction(carom_random *r)
{
    double d[3];
    carom_random_direction(r, d);
    return vec3_from(d);
}

// A vector of random direction and length. (One draw a statement: the order in which a compiler
// takes the arguments of a call is its own.)
static vec3 arrow(carom_random *r, double min, double max)
{
    vec3 along = direction(r);
    return vec3_scale(between(r, min, max), along);
}

static vec3 random_velocity(carom_random *r)
{
    return arrow(r, 0.1, 2);
}

static quat random_turn(carom_random *r)
{
    quat q;
    q.w = carom_random_normal(r);
    q.x = carom_random_normal(r);
    q.y = carom_random_normal(r);
    q.z = carom_random_normal(r);
    return quat_unit(q);
}

// Half sizes up to 1 m.
static vec3 box_of(carom_random *r, double min, double least_height)
{
    vec3 half;
    half.x = between(r, min, 1);
    half.y = between(r, min, 1);
    half.z = between(r, least_height, 1);
    return half;
}

static double mass(carom_random *r, family_masses masses)
{
    switch (masses) {
    case MASSES_MILD:
        return exp(between(r, -log(5), log(5)));
    case MASSES_EXTREME:
        return exp(between(r, -6 * log(10), 6 * log(10)));
    default:
        return 1;
    }
}

// Along a random line, so that no coordinate is special.
static void make_chain(instant *s, carom_random *r, family_masses masses, bool resting)
{
    int count = 2 + carom_random_below(r, 9), strikers = 1 + carom_random_below(r, 2);
    vec3 line = direction(r);
    for (int i = 0; i < count; ++i) {
        double speed = resting ? i < strikers && i + 1 < count : between(r, -1, 1);
        instant_ball(s, mass(r, masses), 0.5, vec3_scale(i, line), vec3_scale(speed, line));
        if (i > 0)
            instant_touch(s, i - 1, i);
    }
}

static void make_cradle(instant *s, carom_random *r, family_masses masses)
{
    make_chain(s, r, masses, true);
}

static void make_any_chain(instant *s, carom_random *r, family_masses masses)
{
    make_chain(s, r, masses, false);
}

// True where a unit-diameter sphere at x stays clear of all others but `except`.
static bool clear_of(const instant *s, vec3 x, int except)
{
    for (int i = 0; i < s->impact.body_count; ++i)
        if (i != except && vec3_length(vec3_sub(x, vec3_from(s->bodies[i].position))) < 1 + 1e-3)
            return false;
    return true;
}

static void make_tree(instant *s, carom_random *r, family_masses masses)
{
    int count = 3 + carom_random_below(r, 12);
    vec3 first = random_velocity(r);
    instant_ball(s, mass(r, masses), 0.5, vec3_make(0, 0, 0), first);
    for (int tries = 0; s->impact.body_count < count && tries < 200; ++tries) {
        int parent = carom_random_below(r, s->impact.body_count);
        vec3 x = vec3_add(vec3_from(s->bodies[parent].position), direction(r));
        if (!clear_of(s, x, parent))
            continue;
        vec3 velocity = random_velocity(r);
        int i = instant_ball(s, mass(r, masses), 0.5, x, velocity);
        instant_touch(s, parent, i);
    }
}

// Sites of the face-centred cubic lattice: integers with an even sum, neighbours at sqrt 2.
static void lattice(instant *s, carom_random *r, family_masses masses, bool resting)
{
    int sites[FAMILY_BODIES][3] = { { 0 } }, count = 1, wanted = 4 + carom_random_below(r, 10);
    static const int steps[12][3] = { { 1, 1, 0 }, { 1, -1, 0 }, { -1, 1, 0 }, { -1, -1, 0 },
                                      { 1, 0, 1 }, { 1, 0, -1 }, { -1, 0, 1 }, { -1, 0, -1 },
                                      { 0, 1, 1 }, { 0, 1, -1 }, { 0, -1, 1 }, { 0, -1, -1 } };
    for (int tries = 0; count < wanted && tries < 400; ++tries) {
        int *from = sites[carom_random_below(r, count)];
        const int *step = steps[carom_random_below(r, 12)];
        int site[3] = { from[0] + step[0], from[1] + step[1], from[2] + step[2] };
        bool taken = false;
        for (int i = 0; i < count; ++i)
            taken = taken ||
                    (sites[i][0] == site[0] && sites[i][1] == site[1] && sites[i][2] == site[2]);
        for (int k = 0; k < 3 && !taken; ++k)
            sites[count][k] = site[k];
        count += !taken;
    }
    quat turn = random_turn(r);
    for (int i = 0; i < count; ++i) {
        vec3 x = vec3_make(sites[i][0], sites[i][1], sites[i][2]);
        vec3 velocity = resting ? vec3_make(0, 0, 0) : random_velocity(r);
        instant_ball(s, mass(r, masses), 0.5, vec3_scale(sqrt(0.5), quat_rotate(turn, x)),
                     velocity);
        for (int j = 0; j < i; ++j) {
            int d[3] = { sites[i][0] - sites[j][0], sites[i][1] - sites[j][1],
                         sites[i][2] - sites[j][2] };
            if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] == 2)
                instant_touch(s, j, i);
        }
    }
}

static void make_lattice(instant *s, carom_random *r, family_masses masses)
{
    lattice(s, r, masses, false);
}

// The last sphere of the lattice flies at its neighbours.
static void make_break(instant *s, carom_random *r, family_masses masses)
{
    lattice(s, r, masses, true);
    vec3 x = vec3_from(s->bodies[s->impact.body_count - 1].position), target = { 0, 0, 0 };
    for (int i = 0; i + 1 < s->impact.body_count; ++i)
        target =
            vec3_axpy(target, 1.0 / (s->impact.body_count - 1), vec3_from(s->bodies[i].position));
    vec3 aim = vec3_unit(vec3_sub(target, x));
    aim = vec3_unit(vec3_add(aim, arrow(r, 0, 0.5)));
    vec3_store(aim, s->bodies[s->impact.body_count - 1].velocity);
}

// A corner or edge point of a box's lower face, in the world.
static vec3 under(const instant *s, int box, vec3 half, quat turn, double x, double y)
{
    vec3 at = quat_rotate(turn, vec3_make(x * half.x, y * half.y, -half.z));
    return vec3_add(vec3_from(s->bodies[box].position), at);
}

static void make_box(instant *s, carom_random *r, family_masses masses)
{
    static const double faces[4][2] = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } };
    vec3 half = box_of(r, 0.3, 0.1);
    quat turn = random_turn(r);
    vec3 down = quat_rotate(turn, vec3_make(0, 0, -1));
    int floor = instant_wall(s, vec3_make(0, 0, 0));
    double fall = between(r, 0, 2);
    vec3 velocity = vec3_axpy(vec3_scale(0.5, random_velocity(r)), fall, down);
    int box = instant_box(s, mass(r, masses), half, turn, vec3_make(0, 0, 0), velocity);
    if (chance(r, 0.7))
        vec3_store(random_velocity(r), s->bodies[box].spin);
    int corners = 1 + carom_random_below(r, 4);
    double reach = chance(r, 0.3) ? 0 : 1; // half a face: the two far corners stand in the middle
    for (int i = 0; i < corners; ++i) {
        double x = i == 1 || i == 2 ? reach : -1, y = faces[i][1];
        instant_contact(s, floor, box, under(s, box, half, turn, x, y), vec3_unit(vec3_neg(down)));
    }
}

static void make_stack(instant *s, carom_random *r, family_masses masses)
{
    static const double corners[4][2] = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } };
    int count = 2 + carom_random_below(r, 2), below = instant_wall(s, vec3_make(0, 0, 0));
    quat turn = random_turn(r);
    vec3 up = quat_rotate(turn, vec3_make(0, 0, 1)), half = { 0.6, 0.5, 0.25 };
    double fall = chance(r, 0.5) ? 0 : -1;
    for (int k = 0; k < count; ++k) {
        int box = instant_box(s, mass(r, masses), half, turn, vec3_scale(0.25 + 0.5 * k, up),
                              vec3_scale(fall, up));
        for (int i = 0; i < 4; ++i)
            instant_contact(s, below, box, under(s, box, half, turn, corners[i][0], corners[i][1]),
                            vec3_unit(up));
        below = box;
        half.y *= between(r, 0.6, 1);
        half.x *= between(r, 0.6, 1);
    }
    double aside = between(r, -0.3, 0.3);
    vec3 side = quat_rotate(turn, vec3_make(between(r, -0.3, 0.3), aside, 0));
    vec3 top = vec3_axpy(side, 0.5 * count, up);
    vec3 velocity = vec3_axpy(vec3_scale(0.3, random_velocity(r)), -1, up);
    int ball = instant_ball(s, mass(r, masses), 0.25, vec3_axpy(top, 0.25, up), velocity);
    instant_contact(s, below, ball, top, vec3_unit(up));
}

static void make_wedge(instant *s, carom_random *r, family_masses masses)
{
    double slope = between(r, 0.15, 1.4);
    vec3 left = { sin(slope), 0, cos(slope) }, right = { -sin(slope), 0, cos(slope) };
    quat turn = random_turn(r);
    left = quat_rotate(turn, left);
    right = quat_rotate(turn, right);
    int wall = instant_wall(s, vec3_make(0, 0, 0));
    vec3 velocity = vec3_axpy(vec3_scale(0.4, random_velocity(r)), -1, vec3_add(left, right));
    int ball = instant_ball(s, mass(r, masses), 0.5, vec3_make(0, 0, 0), velocity);
    instant_contact(s, wall, ball, vec3_scale(-0.5, left), vec3_unit(left));
    instant_contact(s, wall, ball, vec3_scale(-0.5, right), vec3_unit(right));
    if (chance(r, 0.5)) { // a second ball on top
        vec3 up = vec3_unit(vec3_add(vec3_add(left, right), vec3_scale(0.3, direction(r))));
        int other = instant_ball(s, mass(r, masses), 0.5, up, vec3_scale(-1, up));
        instant_touch(s, ball, other);
    }
}

static void make_ring(instant *s, carom_random *r, family_masses masses)
{
    int count = 3 + carom_random_below(r, 6);
    double angle = 2 * acos(-1) / count, radius = 0.5 / sin(angle / 2);
    bool regular = chance(r, 0.5);
    quat turn = random_turn(r);
    for (int i = 0; i < count; ++i) {
        vec3 out = quat_rotate(turn, vec3_make(cos(i * angle), sin(i * angle), 0));
        double speed = regular ? 1 : between(r, 0, 1);
        instant_ball(s, mass(r, masses), 0.5, vec3_scale(radius, out), vec3_scale(-speed, out));
    }
    for (int i = 0; i < count; ++i)
        instant_touch(s, i, (i + 1) % count);
}

// One immovable body moves: the floor or wedge where there is one, else a ball becomes a driver.
static void drive(instant *s, carom_random *r)
{
    int body = carom_random_below(r, s->impact.body_count);
    for (int i = 0; i < s->impact.body_count; ++i)
        if (s->bodies[i].inverse_mass == 0)
            body = i;
    carom_impact_body *driver = &s->bodies[body];
    driver->inverse_mass = 0;
    for (int k = 0; k < 6; ++k)
        driver->inverse_inertia[k] = 0;
    vec3_store(random_velocity(r), driver->velocity);
    if (chance(r, 0.3))
        vec3_store(random_velocity(r), driver->spin);
}

static void give_materials(instant *s, carom_random *r, family_problem *problem)
{
    static const double usual[] = { 0, 0.25, 0.5, 0.75, 0.9, 1 };
    problem->one_restitution = chance(r, 0.7);
    problem->restitution = chance(r, 0.5) ? 1 : usual[carom_random_below(r, 6)];
    problem->friction = chance(r, 0.4);
    double one_friction = chance(r, 0.5) ? between(r, 0, 2) : -1;
    for (int i = 0; i < s->impact.contact_count; ++i) {
        carom_impact_contact *contact = &s->contacts[i];
        contact->restitution =
            problem->one_restitution ? problem->restitution : carom_random_unit(r);
        contact->exponent = problem->number % 2 ? 1.5 : 1;
        if (problem->friction)
            contact->friction = one_friction >= 0 ? one_friction : between(r, 0, 2);
    }
    // of its own stream: the other numbers stay what they were
    carom_random aside = carom_random_make(FAMILY_SEED + 1, problem->number);
    bool rebounds = problem->friction && chance(&aside, 0.5);
    for (int i = 0; i < s->impact.contact_count && rebounds; ++i)
        s->contacts[i].tangential_restitution = between(&aside, -1, 1);
}

family_problem family_make(instant *s, uint64_t number)
{
    static void (*const makers[])(instant *, carom_random *, family_masses) = {
        make_any_chain, make_cradle, make_tree,  make_lattice, make_break,
        make_box,       make_stack,  make_wedge, make_ring,
    };
    carom_random r = carom_random_make(FAMILY_SEED, number);
    family_problem problem = { .number = number, .kind = (family_kind)(number % FAMILY_COUNT) };
    double draw = carom_random_unit(&r);
    problem.masses = draw < 0.4 ? MASSES_EQUAL : draw < 0.85 ? MASSES_MILD : MASSES_EXTREME;
    instant_clear(s);
    makers[problem.kind](s, &r, problem.masses);
    problem.driven = chance(&r, 0.15) && s->impact.body_count > 2;
    if (problem.driven)
        drive(s, &r);
    give_materials(s, &r, &problem);
    return problem;
}

const char *family_words(family_kind kind)
{
    static const char *const words[] = {
#define FAMILY_WORDS(name, sentence) sentence,
        FAMILY_LIST(FAMILY_WORDS)
#undef FAMILY_WORDS
    };
    return words[kind];
}

// -- restitution -----------------------------------------------------------------------------

// Any inertia a body can have: the moments of three masses on the axes, turned.
static int make_rigid(instant *s, carom_random *r, vec3 position)
{
    vec3 half = box_of(r, 0.02, 0.02), velocity = random_velocity(r);
    quat turn = random_turn(r);
    int i = instant_box(s, exp(between(r, -log(30), log(30))), half, turn, position, velocity);
    if (chance(r, 0.7))
        vec3_store(arrow(r, 0, 5), s->bodies[i].spin);
    return i;
}

static void make_single(instant *s, carom_random *r)
{
    vec3 normal = direction(r);
    int a = chance(r, 0.5) ? instant_wall(s, vec3_make(0, 0, 0)) : make_rigid(s, r, arrow(r, 0, 1));
    int b = make_rigid(s, r, arrow(r, 0, 1));
    // Towards one another at the contact, with slip of any size.
    vec3 along = direction(r), slip = vec3_scale(exp(between(r, -3, 2)), along);
    vec3_store(vec3_axpy(slip, -between(r, 0.2, 2), normal), s->bodies[b].velocity);
    instant_contact(s, a, b, vec3_make(0, 0, 0), vec3_unit(normal));
}

static void make_lifeless(instant *s, carom_random *r, uint64_t number)
{
    static void (*const makers[])(instant *, carom_random *,
                                  family_masses) = { make_box, make_stack, make_wedge };
    makers[number % 3](s, r, MASSES_MILD);
    vec3 slip = arrow(r, 0, 6);
    for (int i = 0; i < s->impact.body_count; ++i)
        if (s->bodies[i].inverse_mass > 0)
            vec3_store(vec3_add(vec3_from(s->bodies[i].velocity), slip), s->bodies[i].velocity);
}

void family_restitution(instant *s, uint64_t number)
{
    static const double usual[] = { 0, 0.25, 0.5, 0.75, 0.9, 1 };
    carom_random r = carom_random_make(FAMILY_SEED + 1, number);
    bool inelastic = number % 4 == 3;
    instant_clear(s);
    if (inelastic)
        make_lifeless(s, &r, number / 4);
    else
        make_single(s, &r);
    instant_set_restitution(s, inelastic ? 0 : usual[carom_random_below(&r, 6)]);
    instant_set_friction(s, chance(&r, 0.2) ? 0 : between(&r, 0, 2));
    instant_set_exponent(s, number % 2 ? 1.5 : 1);
}

// From which approach speed on a contact bounces, where the user has not said it.
//
// An approach slower than FINE rests. Inside a pile at rest that is not enough: its bodies have the
// velocities that the resting solver left, known to a part of g h (g: gravity, h: the step), and a
// body that loses its support for one step comes back with g h. Taken for impacts, these would go
// to the law with everything they touch, at every step, and restitution would keep the pile
// trembling. So between bodies that the contacts of the last step connect, directly or through
// others, and between those and what cannot move, an approach of up to g h rests. Joints connect as
// contacts do: a figure that lies on the floor is a pile, and so is the box that lies on it.
//
// A body alone on the floor, balls that roll on a table, and what falls onto a pile are not meant:
// their velocities are exact, and they bounce down to FINE. Neither are pairs that lose nothing.
#include "base/sets.h"
#include "world/step.h"

#define FINE 0.01 // m/s

carom_resting carom_resting_speeds(const carom_world_options *options, double step)
{
    if (!options)
        return (carom_resting){ 0 };
    double set = options->resting_speed;
    if (set >= 0)
        return (carom_resting){ .chosen = 0, .plain = set, .pile = set };
    double fall = vec3_length(vec3_from(options->gravity)) * step;
    return (carom_resting){ .chosen = 1, .plain = FINE, .pile = fmax(FINE, fall) };
}

double carom_resting_fine(const carom_world *world)
{
    return carom_resting_speeds(&world->options, 0).plain;
}

static void join_by_joints(const carom_world *world, int *parent)
{
    for (int j = 0; j < world->joint_count; ++j) {
        const carom_world_joint *joint = &world->joints[j];
        if (!joint->broken && joint->a >= 0 && joint->b >= 0 && !world->fixed[joint->a] &&
            !world->fixed[joint->b])
            sets_join(parent, joint->a, joint->b);
    }
}

static void join_by_contacts(const carom_world *world, int *parent)
{
    int last_a = -1, last_b = -1; // the points of a pair stand in a row
    for (int i = 0; i < world->warm.count; ++i) {
        int a = world->warm.contacts[i].a, b = world->warm.contacts[i].b;
        if (a == last_a && b == last_b)
            continue;
        last_a = a, last_b = b;
        if (!world->fixed[a] && !world->fixed[b])
            sets_join(parent, a, b);
    }
}

// The root of each body's pile; of a body that is in none, and of one that cannot move: below 0.
static void find_piles(const carom_world *world, int *parent, int *pile)
{
    const int none = -1, alone = -2;
    for (int i = 0; i < world->count; ++i) {
        parent[i] = i;
        pile[i] = none;
    }
    join_by_joints(world, parent);
    join_by_contacts(world, parent);
    for (int i = 0; i < world->warm.count; ++i) { // a linkage that nothing presses is no pile
        const carom_warm_contact *contact = &world->warm.contacts[i];
        pile[sets_find(parent, world->fixed[contact->a] ? contact->b : contact->a)] = alone;
    }
    for (int i = 0; i < world->count; ++i) {
        int root = sets_find(parent, i);
        if (root != i && pile[root] != none)
            pile[i] = pile[root] = root;
    }
}

static bool in_one_pile(const carom_world *world, const int *pile, const carom_candidate *candidate)
{
    int a = candidate->a, b = candidate->b;
    if (world->fixed[a] || world->fixed[b])
        return pile[world->fixed[a] ? b : a] >= 0;
    return pile[a] >= 0 && pile[a] == pile[b];
}

static void raise_piles(carom_step *step, const int *pile, double coarse)
{
    const carom_world *world = step->world;
    const bool some = carom_restitution_materials_elastic(world);
    for (int i = 0; i < step->candidate_count; ++i) {
        carom_candidate *candidate = &step->candidates[i];
        bool loses = (!some && candidate->restitution < 0) ||
                     carom_restitution_now(world, candidate) < CAROM_RESTITUTION_ELASTIC;
        if (loses && in_one_pile(world, pile, candidate))
            candidate->resting = coarse;
    }
}

carom_status carom_resting_choose(carom_step *step, carom_error *err)
{
    carom_world *world = step->world;
    double coarse = carom_resting_speeds(&world->options, step->whole).pile;
    if (!(coarse > carom_resting_fine(world)) || world->warm.count == 0)
        return CAROM_OK;
    carom_arena_mark mark = carom_arena_mark_here(world->scratch);
    int *parent, *pile;
    TAKE(world->scratch, parent, world->count, err);
    TAKE(world->scratch, pile, world->count, err);
    find_piles(world, parent, pile);
    raise_piles(step, pile, coarse);
    carom_arena_rewind(world->scratch, mark);
    return CAROM_OK;
}

// Sleeping islands.
//
// An island, bodies that touching contacts or joints connect, falls asleep when every one of its
// bodies has been slower than `sleep_speed` for `sleep_after` seconds and nothing that moves by
// itself touches it. It is then frozen: its bodies are immovable to everything, their velocities
// and the impulses between them are set aside, and come back unchanged when it wakes. So sleeping
// takes no energy and waking brings none: the ledger goes on counting what they have.
//
// An island wakes as a whole
//   - when a body that is awake, or a driven one that moves, touches one of its bodies or will
//   within
//     the interval: the step is undone and begun anew with the island awake, so that no law and no
//     solver ever sees a sleeper as immovable in a contact that acts;
//   - when something is done to one of its bodies or joints from outside, before it is done;
//   - all of them, when gravity, the law or an option changes, when an immovable body is changed or
//     removed, and when a snapshot without sleepers is restored.
// All of it depends on states alone: the number of threads does not affect the result.
#include "world/world_sleep.h"

#include <string.h>
#include "base/sets.h"
#include "collide/narrow.h"
#include "world/ledger.h"
#include "world/world_handle.h"

// -- one body -------------------------------------------------------------------------------------

// The loops of a step pass sleepers over: what they would write of them is written here.
static void set_aside(carom_world *world, int i)
{
    const vec3 zero = { 0, 0, 0 };
    world->inverse_inertia[i] = (sym3){ 0 };
    world->pull[i] = world->spin_pull[i] = world->before[i] = zero;
    world->pull_size[i] = vec3_length(vec3_from(world->options.gravity));
    world->reach[i] = 0;
#define SAVE(type, name) world->saved.name[i] = world->now.name[i];
    CAROM_WORLD_STATE_ARRAYS(SAVE)
#undef SAVE
}

void carom_world_sleep_set(carom_world *world, int i, int island)
{
    const vec3 zero = { 0, 0, 0 };
    world->asleep[i] = 1;
    world->bed[i] = island;
    world->kept_velocity[i] = world->now.velocity[i];
    world->kept_spin[i] = world->now.spin[i];
    world->now.velocity[i] = world->now.spin[i] = zero;
    world->fixed[i] = 1;
    world->sphere[i] = 0;
    world->inverse_mass[i] = 0;
    world->thickness[i] = HUGE_VAL;
    world->asleep_radius = fmax(world->asleep_count == 0 ? 0 : world->asleep_radius,
                                carom_shape_radius(world->shape[i]));
    ++world->asleep_count;
    ++world->ledger_epoch;
    set_aside(world, i);
}

static void wake_alone(carom_world *world, int i)
{
    if (!world->asleep[i])
        return;
    world->asleep[i] = 0;
    world->quiet[i] = 0;
    world->now.velocity[i] = world->kept_velocity[i];
    world->now.spin[i] = world->kept_spin[i];
    carom_world_bodies_weigh(world, i);
    --world->asleep_count;
    ++world->ledger_epoch;
}

// -- impulses between sleepers ---------------------------------------------------------------

static bool of_sleepers(const carom_world *world, const carom_warm_contact *c)
{
    return world->asleep[c->a] || world->asleep[c->b];
}

// Moves the contacts of those who sleep (or no longer do) from one list to the other; both keep
// their order. The lists have room.
static void move_contacts(const carom_world *world, carom_warm_start *from, carom_warm_start *to,
                          bool asleep)
{
    int kept = 0;
    for (int k = 0; k < from->count; ++k) {
        bool moves = of_sleepers(world, &from->contacts[k]) == asleep;
        carom_warm_start *list = moves ? to : from;
        int *at = moves ? &to->count : &kept;
        if (world->rolling)
            list->rolling[*at] = from->rolling[k];
        list->contacts[(*at)++] = from->contacts[k];
    }
    from->count = kept;
}

// -- falling asleep --------------------------------------------------------------------------

typedef struct islands {
    int *parent;
    unsigned char *restless; // at the roots
} islands;

static bool moves_by_itself(const carom_world *world, int i)
{
    if (world->kind[i] != CAROM_BODY_DRIVEN)
        return false;
    vec3 v = world->now.velocity[i], w = world->now.spin[i];
    return world->drive[i].frequency > 0 || vec3_dot(v, v) > 0 || vec3_dot(w, w) > 0;
}

static void connect(const carom_world *world, islands *all, int a, int b)
{
    bool still_a = a < 0 || world->fixed[a], still_b = b < 0 || world->fixed[b];
    if (!still_a && !still_b)
        sets_join(all->parent, a, b);
}

// What touches or is joined to something that moves by itself stays awake.
static void disquiet(const carom_world *world, islands *all, int a, int b)
{
    for (int k = 0; k < 2; ++k) {
        int one = k ? b : a, other = k ? a : b;
        if (one >= 0 && other >= 0 && !world->fixed[one] && moves_by_itself(world, other))
            all->restless[sets_find(all->parent, one)] = 1;
    }
}

// A contact that rests holds bodies together, whether it presses or not.
static bool touches(const carom_world *world, const carom_candidate *c)
{
    return c->gap <= 2 * world->options.slop;
}

static void find_islands(const carom_step *step, islands *all)
{
    const carom_world *world = step->world;
    for (int i = 0; i < world->count; ++i)
        all->parent[i] = i;
    for (int pass = 0; pass < 2; ++pass) {
        for (int k = 0; k < step->candidate_count; ++k)
            if (touches(world, &step->candidates[k]))
                (pass ? disquiet : connect)(world, all, step->candidates[k].a,
                                            step->candidates[k].b);
        for (int j = 0; j < world->joint_count; ++j)
            (pass ? disquiet : connect)(world, all, world->joints[j].a, world->joints[j].b);
    }
    for (int i = 0; i < world->count; ++i)
        if (!world->fixed[i] && !(world->quiet[i] >= world->options.sleep_after))
            all->restless[sets_find(all->parent, i)] = 1;
}

// How long each body has been slow. One that flies is not, whatever its speed.
static void listen(const carom_step *step)
{
    carom_world *world = step->world;
    for (int i = 0; i < world->count; ++i) {
        if (world->fixed[i])
            continue;
        double speed = vec3_length(world->now.velocity[i]) +
                       vec3_length(world->now.spin[i]) * carom_shape_radius(world->shape[i]);
        bool slow = speed < world->options.sleep_speed;
        world->quiet[i] = slow ? world->quiet[i] + step->whole : 0;
    }
}

static carom_status settle(const carom_step *step, carom_error *err)
{
    carom_world *world = step->world;
    islands all;
    TRY(carom_warm_start_reserve(world, &world->warm_asleep,
                                 (size_t)(world->warm_asleep.count + world->warm.count), err));
    TAKE(world->scratch, all.parent, world->count, err);
    TAKE_ZEROS(world->scratch, all.restless, world->count, err);
    find_islands(step, &all);
    int before = world->asleep_count;
    for (int i = 0; i < world->count; ++i) {
        int root = world->fixed[i] ? -1 : sets_find(all.parent, i);
        if (root >= 0 && !all.restless[root])
            carom_world_sleep_set(world, i, root);
    }
    if (world->asleep_count > before) {
        world->linkage_stale = world->joint_count > 0;
        move_contacts(world, &world->warm, &world->warm_asleep, true);
    }
    return CAROM_OK;
}

void carom_world_sleep_settle(const carom_step *step)
{
    carom_error ignored; // without memory nobody falls asleep
    if (!(step->world->options.sleep_after > 0))
        return;
    listen(step);
    settle(step, &ignored);
}

// -- while all sleep -------------------------------------------------------------------------

bool carom_world_sleep_all(const carom_world *world)
{
    if (world->asleep_count == 0)
        return false;
    for (int i = 0; i < world->count; ++i)
        if (!world->fixed[i] || moves_by_itself(world, i))
            return false;
    return true;
}

void carom_world_sleep_pass(carom_world *world, double dt)
{
    carom_ledger *ledger = &world->now.ledger;
    carom_journal_begin(world);
    ledger->sweeps = ledger->rest_sweeps = ledger->contacts = 0;
    ledger->rest_residual = ledger->overlap = 0;
    ledger->time += dt;
    ++ledger->steps;
}

// -- who is far from all that moves ----------------------------------------------------------

// Cells of an edge that two bodies in touch share, or that are neighbours; by a hash, so that a
// cell may be taken for another, and its sleepers are looked at for nothing.
enum { CELL_BITS = 16 };

static uint32_t cell_of(const long long cell[3])
{
    uint64_t mixed = (uint64_t)cell[0] * UINT64_C(0x9e3779b97f4a7c15) ^
                     (uint64_t)cell[1] * UINT64_C(0xbf58476d1ce4e5b9) ^
                     (uint64_t)cell[2] * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((mixed ^ mixed >> 32) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - CELL_BITS));
}

// Each cell is one edge wide; to which of two a point between them belongs is all the same.
static inline long long cell_along(double x, double per_edge)
{
    const double far = 1e15; // all the same to whoever is so far out
    double q = x * per_edge;
    q = q > far ? far : q < -far ? -far : q;
    return (long long)q - (q < 0);
}

static void cell_at(const carom_world *world, int i, double per_edge, long long cell[3])
{
    vec3 x = world->now.position[i];
    cell[0] = cell_along(x.x, per_edge);
    cell[1] = cell_along(x.y, per_edge);
    cell[2] = cell_along(x.z, per_edge);
}

static bool stirs(const carom_world *world, int i)
{
    return !world->fixed[i] || world->kind[i] == CAROM_BODY_DRIVEN;
}

// 0 where something that moves has no end.
static double edge_of(const carom_world *world, double margin)
{
    double mover = 0;
    for (int i = 0; i < world->count; ++i)
        if (!world->asleep[i] && stirs(world, i))
            mover = fmax(mover, carom_shape_radius(world->shape[i]) + world->reach[i]);
    double edge = 1.001 * (mover + world->asleep_radius + margin);
    return edge > 0 && isfinite(edge) ? edge : 0;
}

carom_status carom_world_sleep_far(carom_world *world, double margin, unsigned char **far,
                                   carom_error *err)
{
    *far = NULL;
    double edge = edge_of(world, margin), per_edge = 1 / edge;
    uint64_t *near;
    long long cell[3], next[3];
    if (edge == 0 || world->periodic) // cells know no images: all are looked at
        return CAROM_OK;
    TAKE_ZEROS(world->scratch, near, (1 << CELL_BITS) / 64, err);
    TAKE_ZEROS(world->scratch, *far, world->count, err);
    for (int i = 0; i < world->count; ++i) {
        if (world->asleep[i] || !stirs(world, i))
            continue;
        cell_at(world, i, per_edge, cell);
        for (int k = 0; k < 27; ++k) {
            next[0] = cell[0] + k % 3 - 1, next[1] = cell[1] + k / 3 % 3 - 1;
            next[2] = cell[2] + k / 9 - 1;
            uint32_t c = cell_of(next);
            near[c / 64] |= UINT64_C(1) << c % 64;
        }
    }
    for (int i = 0; i < world->count; ++i) {
        if (!world->asleep[i])
            continue;
        cell_at(world, i, per_edge, cell);
        uint32_t c = cell_of(cell);
        (*far)[i] = !(near[c / 64] >> c % 64 & 1);
    }
    return CAROM_OK;
}

// -- waking ----------------------------------------------------------------------------------

static void note(carom_world *world, int i)
{
    world->disturbed[i] = 1;
    world->disturbance = true;
}

bool carom_world_sleep_disturbed(const carom_step *step)
{
    carom_world *world = step->world;
    double h = step->remaining, near = 2 * world->options.slop;
    for (int k = 0; world->asleep_count > 0 && k < step->candidate_count; ++k) {
        const carom_candidate *c = &step->candidates[k];
        if (!world->asleep[c->a] && !world->asleep[c->b])
            continue;
        double fall = 0.5 * fmax(world->pull_size[c->a], world->pull_size[c->b]) * h * h;
        if (c->gap + fmin(0, c->u) * h - fall <= near)
            note(world, world->asleep[c->a] ? c->a : c->b);
    }
    return world->disturbance;
}

void carom_world_sleep_touch(carom_world *world, int a, int b)
{
    int sleeper = world->asleep[a] ? a : b, mover = world->asleep[a] ? b : a;
    if (!moves_by_itself(world, mover))
        return;
    carom_pose pa = carom_pose_make(world->now.position[a], world->now.rotation[a]);
    carom_pose pb = carom_pose_make(carom_world_image(world, a, b), world->now.rotation[b]);
    double reach = world->reach[mover] + 2 * world->options.slop;
    if (carom_narrow_gap(world->shape[a], &pa, world->shape[b], &pb, reach).gap <= reach)
        note(world, sleeper);
}

// Wakes every island of which somebody is noted, and hands back the impulses between its bodies.
bool carom_world_sleep_wake_noted(carom_world *world)
{
    if (!world->disturbance)
        return false;
    int *island = world->bed;
    for (int i = 0; i < world->count; ++i) // a bed is the slot of an island's first body
        if (world->disturbed[i] && world->asleep[i])
            world->disturbed[island[i]] |= 2;
    for (int i = 0; i < world->count; ++i)
        if (world->asleep[i] && (world->disturbed[island[i]] & 2))
            world->disturbed[i] |= 4;
    for (int i = 0; i < world->count; ++i) {
        if (world->disturbed[i] & 4)
            wake_alone(world, i);
        world->disturbed[i] = 0;
    }
    world->disturbance = false;
    world->linkage_stale = world->joint_count > 0;
    carom_error ignored;
    size_t most = (size_t)(world->warm.count + world->warm_asleep.count);
    if (carom_warm_start_reserve(world, &world->warm, most, &ignored) == CAROM_OK)
        move_contacts(world, &world->warm_asleep, &world->warm, false);
    else
        world->warm_asleep.count = 0; // only where the resting solve starts from is lost
    return true;
}

void carom_world_sleep_wake(carom_world *world, int i)
{
    if (world->asleep[i])
        note(world, i);
    carom_world_sleep_wake_noted(world);
}

void carom_world_sleep_wake_all(carom_world *world)
{
    for (int i = 0; world->asleep_count > 0 && i < world->count; ++i)
        if (world->asleep[i])
            note(world, i);
    carom_world_sleep_wake_noted(world);
}

int carom_world_asleep(const carom_world *world, carom_body_id body)
{
    return carom_world_has_body(world, body) && world->asleep[body.slot];
}

int carom_world_asleep_count(const carom_world *world)
{
    return world ? world->asleep_count : 0;
}

carom_status carom_world_wake(carom_world *world, carom_body_id body, carom_error *err)
{
    int i;
    TRY(carom_world_handle_body(world, body, &i, err));
    carom_world_sleep_wake(world, i);
    return CAROM_OK;
}

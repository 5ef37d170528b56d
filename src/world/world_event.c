// Events: the pairs that touch in a step against those of the step before, and the impacts between.
//
// The intervals of a step note who touches; when the step has gone well the notes are sorted and
// compared with those of the last. Memory that cannot be had loses events, not the step.
#include "world/world_event.h"

#include <stdlib.h>
#include "base/memory.h"
#include "collide/narrow.h"
#include "world/step.h"

bool carom_world_event_reserve(carom_touches *touches, size_t count)
{
    if (count <= (size_t)touches->capacity)
        return true;
    size_t capacity = touches->capacity ? 2 * (size_t)touches->capacity : 256;
    capacity = capacity < count ? count : capacity;
    if (!carom_world_grow((void **)&touches->list, capacity, sizeof *touches->list))
        return false;
    touches->capacity = (int)capacity;
    return true;
}

static void note(carom_world *world, int a, int b, bool sensor)
{
    carom_touches *now = &world->events.now;
    int low = a < b ? a : b, high = a < b ? b : a;
    uint64_t key = (uint64_t)(uint32_t)low << 32 | (uint32_t)high;
    if (now->count > 0 && now->list[now->count - 1].key == key)
        return; // contacts of a pair stand together
    if (!carom_world_event_reserve(now, (size_t)now->count + 1))
        return;
    now->list[now->count++] =
        (carom_touch){ key, { world->generation[low], world->generation[high] }, sensor };
}

void carom_world_event_begin(carom_world *world)
{
    world->events.count = world->events.now.count = 0;
}

void carom_world_event_touch(const carom_step *step)
{
    carom_world *world = step->world;
    for (int i = 0; world->events.on && i < step->candidate_count; ++i)
        if (step->candidates[i].gap <= world->options.slop)
            note(world, step->candidates[i].a, step->candidates[i].b, false);
}

void carom_world_event_press(const carom_step *step)
{
    carom_world *world = step->world;
    for (int i = 0; world->events.on && i < step->resting_count; ++i) {
        const carom_resting_contact *resting = &step->resting_contacts[i];
        if (vec3_dot(resting->impulse, resting->impulse) > 0)
            note(world, resting->a, resting->b, false);
    }
}

void carom_world_event_sense(carom_world *world, int a, int b)
{
    if (!world->events.on)
        return;
    carom_pose pa = carom_pose_make(world->now.position[a], world->now.rotation[a]);
    carom_pose pb = carom_pose_make(carom_world_image(world, a, b), world->now.rotation[b]);
    if (carom_narrow_gap(world->shape[a], &pa, world->shape[b], &pb, world->options.slop).gap <= 0)
        note(world, a, b, true);
}

static carom_contact_event *next(carom_world_event_list *events)
{
    if (events->count == events->capacity) {
        size_t capacity = events->capacity ? 2 * (size_t)events->capacity : 256;
        if (!carom_world_grow((void **)&events->list, capacity, sizeof *events->list))
            return NULL;
        events->capacity = (int)capacity;
    }
    return &events->list[events->count++];
}

void carom_world_event_hit(carom_world *world, const carom_candidate *candidate, double speed,
                           vec3 impulse)
{
    double size = vec3_length(impulse);
    if (!world->events.on || !(size > 0))
        return;
    note(world, candidate->a, candidate->b, false);
    carom_contact_event *event = next(&world->events);
    if (!event)
        return;
    *event = (carom_contact_event){ .kind = CAROM_EVENT_HIT,
                                    .a = carom_world_body_at(world, candidate->a),
                                    .b = carom_world_body_at(world, candidate->b),
                                    .time = world->now.ledger.time,
                                    .speed = fmax(0, -speed),
                                    .impulse = size };
    vec3_store(candidate->point, event->point);
    vec3_store(candidate->normal, event->normal);
}

static int by_key(const void *one, const void *two)
{
    uint64_t a = ((const carom_touch *)one)->key, b = ((const carom_touch *)two)->key;
    return (a > b) - (a < b);
}

static void sort(carom_touches *touches)
{
    int kept = 0;
    if (touches->count > 1)
        qsort(touches->list, (size_t)touches->count, sizeof *touches->list, by_key);
    for (int i = 0; i < touches->count; ++i)
        if (i == 0 || touches->list[i].key != touches->list[kept - 1].key)
            touches->list[kept++] = touches->list[i];
    touches->count = kept;
}

static bool same(const carom_touch *a, const carom_touch *b)
{
    return a->key == b->key && a->generation[0] == b->generation[0] &&
           a->generation[1] == b->generation[1];
}

// An event for everybody of `these` who is not among `those`; both are sorted.
static void compare(carom_world *world, const carom_touches *these, const carom_touches *those,
                    carom_event_kind kind)
{
    for (int i = 0, k = 0; i < these->count; ++i) {
        const carom_touch *one = &these->list[i];
        while (k < those->count && those->list[k].key < one->key)
            ++k;
        if (k < those->count && same(&those->list[k], one))
            continue;
        carom_contact_event *event = next(&world->events);
        if (!event)
            return;
        *event = (carom_contact_event){ .kind = kind,
                                        .a = { (int)(one->key >> 32), one->generation[0] },
                                        .b = { (int)(one->key & INT32_MAX), one->generation[1] },
                                        .sensor = one->sensor,
                                        .time = world->now.ledger.time };
    }
}

void carom_world_event_close(carom_world *world)
{
    carom_world_event_list *events = &world->events;
    if (!events->on)
        return;
    for (int i = 0; i < events->before.count; ++i) { // sleepers go on touching
        const carom_touch *t = &events->before.list[i];
        int a = (int)(t->key >> 32), b = (int)(t->key & INT32_MAX);
        if ((world->asleep[a] && world->generation[a] == t->generation[0]) ||
            (world->asleep[b] && world->generation[b] == t->generation[1]))
            note(world, a, b, t->sensor);
    }
    sort(&events->now);
    compare(world, &events->now, &events->before, CAROM_EVENT_BEGIN);
    compare(world, &events->before, &events->now, CAROM_EVENT_END);
    carom_touches before = events->before;
    events->before = events->now;
    events->now = before;
}

void carom_world_record_events(carom_world *world, int on)
{
    if (!world)
        return;
    world->events.on = on != 0;
    world->events.count = world->events.before.count = 0;
}

const carom_contact_event *carom_world_events(const carom_world *world, int *count)
{
    if (!world || !count)
        return NULL;
    *count = world->events.count;
    return world->events.list;
}

void carom_world_event_free(carom_world_event_list *events)
{
    carom_memory_free(events->list);
    carom_memory_free(events->before.list);
    carom_memory_free(events->now.list);
}

// Snapshots: everything that changes in a run, as bytes, number by number, least significant byte
// first. A version and the counts at the front refuse what does not fit; so do numbers that no run
// can reach.
//
// A snapshot is a row of sections, each an array of equal records (world_snapshot_records.c), and
// the head says how many records each has. New state is a new section at the end, with the list of
// its fields and, where its numbers could do harm, a check. What was not changed since the world
// was made has no bytes. Version 1 did not say which bodies and joints were there.
#include <string.h>
#include "base/error.h"
#include "world/ledger.h"
#include "world/ledger_bytes.h"
#include "world/step.h"
#include "world/world_sleep.h"
#include "world/world_snapshot.h"

enum { SNAPSHOT_VERSION = 2, SECTIONS = CAROM_WORLD_SNAPSHOT_SECTIONS };

typedef carom_world_snapshot_head head;
typedef carom_world_snapshot_section section;
typedef carom_world_snapshot_record record;

static const carom_bytes_field head_fields[] = {
    CAROM_BYTES(I32, head, version),       CAROM_BYTES(I32, head, body_count),
    CAROM_BYTES(I32, head, warm_count),    CAROM_BYTES(I32, head, ledger_size),
    CAROM_BYTES(F64, head, warm_interval), { 0 },
};
static const carom_bytes_field more_fields[] = {
    CAROM_BYTES(I32, head, joint_count),
    CAROM_BYTES(I32, head, touch_count),
    CAROM_BYTES(I32, head, has),
    CAROM_BYTES(I32, head, asleep_count),
    { 0 },
};
enum { HEAD_BYTES = 24, MORE_BYTES = 16 };

static carom_status check_ledger(const carom_ledger *l, carom_error *err)
{
    const int64_t max = (int64_t)1e15; // as many steps as a run may have
    const int64_t counts[] = { l->impacts, l->contacts, l->sweeps,  l->rest_sweeps,
                               l->limited, l->capped,   l->endless, l->steps };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
        if (counts[i] < 0 || counts[i] > max)
            return carom_world_snapshot_misplaced(err, "a count of the run", (double)counts[i]);
    if (!(l->time >= 0 && l->time <= (double)max))
        return carom_world_snapshot_misplaced(err, "the time", l->time);
    return CAROM_OK;
}

static head head_of(const carom_world *world)
{
    return (head){ SNAPSHOT_VERSION,
                   (uint32_t)world->count,
                   (uint32_t)world->warm.count,
                   CAROM_LEDGER_BYTES,
                   world->warm.interval,
                   (uint32_t)world->joint_count,
                   world->events.on ? (uint32_t)world->events.before.count : 0,
                   (world->options.sleep_after > 0 || world->asleep_count > 0 ? CAROM_SNAPSHOT_SLEEP
                                                                              : 0u) |
                       (world->events.on ? CAROM_SNAPSHOT_EVENTS : 0u) |
                       (world->rolling ? CAROM_SNAPSHOT_ROLLING : 0u) |
                       (world->altered ? CAROM_SNAPSHOT_ALTERED : 0u) |
                       (world->options_altered ? CAROM_SNAPSHOT_OPTIONS : 0u) |
                       (world->joint_count > 0 ? CAROM_SNAPSHOT_JOINTS : 0u),
                   (uint32_t)world->warm_asleep.count };
}

static size_t size_of(const carom_world *world, const head *h)
{
    section all[SECTIONS];
    size_t size = HEAD_BYTES + (h->version > 1 ? MORE_BYTES : 0) + h->ledger_size;
    carom_world_snapshot_list(world, h, all);
    for (int k = 0; k < SECTIONS; ++k)
        size += all[k].count * carom_bytes_size(all[k].fields);
    return size;
}

size_t carom_world_snapshot_size(const carom_world *world)
{
    if (!world)
        return 0;
    head h = head_of(world);
    return size_of(world, &h);
}

static void put_section(const carom_world *world, const section *s, unsigned char **at)
{
    record one;
    for (size_t i = 0; i < s->count; ++i) {
        const void *from = &one;
        if (s->get)
            s->get(world, (int)i, &one);
        else
            from = (const char *)s->records + i * s->stride;
        carom_bytes_put(s->fields, from, at);
    }
}

void carom_world_snapshot(const carom_world *world, void *bytes)
{
    if (!world || !bytes)
        return;
    unsigned char *at = bytes;
    section all[SECTIONS];
    head h = head_of(world);
    carom_bytes_put(head_fields, &h, &at);
    carom_bytes_put(more_fields, &h, &at);
    carom_ledger_bytes_put(&world->now.ledger, at);
    at += CAROM_LEDGER_BYTES;
    carom_world_snapshot_list(world, &h, all);
    for (int k = 0; k < SECTIONS; ++k)
        put_section(world, &all[k], &at);
}

// Every record of every section by its check; nothing of the world is changed.
static carom_status check_sections(const carom_world *world, const head *h, const unsigned char *at,
                                   carom_error *err)
{
    section all[SECTIONS];
    record one = { 0 };
    carom_world_snapshot_list(world, h, all);
    for (int k = 0; k < SECTIONS; ++k)
        for (size_t i = 0; i < all[k].count; ++i) {
            carom_bytes_get(all[k].fields, &one, &at);
            TRY(all[k].check(world, (int)i, &one, err));
        }
    return CAROM_OK;
}

static carom_status check_head(const carom_world *world, const head *h, size_t size,
                               carom_error *err)
{
    size_t n = (size_t)world->count;
    bool rolling = h->has & CAROM_SNAPSHOT_ROLLING;
    if (h->version < 1 || h->version > SNAPSHOT_VERSION || h->ledger_size > CAROM_LEDGER_BYTES ||
        h->body_count > n || h->joint_count > (uint32_t)world->joint_count ||
        (h->version == 1 && h->body_count != n) || h->has > CAROM_SNAPSHOT_ALL ||
        rolling != world->rolling || size != size_of(world, h)) {
        carom_error_set(
            err, CAROM_BAD_INPUT,
            "the checkpoint (version %u, %u bodies, %zu bytes) does not fit a world of %zu bodies",
            h->version, h->body_count, size, n);
        return carom_error_fix(err, "resume with the scene and the version of Carom that wrote it");
    }
    if (!(h->warm_interval >= 0 && h->warm_interval <= CAROM_WORLD_SNAPSHOT_MAX))
        return carom_world_snapshot_misplaced(err, "the length of the last step", h->warm_interval);
    return CAROM_OK;
}

static void get_section(carom_world *world, const section *s, const unsigned char **at)
{
    record one = { 0 };
    for (size_t i = 0; i < s->count; ++i) {
        carom_bytes_get(s->fields, s->set ? (void *)&one : (char *)s->records + i * s->stride, at);
        if (s->set)
            s->set(world, (int)i, &one);
    }
}

// The head that the bytes begin with; all zeros where there are too few.
static head head_from(const carom_world *world, const unsigned char **at, size_t size)
{
    head h = { 0 };
    if (!*at || size < HEAD_BYTES)
        return h;
    carom_bytes_get(head_fields, &h, at);
    if (h.version > 1 && size >= HEAD_BYTES + MORE_BYTES)
        carom_bytes_get(more_fields, &h, at);
    else if (h.version == 1)
        h.has = world->rolling ? CAROM_SNAPSHOT_ROLLING : 0;
    return h;
}

carom_status carom_world_restore(carom_world *world, const void *bytes, size_t size,
                                 carom_error *err)
{
    NEED(err, world);
    const unsigned char *at = bytes;
    section all[SECTIONS];
    carom_ledger ledger;
    head h = head_from(world, &at, size);
    TRY(check_head(world, &h, size, err));
    carom_ledger_bytes_get(at, h.ledger_size, &ledger);
    at += h.ledger_size;
    TRY(check_ledger(&ledger, err));
    TRY(check_sections(world, &h, at, err));
    TRY(carom_warm_start_grow(world, h.warm_count, err));
    if (!carom_world_event_reserve(&world->events.before, h.touch_count))
        return carom_error_no_memory(err, "events");
    world->events.before.count = (int)h.touch_count;
    carom_world_sleep_wake_all(world);
    world->warm_asleep.count = 0;
    TRY(carom_warm_start_reserve(world, &world->warm_asleep, h.asleep_count, err));
    // before the warm start, which forgets what they touched
    carom_world_snapshot_free_later(world, &h);
    world->warm.count = (int)h.warm_count;
    world->warm.interval = h.warm_interval;
    world->warm_asleep.count = (int)h.asleep_count;
    memset(world->quiet, 0, (size_t)world->count * sizeof *world->quiet);
    carom_world_snapshot_list(world, &h, all);
    for (int k = 0; k < SECTIONS; ++k)
        get_section(world, &all[k], &at);
    world->now.ledger = ledger;
    world->query.fresh = false;
    return CAROM_OK;
}

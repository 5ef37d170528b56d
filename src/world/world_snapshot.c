// Snapshots: everything that changes in a run, as bytes. The same machine family reads it back; a
// version and the sizes at the front refuse anything else, and so do numbers no run can reach.
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "world/ledger.h"
#include "world/ledger_bytes.h"
#include "world/world_handle.h"

// Version 1 did not say which bodies and joints were there.
enum { SNAPSHOT_VERSION = 2 };

typedef struct head {
    uint32_t version, body_count, warm_count, ledger_size;
    double warm_interval;
} head;

static size_t state_size(size_t bodies)
{
#define AND_SIZE(type, name) +sizeof(type)
    return bodies * (0 CAROM_WORLD_STATE_ARRAYS(AND_SIZE));
#undef AND_SIZE
}

// Who is there: per slot of a body or joint its generation, 0 where it is free.
static size_t present_size(size_t bodies, size_t joints)
{
    return (1 + bodies + joints) * sizeof(uint32_t);
}

// Of a contact: its impulse, and its moment where some material resists rolling.
static size_t warm_size(const carom_world *world)
{
    return sizeof *world->warm.contacts + (world->rolling ? sizeof *world->warm.rolling : 0);
}

size_t carom_world_snapshot_size(const carom_world *world)
{
    if (!world)
        return 0;
    return sizeof(head) + CAROM_LEDGER_BYTES + state_size((size_t)world->count) +
           (size_t)world->warm.count * warm_size(world) +
           present_size((size_t)world->count, (size_t)world->joint_count);
}

static carom_status out_of_place(carom_error *err, const char *what, double value)
{
    carom_error_set(err, CAROM_BAD_INPUT, "the checkpoint says %.9g for %s", value, what);
    return carom_error_fix(err, "resume from a file that Carom wrote");
}

static void put(unsigned char **at, const void *bytes, size_t size)
{
    if (size)
        memcpy(*at, bytes, size);
    *at += size;
}

static void take(const unsigned char **at, void *bytes, size_t size)
{
    if (size)
        memcpy(bytes, *at, size);
    *at += size;
}

void carom_world_snapshot(const carom_world *world, void *bytes)
{
    if (!world || !bytes)
        return;
    unsigned char *at = bytes;
    size_t n = (size_t)world->count;
    head h = { SNAPSHOT_VERSION, (uint32_t)world->count, (uint32_t)world->warm.count,
               (uint32_t)CAROM_LEDGER_BYTES, world->warm.interval };
    put(&at, &h, sizeof h);
    carom_ledger_bytes_put(&world->now.ledger, at);
    at += CAROM_LEDGER_BYTES;
#define PUT(type, name) put(&at, world->now.name, n * sizeof(type));
    CAROM_WORLD_STATE_ARRAYS(PUT)
#undef PUT
    put(&at, world->warm.contacts, (size_t)world->warm.count * sizeof *world->warm.contacts);
    if (world->rolling)
        put(&at, world->warm.rolling, (size_t)world->warm.count * sizeof *world->warm.rolling);
    uint32_t joints = (uint32_t)world->joint_count;
    put(&at, &joints, sizeof joints);
    for (int i = 0; i < world->count; ++i)
        put(&at, &(uint32_t){ carom_world_body_at(world, i).generation }, sizeof(uint32_t));
    for (int j = 0; j < world->joint_count; ++j)
        put(&at, &(uint32_t){ carom_world_joint_at(world, j).generation }, sizeof(uint32_t));
}

static carom_status check_ledger(const unsigned char *at, carom_error *err)
{
    const int64_t most = (int64_t)1e15; // as many steps as a run may have
    carom_ledger l;
    carom_ledger_bytes_get(at, CAROM_LEDGER_BYTES, &l);
    const int64_t counts[] = { l.impacts, l.contacts, l.sweeps,  l.rest_sweeps,
                               l.limited, l.capped,   l.endless, l.steps };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
        if (counts[i] < 0 || counts[i] > most)
            return out_of_place(err, "a count of the run", (double)counts[i]);
    if (!(l.time >= 0 && l.time <= (double)most))
        return out_of_place(err, "the time", l.time);
    return CAROM_OK;
}

// The states and cached impulses that `at` points to. Files are sealed by checksums, so only
// one written by somebody else can fail here; its numbers would overflow in the middle of a step.
static carom_status check_numbers(const carom_world *world, const head *h, const unsigned char *at,
                                  carom_error *err)
{
    // as the scene's reader allows
    const double most = 1e60, unit = 1e-6;
    size_t n = h->body_count, all = state_size(n) / sizeof(double);
    for (size_t i = 0; i < all; ++i) {
        double value;
        take(&at, &value, sizeof value);
        if (!(fabs(value) <= most))
            return out_of_place(err, "the state of a body", value);
    }
    if (!(h->warm_interval >= 0 && h->warm_interval <= most))
        return out_of_place(err, "the length of the last step", h->warm_interval);
    at -= n * (2 * sizeof(vec3) + sizeof(quat));
    for (size_t i = 0; i < n; ++i) {
        quat q;
        take(&at, &q, sizeof q);
        double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
        if (!(fabs(square - 1) <= unit))
            return out_of_place(err, "the length of a rotation", sqrt(square));
    }
    at += n * 2 * sizeof(vec3);
    for (uint32_t i = 0; i < h->warm_count; ++i) {
        carom_warm_contact m;
        take(&at, &m, sizeof m);
        if (m.a < 0 || m.b < 0 || m.a >= (int)n || m.b >= (int)n)
            return out_of_place(err, "a body of a resting contact", fmax(m.a, m.b));
        double sum = vec3_dot(m.point, m.point) + vec3_dot(m.impulse, m.impulse);
        if (!(sum <= most * most))
            return out_of_place(err, "the impulse of a resting contact", sqrt(sum));
    }
    for (uint32_t i = 0; i < h->warm_count && world->rolling; ++i) {
        vec3 turn;
        take(&at, &turn, sizeof turn);
        double square = vec3_dot(turn, turn);
        if (!(square <= most * most))
            return out_of_place(err, "the moment of a resting contact", sqrt(square));
    }
    return CAROM_OK;
}

static carom_status does_not_fit(const carom_world *world, const head *h, size_t size,
                                 carom_error *err)
{
    carom_error_set(
        err, CAROM_BAD_INPUT,
        "the checkpoint (version %u, %u bodies, %zu bytes) does not fit a world of %d bodies",
        h->version, h->body_count, size, world->count);
    return carom_error_fix(err, "resume with the scene and the version of Carom that wrote it");
}

static carom_status check_size(const carom_world *world, const head *h, size_t size,
                               carom_error *err)
{
    size_t n = h->body_count, wanted = sizeof *h + CAROM_LEDGER_BYTES + state_size(n) +
                                       (size_t)h->warm_count * warm_size(world);
    bool old = h->version == 1;
    if ((!old && h->version != SNAPSHOT_VERSION) || h->ledger_size != CAROM_LEDGER_BYTES ||
        n > (size_t)world->count || (old && n != (size_t)world->count))
        return does_not_fit(world, h, size, err);
    if (old ? size != wanted : size < wanted + present_size(n, 0) || (size - wanted) % 4 != 0)
        return does_not_fit(world, h, size, err);
    return CAROM_OK;
}

// What stood in the slots then is what stands there now, or the slot was free.
static carom_status check_present(const carom_world *world, const head *h, const unsigned char *at,
                                  size_t size, carom_error *err)
{
    uint32_t joints = 0, then;
    take(&at, &joints, sizeof joints);
    if (joints > (uint32_t)world->joint_count || size != present_size(h->body_count, joints))
        return out_of_place(err, "the number of joints", joints);
    for (uint32_t k = 0; k < h->body_count + joints; ++k) {
        bool joint = k >= h->body_count;
        int slot = (int)(joint ? k - h->body_count : k);
        unsigned now = joint ? carom_world_joint_at(world, slot).generation
                             : carom_world_body_at(world, slot).generation;
        take(&at, &then, sizeof then);
        if (then == 0 || then == now)
            continue;
        carom_error_set(err, CAROM_BAD_INPUT,
                        "the checkpoint has a %s in slot %d that the world "
                        "does not have",
                        joint ? "joint" : "body", slot);
        return carom_error_fix(err, "restore it into a world with the bodies and joints of then");
    }
    return CAROM_OK;
}

// Frees the slots that were free then.
static void restore_present(carom_world *world, const head *h, const unsigned char *at)
{
    uint32_t joints, then = 0;
    take(&at, &joints, sizeof joints);
    for (int i = 0; i < world->count; ++i) {
        if (i < (int)h->body_count)
            take(&at, &then, sizeof then);
        if ((i >= (int)h->body_count || then == 0) && world->kind[i] != CAROM_BODY_REMOVED)
            carom_world_handle_free_body(world, i);
    }
    for (int j = 0; j < world->joint_count; ++j) {
        if (j < (int)joints)
            take(&at, &then, sizeof then);
        if ((j >= (int)joints || then == 0) && !world->joints[j].removed)
            carom_world_handle_free_joint(world, j);
    }
}

carom_status carom_world_restore(carom_world *world, const void *bytes, size_t size,
                                 carom_error *err)
{
    NEED(err, world, bytes);
    const unsigned char *at = bytes;
    head h = { 0 };
    if (size < sizeof h)
        return does_not_fit(world, &h, size, err);
    take(&at, &h, sizeof h);
    TRY(check_size(world, &h, size, err));
    size_t n = h.body_count;
    const unsigned char *present =
        at + CAROM_LEDGER_BYTES + state_size(n) + (size_t)h.warm_count * warm_size(world);
    TRY(check_ledger(at, err));
    TRY(check_numbers(world, &h, at + CAROM_LEDGER_BYTES, err));
    if (h.version > 1)
        TRY(check_present(world, &h, present,
                          size - (size_t)(present - (const unsigned char *)bytes), err));
    TRY(carom_warm_start_grow(world, h.warm_count, err));
    if (h.version > 1)
        restore_present(world, &h, present);
    world->warm.count = (int)h.warm_count;
    world->warm.interval = h.warm_interval;
    carom_ledger_bytes_get(at, CAROM_LEDGER_BYTES, &world->now.ledger);
    at += CAROM_LEDGER_BYTES;
#define TAKE_BACK(type, name) take(&at, world->now.name, n * sizeof(type));
    CAROM_WORLD_STATE_ARRAYS(TAKE_BACK)
#undef TAKE_BACK
    take(&at, world->warm.contacts, (size_t)h.warm_count * sizeof *world->warm.contacts);
    if (world->rolling)
        take(&at, world->warm.rolling, (size_t)h.warm_count * sizeof *world->warm.rolling);
    return CAROM_OK;
}

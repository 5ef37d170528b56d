// Snapshots: everything that changes in a run, as bytes, number by number, least significant byte
// first. A version and the counts at the front refuse what does not fit; so do numbers that no run
// can reach.
//
// A snapshot is a row of sections, each an array of equal records: `list` names them in the order
// of the bytes. New state is a new section at the end, with the list of its fields and, where its
// numbers could do harm, a check. A section of a kind that a world has none of has no bytes, so
// that older checkpoints of such worlds still fit.
#include <math.h>
#include <string.h>
#include "base/bytes.h"
#include "base/error.h"
#include "world/ledger.h"
#include "world/ledger_bytes.h"
#include "world/world.h"

enum { SNAPSHOT_VERSION = 1 };

typedef struct head {
    uint32_t version, body_count, warm_count, ledger_size;
    double warm_interval;
} head;

static const carom_bytes_field head_fields[] = {
    CAROM_BYTES(I32, head, version),       CAROM_BYTES(I32, head, body_count),
    CAROM_BYTES(I32, head, warm_count),    CAROM_BYTES(I32, head, ledger_size),
    CAROM_BYTES(F64, head, warm_interval), { 0 },
};
enum { HEAD_BYTES = 24 };

static const carom_bytes_field vec3_fields[] = { { CAROM_BYTES_F64, 0, 3 }, { 0 } };
static const carom_bytes_field quat_fields[] = { { CAROM_BYTES_F64, 0, 4 }, { 0 } };
static const carom_bytes_field warm_fields[] = {
    CAROM_BYTES(I32, carom_warm_contact, a),       CAROM_BYTES(I32, carom_warm_contact, b),
    CAROM_BYTES(I64, carom_warm_contact, feature), CAROM_BYTES(F64, carom_warm_contact, point),
    CAROM_BYTES(F64, carom_warm_contact, impulse), { 0 },
};

// As the scene's reader allows; and how far a quaternion's square may be from 1.
static const double MAX = 1e60, UNIT = 1e-6;

// -- what a record may be -------------------------------------------------------------------------
// Files are sealed by checksums, so only one written by somebody else can fail here; its numbers
// would overflow in the middle of a step.

static carom_status out_of_place(carom_error *err, const char *what, double value)
{
    carom_error_set(err, CAROM_BAD_INPUT, "the checkpoint says %.9g for %s", value, what);
    return carom_error_fix(err, "resume from a file that Carom wrote");
}

static carom_status check_vec3(const carom_world *world, const void *record, carom_error *err)
{
    (void)world;
    const vec3 *v = record;
    const double values[] = { v->x, v->y, v->z };
    for (int k = 0; k < 3; ++k)
        if (!(fabs(values[k]) <= MAX))
            return out_of_place(err, "the state of a body", values[k]);
    return CAROM_OK;
}

static carom_status check_quat(const carom_world *world, const void *record, carom_error *err)
{
    (void)world;
    const quat *q = record;
    double square = q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z;
    return fabs(square - 1) <= UNIT
               ? CAROM_OK
               : out_of_place(err, "the length of a rotation of a body", sqrt(square));
}

static carom_status check_warm(const carom_world *world, const void *record, carom_error *err)
{
    const carom_warm_contact *c = record;
    if (c->a < 0 || c->b < 0 || c->a >= world->count || c->b >= world->count)
        return out_of_place(err, "a body of a resting contact", fmax(c->a, c->b));
    double sum = vec3_dot(c->point, c->point) + vec3_dot(c->impulse, c->impulse);
    return sum <= MAX * MAX ? CAROM_OK
                            : out_of_place(err, "the impulse of a resting contact", sqrt(sum));
}

static carom_status check_rolling(const carom_world *world, const void *record, carom_error *err)
{
    (void)world;
    const vec3 *turn = record;
    double square = vec3_dot(*turn, *turn);
    return square <= MAX * MAX
               ? CAROM_OK
               : out_of_place(err, "the angular impulse of a resting contact", sqrt(square));
}

static carom_status check_ledger(const carom_ledger *l, carom_error *err)
{
    const int64_t max = (int64_t)1e15; // as many steps as a run may have
    const int64_t counts[] = { l->impacts, l->contacts, l->sweeps,  l->rest_sweeps,
                               l->limited, l->capped,   l->endless, l->steps };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
        if (counts[i] < 0 || counts[i] > max)
            return out_of_place(err, "a count of the run", (double)counts[i]);
    if (!(l->time >= 0 && l->time <= (double)max))
        return out_of_place(err, "the time", l->time);
    return CAROM_OK;
}

// -- sections -------------------------------------------------------------------------------------

typedef carom_status check_record(const carom_world *world, const void *record, carom_error *err);

typedef struct section {
    const carom_bytes_field *fields;
    void *records; // of the world
    size_t count, stride;
    check_record *check;
} section;

// Behind head and ledger: one for each array of the state, two of the warm start.
#define AND_ONE(type, name) +1
enum { SECTIONS = 2 CAROM_WORLD_STATE_ARRAYS(AND_ONE) };
#undef AND_ONE

// Those of a world whose warm start has so many contacts.
static void list(const carom_world *world, size_t warm_count, section out[SECTIONS])
{
    const carom_warm_start *warm = &world->warm;
    size_t n = (size_t)world->count, rolling = world->rolling ? warm_count : 0;
    section *s = out;
#define STATE(type, name)                                                                          \
    *s++ = (section){ type##_fields, world->now.name, n, sizeof(type), check_##type };
    CAROM_WORLD_STATE_ARRAYS(STATE)
#undef STATE
    *s++ = (section){ warm_fields, warm->contacts, warm_count, sizeof *warm->contacts, check_warm };
    *s = (section){ vec3_fields, warm->rolling, rolling, sizeof *warm->rolling, check_rolling };
}

static size_t size_of(const carom_world *world, size_t warm_count)
{
    section all[SECTIONS];
    size_t size = HEAD_BYTES + CAROM_LEDGER_BYTES;
    list(world, warm_count, all);
    for (int k = 0; k < SECTIONS; ++k)
        size += all[k].count * carom_bytes_size(all[k].fields);
    return size;
}

size_t carom_world_snapshot_size(const carom_world *world)
{
    return world ? size_of(world, (size_t)world->warm.count) : 0;
}

void carom_world_snapshot(const carom_world *world, void *bytes)
{
    if (!world || !bytes)
        return;
    unsigned char *at = bytes;
    section all[SECTIONS];
    head h = { SNAPSHOT_VERSION, (uint32_t)world->count, (uint32_t)world->warm.count,
               CAROM_LEDGER_BYTES, world->warm.interval };
    carom_bytes_put(head_fields, &h, &at);
    carom_ledger_bytes_put(&world->now.ledger, at);
    at += CAROM_LEDGER_BYTES;
    list(world, (size_t)world->warm.count, all);
    for (int k = 0; k < SECTIONS; ++k)
        for (size_t i = 0; i < all[k].count; ++i)
            carom_bytes_put(all[k].fields, (char *)all[k].records + i * all[k].stride, &at);
}

// Every record of every section by its check; nothing of the world is changed.
static carom_status check_sections(const carom_world *world, size_t warm_count,
                                   const unsigned char *at, carom_error *err)
{
    section all[SECTIONS];
    union { // a record of any section
        vec3 vector;
        quat rotation;
        carom_warm_contact warm;
    } record = { 0 };
    list(world, warm_count, all);
    for (int k = 0; k < SECTIONS; ++k)
        for (size_t i = 0; i < all[k].count; ++i) {
            carom_bytes_get(all[k].fields, &record, &at);
            TRY(all[k].check(world, &record, err));
        }
    return CAROM_OK;
}

static carom_status check_head(const carom_world *world, const head *h, size_t size,
                               carom_error *err)
{
    size_t n = (size_t)world->count;
    if (h->version != SNAPSHOT_VERSION || h->ledger_size != CAROM_LEDGER_BYTES ||
        h->body_count != n || size != size_of(world, h->warm_count)) {
        carom_error_set(
            err, CAROM_BAD_INPUT,
            "the checkpoint (version %u, %u bodies, %zu bytes) does not fit a world of %zu bodies",
            h->version, h->body_count, size, n);
        return carom_error_fix(err, "resume with the scene and the version of Carom that wrote it");
    }
    if (!(h->warm_interval >= 0 && h->warm_interval <= MAX))
        return out_of_place(err, "the length of the last step", h->warm_interval);
    return CAROM_OK;
}

carom_status carom_world_restore(carom_world *world, const void *bytes, size_t size,
                                 carom_error *err)
{
    NEED(err, world);
    const unsigned char *at = bytes;
    section all[SECTIONS];
    head h = { 0 };
    carom_ledger ledger;
    if (at && size >= HEAD_BYTES)
        carom_bytes_get(head_fields, &h, &at);
    TRY(check_head(world, &h, size, err));
    carom_ledger_bytes_get(at, CAROM_LEDGER_BYTES, &ledger);
    at += CAROM_LEDGER_BYTES;
    TRY(check_ledger(&ledger, err));
    TRY(check_sections(world, h.warm_count, at, err));
    TRY(carom_warm_start_grow(world, h.warm_count, err));
    world->warm.count = (int)h.warm_count;
    world->warm.interval = h.warm_interval;
    world->now.ledger = ledger;
    list(world, h.warm_count, all);
    for (int k = 0; k < SECTIONS; ++k)
        for (size_t i = 0; i < all[k].count; ++i)
            carom_bytes_get(all[k].fields, (char *)all[k].records + i * all[k].stride, &at);
    return CAROM_OK;
}

// Memory from the caller: every allocation of libcarom goes through the functions that a program
// sets, all of it comes back, and one that fails is an error and no crash.
#include "carom/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "carom/carom.h"
#include "base/error.h"
#include "support/allocations.h"
#include "support/check.h"

// Blocks with a head, so that memory of the system that came here, or the other way round, would be
// seen at once.
typedef struct source {
    long calls, held;
    long asked;   // the system, for what they give out
    long fail_at; // which call finds nothing; 0: none
    bool foreign; // a block came back that never went out
} source;

enum { HEAD = 64, MARK = 0x5ca1ab1e };

typedef struct head {
    size_t size, offset;
    unsigned mark;
} head;

static head *head_of(void *block)
{
    return (head *)((char *)block - HEAD);
}

static void *get(void *context, size_t size, size_t alignment)
{
    source *s = context;
    size_t offset = alignment > HEAD ? alignment : HEAD;
    if (++s->calls == s->fail_at)
        return NULL;
    ++s->asked;
    char *base = aligned_alloc(offset, (size + 2 * offset - 1) / offset * offset);
    if (!base)
        return NULL;
    *head_of(base + offset) = (head){ size, offset, MARK };
    ++s->held;
    return base + offset;
}

static void release(void *context, void *block)
{
    source *s = context;
    s->foreign = s->foreign || head_of(block)->mark != MARK;
    if (s->foreign)
        return;
    head_of(block)->mark = 0;
    --s->held;
    free((char *)block - head_of(block)->offset);
}

static void *resize(void *context, void *block, size_t size)
{
    void *grown = get(context, size, 16);
    if (!grown || !block)
        return grown;
    size_t old = head_of(block)->size;
    memcpy(grown, block, old < size ? old : size);
    release(context, block);
    return grown;
}

static carom_status add(carom_world *world, carom_shape *shape, carom_body *body, carom_body_id *id,
                        carom_error *err)
{
    body->shape = shape;
    carom_status status = carom_world_add_body(world, body, id, err);
    carom_shape_release(shape);
    return status;
}

// Something of everything that a world has: shapes, materials, names, joints, contacts, events,
// questions, sleep, changes, snapshots, removal.
static carom_status fill(carom_world *world, carom_error *err)
{
    carom_shape *shape;
    carom_body body = carom_world_body_default();
    carom_body_id ids[8];
    carom_material material = carom_world_material_default();
    material.rolling = 1e-3;
    material.name = "stuff";
    TRY(carom_world_add_material(world, &material, NULL, err));
    TRY(carom_world_pair(world, 0, 1, 0.1, 0.2, err));
    TRY(carom_plane_create(&shape, err));
    body.kind = CAROM_BODY_FIXED;
    TRY(add(world, shape, &body, NULL, err));
    body.kind = CAROM_BODY_MOVING;
    body.name = "one";
    for (int i = 0; i < 8; ++i) {
        body.position[0] = 0.3 * (i % 2), body.position[2] = 0.2 + 0.25 * (i / 2);
        body.material = i % 2;
        if (i % 2)
            TRY(carom_sphere_create(0.1, &shape, err));
        else
            TRY(carom_box_create((double[3]){ 0.1, 0.1, 0.1 }, &shape, err));
        TRY(add(world, shape, &body, &ids[i], err));
    }
    carom_joint joint = { 0 };
    joint.kind = CAROM_JOINT_BALL;
    joint.a = ids[6], joint.b = ids[7];
    joint.name = "hook";
    joint.anchor_a[0] = joint.anchor_b[0] = 0.15, joint.anchor_a[2] = joint.anchor_b[2] = 0.95;
    return carom_world_add_joint(world, &joint, NULL, err);
}

static carom_status live(carom_error *err)
{
    carom_world_options options = carom_world_options_default();
    carom_world *world = NULL;
    carom_hit hit;
    double up[3] = { 0, 0, 3 }, down[3] = { 0, 0, -5 };
    options.sleep_after = 0.1;
    options.threads = 1;
    TRY(carom_world_create(&options, &world, err));
    carom_status status = fill(world, err);
    carom_world_record_contacts(world, 1);
    carom_world_record_events(world, 1);
    for (int i = 0; i < 40 && status == CAROM_OK; ++i)
        status = carom_world_step(world, 1.0 / 60, err);
    if (status == CAROM_OK)
        status = carom_world_cast_ray(world, up, down, NULL, &hit, err);
    if (status == CAROM_OK)
        status = carom_world_remove(world, carom_world_body_at(world, 3), err);
    for (int i = 0; i < 10 && status == CAROM_OK; ++i)
        status = carom_world_step(world, 1.0 / 60, err);
    carom_memory_free(carom_world_contacts_detach(world));
    carom_world_destroy(world);
    return status;
}

static void counts(void)
{
    carom_error err = { 0 };
    source s = { 0 };
    carom_allocator allocator = { get, resize, release, &s };
    CHECK(carom_memory_blocks() == 0, "nothing is held at first");
    CHECK(carom_memory_use(&allocator, &err) == CAROM_OK, "%s", err.what);
    long before = allocations();
    CHECK(live(&err) == CAROM_OK, "%s %s", err.what, err.fix);
    if (allocations_watched())
        CHECK(allocations() - before == s.asked, "%ld allocations beside the caller's functions",
              allocations() - before - s.asked);
    CHECK(s.calls > 50, "%ld went through them", s.calls);
    CHECK(s.held == 0 && carom_memory_blocks() == 0, "%ld blocks are still out", s.held);
    CHECK(!s.foreign, "nothing came back that never went out");
    CHECK(carom_memory_use(NULL, &err) == CAROM_OK, "back to the system");
}

// Each of the allocations fails once; every third where not all is asked for.
static void fails(void)
{
    carom_error err = { 0 };
    source s = { 0 };
    carom_allocator allocator = { get, resize, release, &s };
    CHECK(carom_memory_use(&allocator, &err) == CAROM_OK && live(&err) == CAROM_OK, "%s", err.what);
    long all = s.calls;
    int refused = 0;
    for (long k = 1; k <= all; k += check_full() ? 1 : check_effort(3, 7)) {
        s = (source){ .fail_at = k };
        err = (carom_error){ 0 };
        carom_status status = live(&err);
        refused += status == CAROM_NO_MEMORY;
        // a list of contacts, of events or of warm starts that cannot grow is shorter, no error
        CHECK(status == CAROM_NO_MEMORY || status == CAROM_OK, "allocation %ld fails: %s %s", k,
              err.what, err.fix);
        CHECK(s.held == 0 && !s.foreign, "%ld blocks are out after allocation %ld failed", s.held,
              k);
    }
    CHECK(refused > 20, "%d of %ld failures are errors", refused, all);
    CHECK(carom_memory_use(NULL, &err) == CAROM_OK, "back to the system");
}

static void refuses(void)
{
    carom_error err = { 0 };
    source s = { 0 };
    carom_allocator allocator = { get, resize, release, &s };
    carom_shape *shape;
    CHECK(carom_sphere_create(1, &shape, &err) == CAROM_OK, "%s", err.what);
    CHECK(carom_memory_use(&allocator, &err) == CAROM_BAD_INPUT && strstr(err.what, "block"),
          "not while memory is held");
    carom_shape_release(shape);
    allocator.resize = NULL;
    CHECK(carom_memory_use(&allocator, &err) == CAROM_BAD_INPUT && strstr(err.fix, "resize"),
          "not without all functions");
}

int main(void)
{
    counts();
    fails();
    refuses();
    return check_report();
}

// The broad phase in a periodic box: it sees every body in the box, and images of those that reach
// over an end of it beside the box. A body and an image of another are a pair of the two.
//
// A pair across an end is seen twice, from either side; what counts is the body of the lower number
// and the image of the other. So images of both directions are needed, and nobody's image against
// an image. Planes have none: they are the same in every copy of the box.
#include "collide/periodic.h"

#include <string.h>
#include "base/memory.h"

void carom_periodic_free(carom_periodic *p)
{
    carom_memory_free(p->shape);
    carom_memory_free(p->position);
    carom_memory_free(p->rotation);
    carom_memory_free(p->fixed);
    carom_memory_free(p->absent);
    carom_memory_free(p->reach);
    carom_memory_free(p->of);
    carom_memory_free(p->pairs);
}

size_t carom_periodic_bytes(const carom_periodic *p)
{
    size_t each = sizeof *p->shape + sizeof *p->position + sizeof *p->rotation + sizeof *p->fixed +
                  sizeof *p->absent + sizeof *p->reach + sizeof *p->of;
    return p->room * each + p->pair_room * sizeof *p->pairs;
}

static bool resize(void *array, size_t count, size_t size)
{
    void **place = array, *next = carom_memory_resize(*place, count * size);
    if (next)
        *place = next;
    return next != NULL;
}

static bool grow(carom_periodic *p, size_t count)
{
    if (count <= p->room)
        return true;
    size_t room = 2 * count + 64;
    if (!resize(&p->shape, room, sizeof *p->shape) ||
        !resize(&p->position, room, sizeof *p->position) ||
        !resize(&p->rotation, room, sizeof *p->rotation) ||
        !resize(&p->fixed, room, sizeof *p->fixed) ||
        !resize(&p->absent, room, sizeof *p->absent) ||
        !resize(&p->reach, room, sizeof *p->reach) || !resize(&p->of, room, sizeof *p->of))
        return false;
    p->room = room;
    return true;
}

static void put(carom_periodic *p, const carom_collide_bodies *bodies, int at, int body, vec3 x)
{
    p->shape[at] = bodies->shape[body];
    p->position[at] = x;
    p->rotation[at] = bodies->rotation[body];
    p->fixed[at] = bodies->fixed ? bodies->fixed[body] : 0;
    p->absent[at] = bodies->absent ? bodies->absent[body] : 0;
    p->reach[at] = bodies->reach ? bodies->reach[body] : 0;
    p->of[at] = body;
}

// How far a body is felt from its centre; infinite: a plane.
static double felt(const carom_collide_bodies *bodies, int body)
{
    return bodies->shape[body]->bounding_radius + (bodies->reach ? bodies->reach[body] : 0);
}

static double felt_at_most(const carom_collide_bodies *bodies)
{
    double most = 0;
    for (int i = 0; i < bodies->count; ++i)
        if (isfinite(felt(bodies, i)) && !(bodies->absent && bodies->absent[i]))
            most = fmax(most, felt(bodies, i));
    return most;
}

// Which images of a body may be felt by one in the box, as bits of an axis: below it, above it.
static int sides(const carom_period *period, int axis, double x, double far)
{
    double low = period->low[axis], high = low + period->length[axis];
    if (!(period->length[axis] > 0))
        return 0;
    return (x - period->length[axis] + far >= low ? 1 : 0) |
           (x + period->length[axis] - far <= high ? 2 : 0);
}

// Appends the images of a body in the box. Returns how many there are then; below 0: no memory.
static int add_images(carom_periodic *p, const carom_collide_bodies *bodies, int body, double far,
                      int count)
{
    const carom_period *period = bodies->period;
    double at[3];
    int side[3], n[3];
    vec3_store(p->position[body], at);
    for (int k = 0; k < 3; ++k)
        side[k] = sides(period, k, at[k], far);
    if (!grow(p, (size_t)count + 26))
        return -1;
    for (int i = 0; i < 27; ++i) {
        bool there = i != 13; // the middle is the body itself
        double x[3];
        n[0] = i % 3 - 1, n[1] = i / 3 % 3 - 1, n[2] = i / 9 - 1;
        for (int k = 0; k < 3; ++k) {
            there = there && (n[k] == 0 || (side[k] & (n[k] < 0 ? 1 : 2)));
            x[k] = at[k] + n[k] * period->length[k];
        }
        if (there)
            put(p, bodies, count++, body, vec3_from(x));
    }
    return count;
}

static bool is_plane(const carom_collide_bodies *bodies, int body)
{
    return bodies->shape[body]->kind == CAROM_SHAPE_PLANE;
}

// Those of body a, pairs[begin, end) of the broad phase: bodies first, then images, both in order
// of their bodies. Appends each pair once.
static int merge(carom_periodic *p, const carom_collide_bodies *bodies,
                 const carom_body_pair *pairs, int begin, int end, int kept)
{
    int a = pairs[begin].a, images = begin, last = a;
    while (images < end && pairs[images].b < bodies->count)
        ++images;
    for (int real = begin, image = images; real < images || image < end;) {
        int b = image < end ? p->of[pairs[image].b] : bodies->count;
        bool from_image = real == images || b < pairs[real].b;
        b = from_image ? b : pairs[real].b;
        image += from_image;
        real += !from_image;
        if (b <= last || (from_image && is_plane(bodies, a)))
            continue;
        p->pairs[kept++] = (carom_body_pair){ a, b };
        last = b;
    }
    return kept;
}

static carom_status no_memory(const carom_collide_bodies *bodies, carom_error *err)
{
    return carom_error_set(err, CAROM_NO_MEMORY, "no memory for the images of %d bodies",
                           bodies->count);
}

carom_status carom_periodic_find(carom_periodic *p, carom_broad *broad,
                                 const carom_collide_bodies *bodies, carom_body_pair **pairs,
                                 int *count, carom_error *err)
{
    int all = bodies->count, found, kept = 0;
    double most = felt_at_most(bodies) + bodies->margin;
    carom_body_pair *seen;
    *count = 0;
    if (!grow(p, (size_t)all))
        return no_memory(bodies, err);
    for (int i = 0; i < bodies->count; ++i) {
        vec3 x = bodies->position[i];
        put(p, bodies, i, i,
            is_plane(bodies, i) ? x : vec3_add(x, carom_period_home(bodies->period, x)));
    }
    for (int i = 0; i < bodies->count; ++i)
        if (isfinite(felt(bodies, i)) && !p->absent[i] &&
            (all = add_images(p, bodies, i, felt(bodies, i) + most, all)) < 0)
            return no_memory(bodies, err);
    carom_collide_bodies with = *bodies;
    with.count = all;
    with.shape = p->shape;
    with.position = p->position;
    with.rotation = p->rotation;
    with.fixed = p->fixed;
    with.absent = p->absent;
    with.reach = p->reach;
    TRY(carom_broad_find(broad, &with, &seen, &found, err));
    if ((size_t)found > p->pair_room) {
        if (!resize(&p->pairs, 2 * (size_t)found, sizeof *p->pairs))
            return no_memory(bodies, err);
        p->pair_room = 2 * (size_t)found;
    }
    for (int begin = 0, end; begin < found && seen[begin].a < bodies->count; begin = end) {
        for (end = begin + 1; end < found && seen[end].a == seen[begin].a;)
            ++end;
        kept = merge(p, bodies, seen, begin, end, kept);
    }
    *pairs = p->pairs;
    *count = kept;
    return CAROM_OK;
}

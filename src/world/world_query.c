// Questions to a world: by the tree over the bounds of its bodies (world_query_tree.c), then body
// by body.
//
// Rays go by shape/shape_ray.c, distances by the shapes themselves. A moving shape goes by
// conservative advancement [Mirtich 1996, chapter 2]: two convex solids that are a gap apart along
// n stay apart until the way along n has used it up; of a mesh the gap is in whatever direction,
// and the whole way counts.
#include "carom/world_query.h"

#include <string.h>
#include "collide/narrow.h"
#include "shape/shape_ray.h"
#include "world/world.h"

// -- what all questions share ---------------------------------------------------------------------

typedef struct question {
    carom_world *world;
    carom_filter filter;
    carom_hit *best; // so far, its distance at least the one asked for
    carom_hit *hits; // or all of them
    carom_body_id *bodies;
    int room, count;
    vec3 origin, way; // of a ray or a moving shape; or the point
    double length;    // m, of the way; or how far to look
    const carom_shape *shape;
    carom_pose pose; // of a moving shape
    vec3 image;      // how far the copy of the box is that is asked; planes have none
} question;

carom_filter carom_world_filter_default(void)
{
    return (carom_filter){ .mask = UINT32_MAX };
}

carom_placed carom_world_placed_default(const carom_shape *shape)
{
    return (carom_placed){ .shape = shape, .rotation = { 1, 0, 0, 0 } };
}

static bool asked(const question *q, int i)
{
    const carom_world *world = q->world;
    carom_body_id except = q->filter.except;
    return (world->layers[i] & q->filter.mask) && (q->filter.sensors || !world->sensor[i]) &&
           !(except.generation == world->generation[i] && except.slot == i);
}

static carom_status check_vector(const double v[3], const char *what, carom_error *err)
{
    if (isfinite(v[0] + v[1] + v[2]))
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "the %s is %g %g %g", what, v[0], v[1], v[2]);
    return carom_error_fix(err, "use finite numbers");
}

static carom_status begin(carom_world *world, const carom_filter *filter, question *q,
                          carom_error *err)
{
    *q = (question){ .world = world, .filter = filter ? *filter : carom_world_filter_default() };
    return carom_world_query_refresh(world, err);
}

static carom_hit hit_of(const question *q, int i, double distance, vec3 point, vec3 normal)
{
    carom_hit hit = { .body = carom_world_body_at(q->world, i), .distance = distance };
    vec3_store(point, hit.point);
    vec3_store(normal, hit.normal);
    return hit;
}

// The nearer one, the lower slot of two at the same distance.
static bool nearer(const carom_hit *one, const carom_hit *other)
{
    return other->body.generation == 0 || one->distance < other->distance ||
           (one->distance == other->distance && one->body.slot < other->body.slot);
}

// Asks every body of one copy whose bounds meet a box.
static void visit_copy(question *q, const carom_bounds *box, void (*ask)(question *q, int i))
{
    const carom_world_query_tree *t = &q->world->query;
    int stack[CAROM_TREE_DEPTH + 2], depth = 0;
    if (t->bounded > 0)
        stack[depth++] = 0;
    while (depth > 0) {
        int number = stack[--depth];
        const carom_tree_node *node = &t->tree.node[number];
        const carom_bounds *b = &node->bounds;
        if (b->min.x > box->max.x || b->max.x < box->min.x || b->min.y > box->max.y ||
            b->max.y < box->min.y || b->min.z > box->max.z || b->max.z < box->min.z)
            continue;
        for (int k = node->first; node->count > 0 && k < node->first + node->count; ++k) {
            int i = t->body[t->tree.order[k]];
            if (asked(q, i))
                ask(q, i);
        }
        if (node->count == 0) {
            stack[depth++] = node->first;
            stack[depth++] = number + 1;
        }
    }
}

// Asks every body whose bounds are within `touch` of a box, and those without bounds.
static carom_status visit_box(question *q, const carom_bounds *box, void (*ask)(question *q, int i),
                              carom_error *err)
{
    const carom_world_query_tree *t = &q->world->query;
    double touch = q->world->options.touch;
    vec3 wider = vec3_make(touch, touch, touch);
    carom_bounds near = { vec3_sub(box->min, wider), vec3_add(box->max, wider) };
    carom_world_copies all;
    TRY(carom_world_query_copies(q->world, &near, &all, err));
    for (bool any = carom_world_query_first(q->world, &all, &q->image); any;
         any = carom_world_query_next(q->world, &all, &q->image)) {
        carom_bounds there = { vec3_sub(near.min, q->image), vec3_sub(near.max, q->image) };
        visit_copy(q, &there, ask);
    }
    for (int k = t->bounded; k < t->count; ++k)
        if (asked(q, t->body[k]))
            ask(q, t->body[k]);
    return CAROM_OK;
}

// -- rays -----------------------------------------------------------------------------------------

static bool ray_meets(question *q, int i, double max, carom_hit *hit)
{
    carom_pose pose = carom_world_query_pose(q->world, i, q->image);
    carom_ray in =
        carom_ray_make(carom_pose_in(&pose, q->origin), mat3_tmul(pose.rotation, q->way), max);
    vec3 n;
    if (!asked(q, i) || !carom_shape_ray(q->world->shape[i], &in, &n))
        return false;
    *hit = hit_of(q, i, in.max, vec3_axpy(q->origin, in.max, q->way), mat3_mul(pose.rotation, n));
    return true;
}

static void ray_first(question *q, int i, carom_ray *ray)
{
    carom_hit hit;
    // a little farther, so that of two at the same distance the lower slot is found
    if (ray_meets(q, i, nextafter(ray->max, HUGE_VAL), &hit) && nearer(&hit, q->best)) {
        *q->best = hit;
        ray->max = hit.distance;
    }
}

static void ray_each(question *q, int i, carom_ray *ray)
{
    carom_hit hit;
    if (!ray_meets(q, i, ray->max, &hit))
        return;
    int at = q->count < q->room ? q->count : q->room;
    for (; at > 0 && nearer(&hit, &q->hits[at - 1]); --at)
        if (at < q->room)
            q->hits[at] = q->hits[at - 1];
    if (at < q->room)
        q->hits[at] = hit;
    ++q->count;
}

static bool ray_item(void *context, int place, carom_ray *ray)
{
    question *q = context;
    int i = q->world->query.body[q->world->query.tree.order[place]];
    (q->best ? ray_first : ray_each)(q, i, ray);
    return false;
}

static carom_status ask_ray(question *q, const double origin[3], const double way[3],
                            carom_error *err)
{
    const carom_world_query_tree *t = &q->world->query;
    TRY(check_vector(origin, "origin of a ray", err));
    TRY(check_vector(way, "way of a ray", err));
    q->length = vec3_length(vec3_from(way));
    q->origin = vec3_from(origin);
    if (!(q->length > 0)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the way of a ray is 0 m long");
        return carom_error_fix(err, "give the way from its origin to its end");
    }
    q->way = vec3_scale(1 / q->length, vec3_from(way));
    carom_ray ray = carom_ray_make(q->origin, q->way, q->length);
    vec3 end = vec3_axpy(q->origin, q->length, q->way);
    carom_bounds box = {
        vec3_make(fmin(q->origin.x, end.x), fmin(q->origin.y, end.y), fmin(q->origin.z, end.z)),
        vec3_make(fmax(q->origin.x, end.x), fmax(q->origin.y, end.y), fmax(q->origin.z, end.z))
    };
    carom_world_copies all;
    TRY(carom_world_query_copies(q->world, &box, &all, err));
    for (bool any = carom_world_query_first(q->world, &all, &q->image); any;
         any = carom_world_query_next(q->world, &all, &q->image)) {
        carom_ray there = carom_ray_make(vec3_sub(q->origin, q->image), q->way, ray.max);
        carom_shape_ray_tree(&t->tree, &there, ray_item, q);
        ray.max = there.max;
    }
    for (int k = t->bounded; k < t->count; ++k)
        (q->best ? ray_first : ray_each)(q, t->body[k], &ray);
    return CAROM_OK;
}

carom_status carom_world_cast_ray(carom_world *world, const double origin[3], const double way[3],
                                  const carom_filter *filter, carom_hit *hit, carom_error *err)
{
    NEED(err, world, origin, way, hit);
    question q;
    *hit = (carom_hit){ 0 };
    TRY(begin(world, filter, &q, err));
    q.best = hit;
    return ask_ray(&q, origin, way, err);
}

carom_status carom_world_cast_ray_all(carom_world *world, const double origin[3],
                                      const double way[3], const carom_filter *filter,
                                      carom_hit *hits, int room, int *count, carom_error *err)
{
    NEED(err, world, origin, way, hits, count);
    question q;
    *count = 0;
    TRY(begin(world, filter, &q, err));
    q.hits = hits;
    q.room = room > 0 ? room : 0;
    TRY(ask_ray(&q, origin, way, err));
    *count = q.count;
    return CAROM_OK;
}

// -- shapes ---------------------------------------------------------------------------------------

static carom_status place(question *q, const carom_placed *placed, carom_error *err)
{
    const double *r = placed->rotation;
    NEED(err, placed->shape);
    TRY(check_vector(placed->position, "position of a shape", err));
    double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
    if (!(fabs(square - 1) < 1e-6) || carom_shape_kind_of(placed->shape) == CAROM_SHAPE_PLANE) {
        carom_error_set(err, CAROM_BAD_INPUT, "the shape of a query is a %s, turned by %g %g %g %g",
                        carom_shape_kind_name(carom_shape_kind_of(placed->shape)), r[0], r[1], r[2],
                        r[3]);
        return carom_error_fix(err, "use a solid shape and a unit quaternion w x y z");
    }
    q->shape = placed->shape;
    q->pose =
        carom_pose_make(vec3_from(placed->position), quat_unit((quat){ r[0], r[1], r[2], r[3] }));
    return CAROM_OK;
}

typedef struct solid {
    const carom_shape *shape;
    carom_pose pose;
} solid;

static carom_contact gap_of(const question *q, solid mover, double t, const solid *other,
                            double reach)
{
    mover.pose.position = vec3_axpy(mover.pose.position, t, q->way);
    return carom_narrow_gap(mover.shape, &mover.pose, other->shape, &other->pose, reach);
}

// One part of the moving shape against one of a body: true, and where, if they touch before `max`.
static bool advance(const question *q, const solid *mover, const solid *other, double max,
                    carom_contact *found, double *at)
{
    enum { ADVANCES = 500 };
    double touch = q->world->options.touch;
    bool convex = mover->shape->kind != CAROM_SHAPE_MESH && other->shape->kind != CAROM_SHAPE_MESH;
    double t = 0;
    for (int k = 0; k < ADVANCES && t < max; ++k) {
        carom_contact contact = gap_of(q, *mover, t, other, max - t + touch);
        double speed = convex ? vec3_dot(q->way, contact.normal) : 1;
        if (contact.gap <= touch) {
            *found = contact;
            *at = t;
            return true;
        }
        if (!(contact.gap < HUGE_VAL) || !(speed > 0))
            return false;
        t += contact.gap / speed;
    }
    return false;
}

static int parts_of(const carom_shape *shape)
{
    return shape->kind == CAROM_SHAPE_COMPOUND ? shape->part_count : 1;
}

static solid part_of(const carom_shape *shape, const carom_pose *pose, int k)
{
    if (shape->kind != CAROM_SHAPE_COMPOUND)
        return (solid){ shape, *pose };
    return (solid){ shape->parts[k].shape, carom_pose_chain(pose, &shape->parts[k].pose) };
}

static void cast_at(question *q, int i)
{
    const carom_shape *shape = q->world->shape[i];
    carom_pose pose = carom_world_query_pose(q->world, i, q->image);
    for (int a = 0; a < parts_of(q->shape); ++a)
        for (int b = 0; b < parts_of(shape); ++b) {
            solid mover = part_of(q->shape, &q->pose, a), other = part_of(shape, &pose, b);
            double max = q->best->body.generation ? q->best->distance : q->length, at;
            carom_contact found;
            if (!advance(q, &mover, &other, nextafter(max, HUGE_VAL), &found, &at))
                continue;
            carom_hit hit = hit_of(q, i, at, found.point, vec3_neg(found.normal));
            if (nearer(&hit, q->best))
                *q->best = hit;
        }
}

carom_status carom_world_cast_shape(carom_world *world, const carom_placed *placed,
                                    const double way[3], const carom_filter *filter, carom_hit *hit,
                                    carom_error *err)
{
    NEED(err, world, placed, way, hit);
    question q;
    *hit = (carom_hit){ 0 };
    TRY(begin(world, filter, &q, err));
    TRY(place(&q, placed, err));
    TRY(check_vector(way, "way of a shape", err));
    q.best = hit;
    q.length = vec3_length(vec3_from(way));
    q.way = q.length > 0 ? vec3_scale(1 / q.length, vec3_from(way)) : vec3_make(0, 0, 0);
    carom_bounds from = carom_shape_bounds(q.shape, &q.pose), box = from;
    box.min = vec3_add(from.min, vec3_make(fmin(0, way[0]), fmin(0, way[1]), fmin(0, way[2])));
    box.max = vec3_add(from.max, vec3_make(fmax(0, way[0]), fmax(0, way[1]), fmax(0, way[2])));
    return visit_box(&q, &box, cast_at, err);
}

static void overlap_at(question *q, int i)
{
    carom_pose pose = carom_world_query_pose(q->world, i, q->image);
    unsigned char *seen = q->world->periodic ? &q->world->query.seen[i] : NULL;
    double touch = q->world->options.touch;
    if ((seen && *seen) ||
        !(carom_narrow_gap(q->shape, &q->pose, q->world->shape[i], &pose, touch).gap <= touch))
        return;
    if (seen)
        *seen = 1;
    int at = q->count < q->room ? q->count : q->room;
    for (; at > 0 && q->bodies[at - 1].slot > i; --at)
        if (at < q->room)
            q->bodies[at] = q->bodies[at - 1];
    if (at < q->room)
        q->bodies[at] = carom_world_body_at(q->world, i);
    ++q->count;
}

carom_status carom_world_overlap(carom_world *world, const carom_placed *placed,
                                 const carom_filter *filter, carom_body_id *bodies, int room,
                                 int *count, carom_error *err)
{
    NEED(err, world, placed, bodies, count);
    question q;
    *count = 0;
    TRY(begin(world, filter, &q, err));
    TRY(place(&q, placed, err));
    q.bodies = bodies;
    q.room = room > 0 ? room : 0;
    carom_bounds box = carom_shape_bounds(q.shape, &q.pose);
    if (world->periodic) // a body may meet the shape at more than one of its images
        memset(world->query.seen, 0, (size_t)world->count);
    TRY(visit_box(&q, &box, overlap_at, err));
    *count = q.count;
    return CAROM_OK;
}

// -- the nearest surface --------------------------------------------------------------------------

static void nearest_at(question *q, int i)
{
    carom_pose pose = carom_world_query_pose(q->world, i, q->image);
    carom_nearest n = carom_shape_nearest(q->world->shape[i], carom_pose_in(&pose, q->origin));
    if (!(n.distance <= q->length))
        return;
    carom_hit hit =
        hit_of(q, i, n.distance, carom_pose_out(&pose, n.point), mat3_mul(pose.rotation, n.normal));
    if (nearer(&hit, q->best))
        *q->best = hit;
}

carom_status carom_world_nearest(carom_world *world, const double point[3], double max,
                                 const carom_filter *filter, carom_hit *hit, carom_error *err)
{
    NEED(err, world, point, hit);
    question q;
    *hit = (carom_hit){ 0 };
    TRY(check_vector(point, "point", err));
    if (!(max >= 0)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the distance to look within is %g m", max);
        return carom_error_fix(err, "use a distance of at least 0 m");
    }
    TRY(begin(world, filter, &q, err));
    q.best = hit;
    q.origin = vec3_from(point);
    q.length = max;
    double far[3] = { max, max, max };
    for (int k = 0; k < 3; ++k) // of a body the nearest image is no farther than that
        if (world->period.length[k] > 0)
            far[k] = fmin(max, 2 * world->period.length[k]);
    vec3 reach = vec3_from(far);
    carom_bounds box = { vec3_sub(q.origin, reach), vec3_add(q.origin, reach) };
    return visit_box(&q, &box, nearest_at, err);
}

// Which items each tile may show, and four rays of one tile against them. Rays go one metre forward
// per unit, so what a distance along them counts is depth.
#include "draw/tracer_tiles.h"

#include <limits.h>
#include <stdlib.h>

struct carom_tracer_tiles_item {
    double near;    // m: nothing of it is nearer
    vec3 origin;    // the camera in its frame; of a ball only moved, not turned
    double outside; // of a ball: squared distance from its centre to the camera, less radius^2
    carom_tracer_kind kind;
    bool glass;
    int tiles[4]; // from and to, across and down; none where to is smaller
};

static bool listed(const carom_tracer_item *item)
{
    return item->kind != CAROM_TRACER_PLANE &&
           !(item->kind == CAROM_TRACER_MESH && item->mesh->triangle_count == 0);
}

// A corner of the box about an item, world frame; that of a ball lies along the camera's axes.
static vec3 corner(const carom_tracer_item *item, const carom_camera_frame *f, int k)
{
    double r = item->radius, l = item->half_length;
    vec3 high = item->kind == CAROM_TRACER_BOX        ? item->half
                : item->kind == CAROM_TRACER_CAPSULE  ? vec3_make(r, r, r + l)
                : item->kind == CAROM_TRACER_CYLINDER ? vec3_make(r, r, l)
                                                      : vec3_make(r, r, r);
    vec3 low = vec3_neg(high);
    if (item->kind == CAROM_TRACER_MESH) {
        low = vec3_from(item->mesh->bvh.box.min);
        high = vec3_from(item->mesh->bvh.box.max);
    }
    vec3 at = { k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z };
    vec3 way = item->kind == CAROM_TRACER_BALL
                   ? vec3_axpy(vec3_axpy(vec3_scale(at.x, f->right), at.y, f->up), at.z, f->forward)
                   : mat3_mul(item->rotation, at);
    return vec3_add(item->position, way);
}

static int clamp_tile(double at, int count)
{
    double tile = floor(at / CAROM_TRACER_TILE);
    return tile < 0 ? 0 : tile > count - 1 ? count - 1 : (int)tile;
}

// The tiles that the item's box may cover, one pixel more on each side; all of them where the
// camera stands beside it, none behind the camera.
static void place(const carom_tracer_tiles *t, const carom_tracer_item *item,
                  carom_tracer_tiles_item *out)
{
    const carom_camera_frame *f = &t->frame;
    double near = HUGE_VAL, far = -HUGE_VAL, min[2] = { HUGE_VAL, HUGE_VAL };
    double max[2] = { -HUGE_VAL, -HUGE_VAL };
    for (int k = 0; k < 8; ++k) {
        vec3 p = vec3_sub(corner(item, f, k), t->scene->tracer->camera.from);
        double deep = vec3_dot(p, f->forward);
        near = fmin(near, deep);
        far = fmax(far, deep);
        double at[2] = { 0.5 * t->width * (1 + vec3_dot(p, f->right) / (deep * f->half_width)),
                         0.5 * t->height * (1 - vec3_dot(p, f->up) / (deep * f->half_height)) };
        for (int axis = 0; axis < 2 && deep > 0; ++axis) {
            min[axis] = fmin(min[axis], at[axis]);
            max[axis] = fmax(max[axis], at[axis]);
        }
    }
    bool all = !(near > 0),
         out_of_view = far <= 0 || (!all && (max[0] < -1 || max[1] < -1 || min[0] > t->width + 1 ||
                                             min[1] > t->height + 1));
    out->near = all ? 0 : near;
    int count[2] = { t->across, t->down };
    for (int axis = 0; axis < 2; ++axis) {
        out->tiles[2 * axis] = all ? 0 : clamp_tile(min[axis] - 1, count[axis]);
        out->tiles[2 * axis + 1] = out_of_view ? -1
                                   : all       ? count[axis] - 1
                                               : clamp_tile(max[axis] + 1, count[axis]);
    }
}

static void prepare_item(const carom_tracer_tiles *t, const carom_tracer_item *item,
                         carom_tracer_tiles_item *out)
{
    vec3 way = vec3_sub(t->scene->tracer->camera.from, item->position);
    bool ball = item->kind == CAROM_TRACER_BALL;
    *out = (carom_tracer_tiles_item){ .kind = item->kind,
                                      .glass = item->transparency > 0,
                                      .origin = ball ? way : mat3_tmul(item->rotation, way),
                                      .outside = vec3_dot(way, way) - item->radius * item->radius,
                                      .tiles = { 0, -1, 0, -1 } };
    if (listed(item))
        place(t, item, out);
}

// Counts an item in its tiles, or lists it there.
static void list_tiles(carom_tracer_tiles *t, int index, bool count)
{
    const int *in = t->items[index].tiles;
    for (int y = in[2]; y <= in[3]; ++y)
        for (int x = in[0]; x <= in[1]; ++x) {
            int *at = &t->first[y * t->across + x + (count ? 1 : 0)];
            if (!count)
                t->item[*at] = index;
            ++*at;
        }
}

typedef struct depth {
    double near;
    int item;
} depth;

static int compare_depths(const void *a, const void *b)
{
    const depth *x = a, *y = b;
    if (x->near != y->near)
        return x->near < y->near ? -1 : 1;
    return x->item < y->item ? -1 : x->item > y->item;
}

// Listed in the order of their depth, so that each tile has them in that order.
static carom_status list_all(carom_tracer_tiles *t, carom_arena *arena, carom_error *err)
{
    int count = t->scene->tracer->count, tiles = t->across * t->down;
    double total = 0;
    depth *order;
    TAKE_ZEROS(arena, t->first, (size_t)tiles + 2, err);
    for (int i = 0; i < count; ++i) {
        const int *in = t->items[i].tiles;
        list_tiles(t, i, true);
        if (in[1] >= in[0] && in[3] >= in[2])
            total += (double)(in[1] - in[0] + 1) * (in[3] - in[2] + 1);
    }
    if (total > INT_MAX / 2) {
        carom_error_set(err, CAROM_NO_MEMORY, "too many things, too large to be drawn");
        return carom_error_fix(err, "take a smaller picture, or a camera farther away");
    }
    for (int i = 0; i < tiles; ++i)
        t->first[i + 1] += t->first[i];
    TAKE(arena, t->item, (size_t)total + 1, err);
    carom_arena_mark mark = carom_arena_mark_here(arena);
    TAKE(arena, order, (size_t)count + 1, err);
    for (int i = 0; i < count; ++i)
        order[i] = (depth){ t->items[i].near, i };
    qsort(order, (size_t)count, sizeof *order, compare_depths);
    for (int i = 0; i < count; ++i)
        list_tiles(t, order[i].item, false);
    carom_arena_rewind(arena, mark);
    for (int i = tiles; i > 0; --i) // listing moved each beginning to its end
        t->first[i] = t->first[i - 1];
    t->first[0] = 0;
    return CAROM_OK;
}

carom_status carom_tracer_tiles_prepare(const carom_tracer_scene *scene, const carom_image *image,
                                        carom_arena *arena, carom_tracer_tiles *out,
                                        carom_error *err)
{
    const carom_tracer *tracer = scene->tracer;
    *out = (carom_tracer_tiles){ .scene = scene, .width = image->width, .height = image->height };
    out->frame = carom_camera_axes(&tracer->camera, (double)image->width / image->height);
    out->across = (image->width + CAROM_TRACER_TILE - 1) / CAROM_TRACER_TILE;
    out->down = (image->height + CAROM_TRACER_TILE - 1) / CAROM_TRACER_TILE;
    TAKE(arena, out->items, (size_t)tracer->count + 1, err);
    for (int i = 0; i < tracer->count; ++i) {
        prepare_item(out, &tracer->items[i], &out->items[i]);
        out->glass = out->glass || out->items[i].glass;
    }
    return list_all(out, arena, err);
}

vec3 carom_tracer_tiles_direction(const carom_tracer_tiles *tiles, double x, double y)
{
    const carom_camera_frame *f = &tiles->frame;
    double u = (2 * x / tiles->width - 1) * f->half_width,
           v = (1 - 2 * y / tiles->height) * f->half_height;
    return vec3_axpy(vec3_axpy(f->forward, u, f->right), v, f->up);
}

// -- four rays ----------------------------------------------------------------------------------

typedef struct rays {
    lanes3 direction;
    lanes square; // of its length
    lanes far;    // where each ends by now
    int item[LANES];
    vec3 normal[LANES]; // item frame; of balls and boxes found at the end
} rays;

LANES_INLINE void end_at(rays *r, lanes_flags met, lanes t, int item)
{
    r->far = lanes_pick(met, t, r->far);
    for (int i = 0; i < LANES; ++i)
        r->item[i] = met[i] ? item : r->item[i];
}

LANES_INLINE void meet_ball(const carom_tracer_tiles_item *item, int index, rays *r)
{
    const vec3 o = item->origin;
    lanes b = o.x * r->direction.x + o.y * r->direction.y + o.z * r->direction.z;
    lanes root = b * b - r->square * item->outside;
    if (!lanes_any(root > 0))
        return;
    lanes half = lanes_sqrt(lanes_max(root, lanes_all(0)));
    lanes near = (-b - half) / r->square, t = lanes_pick(near > 0, near, (-b + half) / r->square);
    lanes_flags met = (root > 0) & (t > 0) & (t < r->far);
    if (lanes_any(met))
        end_at(r, met, t, index);
}

// Slabs; 1e-300 instead of 0 along a face.
LANES_INLINE void meet_box(const carom_tracer_item *box, const carom_tracer_tiles_item *item,
                           int index, rays *r)
{
    const double o[3] = { item->origin.x, item->origin.y, item->origin.z };
    const double h[3] = { box->half.x, box->half.y, box->half.z };
    lanes near = lanes_all(-HUGE_VAL), far = lanes_all(HUGE_VAL);
    for (int k = 0; k < 3; ++k) {
        lanes d = box->rotation.m[0][k] * r->direction.x + box->rotation.m[1][k] * r->direction.y +
                  box->rotation.m[2][k] * r->direction.z;
        lanes inverse = 1 / lanes_pick(lanes_abs(d) > 1e-300, d, lanes_all(1e-300));
        lanes a = (-h[k] - o[k]) * inverse, b = (h[k] - o[k]) * inverse;
        near = lanes_max(near, lanes_pick(a < b, a, b));
        lanes last = lanes_pick(a < b, b, a);
        far = lanes_pick(last < far, last, far);
    }
    lanes t = lanes_pick(near > 0, near, far);
    lanes_flags met = (near <= far) & (t > 0) & (t < r->far);
    if (lanes_any(met))
        end_at(r, met, t, index);
}

static void meet_other(const carom_tracer_item *item, int index, vec3 from, rays *r)
{
    for (int i = 0; i < LANES; ++i) {
        carom_ray ray = carom_ray_make(
            from, vec3_make(r->direction.x[i], r->direction.y[i], r->direction.z[i]), r->far[i]);
        if (carom_tracer_hit_item(item, &ray, &r->normal[i])) {
            r->far[i] = ray.max;
            r->item[i] = index;
        }
    }
}

LANES_INLINE void meet_planes(const carom_tracer_scene *scene, rays *r)
{
    for (int k = 0; k < scene->plane_count; ++k) {
        const carom_tracer_item *item = &scene->tracer->items[scene->planes[k]];
        vec3 n = vec3_make(item->rotation.m[0][2], item->rotation.m[1][2], item->rotation.m[2][2]);
        double high = vec3_dot(n, vec3_sub(item->position, scene->tracer->camera.from));
        lanes down = n.x * r->direction.x + n.y * r->direction.y + n.z * r->direction.z;
        lanes t = high / down;
        end_at(r, (down < 0) & (t > 0) & (t < r->far), t, scene->planes[k]);
    }
}

CAROM_LANES_WIDE static void carom_tracer_tiles_meet(const carom_tracer_tiles *tiles, int tile,
                                                     rays *r)
{
    const carom_tracer *tracer = tiles->scene->tracer;
    r->square = lanes3_dot(r->direction, r->direction);
    meet_planes(tiles->scene, r);
    for (int i = tiles->first[tile]; i < tiles->first[tile + 1]; ++i) {
        int index = tiles->item[i];
        const carom_tracer_tiles_item *item = &tiles->items[index];
        if (!lanes_any(r->far > item->near))
            break; // so is everything behind it
        if (item->glass)
            continue;
        if (item->kind == CAROM_TRACER_BALL)
            meet_ball(item, index, r);
        else if (item->kind == CAROM_TRACER_BOX)
            meet_box(&tracer->items[index], item, index, r);
        else
            meet_other(&tracer->items[index], index, tracer->camera.from, r);
    }
}

static int tile_of(const carom_tracer_tiles *tiles, double x, double y)
{
    return clamp_tile(y, tiles->down) * tiles->across + clamp_tile(x, tiles->across);
}

void carom_tracer_tiles_covered(const carom_tracer_tiles *tiles, int item, int out[4])
{
    for (int k = 0; k < 4; ++k)
        out[k] = tiles->items[item].tiles[k];
}

bool carom_tracer_tiles_empty(const carom_tracer_tiles *tiles, int x, int y)
{
    int tile = y / CAROM_TRACER_TILE * tiles->across + x / CAROM_TRACER_TILE;
    return tiles->scene->plane_count == 0 && tiles->first[tile] == tiles->first[tile + 1];
}

// A ball's normal is the way from its centre; the belt alone needs its frame.
static void turn_ball(const carom_tracer_item *item, const carom_tracer_tiles_item *seen, vec3 d,
                      carom_tracer_hit *hit)
{
    hit->normal = vec3_scale(1 / item->radius, vec3_axpy(seen->origin, hit->far, d));
    hit->belt = item->marked && fabs(mat3_tmul(item->rotation, hit->normal).y) < 0.22;
    if (vec3_dot(hit->normal, d) > 0)
        hit->normal = vec3_neg(hit->normal);
}

void carom_tracer_tiles_look(const carom_tracer_tiles *tiles, const double x[LANES],
                             const double y[LANES], carom_tracer_hit out[LANES])
{
    const carom_tracer *tracer = tiles->scene->tracer;
    rays r = { .far = lanes_all(HUGE_VAL) };
    for (int i = 0; i < LANES; ++i) {
        vec3 d = carom_tracer_tiles_direction(tiles, x[i], y[i]);
        r.direction.x[i] = d.x;
        r.direction.y[i] = d.y;
        r.direction.z[i] = d.z;
        r.item[i] = -1;
    }
    carom_tracer_tiles_meet(tiles, tile_of(tiles, x[0], y[0]), &r);
    for (int i = 0; i < LANES; ++i) {
        out[i] = (carom_tracer_hit){ .item = r.item[i], .far = r.far[i] };
        if (r.item[i] < 0)
            continue;
        const carom_tracer_item *item = &tracer->items[r.item[i]];
        vec3 d = vec3_make(r.direction.x[i], r.direction.y[i], r.direction.z[i]);
        if (item->kind == CAROM_TRACER_BALL) {
            turn_ball(item, &tiles->items[r.item[i]], d, &out[i]);
            continue;
        }
        if (item->kind == CAROM_TRACER_BOX) {
            carom_ray ray = carom_ray_make(tracer->camera.from, d, HUGE_VAL);
            carom_tracer_hit_item(item, &ray, &r.normal[i]);
        } else if (item->kind == CAROM_TRACER_PLANE) {
            r.normal[i] = vec3_make(0, 0, 1);
        }
        carom_tracer_hit_turn(item, d, r.normal[i], &out[i]);
    }
}

int carom_tracer_tiles_glass(const carom_tracer_tiles *tiles, double x, double y, double far,
                             carom_tracer_hit out[CAROM_TRACER_LAYERS])
{
    const carom_tracer *tracer = tiles->scene->tracer;
    vec3 d = carom_tracer_tiles_direction(tiles, x, y);
    int tile = tile_of(tiles, x, y), count = 0;
    for (int i = tiles->first[tile]; i < tiles->first[tile + 1]; ++i) {
        int index = tiles->item[i];
        carom_ray ray = carom_ray_make(tracer->camera.from, d, far);
        carom_tracer_hit hit = { .item = index };
        vec3 normal;
        if (!tiles->items[index].glass ||
            !carom_tracer_hit_item(&tracer->items[index], &ray, &normal))
            continue;
        hit.far = ray.max;
        carom_tracer_hit_turn(&tracer->items[index], d, normal, &hit);
        int at = count < CAROM_TRACER_LAYERS ? count++ : CAROM_TRACER_LAYERS - 1;
        for (; at > 0 && out[at - 1].far > hit.far; --at)
            out[at] = out[at - 1];
        out[at] = hit;
    }
    return count;
}

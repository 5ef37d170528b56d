// Where rays meet the items of a scene, each in its own frame: math/ray.c knows how.
#include "draw/tracer_hit.h"

static bool meet_plane(const carom_tracer_item *item, const carom_ray *ray, double *t)
{
    vec3 n = vec3_make(item->rotation.m[0][2], item->rotation.m[1][2], item->rotation.m[2][2]);
    double down = vec3_dot(n, ray->direction);
    if (down >= 0)
        return false; // from below
    *t = vec3_dot(n, vec3_sub(item->position, ray->origin)) / down;
    return *t > 0 && *t < ray->max;
}

bool carom_tracer_hit_item(const carom_tracer_item *item, carom_ray *ray, vec3 *normal)
{
    if (item->kind == CAROM_TRACER_BALL) { // the common case, without another frame
        bool met = carom_ray_ball(item->position, item->radius, ray, normal);
        *normal = met ? mat3_tmul(item->rotation, *normal) : *normal;
        return met;
    }
    carom_ray in = carom_ray_make(mat3_tmul(item->rotation, vec3_sub(ray->origin, item->position)),
                                  mat3_tmul(item->rotation, ray->direction), ray->max);
    bool met = item->kind == CAROM_TRACER_CAPSULE
                   ? carom_ray_capsule(item->radius, item->half_length, &in, normal)
               : item->kind == CAROM_TRACER_CYLINDER
                   ? carom_ray_cylinder(item->radius, item->half_length, &in, normal)
               : item->kind == CAROM_TRACER_BOX ? carom_ray_box(item->half, &in, normal)
                                                : carom_trimesh_meet(item->mesh, &in, normal);
    ray->max = in.max;
    return met;
}

void carom_tracer_hit_box(const carom_tracer_item *item, carom_bvh_box *box)
{
    vec3 low = vec3_neg(item->half), high = item->half;
    double r = item->radius, l = item->half_length;
    if (item->kind == CAROM_TRACER_BALL)
        high = vec3_make(r, r, r);
    else if (item->kind == CAROM_TRACER_CAPSULE)
        high = vec3_make(r, r, r + l);
    else if (item->kind == CAROM_TRACER_CYLINDER)
        high = vec3_make(r, r, l);
    if (item->kind == CAROM_TRACER_MESH) {
        low = vec3_from(item->mesh->bvh.box.min);
        high = vec3_from(item->mesh->bvh.box.max);
    } else {
        low = vec3_neg(high);
    }
    vec3 middle = mat3_mul(item->rotation, vec3_scale(0.5, vec3_add(low, high)));
    double half[3], centre[3];
    vec3_store(vec3_scale(0.5, vec3_sub(high, low)), half);
    vec3_store(vec3_add(item->position, middle), centre);
    for (int k = 0; k < 3; ++k) {
        const double *row = item->rotation.m[k];
        double reach =
            item->kind == CAROM_TRACER_BALL
                ? r
                : fabs(row[0]) * half[0] + fabs(row[1]) * half[1] + fabs(row[2]) * half[2];
        box->min[k] = centre[k] - reach;
        box->max[k] = centre[k] + reach;
    }
}

carom_status carom_tracer_hit_prepare(const carom_tracer *tracer, carom_arena *arena,
                                      carom_tracer_scene *scene, carom_error *err)
{
    carom_bvh_box *boxes;
    int count = 0;
    *scene = (carom_tracer_scene){ .tracer = tracer };
    TAKE(arena, scene->bounded, tracer->count + 1, err);
    TAKE(arena, scene->planes, tracer->count + 1, err);
    TAKE(arena, boxes, tracer->count + 1, err);
    for (int i = 0; i < tracer->count; ++i) {
        const carom_tracer_item *item = &tracer->items[i];
        if (item->kind == CAROM_TRACER_PLANE) {
            scene->planes[scene->plane_count++] = i;
        } else if (item->kind != CAROM_TRACER_MESH || item->mesh->triangle_count > 0) {
            carom_tracer_hit_box(item, &boxes[count]);
            scene->bounded[count++] = i;
        }
    }
    return carom_bvh_build(boxes, count, arena, &scene->bvh, err);
}

typedef struct search {
    const carom_tracer_scene *scene;
    int item;
    vec3 normal;     // item frame
    bool any, solid; // some hit will do; only what light does not go through
} search;

static bool meet(void *context, int entry, carom_ray *ray)
{
    search *s = context;
    int item = s->scene->bounded[entry];
    if (s->solid && s->scene->tracer->items[item].transparency > 0)
        return false;
    if (!carom_tracer_hit_item(&s->scene->tracer->items[item], ray, &s->normal))
        return false;
    s->item = item;
    return s->any;
}

void carom_tracer_hit_turn(const carom_tracer_item *item, vec3 direction, vec3 normal,
                           carom_tracer_hit *hit)
{
    hit->belt = item->marked && fabs(normal.y) < 0.22;
    hit->normal = mat3_mul(item->rotation, normal);
    if (vec3_dot(hit->normal, direction) > 0 && item->kind != CAROM_TRACER_MESH)
        hit->normal = vec3_neg(hit->normal);
}

carom_tracer_hit carom_tracer_hit_first(const carom_tracer_scene *scene, vec3 origin,
                                        vec3 direction)
{
    carom_ray ray = carom_ray_make(origin, direction, HUGE_VAL);
    search s = { .scene = scene, .item = -1 };
    for (int i = 0; i < scene->plane_count; ++i) {
        double t;
        if (meet_plane(&scene->tracer->items[scene->planes[i]], &ray, &t)) {
            ray.max = t;
            s.item = scene->planes[i];
            s.normal = vec3_make(0, 0, 1);
        }
    }
    carom_bvh_visit(&scene->bvh, &ray, meet, &s);
    carom_tracer_hit hit = { .item = s.item, .far = ray.max };
    if (s.item < 0)
        return hit;
    carom_tracer_hit_turn(&scene->tracer->items[s.item], direction, s.normal, &hit);
    return hit;
}

double carom_tracer_hit_distance(const carom_tracer_scene *scene, vec3 origin, vec3 direction,
                                 double max, bool any)
{
    carom_ray ray = carom_ray_make(origin, direction, max);
    search s = { .scene = scene, .item = -1, .any = any, .solid = true };
    carom_bvh_visit(&scene->bvh, &ray, meet, &s);
    return s.item < 0 ? max : ray.max;
}

// Where rays meet balls, capsules, cylinders, boxes, triangles and planes, each in its own frame.
#include "draw/tracer_hit.h"

// The nearest crossing in (0, most) of a |d|^2 t^2 + 2 b t + c = 0, or a negative number.
static double nearest_root(double a, double b, double c, double most)
{
    double root = b * b - a * c;
    if (root < 0 || a <= 0)
        return -1;
    root = sqrt(root);
    double t = (-b - root) / a;
    if (t > 0 && t < most)
        return t;
    t = (-b + root) / a;
    return t > 0 && t < most ? t : -1;
}

static bool meet_ball(vec3 centre, double radius, carom_ray *ray, vec3 *normal)
{
    vec3 o = vec3_sub(ray->origin, centre);
    double t = nearest_root(vec3_dot(ray->direction, ray->direction), vec3_dot(o, ray->direction),
                            vec3_dot(o, o) - radius * radius, ray->most);
    if (t < 0)
        return false;
    ray->most = t;
    *normal = vec3_scale(1 / radius, vec3_axpy(o, t, ray->direction));
    return true;
}

// The barrel about the z axis: both crossings are tried, as the nearer one may lie beyond an end.
static bool meet_barrel(double radius, double half, carom_ray *ray, vec3 *normal)
{
    vec3 o = ray->origin, d = ray->direction;
    double a = d.x * d.x + d.y * d.y, b = o.x * d.x + o.y * d.y;
    double c = o.x * o.x + o.y * o.y - radius * radius, root = b * b - a * c;
    if (root < 0 || a <= 0)
        return false;
    root = sqrt(root);
    for (int side = -1; side <= 1; side += 2) {
        double t = (-b + side * root) / a;
        if (!(t > 0) || t >= ray->most || fabs(o.z + t * d.z) > half)
            continue;
        ray->most = t;
        *normal = vec3_make((o.x + t * d.x) / radius, (o.y + t * d.y) / radius, 0);
        return true;
    }
    return false;
}

static bool meet_capsule(const carom_tracer_item *item, carom_ray *ray, vec3 *normal)
{
    double half = item->half_length;
    bool met = meet_barrel(item->radius, half, ray, normal);
    for (int side = -1; side <= 1; side += 2) {
        carom_ray end = *ray;
        vec3 n;
        if (meet_ball(vec3_make(0, 0, side * half), item->radius, &end, &n) && side * n.z >= 0) {
            ray->most = end.most;
            *normal = n;
            met = true;
        }
    }
    return met;
}

static bool meet_cylinder(const carom_tracer_item *item, carom_ray *ray, vec3 *normal)
{
    vec3 o = ray->origin, d = ray->direction;
    bool met = meet_barrel(item->radius, item->half_length, ray, normal);
    for (int side = -1; side <= 1 && d.z != 0; side += 2) {
        double t = (side * item->half_length - o.z) / d.z, x = o.x + t * d.x, y = o.y + t * d.y;
        if (!(t > 0) || t >= ray->most || x * x + y * y > item->radius * item->radius)
            continue;
        ray->most = t;
        *normal = vec3_make(0, 0, side);
        met = true;
    }
    return met;
}

static bool meet_box(const carom_tracer_item *item, carom_ray *ray, vec3 *normal)
{
    double o[3], h[3], near = -HUGE_VAL, far = HUGE_VAL;
    int near_axis = 0, far_axis = 0;
    vec3_store(ray->origin, o);
    vec3_store(item->half, h);
    for (int k = 0; k < 3; ++k) {
        double a = (-h[k] - o[k]) * ray->inverse[k], b = (h[k] - o[k]) * ray->inverse[k];
        double low = a < b ? a : b, high = a < b ? b : a;
        if (low > near) {
            near = low;
            near_axis = k;
        }
        if (high < far) {
            far = high;
            far_axis = k;
        }
    }
    double t = near > 0 ? near : far;
    int axis = near > 0 ? near_axis : far_axis;
    if (near > far || !(t > 0) || t >= ray->most)
        return false;
    ray->most = t;
    double n[3] = { 0 };
    n[axis] = ray->inverse[axis] > 0 ? -1 : 1;
    *normal = vec3_from(n);
    return true;
}

static bool meet_plane(const carom_tracer_item *item, const carom_ray *ray, double *t)
{
    vec3 n = vec3_make(item->rotation.m[0][2], item->rotation.m[1][2], item->rotation.m[2][2]);
    double down = vec3_dot(n, ray->direction);
    if (down >= 0)
        return false; // from below
    *t = vec3_dot(n, vec3_sub(item->position, ray->origin)) / down;
    return *t > 0 && *t < ray->most;
}

// The normal comes out in the item's frame.
static bool meet_item(const carom_tracer_item *item, carom_ray *ray, vec3 *normal)
{
    if (item->kind == CAROM_TRACER_BALL) { // the common case, without another frame
        bool met = meet_ball(item->position, item->radius, ray, normal);
        *normal = met ? mat3_tmul(item->rotation, *normal) : *normal;
        return met;
    }
    carom_ray in = carom_bvh_ray(mat3_tmul(item->rotation, vec3_sub(ray->origin, item->position)),
                                 mat3_tmul(item->rotation, ray->direction), ray->most);
    bool met = item->kind == CAROM_TRACER_CAPSULE    ? meet_capsule(item, &in, normal)
               : item->kind == CAROM_TRACER_CYLINDER ? meet_cylinder(item, &in, normal)
               : item->kind == CAROM_TRACER_BOX      ? meet_box(item, &in, normal)
                                                     : carom_trimesh_meet(item->mesh, &in, normal);
    ray->most = in.most;
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
        low = vec3_from(item->mesh->bvh.box.least);
        high = vec3_from(item->mesh->bvh.box.most);
    } else {
        low = vec3_neg(high);
    }
    vec3 middle = mat3_mul(item->rotation, vec3_scale(.5, vec3_add(low, high)));
    double half[3], centre[3];
    vec3_store(vec3_scale(.5, vec3_sub(high, low)), half);
    vec3_store(vec3_add(item->position, middle), centre);
    for (int k = 0; k < 3; ++k) {
        const double *row = item->rotation.m[k];
        double reach =
            item->kind == CAROM_TRACER_BALL
                ? r
                : fabs(row[0]) * half[0] + fabs(row[1]) * half[1] + fabs(row[2]) * half[2];
        box->least[k] = centre[k] - reach;
        box->most[k] = centre[k] + reach;
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
    vec3 normal; // item frame
    bool any;
} search;

static bool meet(void *context, int entry, carom_ray *ray)
{
    search *s = context;
    int item = s->scene->bounded[entry];
    if (!meet_item(&s->scene->tracer->items[item], ray, &s->normal))
        return false;
    s->item = item;
    return s->any;
}

static int on_belt(const carom_tracer_item *item, vec3 normal)
{
    return item->marked && fabs(normal.y) < 0.22;
}

carom_tracer_hit carom_tracer_hit_first(const carom_tracer_scene *scene, vec3 origin,
                                        vec3 direction)
{
    carom_ray ray = carom_bvh_ray(origin, direction, HUGE_VAL);
    search s = { .scene = scene, .item = -1 };
    for (int i = 0; i < scene->plane_count; ++i) {
        double t;
        if (meet_plane(&scene->tracer->items[scene->planes[i]], &ray, &t)) {
            ray.most = t;
            s.item = scene->planes[i];
            s.normal = vec3_make(0, 0, 1);
        }
    }
    carom_bvh_visit(&scene->bvh, &ray, meet, &s);
    carom_tracer_hit hit = { .item = s.item, .far = ray.most };
    if (s.item < 0)
        return hit;
    const carom_tracer_item *item = &scene->tracer->items[s.item];
    hit.belt = on_belt(item, s.normal);
    hit.normal = mat3_mul(item->rotation, s.normal);
    if (vec3_dot(hit.normal, direction) > 0 && item->kind != CAROM_TRACER_MESH)
        hit.normal = vec3_neg(hit.normal);
    return hit;
}

double carom_tracer_hit_distance(const carom_tracer_scene *scene, vec3 origin, vec3 direction,
                                 double most, bool any)
{
    carom_ray ray = carom_bvh_ray(origin, direction, most);
    search s = { .scene = scene, .item = -1, .any = any };
    carom_bvh_visit(&scene->bvh, &ray, meet, &s);
    return s.item < 0 ? most : ray.most;
}

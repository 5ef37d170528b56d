// Where rays meet balls, capsules, cylinders, boxes and triangles.
#include "math/ray.h"

carom_ray carom_ray_make(vec3 origin, vec3 direction, double max)
{
    carom_ray ray = { origin, direction, { 0 }, max };
    double d[3];
    vec3_store(direction, d);
    for (int k = 0; k < 3; ++k) // 1e300 instead of infinity: 0 times infinity is not a number
        ray.inverse[k] = fabs(d[k]) > 1e-300 ? 1 / d[k] : 1e300;
    return ray;
}

// The nearest crossing in (0, most) of a |d|^2 t^2 + 2 b t + c = 0, or a negative number.
static double nearest_root(double a, double b, double c, double max)
{
    double root = b * b - a * c;
    if (root < 0 || a <= 0)
        return -1;
    root = sqrt(root);
    double t = (-b - root) / a;
    if (t > 0 && t < max)
        return t;
    t = (-b + root) / a;
    return t > 0 && t < max ? t : -1;
}

bool carom_ray_ball(vec3 centre, double radius, carom_ray *ray, vec3 *normal)
{
    vec3 o = vec3_sub(ray->origin, centre);
    double t = nearest_root(vec3_dot(ray->direction, ray->direction), vec3_dot(o, ray->direction),
                            vec3_dot(o, o) - radius * radius, ray->max);
    if (t < 0)
        return false;
    ray->max = t;
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
        if (!(t > 0) || t >= ray->max || fabs(o.z + t * d.z) > half)
            continue;
        ray->max = t;
        *normal = vec3_make((o.x + t * d.x) / radius, (o.y + t * d.y) / radius, 0);
        return true;
    }
    return false;
}

bool carom_ray_capsule(double radius, double half, carom_ray *ray, vec3 *normal)
{
    bool met = meet_barrel(radius, half, ray, normal);
    for (int side = -1; side <= 1; side += 2) {
        carom_ray end = *ray;
        vec3 n;
        if (carom_ray_ball(vec3_make(0, 0, side * half), radius, &end, &n) && side * n.z >= 0) {
            ray->max = end.max;
            *normal = n;
            met = true;
        }
    }
    return met;
}

bool carom_ray_cylinder(double radius, double half, carom_ray *ray, vec3 *normal)
{
    vec3 o = ray->origin, d = ray->direction;
    bool met = meet_barrel(radius, half, ray, normal);
    for (int side = -1; side <= 1 && d.z != 0; side += 2) {
        double t = (side * half - o.z) / d.z, x = o.x + t * d.x, y = o.y + t * d.y;
        if (!(t > 0) || t >= ray->max || x * x + y * y > radius * radius)
            continue;
        ray->max = t;
        *normal = vec3_make(0, 0, side);
        met = true;
    }
    return met;
}

bool carom_ray_box(vec3 half, carom_ray *ray, vec3 *normal)
{
    double o[3], h[3], near = -HUGE_VAL, far = HUGE_VAL;
    int near_axis = 0, far_axis = 0;
    vec3_store(ray->origin, o);
    vec3_store(half, h);
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
    if (near > far || !(t > 0) || t >= ray->max)
        return false;
    ray->max = t;
    double n[3] = { 0 };
    n[axis] = ray->inverse[axis] > 0 ? -1 : 1;
    *normal = vec3_from(n);
    return true;
}

bool carom_ray_triangle(vec3 corner, vec3 one, vec3 two, carom_ray *ray, double *u, double *v)
{
    vec3 p = vec3_cross(ray->direction, two);
    double det = vec3_dot(one, p);
    if (det == 0)
        return false;
    vec3 s = vec3_sub(ray->origin, corner), q = vec3_cross(s, one);
    *u = vec3_dot(s, p) / det;
    *v = vec3_dot(ray->direction, q) / det;
    double distance = vec3_dot(two, q) / det;
    if (*u < 0 || *v < 0 || *u + *v > 1 || !(distance > 0) || distance >= ray->max)
        return false;
    ray->max = distance;
    return true;
}

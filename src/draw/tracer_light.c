// One sun from the upper left of the viewer, a sky that is brighter than the ground, a small
// highlight, and lines on planes.
#include "draw/tracer_light.h"

#include "draw/colour.h"
#include "math/constants.h"
#include "math/trig.h"

static const double sun_radius = 0.05; // of the disc, seen from one metre: a soft edge

// Points of the additive recurrence with the plastic number: any run of them is spread evenly.
static void spread(int index, double out[2])
{
    double a = 0.5 + 0.7548776662466927 * index, b = 0.5 + 0.5698402909980532 * index;
    out[0] = a - floor(a);
    out[1] = b - floor(b);
}

void carom_tracer_light_prepare(carom_tracer_light *light, const carom_tracer_scene *scene,
                                const carom_image *image)
{
    // Neighbouring pixels get sets that lie far apart, so that a block of 4 x 4 looks even.
    static const int shuffled[CAROM_TRACER_PATTERN] = { 0, 8,  2, 10, 12, 4, 14, 6,
                                                        3, 11, 1, 9,  15, 7, 13, 5 };
    const carom_camera *camera = &scene->tracer->camera;
    bool dark = scene->tracer->dark;
    light->low = carom_colour_hex(dark ? 0x22272e : 0xe9edf1);
    light->high = carom_colour_hex(dark ? 0x12151a : 0xf8fafb);
    light->lines = carom_colour_hex(dark ? 0x59636f : 0x9aa5b1);
    light->scene = scene;
    light->frame = carom_camera_axes(camera, (double)image->width / image->height);
    light->up = vec3_unit(camera->up);
    light->pixel = 2 * light->frame.half_height / image->height;
    light->skin = 1e-6 * vec3_length(vec3_sub(camera->to, camera->from));
    vec3 back = vec3_neg(light->frame.forward);
    back = vec3_unit(vec3_axpy(back, -vec3_dot(back, light->up), light->up));
    light->sun = vec3_unit(
        vec3_axpy(vec3_axpy(vec3_scale(0.85, light->up), -0.55, light->frame.right), 0.65, back));
    for (int set = 0; set < CAROM_TRACER_PATTERN; ++set)
        for (int i = 0; i < CAROM_TRACER_RAYS; ++i) {
            double u[2], r;
            spread(shuffled[set] + CAROM_TRACER_PATTERN * i, u);
            r = sqrt(u[0]);
            double x = r * carom_trig_cos(CAROM_TWO_PI * u[1]),
                   y = r * carom_trig_sin(CAROM_TWO_PI * u[1]);
            light->disc[set][i][0] = sun_radius * x;
            light->disc[set][i][1] = sun_radius * y;
            light->dome[set][i] = vec3_make(x, y, sqrt(1 - r * r)); // even in the cosine
        }
}

double carom_tracer_light_sun(const carom_tracer_light *light, vec3 point, vec3 normal, int set,
                              int rays)
{
    vec3 origin = vec3_axpy(point, light->skin, normal), a, b;
    double seen = 0;
    if (!(vec3_dot(normal, light->sun) > 0))
        return 0;
    vec3_tangents(light->sun, &a, &b);
    for (int i = 0; i < rays; ++i) {
        const double *p = light->disc[set][i];
        vec3 d = vec3_unit(vec3_axpy(vec3_axpy(light->sun, p[0], a), p[1], b));
        if (carom_tracer_hit_distance(light->scene, origin, d, HUGE_VAL, true) == HUGE_VAL)
            seen += 1.0 / rays;
    }
    return seen;
}

double carom_tracer_light_sky(const carom_tracer_light *light, vec3 point, vec3 normal, int set,
                              int rays)
{
    double reach = light->scene->tracer->reach, seen = 0;
    vec3 origin = vec3_axpy(point, light->skin, normal), a, b;
    vec3_tangents(normal, &a, &b);
    for (int i = 0; i < rays; ++i) {
        vec3 p = light->dome[set][i];
        vec3 d = vec3_axpy(vec3_axpy(vec3_scale(p.z, normal), p.x, a), p.y, b);
        seen += carom_tracer_hit_distance(light->scene, origin, d, reach, false) / (reach * rays);
    }
    return seen;
}

vec3 carom_tracer_light_background(const carom_tracer_light *light, vec3 direction)
{
    double lift = .5 + .5 * vec3_dot(vec3_unit(direction), light->frame.up) / 0.4;
    lift = lift < 0 ? 0 : lift > 1 ? 1 : lift;
    return vec3_axpy(vec3_scale(1 - lift, light->low), lift, light->high);
}

// Share of a pixel that a line takes: a band of `width` about multiples of `grid`, blurred by the
// pixel's own breadth `pixel` on the plane.
static double line(double at, double grid, double width, double pixel)
{
    double away = fabs(at - grid * floor(at / grid + .5)), near = 1 - 3 * pixel / grid;
    width = width > .9 * pixel ? width : .9 * pixel;
    double share = (.5 * (width + pixel) - away) / pixel, max = width < pixel ? width / pixel : 1;
    share = share < 0 ? 0 : share > max ? max : share;
    return near > 0 ? share * near : 0; // lines that would run into each other fade
}

static vec3 plane_colour(const carom_tracer_light *light, const carom_tracer_item *item,
                         const carom_tracer_hit *hit, vec3 direction)
{
    const carom_tracer *tracer = light->scene->tracer;
    if (!(tracer->grid > 0))
        return item->colour;
    vec3 point = vec3_axpy(tracer->camera.from, hit->far, direction);
    vec3 local = mat3_tmul(item->rotation, vec3_sub(point, item->position));
    double down = vec3_dot(hit->normal, direction), ink = 0, at[2] = { local.x, local.y };
    double metres = hit->far * light->pixel, width = 0.014 * tracer->grid;
    vec3 step[2] = { light->frame.right, light->frame.up };
    for (int axis = 0; axis < 2; ++axis) {
        vec3 along = vec3_make(item->rotation.m[0][axis], item->rotation.m[1][axis],
                               item->rotation.m[2][axis]);
        double breadth = 0;
        for (int k = 0; k < 2; ++k) { // how far the point moves along the axis per pixel
            double slide = vec3_dot(hit->normal, step[k]) / down;
            breadth += fabs(vec3_dot(along, vec3_axpy(step[k], -slide, direction)));
        }
        double here = line(at[axis], tracer->grid, width, metres * breadth + 1e-300);
        ink = here > ink ? here : ink;
    }
    return vec3_axpy(vec3_scale(1 - .75 * ink, item->colour), .75 * ink, light->lines);
}

static double highlight(const carom_tracer_light *light, vec3 normal, vec3 direction)
{
    double c = vec3_dot(normal, vec3_unit(vec3_sub(light->sun, vec3_unit(direction))));
    double c2 = c > 0 ? c * c : 0, c4 = c2 * c2, c8 = c4 * c4, c16 = c8 * c8;
    return 0.16 * c16 * c16;
}

vec3 carom_tracer_light_shade(const carom_tracer_light *light, const carom_tracer_hit *hit,
                              vec3 direction, const double seen[2])
{
    const carom_tracer *tracer = light->scene->tracer;
    const carom_tracer_item *item = &tracer->items[hit->item];
    bool plane = item->kind == CAROM_TRACER_PLANE;
    vec3 colour = plane ? plane_colour(light, item, hit, direction) : item->colour;
    if (hit->belt)
        colour = vec3_axpy(vec3_scale(.6, colour), .3, vec3_make(1, 1, 1));
    double slope = vec3_dot(hit->normal, light->sun);
    double sun = 0.95 * (slope > 0 ? slope : 0) * seen[0];
    double rise = .5 + .5 * vec3_dot(hit->normal, light->up);
    double sky = (0.22 + 0.33 * rise) * (0.15 + 0.85 * seen[1]);
    vec3 result = vec3_scale(sun + sky, colour);
    if (!plane) {
        double shine = highlight(light, hit->normal, direction) * seen[0];
        return vec3_add(result, vec3_make(shine, shine, shine));
    }
    vec3 point = vec3_axpy(tracer->camera.from, hit->far, direction);
    double far = vec3_length(vec3_sub(point, tracer->middle)) / tracer->fade - 1;
    far = far < 0 ? 0 : far > 1 ? 1 : far;
    far = far * far * (3 - 2 * far);
    return vec3_axpy(vec3_scale(1 - far, result), far,
                     carom_tracer_light_background(light, direction));
}

// Lamps (where none are given, one sun from the upper left of the viewer), a sky that is brighter
// than the ground, highlights by roughness, and lines on planes.
#include "draw/tracer_light.h"

#include "draw/colour.h"
#include "math/constants.h"
#include "math/trig.h"

#define SUN_RADIUS 0.05 // of the disc, seen from one metre: a soft edge

// Points of the additive recurrence with the plastic number: any run of them is spread evenly.
static void spread(int index, double out[2])
{
    double a = 0.5 + 0.7548776662466927 * index, b = 0.5 + 0.5698402909980532 * index;
    out[0] = a - floor(a);
    out[1] = b - floor(b);
}

static void prepare_lamps(carom_tracer_light *light, const carom_tracer *tracer)
{
    light->lamp_count = tracer->lamp_count;
    for (int i = 0; i < tracer->lamp_count; ++i)
        light->lamps[i] = tracer->lamps[i];
    if (light->lamp_count > 0)
        return;
    vec3 back = vec3_neg(light->frame.forward);
    back = vec3_unit(vec3_axpy(back, -vec3_dot(back, light->up), light->up));
    vec3 sun =
        vec3_axpy(vec3_axpy(vec3_scale(0.85, light->up), -0.55, light->frame.right), 0.65, back);
    light->lamps[0] = (carom_tracer_lamp){ vec3_unit(sun), { 1, 1, 1 }, SUN_RADIUS };
    light->lamp_count = 1;
}

// The four directions of one set, all within the discs of the lamps and within the sky.
static void prepare_set(carom_tracer_light *light, int set, int begin)
{
    double disc[CAROM_TRACER_RAYS][2];
    for (int i = 0; i < CAROM_TRACER_RAYS; ++i) {
        double u[2], r;
        spread(begin + CAROM_TRACER_PATTERN * i, u);
        r = sqrt(u[0]);
        disc[i][0] = r * carom_trig_cos(CAROM_TWO_PI * u[1]);
        disc[i][1] = r * carom_trig_sin(CAROM_TWO_PI * u[1]);
        light->dome[set][i] =
            vec3_make(disc[i][0], disc[i][1], sqrt(1 - r * r)); // even in the cosine
    }
    for (int k = 0; k < light->lamp_count; ++k) {
        const carom_tracer_lamp *lamp = &light->lamps[k];
        vec3 a, b, direction[CAROM_TRACER_RAYS];
        vec3_tangents(lamp->towards, &a, &b);
        for (int i = 0; i < CAROM_TRACER_RAYS; ++i)
            direction[i] =
                vec3_unit(vec3_axpy(vec3_axpy(lamp->towards, lamp->radius * disc[i][0], a),
                                    lamp->radius * disc[i][1], b));
        light->shadows[k][set] = carom_tracer_shadow_make(direction);
    }
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
    prepare_lamps(light, scene->tracer);
    for (int set = 0; set < CAROM_TRACER_PATTERN; ++set)
        prepare_set(light, set, shuffled[set]);
}

double carom_tracer_light_lamp(const carom_tracer_light *light, int lamp,
                               const carom_tracer_place *at, int *before)
{
    if (!(vec3_dot(at->normal, light->lamps[lamp].towards) > 0))
        return 0;
    return carom_tracer_shadow_share(light->scene, &light->shadows[lamp][at->set],
                                     vec3_axpy(at->point, light->skin, at->normal), before);
}

double carom_tracer_light_sky(const carom_tracer_light *light, const carom_tracer_place *at,
                              int rays)
{
    double reach = light->scene->tracer->reach, seen = 0;
    vec3 origin = vec3_axpy(at->point, light->skin, at->normal), a, b;
    vec3_tangents(at->normal, &a, &b);
    for (int i = 0; i < rays; ++i) {
        vec3 p = light->dome[at->set][i];
        vec3 d = vec3_axpy(vec3_axpy(vec3_scale(p.z, at->normal), p.x, a), p.y, b);
        seen += carom_tracer_hit_distance(light->scene, origin, d, reach, false) / (reach * rays);
    }
    return seen;
}

vec3 carom_tracer_light_background(const carom_tracer_light *light, vec3 direction)
{
    double length = sqrt(vec3_dot(direction, direction));
    double lift = 0.5 + 1.25 * vec3_dot(direction, light->frame.up) / length;
    lift = lift < 0 ? 0 : lift > 1 ? 1 : lift;
    return vec3_axpy(vec3_scale(1 - lift, light->low), lift, light->high);
}

// Share of a pixel that a line takes: a band of `width` about multiples of `grid`, blurred by the
// pixel's own breadth `pixel` on the plane.
static double line(double at, double grid, double width, double pixel)
{
    double away = fabs(at - grid * floor(at / grid + 0.5)), near = 1 - 3 * pixel / grid;
    width = width > 0.9 * pixel ? width : 0.9 * pixel;
    double share = (0.5 * (width + pixel) - away) / pixel, max = width < pixel ? width / pixel : 1;
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
    return vec3_axpy(vec3_scale(1 - 0.75 * ink, item->colour), 0.75 * ink, light->lines);
}

// A highlight after Blinn (1977): the cosine between the normal and the middle of lamp and viewer
// to a power that falls with the roughness, 2 / r^4 - 2 (Walter et al. 2007), and as much brighter
// as it is smaller, up to where it would be white.
static double highlight(const carom_tracer_lamp *lamp, vec3 normal, vec3 direction,
                        double roughness)
{
    double c = vec3_dot(normal, vec3_unit(vec3_sub(lamp->towards, vec3_unit(direction))));
    double square = fmax(roughness * roughness, 0.03), shine = 1; // smaller is a point
    if (!(c > 0))
        return 0;
    int power = (int)(2 / (square * square) - 1.5);
    double strength = 0.008 * (1 - roughness) * (power + 8);
    for (int rest = power; rest > 0; rest /= 2) {
        shine *= rest % 2 ? c : 1;
        c *= c;
    }
    return (strength < 0.7 ? strength : 0.7) * shine;
}

vec3 carom_tracer_light_shade(const carom_tracer_light *light, const carom_tracer_hit *hit,
                              vec3 direction, const float *seen)
{
    const carom_tracer *tracer = light->scene->tracer;
    const carom_tracer_item *item = &tracer->items[hit->item];
    bool plane = item->kind == CAROM_TRACER_PLANE;
    vec3 colour = plane ? plane_colour(light, item, hit, direction) : item->colour;
    if (hit->belt)
        colour = vec3_axpy(vec3_scale(0.6, colour), 0.3, vec3_make(1, 1, 1));
    double rise = 0.5 + 0.5 * vec3_dot(hit->normal, light->up);
    double sky = (0.22 + 0.33 * rise) * (0.15 + 0.85 * (double)seen[0]);
    vec3 fallen = vec3_make(sky, sky, sky), shine = { 0, 0, 0 };
    for (int k = 0; k < light->lamp_count; ++k) {
        const carom_tracer_lamp *lamp = &light->lamps[k];
        double slope = vec3_dot(hit->normal, lamp->towards), share = (double)seen[1 + k];
        if (!(slope > 0 && share > 0))
            continue;
        fallen = vec3_axpy(fallen, 0.95 * slope * share, lamp->colour);
        if (!plane)
            shine =
                vec3_axpy(shine, share * highlight(lamp, hit->normal, direction, item->roughness),
                          lamp->colour);
    }
    vec3 result = vec3_make(fallen.x * colour.x, fallen.y * colour.y, fallen.z * colour.z);
    if (!plane)
        return vec3_add(result, shine);
    vec3 point = vec3_axpy(tracer->camera.from, hit->far, direction);
    double far = vec3_length(vec3_sub(point, tracer->middle)) / tracer->fade - 1;
    far = far < 0 ? 0 : far > 1 ? 1 : far;
    far = far * far * (3 - 2 * far);
    return vec3_axpy(vec3_scale(1 - far, result), far,
                     carom_tracer_light_background(light, direction));
}

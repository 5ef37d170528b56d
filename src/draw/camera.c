// Axes of a camera and the distance from which it sees a set of balls. Projection is the tracer's.
#include "draw/camera.h"

#include "math/trig.h"

carom_camera_frame carom_camera_axes(const carom_camera *camera, double aspect)
{
    carom_camera_frame f;
    double half[2];
    f.forward = vec3_unit(vec3_sub(camera->to, camera->from));
    f.right = vec3_cross(f.forward, camera->up);
    if (vec3_length(f.right) < 1e-9) { // looking straight up or down: y shows upwards
        vec3 other = fabs(f.forward.y) < 0.9 ? vec3_make(0, 1, 0) : vec3_make(1, 0, 0);
        f.right = vec3_cross(f.forward, other);
    }
    f.right = vec3_unit(f.right);
    f.up = vec3_cross(f.right, f.forward);
    carom_trig_degrees(camera->fov / 2, half);
    f.half_height = half[0] / half[1];
    f.half_width = f.half_height * aspect;
    return f;
}

// The two planes of the picture's edges that contain `side` = +-axis: how far outside the outermost
// ball they must lie. Returns through `reach` the offsets for + and -.
static void edges(const carom_camera_ball *balls, int count, vec3 axis, vec3 forward,
                  double tangent, double reach[2])
{
    double cosine = 1 / sqrt(1 + tangent * tangent), sine = tangent * cosine;
    for (int side = 0; side < 2; ++side) {
        vec3 n = vec3_axpy(vec3_scale(side ? -cosine : cosine, axis), -sine, forward);
        reach[side] = -HUGE_VAL;
        for (int i = 0; i < count; ++i) {
            double r = vec3_dot(n, balls[i].centre) + balls[i].radius;
            reach[side] = r > reach[side] ? r : reach[side];
        }
    }
}

carom_camera carom_camera_fit(vec3 forward, double fov, double aspect,
                              const carom_camera_ball *balls, int count)
{
    carom_camera camera = { { 0, 0, 0 }, vec3_unit(forward), { 0, 0, 1 }, fov };
    carom_camera_frame f = carom_camera_axes(&camera, aspect);
    if (count == 0) {
        camera.from = vec3_scale(-5, f.forward);
        return camera;
    }
    const double margin = 0.9;
    double tangent[2] = { margin * f.half_width, margin * f.half_height }, back = HUGE_VAL;
    vec3 axis[2] = { f.right, f.up }, place = { 0, 0, 0 };
    for (int k = 0; k < 2; ++k) {
        double reach[2];
        edges(balls, count, axis[k], f.forward, tangent[k], reach);
        double cosine = 1 / sqrt(1 + tangent[k] * tangent[k]), sine = tangent[k] * cosine;
        double deep = -(reach[0] + reach[1]) / (2 * sine);
        back = deep < back ? deep : back;
        place = vec3_axpy(place, (reach[0] - reach[1]) / (2 * cosine), axis[k]);
    }
    camera.from = vec3_axpy(place, back, f.forward);
    double far = 0;
    for (int i = 0; i < count; ++i)
        far += vec3_dot(f.forward, vec3_sub(balls[i].centre, camera.from)) / count;
    camera.to = vec3_axpy(camera.from, far > 0 ? far : 1, f.forward);
    return camera;
}

vec3 carom_camera_side(const double extent[3])
{
    double x = extent[0], y = extent[1], z = extent[2];
    double wide = x > y ? x : y, narrow = x > y ? y : x;
    // A row or a wall is seen from its side, a heap from a corner.
    double turn = narrow < 0.25 * wide && narrow < 0.5 * z ? 12 : narrow < 0.1 * wide ? 16 : 32;
    double lift = z < 0.15 * narrow ? 42 : z < 0.5 * narrow ? 30 : narrow < 0.1 * z ? 10 : 18;
    double a[2], b[2];
    carom_trig_degrees(turn, a);
    carom_trig_degrees(lift, b);
    vec3 side = x >= y ? vec3_make(a[0], a[1], 0) : vec3_make(-a[1], a[0], 0);
    return vec3_make(side.x * b[1], side.y * b[1], -b[0]);
}

// Where a picture is taken from.
#ifndef CAROM_DRAW_CAMERA_H
#define CAROM_DRAW_CAMERA_H

#include "math/vec.h"

typedef struct carom_camera {
    vec3 from, to, up; // m
    double fov;        // degrees, from the lower to the upper edge
} carom_camera;

// A ball that has to be seen.
typedef struct carom_camera_ball {
    vec3 centre;
    double radius;
} carom_camera_ball;

// Unit vectors of a camera: right, up and forward, and the half heights of the picture one metre
// away.
typedef struct carom_camera_frame {
    vec3 right, up, forward;
    double half_width, half_height;
} carom_camera_frame;

carom_camera_frame carom_camera_axes(const carom_camera *camera, double aspect);
// Moves a camera that looks along `forward` to the nearest place from which all balls are seen
// with a margin. `aspect` is width over height.
carom_camera carom_camera_fit(vec3 forward, double fov, double aspect,
                              const carom_camera_ball *balls, int count);
// Looks at balls of which some `reach` boxes (half extents about the middle) from a side that shows
// the most: a row from the side, a layer from above, a heap from a corner.
vec3 carom_camera_side(const double extent[3]);

#endif

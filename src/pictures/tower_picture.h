// Drawing towers, shared by the picture and the player.
#ifndef CAROM_PICTURES_TOWER_PICTURE_H
#define CAROM_PICTURES_TOWER_PICTURE_H

#include "draw/svg.h"
#include "tower/tower_internal.h"

typedef struct tower_window {
    double low_x, high_x, low_y, high_y;
} tower_window;

// What has to be seen: all bodies at rest, or in all frames of a recording.
tower_window carom_tower_picture_window(const carom_tower *tower,
                                        const carom_tower_recording *recording);
// World corners of a body at a place; returns their number (1 for a point mass).
int carom_tower_picture_corners(const carom_tower *tower, int body, const double place[3],
                                double *out);

#endif

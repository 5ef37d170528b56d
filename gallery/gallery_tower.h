// Entries of [Collapse] whose functions stand in other files than the list.
#ifndef CAROM_GALLERY_TOWER_H
#define CAROM_GALLERY_TOWER_H

#include "carom/tower.h"
#include "gallery/gallery_result.h"

// gallery_tower.c
carom_status carom_gallery_tower_load(const carom_gallery_result *result, const char *scene,
                                      carom_tower **out, carom_error *err);
// The picture of `carom tower`: forces, first motion, and frames where there is a recording.
carom_status carom_gallery_tower_picture(carom_gallery_result *result, const carom_tower *tower,
                                         const carom_tower_recording *recording,
                                         const char *caption, carom_error *err);
// gallery_tower_sketch.c: the explained pictures
carom_status carom_gallery_tower_brick(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_tower_sides(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_tower_linear(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_tower_masses(carom_gallery_result *result, carom_error *err);
// gallery_tower_crash.c: theorem 7.1
carom_status carom_gallery_tower_crash(carom_gallery_result *result, carom_error *err);
// gallery_tower_fall.c: figure 11 and footnote 3
carom_status carom_gallery_tower_snapshot(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_tower_footnote(carom_gallery_result *result, carom_error *err);
// gallery_tower_penalty.c: section 8.4
carom_status carom_gallery_tower_penalty(carom_gallery_result *result, carom_error *err);
// gallery_tower_space.c: the outlook of section 1
carom_status carom_gallery_tower_space(carom_gallery_result *result, carom_error *err);

#endif

// Entries of [Collapse] whose functions stand in other files than the list.
#ifndef CAROM_GALLERY_TOWER_H
#define CAROM_GALLERY_TOWER_H

#include "carom/tower.h"
#include "gallery/gallery.h"

// gallery_tower_sketch.c: the explained pictures
carom_status carom_gallery_tower_brick(carom_gallery_hand *hand, carom_error *err);
carom_status carom_gallery_tower_sides(carom_gallery_hand *hand, carom_error *err);
carom_status carom_gallery_tower_linear(carom_gallery_hand *hand, carom_error *err);
carom_status carom_gallery_tower_masses(carom_gallery_hand *hand, carom_error *err);
// gallery_tower_crash.c: theorem 7.1
carom_status carom_gallery_tower_crash(carom_gallery_hand *hand, carom_error *err);

#endif

// Entries of [ETM] whose functions stand in other files than the list.
#ifndef CAROM_GALLERY_ETM_H
#define CAROM_GALLERY_ETM_H

#include "gallery/gallery_result.h"

// gallery_etm_heaps.c: many bodies
carom_status carom_gallery_etm_energy(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_etm_packing(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_etm_settling(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_etm_slopes(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_etm_lines(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_etm_angles(carom_gallery_result *result, carom_error *err);

#endif

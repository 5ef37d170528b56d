// Entries of [QCE] whose functions stand in other files than the list.
#ifndef CAROM_GALLERY_QCE_H
#define CAROM_GALLERY_QCE_H

#include "gallery/gallery_result.h"

// gallery_qce_three.c: three balls, disturbed cradles, restitution
carom_status carom_gallery_qce_exchange(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_qce_curves(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_qce_disturbed(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_qce_readings(carom_gallery_result *result, carom_error *err);
// gallery_qce_world.c: runs
carom_status carom_gallery_qce_break(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_qce_cradle(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_qce_circle(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_qce_machine(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_qce_bunnies(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_qce_energy(carom_gallery_result *result, carom_error *err);
// gallery_qce_shake.c: a shock through layers
carom_status carom_gallery_qce_shake(carom_gallery_result *result, carom_error *err);
// gallery_qce_layer.c, gallery_qce_speed.c: vibrated layers
carom_status carom_gallery_qce_layer_patterns(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_qce_speed_table(carom_gallery_result *result, carom_error *err);

#endif

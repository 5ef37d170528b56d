// Vibrating bodies for the entries of [Bounce], and the entries' functions.
#ifndef CAROM_GALLERY_BOUNCE_H
#define CAROM_GALLERY_BOUNCE_H

#include "carom/bounce_map.h"
#include "carom/import.h"
#include "gallery/gallery_result.h"

// A body with its modes, in the paper's material (E = 7e10 Pa, nu = 0.3, rho = 2000 kg/m^3).
typedef struct carom_gallery_solid {
    carom_shape *shape;
    carom_modes *modes;
    int count; // modes kept
    const double *omega;
} carom_gallery_solid;

// How fine a body is computed.
typedef struct carom_gallery_fine {
    int modes;
    double across; // cells across the thinnest dimension
    int unknowns;  // at most
} carom_gallery_fine;

// A shape by name ("rod:200x10mm@2mm"), or "bunny", Stanford's, 20 cm high. Close it also after a
// failure.
carom_status carom_gallery_bounce_solid(carom_gallery_result *result, const char *shape,
                                        carom_gallery_fine fine, carom_gallery_solid *out,
                                        carom_error *err);
void carom_gallery_bounce_close(carom_gallery_solid *solid);
// One contact; null options mean the default. `kept` modes, 0: all.
carom_status carom_gallery_bounce_at(carom_gallery_result *result, const carom_gallery_solid *solid,
                                     const double point[3], const double normal[3], int kept,
                                     const carom_bounce_options *options, carom_bounce_result *out,
                                     carom_error *err);
// The map over the faces, without edges and vertices.
carom_status carom_gallery_bounce_bake(carom_gallery_result *result,
                                       const carom_gallery_solid *solid, carom_bounce_map **out,
                                       carom_error *err);

// The body from two sides, coloured by restitution, with its values.
carom_status carom_gallery_bounce_draw(carom_gallery_result *result, const carom_bounce_map *map,
                                       const char *title, const char *caption, carom_error *err);

// gallery_bounce_rod.c: curves on rods and bars
carom_status carom_gallery_bounce_angles(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_bounce_series(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_bounce_rough(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_bounce_normals(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_bounce_damping(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_bounce_modes(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_bounce_material(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_bounce_speed(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_bounce_impulses(carom_gallery_result *result, carom_error *err);
// gallery_bounce_maps.c: maps over whole bodies
carom_status carom_gallery_bounce_letters(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_bounce_spring(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_bounce_smooth(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_bounce_places(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_bounce_bats(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_bounce_bowls(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_bounce_times(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_bounce_table(carom_gallery_result *result, carom_error *err);
// gallery_bounce_pairs.c: two bodies
carom_status carom_gallery_bounce_cloud(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_bounce_rules(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_bounce_hockey(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_bounce_ruler(carom_gallery_result *result, carom_error *err);

// gallery_bounce_drops.c: bodies with maps in motion
carom_status carom_gallery_bounce_dropped_letters(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_bounce_dropped_springs(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_bounce_passes(carom_gallery_result *result, carom_error *err);
carom_status carom_gallery_bounce_falls(carom_gallery_result *result, carom_error *err);

#endif

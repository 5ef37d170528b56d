// Instants for entries: files of kind "impact", chains of balls, and resolving by a law's name.
#ifndef CAROM_GALLERY_INSTANT_H
#define CAROM_GALLERY_INSTANT_H

#include "carom/compare.h"
#include "gallery/gallery_result.h"

// Resolves by a law, options as in "etm:lambda=200:tolerance=1e-12". The arrays of the outcome come
// from the result's arena.
carom_status carom_gallery_instant_resolve(carom_gallery_result *result, const carom_impact *impact,
                                           const char *law, carom_impact_outcome *out,
                                           carom_error *err);
// Balls of radius .5 in a row along x that all touch.
carom_status carom_gallery_instant_chain(carom_gallery_result *result, int count,
                                         const double *masses, const double *velocities,
                                         carom_impact *out, carom_error *err);
// The picture of `carom compare` on a file below the scenes, for the laws named (null at the end).
carom_status carom_gallery_instant_compare(carom_gallery_result *result, const char *scene,
                                           const char *const *laws, const char *caption,
                                           carom_error *err);

#endif

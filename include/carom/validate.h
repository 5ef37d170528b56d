/// Validation against measured impacts and tosses.
///
/// A law gets the two numbers of its material, restitution and friction, from one part of the data
/// and is judged on another. Files have the layout of data/README.md.
#ifndef CAROM_VALIDATE_H
#define CAROM_VALIDATE_H

#include <stdint.h>
#include "carom/law.h"
#include "carom/progress.h"
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What to validate on, and how. Make it with carom_validate_options_default.
typedef struct carom_validate_options {
    const char *data; ///< file that laws are judged on
    const char *fit;  ///< file that restitution and friction are fitted on; null: a half of `data`,
                      ///< chosen by `seed`, and the other half is for judging
    uint64_t seed;    ///< decides which half is fitted on; default 1
    const carom_law *const *laws; ///< to judge, `law_count` of them; belongs to the caller
    int law_count;                ///< at least 1
    int threads;                  ///< any number gives the same bits; default 1
    double gyration;              ///< m, impacts: radius of gyration of the body; default 0.0192
    double width;                 ///< m, tosses: of the cube; default 0.1048
    double mass;                  ///< kg, tosses; default 0.37
    double inertia; ///< kg m^2, tosses, about every axis; 0: of a uniform cube; default 0.00081
    double gravity; ///< m/s^2, tosses; default 9.81
    double rate;    ///< Hz, tosses: frames per second; default 148
    const carom_progress *progress; ///< may be null
} carom_validate_options;

/// What one law makes of the data it was not fitted on.
typedef struct carom_validate_row {
    const carom_law *law;         ///< the one that was judged
    double restitution, friction; ///< fitted; friction is 0 where the law has none
    double mean, median;  ///< impacts: error |v - v_measured| / |v before|, by kinetic energy
    double position;      ///< tosses: mean error, in widths of the cube
    double angle;         ///< tosses: mean error, degrees
    const double *errors; ///< per case in the order of the file: of impacts the error, of tosses
                          ///< the position's; owned by the validation
    const double *angles; ///< degrees, of tosses; null of impacts
} carom_validate_row;

/// Results, one row per law. Belongs to the caller: carom_validate_destroy.
typedef struct carom_validation {
    int fitted, judged;   ///< impacts or tosses in each part
    double bound;         ///< impacts: the mean error of the best impulse at the contact point, by
                          ///< least squares; no law can be below. Tosses: 0
    const double *bounds; ///< of each judged impact; null of tosses
    carom_validate_row *rows; ///< in the order of the laws given
    int row_count;            ///< one per law
} carom_validation;

CAROM_API carom_validate_options carom_validate_options_default(void);
/// Judges laws on single frictional impacts of one body with an immovable surface.
CAROM_API carom_status carom_validate_impacts(const carom_validate_options *options,
                                              carom_validation **out, carom_error *err);
/// Judges laws on tosses of a cube onto a floor, each from its first frame.
CAROM_API carom_status carom_validate_tosses(const carom_validate_options *options,
                                             carom_validation **out, carom_error *err);
CAROM_API void carom_validate_destroy(carom_validation *validation);

#ifdef __cplusplus
}
#endif
#endif

/// @file
/// Validation against measured impacts and tosses.
///
/// A law, or another engine, gets the numbers of its material from one part of the data and is
/// judged on another. Files have the layout of data/README.md.
#ifndef CAROM_VALIDATE_H
#define CAROM_VALIDATE_H

#include <stdint.h>
#include "carom/law.h"
#include "carom/progress.h"
#include "carom/recording.h"
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What is fitted of a material.
typedef enum carom_validate_model {
    CAROM_VALIDATE_CONSTANT, ///< restitution and friction
    CAROM_VALIDATE_FADING,   ///< restitution falls with the approach speed: a third number
    CAROM_VALIDATE_SLIPPING, ///< and with the slip, which counts twice
} carom_validate_model;

/// What to validate on, and how. Make it with carom_validate_options_default.
typedef struct carom_validate_options {
    const char *data; ///< file that laws are judged on
    const char *fit;  ///< file that the material is fitted on; null: a half of `data`, chosen by
                      ///< `seed`, and the other half is for judging
    uint64_t seed;    ///< decides which half is fitted on; default 1
    const carom_law *const *laws; ///< to judge, `law_count` of them; belongs to the caller
    int law_count;                ///< may be 0 where there are engines
    const char *const *engines;   ///< programs to judge (carom_engine_open); belongs to the caller
    int engine_count;             ///< default 0
    int threads;                  ///< any number gives the same bits; default 1
    carom_validate_model model;   ///< what is fitted of the laws' material (engines have the
                                  ///< two numbers of a constant one); default constant
    int reversed;    ///< 1: impacts: the tangential rows of the file count spin the other
                     ///< way round than its normal rows do; see docs/validate.md
    double gyration; ///< m, impacts: radius of gyration of the body; default 0.0192
    double width;    ///< m, tosses: of the cube; default 0.1048
    double mass;     ///< kg, tosses; default 0.37
    double inertia;  ///< kg m^2, tosses, about every axis; 0: of a uniform cube; default
                     ///< 0.00081
    double gravity;  ///< m/s^2, tosses; default 9.81
    double rate;     ///< Hz, tosses: frames per second; default 148
    const carom_progress *progress; ///< may be null
} carom_validate_options;

/// A material: e = 1 - (1 - restitution) (u / speed)^fade, at least 0, where u is the root of
/// u_n^2 + (slip u_t)^2, of approach and slip.
typedef struct carom_validate_material {
    double restitution; ///< at the speed of reference
    double friction;    ///< Coulomb's coefficient; 0 where the law has none
    double fade;        ///< 0: the same at every speed
    double speed;       ///< m/s: of reference
    double slip;        ///< how much slip counts; 0: not at all
} carom_validate_material;

/// What one law or engine makes of the data it was not fitted on.
typedef struct carom_validate_row {
    char name[64];                    ///< of the law, or what the engine calls itself
    const carom_law *law;             ///< the one that was judged; null of an engine
    const char *program;              ///< of an engine; belongs to the caller of the validation
    carom_validate_material material; ///< fitted
    double mean, median;  ///< impacts: error |v - v_measured| / |v before|, by kinetic energy
    double position;      ///< tosses: mean error, in widths of the cube
    double angle;         ///< tosses: mean error, degrees
    const double *errors; ///< per case in the order of the file: of impacts the error, of tosses
                          ///< the position's; owned by the validation
    const double *angles; ///< degrees, of tosses; null of impacts
    char failed[128];     ///< why an engine has no figures; empty where it has
} carom_validate_row;

/// What the measured velocities of one impact say about the material, whatever the law: from the
/// impulse at the contact that explains them best.
typedef struct carom_validate_measured {
    double approach;    ///< m/s, normal speed before, > 0
    double slip;        ///< m/s, before, along the tangent of the file
    double restitution; ///< normal speed after / before
    double friction;    ///< tangential / normal impulse
    double free_slip;   ///< m/s: the slip after if there were no friction
    double slip_after;  ///< m/s
} carom_validate_measured;

/// Results, one row per law and engine. Belongs to the caller: carom_validate_destroy.
typedef struct carom_validation {
    int fitted, judged;   ///< impacts or tosses in each part
    int tosses;           ///< 1: tosses, 0: impacts
    double bound;         ///< impacts: the mean error of the best impulse at the contact point, by
                          ///< least squares; no law can be below. Tosses: 0
    double other_bound;   ///< impacts: the bound if spin counted the other way round in the
                          ///< tangential rows; far below the bound: the file is inconsistent
    const double *bounds; ///< of each judged impact; null of tosses
    const carom_validate_measured *measured; ///< of each judged impact; null of tosses
    carom_validate_row *rows;                ///< laws, then engines, in the order given
    int row_count;                           ///< one per law and engine
} carom_validation;

/// One thread, seed 1, the bodies of the project's own data; no file and no law yet.
CAROM_API carom_validate_options carom_validate_options_default(void);
/// Judges laws on single frictional impacts of one body with an immovable surface.
CAROM_API carom_status carom_validate_impacts(const carom_validate_options *options,
                                              carom_validation **out, carom_error *err);
/// Judges laws on tosses of a cube onto a floor, each from its first frame.
CAROM_API carom_status carom_validate_tosses(const carom_validate_options *options,
                                             carom_validation **out, carom_error *err);
/// Frees it; null is allowed.
CAROM_API void carom_validate_destroy(carom_validation *validation);

/// The page: errors and how they are distributed, what the data say about the material. The caller
/// frees the text with free(); null without memory.
CAROM_API char *carom_validate_html(const carom_validation *validation);
/// Tosses of a row's law to look at, ours and beside each the measured one as a ghost: `count` of
/// the judged ones from the best to the worst, evenly by rank. `options` as they were judged with.
CAROM_API carom_status carom_validate_recording(const carom_validate_options *options,
                                                const carom_validation *validation, int row,
                                                int count, carom_recording **out, carom_error *err);

#ifdef __cplusplus
}
#endif
#endif

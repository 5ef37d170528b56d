// Inside of validation: shared by validate_impacts.c, validate_tosses.c, validate_page.c and
// validate_recording.c.
#ifndef CAROM_VALIDATE_VALIDATE_H
#define CAROM_VALIDATE_VALIDATE_H

#include <math.h>
#include "base/error.h"
#include "carom/engine.h"
#include "carom/validate.h"
#include "validate/fit.h"
#include "validate/parts.h"

carom_status carom_validate_check(const carom_validate_options *options, carom_error *err);
carom_status carom_validate_average(const double *values, int count, double *mean, double *median,
                                    carom_error *err);
// Room for the results: `columns` columns per row of `judged` numbers each, in *columns_out.
carom_status carom_validate_create(const carom_validate_options *options, int judged, int columns,
                                   carom_validation **out, double **columns_out, carom_error *err);
// What is fitted of a row, and the material that fitted numbers are.
carom_fit carom_validate_fit(const carom_validate_options *options, const carom_law *law);
carom_validate_material carom_validate_material_of(const carom_validate_options *options,
                                                   const double numbers[CAROM_FIT_NUMBERS],
                                                   double speed);
// At an approach speed and a slip, m/s.
double carom_validate_restitution(const carom_validate_material *material, double approach,
                                  double slip);

// Judges a row by its law, or by an engine: as many processes as there are threads; null with a
// law.
typedef carom_status (*carom_validate_judge)(void *context, carom_engine **engines, int number,
                                             carom_validate_row *row, carom_error *err);
// All rows, one after the other. An engine that cannot do it has a row that says so; whoever wants
// to stop is listened to.
carom_status carom_validate_rows(carom_validation *v, int threads, carom_validate_judge judge,
                                 void *context, carom_error *err);

// -- tosses --------------------------------------------------------------------------------------

// Columns of a file of tosses; places in a row.
enum {
    CAROM_TOSS_NUMBER,
    CAROM_TOSS_FRAME,
    CAROM_TOSS_X,
    CAROM_TOSS_Q = 5,
    CAROM_TOSS_V = 9,
    CAROM_TOSS_W = 12,
    CAROM_TOSS_COLUMNS = 15
};
// Reads the tosses of both parts and looks whether they are whole.
carom_status carom_validate_read_tosses(const carom_validate_options *options, carom_parts *out,
                                        carom_error *err);
// Runs one toss by a law: a state per frame after the first.
carom_status carom_validate_run_toss(const carom_validate_options *options, const carom_law *law,
                                     const carom_validate_material *material,
                                     const carom_case *toss, carom_engine_state *states,
                                     carom_error *err);
// The same as a scene for an engine: `bodies` becomes the floor and the cube, a frame comes after
// every `substeps` steps.
carom_engine_scene carom_validate_toss_scene(const carom_validate_options *options,
                                             const carom_validate_material *material,
                                             const carom_case *toss, int substeps,
                                             carom_engine_body bodies[2]);
// Means over the frames of the errors of states, one per frame after the first: widths of the cube,
// degrees. A state that is no number is as wrong as can be: off by ten widths and half a turn.
void carom_validate_toss_errors(const carom_validate_options *options, const carom_case *toss,
                                const carom_engine_state *states, double *position, double *angle);

#endif

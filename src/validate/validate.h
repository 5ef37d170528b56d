// Inside of validation: shared by validate_impacts.c and validate_tosses.c.
#ifndef CAROM_VALIDATE_VALIDATE_H
#define CAROM_VALIDATE_VALIDATE_H

#include <math.h>
#include "base/error.h"
#include "carom/validate.h"

carom_status carom_validate_check(const carom_validate_options *options, carom_error *err);
// Says of each of `count` cases whether it is in the half for fitting.
carom_status carom_validate_halves(int count, uint64_t seed, unsigned char *fits, carom_error *err);
carom_status carom_validate_average(const double *values, int count, double *mean, double *median,
                                    carom_error *err);
// Room for the results: `columns` columns per law of `judged` numbers each, and one more, in
// *columns_out.
carom_status carom_validate_create(const carom_validate_options *options, int judged, int columns,
                                   carom_validation **out, double **columns_out, carom_error *err);

#endif

// Fitting a material: the least of a function of a few numbers, by a fixed search.
#ifndef CAROM_VALIDATE_FIT_H
#define CAROM_VALIDATE_FIT_H

#include <stdbool.h>
#include "base/error.h"

// Numbers that may be free: restitution, friction, fade.
enum { CAROM_FIT_RESTITUTION, CAROM_FIT_FRICTION, CAROM_FIT_FADE, CAROM_FIT_NUMBERS };

// The mean error with these numbers; `rough` asks for an estimate from a part of the data, where
// that is cheaper.
typedef carom_status (*carom_fit_error)(void *context, const double numbers[CAROM_FIT_NUMBERS],
                                        bool rough, double *error, carom_error *err);

typedef struct carom_fit {
    bool open[CAROM_FIT_NUMBERS];                          // which are fitted; others stay at 0
    double min[CAROM_FIT_NUMBERS], max[CAROM_FIT_NUMBERS]; // range of each
    int coarse;                                            // points per axis of the first grid
    double fine; // distance of points at which the search ends, of the range
    carom_fit_error error;
    void *context;
} carom_fit;

// The numbers of the least error found.
carom_status carom_fit_search(const carom_fit *fit, double numbers[CAROM_FIT_NUMBERS],
                              carom_error *err);

#endif

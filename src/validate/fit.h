// Fitting restitution and friction: the least of a function of two numbers, by a fixed search.
#ifndef CAROM_VALIDATE_FIT_H
#define CAROM_VALIDATE_FIT_H

#include <stdbool.h>
#include "base/error.h"

// The mean error with these two numbers.
typedef carom_status (*carom_fit_error)(void *context, double restitution, double friction,
                                        double *error, carom_error *err);

typedef struct carom_fit {
    bool restitution, friction; // which are free; others are 0
    double most_friction;
    int coarse;  // points per axis of the first grid
    double fine; // distance of points at which the search ends
    carom_fit_error error;
    void *context;
} carom_fit;

// The two numbers of the least error found.
carom_status carom_fit_search(const carom_fit *fit, double *restitution, double *friction,
                              carom_error *err);

#endif

// What the three solvers of the scalar bounce share.
#ifndef CAROM_BOUNCE_BOUNCE_H
#define CAROM_BOUNCE_BOUNCE_H

#include <stdbool.h>
#include "base/error.h"
#include "carom/bounce.h"

// Refuses what no solver can work with; names the number.
carom_status carom_bounce_check(const carom_bounce_case *one, const carom_bounce_options *options,
                                carom_error *err);
// True (and the result filled) where no mode takes part: a rigid body has nowhere to keep energy,
// epsilon is 0.
bool carom_bounce_rigid(const carom_bounce_case *one, carom_bounce_result *result);
// The largest omega dt of a step, default resolved.
double carom_bounce_turn(const carom_bounce_options *options);

// One contact by the production or the literal scheme in memory of the caller: so many doubles,
// aligned to 64 bytes. Nothing is allocated.
size_t carom_bounce_many_room(int modes);
carom_status carom_bounce_many_alone(const carom_bounce_case *one,
                                     const carom_bounce_options *options, double *room,
                                     carom_bounce_result *result, carom_error *err);

#endif

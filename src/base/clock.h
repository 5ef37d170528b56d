// The monotonic clock of the machine: for time spent and for how often to look up, never for
// anything a result depends on.
#ifndef CAROM_BASE_CLOCK_H
#define CAROM_BASE_CLOCK_H

// s since a moment that stays the same while the program runs.
double carom_clock_seconds(void);

#endif

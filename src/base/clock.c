// Reads the monotonic clock, which no change of date or time zone moves.
#include "base/clock.h"

#include <time.h>

double carom_clock_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

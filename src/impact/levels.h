// Who rests on whom in an instant, and in how many levels.
//
// A body rests on another where its own velocity, the other standing still, moves it into that body
// at a contact [GBF, section 8.1]. Bodies that rest on each other in a circle form one group; a
// group lies one level above the highest that it rests on, and on level 0 where it rests on
// nothing, as immovable bodies do.
#ifndef CAROM_IMPACT_LEVELS_H
#define CAROM_IMPACT_LEVELS_H

#include "impact/problem.h"

// Fills `level`, one per body of the problem; approach below `slow` (m/s) counts as none. Returns
// the number of levels in `count`.
carom_status carom_levels_find(const carom_problem *problem, const carom_twist *v, double slow,
                               carom_arena *scratch, int *level, int *count, carom_error *err);

#endif

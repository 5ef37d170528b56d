// How many collisions an elastic island may need, so that a cap does not end it too early.
#ifndef CAROM_IMPACT_CAP_H
#define CAROM_IMPACT_CAP_H

#include "impact/inelastic.h"

// Contact updates that a law spends on one island at most beyond its own cap: a second or two.
enum { CAROM_CAP_UPDATES = 8000000 };

// Every contact of the set has restitution 1, and no friction unless the law has none (`smooth`):
// only then is the energy the law's to keep.
bool carom_cap_elastic(const carom_problem *problem, const carom_contact_set *set, bool smooth);

// How slowly waves between heavy and light bodies, or between contacts at a small angle, die out:
// 1 where masses are equal, the root of the ratio of masses where they are not.
double carom_cap_slowness(const carom_problem *problem, const carom_contact_set *set);

// Sweeps over all contacts of the set (one island) after which an elastic process that has an end
// is over; 0 where that is beyond CAROM_CAP_UPDATES updates.
int carom_cap_sweeps(const carom_problem *problem, const carom_contact_set *set);

#endif

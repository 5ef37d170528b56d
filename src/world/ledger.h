// The ledger: every joule has a place.
#ifndef CAROM_WORLD_LEDGER_H
#define CAROM_WORLD_LEDGER_H

#include "base/shared.h"
#include "impact/problem.h"
#include "world/world.h"

// Starts the books anew from the state as it is: called when a velocity is set.
CAROM_SHARED void carom_ledger_begin(carom_world *world);
// The same where body `i` was just added; in the middle of a run its energy is booked as driven.
void carom_ledger_add(carom_world *world, int i);
// After a change from outside: before the first step the books begin anew; later they go on, and
// the difference to what they said is what the change brought.
void carom_ledger_book(carom_world *world);
// Kinetic plus potential energy of one moving body (J).
double carom_ledger_energy(const carom_world *world, int i);
// Kinetic energy (J) of one moving body if it had that velocity and spin; and what it loses between
// two of them, of their difference and their sum: what has not changed has lost nothing.
double carom_ledger_kinetic_at(const carom_world *world, int i, carom_twist velocity);
double carom_ledger_kinetic_lost(const carom_world *world, int i, carom_twist before,
                                 carom_twist after);
// Angular momentum of one moving body about its centre of mass if it had that spin (kg m^2/s).
vec3 carom_ledger_angular_momentum(const carom_world *world, int i, vec3 spin);
// The energy at stake, that errors are measured against: the most there was in motion, or the range
// of the potential energy where that is more (J). A pendulum that turns has it, too.
double carom_ledger_stake(const carom_ledger *ledger);
// Closes a step: energies, momenta, and the balance that the scheme itself is responsible for.
void carom_ledger_close(carom_world *world);

#endif

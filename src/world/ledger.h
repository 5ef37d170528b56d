// The ledger: every joule has a place.
#ifndef CAROM_WORLD_LEDGER_H
#define CAROM_WORLD_LEDGER_H

#include "world/world.h"

// Starts the books anew from the state as it is: called when a body is added or its velocity set.
void carom_ledger_begin(carom_world *world);
// Kinetic plus potential energy of one moving body (J).
double carom_ledger_energy(const carom_world *world, int i);
// Closes a step: energies, momenta, and the balance that the scheme itself is responsible for.
void carom_ledger_close(carom_world *world);

#endif

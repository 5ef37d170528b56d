// Contact springs with Coulomb friction integrated in small steps: the yardstick of laws with
// friction. Independent of the laws; only for small instants.
//
// Per step of time h each pressed contact gives a normal impulse between e^2 h k delta^eta (while
// it opens) and h k delta^eta (while it closes), whichever holds it where neither is right, and a
// tangential impulse in Coulomb's disc against the slip that is left. Both follow from the
// velocities after the step, by Gauss and Seidel's method.
#ifndef CAROM_TESTS_ROUGH_SPRINGS_H
#define CAROM_TESTS_ROUGH_SPRINGS_H

#include "support/instant.h"

// Velocities and spins after the impact with that many steps per contact time; false where it has
// no end within 500 contact times.
int rough_springs(const instant *one, int steps, double (*velocities)[3], double (*spins)[3]);

// Largest approach speed before.
double rough_springs_fastest(const instant *one);

// A cluster of so many bodies with spin: spheres, or lumps of any inertia whose normals do not
// pass through the centres.
instant rough_springs_cluster(uint64_t seed, int bodies, int lumps);

#endif

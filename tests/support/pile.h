// Piles: bodies dropped into a container, and whether they come to rest.
#ifndef CAROM_TESTS_PILE_H
#define CAROM_TESTS_PILE_H

typedef struct pile {
    const char *kind; // boxes, bricks, hulls, capsules, spheres, mixed
    int count;
    double step; // s
    double restitution, friction;
    double sweeps; // most of the resting solver per step at rest; 0: not asked
} pile;

// With a rolling resistance of 1 mm, a hundredth of the spheres' radius.
// Drops the bodies from random places and lets them settle, with all settings left to Carom. Checks
// that three seconds after the last has landed no body moves by 1e-4 m/s, that the energy has never
// grown, and that nothing has left the container or sunk into it. Where sweeps are asked for: also
// that it stays so for another second, in steps that nothing cuts.
void pile_settles(pile p);

#endif

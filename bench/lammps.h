// LAMMPS (Debian's package `lammps`) as a program beside us: soft grains, one process, one thread.
#ifndef CAROM_BENCH_LAMMPS_H
#define CAROM_BENCH_LAMMPS_H

#include <stdbool.h>
#include "peers.h"

// A layer in the frame of its container: a box that stands still in a gravity that swings.
typedef struct lammps_layer {
    const peer_body *bodies; // spheres and planes; kg, m, s
    int count;
    double side;                        // m: x and y within +- half of it, floor at z = 0
    double diameter, density;           // m, kg/m^3
    double friction, restitution;       // constant restitution
    double amplitude, frequency, phase; // m, Hz, rad, of the floor
    double time, duration;              // s
    int parts;                          // of the run, of equal length
    double speed, overlap;              // m/s; overlap (of a diameter) that this speed may reach
    double step;                        // s; 0: a twentieth of a contact's duration
} lammps_layer;

typedef struct lammps_run {
    double seconds; // of processor, for the run
    double step;    // s, taken
    double contact; // s: how long a contact lasts
    double (
        *places)[3]; // m, end of each part, in the order of the bodies, planes not set; caller's
} lammps_run;

// False where the program is not installed or fails; it has then told why on standard error.
bool lammps(const lammps_layer *layer, lammps_run *run);

#endif

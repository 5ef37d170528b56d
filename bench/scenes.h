// Scenes of the impact benchmarks: packings of touching spheres, made from integers and square
// roots only, so that every machine gets the same bits.
#ifndef CAROM_BENCH_SCENES_H
#define CAROM_BENCH_SCENES_H

#include "carom/impact.h"

typedef struct scene {
    carom_impact impact;
    carom_impact_body *bodies;
    carom_impact_contact *contacts;
} scene;

// Spheres on a jittered cubic lattice of nx x ny x nz; the `contacts` closest pairs touch, along
// the line of their centres. Every sphere has mass 1. Returns 0 where memory runs out or there are
// not that many neighbours.
int scene_packing(scene *out, int nx, int ny, int nz, int contacts);
// The packing nearest to a cube with that many contacts and 3.2257 contacts per sphere.
int scene_cube(scene *out, int contacts);
void scene_free(scene *out);

// Every component of every velocity uniform in [-1, 1).
void scene_set_random(scene *out);
// The first layer strikes at 1 m/s along x, all others rest.
void scene_set_shock(scene *out);

#endif

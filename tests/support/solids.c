// Meshes of bars, rods and spheres.
#include "support/solids.h"
#include "support/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void solids_turn(const double from[3], double turn, double to[3])
{
    double c = cos(turn), s = sin(turn), x = c * from[0] - s * from[1];
    double d = cos(1.3 * turn), t = sin(1.3 * turn), z = from[2];
    to[1] = s * from[0] + c * from[1];
    to[0] = d * x + t * z;
    to[2] = -t * x + d * z;
}

carom_shape *solids_box(const double half[3], double turn)
{
    static const int SIDE[6][4] = { { 0, 2, 3, 1 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 },
                                    { 2, 6, 7, 3 }, { 0, 4, 6, 2 }, { 1, 3, 7, 5 } };
    double vertex[24];
    int triangle[36];
    for (int i = 0; i < 8; ++i) {
        double corner[3] = { i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1],
                             i & 4 ? half[2] : -half[2] };
        solids_turn(corner, turn, vertex + 3 * i);
    }
    for (int f = 0; f < 6; ++f) {
        const int *q = SIDE[f];
        int two[6] = { q[0], q[1], q[2], q[0], q[2], q[3] };
        memcpy(triangle + 6 * f, two, sizeof two);
    }
    carom_mesh_source source = { vertex, triangle, 8, 12 };
    carom_shape *shape = NULL;
    carom_error err = { 0 };
    CHECK(carom_mesh_create(&source, CAROM_MESH_STRICT, NULL, &shape, &err) == CAROM_OK, "%s",
          err.what);
    return shape;
}

carom_modes *solids_modes(const carom_shape *mesh, const carom_modal_material *material,
                          const carom_modal_options *options)
{
    carom_mesh_source surface = carom_mesh_surface(mesh);
    carom_modes *modes = NULL;
    carom_error err = { 0 };
    CHECK(carom_modal_from_surface(&surface, material, options, NULL, &modes, &err) == CAROM_OK,
          "modes: %s", err.what);
    return modes;
}

carom_tets *solids_tets(const int n[3], const double size[3])
{
    static const int WAY[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
                                   { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
    int cubes = n[0] * n[1] * n[2], nodes = (n[0] + 1) * (n[1] + 1) * (n[2] + 1);
    double *place = malloc(3 * (size_t)nodes * sizeof *place);
    int *corner = malloc(24 * (size_t)cubes * sizeof *corner);
    for (int i = 0; i < nodes; ++i) {
        place[3 * i] = size[0] * (i % (n[0] + 1)) / n[0];
        place[3 * i + 1] = size[1] * (i / (n[0] + 1) % (n[1] + 1)) / n[1];
        place[3 * i + 2] = size[2] * (i / (n[0] + 1) / (n[1] + 1)) / n[2];
    }
    for (int i = 0; i < 6 * cubes; ++i) { // along the edges from one corner of a cube to the other
        int cube = i / 6, at[3] = { cube % n[0], cube / n[0] % n[1], cube / n[0] / n[1] };
        for (int k = 0; k < 4; ++k) {
            corner[4 * i + k] = at[0] + (n[0] + 1) * (at[1] + (n[1] + 1) * at[2]);
            if (k < 3)
                ++at[WAY[i % 6][k]];
        }
    }
    carom_tets *tets = NULL;
    carom_error err = { 0 };
    CHECK(carom_tets_create(place, nodes, corner, 6 * cubes, &tets, &err) == CAROM_OK, "%s",
          err.what);
    free(place);
    free(corner);
    return tets;
}

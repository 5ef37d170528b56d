// The inside of a bounce map.
#ifndef CAROM_BOUNCE_BOUNCE_MAP_H
#define CAROM_BOUNCE_BOUNCE_MAP_H

#include <stdint.h>
#include "base/pieces.h"
#include "bounce/bounce_symmetry.h"

// Samples of a sharp edge: positions along it times angles from one face normal to the other, both
// normals included. Sample number first + position * (angles + 1) + angle.
typedef struct carom_bounce_seam {
    int edge; // of the mesh
    int positions, angles, first;
} carom_bounce_seam;

// Samples of a sharp vertex: directions in its normal cone.
typedef struct carom_bounce_corner {
    int vertex; // of the mesh
    int first, count;
} carom_bounce_corner;

// A grid of cells over the surface, kept in a hash table: cell -> faces near it.
typedef struct carom_bounce_grid {
    double size; // m, edge of a cell
    int slots;   // power of two
    int *key;    // three cell numbers per slot, packed arrays [slot][3]
    int *first;  // slots + 1: faces of a slot are face[first[slot]] .. face[first[slot + 1] - 1]
    int *face;
    unsigned char *used;
} carom_bounce_grid;

struct carom_bounce_map {
    carom_bounce_map_info info;
    carom_bounce_symmetry symmetry;
    const carom_shape *shape;
    const carom_mesh *mesh; // of the shape
    sym3 inverse_inertia;
    int sample_count;
    uint16_t *epsilon, *tau; // packed, see carom_bounce_map_read
    uint8_t *micro, *spread; // spread 255: capped
    int16_t (*direction)[2]; // of the vertex samples, octahedral
    carom_bounce_seam *seams;
    carom_bounce_corner *corners;
    int *seam_of, *corner_of;   // by edge, by vertex of the mesh; -1: none
    float (*face)[6];           // centroid and normal, packed for searching
    int *around_first, *around; // by vertex of the mesh: its faces
    int *ring_first, *ring;     // by face: itself and the faces that share a vertex with it
    carom_bounce_grid grid;
};

// -- samples (bounce_samples.c) -------------------------------------------------------------------

// Finds sharp edges and vertices and counts all samples; fills seams, corners, directions.
carom_status carom_bounce_samples_find(carom_bounce_map *map,
                                       const carom_bounce_map_options *options, carom_error *err);
// Where sample `index` lies.
void carom_bounce_samples_at(const carom_bounce_map *map, int index, vec3 *point, vec3 *normal);
// The place of a sample and the number of its face, seam or corner.
carom_bounce_place carom_bounce_samples_place(const carom_bounce_map *map, int index, int *which);
// A face at the feature that carom_mesh_nearest names.
int carom_bounce_samples_face_of(const carom_mesh *mesh, uint32_t feature);
// seam_of and corner_of from the lists; false where a list does not fit the mesh.
bool carom_bounce_samples_index(carom_bounce_map *map);

// -- keeping (bounce_map.c) -----------------------------------------------------------------------

// Memory for all arrays of samples; grid and packed faces; everything of a map whose lists are set.
carom_status carom_bounce_map_prepare(carom_bounce_map *map, carom_error *err);
carom_status carom_bounce_map_allocate(carom_bounce_map *map, carom_error *err);
// Sample as a value without alpha.
carom_bounce_value carom_bounce_map_read(const carom_bounce_map *map, int index);
uint64_t carom_bounce_map_hash(const carom_mesh *mesh);

// -- parts in files (bounce_pieces.c) -------------------------------------------------------------

// A hash of all that the results of contacts depend on: their points and normals, 3 `count` numbers
// each, the body and its modes, how they are solved.
uint64_t carom_bounce_pieces_key(const carom_bounce_map *map, const carom_modes *modes,
                                 const carom_bounce_map_options *options, const double *points,
                                 const double *normals, int count);
carom_status carom_bounce_pieces_put(carom_pieces_store *store, int64_t piece,
                                     const carom_bounce_result *results, int count,
                                     carom_error *err);
carom_status carom_bounce_pieces_get(const carom_pieces_store *store, int64_t piece,
                                     carom_bounce_result *results, int count, carom_error *err);

// -- looking up (bounce_lookup.c) -----------------------------------------------------------------

carom_status carom_bounce_lookup_prepare(carom_bounce_map *map, carom_error *err);
void carom_bounce_lookup_free(carom_bounce_map *map);

#endif

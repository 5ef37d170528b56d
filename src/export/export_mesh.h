// Surfaces in the form graphics processors take: single precision, one normal per vertex. Inside of
// the GLB and HTML exporters.
#ifndef CAROM_EXPORT_EXPORT_MESH_H
#define CAROM_EXPORT_EXPORT_MESH_H

#include "export/recording.h"

typedef struct carom_export_mesh {
    int vertex_count, index_count;
    float (*position)[3]; // m
    float (*normal)[3];
    uint32_t *index; // three per triangle
    float min[3], max[3];
} carom_export_mesh;

// Vertices are divided where an edge is sharp. A plane becomes a square of half width `extent`.
carom_status carom_export_mesh_make(const carom_recording_form *form, double extent,
                                    carom_arena *arena, carom_export_mesh *out, carom_error *err);

#endif

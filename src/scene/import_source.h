// What the readers of surface meshes share: the triangles gathered so far.
#ifndef CAROM_SCENE_IMPORT_SOURCE_H
#define CAROM_SCENE_IMPORT_SOURCE_H

#include <stdbool.h>
#include "base/cursor.h"
#include "carom/shape.h"

typedef struct carom_import_source {
    double scale; // m per unit of the file, applied to every vertex
    double *vertex;
    int *triangle;
    int vertex_count, triangle_count; // at most CAROM_IMPORT_MAX each
    int vertex_room, triangle_room;
    int *corner; // of the polygon that is being read
    int corner_count, corner_room;
} carom_import_source;

// A file may not make us hold more vertices or triangles than this.
enum { CAROM_IMPORT_MAX = 20000000 };

carom_status carom_import_source_vertex(carom_import_source *s, const double at[3],
                                        carom_error *err);
// One more corner of the polygon, by its vertex; BAD_INPUT where there is none of that number.
carom_status carom_import_source_corner(carom_import_source *s, carom_cursor *c, long long vertex,
                                        carom_error *err);
// The polygon as triangles; fewer than three corners give none.
carom_status carom_import_source_polygon(carom_import_source *s, carom_error *err);
// Three vertices of their own.
carom_status carom_import_source_triangle(carom_import_source *s, const double corner[3][3],
                                          carom_error *err);
void carom_import_source_free(carom_import_source *s);

// One reader per form; each takes all of the file.
carom_status carom_import_obj_read(carom_cursor *c, carom_import_source *s, carom_error *err);
carom_status carom_import_off_read(carom_cursor *c, carom_import_source *s, carom_error *err);
carom_status carom_import_ply_read(carom_cursor *c, carom_import_source *s, carom_error *err);
carom_status carom_import_stl_read(carom_cursor *c, carom_import_source *s, carom_error *err);

// Every other form, where this build has assimp; UNSUPPORTED where not.
carom_status carom_import_assimp_read(const char *path, carom_import_source *s, carom_error *err);

#endif

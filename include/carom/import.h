/// @file
/// Surface meshes from files: OBJ, PLY, STL and OFF, and whatever else assimp reads (3DS, glTF,
/// ...) in a build that has it. Scenes of other programs.
#ifndef CAROM_IMPORT_H
#define CAROM_IMPORT_H

#include <stddef.h>
#include "carom/shape.h"
#include "carom/status.h"
#include "carom/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Reads all surfaces of a file, multiplies by `scale` (m per file unit) and continues as
/// carom_mesh_create.
CAROM_API carom_status carom_import_mesh(const char *path, double scale, carom_mesh_policy policy,
                                         carom_mesh_report *report, carom_shape **out,
                                         carom_error *err);
/// The first half of carom_import_mesh: the triangles of a file as they stand in it, scaled. Free
/// them with carom_import_free.
CAROM_API carom_status carom_import_triangles(const char *path, double scale,
                                              carom_mesh_source *out, carom_error *err);
/// The same from bytes in memory: OBJ, PLY, STL or OFF, by the ending of `name`, which errors show.
CAROM_API carom_status carom_import_parse(const char *name, const void *bytes, size_t size,
                                          double scale, carom_mesh_source *out, carom_error *err);
/// Frees what the two above gave, and empties the source.
CAROM_API void carom_import_free(carom_mesh_source *source);

/// Reads a scene of another program and appends it to `scene` as one of Carom's, kind "world":
/// SCISim (.xml), MuJoCo (.xml, .mjcf), URDF (.urdf), glTF with KHR_physics_rigid_bodies (.gltf,
/// .glb), LAMMPS data (.data, .lmp, data.NAME). Comments in it say what could not be taken over;
/// meshes are named as in the file. XML needs a build with expat.
CAROM_API carom_status carom_import_scene(const char *path, carom_text *scene, carom_error *err);
/// The same from bytes in memory, by the ending of `name`, which errors show.
CAROM_API carom_status carom_import_scene_parse(const char *name, const void *bytes, size_t size,
                                                carom_text *scene, carom_error *err);

#ifdef __cplusplus
}
#endif
#endif

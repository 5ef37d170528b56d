// glTF 2.0 (.gltf and .glb) with the extensions KHR_physics_rigid_bodies and KHR_implicit_shapes.
#ifndef CAROM_IMPORT_GLTF_H
#define CAROM_IMPORT_GLTF_H

#include "import/draft.h"

carom_status carom_gltf_read(const char *name, const char *bytes, size_t size, carom_draft *draft,
                             carom_error *err);

#endif

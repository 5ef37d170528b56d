// What a glTF file says of physics: KHR_physics_rigid_bodies and KHR_implicit_shapes (drafts of the
// Khronos Group), for bodies that are spheres or boxes.
#ifndef CAROM_EXPORT_EXPORT_PHYSICS_H
#define CAROM_EXPORT_EXPORT_PHYSICS_H

#include "base/text.h"
#include "export/recording.h"

// Members of the extensions of the whole file, each with a comma before it; nothing where no body
// has such a shape.
void carom_export_physics_document(const carom_recording *recording, carom_text *text);
// The extension of a body's node, with a comma before it; nothing where its shape is another.
void carom_export_physics_node(const carom_recording *recording, const carom_frame *frame, int body,
                               carom_text *text);
bool carom_export_physics_any(const carom_recording *recording);

#endif

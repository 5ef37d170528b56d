// Robots in URDF: links, joints, collision shapes, inertia.
#ifndef CAROM_IMPORT_URDF_H
#define CAROM_IMPORT_URDF_H

#include "import/draft.h"
#include "import/xml.h"

carom_status carom_urdf_read(const carom_xml_element *root, carom_draft *draft, carom_error *err);

#endif

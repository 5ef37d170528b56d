// Scenes of SCISim (Smith, Kaufman, Vouga, Tamstorf, Grinspun 2012): ball2d_scene,
// rigidbody2d_scene and rigidbody3d_scene.
#ifndef CAROM_IMPORT_SCISIM_H
#define CAROM_IMPORT_SCISIM_H

#include "import/draft.h"
#include "import/xml.h"

bool carom_scisim_is(const carom_xml_element *root);
carom_status carom_scisim_read(const carom_xml_element *root, carom_draft *draft, carom_error *err);

#endif

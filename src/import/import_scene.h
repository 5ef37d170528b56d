// A file of another program, and its reader where it is XML.
#ifndef CAROM_IMPORT_IMPORT_SCENE_H
#define CAROM_IMPORT_IMPORT_SCENE_H

#include "import/draft.h"

typedef struct carom_import_scene_source {
    const char *name, *bytes;
    size_t size;
} carom_import_scene_source;

// `kind`: whose it is, for the note of the scene.
carom_status carom_import_scene_xml(const carom_import_scene_source *s, carom_draft *draft,
                                    const char **kind, carom_error *err);

#endif

// Stands in for import_scene_xml.c in a build without expat.
#include "import/import_scene.h"

carom_status carom_import_scene_xml(const carom_import_scene_source *s, carom_draft *draft,
                                    const char **kind, carom_error *err)
{
    (void)draft, (void)kind;
    carom_error_set(err, CAROM_UNSUPPORTED, "this build reads no XML");
    carom_error_where(err, "%.200s", s->name);
    return carom_error_fix(err, "use a build with expat (Debian: libexpat1-dev)");
}

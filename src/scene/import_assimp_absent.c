// Stands in for import_assimp.c in a build without assimp.
#include "scene/import_source.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

carom_status carom_import_assimp_read(const char *path, carom_import_source *s, carom_error *err)
{
    (void)s;
    if (access(path, R_OK) != 0) {
        carom_error_set(err, CAROM_IO_FAILED, "the mesh cannot be read: %s", strerror(errno));
        return carom_error_fix(err, "check the name and that you may read the file");
    }
    carom_error_set(err, CAROM_UNSUPPORTED,
                    "this build reads meshes from OBJ, PLY, STL and OFF files only");
    return carom_error_fix(err, "convert the file, or use a build with assimp");
}

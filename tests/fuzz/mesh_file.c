// Fuzz target: the readers of surface meshes. The first byte chooses the form (p PLY, s STL, f OFF,
// else OBJ). For any bytes they must come back, a refusal must say what and where, and accepted
// triangles must hold together.
#include "carom/import.h"

#include <math.h>
#include "support/claim.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    if (size == 0)
        return 0;
    const char *name = *data == 'p'   ? "a.ply"
                       : *data == 's' ? "a.stl"
                       : *data == 'f' ? "a.off"
                                      : "a.obj";
    carom_error err = { 0 };
    carom_mesh_source source;
    carom_status status = carom_import_parse(name, data + 1, size - 1, 2, &source, &err);
    claim((status == CAROM_OK) == (source.triangle_count > 0), "triangles exactly on success",
          &err);
    claim(status == CAROM_OK || (err.what[0] && err.where[0]), "a refusal says what and where",
          &err);
    for (int i = 0; i < 3 * source.triangle_count; ++i)
        claim(source.triangles[i] >= 0 && source.triangles[i] < source.vertex_count,
              "vertex numbers in range", &err);
    for (int i = 0; i < 3 * source.vertex_count; ++i)
        claim(isfinite(source.vertices[i]), "finite coordinates", &err);
    carom_import_free(&source);
    return 0;
}

// Fuzz target: scenes of other programs. The first byte chooses the form (x XML: SCISim, MJCF or
// URDF by its root; g glTF; c, z tables; else LAMMPS). For any bytes the readers must come back, a
// refusal must say what and where, and what is written must be strict JSON that names itself.
#include "carom/import.h"

#include <string.h>
#include "scene/reader.h"
#include "support/claim.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    if (size == 0)
        return 0;
    const char *name = *data == 'x'   ? "a.xml"
                       : *data == 'g' ? "a.gltf"
                       : *data == 'c' ? "a.csv"
                       : *data == 'z' ? "a.npz"
                                      : "a.data";
    carom_error err = { 0 };
    carom_text scene = { 0 };
    carom_status status = carom_import_scene_parse(name, data + 1, size - 1, &scene, &err);
    claim((status == CAROM_OK) == (scene.length > 0), "a scene exactly on success", &err);
    claim(status == CAROM_OK || (err.what[0] && err.where[0]), "a refusal says what and where",
          &err);
    if (status == CAROM_OK) {
        carom_reader *reader = NULL;
        int kind = -1;
        status = carom_reader_parse("imported", scene.bytes, scene.length, &reader, &err);
        claim(status == CAROM_OK, "the scene is strict JSON", &err);
        carom_value root = carom_reader_root(reader);
        claim(carom_reader_kind(&root, "world", &kind, &err) == CAROM_OK, "of kind world", &err);
        carom_reader_close(reader);
    }
    carom_text_free(&scene);
    return 0;
}

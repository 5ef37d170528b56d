// Scenes of other programs, by the ending of the file's name and what stands in it.
#include "carom/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/cursor.h"
#include "import/draft.h"
#include "import/gltf.h"
#include "import/import_scene.h"
#include "import/lammps.h"
#include "import/table.h"

static carom_status read_source(const carom_import_scene_source *s, carom_draft *draft,
                                const char **kind, carom_error *err)
{
    const char *base = strrchr(s->name, '/');
    base = base ? base + 1 : s->name;
    if (carom_text_ends_with(base, ".xml") || carom_text_ends_with(base, ".mjcf") ||
        carom_text_ends_with(base, ".urdf"))
        return carom_import_scene_xml(s, draft, kind, err);
    if (carom_text_ends_with(base, ".gltf") || carom_text_ends_with(base, ".glb")) {
        *kind = "glTF";
        return carom_gltf_read(s->name, s->bytes, s->size, draft, err);
    }
    if (carom_text_ends_with(base, ".data") || carom_text_ends_with(base, ".lmp") ||
        carom_text_ends_with(base, ".lammps") || strncmp(base, "data.", 5) == 0) {
        *kind = "LAMMPS";
        return carom_lammps_read(s->name, s->bytes, s->size, draft, err);
    }
    if (carom_text_ends_with(base, ".csv")) {
        *kind = "table";
        return carom_table_read(s->name, s->bytes, s->size, draft, err);
    }
    if (carom_text_ends_with(base, ".npz")) {
        *kind = "NumPy";
        return carom_table_read_npz(s->name, s->bytes, s->size, draft, err);
    }
    carom_error_set(err, CAROM_UNSUPPORTED, "the name does not tell what the file is");
    carom_error_fix(err, "read: .xml (SCISim, MJCF), .mjcf, .urdf, .gltf, .glb, .data (LAMMPS), .csv, .npz");
    return carom_error_where(err, "%.200s", s->name);
}

carom_status carom_import_scene_parse(const char *name, const void *bytes, size_t size,
                                      carom_text *scene, carom_error *err)
{
    NEED(err, name, bytes, scene);
    const carom_import_scene_source s = { name, bytes, size };
    const char *kind = "", *base = strrchr(name, '/');
    char words[200];
    carom_draft draft = { .memory = carom_arena_create(0) };
    carom_status status =
        draft.memory ? read_source(&s, &draft, &kind, err) : carom_error_no_memory(err, "a scene");
    if (status == CAROM_OK) {
        snprintf(words, sizeof words, "Imported from %.120s (%s).", base ? base + 1 : name, kind);
        status = carom_draft_keep(&draft, words, &draft.source, err);
    }
    if (status == CAROM_OK) {
        carom_draft_write(&draft, scene);
        status = carom_text_status(scene, err);
    }
    if (status != CAROM_OK && err && !err->where[0])
        carom_error_where(err, "%.200s", name);
    carom_draft_free(&draft);
    return status;
}

carom_status carom_import_scene(const char *path, carom_text *scene, carom_error *err)
{
    NEED(err, path, scene);
    char *bytes;
    size_t size;
    TRY(carom_cursor_load(path, &bytes, &size, err));
    carom_status status = carom_import_scene_parse(path, bytes, size, scene, err);
    free(bytes);
    return status;
}

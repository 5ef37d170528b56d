// The list of file kinds. Adding one: a carom_scene_kind in the file of its reader, one line here.
#include "scene/scene_kind.h"

#include <stdio.h>
#include <string.h>
#include "base/text.h"
#include "carom/scene.h"
#include "scene/reader.h"
#include "scene/schema.h"

#define KIND_LIST(X)                                                                               \
    X("impact", carom_scene_impact_kind)                                                           \
    X("chain", carom_chain_file_kind)                                                              \
    X("tower", carom_tower_file_kind)                                                              \
    X("world", carom_scene_world_kind)                                                             \
    X("bounce-kernel", carom_bounce_file_kind)

#define DECLARE(name, value) extern const carom_scene_kind value;
KIND_LIST(DECLARE)
#undef DECLARE

static const carom_scene_kind *const kinds[] = {
#define ADDRESS(name, value) &value,
    KIND_LIST(ADDRESS)
#undef ADDRESS
};
enum { KINDS = sizeof kinds / sizeof *kinds };

const char *carom_scene_kinds(void)
{
#define WORD(name, value) " " name
    static const char words[] = KIND_LIST(WORD);
#undef WORD
    return words + 1;
}

static carom_status describe(carom_reader *reader, carom_scene_contents *contents, carom_error *err)
{
    int kind;
    carom_value root = carom_reader_root(reader);
    TRY(carom_reader_kind(&root, carom_scene_kinds(), &kind, err));
    TRY(kinds[kind]->describe(reader, contents->words, sizeof contents->words, err));
    contents->kind = kinds[kind]->name;
    return CAROM_OK;
}

carom_status carom_scene_check(const char *path, carom_scene_contents *contents, carom_error *err)
{
    NEED(err, path);
    carom_reader *reader = NULL;
    TRY(carom_reader_open(path, &reader, err));
    carom_status status = describe(reader, contents, err);
    carom_reader_close(reader);
    return status;
}

static const carom_field_table *table_of(const char *kind)
{
    for (int i = 0; i < KINDS; ++i)
        if (strcmp(kinds[i]->name, kind) == 0)
            return kinds[i]->table;
    return NULL;
}

int carom_scene_schema(const char *kind, carom_json *json)
{
    if (!kind)
        return 0;
    const carom_field_table *table = table_of(kind);
    char title[80];
    if (!table)
        return 0;
    snprintf(title, sizeof title, "Carom file of kind %s", kind);
    carom_schema_write(json, title, table);
    return 1;
}

char *carom_scene_manual(const char *kind)
{
    if (!kind)
        return NULL;
    const carom_field_table *table = table_of(kind);
    if (!table)
        return NULL;
    carom_text text = { 0 };
    carom_schema_manual(&text, table);
    if (text.failed) {
        carom_text_free(&text);
        return NULL;
    }
    return text.bytes; // ownership goes to the caller
}

// The list of file kinds. Adding one: a carom_scene_kind_file in the file of its reader, one line
// here and one in CAROM_SCENE_KIND_LIST.
#include "scene/scene_kind.h"

#include <stdio.h>
#include <string.h>
#include "base/text.h"
#include "carom/scene.h"
#include "scene/reader.h"
#include "scene/schema.h"

extern const carom_scene_kind_file carom_scene_impact_kind, carom_chain_file_kind,
    carom_tower_file_kind, carom_scene_world_kind, carom_bounce_file_kind;

static const carom_scene_kind_file *const kinds[] = {
    [CAROM_SCENE_KIND_IMPACT] = &carom_scene_impact_kind,
    [CAROM_SCENE_KIND_CHAIN] = &carom_chain_file_kind,
    [CAROM_SCENE_KIND_TOWER] = &carom_tower_file_kind,
    [CAROM_SCENE_KIND_WORLD] = &carom_scene_world_kind,
    [CAROM_SCENE_KIND_BOUNCE_KERNEL] = &carom_bounce_file_kind,
};
enum { KINDS = sizeof kinds / sizeof *kinds };

const char *carom_scene_kinds(void)
{
#define WORD(name, word) " " word
    static const char words[] = CAROM_SCENE_KIND_LIST(WORD);
#undef WORD
    return words + 1;
}

const char *carom_scene_kind_name(carom_scene_kind kind)
{
    return (int)kind >= 0 && (int)kind < KINDS ? kinds[kind]->name : "unknown";
}

const carom_field_table *carom_scene_kind_table(int kind)
{
    return kinds[kind]->table;
}

static carom_status describe(carom_reader *reader, carom_scene_contents *contents, carom_error *err)
{
    int kind;
    carom_value root = carom_reader_root(reader);
    TRY(carom_reader_kind(&root, carom_scene_kinds(), &kind, err));
    TRY(kinds[kind]->describe(reader, contents->words, sizeof contents->words, err));
    contents->kind = (carom_scene_kind)kind;
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

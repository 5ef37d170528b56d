// Wavefront OBJ: the vertices (v) and faces (f) of all its objects; everything else is passed over.
// Numbers in faces count from 1, negative ones from the last vertex backwards; texture and normal
// numbers behind a stroke do not matter.
#include "scene/import_source.h"

#include <stdlib.h>
#include <string.h>

static carom_status read_vertex(carom_cursor *c, carom_import_source *s, carom_error *err)
{
    double at[3];
    for (int k = 0; k < 3; ++k) {
        if (!carom_cursor_more(c))
            return carom_cursor_damaged(c, err, "a vertex with %d coordinates", k);
        TRY(carom_cursor_real(c, "a coordinate", &at[k], err));
    }
    return carom_import_source_vertex(s, at, err);
}

static carom_status read_face(carom_cursor *c, carom_import_source *s, carom_error *err)
{
    while (carom_cursor_more(c)) {
        char word[CAROM_CURSOR_WORD], *end;
        if (*c->at == '\\') { // the face goes on in the next line
            carom_cursor_next_line(c);
            continue;
        }
        carom_cursor_word(c, word);
        long long number = strtoll(word, &end, 10);
        if (end == word || (*end && *end != '/') || number == 0)
            return carom_cursor_damaged(
                c, err, "\"%.40s\" where the number of a vertex should stand", word);
        TRY(carom_import_source_corner(s, c, number > 0 ? number - 1 : s->vertex_count + number,
                                       err));
    }
    return carom_import_source_polygon(s, err);
}

carom_status carom_import_obj_read(carom_cursor *c, carom_import_source *s, carom_error *err)
{
    c->comments = true;
    while (c->at < c->end) {
        char word[CAROM_CURSOR_WORD] = "";
        if (carom_cursor_more(c))
            carom_cursor_word(c, word);
        if (strcmp(word, "v") == 0)
            TRY(read_vertex(c, s, err));
        else if (strcmp(word, "f") == 0)
            TRY(read_face(c, s, err));
        carom_cursor_next_line(c);
    }
    return CAROM_OK;
}

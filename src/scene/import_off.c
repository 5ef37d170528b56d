// Object File Format, the text form: OFF, the numbers of vertices, faces and edges, the vertices,
// then per face how many corners it has and which. Colours behind a face are passed over.
#include "scene/import_source.h"

#include <string.h>

carom_status carom_import_off_read(carom_cursor *c, carom_import_source *s, carom_error *err)
{
    long long vertices, faces, edges, corners, vertex, range[2] = { 0, CAROM_IMPORT_MAX };
    char word[CAROM_CURSOR_WORD];
    c->comments = true;
    carom_cursor_word(c, word);
    if (strcmp(word, "OFF") != 0)
        return carom_cursor_damaged(c, err, "the file begins with \"%.40s\", not with OFF", word);
    TRY(carom_cursor_integer(c, 4, range, "the number of vertices", &vertices, err));
    TRY(carom_cursor_integer(c, 4, range, "the number of faces", &faces, err));
    TRY(carom_cursor_integer(c, 4, range, "the number of edges", &edges, err));
    for (long long i = 0; i < vertices; ++i) {
        double at[3];
        for (int k = 0; k < 3; ++k)
            TRY(carom_cursor_real(c, "a coordinate", &at[k], err));
        TRY(carom_import_source_vertex(s, at, err));
    }
    for (long long i = 0; i < faces; ++i) {
        TRY(carom_cursor_integer(c, 4, range, "the number of corners", &corners, err));
        for (long long k = 0; k < corners; ++k) {
            TRY(carom_cursor_integer(c, 4, range, "the number of a vertex", &vertex, err));
            TRY(carom_import_source_corner(s, c, vertex, err));
        }
        TRY(carom_import_source_polygon(s, err));
        carom_cursor_next_line(c);
    }
    return CAROM_OK;
}

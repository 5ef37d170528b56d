// STL: triangles one by one, as bytes or as text. A binary file says by its size that it is one:
// its 80 bytes of title may begin with "solid" as well.
#include "scene/import_source.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { TITLE = 80, RECORD = 50 }; // bytes; a record: normal, three corners, two bytes of attributes

static uint32_t count_of(const carom_cursor *c)
{
    const unsigned char *at = c->begin + TITLE;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static bool is_binary(const carom_cursor *c)
{
    size_t size = (size_t)(c->end - c->begin);
    return size >= TITLE + 4 && (size - TITLE - 4) / RECORD == count_of(c) &&
           (size - TITLE - 4) % RECORD == 0;
}

static carom_status read_bytes(carom_cursor *c, carom_import_source *s, carom_error *err)
{
    uint32_t count = count_of(c);
    c->binary = true;
    c->at += TITLE + 4;
    for (uint32_t i = 0; i < count; ++i, c->at += RECORD) {
        double corner[3][3];
        for (int k = 0; k < 9; ++k) {
            const unsigned char *raw = c->at + 12 + 4 * k;
            uint32_t bits =
                raw[0] | (uint32_t)raw[1] << 8 | (uint32_t)raw[2] << 16 | (uint32_t)raw[3] << 24;
            float number;
            memcpy(&number, &bits, sizeof number);
            if (!isfinite(number))
                return carom_cursor_damaged(c, err, "triangle %u has a corner at %g", i,
                                            (double)number);
            corner[k / 3][k % 3] = (double)number;
        }
        TRY(carom_import_source_triangle(s, corner, err));
    }
    return CAROM_OK;
}

static carom_status read_words(carom_cursor *c, carom_import_source *s, carom_error *err)
{
    double corner[3][3];
    int corners = 0;
    char word[CAROM_CURSOR_WORD];
    for (carom_cursor_word(c, word); *word; carom_cursor_word(c, word)) {
        if (strcmp(word, "solid") == 0 || strcmp(word, "endsolid") == 0) { // a name may follow
            carom_cursor_next_line(c);
        } else if (strcmp(word, "vertex") == 0) {
            if (corners == 3)
                return carom_cursor_damaged(c, err, "a facet with more than three corners");
            for (int k = 0; k < 3; ++k)
                TRY(carom_cursor_real(c, "a coordinate", &corner[corners][k], err));
            ++corners;
        } else if (strcmp(word, "endfacet") == 0) {
            if (corners != 3)
                return carom_cursor_damaged(c, err, "a facet with %d corners", corners);
            TRY(carom_import_source_triangle(s, corner, err));
            corners = 0;
        }
    }
    return corners ? carom_cursor_damaged(c, err, "the file ends inside a facet") : CAROM_OK;
}

carom_status carom_import_stl_read(carom_cursor *c, carom_import_source *s, carom_error *err)
{
    if (is_binary(c))
        return read_bytes(c, s, err);
    char word[CAROM_CURSOR_WORD];
    carom_cursor_word(c, word);
    if (strcmp(word, "solid") != 0) {
        c->binary = true;
        return carom_cursor_damaged(c, err,
                                    "the file is cut or no STL: neither text nor 84 + 50 n bytes");
    }
    c->at = c->begin;
    return read_words(c, s, err);
}

// Stanford PLY, as text or as bytes of either order: the elements `vertex` (x, y, z) and `face`
// (the list vertex_indices or vertex_index); other properties and elements are passed over.
#include "scene/import_source.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { ELEMENTS = 16, PROPERTIES = 64, LIST_MAX = 1 << 20 };

typedef enum number_kind { SIGNED, UNSIGNED, REAL } number_kind;

typedef struct number_type {
    const char *names[2];
    int bytes;
    number_kind kind;
} number_type;

static const number_type TYPES[] = {
    { { "char", "int8" }, 1, SIGNED },   { { "uchar", "uint8" }, 1, UNSIGNED },
    { { "short", "int16" }, 2, SIGNED }, { { "ushort", "uint16" }, 2, UNSIGNED },
    { { "int", "int32" }, 4, SIGNED },   { { "uint", "uint32" }, 4, UNSIGNED },
    { { "float", "float32" }, 4, REAL }, { { "double", "float64" }, 8, REAL },
};

// What becomes of a property's numbers.
typedef enum use { USE_NOTHING, USE_X, USE_Y, USE_Z, USE_CORNERS } use;

typedef struct property {
    const number_type *count, *type; // count: of a list, else null
    use use;
} property;

typedef struct element {
    bool is_vertex, is_face;
    long long count;
    int property_count;
    property properties[PROPERTIES];
} element;

typedef struct header {
    int element_count;
    element elements[ELEMENTS];
} header;

// -- header -------------------------------------------------------------------------------------

static carom_status read_type(carom_cursor *c, const number_type **out, carom_error *err)
{
    char word[CAROM_CURSOR_WORD];
    carom_cursor_word(c, word);
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; ++i)
        for (int k = 0; k < 2; ++k)
            if (strcmp(word, TYPES[i].names[k]) == 0) {
                *out = &TYPES[i];
                return CAROM_OK;
            }
    return carom_cursor_damaged(c, err, "\"%.40s\" is no type of a PLY file", word);
}

static use use_of(const element *e, const char *name, bool list)
{
    static const char *const axes[] = { "x", "y", "z" };
    for (int k = 0; k < 3; ++k)
        if (e->is_vertex && !list && strcmp(name, axes[k]) == 0)
            return (use)(USE_X + k);
    bool corners = strcmp(name, "vertex_indices") == 0 || strcmp(name, "vertex_index") == 0;
    return e->is_face && list && corners ? USE_CORNERS : USE_NOTHING;
}

static carom_status read_property(carom_cursor *c, header *h, carom_error *err)
{
    element *e = h->element_count ? &h->elements[h->element_count - 1] : NULL;
    if (!e || e->property_count == PROPERTIES)
        return carom_cursor_damaged(
            c, err, e ? "more than %d properties" : "a property before any element", PROPERTIES);
    property *p = &e->properties[e->property_count++];
    carom_cursor ahead = *c;
    char word[CAROM_CURSOR_WORD];
    carom_cursor_word(&ahead, word);
    bool list = strcmp(word, "list") == 0;
    if (list) {
        *c = ahead;
        TRY(read_type(c, &p->count, err));
    }
    TRY(read_type(c, &p->type, err));
    carom_cursor_word(c, word);
    p->use = use_of(e, word, list);
    return CAROM_OK;
}

static carom_status read_element(carom_cursor *c, header *h, carom_error *err)
{
    char word[CAROM_CURSOR_WORD];
    long long range[2] = { 0, INT64_C(1) << 40 };
    if (h->element_count == ELEMENTS)
        return carom_cursor_damaged(c, err, "more than %d elements", ELEMENTS);
    element *e = &h->elements[h->element_count++];
    carom_cursor_word(c, word);
    e->is_vertex = strcmp(word, "vertex") == 0;
    e->is_face = strcmp(word, "face") == 0;
    return carom_cursor_integer(c, 4, range, "the number of an element", &e->count, err);
}

static carom_status read_format(carom_cursor *c, bool *binary, bool *swapped, carom_error *err)
{
    char word[CAROM_CURSOR_WORD];
    const uint16_t one = 1;
    bool little_host = *(const unsigned char *)&one == 1;
    carom_cursor_word(c, word);
    bool little = strcmp(word, "binary_little_endian") == 0,
         big = strcmp(word, "binary_big_endian") == 0;
    if (!little && !big && strcmp(word, "ascii") != 0)
        return carom_cursor_damaged(c, err, "\"%.40s\" is no format of a PLY file", word);
    *binary = little || big;
    *swapped = little ? !little_host : big && little_host;
    return CAROM_OK;
}

static carom_status read_header(carom_cursor *c, header *h, carom_error *err)
{
    bool binary = false, swapped = false;
    char word[CAROM_CURSOR_WORD];
    carom_cursor_word(c, word);
    if (strcmp(word, "ply") != 0)
        return carom_cursor_damaged(c, err, "the file begins with \"%.40s\", not with ply", word);
    for (;;) {
        carom_cursor_next_line(c);
        if (c->at == c->end)
            return carom_cursor_damaged(c, err, "the file ends inside its header");
        carom_cursor_word(c, word);
        if (strcmp(word, "format") == 0)
            TRY(read_format(c, &binary, &swapped, err));
        else if (strcmp(word, "element") == 0)
            TRY(read_element(c, h, err));
        else if (strcmp(word, "property") == 0)
            TRY(read_property(c, h, err));
        else if (strcmp(word, "end_header") == 0)
            break;
    }
    carom_cursor_next_line(c);
    c->binary = binary;
    c->swapped = swapped;
    return CAROM_OK;
}

// -- contents -----------------------------------------------------------------------------------

// A number of any type, as bytes.
static double decode(const number_type *type, const unsigned char raw[8])
{
    int8_t i8;
    uint16_t u16;
    int16_t i16;
    uint32_t u32;
    int32_t i32;
    float f32;
    double f64;
    memcpy(&i8, raw, sizeof i8), memcpy(&u16, raw, sizeof u16), memcpy(&i16, raw, sizeof i16);
    memcpy(&u32, raw, sizeof u32), memcpy(&i32, raw, sizeof i32);
    memcpy(&f32, raw, sizeof f32), memcpy(&f64, raw, sizeof f64);
    if (type->kind == REAL)
        return type->bytes == 4 ? (double)f32 : f64;
    if (type->kind == SIGNED)
        return type->bytes == 1 ? i8 : type->bytes == 2 ? i16 : i32;
    return type->bytes == 1 ? raw[0] : type->bytes == 2 ? u16 : u32;
}

static carom_status read_number(carom_cursor *c, const number_type *type, double *out,
                                carom_error *err)
{
    if (!c->binary)
        return carom_cursor_real(c, "a number", out, err);
    unsigned char raw[8] = { 0 };
    TRY(carom_cursor_bytes(c, (size_t)type->bytes, "a number", raw, err));
    *out = decode(type, raw);
    return fabs(*out) < 1e100 ? CAROM_OK : carom_cursor_damaged(c, err, "a number is %g", *out);
}

static carom_status read_list(carom_cursor *c, const property *p, carom_import_source *s,
                              carom_error *err)
{
    double count, number;
    TRY(read_number(c, p->count, &count, err));
    if (!(count >= 0 && count <= LIST_MAX))
        return carom_cursor_damaged(c, err, "a list of %g numbers", count);
    for (int i = 0; i < (int)count; ++i) {
        TRY(read_number(c, p->type, &number, err));
        if (p->use != USE_CORNERS)
            continue;
        if (!(number >= 0 && number < CAROM_IMPORT_MAX)) // a whole number could not hold it
            return carom_cursor_damaged(c, err, "a face names vertex %g", number);
        TRY(carom_import_source_corner(s, c, (long long)number, err));
    }
    return p->use == USE_CORNERS ? carom_import_source_polygon(s, err) : CAROM_OK;
}

static carom_status read_one(carom_cursor *c, const element *e, carom_import_source *s,
                             carom_error *err)
{
    double at[3] = { 0 }, number;
    for (int i = 0; i < e->property_count; ++i) {
        const property *p = &e->properties[i];
        if (p->count) {
            TRY(read_list(c, p, s, err));
            continue;
        }
        TRY(read_number(c, p->type, &number, err));
        if (p->use >= USE_X && p->use <= USE_Z)
            at[p->use - USE_X] = number;
    }
    return e->is_vertex ? carom_import_source_vertex(s, at, err) : CAROM_OK;
}

carom_status carom_import_ply_read(carom_cursor *c, carom_import_source *s, carom_error *err)
{
    header h = { 0 };
    TRY(read_header(c, &h, err));
    for (int i = 0; i < h.element_count; ++i) {
        const element *e = &h.elements[i];
        if (e->property_count)
            TRY(carom_cursor_room(c, e->count, 1, "elements", err));
        for (long long k = 0; e->property_count && k < e->count; ++k)
            TRY(read_one(c, e, s, err));
    }
    return CAROM_OK;
}

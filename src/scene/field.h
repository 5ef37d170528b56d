// One table of fields per kind of object. The same table feeds the parser, the defaults, the JSON
// Schema and the manual, so the four cannot disagree.
//
//     typedef struct ball { double mass; double velocity[3]; } ball;
//     static const carom_field ball_fields[] = {
//         { "mass", CAROM_FIELD_NUMBER, offsetof(ball, mass), .initial = 1, .range = { 0, HUGE_VAL,
//           .above = true, .unit = "kg" }, .doc = "mass" },
//         { "velocity", CAROM_FIELD_VEC3, offsetof(ball, velocity), .range = { .unit = "m/s" },
//           .doc = "of the centre" },
//         { 0 },
//     };
//     static const carom_field_table ball_table = { "ball", "A ball.", ball_fields };
//     ...
//     ball b;
//     TRY(carom_field_read(&value, &ball_table, &b, err));
//
// Every object also takes a key "note": a text for people, ignored.
#ifndef CAROM_SCENE_FIELD_H
#define CAROM_SCENE_FIELD_H

#include "scene/value.h"

typedef enum carom_field_kind {
    CAROM_FIELD_NUMBER,  // double
    CAROM_FIELD_INT64,   // int64_t
    CAROM_FIELD_INT,     // int: a whole number whose range fits
    CAROM_FIELD_BOOL,    // bool; default `initial` != 0
    CAROM_FIELD_TEXT,    // const char *, owned by the reader; default `words`, or null
    CAROM_FIELD_CHOICE,  // int, index into `words`; default `initial`
    CAROM_FIELD_VEC3,    // double[3]; default `vector`
    CAROM_FIELD_NUMBERS, // carom_numbers, owned by the reader; default none
    CAROM_FIELD_OBJECT,  // read by the caller with `table`; offset unused
    CAROM_FIELD_LIST,    // array of objects, read by the caller with `table`; offset unused
    CAROM_FIELD_MAP,     // object with names of one's own; each value is read by the caller with
                         // `table`; offset unused
    CAROM_FIELD_OTHER,   // read by the caller; `schema` says what is accepted; offset unused
} carom_field_kind;

typedef struct carom_field {
    const char *name;
    carom_field_kind kind;
    size_t offset; // in the struct that carom_field_read fills
    double initial;
    double vector[3];  // VEC3: the default
    carom_range range; // numbers, vectors and lists of numbers
    const char *words;
    const char *doc;                       // what it means; starts in lower case, no full stop
    bool required;                         // missing is an error
    const struct carom_field_table *table; // OBJECT, LIST, MAP
    const char *schema;                    // OTHER: JSON Schema of the value
    const char *shown; // in the manual as the default, where it is not the plain `initial`
} carom_field;

typedef struct carom_field_table {
    const char *noun;          // what errors call such an object: "body"
    const char *doc;           // one sentence
    const carom_field *fields; // ends with a null name
} carom_field_table;

// Fills `into` with the defaults.
void carom_field_defaults(const carom_field_table *table, void *into);
// Defaults, then the object's members. Refuses unknown keys (with a suggestion) and missing
// required ones. Sets the value's noun, so that later errors name the object.
carom_status carom_field_read(carom_value *object, const carom_field_table *table, void *into,
                              carom_error *err);
// One value from plain text, as `--set` has it: numbers, words, and vectors as [x, y, z].
carom_status carom_field_set(const carom_field *field, const char *text, void *into,
                             carom_error *err);
// The field of that name, or null.
const carom_field *carom_field_find(const carom_field_table *table, const char *name);

#endif

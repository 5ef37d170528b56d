// A film in the form the page reads: one description in JSON, binary surfaces, binary moments.
#ifndef CAROM_VIEW_VIEW_FILM_H
#define CAROM_VIEW_VIEW_FILM_H

#include "base/text.h"
#include "record/export_film.h"

enum { CAROM_VIEW_FILM_FLOATS = 13 }; // per body: position 3, rotation 4 (x y z w), velocity, spin

// Everything but numbers that come in bulk: title, times, bodies, forms, ledger.
carom_status carom_view_film_describe(const carom_export *film, carom_text *json, carom_error *err);
// Vertices (3 floats each), normals, then indices (32 bits) of every form that is not a sphere.
carom_status carom_view_film_surfaces(carom_export *film, carom_text *bytes, carom_error *err);
// `count` moments from `first` on, single precision; a body that is gone has NaN for its position.
carom_status carom_view_film_moments(const carom_export *film, int64_t first, int64_t count,
                                     carom_text *bytes, carom_error *err);
// Contacts that carried impulses up to a moment: per contact 12 floats (a, b, impact, point 3,
// normal 3, impulse 3). Empty where none were recorded.
carom_status carom_view_film_contacts(const carom_export *film, int64_t moment, carom_text *bytes,
                                      carom_error *err);

#endif

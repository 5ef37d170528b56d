// A film in the form the page reads, for films and for runs that go on.
#ifndef CAROM_VIEW_VIEW_FILM_H
#define CAROM_VIEW_VIEW_FILM_H

#include "export/export_film.h"
#include "view/view_reel.h"

// A reel of a film that somebody else owns.
carom_status carom_view_film_of(carom_export *film, const carom_view_maker **maker, void **self,
                                carom_error *err);

// Members of an open object: title, bodies, joints, forms, and the rows of all moments.
carom_status carom_view_film_write(const carom_export *film, carom_json *json, carom_error *err);
// Members "moments", "times" and "ledger" from a moment on.
carom_status carom_view_film_rows(const carom_export *film, int64_t first, carom_json *json,
                                  carom_error *err);
// Ends the object, adds it to the text and destroys the JSON.
carom_status carom_view_film_finish(carom_json *json, carom_status status, carom_text *text,
                                    carom_error *err);
// As in carom_view_maker.
carom_status carom_view_film_surfaces(carom_export *film, carom_text *bytes, carom_error *err);
carom_status carom_view_film_moments(const carom_export *film, int64_t first, int64_t count,
                                     carom_text *bytes, carom_error *err);
carom_status carom_view_film_contacts(const carom_export *film, int64_t moment, carom_text *bytes,
                                      carom_error *err);
// How deep every body overlaps another at a moment, m.
carom_status carom_view_film_depths(const carom_export *film, int64_t moment, carom_text *bytes,
                                    carom_error *err);

#endif

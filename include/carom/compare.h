/// @file
/// Laws side by side on one instant: results, energy, verdicts, time; as rows, JSON, CSV, a picture
/// and a page.
#ifndef CAROM_COMPARE_H
#define CAROM_COMPARE_H

#include "carom/desiderata.h"
#include "carom/impact.h"
#include "carom/json.h"
#include "carom/law.h"
#include "carom/scene.h"
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One law's result.
typedef struct carom_compare_row {
    const carom_law *law;             ///< which law
    carom_law_options options;        ///< with which options
    carom_status status;              ///< anything but CAROM_OK: the law failed, see error
    carom_error error;                ///< why there is no result, where the status is not CAROM_OK
    carom_impact_outcome outcome;     ///< valid where status is CAROM_OK; owned by the comparison
    carom_desiderata_figures figures; ///< verdicts; those not selected stay unasked
    double seconds;                   ///< of one resolve, the least of some repetitions
} carom_compare_row;

/// Several laws on one problem.
typedef struct carom_compare carom_compare;

/// Starts a comparison on a scene, which must outlive it. `promises` selects the desiderata that
/// are measured (bits CAROM_BRK ..., see carom_desiderata_select); 0 means: all for up to 300
/// contacts, without WAV, BRK and the distance to springs above.
CAROM_API carom_status carom_compare_create(const carom_scene_impact *scene, unsigned promises,
                                            carom_compare **out, carom_error *err);
/// Frees it; null is allowed.
CAROM_API void carom_compare_destroy(carom_compare *compare);

/// Resolves and judges by one law; null options mean the scene's own where it names this law, else
/// the law's defaults. A law that fails becomes a row with its error; only the lack of memory is
/// returned.
CAROM_API carom_status carom_compare_add(carom_compare *compare, const carom_law *law,
                                         const carom_law_options *options, carom_error *err);

/// How many rows there are.
CAROM_API int carom_compare_count(const carom_compare *compare);
/// One row, by its index from 0; belongs to the comparison.
CAROM_API const carom_compare_row *carom_compare_at(const carom_compare *compare, int index);
/// The scene that is compared on.
CAROM_API const carom_scene_impact *carom_compare_scene(const carom_compare *compare);
/// Options of the law `springs` that distances are measured to, for laws added from now on: those
/// of the row that is shown. Null: the defaults.
CAROM_API void carom_compare_refer(carom_compare *compare, const carom_law_options *springs);
/// Bounds the work of every resolve: one per law, and some for its verdicts; as
/// carom_workspace_set_bound.
CAROM_API void carom_compare_set_bound(carom_compare *compare, double work);
/// Who may stop carom_compare_add with CAROM_INTERRUPTED; as carom_workspace_set_progress.
CAROM_API void carom_compare_set_progress(carom_compare *compare, const carom_progress *progress);
/// Bits of the promises that the row's result breaks although its law makes them for this kind of
/// problem. SYM, BRK and WAV are promised without friction and with one restitution, and are about
/// the law's own process: they do not count where another rule had to finish it (report.end is not
/// CAROM_IMPACT_SETTLED).
CAROM_API unsigned carom_compare_broken(const carom_compare *compare, const carom_compare_row *row);
/// Non-zero where contacts have friction and the law does not use it.
CAROM_API int carom_compare_frictionless(const carom_compare *compare,
                                         const carom_compare_row *row);
/// The result in one word: "settled", "capped", ... or the name of the failure.
CAROM_API const char *carom_compare_end(const carom_compare_row *row);

/// One result as an object, bodies and contacts in the order of the file.
CAROM_API void carom_compare_row_json(const carom_compare *compare, const carom_compare_row *row,
                                      const char *key, carom_json *json);
/// The whole comparison as an object.
CAROM_API void carom_compare_json(const carom_compare *compare, const char *key, carom_json *json);
/// One line per law and body, figures of the law repeated. Null without memory; free() it.
CAROM_API char *carom_compare_csv(const carom_compare *const *compares, int count);
/// A picture: the instant before, and one panel per law with velocities and impulses. Null without
/// memory; free() it.
CAROM_API char *carom_compare_svg(const carom_compare *compare);
/// A self-contained page with the picture and the tables of all comparisons. Null without memory;
/// free() it.
CAROM_API char *carom_compare_html(const carom_compare *const *compares, int count,
                                   const char *title);

#ifdef __cplusplus
}
#endif
#endif

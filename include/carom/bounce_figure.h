/// @file
/// The curves of the figures of [Bounce] as tables, computed for our own bodies.
#ifndef CAROM_BOUNCE_FIGURE_H
#define CAROM_BOUNCE_FIGURE_H

#include "carom/bounce_map.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CAROM_BOUNCE_FIGURE_COLUMNS = 8 };

/// A table of numbers: the first column is what the others are drawn over.
typedef struct carom_bounce_figure {
    int number;                ///< of the figure in the paper
    const char *title;         ///< what it shows
    const char *across, *unit; ///< what the first column is, and its unit ("" for none)
    int log;                   ///< the first column is drawn on a logarithmic axis
    int columns, rows;         ///< size of the table
    const char *names[CAROM_BOUNCE_FIGURE_COLUMNS]; ///< of the columns
    double *values; ///< row by row; not a number where a cell is empty
} carom_bounce_figure;

/// Computes a figure; `modes` 0 means as many as in the paper. Modes of the bodies are kept in
/// `folder` (carom_bounce_cache_folder; null or empty: nowhere).
CAROM_API carom_status carom_bounce_figure_make(int number, int modes, const char *folder,
                                                const carom_progress *progress,
                                                carom_bounce_figure **out, carom_error *err);
/// Frees what a figure holds.
CAROM_API void carom_bounce_figure_free(carom_bounce_figure *figure);
/// Draws it; the text belongs to the caller (free).
CAROM_API carom_status carom_bounce_figure_svg(const carom_bounce_figure *figure, char **text,
                                               carom_error *err);

#ifdef __cplusplus
}
#endif
#endif

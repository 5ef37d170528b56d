/// @file
/// Patterns of a shaken layer of grains: height map, its spectrum, and what kind of pattern it is
/// [QCE, figure 9].
#ifndef CAROM_PATTERN_H
#define CAROM_PATTERN_H

#include "carom/trajectory.h"
#include "carom/status.h"
#include "carom/world.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CAROM_PATTERN_CELLS = 64,  ///< most cells of the map along each side
    CAROM_PATTERN_ANGLES = 60, ///< directions of the spectrum over half a turn
    CAROM_PATTERN_WAVES = 60,  ///< wave numbers of the spectrum
    CAROM_PATTERN_RINGS = 17   ///< whole numbers of waves along the box, from 0
};

/// Kinds by the peaks of the spectrum round the circle: 2 stripes, 4 squares, 6 hexagons. They are
/// looked for in windows of two wavelengths: a pattern may turn from one place to another.
#define CAROM_PATTERN_KIND_LIST(X)                                                                 \
    X(FLAT, "flat", "no wave number stands out")                                                   \
    X(STRIPES, "stripes", "two peaks, opposite to each other")                                     \
    X(SQUARES, "squares", "four peaks, a right angle apart")                                       \
    X(HEXAGONS, "hexagons", "six peaks, sixty degrees apart")                                      \
    X(DISORDER, "disorder", "a wave number stands out, but not in evenly spaced directions")

/// What a surface shows.
typedef enum carom_pattern_kind {
#define CAROM_PATTERN_KIND_VALUE(name, word, sentence) CAROM_PATTERN_##name,
    CAROM_PATTERN_KIND_LIST(CAROM_PATTERN_KIND_VALUE)
#undef CAROM_PATTERN_KIND_VALUE
} carom_pattern_kind;

/// What a layer looks like.
typedef struct carom_pattern {
    carom_pattern_kind kind; ///< what it shows
    int peaks;               ///< of the spectrum round the circle at the strongest wave number
    double wavelength;       ///< m
    double box_wavelength; ///< m: by one discrete Fourier transform of the map: the side of the box
                           ///< over the whole number of waves whose ring has the most power
    double mean_wavelength;           ///< m: one over the mean wave number by power
    double ring[CAROM_PATTERN_RINGS]; ///< m^2, power of all waves of about so many per side
    double ring_wave;                 ///< m^2/m, sum of power times wave number
    double mean, rms; ///< m: mean height of the grains, and how far cells differ from it
    double contrast;  ///< power of the strongest wave number over the mean of all
    double fold[3];   ///< how far the ring has two-, four- and six-fold symmetry, 0 to 1
    double local[3];  ///< two-, four- and six-fold order in windows of two wavelengths, over that
                      ///< of random waves: above 1 for stripes, squares, hexagons
    double area[4];   ///< m: x and y from, x and y to
    int cells[2];     ///< of the map along x and y
    double height[CAROM_PATTERN_CELLS * CAROM_PATTERN_CELLS]; ///< m, row by row along x
    double wave[CAROM_PATTERN_WAVES];                        ///< 1/m, wave numbers (1 / wavelength)
    double power[CAROM_PATTERN_WAVES][CAROM_PATTERN_ANGLES]; ///< m^2
} carom_pattern;

/// Measures grains by their centres (m) and mean diameter. The heights are means over the grains of
/// a cell of about two diameters; the spectrum is the Fourier transform of the map on a polar grid.
CAROM_API carom_status carom_pattern_measure(const double (*centres)[3], int count, double diameter,
                                             carom_pattern *out, carom_error *err);
/// Measures the moving bodies of a frame; `world` tells which they are and how large.
CAROM_API carom_status carom_pattern_frame(const carom_frame *frame, const carom_world *world,
                                           carom_pattern *out, carom_error *err);
/// Several moments of one layer (count at least 1): the mean of their spectra, judged anew, with
/// the map of the last. Take them a cycle of the floor apart: a wave of half its frequency has
/// crests and troughs changed in every other one, but the same spectrum, while noise has not.
CAROM_API void carom_pattern_average(const carom_pattern *patterns, int count, carom_pattern *out);
/// "stripes", ...
CAROM_API const char *carom_pattern_word(carom_pattern_kind kind);
/// Height map and spectrum side by side. The caller frees the text with free().
CAROM_API carom_status carom_pattern_svg(const carom_pattern *pattern, const char *title,
                                         char **text, carom_error *err);

#ifdef __cplusplus
}
#endif
#endif

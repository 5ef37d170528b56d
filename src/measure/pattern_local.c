// The spectrum of the whole map mixes domains and bends: stripes that turn by a right angle from
// one side of a box to the other have the peaks of squares. So the order is also taken from
// windows: the spectrum at the pattern's wave number under a bell curve of width SPREAD
// wavelengths, its angular harmonics 2, 4 and 6 by their size, whatever their phase, and the mean
// of that over windows half a wavelength apart, weighted by their power.
//
// A window of that width tells directions 25 degrees apart from each other. Random waves of one
// length have harmonics as well, because few fit into a window; they are the unit.
#include "measure/pattern_local.h"

#include <math.h>
#include "math/constants.h"
#include "math/trig.h"

#define SPREAD 0.75

enum { DIRECTIONS = 36 };

// Of random waves: means over 40 fields of 60 waves with random directions and phases each, in a
// box of five wavelengths (tests/unit/pattern.c makes such fields).
static const double random_order[3] = { 0.36, 0.31, 0.24 };

typedef struct window {
    int from[2], to[2]; // cells
    double height[CAROM_PATTERN_CELLS * CAROM_PATTERN_CELLS];
} window;

static double cell_width(const carom_pattern *map, int side)
{
    return (map->area[2 + side] - map->area[side]) / map->cells[side];
}

// The heights round a place, less their mean there, under the bell curve.
static void cut(const carom_pattern *map, const double centre[2], window *out)
{
    double bell[2][CAROM_PATTERN_CELLS], mean = 0, weight = 0;
    for (int k = 0; k < 2; ++k) {
        double width = cell_width(map, k), spread = SPREAD * map->wavelength;
        out->from[k] = (int)fmax(0, floor((centre[k] - 3 * spread) / width));
        out->to[k] = (int)fmin(map->cells[k], ceil((centre[k] + 3 * spread) / width));
        for (int i = out->from[k]; i < out->to[k]; ++i) {
            double away = ((i + 0.5) * width - centre[k]) / spread;
            bell[k][i] = exp(-0.5 * away * away);
        }
    }
    for (int y = out->from[1]; y < out->to[1]; ++y)
        for (int x = out->from[0]; x < out->to[0]; ++x) {
            mean += bell[0][x] * bell[1][y] * map->height[y * map->cells[0] + x];
            weight += bell[0][x] * bell[1][y];
        }
    for (int y = out->from[1]; y < out->to[1]; ++y)
        for (int x = out->from[0]; x < out->to[0]; ++x) {
            int at = y * map->cells[0] + x;
            out->height[at] = bell[0][x] * bell[1][y] * (map->height[at] - mean / weight);
        }
}

// Power of a window in one direction at the wave number of the pattern.
static double power_of(const carom_pattern *map, const window *w, const double direction[2])
{
    double c[2][CAROM_PATTERN_CELLS], s[2][CAROM_PATTERN_CELLS], real = 0, imaginary = 0;
    for (int k = 0; k < 2; ++k)
        for (int i = w->from[k]; i < w->to[k]; ++i) {
            double turns = direction[1 - k] / map->wavelength * (i + 0.5) * cell_width(map, k);
            double angle = CAROM_TWO_PI * (turns - floor(turns));
            c[k][i] = carom_trig_cos(angle);
            s[k][i] = carom_trig_sin(angle);
        }
    for (int y = w->from[1]; y < w->to[1]; ++y) {
        double row[2] = { 0, 0 };
        for (int x = w->from[0]; x < w->to[0]; ++x) {
            double height = w->height[y * map->cells[0] + x];
            row[0] += height * c[0][x];
            row[1] += height * s[0][x];
        }
        real += row[0] * c[1][y] - row[1] * s[1][y];
        imaginary += row[0] * s[1][y] + row[1] * c[1][y];
    }
    return real * real + imaginary * imaginary;
}

// Adds the size of the harmonics of one window, and its power.
static void add_window(const carom_pattern *map, const window *w, double parts[3], double *sum)
{
    double harmonics[3][2] = { { 0 } };
    for (int a = 0; a < DIRECTIONS; ++a) {
        double direction[2];
        carom_trig_degrees(180.0 * a / DIRECTIONS, direction);
        double power = power_of(map, w, direction);
        *sum += power;
        for (int f = 0; f < 3; ++f) {
            double turn[2];
            carom_trig_degrees((f + 1) * 360.0 * a / DIRECTIONS, turn);
            harmonics[f][0] += power * turn[0];
            harmonics[f][1] += power * turn[1];
        }
    }
    for (int f = 0; f < 3; ++f)
        parts[f] += sqrt(harmonics[f][0] * harmonics[f][0] + harmonics[f][1] * harmonics[f][1]);
}

void carom_pattern_local_order(const carom_pattern *map, double order[3])
{
    double parts[3] = { 0, 0, 0 }, sum = 0, length = map->wavelength;
    int count[2];
    window w;
    for (int k = 0; k < 2; ++k) { // half a wavelength apart, as far from the edges
        double side = map->area[2 + k] - map->area[k];
        count[k] = (int)fmax(1, floor((side - length) / (0.5 * length)) + 1);
    }
    for (int i = 0; i < count[0] * count[1]; ++i) {
        double centre[2];
        for (int k = 0; k < 2; ++k) {
            double side = map->area[2 + k] - map->area[k];
            int n = k ? i / count[0] : i % count[0];
            centre[k] =
                count[k] > 1 ? 0.5 * length + (side - length) * n / (count[k] - 1) : 0.5 * side;
        }
        cut(map, centre, &w);
        add_window(map, &w, parts, &sum);
    }
    for (int f = 0; f < 3; ++f)
        order[f] = sum > 0 ? parts[f] / sum / random_order[f] : 0;
}

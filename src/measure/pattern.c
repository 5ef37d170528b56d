// Patterns of a shaken layer: height map, spectrum on a polar grid, kind.
//
// The transform is taken on a polar grid of wave numbers and directions instead of a square one: a
// box holds only two to five wavelengths, and the squares of a lattice of whole wave numbers would
// show in the angles. Heights lose their mean and their slopes first. Two peaks of a ring can be
// told apart where they are more than about one wave number per box apart: a hexagon needs a ring
// at two or more.
//
// Symbols: k wave number (1/m), S power of a map of n cells: |sum h exp(-2 pi i k.x)|^2 / n^2.
#include "carom/pattern.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "math/constants.h"
#include "math/trig.h"
#include "measure/pattern_local.h"

#define CELL 2.0         // diameters
#define FEWEST_WAVES 1.5 // wavelengths along the shorter side
#define SHORTEST 4.0     // cells per wavelength
#define STANDS_OUT 3.0   // a ring's power over the mean of all: fewer is no pattern
#define PEAK 0.5         // of the ring's contrast: lower maxima are no peaks
#define EVEN 0.25        // of the even angle: peaks further off are no lattice
#define ORDERED 1.15     // local order over that of random waves, where the peaks agree with it
#define CLEAR 1.45       // and where they do not

// By the number of peaks in half a turn.
static const carom_pattern_kind kinds[] = { CAROM_PATTERN_DISORDER, CAROM_PATTERN_STRIPES,
                                            CAROM_PATTERN_SQUARES, CAROM_PATTERN_HEXAGONS };

static carom_status take_area(const double (*centres)[3], int count, double diameter,
                              carom_pattern *out, carom_error *err);
static void map_heights(const double (*centres)[3], int count, carom_pattern *out);
static void level(carom_pattern *out, double *flat);
static void transform(const double *flat, carom_pattern *out);
static void transform_box(const double *flat, carom_pattern *out);
static void judge_box(carom_pattern *out);
static void judge(carom_pattern *out);

carom_status carom_pattern_measure(const double (*centres)[3], int count, double diameter,
                                   carom_pattern *out, carom_error *err)
{
    NEED(err, out);
    static const carom_pattern none;
    double flat[CAROM_PATTERN_CELLS * CAROM_PATTERN_CELLS];
    *out = none;
    TRY(take_area(centres, count, diameter, out, err));
    map_heights(centres, count, out);
    level(out, flat);
    transform(flat, out);
    transform_box(flat, out);
    judge_box(out);
    judge(out);
    carom_pattern_local_order(out, out->local);
    judge(out);
    return CAROM_OK;
}

carom_status carom_pattern_frame(const carom_frame *frame, const carom_world *world,
                                 carom_pattern *out, carom_error *err)
{
    NEED(err, frame, out);
    int count = 0;
    double diameter = 0, (*centres)[3] = malloc((size_t)frame->body_count * sizeof *centres);
    if (!centres)
        return carom_error_no_memory(err, "%d grains", frame->body_count);
    for (int i = 0; i < frame->body_count; ++i) {
        if (carom_world_kind(world, carom_world_body_at(world, i)) != CAROM_BODY_MOVING)
            continue;
        double volume =
            carom_shape_mass(carom_world_shape(world, carom_world_body_at(world, i))).volume;
        diameter += cbrt(12 * volume / CAROM_TWO_PI); // of a ball of the same volume
        memcpy(centres[count++], frame->bodies + CAROM_FRAME_STRIDE * (size_t)i, sizeof *centres);
    }
    carom_status status = carom_pattern_measure((const double(*)[3])centres, count,
                                                count ? diameter / count : 0, out, err);
    free(centres);
    return status;
}

static carom_status take_area(const double (*centres)[3], int count, double diameter,
                              carom_pattern *out, carom_error *err)
{
    if (count < 1 || !(diameter > 0)) {
        carom_error_set(err, CAROM_BAD_INPUT, "%d grains of diameter %g m", count, diameter);
        return carom_error_fix(err, "a pattern needs moving bodies");
    }
    for (int k = 0; k < 2; ++k) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = 0; i < count; ++i) {
            low = fmin(low, centres[i][k] - 0.5 * diameter);
            high = fmax(high, centres[i][k] + 0.5 * diameter);
        }
        double cells = floor((high - low) / (CELL * diameter));
        out->area[k] = low;
        out->area[2 + k] = high;
        out->cells[k] = (int)fmin(CAROM_PATTERN_CELLS, fmax(4, cells));
    }
    return CAROM_OK;
}

static int cell_of(const carom_pattern *out, const double centre[3])
{
    int at[2];
    for (int k = 0; k < 2; ++k) {
        double share = (centre[k] - out->area[k]) / (out->area[2 + k] - out->area[k]);
        at[k] = (int)fmin(out->cells[k] - 1, fmax(0, floor(share * out->cells[k])));
    }
    return at[1] * out->cells[0] + at[0];
}

// Mean height of the grains of every cell; a cell without any is as high as the mean.
static void map_heights(const double (*centres)[3], int count, carom_pattern *out)
{
    int seen[CAROM_PATTERN_CELLS * CAROM_PATTERN_CELLS] = { 0 };
    int n = out->cells[0] * out->cells[1];
    for (int i = 0; i < count; ++i) {
        int cell = cell_of(out, centres[i]);
        out->height[cell] += centres[i][2];
        out->mean += centres[i][2] / count;
        ++seen[cell];
    }
    for (int i = 0; i < n; ++i) {
        out->height[i] = seen[i] ? out->height[i] / seen[i] : out->mean;
        out->rms += (out->height[i] - out->mean) * (out->height[i] - out->mean) / n;
    }
    out->rms = sqrt(out->rms);
}

// Takes the mean and the slopes along x and y out.
static void level(carom_pattern *out, double *flat)
{
    int nx = out->cells[0], ny = out->cells[1], n = nx * ny;
    double mean = 0, slope[2] = { 0, 0 }, square[2] = { 0, 0 };
    for (int i = 0; i < n; ++i)
        mean += out->height[i] / n;
    for (int i = 0; i < n; ++i) {
        double x = i % nx - 0.5 * (nx - 1), y = i / nx - 0.5 * (ny - 1);
        slope[0] += x * (out->height[i] - mean);
        slope[1] += y * (out->height[i] - mean);
        square[0] += x * x;
        square[1] += y * y;
    }
    for (int i = 0; i < n; ++i) {
        double x = i % nx - 0.5 * (nx - 1), y = i / nx - 0.5 * (ny - 1);
        flat[i] = out->height[i] - mean - x * slope[0] / square[0] - y * slope[1] / square[1];
    }
}

// exp(-2 pi i k x) at the middles of the cells along one side.
static void turn(const carom_pattern *out, int side, double k, double *cosine, double *sine)
{
    double width = (out->area[2 + side] - out->area[side]) / out->cells[side];
    for (int i = 0; i < out->cells[side]; ++i) {
        double turns = k * width * (i + 0.5), angle = CAROM_TWO_PI * (turns - floor(turns));
        cosine[i] = carom_trig_cos(angle);
        sine[i] = -carom_trig_sin(angle);
    }
}

static double power_at(const carom_pattern *out, const double *flat, const double k[2])
{
    double c[2][CAROM_PATTERN_CELLS], s[2][CAROM_PATTERN_CELLS], real = 0, imaginary = 0;
    int nx = out->cells[0], ny = out->cells[1];
    turn(out, 0, k[0], c[0], s[0]);
    turn(out, 1, k[1], c[1], s[1]);
    for (int y = 0; y < ny; ++y) {
        double row_real = 0, row_imaginary = 0;
        for (int x = 0; x < nx; ++x) {
            row_real += flat[y * nx + x] * c[0][x];
            row_imaginary += flat[y * nx + x] * s[0][x];
        }
        real += row_real * c[1][y] - row_imaginary * s[1][y];
        imaginary += row_real * s[1][y] + row_imaginary * c[1][y];
    }
    double n = (double)nx * ny;
    return (real * real + imaginary * imaginary) / (n * n);
}

static void transform(const double *flat, carom_pattern *out)
{
    double sides[2] = { out->area[2] - out->area[0], out->area[3] - out->area[1] };
    double low = FEWEST_WAVES / fmin(sides[0], sides[1]);
    double high = fmin(out->cells[0] / sides[0], out->cells[1] / sides[1]) / SHORTEST;
    high = fmax(high, 1.5 * low);
    for (int w = 0; w < CAROM_PATTERN_WAVES; ++w) {
        out->wave[w] = low + (high - low) * w / (CAROM_PATTERN_WAVES - 1);
        for (int a = 0; a < CAROM_PATTERN_ANGLES; ++a) {
            double direction[2];
            carom_trig_degrees(180.0 * a / CAROM_PATTERN_ANGLES, direction);
            double k[2] = { out->wave[w] * direction[1], out->wave[w] * direction[0] };
            out->power[w][a] = power_at(out, flat, k);
        }
    }
}

// The discrete Fourier transform of the map, by rings of whole numbers of waves along the box;
// waves and their opposites have the same power, so half of them are enough.
static void transform_box(const double *flat, carom_pattern *out)
{
    double sides[2] = { out->area[2] - out->area[0], out->area[3] - out->area[1] };
    double side = sqrt(sides[0] * sides[1]);
    int max = (int)fmin(CAROM_PATTERN_RINGS - 1, fmin(out->cells[0], out->cells[1]) / SHORTEST);
    for (int x = -max; x <= max; ++x)
        for (int y = 0; y <= max; ++y) {
            double k[2] = { x / sides[0], y / sides[1] };
            double wave = sqrt(k[0] * k[0] + k[1] * k[1]);
            int ring = (int)(wave * side + 0.5);
            if (ring < 1 || ring > max || (y == 0 && x < 0))
                continue;
            double power = power_at(out, flat, k);
            out->ring[ring] += power;
            out->ring_wave += power * wave;
        }
}

static void judge_box(carom_pattern *out)
{
    double side = sqrt((out->area[2] - out->area[0]) * (out->area[3] - out->area[1])), sum = 0;
    int best = 1;
    for (int r = 1; r < CAROM_PATTERN_RINGS; ++r) {
        sum += out->ring[r];
        best = out->ring[r] > out->ring[best] ? r : best;
    }
    out->box_wavelength = side / best;
    out->mean_wavelength = out->ring_wave > 0 ? sum / out->ring_wave : 0;
}

// The mean over a band of wave numbers round the strongest, per direction.
static void take_ring(const carom_pattern *out, int strongest, double *ring)
{
    int count = 0;
    memset(ring, 0, CAROM_PATTERN_ANGLES * sizeof *ring);
    for (int w = 0; w < CAROM_PATTERN_WAVES; ++w) {
        if (fabs(out->wave[w] - out->wave[strongest]) > 0.15 * out->wave[strongest])
            continue;
        ++count;
        for (int a = 0; a < CAROM_PATTERN_ANGLES; ++a)
            ring[a] += out->power[w][a];
    }
    for (int a = 0; a < CAROM_PATTERN_ANGLES; ++a)
        ring[a] /= count;
}

// Each direction as the mean of its surroundings, weighted by a triangle as wide as directions can
// be told apart: a wave number k in an area of width L turns by 1 / (k L) over one line's width.
// Speckle inside a line would count as peaks.
static void smooth(double *ring, double resolution)
{
    double raw[CAROM_PATTERN_ANGLES];
    double width = fmin(CAROM_PATTERN_ANGLES / 4.0,
                        1 + resolution * CAROM_PATTERN_ANGLES / (0.5 * CAROM_TWO_PI));
    int reach = (int)width;
    memcpy(raw, ring, sizeof raw);
    for (int a = 0; a < CAROM_PATTERN_ANGLES; ++a) {
        double sum = 0, weights = 0;
        for (int d = -reach; d <= reach; ++d) {
            double weight = fmax(0, 1 - abs(d) / width);
            sum += weight * raw[(a + d + CAROM_PATTERN_ANGLES) % CAROM_PATTERN_ANGLES];
            weights += weight;
        }
        ring[a] = sum / weights;
    }
}

// Maxima round half a turn that stand above their surroundings; the directions of the first three.
static int find_peaks(const double *ring, int *at)
{
    enum { NEAR = 4 }; // directions to each side: 12 degrees
    double top = 0, bottom = HUGE_VAL;
    int peaks = 0;
    for (int a = 0; a < CAROM_PATTERN_ANGLES; ++a) {
        top = fmax(top, ring[a]);
        bottom = fmin(bottom, ring[a]);
    }
    for (int a = 0; a < CAROM_PATTERN_ANGLES; ++a) {
        bool highest = ring[a] > bottom + PEAK * (top - bottom);
        for (int d = -NEAR; d <= NEAR && highest; ++d) {
            double other = ring[(a + d + CAROM_PATTERN_ANGLES) % CAROM_PATTERN_ANGLES];
            highest = d < 0 ? ring[a] > other : ring[a] >= other;
        }
        if (highest && peaks < 3)
            at[peaks] = a;
        peaks += highest;
    }
    return peaks;
}

// One, two or three peaks in half a turn make a kind only where they are evenly spaced.
static carom_pattern_kind kind_of_peaks(int peaks, const int *at)
{
    if (peaks < 1 || peaks > 3)
        return CAROM_PATTERN_DISORDER;
    for (int p = 0; p < peaks; ++p) {
        int gap = p + 1 < peaks ? at[p + 1] - at[p] : at[0] + CAROM_PATTERN_ANGLES - at[p];
        double even = (double)CAROM_PATTERN_ANGLES / peaks;
        if (fabs(gap - even) > EVEN * even)
            return CAROM_PATTERN_DISORDER;
    }
    return kinds[peaks];
}

// The kind whose local order stands out of that of random waves: clearly, or together with the
// peaks of the whole map. Peaks alone see bent stripes as something else, and a few waves that
// happen to cross well as a lattice.
static carom_pattern_kind name_kind(carom_pattern_kind peaks, const double local[3])
{
    int best = 0;
    for (int f = 1; f < 3; ++f)
        best = local[f] > local[best] ? f : best;
    bool stands = local[best] > CLEAR || (peaks == kinds[best + 1] && local[best] > ORDERED);
    return stands ? kinds[best + 1] : CAROM_PATTERN_DISORDER;
}

// How far a ring has two-, four- and six-fold symmetry.
static void take_folds(const double *ring, double *fold)
{
    double sum = 0;
    for (int a = 0; a < CAROM_PATTERN_ANGLES; ++a)
        sum += ring[a];
    for (int f = 0; f < 3; ++f) {
        double part[2] = { 0, 0 };
        for (int a = 0; a < CAROM_PATTERN_ANGLES; ++a) {
            double direction[2];
            carom_trig_degrees((f + 1) * 360.0 * a / CAROM_PATTERN_ANGLES, direction);
            part[0] += ring[a] * direction[0];
            part[1] += ring[a] * direction[1];
        }
        fold[f] = sum > 0 ? sqrt(part[0] * part[0] + part[1] * part[1]) / sum : 0;
    }
}

static void judge(carom_pattern *out)
{
    double mean = 0, best = 0, ring[CAROM_PATTERN_ANGLES], area = 0;
    int strongest = 0, at[3];
    for (int w = 0; w < CAROM_PATTERN_WAVES; ++w) {
        double total = 0;
        for (int a = 0; a < CAROM_PATTERN_ANGLES; ++a)
            total += out->power[w][a];
        mean += total * out->wave[w]; // rings grow with their wave number
        area += out->wave[w];
        if (total > best) {
            best = total;
            strongest = w;
        }
    }
    out->wavelength = 1 / out->wave[strongest];
    out->contrast = mean > 0 ? best * area / mean : 0;
    take_ring(out, strongest, ring);
    take_folds(ring, out->fold);
    smooth(ring, out->wavelength / fmin(out->area[2] - out->area[0], out->area[3] - out->area[1]));
    int peaks = find_peaks(ring, at);
    out->peaks = 2 * peaks;
    out->kind = out->contrast < STANDS_OUT ? CAROM_PATTERN_FLAT
                                           : name_kind(kind_of_peaks(peaks, at), out->local);
}

void carom_pattern_average(const carom_pattern *patterns, int count, carom_pattern *out)
{
    if (!patterns || !out)
        return;
    *out = patterns[count - 1];
    for (int w = 0; w < CAROM_PATTERN_WAVES; ++w)
        for (int a = 0; a < CAROM_PATTERN_ANGLES; ++a) {
            double sum = 0;
            for (int m = 0; m < count; ++m)
                sum += patterns[m].power[w][a];
            out->power[w][a] = sum / count;
        }
    out->ring_wave = 0;
    for (int m = 0; m < count; ++m)
        out->ring_wave += patterns[m].ring_wave / count;
    for (int r = 0; r < CAROM_PATTERN_RINGS; ++r) {
        out->ring[r] = 0;
        for (int m = 0; m < count; ++m)
            out->ring[r] += patterns[m].ring[r] / count;
    }
    judge_box(out);
    for (int f = 0; f < 3; ++f) {
        out->local[f] = 0;
        for (int m = 0; m < count; ++m)
            out->local[f] += patterns[m].local[f] / count;
    }
    judge(out);
}

const char *carom_pattern_word(carom_pattern_kind kind)
{
    static const char *const words[] = {
#define WORD(name, word, sentence) word,
        CAROM_PATTERN_KIND_LIST(WORD)
#undef WORD
    };
    return WORD_OF(words, kind);
}

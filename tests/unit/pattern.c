// The kind of a pattern from layers that were made to have it.
#include "carom/pattern.h"
#include "support/check.h"

#include <math.h>
#include <stdlib.h>
#include "base/random.h"

enum { SIDE = 100, LAYERS = 5 };

// A layer of grains of diameter 1 whose height is a sum of plane waves in directions `apart`
// degrees from each other, with noise of its own for every `moment`, and crests and troughs changed
// in the odd ones.
static carom_pattern layer_at(int index, int waves, double apart, double wavelength, double height)
{
    static double centres[SIDE * SIDE * LAYERS][3];
    carom_random random = carom_random_make(5, (uint64_t)index);
    carom_pattern found;
    carom_error err = { 0 };
    for (int i = 0; i < SIDE * SIDE * LAYERS; ++i) {
        double x = i % SIDE, y = i / SIDE % SIDE, z = i / (SIDE * SIDE), wave = 0;
        for (int w = 0; w < waves; ++w) {
            double angle = (10 + apart * w) * acos(-1) / 180;
            wave += cos(2 * acos(-1) / wavelength * (cos(angle) * x + sin(angle) * y));
        }
        centres[i][0] = x;
        centres[i][1] = y;
        centres[i][2] =
            z + (index % 2 ? -height : height) * wave + carom_random_between(&random, -0.5, 0.5);
    }
    CHECK(carom_pattern_measure((const double(*)[3])centres, SIDE * SIDE * LAYERS, 1, &found,
                                &err) == CAROM_OK,
          "measured: %s", err.what);
    return found;
}

static carom_pattern layer(int waves, double apart, double wavelength, double height)
{
    return layer_at(0, waves, apart, wavelength, height);
}

static void kinds(void)
{
    const struct {
        int waves;
        double apart;
        carom_pattern_kind kind;
    } cases[] = { { 1, 0, CAROM_PATTERN_STRIPES },
                  { 2, 90, CAROM_PATTERN_SQUARES },
                  { 3, 60, CAROM_PATTERN_HEXAGONS } };
    for (int c = 0; c < 3; ++c) {
        carom_pattern found = layer(cases[c].waves, cases[c].apart, 23, 0.5);
        CHECK(found.kind == cases[c].kind, "%d waves: %s", cases[c].waves,
              carom_pattern_word(found.kind));
        CHECK(found.peaks == 2 * cases[c].waves, "%d peaks of %d waves", found.peaks,
              cases[c].waves);
        // a hundred diameters hold four waves: the maximum is known to a tenth of one
        CHECK_NEAR(found.wavelength, 23, 2.5, "wavelength of %d waves", cases[c].waves);
    }
    // by a plain transform: the whole number of waves that fits a hundred diameters best
    for (int waves = 3; waves <= 5; ++waves) {
        carom_pattern found = layer(1, 0, 100.0 / waves, 0.5);
        CHECK_NEAR(found.box_wavelength, 100.0 / waves, 1e-9, "%d waves in the box", waves);
        // noise and the edges of the box spread some power over all wave numbers
        CHECK_NEAR(found.mean_wavelength, 100.0 / waves, 0.2 * 100.0 / waves, "%d waves, mean",
                   waves);
    }
    carom_pattern flat = layer(0, 0, 1, 0);
    CHECK(flat.kind == CAROM_PATTERN_FLAT, "noise alone is flat, not %s",
          carom_pattern_word(flat.kind));
}

// Two waves that do not cross at a right angle are no squares.
static void rhombs(void)
{
    carom_pattern found = layer(2, 55, 23, 0.5);
    CHECK(found.kind != CAROM_PATTERN_SQUARES && found.kind != CAROM_PATTERN_STRIPES &&
              found.peaks == 4,
          "waves 55 degrees apart are neither squares nor stripes: %s with %d peaks",
          carom_pattern_word(found.kind), found.peaks);
}

// Stripes that turn by a right angle over the layer: circles round a corner.
static void bent(void)
{
    static double centres[SIDE * SIDE][3];
    static carom_pattern found;
    carom_error err = { 0 };
    for (int i = 0; i < SIDE * SIDE; ++i) {
        double x = i % SIDE, y = i / SIDE;
        centres[i][0] = x;
        centres[i][1] = y;
        centres[i][2] = sin(2 * acos(-1) / 20 * hypot(x + 40, y + 40));
    }
    CHECK(carom_pattern_measure((const double(*)[3])centres, SIDE * SIDE, 1, &found, &err) ==
                  CAROM_OK &&
              found.kind == CAROM_PATTERN_STRIPES,
          "bent stripes are stripes: %s with %d peaks", carom_pattern_word(found.kind),
          found.peaks);
}

// Waves of one length in random directions are the unit of local order.
static void disorder(void)
{
    enum { FIELDS = 8, WAVES = 60 };
    static double centres[SIDE * SIDE][3];
    double order = 0;
    int named = 0;
    for (int f = 0; f < FIELDS; ++f) {
        carom_random random = carom_random_make(77, (uint64_t)f);
        double wave[WAVES][3];
        carom_pattern found;
        carom_error err = { 0 };
        for (int w = 0; w < WAVES; ++w) {
            double angle = carom_random_between(&random, 0, 2 * acos(-1));
            wave[w][0] = 2 * acos(-1) / 20 * cos(angle);
            wave[w][1] = 2 * acos(-1) / 20 * sin(angle);
            wave[w][2] = carom_random_between(&random, 0, 2 * acos(-1));
        }
        for (int i = 0; i < SIDE * SIDE; ++i) {
            double x = i % SIDE, y = i / SIDE, z = 0;
            for (int w = 0; w < WAVES; ++w)
                z += cos(wave[w][0] * x + wave[w][1] * y + wave[w][2]);
            centres[i][0] = x;
            centres[i][1] = y;
            centres[i][2] = z;
        }
        CHECK(carom_pattern_measure((const double(*)[3])centres, SIDE * SIDE, 1, &found, &err) ==
                  CAROM_OK,
              "measured");
        for (int k = 0; k < 3; ++k)
            order += found.local[k] / (3 * FIELDS);
        named += found.kind != CAROM_PATTERN_DISORDER;
    }
    // one field's order spreads by a quarter: the mean of 24 by a twentieth, twice that twice
    CHECK_NEAR(order, 1, 0.2, "local order of random waves");
    CHECK(named <= FIELDS / 3, "%d of %d random fields are taken for a pattern", named, FIELDS);
}

// A wave that swings at half the floor's frequency shows in the mean spectrum of several cycles
// although crests and troughs change places; noise does not.
static void average(void)
{
    enum { MOMENTS = 12 };
    static carom_pattern frames[MOMENTS], mean;
    const double height = 0.011; // a sixth of a cell's noise: 0.29 over the root of its 20 grains
    int alone = 0;
    for (int m = 0; m < MOMENTS; ++m) {
        frames[m] = layer_at(m, 3, 60, 23, height);
        alone += frames[m].kind == CAROM_PATTERN_HEXAGONS;
    }
    CHECK(alone < MOMENTS, "some moments alone are misread: %d of %d are right", alone, MOMENTS);
    carom_pattern_average(frames, MOMENTS, &mean);
    CHECK(mean.kind == CAROM_PATTERN_HEXAGONS, "mean of %d moments: %s, contrast %.2f", MOMENTS,
          carom_pattern_word(mean.kind), mean.contrast);
    CHECK_NEAR(mean.wavelength, 23, 2.5, "wavelength of the mean");
    for (int m = 0; m < MOMENTS; ++m)
        frames[m] = layer_at(m, 0, 0, 1, 0);
    carom_pattern_average(frames, MOMENTS, &mean);
    CHECK(mean.kind == CAROM_PATTERN_FLAT && mean.contrast < 1.5,
          "the mean of noise is flat, contrast %.2f", mean.contrast);
    carom_pattern_average(frames + 3, 1, &mean);
    CHECK(mean.contrast == frames[3].contrast && mean.peaks == frames[3].peaks,
          "the mean of one moment is that moment");
}

static void refuses(void)
{
    carom_pattern found;
    carom_error err = { 0 };
    double one[1][3] = { { 0, 0, 0 } };
    CHECK(carom_pattern_measure((const double(*)[3])one, 0, 1, &found, &err) == CAROM_BAD_INPUT,
          "no grains are refused");
}

static void draws(void)
{
    carom_pattern found = layer(2, 90, 23, 0.5);
    char *text = NULL;
    carom_error err = { 0 };
    CHECK(carom_pattern_svg(&found, "squares", &text, &err) == CAROM_OK && text, "drawn");
    free(text);
}

int main(void)
{
    kinds();
    rhombs();
    bent();
    disorder();
    average();
    refuses();
    draws();
    return check_report();
}

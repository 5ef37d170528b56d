// Sizes of grains from a distribution, by number: each grain of a generator is its template times a
// random factor. A given mass grows with the volume.
#include "scene/scene_sizes.h"

#include "math/power.h"

enum { UNIFORM, NORMAL, LOGNORMAL, VALUES };
enum { TRIES = 1000 };

#define FACTOR_RANGE                                                                               \
    {                                                                                              \
        .min = 1e-6, .max = 1e6                                                                    \
    }

static const carom_field fields[] = {
    { "law", CAROM_FIELD_CHOICE, offsetof(carom_scene_sizes, law),
      .words = "uniform normal lognormal values",
      .doc = "uniform: between `min` and `max`; normal: `mean` and `deviation`; lognormal: the "
             "median is `mean`, the deviation of the logarithm `deviation`; values: one of them" },
    { "min", CAROM_FIELD_NUMBER, offsetof(carom_scene_sizes, min), .initial = 0.5,
      .range = FACTOR_RANGE, .doc = "smaller ones are drawn again" },
    { "max", CAROM_FIELD_NUMBER, offsetof(carom_scene_sizes, max), .initial = 2,
      .range = FACTOR_RANGE, .doc = "larger ones are drawn again" },
    { "mean", CAROM_FIELD_NUMBER, offsetof(carom_scene_sizes, mean), .initial = 1,
      .range = FACTOR_RANGE, .doc = "of normal and lognormal" },
    { "deviation", CAROM_FIELD_NUMBER, offsetof(carom_scene_sizes, deviation), .initial = 0.1,
      .range = { .min = 0, .max = 10 }, .doc = "standard deviation of normal and lognormal" },
    { "values", CAROM_FIELD_NUMBERS, offsetof(carom_scene_sizes, values), .range = FACTOR_RANGE,
      .doc = "factors to choose from" },
    { "weights", CAROM_FIELD_NUMBERS, offsetof(carom_scene_sizes, weights),
      .range = { .min = 0, .max = 1e12 }, .shown = "all the same",
      .doc = "how often each of `values` is chosen" },
    { 0 },
};
const carom_field_table carom_scene_sizes_table = {
    "sizes", "How much larger than written the bodies of a generator are, by number.", fields
};

static carom_status check_values(const carom_value *value, const carom_scene_sizes *s,
                                 carom_error *err)
{
    double sum = 0;
    if (s->law != VALUES)
        return s->min <= s->max ? CAROM_OK
                                : carom_value_fail_key(value, "min", err, "swap the two",
                                                       "min is %g, above max, %g", s->min, s->max);
    if (s->values.count == 0)
        return carom_value_fail(value, err, "list the factors: \"values\": [1, 1.5]",
                                "there are no values");
    for (int i = 0; i < s->weights.count; ++i)
        sum += s->weights.values[i];
    if (s->weights.count != 0 && (s->weights.count != s->values.count || !(sum > 0)))
        return carom_value_fail_key(value, "weights", err, "give one weight per value, one above 0",
                                    "there are %d weights for %d values", s->weights.count,
                                    s->values.count);
    return CAROM_OK;
}

carom_status carom_scene_sizes_read(const carom_value *generator, carom_scene_sizes *out,
                                    carom_error *err)
{
    carom_value value;
    carom_field_defaults(&carom_scene_sizes_table, out);
    out->given = carom_value_member(generator, "sizes", &value);
    if (!out->given)
        return CAROM_OK;
    TRY(carom_field_read(&value, &carom_scene_sizes_table, out, err));
    out->given = true;
    return check_values(&value, out, err);
}

double carom_scene_sizes_max(const carom_scene_sizes *s)
{
    double most = 0;
    for (int i = 0; s->given && s->law == VALUES && i < s->values.count; ++i)
        most = fmax(most, s->values.values[i]);
    return !s->given ? 1 : s->law == VALUES ? most : s->max;
}

static double choose(const carom_scene_sizes *s, carom_random *random)
{
    int last = s->values.count - 1;
    double sum = 0, part = 0;
    if (s->weights.count == 0)
        return s->values.values[carom_random_below(random, last + 1)];
    for (int i = 0; i <= last; ++i)
        sum += s->weights.values[i];
    double at = sum * carom_random_unit(random);
    for (int i = 0; i < last; ++i) {
        part += s->weights.values[i];
        if (at < part)
            return s->values.values[i];
    }
    return s->values.values[last];
}

// e^x, the same bits on every machine.
static double exponential(double x)
{
    const double e = 2.71828182845904523536;
    return x == 0 ? 1 : x > 0 ? carom_power(e, x) : 1 / carom_power(e, -x);
}

double carom_scene_sizes_draw(const carom_scene_sizes *s, carom_random *random)
{
    if (!s->given)
        return 1;
    if (s->law == VALUES)
        return choose(s, random);
    if (s->law == UNIFORM)
        return carom_random_between(random, s->min, s->max);
    for (int i = 0; i < TRIES; ++i) {
        double normal = s->deviation * carom_random_normal(random);
        double factor = s->law == NORMAL ? s->mean + normal : s->mean * exponential(normal);
        if (factor >= s->min && factor <= s->max)
            return factor;
    }
    return s->mean < s->min ? s->min : s->mean > s->max ? s->max : s->mean;
}

carom_status carom_scene_sizes_apply(carom_scene_world *scene, double factor,
                                     carom_scene_template *body, carom_error *err)
{
    double cube = factor * factor * factor;
    if (factor == 1)
        return CAROM_OK;
    TRY(carom_scene_shape_scaled(scene, body->form, factor, &body->form, err));
    body->body.mass *= cube;
    for (int k = 0; k < 6; ++k)
        body->body.inertia[k] *= cube * factor * factor;
    for (int k = 0; k < 3; ++k)
        body->body.centre[k] *= factor;
    return CAROM_OK;
}

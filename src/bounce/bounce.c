// Options and checks of the scalar bounce.
#include "bounce/bounce.h"

#include <math.h>

carom_bounce_options carom_bounce_options_default(void)
{
    return (carom_bounce_options){ .turn = 0.29, .damping = 0, .budget = 1000000 };
}

static carom_status bad(carom_error *err, const char *fix)
{
    carom_error_fix(err, "%s", fix);
    return CAROM_BAD_INPUT;
}

carom_status carom_bounce_check(const carom_bounce_case *one, const carom_bounce_options *options,
                                carom_error *err)
{
    if (!(one->w > 0) || !isfinite(one->w)) {
        carom_error_set(err, CAROM_BAD_INPUT, "w is %g 1/kg", one->w);
        return bad(err, "the response of a rigid body is a number above 0");
    }
    if (one->mode_count < 0) {
        carom_error_set(err, CAROM_BAD_INPUT, "there are %d modes", one->mode_count);
        return bad(err, "use 0 or more");
    }
    for (int i = 0; i < one->mode_count; ++i) {
        if (!(one->omega[i] > 0) || !isfinite(one->omega[i])) {
            carom_error_set(err, CAROM_BAD_INPUT, "omega of mode %d is %g rad/s", i, one->omega[i]);
            return bad(err, "leave out the rigid modes: a frequency is a number above 0");
        }
        if (!isfinite(one->a[i])) {
            carom_error_set(err, CAROM_BAD_INPUT, "participation of mode %d is %g", i, one->a[i]);
            return bad(err, "use finite numbers");
        }
    }
    if (!(options->turn > 0 && options->turn <= 1) || !(options->damping >= 0) ||
        options->budget < 1) {
        carom_error_set(err, CAROM_BAD_INPUT, "turn %g, damping %g s, budget %ld", options->turn,
                        options->damping, options->budget);
        return bad(err, "use a turn in (0, 1], a damping of at least 0 s and a budget of at least "
                        "1; a negative "
                        "damping would pump energy in");
    }
    return CAROM_OK;
}

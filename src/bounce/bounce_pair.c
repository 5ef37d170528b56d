// Two bodies: the full problem [Bounce, section 5.1].
//
// C = n.(xA - xB) >= 0 with opposite normals: the rigid responses add, the modes of both bodies
// stand side by side (the sign of a participation does not matter, only its square does). A body
// that meets its mirror image has w and every weight doubled, so EPS2(i, i) = EPS1(i).
#include "bounce/bounce.h"

#include <stdlib.h>
#include <string.h>

carom_status carom_bounce_pair(const carom_bounce_case *a, const carom_bounce_case *b,
                               const carom_bounce_options *options, carom_bounce_result *result,
                               carom_error *err)
{
    NEED(err, a, b);
    const carom_bounce_case *const side[2] = { a, b };
    for (int k = 0; k < 2; ++k) {
        if (side[k]->w == 0 && side[k]->mode_count == 0)
            continue; // immovable: nothing of it can give way
        if (carom_bounce_check(side[k], options, err) != CAROM_OK)
            return carom_error_where(err, "body %c", "AB"[k]);
    }
    size_t m = (size_t)a->mode_count, n = (size_t)b->mode_count;
    double *list = malloc((2 * (m + n) + 1) * sizeof *list);
    if (!list)
        return carom_error_no_memory(err, "%zu modes", m + n);
    double *omega = list + m + n;
    if (m) {
        memcpy(list, a->a, m * sizeof *list);
        memcpy(omega, a->omega, m * sizeof *list);
    }
    if (n) {
        memcpy(list + m, b->a, n * sizeof *list);
        memcpy(omega + m, b->omega, n * sizeof *list);
    }
    carom_bounce_case both = { a->w + b->w, (int)(m + n), list, omega };
    carom_status status = carom_bounce_solve(&both, options, result, err);
    free(list);
    return status;
}

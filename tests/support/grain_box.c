// Grains in arrays; see grain_box.h.
#include "support/grain_box.h"

#include "carom/random.h"
#include "math/constants.h"

carom_grains_part grain_box_part(grain_box *box)
{
    return (carom_grains_part){ .owned = box->owned,
                                .count = box->count,
                                .name = box->name,
                                .position = box->x,
                                .velocity = box->v,
                                .spin = box->w,
                                .radius = box->radius,
                                .mass = box->mass };
}

int grain_box_add(grain_box *box, const double x[3], double radius)
{
    int i = box->count++;
    box->owned = box->count;
    box->name[i] = box->count;
    box->radius[i] = radius;
    box->mass[i] = 2500 * 4 / 3.0 * CAROM_PI * radius * radius * radius;
    for (int k = 0; k < 3; ++k) {
        box->x[i][k] = x[k];
        box->v[i][k] = box->w[i][k] = 0;
    }
    return i;
}

void grain_box_fill(grain_box *box, int side, int layers)
{
    carom_random random = carom_random_make(5, 0);
    const double pitch = 0.0055;
    *box = (grain_box){ 0 };
    for (int n = 0; n < side * side * layers; ++n) {
        const int at[3] = { n % side, n / side % side, n / side / side };
        double x[3];
        for (int k = 0; k < 3; ++k)
            x[k] = (at[k] + 0.5) * pitch + carom_random_between(&random, -1e-4, 1e-4);
        int i = grain_box_add(box, x, carom_random_between(&random, 0.002, 0.0025));
        box->v[i][0] = carom_random_between(&random, -0.2, 0.2);
        box->v[i][2] = -0.3;
    }
}

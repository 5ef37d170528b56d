// A wall that stands by one sweep a step swayed twice as far every half second, as no sweep saw
// what all of its rows shared: after 5 s 20 rows had drifted by 3e-6 m and had 7e-8 J, 50 rows
// (whose linear systems are not for every step) 1e-4 m and 1.6e-3 J, and went on growing.
#include <math.h>
#include "support/check.h"
#include "support/small_world.h"

enum { MOST = 1300 };

static void check_wall(int rows, double most_drift, double most_energy)
{
    small_world s = small_world_make("qce");
    double from[MOST][3], drift = 0;
    int count = 0;
    s.material.friction = 0.5;
    s.material.restitution = 0;
    small_world_floor(&s, (double[]){ 0, 0, 1 }, 0);
    for (int r = 0; r < rows; ++r)
        for (int i = 0; i < rows - r; ++i, ++count) {
            from[count][0] = i + 0.5 * r - 0.5 * rows;
            from[count][1] = 0;
            from[count][2] = r + 0.5;
            small_world_box(&s, (double[]){ 0.5, 0.5, 0.5 }, 1000, from[count], NULL);
        }
    small_world_steps(&s, 1.0 / 60, 300);
    for (int i = 0; i < count; ++i) {
        double to[3];
        carom_world_body(s.world, carom_world_body_at(s.world, i + 1), to, NULL, NULL, NULL);
        for (int k = 0; k < 3; ++k)
            drift = fmax(drift, fabs(to[k] - from[i][k]));
    }
    CHECK_MOST(drift, most_drift, "drift of a wall of %d rows in 5 s", rows);
    CHECK_MOST(carom_world_ledger(s.world).kinetic, most_energy,
               "kinetic energy of a wall of %d rows after 5 s", rows);
    small_world_end(&s);
}

int main(void)
{
    check_wall(20, 1e-6, 1e-9);
    check_wall(50, 1e-5, 1e-5);
    return check_report();
}

// Jointed bodies for 10^5 steps of 1 ms: energy within 1e-6 of what is at stake, angular momentum
// in free flight at round-off, anchors within 1e-9 m, and the period of a pendulum to 1e-6. A number
// on the command line runs that case alone, from 1 on: cases side by side take a core each.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "support/check.h"
#include "support/linkages.h"

enum { STEPS = 100000 };

static int only, count; // 0: all

static void holds(const char *name, linkages l, bool free)
{
    if (++count != only && only != 0) {
        linkages_end(&l);
        return;
    }
    linkages_kept kept = linkages_run(&l, 1e-3, STEPS);
    printf("%-28s energy %.1e, angular momentum %.1e, anchors %.1e m\n", name, kept.energy,
           kept.angular, kept.apart);
    CHECK_MOST(kept.energy, 1e-6, "%s: energy", name);
    CHECK_MOST(kept.apart, 1e-9, "%s: anchors (m)", name);
    if (free) // 5 10^5 flights, each with a round-off of some 1e-16, by chance
        CHECK_MOST(kept.angular, 1e-11, "%s: angular momentum", name);
    linkages_end(&l);
}

int main(int argc, char **argv)
{
    only = argc > 1 ? atoi(argv[1]) : 0;
    setvbuf(stdout, NULL, _IOLBF, 0); // each takes minutes: what is known shows
    holds("pendulum from 10 degrees", linkages_pendulum(9.81, 0.1745, 0), false);
    holds("pendulum from 60 degrees", linkages_pendulum(9.81, 1.0472, 0), false);
    holds("whirling bar", linkages_pendulum(0, 0, 12), false);
    holds("double pendulum", linkages_double_pendulum(1.57, 0), false);
    holds("free linkage", linkages_free(), true);
    holds("four-bar loop", linkages_four_bar(0, 6), false);
    holds("four-bar loop with weight", linkages_four_bar(9.81, 8), false);
    holds("chain of five", linkages_chain(5, 1), false);
    holds("chain with a mass of 100", linkages_chain(5, 100), false);
    holds("two boxes, fixed", linkages_two(CAROM_JOINT_FIXED), true);
    holds("two boxes, hinge", linkages_two(CAROM_JOINT_HINGE), true);
    holds("two boxes, ball", linkages_two(CAROM_JOINT_BALL), true);
    return check_report();
}

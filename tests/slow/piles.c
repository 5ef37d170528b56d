// The family of piles: every kind of body, 20 to 2,000 of them, steps of 1/60 to 1/240 s. A
// number on the command line drops that pile alone, from 1 on: piles side by side take a core each.
#include <stdio.h>
#include <stdlib.h>
#include "support/check.h"
#include "support/pile.h"

int main(int argc, char **argv)
{
    static const pile piles[] = {
        { "boxes", 100, 1.0 / 60, 0.5, 0.5, 20 },  { "boxes", 100, 1.0 / 240, 0, 0.6, 0 },
        { "bricks", 100, 1.0 / 120, 0.3, 0.4, 0 }, { "hulls", 100, 1.0 / 60, 0.5, 0.5, 0 },
        { "hulls", 200, 1.0 / 240, 0.2, 0.3, 0 },  { "capsules", 100, 1.0 / 60, 0.5, 0.5, 0 },
        { "capsules", 300, 1.0 / 120, 0, 0.3, 0 }, { "spheres", 100, 1.0 / 60, 0.5, 0.5, 0 },
        { "spheres", 500, 1.0 / 60, 0.3, 0.5, 0 }, { "mixed", 100, 1.0 / 60, 0.3, 0.4, 0 },
        { "mixed", 400, 1.0 / 120, 0.4, 0.5, 0 },  { "boxes", 500, 1.0 / 60, 0.5, 0.5, 20 },
        { "boxes", 2000, 1.0 / 60, 0.3, 0.5, 30 },
    };
    setvbuf(stdout, NULL, _IOLBF, 0);        // the larger ones take minutes: what is known shows
    int only = argc > 1 ? atoi(argv[1]) : 0; // 0: all
    for (int i = 0; i < (int)(sizeof piles / sizeof *piles); ++i)
        if (only == 0 || only == i + 1)
            pile_settles(piles[i]);
    return check_report();
}

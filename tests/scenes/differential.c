// Scene differential: gears of contacts alone. The wheels turn by twice the carrier's angle
// together, up to the play between pegs; the braked one stays and the free one goes twice as fast.
// The books are kept.
#include <math.h>
#include "support/check.h"
#include "support/play.h"

int main(void)
{
    const double until = 1;
    play p = play_open("differential");
    play_build(&p);
    int carrier = play_find(&p, "carrier"), left = play_find(&p, "left wheel"),
        right = play_find(&p, "right wheel"), planet = play_find(&p, "upper planet");
    double turned[3] = { 0 }, own = 0; // rad, about x; and of the planet against its carrier
    for (int k = 0; k < (int)(until / p.dt + 0.5) && play_steps(&p, 1); ++k) {
        int bodies[3] = { carrier, left, right };
        for (int i = 0; i < 3; ++i)
            turned[i] += p.dt * play_spin(&p, bodies[i]).x;
        vec3 against = vec3_sub(play_spin(&p, planet), play_spin(&p, carrier));
        own += p.dt * vec3_length(against);
    }
    // pegs of 15 mm radius every 78 mm at the radius of 0.2 m: up to 18 mm of play at each of the
    // two meshes
    double play_angle = 2 * 0.018 / 0.2;
    CHECK(turned[0] > 1.5, "the carrier turns: %g rad", turned[0]);
    CHECK_NEAR(turned[1] + turned[2], 2 * turned[0], play_angle, "the wheels turn by twice that");
    // the brake yields by what contacts push within a step
    CHECK_MOST(fabs(turned[1]), 0.1, "the braked one hardly (rad)");
    // the planet rolls on the left wheel, whose radius is twice its own
    CHECK_NEAR(own, 2 * (turned[0] - turned[1]), 2 * play_angle, "the planet rolls");
    carom_ledger l = play_ledger(&p);
    CHECK(l.motors > 1 && l.impacts > 5 && l.dampers > 0.5, "driven through contacts: %g J",
          l.motors);
    // an interval with dampers and motors may be off by 1e-8 of the energy (linkage_flow.c: LOSSY);
    // impacts cut the 500 steps into 555 (carom run --profile)
    CHECK_MOST(fabs(l.integrator), 6e-6 * l.motors, "the time stepping adds nothing");
    CHECK_MOST(l.peak_overlap, 1.5e-3, "a tenth of a peg's radius");
    play_close(&p);
    return check_report();
}

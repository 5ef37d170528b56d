// Scene ragdoll: a figure of 20 jointed bodies falls down stairs. After each impact nothing
// approaches, and the books are kept. Joints that the law meets to 1e-6 only left an approach.
#include <math.h>
#include "support/check.h"
#include "support/play.h"

int main(void)
{
    const double until = check_effort(4, 2);
    play p = play_open("ragdoll");
    play_build(&p);
    for (int k = 0; k < (int)(until / p.dt + 0.5) && play_steps(&p, 1); ++k)
        continue;
    carom_audit audit = carom_world_audit(p.world);
    carom_ledger l = play_ledger(&p);
    CHECK(l.impacts > 100, "it falls down the stairs: %g impacts", (double)l.impacts);
    // as the summary of `carom run` judges it (runner_report.c)
    CHECK_MOST(audit.penetration, 1e-8, "approach after an impact, of the fastest before it");
    CHECK_MOST(fabs(l.integrator), 1e-6 * l.law, "the time stepping adds nothing");
    play_close(&p);
    return check_report();
}

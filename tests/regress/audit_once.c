// What the law said about an instant is judged once, when it stands: instants that were resolved
// again with a wider surrounding were counted twice (the pool break: 1 impact, 2 elastic steps).
#include "support/check.h"
#include "support/play.h"

static void judged_once(const char *name, double until)
{
    play p = play_open(name);
    play_set(&p, "law", "qce");
    play_until(&p, until);
    carom_ledger l = play_ledger(&p);
    carom_audit a = carom_world_audit(p.world);
    CHECK(l.impacts > 0, "%s: something hits", name);
    // an instant with friction only in resting contact has one elastic step or none
    CHECK(a.elastic_steps <= l.impacts, "%s: %lld elastic steps in %lld impacts", name,
          (long long)a.elastic_steps, (long long)l.impacts);
    play_close(&p);
}

int main(void)
{
    judged_once("pool-break", 1);
    judged_once("heap", 1.5);
    return check_report();
}

// A plate that tumbles between two walls: its times of impact were found as if it turned about one
// axis within the interval, which only bodies with the same inertia about every axis do. It was
// inside a wall by 0.64 of its thickness (1.3 cm) in steps of 0.05 s, with every contact located.
#include "support/check.h"
#include "support/play.h"

static const char scene[] =
    "{ \"carom\": 1, \"kind\": \"world\", \"step\": 0.05, \"gravity\": [0, 0, 0],"
    "\"materials\": { \"m\": { \"restitution\": 1, \"friction\": 0 } }, \"bodies\": ["
    "{ \"name\": \"floor\", \"kind\": \"fixed\", \"material\": \"m\","
    " \"shape\": { \"plane\": [0, 0, 1] } },"
    "{ \"name\": \"roof\", \"kind\": \"fixed\", \"material\": \"m\","
    " \"shape\": { \"plane\": [0, 0, -1] }, \"position\": [0, 0, 3] },"
    "{ \"name\": \"plate\", \"material\": \"m\", \"shape\": { \"box\": [1, 0.6, 0.02] },"
    " \"position\": [0, 0, 1.5], \"velocity\": [0, 0, -3], \"spin\": [6, 1, 3] } ] }";

int main(void)
{
    play p = play_parse("plate", scene);
    play_steps(&p, 200);
    carom_ledger ledger = play_ledger(&p);
    CHECK(ledger.impacts > 10, "it strikes the walls, %lld times", (long long)ledger.impacts);
    // `touch` of the options is 1e-9 m; contacts end that near
    CHECK_MOST(ledger.peak_overlap, 1e-8, "m, the deepest that the plate is in a wall");
    CHECK_MOST(carom_world_audit(p.world).overlap, 1e-5, "of its thickness, on the way too");
    play_close(&p);
    return check_report();
}

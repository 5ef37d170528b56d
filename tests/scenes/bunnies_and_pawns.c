// Bunnies hit by pawns [QCE, section 5.4, figure 10], at a twelfth of the size: 12 bunnies and 2
// pawns. The whole scene, scenes/world/bunnies-and-pawns.json, takes minutes: carom run.
#include <math.h>
#include <stdio.h>
#include "carom/scene.h"
#include "support/check.h"
#include "support/play.h"

static const char *const smaller[][2] = {
    { "\"count\": [6, 6, 4]", "\"count\": [2, 3, 2]" },
    { "\"position\": [-0.675, -0.675, 0.2]", "\"position\": [-0.135, -0.27, 0.2]" },
    { "\"count\": [4, 4, 1]", "\"count\": [2, 1, 1]" },
    { "\"position\": [-0.675, -0.675, 2.6]", "\"position\": [-0.225, 0, 1.3]" },
};

// The fastest body of a name, and whether every body lies on the floor within 2 m of the middle.
static double fastest(const play *p, char initial, bool *inside)
{
    double max = 0;
    for (int i = 1; i < carom_world_body_count(p->world); ++i) {
        char name[80];
        carom_scene_world_body_name(p->scene, i, name, sizeof name);
        vec3 x = play_position(p, i);
        if (name[0] == initial)
            max = fmax(max, vec3_length(play_velocity(p, i)));
        *inside = *inside && x.z > 0 && fabs(x.x) < 2 && fabs(x.y) < 2;
    }
    return max;
}

int main(void)
{
    play p = play_open_changed("bunnies-and-pawns", smaller, sizeof smaller / sizeof *smaller);
    bool inside = true;
    // Part: until the pawns have hit.
    double end = check_effort(28, 5) / 10.0;
    if (p.broken || !play_until(&p, end))
        return check_report();
    carom_ledger ledger = play_ledger(&p);
    carom_audit audit = carom_world_audit(p.world);
    double mean = audit.elastic_sum / (double)audit.elastic_steps;
    double bunny = fastest(&p, 'b', &inside), pawn = fastest(&p, 'p', &inside);
    printf(
        "%lld elastic steps, energy error %.2g on average, %.2g at most; %.3g J of %.3g J left to "
        "move; overlap %.3g m; fastest bunny %.2g m/s, pawn %.2g m/s\n",
        (long long)audit.elastic_steps, mean, audit.elastic_max, ledger.kinetic, ledger.start,
        ledger.peak_overlap, bunny, pawn);
    CHECK(audit.elastic_steps > 20, "impacts: %lld", (long long)audit.elastic_steps);
    // The paper reports 2.43e-4. Here every sweep keeps the energy: what is left is round-off.
    CHECK_MOST(mean, 1e-12, "mean energy error of the elastic step");
    CHECK_MOST(audit.elastic_max, 1e-10, "largest energy error of the elastic step");
    // Bunnies are some 0.2 m long; pawns arrive at some 5 m/s, 17 mm per step. Found 0.0028.
    CHECK_MOST(ledger.peak_overlap, 0.005, "overlap (m)");
    CHECK(inside, "nothing falls through the floor or flies away");
    CHECK_MOST(fabs(ledger.integrator), 1e-3 * ledger.start, "energy made by the time stepping");
    if (end > 2) {
        CHECK_MOST(bunny, 1e-3, "the pile rests: speed of the fastest bunny (m/s)");
        // Nothing but its 24 flat sides stops a pawn that rolls round its head: found 0.08.
        CHECK_MOST(pawn, 0.2, "the fastest pawn (m/s)");
        CHECK_MOST(ledger.kinetic, 1e-3 * ledger.start, "kinetic energy left");
        CHECK_MOST(ledger.overlap, 2e-4, "overlap at rest, twice the slop (m)");
    }
    play_close(&p);
    return check_report();
}

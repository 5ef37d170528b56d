// Small piles come to rest, and a large pyramid stands, with every setting left to Carom. The
// family of piles up to 2,000 bodies: tests/slow/piles.c.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "support/check.h"
#include "support/pile.h"
#include "support/play.h"

static const char *const rows_40[][2] = { { "\"rows\": 10", "\"rows\": 40" } };

// 820 boxes, 9,520 contacts. Nothing may move: each box is 1 m, found 1e-10 m.
static void check_pyramid(void)
{
    play p = play_open_changed("pyramid", rows_40, 1);
    play_build(&p);
    int top = carom_world_body_count(p.world) - 1;
    vec3 before = play_position(&p, top);
    if (!play_steps(&p, 6))
        return;
    CHECK_MOST(vec3_length(vec3_sub(play_position(&p, top), before)), 1e-7, "the top moved by (m)");
    CHECK(play_ledger(&p).impacts == 0, "nothing impacts");
    play_close(&p);
}

// Goes on between the phases of a step, and stops at a question from inside of one.
static int stop(void *context, double done, double total, const char *what)
{
    static const char phases[] = " collide impact locate rest move correct audit ";
    char word[40];
    (void)context, (void)done, (void)total;
    snprintf(word, sizeof word, " %s ", what);
    return !strstr(phases, word);
}

// The resting solve asks, too: a step that solves 9,520 contacts from nothing must not be finished.
static void check_stop(void)
{
    play p = play_open_changed("pyramid", rows_40, 1);
    carom_progress progress = { stop, NULL };
    carom_error err = { 0 };
    play_build(&p);
    carom_world_set_progress(p.world, &progress);
    uint64_t before = carom_world_hash(p.world);
    CHECK(carom_world_step(p.world, p.dt, &err) == CAROM_INTERRUPTED, "the step stops");
    CHECK(carom_world_hash(p.world) == before, "and leaves the world as it was");
    play_close(&p);
}

int main(void)
{
    check_pyramid();
    check_stop();
    pile_settles((pile){ "boxes", 20, 1.0 / 60, 0.5, 0.5, 0 });
    pile_settles((pile){ "mixed", 30, 1.0 / 60, 0.3, 0.4, 0 });
    pile_settles((pile){ "spheres", 40, 1.0 / 120, 0.5, 0.5, 0 });
    return check_report();
}

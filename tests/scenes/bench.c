// The scenes by which other engines are compared, at a reduced size: they run with all defaults,
// stay together and keep the promises of the law.
#include "support/check.h"
#include "support/play.h"

#include <math.h>

typedef struct trial {
    const char *name;
    const char *changes[2][2]; // what stands in the file, and what to write instead
    int change_count, steps;
} trial;

static const trial trials[] = {
    { "bench-many-pyramids", { { "\"rows\": 10", "\"rows\": 4" } }, 1, 60 },
    { "bench-joint-grid", { { 0 } }, 0, 1 },
    { "bench-smash", { { "[30, 1, 20]", "[20, 1, 12]" } }, 1, 10 },
    { "bench-spinner", { { "1200", "60" } }, 1, 90 },
    { "bench-tumbler", { { "[20, 10, 10]", "[6, 3, 3]" } }, 1, 60 },
    { "bench-washer", { { "[14, 9, 4]", "[4, 3, 2]" } }, 1, 60 },
    { "bench-ragdolls", { { 0 } }, 0, 60 },
};

// Bounds as those by which a run is judged: round-off and the laws' own tolerances.
static void check_promises(const play *p, const char *name)
{
    carom_audit a = carom_world_audit(p->world);
    CHECK_MOST(a.gain, 1e-10, "%s: energy gained in an impact", name);
    CHECK_MOST(a.momentum, 1e-11, "%s: error of momentum in an impact", name);
    CHECK_MOST(a.pull, 1e-12, "%s: tensile impulse", name);
    CHECK_MOST(a.penetration, 1e-8, "%s: approach left", name);
    CHECK_MOST(a.overlap, 0.25, "%s: overlap in the thickness of a body", name);
}

static void run(const trial *t)
{
    play p = play_open_changed(t->name, (const char *const(*)[2])t->changes, t->change_count);
    bool done = play_steps(&p, t->steps);
    CHECK(done, "%s: %d steps with all defaults", t->name, t->steps);
    if (done)
        check_promises(&p, t->name);
    play_close(&p);
}

// Four rows at rest: friction and gravity balance, and nothing moves.
static void pyramids_stand(void)
{
    play p = play_open_changed("bench-many-pyramids",
                               (const char *const[][2]){ { "\"rows\": 10", "\"rows\": 4" } }, 1);
    play_steps(&p, 60);
    double max = 0;
    for (int i = 1; i < carom_world_body_count(p.world); ++i)
        max = fmax(max, vec3_length(play_velocity(&p, i)));
    // the speed that a millionth of the step's gravity gives
    CHECK_MOST(max, 1e-6 * 9.81 / 60, "m/s in pyramids at rest");
    play_close(&p);
}

int main(void)
{
    for (size_t i = 0; i < sizeof trials / sizeof *trials; ++i)
        run(&trials[i]);
    pyramids_stand();
    return check_report();
}

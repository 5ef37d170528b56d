// Bodies that overlap at the start are looked for and moved apart in bounded time, and whoever
// waits can stop it: `carom run --separate` of 60,000 spheres each inside all others went on for
// days, and did not hear Ctrl-C. Who stopped a step has no part in what is asked later: the search
// for overlap asked the progress of the last step, which was no longer there.
#include "support/check.h"
#include "support/small_world.h"

#include <time.h>

static int refuse(void *context, double done, double total, const char *what)
{
    (void)done, (void)total, (void)what;
    ++*(int *)context;
    return 1;
}

static int count_asked(void *context, double done, double total, const char *what)
{
    (void)done, (void)total, (void)what;
    ++*(int *)context;
    return 0;
}

// A ball between two walls that are nearer than it is wide: moving it will never do.
static void check_vain(void)
{
    small_world s = small_world_weightless();
    carom_error err = { 0 };
    int asked = 0;
    carom_progress progress = { count_asked, &asked };
    small_world_floor(&s, (double[3]){ 1, 0, 0 }, -0.4);
    small_world_floor(&s, (double[3]){ -1, 0, 0 }, -0.3);
    small_world_ball(&s, 0.5, 1, (double[3]){ 0, 0, 0 }, NULL);
    carom_world_set_progress(s.world, &progress);
    CHECK(carom_world_separate(s.world, &err) == CAROM_NOT_CONVERGED, "refused: %s", err.what);
    CHECK(asked < 600, "after %d passes", asked);
    small_world_end(&s);
}

int main(void)
{
    check_vain();
    small_world s = small_world_weightless();
    carom_error err = { 0 };
    carom_overlap worst;
    int asked = 0, count;
    carom_progress progress = { refuse, &asked };
    for (int i = 0; i < 8; ++i)
        small_world_ball(&s, 0.5, 1, (double[3]){ 0.1 * i, 0, 0 }, NULL);
    carom_world_set_progress(s.world, &progress);
    CHECK(carom_world_separate(s.world, &err) == CAROM_INTERRUPTED && asked == 1, "%s", err.what);
    CHECK(carom_world_step(s.world, 1e-3, &err) == CAROM_INTERRUPTED, "a step that is stopped");
    carom_world_set_progress(s.world, NULL);
    asked = 0;
    nanosleep(&(struct timespec){ .tv_nsec = 50000000 },
              NULL); // it is asked some fifty times a second
    CHECK(carom_world_overlaps(s.world, &worst, &count, &err) == CAROM_OK && asked == 0,
          "nobody is asked: %s", err.what);
    CHECK(count > 7, "%d pairs overlap", count);
    CHECK(carom_world_separate(s.world, &err) == CAROM_OK, "moved apart: %s", err.what);
    CHECK(carom_world_overlaps(s.world, &worst, &count, &err) == CAROM_OK && count == 0,
          "now none");
    small_world_end(&s);
    return check_report();
}

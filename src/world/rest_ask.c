// Whether the resting solve is to go on.
//
// A large island may take seconds, and the caller may want to stop within one, or has bounded the
// work of the step. Every loop of the solve whose length depends on the scene says how much it has
// done and ends where this says so; the step is then undone. What is done is added up thread by
// thread, so that small islands side by side do not wait for each other; the sum is the same for
// any number of them.
#include "base/progress.h"
#include "base/team.h"
#include "world/rest.h"

// Relaxations of contacts, or what takes as long, between two questions: some ten milliseconds.
#define OFTEN 1e5

carom_status carom_rest_ask_begin(carom_rest *rest, carom_error *err)
{
    carom_world *world = rest->step->world;
    TAKE_ZEROS(world->scratch, rest->work, world->options.threads, err);
    return CAROM_OK;
}

bool carom_rest_ask_stopped(carom_rest *rest, double work)
{
    carom_world *world = rest->step->world;
    double *left = &rest->work[carom_team_me(world->options.threads)].left;
    *left += work;
    if (!(*left > OFTEN))
        return carom_progress_told(&world->stop);
    carom_progress_count(&world->stop, (int64_t)*left);
    *left = 0;
    return carom_progress_stopped(&world->stop);
}

carom_status carom_rest_ask_result(carom_rest *rest, carom_error *err)
{
    carom_world *world = rest->step->world;
    for (int k = 0; k < world->options.threads; ++k) {
        carom_progress_count(&world->stop, (int64_t)rest->work[k].left);
        rest->work[k].left = 0;
    }
    return carom_progress_told(&world->stop)
               ? carom_progress_check(&world->stop, "resting contact", err)
               : CAROM_OK;
}

// Whether the resting solve is to go on.
//
// A large island may take seconds, and the caller may want to stop within one. Every loop of the
// solve whose length depends on the scene says how much it has done and ends where this says so;
// the step is then undone. The caller is asked on its own thread only.
#include "base/progress.h"
#include "base/team.h"
#include "world/rest.h"

// Relaxations of contacts, or what takes as long, between two questions: some ten milliseconds.
#define OFTEN 1e5

bool carom_rest_ask_stopped(carom_rest *rest, double work)
{
    const carom_world *world = rest->step->world;
    int stop = __atomic_load_n(&rest->stop, __ATOMIC_RELAXED);
    if (stop || carom_team_me(world->options.threads) != 0)
        return stop;
    rest->work += work;
    if (!(rest->work > OFTEN))
        return false;
    rest->work = 0;
    carom_error none;
    stop = carom_progress_report(world->progress, 0, 1, "step", &none) != CAROM_OK;
    __atomic_store_n(&rest->stop, stop, __ATOMIC_RELAXED);
    return stop;
}

carom_status carom_rest_ask_result(const carom_rest *rest, carom_error *err)
{
    if (!rest->stop)
        return CAROM_OK;
    return carom_error_set(err, CAROM_INTERRUPTED, "step: stopped on request in resting contact");
}

// Where the time of a run went, and what would make it quicker.
//
// The advice names the phase that took most, what it is in this run that makes it dear, and the
// setting to change. It is a guess from counts, not a measurement of the alternative.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "trajectory/runner.h"

enum { COLLIDE, LOCATE, IMPACT, REST, MOVE, WRITE, PHASES };
static const char *const names[PHASES] = { "collide", "locate", "impact", "rest", "move", "write" };
// A run is slow where it took so long (s), and so many times the time that it simulated.
#define LONG 5
#define TIMES 5

carom_runner_cost carom_runner_profile(const carom_runner *runner)
{
    if (!runner)
        return (carom_runner_cost){ 0 };
    carom_runner_cost cost = { .steps = carom_world_profile(runner->world),
                               .total = runner->spent };
    const carom_times *t = &cost.steps.times;
    cost.write = fmax(cost.total - (t->collide + t->locate + t->impact + t->rest + t->move), 0);
    return cost;
}

static void list_phases(const carom_runner_cost *cost, double phase[PHASES])
{
    const carom_times *t = &cost->steps.times;
    phase[COLLIDE] = t->collide;
    phase[LOCATE] = t->locate;
    phase[IMPACT] = t->impact;
    phase[REST] = t->rest;
    phase[MOVE] = t->move;
    phase[WRITE] = cost->write;
}

const char *carom_runner_profile_phase(const carom_runner_cost *cost, int index, double *seconds)
{
    if (!cost || !seconds)
        return "";
    double phase[PHASES];
    list_phases(cost, phase);
    if (index < 0 || index >= PHASES)
        return NULL;
    *seconds = phase[index];
    return names[index];
}

static bool cut_often(const carom_profile *p)
{
    return p->intervals > 2 * p->steps;
}

static void advise_impact(const carom_runner *runner, const carom_profile *p, char *words,
                          size_t size)
{
    const char *law = carom_law_name(carom_scene_world_options(runner->scene).law);
    long long capped = carom_world_ledger(runner->world).capped;
    char caps[48] = "";
    if (capped > 0)
        snprintf(caps, sizeof caps, ", cap reached %lld times", capped);
    snprintf(words, size, "widest island %lld contacts, %.1f instants a step, law %s%s: try %s%s",
             (long long)p->widest, (double)p->instants / (double)p->steps, law, caps,
             strcmp(law, "qce") == 0 ? "" : "--law qce, or ",
             cut_often(p) ? "--set event_work=0" : "a larger --set resting_speed=");
}

static void advise(const carom_runner *runner, const carom_profile *p, int phase, char *words,
                   size_t size)
{
    if (phase == IMPACT) {
        advise_impact(runner, p, words, size);
    } else if (phase == LOCATE && carom_world_joint_count(runner->world) > 0 && !cut_often(p)) {
        snprintf(words, size,
                 "the motion of %d joints is followed in this phase: try a larger step, or fewer "
                 "links that hang together",
                 carom_world_joint_count(runner->world));
    } else if ((phase == COLLIDE || phase == LOCATE) && cut_often(p)) {
        snprintf(words, size, "%.1f intervals a step up to times of impact: try --set event_work=0",
                 (double)p->intervals / (double)p->steps);
    } else if (phase == COLLIDE || phase == LOCATE) {
        snprintf(
            words, size,
            "up to %lld contacts a step: try simpler shapes (\"simplify\" of a mesh), a larger "
            "step or --threads",
            (long long)p->contacts);
    } else if (phase == REST) {
        snprintf(words, size,
                 "up to %lld contacts a step, %lld steps above the tolerance: try --set "
                 "rest_tolerance=1e-6, or fewer rest_sweeps",
                 (long long)p->contacts, (long long)p->unsettled);
    } else if (phase == MOVE) {
        snprintf(words, size, "nothing but the bodies' own motion: try a larger step or --threads");
    } else {
        snprintf(words, size, "frames, contacts and checkpoints: try a larger output \"every\"");
    }
}

int carom_runner_profile_advice(const carom_runner *runner, char *words, size_t size)
{
    if (!runner)
        return 0;
    carom_runner_cost cost = carom_runner_profile(runner);
    double phase[PHASES], step = runner->step * (double)cost.steps.steps;
    int max = 0;
    list_phases(&cost, phase);
    for (int k = 1; k < PHASES; ++k)
        max = phase[k] > phase[max] ? k : max;
    if (cost.steps.steps == 0 || !(cost.total > 0))
        return 0;
    char advice[256];
    advise(runner, &cost.steps, max, advice, sizeof advice);
    snprintf(words, size, "%.3g s a step, %s %.0f %%, %s", cost.total / (double)cost.steps.steps,
             names[max], 100 * phase[max] / cost.total, advice);
    return cost.total > LONG && cost.total > TIMES * step;
}

void carom_runner_profile_json(const carom_runner *runner, carom_json *json)
{
    if (!runner)
        return;
    carom_runner_cost cost = carom_runner_profile(runner);
    const carom_profile *p = &cost.steps;
    double phase[PHASES];
    char words[384] = "";
    list_phases(&cost, phase);
    carom_json_object(json, "profile");
    carom_json_number(json, "seconds", cost.total);
    for (int k = 0; k < PHASES; ++k)
        carom_json_number(json, names[k], phase[k]);
    carom_json_integer(json, "steps", p->steps);
    carom_json_integer(json, "intervals", p->intervals);
    carom_json_integer(json, "thrifty", p->thrifty);
    carom_json_integer(json, "instants", p->instants);
    carom_json_integer(json, "calls", p->calls);
    carom_json_integer(json, "repeated", p->repeated);
    carom_json_integer(json, "widest", p->widest);
    carom_json_integer(json, "contacts", p->contacts);
    carom_json_integer(json, "unsettled", p->unsettled);
    int slow = carom_runner_profile_advice(runner, words, sizeof words);
    carom_json_bool(json, "slow", slow);
    carom_json_string(json, "advice", words);
    carom_json_end(json);
}

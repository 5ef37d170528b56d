// The law `wave`: what contact springs do, in a few micro-steps per contact time.
//
// Between springs integrated to the last digit (slow) and QCE, whose impulse ratios are constant
// (fast, but a crude wave), lies this law: leapfrog steps on all touching contacts at once
// (wave_march.c), one scalar per island that makes the energy exact, and QCE sweeps for the little
// that still approaches then (wave_finish.c). Restitution (Stronge, per contact) and friction
// (Coulomb's cone) act inside the micro-steps, with an exact ledger of what they take. Derivations,
// proofs and measurements: docs/wave.md.
//
// Islands of one contact without friction, or with friction through the centres of spheres, have a
// closed form. Large islands use all threads for each pass, small ones one thread each.
#include "impact/law.h"
#include "impact/single_contact.h"
#include "impact/wave.h"

enum { OPTION_STEPS, OPTION_EXPONENT, OPTION_TAIL, OPTION_CAP, OPTION_TOLERANCE };

static void run_island(wave_field *field, wave_run *run);
static bool solve_single(wave_field *field, wave_run *run);
static void count_in_report(const wave_field *field, const wave_run *runs,
                            carom_impact_report *report);

static void run_small(wave_field *field, wave_run *runs)
{
    CAROM_TEAM_EACH (i, field->problem->island_count, field->problem->threads)
        if (runs[i].count < WAVE_LARGE)
            run_island(field, &runs[i]);
}
CAROM_TEAM_SHARE2(run_small, wave_field *, wave_run *)

static carom_status resolve_wave(const carom_problem *problem, const carom_law_options *options,
                                 carom_arena *scratch, carom_motion *motion,
                                 carom_impact_report *report, carom_error *err)
{
    wave_field field = { .set = { .steps = options->value[OPTION_STEPS],
                                  .exponent = options->value[OPTION_EXPONENT],
                                  .tail = options->value[OPTION_TAIL],
                                  .cap = options->value[OPTION_CAP],
                                  .tolerance = options->value[OPTION_TOLERANCE] } };
    wave_run *runs;
    TRY(carom_wave_setup_field(&field, problem, scratch, &runs, err));
    CAROM_TEAM(problem->threads, run_small(&field, runs));
    for (int i = 0; i < problem->island_count; ++i)
        if (runs[i].count >= WAVE_LARGE)
            run_island(&field, &runs[i]);
    carom_wave_finish_apply(&field, runs, motion);
    count_in_report(&field, runs, report);
    if (problem->observer)
        problem->observer->base = report->sweeps; // sweeps follow the micro-steps
    return carom_wave_finish_settle(&field, runs, scratch, motion, report, err);
}

static void run_island(wave_field *field, wave_run *run)
{
    carom_wave_setup_island(field, run);
    if (run->state == WAVE_STILL || solve_single(field, run))
        return;
    if (carom_wave_rest_applies(field, run)) {
        run->state = WAVE_RESTS;
        return;
    }
    carom_wave_march(field, run);
    carom_wave_scale(field, run);
}

// One contact: u+ = -e u- without friction, else the exact path (single_contact.h).
static bool solve_single(wave_field *field, wave_run *run)
{
    if (run->count != 1)
        return false;
    int place = run->first, i = field->order[place];
    carom_single_contact one = { .normal_response = field->problem->normal[i].diagonal,
                                 .approach = field->problem->u[i],
                                 .restitution = field->problem->contacts[i].restitution };
    double p[3];
    if (run->frictional)
        one = carom_single_contact_of(field->problem, i);
    carom_single_contact_solve(&one, p);
    field->lambda[place] = p[0];
    if (field->dissipative)
        field->dissipative[place].impulse = vec3_scale(p[0], field->contacts[place].d);
    if (run->frictional) {
        const carom_row *t = carom_problem_tangents(field->problem, i);
        vec3 friction = vec3_axpy(vec3_scale(p[1], t[0].d), p[2], t[1].d);
        field->dissipative[place].impulse = vec3_add(field->dissipative[place].impulse, friction);
    }
    run->kicks = 1;
    run->state = WAVE_SOLVED;
    return true;
}

static void count_in_report(const wave_field *field, const wave_run *runs,
                            carom_impact_report *report)
{
    for (int i = 0; i < field->problem->island_count; ++i) {
        report->sweeps = report->sweeps > runs[i].step ? report->sweeps : runs[i].step;
        report->events += runs[i].kicks;
        if (runs[i].capped)
            report->end = CAROM_IMPACT_CAPPED;
    }
}

static const carom_option options[] = {
    [OPTION_STEPS] = { "steps",
                       "micro-steps per contact time, at least 3; 0: 8 in islands up to 1000 "
                       "contacts (12 without restitution; up to 8 times as many below 64 contacts "
                       "with friction), 4 beyond",
                       CAROM_OPTION_NUMBER, 0, 0, 1000, NULL },
    [OPTION_EXPONENT] = { "exponent", "of the springs (1 Hooke, 1.5 Hertz); 0: each contact's own",
                          CAROM_OPTION_NUMBER, 0, 0, 100, NULL },
    [OPTION_TAIL] = { "tail",
                      "share of compressed contacts at which QCE sweeps take over, in islands of "
                      "200 and more",
                      CAROM_OPTION_NUMBER, 0.05, 0, 1, NULL },
    [OPTION_CAP] = { "cap", "contact times, plus two per contact, before the sweeps take over",
                     CAROM_OPTION_NUMBER, 100, 1, 1e6, NULL },
    [OPTION_TOLERANCE] = { "tolerance",
                           "approach speeds below this fraction of the fastest count as none",
                           CAROM_OPTION_NUMBER, 1e-9, 1e-14, 1e-2, NULL },
    { 0 },
};

const carom_law carom_wave_law = {
    .name = "wave",
    .summary = "Micro-steps of contact springs with exact energy; restitution and friction inside.",
    .reference = "Carom",
    .paper = "own law, derived in docs/wave.md",
    .number = "cradle of 5, two striking: within 0.02 of Hertz springs",
    .promises = CAROM_BRK | CAROM_SYM | CAROM_KIN | CAROM_MOM | CAROM_ONE | CAROM_WAV | CAROM_NOP |
                CAROM_RES,
    .friction = true,
    .options = options,
    .usual = true,
    .resolve = resolve_wave,
};

// The law of Liu, Zhao and Brogliato [LZB, section 3]: the distributing law
// dp_i/dp_j = (k_i/k_j)^(1/(eta+1)) (E_i/E_j)^(eta/(eta+1)), the contact with the largest energy as
// clock, and energetic restitution at every contact, by the bi-stiffness or the mono-stiffness
// model. Frictionless, as in the paper.
//
// The process and its integration are in darboux.h. The paper and its implementation in Siconos
// (MultipleImpact) step by a fixed impulse of the contact that leads; here the measure is the time
// that belongs to it, which gives the same path and second order. Elastic and without contacts that
// open and close again, the law is that of contact springs (`springs`).
#include "impact/darboux.h"
#include "impact/law.h"

enum { OPTION_MODEL, OPTION_EXPONENT, OPTION_STEPS, OPTION_CAP, OPTION_TOLERANCE };

static carom_status resolve_lzb(const carom_problem *problem, const carom_law_options *options,
                                carom_arena *scratch, carom_motion *motion,
                                carom_impact_report *report, carom_error *err)
{
    carom_darboux how = { .release = (carom_darboux_release)options->value[OPTION_MODEL],
                          .exponent = options->value[OPTION_EXPONENT],
                          .steps = (int)options->value[OPTION_STEPS],
                          .cap = (int)options->value[OPTION_CAP],
                          .tolerance = options->value[OPTION_TOLERANCE] };
    return carom_darboux_resolve(problem, &how, scratch, motion, report, err);
}

static const carom_option options[] = {
    [OPTION_MODEL] = { "model",
                       "how energy is given back: by a steeper spring, or by the same one until "
                       "1 - e^2 of it is left",
                       CAROM_OPTION_CHOICE, 0, 0, 1, "bi-stiffness mono-stiffness" },
    [OPTION_EXPONENT] = { "exponent",
                          "exponent of all contacts (1 Hooke, 1.5 Hertz); 0: each its own",
                          CAROM_OPTION_NUMBER, 0, 0, 100, NULL },
    [OPTION_STEPS] = CAROM_DARBOUX_STEPS_OPTION,
    [OPTION_CAP] = CAROM_DARBOUX_CAP_OPTION,
    [OPTION_TOLERANCE] = CAROM_DARBOUX_TOLERANCE_OPTION,
    { 0 },
};

const carom_law carom_lzb_law = {
    .name = "lzb",
    .summary = "Liu, Zhao, Brogliato: impulses share out by the energies at the contacts.",
    .reference = "LZB",
    .paper = "Liu, Zhao, Brogliato 2008, Proceedings of the Royal Society A 464",
    .number = "chains of 3, 5, 10 balls: 1e-5 of Siconos 4.4; elastic: 5e-4 of Hertz springs",
    .promises = CAROM_BRK | CAROM_SYM | CAROM_KIN | CAROM_MOM | CAROM_ONE | CAROM_WAV | CAROM_NOP,
    .options = options,
    .usual = true,
    .resolve = resolve_lzb,
};

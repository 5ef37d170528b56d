// Impulse space after Jia, Mason and Erdmann [JME]: impulses of the active contacts grow in the
// ratio sqrt(k_i E_i / k_j E_j) of linear springs, a contact leaves where its energy is spent and
// enters again where its bodies approach, and Coulomb's friction acts along the way through a
// tangential spring that sticks or slides, as Routh's construction has it for one contact.
//
// The process is that of darboux.h with the exponent 1; at the end of compression the energy falls
// to e^2 of what was absorbed, and goes on from there. The tangential spring has 1 / 1.2 of the
// normal stiffness (Mindlin for a Poisson's ratio of 0.29) and slides where it would pull harder
// than mu times the normal force; with stiffer ones a single contact tends to Coulomb's law along
// the path (single_contact.h). From the abstract of the paper and from memory: checked against
// `lzb` with exponent 1, against contact springs, and against the exact path of one contact.
#include "impact/darboux.h"
#include "impact/law.h"

enum { OPTION_TANGENTIAL, OPTION_STEPS, OPTION_CAP, OPTION_TOLERANCE };

static carom_status resolve_routh(const carom_problem *problem, const carom_law_options *options,
                                  carom_arena *scratch, carom_motion *motion,
                                  carom_impact_report *report, carom_error *err)
{
    carom_darboux how = { .release = CAROM_DARBOUX_SUDDEN,
                          .exponent = 1,
                          .tangential = options->value[OPTION_TANGENTIAL],
                          .steps = (int)options->value[OPTION_STEPS],
                          .cap = (int)options->value[OPTION_CAP],
                          .tolerance = options->value[OPTION_TOLERANCE] };
    return carom_darboux_resolve(problem, &how, scratch, motion, report, err);
}

static const carom_option options[] = {
    [OPTION_TANGENTIAL] = { "tangential", "stiffness across the normal over that along it",
                            CAROM_OPTION_NUMBER, 1 / 1.2, 1e-3, 1e4, NULL },
    [OPTION_STEPS] = CAROM_DARBOUX_STEPS_OPTION,
    [OPTION_CAP] = CAROM_DARBOUX_CAP_OPTION,
    [OPTION_TOLERANCE] = CAROM_DARBOUX_TOLERANCE_OPTION,
    { 0 },
};

const carom_law carom_routh_law = {
    .name = "routh",
    .summary = "Impulse space: rates by the energies of linear springs, friction along the way.",
    .reference = "JME",
    .paper = "Jia, Mason, Erdmann 2013, International Journal of Robotics Research",
    .number = "three balls: closed form of linear springs; elastic: lzb with exponent 1",
    .promises = CAROM_BRK | CAROM_SYM | CAROM_KIN | CAROM_MOM | CAROM_ONE | CAROM_WAV | CAROM_NOP,
    .friction = true,
    .options = options,
    .resolve = resolve_routh,
};

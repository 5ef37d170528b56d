// One instant under judgement: what the files desiderata*.c share.
#ifndef CAROM_IMPACT_DESIDERATA_H
#define CAROM_IMPACT_DESIDERATA_H

#include <stdbool.h>
#include "carom/desiderata.h"
#include "impact/symmetry.h"
#include "impact/problem.h"

// Round-off in velocities is carried by impulses: in the energy norm it is this many ulps of the
// largest sqrt(W_ii) |p_i|. A light body between heavy ones has impulses far above its momentum,
// and no law can place it more precisely than the impulses are written down.
#define CAROM_DESIDERATA_ULPS (16 * 2.220446049250313e-16)

// A law with its options.
typedef struct carom_judged {
    const carom_law *law;
    const carom_law_options *options;
} carom_judged;

struct carom_desiderata {
    carom_workspace *workspace;
    carom_arena *arena;    // everything below lives here
    carom_impact impact;   // a copy
    carom_problem problem; // rows and speeds of that copy
    carom_twist *before;   // its velocities
    unsigned selected;
    carom_impact_outcome result; // of the law on the instant
    // A second instant of the same size, to be filled with transformed or disturbed copies.
    carom_impact_body *other_bodies;
    carom_impact_contact *other_contacts;
    carom_impact other;
    carom_impact_outcome other_result;
    carom_symmetry symmetry;
    // Yardsticks, computed when first asked for.
    bool has_springs, has_steep;     // they are there
    bool tried_springs, tried_steep; // else they did not settle
    carom_law_options reference;     // of the springs that the distance is to
    bool referred;                   // `reference` is given; else the defaults
    double (*springs)[3];            // velocities by the law `springs`
    double (*springs_spin)[3];
    double steep; // fastest parting of a pressed contact with exponent 5
};

// Resolves the second instant into other_result.
carom_status carom_desiderata_resolve_other(carom_desiderata *d, carom_judged judged,
                                            carom_error *err);
// Normal speed of one contact, or of all, with given results; for the copy's geometry.
double carom_desiderata_speed(const carom_desiderata *d, const carom_impact_outcome *result, int i);
void carom_desiderata_speeds(const carom_desiderata *d, const carom_impact_outcome *result,
                             double *speeds);

// RES; `size` is round-off in the energy norm (desiderata_restitution.c).
void carom_desiderata_restitution(const carom_desiderata *d, const carom_law *law, double size,
                                  carom_desideratum *res);

// BRK, WAV and the distance to springs (desiderata_wave.c).
carom_status carom_desiderata_wave_break(carom_desiderata *d, carom_desideratum *brk,
                                         carom_error *err);
carom_status carom_desiderata_wave_cross(carom_desiderata *d, carom_judged judged,
                                         carom_desideratum *wav, carom_error *err);
carom_status carom_desiderata_wave_distance(carom_desiderata *d, carom_judged judged,
                                            carom_desiderata_figures *figures, carom_error *err);

#endif

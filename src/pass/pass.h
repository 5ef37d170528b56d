// The inside of a pass: what an engine handed over, and what is known of it.
#ifndef CAROM_PASS_PASS_H
#define CAROM_PASS_PASS_H

#include "base/arena.h"
#include "carom/pass.h"

struct carom_pass {
    carom_pass_options options;
    carom_workspace *workspace;
    carom_arena *scratch;
    carom_impact_body *bodies; // as handed over
    carom_pass_motion *motion; // of each body, now
    carom_pass_contact *contacts;
    double *distance; // m, of each contact, now
    int body_count, contact_count;
    int body_room, contact_room; // lengths of the arrays
};

// The relative normal speed of a contact, by the motion as it is now; negative: approach.
double carom_pass_speed(const carom_pass *pass, int contact);

#endif

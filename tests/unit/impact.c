// The frame around the laws: checks, defaults, measures and hashes.
#include "carom/carom.h"
#include "support/check.h"

#include <math.h>
#include <string.h>

enum { BODIES = 3, CONTACTS = 2 };

int main(void)
{
    carom_impact_body bodies[BODIES];
    carom_impact_contact contacts[CONTACTS];
    for (int i = 0; i < BODIES; ++i) {
        bodies[i] = carom_impact_body_default();
        bodies[i].position[0] = i;
    }
    bodies[0].velocity[0] = 1;
    for (int i = 0; i < CONTACTS; ++i) {
        contacts[i] = carom_impact_contact_default();
        contacts[i].a = i;
        contacts[i].b = i + 1;
        contacts[i].point[0] = i + 0.5;
    }
    carom_impact impact = { BODIES, CONTACTS, bodies, contacts };
    double velocities[BODIES][3], spins[BODIES][3], impulses[CONTACTS][3];
    carom_impact_outcome out = { velocities, spins, impulses, { 0 } };
    carom_error err = { 0 };
    carom_workspace *workspace = carom_workspace_create();
    const carom_law *law = carom_law_find("sqm", &err);

    CHECK(carom_impact_resolve(workspace, &impact, law, NULL, &out, &err) == CAROM_OK, "%s",
          err.what);
    CHECK_NEAR(velocities[0][0], 0, 0, "three balls: the striker stops");
    CHECK_NEAR(velocities[2][0], 1, 0, "and the last leaves with its speed");
    CHECK_NEAR(out.report.energy_after, out.report.energy_before, 1e-15, "energy is kept");
    CHECK_NEAR(out.report.momentum_error, 0, 1e-15, "velocities and impulses agree");
    CHECK(out.report.islands == 1, "one island");

    // A wall that comes at 1 m/s against a resting ball: the ball leaves at 2 m/s, and the wall's
    // work is the ball's energy.
    bodies[0] = (carom_impact_body){ .velocity = { 1, 0, 0 } };
    impact.body_count = 2;
    impact.contact_count = 1;
    CHECK(carom_impact_resolve(workspace, &impact, law, NULL, &out, &err) == CAROM_OK, "%s",
          err.what);
    CHECK_NEAR(velocities[1][0], 2, 1e-15, "a driven wall throws the ball");
    CHECK_NEAR(out.report.work, 2, 1e-15, "and the work is booked");

    carom_law_options options = carom_law_defaults(law);
    CHECK(carom_law_set(law, &options, "tolerence", "1", &err) == CAROM_BAD_INPUT,
          "unknown option");
    CHECK(strstr(err.fix, "tolerance") != NULL, "suggests the nearest: %s", err.fix);
    CHECK(!carom_law_find("sqn", &err) && strstr(err.fix, "sqm"), "unknown law: %s", err.fix);

    carom_workspace_set_limit(workspace, 64);
    CHECK(carom_impact_resolve(workspace, &impact, law, NULL, &out, &err) == CAROM_NO_MEMORY,
          "64 bytes of scratch are not enough: %s", err.what);
    CHECK_TEXT(carom_status_name(err.status), "NO_MEMORY", "the status by its name");
    CHECK(strstr(carom_status_sentence(err.status), "memory"), "and by its sentence");
    CHECK_TEXT(carom_status_name((carom_status)99), "UNKNOWN", "a status that is none");
    carom_workspace_set_limit(workspace, 0);
    CHECK(carom_impact_resolve(workspace, &impact, law, NULL, &out, &err) == CAROM_OK,
          "without a limit it goes on: %s", err.what);

    contacts[0].normal[0] = 2;
    CHECK(carom_impact_check(&impact, &err) == CAROM_BAD_INPUT, "a normal of length 2 is refused");
    CHECK_TEXT(err.where, "contact 0", "with its place");
    contacts[0] = carom_impact_contact_default();
    contacts[0].b = 0;
    CHECK(carom_impact_check(&impact, &err) == CAROM_BAD_INPUT,
          "a body touching itself is refused");
    contacts[0].b = 7;
    CHECK(carom_impact_check(&impact, &err) == CAROM_BAD_INPUT, "an unknown body is refused");
    bodies[1].inverse_mass = NAN;
    CHECK(carom_impact_check(&impact, &err) == CAROM_BAD_INPUT,
          "a mass that is not a number is refused");
    carom_workspace_destroy(workspace);
    return check_report();
}

// A shock reaches the top of a column. A floor that rises at v strikes a column of equal balls that
// stand on it; by the wanted speeds of `qce` [QCE, eq 19] the floor is left with c v and no ball
// leaves the next, so all balls rise with (1 + c) v. The sweeps that the workspace's accuracy
// allows must carry that through the whole column, friction or not: 200 plain sweeps left the upper
// half of 200 balls behind.
#include <math.h>
#include "carom/impact.h"
#include "carom/law.h"
#include "support/check.h"

enum { BALLS = 200 };

static double distance(int balls, double c, double friction)
{
    static carom_impact_body bodies[BALLS + 1];
    static carom_impact_contact contacts[BALLS];
    static double v[BALLS + 1][3], w[BALLS + 1][3], p[BALLS][3];
    bodies[0] = (carom_impact_body){ .velocity = { 0, 0, 1 } };
    for (int i = 1; i <= balls; ++i) {
        bodies[i] = carom_impact_body_default();
        bodies[i].position[2] = i - 0.5;
        contacts[i - 1] = carom_impact_contact_default();
        contacts[i - 1].a = i - 1;
        contacts[i - 1].b = i;
        contacts[i - 1].restitution = c;
        contacts[i - 1].friction = friction;
        contacts[i - 1].point[2] = i - 1;
        contacts[i - 1].normal[0] = 0;
        contacts[i - 1].normal[2] = 1;
    }
    carom_impact impact = { balls + 1, balls, bodies, contacts };
    carom_impact_outcome out = { .velocities = v, .spins = w, .impulses = p };
    carom_error err = { 0 };
    carom_workspace *workspace = carom_workspace_create();
    carom_law_options options = carom_law_defaults(carom_law_find("qce", &err));
    CHECK(carom_law_set(carom_law_find("qce", &err), &options, "sweeps", "100000", &err) ==
              CAROM_OK,
          "%s", err.what);
    carom_workspace_set_accuracy(workspace, 1e-4);
    CHECK(carom_impact_resolve(workspace, &impact, carom_law_find("qce", &err), &options, &out,
                               &err) == CAROM_OK,
          "resolved: %s", err.what);
    carom_workspace_destroy(workspace);
    double worst = 0;
    for (int i = 1; i <= balls; ++i)
        worst = fmax(worst, fabs(v[i][2] - (1 + c)));
    return worst;
}

int main(void)
{
    static const int counts[] = { 40, 100, BALLS };
    for (int k = 0; k < 3; ++k)
        for (int friction = 0; friction < 2; ++friction) {
            // a residual of 1e-4 per sweep, over the cycles that the column still needs
            CHECK_MOST(distance(counts[k], 0, 0.5 * friction), 0.02, "%d balls, no bounce",
                       counts[k]);
            CHECK_MOST(distance(counts[k], 0.3, 0.5 * friction), 0.02, "%d balls, c = .3",
                       counts[k]);
        }
    return check_report();
}

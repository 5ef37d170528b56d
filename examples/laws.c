// One instant by every law: a Newton's cradle, who keeps the energy and who breaks a promise.
#include <math.h>
#include <stdio.h>
#include "carom/impact.h"

enum { BALLS = 5 };

int main(void)
{
    carom_impact_body balls[BALLS];
    carom_impact_contact touches[BALLS - 1];
    double velocities[BALLS][3], spins[BALLS][3], impulses[BALLS - 1][3];
    int exact = 0;
    for (int i = 0; i < BALLS; ++i) {
        balls[i] = carom_impact_body_default();
        balls[i].position[0] = i;
        balls[i].velocity[0] = i == 0;
    }
    for (int i = 0; i < BALLS - 1; ++i) {
        touches[i] = carom_impact_contact_default();
        touches[i].a = i, touches[i].b = i + 1, touches[i].point[0] = i + 0.5;
    }
    carom_impact impact = { BALLS, BALLS - 1, balls, touches };
    carom_impact_outcome out = { velocities, spins, impulses, { 0 } };
    carom_workspace *workspace = carom_workspace_create();
    for (int k = 0; k < carom_law_count(); ++k) {
        const carom_law *law = carom_law_at(k);
        carom_error err = { 0 };
        if (carom_impact_resolve(workspace, &impact, law, NULL, &out, &err) != CAROM_OK) {
            fprintf(stderr, "%s: %s. Fix: %s\n", carom_law_name(law), err.what, err.fix);
            return 1;
        }
        printf("%-12s", carom_law_name(law));
        for (int i = 0; i < BALLS; ++i)
            printf(" %7.3f", velocities[i][0] + 0.0);
        printf("   energy %.3f\n", out.report.energy_after / out.report.energy_before);
        exact += fabs(velocities[BALLS - 1][0] - 1) < 1e-9;
        if (carom_law_promises(law) & CAROM_KIN && out.report.energy_after > 0.5 + 1e-9)
            return 1; // energy never grows by a law that promises it
    }
    printf("%d laws hand the whole speed on to the last ball\n", exact);
    carom_workspace_destroy(workspace);
    return exact == 0;
}

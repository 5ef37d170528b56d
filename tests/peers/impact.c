// "What my engine does": the laws that stand for engines, against the engines themselves. Cradles
// of 3 and 5 balls and the rack of 15, with restitution 1 and 1/2: the same velocities to 1e-6,
// which is what the engines' own tolerances leave (rounding of touching distances over the step,
// convergence of the exact ones).
#include "impact_peer.h"
#include "support/check.h"
#include "support/instant.h"

#include <math.h>
#include <string.h>

#define SAME 1e-6

static instant s;

static void take(impact_peer_problem *problem, double restitution)
{
    *problem = (impact_peer_problem){ .count = s.impact.body_count,
                                      .restitution = restitution,
                                      .contact_count = s.impact.contact_count };
    for (int i = 0; i < problem->count; ++i) {
        memcpy(problem->position[i], s.bodies[i].position, sizeof s.bodies[i].position);
        memcpy(problem->velocity[i], s.bodies[i].velocity, sizeof s.bodies[i].velocity);
    }
    for (int i = 0; i < problem->contact_count; ++i) {
        problem->contacts[i][0] = s.contacts[i].a;
        problem->contacts[i][1] = s.contacts[i].b;
    }
}

// The contacts in the order and with the sides that the engine has.
static void reorder(const impact_peer_problem *problem)
{
    carom_impact_contact *old = s.contacts;
    static carom_impact_contact kept[IMPACT_PEER_CONTACTS];
    int count = s.impact.contact_count;
    CHECK(problem->contact_count == count, "%s has %d contacts of %d", impact_peer_name,
          problem->contact_count, count);
    memcpy(kept, old, (size_t)count * sizeof *kept);
    for (int i = 0; i < count && i < problem->contact_count; ++i)
        for (int k = 0; k < count; ++k) {
            const int *pair = problem->contacts[i];
            if ((kept[k].a == pair[0] && kept[k].b == pair[1]) ||
                (kept[k].a == pair[1] && kept[k].b == pair[0]))
                s.contacts[i] = kept[k];
        }
}

static void judge(const char *what, double restitution)
{
    static impact_peer_problem problem;
    double worst = 0;
    instant_set_restitution(&s, restitution);
    take(&problem, restitution);
    impact_peer_step(&problem);
    reorder(&problem);
    carom_workspace *workspace = carom_workspace_create();
    instant_run(&s, workspace, impact_peer_law, impact_peer_options);
    carom_workspace_destroy(workspace);
    for (int i = 0; i < problem.count; ++i)
        for (int k = 0; k < 3; ++k)
            worst = fmax(worst, fabs(s.v[i][k] - problem.velocity[i][k]));
    CHECK_MOST(worst, SAME, "%s with restitution %g: %s beside %s", what, restitution,
               impact_peer_law, impact_peer_name);
    printf("%s, restitution %g: %s and %s differ by %.1e m/s\n", what, restitution, impact_peer_law,
           impact_peer_name, worst);
}

int main(void)
{
    static const int cradles[][2] = { { 3, 1 }, { 5, 1 }, { 5, 2 } };
    for (int k = 0; k < 2; ++k) {
        double e = k ? 0.5 : 1;
        for (int c = 0; c < 3; ++c) {
            double v[5] = { 0 };
            for (int i = 0; i < cradles[c][1]; ++i)
                v[i] = 1;
            instant_chain(&s, cradles[c][0], NULL, v);
            judge("cradle", e);
        }
        instant_rack(&s);
        judge("rack", e);
    }
    instant_free(&s);
    return check_report();
}

// RES: no contact leaves faster than its restitution allows, in the energetic sense: over the
// impact a contact gives back at most e^2 of the normal work that it absorbs.
//
// A result shows impulses and velocities, not the way to them, and with friction the normal work
// depends on the way. Two consequences do not, and these are asked, island by island:
//
//   alone      An island of one contact: Coulomb's friction leaves one way only
//              (single_contact.c), and the contact must not leave faster than where it has
//              returned e^2 of what it absorbed.
//   inelastic  An island without any restitution: as long as a contact pushes it does not open,
//              and a contact that opens does not push any more, so that the one that pushes last
//              ends with u = 0. Some contact that got pressed must therefore not leave.
//
// An island of several contacts that do bounce is not asked: waves carry energy from one contact to
// another, and which part of it friction took is known to the law only.
#include "impact/desiderata.h"

#include "impact/law.h"
#include "impact/two_body.h"
#include "impact/single_contact.h"

// Single contacts and single bodies.
#define RES_BOUND 1e-6
// Several bodies without restitution: a law that follows the wave between them in a few steps ends
// the last push only to some per cent.
#define WAVE_BOUND 0.1
// Single contacts that are asked at most: each costs up to a millisecond.
enum { ASKED = 2000 };
// Impulses below this part of the island's largest (in the energy norm) do not count.
#define CARRYING 1e-6

// How far an island is beyond what it may, and how far it may be (m/s).
typedef struct excess {
    bool asked;
    double by, allowed;
} excess;

static excess alone(const carom_desiderata *d, const carom_law *law, int contact, double size)
{
    excess x = { .asked = true };
    double p[3];
    carom_two_body pair = carom_two_body_make(&d->problem, contact);
    vec3 u = carom_two_body_relative_velocity(&d->problem, &pair, d->before);
    pair.mu = pair.frictional && law->friction ? pair.mu : 0;
    carom_single_contact one =
        carom_two_body_single_contact(&pair, u, d->impact.contacts[contact].restitution);
    double speed = carom_single_contact_solve(&one, p);
    x.by = carom_desiderata_speed(d, &d->result, contact) - speed;
    x.allowed = RES_BOUND * d->problem.fastest + size * sqrt(d->problem.normal[contact].diagonal);
    return x;
}

static excess inelastic(const carom_desiderata *d, int island, double size)
{
    const carom_problem *problem = &d->problem;
    excess x = { .by = HUGE_VAL };
    double max = 0;
    bool one = true; // body that moves
    for (int k = problem->first_island[island]; k < problem->first_island[island + 1]; ++k) {
        int i = problem->island_contacts[k];
        max = fmax(max, d->result.impulses[i][0] * sqrt(problem->normal[i].diagonal));
        one = one && problem->still[i];
    }
    double bound = (one ? RES_BOUND : WAVE_BOUND) * problem->fastest;
    for (int k = problem->first_island[island]; k < problem->first_island[island + 1]; ++k) {
        int i = problem->island_contacts[k];
        double root = sqrt(problem->normal[i].diagonal);
        if (problem->contacts[i].restitution > 0)
            return (excess){ 0 };
        if (max <= 0 || d->result.impulses[i][0] * root <= CARRYING * max)
            continue;
        double u = carom_desiderata_speed(d, &d->result, i);
        if (u - bound - size * root < x.by - x.allowed)
            x = (excess){ true, u, bound + size * root };
    }
    return x;
}

void carom_desiderata_restitution(const carom_desiderata *d, const carom_law *law, double size,
                                  carom_desideratum *res)
{
    const carom_problem *problem = &d->problem;
    double worst = 0, fastest = problem->fastest;
    int singles = 0;
    *res = (carom_desideratum){ .bound = RES_BOUND };
    for (int k = 0; fastest > 0 && k < problem->island_count; ++k) {
        int first = problem->first_island[k], count = problem->first_island[k + 1] - first;
        if (count == 1 && ++singles > ASKED)
            continue;
        excess x = count == 1 ? alone(d, law, problem->island_contacts[first], size)
                              : inelastic(d, k, size);
        double share = fmax(x.by, 0) / x.allowed;
        if (!x.asked || (res->verdict != CAROM_VERDICT_UNASKED && share <= worst))
            continue;
        worst = share;
        *res = (carom_desideratum){ share <= 1 ? CAROM_VERDICT_HOLDS : CAROM_VERDICT_BROKEN,
                                    fmax(x.by, 0) / fastest, x.allowed / fastest };
    }
}

// The number of collisions of an elastic island, estimated from its masses and angles.
//
// In coordinates where kinetic energy is |x|^2 / 2 a contact is a mirror, and two mirrors at an
// angle phi reflect a ray at most pi / phi times. Two contacts of one body have
// cos phi = -W_ij / sqrt(W_ii W_jj): a wall, a mass 1 and a mass M have phi = atan(1 / sqrt M), and
// exactly floor(pi / phi) collisions. Where n light bodies stand between heavy ones no two
// neighbours have a small angle, but the heavy ones see a spring of n masses: about
// pi sqrt(n r) sweeps for a ratio r of the inverse masses. The cap is SAFETY times the sum of both,
// or none where the sum alone is beyond CAROM_CAP_UPDATES: trying would only take longer to fail.
// Mirrors that face each other (phi = 0) have no end and do not count.
#include "impact/cap.h"
#include "math/constants.h"
#include "math/trig.h"

enum { SAFETY = 4 };

bool carom_cap_elastic(const carom_problem *problem, const carom_contact_set *set, bool smooth)
{
    for (int i = 0; i < set->count; ++i) {
        const carom_impact_contact *contact = &problem->contacts[set->index[i]];
        if (contact->restitution < 1 || (!smooth && contact->friction > 0))
            return false;
    }
    return true;
}

// The smallest angle between a contact and its neighbours at one of its bodies.
static double smallest_angle(const carom_problem *problem, int contact, int body, double angle)
{
    enum { LOOKED_AT = 64 }; // contacts of a body: those with more are no links of a chain
    const double facing = 1e-7;
    const carom_row *row = &problem->normal[contact];
    int first = problem->first_contact[body], last = problem->first_contact[body + 1];
    for (int k = first; k < last && k < first + LOOKED_AT; ++k) {
        int other = problem->contact_list[k];
        const carom_row *neighbour = &problem->normal[other];
        if (other >= contact)
            break;
        double cosine =
            -carom_row_coupling(row, neighbour) / sqrt(row->diagonal * neighbour->diagonal);
        double sine = sqrt(fmax(1 - cosine * cosine, 0));
        if (cosine > 0 && sine > facing)
            angle = fmin(angle, carom_trig_atan2(sine, cosine));
    }
    return angle;
}

double carom_cap_slowness(const carom_problem *problem, const carom_contact_set *set)
{
    double angle = CAROM_PI, lightest = 0, heaviest = HUGE_VAL;
    for (int i = 0; i < set->count; ++i) {
        const carom_row *row = &problem->normal[set->index[i]];
        double sides[2] = { row->inv_a + vec3_dot(row->turn_a, row->arm_a),
                            row->inv_b + vec3_dot(row->turn_b, row->arm_b) };
        for (int k = 0; k < 2; ++k)
            if (sides[k] > 0) {
                lightest = fmax(lightest, sides[k]);
                heaviest = fmin(heaviest, sides[k]);
            }
        angle = smallest_angle(problem, set->index[i], row->a, angle);
        angle = smallest_angle(problem, set->index[i], row->b, angle);
    }
    return fmax(sqrt(set->count * lightest / heaviest), 1) + 1 / angle;
}

int carom_cap_sweeps(const carom_problem *problem, const carom_contact_set *set)
{
    double needed = CAROM_PI * carom_cap_slowness(problem, set);
    double max = (double)CAROM_CAP_UPDATES / set->count;
    return needed > max ? 0 : (int)fmin(SAFETY * needed, max);
}

// Cohesion: contacts that hold together up to a force.
//
// The rigid limit of adhesive contact, as contact dynamics has it (Radjai and Dubois, Discrete
// Element Modeling of Granular Materials, 2011, chapter 9). Two bodies that touch attract each
// other by a force C (the pull-off force: 3/2 pi g R of Johnson, Kendall and Roberts 1971 or 2 pi g
// R of Derjaguin, Muller and Toporov 1975, g: surface energy, R: reduced radius), which acts only
// while they touch. With the impulse p of a contact over the interval h and q = p + C h n,
//     0 <= q_n,   u_n >= 0,   q_n u_n = 0,   |p_t| <= friction q_n :
// Coulomb's cone with its tip at -C h n. The resting solver works with q, whose conditions are
// those of a contact without cohesion; only what a contact begins with acts as q - C h n.
// Afterwards all see p. Several points of one pair share C equally. A contact that opens has done
// the work C u_n h, which the ledger books.
//
// In an instant the force has no part, but the work W of parting two bodies has: of the energy that
// restitution leaves, m u^2 e^2 / 2 with m the mass that the contact's normal sees, W is paid,
//     e' = sqrt(e^2 - 2 W / (m u^2)),   or 0:
// they stick below a speed of sqrt(2 W / m) / e (Thornton and Ning, Powder Technol. 99, 1998: W =
// 7.09 (g^5 R^4 / E^2)^(1/3), E: reduced modulus).
#include "world/pair_material.h"
#include "world/step.h"

static bool touches(const carom_world *world, const carom_candidate *candidate)
{
    return candidate->gap <= world->options.slop;
}

static bool of_one_pair(const carom_candidate *a, const carom_candidate *b)
{
    return a->a == b->a && a->b == b->b;
}

void carom_cohesion_share(carom_step *step)
{
    const carom_world *world = step->world;
    for (int begin = 0, end; world->cohesive && begin < step->candidate_count; begin = end) {
        carom_candidate *first = &step->candidates[begin];
        int points = 0;
        for (end = begin; end < step->candidate_count && of_one_pair(first, &step->candidates[end]);
             ++end)
            points += touches(world, &step->candidates[end]);
        if (carom_pair_material_cohesion(world, first->a, first->b) > 0 ||
            carom_pair_material_adhesion(world, first->a, first->b) > 0)
            for (int i = begin; i < end; ++i)
                step->candidates[i].points = (unsigned short)(points > 0 ? points : 1);
    }
}

// What has just bounced flies apart: its bond is broken.
double carom_cohesion_hold(const carom_step *step, const carom_candidate *candidate)
{
    const carom_world *world = step->world;
    if (candidate->points == 0 || !touches(world, candidate) ||
        fabs(candidate->u) > candidate->resting)
        return 0;
    return carom_pair_material_cohesion(world, candidate->a, candidate->b) * step->h /
           candidate->points;
}

double carom_cohesion_restitution(const carom_world *world, const carom_candidate *candidate,
                                  double e)
{
    double work = carom_pair_material_adhesion(world, candidate->a, candidate->b);
    double responses =
        carom_step_response(world, candidate->a, candidate->point, candidate->normal) +
        carom_step_response(world, candidate->b, carom_step_point_of_b(candidate),
                            candidate->normal);
    double paid = 2 * work / candidate->points * responses, left = e * candidate->u;
    left *= left;
    return work == 0 ? e : left > paid ? sqrt(left - paid) / fabs(candidate->u) : 0;
}

void carom_cohesion_settle(carom_step *step)
{
    step->cohesion_work = 0;
    for (int i = 0; step->world->cohesive && i < step->resting_count; ++i) {
        carom_resting_contact *resting = &step->resting_contacts[i];
        const carom_candidate *candidate = &step->candidates[resting->candidate];
        if (resting->cohesion == 0)
            continue;
        vec3 u = carom_step_relative_velocity(step->world, candidate);
        step->cohesion_work += resting->cohesion * vec3_dot(candidate->normal, u);
        resting->impulse = vec3_axpy(resting->impulse, -resting->cohesion, candidate->normal);
    }
}

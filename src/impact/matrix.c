// A full matrix of restitution [Aeberhard and Glocker]: 0 <= p _|_ u+ + E u- >= 0, where Newton's
// law has a diagonal E. With E = 1 off the diagonal the three-ball cradle comes out, which no
// diagonal can give; for n equal balls it is the exchange of the two ends of the chain,
// E_ij = 1 where i + j = n: the contact at k from the one end leaves with the approach of the
// contact at k from the other.
//
// Islands that are chains (no movable body has more than two contacts, no ring) have
// E_ij = e_i ((1 - s) d_ij + s [i and j are each other's mirror image along the chain]), s the
// option `exchange`; all others have s = 0, which is Newton's law. The rule for chains of equal
// bodies is ours, the three-ball matrix theirs; from memory of the paper, checked by cradles of any
// number of balls. Unequal masses may gain energy: the limiter.
#include "impact/complementarity.h"
#include "impact/law.h"

enum { OPTION_EXCHANGE, OPTION_FRICTION };

// The contact of `body` that is not `contact`; -1: none, -2: there are several.
static int other_contact(const carom_problem *problem, int body, int contact)
{
    int first = problem->first_contact[body], count = problem->first_contact[body + 1] - first;
    if (count > 2)
        return -2;
    for (int k = first; k < first + count; ++k)
        if (problem->contact_list[k] != contact)
            return problem->contact_list[k];
    return -1;
}

// The contacts of an island in their order along a chain; false where it is none.
static bool order_chain(const carom_problem *problem, const carom_contact_set *set, int *chain)
{
    int start = -1;
    for (int i = 0; i < set->count && start < 0; ++i) {
        const carom_row *row = &problem->normal[set->index[i]];
        int a = other_contact(problem, row->a, set->index[i]);
        int b = other_contact(problem, row->b, set->index[i]);
        if (a == -2 || b == -2)
            return false;
        if (a == -1 || b == -1)
            start = set->index[i];
    }
    for (int i = 0, last = -1, now = start; now >= 0; ++i) {
        const carom_row *row = &problem->normal[now];
        int a = other_contact(problem, row->a, now), b = other_contact(problem, row->b, now);
        if (a == -2 || b == -2)
            return false;
        chain[i] = now;
        int next = a >= 0 && a != last ? a : b >= 0 && b != last ? b : -1;
        if (next < 0 && i + 1 == set->count)
            return true;
        last = now;
        now = next;
    }
    return false;
}

static carom_status resolve_matrix(const carom_problem *problem, const carom_law_options *options,
                                   carom_arena *scratch, carom_motion *motion,
                                   carom_impact_report *report, carom_error *err)
{
    carom_friction_bound friction = (int)options->value[OPTION_FRICTION];
    double *target;
    int *chain;
    TAKE(scratch, target, problem->contact_count, err);
    TAKE(scratch, chain, problem->contact_count, err);
    for (int island = 0; island < problem->island_count; ++island) {
        carom_contact_set set = carom_inelastic_island(problem, island);
        bool exchange = set.count > 1 && order_chain(problem, &set, chain);
        double s = exchange ? options->value[OPTION_EXCHANGE] : 0;
        for (int i = 0; i < set.count; ++i) {
            int contact = exchange ? chain[i] : set.index[i];
            int image = exchange ? chain[set.count - 1 - i] : contact;
            double u = (1 - s) * problem->u[contact] + s * problem->u[image];
            target[contact] = -problem->contacts[contact].restitution * u;
        }
    }
    carom_complementarity bounce = { .friction = friction, .target = target };
    carom_complementarity inelastic = { .friction = friction };
    TRY(carom_complementarity_solve(problem, &bounce, scratch, motion, report, err));
    return carom_complementarity_limit(problem, &inelastic, scratch, motion, report, err);
}

static const carom_option options[] = {
    [OPTION_EXCHANGE] = { "exchange",
                          "how much of its approach a contact of a chain hands to its mirror image",
                          CAROM_OPTION_NUMBER, 1, 0, 1, NULL },
    [OPTION_FRICTION] = CAROM_COMPLEMENTARITY_FRICTION_OPTION,
    { 0 },
};

const carom_law carom_matrix_law = {
    .name = "matrix",
    .summary = "Newton's law with a full matrix: the two ends of a chain exchange their speeds.",
    .reference = "Aeberhard",
    .paper = "Glocker, Aeberhard 2006, The geometry of Newton's cradle",
    .number = "cradles of 3 to 10 equal balls, any number striking: as many leave",
    .promises = CAROM_SYM | CAROM_KIN | CAROM_MOM | CAROM_ONE,
    .friction = true,
    .options = options,
    .resolve = resolve_matrix,
};

// The impulse correlation ratio of Ceanga and Hurmuzlu [ICR]: contacts collide one after the other,
// the fastest first, and a contact at rest beside the one that collides (a triplet of bodies) takes
// the share alpha of its impulse while it lasts:
//
//     dp_j = alpha dp_i   for every j at rest that i presses (W_ij < 0),
//
// d the impulses per unit of that of i. Contact i ends where it has given back e^2 of what it
// absorbed: p = (1 + e) |u_i| / (W d)_i, less where the triplet would gain energy,
// p <= -2 d.u / d.W d. Then the next contact collides, until none approaches. Three equal balls at
// rest but the first: v = 1 - q, (1 - alpha) q, alpha q with q = (1 + e)/(2 - alpha) after the
// first event; alpha = 0 is `sqm` and gives the cradle, alpha = 1/2 is `newton`. The ratio is a
// property of the triplet that is measured; one value serves all here. Frictionless. From memory of
// the paper; checked by this closed form and by the balance of energy.
#include "impact/law.h"
#include "impact/sequence.h"

enum { ALPHA, TOLERANCE, EVENTS };

// A contact is at rest below this part of the approach that strikes it.
static const double AT_REST = 1e-6;

// The contacts that take part in a collision of i: i itself, then those it presses at rest.
static int gather(const carom_sequence *sequence, int i, int *members)
{
    const carom_problem *problem = sequence->problem;
    const carom_row *row = &problem->normal[sequence->contacts[i]];
    double rest = AT_REST * fabs(sequence->speeds.key[i]);
    int count = 0, bodies[2] = { row->a, row->b };
    members[count++] = i;
    for (int side = 0; side < 2; ++side)
        for (int k = problem->first_contact[bodies[side]];
             k < problem->first_contact[bodies[side] + 1]; ++k) {
            int j = sequence->local[problem->contact_list[k]];
            const carom_row *other = &problem->normal[problem->contact_list[k]];
            bool again = side == 1 && (other->a == row->a || other->b == row->a);
            if (j != i && !again && fabs(sequence->speeds.key[j]) <= rest &&
                carom_row_coupling(row, other) < 0)
                members[count++] = j;
        }
    return count;
}

// d.W d over the first `rows` members on the left and all on the right.
static double response(const carom_sequence *sequence, const int *members, int count, double alpha,
                       int rows)
{
    double sum = 0;
    for (int j = 0; j < rows; ++j)
        for (int k = 0; k < count; ++k)
            sum += (j ? alpha : 1) * (k ? alpha : 1) *
                   carom_row_coupling(&sequence->problem->normal[sequence->contacts[members[j]]],
                                      &sequence->problem->normal[sequence->contacts[members[k]]]);
    return sum;
}

// One event: contact i with those it takes along.
static carom_status collide(carom_sequence *sequence, int i, const double *options,
                            carom_error *err)
{
    const carom_problem *problem = sequence->problem;
    carom_arena_mark mark = carom_arena_mark_here(sequence->scratch);
    double alpha = options[ALPHA];
    int *members;
    TAKE(sequence->scratch, members, sequence->count, err);
    int count = gather(sequence, i, members);
    double u = sequence->speeds.key[i], alone = sequence->pairs[i].k.xx, own = alone, all = alone;
    if (count > 1) {
        own = response(sequence, members, count, alpha, 1);
        all = response(sequence, members, count, alpha, count);
    }
    if (!(own > 1e-9 * alone && all > 1e-9 * alone)) { // too many at rest beside it: by itself
        count = 1;
        own = all = alone;
    }
    double e = problem->contacts[sequence->contacts[i]].restitution, slope = u;
    for (int k = 1; k < count; ++k)
        slope += alpha * sequence->speeds.key[members[k]]; // nearly at rest
    double p = fmax(fmin(-(1 + e) * u / own, -2 * slope / all), 0);
    for (int k = 0; k < count; ++k) {
        vec3 speed = { sequence->speeds.key[members[k]], 0, 0 };
        const carom_two_body *pair = &sequence->pairs[members[k]];
        carom_sequence_hit(sequence, members[k], speed, (k ? alpha : 1) * p * pair->k.xx);
    }
    carom_arena_rewind(sequence->scratch, mark);
    return CAROM_OK;
}

static carom_status collide_island(carom_sequence *sequence, const double *options,
                                   carom_error *err)
{
    return carom_sequence_fastest_first(sequence, (int)options[EVENTS], collide, options, err);
}

CAROM_SEQUENCE_RESOLVE(resolve_correlation, collide_island, TOLERANCE, .frictionless = true)

static const carom_option options[] = {
    [ALPHA] = { "alpha", "impulse correlation ratio: what a contact at rest takes of the impulse",
                CAROM_OPTION_NUMBER, 0.1, 0, 0.5, NULL },
    CAROM_SEQUENCE_OPTIONS,
    { 0 },
};

const carom_law carom_correlation_law = {
    .name = "correlation",
    .summary = "One contact after the other; those at rest beside it share in its impulse.",
    .reference = "ICR",
    .paper = "Ceanga, Hurmuzlu 2001, Journal of Applied Mechanics 68",
    .number = "cradle of 3: 1 - q, alpha q, (1 - alpha) q with q = 2 / (2 - alpha)",
    .promises = CAROM_BRK | CAROM_KIN | CAROM_MOM | CAROM_ONE | CAROM_NOP | CAROM_WAV | CAROM_RES,
    .options = options,
    .resolve = resolve_correlation,
};

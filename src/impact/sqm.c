// Sequential impulses: the fastest approaching contact first, one at a time [ETM, appendix A].
//
// Each event reflects one contact, u_n -> -e u_n, with friction as in two_body.h; the speeds of all
// contacts of both bodies change and the next fastest is taken from a heap.
// The option `pair` takes another law of one contact (pair_law.h).
// Deviations: the sliding impulse follows eqs 54-55 (eqs 75-76 of the appendix disagree with each
// other and miss the wanted change), friction adds no energy, and the loop is bounded: after
// `events` events per contact the rest is ended by the inelastic solve (elastic islands that have
// an end go on as far as carom_cap_sweeps).
#include "impact/law.h"
#include "impact/pair_law.h"
#include "impact/sequence.h"

enum { TOLERANCE, EVENTS, PAIR };

static carom_status hit(carom_sequence *sequence, int i, const double *options, carom_error *err)
{
    (void)err; // it cannot fail
    carom_pair_law law = (carom_pair_law)options[PAIR];
    const carom_two_body *pair = &sequence->pairs[i];
    vec3 u = carom_two_body_relative_velocity(sequence->problem, pair, sequence->motion->v);
    double e = sequence->problem->contacts[pair->contact].restitution;
    if (law != CAROM_PAIR_LAW_TRACKING) {
        vec3 wanted = carom_pair_law_impulse(law, pair, u, e);
        carom_sequence_push(sequence, i, carom_pair_law_limit(pair, u, wanted, &sequence->kept));
        return CAROM_OK;
    }
    vec3 p = carom_sequence_hit(sequence, i, u, -(1 + e) * u.x);
    sequence->spare -= 0.5 * (1 - e) * u.x * p.x; // the normal work is 1/2 (u - e u) p <= 0
    return CAROM_OK;
}

static carom_status sequence_island(carom_sequence *sequence, const double *options,
                                    carom_error *err)
{
    return carom_sequence_fastest_first(sequence, (int)options[EVENTS], hit, options, err);
}

CAROM_SEQUENCE_RESOLVE(resolve_sqm, sequence_island, TOLERANCE, .tangential = true)

static const carom_option options[] = { CAROM_SEQUENCE_OPTIONS, CAROM_PAIR_LAW_OPTION, { 0 } };

const carom_law carom_sqm_law = {
    .name = "sqm",
    .summary = "Sequential impulses: the fastest approaching contact first, one at a time.",
    .reference = "ETM",
    .paper = "Tang, Paluszny, Zimmerman 2014, appendix A",
    .number = "cradles of 3 to 10 balls, any number striking: as many leave",
    .promises = CAROM_BRK | CAROM_KIN | CAROM_MOM | CAROM_ONE | CAROM_NOP | CAROM_WAV,
    .friction = true,
    .tangential = true,
    .options = options,
    .usual = true,
    .resolve = resolve_sqm,
};

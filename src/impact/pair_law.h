// The impulse of two bodies at one contact by the algebraic and incremental laws of the literature,
// as the option `pair` of sequential methods. Vectors in the contact's frame, as in two_body.h.
//
//   Kane and Levinson (Whittaker's friction, Brach's impulse ratio): u_n = -e u_n-; the slip stops
//   if
//     Coulomb's cone allows it, else the friction mu p_n acts against the slip before.
//   Chatterjee and Ruina 1998: p = (1 + e) p_1 + (1 + e_t) (p_2 - p_1), p_1 the frictionless
//   impulse
//     that stops the approach, p_2 the one that stops all motion; outside the cone the second term
//     is shortened until it lies on it.
//   Wang and Mason 1992 (Routh, Poisson): Coulomb's law along the path of single_contact.h, until
//     1 + e times the normal impulse of compression.
//   Stronge (Mirtich 1996 integrates it): the same path until e^2 of the work of compression has
//     been given back.
//
// The first and the third may gain energy (Kane's paradox): such an impulse is blended with p_1,
// the largest share that does not. From memory of the papers; checked by closed forms of spheres,
// by an independent integration along the path and by the paradox itself.
#ifndef CAROM_IMPACT_PAIR_LAW_H
#define CAROM_IMPACT_PAIR_LAW_H

#include "impact/two_body.h"

typedef enum carom_pair_law {
    CAROM_PAIR_LAW_TRACKING, // that of two_body.h, not here
    CAROM_PAIR_LAW_KANE,
    CAROM_PAIR_LAW_CHATTERJEE,
    CAROM_PAIR_LAW_WANG,
    CAROM_PAIR_LAW_STRONGE
} carom_pair_law;

// The option, as a table entry; its value is the enum.
#define CAROM_PAIR_LAW_OPTION                                                                      \
    {                                                                                              \
        "pair", "law of one contact with friction", CAROM_OPTION_CHOICE, 0, 0, 4,                  \
            "tracking kane-levinson chatterjee-ruina wang-mason stronge"                           \
    }

// The impulse for two bodies that approach with u (x: normal, < 0) by a law, as it is published.
vec3 carom_pair_law_impulse(carom_pair_law law, const carom_two_body *pair, vec3 u, double e);

// The largest share of it that gains no energy; lowers `share` to what was kept.
vec3 carom_pair_law_limit(const carom_two_body *pair, vec3 u, vec3 p, double *share);

#endif

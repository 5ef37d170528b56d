// A law is one value in one file; the list is in law.c.
#ifndef CAROM_IMPACT_LAW_H
#define CAROM_IMPACT_LAW_H

#include "carom/law.h"
#include "impact/problem.h"

struct carom_law {
    const char *name;            // as written in files: "qce"
    const char *summary;         // one sentence, printed by `carom laws` and in the manual
    const char *reference;       // key in docs/references.bib
    const char *paper;           // whose law it is: names, year, where
    const char *number;          // what tests/truth/published.c reproduces of it
    unsigned promises;           // held by the conformance test, see carom_law_promises
    bool friction;               // uses the contacts' friction
    bool tangential;             // and their tangential restitution
    bool inelastic;              // takes every restitution for zero
    bool usual;                  // compared unless others are asked for
    const carom_option *options; // ends with a null name; null where there are none
    // Changes `motion` from before to after and fills the first group of the report. Everything
    // taken from `scratch` is given back by the caller.
    carom_status (*resolve)(const carom_problem *problem, const carom_law_options *options,
                            carom_arena *scratch, carom_motion *motion, carom_impact_report *report,
                            carom_error *err);
};

// The contact springs that all laws are compared with (springs.c).
extern const carom_law carom_springs_law;

#endif

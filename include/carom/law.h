/// @file
/// Impact laws: what each is called, what it promises, which options it takes.
#ifndef CAROM_LAW_H
#define CAROM_LAW_H

#include <stddef.h>
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The desiderata for simultaneous impacts ([QCE, section 2] after Smith et al.), one bit each.
#define CAROM_PROMISE_LIST(X)                                                                      \
    X(BRK, 0, "break away: contacts at rest that get pressed part again as by a wave")             \
    X(SYM, 1,                                                                                      \
      "symmetry: mirrored, rotated and renumbered problems have mirrored, rotated and "            \
      "renumbered results")                                                                        \
    X(KIN, 2, "kinetic energy never grows beyond the work of driven bodies")                       \
    X(MOM, 3, "linear and angular momentum are kept")                                              \
    X(ONE, 4, "one-sided: no contact pulls")                                                       \
    X(WAV, 5, "waves: what happens at one contact depends on the approach at others")              \
    X(NOP, 6, "no penetration: no contact approaches afterwards")                                  \
    X(RES, 7,                                                                                      \
      "restitution: no contact leaves faster than the energy it stored and its restitution allow")

enum {
#define CAROM_PROMISE_VALUE(name, bit, sentence) CAROM_##name = 1 << bit,
    CAROM_PROMISE_LIST(CAROM_PROMISE_VALUE)
#undef CAROM_PROMISE_VALUE
        CAROM_PROMISE_COUNT = 8
};

/// What an option takes.
typedef enum carom_option_kind {
    CAROM_OPTION_NUMBER,  ///< a real number within [min, max]
    CAROM_OPTION_INTEGER, ///< a whole number within [min, max]
    CAROM_OPTION_CHOICE,  ///< one of the words in `choices`; the value is its index
} carom_option_kind;

/// One option of a law; the same entry feeds the parser, the defaults, `carom laws` and the manual.
typedef struct carom_option {
    const char *name;         ///< as written in files and after --set
    const char *summary;      ///< one sentence
    carom_option_kind kind;   ///< what it takes
    double initial, min, max; ///< default, and the range; of a choice, indices
    const char *choices;      ///< words separated by spaces, for CAROM_OPTION_CHOICE
} carom_option;

/// Most options of a law.
enum { CAROM_LAW_OPTION_MAX = 12 };

/// Values in the order of the law's options. Make it with carom_law_defaults.
typedef struct carom_law_options {
    double value[CAROM_LAW_OPTION_MAX]; ///< of each option; a choice by its index
} carom_law_options;

/// An impact law. The descriptions are public; how it resolves is not.
typedef struct carom_law carom_law;

/// How many laws there are.
CAROM_API int carom_law_count(void);
/// The law at an index from 0 in the order of the manual; null outside.
CAROM_API const carom_law *carom_law_at(int index);
/// The law of that name as written in files ("qce"), or null with an error that suggests the
/// nearest name.
CAROM_API const carom_law *carom_law_find(const char *name, carom_error *err);
/// The law used where none is named.
CAROM_API const carom_law *carom_law_default(void);

/// The name as written in files: "qce".
CAROM_API const char *carom_law_name(const carom_law *law);
/// What it does, in one sentence.
CAROM_API const char *carom_law_summary(const carom_law *law);
/// Key of the source in docs/references.bib.
CAROM_API const char *carom_law_reference(const carom_law *law);
/// Whose law it is: names, year, where.
CAROM_API const char *carom_law_paper(const carom_law *law);
/// A published or independently computed number that a test reproduces with this law.
CAROM_API const char *carom_law_number(const carom_law *law);
/// Non-zero for the laws that a comparison takes unless others are asked for.
CAROM_API int carom_law_usual(const carom_law *law);
/// Bits CAROM_BRK ... CAROM_RES, held by the conformance test on seeded families with the default
/// options. KIN, MOM, ONE, NOP and RES are promised for every problem: any friction, restitution
/// that differs from contact to contact (an energy limiter takes out what these would add, see
/// carom_impact_report), any masses, driven bodies that do not close in on one another. Where every
/// contact is elastic, KIN is broken too by energy lost at a cap on work, which takes ratios of
/// masses beyond 1e10 (etm: 1e4). BRK, SYM and WAV are promised without friction and with one
/// restitution: SYM where the process settles (a capped or endless one is cut where round-off has
/// grown, as it has after some hundred sweeps), BRK and WAV where the restitution is 1 and no two
/// masses are equal (equal balls can hand a wave back so that every contact gets its own speed). A
/// law that does not promise something breaks it somewhere.
CAROM_API unsigned carom_law_promises(const carom_law *law);
/// Non-zero where the law uses the contacts' friction; others leave tangential speeds alone.
CAROM_API int carom_law_has_friction(const carom_law *law);
/// Non-zero where the law uses the contacts' tangential restitution; to others it is 0.
CAROM_API int carom_law_has_tangential(const carom_law *law);
/// Zero where the law takes every restitution for zero: nothing bounces.
CAROM_API int carom_law_bounces(const carom_law *law);
/// How many options the law has.
CAROM_API int carom_law_option_count(const carom_law *law);
/// One of them, by its index from 0; null outside.
CAROM_API const carom_option *carom_law_option(const carom_law *law, int index);
/// All options at their defaults.
CAROM_API carom_law_options carom_law_defaults(const carom_law *law);
/// Sets an option from text, for instance ("theta", "1e-3") or ("reading", "convex").
CAROM_API carom_status carom_law_set(const carom_law *law, carom_law_options *options,
                                     const char *name, const char *text, carom_error *err);

/// A value of an option as carom_law_set takes it: "0.001", "convex".
CAROM_API void carom_law_option_text(const carom_option *option, double value, char *out,
                                     size_t size);

/// "BRK" ... for a bit index from 0; null outside.
CAROM_API const char *carom_law_promise_name(int bit);
/// What that promise means, in one sentence; null outside.
CAROM_API const char *carom_law_promise_sentence(int bit);

#ifdef __cplusplus
}
#endif
#endif

/// @file
/// Restitution of a pair of bodies: rules that combine two bodies' values, and values that depend
/// on where a body is struck.
///
/// The world knows restitution of materials. A body whose restitution depends on the place brings a
/// source: functions that the world calls at each contact. carom_bounce_map_restitution and
/// carom_bounce_direct_restitution (carom/bounce_map.h) make sources from vibration modes; a caller
/// may write another.
#ifndef CAROM_RESTITUTION_H
#define CAROM_RESTITUTION_H

#include <stddef.h>
#include "carom/shape.h"
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How two one-body values become the value of a pair ([Bounce], table 1, and one more). With
/// e' = 1 - e.
#define CAROM_RESTITUTION_RULE_LIST(X)                                                             \
    X(WEIGHTED, "weighted", "(wA eA + wB eB) / (wA + wB)")                                         \
    X(ARITHMETIC, "arithmetic", "(eA + eB) / 2")                                                   \
    X(GEOMETRIC, "geometric", "sqrt(eA eB)")                                                       \
    X(HARMONIC, "harmonic", "2 / (1/eA + 1/eB)")                                                   \
    X(GEOMETRIC_FLIPPED, "geometric-flipped", "1 - sqrt(eA' eB')")                                 \
    X(HARMONIC_FLIPPED, "harmonic-flipped", "1 - 2 / (1/eA' + 1/eB')")                             \
    X(MIN, "min", "min(eA, eB)")                                                                   \
    X(MAX, "max", "max(eA, eB)")

/// WEIGHTED is the default: only it knows that a heavy partner (w -> 0) leaves the value of the
/// light one. ARITHMETIC is the choice of [Bounce].
typedef enum carom_restitution_rule {
#define CAROM_RESTITUTION_RULE_VALUE(name, word, formula) CAROM_RESTITUTION_##name,
    CAROM_RESTITUTION_RULE_LIST(CAROM_RESTITUTION_RULE_VALUE)
#undef CAROM_RESTITUTION_RULE_VALUE
        CAROM_RESTITUTION_RULE_COUNT ///< how many rules there are
} carom_restitution_rule;

/// The rule as written in files.
CAROM_API const char *carom_restitution_rule_name(carom_restitution_rule rule);
/// The rule's formula, for people.
CAROM_API const char *carom_restitution_rule_formula(carom_restitution_rule rule);
/// Combines two values in [0, 1]; `w` (1/kg) are the responses of the two rigid bodies along the
/// normal, 0 for an immovable one. Where both are 0, WEIGHTED is ARITHMETIC.
CAROM_API double carom_restitution_rule_combine(carom_restitution_rule rule,
                                                const double epsilon[2], const double w[2]);

/// Where a body is struck, in the frame of its shape.
typedef struct carom_restitution_site {
    double point[3];  ///< m
    double normal[3]; ///< unit, outward: the direction in which the body meets its partner
    double response;  ///< 1/kg: 1/m + (r x n).I^-1 (r x n); 0 for a body that cannot move
} carom_restitution_site;

/// How one kind of source works. The functions are called within a step: they must not allocate,
/// and must give the same bits for the same arguments. Several threads may call them at once.
typedef struct carom_restitution_functions {
    /// Fails unless `data` describes a body of this shape; called when the body is added.
    carom_status (*check)(const void *data, const carom_shape *shape, carom_error *err);
    /// Bytes of scratch that `value` takes (`other` null), or `pair` of these two. Null: none.
    size_t (*scratch)(const void *data, const void *other);
    /// The restitution in [0, 1] against an immovable wall. Scratch is aligned to 64 bytes.
    carom_status (*value)(const void *data, const carom_restitution_site *site, void *scratch,
                          double *restitution, carom_error *err);
    /// That of two moving bodies whose sources both have these functions. Null: the world combines
    /// their values by its rule.
    carom_status (*pair)(const void *const data[2], const carom_restitution_site site[2],
                         void *scratch, double *restitution, carom_error *err);
} carom_restitution_functions;

/// A body's restitution over its surface.
typedef struct carom_restitution_source {
    const carom_restitution_functions *functions; ///< null: the material decides
    const void *data;                             ///< handed to them; must outlive the world
    double scale; ///< in [0, 1], multiplies the value: losses that the source does not know
} carom_restitution_source;

#ifdef __cplusplus
}
#endif
#endif

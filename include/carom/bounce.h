/// Restitution from vibration: what a body's modes do to a bounce [Bounce].
///
/// Seen from one contact, a vibrating body is a scalar problem that is exactly free of scale: w,
/// the response of the rigid body (1/kg), and per mode its participation a_i (1/sqrt(kg)) and
/// angular frequency omega_i (rad/s). The body arrives at unit speed, meets an immovable partner in
/// inelastic micro-collisions, and leaves with speed epsilon.
#ifndef CAROM_BOUNCE_H
#define CAROM_BOUNCE_H

#include <stddef.h>
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One contact as the modes see it.
typedef struct carom_bounce_case {
    double w; ///< 1/kg, > 0: response of the rigid body along the normal
    int mode_count;
    const double *a;     ///< 1/sqrt(kg), participation of each mode: normal times mode shape
    const double *omega; ///< rad/s, > 0
} carom_bounce_case;

typedef enum carom_bounce_end {
    CAROM_BOUNCE_LEFT,   ///< the body left and can never touch again
    CAROM_BOUNCE_CAPPED, ///< the budget of steps ended first; the result is what was known then
} carom_bounce_end;

typedef struct carom_bounce_result {
    double epsilon; ///< restitution: rigid speed after over speed before
    double tau;     ///< s, end of the last micro-collision
    int micro;      ///< number of micro-collisions
    long steps;     ///< time steps, or probes of the exact solver
    carom_bounce_end end;
} carom_bounce_result;

typedef struct carom_bounce_options {
    double turn;    ///< largest omega dt of a step, rad; default 0.29
    double damping; ///< s: q'' = -omega^2 (q + damping q'); default 0
    long budget;    ///< most steps; default 1e6
} carom_bounce_options;

CAROM_API carom_bounce_options carom_bounce_options_default(void);

/// The judge: free flights in free modes, contacts in constrained modes, roots located, no time
/// step. Undamped.
CAROM_API carom_status carom_bounce_exact(const carom_bounce_case *one,
                                          const carom_bounce_options *options,
                                          carom_bounce_result *result, carom_error *err);
/// The symplectic Euler scheme of the paper (algorithm 1), for comparison. `turn` 0.06 is its
/// resolution.
CAROM_API carom_status carom_bounce_literal(const carom_bounce_case *one,
                                            const carom_bounce_options *options,
                                            carom_bounce_result *result, carom_error *err);

/// Many contacts of one body at once: the same frequencies, other participations.
typedef struct carom_bounce_batch {
    int mode_count, sample_count;
    const double *omega; ///< rad/s, mode_count
    const double *w;     ///< 1/kg, sample_count
    const double *a;     ///< sample by sample: a[sample * mode_count + mode]
    int threads;         ///< any number gives the same bits
} carom_bounce_batch;

/// The production kernel: exact modal rotation, impulses that end each step without overlap, first
/// touch of a micro-collision interpolated; samples in vector lanes.
CAROM_API carom_status carom_bounce_many(const carom_bounce_batch *batch,
                                         const carom_bounce_options *options,
                                         carom_bounce_result *results, carom_error *err);

#ifdef __cplusplus
}
#endif
#endif

/// @file
/// Restitution from vibration: what a body's modes do to a bounce [Bounce].
///
/// Seen from one contact, a vibrating body is a scalar problem that is exactly free of scale: w,
/// the response of the rigid body (1/kg), and per mode its participation a_i (1/sqrt(kg)) and
/// angular frequency omega_i (rad/s). The body arrives at unit speed, meets an immovable partner in
/// inelastic micro-collisions, and leaves with speed epsilon.
#ifndef CAROM_BOUNCE_H
#define CAROM_BOUNCE_H

#include <stddef.h>
#include "carom/restitution.h"
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One contact as the modes see it.
typedef struct carom_bounce_case {
    double w;            ///< 1/kg, > 0: response of the rigid body along the normal
    int mode_count;      ///< length of the two arrays
    const double *a;     ///< 1/sqrt(kg), participation of each mode: normal times mode shape
    const double *omega; ///< rad/s, > 0
} carom_bounce_case;

/// What ended the computation of a bounce.
typedef enum carom_bounce_end {
    CAROM_BOUNCE_LEFT,   ///< the body left and can never touch again
    CAROM_BOUNCE_CAPPED, ///< the budget of steps ended first; the result is what was known then
} carom_bounce_end;

/// "left", "capped".
CAROM_API const char *carom_bounce_end_name(carom_bounce_end end);

/// What came out of one contact.
typedef struct carom_bounce_result {
    double epsilon;       ///< restitution: rigid speed after over speed before
    double tau;           ///< s, end of the last micro-collision
    double impulse;       ///< N s for an approach at 1 m/s: (1 + epsilon) / w
    int micro;            ///< number of micro-collisions
    long steps;           ///< time steps, or probes of the exact solver
    carom_bounce_end end; ///< what ended it
} carom_bounce_result;

/// The ways to solve the scalar problem, with their names in files.
#define CAROM_BOUNCE_SOLVER_LIST(X)                                                                \
    X(PRODUCTION, "production",                                                                    \
      "exact modal rotation, impulses that end each step without overlap")                         \
    X(LITERAL, "literal", "the paper's symplectic Euler steps (algorithm 1), for comparison")      \
    X(EVENT, "event", "no time step: phases in closed form, events located; undamped")

/// The solvers of the scalar problem.
typedef enum carom_bounce_solver {
#define CAROM_BOUNCE_SOLVER_VALUE(name, word, sentence) CAROM_BOUNCE_##name,
    CAROM_BOUNCE_SOLVER_LIST(CAROM_BOUNCE_SOLVER_VALUE)
#undef CAROM_BOUNCE_SOLVER_VALUE
} carom_bounce_solver;

/// How a contact is solved.
typedef struct carom_bounce_options {
    carom_bounce_solver solver; ///< default PRODUCTION
    double turn;    ///< largest omega dt of a step, rad; 0: 0.29 (production), 0.058 (literal)
    double damping; ///< s: q'' = -omega^2 (q + damping q'); default 0
    int elastic;    ///< literal only: impulses that turn the velocity round (fig 23); default 0
    long budget;    ///< most steps; default 1e6
} carom_bounce_options;

/// The defaults of every option.
CAROM_API carom_bounce_options carom_bounce_options_default(void);
/// The solver as written in files.
CAROM_API const char *carom_bounce_solver_name(carom_bounce_solver solver);

/// One contact by the solver that the options name.
CAROM_API carom_status carom_bounce_solve(const carom_bounce_case *one,
                                          const carom_bounce_options *options,
                                          carom_bounce_result *result, carom_error *err);
/// The judge: free flights in free modes, contacts in constrained modes, roots located, no time
/// step. Undamped.
CAROM_API carom_status carom_bounce_exact(const carom_bounce_case *one,
                                          const carom_bounce_options *options,
                                          carom_bounce_result *result, carom_error *err);
/// The symplectic Euler scheme of the paper (algorithm 1) in its own words, position and speed of
/// every mode, one contact at a time.
CAROM_API carom_status carom_bounce_literal(const carom_bounce_case *one,
                                            const carom_bounce_options *options,
                                            carom_bounce_result *result, carom_error *err);

/// Many contacts of one body at once: the same frequencies, other participations.
typedef struct carom_bounce_batch {
    int mode_count, sample_count; ///< lengths of the arrays
    const double *omega;          ///< rad/s, mode_count
    const double *w;              ///< 1/kg, sample_count
    const double *a;              ///< sample by sample: a[sample * mode_count + mode]
    int threads;                  ///< any number gives the same bits
} carom_bounce_batch;

/// All samples in vector lanes: production (exact modal rotation, impulses that end each step
/// without overlap, first touch of a micro-collision interpolated) or literal, as the options say.
/// The event solver has no lanes: it is called sample by sample.
CAROM_API carom_status carom_bounce_many(const carom_bounce_batch *batch,
                                         const carom_bounce_options *options,
                                         carom_bounce_result *results, carom_error *err);

/// One instant of a contact: fig 8 of the paper.
typedef struct carom_bounce_frame {
    double time;  ///< s
    double gap;   ///< m, of the vibrating point
    double rigid; ///< m, of the point as if the body were rigid
    double speed; ///< m/s, of the rigid point; -1 before the impact
    int touching; ///< non-zero while the surfaces touch
} carom_bounce_frame;

/// Who is told every step.
typedef struct carom_bounce_visitor {
    void (*frame)(void *context, const carom_bounce_frame *frame); ///< called after each step
    void *context;                                                 ///< handed to `frame`
} carom_bounce_visitor;

/// One contact by the production or the literal scheme, telling the visitor every step.
CAROM_API carom_status carom_bounce_trace(const carom_bounce_case *one,
                                          const carom_bounce_options *options,
                                          const carom_bounce_visitor *visitor,
                                          carom_bounce_result *result, carom_error *err);

/// Two bodies that meet (section 5.1 of the paper): the same scalar problem with both responses
/// added and both lists of modes side by side. A body with w = 0 and no modes is immovable; at
/// least one must move.
CAROM_API carom_status carom_bounce_pair(const carom_bounce_case *a, const carom_bounce_case *b,
                                         const carom_bounce_options *options,
                                         carom_bounce_result *result, carom_error *err);

/// How well each rule predicts the value of a pair (table 1 of the paper).
typedef struct carom_bounce_study {
    long pairs;                                 ///< of contacts, that were computed
    double mean;                                ///< of the two-body values
    double error[CAROM_RESTITUTION_RULE_COUNT]; ///< mean distance of each rule to them
    long capped;                                ///< pairs whose budget of steps ended first
} carom_bounce_study;

/// Computes all pairs of contacts of two bodies (twice the same batch: self collisions).
CAROM_API carom_status carom_bounce_study_run(const carom_bounce_batch *a,
                                              const carom_bounce_batch *b,
                                              const carom_bounce_options *options,
                                              carom_bounce_study *out, carom_error *err);

/// A file of kind "bounce-kernel": bare scalar problems and how to solve them.
typedef struct carom_bounce_file carom_bounce_file;

/// Reads a file ("-" is the standard input) or a text; errors say file, line and column.
CAROM_API carom_status carom_bounce_file_open(const char *path, carom_bounce_file **out,
                                              carom_error *err);
/// The same from a text; `name` is used in errors.
CAROM_API carom_status carom_bounce_file_parse(const char *name, const char *text, size_t size,
                                               carom_bounce_file **out, carom_error *err);
/// Frees the file; null is allowed.
CAROM_API void carom_bounce_file_close(carom_bounce_file *file);
/// How many contacts it holds, and what it says about solving them.
CAROM_API int carom_bounce_file_count(const carom_bounce_file *file);
/// How the file wants its contacts solved.
CAROM_API carom_bounce_options carom_bounce_file_options(const carom_bounce_file *file);
/// At most this many steps over all contacts, of which each gets the same part, whatever budget the
/// file gives it.
CAROM_API void carom_bounce_file_limit(carom_bounce_file *file, double steps);
/// Solves all of them; `results` holds one per contact.
CAROM_API carom_status carom_bounce_file_solve(const carom_bounce_file *file,
                                               carom_bounce_result *results, carom_error *err);

#ifdef __cplusplus
}
#endif
#endif

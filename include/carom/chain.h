/// @file
/// Chains: bodies in a row that meet head-on, in one dimension.
///
/// A body is a rigid point mass, a sphere or a cylinder cut into slices that compress, or an
/// immovable wall. carom_chain_run integrates the springs through the impact; carom_chain_waves
/// solves bars exactly by their travelling waves; carom_chain_stepper_step runs the time-stepping
/// schemes of sections 5 and 6 of [EC] on the same row. [EC] is Preclik and Ruede, "Elastic
/// Collisions in Complementarity-based Time-stepping Methods", 2010. Units are SI or any other
/// consistent set.
#ifndef CAROM_CHAIN_H
#define CAROM_CHAIN_H

#include "carom/json.h"
#include "carom/status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a body is.
typedef enum carom_chain_kind {
    CAROM_CHAIN_MASS,     ///< a rigid point mass
    CAROM_CHAIN_SPHERE,   ///< a sphere cut into slices, [EC, section 2, eq 11]
    CAROM_CHAIN_CYLINDER, ///< a cylinder cut into slices, [EC, section 3]
    CAROM_CHAIN_WALL      ///< immovable; the first or the last body only
} carom_chain_kind;

/// One body. Bodies stand from left to right; a positive velocity moves to the right.
typedef struct carom_chain_body {
    carom_chain_kind kind; ///< what it is
    double velocity;       ///< m/s, before the impact; 0 for a wall
    double mass;           ///< kg, of a MASS; others have theirs from geometry and density
    double radius;         ///< m; of a MASS only for pictures and positions (may be 0)
    double length;         ///< m, of a CYLINDER
    double young;          ///< Pa, Young's modulus E of a sliced body
    double density;        ///< kg/m^3 of a sliced body
    double damping; ///< s, of a sliced body: each material spring k has a dashpot k * damping
    int slices;     ///< of a sliced body, at least 1
} carom_chain_body;

/// What acts between two neighbours while they touch: F = stiffness * compression^exponent, never
/// tension.
typedef struct carom_chain_contact {
    double stiffness; ///< N/m^exponent; 0: bare faces, only the half slices of the bodies give way
                      ///< (eq 12)
    double exponent;  ///< 1 Hooke (eq 10), 1.5 Hertz (eq 13), up to 20
    double gap;       ///< m between the surfaces before the impact, at least 0
} carom_chain_contact;

/// A row of bodies. Zero-initialise; zero in an option means its default.
typedef struct carom_chain {
    const carom_chain_body *bodies; ///< from left to right
    size_t body_count;              ///< at least 2
    const carom_chain_contact
        *contacts;    ///< body_count - 1: contact i lies between bodies i and i + 1
    double duration;  ///< s; 0: until the bodies can no longer meet (bounded by max_steps)
    double tolerance; ///< largest relative energy error; default 1e-10
    size_t max_steps; ///< default 2 million; a run that ends here is flagged, not lost
    double work_max;  ///< (nodes + 16) times steps, of all attempts together; 0: no bound beside
                      ///< max_steps. A run that surely needs more is refused before it starts, one
                      ///< that turns out to need more ends there and is flagged
    size_t samples;   ///< most rows of the history; default 800
    size_t points;    ///< most drawn points per body in the history; default 41, fewer in long rows
} carom_chain;

/// What ended a run.
#define CAROM_CHAIN_EXIT_LIST(X)                                                                   \
    X(SEPARATED, "separated", "no contact can close again")                                        \
    X(DURATION, "duration", "the duration of the file was reached")                                \
    X(STEPS, "steps", "the step budget ended; bodies may still meet")                              \
    X(WORK, "work", "the bound on the work was reached; bodies may still meet")

/// What ended a run.
typedef enum carom_chain_exit {
#define CAROM_CHAIN_EXIT_VALUE(name, word, sentence) CAROM_CHAIN_EXIT_##name,
    CAROM_CHAIN_EXIT_LIST(CAROM_CHAIN_EXIT_VALUE)
#undef CAROM_CHAIN_EXIT_VALUE
} carom_chain_exit;

/// What one contact went through.
typedef struct carom_chain_touch {
    double first_touch;  ///< s, when it first carried force; NaN: never
    double last_release; ///< s, when it last let go; NaN: never, or still closed at the end
    double closed_time;  ///< s, total time closed under force
    double peak_force;   ///< N
    double impulse;      ///< N s, from the momentum of the bodies
    double
        restitution; ///< minus separation speed over approach speed (centres); NaN without approach
    size_t touches;  ///< how often it closed
} carom_chain_touch;

/// Rows of samples over time. Every array is row-major: row s starts at s * its count.
typedef struct carom_chain_history {
    size_t samples, bodies, contacts, points; ///< lengths of the arrays
    const double *time;                       ///< s
    const double *position;                   ///< m, samples x bodies: centres of mass
    const double *velocity;                   ///< m/s, samples x bodies: centres of mass
    const double *half_velocity; ///< m/s, samples x 2 bodies: left and right half of each body
    const double *force;         ///< N, samples x contacts
    const double *compression;   ///< m, samples x contacts: of the contact spring, negative: gap
    const double *approach; ///< m, samples x contacts: how much nearer than at rest the centres are
    const double *point_position; ///< m, samples x points: faces and slices, for pictures
    const size_t *first_point;    ///< bodies + 1: the points of body b are first_point[b] up to
                                  ///< first_point[b + 1]
} carom_chain_history;

/// The outcome of carom_chain_run or carom_chain_waves. Owns its memory.
typedef struct carom_chain_result {
    size_t bodies, contacts; ///< how many of each
    bool exact;              ///< by characteristics, not by slices
    const double *mass;      ///< kg, bodies; infinite for a wall
    const double *before;    ///< m/s, bodies
    const double *velocity;  ///< m/s, bodies: centres of mass after
    const double
        *vibration; ///< J, bodies: energy left inside (elastic and kinetic about the centre)
    const carom_chain_touch *touch; ///< contacts
    double energy_before;           ///< J
    double energy_after;   ///< J: centres of mass and vibration, and what contacts still hold
    double dissipated;     ///< J, by damping
    double energy_error;   ///< largest |E + dissipated - E before| / E before seen during the run
    double momentum_error; ///< |p after - p before| / sum of m |v|, or NaN with a wall
    double time;           ///< s, when the run ended
    double step;           ///< s, the largest step used; 0 for the exact solver
    size_t nodes;          ///< mass points of the sliced model
    size_t steps;          ///< steps of the last attempt, or events of the exact solver
    size_t attempts;       ///< runs with halved step until the tolerance held
    size_t events;         ///< openings and closings that were located
    double work;           ///< (nodes + 16) times steps, of all attempts and of steps taken again
    carom_chain_exit exit; ///< what ended the run
    bool accurate;         ///< the energy error is within the tolerance
    carom_chain_history history; ///< the run in time
} carom_chain_result;

/// Refuses what no run can use: counts, signs, walls inside the row, contacts without any spring.
CAROM_API carom_status carom_chain_check(const carom_chain *chain, carom_error *err);
/// Integrates the row through its impacts. On success *out is to be given to
/// carom_chain_result_destroy.
CAROM_API carom_status carom_chain_run(const carom_chain *chain, carom_chain_result **out,
                                       carom_error *err);
/// The same by exact waves: cylinders and walls only, bare faces, no damping ([EC, section 3]).
CAROM_API carom_status carom_chain_waves(const carom_chain *chain, carom_chain_result **out,
                                         carom_error *err);
/// Frees the result; null is allowed.
CAROM_API void carom_chain_result_destroy(carom_chain_result *result);
/// "separated", "duration" or "steps"; and the sentence that explains it.
CAROM_API const char *carom_chain_exit_word(carom_chain_exit reason);
/// What that means, in one sentence.
CAROM_API const char *carom_chain_exit_sentence(carom_chain_exit reason);
/// kg; infinite for a wall.
CAROM_API double carom_chain_body_mass(const carom_chain_body *body);
/// m, from face to face; 0 for a wall.
CAROM_API double carom_chain_body_length(const carom_chain_body *body);
/// m/s, sqrt(E / density) of a sliced body ([EC, eq 15]); infinite for the others.
CAROM_API double carom_chain_body_sound(const carom_chain_body *body);

// -- time stepping, [EC, sections 5 and 6] ------------------------------------------------------

/// How a step turns contacts that were hit into velocities. Each solves the inelastic
/// complementarity problem for positions first.
#define CAROM_CHAIN_RULE_LIST(X)                                                                   \
    X(INELASTIC, "inelastic", "the inelastic complementarity step alone")                          \
    X(FIXED_POINT, "fixed-point", "pair collisions along the row until none is left (eqs 16, 17)") \
    X(NEWTON, "newton", "Newton's hypothesis: separation = restitution * approach, at once")       \
    X(POISSON, "poisson", "Poisson's hypothesis: (1 + restitution) times the compression impulse")

/// How a step resolves its impacts.
typedef enum carom_chain_rule {
#define CAROM_CHAIN_RULE_VALUE(name, word, sentence) CAROM_CHAIN_RULE_##name,
    CAROM_CHAIN_RULE_LIST(CAROM_CHAIN_RULE_VALUE)
#undef CAROM_CHAIN_RULE_VALUE
        CAROM_CHAIN_RULE_COUNT
} carom_chain_rule;

/// Rigid bodies in a row for time stepping.
typedef struct carom_chain_row {
    size_t count;           ///< bodies, at least 2
    const double *mass;     ///< kg; infinite: immovable (the first or the last)
    const double *velocity; ///< m/s; 0 for an immovable body
    const double *gap;      ///< m, count - 1 contacts, or count in a frame; at least 0
    bool frame;             ///< body 0 is a frame around the others: the last body meets it again
} carom_chain_row;

/// What one step did.
typedef struct carom_chain_step_report {
    double energy_before, energy_after; ///< J
    size_t active;                      ///< contacts that were hit
    size_t passes;          ///< of the fixed point, the last one without a collision not counted
    size_t pair_collisions; ///< of the fixed point
    bool converged; ///< false: the fixed point cannot end; the step was finished by Poisson's
                    ///< hypothesis
} carom_chain_step_report;

/// A row that is stepped. Owns its memory.
typedef struct carom_chain_stepper carom_chain_stepper;

/// Copies the row. On success *out is to be given to carom_chain_stepper_destroy.
CAROM_API carom_status carom_chain_stepper_create(const carom_chain_row *row,
                                                  carom_chain_stepper **out, carom_error *err);
/// Frees the stepper; null is allowed.
CAROM_API void carom_chain_stepper_destroy(carom_chain_stepper *stepper);
/// One step of `dt` seconds with `restitution` in [0, 1]. A step that does not converge is finished
/// and reported, not refused.
CAROM_API carom_status carom_chain_stepper_step(carom_chain_stepper *stepper, double dt,
                                                double restitution, carom_chain_rule rule,
                                                carom_chain_step_report *report, carom_error *err);
/// m/s, one per body, after the last step.
CAROM_API const double *carom_chain_stepper_velocity(const carom_chain_stepper *stepper);
/// m travelled since creation, one per body.
CAROM_API const double *carom_chain_stepper_shift(const carom_chain_stepper *stepper);
/// m, one per contact.
CAROM_API const double *carom_chain_stepper_gap(const carom_chain_stepper *stepper);
/// N s of the inelastic step and of the rule, one per contact, in the last step.
CAROM_API const double *carom_chain_stepper_inelastic_impulse(const carom_chain_stepper *stepper);
/// N s of the rule, one per contact, in the last step.
CAROM_API const double *carom_chain_stepper_impulse(const carom_chain_stepper *stepper);
/// "inelastic", "fixed-point", "newton", "poisson".
CAROM_API const char *carom_chain_stepper_rule_word(carom_chain_rule rule);

// -- files --------------------------------------------------------------------------------------

/// Time stepping as a file asks for it.
typedef struct carom_chain_plan {
    double step;        ///< s
    size_t steps;       ///< how many
    double restitution; ///< 0 to 1
    bool frame;         ///< body 0 is a frame around the others
    double frame_gap;   ///< m, between the last body and the frame
} carom_chain_plan;

/// A chain read from a JSON file of kind "chain" (see docs/chain.md). Owns everything it gives out.
typedef struct carom_chain_file carom_chain_file;

/// Reads a file ("-": standard input). On success *out is to be given to carom_chain_file_close.
CAROM_API carom_status carom_chain_file_open(const char *path, carom_chain_file **out,
                                             carom_error *err);
/// Reads a text of `size` bytes; `name` is used in errors.
CAROM_API carom_status carom_chain_file_parse(const char *name, const char *text, size_t size,
                                              carom_chain_file **out, carom_error *err);
/// Frees the file; null is allowed.
CAROM_API void carom_chain_file_close(carom_chain_file *file);
/// The row of bodies; belongs to the file.
CAROM_API const carom_chain *carom_chain_file_chain(const carom_chain_file *file);
/// The title, or null.
CAROM_API const char *carom_chain_file_title(const carom_chain_file *file);
/// Names of the bodies, never null: given, or the number of the body, counted from 1.
CAROM_API const char *const *carom_chain_file_names(const carom_chain_file *file);
/// False: rigid bodies without a contact law, for time stepping only.
CAROM_API bool carom_chain_file_has_springs(const carom_chain_file *file);
/// The time stepping asked for, or null.
CAROM_API const carom_chain_plan *carom_chain_file_plan(const carom_chain_file *file);
/// Gaps (m) to try in turn at all contacts; null and 0 where none.
CAROM_API const double *carom_chain_file_sweep(const carom_chain_file *file, size_t *count);
/// Writes the JSON Schema of such files.
CAROM_API void carom_chain_file_schema(carom_json *json);

// -- whole files at once ------------------------------------------------------------------------

/// One rule carried through all steps of a plan.
typedef struct carom_chain_course {
    const double *velocity; ///< m/s, bodies, after the last step
    const double *shift;    ///< m, bodies
    const double *impulse;  ///< N s, contacts, sum over the steps
    const double
        *first_inelastic; ///< N s, contacts: the inelastic impulses of the first step with a hit
    double energy_before, energy_after;    ///< J
    size_t steps, passes, pair_collisions; ///< sums over the run
    size_t unconverged; ///< steps whose fixed point cannot end; finished by Poisson's hypothesis
} carom_chain_course;

/// All rules on one row. Owns its memory.
typedef struct carom_chain_courses {
    size_t bodies, contacts;                           ///< how many of each
    carom_chain_course course[CAROM_CHAIN_RULE_COUNT]; ///< by rule
} carom_chain_courses;

/// Steps the row of `chain` (all bodies rigid) as planned, with every rule. Give *out to
/// carom_chain_plan_destroy.
CAROM_API carom_status carom_chain_plan_run(const carom_chain *chain, const carom_chain_plan *plan,
                                            carom_chain_courses **out, carom_error *err);
/// Frees the courses; null is allowed.
CAROM_API void carom_chain_plan_destroy(carom_chain_courses *courses);

/// Velocities after runs with different gaps. Owns its memory.
typedef struct carom_chain_sweep {
    size_t count, bodies;   ///< runs, and bodies of each
    const double *gap;      ///< m, count
    const double *velocity; ///< m/s, count x bodies
    const double *distance; ///< m/s, count: largest difference to pair collisions one after another
    bool complete;          ///< every run separated within its tolerance
    double work;            ///< of all runs; none after carom_chain.work_max was reached
} carom_chain_sweep;

/// Runs the chain once per gap (m, at every contact). Give *out to carom_chain_sweep_destroy.
CAROM_API carom_status carom_chain_sweep_run(const carom_chain *chain, const double *gaps,
                                             size_t count, carom_chain_sweep **out,
                                             carom_error *err);
/// Frees the sweep; null is allowed.
CAROM_API void carom_chain_sweep_destroy(carom_chain_sweep *sweep);

// -- pictures -----------------------------------------------------------------------------------

/// What a picture or a page shows. Everything but the chain may be null.
typedef struct carom_chain_report {
    const char *title;                  ///< of the page
    const char *const *names;           ///< bodies
    const carom_chain *chain;           ///< the row
    const carom_chain_result *result;   ///< the run in the four panels
    const carom_chain_result *exact;    ///< exact waves beside it
    const carom_chain_courses *courses; ///< time stepping
    const carom_chain_sweep *sweep;     ///< over gaps; may be null
} carom_chain_report;

/// The four panels of the figures of [EC] (positions, compressions, velocities, force over
/// compression) as SVG; where there is a sweep, the velocities over the gap instead. free() *out.
CAROM_API carom_status carom_chain_picture_svg(const carom_chain_report *report, char **out,
                                               carom_error *err);
/// The bodies at twelve instants, coloured by strain: where the waves are ([EC, figs 9, 10]).
/// UNSUPPORTED without a body that compresses. free() *out.
CAROM_API carom_status carom_chain_picture_waves(const carom_chain_report *report, char **out,
                                                 carom_error *err);
/// A self-contained HTML page with tables and pictures. free() *out.
CAROM_API carom_status carom_chain_picture_html(const carom_chain_report *report, char **out,
                                                carom_error *err);
/// The impulses that are possible when three bodies meet ([EC, fig 2]): energy curve (eqs 8, 9),
/// non-penetration (eqs 6, 7), non-negativity, and where the rules and the springs end (`result`
/// may be null). UNSUPPORTED unless there are three bodies without walls. free() *out.
CAROM_API carom_status carom_chain_space_svg(const carom_chain *chain,
                                             const carom_chain_result *result, double step,
                                             char **out, carom_error *err);

#ifdef __cplusplus
}
#endif
#endif

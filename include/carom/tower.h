/// @file
/// Towers: is it stable, how does it start to fall, how does it go on. [Collapse]
///
/// A tower is a set of rigid convex bodies in the plane (bricks, polygons, point masses) above
/// immovable supports, frictionless unless said, optionally tied by pins and bars. Gravity points
/// down (-y). Units are free as long as they agree; the defaults are bricks of 1 x 1/4 with mass 1
/// and gravity 1. Angles are radians, counter-clockwise. Bodies are numbered in the order they were
/// added, from 0.
#ifndef CAROM_TOWER_H
#define CAROM_TOWER_H

#include <stdbool.h>
#include <stddef.h>
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Most bodies, supports and frameworks points together that a tower may have.
enum { CAROM_TOWER_BODIES_MAX = 20000 };
/// Most corners of one polygon.
enum { CAROM_TOWER_CORNERS_MAX = 64 };

/// A tower. Create, add, then ask; the questions never change it.
/// Bodies, supports, pins and bars at rest.
typedef struct carom_tower carom_tower;
/// A tower in motion, with its own copy of the positions.
typedef struct carom_tower_motion carom_tower_motion;

/// How the mass of a brick is spread [Collapse, 8.1].
typedef enum carom_tower_mass {
    CAROM_TOWER_HOMOGENEOUS, ///< evenly over the polygon (also what 5 and 9 points give)
    CAROM_TOWER_CORNERS,     ///< four equal points at the corners: three times the inertia
} carom_tower_mass;

/// A body: a convex polygon with corners counter-clockwise around its origin, which is placed at
/// (x, y) and turned by angle.
typedef struct carom_tower_body {
    const double *corners; ///< x, y of each corner in the frame of the body; null for a rectangle
    int corner_count;      ///< number of corners, 3 to CAROM_TOWER_CORNERS_MAX; 0 for a rectangle
    double width, height;  ///< of the rectangle, centred on the origin
    double mass; ///< positive; 0 means area times the density of a 1 x 1/4 brick of mass 1
    carom_tower_mass spread; ///< how the mass is spread
    double x, y, angle;      ///< where the origin of its frame is, and how far it is turned (rad)
    bool fixed;              ///< immovable: a support
} carom_tower_body;

/// An empty tower with the given gravity (>= 0, downward), or null when there is no memory.
CAROM_API carom_tower *carom_tower_create(double gravity);
/// Frees the tower; null is allowed.
CAROM_API void carom_tower_destroy(carom_tower *tower);

/// Adds a body and returns its number in *index (null: not wanted). The centre of mass becomes the
/// point whose motion is reported.
CAROM_API carom_status carom_tower_add_body(carom_tower *tower, const carom_tower_body *body,
                                            int *index, carom_error *err);
/// Adds the immovable half plane below the line through (x, y) with the upward unit normal (nx,
/// ny).
CAROM_API carom_status carom_tower_add_ground(carom_tower *tower, const double point[2],
                                              const double normal[2], carom_error *err);
/// Adds an immovable table: everything left of `right` (or right of `left`) and below `top`. Use
/// -INFINITY or INFINITY for a side without edge.
CAROM_API carom_status carom_tower_add_table(carom_tower *tower, double left, double right,
                                             double top, carom_error *err);
/// Adds a point mass.
CAROM_API carom_status carom_tower_add_point(carom_tower *tower, double x, double y, double mass,
                                             int *index, carom_error *err);
/// Adds a rectangle as a framework of `points` point masses (4, 5 or 9) and bars [Collapse, 8.1,
/// figure 10]; *index is the number of its first point. The corners come first, counter-clockwise.
CAROM_API carom_status carom_tower_framework_add(carom_tower *tower, const carom_tower_body *body,
                                                 int points, int *index, carom_error *err);
/// Ties body a to body b (b = -1: to the world) at the point (x, y): a hinge.
CAROM_API carom_status carom_tower_add_pin(carom_tower *tower, int a, int b, double x, double y,
                                           carom_error *err);
/// Holds the distance between the point (ax, ay) of body a and (bx, by) of body b (-1: the world).
CAROM_API carom_status carom_tower_add_bar(carom_tower *tower, int a, const double a_point[2],
                                           int b, const double b_point[2], carom_error *err);
/// Coulomb friction coefficient for the motion and for the equilibrium test; 0 by default.
CAROM_API carom_status carom_tower_set_friction(carom_tower *tower, double friction,
                                                carom_error *err);

/// Refuses bodies that overlap by more than `tolerance` (a length).
CAROM_API carom_status carom_tower_check_overlap(const carom_tower *tower, double tolerance,
                                                 carom_error *err);

/// Number of bodies (supports that are half planes or tables are no bodies).
CAROM_API int carom_tower_bodies(const carom_tower *tower);
/// The acceleration it stands under, downward.
CAROM_API double carom_tower_gravity(const carom_tower *tower);
/// Coulomb's coefficient of all contacts.
CAROM_API double carom_tower_friction(const carom_tower *tower);
/// Mass, and moment of inertia about the centre of mass.
CAROM_API double carom_tower_body_mass(const carom_tower *tower, int body);
/// Moment of inertia of a body about its centre of mass.
CAROM_API double carom_tower_body_inertia(const carom_tower *tower, int body);
/// Centre of mass and angle: x, y, angle.
CAROM_API void carom_tower_body_place(const carom_tower *tower, int body, double place[3]);
/// Whether the body is immovable.
CAROM_API bool carom_tower_body_fixed(const carom_tower *tower, int body);

// -- scenes -------------------------------------------------------------------------------------

/// Builds a named tower: diamond:n, triangle:n, harmonic:n,eps, parabolic:d, wall:rows,cols,
/// single:d.
CAROM_API carom_status carom_tower_build(const char *spec, carom_tower **tower, carom_error *err);
/// The scene file text of a named tower (release with free), for `carom tower --build`.
CAROM_API carom_status carom_tower_build_text(const char *spec, char **text, carom_error *err);
/// Reads a scene file of kind "tower".
CAROM_API carom_status carom_tower_file_load(const char *path, carom_tower **tower,
                                             carom_error *err);

// -- one instant --------------------------------------------------------------------------------

/// A contact and the force it carries.
typedef struct carom_tower_force {
    int a, b; ///< body b is pushed along the normal, body a against it; a = -1: ground or table
    double point[2];  ///< where
    double normal[2]; ///< unit, from a to b
    double force;     ///< >= 0
    double tangent;   ///< friction force along (-ny, nx) on b; 0 without friction
    double opening;   ///< relative normal acceleration; > 0: the contact opens
} carom_tower_force;

/// The force in a bar (positive: tension) or one coordinate of the force in a pin.
typedef struct carom_tower_tie {
    int a, b;            ///< the bodies it holds together
    double point[2];     ///< where
    double direction[2]; ///< unit; the tie pulls a against the direction with `force`
    double force;        ///< that it carries; see `direction`
    bool bar;            ///< a bar, not a pin
} carom_tower_tie;

/// Which solver answers. AUTO: the active set up to 60 bodies, the interior point above.
typedef enum carom_tower_solver {
    CAROM_TOWER_AUTO,     ///< by the size of the problem
    CAROM_TOWER_INTERIOR, ///< interior point
    CAROM_TOWER_ACTIVE,   ///< dual active set
} carom_tower_solver;

/// What happens at the first instant: Gauss's principle [Collapse, (Q), (L2), (S2)].
typedef struct carom_tower_instant {
    bool stable;               ///< no body accelerates: `forces` balance every body
    int bodies;                ///< of the tower
    double *accelerations;     ///< ax, ay, alpha of each body
    int force_count;           ///< length of `forces`
    carom_tower_force *forces; ///< what each contact carries
    int tie_count;             ///< length of `ties`
    carom_tower_tie *ties;     ///< what pins and bars carry
    double sum_m_a2;           ///< sum of m |a|^2 + I alpha^2
    double support_force;      ///< sum of the vertical forces the supports give
    double power;       ///< energy lost per time when moved along the accelerations: sum m g . a
    double largest;     ///< largest acceleration component (lengths and brick half-lengths alike)
    double kkt;         ///< optimality residual of the quadratic program
    double asymmetry;   ///< raw left-right asymmetry of the solver; 0 if the tower is not symmetric
    const char *method; ///< which solver answered
    int rows;           ///< rows of the quadratic program
} carom_tower_instant;

/// Largest acceleration, in units of gravity, that still counts as rest in floating point. Towers
/// this close to the boundary are what carom_tower_prove is for.
#define CAROM_TOWER_REST 1e-10

/// Accelerations and contact forces at the first instant from rest. Release with
/// carom_tower_initial_free also after a failure.
CAROM_API carom_status carom_tower_initial(const carom_tower *tower, carom_tower_solver solver,
                                           carom_tower_instant *out, carom_error *err);
/// Frees what an instant holds.
CAROM_API void carom_tower_initial_free(carom_tower_instant *instant);

// -- proof --------------------------------------------------------------------------------------

/// The answer of the first instant in exact rational arithmetic.
typedef struct carom_tower_proof {
    bool stable;       ///< nothing accelerates
    char *certificate; ///< JSON: forces that balance every body, or a motion that lowers the energy
    char *sum_m_a2;    ///< exact, as a fraction: "216/989"
    char *support;     ///< exact vertical force of the supports
    double tolerance;  ///< largest gap that was taken for contact; 0: everything touches exactly
    int bits;          ///< of the largest number met
    int contacts;      ///< that carry a force
} carom_tower_proof;

/// Solves the first instant exactly on the support the floating-point answer suggests, repairs the
/// support if needed, verifies the optimality conditions exactly and writes a certificate.
/// Frictionless towers without pins and bars only. The coordinates are taken as the doubles they
/// are.
CAROM_API carom_status carom_tower_prove(const carom_tower *tower, carom_tower_proof *out,
                                         carom_error *err);
/// Frees what a proof holds.
CAROM_API void carom_tower_prove_free(carom_tower_proof *proof);

/// What an independent reader found in a certificate.
typedef struct carom_tower_verdict {
    bool stable;        ///< what the certificate claims
    bool valid;         ///< the claim is proved
    bool accelerations; ///< unstable, and the motion is proved to be the exact acceleration
    bool of_the_scene;  ///< bodies, supports, gravity and contacts are those of a given scene
    int bodies, forces, contacts; ///< of the certificate
    char reason[200];             ///< why not, when not valid
    char where[96];               ///< the member of the certificate: "bodies[3].corners[1][0]"
    char fix[160];                ///< the next thing to try
    double tolerance;             ///< of the geometry
} carom_tower_verdict;

/// Checks a certificate from scratch, in rational arithmetic; shares no code with the solver. The
/// status tells whether the file could be read, the verdict whether its claim holds. Whether the
/// bodies in the file are those of a scene is another question: carom_tower_scene_check.
CAROM_API carom_status carom_tower_checker_check(const char *path, carom_tower_verdict *out,
                                                 carom_error *err);
/// The same, and the certificate has to be about this tower: gravity, tolerance, masses, corners,
/// centres, supports and the contacts that carry forces are compared exactly with what the tower
/// gives.
CAROM_API carom_status carom_tower_scene_check(const char *path, const carom_tower *tower,
                                               carom_tower_verdict *out, carom_error *err);

// -- motion -------------------------------------------------------------------------------------

/// How lengths are kept [Collapse, sections 5 and 8.3].
typedef enum carom_tower_variant {
    CAROM_TOWER_UNIT,      ///< bodies turn by exact rotations: no size error
    CAROM_TOWER_PROJECTED, ///< (L''): the projection has the original length
    CAROM_TOWER_SECOND,    ///< (L3): (L'') with the second-order term, no bias
    CAROM_TOWER_LITERAL,   ///< (L') as printed: lengths drift; for comparison
} carom_tower_variant;

/// How a tower moves.
typedef struct carom_tower_motion_options {
    double dt;                   ///< of a step
    carom_tower_variant variant; ///< default UNIT
    int sidedness;        ///< s in (S'): 0 plain, 1 second-order exact (default), 2 equals figure 6
    bool plain_start;     ///< start with p_old = p (first order) instead of p + 1/2 a dt^2
    bool acceleration;    ///< step of figure 6 instead of figure 7; for comparison
    bool ignore_symmetry; ///< do not restore mirror symmetry after each solve
    bool all_corners;     ///< one edge against every corner of the other body, as [Collapse, 8.5]
                          ///< prints it; falls are late and lopsided; for comparison
    bool cold;            ///< never start the solver from the last multipliers
    double stop_early;    ///< stop the interior point at this complementarity, as [Collapse,
                          ///< footnote 3] suspects; 0: solve to round-off
    double penalty;       ///< M of [Collapse, 8.4]: bars are springs of a penalty, not equations;
                          ///< 0: equations. carom_tower_record makes frameworks of the bricks
} carom_tower_motion_options;

/// dt = 1/128, unit variant, second-order start.
CAROM_API carom_tower_motion_options carom_tower_motion_default(void);

/// What one step found; the audit is always on.
typedef struct carom_tower_step {
    double time;               ///< after the step
    double kinetic, potential; ///< at the half step, see docs/tower.md
    double energy_gain;        ///< of this step; negative: lost in an impact
    double penetration;        ///< deepest overlap of two bodies after the step
    double size_error;         ///< largest relative change of a body's size or a bar's length
    double asymmetry;          ///< raw left-right asymmetry of the solution, before it is removed
    double kkt;                ///< optimality residual
    double qp_ms;              ///< time in the solver
    int rows, active;          ///< of the quadratic program
    int factorisations;        ///< of the solver
    int corrections; ///< times the step was repeated because it would have ended with an overlap
    bool interior;   ///< the interior point had to be called
    bool collision;  ///< the energy fell by more than round-off and step error explain
} carom_tower_step;

/// Extremes over all steps so far.
typedef struct carom_tower_audit {
    long steps;                     ///< done
    double penetration, size_error; ///< the largest of all steps, as in carom_tower_step
    double asymmetry, kkt;          ///< likewise
    double energy_gain_step, energy_gain_total; ///< largest single gain; sum of all gains
    double energy_start;                        ///< kinetic plus potential at the start
    double qp_ms;                               ///< time in the solver, ms
    int rows;                                   ///< most of the quadratic program
    bool symmetric;                             ///< a mirror axis was found
    double first_contact_with_support; ///< time a body first met a support it did not touch before;
                                       ///< -1: never
    long interior_calls;               ///< steps that needed the interior point
    long corrections;                  ///< steps that were repeated
    long fixed_point_rounds;           ///< friction only
} carom_tower_audit;

/// Starts from rest with a copy of the tower.
CAROM_API carom_status carom_tower_motion_create(const carom_tower *tower,
                                                 const carom_tower_motion_options *options,
                                                 carom_tower_motion **motion, carom_error *err);
/// Frees the motion; null is allowed.
CAROM_API void carom_tower_motion_destroy(carom_tower_motion *motion);
/// Gives a body a velocity (vx, vy, omega) before the first step.
CAROM_API carom_status carom_tower_motion_set_velocity(carom_tower_motion *motion, int body,
                                                       const double velocity[3], carom_error *err);
/// One step. On failure the motion stays as it was.
CAROM_API carom_status carom_tower_motion_step(carom_tower_motion *motion, carom_tower_step *report,
                                               carom_error *err);
/// x, y, angle of a body now, and its velocity over the last step.
CAROM_API void carom_tower_motion_place(const carom_tower_motion *motion, int body,
                                        double place[3]);
/// Velocity and angular velocity of a body over the last step.
CAROM_API void carom_tower_motion_velocity(const carom_tower_motion *motion, int body,
                                           double velocity[3]);
/// The worst of all steps so far.
CAROM_API carom_tower_audit carom_tower_motion_audit(const carom_tower_motion *motion);
/// Whether every body is the mirror image of its partner to the last bit.
CAROM_API bool carom_tower_motion_is_symmetric(const carom_tower_motion *motion);
/// A hash of all positions, for comparisons between builds.
CAROM_API unsigned long long carom_tower_motion_hash(const carom_tower_motion *motion);

// -- penalty ------------------------------------------------------------------------------------

/// The first instant as [Collapse, 8.4] would have it: every brick a framework of point masses (9
/// points and 16 bars, figure 10; with corner masses 4 points and 5 bars, figure 4) whose bars are
/// no equations but the terms M (<a_i - a_j, e>)^2 of the objective, e = p_i - p_j. `out` is as
/// carom_tower_initial fills it, for the bricks: the motion that the masses of a framework have in
/// common. *stretch (null: not wanted) becomes the largest acceleration of a bar's length over the
/// length. Rectangles without pins and bars only. Release out with carom_tower_initial_free.
CAROM_API carom_status carom_tower_penalty_initial(const carom_tower *tower, double penalty,
                                                   carom_tower_instant *out, double *stretch,
                                                   carom_error *err);

// -- recording and pictures ---------------------------------------------------------------------

/// A recorded motion.
typedef struct carom_tower_recording {
    int bodies, frames;                 ///< how many of each
    double *time;                       ///< of each frame; the first is the start
    double *place;                      ///< x, y, angle of each body in each frame
    double *kinetic;                    ///< of each frame; as in carom_tower_step
    double *potential;                  ///< of each frame; as in carom_tower_step
    double *penetration;                ///< of each frame: deepest overlap
    carom_tower_audit audit;            ///< of the whole motion
    double qp_ms_max;                   ///< slowest step
    bool bitwise;                       ///< mirror symmetric to the last bit in every step
    unsigned long long hash;            ///< of the last state
    carom_tower_motion_options options; ///< it was made with
} carom_tower_recording;

/// Runs `steps` steps and keeps every `every`-th state and the last. Release with
/// carom_tower_recording_free also after a failure: what was recorded before it stays.
CAROM_API carom_status carom_tower_record(const carom_tower *tower,
                                          const carom_tower_motion_options *options, long steps,
                                          int every, carom_tower_recording *recording,
                                          carom_error *err);
/// Frees what a recording holds.
CAROM_API void carom_tower_recording_free(carom_tower_recording *recording);

/// A picture (SVG): the tower with its force diagram (line width = force), where it starts to move,
/// and, with a recording, frames of the collapse. `instant` and `recording` may be null. Release
/// with free.
CAROM_API carom_status carom_tower_picture_svg(const carom_tower *tower,
                                               const carom_tower_instant *instant,
                                               const carom_tower_recording *recording,
                                               const char *title, char **svg, carom_error *err);
/// A page that plays it: carom_view_source_tower and carom_view_page.

// -- overhang -----------------------------------------------------------------------------------

/// A stack of bricks that reaches over the edge of a table at x = 0.
typedef struct carom_tower_overhang {
    int bricks;           ///< of the stack
    double place[2 * 16]; ///< centres
    double reach;         ///< x of the farthest right end
    int rows[16];         ///< bricks per row, bottom to top
    int row_count;        ///< length of `rows`
    long tried;           ///< stacks examined
    bool proved;          ///< stability verified in rational arithmetic
} carom_tower_overhang;

/// Searches the stable stack of 1 to 8 bricks (1 x 1/4, one brick on the table) that reaches
/// farthest; the same seed gives the same answer. `effort` is the number of random starts per shape
/// of stack.
CAROM_API carom_status carom_tower_overhang_search(int bricks, int effort, unsigned long long seed,
                                                   carom_tower_overhang *out, carom_error *err);

#ifdef __cplusplus
}
#endif
#endif

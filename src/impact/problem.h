// The contact problem as the laws see it: one row per contact, adjacency, islands. W = J M^-1 J^T
// is applied through the bodies, never stored.
//
// Symbols: v twist of a body (linear, angular); u = J v normal speeds, negative where approaching;
// p impulses; W_ij = J_i M^-1 J_j^T.
#ifndef CAROM_IMPACT_PROBLEM_H
#define CAROM_IMPACT_PROBLEM_H

#include <stdbool.h>
#include "base/arena.h"
#include "base/progress.h"
#include "carom/impact.h"
#include "math/vec.h"

// Velocity of a body: 48 bytes, so that applying an impulse touches one line.
typedef struct carom_twist {
    vec3 linear, angular;
} carom_twist;

// One row of J along a direction d at a contact, with the response M^-1 J^T next to it. The sign is
// that of body b: u = d . (v_b - v_a) + arm_b . w_b - arm_a . w_a.
typedef struct carom_row {
    int a, b;
    vec3 d;              // unit direction
    vec3 arm_a, arm_b;   // (point - position) x d
    vec3 turn_a, turn_b; // inverse inertia times arm
    double inv_a, inv_b; // inverse masses
    double diagonal;     // W_ii > 0
} carom_row;

// Direction and bodies of a contact in half a cache line.
typedef struct carom_problem_link {
    vec3 d;
    int a;
    unsigned b : 31, turns : 1; // turns: the impulse has an arm about a body that can spin
} carom_problem_link;

// Bits of carom_problem.still: a body of the contact is immovable.
enum { CAROM_PROBLEM_STILL_A = 1, CAROM_PROBLEM_STILL_B = 2 };

// An observer of the law at work.
typedef struct carom_problem_observer {
    carom_impact_observer callback;
    int base;            // sweeps reported in an earlier part of the law
    double (*so_far)[3]; // room for impulses that a law keeps elsewhere
} carom_problem_observer;

typedef struct carom_problem {
    int body_count, contact_count;
    const carom_impact_body *bodies;
    const carom_impact_contact *contacts;
    carom_row *normal;    // one per contact
    carom_row *tangent;   // two per contact (t1, t2), as carom_problem_tangents has been asked for
                          // them; null where no contact has friction
    unsigned char *drawn; // per contact: its tangents are there
    int *first_contact;   // CSR over bodies: contacts of body i are contact_list[first[i] ..
                          // first[i+1])
    int *contact_list;    // ascending per body; empty for immovable bodies
    int island_count;
    int *first_island;    // CSR over islands
    int *island_contacts; // contact indices, ascending per island; islands by their lowest contact
    carom_problem_link *links; // one per contact: loops over all take these, not the rows
    unsigned char *still;      // per contact
    bool turning;              // some contact turns
    bool shifted;              // some contact is with an image
    double *u;                 // normal speeds before the impact
    double fastest;            // max |u|
    int threads;               // for parallel loops, at least 1
    double accuracy; // relative residual allowed in large islands; 0: as exact as they come
    bool coarse;     // its moment is not known to better than a step (workspace.h)
    double slack;    // m/s, approach that inelastic solves of large parts may leave; 0: as exact
    double work;     // contacts that sweeps of one island may look at; 0: the default
    carom_arena **thread_scratch;     // one arena per thread, for work on islands side by side
    carom_problem_observer *observer; // null: none
    carom_progress_stop *stop;        // null: nobody may stop it
} carom_problem;

// Someone wants the law to end now, with whatever it has: what comes out is thrown away. For loops
// that cannot fail, once per sweep; others use carom_problem_query_stop.
static inline bool carom_problem_stopped(const carom_problem *problem)
{
    return problem->stop && carom_progress_stopped(problem->stop);
}

// What a law changes: starts as (velocities before, zeros). A candidate result of a law is another
// one of these.
typedef struct carom_motion {
    carom_twist *v; // one per body
    double (*p)[3]; // one per contact, N s on body b: along the normal, t1, t2
} carom_motion;

// Builds rows, adjacency and islands in the arena. The impact has been checked.
carom_status carom_problem_build(const carom_impact *impact, carom_arena *arena,
                                 carom_problem *problem, carom_error *err);

// A motion with room for the whole problem: velocities before the impact, no impulses yet.
carom_status carom_problem_begin_motion(const carom_problem *problem, carom_arena *arena,
                                        carom_motion *motion, carom_error *err);

// Adds `share` times the impulses that the contact has already, along all its rows.
void carom_problem_add_share(const carom_problem *problem, int contact, double share,
                             carom_motion *motion);

// One motion becomes the other.
void carom_problem_copy_motion(const carom_problem *problem, const carom_motion *from,
                               carom_motion *to);

// The two rows of friction of a contact; large islands do without them.
void carom_problem_make_tangents(const carom_problem *problem, int contact);
static inline const carom_row *carom_problem_tangents(const carom_problem *problem, int contact)
{
    if (!problem->drawn[contact])
        carom_problem_make_tangents(problem, contact);
    return &problem->tangent[2 * contact];
}

// Where b is touched: of its image (carom_impact_contact.shift) the point itself. Without a shift
// the same bits: taking off a zero changes no number, not even the sign of another zero.
static inline vec3 carom_problem_point_of_b(const carom_impact_contact *contact)
{
    return vec3_sub(vec3_from(contact->point), vec3_from(contact->shift));
}

// The square of the numbers that an arm at a contact was computed from: its round-off.
static inline double carom_problem_arm_size(const carom_impact_contact *contact,
                                            const carom_impact_body *body)
{
    vec3 point = vec3_from(contact->point), shift = vec3_from(contact->shift);
    vec3 centre = vec3_from(body->position);
    return vec3_dot(point, point) + vec3_dot(centre, centre) + vec3_dot(shift, shift);
}

// Velocity of b against a at a contact with the given twists.
static inline vec3 carom_problem_relative_velocity(const carom_problem *problem, int contact,
                                                   const carom_twist *a, const carom_twist *b)
{
    const carom_impact_contact *c = &problem->contacts[contact];
    vec3 arm_a = vec3_sub(vec3_from(c->point), vec3_from(problem->bodies[c->a].position));
    vec3 arm_b = vec3_sub(carom_problem_point_of_b(c), vec3_from(problem->bodies[c->b].position));
    return vec3_sub(vec3_add(b->linear, vec3_cross(b->angular, arm_b)),
                    vec3_add(a->linear, vec3_cross(a->angular, arm_a)));
}

static inline double carom_row_speed(const carom_row *row, const carom_twist *v)
{
    const carom_twist *a = &v[row->a], *b = &v[row->b];
    return vec3_dot(row->d, vec3_sub(b->linear, a->linear)) + vec3_dot(row->arm_b, b->angular) -
           vec3_dot(row->arm_a, a->angular);
}

static inline void carom_row_apply(const carom_row *row, double impulse, carom_twist *v)
{
    carom_twist *a = &v[row->a], *b = &v[row->b];
    a->linear = vec3_axpy(a->linear, -impulse * row->inv_a, row->d);
    a->angular = vec3_axpy(a->angular, -impulse, row->turn_a);
    b->linear = vec3_axpy(b->linear, impulse * row->inv_b, row->d);
    b->angular = vec3_axpy(b->angular, impulse, row->turn_b);
}

// The normal speed of a contact with the given twists.
static inline double carom_problem_speed(const carom_problem *problem, int contact,
                                         const carom_twist *v)
{
    const carom_problem_link *one = &problem->links[contact];
    if (one->turns)
        return carom_row_speed(&problem->normal[contact], v);
    return vec3_dot(one->d, vec3_sub(v[one->b].linear, v[one->a].linear));
}

// Work that the driven bodies do: their velocity times the impulse they pass on. Row by row it is
// the part of p . (J v) that belongs to immovable bodies, whose v does not change.
static inline double carom_row_driven_work(const carom_row *row, double p, const carom_twist *v)
{
    double work = 0;
    if (row->inv_a == 0)
        work -= p * (vec3_dot(row->d, v[row->a].linear) + vec3_dot(row->arm_a, v[row->a].angular));
    if (row->inv_b == 0)
        work += p * (vec3_dot(row->d, v[row->b].linear) + vec3_dot(row->arm_b, v[row->b].angular));
    return -work;
}

// W_ij of two rows: the sum over the bodies they share.
static inline double carom_row_coupling(const carom_row *i, const carom_row *j)
{
    double dd = vec3_dot(i->d, j->d), w = 0;
    if (i->a == j->a)
        w += i->inv_a * dd + vec3_dot(i->turn_a, j->arm_a);
    if (i->b == j->b)
        w += i->inv_b * dd + vec3_dot(i->turn_b, j->arm_b);
    if (i->a == j->b)
        w -= i->inv_a * dd + vec3_dot(i->turn_a, j->arm_b);
    if (i->b == j->a)
        w -= i->inv_b * dd + vec3_dot(i->turn_b, j->arm_a);
    return w;
}

// The impulses after a sweep, for an observer; cheap where there is none.
void carom_problem_report(const carom_problem *problem, int sweep, const double (*p)[3]);
// The same after one step within a sweep, with the energy that the law has in store (J).
void carom_problem_report_step(const carom_problem *problem, const double (*p)[3], double stored);
static inline bool carom_problem_reports_steps(const carom_problem *problem)
{
    return problem->observer && problem->observer->callback.after_step;
}
// As after a sweep, for a law that keeps the normal impulses of `count` contacts apart from those
// in p.
void carom_problem_report_some(const carom_problem *problem, int sweep, const carom_motion *motion,
                               const int *contacts, const double *normal, int count);

// Whether to go on, after `work` more contact updates (of some 50 ns each): queried
// about twenty times a second. Cheap where nobody may stop it.
static inline carom_status carom_problem_query_stop(const carom_problem *problem, int64_t work,
                                                    carom_error *err)
{
    return problem->stop ? carom_progress_spend(problem->stop, work, "impact", err) : CAROM_OK;
}

// Kinetic energy of the movable bodies with the given twists.
double carom_problem_energy(const carom_problem *problem, const carom_twist *v);

#endif

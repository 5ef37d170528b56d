// Linkages: moving bodies that joints connect, directly or through others, and their motion over
// one interval without contact forces. linkage.c says who belongs to which and when they move by
// themselves, linkage_rows.c what the joints ask for, linkage_force.c what their springs and motors
// do, linkage_flow.c how they move, linkage_past.c where their forces are looked for.
#ifndef CAROM_WORLD_LINKAGE_H
#define CAROM_WORLD_LINKAGE_H

#include "contact/contact.h"
#include "solve/sparse_block.h"
#include "world/step.h"

enum { CAROM_LINKAGE_ROWS = 8 }; // of one joint, at most
// How a body moves: by itself, with a linkage on which nothing presses, with one that is pressed.
enum { CAROM_LINKAGE_NONE, CAROM_LINKAGE_FREE, CAROM_LINKAGE_HELD };

// One linkage.
typedef struct carom_linkage_part {
    int first, count;             // in carom_linkage.member
    int first_joint, joint_count; // in carom_linkage.joint
    carom_sparse_block *matrix;   // one node per member
} carom_linkage_part;

// All linkages of a world; made anew where joints or the kinds of bodies have changed.
typedef struct carom_linkage {
    int part_count;
    carom_linkage_part *parts;
    int *member;  // bodies, part after part
    int *part_of; // per body; -1: no joint holds it, or it cannot move
    int *local;   // per body: its number in the part
    int *joint;   // joints, part after part
    double *gain; // J, per part: what its motion has added
} carom_linkage;

// A member while its linkage moves.
typedef struct carom_linkage_body {
    vec3 x, v, w; // w: rad/s, world frame
    quat q;
    double inverse_mass;
    sym3 inertia, own_inverse; // own frame
    sym3 inverse;              // world frame, as of q
    vec3 force, torque;        // N, N m: of contacts, about x, constant over the interval
    vec3 pull, fall;           // m/s^2: of gravity and forces from outside; of gravity alone
    vec3 turn;                 // N m: from outside
    double work;               // J: that it has done so far
} carom_linkage_body;

// What a row is for.
typedef enum carom_linkage_row_kind {
    CAROM_LINKAGE_ROW_EQUAL,  // holds always
    CAROM_LINKAGE_ROW_BOUND,  // a string or stop: impulse <= 0, and none where it is not reached
    CAROM_LINKAGE_ROW_MOTOR,  // holds a speed while the motor is strong enough
    CAROM_LINKAGE_ROW_SPRING, // never holds: a spring and a damper, or a servo
} carom_linkage_row_kind;

// One equation of a joint: d.(v_b - v_a) + turn_b.w_b - turn_a.w_a = target, and `error` of it is
// to vanish in the positions.
typedef struct carom_linkage_row {
    carom_linkage_row_kind kind;
    int joint;
    int side; // of a bound: 0 above, 1 below
    int a, b; // members; -1: immovable
    vec3 d, turn_a, turn_b;
    double error;   // m or rad; of a spring its stretch
    double target;  // m/s or rad/s: what an immovable end that moves, or a motor, brings in
    double drive;   // the motor's part of it
    double stiff;   // weight in the matrix
    double impulse; // N s or N m s, on b along the row, over the interval
    double length;  // m, of a string or rod
    double bounce;  // of a string, or of a stop that the law is not asked about
    double rebound; // m/s: slackens so fast after it has caught
    double origin; // of a motor: its position at the start; of a stop: how far it was beyond, which
                   // is not taken back at once; of a spring: impulse so far
    double push;   // -1 to 1: the part of its force with which a motor acts that does not hold
    double slip;   // m/s or rad/s at the start, of a motor: how much faster than it should be
    bool on;       // takes part as an equation
} carom_linkage_row;

// What joints have done (J).
typedef struct carom_linkage_work {
    double driven; // by driven anchors
    double motors;
    double damped; // taken by dampers
} carom_linkage_work;

// Forces of joints at a few moments of an interval, whatever the cuts it was run with: where
// Newton's method begins.
enum { CAROM_LINKAGE_MOMENTS = 8 };
typedef struct carom_linkage_past {
    int count;
    double at[CAROM_LINKAGE_MOMENTS];     // s
    double *force[CAROM_LINKAGE_MOMENTS]; // N or N m, per row
    double *noted;                        // N s or N m s, per row: impulse up to the last moment
} carom_linkage_past;

// A linkage on its way through an interval.
typedef struct carom_linkage_path {
    const carom_world *world;
    const carom_linkage *all;
    const carom_linkage_part *part;
    carom_linkage_body *start, *now, *trial; // per member
    carom_linkage_row *rows, *next;          // of `now`, and of `trial`
    int row_count;
    double *x;                // six per member
    double *wanted;           // m/s or rad/s, per row
    double *error;            // m or rad, per row, of `trial`
    carom_linkage_past past;  // what joints did at moments of this interval
    double from;              // s: when the interval begins
    double at;                // s: since then
    double h;                 // s: length of the interval that `now` is the end of; 0: none yet
    carom_linkage_work work;  // so far
    carom_linkage_work begun; // the part of it at the start, when strings caught
    double stored[2];         // J: in springs, at the start and at the end
    double caught;            // J: lost where strings caught and where joints were not yet in step
    double lever, extent;     // m: one radian counts as so much; coordinates are as large as that
    bool shaky;               // joints are nearly redundant: met as far as little forces do it
    double speed;             // m/s: the fastest that anything is, or becomes by its weight
    double quiet;             // m/s: a string that slackens no faster counts as taut
    double quiet_impulse;     // N s: one that pushes no harder, too
    bool held;                // contacts press on it
    bool factored;            // its matrix is that of the rows at the start, as they are
    bool single;              // one flight per piece, of second order
    double before;            // s: length of the flight that led to `now`; 0: none
    bool struck;              // a string caught something faster than the resting speed
    bool lost;                // the joints could not be met
    bool joins;               // strings that would be too long at the end take part
    bool located;             // moments at which stops are met are looked for
    bool leans;               // contacts press as they did before: to look for such moments
    bool joined;              // some have: they, or stops, catch what moves on the way
    bool overlong;            // there are some, or a motor gets to its speed on the way
    double reaches;           // s: when it does; infinite: none
    bool forced;              // there are springs or motors
    bool damps;               // there are dampers
    bool loses;               // there are dampers or motors
    bool implicit;            // they are so strong that a motion is gone within the interval
    double stiff;             // s: the period of a spring too stiff for the interval; 0: none
} carom_linkage_path;

// All linkages in an interval.
typedef struct carom_linkage_plan {
    carom_linkage_path *paths; // per part
    unsigned char *held;       // per part: contacts press on it, the resting solve has its joints
    int *touching, candidate_count; // candidates of members
} carom_linkage_plan;

// linkage.c: makes or renews world->linkage; nothing happens where it is as it was.
carom_status carom_linkage_prepare(carom_world *world, carom_error *err);
void carom_linkage_destroy(carom_linkage *linkage);

// Where all linkages would be at the end of step->h without contact forces.
carom_status carom_linkage_predict(carom_step *step, carom_error *err);
// The same after step->h was shortened; says which of them move by themselves: step->linked.
carom_status carom_linkage_choose(carom_step *step, carom_error *err);
// Start and end of a jointed body's way as predicted, over h seconds; false where there is none.
// `pressed`: also where contacts press, who are taken to press as in the step before.
bool carom_linkage_ends(const carom_step *step, int body, bool pressed,
                        const carom_linkage_body **from, const carom_linkage_body **to, double *h);
// Whether a string or stop (side: 0 above, 1 below) does not act on the way as predicted, though
// one of its linkage should.
bool carom_linkage_slack(const carom_step *step, int joint, int side);
// When, as predicted, a motor first gets to its speed (s since the interval began; infinite: none).
double carom_linkage_reaches(const carom_step *step);
// The prediction again, where step->h was shortened.
void carom_linkage_follow(const carom_step *step);
// Gives all their positions and velocities, and books what strings and contacts took and anchors
// brought.
void carom_linkage_move(carom_step *step);

// Of the linkage that has gained most energy: a joint and a body at it; -1: there is none.
void carom_linkage_fastest_gaining(const carom_world *world, int *body, int *joint);

// linkage_rows.c: the equations of a part in a state at a time since the interval began; returns
// how many. `kept`: whose `on` and `impulse` go on, or null.
int carom_linkage_rows_make(const carom_linkage_path *path, const carom_linkage_body *bodies,
                            double at, const carom_linkage_row *kept, carom_linkage_row *rows);
// Their errors alone; `rows`: of another state, whose origins go on.
void carom_linkage_rows_errors(const carom_linkage_path *path, const carom_linkage_body *bodies,
                               double at, const carom_linkage_row *rows, double *error);
// What a row sees of velocities, and what an impulse along it does to them.
double carom_linkage_rows_speed(const carom_linkage_row *row, const carom_linkage_body *bodies);
void carom_linkage_rows_push(const carom_linkage_row *row, double impulse,
                             carom_linkage_body *bodies);
// An impulse of a joint, with the work that it brings in.
void carom_linkage_rows_act(carom_linkage_path *path, carom_linkage_row *row, double impulse,
                            carom_linkage_body *bodies);
// What a unit impulse along a row changes of its speed, with both bodies free.
double carom_linkage_rows_response(const carom_linkage_row *row, const carom_linkage_body *bodies);
// m per unit of a row's error: angles count by the size of the bodies.
double carom_linkage_rows_scale(const carom_linkage_path *path, const carom_linkage_row *row);
// Fills and factorises the matrix of the part for the rows as they are; `damp` (s): with dampers
// that act for so long.
bool carom_linkage_rows_factor(const carom_linkage_path *path, carom_linkage_row *rows,
                               const carom_linkage_body *bodies, double damp);
// Impulses that change the rows' speeds by about `wanted`, added to `bodies`; with the factors at
// hand.
void carom_linkage_rows_answer(carom_linkage_path *path, carom_linkage_row *rows,
                               const double *wanted, carom_linkage_body *bodies);

// linkage_force.c: springs, dampers and motors over one flight of h seconds, path->rows on
// path->now: before it, after it, and, when the velocities of its end are known, what they did.
void carom_linkage_force_before(carom_linkage_path *path, double h);
void carom_linkage_force_after(carom_linkage_path *path, double h);
void carom_linkage_force_book(carom_linkage_path *path, double h);
// What a damper's row lacks, so that its impulse is that of the speed at the end of the flight.
double carom_linkage_force_lacks(const carom_linkage_row *row, const carom_linkage_body *bodies);
// The same over the flight, of strong dampers: `error` is the row's at its end as tried.
double carom_linkage_force_drags(const carom_linkage_row *row, double error, double h);
// J, in the springs of these rows.
double carom_linkage_force_stored(const carom_linkage_path *path, const carom_linkage_row *rows);
// 1/s: the fastest that springs swing, and that dampers settle, at the start.
void carom_linkage_force_rates(carom_linkage_path *path, double *swing, double *settle);
// At the start: which motors hold and which push. At the end: those that were too weak push, those
// that got to their speed do so just at the end, or are located. True where something changed.
void carom_linkage_force_begin_motors(carom_linkage_path *path);
bool carom_linkage_force_change_motors(carom_linkage_path *path);

// linkage_flow.c: moves the part over h seconds from path->start into path->now. `again`: with
// forces that were not known the first time.
void carom_linkage_flow(carom_linkage_path *path, double h);
void carom_linkage_flow_again(carom_linkage_path *path);

// linkage_past.c: before Newton's method in a flight of h seconds, the impulses it begins with; and
// after it.
void carom_linkage_past_guess(carom_linkage_path *path, double h);
void carom_linkage_past_note(carom_linkage_path *path, double h);

// linkage_contact.c: gives the members of linkages on which contacts press the velocities that they
// would have at the end of the interval without them; `count`: of linkages, 0 where none is
// pressed.
carom_status carom_linkage_brace(carom_step *step, int *count, carom_error *err);
// The members of a linkage if contacts press on it; none otherwise.
int *carom_linkage_held(const carom_step *step, int part, int *count);
// Takes out of the bodies' velocities what the joints of that linkage do not allow; returns the
// largest change (m/s).
double carom_linkage_relax(const carom_step *step, int part, carom_contact_body *bodies);
// Room for forces on the members of a body's linkage, if contacts press on it: six numbers each,
// all zero; null: none. And what these change of the members' velocities, joints and all, in their
// place.
double *carom_linkage_room(const carom_step *step, int body, int *part, int *local);
void carom_linkage_respond(const carom_step *step, int part);
// After position correction: brings the anchors together again.
void carom_linkage_project(carom_step *step);
// After the resting solve: the motion under the contact forces that it found.
void carom_linkage_apply_contacts(carom_step *step);

#endif

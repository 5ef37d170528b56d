// Active contacts of the law `wave` with loss and friction, four in lanes, for one block of
// micro-steps. Symbols as in wave.h; what a projection touches comes first.
#ifndef CAROM_IMPACT_WAVE_GROUP_H
#define CAROM_IMPACT_WAVE_GROUP_H

#include "impact/wave.h"
#include "math/lanes.h"

typedef struct wave_group {
    int a[LANES], b[LANES];              // bodies; an empty lane has those of the first
    double *v_a[LANES], *v_b[LANES];     // their velocities, rows of four numbers
    double *w_a[LANES], *w_b[LANES];     // and spins; null where bodies do not turn
    bool moves_a[LANES], moves_b[LANES]; // whether they are movable
    int count;                           // lanes in use
    bool lossy, rough;                   // some e < 1, some friction
    lanes3 arm_a, arm_b;
    // The bodies' answer, after each projection.
    lanes3 change;        // of the kick, to be applied to the bodies next
    lanes_flags projects; // changed in the present projection
    lanes_flags stirs;    // changed more than the contacts around it need not know
    lanes inverse_mass_a, inverse_mass_b;
    lanes_sym3 inverse_inertia_a, inverse_inertia_b;
    // The present micro-step.
    lanes3 d;
    lanes_flags on;      // compressed
    lanes_flags settled; // has taken no momentum in the last projection: may stay as it is
    lanes_flags alone;   // nothing else presses on its bodies
    lanes mu, e2, w_nn;
    lanes full, u0, dp;
    lanes3 x, slip0; // slip0: before the kick
    lanes resolved;  // how well the micro-steps follow its spring, 0 to 1
    lanes dp_iterate;
    lanes3 x_iterate;       // of the projections, without their momentum
    lanes part, give;       // W_nn / L_n, and 1 / L_t
    lanes small_n, small_t; // changes that the contacts around it need not know, squared
    lanes wnn_a, wnn_b;     // responses of the ends
    lanes wtt_a, wtt_b;     //
    lanes k, gap;           // of the spring
    lanes driven_speed;     // as in wave_field
    lanes3 turn_a, turn_b;  // arms x d
    lanes held;             // opening speed up to which it counts as held
    lanes exponent;         // of its spring
    lanes normal, normal_before;
    lanes3 friction, friction_before;
    lanes pressed;
    lanes3 impulse, release;
    lanes stored, due, returned;
    int place[LANES]; // of the contacts
} wave_group;

// Where the groups of a piece of contacts begin.
static inline int wave_first_group(const wave_field *field, int piece)
{
    return field->first_place[piece] / LANES + piece;
}

// How many groups the active contacts of a piece fill.
static inline int wave_group_count(const wave_field *field, int piece)
{
    return (field->active_count[piece] + LANES - 1) / LANES;
}

// Displacements lie before velocities, a row of four numbers each.
_Static_assert(offsetof(wave_body, v) - offsetof(wave_body, q) == LANES * sizeof(double), "rows");
_Static_assert(offsetof(wave_spin, w) - offsetof(wave_spin, q) == LANES * sizeof(double), "rows");
enum { WAVE_DISPLACEMENT = -LANES, WAVE_VELOCITY = WAVE_DISPLACEMENT + LANES };

LANES_INLINE lanes3 wave_columns(lanes row[LANES])
{
    lanes_transpose(row);
    return (lanes3){ row[0], row[1], row[2] };
}

LANES_INLINE lanes3 wave_rows_of(double *const from[LANES], int which)
{
    lanes row[LANES];
    for (int k = 0; k < LANES; ++k)
        row[k] = lanes_load(from[k] + which);
    return wave_columns(row);
}

// What b has more than a.
LANES_INLINE lanes3 wave_difference(const wave_group *g, int which)
{
    lanes row[LANES];
    for (int k = 0; k < LANES; ++k)
        row[k] = lanes_load(g->v_b[k] + which) - lanes_load(g->v_a[k] + which);
    return wave_columns(row);
}

// Velocity of b against a.
LANES_INLINE lanes3 wave_speed_at(const wave_group *g, const bool turns)
{
    lanes3 v = wave_difference(g, WAVE_VELOCITY);
    if (!turns)
        return v;
    lanes3 w_a = wave_rows_of(g->w_a, WAVE_VELOCITY), w_b = wave_rows_of(g->w_b, WAVE_VELOCITY);
    return lanes3_add(v, lanes3_sub(lanes3_cross(w_b, g->arm_b), lanes3_cross(w_a, g->arm_a)));
}

#endif

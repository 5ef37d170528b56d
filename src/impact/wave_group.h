// Compressed contacts of the law `wave` with loss and friction, four in lanes, for one micro-step.
// Symbols as in wave.h.
#ifndef CAROM_IMPACT_WAVE_GROUP_H
#define CAROM_IMPACT_WAVE_GROUP_H

#include "impact/wave.h"
#include "math/lanes.h"

typedef struct wave_group {
    size_t a[LANES], b[LANES]; // distance of the lines of the bodies; an empty lane has those of
                               // the first
    int place[LANES];          // of the contacts
    int count;                 // lanes in use
    lanes_flags on;            // has a kick
    lanes_flags settled;       // has taken no momentum in the last projection: may stay as it is
    lanes_flags alone;         // nothing else presses on its bodies
    lanes3 d;
    lanes full, u0, dp; // u0: normal speed before the kick
    lanes3 x, slip0;    // slip0: before the kick
    lanes3 x_iterate;   // of the projections, without their momentum
    lanes mu, give;     // give: 1 / L_t
    lanes small_t;      // change that the contacts around it need not know, squared
    lanes resolved;     // how well the micro-steps follow its spring, 0 to 1
    lanes reach_a, reach_b;
    lanes wnn_a, wnn_b, wtt_a, wtt_b; // responses of the ends
    // Where something is lost in the normal direction.
    lanes e2, w_nn, dp_iterate;
    lanes part, small_n; // part: W_nn / L_n; small_n as small_t
    // Of bodies of any shape.
    lanes3 arm_a, arm_b;
} wave_group;

// Where the groups of a piece of contacts begin.
static inline int wave_first_group(const wave_field *field, int piece)
{
    return field->first_place[piece] / LANES + piece;
}

// How many groups the compressed contacts of a piece fill.
static inline int wave_group_count(const wave_field *field, int piece)
{
    return (field->compressed_count[piece] + LANES - 1) / LANES;
}

LANES_INLINE lanes3 wave_columns(lanes row[LANES])
{
    lanes_transpose(row);
    return (lanes3){ row[0], row[1], row[2] };
}

// Four numbers of each lane as rows.
LANES_INLINE void wave_rows(lanes3 v, lanes fourth, lanes row[LANES])
{
    row[0] = v.x;
    row[1] = v.y;
    row[2] = v.z;
    row[3] = fourth;
    lanes_transpose(row);
}

// Where the lines of the bodies lie. Rows of lanes may alias anything: a copy of the function's own
// need not be read again after each.
typedef struct wave_lines {
    char *bodies, *spins, *pushes;
    size_t end; // of the movable bodies
} wave_lines;

LANES_INLINE wave_lines wave_lines_of(const wave_field *field)
{
    return (wave_lines){ (char *)field->bodies, (char *)field->spins, (char *)field->pushes,
                         WAVE_LINE * (size_t)field->movable };
}

LANES_INLINE lanes wave_velocity(const wave_lines *lines, size_t at)
{
    return lanes_load(&((wave_body *)(lines->bodies + at))->v.x);
}

LANES_INLINE lanes wave_turning(const wave_lines *lines, size_t at)
{
    return lanes_load(&((wave_spin *)(lines->spins + at))->w.x);
}

// Velocity of b against a.
LANES_INLINE lanes3 wave_speed_at(const wave_lines *lines, const wave_group *g,
                                  const wave_shape shape)
{
    lanes row[LANES], other[LANES];
    for (int k = 0; k < LANES; ++k)
        row[k] = wave_velocity(lines, g->b[k]) - wave_velocity(lines, g->a[k]);
    lanes3 v = wave_columns(row);
    if (shape == WAVE_STRAIGHT)
        return v;
    for (int k = 0; k < LANES; ++k) {
        row[k] = wave_turning(lines, g->a[k]);
        other[k] = wave_turning(lines, g->b[k]);
    }
    if (shape == WAVE_ROUND) {
        for (int k = 0; k < LANES; ++k)
            row[k] = lanes_all(g->reach_a[k]) * row[k] + lanes_all(g->reach_b[k]) * other[k];
        return lanes3_add(v, lanes3_cross(g->d, wave_columns(row)));
    }
    lanes3 w_a = wave_columns(row), w_b = wave_columns(other);
    return lanes3_add(v, lanes3_sub(lanes3_cross(w_b, g->arm_b), lanes3_cross(w_a, g->arm_a)));
}

// What one projection changes.
typedef struct wave_change {
    lanes3 impulse, slide; // on b; slide: the tangential part
    lanes_flags stirs;     // by more than the contacts around it need not know
} wave_change;

// What the bodies of each lane get: a row of the impulse and who stirs, and one of the angular one.
typedef struct wave_parts {
    lanes a[LANES], b[LANES], turn_a[LANES], turn_b[LANES];
} wave_parts;

LANES_INLINE wave_parts wave_parts_of(const wave_group *g, const wave_change *c,
                                      const wave_shape shape)
{
    const lanes zero = lanes_all(0);
    // for a all but the number of those that stir changes its sign
    const lanes_flags turn = { INT64_MIN, INT64_MIN, INT64_MIN, 0 };
    wave_parts all;
    wave_rows(c->impulse, lanes_keep(c->stirs, lanes_all(1)), all.b);
    for (int k = 0; k < LANES; ++k)
        all.a[k] = (lanes)((lanes_flags)all.b[k] ^ turn);
    if (shape == WAVE_ROUND) {
        lanes row[LANES];
        wave_rows(lanes3_cross(c->slide, g->d), zero, row);
        for (int k = 0; k < LANES; ++k) {
            all.turn_a[k] = lanes_all(g->reach_a[k]) * row[k];
            all.turn_b[k] = lanes_all(g->reach_b[k]) * row[k];
        }
    }
    if (shape == WAVE_TURNING) {
        wave_rows(lanes3_cross(c->impulse, g->arm_a), zero, all.turn_a);
        wave_rows(lanes3_cross(g->arm_b, c->impulse), zero, all.turn_b);
    }
    return all;
}

LANES_INLINE void wave_push_body(const wave_lines *lines, size_t body, lanes part, lanes turn,
                                 const wave_shape shape)
{
    wave_push *push = (wave_push *)(lines->pushes + body);
    if (body >= lines->end)
        return;
    lanes_store(&push->linear.x, lanes_load(&push->linear.x) + part);
    if (shape != WAVE_STRAIGHT)
        lanes_store(&push->angular.x, lanes_load(&push->angular.x) + turn);
}

// Hands a change to the bodies, lane after lane, where both belong to this thread.
LANES_INLINE void wave_push_bodies(const wave_lines *lines, const wave_group *g,
                                   const wave_change *c, const wave_shape shape)
{
    const wave_parts all = wave_parts_of(g, c, shape);
    for (int k = 0; k < LANES; ++k) {
        wave_push_body(lines, g->a[k], all.a[k], all.turn_a[k], shape);
        wave_push_body(lines, g->b[k], all.b[k], all.turn_b[k], shape);
    }
}

// Leaves it to be gathered by them where they may belong to two.
LANES_INLINE void wave_push_outer(const wave_field *field, const wave_run *run, const wave_group *g,
                                  const wave_change *c, int projection, const wave_shape shape)
{
    const wave_parts all = wave_parts_of(g, c, shape);
    for (int k = 0; k < g->count; ++k) {
        wave_outer_push *to =
            &field->outer_pushes[run->first_push + g->place[k] - run->first_outer];
        field->pushed[g->place[k]] = projection;
        lanes_store(to->a, all.a[k]);
        lanes_store(to->b, all.b[k]);
        if (shape != WAVE_STRAIGHT) {
            lanes_store(to->turn_a, all.turn_a[k]);
            lanes_store(to->turn_b, all.turn_b[k]);
        }
    }
}

// Whether the contacts of a piece are gathered.
LANES_INLINE bool wave_gathered(const wave_run *run, int piece)
{
    return piece >= run->inner && run->threads > 1;
}

#endif

// The bodies' answer to the kicks of a micro-step with loss and friction: after the first guess and
// after each projection they get what the contacts have pushed (wave_group.h), and contacts around
// them hear of it; after the last one they drift.
//
// One thread pushes at all contacts, in the order of their lists. Several push at inner contacts
// only, each in its own pieces, and the bodies gather the pushes of outer ones, ascending: the same
// sums.
#include "impact/wave_group.h"

// Outer contacts of body i.
LANES_INLINE void gather_body(wave_field *field, const wave_run *run, int i, int projection,
                              const wave_shape shape)
{
    const int *around = field->active_around + field->first_around[i];
    for (int k = 0; k < field->active_around_count[i]; ++k) {
        const bool is_b = around[k] >= 0;
        const int contact = is_b ? around[k] : ~around[k];
        if (field->pushed[contact] != projection)
            continue;
        const wave_outer_push *from =
            &field->outer_pushes[run->first_push + contact - run->first_outer];
        wave_push_body(field, i, lanes_load(is_b ? from->b : from->a),
                       lanes_load(is_b ? from->turn_b : from->turn_a), shape);
    }
}

// Displacements by velocities; what else is in their row stays.
LANES_INLINE void drift_row(double *q, lanes h)
{
    lanes_store(q, lanes_load(q) + h * lanes_load(q + LANES));
}

// Displacements lie before velocities, a row of four numbers each.
_Static_assert(offsetof(wave_body, v) - offsetof(wave_body, q) == LANES * sizeof(double), "rows");
_Static_assert(offsetof(wave_spin, w) - offsetof(wave_spin, q) == LANES * sizeof(double), "rows");

LANES_INLINE void drift(wave_field *field, int i, lanes h)
{
    field->bodies[i].stirs = 0;
    drift_row(&field->bodies[i].q.x, h);
    if (field->arms)
        drift_row(&field->spins[i].q.x, h);
}

// Velocity and spin by the pushes, of which nothing is left; and who has stirred.
LANES_INLINE void answer_body(wave_field *field, int i, const wave_shape shape)
{
    wave_body *body = &field->bodies[i];
    wave_push *push = &field->pushes[i];
    const lanes zero = lanes_all(0), linear = lanes_load(&push->linear.x);
    lanes_store(&body->v.x, lanes_load(&body->v.x) + lanes_all(body->inverse_mass) * linear);
    body->stirs = linear[3];
    lanes_store(&push->linear.x, zero);
    if (shape == WAVE_STRAIGHT)
        return;
    wave_spin *spin = &field->spins[i];
    if (shape == WAVE_ROUND)
        lanes_store(&spin->w.x, lanes_load(&spin->w.x) +
                                    lanes_all(spin->inverse) * lanes_load(&push->angular.x));
    else
        spin->w = vec3_add(spin->w, sym3_mul(spin->inverse_inertia, push->angular));
    lanes_store(&push->angular.x, zero);
}

// After the first guess: lists the bodies that are pushed; the others have only to drift.
LANES_INLINE void answer_guess(wave_field *field, const wave_run *run, int piece,
                               const wave_shape shape)
{
    const int first = run->first_body + piece * field->piece, at = run->first_body_piece + piece;
    const int *active_bodies = field->active_bodies + first;
    const lanes h = lanes_all(run->h);
    int *pushed = field->pushed_bodies + first, found = 0;
    for (int j = 0; j < field->active_body_count[at]; ++j) {
        const int i = active_bodies[j];
        if (field->pushes[i].stirs > 0) {
            answer_body(field, i, shape);
            field->disturbed[!run->present][i] = 1;
            pushed[found++] = i;
        } else {
            drift(field, i, h);
        }
    }
    field->pushed_count[at] = found;
}

LANES_INLINE void answer_piece(wave_field *field, const wave_run *run, int piece, int projection,
                               const wave_shape shape)
{
    const int first = run->first_body + piece * field->piece, at = run->first_body_piece + piece;
    const int *active_bodies = field->active_bodies + first;
    const int *pushed = field->pushed_bodies + first;
    const lanes h = lanes_all(run->h);
    if (run->threads > 1)
        for (int j = 0; j < field->gathering_count[at]; ++j)
            gather_body(field, run, active_bodies[j], projection, shape);
    if (projection == 0) {
        answer_guess(field, run, piece, shape);
        return;
    }
    for (int j = 0; j < field->pushed_count[at]; ++j)
        answer_body(field, pushed[j], shape);
    for (int j = 0; j < field->pushed_count[at] && run->last; ++j)
        drift(field, pushed[j], h);
}

CAROM_LANES_WIDE static void answer_turning(wave_field *field, const wave_run *run, int piece,
                                            int projection)
{
    answer_piece(field, run, piece, projection, WAVE_TURNING);
}

CAROM_LANES_WIDE static void answer_round(wave_field *field, const wave_run *run, int piece,
                                          int projection)
{
    answer_piece(field, run, piece, projection, WAVE_ROUND);
}

CAROM_LANES_WIDE static void answer_straight(wave_field *field, const wave_run *run, int piece,
                                             int projection)
{
    answer_piece(field, run, piece, projection, WAVE_STRAIGHT);
}

void carom_wave_answer(wave_field *field, const wave_run *run, int piece, int projection)
{
    if (field->shape == WAVE_STRAIGHT)
        answer_straight(field, run, piece, projection);
    else if (field->shape == WAVE_ROUND)
        answer_round(field, run, piece, projection);
    else
        answer_turning(field, run, piece, projection);
}

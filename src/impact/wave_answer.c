// The bodies' answer to the kicks of a micro-step with loss and friction: after the first guess and
// after each projection they get what the contacts have pushed (wave_group.h), and contacts around
// them hear of it; after the last one they drift.
//
// One thread pushes at all contacts, in the order of their lists. Several push at inner contacts
// only, each in its own pieces, and the bodies gather the pushes of outer ones, ascending: the same
// sums.
#include "impact/wave_group.h"

// Outer contacts of body i.
LANES_INLINE void gather_body(const wave_field *field, const wave_lines *lines, const wave_run *run,
                              int i, int projection, const wave_shape shape)
{
    const int *around = field->active_around + field->first_around[i];
    const int count = field->active_around_count[i];
    for (int k = 0; k < count; ++k) {
        const bool is_b = around[k] >= 0;
        const int contact = is_b ? around[k] : ~around[k];
        if (field->pushed[contact] != projection)
            continue;
        const wave_outer_push *from =
            &field->outer_pushes[run->first_push + contact - run->first_outer];
        wave_push_body(lines, WAVE_LINE * (size_t)i, lanes_load(is_b ? from->b : from->a),
                       lanes_load(is_b ? from->turn_b : from->turn_a), shape);
    }
}

// Displacements lie before velocities, a row of four numbers each.
_Static_assert(offsetof(wave_body, v) - offsetof(wave_body, q) == LANES * sizeof(double), "rows");
_Static_assert(offsetof(wave_spin, w) - offsetof(wave_spin, q) == LANES * sizeof(double), "rows");

// Displacements by velocities; what else is in their row stays.
LANES_INLINE void drift_row(double *q, lanes v, lanes h)
{
    v[3] = 0;
    lanes_store(q, lanes_load(q) + h * v);
}

LANES_INLINE void drift(const wave_lines *lines, size_t at, lanes h, const wave_shape shape)
{
    drift_row(&((wave_body *)(lines->bodies + at))->q.x, wave_velocity(lines, at), h);
    if (shape == WAVE_TURNING)
        drift_row(&((wave_spin *)(lines->spins + at))->q.x, wave_turning(lines, at), h);
}

// Velocity and spin by the pushes, of which nothing is left; and who has stirred. Then the drift,
// if there is any.
LANES_INLINE void answer_body(const wave_lines *lines, const sym3 *inertias, size_t at, lanes h,
                              const bool last, const wave_shape shape)
{
    wave_body *body = (wave_body *)(lines->bodies + at);
    wave_push *push = (wave_push *)(lines->pushes + at);
    const lanes zero = lanes_all(0), linear = lanes_load(&push->linear.x);
    lanes v = lanes_load(&body->v.x) + lanes_all(body->inverse_mass) * linear;
    v[3] = last ? 0 : linear[3];
    lanes_store(&body->v.x, v);
    lanes_store(&push->linear.x, zero);
    if (shape != WAVE_STRAIGHT) {
        wave_spin *spin = (wave_spin *)(lines->spins + at);
        const lanes angular = lanes_load(&push->angular.x);
        if (shape == WAVE_ROUND)
            lanes_store(&spin->w.x, lanes_load(&spin->w.x) + lanes_all(spin->inverse) * angular);
        else
            spin->w = vec3_add(spin->w, sym3_mul(inertias[at / WAVE_LINE], push->angular));
        lanes_store(&push->angular.x, zero);
    }
    if (last)
        drift(lines, at, h, shape);
}

// After the first guess: lists the bodies that are pushed; the others have only to drift.
LANES_INLINE void answer_guess(wave_field *field, const wave_run *run, int piece,
                               const wave_shape shape)
{
    const int first = run->first_body + piece * field->piece, at = run->first_body_piece + piece;
    const int *active_bodies = field->active_bodies + first, count = field->active_body_count[at];
    const lanes h = lanes_all(run->h);
    const wave_lines lines = wave_lines_of(field);
    const sym3 *inertias = field->inverse_inertia;
    unsigned char *disturbed = field->disturbed[!run->present];
    int *pushed = field->pushed_bodies + first, found = 0;
    for (int j = 0; j < count; ++j) {
        const size_t i = (size_t)active_bodies[j], line = WAVE_LINE * i;
        if (((const wave_push *)(lines.pushes + line))->stirs > 0) {
            answer_body(&lines, inertias, line, h, false, shape);
            disturbed[i] = 1;
            pushed[found++] = (int)i;
        } else {
            drift(&lines, line, h, shape);
        }
    }
    field->pushed_count[at] = found;
}

LANES_INLINE void answer_piece(wave_field *field, const wave_run *run, int piece, int projection,
                               const wave_shape shape)
{
    const int first = run->first_body + piece * field->piece, at = run->first_body_piece + piece;
    const int *pushed = field->pushed_bodies + first;
    const lanes h = lanes_all(run->h);
    const wave_lines lines = wave_lines_of(field);
    const sym3 *inertias = field->inverse_inertia;
    if (run->threads > 1)
        for (int j = 0; j < field->gathering_count[at]; ++j)
            gather_body(field, &lines, run, field->active_bodies[first + j], projection, shape);
    if (projection == 0) {
        answer_guess(field, run, piece, shape);
        return;
    }
    const int count = field->pushed_count[at];
    for (int j = 0; j < count && !run->last; ++j)
        answer_body(&lines, inertias, WAVE_LINE * (size_t)pushed[j], h, false, shape);
    for (int j = 0; j < count && run->last; ++j)
        answer_body(&lines, inertias, WAVE_LINE * (size_t)pushed[j], h, true, shape);
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

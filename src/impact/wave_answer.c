// The bodies' answer to the kicks of a micro-step with loss and friction: after the first guess and
// after each projection their velocities get what has changed, and contacts around them hear of it;
// after the last one they drift.
#include "impact/wave_group.h"

typedef wave_group group;

// What the change does to one end, contact by contact as rows.
typedef struct answer {
    lanes v[LANES], w[LANES];
} answer;

LANES_INLINE answer answer_of(lanes inverse_mass, const lanes_sym3 *inverse_inertia, lanes3 arm,
                              lanes3 impulse, const bool turns)
{
    const lanes zero = lanes_all(0);
    lanes3 v = lanes3_scale(inverse_mass, impulse);
    answer all = { { v.x, v.y, v.z, zero }, { zero, zero, zero, zero } };
    lanes_transpose(all.v);
    if (!turns)
        return all;
    lanes3 w = lanes_sym3_mul(*inverse_inertia, lanes3_cross(arm, impulse));
    all.w[0] = w.x;
    all.w[1] = w.y;
    all.w[2] = w.z;
    lanes_transpose(all.w);
    return all;
}

// The part of lane k in a body.
LANES_INLINE void push_body(double *v, double *w, const answer *part, int k, const bool turns)
{
    lanes_store(v, lanes_load(v) + part->v[k]);
    if (turns)
        lanes_store(w, lanes_load(w) + part->w[k]);
}

// What the contacts around a body should know; the first guess counts who presses on it.
LANES_INLINE void note(wave_field *field, const wave_run *run, int body, bool stirs, int projection)
{
    if (stirs)
        field->stirred[body] = projection + 1;
    if (projection == 0) {
        ++field->compressed_at[body];
        field->disturbed[!run->present][body] = 1;
    }
}

LANES_INLINE answer answer_a(const group *g, const bool turns)
{
    const lanes zero = lanes_all(0);
    lanes3 back = lanes3_sub((lanes3){ zero, zero, zero }, g->change);
    return answer_of(g->inverse_mass_a, &g->inverse_inertia_a, g->arm_a, back, turns);
}

LANES_INLINE answer answer_b(const group *g, const bool turns)
{
    return answer_of(g->inverse_mass_b, &g->inverse_inertia_b, g->arm_b, g->change, turns);
}

LANES_INLINE void push_bodies(wave_field *field, const wave_run *run, const group *g,
                              int projection, const bool turns)
{
    if (!lanes_any(g->projects))
        return;
    const answer a = answer_a(g, turns), b = answer_b(g, turns);
    for (int k = 0; k < LANES; ++k) {
        if (!g->projects[k])
            continue;
        if (g->moves_a[k]) {
            push_body(g->v_a[k], g->w_a[k], &a, k, turns);
            note(field, run, g->a[k], g->stirs[k], projection);
        }
        if (g->moves_b[k]) {
            push_body(g->v_b[k], g->w_b[k], &b, k, turns);
            note(field, run, g->b[k], g->stirs[k], projection);
        }
    }
}

// Outer contacts of body i.
LANES_INLINE void gather_body(wave_field *field, const wave_run *run, int i, int projection,
                              const bool turns)
{
    const int *near = field->active_around + field->first_around[i];
    for (int k = 0; k < field->active_around_count[i]; ++k) {
        bool is_b = near[k] >= 0;
        int slot = field->slot[is_b ? near[k] : ~near[k]], lane = slot % LANES;
        const group *g = &field->groups[slot / LANES];
        if (!g->projects[lane])
            continue;
        const answer part = is_b ? answer_b(g, turns) : answer_a(g, turns);
        push_body(is_b ? g->v_b[lane] : g->v_a[lane], is_b ? g->w_b[lane] : g->w_a[lane], &part,
                  lane, turns);
        note(field, run, i, g->stirs[lane], projection);
    }
}

// Displacements by velocities; what else is in their row stays.
LANES_INLINE void drift_row(double *q, double h)
{
    lanes_store(q, lanes_load(q) + lanes_all(h) * lanes_load(q - WAVE_DISPLACEMENT));
}

// Nobody has pressed on the bodies of a piece in this kick yet.
static void forget(wave_field *field, const wave_run *run, int piece)
{
    const int *active_bodies = field->active_bodies + run->first_body + piece * field->piece;
    for (int j = 0; j < field->active_body_count[run->first_body_piece + piece]; ++j)
        field->compressed_at[active_bodies[j]] = field->stirred[active_bodies[j]] = 0;
}

// The contacts of a piece.
LANES_INLINE void push_piece(wave_field *field, const wave_run *run, int piece, int projection,
                             const bool turns)
{
    const int which = run->first_piece + piece;
    const int *compressed = field->compressed + wave_first_group(field, which);
    for (int j = 0; j < field->compressed_count[which]; ++j)
        push_bodies(field, run, &field->groups[compressed[j]], projection, turns);
}

LANES_INLINE void drift_piece(wave_field *field, const wave_run *run, int piece)
{
    const int *active_bodies = field->active_bodies + run->first_body + piece * field->piece;
    for (int j = 0; j < field->active_body_count[run->first_body_piece + piece]; ++j) {
        drift_row(&field->bodies[active_bodies[j]].q.x, run->h);
        if (field->arms)
            drift_row(&field->spins[active_bodies[j]].q.x, run->h);
    }
}

LANES_INLINE void answer_piece(wave_field *field, const wave_run *run, int piece, int projection,
                               const bool turns)
{
    const int *active_bodies = field->active_bodies + run->first_body + piece * field->piece;
    const int gathering = field->gathering_count[run->first_body_piece + piece];
    if (projection == 0)
        forget(field, run, piece);
    push_piece(field, run, piece, projection, turns);
    for (int j = 0; j < gathering; ++j)
        gather_body(field, run, active_bodies[j], projection, turns);
    if (run->last)
        drift_piece(field, run, piece);
}

// All pieces by one thread, which pushes at outer contacts, too (wave_alone).
LANES_INLINE void answer_all(wave_field *field, const wave_run *run, int projection,
                             const bool turns)
{
    for (int piece = 0; piece < run->body_pieces && projection == 0; ++piece)
        forget(field, run, piece);
    for (int piece = 0; piece < run->pieces; ++piece)
        push_piece(field, run, piece, projection, turns);
    for (int piece = 0; piece < run->body_pieces && run->last; ++piece)
        drift_piece(field, run, piece);
}

CAROM_LANES_WIDE static void answer_turning(wave_field *field, const wave_run *run, int piece,
                                            int projection)
{
    answer_piece(field, run, piece, projection, true);
}

CAROM_LANES_WIDE static void answer_straight(wave_field *field, const wave_run *run, int piece,
                                             int projection)
{
    answer_piece(field, run, piece, projection, false);
}

CAROM_LANES_WIDE static void answer_all_turning(wave_field *field, const wave_run *run,
                                                int projection)
{
    answer_all(field, run, projection, true);
}

CAROM_LANES_WIDE static void answer_all_straight(wave_field *field, const wave_run *run,
                                                 int projection)
{
    answer_all(field, run, projection, false);
}

void carom_wave_answer(wave_field *field, const wave_run *run, int piece, int projection)
{
    if (field->spins)
        answer_turning(field, run, piece, projection);
    else
        answer_straight(field, run, piece, projection);
}

void carom_wave_answer_alone(wave_field *field, const wave_run *run, int projection)
{
    if (field->spins)
        answer_all_turning(field, run, projection);
    else
        answer_all_straight(field, run, projection);
}

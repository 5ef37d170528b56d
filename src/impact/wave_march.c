// Micro-steps: leapfrog in impact time on all contacts of an island at once.
//
//   repeat { kick: dlambda_i = h k_i max(-g_i, 0)^eta for all i, v += M^-1 J^T dlambda; drift: q +=
//   h v }
//
// with half a drift before the first kick. Two passes per step, no queue and no order: a pass over
// contacts reads displacements and writes kicks, a pass over bodies gathers the kicks of its
// contacts in ascending order (wave_kick.c). Every number is written by one thread from numbers of
// the pass before, so the bits do not depend on the number of threads.
//
// Contacts far from closing are left out: every BLOCK steps those in play are listed anew. A body
// without contacts in play moves evenly: one drift for the whole block.
#include "impact/wave.h"

enum { BLOCK = 4 };

static void begin(wave_field *field, wave_run *run);
static void list_play(wave_field *field, wave_run *run);
static void adapt(wave_field *field, wave_run *run);
static void list_awake(wave_field *field, wave_run *run);
static int64_t block(wave_field *field, wave_run *run);
static bool jump(wave_field *field, wave_run *run);

void carom_wave_march(wave_field *field, wave_run *run)
{
    const double handful = 10; // a tail of fewer contacts costs nothing: march on
    double limit = field->set.steps * (field->set.cap + 2.0 * run->count);
    int cap = limit < 1e9 ? (int)limit : 1000000000;
    double tail = field->set.tail * run->count;
    begin(field, run);
    while (run->step < cap) {
        list_play(field, run);
        adapt(field, run);
        list_awake(field, run);
        int64_t pressed = block(field, run);
        if (pressed == 0 && !jump(field, run))
            break;
        if (tail >= handful && (double)pressed <= tail && run->step > 2 * field->set.steps)
            break;
    }
    run->capped = run->step >= cap;
    if (run->lossy)
        carom_wave_kick_close(field, run);
}

static void drift(wave_field *field, int i, double time)
{
    wave_body *body = &field->bodies[i];
    body->q = vec3_axpy(body->q, time, body->v);
    if (field->spins)
        field->spins[i].q = vec3_axpy(field->spins[i].q, time, field->spins[i].w);
}

static void drift_all(wave_field *field, wave_run *run, double time)
{
    run->clock += time;
#pragma omp parallel for num_threads(run->threads) if (run->threads > 1) schedule(static)
    for (int j = 0; j < run->body_count; ++j)
        drift(field, field->island_body[run->first_body + j], time);
}

// Half a drift, after which kicks and drifts alternate.
static void begin(wave_field *field, wave_run *run)
{
    run->clock = 0;
    run->step = 0;
    run->kicks = 0;
    drift_all(field, run, 0.5 * run->h);
}

// Which contacts may be compressed within the next block: compressed now, or close enough for their
// closing speed plus what a push from the neighbours may add.
static void list_play(wave_field *field, wave_run *run)
{
    const int *list = field->problem->island_contacts + run->first;
    const double span = BLOCK * run->h, push = 0.5 * run->usual, touch = 1e-3 * run->h * run->usual;
#pragma omp parallel for num_threads(run->threads) if (run->threads > 1) schedule(static)
    for (int piece = 0; piece < wave_pieces(run->count); ++piece) {
        int found = 0, base = run->first + piece * WAVE_PIECE;
        wave_scales seen = { .fastest = 0 };
        for (int j = 0; j < wave_piece_size(run->count, piece); ++j) {
            int i = list[piece * WAVE_PIECE + j];
            const wave_contact *c = &field->contacts[i];
            double u = wave_speed(field, c, i);
            double g = wave_gap(field, run, c, i);
            double reach = span * ((u < 0 ? -1.2 * u : 0) +
                                   (field->busy[c->a] | field->busy[c->b] ? push : 0));
            field->in_play[i] = g <= touch || g <= reach;
            if (!field->in_play[i])
                continue;
            field->play[base + found++] = i;
            if (u < 0) {
                seen.fastest = -u > seen.fastest ? -u : seen.fastest;
                seen.square += u * u;
                seen.number += 1;
            }
        }
        field->scales[run->first_piece + piece] = seen;
        field->play_count[run->first_piece + piece] = found;
    }
}

// The micro-step follows the speeds: faster contacts are shorter (too long a step would feed them
// energy), and as the wave spreads and weakens, steps may grow. Kicks and drifts alternate at half
// steps, so a change moves all bodies by half the difference.
static void adapt(wave_field *field, wave_run *run)
{
    wave_scales all = { .fastest = 0 };
    for (int piece = 0; piece < wave_pieces(run->count); ++piece) {
        const wave_scales *part = &field->scales[run->first_piece + piece];
        all.fastest = part->fastest > all.fastest ? part->fastest : all.fastest;
        all.square += part->square;
        all.number += part->number;
    }
    double now = all.number > 0 ? sqrt(all.square / all.number) : 0;
    // Speeds are low for a moment when many contacts are compressed most: forget slowly.
    run->usual = fmax(now, 0.95 * run->usual);
    run->speed = fmax(all.fastest, 0.95 * run->speed);
    double h = carom_wave_setup_step(field, run, run->usual, run->speed);
    if (h > 0.9 * run->h && h < 1.15 * run->h)
        return;
    double shift = 0.5 * (h - run->h);
    run->h = h;
    drift_all(field, run, shift);
}

// The bodies of those contacts, each with its contacts in play.
static void list_awake(wave_field *field, wave_run *run)
{
    const carom_problem *problem = field->problem;
#pragma omp parallel for num_threads(run->threads) if (run->threads > 1) schedule(static)
    for (int piece = 0; piece < wave_pieces(run->body_count); ++piece) {
        int found = 0, base = run->first_body + piece * WAVE_PIECE;
        for (int j = 0; j < wave_piece_size(run->body_count, piece); ++j) {
            int i = field->island_body[base + j], first = problem->first_contact[i], count = 0;
            for (int k = first; k < problem->first_contact[i + 1]; ++k)
                if (field->in_play[problem->contact_list[k]])
                    field->near[first + count++] = field->around[k];
            field->near_count[i] = count;
            field->busy[i] = 0;
            if (count > 0)
                field->awake[base + found++] = i;
            else
                drift(field, i, BLOCK * run->h);
        }
        field->awake_count[run->first_body_piece + piece] = found;
    }
}

// BLOCK micro-steps. Returns how many contacts the last one found compressed.
static int64_t block(wave_field *field, wave_run *run)
{
    int contact_pieces = wave_pieces(run->count), body_pieces = wave_pieces(run->body_count);
    int64_t pressed = 0, kicks = 0;
#pragma omp parallel num_threads(run->threads) if (run->threads > 1)
    for (int step = 0; step < BLOCK; ++step) {
        wave_run at = *run;
        at.clock = run->clock + step * run->h;
#pragma omp single
        pressed = 0;
#pragma omp for schedule(static) reduction(+ : pressed)
        for (int piece = 0; piece < contact_pieces; ++piece)
            pressed += carom_wave_kick_contacts(field, &at, piece);
#pragma omp for schedule(static)
        for (int piece = 0; piece < body_pieces; ++piece)
            carom_wave_kick_bodies(field, &at, piece);
        if (run->rough) {
#pragma omp for schedule(static)
            for (int piece = 0; piece < contact_pieces; ++piece)
                carom_wave_kick_rub(field, &at, piece);
#pragma omp for schedule(static)
            for (int piece = 0; piece < body_pieces; ++piece)
                carom_wave_kick_rubbed(field, &at, piece);
        }
#pragma omp single
        kicks += pressed;
    }
    run->kicks += kicks;
    run->step += BLOCK;
    run->clock += BLOCK * run->h;
    return pressed;
}

// Nothing is compressed: go on to shortly before the next closing. False where no contact will
// close faster than the share of the speed that the sweeps may end.
static bool jump(wave_field *field, wave_run *run)
{
    const int *list = field->problem->island_contacts + run->first;
    double slow = 1e-3 * run->first_speed, soonest = HUGE_VAL;
    bool fast = false;
    for (int j = 0; j < run->count; ++j) {
        const wave_contact *c = &field->contacts[list[j]];
        double u = wave_speed(field, c, list[j]);
        // Slow ones do not keep the march going, but none may be flown through.
        fast = fast || u < -slow;
        if (u < 0)
            soonest = fmin(soonest, fmax(wave_gap(field, run, c, list[j]), 0) / -u);
    }
    if (fast)
        drift_all(field, run, floor(soonest / run->h) * run->h);
    return fast;
}

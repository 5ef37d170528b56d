// Where the law `wave` puts bodies and contacts: places, pieces and runs.
//
// Bodies of an island come in the order in which its contacts first touch them, cut into pieces.
// Contacts within one piece of bodies are that piece's inner contacts; the rest are outer and cut
// into pieces of their own. The places depend
// on the problem only, never on threads.
#include "impact/wave.h"

#include <string.h>

// Micro-steps per contact time and projections per micro-step, up to WAVE_SMALL contacts and
// beyond; and the fewest steps that the option may ask for.
enum { STEPS_SMALL = 8, STEPS_LARGE = 4, STEPS_MIN = 3 };
enum { PROJECTIONS_SMALL = 10, PROJECTIONS_LARGE = 3 };

static carom_status take_arrays(wave_field *field, carom_arena *arena, carom_error *err);
static void place_bodies(wave_field *field);
static void place_contacts(wave_field *field, wave_run *run, int *piece);
static int inner_piece(const wave_field *field, const wave_run *run, int contact);
static void list_around(wave_field *field, const wave_run *run);

static int small_piece(int bodies)
{
    int part = (bodies + WAVE_PIECES - 1) / WAVE_PIECES;
    part = part < WAVE_PIECE ? part : WAVE_PIECE;
    return part > WAVE_SMALL_PIECE ? part : WAVE_SMALL_PIECE;
}

carom_status carom_wave_place(wave_field *field, carom_arena *arena, wave_run **runs,
                              carom_error *err)
{
    const carom_problem *problem = field->problem;
    int piece = 0, body_piece = 0;
    field->piece = field->plain ? WAVE_PIECE : small_piece(problem->body_count);
    TRY(take_arrays(field, arena, err));
    TAKE(arena, *runs, problem->island_count, err);
    place_bodies(field);
    field->first_around[0] = field->outer = 0;
    for (int i = 0; i < problem->island_count; ++i) {
        int first = problem->first_island[i], first_body = field->first_body[i];
        wave_run *run = &(*runs)[i];
        *run = (wave_run){ .first = first,
                           .count = problem->first_island[i + 1] - first,
                           .first_body = first_body,
                           .body_count = field->first_body[i + 1] - first_body,
                           .first_piece = piece,
                           .first_body_piece = body_piece };
        run->fine = run->count <= WAVE_SMALL && !problem->coarse;
        run->steps = run->fine ? STEPS_SMALL : STEPS_LARGE;
        if (field->set.steps > 0)
            run->steps = fmax(field->set.steps, STEPS_MIN);
        run->projections = run->fine ? PROJECTIONS_SMALL : PROJECTIONS_LARGE;
        run->threads = run->count < WAVE_LARGE ? 1 : problem->threads;
        run->body_pieces = wave_pieces(field, run->body_count);
        place_contacts(field, run, &piece);
        body_piece += run->body_pieces;
        list_around(field, run);
        run->first_push = field->outer;
        field->outer += run->first + run->count - run->first_outer;
    }
    field->first_place[piece] = problem->contact_count;
    return CAROM_OK;
}

static carom_status take_arrays(wave_field *field, carom_arena *arena, carom_error *err)
{
    int n = field->problem->contact_count, bodies = field->problem->body_count;
    int islands = field->problem->island_count;
    int body_pieces = bodies / field->piece + islands + 1;
    int pieces = n / field->piece + islands + body_pieces + 1;
    TAKE(arena, field->body_of, bodies, err);
    TAKE(arena, field->place_of, bodies, err);
    TAKE(arena, field->order, n, err);
    TAKE(arena, field->rank_of, n, err);
    TAKE(arena, field->first_body, islands + 1, err);
    TAKE(arena, field->first_place, pieces + 1, err);
    TAKE(arena, field->first_around, bodies + 1, err);
    TAKE(arena, field->around, 2 * (size_t)n, err);
    TAKE(arena, field->active_around, 2 * (size_t)n, err);
    TAKE(arena, field->active_around_count, bodies, err);
    TAKE(arena, field->active_contacts, n, err);
    TAKE(arena, field->active_count, pieces, err);
    if (field->plain || field->lossy || field->problem->tangent)
        TAKE(arena, field->listed, n + 4 * pieces, err);
    TAKE(arena, field->active_bodies, bodies, err);
    TAKE(arena, field->active_body_count, body_pieces, err);
    TAKE(arena, field->gathering_count, body_pieces, err);
    TAKE(arena, field->energy, body_pieces, err);
    TAKE(arena, field->active, n, err);
    TAKE_ZEROS(arena, field->inner_active, bodies, err);
    TAKE(arena, field->disturbed[0], bodies, err);
    TAKE_ZEROS(arena, field->disturbed[1], bodies, err);
    memset(field->disturbed[0], 1, (size_t)bodies); // at first anything may happen
    TAKE(arena, field->scales, pieces, err);
    return CAROM_OK;
}

static void place_bodies(wave_field *field)
{
    const carom_problem *problem = field->problem;
    int count = 0;
    for (int i = 0; i < problem->body_count; ++i)
        field->place_of[i] = -1;
    for (int island = 0; island < problem->island_count; ++island) {
        field->first_body[island] = count;
        for (int k = problem->first_island[island]; k < problem->first_island[island + 1]; ++k) {
            const carom_row *row = &problem->normal[problem->island_contacts[k]];
            if (row->inv_a > 0 && field->place_of[row->a] < 0) {
                field->body_of[count] = row->a;
                field->place_of[row->a] = count++;
            }
            if (row->inv_b > 0 && field->place_of[row->b] < 0) {
                field->body_of[count] = row->b;
                field->place_of[row->b] = count++;
            }
        }
    }
    field->first_body[problem->island_count] = field->movable = count;
    for (int i = 0; i < problem->body_count; ++i)
        if (field->place_of[i] < 0) {
            field->body_of[count] = i;
            field->place_of[i] = count++;
        }
}

// The piece of bodies that holds both ends of a contact, counted from the island's first; -1: none.
static int inner_piece(const wave_field *field, const wave_run *run, int contact)
{
    const carom_row *row = &field->problem->normal[contact];
    int a = (field->place_of[row->a] - run->first_body) / field->piece;
    int b = (field->place_of[row->b] - run->first_body) / field->piece;
    if (row->inv_a > 0 && row->inv_b > 0 && a != b)
        return -1;
    return row->inv_a > 0 ? a : b;
}

// Counting sort by inner piece, outer contacts last; stable, so ascending within each.
static void place_contacts(wave_field *field, wave_run *run, int *piece)
{
    const int *list = field->problem->island_contacts + run->first;
    int *start = field->first_place + run->first_piece, outer = 0;
    run->inner = run->body_pieces;
    for (int p = 0; p < run->inner; ++p)
        start[p] = 0;
    for (int j = 0; j < run->count; ++j) {
        int p = inner_piece(field, run, list[j]);
        if (p >= 0)
            ++start[p];
        else
            ++outer;
    }
    int at = run->first, outer_at = run->first + run->count - outer;
    for (int p = 0; p < run->inner; ++p) {
        int size = start[p];
        start[p] = at;
        at += size;
    }
    int outer_pieces = wave_pieces(field, outer);
    run->first_outer = outer_at;
    for (int p = 0; p < outer_pieces; ++p)
        start[run->inner + p] = outer_at + p * field->piece;
    for (int j = 0; j < run->count; ++j) {
        int p = inner_piece(field, run, list[j]), place = p >= 0 ? start[p]++ : outer_at++;
        field->order[place] = list[j];
        field->rank_of[list[j]] = place;
    }
    // Each start has moved to the next one's.
    for (int p = run->inner - 1; p > 0; --p)
        start[p] = start[p - 1];
    if (run->inner > 0)
        start[0] = run->first;
    run->pieces = run->inner + outer_pieces;
    *piece += run->pieces;
}

static void list_around(wave_field *field, const wave_run *run)
{
    const carom_problem *problem = field->problem;
    for (int place = run->first_body; place < run->first_body + run->body_count; ++place) {
        int body = field->body_of[place], count = field->first_around[place];
        for (int k = problem->first_contact[body]; k < problem->first_contact[body + 1]; ++k) {
            int contact = problem->contact_list[k], rank = field->rank_of[contact];
            if (rank >= run->first_outer)
                field->around[count++] = problem->normal[contact].b == body ? rank : ~rank;
        }
        field->first_around[place + 1] = count;
    }
}

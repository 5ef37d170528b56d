// Tosses to look at: those of a law side by side on one floor, and in the place of each the
// measured one as a ghost.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "carom/world.h"
#include "export/recording.h"
#include "validate/validate.h"

// Distance of two tosses on the floor, in widths of the cube; by how much a ghost is larger than
// ours, so that it is not torn where both are in one place.
static const double spacing = 9, larger = 1.01;
enum { OURS = 0x2f7ed8, MEASURED = 0xe08a1e };

typedef struct rank {
    double error;
    int index;
} rank;

static int by_error(const void *a, const void *b)
{
    const rank *x = a, *y = b;
    return x->error != y->error ? (x->error > y->error) - (x->error < y->error)
                                : x->index - y->index;
}

typedef struct show {
    const carom_validate_options *options;
    const carom_validate_row *row;
    const carom_parts_list *part;
    int count, frames;
    int *chosen;                // which toss of the part
    carom_engine_state *states; // count times frames
} show;

// Evenly by rank, from the best to the worst.
static carom_status choose(show *s, carom_error *err)
{
    int n = s->part->count;
    rank *ranks = malloc((size_t)n * sizeof *ranks);
    s->chosen = malloc((size_t)s->count * sizeof *s->chosen);
    if (!ranks || !s->chosen) {
        free(ranks);
        return carom_error_no_memory(err, "%d tosses", n);
    }
    for (int i = 0; i < n; ++i)
        ranks[i] = (rank){ s->row->errors[i], i };
    qsort(ranks, (size_t)n, sizeof *ranks, by_error);
    for (int i = 0; i < s->count; ++i) {
        s->chosen[i] = ranks[s->count > 1 ? i * (n - 1) / (s->count - 1) : n / 2].index;
        int frames = s->part->cases[s->chosen[i]].count;
        s->frames = frames > s->frames ? frames : s->frames;
    }
    free(ranks);
    return CAROM_OK;
}

static carom_status run_chosen(show *s, carom_error *err)
{
    s->states = calloc((size_t)s->count * (size_t)s->frames, sizeof *s->states);
    if (!s->states)
        return carom_error_no_memory(err, "%d frames", s->frames);
    for (int i = 0; i < s->count; ++i)
        TRY(carom_validate_run_toss(s->options, s->row->law, &s->row->material,
                                    &s->part->cases[s->chosen[i]],
                                    s->states + (size_t)i * (size_t)s->frames, err));
    return CAROM_OK;
}

// A frame's numbers of one body: as measured, or as we have it.
static void place(const show *s, int toss, int frame, int measured, double *out)
{
    const carom_case *c = &s->part->cases[s->chosen[toss]];
    int columns = 1;
    while (columns * columns < s->count)
        ++columns;
    int last = frame < c->count ? frame : c->count - 1; // a shorter one stays where it ended
    const double *row = c->rows + (size_t)last * CAROM_TOSS_COLUMNS;
    const carom_engine_state *state = s->states + (size_t)toss * (size_t)s->frames + last - 1;
    memcpy(out, row + CAROM_TOSS_X, CAROM_FRAME_STRIDE * sizeof *out);
    if (!measured && last > 0) {
        memcpy(out + CAROM_FRAME_POSITION, state->position, sizeof state->position);
        memcpy(out + CAROM_FRAME_ROTATION, state->rotation, sizeof state->rotation);
        memcpy(out + CAROM_FRAME_VELOCITY, state->velocity, sizeof state->velocity);
        memcpy(out + CAROM_FRAME_SPIN, state->spin, sizeof state->spin);
    }
    const double *end = c->rows + (size_t)(c->count - 1) * CAROM_TOSS_COLUMNS;
    for (int k = 0; k < 2; ++k) // the middle of its way stands in its place
        out[k] += spacing * s->options->width * (k ? toss / columns : toss % columns) -
                  0.5 * (c->rows[CAROM_TOSS_X + k] + end[CAROM_TOSS_X + k]);
}

// Floor, then ours, then the measured ones.
static carom_status make_world(const show *s, carom_world **out, carom_error *err)
{
    double half = 0.5 * s->options->width;
    carom_world_options options = carom_world_options_default();
    carom_body floor = carom_world_body_default(), body = carom_world_body_default();
    carom_shape *plane = NULL, *cube = NULL, *ghost = NULL;
    options.law = s->row->law;
    options.law_options = carom_law_defaults(s->row->law);
    TRY(carom_world_create(&options, out, err));
    carom_status status = carom_plane_create(&plane, err);
    if (status == CAROM_OK)
        status = carom_box_create((double[]){ half, half, half }, &cube, err);
    if (status == CAROM_OK)
        status = carom_box_create((double[]){ larger * half, larger * half, larger * half }, &ghost,
                                  err);
    floor.shape = plane;
    floor.kind = CAROM_BODY_FIXED;
    body.mass = s->options->mass;
    body.group = 1;
    if (status == CAROM_OK)
        status = carom_world_add_body(*out, &floor, NULL, err);
    for (int i = 0; i < 2 * s->count && status == CAROM_OK; ++i) {
        body.shape = i < s->count ? cube : ghost;
        body.kind = i < s->count ? CAROM_BODY_MOVING : CAROM_BODY_DRIVEN;
        body.position[2] = half;
        status = carom_world_add_body(*out, &body, NULL, err);
    }
    carom_shape_release(plane);
    carom_shape_release(cube);
    carom_shape_release(ghost);
    return status;
}

static carom_status name_bodies(const show *s, carom_recording *recording, carom_error *err)
{
    char name[96];
    snprintf(name, sizeof name, "tosses by %.40s; orange: measured", s->row->name);
    TRY(carom_recording_set_title(recording, name, err));
    TRY(carom_recording_set_body(recording, 0, "floor", -1, err));
    for (int i = 0; i < s->count; ++i) {
        const carom_case *c = &s->part->cases[s->chosen[i]];
        snprintf(name, sizeof name, "toss %g, off by %.3f widths", c->rows[CAROM_TOSS_NUMBER],
                 s->row->errors[s->chosen[i]]);
        TRY(carom_recording_set_body(recording, 1 + i, name, OURS, err));
        snprintf(name, sizeof name, "toss %g, measured", c->rows[CAROM_TOSS_NUMBER]);
        TRY(carom_recording_set_body(recording, 1 + s->count + i, name, MEASURED, err));
        TRY(carom_recording_set_ghost(recording, 1 + s->count + i, err));
    }
    return CAROM_OK;
}

static carom_status add_frames(const show *s, carom_recording *recording, carom_error *err)
{
    double *bodies = calloc((size_t)(2 * s->count + 1), CAROM_FRAME_STRIDE * sizeof *bodies);
    carom_status status = bodies ? CAROM_OK : carom_error_no_memory(err, "a frame");
    for (int frame = 0; frame < s->frames && status == CAROM_OK; ++frame) {
        bodies[CAROM_FRAME_ROTATION] = 1; // the floor's
        for (int i = 0; i < 2 * s->count; ++i)
            place(s, i % s->count, frame, i >= s->count,
                  bodies + (size_t)(i + 1) * CAROM_FRAME_STRIDE);
        status = carom_recording_append_frame(recording, frame / s->options->rate, bodies, err);
    }
    free(bodies);
    return status;
}

static carom_status record(show *s, carom_recording **out, carom_error *err)
{
    carom_world *world = NULL;
    TRY(choose(s, err));
    TRY(run_chosen(s, err));
    carom_status status = make_world(s, &world, err);
    if (status == CAROM_OK)
        status = carom_recording_create(world, out, err);
    if (status == CAROM_OK)
        status = name_bodies(s, *out, err);
    if (status == CAROM_OK)
        status = add_frames(s, *out, err);
    carom_world_destroy(world);
    return status;
}

carom_status carom_validate_recording(const carom_validate_options *options,
                                      const carom_validation *validation, int row, int count,
                                      carom_recording **out, carom_error *err)
{
    carom_parts p = { 0 };
    NEED(err, options, validation, out);
    *out = NULL;
    if (!validation->tosses || row < 0 || row >= validation->row_count ||
        !validation->rows[row].law || !validation->rows[row].errors || count < 1) {
        carom_error_set(err, CAROM_BAD_INPUT, "there is no law of tosses in row %d", row);
        return carom_error_fix(err, "show a row of a law, of a validation by tosses");
    }
    carom_status status = carom_validate_read_tosses(options, &p, err);
    show s = { .options = options,
               .row = &validation->rows[row],
               .part = &p.judge,
               .count = count < validation->judged ? count : validation->judged };
    if (status == CAROM_OK && p.judge.count != validation->judged)
        status = carom_error_set(err, CAROM_BAD_INPUT, "the file has changed since it was judged");
    if (status == CAROM_OK)
        status = record(&s, out, err);
    free(s.chosen);
    free(s.states);
    carom_parts_free(&p);
    if (status != CAROM_OK) {
        carom_recording_destroy(*out);
        *out = NULL;
    }
    return status;
}

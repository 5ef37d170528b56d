// Draws contacts from a bounce map so that their restitutions spread evenly, by a seed. The maps
// themselves are made in src/bounce.
#include "bounce_pick.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "terminal.h"

typedef struct ranked {
    double epsilon;
    int sample;
} ranked;

static int by_epsilon(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    int order = (a->epsilon > b->epsilon) - (a->epsilon < b->epsilon);
    return order ? order : a->sample - b->sample;
}

// The next of a fixed series of numbers below `count`.
static int draw(unsigned long long *state, int count)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int)((*state >> 33) % (unsigned long long)count);
}

// Of all faces, one from each of `count` equal intervals of the values that occur, each contact
// once (mirror images have equal values): the nearest to the middle, or with a seed any of them.
// `chosen` gets their numbers. Returns how many were found: intervals may be empty.
static int choose(const carom_bounce_map *map, int count, unsigned long long seed, int *chosen)
{
    int n = carom_bounce_map_sample_count(map), distinct = 0, found = 0;
    ranked *list = malloc(((size_t)n + 1) * sizeof *list);
    if (!list)
        return -1;
    for (int s = 0; s < n; ++s)
        list[s] = (ranked){ carom_bounce_map_sample(map, s, NULL, NULL).epsilon, s };
    qsort(list, (size_t)n, sizeof *list, by_epsilon);
    for (int s = 0; s < n; ++s)
        if (distinct == 0 || list[s].epsilon > list[distinct - 1].epsilon)
            list[distinct++] = list[s];
    double low = list[0].epsilon, step = (list[distinct - 1].epsilon - low) / count;
    unsigned long long state = seed;
    for (int k = 0, at = 0, end; k < count; ++k, at = end) {
        double middle = low + step * (k + 0.5);
        int best = at;
        for (end = at;
             end < distinct && (list[end].epsilon < middle + 0.5 * step || k == count - 1); ++end)
            if (fabs(list[end].epsilon - middle) < fabs(list[best].epsilon - middle))
                best = end;
        if (end > at)
            chosen[found++] = list[seed ? at + draw(&state, end - at) : best].sample;
    }
    free(list);
    return found;
}

static carom_status fill(const carom_bounce_body *body, const carom_bounce_map *map,
                         const int *chosen, carom_bounce_batch *out, carom_error *err)
{
    const carom_modal_info *about = carom_modal_about(body->modes);
    double *a = malloc((size_t)out->sample_count * (size_t)about->mode_count * sizeof *a);
    double *w = malloc((size_t)out->sample_count * sizeof *w);
    carom_status status = a && w ? CAROM_OK : CAROM_NO_MEMORY;
    for (int k = 0; k < out->sample_count && status == CAROM_OK; ++k) {
        double point[3], normal[3];
        carom_bounce_map_sample(map, chosen[k], point, normal);
        for (int d = 0; d < 3; ++d)
            point[d] += body->origin[d];
        status = carom_modal_participation(body->modes, point, normal,
                                           a + (size_t)k * (size_t)about->mode_count, &w[k], err);
    }
    out->a = a;
    out->w = w;
    out->omega = about->omega;
    out->mode_count = about->mode_count;
    out->threads = 1;
    return status;
}

int carom_bounce_pick_contacts(const carom_bounce_body *body, int count, int seed,
                               carom_bounce_batch *out)
{
    carom_bounce_map_options options = carom_bounce_map_options_default();
    carom_bounce_map *map = NULL;
    carom_error err = { 0 };
    options.edges = options.vertices = 0;
    memcpy(options.origin, body->origin, sizeof options.origin);
    *out = (carom_bounce_batch){ .sample_count = count };
    int *chosen = malloc((size_t)count * sizeof *chosen);
    const carom_progress *progress = carom_terminal_progress_begin();
    carom_status status =
        chosen ? carom_bounce_map_bake(body->shape, body->modes, &options, progress, &map, &err)
               : CAROM_NO_MEMORY;
    carom_terminal_progress_end();
    if (status == CAROM_OK) {
        out->sample_count = choose(map, count, (unsigned long long)seed, chosen);
        status = out->sample_count > 0 ? fill(body, map, chosen, out, &err) : CAROM_NO_MEMORY;
    }
    carom_bounce_map_destroy(map);
    free(chosen);
    if (status == CAROM_NO_MEMORY && err.status == CAROM_OK)
        err = (carom_error){ .status = CAROM_NO_MEMORY, .what = "no memory for the contacts" };
    return status == CAROM_OK ? CAROM_EXIT_GOOD : carom_command_fail(&err);
}

void carom_bounce_pick_free(carom_bounce_batch *batch)
{
    free((void *)batch->a);
    free((void *)batch->w);
    *batch = (carom_bounce_batch){ 0 };
}

// Measured tosses of a cube as a test: the mean distance from what was measured.
#include <math.h>
#include <stdlib.h>
#include "referee/referee.h"
#include "validate/validate.h"

// Tosses that are run; friction of all, and the restitutions of which each contestant has its best.
enum { TOSSES = 24, RESTITUTIONS = 3 };
static const double friction = 0.18, restitutions[RESTITUTIONS] = { 0, 0.1, 0.2 };

struct carom_referee_tosses {
    carom_validate_options options;
    carom_parts parts;
    int count;
    carom_engine_scene scenes[TOSSES];
    carom_engine_body bodies[TOSSES][2];
    carom_engine_state *states; // floor and cube of every frame of every toss
};

carom_status carom_referee_tosses_open(const char *path, carom_referee_tosses **out,
                                       carom_error *err)
{
    carom_referee_tosses *t = calloc(1, sizeof *t);
    size_t frames = 0;
    *out = NULL;
    if (!t)
        return carom_error_no_memory(err, "tosses");
    t->options = carom_validate_options_default();
    t->options.data = path;
    carom_status status = carom_validate_read_tosses(&t->options, &t->parts, err);
    for (int i = 0; i < TOSSES && i < t->parts.judge.count && status == CAROM_OK; ++i) {
        frames += (size_t)t->parts.judge.cases[i].count;
        ++t->count;
    }
    t->states = calloc(2 * frames + 1, sizeof *t->states);
    if (status == CAROM_OK && !t->states)
        status = carom_error_no_memory(err, "tosses");
    if (status == CAROM_OK)
        *out = t;
    else
        carom_referee_tosses_close(t);
    return status;
}

void carom_referee_tosses_close(carom_referee_tosses *tosses)
{
    if (!tosses)
        return;
    carom_parts_free(&tosses->parts);
    free(tosses->states);
    free(tosses);
}

// Both bodies of a frame came back, the cube's second: they move to the front.
static double mean_error(carom_referee_tosses *t)
{
    double sum = 0, position, angle;
    size_t at = 0;
    for (int i = 0; i < t->count; ++i) {
        const carom_case *toss = &t->parts.judge.cases[i];
        size_t frames = (size_t)toss->count - 1;
        for (size_t k = 0; k < frames; ++k)
            t->states[at + k] = t->states[at + 2 * k + 1];
        carom_validate_toss_errors(&t->options, toss, &t->states[at], &position, &angle);
        sum += position;
        at += 2 * frames;
    }
    return sum / t->count;
}

carom_status carom_referee_tosses_run(carom_referee_tosses *tosses, carom_engine *engine,
                                      carom_engine_scene *how, int substeps, double *error,
                                      double *seconds, carom_error *err)
{
    carom_referee_tosses *t = tosses;
    *error = HUGE_VAL;
    for (int e = 0; e < RESTITUTIONS; ++e) {
        carom_validate_material material = { .restitution = restitutions[e], .friction = friction };
        double spent = 0;
        for (int i = 0; i < t->count; ++i) {
            t->scenes[i] = carom_validate_toss_scene(
                &t->options, &material, &t->parts.judge.cases[i], substeps, t->bodies[i]);
            t->scenes[i].iterations = how->iterations;
            t->scenes[i].setting = how->setting;
            how->step = t->scenes[i].step;
        }
        TRY(carom_engine_run(engine, t->scenes, t->count, t->states, &spent, err));
        double mean = mean_error(t);
        if (mean < *error) {
            *error = mean;
            *seconds = spent;
        }
    }
    return CAROM_OK;
}

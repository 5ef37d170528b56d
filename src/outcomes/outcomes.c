// The set of outcomes of an instant; see carom/outcomes.h. Samples run in blocks: threads share the
// blocks, and their statistics are merged in order.
#include "outcomes/outcomes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/progress.h"
#include "base/team.h"
#include "base/text.h"

// Samples of a block; blocks of a round, after which the caller is told.
enum { BLOCK = 1024, ROUND = 16 };

carom_outcomes_options carom_outcomes_options_default(void)
{
    return (carom_outcomes_options){
        .samples = 65536, .vary = CAROM_OUTCOMES_ORDER, .spread = 0.2, .seed = 1, .threads = 1
    };
}

static const char *const words[] = {
#define WORD(name, word, sentence) word,
    CAROM_OUTCOMES_LIST(WORD)
#undef WORD
};

int carom_outcomes_find(const char *word)
{
    for (int i = 0; i < CAROM_OUTCOMES_BITS && word; ++i)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}

static carom_status check_options(const carom_outcomes_options *o, carom_error *err)
{
    unsigned ways = o->vary & (CAROM_OUTCOMES_ORDER | CAROM_OUTCOMES_GAP | CAROM_OUTCOMES_SHARE);
    if (o->vary == 0 || o->vary >= 1u << CAROM_OUTCOMES_BITS || (ways & (ways - 1)) != 0) {
        carom_error_set(err, CAROM_BAD_INPUT, "%s is drawn",
                        o->vary == 0 ? "nothing" : "more than one of order, gap and share");
        return carom_error_fix(err,
                               "name at least one thing to vary, and one of these three at most");
    }
    if (!(o->spread >= 0 && o->spread <= 1) || o->samples < 1) {
        carom_error_set(err, CAROM_BAD_INPUT, "%lld samples with a spread of %g",
                        (long long)o->samples, o->spread);
        return carom_error_fix(err, "use at least one sample and a spread from 0 to 1");
    }
    return CAROM_OK;
}

// -- blocks ----------------------------------------------------------------------------------

typedef struct sampling {
    const carom_outcomes_options *options;
    const carom_impact *impact;
    carom_outcomes_draw *draws; // one per thread
    carom_outcomes_frame frame;
    carom_outcomes_tally all, *round; // ROUND of them
    double before;                    // J
    double (*some)[2];                // of each body, the first samples
    int shown;
    int64_t first, blocks;     // block of the round, and how many there are in all
    carom_pieces_store *store; // null: all blocks are done here
    carom_progress_stop stop;
    carom_status status;
    carom_error error;
} sampling;

static void keep_point(sampling *s, const carom_outcomes_draw *d, int64_t index)
{
    for (int i = 0; i < s->impact->body_count && index < s->shown; ++i)
        for (int k = 0; k < 2; ++k)
            s->some[(size_t)i * (size_t)s->shown + (size_t)index][k] =
                d->velocities[i][s->frame.axis[i][k]];
}

static int64_t samples_of(const sampling *s, int64_t block)
{
    int64_t left = s->options->samples - block * BLOCK;
    return left < BLOCK ? left : BLOCK;
}

static carom_status run_block(sampling *s, carom_outcomes_draw *d, int64_t block,
                              carom_outcomes_tally *tally, carom_error *err)
{
    int64_t from = block * BLOCK, to = from + samples_of(s, block);
    for (int64_t i = from; i < to; ++i) {
        TRY(carom_progress_check(&s->stop, "sampling", err));
        TRY(carom_outcomes_draw_sample(d, i, err));
        double energy = carom_outcomes_draw_energy(s->impact, (const double(*)[3])d->velocities,
                                                   (const double(*)[3])d->spins);
        keep_point(s, d, i);
        TRY(carom_outcomes_tally_add(tally, &s->frame, d, s->before > 0 ? energy / s->before : 1,
                                     err));
    }
    carom_outcomes_tally_close_hulls(tally);
    return CAROM_OK;
}

static void round_share(sampling *s, int blocks, int threads)
{
    carom_outcomes_draw *d = &s->draws[carom_team_me(threads)];
    CAROM_TEAM_EACH (b, blocks, threads) {
        carom_error err = { 0 };
        if (!carom_pieces_wanted(s->store, s->first + b))
            continue;
        carom_status status = run_block(s, d, s->first + b, &s->round[b], &err);
        carom_team_lock(threads);
        if (status != CAROM_OK) {
            s->status = status;
            s->error = err;
        }
        carom_team_unlock(threads);
    }
}
CAROM_TEAM_SHARE3(round_share, sampling *, int, int)

static carom_outcomes_shown shown_of(const sampling *s, int64_t block)
{
    int64_t first = block * BLOCK, left = s->shown - first;
    return (carom_outcomes_shown){ .points = left > 0 ? s->some + first : s->some,
                                   .count = left <= 0      ? 0
                                            : left < BLOCK ? (int)left
                                                           : BLOCK,
                                   .room = s->shown };
}

// A block that was done: into the statistics, or into the file of the shard.
static carom_status keep_block(sampling *s, int64_t block, const carom_outcomes_tally *tally,
                               carom_error *err)
{
    if (!s->store)
        return carom_outcomes_tally_merge(&s->all, tally, err);
    if (!carom_pieces_wanted(s->store, block))
        return CAROM_OK;
    carom_outcomes_shown shown = shown_of(s, block);
    return carom_outcomes_pieces_put(s->store, block, tally, &shown, err);
}

static carom_status run_round(sampling *s, int64_t left, carom_error *err)
{
    int blocks = left < ROUND ? (int)left : ROUND, threads = s->options->threads;
    carom_status status = CAROM_OK;
    for (int b = 0; b < blocks && status == CAROM_OK; ++b)
        status = carom_outcomes_tally_open(&s->round[b], s->impact->body_count, err);
    if (status == CAROM_OK) {
        CAROM_TEAM(threads, round_share(s, blocks, threads));
        status = s->status;
        if (status != CAROM_OK && err)
            *err = s->error;
    }
    for (int b = 0; b < blocks; ++b) {
        if (status == CAROM_OK)
            status = keep_block(s, s->first + b, &s->round[b], err);
        carom_outcomes_tally_close(&s->round[b]);
        s->round[b] = (carom_outcomes_tally){ 0 };
    }
    return status;
}

// Whoever is asked within a round hears how far the rounds are.
static int report_rounds(void *context, double done, double total, const char *what)
{
    const sampling *s = context;
    const carom_progress *to = s->options->progress;
    (void)done, (void)total, (void)what;
    return to->report(to->context, (double)s->first, (double)s->blocks, "sampling");
}

// Every block from the files of the shards, in order.
static carom_status merge_all(sampling *s, carom_error *err)
{
    TRY(carom_outcomes_pieces_get_frame(s->store, s->blocks, &s->frame, s->impact->body_count,
                                        err));
    for (int64_t block = 0; block < s->blocks; ++block) {
        carom_outcomes_tally tally;
        carom_outcomes_shown shown = shown_of(s, block);
        TRY(carom_outcomes_tally_open(&tally, s->impact->body_count, err));
        carom_status status =
            carom_outcomes_pieces_get(s->store, block, samples_of(s, block), &tally, &shown, err);
        if (status == CAROM_OK)
            status = carom_outcomes_tally_merge(&s->all, &tally, err);
        carom_outcomes_tally_close(&tally);
        if (status != CAROM_OK)
            return status;
    }
    carom_outcomes_tally_close_hulls(&s->all);
    return CAROM_OK;
}

static carom_status make_frame(sampling *s, carom_error *err);

static carom_status run_all(sampling *s, carom_error *err)
{
    const carom_progress *given = s->options->progress;
    const carom_progress within = { report_rounds, s };
    s->blocks = (s->options->samples + BLOCK - 1) / BLOCK;
    carom_progress_begin(&s->stop, given && given->report ? &within : NULL);
    if (s->options->pieces) {
        TRY(carom_pieces_open(s->options->pieces, carom_outcomes_pieces_key(&s->draws[0]),
                              &s->store, err));
        if (s->options->pieces->shards == 0)
            return merge_all(s, err);
    }
    TRY(make_frame(s, err));
    if (s->store && carom_pieces_wanted(s->store, s->blocks))
        TRY(carom_outcomes_pieces_put_frame(s->store, s->blocks, &s->frame, s->impact->body_count,
                                            err));
    for (s->first = 0; s->first < s->blocks; s->first += ROUND) {
        TRY(carom_progress_report(given, (double)s->first, (double)s->blocks, "sampling", err));
        TRY(run_round(s, s->blocks - s->first, err));
    }
    carom_outcomes_tally_close_hulls(&s->all);
    return CAROM_OK;
}

// -- the frame: what the first samples show --------------------------------------------------

// The two components that vary most among the first samples; x and y where none does.
static void choose_axes(const double range[3], int axis[2])
{
    int least = 2;
    for (int k = 1; k >= 0; --k)
        least = range[k] < range[least] ? k : least;
    axis[0] = least == 0;
    axis[1] = least == 2 ? 1 : 2;
}

static carom_status make_frame(sampling *s, carom_error *err)
{
    int bodies = s->impact->body_count;
    int64_t pilot = s->options->samples < BLOCK ? s->options->samples : BLOCK;
    carom_outcomes_draw *d = &s->draws[0];
    carom_outcomes_tally tally;
    TRY(carom_outcomes_tally_open(&tally, bodies, err));
    carom_status status = CAROM_OK;
    for (int64_t i = 0; i < pilot && status == CAROM_OK; ++i) {
        status = carom_progress_check(&s->stop, "sampling", err);
        if (status == CAROM_OK)
            status = carom_outcomes_draw_sample(d, i, err);
        if (i == 0 && status == CAROM_OK) {
            size_t size = (size_t)bodies * sizeof *s->frame.velocities;
            memcpy(s->frame.velocities, d->velocities, size);
            memcpy(s->frame.spins, d->spins, size);
            s->frame.energy =
                s->before > 0
                    ? carom_outcomes_draw_energy(s->impact, (const double(*)[3])d->velocities,
                                                 (const double(*)[3])d->spins) /
                          s->before
                    : 1;
        }
        if (status == CAROM_OK)
            status = carom_outcomes_tally_add(&tally, &s->frame, d, s->frame.energy, err);
    }
    for (int i = 0; i < bodies && status == CAROM_OK; ++i) {
        double range[3];
        for (int k = 0; k < 3; ++k)
            range[k] = tally.numbers[i][k].max - tally.numbers[i][k].min;
        choose_axes(range, s->frame.axis[i]);
    }
    carom_outcomes_tally_close(&tally);
    return status;
}

// -- results ---------------------------------------------------------------------------------

typedef struct result {
    carom_outcomes face; // first: what the caller has
    carom_outcomes_body *bodies;
    carom_outcomes_pattern patterns[CAROM_OUTCOMES_PATTERNS];
    double *numbers; // hulls and some samples
} result;

static carom_outcomes_spread spread_of(const carom_outcomes_sum *s, double from, int64_t samples)
{
    double n = (double)samples, mean = s->sum / n;
    double variance = fmax(s->squares / n - mean * mean, 0);
    return (carom_outcomes_spread){ from + mean, sqrt(variance), from + s->min, from + s->max };
}

static void name_pattern(const carom_scene_impact *scene, int bodies, uint64_t code, char *out,
                         size_t size)
{
    static const char *const directions[] = { "still", "+x", "-x", "+y", "-y", "+z", "-z" };
    const carom_impact *impact = carom_scene_impact_problem(scene);
    size_t used = 0;
    for (int i = 0; i < bodies && i < CAROM_OUTCOMES_CODED && used + 1 < size; ++i) {
        if (impact->bodies[i].inverse_mass == 0)
            continue;
        int more =
            snprintf(out + used, size - used, "%s%.24s %s", used ? ", " : "",
                     carom_scene_impact_body_name(scene, i), directions[code >> (3 * i) & 7]);
        used += more > 0 ? (size_t)more : 0;
    }
}

static int by_count(const void *a, const void *b)
{
    const carom_outcomes_pattern *x = a, *y = b;
    if (x->probability != y->probability)
        return x->probability > y->probability ? -1 : 1;
    return strcmp(x->words, y->words);
}

static carom_status make_result(const sampling *s, const carom_scene_impact *scene,
                                carom_outcomes **out, carom_error *err)
{
    const carom_outcomes_tally *t = &s->all;
    size_t bodies = (size_t)t->body_count, points = 0, at = 0;
    for (int i = 0; i < t->body_count; ++i)
        points += (size_t)t->hulls[i].count + (size_t)s->shown;
    result *r = calloc(1, sizeof *r + bodies * sizeof *r->bodies + 2 * points * sizeof(double));
    if (!r)
        return carom_error_no_memory(err, "the outcomes");
    r->bodies = (carom_outcomes_body *)(r + 1);
    r->numbers = (double *)(r->bodies + bodies);
    for (int i = 0; i < t->body_count; ++i) {
        carom_outcomes_body *b = &r->bodies[i];
        for (int k = 0; k < 3; ++k) {
            b->velocity[k] = spread_of(&t->numbers[i][k], s->frame.velocities[i][k], t->samples);
            b->spin[k] = spread_of(&t->numbers[i][3 + k], s->frame.spins[i][k], t->samples);
        }
        memcpy(b->axis, s->frame.axis[i], sizeof b->axis);
        b->hull = r->numbers + at;
        b->hull_count = t->hulls[i].count;
        if (b->hull_count)
            memcpy(r->numbers + at, t->hulls[i].points, 2 * (size_t)b->hull_count * sizeof(double));
        at += 2 * (size_t)b->hull_count;
        b->some = r->numbers + at;
        b->some_count = s->shown;
        memcpy(r->numbers + at, s->some + (size_t)i * (size_t)s->shown,
               2 * (size_t)s->shown * sizeof(double));
        at += 2 * (size_t)s->shown;
    }
    for (int i = 0; i < t->pattern_count; ++i) {
        r->patterns[i].probability = (double)t->counts[i] / (double)t->samples;
        name_pattern(scene, t->body_count, t->codes[i], r->patterns[i].words,
                     sizeof r->patterns[i].words);
    }
    qsort(r->patterns, (size_t)t->pattern_count, sizeof *r->patterns, by_count);
    r->face = (carom_outcomes){ .samples = t->samples,
                                .unfinished = t->unfinished,
                                .bodies = r->bodies,
                                .body_count = t->body_count,
                                .energy = spread_of(&t->energy, s->frame.energy, t->samples),
                                .patterns = r->patterns,
                                .pattern_count = t->pattern_count,
                                .others = t->others };
    *out = &r->face;
    return CAROM_OK;
}

void carom_outcomes_destroy(carom_outcomes *outcomes)
{
    free(outcomes);
}

// -- all of it -------------------------------------------------------------------------------

static carom_status prepare(sampling *s, const carom_scene_impact *scene, carom_error *err)
{
    size_t bodies = (size_t)s->impact->body_count, threads = (size_t)s->options->threads;
    s->shown = (int)(s->options->samples < CAROM_OUTCOMES_SHOWN ? s->options->samples
                                                                : CAROM_OUTCOMES_SHOWN);
    s->draws = calloc(threads, sizeof *s->draws);
    s->round = calloc(ROUND, sizeof *s->round);
    s->frame.velocities = calloc(bodies, sizeof *s->frame.velocities);
    s->frame.spins = calloc(bodies, sizeof *s->frame.spins);
    s->frame.axis = calloc(bodies, sizeof *s->frame.axis);
    s->some = calloc(bodies * (size_t)s->shown, sizeof *s->some);
    if (!s->draws || !s->round || !s->frame.velocities || !s->frame.spins || !s->frame.axis ||
        !s->some)
        return carom_error_no_memory(err, "%zu bodies", bodies);
    TRY(carom_outcomes_tally_open(&s->all, s->impact->body_count, err));
    const carom_law *own = carom_scene_impact_law(scene);
    for (size_t i = 0; i < threads; ++i) {
        carom_outcomes_draw *d = &s->draws[i];
        d->impact = s->impact;
        d->options = s->options;
        d->law = s->options->law ? s->options->law : own;
        d->law_options = d->law == own ? carom_scene_impact_options(scene) : NULL;
        TRY(carom_outcomes_draw_open(d, err));
    }
    return CAROM_OK;
}

static double energy_before(const carom_impact *impact, double *fastest)
{
    double sum = 0;
    *fastest = 0;
    for (int i = 0; i < impact->body_count; ++i) {
        const carom_impact one = { 1, 0, &impact->bodies[i], NULL };
        const carom_impact_body *b = &impact->bodies[i];
        sum += carom_outcomes_draw_energy(&one, &b->velocity, &b->spin);
        *fastest = fmax(*fastest, vec3_length(vec3_from(b->velocity)));
    }
    return sum;
}

carom_status carom_outcomes_sample(const carom_scene_impact *scene,
                                   const carom_outcomes_options *options, carom_outcomes **out,
                                   carom_error *err)
{
    NEED(err, scene, options, out);
    *out = NULL;
    TRY(check_options(options, err));
    carom_outcomes_options own = *options;
    own.threads = own.threads < 1 ? 1 : own.threads;
    sampling s = { .options = &own, .impact = carom_scene_impact_problem(scene) };
    double fastest;
    s.before = energy_before(s.impact, &fastest);
    s.frame.still = 1e-6 * fastest;
    carom_status status = prepare(&s, scene, err);
    if (status == CAROM_OK)
        status = run_all(&s, err);
    if (status == CAROM_OK && !(own.pieces && own.pieces->shards > 0))
        status = make_result(&s, scene, out, err);
    carom_pieces_close(s.store);
    for (int i = 0; i < own.threads && s.draws; ++i)
        carom_outcomes_draw_close(&s.draws[i]);
    carom_outcomes_tally_close(&s.all);
    free(s.draws);
    free(s.round);
    free(s.frame.velocities);
    free(s.frame.spins);
    free(s.frame.axis);
    free(s.some);
    return status;
}

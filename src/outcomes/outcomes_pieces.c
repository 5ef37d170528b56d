// Blocks of samples as pieces of a work that is cut (carom/pieces.h): their statistics as bytes.
// The piece behind the last block is the frame that all of them are seen in.
#include "outcomes/outcomes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/bytes.h"
#include "base/hash.h"

static uint64_t hash_options(uint64_t key, const carom_outcomes_options *o, const carom_law *law,
                             const carom_law_options *law_options)
{
    const double numbers[] = { (double)o->samples, o->vary, o->spread, o->work_max };
    const carom_law_options values = law_options ? *law_options : carom_law_defaults(law);
    const char *name = carom_law_name(law);
    key = carom_hash_doubles(key, numbers, sizeof numbers / sizeof *numbers);
    key = carom_hash_bytes(key, &o->seed, sizeof o->seed);
    key = carom_hash_bytes(key, name, strlen(name));
    return carom_hash_doubles(key, values.value, CAROM_LAW_OPTION_MAX);
}

uint64_t carom_outcomes_pieces_key(const carom_outcomes_draw *draw)
{
    const carom_impact *impact = draw->impact;
    uint64_t key = hash_options(CAROM_HASH_START, draw->options, draw->law, draw->law_options);
    for (int i = 0; i < impact->body_count; ++i) {
        const carom_impact_body *b = &impact->bodies[i];
        key = carom_hash_doubles(key, &b->inverse_mass, 1);
        key = carom_hash_doubles(key, b->inverse_inertia, 6);
        key = carom_hash_doubles(key, b->position, 3);
        key = carom_hash_doubles(key, b->velocity, 3);
        key = carom_hash_doubles(key, b->spin, 3);
    }
    for (int i = 0; i < impact->contact_count; ++i) {
        const carom_impact_contact *c = &impact->contacts[i];
        const int ends[] = { c->a, c->b };
        const double numbers[] = { c->restitution, c->friction, c->stiffness,
                                   c->exponent,    c->gap,      c->tangential_restitution };
        key = carom_hash_bytes(key, ends, sizeof ends);
        key = carom_hash_doubles(key, c->point, 3);
        key = carom_hash_doubles(key, c->normal, 3);
        key = carom_hash_doubles(key, numbers, sizeof numbers / sizeof *numbers);
    }
    return key;
}

// -- a block --------------------------------------------------------------------------------------

enum { COUNTS = 4, SUM = sizeof(carom_outcomes_sum) / sizeof(double) };

static size_t size_of(const carom_outcomes_tally *t, int shown)
{
    size_t numbers = COUNTS + SUM + 2 * (size_t)t->pattern_count;
    for (int i = 0; i < t->body_count; ++i)
        numbers += 6 * SUM + 1 + 2 * (size_t)t->hulls[i].count + 2 * (size_t)shown;
    return 8 * numbers;
}

carom_status carom_outcomes_pieces_put(carom_pieces_store *store, int64_t block,
                                       const carom_outcomes_tally *t,
                                       const carom_outcomes_shown *shown, carom_error *err)
{
    size_t size = size_of(t, shown->count);
    unsigned char *bytes = malloc(size), *at = bytes;
    if (!bytes)
        return carom_error_no_memory(err, "a block of samples");
    carom_bytes_put_u64(&at, (uint64_t)t->samples);
    carom_bytes_put_u64(&at, (uint64_t)t->unfinished);
    carom_bytes_put_u64(&at, (uint64_t)t->others);
    carom_bytes_put_u64(&at, (uint64_t)t->pattern_count);
    carom_bytes_put_f64s(&at, &t->energy.sum, SUM);
    for (int i = 0; i < t->pattern_count; ++i) {
        carom_bytes_put_u64(&at, t->codes[i]);
        carom_bytes_put_u64(&at, (uint64_t)t->counts[i]);
    }
    for (int i = 0; i < t->body_count; ++i) {
        carom_bytes_put_f64s(&at, &t->numbers[i][0].sum, 6 * SUM);
        carom_bytes_put_u64(&at, (uint64_t)t->hulls[i].count);
        if (t->hulls[i].count)
            carom_bytes_put_f64s(&at, t->hulls[i].points[0], 2 * (size_t)t->hulls[i].count);
        if (shown->count)
            carom_bytes_put_f64s(&at, shown->points[(size_t)i * (size_t)shown->room],
                                 2 * (size_t)shown->count);
    }
    carom_status status = carom_pieces_put(store, block, bytes, size, err);
    free(bytes);
    return status;
}

static carom_status damaged(int64_t block, carom_error *err)
{
    carom_error_set(err, CAROM_BAD_INPUT, "block %lld of the samples does not fit",
                    (long long)block);
    return carom_error_fix(err, "remove the file of that shard and run it again");
}

// Points of a plane; false where one is no place.
static bool get_points(double (*points)[2], size_t count, const unsigned char **at)
{
    bool good = true;
    for (size_t i = 0; i < count; ++i) {
        carom_bytes_get_f64s(at, points[i], 2);
        good = good && isfinite(points[i][0]) && isfinite(points[i][1]);
    }
    return good;
}

// One body's part.
static carom_status get_body(carom_outcomes_tally *t, int i, int64_t block,
                             const carom_outcomes_shown *shown, const unsigned char **at,
                             const unsigned char *end, carom_error *err)
{
    carom_outcomes_hull *hull = &t->hulls[i];
    if (end - *at < 8 * (6 * SUM + 1))
        return damaged(block, err);
    carom_bytes_get_f64s(at, &t->numbers[i][0].sum, 6 * SUM);
    uint64_t corners = carom_bytes_get_u64(at);
    if (corners > (uint64_t)t->samples ||
        end - *at < (ptrdiff_t)(16 * (corners + (size_t)shown->count)))
        return damaged(block, err);
    hull->points = malloc((corners + 1) * sizeof *hull->points);
    if (!hull->points)
        return carom_error_no_memory(err, "a block of samples");
    hull->count = hull->room = (int)corners;
    if (!get_points(hull->points, corners, at) ||
        !get_points(shown->points + (size_t)i * (size_t)shown->room, (size_t)shown->count, at))
        return damaged(block, err);
    return CAROM_OK;
}

// Three bits for each body: one of seven directions (outcomes_tally.c).
static bool is_pattern(uint64_t code)
{
    int bodies = CAROM_OUTCOMES_CODED;
    while (bodies > 0 && (code & 7) < 7) {
        code >>= 3;
        --bodies;
    }
    return bodies == 0 && code == 0;
}

// The patterns, which together with the others are all samples.
static bool get_patterns(carom_outcomes_tally *t, const unsigned char **at)
{
    int64_t left = t->samples - t->others;
    for (int i = 0; i < t->pattern_count; ++i) {
        t->codes[i] = carom_bytes_get_u64(at);
        t->counts[i] = (int64_t)carom_bytes_get_u64(at);
        if (t->counts[i] < 1 || t->counts[i] > left || !is_pattern(t->codes[i]))
            return false;
        left -= t->counts[i];
    }
    return left == 0;
}

carom_status carom_outcomes_pieces_get(const carom_pieces_store *store, int64_t block,
                                       int64_t samples, carom_outcomes_tally *t,
                                       const carom_outcomes_shown *shown, carom_error *err)
{
    const unsigned char *at = NULL;
    size_t size = 0;
    TRY(carom_pieces_get(store, block, &at, &size, err));
    const unsigned char *end = at + size;
    if (size < 8 * (COUNTS + SUM))
        return damaged(block, err);
    t->samples = (int64_t)carom_bytes_get_u64(&at);
    t->unfinished = (int64_t)carom_bytes_get_u64(&at);
    t->others = (int64_t)carom_bytes_get_u64(&at);
    uint64_t patterns = carom_bytes_get_u64(&at);
    carom_bytes_get_f64s(&at, &t->energy.sum, SUM);
    if (patterns > CAROM_OUTCOMES_PATTERNS || end - at < (ptrdiff_t)(16 * patterns) ||
        t->samples != samples || t->unfinished < 0 || t->unfinished > samples || t->others < 0 ||
        t->others > samples)
        return damaged(block, err);
    t->pattern_count = (int)patterns;
    if (!get_patterns(t, &at))
        return damaged(block, err);
    for (int i = 0; i < t->body_count; ++i)
        TRY(get_body(t, i, block, shown, &at, end, err));
    return at == end ? CAROM_OK : damaged(block, err);
}

// -- the frame ------------------------------------------------------------------------------------

// Per body velocity, spin and the two axes; then the energy.
enum { BODY = 8 };

carom_status carom_outcomes_pieces_put_frame(carom_pieces_store *store, int64_t piece,
                                             const carom_outcomes_frame *frame, int bodies,
                                             carom_error *err)
{
    size_t size = 8 * (BODY * (size_t)bodies + 1);
    unsigned char *bytes = malloc(size), *at = bytes;
    if (!bytes)
        return carom_error_no_memory(err, "a block of samples");
    for (int i = 0; i < bodies; ++i) {
        carom_bytes_put_f64s(&at, frame->velocities[i], 3);
        carom_bytes_put_f64s(&at, frame->spins[i], 3);
        for (int k = 0; k < 2; ++k)
            carom_bytes_put_u64(&at, (uint64_t)frame->axis[i][k]);
    }
    carom_bytes_put_f64(&at, frame->energy);
    carom_status status = carom_pieces_put(store, piece, bytes, size, err);
    free(bytes);
    return status;
}

carom_status carom_outcomes_pieces_get_frame(const carom_pieces_store *store, int64_t piece,
                                             carom_outcomes_frame *frame, int bodies,
                                             carom_error *err)
{
    size_t size = 8 * (BODY * (size_t)bodies + 1);
    const unsigned char *at = NULL;
    TRY(carom_pieces_get(store, piece, &at, &size, err));
    for (int i = 0; i < bodies; ++i) {
        carom_bytes_get_f64s(&at, frame->velocities[i], 3);
        carom_bytes_get_f64s(&at, frame->spins[i], 3);
        for (int k = 0; k < 2; ++k) {
            uint64_t axis = carom_bytes_get_u64(&at);
            if (axis > 2)
                return damaged(piece, err);
            frame->axis[i][k] = (int)axis;
        }
    }
    frame->energy = carom_bytes_get_f64(&at);
    return CAROM_OK;
}

// Five passes: what each pixel's middle sees; how much of the lamps and the sky reaches every
// second pixel of every second row, by a few rays whose directions differ from sample to sample;
// light of all pixels from the 16 samples around them on the same surface, with rays of their own
// where these disagree about a lamp, at the edge of a shadow; a mean over 4 x 4 pixels there, and
// where surfaces end; colours, with eight more looks at those ends. So three pixels of four need no
// ray but the first one.
#include "draw/tracer.h"

#include <string.h>
#include "base/progress.h"
#include "base/team.h"
#include "draw/colour.h"
#include "draw/tracer_memory.h"

enum { FEW = 2 };                             // rays of a sample of the sky
enum { LOOKS = 8, PASSES = 5, BAND = 65536 }; // px between looks at the progress
// Light of a place: share of the sky, then of each lamp.
enum { SHARES = 1 + CAROM_TRACER_LAMPS };

// One pixel between the passes.
typedef struct cell {
    int item;  // -1: background
    int glass; // what is seen through first; -1: nothing
    float far; // m
    float normal[3];
    unsigned char belt, ends, even;
} cell;

// Where a surface ends: against the pixel at the right, below, below right, below left.
enum { END_RIGHT = 1, END_BELOW = 2, END_BELOW_RIGHT = 4, END_BELOW_LEFT = 8, SEAM = 16 };

typedef struct studio {
    const carom_tracer *tracer;
    carom_tracer_scene scene;
    carom_tracer_tiles tiles;
    carom_tracer_light light;
    carom_colour_table colours;
    cell *cells;
    int shares;     // of light: 1 and the lamps
    float *sampled; // shares of every fourth pixel
    float *seen;    // of every pixel
    float *mean;    // of the lamps, over the pixels around
    carom_image *image;
    bool *dirty; // tiles that are drawn; null: all
    int threads;
} studio;

// Whether the tile of a pixel stays as it was.
static bool stays(const studio *s, int x, int y)
{
    return s->dirty && !s->dirty[y / CAROM_TRACER_TILE * s->tiles.across + x / CAROM_TRACER_TILE];
}

static cell *cell_at(const studio *s, int x, int y)
{
    return &s->cells[(size_t)y * (size_t)s->image->width + (size_t)x];
}

static float *seen_at(const studio *s, int x, int y)
{
    size_t at = (size_t)y * (size_t)s->image->width + (size_t)x;
    return s->seen + at * (size_t)s->shares;
}

static float *mean_at(const studio *s, int x, int y)
{
    size_t at = (size_t)y * (size_t)s->image->width + (size_t)x;
    return s->mean + at * (size_t)s->shares;
}

static float *sampled_at(const studio *s, int x, int y)
{
    size_t at = (size_t)(y / 2) * (size_t)((s->image->width + 1) / 2) + (size_t)(x / 2);
    return s->sampled + at * (size_t)s->shares;
}

static vec3 direction_at(const studio *s, double x, double y)
{
    return carom_tracer_tiles_direction(&s->tiles, x, y);
}

static vec3 normal_of(const cell *c)
{
    return vec3_make((double)c->normal[0], (double)c->normal[1], (double)c->normal[2]);
}

static void see_row(studio *s, int y)
{
    int width = s->image->width;
    for (int x = 0; x < width; x += LANES) {
        if (stays(s, x, y))
            continue;
        if (carom_tracer_tiles_empty(&s->tiles, x, y)) {
            for (int i = 0; i < LANES && x + i < width; ++i)
                *cell_at(s, x + i, y) = (cell){ .item = -1, .glass = -1 };
            continue;
        }
        carom_tracer_hit hits[LANES], glass[CAROM_TRACER_LAYERS];
        double across[LANES], down[LANES];
        for (int i = 0; i < LANES; ++i) {
            across[i] = x + i + 0.5;
            down[i] = y + 0.5;
        }
        carom_tracer_tiles_look(&s->tiles, across, down, hits);
        for (int i = 0; i < LANES && x + i < width; ++i) {
            const carom_tracer_hit *hit = &hits[i];
            cell *c = cell_at(s, x + i, y);
            *c = (cell){ .item = hit->item, .glass = -1, .far = (float)hit->far };
            if (s->tiles.glass &&
                carom_tracer_tiles_glass(&s->tiles, across[i], down[i], hit->far, glass) > 0)
                c->glass = glass[0].item;
            if (hit->item < 0)
                continue;
            c->belt = (unsigned char)hit->belt;
            c->normal[0] = (float)hit->normal.x;
            c->normal[1] = (float)hit->normal.y;
            c->normal[2] = (float)hit->normal.z;
        }
    }
}

static carom_tracer_place place_of(const studio *s, const cell *c, int x, int y, int set)
{
    vec3 d = direction_at(s, x + 0.5, y + 0.5);
    return (carom_tracer_place){ vec3_axpy(s->tracer->camera.from, (double)c->far, d), normal_of(c),
                                 set };
}

static void sample_row(studio *s, int y)
{
    int before[CAROM_TRACER_LAMPS] = { -1, -1, -1, -1 };
    for (int x = 0; x < s->image->width && y % 2 == 0; x += 2) {
        const cell *c = cell_at(s, x, y);
        if (c->item < 0 || stays(s, x, y))
            continue;
        carom_tracer_place at = place_of(s, c, x, y, (y / 2 & 3) * 4 + (x / 2 & 3));
        float *out = sampled_at(s, x, y);
        out[0] = (float)carom_tracer_light_sky(&s->light, &at, FEW);
        for (int k = 0; k < s->light.lamp_count; ++k)
            out[1 + k] = (float)carom_tracer_light_lamp(&s->light, k, &at, &before[k]);
    }
}

static bool same_surface(const cell *a, const cell *b)
{
    return a->item == b->item &&
           a->normal[0] * b->normal[0] + a->normal[1] * b->normal[1] + a->normal[2] * b->normal[2] >
               0.85F;
}

// The samples around a pixel on its surface: their number, the mean sky, and whether they agree
// about each lamp.
typedef struct around {
    int count;
    float sky, min[CAROM_TRACER_LAMPS], max[CAROM_TRACER_LAMPS];
} around;

static around gather(const studio *s, const cell *c, int x, int y)
{
    int width = s->image->width, height = s->image->height, lamps = s->light.lamp_count;
    around a = { 0, 0, { 1, 1, 1, 1 }, { 0, 0, 0, 0 } };
    for (int j = (y - 2) & ~1; j <= y + 4 && j < height; j += 2)
        for (int i = (x - 2) & ~1; i <= x + 4 && i < width; i += 2) {
            if (i < 0 || j < 0 || !same_surface(c, cell_at(s, i, j)))
                continue;
            const float *share = sampled_at(s, i, j);
            a.sky += share[0];
            for (int k = 0; k < lamps; ++k) {
                a.min[k] = share[1 + k] < a.min[k] ? share[1 + k] : a.min[k];
                a.max[k] = share[1 + k] > a.max[k] ? share[1 + k] : a.max[k];
            }
            ++a.count;
        }
    a.sky /= (float)(a.count ? a.count : 1);
    return a;
}

static void light_pixel(studio *s, const around *a, int x, int y, int *before)
{
    cell *c = cell_at(s, x, y);
    float *seen = seen_at(s, x, y);
    carom_tracer_place at = place_of(s, c, x, y, (y & 3) * 4 + (x & 3));
    seen[0] =
        a->count > 2 ? a->sky : (float)carom_tracer_light_sky(&s->light, &at, CAROM_TRACER_RAYS);
    c->even = 1;
    for (int k = 0; k < s->light.lamp_count; ++k) {
        bool even = a->count > 2 && a->min[k] == a->max[k] && (a->min[k] == 0 || a->min[k] == 1);
        seen[1 + k] =
            even ? a->min[k] : (float)carom_tracer_light_lamp(&s->light, k, &at, &before[k]);
        c->even = c->even && even;
    }
}

// Two rows at a time: four pixels of one surface have the same samples around them.
static void light_row(studio *s, int y)
{
    int width = s->image->width, height = s->image->height;
    int before[CAROM_TRACER_LAMPS] = { -1, -1, -1, -1 };
    for (int x = 0; x < width && y % 2 == 0; x += 2) {
        const cell *corner = cell_at(s, x, y);
        around shared = { 0 };
        if (stays(s, x, y))
            continue;
        if (corner->item >= 0)
            shared = gather(s, corner, x, y);
        for (int j = y; j < y + 2 && j < height; ++j)
            for (int i = x; i < x + 2 && i < width; ++i) {
                const cell *c = cell_at(s, i, j);
                if (c->item < 0)
                    continue;
                around own = shared;
                if (c != corner && !same_surface(c, corner))
                    own = gather(s, c, i, j);
                light_pixel(s, &own, i, j, before);
            }
    }
}

static void average(studio *s, int x, int y)
{
    int width = s->image->width, height = s->image->height, count = 0;
    const cell *c = cell_at(s, x, y);
    float *mean = mean_at(s, x, y), sum[CAROM_TRACER_LAMPS] = { 0 };
    for (int j = y - 1; !c->even && j <= y + 2; ++j)
        for (int i = x - 1; i <= x + 2; ++i) {
            if (i < 0 || j < 0 || i >= width || j >= height || !same_surface(c, cell_at(s, i, j)))
                continue;
            for (int k = 0; k < s->light.lamp_count; ++k)
                sum[k] += seen_at(s, i, j)[1 + k];
            ++count;
        }
    mean[0] = seen_at(s, x, y)[0];
    for (int k = 1; k < s->shares; ++k)
        mean[k] = count ? sum[k - 1] / (float)count : seen_at(s, x, y)[k];
}

// Two bodies that touch: different, and equally far. A line between them shows the joint of two
// boxes of one colour; parts of one body have none.
static bool is_seam(const studio *s, const cell *a, const cell *b)
{
    const carom_tracer_item *items = s->tracer->items;
    if (a->item < 0 || b->item < 0 || items[a->item].body == items[b->item].body ||
        items[a->item].kind == CAROM_TRACER_PLANE || items[b->item].kind == CAROM_TRACER_PLANE)
        return false;
    double far = (double)a->far;
    return fabs(far - (double)b->far) < 4 * s->light.pixel * far &&
           vec3_dot(normal_of(a), normal_of(b)) > 0.97;
}

static bool differ(const cell *a, const cell *b)
{
    if (a->item < 0 && b->item < 0) // the most common pair
        return a->glass != b->glass;
    return a->item != b->item || a->belt != b->belt || a->glass != b->glass ||
           (a->item >= 0 && !same_surface(a, b));
}

static unsigned char ends_of(const studio *s, int x, int y)
{
    static const int way[4][2] = { { 1, 0 }, { 0, 1 }, { 1, 1 }, { -1, 1 } };
    const cell *c = cell_at(s, x, y);
    unsigned char ends = 0;
    for (int k = 0; k < 4; ++k) {
        int i = x + way[k][0], j = y + way[k][1];
        if (i < 0 || i >= s->image->width || j >= s->image->height)
            continue;
        const cell *o = cell_at(s, i, j);
        if (!differ(c, o))
            continue;
        ends |= (unsigned char)(1 << k);
        if (k < 2 && is_seam(s, c, o)) // one side only, so that the line is one pixel wide
            ends |= SEAM;
    }
    return ends;
}

static void average_row(studio *s, int y)
{
    for (int x = 0; x < s->image->width; ++x) {
        cell *c = cell_at(s, x, y);
        if (stays(s, x, y))
            continue;
        if (c->item >= 0)
            average(s, x, y);
        c->ends = ends_of(s, x, y);
    }
}

static bool is_edge(const studio *s, int x, int y)
{
    int right = s->image->width - 1;
    return (cell_at(s, x, y)->ends & ~SEAM) || (x > 0 && cell_at(s, x - 1, y)->ends & END_RIGHT) ||
           (y > 0 && (cell_at(s, x, y - 1)->ends & END_BELOW ||
                      (x > 0 && cell_at(s, x - 1, y - 1)->ends & END_BELOW_RIGHT) ||
                      (x < right && cell_at(s, x + 1, y - 1)->ends & END_BELOW_LEFT)));
}

// Light by rays of its own, for a surface that no pixel's middle has seen.
static void find_light(const studio *s, const carom_tracer_hit *hit, vec3 direction,
                       const int at[2], float seen[SHARES])
{
    vec3 point = vec3_axpy(s->tracer->camera.from, hit->far, direction);
    carom_tracer_place place = { point, hit->normal, (at[1] & 3) * 4 + (at[0] & 3) };
    seen[0] = (float)carom_tracer_light_sky(&s->light, &place, CAROM_TRACER_RAYS);
    for (int k = 0, before = -1; k < s->light.lamp_count; ++k, before = -1)
        seen[1 + k] = (float)carom_tracer_light_lamp(&s->light, k, &place, &before);
}

// Light for a look between pixel middles: that of a neighbouring pixel on the same surface.
static void borrow_light(const studio *s, const carom_tracer_hit *hit, vec3 direction,
                         const int at[2], float seen[SHARES])
{
    int width = s->image->width, height = s->image->height, nearest = 99;
    const float *found = NULL;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) {
            int x = at[0] + i, y = at[1] + j, away = i * i + j * j;
            if (x < 0 || y < 0 || x >= width || y >= height || away >= nearest)
                continue;
            const cell *o = cell_at(s, x, y);
            if (o->item == hit->item && vec3_dot(normal_of(o), hit->normal) > 0.8) {
                found = mean_at(s, x, y);
                nearest = away;
            }
        }
    for (int k = 0; found && k < s->shares; ++k)
        seen[k] = found[k];
    if (!found)
        find_light(s, hit, direction, at, seen);
}

// What is seen through lies over what is behind it, layer by layer.
static vec3 through_glass(const studio *s, const double place[2], double far, vec3 behind)
{
    carom_tracer_hit glass[CAROM_TRACER_LAYERS];
    int count = carom_tracer_tiles_glass(&s->tiles, place[0], place[1], far, glass);
    int at[2] = { (int)place[0], (int)place[1] };
    vec3 d = direction_at(s, place[0], place[1]);
    for (int i = count - 1; i >= 0; --i) {
        double passes = s->tracer->items[glass[i].item].transparency;
        float seen[SHARES];
        find_light(s, &glass[i], d, at, seen);
        vec3 own = carom_tracer_light_shade(&s->light, &glass[i], d, seen);
        behind = vec3_axpy(vec3_scale(passes, behind), 1 - passes, own);
    }
    return behind;
}

// One place of a pixel, as stored: what the eye sees is averaged, not a highlight's excess.
static vec3 look(const studio *s, const carom_tracer_hit *hit, const double place[2],
                 const int at[2])
{
    vec3 d = direction_at(s, place[0], place[1]), colour;
    float seen[SHARES];
    unsigned char cut[3];
    if (hit->item < 0) {
        colour = carom_tracer_light_background(&s->light, d);
    } else {
        borrow_light(s, hit, d, at, seen);
        colour = carom_tracer_light_shade(&s->light, hit, d, seen);
    }
    if (s->tiles.glass)
        colour = through_glass(s, place, hit->far, colour);
    carom_colour_table_store(&s->colours, colour, cut);
    return vec3_make(cut[0], cut[1], cut[2]);
}

// Eight places in a pixel, no two in one row or column.
static vec3 look_closely(const studio *s, int x, int y)
{
    static const int places[LOOKS][2] = { { 1, 9 }, { 3, 3 },   { 5, 13 }, { 7, 7 },
                                          { 9, 1 }, { 11, 11 }, { 13, 5 }, { 15, 15 } };
    vec3 sum = { 0, 0, 0 };
    int at[2] = { x, y };
    for (int first = 0; first < LOOKS; first += LANES) {
        carom_tracer_hit hits[LANES];
        double across[LANES], down[LANES];
        for (int i = 0; i < LANES; ++i) {
            across[i] = x + places[first + i][0] / 16.0;
            down[i] = y + places[first + i][1] / 16.0;
        }
        carom_tracer_tiles_look(&s->tiles, across, down, hits);
        for (int i = 0; i < LANES; ++i) {
            double place[2] = { across[i], down[i] };
            sum = vec3_add(sum, look(s, &hits[i], place, at));
        }
    }
    return vec3_scale(1.0 / LOOKS, sum);
}

static void paint_row(studio *s, int y)
{
    int width = s->image->width;
    for (int x = 0; x < width; ++x) {
        const cell *c = cell_at(s, x, y);
        unsigned char *out = s->image->rgb + 3 * ((size_t)y * (size_t)width + (size_t)x);
        if (stays(s, x, y))
            continue;
        if (is_edge(s, x, y)) {
            vec3 mean = vec3_scale(c->ends & SEAM ? 0.62 : 1, look_closely(s, x, y));
            out[0] = (unsigned char)(mean.x + 0.5);
            out[1] = (unsigned char)(mean.y + 0.5);
            out[2] = (unsigned char)(mean.z + 0.5);
            continue;
        }
        double place[2] = { x + 0.5, y + 0.5 };
        vec3 d = direction_at(s, place[0], place[1]), colour;
        if (c->item < 0) {
            colour = carom_tracer_light_background(&s->light, d);
        } else {
            carom_tracer_hit hit = { c->item, c->belt, (double)c->far, normal_of(c) };
            colour = carom_tracer_light_shade(&s->light, &hit, d, mean_at(s, x, y));
        }
        if (c->glass >= 0)
            colour = through_glass(s, place, (double)c->far, colour);
        carom_colour_table_store(&s->colours, colour, out);
    }
}

typedef void row_work(studio *s, int y);

static void do_rows(studio *s, row_work *row, int from, int to)
{
    CAROM_TEAM_EACH (y, to - from, s->threads)
        row(s, from + y);
}
CAROM_TEAM_SHARE4(do_rows, studio *, row_work *, int, int)

// Bands of rows, with a look at the progress between them.
static carom_status each_row(studio *s, row_work *row, int pass, carom_error *err)
{
    int height = s->image->height, band = BAND / s->image->width + 4;
    for (int from = 0; from < height; from += band) {
        int to = from + band < height ? from + band : height;
        double share = (pass + (double)from / height) / PASSES;
        TRY(carom_progress_report(s->tracer->progress, s->tracer->done + share,
                                  s->tracer->total > 0 ? s->tracer->total : 1, "drawing", err));
        CAROM_TEAM(s->threads, do_rows(s, row, from, to));
    }
    return CAROM_OK;
}

// The box of what a row of tiles shows, where it was drawn anew.
static void box_row(studio *s, int row)
{
    int width = s->image->width, height = s->image->height, y = row * CAROM_TRACER_TILE;
    for (int x = 0; x < width; x += CAROM_TRACER_TILE) {
        carom_bvh_box box = { { HUGE_VAL, HUGE_VAL, HUGE_VAL },
                              { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL } };
        if (y >= height || stays(s, x, y))
            continue;
        for (int j = y; j < y + CAROM_TRACER_TILE && j < height; ++j)
            for (int i = x; i < x + CAROM_TRACER_TILE && i < width; ++i) {
                const cell *c = cell_at(s, i, j);
                double p[3];
                if (c->item < 0)
                    continue;
                vec3_store(place_of(s, c, i, j, 0).point, p);
                for (int k = 0; k < 3; ++k) {
                    box.min[k] = p[k] < box.min[k] ? p[k] : box.min[k];
                    box.max[k] = p[k] > box.max[k] ? p[k] : box.max[k];
                }
            }
        s->tracer->memory->boxes[row * s->tiles.across + x / CAROM_TRACER_TILE] = box;
    }
}

static carom_status take_room(studio *s, carom_arena *scratch, carom_error *err)
{
    size_t pixels = (size_t)s->image->width * (size_t)s->image->height;
    size_t samples = (size_t)((s->image->width + 1) / 2) * (size_t)((s->image->height + 1) / 2);
    carom_tracer_memory *memory = s->tracer->memory;
    if (memory) {
        TRY(carom_tracer_memory_fit(memory, s->image, sizeof *s->cells, s->shares, err));
        TAKE(scratch, s->dirty, (size_t)s->tiles.across * (size_t)s->tiles.down + 1, err);
        carom_tracer_memory_compare(memory, &s->tiles, &s->light, s->dirty);
        memory->holds = false; // until this one is whole
        s->cells = memory->cells;
        s->sampled = memory->sampled;
        s->seen = memory->seen;
        s->mean = memory->mean;
        s->image = &memory->image;
        return CAROM_OK;
    }
    TAKE(scratch, s->cells, pixels, err);
    TAKE(scratch, s->sampled, samples * (size_t)s->shares, err);
    TAKE(scratch, s->seen, pixels * (size_t)s->shares, err);
    TAKE(scratch, s->mean, pixels * (size_t)s->shares, err);
    return CAROM_OK;
}

static carom_status render(const carom_tracer *tracer, carom_arena *scratch, carom_image *image,
                           carom_error *err)
{
    studio s = { .tracer = tracer, .image = image };
    s.threads = tracer->threads > 0 ? tracer->threads : carom_team_max();
    TRY(carom_tracer_hit_prepare(tracer, scratch, &s.scene, err));
    TRY(carom_tracer_tiles_prepare(&s.scene, image, scratch, &s.tiles, err));
    carom_tracer_light_prepare(&s.light, &s.scene, image);
    s.shares = 1 + s.light.lamp_count;
    TRY(take_room(&s, scratch, err));
    carom_colour_table_make(&s.colours);
    TRY(each_row(&s, see_row, 0, err));
    for (int row = 0; tracer->memory && row < s.tiles.down; ++row)
        box_row(&s, row);
    TRY(each_row(&s, sample_row, 1, err));
    TRY(each_row(&s, light_row, 2, err));
    TRY(each_row(&s, average_row, 3, err));
    TRY(each_row(&s, paint_row, 4, err));
    if (!tracer->memory)
        return CAROM_OK;
    memcpy(image->rgb, s.image->rgb, 3 * (size_t)image->width * (size_t)image->height);
    return carom_tracer_memory_keep(tracer->memory, &s.tiles, err);
}

carom_status carom_tracer_render(const carom_tracer *tracer, carom_arena *scratch,
                                 carom_image *image, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    carom_status status = render(tracer, scratch, image, err);
    carom_arena_rewind(scratch, mark);
    return status;
}

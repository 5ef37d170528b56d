// Five passes: what each pixel's middle sees; how much sun and sky reach every second pixel of
// every second row, by a few rays whose directions differ from sample to sample; light of all
// pixels from the 16 samples around them on the same surface, with rays of their own where these
// disagree about the sun, at the edge of a shadow; a mean over 4 x 4 pixels there; colours, with
// eight more looks where surfaces meet. So three pixels of four need no ray but the first one.
#include "draw/tracer.h"

#include "base/progress.h"
#include "base/team.h"
#include "draw/colour.h"
#include "draw/tracer_light.h"

enum { FEW = 2 };                             // rays of a sample
enum { LOOKS = 8, PASSES = 5, BAND = 65536 }; // px between looks at the progress

// One pixel between the passes.
typedef struct cell {
    int item; // -1: background
    int belt;
    float far; // m
    float normal[3];
    float sampled[2]; // shares of sun and sky, of every fourth pixel
    float sun;        // share of the sun, before the mean
    float seen[2];    // shares of sun and sky
} cell;

typedef struct studio {
    const carom_tracer *tracer;
    carom_tracer_scene scene;
    carom_tracer_light light;
    carom_colour_table colours;
    cell *cells;
    carom_image *image;
    int threads;
} studio;

static vec3 direction_at(const studio *s, double x, double y)
{
    const carom_camera_frame *f = &s->light.frame;
    double u = (2 * x / s->image->width - 1) * f->half_width,
           v = (1 - 2 * y / s->image->height) * f->half_height;
    return vec3_axpy(vec3_axpy(f->forward, u, f->right), v, f->up);
}

static vec3 normal_of(const cell *c)
{
    return vec3_make((double)c->normal[0], (double)c->normal[1], (double)c->normal[2]);
}

static void see_row(studio *s, int y)
{
    int width = s->image->width;
    for (int x = 0; x < width; ++x) {
        cell *c = &s->cells[(size_t)y * (size_t)width + (size_t)x];
        vec3 d = direction_at(s, x + .5, y + .5);
        carom_tracer_hit hit = carom_tracer_hit_first(&s->scene, s->tracer->camera.from, d);
        *c = (cell){ .item = hit.item, .belt = hit.belt, .far = (float)hit.far };
        if (hit.item < 0)
            continue;
        c->normal[0] = (float)hit.normal.x;
        c->normal[1] = (float)hit.normal.y;
        c->normal[2] = (float)hit.normal.z;
    }
}

static vec3 point_of(const studio *s, const cell *c, int x, int y)
{
    return vec3_axpy(s->tracer->camera.from, (double)c->far, direction_at(s, x + .5, y + .5));
}

static void sample_row(studio *s, int y)
{
    int width = s->image->width;
    for (int x = 0; x < width && y % 2 == 0; x += 2) {
        cell *c = &s->cells[(size_t)y * (size_t)width + (size_t)x];
        int set = (y / 2 & 3) * 4 + (x / 2 & 3);
        if (c->item < 0)
            continue;
        vec3 point = point_of(s, c, x, y), normal = normal_of(c);
        c->sampled[0] = (float)carom_tracer_light_sun(&s->light, point, normal, set, FEW);
        c->sampled[1] = (float)carom_tracer_light_sky(&s->light, point, normal, set, FEW);
    }
}

static bool same_surface(const cell *a, const cell *b)
{
    return a->item == b->item && vec3_dot(normal_of(a), normal_of(b)) > 0.85;
}

// The samples around a pixel on its surface: their number, the min and max sun, the mean sky.
typedef struct around {
    int count;
    float min, max, sky;
} around;

static around gather(const studio *s, const cell *c, int x, int y)
{
    int width = s->image->width, height = s->image->height;
    around a = { 0, 1, 0, 0 };
    for (int j = (y - 2) & ~1; j <= y + 4 && j < height; j += 2)
        for (int i = (x - 2) & ~1; i <= x + 4 && i < width; i += 2) {
            if (i < 0 || j < 0)
                continue;
            const cell *o = &s->cells[(size_t)j * (size_t)width + (size_t)i];
            if (!same_surface(c, o))
                continue;
            a.min = o->sampled[0] < a.min ? o->sampled[0] : a.min;
            a.max = o->sampled[0] > a.max ? o->sampled[0] : a.max;
            a.sky += o->sampled[1];
            ++a.count;
        }
    a.sky /= (float)(a.count ? a.count : 1);
    return a;
}

static void light_row(studio *s, int y)
{
    int width = s->image->width;
    for (int x = 0; x < width; ++x) {
        cell *c = &s->cells[(size_t)y * (size_t)width + (size_t)x];
        if (c->item < 0)
            continue;
        around a = gather(s, c, x, y);
        int set = (y & 3) * 4 + (x & 3);
        vec3 point = point_of(s, c, x, y), normal = normal_of(c);
        bool even = a.count > 2 && a.min == a.max && (a.min == 0 || a.min == 1);
        c->sun =
            even ? a.min
                 : (float)carom_tracer_light_sun(&s->light, point, normal, set, CAROM_TRACER_RAYS);
        c->seen[1] = a.count > 2 ? a.sky
                                 : (float)carom_tracer_light_sky(&s->light, point, normal, set,
                                                                 CAROM_TRACER_RAYS);
    }
}

static void average_row(studio *s, int y)
{
    int width = s->image->width, height = s->image->height;
    for (int x = 0; x < width; ++x) {
        cell *c = &s->cells[(size_t)y * (size_t)width + (size_t)x];
        float sum = 0;
        int count = 0;
        for (int j = y - 1; c->item >= 0 && j <= y + 2; ++j)
            for (int i = x - 1; i <= x + 2; ++i) {
                if (i < 0 || j < 0 || i >= width || j >= height)
                    continue;
                const cell *o = &s->cells[(size_t)j * (size_t)width + (size_t)i];
                if (!same_surface(c, o))
                    continue;
                sum += o->sun;
                ++count;
            }
        c->seen[0] = count ? sum / (float)count : 0;
    }
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

static bool is_edge(const studio *s, int x, int y, bool *seam)
{
    int width = s->image->width, height = s->image->height;
    bool edge = false;
    const cell *c = &s->cells[(size_t)y * (size_t)width + (size_t)x];
    for (int j = y - 1; j <= y + 1; ++j)
        for (int i = x - 1; i <= x + 1; ++i) {
            if (i < 0 || j < 0 || i >= width || j >= height)
                continue;
            const cell *o = &s->cells[(size_t)j * (size_t)width + (size_t)i];
            if (o->item != c->item || o->belt != c->belt || (c->item >= 0 && !same_surface(c, o)))
                edge = true;
            // one side only, so that the line is one pixel wide
            *seam =
                *seam || ((j > y || (j == y && i > x)) && (i == x || j == y) && is_seam(s, c, o));
        }
    return edge;
}

// Light for a look between pixel middles: that of a neighbouring pixel on the same surface, or, for
// a surface no middle has seen, rays of its own.
static void borrow_light(const studio *s, const carom_tracer_hit *hit, vec3 direction,
                         const int at[2], double seen[2])
{
    int width = s->image->width, height = s->image->height, nearest = 99;
    const cell *found = NULL;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) {
            int x = at[0] + i, y = at[1] + j, away = i * i + j * j;
            if (x < 0 || y < 0 || x >= width || y >= height || away >= nearest)
                continue;
            const cell *o = &s->cells[(size_t)y * (size_t)width + (size_t)x];
            if (o->item == hit->item && vec3_dot(normal_of(o), hit->normal) > 0.8) {
                found = o;
                nearest = away;
            }
        }
    if (found) {
        seen[0] = (double)found->seen[0];
        seen[1] = (double)found->seen[1];
        return;
    }
    vec3 point = vec3_axpy(s->tracer->camera.from, hit->far, direction);
    int set = (at[1] & 3) * 4 + (at[0] & 3);
    seen[0] = carom_tracer_light_sun(&s->light, point, hit->normal, set, CAROM_TRACER_RAYS);
    seen[1] = carom_tracer_light_sky(&s->light, point, hit->normal, set, CAROM_TRACER_RAYS);
}

static vec3 look(const studio *s, double x, double y, const int at[2])
{
    vec3 d = direction_at(s, x, y);
    carom_tracer_hit hit = carom_tracer_hit_first(&s->scene, s->tracer->camera.from, d);
    double seen[2];
    if (hit.item < 0)
        return carom_tracer_light_background(&s->light, d);
    borrow_light(s, &hit, d, at, seen);
    return carom_tracer_light_shade(&s->light, &hit, d, seen);
}

// Eight places in a pixel, no two in one row or column.
static vec3 look_closely(const studio *s, int x, int y)
{
    static const int place[LOOKS][2] = { { 1, 9 }, { 3, 3 },   { 5, 13 }, { 7, 7 },
                                         { 9, 1 }, { 11, 11 }, { 13, 5 }, { 15, 15 } };
    vec3 sum = { 0, 0, 0 };
    int at[2] = { x, y };
    for (int i = 0; i < LOOKS; ++i) {
        unsigned char cut[3];
        vec3 one = look(s, x + place[i][0] / 16.0, y + place[i][1] / 16.0, at);
        carom_colour_table_store(&s->colours, one,
                                 cut); // what the eye sees is averaged, not a highlight's excess
        sum = vec3_add(sum, vec3_make(cut[0], cut[1], cut[2]));
    }
    return vec3_scale(1.0 / LOOKS, sum);
}

static void paint_row(studio *s, int y)
{
    int width = s->image->width;
    for (int x = 0; x < width; ++x) {
        const cell *c = &s->cells[(size_t)y * (size_t)width + (size_t)x];
        unsigned char *out = s->image->rgb + 3 * ((size_t)y * (size_t)width + (size_t)x);
        vec3 d = direction_at(s, x + .5, y + .5);
        bool seam = false;
        if (is_edge(s, x, y, &seam)) {
            vec3 mean = vec3_scale(seam ? 0.62 : 1, look_closely(s, x, y));
            out[0] = (unsigned char)(mean.x + .5);
            out[1] = (unsigned char)(mean.y + .5);
            out[2] = (unsigned char)(mean.z + .5);
        } else if (c->item < 0) {
            carom_colour_table_store(&s->colours, carom_tracer_light_background(&s->light, d), out);
        } else {
            carom_tracer_hit hit = { c->item, c->belt, (double)c->far, normal_of(c) };
            double seen[2] = { (double)c->seen[0], (double)c->seen[1] };
            carom_colour_table_store(&s->colours,
                                     carom_tracer_light_shade(&s->light, &hit, d, seen), out);
        }
    }
}

typedef void row_work(studio *s, int y);

static void do_rows(studio *s, row_work *row, int from, int to)
{
    CAROM_TEAM_EACH(y, to - from, s->threads)
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

static carom_status render(const carom_tracer *tracer, carom_arena *scratch, carom_image *image,
                           carom_error *err)
{
    studio s = { .tracer = tracer, .image = image };
    s.threads = tracer->threads > 0 ? tracer->threads : carom_team_max();
    TAKE(scratch, s.cells, (size_t)image->width * (size_t)image->height, err);
    TRY(carom_tracer_hit_prepare(tracer, scratch, &s.scene, err));
    carom_tracer_light_prepare(&s.light, &s.scene, image);
    carom_colour_table_make(&s.colours);
    TRY(each_row(&s, see_row, 0, err));
    TRY(each_row(&s, sample_row, 1, err));
    TRY(each_row(&s, light_row, 2, err));
    TRY(each_row(&s, average_row, 3, err));
    return each_row(&s, paint_row, 4, err);
}

carom_status carom_tracer_render(const carom_tracer *tracer, carom_arena *scratch,
                                 carom_image *image, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    carom_status status = render(tracer, scratch, image, err);
    carom_arena_rewind(scratch, mark);
    return status;
}

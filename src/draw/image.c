// Makes, fills and pastes bitmaps, and writes letters into them. Files are image_png.c's.
#include "draw/image.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "draw/image_letters.h"
#include "math/constants.h"
#include "math/trig.h"

carom_status carom_image_create(int width, int height, carom_arena *arena, carom_image *out,
                                carom_error *err)
{
    if (width < 1 || height < 1 || width > CAROM_IMAGE_MAX || height > CAROM_IMAGE_MAX) {
        carom_error_set(err, CAROM_BAD_INPUT, "a picture of %d x %d pixels cannot be made", width,
                        height);
        return carom_error_fix(err, "give 1 to %d pixels for each edge", CAROM_IMAGE_MAX);
    }
    *out = (carom_image){ width, height, NULL };
    TAKE_ZEROS(arena, out->rgb, 3 * (size_t)width * (size_t)height, err);
    return CAROM_OK;
}

void carom_image_fill(carom_image *image, const unsigned char rgb[3])
{
    size_t count = (size_t)image->width * (size_t)image->height;
    for (size_t i = 0; i < count; ++i)
        memcpy(image->rgb + 3 * i, rgb, 3);
}

void carom_image_paste(carom_image *image, const carom_image *part, int x, int y)
{
    int from = x < 0 ? -x : 0, to = part->width < image->width - x ? part->width : image->width - x;
    for (int row = 0; row < part->height; ++row)
        if (y + row >= 0 && y + row < image->height && to > from)
            memcpy(image->rgb + 3 * ((size_t)(y + row) * (size_t)image->width + (size_t)(x + from)),
                   part->rgb + 3 * ((size_t)row * (size_t)part->width + (size_t)from),
                   3 * (size_t)(to - from));
}

// -- letters ------------------------------------------------------------------------------------

// Breadth of a stroke and room between letters, in units of a tenth of a capital.
#define BREADTH 1.15
#define SPACE 2.2

enum { STROKES = 96, TURN = 12 }; // pieces of a letter; degrees per piece of an arc

// A letter as straight pieces, px.
typedef struct glyph {
    double piece[STROKES][4];
    int count;
    double at[2]; // where the stroke is
    bool open;    // there is such a place
} glyph;

static void go(glyph *g, double x, double y)
{
    if (g->open && g->count < STROKES) {
        double *piece = g->piece[g->count++];
        piece[0] = g->at[0];
        piece[1] = g->at[1];
        piece[2] = x;
        piece[3] = y;
    }
    g->at[0] = x;
    g->at[1] = y;
    g->open = true;
}

static void arc(glyph *g, const double n[6])
{
    int steps = (int)ceil(fabs(n[5] - n[4]) / TURN);
    for (int i = 0; i <= steps; ++i) {
        double angle = (n[4] + (n[5] - n[4]) * i / steps) / CAROM_DEGREES_PER_RADIAN;
        double x = n[0] + n[2] * carom_trig_cos(angle), y = n[1] + n[3] * carom_trig_sin(angle);
        if (i == 0 && n[5] - n[4] >= 360)
            g->open = false; // a ring stands alone
        go(g, x, y);
    }
}

static glyph read_glyph(const char *strokes)
{
    glyph g = { .count = 0 };
    char kind = 0;
    for (const char *at = strokes; *at;) {
        double n[6];
        if (*at == ' ')
            ++at;
        if (*at == 'm' || *at == 'l' || *at == 'a')
            kind = *at++;
        for (int k = 0; k < (kind == 'a' ? 6 : 2); ++k) {
            char *end;
            n[k] = strtod(at, &end);
            at = end;
        }
        g.open = g.open && kind != 'm';
        if (kind == 'a')
            arc(&g, n);
        else
            go(&g, n[0], n[1]);
        kind = kind == 'm' ? 'l' : kind;
    }
    return g;
}

static double distance(const double piece[4], double x, double y)
{
    double dx = piece[2] - piece[0], dy = piece[3] - piece[1], px = x - piece[0], py = y - piece[1];
    double square = dx * dx + dy * dy, t = square > 0 ? (px * dx + py * dy) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return sqrt((px - t * dx) * (px - t * dx) + (py - t * dy) * (py - t * dy));
}

static void blend(carom_image *image, int x, int y, double share, const unsigned char rgb[3])
{
    if (x < 0 || y < 0 || x >= image->width || y >= image->height)
        return;
    unsigned char *pixel = image->rgb + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
    for (int k = 0; k < 3; ++k)
        pixel[k] = (unsigned char)(pixel[k] + share * (rgb[k] - pixel[k]) + 0.5);
}

// `unit`: px; the line is at `base`; strokes are wider by `halo` px.
static void draw_letter(carom_image *image, const carom_image_letter *letter, double x, double base,
                        double unit, double halo, const unsigned char rgb[3])
{
    glyph g = read_glyph(letter->strokes);
    double half = 0.5 * BREADTH * unit + halo, around = half + 1;
    for (int row = (int)(base - 11.5 * unit - around); row <= base + 3.5 * unit + around; ++row)
        for (int column = (int)(x - around); column <= x + letter->width * unit + around;
             ++column) {
            double u = (column + 0.5 - x) / unit, v = (base - row - 0.5) / unit, near = 1e9;
            for (int i = 0; i < g.count; ++i)
                near = fmin(near, distance(g.piece[i], u, v));
            double share = half - near * unit + 0.5;
            if (share > 0)
                blend(image, column, row, share < 1 ? share : 1, rgb);
        }
}

int carom_image_text(carom_image *image, int x, int y, carom_image_style style, const char *words)
{
    double unit = 0.1 * style.height, at = x + 0.5 * BREADTH * unit;
    for (; *words; ++words) {
        int index = (unsigned char)*words - 32;
        const carom_image_letter *letter =
            &carom_image_letters[index >= 0 && index < 95 ? index : '?' - 32];
        draw_letter(image, letter, at, y + style.height, unit, style.halo, style.rgb);
        at += (letter->width + SPACE) * unit;
    }
    return (int)(at - x + 0.5);
}

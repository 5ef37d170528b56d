// Outcomes as a page: who moves where, the spread of every velocity, the picture of the hulls.
#include "outcomes/outcomes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "draw/page.h"

enum { CELL = 160, ROWS_MAX = 200 };

typedef struct sheet {
    int columns, rows, room;
    char (*cells)[CELL];
} sheet;

// The next cell, to be written into; null where there is no room.
static char *next_cell(sheet *s, int *used)
{
    return *used < s->room * s->columns ? s->cells[(*used)++] : NULL;
}

static void put(sheet *s, int *used, const char *words)
{
    char *cell = next_cell(s, used);
    if (cell)
        snprintf(cell, CELL, "%s", words);
}

static void put_number(sheet *s, int *used, double number)
{
    char words[40];
    snprintf(words, sizeof words, "%.6g", number);
    put(s, used, words);
}

static void finish(sheet *s, int used, carom_text *text)
{
    const char **list = calloc((size_t)used + 1, sizeof *list);
    text->failed = text->failed || !list;
    for (int i = 0; i < used && list; ++i)
        list[i] = s->cells[i];
    if (list)
        carom_page_table(text, list, used / s->columns, s->columns);
    free(list);
}

static bool begin(sheet *s, int columns, carom_text *text)
{
    *s = (sheet){ .columns = columns, .room = ROWS_MAX };
    s->cells = calloc((size_t)ROWS_MAX * (size_t)columns, sizeof *s->cells);
    text->failed = text->failed || !s->cells;
    return s->cells != NULL;
}

static void add_patterns(const carom_outcomes *o, carom_text *text)
{
    sheet s;
    int used = 0;
    if (!begin(&s, 2, text))
        return;
    put(&s, &used, "who moves where");
    put(&s, &used, "probability");
    for (int i = 0; i < o->pattern_count; ++i) {
        put(&s, &used, o->patterns[i].words);
        put_number(&s, &used, o->patterns[i].probability);
    }
    finish(&s, used, text);
    free(s.cells);
}

static void add_bodies(const carom_outcomes *o, const carom_scene_impact *scene, carom_text *text)
{
    static const char *const headings[] = { "body", "", "mean", "deviation", "least", "most" };
    static const char *const axes[] = { "vx, m/s",   "vy, m/s",   "vz, m/s",
                                        "wx, rad/s", "wy, rad/s", "wz, rad/s" };
    sheet s;
    int used = 0;
    if (!begin(&s, 6, text))
        return;
    for (int c = 0; c < 6; ++c)
        put(&s, &used, headings[c]);
    for (int i = 0; i < 6 * o->body_count; ++i) {
        const carom_outcomes_body *b = &o->bodies[i / 6];
        const carom_outcomes_spread *one = i % 6 < 3 ? &b->velocity[i % 6] : &b->spin[i % 6 - 3];
        if (one->min == 0 && one->max == 0)
            continue;
        put(&s, &used, carom_scene_impact_body_name(scene, i / 6));
        put(&s, &used, axes[i % 6]);
        const double numbers[] = { one->mean, one->deviation, one->min, one->max };
        for (int k = 0; k < 4; ++k)
            put_number(&s, &used, numbers[k]);
    }
    finish(&s, used, text);
    free(s.cells);
}

static void add_picture(const carom_outcomes *o, const carom_scene_impact *scene, carom_text *text)
{
    carom_text picture = { 0 };
    char *svg = carom_outcomes_svg(o, scene);
    text->failed = text->failed || !svg;
    if (svg) {
        carom_text_add(&picture, "%s", svg);
        carom_page_picture(text, &picture,
                           "Velocities after, in the two components that vary most, "
                           "and their convex hull.");
    }
    text->failed = text->failed || picture.failed;
    carom_text_free(&picture);
    free(svg);
}

char *carom_outcomes_html(const carom_outcomes *outcomes, const carom_scene_impact *scene)
{
    carom_text text = { 0 };
    char words[256];
    if (!outcomes || !scene)
        return NULL;
    snprintf(
        words, sizeof words,
        "%lld samples. Energy after / before: %.4g in the mean, %.4g to %.4g. %lld samples did "
        "not come to an end.",
        (long long)outcomes->samples, outcomes->energy.mean, outcomes->energy.min,
        outcomes->energy.max, (long long)outcomes->unfinished);
    carom_page_begin(&text, carom_scene_impact_title(scene), words);
    add_patterns(outcomes, &text);
    add_picture(outcomes, scene, &text);
    carom_page_section(&text, "Velocities after", NULL);
    add_bodies(outcomes, scene, &text);
    carom_page_end(&text);
    if (text.failed)
        carom_text_free(&text);
    return text.bytes;
}

// What an entry of the gallery reports: numbers, checked claims, pictures, kept in the order they
// come.
#include "gallery/gallery_result.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char *carom_gallery_result_scene(const carom_gallery_result *result, const char *name,
                                       char *out, size_t size)
{
    snprintf(out, size, "%s/%s", result->scenes, name);
    return out;
}

static carom_gallery_line *new_line(carom_gallery_result *result, carom_gallery_kind kind,
                                    const char *unit)
{
    result->crowded = result->crowded || result->line_count == CAROM_GALLERY_LINES;
    int at = result->crowded ? CAROM_GALLERY_LINES - 1 : result->line_count++;
    carom_gallery_line *line = &result->lines[at];
    *line = (carom_gallery_line){ kind, .paper = NAN, .ours = NAN, .allowance = NAN };
    snprintf(line->unit, sizeof line->unit, "%s", unit ? unit : "");
    return line;
}

carom_status carom_gallery_result_progress(const carom_gallery_result *result, double done,
                                           double total, const char *what, carom_error *err)
{
    const carom_progress *progress = result->progress;
    if (progress && progress->report && progress->report(progress->context, done, total, what))
        return carom_error_set(err, CAROM_INTERRUPTED, "stopped on request");
    return CAROM_OK;
}

void carom_gallery_result_number(carom_gallery_result *result, const char *what, const char *unit,
                                 double paper, double ours)
{
    carom_gallery_line *line = new_line(result, CAROM_GALLERY_NUMBER, unit);
    snprintf(line->what, sizeof line->what, "%s", what);
    line->paper = paper;
    line->ours = ours;
    line->holds = true;
}

static bool judged(carom_gallery_result *result, carom_gallery_line line, const char *what,
                   const char *unit)
{
    carom_gallery_line *kept = new_line(result, line.kind, unit);
    kept->paper = line.paper;
    kept->ours = line.ours;
    kept->allowance = line.allowance;
    kept->holds = line.holds;
    snprintf(kept->what, sizeof kept->what, "%s", what);
    return line.holds;
}

bool carom_gallery_result_near(carom_gallery_result *result, const char *what, const char *unit,
                               double paper, double ours, double allowance)
{
    carom_gallery_line line = { CAROM_GALLERY_NEAR, .paper = paper, .ours = ours,
                                .allowance = allowance, .holds = fabs(ours - paper) <= allowance };
    return judged(result, line, what, unit);
}

bool carom_gallery_result_at_most(carom_gallery_result *result, const char *what, const char *unit,
                                  double ours, double max)
{
    carom_gallery_line line = { CAROM_GALLERY_AT_MOST, .paper = NAN, .ours = ours, .allowance = max,
                                .holds = ours <= max };
    return judged(result, line, what, unit);
}

bool carom_gallery_result_at_least(carom_gallery_result *result, const char *what, const char *unit,
                                   double ours, double min)
{
    carom_gallery_line line = { CAROM_GALLERY_AT_LEAST, .paper = NAN, .ours = ours,
                                .allowance = min, .holds = ours >= min };
    return judged(result, line, what, unit);
}

bool carom_gallery_result_holds(carom_gallery_result *result, bool truth, const char *what, ...)
{
    carom_gallery_line *line = new_line(result, CAROM_GALLERY_TRUTH, NULL);
    line->holds = truth;
    va_list list;
    va_start(list, what);
    vsnprintf(line->what, sizeof line->what, what, list);
    va_end(list);
    return truth;
}

void carom_gallery_result_refutes(carom_gallery_result *result, bool refuted, const char *what, ...)
{
    carom_gallery_line *line = new_line(result, CAROM_GALLERY_REFUTES, NULL);
    line->holds = refuted;
    va_list list;
    va_start(list, what);
    vsnprintf(line->what, sizeof line->what, what, list);
    va_end(list);
}

void carom_gallery_result_note(carom_gallery_result *result, const char *words, ...)
{
    char line[1000];
    va_list list;
    va_start(list, words);
    vsnprintf(line, sizeof line, words, list);
    va_end(list);
    carom_text_add(&result->notes, "%s\n", line);
}

void carom_gallery_result_smaller(carom_gallery_result *result, const char *words, ...)
{
    va_list list;
    va_start(list, words);
    vsnprintf(result->smaller, sizeof result->smaller, words, list);
    va_end(list);
}

carom_gallery_verdict carom_gallery_result_verdict(const carom_gallery_result *result)
{
    int judgements = 0, refuted = 0;
    for (int i = 0; i < result->line_count; ++i) {
        const carom_gallery_line *line = &result->lines[i];
        if (line->kind == CAROM_GALLERY_REFUTES)
            refuted += line->holds;
        else if (!line->holds)
            return CAROM_GALLERY_DIFFERS;
        judgements += line->kind != CAROM_GALLERY_NUMBER;
    }
    if (!judgements || result->crowded) // an entry that compares nothing shows nothing
        return CAROM_GALLERY_DIFFERS;
    return refuted ? CAROM_GALLERY_PAPER_IN_ERROR : CAROM_GALLERY_AGREES;
}

void carom_gallery_result_free(carom_gallery_result *result)
{
    for (int i = 0; i < result->picture_count; ++i)
        carom_text_free(&result->pictures[i].bytes);
    carom_text_free(&result->notes);
}

// -- pictures -----------------------------------------------------------------------------------

static carom_gallery_picture *new_picture(carom_gallery_result *result, bool png)
{
    if (result->picture_count == CAROM_GALLERY_PICTURES)
        return NULL;
    carom_gallery_picture *picture = &result->pictures[result->picture_count++];
    *picture = (carom_gallery_picture){ .png = png };
    return picture;
}

static carom_text *add_picture(carom_gallery_result *result, bool png, const char *caption,
                               va_list list)
{
    carom_gallery_picture *picture = new_picture(result, png);
    if (!picture)
        return NULL;
    vsnprintf(picture->caption, sizeof picture->caption, caption, list);
    return &picture->bytes;
}

carom_text *carom_gallery_result_svg(carom_gallery_result *result, const char *caption, ...)
{
    va_list list;
    va_start(list, caption);
    carom_text *bytes = add_picture(result, false, caption, list);
    va_end(list);
    return bytes;
}

carom_text *carom_gallery_result_png(carom_gallery_result *result, const char *caption, ...)
{
    va_list list;
    va_start(list, caption);
    carom_text *bytes = add_picture(result, true, caption, list);
    va_end(list);
    return bytes;
}

carom_status carom_gallery_result_take(carom_gallery_result *result, char *svg, const char *caption,
                                       carom_error *err)
{
    if (!svg)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for a picture");
    carom_text *text = carom_gallery_result_svg(result, "%s", caption);
    if (text)
        carom_text_add(text, "%s", svg);
    free(svg);
    return CAROM_OK;
}

void carom_gallery_result_plots(carom_gallery_result *result, carom_plot *plots, int count,
                                int columns, const char *caption)
{
    carom_text *text = carom_gallery_result_svg(result, "%s", caption);
    if (!text)
        return;
    int rows = (count + columns - 1) / columns;
    double width = columns == 1 ? 720 : columns == 2 ? 480 : 400, height = columns == 1 ? 380 : 330;
    carom_svg svg = carom_svg_begin(text, width * columns, height * rows, result->entry->title);
    for (int i = 0; i < count; ++i) {
        plots[i].corner[0] = width * (i % columns);
        plots[i].corner[1] = height * (i / columns);
        plots[i].size[0] = width;
        plots[i].size[1] = height;
        carom_plot_draw(&svg, &plots[i]);
    }
    carom_svg_end(&svg);
}

// Pictures of one frame, and sheets of many.
#include <string.h>
#include "draw/colour.h"
#include "draw/font.h"
#include "export/export_blur.h"

enum { GAP = 4 }; // px between the pictures of a sheet

static int scale_for(const carom_image *image)
{
    return image->height >= 700 ? 3 : image->height >= 320 ? 2 : 1;
}

// Dark letters with a light edge, or the other way round: readable on any floor.
static void write_words(const carom_export_setup *setup, carom_image *image, int x, int y,
                        const char *words)
{
    carom_image_style ink = { .height = 6.5 * scale_for(image), .rgb = { 52, 60, 70 } };
    carom_image_style halo = ink;
    memset(halo.rgb, 243, sizeof halo.rgb);
    if (setup->view.dark) {
        memset(ink.rgb, 215, sizeof ink.rgb);
        memset(halo.rgb, 20, sizeof halo.rgb);
    }
    halo.halo = 0.16 * ink.height;
    carom_font *font = setup->recording->font;
    for (int k = 0; k < 2; ++k) {
        carom_image_style style = k ? ink : halo;
        if (font)
            carom_font_text(font, image, x, y, style, words);
        else
            carom_image_text(image, x, y, style, words);
    }
}

carom_status carom_export_png_font(carom_recording *recording, const carom_export_view *view,
                                   carom_error *err)
{
    if (recording->font || !view->label || (view->font && strcmp(view->font, "strokes") == 0))
        return CAROM_OK;
    recording->font = carom_font_open(view->font);
    if (recording->font || !view->font)
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "the font %.80s cannot be read", view->font);
    return carom_error_fix(err, carom_font_reads()
                                    ? "give a TrueType or OpenType file, or \"strokes\""
                                    : "this build has no FreeType: leave the font out");
}

// The colours of a number, with its range and unit, at the upper left.
static void draw_scale(const carom_export_setup *setup, carom_image *image, int scale)
{
    bool speed = setup->colour == CAROM_EXPORT_COLOUR_SPEED;
    char words[64];
    enum { LONG = 60, HIGH = 7 };
    for (int x = 0; x < LONG * scale; ++x) {
        unsigned char rgb[3];
        carom_colour_store(carom_colour_scale((double)x / (LONG * scale - 1)), rgb);
        for (int y = 0; y < HIGH * scale; ++y) {
            int at[2] = { 5 * scale + x, 5 * scale + y };
            if (at[0] < image->width && at[1] < image->height)
                memcpy(image->rgb + 3 * ((size_t)at[1] * (size_t)image->width + (size_t)at[0]), rgb,
                       sizeof rgb);
        }
    }
    snprintf(words, sizeof words, speed ? "speed 0 to %.4g m/s" : "mass 0 to %.4g kg",
             speed ? setup->fastest : setup->heaviest);
    write_words(setup, image, (LONG + 9) * scale, 5 * scale, words);
}

static void write_label(const carom_export_setup *setup, const carom_frame *frame,
                        carom_image *image, bool with_grid)
{
    char words[96];
    int scale = scale_for(image);
    if (!setup->view.label)
        return;
    int used = snprintf(words, sizeof words, "t = %.4g s", frame->time);
    if (with_grid && used > 0)
        snprintf(words + used, sizeof words - (size_t)used, "   grid %.4g m", setup->grid);
    write_words(setup, image, 5 * scale, image->height - 12 * scale, words);
    if (setup->colour == CAROM_EXPORT_COLOUR_SPEED || setup->colour == CAROM_EXPORT_COLOUR_MASS)
        draw_scale(setup, image, scale);
}

static bool has_plane(const carom_recording *recording)
{
    for (int i = 0; i < recording->form_count; ++i)
        if (carom_shape_kind_of(recording->forms[i].shape) == CAROM_SHAPE_PLANE)
            return true;
    return false;
}

static carom_status write_png(const carom_image *image, FILE *file, carom_error *err)
{
    carom_text bytes = { 0 };
    carom_status status = carom_image_png(image, 6, &bytes, err);
    if (status == CAROM_OK && fwrite(bytes.bytes, 1, bytes.length, file) != bytes.length)
        status = carom_error_set(err, CAROM_IO_FAILED, "cannot write the picture");
    carom_text_free(&bytes);
    return status;
}

static carom_status draw_blurred(const carom_export_setup *setup, carom_image *image,
                                 carom_frame *frame, carom_error *err)
{
    carom_export_blur blur;
    double span[2] = { frame->time - setup->view.shutter, frame->time };
    TRY(carom_export_blur_make(setup->recording, image, &blur, err));
    return carom_export_blur_draw(&blur, setup, span, image, frame, err);
}

carom_status carom_export_png_frame(const carom_export_setup *setup, int64_t index,
                                    carom_image *image, carom_error *err)
{
    carom_frame frame;
    carom_arena_mark mark = carom_arena_mark_here(setup->recording->scratch);
    TRY(carom_recording_frame(setup->recording, index, &frame, err));
    if (setup->view.shutter > 0)
        TRY(draw_blurred(setup, image, &frame, err));
    else
        TRY(carom_export_setup_draw(setup, &frame, image, err));
    carom_export_png_label(setup, &frame, image);
    carom_arena_rewind(setup->recording->scratch, mark);
    return CAROM_OK;
}

void carom_export_png_label(const carom_export_setup *setup, const carom_frame *frame,
                            carom_image *image)
{
    write_label(setup, frame, image, has_plane(setup->recording));
}

static carom_status one(carom_recording *recording, const carom_export_view *view, int64_t index,
                        FILE *file, const carom_progress *progress, carom_error *err)
{
    carom_export_setup setup;
    carom_image image;
    TRY(carom_export_setup_prepare(recording, view, &setup, err));
    setup.progress = progress;
    TRY(carom_export_png_font(recording, view, err));
    TRY(carom_image_create(view->width, view->height, recording->scratch, &image, err));
    TRY(carom_export_png_frame(&setup, index, &image, err));
    return write_png(&image, file, err);
}

carom_status carom_export_png(carom_recording *recording, const carom_export_view *view,
                              int64_t index, FILE *file, const carom_progress *progress,
                              carom_error *err)
{
    NEED(err, recording, view);
    carom_arena_mark mark = carom_arena_mark_here(recording->scratch);
    carom_status status = one(recording, view, index, file, progress, err);
    carom_arena_rewind(recording->scratch, mark);
    return status;
}

enum { FEW = 5 }; // bodies that are all seen, wherever they go
#define REACH 1.8 // times what is seen at the start

// Columns that leave the pictures nearest to the shape of 16 to 10.
static int columns_for(const carom_export_view *view, int count)
{
    int best = 1;
    double min = HUGE_VAL;
    for (int columns = 1; columns <= count; ++columns) {
        int rows = (count + columns - 1) / columns;
        double shape = (double)view->width / columns / ((double)view->height / rows) / 1.6;
        double off = shape > 1 ? shape : 1 / shape;
        off *= 1 + 0.3 * (columns * rows - count) / count;
        if (off < min) {
            min = off;
            best = columns;
        }
    }
    return best;
}

// Where many bodies fly apart, a camera that sees all of the run shows specks: a sheet shows what
// is within REACH times what the start shows.
static carom_status stay_near(carom_recording *recording, carom_export_view *view, carom_error *err)
{
    carom_export_setup run, start;
    carom_export_view at_start = *view;
    int moving = 0;
    for (int i = 0; i < recording->count; ++i)
        moving += recording->kind[i] == CAROM_BODY_MOVING;
    if (view->has_from || view->has_to || view->fit != CAROM_EXPORT_FIT_RUN || moving <= FEW)
        return CAROM_OK;
    at_start.fit = CAROM_EXPORT_FIT_START;
    TRY(carom_export_setup_prepare(recording, view, &run, err));
    TRY(carom_export_setup_prepare(recording, &at_start, &start, err));
    if (run.radius <= REACH * start.radius)
        return CAROM_OK;
    vec3 away = vec3_sub(start.camera.from, start.camera.to);
    vec3_store(start.camera.to, view->to);
    vec3_store(vec3_axpy(start.camera.to, REACH, away), view->from);
    view->has_from = view->has_to = 1;
    return CAROM_OK;
}

static carom_status sheet(carom_recording *recording, const carom_export_view *view, int count,
                          FILE *file, const carom_progress *progress, carom_error *err)
{
    carom_image all, part;
    int columns = columns_for(view, count), rows = (count + columns - 1) / columns;
    carom_export_view small = *view;
    small.width = (view->width - GAP * (columns - 1)) / columns;
    small.height = (view->height - GAP * (rows - 1)) / rows;
    carom_export_setup setup;
    TRY(stay_near(recording, &small, err));
    TRY(carom_export_setup_prepare(recording, &small, &setup, err));
    TRY(carom_image_create(view->width, view->height, recording->scratch, &all, err));
    TRY(carom_image_create(small.width, small.height, recording->scratch, &part, err));
    TRY(carom_export_png_font(recording, view, err));
    setup.progress = progress;
    setup.total = count;
    unsigned char paper = view->dark ? 8 : 255;
    carom_image_fill(&all, (unsigned char[3]){ paper, paper, paper });
    int64_t last = carom_recording_frame_count(recording) - 1;
    for (int i = 0; i < count; ++i) {
        setup.done = i;
        TRY(carom_export_png_frame(&setup, count > 1 ? i * last / (count - 1) : 0, &part, err));
        carom_image_paste(&all, &part, i % columns * (small.width + GAP),
                          i / columns * (small.height + GAP));
    }
    return write_png(&all, file, err);
}

carom_status carom_export_sheet(carom_recording *recording, const carom_export_view *view,
                                int count, FILE *file, const carom_progress *progress,
                                carom_error *err)
{
    if (count < 1 || count > 400) {
        carom_error_set(err, CAROM_BAD_INPUT, "a sheet of %d pictures cannot be drawn", count);
        return carom_error_fix(err, "give 1 to 400");
    }
    int64_t frames = carom_recording_frame_count(recording);
    count = count > frames ? (int)frames : count;
    carom_arena_mark mark = carom_arena_mark_here(recording->scratch);
    carom_status status = sheet(recording, view, count, file, progress, err);
    carom_arena_rewind(recording->scratch, mark);
    return status;
}

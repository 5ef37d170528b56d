// Makes, fills and pastes bitmaps, and writes small letters into them. Files are image_png.c's.
#include "draw/image.h"

#include <string.h>
#include "draw/image_letters.h"

carom_status carom_image_create(int width, int height, carom_arena *arena, carom_image *out,
                                carom_error *err)
{
    if (width < 1 || height < 1 || width > CAROM_IMAGE_MOST || height > CAROM_IMAGE_MOST) {
        carom_error_set(err, CAROM_BAD_INPUT, "a picture of %d x %d pixels cannot be made", width,
                        height);
        return carom_error_fix(err, "give 1 to %d pixels for each edge", CAROM_IMAGE_MOST);
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

static void dot(carom_image *image, int x, int y, int scale, const unsigned char rgb[3])
{
    for (int row = y; row < y + scale; ++row)
        for (int column = x; column < x + scale; ++column)
            if (row >= 0 && row < image->height && column >= 0 && column < image->width)
                memcpy(image->rgb + 3 * ((size_t)row * (size_t)image->width + (size_t)column), rgb,
                       3);
}

static const unsigned char *letter(char c)
{
    int index = (unsigned char)c - 32;
    return carom_image_letters[index >= 0 && index < 95 ? index : '?' - 32];
}

int carom_image_words(carom_image *image, int x, int y, int scale, const unsigned char rgb[3],
                      const char *words)
{
    int at = x;
    for (; *words; ++words, at += 6 * scale) {
        const unsigned char *columns = letter(*words);
        for (int column = 0; column < 5; ++column)
            for (int row = 0; row < 7; ++row)
                if (columns[column] >> row & 1)
                    dot(image, at + column * scale, y + row * scale, scale, rgb);
    }
    return at - x;
}

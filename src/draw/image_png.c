// PNG files: rows filtered by the predictor that leaves the smallest differences, then deflated.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "draw/image.h"

static void add_number(unsigned char *out, uint32_t value)
{
    for (int i = 0; i < 4; ++i)
        out[i] = (unsigned char)(value >> (24 - 8 * i));
}

static void add_chunk(carom_text *out, const char *name, const unsigned char *bytes, size_t size)
{
    unsigned char number[4];
    add_number(number, (uint32_t)size);
    carom_text_add_bytes(out, (const char *)number, 4);
    carom_text_add_bytes(out, name, 4);
    if (size)
        carom_text_add_bytes(out, (const char *)bytes, size);
    uLong sum =
        crc32(crc32(0, (const Bytef *)name, 4), bytes ? bytes : (const Bytef *)"", (uInt)size);
    add_number(number, (uint32_t)sum);
    carom_text_add_bytes(out, (const char *)number, 4);
}

// Paeth's predictor: whichever of left, up and corner is nearest to left + up - corner.
static int predict(int left, int up, int corner)
{
    int p = left + up - corner, a = abs(p - left), b = abs(p - up), c = abs(p - corner);
    return a <= b && a <= c ? left : b <= c ? up : corner;
}

static long filter_row(const carom_image *image, int y, int kind, unsigned char *out)
{
    size_t size = 3 * (size_t)image->width;
    const unsigned char *row = image->rgb + (size_t)y * size, *above = y ? row - size : NULL;
    long sum = 0;
    *out++ = (unsigned char)kind;
    for (size_t i = 0; i < size; ++i) {
        int left = i >= 3 ? row[i - 3] : 0, up = above ? above[i] : 0;
        int corner = i >= 3 && above ? above[i - 3] : 0;
        int guess = kind == 0 ? 0 : kind == 1 ? left : kind == 2 ? up : predict(left, up, corner);
        out[i] = (unsigned char)(row[i] - guess);
        sum += abs((signed char)out[i]);
    }
    return sum;
}

static void filter(const carom_image *image, unsigned char *out, unsigned char *trial)
{
    static const int kinds[] = { 0, 1, 2, 4 };
    size_t size = 3 * (size_t)image->width + 1;
    for (int y = 0; y < image->height; ++y, out += size) {
        long best = -1;
        for (int k = 0; k < 4; ++k) {
            long sum = filter_row(image, y, kinds[k], trial);
            if (best < 0 || sum < best) {
                best = sum;
                memcpy(out, trial, size);
            }
        }
    }
}

carom_status carom_image_png(const carom_image *image, int level, carom_text *out, carom_error *err)
{
    size_t row = 3 * (size_t)image->width + 1, size = row * (size_t)image->height;
    uLong room = compressBound((uLong)size);
    unsigned char *plain = malloc(size + row), *packed = malloc(room);
    bool good = plain && packed;
    if (good) {
        filter(image, plain, plain + size);
        good = compress2(packed, &room, plain, (uLong)size, level) == Z_OK;
    }
    if (good) {
        unsigned char head[13] = { [8] = 8, [9] = 2 }; // 8 bits per channel, true colour
        add_number(head, (uint32_t)image->width);
        add_number(head + 4, (uint32_t)image->height);
        carom_text_add_bytes(out, "\x89PNG\r\n\x1a\n", 8);
        add_chunk(out, "IHDR", head, sizeof head);
        add_chunk(out, "sRGB", (const unsigned char *)"\0", 1);
        add_chunk(out, "IDAT", packed, room);
        add_chunk(out, "IEND", NULL, 0);
    }
    free(plain);
    free(packed);
    return good ? carom_text_status(out, err) : carom_error_no_memory(err, "a picture as a file");
}

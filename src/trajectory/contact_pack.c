// Contacts of a frame in few bytes: single precision, one column after the other, deflated.
//
// A contact of 144 bytes becomes 19 words of 4: a (as the difference from the contact before, whose
// list is sorted by pairs), b (as the difference from a), whether it is an impact, then numbers in
// single precision: time before the frame, point, normal, impulse, gap, slip, duration, loss. All
// words of a kind stand together, their lowest bytes first: signs, exponents and leading digits are
// alike and deflate well, while last digits are noise that does not (measured in
// docs/files.md). Contacts are what others look at; the run itself never reads them.
#include "trajectory/contact_pack.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "base/error.h"

enum { WORDS = 19, LEVEL = 1 }; // higher levels: a few per cent less in several times the time

static uint32_t word_of(double value)
{
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return bits;
}

static double number_of(uint32_t bits)
{
    float single;
    memcpy(&single, &bits, sizeof single);
    return (double)single;
}

static void to_words(const carom_world_contact *c, int before, double time, uint32_t *words)
{
    words[0] = (uint32_t)c->a - (uint32_t)before;
    words[1] = (uint32_t)c->b - (uint32_t)c->a;
    words[2] = (uint32_t)c->impact;
    words[3] = word_of(time - c->time);
    for (int k = 0; k < 3; ++k) {
        words[4 + k] = word_of(c->point[k]);
        words[7 + k] = word_of(c->normal[k]);
        words[10 + k] = word_of(c->impulse[k]);
        words[14 + k] = word_of(c->slip[k]);
    }
    words[13] = word_of(c->gap);
    words[17] = word_of(c->duration);
    words[18] = word_of(c->loss);
}

static carom_world_contact from_words(const uint32_t *words, int before, double time)
{
    carom_world_contact c = { .impact = (int)words[2] };
    c.a = (int)((uint32_t)before + words[0]);
    c.b = (int)((uint32_t)c.a + words[1]);
    c.time = time - number_of(words[3]);
    for (int k = 0; k < 3; ++k) {
        c.point[k] = number_of(words[4 + k]);
        c.normal[k] = number_of(words[7 + k]);
        c.impulse[k] = number_of(words[10 + k]);
        c.slip[k] = number_of(words[14 + k]);
    }
    c.gap = number_of(words[13]);
    c.duration = number_of(words[17]);
    c.loss = number_of(words[18]);
    return c;
}

size_t carom_contact_pack_bound(int count)
{
    return compressBound(4 * WORDS * (uLong)count);
}

bool carom_contact_pack_fits(uint64_t count, size_t size)
{
    return 4 * WORDS * count <= 1032 * (uint64_t)size;
}

size_t carom_contact_pack(const carom_world_contact *contacts, int count, double time,
                          unsigned char *out)
{
    size_t n = (size_t)count;
    unsigned char *planes = malloc(4 * WORDS * n + 1);
    if (!planes)
        return 0;
    for (size_t i = 0; i < n; ++i) {
        uint32_t words[WORDS];
        to_words(&contacts[i], i ? contacts[i - 1].a : 0, time, words);
        for (size_t k = 0; k < WORDS; ++k)
            for (size_t byte = 0; byte < 4; ++byte)
                planes[(4 * k + byte) * n + i] = (unsigned char)(words[k] >> 8 * byte);
    }
    uLongf size = (uLongf)carom_contact_pack_bound(count);
    bool good = compress2(out, &size, planes, 4 * WORDS * (uLong)n, LEVEL) == Z_OK;
    free(planes);
    return good ? size : 0;
}

carom_status carom_contact_unpack(const unsigned char *bytes, size_t size, double time, int count,
                                  carom_world_contact *out, carom_error *err)
{
    size_t n = (size_t)count;
    uLongf wanted = 4 * WORDS * (uLongf)n, found = wanted;
    unsigned char *planes = malloc(wanted + 1);
    if (!planes)
        return carom_error_no_memory(err, "%d contacts", count);
    if (uncompress(planes, &found, bytes, (uLong)size) != Z_OK || found != wanted) {
        free(planes);
        return carom_error_set(err, CAROM_BAD_INPUT, "the %d contacts of a frame cannot be read",
                               count);
    }
    for (size_t i = 0; i < n; ++i) {
        uint32_t words[WORDS] = { 0 };
        for (size_t k = 0; k < WORDS; ++k)
            for (size_t byte = 0; byte < 4; ++byte)
                words[k] |= (uint32_t)planes[(4 * k + byte) * n + i] << 8 * byte;
        out[i] = from_words(words, i ? out[i - 1].a : 0, time);
    }
    free(planes);
    return CAROM_OK;
}

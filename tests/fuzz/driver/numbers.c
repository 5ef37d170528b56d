// A mutator for targets whose input is JSON: half of the time a number is replaced by one that is
// special, near or from elsewhere in the text, so that what comes out still parses and gets past
// the reader into what the scene makes the library do. The rest is the fuzzer's own.
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(unsigned char *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(unsigned char *data, size_t size, size_t most, unsigned seed);

enum { NUMBERS = 512, ROOM = 32 };

typedef struct token {
    size_t at, length;
} token;

static unsigned next(unsigned *seed) // linear congruential, of the upper bits
{
    *seed = *seed * 1103515245u + 12345u;
    return *seed >> 16;
}

static int find_numbers(const unsigned char *data, size_t size, token *found)
{
    int count = 0, in_text = 0;
    for (size_t i = 0; i < size && count < NUMBERS; ++i) {
        if (data[i] == '"')
            in_text = !in_text;
        if (in_text || !(isdigit(data[i]) || data[i] == '-'))
            continue;
        size_t end = i + 1;
        while (end < size && (isdigit(data[end]) || strchr(".eE+-", data[end])) && data[end])
            ++end;
        found[count++] = (token){ i, end - i };
        i = end;
    }
    return count;
}

static size_t write_number(const unsigned char *data, const token *found, int count, unsigned *seed,
                           char *out)
{
    static const char *const special[] = { "0",      "-1",    "1e-300", "1e300", "5e-324", "1e9",
                                           "1e-9",   "0.5",   "1",      "2",     "3",      "1e4",
                                           "0.0001", "-1e-3", "1e20",   "100",   "-0.0",   "1e308" };
    static const double factors[] = { 0.5, 2, 0.999999, 1.000001, -1, 0.01, 100, 1e-6, 1e6 };
    enum { SPECIAL = sizeof special / sizeof *special, FACTORS = sizeof factors / sizeof *factors };
    const token *from = &found[next(seed) % (unsigned)count];
    char text[ROOM] = "";
    memcpy(text, data + from->at, from->length < ROOM - 1 ? from->length : ROOM - 1);
    switch (next(seed) % 3) {
    case 0:
        return (size_t)snprintf(out, ROOM, "%s", special[next(seed) % SPECIAL]);
    case 1:
        return (size_t)snprintf(out, ROOM, "%.6g", strtod(text, NULL) * factors[next(seed) % FACTORS]);
    default:
        return (size_t)snprintf(out, ROOM, "%s", text);
    }
}

size_t LLVMFuzzerCustomMutator(unsigned char *data, size_t size, size_t most, unsigned seed)
{
    token found[NUMBERS];
    char fresh[ROOM];
    int count = next(&seed) % 2 ? find_numbers(data, size, found) : 0;
    if (count == 0)
        return LLVMFuzzerMutate(data, size, most);
    const token *old = &found[next(&seed) % (unsigned)count];
    size_t length = write_number(data, found, count, &seed, fresh);
    if (size - old->length + length > most)
        return LLVMFuzzerMutate(data, size, most);
    memmove(data + old->at + length, data + old->at + old->length, size - old->at - old->length);
    memcpy(data + old->at, fresh, length);
    return size - old->length + length;
}

// Fuzz target: the reader of bounce maps. For any bytes it must come back; a refusal must say what,
// where and how to fix it; a map that is accepted must answer and survive being written and read
// again. The length and the checksum are made right first: otherwise nothing would get past them.
#include "carom/bounce_map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "support/claim.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void use(const carom_bounce_map *map)
{
    const double point[3] = { 0.01, 0, 0.005 }, normal[3] = { 0, 0, 1 };
    carom_error err = { 0 };
    carom_bounce_value v = carom_bounce_map_lookup(map, point, normal);
    claim(v.epsilon >= 0 && v.epsilon <= 1, "epsilon is in [0, 1]", &err);
    for (int s = 0; s < carom_bounce_map_sample_count(map); s += 97) {
        double p[3], n[3];
        carom_bounce_map_sample(map, s, p, n);
        carom_bounce_map_lookup(map, p, n);
    }
    unsigned char *bytes = NULL;
    size_t size = 0;
    carom_bounce_map *again = NULL;
    claim(carom_bounce_map_encode(map, &bytes, &size, &err) == CAROM_OK, "encodes", &err);
    claim(carom_bounce_map_decode("file", bytes, size, &again, &err) == CAROM_OK, "decodes again",
          &err);
    carom_bounce_map_destroy(again);
    free(bytes);
}

static void try_bytes(const unsigned char *data, size_t size)
{
    carom_error err = { 0 };
    carom_bounce_map *map = NULL;
    carom_status status = carom_bounce_map_decode("file", data, size, &map, &err);
    claim((status == CAROM_OK) == (map != NULL), "a map exactly on success", &err);
    if (map)
        use(map);
    else
        claim(*err.what && (status != CAROM_BAD_INPUT || *err.where), "says what and where", &err);
    carom_bounce_map_destroy(map);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    try_bytes(data, size);
    if (size < 28 || size > 1000000)
        return 0;
    unsigned char *copy = malloc(size);
    if (!copy)
        return 0;
    memcpy(copy, data, size);
    memcpy(copy, "CAROMBNC\1\0\0\0", 12);
    for (int k = 0; k < 8; ++k)
        copy[12 + k] = (unsigned char)((unsigned long long)size >> (8 * k));
    claim_seal(copy, size);
    try_bytes(copy, size);
    free(copy);
    return 0;
}

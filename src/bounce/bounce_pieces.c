// Contacts of a map as pieces of a work that is cut (carom/pieces.h).
#include "bounce/bounce_map.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include "base/bytes.h"
#include "base/hash.h"

static const carom_bytes_field fields[] = {
    CAROM_BYTES(F64, carom_bounce_result, epsilon), CAROM_BYTES(F64, carom_bounce_result, tau),
    CAROM_BYTES(F64, carom_bounce_result, impulse), CAROM_BYTES(I32, carom_bounce_result, micro),
    CAROM_BYTES(I32, carom_bounce_result, end),     { 0 },
};

uint64_t carom_bounce_pieces_key(const carom_bounce_map *map, const carom_modes *modes,
                                 const carom_bounce_map_options *options, const double *points,
                                 const double *normals, int count)
{
    const carom_modal_info *about = carom_modal_about(modes);
    const carom_bounce_options *k = &options->kernel;
    const double numbers[] = { k->solver,  k->turn,           k->damping,
                               k->elastic, (double)k->budget, about->mass };
    uint64_t key = carom_hash_bytes(CAROM_HASH_START, &map->info.mesh_hash, sizeof(uint64_t));
    key = carom_hash_doubles(key, numbers, sizeof numbers / sizeof *numbers);
    key = carom_hash_doubles(key, options->origin, 3);
    key = carom_hash_doubles(key, about->omega, (size_t)about->mode_count);
    key = carom_hash_doubles(key, points, 3 * (size_t)count);
    return carom_hash_doubles(key, normals, 3 * (size_t)count);
}

carom_status carom_bounce_pieces_put(carom_pieces_store *store, int64_t piece,
                                     const carom_bounce_result *results, int count,
                                     carom_error *err)
{
    size_t size = carom_bytes_size(fields) * (size_t)count;
    unsigned char *bytes = malloc(size), *at = bytes;
    if (!bytes)
        return carom_error_no_memory(err, "%d contacts", count);
    for (int i = 0; i < count; ++i)
        carom_bytes_put(fields, &results[i], &at);
    carom_status status = carom_pieces_put(store, piece, bytes, size, err);
    free(bytes);
    return status;
}

static bool is_result(const carom_bounce_result *r)
{
    return isfinite(r->epsilon) && isfinite(r->tau) && isfinite(r->impulse) && r->micro >= 0 &&
           (r->end == CAROM_BOUNCE_LEFT || r->end == CAROM_BOUNCE_CAPPED);
}

carom_status carom_bounce_pieces_get(const carom_pieces_store *store, int64_t piece,
                                     carom_bounce_result *results, int count, carom_error *err)
{
    size_t size = carom_bytes_size(fields) * (size_t)count;
    const unsigned char *at = NULL;
    TRY(carom_pieces_get(store, piece, &at, &size, err));
    for (int i = 0; i < count; ++i) {
        results[i] = (carom_bounce_result){ 0 };
        carom_bytes_get(fields, &results[i], &at);
        if (!is_result(&results[i])) {
            carom_error_set(err, CAROM_BAD_INPUT, "piece %lld holds no bounces", (long long)piece);
            return carom_error_fix(err, "remove the file of that shard and run it again");
        }
    }
    return CAROM_OK;
}

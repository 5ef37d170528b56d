// What changed between two pictures, and which tiles that may concern.
#include "draw/tracer_memory.h"

#include <stdlib.h>
#include <string.h>

enum { MOVING_MAX = 64 }; // things that move; beyond, all is drawn anew

carom_tracer_memory *carom_tracer_memory_create(void)
{
    carom_tracer_memory *memory = calloc(1, sizeof *memory);
    if (memory)
        memory->arena = carom_arena_create(0);
    if (memory && !memory->arena) {
        free(memory);
        return NULL;
    }
    return memory;
}

void carom_tracer_memory_destroy(carom_tracer_memory *memory)
{
    if (!memory)
        return;
    carom_arena_destroy(memory->arena);
    free(memory);
}

carom_status carom_tracer_memory_fit(carom_tracer_memory *memory, const carom_image *image,
                                     size_t cell, int shares, carom_error *err)
{
    if (memory->cells && memory->image.width == image->width &&
        memory->image.height == image->height && memory->shares == shares)
        return CAROM_OK;
    size_t pixels = (size_t)image->width * (size_t)image->height;
    size_t samples = (size_t)((image->width + 1) / 2) * (size_t)((image->height + 1) / 2);
    size_t tiles = (size_t)(image->width / CAROM_TRACER_TILE + 1) *
                   (size_t)(image->height / CAROM_TRACER_TILE + 1);
    unsigned char *cells;
    memory->holds = false;
    memory->shares = shares;
    TRY(carom_image_create(image->width, image->height, memory->arena, &memory->image, err));
    TAKE(memory->arena, cells, pixels * cell, err);
    TAKE(memory->arena, memory->sampled, samples * (size_t)shares, err);
    TAKE(memory->arena, memory->seen, pixels * (size_t)shares, err);
    TAKE(memory->arena, memory->mean, pixels * (size_t)shares, err);
    TAKE(memory->arena, memory->boxes, tiles, err);
    memory->cells = cells;
    return CAROM_OK;
}

static bool same_vector(vec3 a, vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_settings(const carom_tracer *a, const carom_tracer *b)
{
    if (a->count != b->count || a->reach != b->reach || a->grid != b->grid || a->fade != b->fade ||
        a->dark != b->dark || a->lamp_count != b->lamp_count ||
        !same_vector(a->middle, b->middle) || !same_vector(a->camera.from, b->camera.from) ||
        !same_vector(a->camera.to, b->camera.to) || !same_vector(a->camera.up, b->camera.up) ||
        a->camera.fov != b->camera.fov)
        return false;
    for (int i = 0; i < a->lamp_count; ++i)
        if (!same_vector(a->lamps[i].towards, b->lamps[i].towards) ||
            !same_vector(a->lamps[i].colour, b->lamps[i].colour) ||
            a->lamps[i].radius != b->lamps[i].radius)
            return false;
    return true;
}

static bool same_item(const carom_tracer_item *a, const carom_tracer_item *b)
{
    for (int k = 0; k < 9; ++k)
        if (a->rotation.m[k / 3][k % 3] != b->rotation.m[k / 3][k % 3])
            return false;
    return a->kind == b->kind && a->body == b->body && same_vector(a->position, b->position) &&
           a->radius == b->radius && a->half_length == b->half_length &&
           same_vector(a->half, b->half) && a->mesh == b->mesh &&
           same_vector(a->colour, b->colour) && a->marked == b->marked &&
           a->roughness == b->roughness && a->transparency == b->transparency;
}

// -- what a thing that moved may concern ----------------------------------------------------------

static bool within(const carom_bvh_box *a, const carom_bvh_box *b, double reach)
{
    for (int k = 0; k < 3; ++k)
        if (a->min[k] > b->max[k] + reach || b->min[k] > a->max[k] + reach)
            return false;
    return true;
}

static void extent_along(const carom_bvh_box *box, vec3 axis, double out[2])
{
    double a[3], middle = 0, half = 0;
    vec3_store(axis, a);
    for (int k = 0; k < 3; ++k) {
        middle += 0.5 * a[k] * (box->max[k] + box->min[k]);
        half += 0.5 * fabs(a[k]) * (box->max[k] - box->min[k]);
    }
    out[0] = middle - half;
    out[1] = middle + half;
}

// Whether a thing can hold back light of a lamp on its way to what a tile shows: seen along that
// way they overlap, by as much as rays to the rim of the lamp may deviate.
static bool may_shade(const carom_tracer_lamp *lamp, const carom_bvh_box *thing,
                      const carom_bvh_box *tile)
{
    vec3 across[2];
    double one[2], two[2];
    vec3_tangents(lamp->towards, &across[0], &across[1]);
    extent_along(thing, lamp->towards, one);
    extent_along(tile, lamp->towards, two);
    double way = one[1] - two[0], wide = 1.001 * lamp->radius * way + 1e-6 * fabs(way);
    if (way < 0)
        return false;
    for (int k = 0; k < 2; ++k) {
        extent_along(thing, across[k], one);
        extent_along(tile, across[k], two);
        if (one[0] > two[1] + wide || two[0] > one[1] + wide)
            return false;
    }
    return true;
}

static void mark(const carom_tracer_memory *memory, const carom_tracer_tiles *tiles,
                 const carom_tracer_light *light, const carom_tracer_item *item,
                 const int covered[4], bool *dirty)
{
    carom_bvh_box thing;
    carom_tracer_hit_box(item, &thing);
    for (int y = covered[2]; y <= covered[3]; ++y)
        for (int x = covered[0]; x <= covered[1]; ++x)
            dirty[y * tiles->across + x] = true;
    for (int i = 0; i < tiles->across * tiles->down; ++i) {
        const carom_bvh_box *box = &memory->boxes[i];
        if (dirty[i] || box->min[0] > box->max[0])
            continue;
        dirty[i] = within(&thing, box, tiles->scene->tracer->reach);
        for (int k = 0; k < light->lamp_count && !dirty[i]; ++k)
            dirty[i] = may_shade(&light->lamps[k], &thing, box);
    }
}

// Pixels look at others up to six away: tiles beside those that changed are drawn anew, too.
static void widen(const carom_tracer_tiles *tiles, bool *dirty, unsigned char *grown)
{
    for (int y = 0; y < tiles->down; ++y)
        for (int x = 0; x < tiles->across; ++x)
            for (int j = -1; j <= 1 && dirty[y * tiles->across + x]; ++j)
                for (int i = -1; i <= 1; ++i)
                    if (y + j >= 0 && y + j < tiles->down && x + i >= 0 && x + i < tiles->across)
                        grown[(y + j) * tiles->across + x + i] = 1;
    for (int i = 0; i < tiles->across * tiles->down; ++i)
        dirty[i] = grown[i];
}

void carom_tracer_memory_compare(const carom_tracer_memory *memory, const carom_tracer_tiles *tiles,
                                 const carom_tracer_light *light, bool *dirty)
{
    const carom_tracer *now = tiles->scene->tracer;
    size_t count = (size_t)tiles->across * (size_t)tiles->down;
    int changed[MOVING_MAX], changes = 0;
    bool all = !memory->holds || tiles->glass || !same_settings(&memory->before, now);
    for (int i = 0; i < now->count && !all; ++i) {
        if (same_item(&memory->items[i], &now->items[i]))
            continue;
        all = changes == MOVING_MAX || now->items[i].kind == CAROM_TRACER_PLANE ||
              now->items[i].kind != memory->items[i].kind;
        if (!all)
            changed[changes++] = i;
    }
    unsigned char *grown = all ? NULL : calloc(count + 1, 1);
    memset(dirty, all || !grown, count * sizeof *dirty);
    if (!grown)
        return;
    for (int k = 0; k < changes; ++k) {
        int i = changed[k], covered[4];
        mark(memory, tiles, light, &memory->items[i], memory->covered[i], dirty);
        carom_tracer_tiles_covered(tiles, i, covered);
        mark(memory, tiles, light, &now->items[i], covered, dirty);
    }
    widen(tiles, dirty, grown);
    free(grown);
}

carom_status carom_tracer_memory_keep(carom_tracer_memory *memory, const carom_tracer_tiles *tiles,
                                      carom_error *err)
{
    const carom_tracer *now = tiles->scene->tracer;
    memory->holds = false;
    if (now->count > memory->room) {
        memory->room = 2 * now->count;
        TAKE(memory->arena, memory->items, memory->room, err);
        TAKE(memory->arena, memory->covered, memory->room, err);
    }
    for (int i = 0; i < now->count; ++i) {
        memory->items[i] = now->items[i];
        carom_tracer_tiles_covered(tiles, i, memory->covered[i]);
    }
    memory->before = *now;
    memory->before.items = NULL;
    memory->holds = true;
    return CAROM_OK;
}

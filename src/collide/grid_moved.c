// A hash table of cells; bodies of one bucket are chained.
#include "base/memory.h"
#include "collide/grid_moved.h"

#include <string.h>

enum { FEWEST = 16 };

void carom_grid_moved_free(carom_grid_moved *moved)
{
    carom_memory_free(moved->entry);
    carom_memory_free(moved->place);
    carom_memory_free(moved->next);
    carom_memory_free(moved->first);
    memset(moved, 0, sizeof *moved);
}

size_t carom_grid_moved_bytes(const carom_grid_moved *moved)
{
    size_t body = sizeof *moved->entry + sizeof *moved->place + sizeof *moved->next;
    size_t buckets = moved->room ? (size_t)moved->mask + 1 : 0;
    return (size_t)moved->room * body + buckets * sizeof *moved->first;
}

static carom_status reserve(carom_grid_moved *moved, int room, carom_error *err)
{
    if (room <= moved->room)
        return CAROM_OK;
    carom_grid_moved_free(moved);
    size_t count = (size_t)room, buckets = FEWEST;
    while (buckets < count)
        buckets *= 2;
    moved->entry = carom_memory_get(count * sizeof *moved->entry);
    moved->place = carom_memory_get(count * sizeof *moved->place);
    moved->next = carom_memory_get(count * sizeof *moved->next);
    moved->first = carom_memory_get(buckets * sizeof *moved->first);
    if (!moved->entry || !moved->place || !moved->next || !moved->first) {
        carom_grid_moved_free(moved);
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %d bodies that move", room);
    }
    moved->room = room;
    moved->mask = (uint32_t)buckets - 1;
    return CAROM_OK;
}

carom_status carom_grid_moved_clear(carom_grid_moved *moved, const carom_grid *grid,
                                    carom_error *err)
{
    TRY(reserve(moved, grid->entry_count / 2 + FEWEST, err));
    moved->count = 0;
    memset(moved->first, 0xff, ((size_t)moved->mask + 1) * sizeof *moved->first);
    return CAROM_OK;
}

// Nobody is near a body whose numbers are none.
static void leave(const carom_grid *grid, const carom_grid_loose *loose)
{
    carom_grid_entry *entry = &grid->entry[loose->at];
    const float none = nanf("");
    *entry = (carom_grid_entry){ .centre = { none, none, none },
                                 .radius = none,
                                 .half = { none, none, none },
                                 .body = entry->body };
}

static void unchain(carom_grid_moved *moved, int level, int32_t slot)
{
    int32_t *link = &moved->first[carom_grid_moved_bucket(moved, level, moved->place[slot].cell)];
    while (*link != slot)
        link = &moved->next[*link];
    *link = moved->next[slot];
}

bool carom_grid_moved_put(carom_grid_moved *moved, carom_grid *grid, int body,
                          const carom_grid_loose *now)
{
    carom_grid_loose *loose = &grid->loose[body];
    const carom_grid_level *level = &grid->level[loose->level];
    if ((double)carom_grid_size(now) > carom_grid_most(level) ||
        (!loose->moved && moved->count == moved->room))
        return false;
    int32_t slot = loose->moved ? (int32_t)loose->at : moved->count++;
    if (loose->moved)
        unchain(moved, loose->level, slot);
    else
        leave(grid, loose);
    unsigned char own_level = loose->level;
    *loose = *now;
    loose->level = own_level;
    loose->moved = true;
    loose->at = (uint32_t)slot;
    for (int k = 0; k < 3; ++k)
        loose->cell[k] = carom_grid_cell(level, now->centre[k]);
    memcpy(moved->place[slot].cell, loose->cell, sizeof loose->cell);
    moved->entry[slot] = carom_grid_entry_of(grid, body);
    int32_t *first = &moved->first[carom_grid_moved_bucket(moved, own_level, loose->cell)];
    moved->next[slot] = *first;
    *first = slot;
    return true;
}

// The arena hands out aligned memory that never moves, honours its limit, and stops asking the
// system once it has seen the largest problem.
#include "base/arena.h"
#include "support/check.h"

#include <stdint.h>
#include <string.h>

int main(void)
{
    carom_arena *arena = carom_arena_create(0);
    unsigned char *first = carom_arena_take(arena, 3, 5);
    memset(first, 7, 15);
    unsigned char *big = carom_arena_zeros(arena, 1 << 20, 1);
    CHECK((uintptr_t)first % 64 == 0 && (uintptr_t)big % 64 == 0, "memory is aligned to 64 bytes");
    CHECK(first[14] == 7, "growing does not move earlier memory");
    CHECK(big[0] == 0 && big[(1 << 20) - 1] == 0, "zeros are zero");

    carom_arena_mark mark = carom_arena_mark_here(arena);
    void *once = carom_arena_take(arena, 100, 8);
    carom_arena_rewind(arena, mark);
    CHECK(carom_arena_take(arena, 100, 8) == once, "rewinding gives the same memory again");
    CHECK(!carom_arena_take(arena, SIZE_MAX / 4, 16), "a product that overflows is refused");
    carom_arena_rewind(arena, (carom_arena_mark){ 0 });
    CHECK(carom_arena_take(arena, 1 << 20, 1) != NULL, "an emptied arena serves again");
    CHECK(carom_arena_peak(arena) >= 1 << 20, "the peak is remembered");
    carom_arena_destroy(arena);

    arena = carom_arena_create(1 << 17);
    CHECK(!carom_arena_take(arena, 1 << 18, 1), "the limit is a limit");
    carom_error err = { 0 };
    CHECK(carom_arena_exhausted(arena, &err) == CAROM_NO_MEMORY && err.fix[0],
          "and says what to do");
    carom_arena_destroy(arena);
    return check_report();
}

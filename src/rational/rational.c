// Memory for GMP, whose functions must not return without any: the way out is a jump back to the
// guard, which gives back what the work held. Installed once and for all, and only in place of
// GMP's own functions, with which it may be mixed: both are malloc, realloc and free, so what is
// held stands in a table beside, not in front of the blocks.
#include "rational/rational.h"

#include <gmp.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// what a program finds that has set no functions (a symbol of the library that its header hides)
extern void *__gmp_default_allocate(size_t size) __attribute__((weak));

// -- what is held ---------------------------------------------------------------------------------

typedef struct held {
    void *thing; // null: this place is free
    void (*end)(void *thing);
} held;

// By address, with linear probing; `room` is a power of two, at most half of it taken.
typedef struct guard {
    jmp_buf way_out;
    held *table;
    size_t room, count;
    bool at_work;
} guard;

static _Thread_local guard here; // of this thread

static size_t place_of(const guard *g, const void *thing)
{
    uint64_t mixed = (uint64_t)(uintptr_t)thing * 0x9E3779B97F4A7C15u;
    size_t at = (size_t)(mixed >> 20) & (g->room - 1);
    while (g->table[at].thing && g->table[at].thing != thing)
        at = (at + 1) & (g->room - 1);
    return at;
}

static bool make_room(guard *g)
{
    if (2 * (g->count + 1) <= g->room)
        return true;
    guard wider = { .room = g->room ? 2 * g->room : 1024 };
    wider.table = calloc(wider.room, sizeof *wider.table);
    if (!wider.table)
        return false;
    for (size_t k = 0; k < g->room; ++k)
        if (g->table[k].thing)
            wider.table[place_of(&wider, g->table[k].thing)] = g->table[k];
    free(g->table);
    g->table = wider.table;
    g->room = wider.room;
    return true;
}

static void drop(guard *g, const void *thing)
{
    if (g->room == 0)
        return;
    size_t at = place_of(g, thing), mask = g->room - 1;
    if (!g->table[at].thing)
        return;
    g->table[at] = (held){ 0 };
    --g->count;
    for (size_t k = (at + 1) & mask; g->table[k].thing; k = (k + 1) & mask) { // they may move up
        held moved = g->table[k];
        g->table[k] = (held){ 0 };
        g->table[place_of(g, moved.thing)] = moved;
    }
}

void *carom_rational_hold(void *thing, void (*end)(void *thing))
{
    guard *g = &here;
    if (!g->at_work)
        return thing;
    if (thing && make_room(g)) {
        g->table[place_of(g, thing)] = (held){ thing, end };
        ++g->count;
        return thing;
    }
    if (thing)
        end(thing);
    longjmp(g->way_out, 1);
}

void *carom_rational_let_go(void *thing)
{
    if (here.at_work && thing)
        drop(&here, thing);
    return thing;
}

// -- memory ---------------------------------------------------------------------------------------

void *carom_rational_calloc(size_t count, size_t size)
{
    return carom_rational_hold(calloc(count, size), free);
}

void *carom_rational_realloc(void *old, size_t size)
{
    void *memory = realloc(carom_rational_let_go(old), size);
    if (!memory && here.at_work)
        free(old); // no longer in the table, and the work ends now
    return carom_rational_hold(memory, free);
}

void carom_rational_free(void *memory)
{
    free(carom_rational_let_go(memory));
}

static void *given(void *memory)
{
    if (!memory)
        abort(); // outside of a guard: what GMP itself does
    return memory;
}

static void *take(size_t size)
{
    return given(carom_rational_hold(malloc(size), free));
}

static void *resize(void *old, size_t old_size, size_t size)
{
    (void)old_size;
    return given(carom_rational_realloc(old, size));
}

static void release(void *memory, size_t size)
{
    (void)size;
    carom_rational_free(memory);
}

// -- the guard ------------------------------------------------------------------------------------

static void install(void)
{
    void *(*take_now)(size_t) = NULL;
    mp_get_memory_functions(&take_now, NULL, NULL);
    if (take_now == __gmp_default_allocate)
        mp_set_memory_functions(take, resize, release);
}

carom_status carom_rational_guard(carom_status (*work)(void *with, carom_error *err), void *with,
                                  carom_error *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    if (here.at_work)
        return work(with, err);
    here.at_work = true;
    volatile carom_status status = CAROM_NO_MEMORY;
    if (setjmp(here.way_out) == 0) {
        status = work(with, err);
        here.at_work = false;
    } else {
        here.at_work = false;
        for (size_t k = 0; k < here.room; ++k)
            if (here.table[k].thing)
                here.table[k].end(here.table[k].thing);
        carom_error_no_memory(err, "exact numbers");
        carom_error_fix(err, "end other programs, or take a smaller tower");
    }
    free(here.table);
    here.table = NULL;
    here.room = here.count = 0;
    return status;
}

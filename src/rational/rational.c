// Memory for GMP, whose functions must not return without any: the way out is a jump back to the
// guard. Installed once and for all, and only in place of GMP's own functions, with which it may be
// mixed: both are malloc, realloc and free.
#include "rational/rational.h"

#include <gmp.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>

// what a program finds that has set no functions (a symbol of the library that its header hides)
extern void *__gmp_default_allocate(size_t size) __attribute__((weak));

static _Thread_local jmp_buf *way_out;

static void *given(void *memory)
{
    if (!memory && way_out)
        longjmp(*way_out, 1);
    if (!memory)
        abort(); // outside of a guard: what GMP itself does
    return memory;
}

static void *take(size_t size)
{
    return given(malloc(size));
}

static void *resize(void *old, size_t old_size, size_t size)
{
    (void)old_size;
    return given(realloc(old, size));
}

static void release(void *memory, size_t size)
{
    (void)size;
    free(memory);
}

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
    jmp_buf here, *volatile before = way_out;
    if (setjmp(here) != 0) {
        way_out = before;
        carom_error_set(err, CAROM_NO_MEMORY, "no memory for exact numbers");
        carom_error_fix(err, "end other programs, or take a smaller tower");
        return CAROM_NO_MEMORY;
    }
    way_out = &here;
    carom_status status = work(with, err);
    way_out = before;
    return status;
}

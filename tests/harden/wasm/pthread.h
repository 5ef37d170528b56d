// The little of POSIX threads that src/base names, for a machine with one thread (tools/hashes).
#ifndef CAROM_TESTS_WASM_PTHREAD_H
#define CAROM_TESTS_WASM_PTHREAD_H

typedef int pthread_t;

static inline pthread_t pthread_self(void)
{
    return 0;
}
static inline int pthread_equal(pthread_t a, pthread_t b)
{
    return a == b;
}

#endif

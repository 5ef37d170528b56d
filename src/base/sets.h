// Disjoint sets of numbers (union and find): parent[i] == i is a root; all are roots at first.
#ifndef CAROM_BASE_SETS_H
#define CAROM_BASE_SETS_H

// The root of a number's set, with the path halved on the way.
static inline int sets_find(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

// Makes one set of two; the smaller root becomes that of both, so that the order of joining does
// not show. False where they were one already.
static inline int sets_join(int *parent, int a, int b)
{
    a = sets_find(parent, a);
    b = sets_find(parent, b);
    parent[a > b ? a : b] = a > b ? b : a;
    return a != b;
}

// The same two while other threads do them. A number that is no root never becomes one again, so a
// path may be halved by what was read a moment ago; roots are joined only as long as they are
// roots.
static inline int sets_find_shared(int *parent, int i)
{
    for (;;) {
        int up = __atomic_load_n(&parent[i], __ATOMIC_RELAXED);
        int above = __atomic_load_n(&parent[up], __ATOMIC_RELAXED);
        if (up == above)
            return up;
        __atomic_store_n(&parent[i], above, __ATOMIC_RELAXED);
        i = above;
    }
}

static inline void sets_join_shared(int *parent, int a, int b)
{
    int low, high;
    do {
        a = sets_find_shared(parent, a);
        b = sets_find_shared(parent, b);
        low = a < b ? a : b;
        high = a < b ? b : a;
    } while (low != high && !__atomic_compare_exchange_n(&parent[high], &(int){ high }, low, 0,
                                                         __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

#endif

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

#endif

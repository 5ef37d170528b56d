// Heap sort for a type of records: in place, without memory (the C library's qsort may take some).
//   CAROM_HEAP_SORT(name, type, context, before)
// makes `static void name(type *items, size_t count, context with)`; `before(with, p, q)` says
// whether the item at p comes before that at q. Where it leaves a tie the order of the two is open.
#ifndef CAROM_BASE_HEAP_SORT_H
#define CAROM_BASE_HEAP_SORT_H

#include <stddef.h>

#define CAROM_HEAP_SORT(name, type, context, before)                                               \
    static void name##_sift(type *items, size_t root, size_t count, context with)                  \
    {                                                                                              \
        type moved = items[root];                                                                  \
        for (size_t child; (child = 2 * root + 1) < count; root = child) {                         \
            child += child + 1 < count && before(with, &items[child], &items[child + 1]);          \
            if (!before(with, &moved, &items[child]))                                              \
                break;                                                                             \
            items[root] = items[child];                                                            \
        }                                                                                          \
        items[root] = moved;                                                                       \
    }                                                                                              \
    static void name(type *items, size_t count, context with)                                      \
    {                                                                                              \
        for (size_t root = count / 2; root-- > 0;)                                                 \
            name##_sift(items, root, count, with);                                                 \
        for (size_t last = count; last-- > 1;) {                                                   \
            type first = items[0];                                                                 \
            items[0] = items[last];                                                                \
            items[last] = first;                                                                   \
            name##_sift(items, 0, last, with);                                                     \
        }                                                                                          \
    }

#endif

// Finds the nearest name by edit distance, for messages about misspelt ones.
#include "base/suggest.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { LONGEST = 48 };

static int min(int a, int b)
{
    return a < b ? a : b;
}

// Optimal string alignment distance; words are cut at LONGEST characters.
static int distance(const char *a, const char *b)
{
    int rows[3][LONGEST + 1];
    int n = min((int)strlen(a), LONGEST), m = min((int)strlen(b), LONGEST);
    int *before = rows[0], *last = rows[1], *next = rows[2];
    for (int j = 0; j <= m; ++j)
        last[j] = j;
    for (int i = 1; i <= n; ++i) {
        next[0] = i;
        for (int j = 1; j <= m; ++j) {
            next[j] = min(min(last[j] + 1, next[j - 1] + 1), last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                next[j] = min(next[j], before[j - 2] + 1);
        }
        int *free_row = before;
        before = last;
        last = next;
        next = free_row;
    }
    return last[m];
}

const char *carom_suggest_nearest(const char *word, const char *const *names, int count)
{
    if (!word)
        return NULL;
    const char *nearest = NULL;
    int best = (int)strlen(word) / 3 + 2;
    for (int i = 0; i < count; ++i) {
        int d = distance(word, names[i]), length = (int)strlen(names[i]);
        bool alike = d < length || (length > 0 && strncmp(word, names[i], (size_t)length) == 0);
        if (d < best && alike) {
            best = d;
            nearest = names[i];
        }
    }
    return nearest;
}

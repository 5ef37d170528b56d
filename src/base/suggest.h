// "Did you mean": the nearest name in a list.
#ifndef CAROM_BASE_SUGGEST_H
#define CAROM_BASE_SUGGEST_H

// The name with the smallest edit distance (insert, delete, replace, swap of neighbours), or null
// when none is closer than about a third of the word.
const char *carom_suggest_nearest(const char *word, const char *const *names, int count);

#endif

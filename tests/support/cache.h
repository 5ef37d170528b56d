// A cache folder of the test's own, for bounce maps and modes that it needs more than once.
#ifndef CAROM_TESTS_CACHE_H
#define CAROM_TESTS_CACHE_H

// Makes an empty folder and lets $CAROM_CACHE name it; returns its name.
const char *cache_begin(void);
// Removes it with its files.
void cache_end(void);

#endif

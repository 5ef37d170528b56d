/* The words of `fix ID all carom ...`: options of the solver and walls. C, used from C++. */
#ifndef CAROM_LAMMPS_FIX_WORDS_H
#define CAROM_LAMMPS_FIX_WORDS_H

#include "carom/grains.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FIX_WORDS_WALLS = 64 };

typedef struct fix_words {
    carom_grains_options options; /* skin and slop 0 where nothing was said */
    carom_grains_wall walls[FIX_WORDS_WALLS];
    int wall_count;
    int hash; /* steps between two lines with the hash of all states; 0: none */
} fix_words;

/* Reads the words behind the style. A failure says which word, and what it should be. */
carom_status fix_words_read(int count, char **words, fix_words *out, carom_error *err);

/* What may be written, for --help. */
const char *fix_words_help(void);

#ifdef __cplusplus
}
#endif
#endif

/// The gallery: every figure and table of the five papers, computed anew, as one site of pages that
/// needs no network. Each entry says what the paper shows, what comes out here, and a verdict that
/// follows from a stated criterion.
#ifndef CAROM_GALLERY_GALLERY_H
#define CAROM_GALLERY_GALLERY_H

#include "carom/progress.h"
#include "carom/status.h"

/// Verdicts from the best to the worst, with their words in files and on pages.
#define CAROM_GALLERY_VERDICT_LIST(X)                                                              \
    X(AGREES, "agrees", "every comparison holds")                                                  \
    X(PAPER_IN_ERROR, "paper in error",                                                            \
      "every comparison holds, and a statement of the paper is refuted by numbers")                \
    X(DIFFERS, "differs", "at least one comparison does not hold")                                 \
    X(FAILED, "failed", "the computation ended with an error")                                     \
    X(OPEN, "not yet computed", "this entry has no result")

typedef enum carom_gallery_verdict {
#define CAROM_GALLERY_VERDICT_VALUE(name, word, sentence) CAROM_GALLERY_##name,
    CAROM_GALLERY_VERDICT_LIST(CAROM_GALLERY_VERDICT_VALUE)
#undef CAROM_GALLERY_VERDICT_VALUE
        CAROM_GALLERY_VERDICT_COUNT
} carom_gallery_verdict;

/// Most entries of the gallery.
enum { CAROM_GALLERY_MAX = 96 };

/// What an entry is about. The words belong to the library.
typedef struct carom_gallery_about {
    const char *id;    ///< "qce-fig-4": its name on the command line and of its files
    const char *paper; ///< key of the paper: "QCE"
    const char *label; ///< "Figure 4"
    const char *title;
    const char *command; ///< one command line that makes it
    const char *scene;   ///< files below the folder of scenes, separated by spaces; or shape:NAME
} carom_gallery_about;

int carom_gallery_count(void);
/// The entry at an index from 0 in the order of the papers.
carom_gallery_about carom_gallery_at(int index);
/// The index of an id, or -1 with an error that suggests the nearest one.
int carom_gallery_find(const char *id, carom_error *err);
/// "agrees", "paper in error", ...
const char *carom_gallery_word(carom_gallery_verdict verdict);

/// How to make a gallery. Zero-initialise.
typedef struct carom_gallery_settings {
    const char *out;    ///< folder of the site; made where it does not exist
    const char *scenes; ///< folder with the scenes of the project
    const char *only;   ///< id of the one entry to compute; null: all
    double within;      ///< s: only entries that take at most so long each, by estimate; 0: all
    int quick;          ///< non-zero: smaller sizes, said on the pages
    int again;          ///< non-zero: computes also what is there already
    int threads;        ///< entries at a time; 0: as many as there are cores
    const carom_progress *progress; ///< may be null; is called by one thread at a time
} carom_gallery_settings;

/// What came out, by index of the entry.
typedef struct carom_gallery_summary {
    carom_gallery_verdict verdict[CAROM_GALLERY_MAX];
    double seconds[CAROM_GALLERY_MAX]; ///< on the clock, for one entry
    int computed, kept;                ///< entries computed now, and kept from before
    int count[CAROM_GALLERY_VERDICT_COUNT];
} carom_gallery_summary;

/// Makes or continues a gallery. An entry with a result of the same program, scene and size is
/// kept. Every entry is written whole or not at all, and the index follows after each, so that a
/// stop (CAROM_INTERRUPTED) leaves a site that can be read and continued. A folder that holds
/// anything but a gallery of the same size is refused. An entry that fails gets the verdict FAILED
/// and does not stop the others.
carom_status carom_gallery_make(const carom_gallery_settings *settings, carom_gallery_summary *out,
                                carom_error *err);

/// Compares with a list of verdicts: lines "id verdict", where # starts a remark. `words` gets one
/// line per entry that is worse (or not in the list, or only in the list), and per entry that is
/// better; free() it. *worse counts the former. Entries that were not asked for (`only`, `within`)
/// are not compared.
carom_status carom_gallery_list_compare(const char *path, const carom_gallery_summary *summary,
                                        int *worse, char **words, carom_error *err);
/// The list of these verdicts as text, in the order of the entries; free() it; null without memory.
char *carom_gallery_list_text(const carom_gallery_summary *summary);

#endif

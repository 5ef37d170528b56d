// The gallery's inside: what an entry is, and what its function gets and gives back.
//
// An entry's function computes, then yields pictures, lines of comparison and notes through the
// functions below. The verdict follows from the lines (carom_gallery_result_verdict); nobody writes
// it.
#ifndef CAROM_GALLERY_GALLERY_RESULT_H
#define CAROM_GALLERY_GALLERY_RESULT_H

#include <math.h>
#include "gallery/gallery.h"
#include "gallery/gallery_memory.h"
#include "carom/draw.h"

enum { CAROM_GALLERY_PICTURES = 6, CAROM_GALLERY_LINES = 64 };

typedef struct carom_gallery_result carom_gallery_result;

// One figure or table. The tables of entries are constant, one per paper.
typedef struct carom_gallery_entry {
    const char *id, *label, *title;
    const char *shows;     // what the paper shows, in our own words
    const char *criterion; // when the two agree
    const char *reason;    // why they do not, where the verdict is another; may be null
    const char *command;   // makes it
    const char *scene;     // see carom_gallery_about
    double cost[2];        // s, about: in full, quick
    carom_status (*make)(carom_gallery_result *result, carom_error *err);
    const void *data; // for functions that serve several entries
} carom_gallery_entry;

typedef struct carom_gallery_paper {
    const char *key, *title; // as in docs/references.bib
    const carom_gallery_entry *entries;
    int count;
} carom_gallery_paper;

extern const carom_gallery_paper carom_gallery_qce, carom_gallery_etm, carom_gallery_chain,
    carom_gallery_tower, carom_gallery_bounce;

typedef enum carom_gallery_kind {
    CAROM_GALLERY_NUMBER,  // shown, not judged
    CAROM_GALLERY_NEAR,    // |ours - paper| <= allowance
    CAROM_GALLERY_AT_MOST, // ours <= allowance
    CAROM_GALLERY_AT_LEAST,
    CAROM_GALLERY_TRUTH,   // holds or not
    CAROM_GALLERY_REFUTES, // a statement of the paper; holds: our numbers refute it
} carom_gallery_kind;

// One line of the comparison. Numbers that do not apply are NaN.
typedef struct carom_gallery_line {
    carom_gallery_kind kind;
    char what[240], unit[24];
    double paper, ours, allowance;
    bool holds;
} carom_gallery_line;

typedef struct carom_gallery_picture {
    carom_text bytes; // SVG text or a PNG file
    bool png;
    char caption[400];
} carom_gallery_picture;

struct carom_gallery_result {
    const carom_gallery_entry *entry;
    const char *scenes, *out; // folders
    bool quick;
    const carom_progress *progress; // of this entry: done of total in its own unit
    carom_gallery_memory *memory;   // lives as long as the entry is computed
    carom_gallery_picture pictures[CAROM_GALLERY_PICTURES];
    int picture_count;
    carom_gallery_line lines[CAROM_GALLERY_LINES];
    int line_count;
    bool crowded;      // more lines than there is room for: nothing can be said
    carom_text notes;  // paragraphs, each ended by a line end
    char smaller[200]; // what is smaller than in full with --quick; empty: nothing
    char made[4][80];  // scenes that were made for this size, in the folder of scenes of the site
    int made_count;
};

// -- for entries (gallery_result.c)

// A file below the folder of scenes.
const char *carom_gallery_result_scene(const carom_gallery_result *result, const char *name,
                                       char *out, size_t size);
// Tells how far the entry is; CAROM_INTERRUPTED where the user wants to stop.
carom_status carom_gallery_result_progress(const carom_gallery_result *result, double done,
                                           double total, const char *what, carom_error *err);
// Shown only; `paper` NaN where the paper gives none.
void carom_gallery_result_number(carom_gallery_result *result, const char *what, const char *unit,
                                 double paper, double ours);
bool carom_gallery_result_near(carom_gallery_result *result, const char *what, const char *unit,
                               double paper, double ours, double allowance);
bool carom_gallery_result_at_most(carom_gallery_result *result, const char *what, const char *unit,
                                  double ours, double max);
bool carom_gallery_result_at_least(carom_gallery_result *result, const char *what, const char *unit,
                                   double ours, double min);
bool carom_gallery_result_holds(carom_gallery_result *result, bool truth, const char *what, ...)
    __attribute__((format(printf, 3, 4)));
// The paper states something that our numbers refute where `refuted`.
void carom_gallery_result_refutes(carom_gallery_result *result, bool refuted, const char *what, ...)
    __attribute__((format(printf, 3, 4)));
void carom_gallery_result_note(carom_gallery_result *result, const char *words, ...)
    __attribute__((format(printf, 2, 3)));
// Says what --quick makes smaller here, with the size in full.
void carom_gallery_result_smaller(carom_gallery_result *result, const char *words, ...)
    __attribute__((format(printf, 2, 3)));
carom_gallery_verdict carom_gallery_result_verdict(const carom_gallery_result *result);
void carom_gallery_result_free(carom_gallery_result *result);

// -- pictures (gallery_result.c)

// A new picture to be filled by the caller; null where there are too many.
carom_text *carom_gallery_result_svg(carom_gallery_result *result, const char *caption, ...)
    __attribute__((format(printf, 2, 3)));
carom_text *carom_gallery_result_png(carom_gallery_result *result, const char *caption, ...)
    __attribute__((format(printf, 2, 3)));
// A finished SVG text, which is freed; null is reported as a lack of memory.
carom_status carom_gallery_result_take(carom_gallery_result *result, char *svg, const char *caption,
                                       carom_error *err);
// Plots side by side in one picture, `columns` in a row. Their boxes are set here.
void carom_gallery_result_plots(carom_gallery_result *result, carom_plot *plots, int count,
                                int columns, const char *caption);

// -- the site (gallery_site.c, gallery_files.c)

// What the index knows of an entry.
typedef struct carom_gallery_card {
    carom_gallery_verdict verdict;
    double seconds;
    char picture[80]; // file, or "" for none
    char key[17];     // of program, scene and size
    bool kept;        // was there before
} carom_gallery_card;

typedef struct carom_gallery_site {
    const char *out, *scenes;
    bool quick;
    carom_gallery_card cards[CAROM_GALLERY_MAX];
} carom_gallery_site;

// The paper and the entry of an index.
const carom_gallery_paper *carom_gallery_paper_of(int index);
const carom_gallery_entry *carom_gallery_entry_of(int index);

// The page, pictures, scene files and the result of an entry, the result last; fills its card.
carom_status carom_gallery_site_entry(carom_gallery_site *site, int index,
                                      const carom_gallery_result *result,
                                      const carom_error *failure, carom_error *err);
carom_status carom_gallery_site_index(const carom_gallery_site *site, carom_error *err);

// Makes the folder, or refuses one that is no gallery of this size.
carom_status carom_gallery_files_open(const carom_gallery_site *site, carom_error *err);
// Fills the key of every card, and the rest of those whose result is there under that key.
carom_status carom_gallery_files_scan(carom_gallery_site *site, carom_error *err);
// Writes a file of the site: whole or not at all.
carom_status carom_gallery_files_write(const char *folder, const char *name, const void *bytes,
                                       size_t size, carom_error *err);
// A whole file; the bytes end with a zero. False: cannot be read.
bool carom_gallery_files_read(const char *path, carom_text *out);

#endif

// Inside of outcomes: outcomes_draw.c makes one sample, outcomes_tally.c keeps their statistics,
// outcomes.c runs them all, outcomes_pieces.c keeps parts of them in files, outcomes_picture.c
// shows them.
#ifndef CAROM_OUTCOMES_OUTCOMES_H
#define CAROM_OUTCOMES_OUTCOMES_H

#include <stdbool.h>
#include "base/error.h"
#include "base/pieces.h"
#include "carom/outcomes.h"
#include "math/vec.h"

// -- one sample: outcomes_draw.c -------------------------------------------------------------

// What one thread works with.
typedef struct carom_outcomes_draw {
    const carom_impact *impact; // of the file
    const carom_outcomes_options *options;
    const carom_law *law;
    const carom_law_options *law_options;
    carom_workspace *workspace;
    carom_impact_body *bodies; // with the velocities now
    carom_impact_contact *contacts;
    double (*velocities)[3], (*spins)[3], (*impulses)[3];
    double *gaps, *speeds, *targets, *shares; // per contact
    double fastest;                           // m/s, before
    bool finished;
} carom_outcomes_draw;

carom_status carom_outcomes_draw_open(carom_outcomes_draw *draw, carom_error *err);
void carom_outcomes_draw_close(carom_outcomes_draw *draw);
// Sample number `index`: velocities and spins after, in draw->velocities and draw->spins.
carom_status carom_outcomes_draw_sample(carom_outcomes_draw *draw, int64_t index, carom_error *err);
double carom_outcomes_draw_energy(const carom_impact *impact, const double (*velocities)[3],
                                  const double (*spins)[3]);

// -- many samples: outcomes_tally.c ----------------------------------------------------------

enum { CAROM_OUTCOMES_PATTERNS = 64, CAROM_OUTCOMES_CODED = 21, CAROM_OUTCOMES_SHOWN = 4096 };

// Sums are of differences to the first sample of all, so that little is lost where all are equal.
typedef struct carom_outcomes_sum {
    double sum, squares, min, max;
} carom_outcomes_sum;

typedef struct carom_outcomes_hull {
    double (*points)[2]; // corners, then what has come since
    int count, room;
} carom_outcomes_hull;

typedef struct carom_outcomes_tally {
    int body_count;
    int64_t samples, unfinished, others;
    carom_outcomes_sum (*numbers)[6]; // per body: velocity, spin
    carom_outcomes_sum energy;
    carom_outcomes_hull *hulls; // per body
    uint64_t codes[CAROM_OUTCOMES_PATTERNS];
    int64_t counts[CAROM_OUTCOMES_PATTERNS];
    int pattern_count;
} carom_outcomes_tally;

// What samples are compared with, and the plane of each body's hull.
typedef struct carom_outcomes_frame {
    double (*velocities)[3], (*spins)[3]; // of the first sample
    double energy;
    int (*axis)[2];
    double still; // m/s: slower is at rest
} carom_outcomes_frame;

carom_status carom_outcomes_tally_open(carom_outcomes_tally *tally, int bodies, carom_error *err);
void carom_outcomes_tally_close(carom_outcomes_tally *tally);
carom_status carom_outcomes_tally_add(carom_outcomes_tally *tally,
                                      const carom_outcomes_frame *frame,
                                      const carom_outcomes_draw *draw, double energy,
                                      carom_error *err);
// Reduces the points of each hull to its corners.
void carom_outcomes_tally_close_hulls(carom_outcomes_tally *tally);
carom_status carom_outcomes_tally_merge(carom_outcomes_tally *into,
                                        const carom_outcomes_tally *from, carom_error *err);

// -- parts in files: outcomes_pieces.c -------------------------------------------------------

// The samples of a block that pictures show: `count` of each body from `points` on, bodies `room`
// apart.
typedef struct carom_outcomes_shown {
    double (*points)[2];
    int count, room;
} carom_outcomes_shown;

// A hash of all that samples depend on.
uint64_t carom_outcomes_pieces_key(const carom_outcomes_draw *draw);
carom_status carom_outcomes_pieces_put(carom_pieces_store *store, int64_t block,
                                       const carom_outcomes_tally *tally,
                                       const carom_outcomes_shown *shown, carom_error *err);
// Into an open tally; refuses what is not the tally of so many samples.
carom_status carom_outcomes_pieces_get(const carom_pieces_store *store, int64_t block,
                                       int64_t samples, carom_outcomes_tally *tally,
                                       const carom_outcomes_shown *shown, carom_error *err);
carom_status carom_outcomes_pieces_put_frame(carom_pieces_store *store, int64_t piece,
                                             const carom_outcomes_frame *frame, int bodies,
                                             carom_error *err);
carom_status carom_outcomes_pieces_get_frame(const carom_pieces_store *store, int64_t piece,
                                             carom_outcomes_frame *frame, int bodies,
                                             carom_error *err);

#endif

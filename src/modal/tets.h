// What the readers of tetrahedra hand over, and what they share.
#ifndef CAROM_MODAL_TETS_H
#define CAROM_MODAL_TETS_H

#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"
#include "carom/modal.h"

// As read: node numbers count from 0; `per` is 4 or 10 nodes per tetrahedron, in any order of the
// middles.
typedef struct carom_tets_raw {
    double *nodes;
    int *tets;
    int node_count, tet_count, per;
} carom_tets_raw;

// The corners of each edge, in the order of the middle nodes.
extern const int carom_tets_edges[6][2];

// Drops unused nodes, turns tetrahedra that are inside out, puts middles in order or makes them.
// Frees the raw arrays in any case.
carom_status carom_tets_finish(carom_tets_raw *raw, double scale, carom_tets **out,
                               carom_error *err);

// A file in memory, read number by number: as text, or as bytes.
typedef struct carom_tets_cursor {
    const char *name;
    const unsigned char *begin, *at, *end;
    bool binary, swapped; // swapped: the other byte order
    bool comments;        // text: # to the end of the line is skipped
} carom_tets_cursor;

// BAD_INPUT with the place: name:line in text, name: byte in binary files.
carom_status carom_tets_damaged(const carom_tets_cursor *c, carom_error *err, const char *what, ...)
    __attribute__((format(printf, 3, 4)));
// One whole number of `bytes` bytes (4 or 8; text: any token), between least and most.
carom_status carom_tets_integer(carom_tets_cursor *c, int bytes, long long range[2],
                                const char *name, long long *out, carom_error *err);
carom_status carom_tets_real(carom_tets_cursor *c, const char *name, double *out, carom_error *err);
// Text: goes to the start of the next line.
void carom_tets_next_line(carom_tets_cursor *c);
// Room for `count` things of at least `bytes` bytes each in what is left?
carom_status carom_tets_room(const carom_tets_cursor *c, long long count, int bytes,
                             const char *name, carom_error *err);

carom_status carom_tets_msh(carom_tets_cursor *c, carom_tets_raw *raw, carom_error *err);
carom_status carom_tets_node(carom_tets_cursor *node, carom_tets_cursor *ele, carom_tets_raw *raw,
                             carom_error *err);

#endif

// Straight lines through a closed surface: where they are inside.
//
// All lines of a family run along one axis; their places in the other two are a grid. Whether a
// line meets a triangle is decided by signs that both triangles of an edge compute alike, so a line
// never slips between two triangles: it leaves the solid as often as it enters.
#ifndef CAROM_MODAL_MODAL_LINES_H
#define CAROM_MODAL_MODAL_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"
#include "carom/shape.h"

typedef struct carom_modal_crossing {
    double at; // along the axis
    int triangle;
    int turn; // +1: enters the solid, -1: leaves it
} carom_modal_crossing;

typedef struct carom_modal_lines {
    int axis, nu, nv;            // u and v: the two axes after `axis`, cyclically
    const double *u, *v;         // ascending
    const unsigned char *wanted; // of each group of lines, [iu / group][iv / group]; null: all
    int group;
    // result: line iu * nv + iv crosses at crossing[first[line]] .. crossing[last[line] - 1]
    size_t *first, *last;
    carom_modal_crossing *crossing;
    size_t bad;         // lines that entered and left unequally and borrowed from a neighbour
    size_t overlapping; // lines on which the solid overlaps itself
} carom_modal_lines;

// Fills the result; the caller frees it. Axis, grid and `wanted` are given.
carom_status carom_modal_lines_cast(const carom_mesh_source *surface, carom_modal_lines *lines,
                                    carom_error *err);
void carom_modal_lines_free(carom_modal_lines *lines);

// Walks the stretches of one line that are inside.
typedef struct carom_modal_walk {
    const carom_modal_crossing *next, *end;
    const carom_modal_crossing *in, *out; // of the stretch
} carom_modal_walk;

static inline carom_modal_walk carom_modal_walk_make(const carom_modal_lines *lines, size_t line)
{
    return (carom_modal_walk){ lines->crossing + lines->first[line],
                               lines->crossing + lines->last[line], NULL, NULL };
}
bool carom_modal_lines_next(carom_modal_walk *walk);

#endif

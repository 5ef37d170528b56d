/// @file
/// The angle of repose of a heap, by the procedure of [ETM, section 7.5].
///
/// The floor is a rectangle of 16 cells along its longer side and 8 across. In each cell the
/// highest node of any moving body counts; a straight line is fitted by least squares through the
/// nodes of each of the 8 rows. Cells over which nothing lies have no node and do not count.
#ifndef CAROM_REPOSE_H
#define CAROM_REPOSE_H

#include "carom/status.h"
#include "carom/world.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CAROM_REPOSE_LINES = 8, CAROM_REPOSE_CELLS = 16 };

/// Slopes are positive where the heap falls along its longer side, towards larger coordinates.
typedef struct carom_repose {
    double line[CAROM_REPOSE_LINES]; ///< degrees, slope of each fitted line
    int lines;                       ///< rows with at least two nodes; others have slope 0
    double mean;                     ///< degrees, over those lines
    double min, max;                 ///< degrees
    double error;                    ///< degrees: mean difference of least and most from the mean
    double top[CAROM_REPOSE_LINES][CAROM_REPOSE_CELLS]; ///< m, highest node; -HUGE_VAL: none
} carom_repose;

/// Measures the moving bodies of a world over the floor from (area[0], area[1]) to (area[2],
/// area[3]), m. Nodes are the corners and the middles of edges of the triangles of the surface.
CAROM_API carom_status carom_repose_measure(const carom_world *world, const double area[4],
                                            carom_repose *out, carom_error *err);

/// One point of a series, for a picture: the mean of one or more heaps.
typedef struct carom_repose_point {
    const char *series; ///< the scene; equal neighbours form one line
    double friction;    ///< Coulomb's coefficient of this point
    double angle;       ///< degrees
    double low, high;   ///< degrees, ends of its bar
} carom_repose_point;

/// The angle over the friction coefficient, one line per series, each point with its bar, as [ETM,
/// figure 15]. The caller frees the text with free().
CAROM_API carom_status carom_repose_svg(const carom_repose_point *points, int count, char **text,
                                        carom_error *err);

#ifdef __cplusplus
}
#endif
#endif

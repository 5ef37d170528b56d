// How a comparison lies on the picture: the plane, the shapes and the frame. Inside of
// compare_picture.c.
#ifndef CAROM_PICTURES_COMPARE_VIEW_H
#define CAROM_PICTURES_COMPARE_VIEW_H

#include <stdbool.h>
#include "carom/compare.h"
#include "draw/svg.h"
#include "math/vec.h"

enum { CAROM_COMPARE_CORNERS = 64 };

// How the world lies on the picture: right and up are unit vectors, depth decides what is in front.
typedef struct carom_compare_view {
    vec3 right, up, depth;
    bool line;             // everything moves along one axis
    double min[2], max[2]; // m, of everything drawn
    double scale;          // px per m
    double arrow;          // px per m/s
    double impulse;        // N s, largest
    double panel[2];       // px, size of the drawing area
} carom_compare_view;

typedef struct carom_compare_painter {
    const carom_compare *compare;
    const carom_scene_impact *scene;
    const carom_impact *impact;
    carom_svg svg;
    carom_compare_view view;
    double (*shape)[2]; // per body: radius of a ball (0: none), half size of its outline
} carom_compare_painter;

// Fills the view for everything that will be drawn; `shape` has room for every body.
void carom_compare_view_make(carom_compare_painter *p);
// Into the drawing area, px, y down.
void carom_compare_view_place(const carom_compare_view *v, const double point[3], double out[2]);
// A direction or place in the plane, m, y up.
void carom_compare_view_project(const carom_compare_view *v, const double point[3], double out[2]);
// An immovable body without a look: drawn as a plate at each contact.
bool carom_compare_view_is_plate(const carom_compare_painter *p, int body);
// Corners of a body's outline: the box of its look, or its contact points and their mirror images;
// returns their number, at most CAROM_COMPARE_CORNERS.
int carom_compare_view_outline(const carom_compare_painter *p, int body, double (*corners)[3]);

#endif

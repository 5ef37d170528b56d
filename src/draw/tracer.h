// A small ray tracer for pictures without a graphics processor: exact balls, capsules, cylinders
// and boxes, triangles for everything else, lamps with soft shadows, surfaces that shine and that
// light goes through, and ambient occlusion.
//
// The picture does not depend on the number of threads: every pixel is a function of the scene.
#ifndef CAROM_DRAW_TRACER_H
#define CAROM_DRAW_TRACER_H

#include "carom/progress.h"
#include "draw/camera.h"
#include "draw/image.h"
#include "draw/trimesh.h"

typedef enum carom_tracer_kind {
    CAROM_TRACER_BALL,
    CAROM_TRACER_CAPSULE,  // about its z axis
    CAROM_TRACER_CYLINDER, // likewise
    CAROM_TRACER_BOX,
    CAROM_TRACER_MESH,
    CAROM_TRACER_PLANE, // z = 0, seen from z > 0 only; throws no shadow
} carom_tracer_kind;

typedef struct carom_tracer_item {
    carom_tracer_kind kind;
    int body;      // equal for parts of one body: no line is drawn where they meet
    vec3 position; // m
    mat3 rotation; // item to world
    double radius, half_length;
    vec3 half;
    const carom_trimesh *mesh;
    vec3 colour;         // light, see colour.h
    bool marked;         // a lighter belt shows how a ball or capsule turns
    double roughness;    // 0: a small sharp highlight; 1: none
    double transparency; // share of the light that goes through
} carom_tracer_item;

// A lamp so far away that its light comes from one direction.
typedef struct carom_tracer_lamp {
    vec3 towards;  // unit, from the scene to the lamp
    vec3 colour;   // light, times its strength
    double radius; // m, of its disc seen from one metre: shadows have soft edges
} carom_tracer_lamp;

enum { CAROM_TRACER_LAMPS = 4 };

// The picture before (tracer_memory.h).
typedef struct carom_tracer_memory carom_tracer_memory;
carom_tracer_memory *carom_tracer_memory_create(void); // null without memory
void carom_tracer_memory_destroy(carom_tracer_memory *memory);

typedef struct carom_tracer {
    const carom_tracer_item *items;
    int count;
    carom_camera camera;
    double reach; // m: nooks smaller than this are dark
    double grid;  // m between the lines on planes; 0: none
    vec3 middle;  // m: planes fade into the background with the distance from here,
    double fade;  // over this length, m
    bool dark;    // a dark background
    carom_tracer_lamp lamps[CAROM_TRACER_LAMPS];
    int lamp_count; // 0: one sun, from the upper left of the viewer
    int threads;
    carom_tracer_memory *memory;    // of pictures that follow each other; may be null
    const carom_progress *progress; // may be null; is asked several times per second
    double done, total;             // pictures before this one, and in all
} carom_tracer;

// Fills the whole image; CAROM_INTERRUPTED where the progress asks to stop. Scratch memory comes
// from the arena and is given back.
carom_status carom_tracer_render(const carom_tracer *tracer, carom_arena *scratch,
                                 carom_image *image, carom_error *err);

#endif

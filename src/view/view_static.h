// A source that is complete when it is opened, kept as the bytes that the page gets.
//
// The opener of a kind begins it, adds bodies, then forms, then frames (one state per body each),
// then plots, and ends it.
#ifndef CAROM_VIEW_VIEW_STATIC_H
#define CAROM_VIEW_VIEW_STATIC_H

#include "math/vec.h"
#include "view/view_source.h"

enum { CAROM_VIEW_STATIC_CHANNELS = 2 }; // most numbers per vertex

typedef struct carom_view_static {
    carom_json *json; // the description while it is written
    carom_text describe, surfaces, frames, contacts, values;
    size_t *contact_end, *value_end; // per frame
    int64_t count, room;
    double *time; // per frame
    size_t body_count;
    bool failed; // memory ran out
} carom_view_static;

typedef struct carom_view_static_body {
    const char *name;
    int form;
    int kind; // carom_body_kind
    double mass;
    int colour; // 0xrrggbb; -1: chosen by the page
} carom_view_static_body;

// A triangle surface with everything its vertices carry.
typedef struct carom_view_static_surface {
    const float (*position)[3];
    const float (*normal)[3]; // null: flat faces
    const float *channel[CAROM_VIEW_STATIC_CHANNELS];
    int channels;
    int corners; // three per triangle, no indices
} carom_view_static_surface;

carom_status carom_view_static_begin(const char *kind, const char *title, carom_view_static **out,
                                     carom_error *err);
// Between carom_json_array(json, "bodies") and its end, and likewise for "forms".
void carom_view_static_add_body(carom_view_static *source, const carom_view_static_body *body);
void carom_view_static_sphere(carom_view_static *source, double radius);
void carom_view_static_mesh(carom_view_static *source, const carom_view_static_surface *surface);
// A convex outline in x and z, counter-clockwise seen from the front, drawn out along y.
void carom_view_static_prism(carom_view_static *source, const double *outline, int corners,
                             double thickness);
void carom_view_static_box(carom_view_static *source, const double size[3]);
// Round, along x.
void carom_view_static_cylinder(carom_view_static *source, double radius, double length);

// The state of the next body of the frame that is being written.
void carom_view_static_state(carom_view_static *source, vec3 position, quat rotation, vec3 velocity,
                             vec3 spin);
void carom_view_static_contact(carom_view_static *source, const int bodies[2],
                               const double point[3], const double normal[3],
                               const double impulse[3]);
void carom_view_static_value(carom_view_static *source, double value);
void carom_view_static_frame(carom_view_static *source, double time);

// One curve for the plots, inside carom_json_array(json, "ledger").
void carom_view_static_curve(carom_view_static *source, const char *name, const char *unit,
                             const double *values);
// A plot and the curves in it, ended by a null, inside carom_json_array(json, "panels").
void carom_view_static_panel(carom_view_static *source, const char *title, const char *unit,
                             const char *const *curves);

// A line of what is known about the whole, inside carom_json_array(json, "facts").
void carom_view_static_fact(carom_view_static *source, const char *name, const char *words, ...)
    __attribute__((format(printf, 3, 4)));

// Writes what is left and hands the source over; on failure it is closed.
carom_status carom_view_static_end(carom_view_static *source, carom_status status,
                                   const carom_view_source_ops **ops, void **self,
                                   carom_error *err);

#endif

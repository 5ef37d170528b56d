// A reel that is complete when it is opened, kept as the bytes that the page gets.
//
// A maker begins it, adds bodies, then forms, then moments (one state per body each), then plots,
// and ends it.
#ifndef CAROM_VIEW_VIEW_CANNED_H
#define CAROM_VIEW_VIEW_CANNED_H

#include "math/vec.h"
#include "view/view_reel.h"

enum { CAROM_VIEW_CANNED_CHANNELS = 2 }; // most numbers per vertex

typedef struct carom_view_canned {
    carom_json *json; // the description while it is written
    carom_text describe, surfaces, moments, contacts, values;
    size_t *contact_end, *value_end; // per moment
    int64_t count, room;
    double *time; // per moment
    size_t body_count;
    bool failed; // memory ran out
} carom_view_canned;

typedef struct carom_view_canned_body {
    const char *name;
    int form;
    int kind; // carom_body_kind
    double mass;
    int colour; // 0xrrggbb; -1: chosen by the page
} carom_view_canned_body;

// A triangle surface with everything its vertices carry.
typedef struct carom_view_canned_surface {
    const float (*position)[3];
    const float (*normal)[3]; // null: flat faces
    const float *channel[CAROM_VIEW_CANNED_CHANNELS];
    int channels;
    int corners; // three per triangle, no indices
} carom_view_canned_surface;

carom_status carom_view_canned_begin(const char *kind, const char *title, carom_view_canned **out,
                                     carom_error *err);
// Between carom_json_array(json, "bodies") and its end, and likewise for "forms".
void carom_view_canned_add_body(carom_view_canned *canned, const carom_view_canned_body *body);
void carom_view_canned_sphere(carom_view_canned *canned, double radius);
void carom_view_canned_mesh(carom_view_canned *canned, const carom_view_canned_surface *surface);
// A convex outline in x and z, counter-clockwise seen from the front, drawn out along y.
void carom_view_canned_prism(carom_view_canned *canned, const double *outline, int corners,
                             double thickness);
void carom_view_canned_box(carom_view_canned *canned, const double size[3]);
// Round, along x.
void carom_view_canned_cylinder(carom_view_canned *canned, double radius, double length);

// The state of the next body of the moment that is being written.
void carom_view_canned_state(carom_view_canned *canned, vec3 position, quat rotation, vec3 velocity,
                             vec3 spin);
void carom_view_canned_contact(carom_view_canned *canned, const int bodies[2],
                               const double point[3], const double normal[3],
                               const double impulse[3]);
void carom_view_canned_value(carom_view_canned *canned, double value);
void carom_view_canned_moment(carom_view_canned *canned, double time);

// One curve for the plots, inside carom_json_array(json, "ledger").
void carom_view_canned_curve(carom_view_canned *canned, const char *name, const char *unit,
                             const double *values);
// A plot and the curves in it, ended by a null, inside carom_json_array(json, "panels").
void carom_view_canned_panel(carom_view_canned *canned, const char *title, const char *unit,
                             const char *const *curves);

// A line of what is known about the whole, inside carom_json_array(json, "facts").
void carom_view_canned_fact(carom_view_canned *canned, const char *name, const char *words, ...)
    __attribute__((format(printf, 3, 4)));

// Writes what is left and hands the reel over; on failure it is closed.
carom_status carom_view_canned_end(carom_view_canned *canned, carom_status status,
                                   const carom_view_maker **maker, void **self, carom_error *err);

#endif

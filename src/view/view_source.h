// What can be shown, as the server and the page see it: a source, and the operations of its kind.
#ifndef CAROM_VIEW_VIEW_SOURCE_H
#define CAROM_VIEW_VIEW_SOURCE_H

#include "base/text.h"
#include "carom/json.h"
#include "carom/view.h"
#include "math/vec.h"

enum {
    CAROM_VIEW_FLOATS = CAROM_FRAME_STRIDE
}; // per body: position 3, rotation 4 (x y z w), velocity, spin
// a, b, impact, point 3, normal 3, impulse 3, duration (s; 0: an impact, or not known)
enum { CAROM_VIEW_CONTACT_FLOATS = 13 };

// What the page asks a run that goes on to change; see view_live.c.
typedef struct carom_view_change {
    const char *law; // null: as it is
    bool has_restitution, has_friction, has_gravity;
    double restitution, friction, gravity[3];
    int64_t body; // that is put somewhere or thrown; -1: none
    bool has_position, has_velocity;
    double position[3], velocity[3]; // of its centre of mass
    bool undo;                       // takes the last change back, and asks for nothing else
    int64_t from;                    // frame from which on it counts
} carom_view_change;

// How a kind of source answers. All numbers are little endian, single precision.
typedef struct carom_view_source_ops {
    // Everything but numbers that come in bulk: title, times, bodies, forms, plots.
    carom_status (*describe)(void *self, carom_text *json, carom_error *err);
    // Per form that is not a sphere: vertices (3 floats each), normals, one number per vertex and
    // channel, then indices (32 bits).
    carom_status (*surfaces)(void *self, carom_text *bytes, carom_error *err);
    int64_t (*count)(void *self);
    size_t (*bodies)(void *self);
    // `count` frames from `first` on; a body that is gone has NaN for its position.
    carom_status (*frames)(void *self, int64_t first, int64_t count, carom_text *bytes,
                           carom_error *err);
    // Contacts that carried impulses up to a frame; empty where none are known.
    carom_status (*contacts)(void *self, int64_t index, carom_text *bytes, carom_error *err);
    // One number per body to colour by; null where the kind has none.
    carom_status (*values)(void *self, int64_t index, carom_text *bytes, carom_error *err);
    // What came after the first `have` frames, as members of an open object; null: nothing comes.
    void (*news)(void *self, int64_t have, carom_json *json);
    // Waits until nothing comes any more; null with `news`.
    void (*finish)(void *self);
    // Null: nothing can be changed.
    carom_status (*change)(void *self, const carom_view_change *change, carom_error *err);
    void (*close)(void *self);
} carom_view_source_ops;

// A state and a contact as the page reads them.
void carom_view_source_pack_state(carom_text *bytes, vec3 position, quat rotation, vec3 velocity,
                                  vec3 spin);
void carom_view_source_pack_contact(carom_text *bytes, const int about[3], const double point[3],
                                    const double normal[3], const double impulse[3],
                                    double duration);

// Opens a file of one kind.
typedef carom_status (*carom_view_opener)(const char *path, const char *law,
                                          const carom_view_source_ops **ops, void **self,
                                          carom_error *err);
carom_status carom_view_recording_open(const char *path, const char *law,
                                       const carom_view_source_ops **ops, void **self,
                                       carom_error *err);
carom_status carom_view_live_open(const char *path, const char *law,
                                  const carom_view_source_ops **ops, void **self, carom_error *err);
carom_status carom_view_impact_open(const char *path, const char *law,
                                    const carom_view_source_ops **ops, void **self,
                                    carom_error *err);
carom_status carom_view_tower_open(const char *path, const char *law,
                                   const carom_view_source_ops **ops, void **self,
                                   carom_error *err);
carom_status carom_view_tower_of(const carom_view_tower *tower, const carom_view_source_ops **ops,
                                 void **self, carom_error *err);
carom_status carom_view_chain_open(const char *path, const char *law,
                                   const carom_view_source_ops **ops, void **self,
                                   carom_error *err);
carom_status carom_view_bounce_open(const char *path, const char *law,
                                    const carom_view_source_ops **ops, void **self,
                                    carom_error *err);
carom_status carom_view_bounce_of(const carom_bounce_map *map, const char *title,
                                  const carom_view_source_ops **ops, void **self, carom_error *err);

// Between carom_view_source_lock and _unlock nobody else changes the source.
typedef struct carom_view_source_locked {
    const carom_view_source_ops *ops;
    void *self;
    int64_t generation;  // counts whenever everything has to be asked for again
    const char *trouble; // why the file's present state cannot be shown; null: it is
} carom_view_source_locked;

carom_view_source_locked carom_view_source_lock(carom_view_source *source);
void carom_view_source_unlock(carom_view_source *source);
// Changes a run; the generation counts.
carom_status carom_view_source_change(carom_view_source *source, const carom_view_change *change,
                                      carom_error *err);
// Reads the file again where it has changed since.
void carom_view_source_refresh(carom_view_source *source);

#endif

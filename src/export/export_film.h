// The inside of a film, for the exporters.
#ifndef CAROM_EXPORT_EXPORT_FILM_H
#define CAROM_EXPORT_EXPORT_FILM_H

#include "base/arena.h"
#include "carom/export.h"
#include "draw/tracer.h"
#include "world/world.h"

// A distinct shape of the film. Compounds hold the forms of their parts.
typedef struct carom_export_form {
    const carom_shape *shape; // one more owner
    carom_trimesh mesh;       // empty for planes
    int users;                // bodies of this form
} carom_export_form;

// A moment kept in memory, with the contacts that carried impulses since the one before.
typedef struct carom_export_kept {
    carom_frame frame; // owns its bodies
    carom_world_contact *contacts;
    int contact_count;
} carom_export_kept;

struct carom_export {
    int count;           // bodies
    int *form;           // of each body
    unsigned char *kind; // carom_body_kind
    double *mass;        // kg; 0: infinite
    char **name;         // null: by number
    int *colour;         // 0xrrggbb; -1: chosen
    carom_export_form *forms;
    int form_count;
    carom_world_joint *joints;
    int joint_count;
    const char *law;                // of the scene; null: unknown
    double *restitution, *friction; // of each body's material; null: unknown
    carom_frame now;                // the only moment without a trajectory or kept moments
    carom_export_kept *kept;        // moments in memory; null: none
    int64_t kept_count, kept_room;
    const carom_trajectory *trajectory;
    carom_trajectory *own; // the same, where the film closes it
    int64_t stride;        // every so many frames is a moment
    double *removed;       // s: from when on a body is gone; null: none is
    char *title;
    carom_arena *arena; // everything above
    carom_arena *scratch;
};

// Per body in a frame: 13 numbers.
typedef struct carom_export_state {
    vec3 position;
    quat rotation;
    vec3 velocity, spin;
} carom_export_state;

// The film of a scene at its start, with names and looks; `path` gives the title where the scene
// has none.
carom_status carom_export_open_from(const carom_scene_world *scene, const char *path,
                                    carom_export **out, carom_error *err);
// Contacts that carried impulses up to a moment; null and 0 where none are known.
const carom_world_contact *carom_export_film_contacts(const carom_export *film, int64_t moment,
                                                      int *count);
carom_export_state carom_export_film_state(const carom_frame *frame, int body);
// Whether the body has been taken out of the world before this moment.
bool carom_export_film_gone(const carom_export *film, const carom_frame *frame, int body);
// "body7" or the given name; `room` holds at least 32 bytes.
const char *carom_export_film_name(const carom_export *film, int body, char *room, size_t size);

#endif

// The inside of a recording, for the exporters: recording.c makes it of a world, recording_open.c
// of a file, recording_frames.c has its frames.
#ifndef CAROM_EXPORT_RECORDING_H
#define CAROM_EXPORT_RECORDING_H

#include "base/arena.h"
#include "carom/export.h"
#include "draw/tracer.h"
#include "world/world.h"

// A distinct shape of the recording. Compounds hold the forms of their parts.
typedef struct carom_recording_form {
    const carom_shape *shape; // one more owner
    carom_trimesh mesh;       // empty for planes
    int users;                // bodies of this form
} carom_recording_form;

// A frame kept in memory, with the contacts that carried impulses since the one before.
typedef struct carom_recording_kept {
    carom_frame frame; // owns its bodies
    carom_world_contact *contacts;
    int contact_count;
} carom_recording_kept;

struct carom_recording {
    int count;           // bodies
    int *form;           // of each body
    unsigned char *kind; // carom_body_kind
    double *mass;        // kg; 0: infinite
    char **name;         // null: by number
    carom_look *look;    // colour -1: chosen
    bool *ghost;         // drawn transparent
    bool *servo;         // a wall that a servo presses
    bool *waits;         // is poured in: gone until it moves
    bool pours;          // some are
    carom_recording_form *forms;
    int form_count;
    carom_world_joint *joints;
    int joint_count;
    carom_light lights[CAROM_LIGHT_MAX];
    int light_count;                // 0: the usual sun
    struct carom_font *font;        // of words in pictures; null: strokes
    const char *law;                // of the scene; null: unknown
    double *restitution, *friction; // of each body's material; null: unknown
    carom_period period;            // of the world
    int *leader;     // per body: whose image it goes with; null: the world is not periodic
    carom_frame now; // the only frame without a trajectory or kept frames
    carom_recording_kept *kept; // frames in memory; null: none
    int64_t kept_count, kept_room;
    const carom_trajectory *trajectory;
    carom_trajectory *own; // the same, where the recording closes it
    int64_t stride;        // every so many frames of the trajectory is taken
    double *removed;       // s: from when on a body is gone; null: none is
    char *title;
    carom_arena *arena; // everything above
    carom_arena *scratch;
};

// The state of a body in a frame.
typedef struct carom_recording_body {
    vec3 position;
    quat rotation;
    vec3 velocity, spin;
} carom_recording_body;

// The recording of a scene at its start, with names and looks; `path` gives the title where the
// scene has none.
carom_status carom_recording_open_from(const carom_scene_world *scene, const char *path,
                                       carom_recording **out, carom_error *err);
// Contacts that carried impulses up to a frame: their number, 0 where none are known, and all of
// them, into room for so many.
int carom_recording_contact_count(const carom_recording *recording, int64_t frame);
carom_status carom_recording_contacts(const carom_recording *recording, int64_t frame,
                                      carom_world_contact *out, carom_error *err);
// In a periodic box where it is drawn: the image in the box, of what joints connect all together.
carom_recording_body carom_recording_state(const carom_recording *recording,
                                           const carom_frame *frame, int body);
// The image of a point that is drawn; of `to` the one nearest to `from`.
vec3 carom_recording_home(const carom_recording *recording, vec3 point);
vec3 carom_recording_beside(const carom_recording *recording, vec3 from, vec3 to);
// Whether the body has been taken out of the world before this frame.
bool carom_recording_gone(const carom_recording *recording, const carom_frame *frame, int body);
// "body7" or the given name; `room` holds at least 32 bytes.
const char *carom_recording_name(const carom_recording *recording, int body, char *room,
                                 size_t size);

#endif

// A scene in the making: what readers of other programs' files fill, and what is written from it as
// a scene of kind "world". SI units, z up.
#ifndef CAROM_IMPORT_DRAFT_H
#define CAROM_IMPORT_DRAFT_H

#include "base/arena.h"
#include "base/text.h"
#include "math/vec.h"

typedef enum carom_draft_form {
    CAROM_DRAFT_SPHERE,   // size: radius
    CAROM_DRAFT_BOX,      // full sizes
    CAROM_DRAFT_CAPSULE,  // radius, length of the straight part, along z
    CAROM_DRAFT_CYLINDER, // radius, length, along z
    CAROM_DRAFT_PLANE,    // outward normal
    CAROM_DRAFT_MESH,     // scale; a file
    CAROM_DRAFT_FORMS
} carom_draft_form;

typedef struct carom_draft_shape {
    carom_draft_form form;
    double size[3];
    const char *file;
    int users; // bodies and parts that show it
} carom_draft_shape;

// A shape placed in the frame of its body.
typedef struct carom_draft_part {
    int shape, next; // next part of the body, -1: none
    vec3 position;
    quat rotation;
} carom_draft_part;

// Mass, centre and moments about it, in the frame of the body.
typedef struct carom_draft_mass {
    double mass;
    vec3 centre;
    sym3 inertia;
} carom_draft_mass;

typedef enum carom_draft_kind {
    CAROM_DRAFT_MOVING,
    CAROM_DRAFT_FIXED,
    CAROM_DRAFT_DRIVEN
} carom_draft_kind;

typedef struct carom_draft_body {
    const char *name; // null: none
    carom_draft_kind kind;
    int part; // first one, -1: none yet
    vec3 position, velocity, spin;
    quat rotation;
    bool has_mass;      // else by the density
    bool has_inertia;   // else of a uniform body
    double density;     // kg/m^3; 0: as the scene says
    carom_draft_mass m; // as far as it is known, also where the density says it
    int material;       // -1: the default one
    int group;
    int colour; // 0xrrggbb, -1: none
} carom_draft_body;

typedef struct carom_draft_material {
    const char *name;
    double restitution, friction;
} carom_draft_material;

typedef struct carom_draft_joint {
    const char *kind, *name; // as in scene files; name null: none
    int a, b;                // bodies; b -1: the world
    vec3 anchor, axis;       // of the world, at the start
    bool has_axis, has_limits;
    double lower, upper; // degrees or m
    double stiffness, damping;
} carom_draft_joint;

typedef struct carom_draft {
    carom_arena *memory;          // of all texts
    const char *title, *source;   // null: none; what it was read from, for the note
    const char *law;              // null: the default one
    double step, duration, every; // 0: not said
    vec3 gravity;
    double periodic[3][2]; // m: ends of a periodic box along each axis; equal: none
    bool exact;            // states of bodies are the file's own numbers: all of their digits count
    bool geometric_max;    // friction of a pair is the greater one, not the geometric mean
    carom_draft_shape *shapes;
    carom_draft_part *parts;
    carom_draft_body *bodies;
    carom_draft_material *materials;
    carom_draft_joint *joints;
    const char **remarks; // what could not be taken over
    int shape_count, part_count, body_count, material_count, joint_count, remark_count;
    int shape_room, part_room, body_room, material_room, joint_room, remark_room;
} carom_draft;

void carom_draft_free(carom_draft *draft);

enum { CAROM_DRAFT_NAME = 100 };
// A name as scenes have them: letters, digits, blanks, - and _; all else becomes -.
void carom_draft_spell(const char *name, char out[CAROM_DRAFT_NAME]);

// Each gives the index of the new one by `at`, or of an equal one that is there.
carom_status carom_draft_shape_add(carom_draft *draft, carom_draft_form form, const double size[3],
                                   const char *file, int *at, carom_error *err);
carom_status carom_draft_material_add(carom_draft *draft, double restitution, double friction,
                                      int *at, carom_error *err);
// A moving body at the origin; the pointer holds until the next one is added.
carom_status carom_draft_body_add(carom_draft *draft, const char *name, int *at, carom_error *err);
carom_status carom_draft_part_add(carom_draft *draft, int body, int shape, vec3 position,
                                  quat rotation, carom_error *err);
carom_status carom_draft_joint_add(carom_draft *draft, const char *kind, int a, int b,
                                   carom_draft_joint **out, carom_error *err);
// Said once however often it is found.
carom_status carom_draft_remark(carom_draft *draft, carom_error *err, const char *words, ...)
    __attribute__((format(printf, 3, 4)));
// A copy that lives as long as the draft.
carom_status carom_draft_keep(carom_draft *draft, const char *words, const char **out,
                              carom_error *err);

// The parts of `from`, which stays where it is, become parts of `into`; so does its mass.
carom_status carom_draft_merge(carom_draft *draft, int into, int from, carom_error *err);
// Two bodies as one, seen from one frame.
carom_draft_mass carom_draft_together(carom_draft_mass a, carom_draft_mass b);
// A turn by an angle (rad) about an axis; none about the zero vector.
quat carom_draft_turn(vec3 axis, double angle);
// From a frame with y up to ours: x stays, y becomes z.
vec3 carom_draft_upright(vec3 v);
quat carom_draft_upright_turn(quat q);

// The scene as text.
void carom_draft_write(const carom_draft *draft, carom_text *out);

#endif

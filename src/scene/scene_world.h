// Inside of a scene file of kind "world": what its readers, generators and builder share.
#ifndef CAROM_SCENE_SCENE_WORLD_H
#define CAROM_SCENE_SCENE_WORLD_H

#include "carom/bounce_map.h"
#include "carom/import.h"
#include "carom/scene.h"
#include "math/vec.h"
#include "scene/field.h"
#include "scene/reader.h"

// A shape of the file. A plane is made with the normal +z and turned; everything else is not.
typedef struct carom_scene_form {
    const char *name; // null: written inside a body
    const carom_shape *shape;
    quat turn;  // shape frame to the frame of the file
    vec3 shift; // centre of mass in the frame of the file
} carom_scene_form;

// A body as the file describes it, before it has its place in a row of many.
typedef struct carom_scene_template {
    const char *name; // null: body0, body1, ...
    int form;
    carom_body body; // without shape; position is that of the shape's origin
    carom_look look;
    double force[3], torque[3]; // N, N m, all the time
} carom_scene_template;

// A body ready for the world.
typedef struct carom_scene_member {
    carom_body body; // position is the centre of mass
    const char *name;
    int number; // name[number]; -1: the name alone
    int form;
    carom_look look;
    double gone; // s: when a change removes it; infinite: never
    double born; // s: from when on it may be poured in; below 0: it is there from the start
    vec3 force, torque;
    int source; // entry of "bodies", or -1 - entry of "generators"
} carom_scene_member;

// A joint between two members; -1: the world.
typedef struct carom_scene_joint {
    int a, b;
    carom_joint joint; // without its ends
} carom_scene_joint;

typedef enum carom_scene_change_kind {
    CAROM_SCENE_CHANGE_REMOVE,
    CAROM_SCENE_CHANGE_PUSH,
    CAROM_SCENE_CHANGE_AIM, // `body` is a joint
} carom_scene_change_kind;

typedef struct carom_scene_change {
    carom_scene_change_kind kind;
    double at; // s
    int entry; // of "changes"
    int body;
    double velocity[3], spin[3];
    bool keeps_velocity, keeps_spin; // what a push leaves alone
    double aim;                      // rad/s, m/s, rad or m
} carom_scene_change;

// When a run ends early; 0 of a number: not asked.
typedef struct carom_scene_stop {
    double speed, kinetic, after;
    int64_t impacts;
    const char *broken;
    int joint; // of that name; -1: not asked
} carom_scene_stop;

// A wall that keeps a stress.
typedef struct carom_scene_servo {
    int member;
    vec3 push;      // Pa, where it presses
    double area;    // m^2; 0: between these
    int side[2][2]; // members
} carom_scene_servo;

// What a material says about bounce maps.
typedef struct carom_scene_bounce {
    bool given, direct;
    const char *file;     // null: computed
    const char *generate; // on this mesh; null: on each body's own shape
    carom_bounce_recipe recipe;
    double scale;
} carom_scene_bounce;

struct carom_scene_world {
    carom_reader *reader; // owns every text
    char *folder;         // of the file, for meshes; null: current folder
    char *title;
    const char *given_title, *note, *law_name; // of the file; null: not given
    carom_world_options options;
    carom_scene_output output;
    carom_light lights[CAROM_LIGHT_MAX];
    int light_count; // 0: the usual sun
    double step, duration;
    carom_scene_stop stop;
    bool pours;                // some of its bodies wait
    bool separate;             // bodies that overlap at the start are moved apart
    carom_material *materials; // 0 is the default one
    const char **material_names;
    int material_count;
    int default_material;          // of bodies that name none
    carom_scene_bounce *bounces;   // per material
    struct carom_scene_maps *maps; // filled by carom_scene_world_bake
    struct carom_scene_pair {
        int a, b;
        double restitution, friction;
        double rolling;            // m; below 0: not given
        double cohesion, adhesion; // N, J; likewise
    } * pairs;
    int pair_count;
    const carom_scene_mesh *given; // meshes to use instead of files; null: read files
    int given_count;
    carom_scene_mesh *meshes; // read from files; owned
    int mesh_count;
    carom_scene_form *forms;
    int form_count;
    double megabytes; // that bodies may take
    uint64_t sample;  // of the caller, added to the seeds of generators
    int64_t seed;     // of the file, added as well
    carom_scene_member *members;
    int64_t member_count, member_room;
    carom_scene_servo *servos;
    int servo_count;
    int *by_name; // members in the order of their full names
    carom_scene_joint *joints;
    int joint_count;
    carom_scene_change *changes; // in the order of their times
    int change_count;
};

// Every key of the file.
extern const carom_field_table carom_scene_world_table;

// scene_material.c: materials and pairs of them.
extern const carom_field_table carom_scene_material_table, carom_scene_material_pair_table;
carom_status carom_scene_material_read(carom_scene_world *scene, const carom_value *root,
                                       carom_error *err);
carom_status carom_scene_material_read_pairs(carom_scene_world *scene, const carom_value *root,
                                             carom_error *err);
// The number, from `first` on, of the material that key `key` of `item` names.
carom_status carom_scene_material_find(const carom_scene_world *scene, const carom_value *item,
                                       const char *key, const char *name, int first, int *out,
                                       carom_error *err);

// scene_periodic.c: the box that repeats itself.
extern const carom_field_table carom_scene_periodic_table;
carom_status carom_scene_periodic_read(carom_scene_world *scene, const carom_value *root,
                                       carom_error *err);

// scene_world_stop.c: when a run ends early; joints have been read.
extern const carom_field_table carom_scene_world_stop_table;
carom_status carom_scene_world_stop_read(carom_scene_world *scene, const carom_value *root,
                                         carom_error *err);

// carom_scene_world_build that can be stopped where bodies are moved apart (null: cannot).
carom_status carom_scene_world_build_told(const carom_scene_world *scene,
                                          const carom_world_options *options,
                                          const carom_progress *progress, carom_world **out,
                                          carom_error *err);

// carom_scene_world_parse with another memory limit.
carom_status carom_scene_world_parse_within(double megabytes, const char *name, const char *text,
                                            size_t size, carom_scene_world **out, carom_error *err);

// Shapes: the map "shapes", then single ones by name or written in place.
extern const carom_field_table carom_scene_shape_table;
#define CAROM_SCENE_SHAPE_SCHEMA "{ \"type\": [\"string\", \"object\"] }"
carom_status carom_scene_shape_read_all(carom_scene_world *scene, const carom_value *root,
                                        carom_error *err);
carom_status carom_scene_shape_use(carom_scene_world *scene, const carom_value *value, int *form,
                                   carom_error *err);
// A sphere that no text of the file describes.
carom_status carom_scene_shape_sphere(carom_scene_world *scene, double radius, int *form,
                                      carom_error *err);
// One of the shapes, larger by a factor.
carom_status carom_scene_shape_scaled(carom_scene_world *scene, int from, double factor, int *form,
                                      carom_error *err);
void carom_scene_shape_free_all(carom_scene_world *scene);

// Rotation from the keys "rotation" (w x y z) or "turn" (axis, degrees) of an object.
carom_status carom_scene_pose_rotation(const carom_value *object, const carom_numbers *rotation,
                                       const carom_numbers *turn, quat *out, carom_error *err);
// Lists of points of `size` numbers each: [[x, y, z], ...].
carom_status carom_scene_pose_points(const carom_value *list, int size, double **points, int *count,
                                     carom_error *err);

// Bodies.
extern const carom_field_table carom_scene_body_table, carom_scene_joint_table,
    carom_scene_change_table;
carom_status carom_scene_body_template(carom_scene_world *scene, carom_value *value,
                                       carom_scene_template *out, carom_error *err);
// A colour as "#rrggbb"; -1 where the text is null.
carom_status carom_scene_body_colour(const carom_value *body, const char *text, int *out,
                                     carom_error *err);
carom_status carom_scene_body_read_all(carom_scene_world *scene, const carom_value *root,
                                       carom_error *err);
// Makes room for more bodies; `at` is blamed where they need more memory than allowed.
carom_status carom_scene_body_reserve(carom_scene_world *scene, double more, const carom_value *at,
                                      carom_error *err);
// Adds one within the room: its shape's origin at `place`, turned by `turn` on top of its own.
void carom_scene_body_place(carom_scene_world *scene, const carom_scene_template *from, vec3 place,
                            quat turn, int number, int source);
// Sorts the names and refuses equal ones.
carom_status carom_scene_body_index(carom_scene_world *scene, const carom_value *root,
                                    carom_error *err);
// The body that a text value names.
carom_status carom_scene_body_find(const carom_scene_world *scene, const carom_value *value,
                                   int *out, carom_error *err);

// Joints and changes.
carom_status carom_scene_joint_read_all(carom_scene_world *scene, const carom_value *root,
                                        carom_error *err);
// The joint of that name, the first one; -1: none.
int carom_scene_joint_find(const carom_scene_world *scene, const char *name);
carom_status carom_scene_change_read_all(carom_scene_world *scene, const carom_value *root,
                                         carom_error *err);

// Steps until a time (s); one that is a whole number of steps up to round-off counts as that
// number.
int64_t carom_scene_world_steps_until(double time, double step);
// Poured bodies whose time has come enter before step number `step` where there is room.
void carom_scene_pour_enter(const carom_scene_world *scene, carom_world *world, int64_t step);

// Generators.
extern const carom_field_table carom_scene_generator_table;
carom_status carom_scene_generators_read(carom_scene_world *scene, const carom_value *root,
                                         carom_error *err);

// The scene once more from a changed text, with the same limits and sample.
carom_status carom_scene_world_reread(const carom_scene_world *scene, const carom_scene_text *text,
                                      carom_scene_world **out, carom_error *err);

#endif

/// @file
/// Files in: problems described in JSON. The forms are described in docs/files.md, and every form
/// has a JSON Schema from the same tables as its reader.
#ifndef CAROM_SCENE_H
#define CAROM_SCENE_H

#include <stddef.h>
#include "carom/impact.h"
#include "carom/json.h"
#include "carom/law.h"
#include "carom/progress.h"
#include "carom/status.h"
#include "carom/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One instant of impact with names, a law and pictures' hints: files of kind "impact".
typedef struct carom_scene_impact carom_scene_impact;

/// How a body looks in a picture. All zero: unknown, to be guessed from its contacts.
typedef struct carom_scene_look {
    double radius;  ///< m, of a ball
    double size[3]; ///< m, edges of a box along x, y, z
} carom_scene_look;

/// A file of more than this many bytes of bodies and contacts is refused.
enum { CAROM_SCENE_MEGABYTES = 1024 };

/// Reads a file ("-": the standard input). A failure says file:line:column, the value and the fix.
CAROM_API carom_status carom_scene_impact_open(const char *path, carom_scene_impact **out,
                                               carom_error *err);
/// Reads a text of `size` bytes; `name` is used in errors.
CAROM_API carom_status carom_scene_impact_parse(const char *name, const char *text, size_t size,
                                                carom_scene_impact **out, carom_error *err);
/// A scene from a problem made in C, for writing and drawing. Copies everything; null law and
/// options mean the defaults; bodies are called body0, body1, ...
CAROM_API carom_status carom_scene_impact_create(const carom_impact *impact, const carom_law *law,
                                                 const carom_law_options *options,
                                                 carom_scene_impact **out, carom_error *err);
/// Frees the scene; null is allowed.
CAROM_API void carom_scene_impact_close(carom_scene_impact *scene);

/// The problem; belongs to the scene.
CAROM_API const carom_impact *carom_scene_impact_problem(const carom_scene_impact *scene);
/// The law that the file names, or the default.
CAROM_API const carom_law *carom_scene_impact_law(const carom_scene_impact *scene);
/// The options of that law.
CAROM_API const carom_law_options *carom_scene_impact_options(const carom_scene_impact *scene);
/// The file's name without folder and ending.
CAROM_API const char *carom_scene_impact_title(const carom_scene_impact *scene);
/// The file's note, or null.
CAROM_API const char *carom_scene_impact_note(const carom_scene_impact *scene);
/// Null outside the range.
CAROM_API const char *carom_scene_impact_body_name(const carom_scene_impact *scene, int body);
/// How a body looks; all zero where the file does not say.
CAROM_API carom_scene_look carom_scene_impact_look(const carom_scene_impact *scene, int body);

/// Writes the scene as a file that reads back as the same problem, with generators expanded. Masses
/// and principal inertias that came from a file come back bit by bit; a full inertia to round-off.
CAROM_API void carom_scene_impact_write(const carom_scene_impact *scene, carom_json *json);

/// A scene in time: files of kind "world", which `carom run` runs.
typedef struct carom_scene_world carom_scene_world;

/// A scene whose bodies need more than this many megabytes is refused.
enum { CAROM_SCENE_WORLD_MEGABYTES = 8192 };

/// What a run writes.
typedef struct carom_scene_output {
    double every;             ///< s between frames
    double checkpoint;        ///< s on the clock between checkpoints
    int64_t checkpoint_steps; ///< and a checkpoint every so many steps; 0: none
    int contacts;             ///< non-zero: every frame is followed by its contacts
    int sums;                 ///< non-zero: summed over those of each pair of bodies
} carom_scene_output;

/// A mesh that the file names, as it was read from its own file: with these a scene needs no other
/// file any more.
typedef struct carom_scene_mesh {
    const char *name;         ///< as written in the scene
    double scale;             ///< m per unit of the mesh file; already applied
    carom_mesh_source source; ///< its triangles
} carom_scene_mesh;

/// Reads a file ("-": the standard input), with meshes relative to its folder. A failure says
/// file:line:column, the value and the fix.
CAROM_API carom_status carom_scene_world_open(const char *path, carom_scene_world **out,
                                              carom_error *err);
/// The same with `sample` added to the seeds of all generators: the scene once more with other
/// random numbers. Sample 0 is the scene itself.
CAROM_API carom_status carom_scene_world_open_sample(const char *path, uint64_t sample,
                                                     carom_scene_world **out, carom_error *err);
/// Reads a text of `size` bytes; `name` is used in errors, its folder for meshes.
CAROM_API carom_status carom_scene_world_parse(const char *name, const char *text, size_t size,
                                               carom_scene_world **out, carom_error *err);
/// The same with the meshes given; files are not looked at.
CAROM_API carom_status carom_scene_world_parse_with(const char *name, const char *text, size_t size,
                                                    const carom_scene_mesh *meshes, int mesh_count,
                                                    carom_scene_world **out, carom_error *err);
/// Frees the scene; null is allowed.
CAROM_API void carom_scene_world_close(carom_scene_world *scene);

/// The meshes that came from files, for keeping them with the scene.
CAROM_API const carom_scene_mesh *carom_scene_world_meshes(const carom_scene_world *scene,
                                                           int *count);

/// The file's title, or its name without folder and ending.
CAROM_API const char *carom_scene_world_title(const carom_scene_world *scene);
/// The file's note, or null.
CAROM_API const char *carom_scene_world_note(const carom_scene_world *scene);
/// The text of the file.
CAROM_API const char *carom_scene_world_text(const carom_scene_world *scene, size_t *size);
/// Length of a step, s.
CAROM_API double carom_scene_world_step(const carom_scene_world *scene);
/// Of the run, s.
CAROM_API double carom_scene_world_duration(const carom_scene_world *scene);
/// What a run of it writes.
CAROM_API carom_scene_output carom_scene_world_output(const carom_scene_world *scene);
/// How its world moves.
CAROM_API carom_world_options carom_scene_world_options(const carom_scene_world *scene);

/// How many bodies it has, generators expanded.
CAROM_API int carom_scene_world_body_count(const carom_scene_world *scene);
/// The name of a body, "grain[3]" for one of a generator; "world" outside the range.
CAROM_API void carom_scene_world_body_name(const carom_scene_world *scene, int body, char *out,
                                           size_t size);
/// The body of a name, or -1.
CAROM_API int carom_scene_world_find(const carom_scene_world *scene, const char *name);
/// How a body looks in pictures.
typedef struct carom_look {
    int colour;       ///< 0xRRGGBB; -1: none given
    double opacity;   ///< from 0 (not seen) to 1 (nothing is seen through it)
    double roughness; ///< from 0 (a small sharp highlight) to 1 (none)
} carom_look;
/// As the file says. The usual look, no colour of its own, opaque, roughness 0.5, where the scene is
/// null or has no such body.
CAROM_API carom_look carom_scene_world_look(const carom_scene_world *scene, int body);
/// A lamp of pictures, so far away that its light comes from one direction.
typedef struct carom_light {
    double direction[3]; ///< the way that its light goes
    int colour;          ///< 0xRRGGBB
    double strength;     ///< 1: that of the usual sun
    double size;         ///< degrees that its disc has in the sky: shadows have soft edges
} carom_light;
enum {
    CAROM_LIGHT_MAX = 4 ///< of a scene
};
/// The lamps of the file, at most CAROM_LIGHT_MAX; their number, 0 where the usual sun shines.
CAROM_API int carom_scene_world_lights(const carom_scene_world *scene,
                                       carom_light out[CAROM_LIGHT_MAX]);
/// A body as the world gets it: position is the centre of mass. The shape belongs to the scene, as
/// does the bounce map, which is there after carom_scene_world_bake.
CAROM_API carom_body carom_scene_world_body(const carom_scene_world *scene, int body);

/// Gets the bounce maps that the scene's materials ask for: from files, from the cache `folder`
/// (null: carom_bounce_cache_folder; empty: none), or computed, which may take long. Building the
/// world does so without telling its progress, where it was not done before.
CAROM_API carom_status carom_scene_world_bake(const carom_scene_world *scene, const char *folder,
                                              const carom_progress *progress, carom_error *err);
/// The world of the scene at time 0, not to be used after the scene is closed where it has bounce
/// maps. Null options mean the scene's own.
CAROM_API carom_status carom_scene_world_build(const carom_scene_world *scene,
                                               const carom_world_options *options,
                                               carom_world **out, carom_error *err);
/// Refuses a world whose bodies overlap at the start: names, depth and place in the file.
CAROM_API carom_status carom_scene_world_examine(const carom_scene_world *scene, carom_world *world,
                                                 carom_error *err);
/// Steps of the whole run.
CAROM_API int64_t carom_scene_world_steps(const carom_scene_world *scene);
/// Number of the step before which something changes for the first time; -1: nothing ever does.
CAROM_API int64_t carom_scene_world_first_change(const carom_scene_world *scene);
/// Applies what changes before step number `step` (from 0), to be called before every step: bodies
/// removed up to then, bodies pushed just then. Returns how many of the changes are due at just
/// this step.
CAROM_API int carom_scene_world_change(const carom_scene_world *scene, carom_world *world,
                                       int64_t step);
/// 1 where the run is to end after the step just made, as "stop" of the file says; `why` (may be
/// null) gets the reason.
CAROM_API int carom_scene_world_stop_reached(const carom_scene_world *scene,
                                             const carom_world *world, char *why, size_t size);
/// How many bodies that are poured in have not entered yet.
CAROM_API int carom_scene_world_waiting(const carom_scene_world *scene, const carom_world *world);
/// Zero where a change has removed the body by that time (s), for pictures of a recorded run.
CAROM_API int carom_scene_world_present(const carom_scene_world *scene, int body, double time);
/// Changes one value by its path, as `carom run --set path=value` does (see carom_scene_text_set),
/// and reads the scene again; where that fails it is as it was.
CAROM_API carom_status carom_scene_world_set(carom_scene_world *scene, const char *path,
                                             const char *value, carom_error *err);

/// Gives every material and every pair of materials this friction coefficient (0 to 1e6), before
/// the world is built; for series of runs over friction.
CAROM_API carom_status carom_scene_world_friction(carom_scene_world *scene, double friction,
                                                  carom_error *err);

/// The kinds of files, separated by spaces.
CAROM_API const char *carom_scene_kinds(void);
/// Every kind, with its name in files.
#define CAROM_SCENE_KIND_LIST(X)                                                                   \
    X(IMPACT, "impact")                                                                            \
    X(CHAIN, "chain")                                                                              \
    X(TOWER, "tower")                                                                              \
    X(WORLD, "world")                                                                              \
    X(BOUNCE_KERNEL, "bounce-kernel")

/// What a file is.
typedef enum carom_scene_kind {
#define CAROM_SCENE_KIND_VALUE(name, word) CAROM_SCENE_KIND_##name,
    CAROM_SCENE_KIND_LIST(CAROM_SCENE_KIND_VALUE)
#undef CAROM_SCENE_KIND_VALUE
} carom_scene_kind;

/// As written in files: "world".
CAROM_API const char *carom_scene_kind_name(carom_scene_kind kind);
/// What a file holds.
typedef struct carom_scene_contents {
    carom_scene_kind kind; ///< what the file is
    char words[160];       ///< in a few words: "5 bodies, 4 contacts"
} carom_scene_contents;
/// The text of a file of any kind, whose values can be changed before it is read: for `--set`, for
/// sweeps over parameters, for programs that make many scenes of one.
typedef struct carom_scene_text carom_scene_text;
/// Reads the text of a file ("-": the standard input); comments become blanks.
CAROM_API carom_status carom_scene_text_open(const char *path, carom_scene_text **out,
                                             carom_error *err);
/// The same of a text of `size` bytes; `name` is used in errors.
CAROM_API carom_status carom_scene_text_parse(const char *name, const char *text, size_t size,
                                              carom_scene_text **out, carom_error *err);
/// Frees the text; null is allowed.
CAROM_API void carom_scene_text_close(carom_scene_text *text);
/// Changes one value by its path: "materials.rock.friction=0.3", "gravity=0,0,-1.62",
/// "bodies.ball.position.z=2", "contacts.*.restitution=1". Parts of a path are keys of the file,
/// names or numbers (from 0) of items of a list, x y z of a vector, and * for every item; a plain
/// option of the law may stand alone ("steps=20"). Values are numbers, expressions of the file's
/// "let", words, vectors, or JSON. A value that does not fit is refused, a key that belongs
/// elsewhere with its right path; the text is then as it was. Another law starts with its default
/// options. The lines of the text stay where they are.
CAROM_API carom_status carom_scene_text_set(carom_scene_text *text, const char *setting,
                                            carom_error *err);
/// The text as it is now, for carom_scene_world_parse and its like; ends with a zero byte and is
/// there until the next change. `size` may be null.
CAROM_API const char *carom_scene_text_bytes(const carom_scene_text *text, size_t *size);
/// The file's name, for errors and for the folder of its meshes.
CAROM_API const char *carom_scene_text_name(const carom_scene_text *text);
/// What the file is.
CAROM_API carom_scene_kind carom_scene_text_kind(const carom_scene_text *text);
/// Reads the whole of a file of any kind ("-": the standard input) and says what it holds.
CAROM_API carom_status carom_scene_check(const char *path, carom_scene_contents *contents,
                                         carom_error *err);
/// The JSON Schema of the files of a kind ("impact"); false where the kind is unknown.
CAROM_API int carom_scene_schema(const char *kind, carom_json *json);
/// The tables of keys of a kind as Markdown, for the manual; null where the kind is unknown or
/// memory ran out. The caller frees it with free().
CAROM_API char *carom_scene_manual(const char *kind);

#ifdef __cplusplus
}
#endif
#endif

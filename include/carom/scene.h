/// Files in: problems described in JSON. The forms are described in docs/files.md, and every form
/// has a JSON Schema from the same tables as its reader.
#ifndef CAROM_SCENE_H
#define CAROM_SCENE_H

#include <stddef.h>
#include "carom/impact.h"
#include "carom/json.h"
#include "carom/law.h"
#include "carom/status.h"

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
CAROM_API void carom_scene_impact_close(carom_scene_impact *scene);

/// The problem; belongs to the scene.
CAROM_API const carom_impact *carom_scene_impact_problem(const carom_scene_impact *scene);
CAROM_API const carom_law *carom_scene_impact_law(const carom_scene_impact *scene);
CAROM_API const carom_law_options *carom_scene_impact_options(const carom_scene_impact *scene);
/// The file's name without folder and ending.
CAROM_API const char *carom_scene_impact_title(const carom_scene_impact *scene);
/// The file's note, or null.
CAROM_API const char *carom_scene_impact_note(const carom_scene_impact *scene);
/// Null outside the range.
CAROM_API const char *carom_scene_impact_body_name(const carom_scene_impact *scene, int body);
CAROM_API carom_scene_look carom_scene_impact_look(const carom_scene_impact *scene, int body);

/// Writes the scene as a file that reads back as the same problem, with generators expanded. Masses
/// and principal inertias that came from a file come back bit by bit; a full inertia to round-off.
CAROM_API void carom_scene_impact_write(const carom_scene_impact *scene, carom_json *json);

/// The kinds of files, separated by spaces.
CAROM_API const char *carom_scene_kinds(void);
/// Reads a file of any kind ("-": the standard input) and says in a few words what it holds.
CAROM_API carom_status carom_scene_check(const char *path, char *words, size_t size,
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

/// Pictures and files other programs open, made from a world or a recorded run.
///
/// A film is a set of bodies with a list of moments. It is made from a world (one moment: now) and
/// may then take its moments from a trajectory of the same bodies. Nothing here changes a world.
#ifndef CAROM_EXPORT_H
#define CAROM_EXPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "carom/progress.h"
#include "carom/trajectory.h"
#include "carom/status.h"
#include "carom/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_export carom_export;

/// Opens a trajectory, or a scene of kind "world" with its start as the only moment. A trajectory
/// that was cut opens up to its last whole record; carom_export_damage then says so.
CAROM_API carom_status carom_export_open(const char *path, carom_export **out, carom_error *err);
/// Null where the file is whole; otherwise a sentence that says where it ends and why.
CAROM_API const char *carom_export_damage(const carom_export *film);

/// The bodies of a world with its state now as the only moment. Shapes are shared, everything else
/// is copied: the world may go on or be destroyed.
CAROM_API carom_status carom_export_create(const carom_world *world, carom_export **out,
                                           carom_error *err);
/// Takes the moments from a trajectory, which must outlive the film. Fails where it has no frame
/// (the error says what it holds instead) or another number of bodies.
CAROM_API carom_status carom_export_film(carom_export *film, const carom_trajectory *trajectory,
                                         carom_error *err);
/// Adds the state of a world as the film's next moment, kept in memory, with the contacts that the
/// world has noted (carom_world_record_contacts). The first one kept replaces the start. Not for films with a
/// trajectory.
CAROM_API carom_status carom_export_keep(carom_export *film, const carom_world *world,
                                         carom_error *err);
/// Forgets the moments from number `count` on that were kept in memory.
CAROM_API void carom_export_keep_only(carom_export *film, int64_t count);
/// Keeps only every n-th moment from the first one on (n >= 1).
CAROM_API void carom_export_decimate(carom_export *film, int64_t n);
/// Names a body ("body3" otherwise) and gives it a colour (0xrrggbb; -1: chosen).
CAROM_API carom_status carom_export_body(carom_export *film, int body, const char *name, int colour,
                                         carom_error *err);
CAROM_API void carom_export_destroy(carom_export *film);

/// The title of the scene, or "world".
CAROM_API const char *carom_export_title(const carom_export *film);
CAROM_API int carom_export_body_count(const carom_export *film);
CAROM_API int64_t carom_export_moment_count(const carom_export *film);
/// State at a moment, 0 to the count less one.
CAROM_API carom_status carom_export_moment(const carom_export *film, int64_t moment,
                                           carom_frame *frame, carom_error *err);
/// The moment nearest to a time (s).
CAROM_API int64_t carom_export_nearest(const carom_export *film, double time);

/// What decides the colour of a body that the scene gives none.
#define CAROM_EXPORT_COLOUR_LIST(X)                                                                \
    X(AUTO, "auto")   /* body up to 24 moving bodies, start above */                               \
    X(BODY, "body")   /* eight colours in turn */                                                  \
    X(START, "start") /* where it was at first, along the longest side: shows mixing */            \
    X(SPEED, "speed") /* now, from 0 to the largest of the whole film */                           \
    X(MASS, "mass")

typedef enum carom_export_colour {
#define CAROM_EXPORT_COLOUR_VALUE(name, word) CAROM_EXPORT_COLOUR_##name,
    CAROM_EXPORT_COLOUR_LIST(CAROM_EXPORT_COLOUR_VALUE)
#undef CAROM_EXPORT_COLOUR_VALUE
} carom_export_colour;

/// Which moments the chosen camera has to show.
typedef enum carom_export_fit {
    CAROM_EXPORT_FIT_RUN, ///< all
    CAROM_EXPORT_FIT_START,
    CAROM_EXPORT_FIT_END,
} carom_export_fit;

/// How pictures are taken. Make it with carom_export_view_default; what is not set is chosen from
/// the moving bodies over the whole film, so that all its pictures have one camera.
typedef struct carom_export_view {
    int width, height; ///< px, default 960 x 540
    int has_from, has_to;
    double from[3], to[3]; ///< m: where the camera is, and what it looks at
    double up[3];          ///< default 0 0 1
    double fov;            ///< degrees from the lower to the upper edge, default 28
    carom_export_fit fit;
    carom_export_colour colour;
    int walls;   ///< keep fixed and driven parts that stand before many of the moving bodies
    int dark;    ///< dark background
    int label;   ///< write time and grid distance into the picture; default 1
    int threads; ///< 0: all; any number gives the same picture
} carom_export_view;

CAROM_API carom_export_view carom_export_view_default(void);

/// Writes one moment as a PNG file.
CAROM_API carom_status carom_export_png(carom_export *film, const carom_export_view *view,
                                        int64_t moment, FILE *file, const carom_progress *progress,
                                        carom_error *err);
/// Writes a sheet of `count` moments (or as many as there are), evenly spread from the first to the
/// last, as one PNG file of the view's size.
CAROM_API carom_status carom_export_sheet(carom_export *film, const carom_export_view *view,
                                          int count, FILE *file, const carom_progress *progress,
                                          carom_error *err);

/// Tables as CSV with a heading that names the units: one row per body and moment; and one row per
/// moment with the ledger.
CAROM_API carom_status carom_export_csv(const carom_export *film, FILE *file,
                                        const carom_progress *progress, carom_error *err);
CAROM_API carom_status carom_export_csv_ledger(const carom_export *film, FILE *file,
                                               carom_error *err);
/// A NumPy archive: time, step, hash and ledger_* per moment; position, rotation (w x y z),
/// velocity and spin per moment and body; mass, kind (carom_body_kind) and name per body. SI units.
CAROM_API carom_status carom_export_npz(const carom_export *film, FILE *file,
                                        const carom_progress *progress, carom_error *err);

/// A glTF 2.0 binary file: every body a node, equal shapes share their mesh, and one animation
/// moves all bodies that are not fixed. The view gives the colours.
CAROM_API carom_status carom_export_glb(carom_export *film, const carom_export_view *view,
                                        FILE *file, const carom_progress *progress,
                                        carom_error *err);
/// One moment for ParaView, as points with velocity, spin, rotation, mass, radius, body, kind and
/// shape; planes are left out.
CAROM_API carom_status carom_export_vtp(carom_export *film, int64_t moment, FILE *file,
                                        carom_error *err);
/// The PVD file that lists the files of all moments by time, and the name each of them must have.
CAROM_API carom_status carom_export_vtp_index(const carom_export *film, const char *prefix,
                                              FILE *file, carom_error *err);
CAROM_API void carom_export_vtp_name(const char *prefix, int64_t moment, char *out, size_t size);

/// From where a drawing is made.
typedef enum carom_export_side {
    CAROM_EXPORT_SIDE_AUTO,  ///< the one that shows most
    CAROM_EXPORT_SIDE_FRONT, ///< x to the right, z up
    CAROM_EXPORT_SIDE_SIDE,  ///< y to the right, z up
    CAROM_EXPORT_SIDE_TOP,   ///< x to the right, y up
} carom_export_side;

/// One moment as a drawing to scale (SVG), with plots of energy, momentum and overlap below where
/// the film has several moments.
CAROM_API carom_status carom_export_svg(carom_export *film, const carom_export_view *view,
                                        int64_t moment, carom_export_side side, FILE *file,
                                        carom_error *err);

/// What a plot shows over time.
typedef enum carom_export_graph {
    CAROM_EXPORT_GRAPH_ENERGY,
    CAROM_EXPORT_GRAPH_MOMENTUM,
    CAROM_EXPORT_GRAPH_GAP, ///< deepest overlap
    CAROM_EXPORT_GRAPH_ALL, ///< all of them, one below the other
} carom_export_graph;

/// A plot of the ledger (SVG) with axes, units and legend; px per plot.
CAROM_API carom_status carom_export_plot(carom_export *film, carom_export_graph graph, double width,
                                         double height, FILE *file, carom_error *err);

/// A page that plays the film in any browser with WebGL 2, with plots of the ledger; one file, no
/// network.
CAROM_API carom_status carom_export_html(carom_export *film, const carom_export_view *view,
                                         FILE *file, const carom_progress *progress,
                                         carom_error *err);

/// How a film runs.
typedef struct carom_export_pace {
    double rate;  ///< pictures per second
    double speed; ///< seconds of the run per second of the film
} carom_export_pace;

/// Draws the whole run as an MP4 file (H.264) by piping pictures to the program ffmpeg; the error
/// says what to do where it is missing. Width and height must be even.
CAROM_API carom_status carom_export_mp4(carom_export *film, const carom_export_view *view,
                                        const carom_export_pace *pace, const char *path,
                                        const carom_progress *progress, carom_error *err);

/// Every format, with its name on the command line.
#define CAROM_EXPORT_FORMAT_LIST(X)                                                                \
    X(PNG, "png")                                                                                  \
    X(CSV, "csv")                                                                                  \
    X(NPZ, "npz") X(GLB, "glb") X(VTP, "vtp") X(HTML, "html") X(SVG, "svg") X(MP4, "mp4")

typedef enum carom_export_format {
#define CAROM_EXPORT_FORMAT_VALUE(name, word) CAROM_EXPORT_##name,
    CAROM_EXPORT_FORMAT_LIST(CAROM_EXPORT_FORMAT_VALUE)
#undef CAROM_EXPORT_FORMAT_VALUE
} carom_export_format;

/// About how many bytes an export will have, known before it is written. The pace is that of an MP4
/// film, and may be null otherwise.
CAROM_API double carom_export_size(const carom_export *film, carom_export_format format,
                                   const carom_export_view *view, const carom_export_pace *pace);

#ifdef __cplusplus
}
#endif
#endif

/// @file
/// Pictures and files that other programs open, made from a recording. Nothing here changes a world.
#ifndef CAROM_EXPORT_H
#define CAROM_EXPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "carom/progress.h"
#include "carom/recording.h"
#include "carom/text.h"
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What decides the colour of a body that the scene gives none.
#define CAROM_EXPORT_COLOUR_LIST(X)                                                                \
    X(AUTO, "auto")   /* body up to 24 moving bodies, start above */                               \
    X(BODY, "body")   /* eight colours in turn */                                                  \
    X(START, "start") /* where it was at first, along the longest side: shows mixing */            \
    X(SPEED, "speed") /* now, from 0 to the largest of the whole recording */                      \
    X(MASS, "mass")

/// What colours tell.
typedef enum carom_export_colour {
#define CAROM_EXPORT_COLOUR_VALUE(name, word) CAROM_EXPORT_COLOUR_##name,
    CAROM_EXPORT_COLOUR_LIST(CAROM_EXPORT_COLOUR_VALUE)
#undef CAROM_EXPORT_COLOUR_VALUE
} carom_export_colour;

/// Which frames the chosen camera has to show.
typedef enum carom_export_fit {
    CAROM_EXPORT_FIT_RUN,   ///< all
    CAROM_EXPORT_FIT_START, ///< the first frame
    CAROM_EXPORT_FIT_END,   ///< the last frame
} carom_export_fit;

/// How pictures are taken. Make it with carom_export_view_default; what is not set is chosen from
/// the moving bodies over the whole recording, so that all its pictures have one camera.
typedef struct carom_export_view {
    int width, height;          ///< px, default 960 x 540
    int has_from, has_to;       ///< non-zero: `from`, `to` are given; else they are chosen
    double from[3], to[3];      ///< m: where the camera is, and what it looks at
    double up[3];               ///< default 0 0 1
    double fov;                 ///< degrees from the lower to the upper edge, default 28
    carom_export_fit fit;       ///< what has to be in the picture where they are chosen
    carom_export_colour colour; ///< what colours tell
    int walls;        ///< keep fixed and driven parts that stand before many of the moving bodies
    int dark;         ///< dark background
    int label;        ///< write time and grid distance into the picture; default 1
    const char *font; ///< file of the font of its words (TrueType, OpenType), or "strokes": letters
                      ///< of our own, the same on every machine; null: a sans serif that is found
    int threads;      ///< 0: all; any number gives the same picture
    double shutter;   ///< s: one picture shows the bodies' way over so long a time before
    double tolerance; ///< GLB and USDA: frames are left out where the line between the others
                      ///< passes them within this (m); 0: none are; below 0: chosen, 1e-5 of what
                      ///< is seen
} carom_export_view;

/// The defaults, camera chosen.
CAROM_API carom_export_view carom_export_view_default(void);

/// Writes one frame as a PNG file.
CAROM_API carom_status carom_export_png(carom_recording *recording, const carom_export_view *view,
                                        int64_t index, FILE *file, const carom_progress *progress,
                                        carom_error *err);
/// Writes a sheet of `count` frames (or as many as there are), evenly spread from the first to the
/// last, as one PNG file of the view's size.
CAROM_API carom_status carom_export_sheet(carom_recording *recording, const carom_export_view *view,
                                          int count, FILE *file, const carom_progress *progress,
                                          carom_error *err);

/// Tables as CSV with a heading that names the units: one row per body and frame; and one row per
/// frame with the ledger.
CAROM_API carom_status carom_export_csv(const carom_recording *recording, FILE *file,
                                        const carom_progress *progress, carom_error *err);
/// One row per frame with the ledger.
CAROM_API carom_status carom_export_csv_ledger(const carom_recording *recording, FILE *file,
                                               carom_error *err);
/// How many contacts all frames have together; 0 where none were recorded.
CAROM_API int64_t carom_export_contacts_total(const carom_recording *recording);
/// One row per contact that carried an impulse: step and time, bodies a and b, whether it was an
/// impact, point, normal from a to b, gap, impulse and force on b (an impact's: the mean since the
/// frame before), slip, and the energy it took out.
CAROM_API carom_status carom_export_csv_contacts(const carom_recording *recording, FILE *file,
                                                 const carom_progress *progress, carom_error *err);
/// A NumPy archive: time, step, hash and ledger_* per frame; position, rotation (w x y z),
/// velocity and spin per frame and body; mass, radius (of the ball around it; infinite of a plane),
/// kind (carom_body_kind), shape and name per body. Where contacts were recorded: contacts, one
/// record each with the fields frame, a, b, impact, time, point, normal, gap, impulse, force, slip
/// and loss. SI units.
CAROM_API carom_status carom_export_npz(const carom_recording *recording, FILE *file,
                                        const carom_progress *progress, carom_error *err);

/// A glTF 2.0 binary file: every body a node, equal shapes share their mesh, and one animation
/// moves all bodies that are not fixed. The view gives the colours.
CAROM_API carom_status carom_export_glb(carom_recording *recording, const carom_export_view *view,
                                        FILE *file, const carom_progress *progress,
                                        carom_error *err);
/// Universal Scene Description as text: every body a prim with its motion as time samples, spheres
/// as such, all others as meshes.
CAROM_API carom_status carom_export_usd(carom_recording *recording, const carom_export_view *view,
                                        FILE *file, const carom_progress *progress,
                                        carom_error *err);
/// What a file for ParaView shows of a frame; planes are left out.
typedef enum carom_export_vtp_part {
    CAROM_EXPORT_VTP_BODIES, ///< points: velocity, spin, rotation, mass, radius, body, kind, shape
    CAROM_EXPORT_VTP_SURFACES, ///< triangles: body, kind, velocity; more than 100 equal spheres are
                               ///< left to the points
    CAROM_EXPORT_VTP_CONTACTS, ///< lines from centre to centre, at walls from the point of contact:
                               ///< a, b, impact, normal, gap, impulse, force, slip, loss
    CAROM_EXPORT_VTP_PARTS
} carom_export_vtp_part;

/// One part of one frame for ParaView.
CAROM_API carom_status carom_export_vtp(carom_recording *recording, carom_export_vtp_part part,
                                        int64_t index, FILE *file, carom_error *err);
/// The PVD file that lists the files of all frames by time and part; contacts where the recording
/// has some.
CAROM_API carom_status carom_export_vtp_index(const carom_recording *recording, const char *prefix,
                                              FILE *file, carom_error *err);
/// The name that the file of a part of a frame must have.
CAROM_API void carom_export_vtp_name(const char *prefix, carom_export_vtp_part part, int64_t index,
                                     char *out, size_t size);

/// From where a drawing is made.
typedef enum carom_export_side {
    CAROM_EXPORT_SIDE_AUTO,  ///< the one that shows most
    CAROM_EXPORT_SIDE_FRONT, ///< x to the right, z up
    CAROM_EXPORT_SIDE_SIDE,  ///< y to the right, z up
    CAROM_EXPORT_SIDE_TOP,   ///< x to the right, y up
} carom_export_side;

/// One frame as a drawing to scale (SVG), with plots of energy, momentum and overlap below where
/// the recording has several frames.
CAROM_API carom_status carom_export_svg(carom_recording *recording, const carom_export_view *view,
                                        int64_t index, carom_export_side side, FILE *file,
                                        carom_error *err);

/// What a plot shows over time.
typedef enum carom_export_graph {
    CAROM_EXPORT_GRAPH_ENERGY,   ///< where the energy is
    CAROM_EXPORT_GRAPH_MOMENTUM, ///< of all moving bodies
    CAROM_EXPORT_GRAPH_GAP,      ///< deepest overlap
    CAROM_EXPORT_GRAPH_ALL,      ///< all of them, one below the other
} carom_export_graph;

/// Curves of chosen quantities, for papers.
typedef struct carom_export_curves {
    const char *const *quantities; ///< names of what goes up, all of one unit
    int quantity_count;            ///< at least one
    const char *across;            ///< name of what goes to the right; null: time
    const int *bodies;             ///< whose, where a quantity is of a body
    int body_count;                ///< of bodies
    double x_range[2], y_range[2]; ///< found from the data where both are equal
    int log_x, log_y;              ///< non-zero: logarithmic
    double width, height;          ///< mm on paper
    const char *font;              ///< family; null: that of the reader, in PDF Helvetica
    int csv;                       ///< non-zero: the numbers as a table instead
} carom_export_curves;

/// Appends the plot as SVG (carom_pdf_make makes PDF of it), or its numbers as CSV.
CAROM_API carom_status carom_export_curves_draw(carom_recording *recording,
                                                const carom_export_curves *what, carom_text *out,
                                                carom_error *err);
/// The name of the index-th quantity; null past the last.
CAROM_API const char *carom_export_curves_word(int index);

/// A plot of the ledger (SVG) with axes, units and legend; px per plot.
CAROM_API carom_status carom_export_plot(carom_recording *recording, carom_export_graph graph,
                                         double width, double height, FILE *file, carom_error *err);

/// How a video runs. Zero-initialise; `follow` is then body 0: set it to -1.
typedef struct carom_export_pace {
    double rate;    ///< pictures per second
    double speed;   ///< seconds of the run per second of the video
    double orbit;   ///< degrees by which the camera goes round what it looks at, start to end
    int follow;     ///< the camera keeps its place relative to this body; -1: it stays
    double shutter; ///< 0 to 1: share of the time between pictures over which eight looks are
                    ///< averaged, between frames by interpolation: motion blur
    const double (*keys)[7]; ///< of a camera that moves from place to place: time (s of the run,
                             ///< rising), where it is, what it looks at (m); between them smoothly
    int key_count;           ///< 0: it has none
} carom_export_pace;

/// Every format, with its name on the command line.
#define CAROM_EXPORT_FORMAT_LIST(X)                                                                \
    X(PNG, "png")                                                                                  \
    X(CSV, "csv")                                                                                  \
    X(NPZ, "npz")                                                                                  \
    X(GLB, "glb")                                                                                  \
    X(VTP, "vtp") X(HTML, "html") X(SVG, "svg") X(MP4, "mp4") X(WEBM, "webm") X(GIF, "gif")        \
        X(USDA, "usda") X(LAMMPS, "lammps")

/// The kinds of files.
typedef enum carom_export_format {
#define CAROM_EXPORT_FORMAT_VALUE(name, word) CAROM_EXPORT_##name,
    CAROM_EXPORT_FORMAT_LIST(CAROM_EXPORT_FORMAT_VALUE)
#undef CAROM_EXPORT_FORMAT_VALUE
} carom_export_format;

/// Writes the moving spheres of a frame as a data file of LAMMPS (atom_style sphere).
CAROM_API carom_status carom_export_lammps(const carom_recording *recording, int64_t frame,
                                           FILE *file, carom_error *err);

/// Draws the whole run as a video, by piping pictures to the program ffmpeg: MP4 (H.264), WEBM
/// (VP9) or GIF; the error says what to do where ffmpeg is missing. Width and height must be even.
CAROM_API carom_status carom_export_video(carom_recording *recording, const carom_export_view *view,
                                          const carom_export_pace *pace, carom_export_format format,
                                          const char *path, const carom_progress *progress,
                                          carom_error *err);

/// About how many bytes an export will have, known before it is written. The pace is that of a
/// video, and may be null otherwise.
CAROM_API double carom_export_size(const carom_recording *recording, carom_export_format format,
                                   const carom_export_view *view, const carom_export_pace *pace);

#ifdef __cplusplus
}
#endif
#endif

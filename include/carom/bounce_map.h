/// @file
/// Bounce maps: restitution over the surface of a body, computed once, looked up per contact
/// [Bounce, section 4].
///
/// A map belongs to a mesh. Its coordinates are those of the mesh shape's own frame (metres, origin
/// at the centre of mass), so a body that carries the shape asks in its body frame. Faces are
/// sampled at their centroids, sharp edges along their length and over the angles between the
/// normals of their two faces, sharp vertices over the directions in their normal cone.
#ifndef CAROM_BOUNCE_MAP_H
#define CAROM_BOUNCE_MAP_H

#include <stdint.h>
#include "carom/bounce.h"
#include "carom/modal.h"
#include "carom/pieces.h"
#include "carom/progress.h"
#include "carom/restitution.h"
#include "carom/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which symmetry baking and lookup use.
typedef enum carom_bounce_symmetry_choice {
    CAROM_BOUNCE_SYMMETRY_FIND, ///< what the mesh has (default)
    CAROM_BOUNCE_SYMMETRY_NONE,
    CAROM_BOUNCE_SYMMETRY_BOX,    ///< mirror planes x = 0, y = 0, z = 0 of the shape's frame
    CAROM_BOUNCE_SYMMETRY_TURN_X, ///< revolution about the x axis, also where facets hide it
    CAROM_BOUNCE_SYMMETRY_TURN_Y,
    CAROM_BOUNCE_SYMMETRY_TURN_Z,
} carom_bounce_symmetry_choice;

/// How a value is taken from the samples.
typedef enum carom_bounce_reading {
    CAROM_BOUNCE_NEAREST, ///< the nearest sample in position and normal (eq 10); default
    CAROM_BOUNCE_LINEAR,  ///< linear moving least squares over the neighbours, clamped to them
} carom_bounce_reading;

/// How a map is computed and read.
typedef struct carom_bounce_map_options {
    carom_bounce_options kernel;           ///< how each contact is solved
    carom_bounce_symmetry_choice symmetry; ///< default FIND
    carom_bounce_reading reading;          ///< default NEAREST
    int edges, vertices;                   ///< 1 (default): sample sharp edges, sharp vertices
    double sharp;     ///< degrees: an edge that turns the normal by more is sharp; default 30
    double angle;     ///< degrees between the samples of an edge; default 4.5
    double alpha;     ///< in [0, 1], multiplies every value read: losses the modes do not know
    int threads;      ///< 0 (default): all; any number gives the same bits
    double work_max;  ///< contacts times modes; a map that takes more is refused before it is
                      ///< computed; 0 (default): no bound
    double origin[3]; ///< m: where the shape's origin lies in the coordinates of the modes
    const carom_pieces *pieces; ///< 2048 contacts are a piece; null (default): all are done here
} carom_bounce_map_options;

/// The defaults of every option.
CAROM_API carom_bounce_map_options carom_bounce_map_options_default(void);

/// Immutable; any number of threads may read it.
typedef struct carom_bounce_map carom_bounce_map;

/// Computes the map of a mesh shape from its modes. Long: tells its progress. Of a shard of it
/// there is no result: `out` is null.
CAROM_API carom_status carom_bounce_map_bake(const carom_shape *mesh, const carom_modes *modes,
                                             const carom_bounce_map_options *options,
                                             const carom_progress *progress, carom_bounce_map **out,
                                             carom_error *err);
/// Frees the map; null is allowed.
CAROM_API void carom_bounce_map_destroy(carom_bounce_map *map);

/// What a map was made from and what it holds.
typedef struct carom_bounce_map_info {
    uint64_t mesh_hash;            ///< of the triangles and the vertices
    double centre[3];              ///< m: the centre of mass in the coordinates of the mesh file
    double mass;                   ///< kg
    double inertia[6];             ///< kg m^2: xx yy zz xy xz yz
    double frame[9];               ///< rows: the axes of the symmetry
    int turning;                   ///< axis of revolution in that frame, -1 for none
    int operations;                ///< symmetry operations, 1 for none (halves along the axis: 2)
    int modes;                     ///< of the body, that were used
    double omega_min, omega_max;   ///< rad/s
    carom_modal_material material; ///< of the modes
    carom_bounce_options kernel;   ///< as in the options
    carom_bounce_reading reading;  ///< as in the options
    double alpha, sharp, angle;    ///< as in the options
    double spacing;                ///< m, h_X: mean distance of face samples
    double gamma;                  ///< m, h_X / h_theta of eq 10
    int faces, edge_samples, vertex_samples; ///< samples on faces, sharp edges and sharp vertices
    int sharp_edges, sharp_vertices;         ///< of the mesh
    int computed; ///< contacts computed: samples that symmetry does not repeat
    int capped;   ///< samples whose budget of steps ended first
} carom_bounce_map_info;

/// What the map holds; belongs to the map.
CAROM_API const carom_bounce_map_info *carom_bounce_map_about(const carom_bounce_map *map);

/// Which feature of the surface a value belongs to.
typedef enum carom_bounce_place {
    CAROM_BOUNCE_FACE,
    CAROM_BOUNCE_EDGE,
    CAROM_BOUNCE_VERTEX,
} carom_bounce_place;

/// What is known about one contact.
typedef struct carom_bounce_value {
    double epsilon;           ///< restitution, times alpha
    double tau;               ///< s, contact time
    int micro;                ///< micro-collisions
    double spread;            ///< how much epsilon differs between this sample and its neighbours
    int capped;               ///< 1: the sample's budget of steps ended first
    carom_bounce_place place; ///< which feature gave the value
    int index;                ///< face, sharp edge or sharp vertex that gave the value
} carom_bounce_value;

/// The value at a point of the surface (body frame, m) for an outward unit normal (the direction in
/// which the body meets its partner). Points off the surface take the nearest.
CAROM_API carom_bounce_value carom_bounce_map_lookup(const carom_bounce_map *map,
                                                     const double point[3], const double normal[3]);
/// The response w of the rigid body (1/kg) for the same contact: what combining two bodies needs.
CAROM_API double carom_bounce_map_response(const carom_bounce_map *map, const double point[3],
                                           const double normal[3]);

/// The mesh, and one sample of it: faces first, then edges, then vertices. Point and normal (each
/// may be null) get where it was taken.
CAROM_API const carom_shape *carom_bounce_map_mesh(const carom_bounce_map *map);
/// How many samples the map has.
CAROM_API int carom_bounce_map_sample_count(const carom_bounce_map *map);
/// One sample by its index; point and normal (m, body frame; each may be null) get where it was
/// taken.
CAROM_API carom_bounce_value carom_bounce_map_sample(const carom_bounce_map *map, int index,
                                                     double point[3], double normal[3]);

/// Bins of a histogram of epsilon.
enum { CAROM_BOUNCE_BINS = 25 };

/// Plain figures over the samples of one place, or of all.
typedef struct carom_bounce_statistics {
    int count;                        ///< of samples
    double min, max, mean;            ///< of epsilon
    double mean_area;                 ///< the mean of epsilon, faces weighted by their area
    double tau_mean;                  ///< s, mean contact time
    double micro_mean;                ///< mean number of micro-collisions
    int histogram[CAROM_BOUNCE_BINS]; ///< of epsilon over [0, 1]
} carom_bounce_statistics;

/// Figures over the samples of one place, or of all (-1).
CAROM_API carom_bounce_statistics carom_bounce_map_statistics(const carom_bounce_map *map,
                                                              int place);

/// Writes a `.bounce` file (through a temporary name) and reads it back: versioned, checksummed,
/// little endian, with the mesh in it.
CAROM_API carom_status carom_bounce_map_save(const carom_bounce_map *map, const char *path,
                                             carom_error *err);
/// Non-zero where the file starts like a bounce map.
CAROM_API int carom_bounce_map_is(const char *path);
/// Reads a `.bounce` file of this or an older version.
CAROM_API carom_status carom_bounce_map_load(const char *path, carom_bounce_map **out,
                                             carom_error *err);
/// The same in memory; the bytes of `encode` belong to the caller (free).
CAROM_API carom_status carom_bounce_map_encode(const carom_bounce_map *map, unsigned char **bytes,
                                               size_t *size, carom_error *err);
/// Reads the bytes of such a file; `name` is used in errors.
CAROM_API carom_status carom_bounce_map_decode(const char *name, const unsigned char *bytes,
                                               size_t size, carom_bounce_map **out,
                                               carom_error *err);
/// Fails unless the map was made for this body: a mesh must have the same triangles or at least the
/// same surface (vertices within 1e-6 of the size, mass and inertia alike), other shapes nearly so
/// (0.5 %: polyhedra stand for round shapes).
CAROM_API carom_status carom_bounce_map_check(const carom_bounce_map *map, const carom_shape *shape,
                                              carom_error *err);

/// The map as the restitution of a body of a world, scale 1. The map must outlive the world.
CAROM_API carom_restitution_source carom_bounce_map_restitution(const carom_bounce_map *map);

// -- direct mode --------------------------------------------------------------------------------

/// Modes kept on the surface: restitution computed per contact at run time, for one body or two.
typedef struct carom_bounce_direct carom_bounce_direct;

/// Keeps 12 bytes per mode and vertex; `origin` as in carom_bounce_map_options (may be null).
CAROM_API carom_status carom_bounce_direct_create(const carom_shape *mesh, const carom_modes *modes,
                                                  const double origin[3], carom_bounce_direct **out,
                                                  carom_error *err);
/// Frees the modes; null is allowed.
CAROM_API void carom_bounce_direct_destroy(carom_bounce_direct *direct);
/// How many modes there are, and their frequencies (rad/s).
CAROM_API int carom_bounce_direct_modes(const carom_bounce_direct *direct, const double **omega);
/// What a contact at this point and normal (body frame) sees: `a` gets the participations.
CAROM_API carom_bounce_case carom_bounce_direct_case(const carom_bounce_direct *direct,
                                                     const double point[3], const double normal[3],
                                                     double *a);
/// The restitution there.
CAROM_API carom_status carom_bounce_direct_solve(const carom_bounce_direct *direct,
                                                 const double point[3], const double normal[3],
                                                 const carom_bounce_options *options,
                                                 carom_bounce_result *result, carom_error *err);

/// The modes as the restitution of a body of a world, scale 1: computed at every contact, two such
/// bodies as the pair they are. They must outlive the world.
CAROM_API carom_restitution_source
carom_bounce_direct_restitution(const carom_bounce_direct *direct);
/// As carom_bounce_map_check.
CAROM_API carom_status carom_bounce_direct_check(const carom_bounce_direct *direct,
                                                 const carom_shape *shape, carom_error *err);

// -- from a shape in one call, kept between runs ------------------------------------------------

/// Everything besides the shape that a map is made from.
typedef struct carom_bounce_recipe {
    carom_modal_material material; ///< default steel
    carom_modal_options modal;     ///< how its modes are computed
    carom_bounce_map_options map;  ///< alpha and origin are not used
    int faces;                     ///< the surface is refined to at least this many; default 20000
} carom_bounce_recipe;

/// Steel, and the defaults of everything else.
CAROM_API carom_bounce_recipe carom_bounce_recipe_default(void);

/// The folder where modes and maps are kept: $CAROM_CACHE (empty: nothing is kept), else
/// $XDG_CACHE_HOME/carom, else ~/.cache/carom. Returns 0 where there is none.
CAROM_API int carom_bounce_cache_folder(char *out, size_t size);
/// Modes of a surface or of tetrahedra: from the folder's `.cmodes` file of their key, or computed
/// and kept there. A null or empty folder keeps nothing; a damaged file is made again.
CAROM_API carom_status carom_bounce_cache_modes(const char *folder,
                                                const carom_mesh_source *surface,
                                                const carom_modal_material *material,
                                                const carom_modal_options *options,
                                                const carom_progress *progress, carom_modes **out,
                                                carom_error *err);
/// The same for a mesh of tetrahedra.
CAROM_API carom_status carom_bounce_cache_tets(const char *folder, const carom_tets *tets,
                                               const carom_modal_material *material,
                                               const carom_modal_options *options,
                                               const carom_progress *progress, carom_modes **out,
                                               carom_error *err);
/// The map of any shape but a plane: from the folder's `.bounce` file, or baked and kept there.
/// Round shapes are computed as polyhedra. The same bits either way. With pieces the folder is
/// asked for modes alone; of a shard there is no result: `out` is null.
CAROM_API carom_status carom_bounce_cache_map(const char *folder, const carom_shape *shape,
                                              const carom_bounce_recipe *recipe,
                                              const carom_progress *progress,
                                              carom_bounce_map **out, carom_error *err);
/// The same for direct mode; only the modes are kept.
CAROM_API carom_status carom_bounce_cache_direct(const char *folder, const carom_shape *shape,
                                                 const carom_bounce_recipe *recipe,
                                                 const carom_progress *progress,
                                                 carom_bounce_direct **out, carom_error *err);

// -- pictures -----------------------------------------------------------------------------------

/// The coloured model from two sides, the histogram of epsilon, and epsilon over contact time (fig
/// 20) as SVG. The text belongs to the caller (free). A page with the body to turn:
/// carom_view_source_bounce and carom_view_page.
CAROM_API carom_status carom_bounce_picture_svg(const carom_bounce_map *map, const char *title,
                                                char **text, carom_error *err);

#ifdef __cplusplus
}
#endif
#endif

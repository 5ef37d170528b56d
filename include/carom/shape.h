/// @file
/// Shapes: what a body looks like, and how its mass is spread.
///
/// A shape is immutable and may be shared by any number of bodies and threads. Its coordinates are
/// metres in its own frame, and the origin of that frame is the centre of mass: hulls, meshes and
/// compounds are moved there when they are created, and carom_shape_shift says by how much.
/// Creation may fail (bad sizes, open meshes, no memory) and then leaves *out null.
#ifndef CAROM_SHAPE_H
#define CAROM_SHAPE_H

#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A shape: immutable, shared by its owners (carom_shape_retain, carom_shape_release).
typedef struct carom_shape carom_shape;

/// Every kind of shape, with its name in scene files.
#define CAROM_SHAPE_LIST(X)                                                                        \
    X(SPHERE, "sphere")                                                                            \
    X(CAPSULE, "capsule")                                                                          \
    X(CYLINDER, "cylinder")                                                                        \
    X(BOX, "box")                                                                                  \
    X(HULL, "hull")                                                                                \
    X(MESH, "mesh")                                                                                \
    X(PLANE, "plane")                                                                              \
    X(COMPOUND, "compound")

/// The kinds of shapes.
typedef enum carom_shape_kind {
#define CAROM_SHAPE_VALUE(name, word) CAROM_SHAPE_##name,
    CAROM_SHAPE_LIST(CAROM_SHAPE_VALUE)
#undef CAROM_SHAPE_VALUE
} carom_shape_kind;

/// Volume, centre and inertia at unit density. Multiply volume and inertia by the density (kg/m^3).
typedef struct carom_mass {
    double volume;     ///< m^3; 0 for a plane, which has no mass and must not move
    double inertia[6]; ///< m^5, about the centre of mass, shape frame: xx yy zz xy xz yz (tensor
                       ///< entries)
} carom_mass;

/// A ball of this radius (m, > 0).
CAROM_API carom_status carom_sphere_create(double radius, carom_shape **out, carom_error *err);
/// A box with these half edge lengths (m, each > 0).
CAROM_API carom_status carom_box_create(const double half[3], carom_shape **out, carom_error *err);
/// All points within `radius` of the segment from -half_length to half_length on the z axis (m,
/// both > 0).
CAROM_API carom_status carom_capsule_create(double radius, double half_length, carom_shape **out,
                                            carom_error *err);
/// A solid cylinder about the z axis, from -half_length to half_length (m, both > 0).
CAROM_API carom_status carom_cylinder_create(double radius, double half_length, carom_shape **out,
                                             carom_error *err);
/// The half space z <= 0 with the outward normal +z. It has no mass and serves immovable bodies
/// only.
CAROM_API carom_status carom_plane_create(carom_shape **out, carom_error *err);
/// The same for a body that stands with this outward normal (not zero; need not be of length 1):
/// `rotation` becomes the unit quaternion w x y z that the body needs. While it has that rotation,
/// contacts have the normal to the last bit, which a quaternion alone cannot give.
CAROM_API carom_status carom_plane_towards(const double normal[3], double rotation[4],
                                           carom_shape **out, carom_error *err);
/// The convex hull of `count` points, x y z each (m). Points inside are dropped and coplanar facets
/// merged. Fewer than four points, or points in one plane, are refused.
CAROM_API carom_status carom_hull_create(const double *points, int count, carom_shape **out,
                                         carom_error *err);

/// What a triangle mesh is like: counts of everything that keeps it from bounding a solid.
typedef struct carom_mesh_report {
    int vertices;   ///< distinct vertices that are used, after welding equal ones
    int triangles;  ///< triangles kept
    int pieces;     ///< connected surfaces
    int welded;     ///< vertices given more than once (repaired by welding, always)
    int degenerate; ///< triangles without area or with a repeated vertex (repaired by dropping
                    ///< them)
    int duplicate;  ///< triangles given more than once (repaired by dropping the copies)
    int open_edges; ///< edges with one triangle: the surface has a hole
    int nonmanifold_edges; ///< edges with more than two triangles
    int flipped;           ///< triangles turned to agree with their neighbours (repaired)
    int inverted; ///< pieces that were inside out (repaired by turning all their triangles)
    int touching; ///< pairs of triangles without a common vertex that meet: the surface touches or
                  ///< crosses itself
    double place[3]; ///< m: one place of the gravest fault (open, crowded, touching, then others)
} carom_mesh_report;

/// What to do about faults of a mesh that can be repaired.
typedef enum carom_mesh_policy {
    CAROM_MESH_STRICT, ///< refuse any fault but repeated vertices
    CAROM_MESH_REPAIR, ///< drop degenerate and duplicate triangles, turn flipped and inverted ones,
                       ///< and let be up to one crossing pair in a thousand triangles (creases of
                       ///< scanned surfaces)
} carom_mesh_policy;

/// A closed triangle mesh, possibly not convex: `vertices` holds x y z (m) of each vertex,
/// `triangles` three vertex numbers each, counter-clockwise seen from outside.
typedef struct carom_mesh_source {
    const double *vertices;           ///< m, x y z of each
    const int *triangles;             ///< three vertex numbers each
    int vertex_count, triangle_count; ///< lengths of the two
} carom_mesh_source;

/// Examines a mesh and makes a shape of it. A surface that is open, crowded or crosses itself is
/// refused whatever the policy. The report (may be null) is filled also when the mesh is refused.
CAROM_API carom_status carom_mesh_create(const carom_mesh_source *source, carom_mesh_policy policy,
                                         carom_mesh_report *report, carom_shape **out,
                                         carom_error *err);

/// The welded surface of a mesh shape in its own frame; the arrays belong to the shape. Other kinds
/// give an empty source.
CAROM_API carom_mesh_source carom_mesh_surface(const carom_shape *shape);
/// A mesh of any shape but a plane; round ones get `segments` sides and the mass of that mesh. The
/// frame is the same up to the shift of that mesh (carom_shape_shift).
CAROM_API carom_status carom_mesh_from(const carom_shape *shape, int segments, carom_shape **out,
                                       carom_error *err);

/// Heights of ground over a grid, row by row: x runs along a row, y from row to row, both centred.
typedef struct carom_heightfield {
    const double *heights; ///< m, rows times columns of them
    int columns, rows;     ///< from 2 to 4096 each
    double spacing[2];     ///< m, between neighbours along x and y
    double depth;          ///< m, of the ground below its lowest point
} carom_heightfield;

/// A solid with that surface on top: a mesh, two triangles to a cell. Its origin is the middle of
/// the grid at height 0.
CAROM_API carom_status carom_heightfield_create(const carom_heightfield *field, carom_shape **out,
                                                carom_error *err);

/// One part of a compound: a shape (not a plane, not a compound) and where it sits.
typedef struct carom_part {
    const carom_shape *shape; ///< what it is; the compound becomes one more owner
    double position[3];       ///< of the part's centre of mass, m
    double rotation[4];       ///< unit quaternion w x y z, part to compound
} carom_part;

/// Several shapes that move as one. Parts may touch; where they overlap the overlap counts twice in
/// the mass. The compound keeps its parts alive.
CAROM_API carom_status carom_compound_create(const carom_part *parts, int count, carom_shape **out,
                                             carom_error *err);

/// A solid of revolution about the z axis. `profile` holds `count` pairs (radius, height), m, along
/// the outline from the lower to the upper end; the first and the last radius are zero, all others
/// positive. `segments` >= 3 flat sides approximate the circle (vertices lie on it).
CAROM_API carom_status carom_profile_revolve(const double *profile, int count, int segments,
                                             carom_shape **out, carom_error *err);
/// A straight prism over a simple polygon (`count` pairs x y, m, counter-clockwise, not necessarily
/// convex) from -half_height to half_height along z.
CAROM_API carom_status carom_profile_extrude(const double *polygon, int count, double half_height,
                                             carom_shape **out, carom_error *err);
/// A polygon (`count` pairs u v, m, counter-clockwise) carried along a path of `stations` points (x
/// y z, m): at each station u is horizontal, to the left of the path, and v completes the frame
/// upwards (z). Ends are capped. For tracks and channels.
CAROM_API carom_status carom_profile_sweep(const double *polygon, int count, const double *path,
                                           int stations, carom_shape **out, carom_error *err);

/// The same mesh with no edge longer than `longest` (m): edges are halved, new vertices lie on the
/// old surface.
CAROM_API carom_status carom_refine_mesh(const carom_shape *mesh, double longest, carom_shape **out,
                                         carom_error *err);
/// The same with at least this many faces.
CAROM_API carom_status carom_refine_count(const carom_shape *mesh, int faces, carom_shape **out,
                                          carom_error *err);

/// The same mesh with at most `triangles` of them (>= 4): edges are collapsed in the order of their
/// quadric error, each keeping the enclosed volume as far as it can. The result is closed and
/// examined like any mesh; coordinates (carom_shape_shift) are those of the original.
CAROM_API carom_status carom_decimate_mesh(const carom_shape *mesh, int triangles,
                                           carom_shape **out, carom_error *err);

/// A closed mesh by name: "bar", "bar:200x10x10mm", "rod:20x1cm@0.5mm". Sizes are joined by x and
/// end with their unit (m, cm, mm); after @ stands the longest edge of the mesh (without it, about
/// 20000 triangles). Solids of revolution stand along z, prisms lie in the xy plane.
CAROM_API carom_status carom_generate_shape(const char *text, carom_shape **out, carom_error *err);
/// The names, one by one (null beyond the last), and what their sizes are called and are where they
/// are not given (m, 0 beyond the last).
CAROM_API const char *carom_generate_name(int index);
/// What the sizes of a named mesh are called, a sentence about it (*doc) and the sizes where none
/// are given.
CAROM_API const char *carom_generate_sizes(int index, const char **doc, double initial[5]);

/// The same shape, larger by a factor (> 0) about its centre of mass; a plane stays as it is.
CAROM_API carom_status carom_shape_scale(const carom_shape *shape, double factor,
                                         carom_shape **out, carom_error *err);

/// One more owner of the shape.
CAROM_API const carom_shape *carom_shape_retain(const carom_shape *shape);
/// One owner less; the last one frees it. Null is allowed.
CAROM_API void carom_shape_release(const carom_shape *shape);

/// What kind a shape is.
CAROM_API carom_shape_kind carom_shape_kind_of(const carom_shape *shape);
/// The kind as written in scene files.
CAROM_API const char *carom_shape_kind_name(carom_shape_kind kind);
/// Volume and inertia at unit density.
CAROM_API carom_mass carom_shape_mass(const carom_shape *shape);
/// Where the centre of mass lies in the coordinates the shape was created with (m): a point p given
/// then is at p - shift in the shape's own frame.
CAROM_API void carom_shape_shift(const carom_shape *shape, double shift[3]);
/// Radius of the smallest known ball about the centre of mass that holds the shape (m; infinite for
/// a plane).
CAROM_API double carom_shape_radius(const carom_shape *shape);
/// Signed distance from a point (shape frame, m) to the surface, negative inside.
CAROM_API double carom_shape_distance(const carom_shape *shape, const double point[3]);
/// The surface as triangles for pictures and exports: calls `triangle` with three corners (m, shape
/// frame, counter-clockwise from outside). Round shapes are divided into `segments` sides; a plane
/// gives one square of half width `extent`.
CAROM_API void carom_shape_triangles(const carom_shape *shape, int segments, double extent,
                                     void (*triangle)(void *context, const double corners[9]),
                                     void *context);

#ifdef __cplusplus
}
#endif
#endif

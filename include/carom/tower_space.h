/// @file
/// Towers in space: is it stable, how does it start to fall. [Collapse], in three dimensions.
///
/// Rigid bodies at rest under gravity, frictionless, made of convex polyhedra, half spaces and any
/// shape whose contacts are given. Gauss's principle as in the plane (carom/tower.h), with six
/// accelerations to a body. At rest all terms with velocities vanish, so that contact points and
/// normals are all there is to know. Units are free as long as they agree; from a scene of kind
/// "world" they are SI. How it goes on: `carom run`.
#ifndef CAROM_TOWER_SPACE_H
#define CAROM_TOWER_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include "carom/status.h"
#include "carom/tower.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Most bodies, and most corners, faces and corners of all faces of one polyhedron.
enum { CAROM_TOWER_SPACE_BODIES_MAX = 20000, CAROM_TOWER_SPACE_CORNERS_MAX = 4096 };

/// Bodies and contacts in space, at rest.
typedef struct carom_tower_space carom_tower_space;

/// A body: mass and inertia; what it looks like is added with the functions below.
typedef struct carom_tower_space_body {
    const char *name;  ///< for reports; copied; null: its number
    double mass;       ///< above 0; of no matter where fixed
    double centre[3];  ///< of mass
    double inertia[6]; ///< about the centre, world axes: xx yy zz xy xz yz; positive definite
    double size;       ///< largest extent, the unit of tolerances; 0: from its polyhedra
    bool fixed;        ///< immovable: a support
    int group;         ///< bodies of one group above 0 do not touch each other
} carom_tower_space_body;

/// A convex polyhedron in world coordinates. Face f has the corners loop[first[f]] .. loop[first[f
/// + 1] - 1], counter-clockwise from outside.
typedef struct carom_tower_space_piece {
    const double *corners; ///< x y z each
    int corner_count;      ///< of corners
    const int *first;      ///< face_count + 1 numbers
    const int *loop;       ///< corner numbers, face after face
    int face_count;        ///< of faces
} carom_tower_space_piece;

/// An empty tower under this gravity; null without memory.
CAROM_API carom_tower_space *carom_tower_space_create(const double gravity[3]);
/// Frees the tower; null is allowed.
CAROM_API void carom_tower_space_destroy(carom_tower_space *tower);
/// Bodies are numbered from 0 in the order they are added.
CAROM_API carom_status carom_tower_space_add_body(carom_tower_space *tower,
                                                  const carom_tower_space_body *body, int *index,
                                                  carom_error *err);
/// Makes the polyhedron part of a body.
CAROM_API carom_status carom_tower_space_add_piece(carom_tower_space *tower, int body,
                                                   const carom_tower_space_piece *piece,
                                                   carom_error *err);
/// A box about `centre` with these half edges, turned by the rotation matrix (rows one after
/// another; null: not turned): a body with the mass spread evenly.
CAROM_API carom_status carom_tower_space_add_box(carom_tower_space *tower, const double centre[3],
                                                 const double half[3], const double *rotation,
                                                 double mass, bool fixed, int *index,
                                                 carom_error *err);
/// Gives a fixed body the half space behind the plane through `point` with the unit normal.
CAROM_API carom_status carom_tower_space_add_half(carom_tower_space *tower, int body,
                                                  const double point[3], const double normal[3],
                                                  carom_error *err);
/// A contact that is known from elsewhere (round shapes): b is pushed along the unit normal.
CAROM_API carom_status carom_tower_space_add_contact(carom_tower_space *tower, int a, int b,
                                                     const double point[3], const double normal[3],
                                                     carom_error *err);
/// How many bodies it has.
CAROM_API int carom_tower_space_bodies(const carom_tower_space *tower);
/// The name of a body.
CAROM_API const char *carom_tower_space_name(const carom_tower_space *tower, int body);
/// Whether a body is immovable.
CAROM_API bool carom_tower_space_fixed(const carom_tower_space *tower, int body);
/// The acceleration it stands under.
CAROM_API void carom_tower_space_gravity(const carom_tower_space *tower, double gravity[3]);
/// The centre of mass of a body.
CAROM_API void carom_tower_space_centre(const carom_tower_space *tower, int body, double centre[3]);
/// How many polyhedra all bodies have.
CAROM_API int carom_tower_space_pieces(const carom_tower_space *tower);
/// One of them, and its body; the arrays belong to the tower.
CAROM_API carom_tower_space_piece carom_tower_space_piece_at(const carom_tower_space *tower,
                                                             int index, int *body);

/// Reads a file of kind "tower" or "world" ("-": the standard input): exactly one of *flat and
/// *space is set. Of a world, joints, driven and moving bodies are refused; friction, restitution
/// and changes in time are left out.
CAROM_API carom_status carom_tower_space_file_load(const char *path, carom_tower **flat,
                                                   carom_tower_space **space, carom_error *err);
/// The same from a text; `name` is used in errors.
CAROM_API carom_status carom_tower_space_file_parse(const char *name, const char *text, size_t size,
                                                    carom_tower **flat, carom_tower_space **space,
                                                    carom_error *err);

/// A contact and the force it carries.
typedef struct carom_tower_space_force {
    int a, b;         ///< body b is pushed along the normal, body a against it
    double point[3];  ///< where
    double normal[3]; ///< unit, from a to b
    double force;     ///< >= 0
    double opening;   ///< relative normal acceleration; > 0: the contact opens
} carom_tower_space_force;

/// What happens at the first instant.
typedef struct carom_tower_space_instant {
    bool stable;                     ///< no body accelerates
    int bodies;                      ///< of the tower
    double *accelerations;           ///< ax ay az alpha_x alpha_y alpha_z of each body, world axes
    int force_count;                 ///< length of `forces`
    carom_tower_space_force *forces; ///< what each contact carries
    double sum_m_a2;                 ///< sum of m |a|^2 + alpha . J alpha
    double support_force;            ///< what the supports give against gravity
    double power;                    ///< sum m g . a
    double largest;                  ///< largest acceleration (half a size times the angular ones)
    double kkt;                      ///< optimality residual
    const char *method;              ///< which solver answered
    int rows;                        ///< of the quadratic program
} carom_tower_space_instant;

/// Accelerations and contact forces at the first instant from rest. Contacts are found here: the
/// corners of the common polygon, segment or point of two polyhedra that touch within 1e-9 sizes.
/// Bodies that overlap by more are refused. Release with carom_tower_space_initial_free also after
/// a failure.
CAROM_API carom_status carom_tower_space_initial(const carom_tower_space *tower,
                                                 carom_tower_solver solver,
                                                 carom_tower_space_instant *out, carom_error *err);
/// Frees what an instant holds.
CAROM_API void carom_tower_space_initial_free(carom_tower_space_instant *instant);

/// The first instant in exact rational arithmetic: carom_tower_prove in space. Masses, centres,
/// inertia tensors, contact points and normals are taken as the doubles they are. `support` is
/// empty where gravity does not run along an axis. Release with carom_tower_prove_free.
CAROM_API carom_status carom_tower_space_prove(const carom_tower_space *tower,
                                               carom_tower_proof *out, carom_error *err);
/// Checks a certificate, and compares its bodies, gravity and contacts exactly with this tower's.
/// In space carom_tower_checker_check alone takes the listed contacts as given.
CAROM_API carom_status carom_tower_scene_check_space(const char *path,
                                                     const carom_tower_space *tower,
                                                     carom_tower_verdict *out, carom_error *err);

#ifdef __cplusplus
}
#endif
#endif

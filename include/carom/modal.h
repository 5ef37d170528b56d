/// @file
/// Vibration modes of a solid body: what a bounce map is made of [Bounce, section 3].
///
/// A body is a closed triangle surface, computed on a lattice of quadratic cells that need not
/// follow it, or a mesh of tetrahedra. Modes have unit modal mass; frequencies scale with
/// sqrt(young / density) / size and shapes with 1 / sqrt(mass), exactly: the solver works without
/// units.
///
/// All coordinates are those of the mesh that was given; the centre of mass need not be the origin.
#ifndef CAROM_MODAL_H
#define CAROM_MODAL_H

#include <stddef.h>
#include <stdint.h>
#include "carom/progress.h"
#include "carom/shape.h"
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// -- material -----------------------------------------------------------------------------------

/// An isotropic linear elastic solid.
typedef struct carom_modal_material {
    double young;   ///< Pa, > 0
    double poisson; ///< in (-1, 0.5)
    double density; ///< kg/m^3, > 0
} carom_modal_material;

/// Name, Young's modulus (Pa), Poisson's ratio, density (kg/m^3) of every preset.
#define CAROM_MODAL_MATERIAL_LIST(X)                                                               \
    X("steel", 2.0e11, 0.29, 7850)                                                                 \
    X("aluminium", 7.0e10, 0.33, 2700)                                                             \
    X("glass", 6.2e10, 0.20, 2600)                                                                 \
    X("wood", 1.1e10, 0.25, 750)                                                                   \
    X("ceramic", 7.2e10, 0.19, 2700)                                                               \
    X("plastic", 1.4e9, 0.35, 1070)

/// The preset of this name; an unknown name is refused with the nearest known one.
CAROM_API carom_status carom_modal_material_named(const char *name, carom_modal_material *material,
                                                  carom_error *err);
/// The number of presets, and the name of each (null beyond the last).
CAROM_API int carom_modal_material_count(void);
/// The name of a preset; null beyond the last.
CAROM_API const char *carom_modal_material_name(int index);
/// Refuses numbers no solid can have: young or density not positive, poisson outside (-1, 0.5).
CAROM_API carom_status carom_modal_material_check(const carom_modal_material *material,
                                                  carom_error *err);

// -- tetrahedra ---------------------------------------------------------------------------------

/// Tetrahedra with 10 nodes: 4 corners, then the middles of the edges 01 12 02 03 13 23.
typedef struct carom_tets {
    int node_count, tet_count; ///< lengths of the arrays
    double *nodes;             ///< x y z each, m
    int *tets;                 ///< 10 node numbers each, positively oriented
    int upgraded;              ///< tetrahedra that were given with 4 nodes and got straight edges
    int turned;                ///< tetrahedra that were given inside out and were turned
} carom_tets;

/// Reads tetrahedra from a gmsh file (.msh, version 2 or 4, text or binary, 4 or 10 nodes) or a
/// TetGen pair (.node and .ele; either name may be given) and multiplies by `scale` (m per file
/// unit). Damage is reported with file and line (text) or byte (binary).
CAROM_API carom_status carom_tets_read(const char *path, double scale, carom_tets **out,
                                       carom_error *err);
/// The same from memory: `format` "msh"; or "node" with the .ele text in `more`.
CAROM_API carom_status carom_tets_parse(const char *format, const char *const bytes[2],
                                        const size_t sizes[2], double scale, carom_tets **out,
                                        carom_error *err);
/// Makes 10-node tetrahedra from 4-node ones (`corners`, 4 numbers each).
CAROM_API carom_status carom_tets_create(const double *nodes, int node_count, const int *corners,
                                         int tet_count, carom_tets **out, carom_error *err);
/// Frees the mesh; null is allowed.
CAROM_API void carom_tets_destroy(carom_tets *tets);

// -- computing modes ----------------------------------------------------------------------------

/// How modes are computed.
typedef struct carom_modal_options {
    int modes;          ///< wanted, without the six rigid ones; more are kept where this number
                        ///< would split a cluster of equal frequencies; default 45
    double cell;        ///< m, edge of a lattice cell; 0 (default): from the thinnest dimension
    double across;      ///< cells wanted across the thinnest dimension; default 2.5
    int unknowns_max;   ///< coarser cells rather than more unknowns; default 60000
    double cluster_gap; ///< frequencies closer than this (relative) are never separated; 1e-4
    int threads;        ///< 0 (default): all; any number gives the same bits
} carom_modal_options;

/// The defaults of every option.
CAROM_API carom_modal_options carom_modal_options_default(void);

/// Modes of one body. Immutable; any number of threads may read it.
typedef struct carom_modes carom_modes;

/// Modes of the solid inside a closed surface (counter-clockwise from outside, welded vertices; as
/// carom_mesh_surface gives it). Open, non-manifold, inverted and empty surfaces are refused, as is
/// a solid too thin for the cells that `unknowns_max` allows.
CAROM_API carom_status carom_modal_from_surface(const carom_mesh_source *surface,
                                                const carom_modal_material *material,
                                                const carom_modal_options *options,
                                                const carom_progress *progress, carom_modes **out,
                                                carom_error *err);
/// Modes of a mesh of tetrahedra; `cell`, `across` and `unknowns_max` do not apply.
CAROM_API carom_status carom_modal_from_tets(const carom_tets *tets,
                                             const carom_modal_material *material,
                                             const carom_modal_options *options,
                                             const carom_progress *progress, carom_modes **out,
                                             carom_error *err);
/// Frees the modes; null is allowed.
CAROM_API void carom_modal_destroy(carom_modes *modes);

// -- results ------------------------------------------------------------------------------------

/// Most warnings about one computation.
enum { CAROM_MODAL_WARNINGS = 4 };

/// What is known about the body and the computation. Pointers belong to the modes.
typedef struct carom_modal_info {
    int mode_count;       ///< kept; at least as many as were asked for
    int asked;            ///< carom_modal_options.modes
    const double *omega;  ///< rad/s, ascending, mode_count
    double next_omega;    ///< rad/s, the first that was left out
    double mass;          ///< kg, exact for the given surface or tetrahedra
    double centre[3];     ///< m, centre of mass
    double inertia[6];    ///< kg m^2 about the centre: xx yy zz xy xz yz (tensor entries)
    double mass_error;    ///< relative, of the mass the cells carry
    double inertia_error; ///< relative, largest entry, of the inertia the cells carry
    long unknowns;        ///< three per node
    int cells, cut_cells; ///< cells of the lattice, those that the surface cuts; or tetrahedra, 0
    double cell[3];       ///< m, edges of a cell (0 for tetrahedra)
    double thickness;     ///< m, thinnest dimension found (0 for tetrahedra)
    double factor_bytes;  ///< size of the factorisation
    int solves;           ///< vectors sent through it
    double residual;      ///< largest ||A u - theta u|| / theta, A = (K + s M)^-1 M, modal norm
    carom_modal_material material;            ///< of the solid
    uint64_t key;                             ///< carom_modal_key of what it was computed from
    int warning_count;                        ///< of the warnings below
    char warnings[CAROM_MODAL_WARNINGS][256]; ///< sentences; each says what to raise
} carom_modal_info;

/// What is known; belongs to the modes.
CAROM_API const carom_modal_info *carom_modal_about(const carom_modes *modes);

/// The shapes at a point of the surface through the elements' own functions (not a nearest vertex):
/// shapes[3 i + k] is component k of mode i, 1/sqrt(kg). A point farther from every cell than half
/// a cell is refused.
CAROM_API carom_status carom_modal_shapes_at(const carom_modes *modes, const double point[3],
                                             double *shapes, carom_error *err);
/// What a contact at a surface point with the outward unit normal sees: a[i] = normal times shape i
/// (1/sqrt(kg), mode_count of them) and w = 1/mass + (X x N) I^-1 (X x N) (1/kg): the input of
/// carom_bounce_case.
CAROM_API carom_status carom_modal_participation(const carom_modes *modes, const double point[3],
                                                 const double normal[3], double *a, double *w,
                                                 carom_error *err);
/// w alone.
CAROM_API double carom_modal_response(const carom_modes *modes, const double point[3],
                                      const double normal[3]);
/// The boundary of tetrahedra as a surface of corner triangles, outward; empty for a lattice body.
/// Belongs to the modes.
CAROM_API carom_mesh_source carom_modal_boundary(const carom_modes *modes);

/// The same modes for another stiffness and density (and the same Poisson's ratio): only scaled.
CAROM_API carom_status carom_modal_rescale(carom_modes *modes, const carom_modal_material *material,
                                           carom_error *err);

// -- cache --------------------------------------------------------------------------------------

/// What modes depend on: the mesh, the material and the options that change results.
CAROM_API uint64_t carom_modal_key(const carom_mesh_source *surface,
                                   const carom_modal_material *material,
                                   const carom_modal_options *options);
/// The same for a mesh of tetrahedra.
CAROM_API uint64_t carom_modal_key_tets(const carom_tets *tets,
                                        const carom_modal_material *material,
                                        const carom_modal_options *options);
/// Writes a `.cmodes` file (through a temporary name: a stopped write leaves nothing half done).
CAROM_API carom_status carom_modal_save(const carom_modes *modes, const char *path,
                                        carom_error *err);
/// Reads a `.cmodes` file. With `key` other than 0, modes of another mesh or material are refused.
CAROM_API carom_status carom_modal_load(const char *path, uint64_t key, carom_modes **out,
                                        carom_error *err);

#ifdef __cplusplus
}
#endif
#endif

/// @file
/// Hard spheres of which this process may hold a part only: one world over many ranks, with the
/// same bits on any number of them.
///
/// A host (LAMMPS in lammps/, or any program that cuts space into domains) hands over its own
/// grains and copies of those nearby (ghosts), moves grains from rank to rank, and refreshes ghosts
/// when it is asked to. This is the solver: contacts among them, impacts, resting contact with
/// friction and rolling resistance, walls, motion, and the books. Without a host all grains are
/// here, and it is an ordinary program.
///
/// Why bits are equal. A contact is computed by every rank that owns one of its two grains, from
/// the same numbers, from the lower name to the higher. Contacts are relaxed colour by colour, and
/// no two of a colour share a grain, so that nothing is ever summed over contacts; colours follow
/// from names alone (Jones and Plassmann 1993). After each colour ghosts get the states of their
/// owners. What ranks have to agree on is a maximum, or an exact sum in integers. An impact law of
/// carom/law.h gets whole islands, contacts and bodies in the order of names, on each rank that
/// owns a part of them. Names are positive and unique.
#ifndef CAROM_GRAINS_H
#define CAROM_GRAINS_H

#include <stddef.h>
#include <stdint.h>
#include "carom/law.h"
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The solver, and what it remembers of each grain from step to step.
typedef struct carom_grains carom_grains;

/// How two surfaces meet.
typedef struct carom_grains_surface {
    double restitution;                  ///< 0 to 1; with fade, the least
    double fade, fade_speed, fade_power; ///< max(restitution, 1 - fade (u/fade_speed)^fade_power)
                                         ///< at an approach of u m/s; fade 0: constant
    double friction;                     ///< Coulomb's coefficient
    double rolling;                      ///< m, rolling resistance as a length
} carom_grains_surface;

/// How impacts are answered.
typedef enum carom_grains_law {
    CAROM_GRAINS_FIXED_POINT, ///< pair collisions, colour by colour, until nothing approaches
    CAROM_GRAINS_INELASTIC,   ///< no bounce: all is left to resting contact
    CAROM_GRAINS_ISLANDS,     ///< `island_law`, for all that touches at once, as in worlds
} carom_grains_law;

/// How grains behave. Make it with carom_grains_options_default.
typedef struct carom_grains_options {
    carom_grains_law law;             ///< default FIXED_POINT
    const carom_law *island_law;      ///< with ISLANDS: any law that carom_law_find knows
    carom_law_options island_options; ///< carom_law_defaults(island_law), or others
    carom_grains_surface surface;     ///< of two grains; default restitution 0.5, friction 0.5
    double gravity[3];                ///< m/s^2; default 0 0 -9.81
    double skin;           ///< m, > 0: contacts are looked for up to this gap, and ghosts reach as
                           ///< far; no grain may go half of it in a step. No default
    double slop;           ///< m, >= 0: overlap that is left alone. No default
    double resting_speed;  ///< m/s: slower contacts rest; default -1: twice what gravity gives in a
                           ///< step
    double rest_tolerance; ///< relative change at which sweeps end; default 1e-6
    int rest_sweeps;       ///< of resting contact, at most; default 60
    int impact_sweeps;     ///< of impacts, or passes of a law of islands, at most: what is left is
                           ///< stopped; default 200
    double
        impact_residual; ///< of a law of islands, 0 to 0.1: the relative residual at which it may
                         ///< end its solves in islands of more than 32 contacts; default 1e-4
} carom_grains_options;

/// A wall: the half-space behind a plane; it may swing.
typedef struct carom_grains_wall {
    double point[3], normal[3];   ///< m; of any length, towards the grains
    double amplitude[3];          ///< m: it is at point + amplitude sin(2 pi frequency t + phase)
    double frequency, phase;      ///< Hz, degrees
    carom_grains_surface surface; ///< of a grain at the wall
} carom_grains_wall;

/// What this process holds in a step: its own grains, then ghosts.
typedef struct carom_grains_part {
    int owned, count;         ///< its own; with ghosts
    const int64_t *name;      ///< > 0, unique but for ghosts
    double (*position)[3];    ///< m; ghosts where they are now
    double (*velocity)[3];    ///< m/s, of its own
    double (*spin)[3];        ///< rad/s, of its own
    const double *radius;     ///< m
    const double *mass;       ///< kg
    const double (*force)[3]; ///< N, of its own, from outside; null: none
} carom_grains_part;

/// What a host does for the solver; all ranks call at the same places.
typedef struct carom_grains_host {
    void *client;                               ///< handed to the functions
    void (*refresh)(void *client, int columns); ///< for every ghost: carom_grains_pack at its owner
                                                ///< (or where it is a ghost that has been unpacked
                                                ///< just now), carom_grains_unpack here; at most so
                                                ///< many columns
    void (*max)(void *client, double *values, int count);  ///< over all ranks, each value
    void (*sum)(void *client, int64_t *values, int count); ///< the same, modulo 2^64
    /// The `count` numbers of every rank, one rank behind the other, into `all`, which has room for
    /// as many as all have; the order of ranks does not matter. Null: there is no law of islands.
    void (*gather)(void *client, const double *mine, int count, double *all);
} carom_grains_host;

/// The books of all ranks.
typedef struct carom_grains_books {
    double kinetic, potential;        ///< J, now
    double start;                     ///< J, when the run began
    double law, rest;                 ///< J, that impacts and resting contact took
    double driven, forces;            ///< J, that walls and forces from outside brought
    double correction;                ///< J, that position correction brought
    double integrator;                ///< J, what the time stepping itself added: the balance
    double momentum[3], angular[3];   ///< kg m/s, kg m^2/s, now
    double overlap, peak_overlap;     ///< m, deepest: at the last step, ever
    int64_t steps, impacts, contacts; ///< steps; contacts struck; contacts under force now
    int64_t impact_sweeps;            ///< so far; with a law of islands its passes
    int64_t rest_sweeps;              ///< so far
    int64_t capped;                   ///< steps whose impacts did not end before impact_sweeps
    int64_t colours;                  ///< of the last step
    int64_t asked;     ///< contacts that a law of islands was asked about, so far; all ranks
                       ///< together, whatever their number: no island is resolved twice
    int64_t exchanges; ///< refreshes of ghosts since the program began; depends on ranks
} carom_grains_books;

/// The defaults.
CAROM_API carom_grains_options carom_grains_options_default(void);
/// Makes a solver. `host` may be null: there are no other ranks, and no ghosts.
CAROM_API carom_status carom_grains_create(const carom_grains_options *options,
                                           const carom_grains_host *host, carom_grains **out,
                                           carom_error *err);
/// Frees it; null is allowed.
CAROM_API void carom_grains_destroy(carom_grains *grains);
/// Adds a wall; all ranks the same ones in the same order.
CAROM_API carom_status carom_grains_add_wall(carom_grains *grains, const carom_grains_wall *wall,
                                             carom_error *err);
/// One step of dt seconds, the `step`-th since time 0: new velocities and spins, then new positions
/// of the owned grains. Ghosts are read only. A failure on one rank leaves the others waiting: end
/// them.
CAROM_API carom_status carom_grains_step(carom_grains *grains, const carom_grains_part *part,
                                         int64_t step, double dt, carom_error *err);

// -- for the host while it refreshes ghosts -----------------------------------------------------

/// The columns of a grain that its ghosts need now; returns how many. 0: they have them since an
/// earlier refresh; do not unpack. It may be called for several ghosts of a grain.
CAROM_API int carom_grains_pack(const carom_grains *grains, int grain, double *out);
/// The same numbers into a ghost; returns how many.
CAROM_API int carom_grains_unpack(carom_grains *grains, int grain, const double *in);
/// A message with the columns of `count` grains: words that say which of them have news, a bit for
/// each, then their columns. At most one number for every 52 grains more than the columns; returns
/// how many.
CAROM_API int carom_grains_pack_list(const carom_grains *grains, const int *list, int count,
                                     double *out);
/// That message into the ghosts [first, first + count), in the same order; returns how many numbers
/// it had.
CAROM_API int carom_grains_unpack_list(carom_grains *grains, int first, int count,
                                       const double *in);

// -- what is remembered of owned grains: it moves with them -------------------------------------

/// Room for this many grains.
CAROM_API carom_status carom_grains_memory_grow(carom_grains *grains, int count, carom_error *err);
/// Grain `from` is now at place `to`.
CAROM_API void carom_grains_memory_copy(carom_grains *grains, int from, int to);
/// Nothing is remembered of this grain.
CAROM_API void carom_grains_memory_clear(carom_grains *grains, int grain);
/// Doubles that packing this grain takes.
CAROM_API int carom_grains_memory_size(const carom_grains *grains, int grain);
/// The most doubles that any grain here takes.
CAROM_API int carom_grains_memory_max(const carom_grains *grains);
/// Packs; returns how many doubles.
CAROM_API int carom_grains_memory_pack(const carom_grains *grains, int grain, double *out);
/// Unpacks into a place; returns how many doubles were read, or -1 without memory.
CAROM_API int carom_grains_memory_unpack(carom_grains *grains, int grain, const double *in);

// -- books; all ranks call together -------------------------------------------------------------

/// The books now: the same numbers on every rank and for any number of them.
CAROM_API carom_status carom_grains_books_now(carom_grains *grains, const carom_grains_part *part,
                                              carom_grains_books *out, carom_error *err);
/// A hash of names, positions, velocities and spins of all grains, whatever their order.
CAROM_API uint64_t carom_grains_books_hash(carom_grains *grains, const carom_grains_part *part);
/// 64-bit words that carom_grains_books_save writes.
CAROM_API int carom_grains_books_size(void);
/// The sums of all ranks so far, for a file.
CAROM_API void carom_grains_books_save(carom_grains *grains, int64_t *out);
/// Continues them: every rank calls with the same words, `first` non-zero on exactly one.
CAROM_API void carom_grains_books_load(carom_grains *grains, const int64_t *in, int first);

#ifdef __cplusplus
}
#endif
#endif

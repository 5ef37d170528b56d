/// @file
/// Trajectory files (`.carom`): append-only records, each with its own checksum.
///
/// Layout, little endian: an opening of 16 bytes ("CAROMTRJ", u32 version, u32 zero), then records:
/// u32 kind, u32 number of the record (from 0), u64 length of the payload, u64 checksum (64-bit
/// FNV-1a over kind, number, length and payload), payload, zero bytes up to a multiple of 8. A file
/// that was cut or damaged opens up to its last whole record; a writer that was killed continues
/// from the last checkpoint. In version 1 records are not numbered: the number is 0 and not part of
/// the checksum.
#ifndef CAROM_TRAJECTORY_H
#define CAROM_TRAJECTORY_H

#include <stddef.h>
#include <stdint.h>
#include "carom/progress.h"
#include "carom/scene.h"
#include "carom/status.h"
#include "carom/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Version 2 added meshes, contacts, states and numbers, version 3 packed contacts; files of older
/// versions are read as before.
enum { CAROM_RECORD_VERSION = 3 };

/// What a record holds.
#define CAROM_RECORD_LIST(X)                                                                       \
    X(SCENE, 1, "scene", "the scene file, byte by byte")                                           \
    X(MANIFEST, 2, "manifest", "JSON: version, compiler, law, options, step")                      \
    X(FRAME, 3, "frame", "step, time, state hash, ledger, then 13 numbers per body")               \
    X(CHECKPOINT, 4, "checkpoint", "everything a run needs to continue to the same bits")          \
    X(SUMMARY, 5, "summary", "JSON: how the run ended and what was conserved")                     \
    X(MESH, 6, "mesh", "a mesh that the scene names: scale, counts, name, vertices, triangles")    \
    X(CONTACTS, 7, "contacts",                                                                     \
      "step, time, count, then the contacts that carried impulses since the last frame")           \
    X(STATE, 8, "state", "what the runner itself needs to continue: stands before a checkpoint")   \
    X(PACKED, 9, "packed contacts",                                                                \
      "the same in single precision, column by column, deflated (zlib)")

/// The kinds of records.
typedef enum carom_record_kind {
#define CAROM_RECORD_VALUE(name, number, word, sentence) CAROM_RECORD_##name = number,
    CAROM_RECORD_LIST(CAROM_RECORD_VALUE)
#undef CAROM_RECORD_VALUE
} carom_record_kind;

/// Writes a trajectory. One writer per file: the file is locked while it is open.
typedef struct carom_recorder carom_recorder;

/// A new file. An existing one is refused unless `overwrite`.
CAROM_API carom_status carom_recorder_create(const char *path, int overwrite, carom_recorder **out,
                                             carom_error *err);
/// Continues a file after its last whole checkpoint: what follows that checkpoint is cut off. The
/// checkpoint's payload is returned for carom_world_restore; the caller frees it with free().
CAROM_API carom_status carom_recorder_resume(const char *path, carom_recorder **out,
                                             void **checkpoint, size_t *size, carom_error *err);
/// Appends one record. After a failure (a full disk) the file ends with its last whole record.
CAROM_API carom_status carom_recorder_add(carom_recorder *recorder, carom_record_kind kind,
                                          const void *payload, size_t size, carom_error *err);
/// Appends the state of a world as a frame, or as a checkpoint that is forced to the disk.
CAROM_API carom_status carom_recorder_frame(carom_recorder *recorder, const carom_world *world,
                                            carom_error *err);
/// Appends everything that changes in a run, and forces it to the disk.
CAROM_API carom_status carom_recorder_checkpoint(carom_recorder *recorder, const carom_world *world,
                                                 carom_error *err);
/// Appends the contacts of a world that is watched (carom_world_record_contacts): each of them, or
/// where `sums` is non-zero one per pair of bodies for all its impacts and one for its rest, with
/// the sums of impulse and loss and the means of the others weighted by impulse.
CAROM_API carom_status carom_recorder_contacts(carom_recorder *recorder, const carom_world *world,
                                               int sums, carom_error *err);
/// Appends a mesh of a scene.
CAROM_API carom_status carom_recorder_mesh(carom_recorder *recorder, const carom_scene_mesh *mesh,
                                           carom_error *err);
/// Bytes written so far.
CAROM_API uint64_t carom_recorder_size(const carom_recorder *recorder);
/// Closes the file; null is allowed.
CAROM_API void carom_recorder_close(carom_recorder *recorder);

/// A trajectory opened for reading.
typedef struct carom_trajectory carom_trajectory;

/// One record, inside the memory of the trajectory.
typedef struct carom_record {
    carom_record_kind kind; ///< what it holds
    const void *payload;    ///< its bytes
    size_t size;            ///< of the payload, bytes
    uint64_t offset;        ///< of the record in the file, bytes
} carom_record;

/// One frame, decoded.
typedef struct carom_frame {
    int64_t step;         ///< after which it was written
    double time;          ///< s
    uint64_t hash;        ///< carom_world_hash of the state
    carom_ledger ledger;  ///< of that moment
    int body_count;       ///< of the world
    const double *bodies; ///< CAROM_FRAME_STRIDE numbers per body
} carom_frame;

/// Opens a file of this or an older version; one that was cut opens up to its last whole record.
CAROM_API carom_status carom_trajectory_open(const char *path, carom_trajectory **out,
                                             carom_error *err);
/// Closes it; null is allowed.
CAROM_API void carom_trajectory_close(carom_trajectory *trajectory);
/// How many whole records it has.
CAROM_API int64_t carom_trajectory_count(const carom_trajectory *trajectory);
/// One record, by its index from 0.
CAROM_API carom_record carom_trajectory_at(const carom_trajectory *trajectory, int64_t index);
/// Null where the file is whole; otherwise a sentence that says where it ends and why.
CAROM_API const char *carom_trajectory_damage(const carom_trajectory *trajectory);
/// Non-zero where the run came to its end: a summary, and nothing missing behind it.
CAROM_API int carom_trajectory_ended(const carom_trajectory *trajectory);
/// Frames only, in order.
CAROM_API int64_t carom_trajectory_frame_count(const carom_trajectory *trajectory);
/// One frame, by its index from 0; belongs to the trajectory.
CAROM_API carom_status carom_trajectory_frame(const carom_trajectory *trajectory, int64_t index,
                                              carom_frame *frame, carom_error *err);
/// The contacts that carried impulses between the frame before and this one, where the scene's
/// output asks for them: impacts in order, then what rested in the last step. Their number; 0 where
/// there are none.
CAROM_API int carom_trajectory_contact_count(const carom_trajectory *trajectory, int64_t frame);
/// All of them, into `out`, which has room for that many; single precision since version 3. What
/// older files do not have (gap, slip, duration, loss) is 0.
CAROM_API carom_status carom_trajectory_contacts(const carom_trajectory *trajectory, int64_t frame,
                                                 carom_world_contact *out, carom_error *err);
/// The first record of a kind, or one with a null payload.
CAROM_API carom_record carom_trajectory_first(const carom_trajectory *trajectory,
                                              carom_record_kind kind);

/// The scene of a trajectory, with the settings of its run (law, options, step): bodies with names,
/// shapes and colours. Needs nothing but the trajectory; carom_scene_world_build makes its world.
CAROM_API carom_status carom_trajectory_scene(const carom_trajectory *trajectory,
                                              carom_scene_world **out, carom_error *err);

/// Non-zero where the file starts like a trajectory.
CAROM_API int carom_trajectory_is(const char *path);
/// The version of the file's form.
CAROM_API int carom_trajectory_version(const carom_trajectory *trajectory);
/// Checks everything that can be checked: records whole, scene sound, every frame with the right
/// bodies, in order, and with numbers that match its state hash. Says in a few words what the file
/// holds.
CAROM_API carom_status carom_trajectory_check(const char *path, char *words, size_t size,
                                              carom_error *err);

/// Where two trajectories part.
typedef struct carom_difference {
    int64_t frames;           ///< compared: those of the same time
    int64_t alone_a, alone_b; ///< frames without one of the same time on the other side
    int64_t frame;            ///< the first that differs, counted in a; -1: none
    int64_t step;             ///< of that frame
    double time;              ///< s
    int body;       ///< the body that differs most there; -1: the numbers of bodies differ
    char what[32];  ///< "position x", "rotation w", "velocity y", "spin z", "bodies"
    double a, b;    ///< the two values there
    double largest; ///< largest difference of any number of any frame
} carom_difference;

/// Compares the frames of the same time (to 1e-9 of it). Numbers that differ by at most `tolerance`
/// (m, m/s, rad/s, quaternion units) count as equal; 0 asks for the same bits (zeros may differ in
/// sign).
CAROM_API carom_status carom_trajectory_compare(const carom_trajectory *a,
                                                const carom_trajectory *b, double tolerance,
                                                carom_difference *out, carom_error *err);

/// A run: steps a scene and writes its trajectory.
typedef struct carom_runner carom_runner;

/// How to run. Zero-initialise.
typedef struct carom_runner_settings {
    const char *out;        ///< trajectory to write; null: none
    int overwrite;          ///< non-zero: replace an existing file
    const char *const *set; ///< "key=value" each, applied in order; see carom_scene_world_set
    int set_count;          ///< length of `set`
    const carom_progress *progress; ///< told while bounce maps are computed; null: nobody
    double limit;  ///< as carom_runner_set_limit, looked at before the file is made; 0: none
    int64_t steps; ///< how many steps the caller means to take; 0: all
} carom_runner_settings;

/// A new run from a scene file ("-": the standard input).
CAROM_API carom_status carom_runner_create(const char *path, const carom_runner_settings *settings,
                                           carom_runner **out, carom_error *err);
/// Continues the run of a trajectory after its last checkpoint, to the same bits as if it had never
/// stopped.
CAROM_API carom_status carom_runner_resume(const char *path, carom_runner **out, carom_error *err);
/// Bounds the work of what carom_runner_advance does from now on: 16, bodies and contacts, summed
/// over intervals, of which a step has one or more, and a twentieth of the visits of contacts by
/// the law and by the resting solver; 1e6 takes about a second. A step that would go beyond it is
/// ended within and not made. 0, as without this call: no bound.
CAROM_API void carom_runner_set_limit(carom_runner *runner, double work);
/// At most `steps` more steps (up to the end of the run), with frames and checkpoints. Where the
/// progress asks to stop, or a step or a write fails, what was done is in the file: the run can be
/// resumed. Steps that surely go beyond the limit of work are refused before the first
/// (CAROM_BAD_INPUT); where they turn out to, the run ends there like one that is asked to stop,
/// with CAROM_NOT_CONVERGED.
CAROM_API carom_status carom_runner_advance(carom_runner *runner, int64_t steps,
                                            const carom_progress *progress, carom_error *err);
/// Steps done and steps in all.
CAROM_API int64_t carom_runner_done(const carom_runner *runner);
/// Steps in all.
CAROM_API int64_t carom_runner_steps(const carom_runner *runner);
/// The world as it is now; belongs to the run.
CAROM_API const carom_world *carom_runner_world(const carom_runner *runner);
/// The scene that is run; belongs to the run.
CAROM_API const carom_scene_world *carom_runner_scene(const carom_runner *runner);
/// Closes the file.
CAROM_API void carom_runner_destroy(carom_runner *runner);

/// What a run has kept and lost so far.
typedef struct carom_runner_report {
    carom_ledger ledger;                   ///< of the world
    carom_audit audit;                     ///< of the world
    double momentum[3], start_momentum[3]; ///< kg m/s, of all moving bodies, now and at the start
    double angular[3], start_angular[3];   ///< kg m^2/s, about the origin; a periodic box does
                                           ///< not keep it
    double momentum_scale; ///< kg m/s: sum of m |v|, the larger of now and the start
    double angular_scale;  ///< kg m^2/s: likewise
    unsigned promised;     ///< bits of the law's promises that a run can judge: KIN MOM ONE NOP
    unsigned broken;       ///< those of them that an impact broke
    double added;       ///< by the time stepping, of the energy at stake (carom_world_energy_gain)
    int added_broken;   ///< 1: that is more than a thousandth, which no run may have
    int overlap_broken; ///< 1: two bodies (audit.overlap_a, _b) were inside each other by more than
                        ///< a quarter of the thickness of the thinner one (the promise GAP of every
                        ///< run)
    int added_body, added_joint; ///< where; -1: no joints
    int64_t done, steps;         ///< steps done, and in all
    char stopped[120];           ///< why it ended early, as "stop" of the scene says; empty: not
} carom_runner_report;

/// Writes where the energy is and where it went (J) as members of the present object.
CAROM_API void carom_runner_energy_json(const carom_ledger *ledger, carom_json *json);

/// Where the run stands, and whether it kept its promises.
CAROM_API carom_runner_report carom_runner_judge(const carom_runner *runner);

/// What a run has cost so far in this process, by the clock on the wall.
typedef struct carom_runner_cost {
    carom_profile steps; ///< of its steps
    double total;        ///< s, in carom_runner_advance
    double write;        ///< s of them outside of steps: files and progress
} carom_runner_cost;

/// What it has cost so far.
CAROM_API carom_runner_cost carom_runner_profile(const carom_runner *runner);
/// The phases by number: name and time (s); null where there is none.
CAROM_API const char *carom_runner_profile_phase(const carom_runner_cost *cost, int index,
                                                 double *seconds);
/// Which phase took most, what made it dear and what to change, in a line. Non-zero where the run
/// is slow: more than 5 s, and more than 5 times what it simulated.
CAROM_API int carom_runner_profile_advice(const carom_runner *runner, char *words, size_t size);
/// Writes all of that as the member "profile" of the object that is open.
CAROM_API void carom_runner_profile_json(const carom_runner *runner, carom_json *json);
/// Writes the report as members of the object that is open.
CAROM_API void carom_runner_report_json(const carom_runner_report *report,
                                        const carom_runner *runner, carom_json *json);

#ifdef __cplusplus
}
#endif
#endif

/// @file
/// Recordings: a set of bodies with a list of frames, which exporters and the viewer show.
///
/// A recording is made from a world (one frame: now) and may then take its frames from a trajectory
/// of the same bodies. Nothing here changes a world.
#ifndef CAROM_RECORDING_H
#define CAROM_RECORDING_H

#include <stdint.h>
#include "carom/scene.h"
#include "carom/status.h"
#include "carom/trajectory.h"
#include "carom/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Bodies and frames.
typedef struct carom_recording carom_recording;

/// Opens a trajectory, or a scene of kind "world" with its start as the only frame. A trajectory
/// that was cut opens up to its last whole record; carom_recording_damage then says so.
CAROM_API carom_status carom_recording_open(const char *path, carom_recording **out,
                                            carom_error *err);
/// Null where the file is whole; otherwise a sentence that says where it ends and why.
CAROM_API const char *carom_recording_damage(const carom_recording *recording);

/// The bodies of a world with its state now as the only frame. Shapes are shared, everything else
/// is copied: the world may go on or be destroyed.
CAROM_API carom_status carom_recording_create(const carom_world *world, carom_recording **out,
                                              carom_error *err);
/// Takes the frames from a trajectory, which must outlive the recording. Fails where it has no
/// frame (the error says what it holds instead) or another number of bodies.
CAROM_API carom_status carom_recording_set_trajectory(carom_recording *recording,
                                                      const carom_trajectory *trajectory,
                                                      carom_error *err);
/// Adds the state of a world as the recording's next frame, kept in memory, with the contacts that
/// the world has noted (carom_world_record_contacts). The first one kept replaces the start. Not
/// for recordings with a trajectory.
CAROM_API carom_status carom_recording_append(carom_recording *recording, const carom_world *world,
                                              carom_error *err);
/// Adds a frame from numbers: CAROM_FRAME_STRIDE of each body, at a time (s) that is later than the
/// frame before. For what was measured or computed elsewhere; its ledger is empty.
CAROM_API carom_status carom_recording_append_frame(carom_recording *recording, double time,
                                                    const double *bodies, carom_error *err);
/// Forgets the frames from number `count` on that were kept in memory.
CAROM_API void carom_recording_truncate(carom_recording *recording, int64_t count);
/// Keeps only every n-th frame from the first one on (n >= 1).
CAROM_API void carom_recording_decimate(carom_recording *recording, int64_t n);
/// Names the whole, as carom_recording_title has it; it is copied.
CAROM_API carom_status carom_recording_set_title(carom_recording *recording, const char *title,
                                                 carom_error *err);
/// Names a body ("body3" otherwise) and gives it a colour (0xrrggbb; -1: chosen).
CAROM_API carom_status carom_recording_set_body(carom_recording *recording, int body,
                                                const char *name, int colour, carom_error *err);
/// How a body looks in pictures: colour (-1: chosen), opacity and roughness.
CAROM_API carom_status carom_recording_set_look(carom_recording *recording, int body,
                                                carom_look look, carom_error *err);
/// The lamps of pictures, at most CAROM_LIGHT_MAX; none: the usual sun.
CAROM_API carom_status carom_recording_set_lights(carom_recording *recording,
                                                  const carom_light *lights, int count,
                                                  carom_error *err);
/// Draws a body as a ghost, transparent with its edges: a reference beside what is looked at.
CAROM_API carom_status carom_recording_set_ghost(carom_recording *recording, int body,
                                                 carom_error *err);
/// Frees the recording; null is allowed.
CAROM_API void carom_recording_destroy(carom_recording *recording);

/// The title of the scene, or "world".
CAROM_API const char *carom_recording_title(const carom_recording *recording);
/// How many bodies it has.
CAROM_API int carom_recording_body_count(const carom_recording *recording);
/// The number of a body by its name; -1: there is none.
CAROM_API int carom_recording_find(const carom_recording *recording, const char *name);
/// How many frames it has.
CAROM_API int64_t carom_recording_frame_count(const carom_recording *recording);
/// State at a frame, 0 to the count less one.
CAROM_API carom_status carom_recording_frame(const carom_recording *recording, int64_t index,
                                             carom_frame *frame, carom_error *err);
/// The frame nearest to a time (s).
CAROM_API int64_t carom_recording_nearest(const carom_recording *recording, double time);

#ifdef __cplusplus
}
#endif
#endif

/// @file
/// Questions to a world as it stands: rays, moving shapes, what overlaps, what is near.
///
/// A tree over all bodies is made by the first question after something has changed, so many
/// questions in a row cost little. The world is not changed, but one thread at a time may ask.
#ifndef CAROM_WORLD_QUERY_H
#define CAROM_WORLD_QUERY_H

#include "carom/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Who is asked for. Make it with carom_world_filter_default.
typedef struct carom_filter {
    uint32_t mask;        ///< bits of layers; default all
    int sensors;          ///< 1: sensors, too; default 0
    carom_body_id except; ///< not this one; all zeros (default): nobody
} carom_filter;

/// What a question found. Ties go to the lower slot.
typedef struct carom_hit {
    carom_body_id body; ///< all zeros: nothing
    double distance;    ///< m: along the way; of a nearest point negative inside of the body
    double point[3];    ///< m, world, on the body
    double normal[3];   ///< outward, of the body there; of a way that begins inside against it
} carom_hit;

/// All layers, no sensors, nobody left out.
CAROM_API carom_filter carom_world_filter_default(void);
/// The first body on a way (m) from a point (m); the filter may be null. A body that the way begins
/// in is met at once.
CAROM_API carom_status carom_world_cast_ray(carom_world *world, const double origin[3],
                                            const double way[3], const carom_filter *filter,
                                            carom_hit *hit, carom_error *err);
/// All of them, by distance, as many as there is room for; `count` says how many there are.
CAROM_API carom_status carom_world_cast_ray_all(carom_world *world, const double origin[3],
                                                const double way[3], const carom_filter *filter,
                                                carom_hit *hits, int room, int *count,
                                                carom_error *err);

/// A shape (no plane) somewhere. Make it with carom_world_placed_default.
typedef struct carom_placed {
    const carom_shape *shape; ///< what
    double position[3];       ///< m, world, of its centre of mass
    double rotation[4];       ///< unit quaternion w x y z, shape to world
} carom_placed;

/// That shape at the origin, not turned.
CAROM_API carom_placed carom_world_placed_default(const carom_shape *shape);
/// The first body that a shape touches on a way (m) without turning, to `touch` of the options.
/// What it overlaps at the start is met at once.
CAROM_API carom_status carom_world_cast_shape(carom_world *world, const carom_placed *placed,
                                              const double way[3], const carom_filter *filter,
                                              carom_hit *hit, carom_error *err);
/// The bodies that a shape overlaps or touches, by slots, as many as there is room for; `count`
/// says how many there are.
CAROM_API carom_status carom_world_overlap(carom_world *world, const carom_placed *placed,
                                           const carom_filter *filter, carom_body_id *bodies,
                                           int room, int *count, carom_error *err);
/// The body whose surface is nearest to a point (m), or that the point is deepest in, at most `max`
/// (m) away.
CAROM_API carom_status carom_world_nearest(carom_world *world, const double point[3], double max,
                                           const carom_filter *filter, carom_hit *hit,
                                           carom_error *err);

#ifdef __cplusplus
}
#endif
#endif

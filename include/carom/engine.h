/// @file
/// Other physics engines, each behind a program that speaks one small protocol (docs/engines.md).
///
/// A program reads scenes from its standard input, one JSON object per line, runs each and answers
/// with one line of CSV per body and frame. Nothing of an engine is linked into Carom, and whoever
/// adds one writes a single small file.
#ifndef CAROM_ENGINE_H
#define CAROM_ENGINE_H

#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Shapes that every engine has.
typedef enum carom_engine_shape {
    CAROM_ENGINE_PLANE,  ///< fixed: everything below z = 0 of its frame
    CAROM_ENGINE_SPHERE, ///< radius size[0]
    CAROM_ENGINE_BOX,    ///< half edges size[0..2]
} carom_engine_shape;

/// A body as engines see it.
typedef struct carom_engine_body {
    carom_engine_shape shape; ///< what it looks like
    double size[3];           ///< m
    double offset[3];         ///< m: centre of the shape, from the centre of mass, in its frame
    double mass;              ///< kg; 0: fixed
    double inertia[3];        ///< kg m^2, about the axes of the shape
    double position[3];       ///< m, centre of mass
    double rotation[4];       ///< unit quaternion w x y z
    double velocity[3];       ///< m/s
    double spin[3];           ///< rad/s, world frame
} carom_engine_body;

/// A ball joint: a point that two bodies share.
typedef struct carom_engine_joint {
    int a, b;         ///< bodies, by their places in the list; both move
    double anchor[3]; ///< m, the point at the start
} carom_engine_joint;

/// What an engine is asked to run.
typedef struct carom_engine_scene {
    const carom_engine_body *bodies;  ///< body_count of them; belong to the caller
    int body_count;                   ///< at least 1
    const carom_engine_joint *joints; ///< joint_count of them; belong to the caller
    int joint_count;                  ///< 0: none
    double gravity[3];                ///< m/s^2
    double restitution, friction;     ///< of every contact
    int elastic_walls;                ///< not 0: contacts with fixed bodies have restitution 1
    double step;                      ///< s
    int steps;                        ///< in all
    int every;                        ///< a frame after this many steps, at least 1
    int iterations;                   ///< of the engine's solver; 0: as the engine comes
    const char *setting; ///< a choice of the engine's own, for instance a law; may be null
} carom_engine_scene;

/// The state of a body in a frame.
typedef struct carom_engine_state {
    double position[3]; ///< m
    double rotation[4]; ///< unit quaternion w x y z
    double velocity[3]; ///< m/s
    double spin[3];     ///< rad/s
} carom_engine_state;

/// An engine at work in a process of its own.
typedef struct carom_engine carom_engine;

/// Starts the program; one that ends in .mjs is run by Node.
CAROM_API carom_status carom_engine_open(const char *program, carom_engine **out, carom_error *err);
/// Name and version, as the program says them.
CAROM_API const char *carom_engine_name(const carom_engine *engine);
/// Frames of a scene: steps / every.
CAROM_API int carom_engine_frames(const carom_engine_scene *scene);
/// Runs scenes, one after the other; `states` gets the bodies of each frame of each scene in order.
/// Many scenes in one call are quicker than many calls. `seconds` (may be null) is the processor
/// time of the steps of all scenes alone, as the program measures it. A scene that the engine
/// cannot run is CAROM_BAD_INPUT with its words.
CAROM_API carom_status carom_engine_run(carom_engine *engine, const carom_engine_scene *scenes,
                                        int count, carom_engine_state *states, double *seconds,
                                        carom_error *err);
/// Ends the process and frees the engine; null is allowed.
CAROM_API void carom_engine_close(carom_engine *engine);

#ifdef __cplusplus
}
#endif
#endif

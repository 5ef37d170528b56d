/// @file
/// The set of outcomes of one instant: what comes out when what nobody knows is drawn by chance.
///
/// A simultaneous frictional impact has a set of outcomes, not one [HalmPosa, section 1]: which
/// contact comes first, how the impulse is shared, how stiff and rough the contacts are decides.
/// Each sample draws these from a stream of its own, so that any number of threads gives the same
/// bits.
#ifndef CAROM_OUTCOMES_H
#define CAROM_OUTCOMES_H

#include <stdint.h>
#include "carom/impact.h"
#include "carom/json.h"
#include "carom/pieces.h"
#include "carom/progress.h"
#include "carom/scene.h"
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What may be drawn: name and what it does.
#define CAROM_OUTCOMES_LIST(X)                                                                     \
    X(ORDER, "order", "one approaching contact after another, each chosen by chance")              \
    X(GAP, "gap", "tiny gaps by chance decide which contact is met first")                         \
    X(SHARE, "share", "all approaching contacts at once, the shares of the impulse by chance")     \
    X(STIFFNESS, "stiffness", "of each contact, by up to ten times more or less")                  \
    X(FRICTION, "friction", "of each contact, within the spread")                                  \
    X(RESTITUTION, "restitution", "of each contact, within the spread")

/// Bits of what is drawn.
typedef enum carom_outcomes_bit {
#define CAROM_OUTCOMES_BIT_VALUE(name, word, sentence) CAROM_OUTCOMES_BIT_##name,
    CAROM_OUTCOMES_LIST(CAROM_OUTCOMES_BIT_VALUE)
#undef CAROM_OUTCOMES_BIT_VALUE
        CAROM_OUTCOMES_BITS
} carom_outcomes_bit;

/// The same as masks, for `vary`.
enum {
#define CAROM_OUTCOMES_MASK_VALUE(name, word, sentence)                                            \
    CAROM_OUTCOMES_##name = 1 << CAROM_OUTCOMES_BIT_##name,
    CAROM_OUTCOMES_LIST(CAROM_OUTCOMES_MASK_VALUE)
#undef CAROM_OUTCOMES_MASK_VALUE
};

/// How to sample. Make it with carom_outcomes_options_default.
typedef struct carom_outcomes_options {
    int64_t samples;      ///< default 65536
    unsigned vary;        ///< CAROM_OUTCOMES_ORDER | ...; at most one of order, gap and share
    double spread;        ///< of friction and restitution, relative; default 0.2
    uint64_t seed;        ///< default 1
    int threads;          ///< any number gives the same bits; default 1
    const carom_law *law; ///< for pairs (order, gap) or for the whole; default: that of the file
    const carom_progress *progress; ///< may be null
    double work_max; ///< contacts resolved one by one, all samples together, of which each gets the
                     ///< same part, but at most 4096; 0 (default): that
    const carom_pieces *pieces; ///< blocks of 1024 samples are the pieces; null (default): all here
} carom_outcomes_options;

/// Of one number of a body after the impact.
typedef struct carom_outcomes_spread {
    double mean, deviation; ///< over the samples
    double min, max;        ///< of them
} carom_outcomes_spread;

/// One body.
typedef struct carom_outcomes_body {
    carom_outcomes_spread velocity[3]; ///< m/s
    carom_outcomes_spread spin[3];     ///< rad/s
    int axis[2];        ///< the two velocity components that vary most: 0 x, 1 y, 2 z
    const double *hull; ///< m/s: pairs of those components, the convex hull of all samples,
                        ///< counter-clockwise
    int hull_count;     ///< of pairs
    const double *some; ///< m/s: pairs of the first samples, for pictures
    int some_count;     ///< of pairs
} carom_outcomes_body;

/// Which bodies move where: each by the direction that its velocity is nearest to.
typedef struct carom_outcomes_pattern {
    char words[160];    ///< "cue -x, left +x, right still"
    double probability; ///< of the samples
} carom_outcomes_pattern;

/// The set of outcomes. Belongs to the caller: carom_outcomes_destroy.
typedef struct carom_outcomes {
    int64_t samples;                   ///< drawn
    int64_t unfinished;                ///< in which contacts still approached at the cap of events
    const carom_outcomes_body *bodies; ///< in the order of the problem
    int body_count;                    ///< fixed ones counted
    carom_outcomes_spread energy;      ///< after / before
    const carom_outcomes_pattern *patterns; ///< from the most probable on
    int pattern_count;                      ///< 64 at most
    int64_t others;                         ///< samples of patterns beyond these
} carom_outcomes;

/// The defaults: order, 65536 samples.
CAROM_API carom_outcomes_options carom_outcomes_options_default(void);
/// The bit of a word; -1 where there is none.
CAROM_API int carom_outcomes_find(const char *word);
/// Samples the outcomes of the instant of a file. Of a shard of it there is no result: `out` is
/// null.
CAROM_API carom_status carom_outcomes_sample(const carom_scene_impact *scene,
                                             const carom_outcomes_options *options,
                                             carom_outcomes **out, carom_error *err);
/// Writes the result as members of the present object.
CAROM_API void carom_outcomes_json(const carom_outcomes *outcomes, const carom_scene_impact *scene,
                                   carom_json *json);
/// A picture: the velocities after of each body that moves, and their hull. The caller frees the
/// text with free(); null without memory.
CAROM_API char *carom_outcomes_svg(const carom_outcomes *outcomes, const carom_scene_impact *scene);
/// A page: probabilities, spread of the velocities, the picture. The caller frees the text with
/// free(); null without memory.
CAROM_API char *carom_outcomes_html(const carom_outcomes *outcomes,
                                    const carom_scene_impact *scene);
/// Frees it; null is allowed.
CAROM_API void carom_outcomes_destroy(carom_outcomes *outcomes);

#ifdef __cplusplus
}
#endif
#endif

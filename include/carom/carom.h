/// @file
/// Everything Carom offers. Each header also compiles alone.
///
/// The functions are in three libraries. `libcarom` has status.h, version.h, memory.h, progress.h,
/// json.h, text.h, suggest.h, hash.h, random.h; shape.h; impact.h, law.h, desiderata.h,
/// restitution.h, pass.h; world.h, handle.h, joint.h, world_change.h, world_event.h, world_query.h
/// and repose.h. `libcarom-models` has tower.h, tower_space.h, chain.h, modal.h, bounce.h,
/// bounce_map.h, bounce_figure.h. `libcarom-io` has everything else, and of the models what reads
/// files and draws.
///
/// What is stable. Until version 1.0 a minor version (0.2, 0.3) may change the interface, and says
/// so in CHANGELOG.md; a patch never does. The headers of an instant and of the world (status.h,
/// version.h, progress.h, shape.h, impact.h, law.h, restitution.h, world.h, joint.h) are meant to
/// stay: what changes there keeps its old name for one minor version where that is possible. The
/// others may change without. Structs of options and results may grow at their end: make them with
/// their
/// `_default` function or zero-initialise them. Files that a version wrote open in every later one.
#ifndef CAROM_CAROM_H
#define CAROM_CAROM_H

#include "carom/bounce.h"
#include "carom/bounce_figure.h"
#include "carom/bounce_map.h"
#include "carom/chain.h"
#include "carom/compare.h"
#include "carom/desiderata.h"
#include "carom/draw.h"
#include "carom/engine.h"
#include "carom/export.h"
#include "carom/grains.h"
#include "carom/hash.h"
#include "carom/impact.h"
#include "carom/import.h"
#include "carom/joint.h"
#include "carom/json.h"
#include "carom/law.h"
#include "carom/measure.h"
#include "carom/memory.h"
#include "carom/modal.h"
#include "carom/outcomes.h"
#include "carom/pass.h"
#include "carom/pattern.h"
#include "carom/pieces.h"
#include "carom/progress.h"
#include "carom/random.h"
#include "carom/recording.h"
#include "carom/referee.h"
#include "carom/repose.h"
#include "carom/restitution.h"
#include "carom/scene.h"
#include "carom/shape.h"
#include "carom/status.h"
#include "carom/suggest.h"
#include "carom/sweep.h"
#include "carom/text.h"
#include "carom/tower.h"
#include "carom/tower_space.h"
#include "carom/trajectory.h"
#include "carom/validate.h"
#include "carom/version.h"
#include "carom/view.h"
#include "carom/world.h"
#include "carom/world_change.h"
#include "carom/world_event.h"
#include "carom/world_query.h"

#endif

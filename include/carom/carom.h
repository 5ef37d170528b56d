/// @file
/// Everything Carom offers. Each room's header also compiles alone.
#ifndef CAROM_CAROM_H
#define CAROM_CAROM_H

#include "carom/bounce.h"
#include "carom/bounce_figure.h"
#include "carom/bounce_map.h"
#include "carom/chain.h"
#include "carom/compare.h"
#include "carom/desiderata.h"
#include "carom/draw.h"
#include "carom/export.h"
#include "carom/hash.h"
#include "carom/impact.h"
#include "carom/import.h"
#include "carom/json.h"
#include "carom/law.h"
#include "carom/measure.h"
#include "carom/modal.h"
#include "carom/pattern.h"
#include "carom/progress.h"
#include "carom/random.h"
#include "carom/recording.h"
#include "carom/repose.h"
#include "carom/restitution.h"
#include "carom/scene.h"
#include "carom/shape.h"
#include "carom/status.h"
#include "carom/suggest.h"
#include "carom/text.h"
#include "carom/tower.h"
#include "carom/tower_space.h"
#include "carom/trajectory.h"
#include "carom/version.h"
#include "carom/view.h"
#include "carom/world.h"

#endif

// Several pieces of work told as one.
#ifndef CAROM_MODAL_MODAL_STAGE_H
#define CAROM_MODAL_MODAL_STAGE_H

#include "base/progress.h"

// The part from .. to (of 1) of the caller's work.
typedef struct carom_modal_stage {
    const carom_progress *outer;
    double from, to;
} carom_modal_stage;

// A progress that tells `stage->outer` how far the whole is, in percent; `stage` must outlive it.
carom_progress carom_modal_stage_progress(carom_modal_stage *stage);

#endif

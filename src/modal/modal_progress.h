// Several pieces of work reported as one.
#ifndef CAROM_MODAL_MODAL_PROGRESS_H
#define CAROM_MODAL_MODAL_PROGRESS_H

#include "base/progress.h"

// The part from .. to (of 1) of the caller's work.
typedef struct carom_modal_progress {
    const carom_progress *outer;
    double from, to;
} carom_modal_progress;

// A progress that tells `part->outer` how far the whole is, in percent; `part` must outlive it.
carom_progress carom_modal_progress_part(carom_modal_progress *part);

#endif

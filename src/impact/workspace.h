// Memory and threads behind a carom_workspace.
#ifndef CAROM_IMPACT_WORKSPACE_H
#define CAROM_IMPACT_WORKSPACE_H

#include "base/arena.h"
#include "carom/impact.h"

struct carom_workspace {
    carom_arena *scratch;         // the problem and everything shared
    carom_arena **thread_scratch; // one per thread
    int threads;
    size_t limit;
    double accuracy; // relative residual allowed in large islands; 0: as exact as they come
    carom_impact_watch watch; // `tell` null: nobody watches
};

#endif

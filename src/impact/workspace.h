// Memory and threads behind a carom_workspace.
#ifndef CAROM_IMPACT_WORKSPACE_H
#define CAROM_IMPACT_WORKSPACE_H

#include "base/arena.h"
#include "base/progress.h"
#include "carom/impact.h"

struct carom_workspace {
    carom_arena *scratch;         // the problem and everything shared
    carom_arena **thread_scratch; // one per thread
    int threads;
    size_t limit;
    double accuracy; // relative residual allowed in large islands; 0: as exact as they come
    double work;     // contacts that sweeps of one island may look at; 0: the default
    carom_impact_observer observer; // `after_sweep` null: none
    const carom_progress *progress; // who may stop a law; null: nobody
    double work_max;                // work of one resolve, see carom_workspace_set_bound; 0: any
    carom_progress_stop query;      // about that
    carom_progress_stop *stop;      // of a longer work that the law is part of; null: none
    double scale;                   // m/s, see carom_workspace_scale
    bool trusted; // problems need no check, and nobody asks for the hash of results
    bool coarse;  // see carom_workspace_set_coarse
};

// For who makes the problems from what has been checked, many times a second.
void carom_workspace_trust(carom_workspace *workspace);
// For who hands over an impact in parts: the fastest approach of the whole, which tolerances are
// relative to.
void carom_workspace_scale(carom_workspace *workspace, double fastest);
// For who does not know the moment of the impact to better than a step: the law may take its time
// as crudely as in the largest islands. What it promises holds all the same.
void carom_workspace_set_coarse(carom_workspace *workspace, bool coarse);
// For whom the law is part of a longer work, as carom_workspace_set_progress; null ends it.
void carom_workspace_set_stop(carom_workspace *workspace, carom_progress_stop *stop);

#endif

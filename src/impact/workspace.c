// Creates and frees the memory and the settings behind a carom_workspace; the laws fill it.
#include "impact/workspace.h"
#include "base/memory.h"

// More threads than any machine has cores: beyond this a number is a mistake.
enum { THREADS_MAX = 1024 };

carom_workspace *carom_workspace_create(void)
{
    carom_workspace *workspace = carom_memory_zeros(1, sizeof *workspace);
    if (!workspace)
        return NULL;
    workspace->scratch = carom_arena_create(0);
    carom_workspace_set_threads(workspace, 1);
    if (!workspace->scratch || workspace->threads != 1) {
        carom_workspace_destroy(workspace);
        return NULL;
    }
    return workspace;
}

void carom_workspace_destroy(carom_workspace *workspace)
{
    if (!workspace)
        return;
    carom_arena_destroy(workspace->scratch);
    for (int i = 0; i < workspace->threads; ++i)
        carom_arena_destroy(workspace->thread_scratch[i]);
    carom_memory_free(workspace->thread_scratch);
    carom_memory_free(workspace);
}

// Keeps the threads it has where the system refuses memory for more: the result is the same.
void carom_workspace_set_threads(carom_workspace *workspace, int threads)
{
    if (!workspace)
        return;
    if (threads < 1)
        threads = 1;
    if (threads > THREADS_MAX)
        threads = THREADS_MAX;
    carom_arena **arenas = carom_memory_zeros((size_t)threads, sizeof *arenas);
    if (!arenas)
        return;
    int made = 0;
    while (made < threads && (arenas[made] = carom_arena_create(workspace->limit)))
        ++made;
    if (made == 0) {
        carom_memory_free(arenas);
        return;
    }
    for (int i = 0; i < workspace->threads; ++i)
        carom_arena_destroy(workspace->thread_scratch[i]);
    carom_memory_free(workspace->thread_scratch);
    workspace->thread_scratch = arenas;
    workspace->threads = made;
}

void carom_workspace_set_work(carom_workspace *workspace, double visits)
{
    if (!workspace)
        return;
    workspace->work = visits > 0 ? visits : 0;
}

void carom_workspace_set_accuracy(carom_workspace *workspace, double residual)
{
    if (!workspace)
        return;
    workspace->accuracy = residual > 0 ? residual : 0;
}

void carom_workspace_set_coarse(carom_workspace *workspace, bool coarse)
{
    workspace->coarse = coarse;
}

void carom_workspace_set_limit(carom_workspace *workspace, size_t bytes)
{
    if (!workspace)
        return;
    carom_arena *fresh = carom_arena_create(bytes);
    if (!fresh)
        return;
    carom_arena_destroy(workspace->scratch);
    workspace->scratch = fresh;
    workspace->limit = bytes;
    carom_workspace_set_threads(workspace, workspace->threads);
}

void carom_workspace_set_observer(carom_workspace *workspace, const carom_impact_observer *observer)
{
    if (!workspace)
        return;
    workspace->observer = observer ? *observer : (carom_impact_observer){ 0 };
}

void carom_workspace_set_progress(carom_workspace *workspace, const carom_progress *progress)
{
    if (!workspace)
        return;
    workspace->progress = progress;
}

void carom_workspace_set_bound(carom_workspace *workspace, double work)
{
    if (!workspace)
        return;
    workspace->work_max = work > 0 ? work : 0;
}

void carom_workspace_trust(carom_workspace *workspace)
{
    workspace->trusted = true;
}

void carom_workspace_scale(carom_workspace *workspace, double fastest)
{
    workspace->scale = fastest;
}

void carom_workspace_set_stop(carom_workspace *workspace, carom_progress_stop *stop)
{
    workspace->stop = stop;
}

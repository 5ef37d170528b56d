// Levels of bodies that rest on each other; see levels.h. Groups are the strongly connected
// components of the graph, by Tarjan's method with a stack of its own instead of recursion: a group
// is complete only after all that it rests on, so its level is known at once.
#include "impact/levels.h"

typedef struct graph {
    const carom_problem *problem;
    const carom_twist *v;
    double slow;
    int *order, *low;      // number of a body in the search, from 1; the least it leads back to
    int *open, open_count; // bodies whose group is not complete
    bool *is_open;
    int *path, *next; // the search: bodies on the way here, and the contact that each is at
    int *level;
} graph;

// The body that `body` rests on at a contact; -1: it does not.
static int below(const graph *g, int body, int contact)
{
    const carom_row *row = &g->problem->normal[contact];
    const carom_twist *v = &g->v[body];
    bool first = row->a == body;
    double speed =
        vec3_dot(row->d, v->linear) + vec3_dot(first ? row->arm_a : row->arm_b, v->angular);
    return (first ? -speed : speed) < -g->slow ? (first ? row->b : row->a) : -1;
}

// The bodies opened since `body` are one group.
static void close_group(graph *g, int body)
{
    int first = g->open_count, level = 0;
    do
        g->is_open[g->open[--first]] = false;
    while (g->open[first] != body);
    for (int i = first; i < g->open_count; ++i) {
        int member = g->open[i];
        g->order[member] = -body - 1; // marks the group
    }
    for (int i = first; i < g->open_count; ++i) {
        int member = g->open[i];
        int end = g->problem->first_contact[member + 1];
        for (int k = g->problem->first_contact[member]; k < end; ++k) {
            int lower = below(g, member, g->problem->contact_list[k]);
            if (lower >= 0 && g->order[lower] != -body - 1 && g->level[lower] >= level)
                level = g->level[lower] + 1;
        }
    }
    for (int i = first; i < g->open_count; ++i)
        g->level[g->open[i]] = level;
    g->open_count = first;
}

static void search(graph *g, int start, int *number)
{
    int depth = 0;
    g->path[0] = start;
    while (depth >= 0) {
        int body = g->path[depth];
        if (g->order[body] == 0) {
            g->order[body] = g->low[body] = ++*number;
            g->next[body] = g->problem->first_contact[body];
            g->open[g->open_count++] = body;
            g->is_open[body] = true;
        }
        if (g->next[body] < g->problem->first_contact[body + 1]) {
            int lower = below(g, body, g->problem->contact_list[g->next[body]++]);
            if (lower >= 0 && g->order[lower] == 0)
                g->path[++depth] = lower;
            else if (lower >= 0 && g->is_open[lower] && g->order[lower] < g->low[body])
                g->low[body] = g->order[lower];
            continue;
        }
        if (g->low[body] == g->order[body])
            close_group(g, body);
        if (--depth >= 0 && g->is_open[body] && g->low[body] < g->low[g->path[depth]])
            g->low[g->path[depth]] = g->low[body];
    }
}

carom_status carom_levels_find(const carom_problem *problem, const carom_twist *v, double slow,
                               carom_arena *scratch, int *level, int *count, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    graph g = { .problem = problem, .v = v, .slow = slow, .level = level };
    int bodies = problem->body_count, number = 0;
    TAKE_ZEROS(scratch, g.order, bodies, err);
    TAKE(scratch, g.low, bodies, err);
    TAKE(scratch, g.open, bodies, err);
    TAKE_ZEROS(scratch, g.is_open, bodies, err);
    TAKE(scratch, g.path, bodies, err);
    TAKE(scratch, g.next, bodies, err);
    *count = 0;
    for (int i = 0; i < bodies; ++i)
        if (g.order[i] == 0)
            search(&g, i, &number);
    for (int i = 0; i < bodies; ++i)
        *count = level[i] >= *count ? level[i] + 1 : *count;
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

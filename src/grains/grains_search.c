// Contacts of a step: from the positions of this step alone, so that it does not matter when a host
// has last renewed its lists.
//
// No two grains are faster against each other than the box of all velocities is wide; what is
// farther apart than that in a step is not looked at, and the skin is the limit. Cells are as wide
// as two grains and that gap.
// A pair is a contact of the step where the gap may close within it: at the speed of the faster of
// its two grains against any of its neighbours, or at one that may be passed on to them by blows
// within the step.
#include "grains/grains.h"

#include <string.h>
#include "base/memory.h"

// The largest gap that can close within the step.
static double find_near(const carom_grains *g)
{
    double ends[6], speed = 0; // largest of each component, and of its negative
    for (int k = 0; k < 6; ++k)
        ends[k] = -HUGE_VAL;
    for (int n = 0; n < g->part->owned + g->wall_count; ++n) {
        int body = n < g->part->owned ? n : n - g->part->owned + g->part->count;
        double v[3];
        vec3_store(g->system.sphere_bodies[body].v, v);
        for (int k = 0; k < 3; ++k) {
            ends[k] = fmax(ends[k], v[k]);
            ends[k + 3] = fmax(ends[k + 3], -v[k]);
        }
    }
    carom_grains_max(g, ends, 6);
    for (int k = 0; k < 3; ++k)
        speed += (ends[k] + ends[k + 3]) * (ends[k] + ends[k + 3]);
    double fall = g->dt * g->dt * vec3_length(vec3_from(g->options.gravity));
    double near = g->dt * sqrt(speed) * (1 + 1e-9) + fall + g->options.slop;
    return near < g->options.skin ? near : g->options.skin;
}

typedef struct cells {
    double low[3], size;
    int count[3];
    int *first, *grain; // grains of cell c: [first[c], first[c + 1])
    int *cell;          // of a grain
} cells;

static int axis_of(const cells *c, double x, int k)
{
    int at = (int)((x - c->low[k]) / c->size);
    return at < c->count[k] ? at : c->count[k] - 1;
}

static void measure(const carom_grains_part *part, double near, cells *c)
{
    double high[3], widest = 0;
    for (int k = 0; k < 3; ++k) {
        c->low[k] = HUGE_VAL;
        high[k] = -HUGE_VAL;
    }
    for (int i = 0; i < part->count; ++i) {
        widest = fmax(widest, part->radius[i]);
        for (int k = 0; k < 3; ++k) {
            c->low[k] = fmin(c->low[k], part->position[i][k]);
            high[k] = fmax(high[k], part->position[i][k]);
        }
    }
    // a hair wider than what is looked for, and at most four cells a grain
    c->size = (2 * widest + near) * (1 + 1e-9);
    for (;;) {
        double cells_in_all = 1;
        for (int k = 0; k < 3; ++k)
            cells_in_all *= floor((high[k] - c->low[k]) / c->size) + 1;
        if (cells_in_all <= 4.0 * part->count + 64)
            break;
        c->size *= 1.5;
    }
    for (int k = 0; k < 3; ++k)
        c->count[k] = (int)((high[k] - c->low[k]) / c->size) + 1;
}

static carom_status fill(carom_grains *g, cells *c, carom_error *err)
{
    const carom_grains_part *part = g->part;
    measure(part, g->near, c);
    int all = c->count[0] * c->count[1] * c->count[2], *next;
    TAKE_ZEROS(g->scratch, c->first, all + 1, err);
    TAKE(g->scratch, c->grain, part->count, err);
    TAKE(g->scratch, c->cell, part->count, err);
    TAKE(g->scratch, next, all + 1, err);
    for (int i = 0; i < part->count; ++i) {
        const double *x = part->position[i];
        c->cell[i] = (axis_of(c, x[2], 2) * c->count[1] + axis_of(c, x[1], 1)) * c->count[0] +
                     axis_of(c, x[0], 0);
        ++c->first[c->cell[i] + 1];
    }
    for (int k = 0; k < all; ++k)
        c->first[k + 1] += c->first[k];
    memcpy(next, c->first, (size_t)all * sizeof *next);
    for (int i = 0; i < part->count; ++i)
        c->grain[next[c->cell[i]]++] = i;
    return CAROM_OK;
}

static carom_status add_pair(carom_grains *g, carom_grains_pair pair, carom_error *err)
{
    if (g->pair_count == g->pair_room) {
        int room = 2 * g->pair_room + 1024;
        carom_grains_pair *more = carom_memory_resize(g->pairs, (size_t)room * sizeof *more);
        if (!more)
            return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %d pairs of grains", room);
        g->pairs = more;
        g->pair_room = room;
    }
    g->pairs[g->pair_count++] = pair;
    return CAROM_OK;
}

static carom_status one_place(const carom_grains *g, int i, int j, carom_error *err)
{
    carom_error_set(err, CAROM_BAD_INPUT, "grains %lld and %lld are at the same place",
                    (long long)g->part->name[i], (long long)g->part->name[j]);
    return carom_error_fix(err, "move one of them by a diameter");
}

static carom_status try_pair(carom_grains *g, int i, int j, carom_error *err)
{
    const carom_grains_part *part = g->part;
    bool in_order = part->name[i] < part->name[j];
    int a = in_order ? i : j, b = in_order ? j : i;
    double radii = part->radius[a] + part->radius[b], far = radii + g->near;
    vec3 d = vec3_sub(vec3_from(part->position[b]), vec3_from(part->position[a]));
    double square = vec3_dot(d, d);
    if (!(square <= far * far))
        return CAROM_OK;
    double length = sqrt(square);
    if (!(length > 1e-6 * radii))
        return one_place(g, i, j, err);
    return add_pair(g, (carom_grains_pair){ a, b, length - radii, vec3_scale(1 / length, d) }, err);
}

// Owned grains with those behind them in their own cells, and with all of others.
static carom_status pairs_of(carom_grains *g, const cells *c, int i, carom_error *err)
{
    const double *x = g->part->position[i];
    int at[3], from[3], to[3];
    for (int k = 0; k < 3; ++k) {
        at[k] = axis_of(c, x[k], k);
        from[k] = at[k] > 0 ? at[k] - 1 : 0;
        to[k] = at[k] + 1 < c->count[k] ? at[k] + 1 : at[k];
    }
    for (int z = from[2]; z <= to[2]; ++z)
        for (int y = from[1]; y <= to[1]; ++y) {
            int row = (z * c->count[1] + y) * c->count[0];
            for (int n = c->first[row + from[0]]; n < c->first[row + to[0] + 1]; ++n) {
                int j = c->grain[n];
                if (j > i) // each pair once: ghosts stand behind all owned ones
                    TRY(try_pair(g, i, j, err));
            }
        }
    return CAROM_OK;
}

static carom_status walls_of(carom_grains *g, int i, carom_error *err)
{
    vec3 x = vec3_from(g->part->position[i]);
    for (int k = 0; k < g->wall_count; ++k) {
        const carom_grains_plane *p = &g->planes[k];
        double gap = vec3_dot(p->normal, vec3_sub(x, p->point)) - g->part->radius[i];
        if (gap <= g->near)
            TRY(add_pair(g, (carom_grains_pair){ g->part->count + k, i, gap, p->normal }, err));
    }
    return CAROM_OK;
}

// Fastest of a grain against any neighbour.
static void find_speeds(carom_grains *g)
{
    const carom_contact_sphere_body *bodies = g->system.sphere_bodies;
    for (int i = 0; i < g->pair_count; ++i) {
        const carom_grains_pair *pair = &g->pairs[i];
        double u = vec3_length(vec3_sub(bodies[pair->b].v, bodies[pair->a].v));
        if (!carom_grains_is_wall(g, pair->a))
            g->reach[pair->a] = fmax(g->reach[pair->a], u);
        g->reach[pair->b] = fmax(g->reach[pair->b], u);
    }
}

// A speed is passed on to whoever may be met with it within the step. Returns whether an owned
// grain has got a higher one.
static bool pass_on(carom_grains *g, int i)
{
    const carom_grains_pair *pair = &g->pairs[i];
    if (carom_grains_is_wall(g, pair->a))
        return false;
    double *a = &g->reach[pair->a], *b = &g->reach[pair->b], speed = fmax(*a, *b);
    if (*a == *b || pair->gap > g->dt * speed + g->options.slop)
        return false;
    bool news = *a < speed ? pair->a < g->part->owned : pair->b < g->part->owned;
    *a = *b = speed;
    return news;
}

// Until nothing changes on any rank: the least speeds that satisfy all pairs, whatever the order.
static void find_reach(carom_grains *g)
{
    double changed = 1;
    find_speeds(g);
    while (changed > 0) {
        bool forward = true, again = true;
        carom_grains_refresh(g, CAROM_GRAINS_REACH);
        changed = 0;
        while (again) {
            again = false;
            for (int k = 0; k < g->pair_count; ++k)
                again = pass_on(g, forward ? k : g->pair_count - 1 - k) || again;
            changed = fmax(changed, again);
            forward = !forward;
        }
        carom_grains_max(g, &changed, 1);
    }
}

// Keeps the pairs that may touch within the step; notes the deepest overlap.
static void keep_near(carom_grains *g)
{
    double fall = g->dt * g->dt * vec3_length(vec3_from(g->options.gravity));
    int kept = 0;
    g->overlap = 0;
    for (int i = 0; i < g->pair_count; ++i) {
        const carom_grains_pair *pair = &g->pairs[i];
        bool wall = carom_grains_is_wall(g, pair->a);
        double speed = wall ? g->reach[pair->b] : fmax(g->reach[pair->a], g->reach[pair->b]);
        g->overlap = fmax(g->overlap, -pair->gap);
        if (pair->gap <= g->dt * speed + fall + g->options.slop)
            g->pairs[kept++] = *pair;
    }
    g->pair_count = kept;
    g->peak_overlap = fmax(g->peak_overlap, g->overlap);
}

carom_status carom_grains_search(carom_grains *g, carom_error *err)
{
    cells c = { 0 };
    g->pair_count = 0;
    g->near = find_near(g);
    TAKE_ZEROS(g->scratch, g->reach, g->part->count, err);
    if (g->part->count > 0) {
        carom_arena_mark mark = carom_arena_mark_here(g->scratch);
        TRY(fill(g, &c, err));
        for (int i = 0; i < g->part->owned; ++i) {
            TRY(pairs_of(g, &c, i, err));
            TRY(walls_of(g, i, err));
        }
        carom_arena_rewind(g->scratch, mark);
    }
    find_reach(g);
    keep_near(g);
    return CAROM_OK;
}

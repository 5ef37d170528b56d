// Grains of one rank: options, walls, and the step.
#include "grains/grains.h"

#include <string.h>
#include "base/memory.h"
#include "base/range.h"
#include "impact/workspace.h"
#include "math/trig.h"

carom_grains_options carom_grains_options_default(void)
{
    return (carom_grains_options){ .surface = { .restitution = 0.5, .friction = 0.5 },
                                   .gravity = { 0, 0, -9.81 },
                                   .resting_speed = -1,
                                   .rest_tolerance = 1e-6,
                                   .rest_sweeps = 60,
                                   .impact_sweeps = 200,
                                   .impact_residual = 1e-4 }; // as worlds have it
}

static carom_status within(const char *name, double value, double min, double max, carom_error *err)
{
    const carom_range range = { .min = min, .max = max };
    return carom_range_has(&range, value) ? CAROM_OK
                                          : carom_range_refuse(&range, name, "number", value, err);
}

static carom_status check_surface(const carom_grains_surface *s, carom_error *err)
{
    const double huge = 1e9;
    TRY(within("restitution", s->restitution, 0, 1, err));
    TRY(within("fade", s->fade, 0, 1, err));
    if (s->fade > 0) {
        TRY(within("fade_speed", s->fade_speed, 1e-12, huge, err));
        TRY(within("fade_power", s->fade_power, 1e-3, 100, err));
    }
    TRY(within("friction", s->friction, 0, huge, err));
    return within("rolling", s->rolling, 0, huge, err);
}

static carom_status check(const carom_grains_options *o, carom_error *err)
{
    const double huge = 1e12, tiny = 1e-300;
    TRY(check_surface(&o->surface, err));
    TRY(within("law", o->law, CAROM_GRAINS_FIXED_POINT, CAROM_GRAINS_ISLANDS, err));
    for (int k = 0; k < 3; ++k)
        TRY(within("gravity", o->gravity[k], -huge, huge, err));
    TRY(within("skin", o->skin, tiny, huge, err));
    TRY(within("slop", o->slop, 0, huge, err));
    TRY(within("resting_speed", o->resting_speed, -1, huge, err));
    TRY(within("rest_tolerance", o->rest_tolerance, 0, 1, err));
    TRY(within("rest_sweeps", o->rest_sweeps, 1, 1000000, err));
    TRY(within("impact_residual", o->impact_residual, 0, 0.1, err));
    return within("impact_sweeps", o->impact_sweeps, 1, 1000000, err);
}

static carom_status check_law(const carom_grains_options *o, const carom_grains_host *host,
                              carom_error *err)
{
    if (o->law != CAROM_GRAINS_ISLANDS)
        return CAROM_OK;
    if (!o->island_law) {
        carom_error_set(err, CAROM_BAD_INPUT, "there is no law for the islands");
        return carom_error_fix(err, "give `island_law` what carom_law_find(\"wave\") returns");
    }
    if (host && !(host->gather && host->sum)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the host cannot gather islands for the law %s",
                        carom_law_name(o->island_law));
        return carom_error_fix(err, "give it `sum` and `gather`, or use the law fixed-point");
    }
    return CAROM_OK;
}

carom_status carom_grains_create(const carom_grains_options *options, const carom_grains_host *host,
                                 carom_grains **out, carom_error *err)
{
    NEED(err, options, out);
    *out = NULL;
    TRY(check(options, err));
    TRY(check_law(options, host, err));
    carom_grains *g = carom_memory_zeros(1, sizeof *g);
    if (!g)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for grains");
    g->options = *options;
    g->scratch = carom_arena_create(0);
    g->workspace = carom_workspace_create();
    if (host)
        g->host = *host;
    if (!g->scratch || !g->workspace) {
        carom_grains_destroy(g);
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for grains");
    }
    carom_workspace_trust(g->workspace);
    carom_workspace_set_accuracy(g->workspace, options->impact_residual);
    *out = g;
    return CAROM_OK;
}

void carom_grains_destroy(carom_grains *grains)
{
    if (!grains)
        return;
    carom_arena_destroy(grains->scratch);
    carom_workspace_destroy(grains->workspace);
    carom_memory_free(grains->pairs);
    carom_memory_free(grains->memory);
    carom_memory_free(grains->memory_count);
    carom_memory_free(grains);
}

carom_status carom_grains_add_wall(carom_grains *grains, const carom_grains_wall *wall,
                                   carom_error *err)
{
    NEED(err, grains, wall);
    TRY(check_surface(&wall->surface, err));
    double length = vec3_length(vec3_from(wall->normal));
    if (!(length > 0) || !isfinite(length)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the normal of a wall has length %g", length);
        return carom_error_fix(err, "give the direction from the wall to the grains: 0 0 1");
    }
    for (int k = 0; k < 3; ++k) {
        TRY(within("a wall's point", wall->point[k], -1e12, 1e12, err));
        TRY(within("a wall's amplitude", wall->amplitude[k], -1e12, 1e12, err));
    }
    TRY(within("a wall's frequency", wall->frequency, 0, 1e12, err));
    TRY(within("a wall's phase", wall->phase, -1e6, 1e6, err));
    if (grains->wall_count == CAROM_GRAINS_WALLS)
        return carom_error_set(err, CAROM_BAD_INPUT, "there are %d walls at most",
                               CAROM_GRAINS_WALLS);
    grains->walls[grains->wall_count++] = *wall;
    return CAROM_OK;
}

// -- ranks ----------------------------------------------------------------------------------------

void carom_grains_refresh(carom_grains *g, carom_grains_exchange what)
{
    static const int columns[] = { 7, 1, 2, 3, 1, 2 };
    g->exchange = what;
    ++g->exchanges;
    if (g->host.refresh)
        g->host.refresh(g->host.client,
                        columns[what] + (what == CAROM_GRAINS_CHOICE ? g->words : 0));
}

void carom_grains_refresh_colour(carom_grains *g, carom_grains_exchange what, int colour)
{
    g->asked_colour = colour;
    carom_grains_refresh(g, what);
    g->asked_colour = -1;
}

void carom_grains_max(const carom_grains *g, double *values, int count)
{
    if (g->host.max && count > 0)
        g->host.max(g->host.client, values, count);
}

static carom_grains_state state_of(const carom_grains *g, int grain)
{
    const carom_contact_sphere_body *body = &g->system.sphere_bodies[grain];
    carom_grains_state state = { .travel = g->system.travel[grain] };
    vec3_store(body->v, state.velocity);
    vec3_store(body->w, state.spin);
    return state;
}

// Whether ghosts of this grain may have to hear of it: it has a contact with one of the grains
// there. A ghost is passed on where it has news from this exchange.
static inline bool concerns(const carom_grains *g, int grain)
{
    if (grain >= g->part->owned)
        return g->news[grain] == 2 * g->exchanges + 1;
    return !g->rim || carom_grains_rim_has(g, grain, g->asked_colour);
}

// Whether they have to: a state has changed since they heard last.
static bool has_news(const carom_grains *g, int grain)
{
    int64_t *known = &g->news[grain];
    if (*known / 2 == g->exchanges)
        return *known % 2;
    bool news = concerns(g, grain);
    if (news && g->exchange == CAROM_GRAINS_STATE) {
        carom_grains_state now = state_of(g, grain);
        news = memcmp(&now, &g->sent[grain], sizeof now) != 0; // bits: -0 is news after 0
        g->sent[grain] = now;
    }
    *known = 2 * g->exchanges + news;
    return news;
}

// Before the first exchange of a step ghosts know nothing.
static carom_status begin_exchange(carom_grains *g, carom_error *err)
{
    if (!g->host.refresh)
        return CAROM_OK;
    g->asked_colour = -1;
    g->rim = NULL;
    TAKE(g->scratch, g->sent, g->part->owned, err);
    TAKE_ZEROS(g->scratch, g->news, g->part->count, err);
    for (int i = 0; i < g->part->owned; ++i)
        g->sent[i].travel = NAN;
    return CAROM_OK;
}

static void put(double **out, vec3 v)
{
    vec3_store(v, *out);
    *out += 3;
}

int carom_grains_pack(const carom_grains *grains, int grain, double *out)
{
    const double *start = out;
    if (!grains || !out || !grains->part || grain < 0 || grain >= grains->part->count)
        return 0;
    if (!has_news(grains, grain))
        return 0;
    const carom_contact_sphere_body *body = &grains->system.sphere_bodies[grain];
    switch (grains->exchange) {
    case CAROM_GRAINS_STATE:
        put(&out, body->v);
        put(&out, body->w);
        *out++ = grains->system.travel[grain];
        break;
    case CAROM_GRAINS_REACH:
        *out++ = grains->reach[grain];
        break;
    case CAROM_GRAINS_CHOICE:
        *out++ = grains->hash[grain];
        *out++ = (double)grains->choice[grain];
        for (int k = 0; k < grains->words; ++k)
            *out++ = (double)grains->used[grain * grains->words + k];
        break;
    case CAROM_GRAINS_SHIFT:
        put(&out, grains->shift[grain]);
        break;
    case CAROM_GRAINS_LEVEL:
        *out++ = grains->level[grain];
        break;
    case CAROM_GRAINS_LABEL:
        *out++ = grains->label[grain];
        *out++ = grains->fresh[grain];
        break;
    }
    return (int)(out - start);
}

int carom_grains_unpack(carom_grains *grains, int grain, const double *in)
{
    const double *start = in;
    if (!grains || !in || !grains->part || grain < 0 || grain >= grains->part->count)
        return 0;
    carom_contact_sphere_body *body = &grains->system.sphere_bodies[grain];
    grains->news[grain] = 2 * grains->exchanges + 1;
    switch (grains->exchange) {
    case CAROM_GRAINS_STATE:
        body->v = vec3_from(in);
        body->w = vec3_from(in + 3);
        grains->system.travel[grain] = in[6];
        in += 7;
        break;
    case CAROM_GRAINS_REACH:
        grains->reach[grain] = *in++;
        break;
    case CAROM_GRAINS_CHOICE:
        grains->hash[grain] = *in++;
        grains->choice[grain] = (int64_t)*in++;
        for (int k = 0; k < grains->words; ++k)
            grains->used[grain * grains->words + k] = (uint64_t)*in++;
        break;
    case CAROM_GRAINS_SHIFT:
        grains->shift[grain] = vec3_from(in);
        in += 3;
        break;
    case CAROM_GRAINS_LEVEL:
        grains->level[grain] = *in++;
        break;
    case CAROM_GRAINS_LABEL:
        grains->label[grain] = *in++;
        grains->fresh[grain] = *in++;
        break;
    }
    return (int)(in - start);
}

int carom_grains_pack_list(const carom_grains *grains, const int *list, int count, double *out)
{
    enum { BITS = CAROM_GRAINS_BITS };
    if (!grains || !grains->part || !list || !out)
        return 0;
    int size = (count + BITS - 1) / BITS;
    for (int first = 0; first < count; first += BITS) {
        uint64_t bits = 0;
        int end = first + BITS < count ? first + BITS : count;
        for (int i = first; i < end; ++i) {
            if (list[i] < 0 || list[i] >= grains->part->count || !concerns(grains, list[i]))
                continue;
            int columns = carom_grains_pack(grains, list[i], out + size);
            bits |= (uint64_t)(columns > 0) << (i - first);
            size += columns;
        }
        out[first / BITS] = (double)bits;
    }
    return size;
}

int carom_grains_unpack_list(carom_grains *grains, int first, int count, const double *in)
{
    enum { BITS = CAROM_GRAINS_BITS };
    if (!in)
        return 0;
    int words = (count + BITS - 1) / BITS, size = words;
    for (int k = 0; k < words; ++k)
        for (uint64_t bits = (uint64_t)in[k]; bits; bits &= bits - 1)
            size +=
                carom_grains_unpack(grains, first + BITS * k + __builtin_ctzll(bits), in + size);
    return size;
}

// -- the step -------------------------------------------------------------------------------------

double carom_grains_kinetic(const carom_grains *g, int grain)
{
    const carom_contact_sphere_body *body = &g->system.sphere_bodies[grain];
    double r = g->part->radius[grain], m = g->part->mass[grain];
    return 0.5 * m * (vec3_dot(body->v, body->v) + 0.4 * r * r * vec3_dot(body->w, body->w));
}

double carom_grains_potential(const carom_grains *g, int grain, vec3 place)
{
    return -g->part->mass[grain] * vec3_dot(vec3_from(g->options.gravity), place);
}

// Where a wall is at a time.
static vec3 wall_at(const carom_grains_wall *wall, double time)
{
    double turns = wall->frequency * time, sine_cosine[2];
    carom_trig_degrees(360 * (turns - floor(turns)) + wall->phase, sine_cosine);
    return vec3_axpy(vec3_from(wall->point), sine_cosine[0], vec3_from(wall->amplitude));
}

static void place_walls(carom_grains *g, int64_t step)
{
    for (int k = 0; k < g->wall_count; ++k) {
        const carom_grains_wall *wall = &g->walls[k];
        vec3 now = wall_at(wall, (double)step * g->dt);
        vec3 then = wall_at(wall, (double)(step + 1) * g->dt);
        g->planes[k] = (carom_grains_plane){ now, vec3_unit(vec3_from(wall->normal)),
                                             vec3_scale(1 / g->dt, vec3_sub(then, now)) };
        g->system.sphere_bodies[g->part->count + k] =
            (carom_contact_sphere_body){ .v = g->planes[k].velocity };
    }
}

static carom_status no_number(const carom_grains *g, int grain, carom_error *err)
{
    carom_error_set(err, CAROM_BROKE_PROMISE, "grain %lld has a state that is no number",
                    (long long)g->part->name[grain]);
    return carom_error_fix(err, "look at its neighbours, or use a smaller step");
}

static carom_status load(carom_grains *g, int64_t step, carom_error *err)
{
    const carom_grains_part *part = g->part;
    size_t bodies = (size_t)part->count + (size_t)g->wall_count;
    TAKE(g->scratch, g->system.sphere_bodies, bodies, err);
    TAKE_ZEROS(g->scratch, g->system.travel, bodies, err);
    TAKE(g->scratch, g->before, part->owned, err);
    TAKE(g->scratch, g->energy, part->owned, err);
    TAKE_ZEROS(g->scratch, g->held, part->owned, err);
    for (int i = 0; i < part->count; ++i) {
        double m = part->mass[i], r = part->radius[i];
        if (!(m > 0) || !(r > 0))
            return carom_error_set(err, CAROM_BAD_INPUT, "grain %lld has mass %g and radius %g",
                                   (long long)part->name[i], m, r);
        carom_contact_sphere_body *body = &g->system.sphere_bodies[i];
        *body = (carom_contact_sphere_body){ .inverse_mass = 1 / m,
                                             .inverse_inertia = 1 / (0.4 * m * r * r) };
        if (i >= part->owned)
            continue;
        body->v = vec3_from(part->velocity[i]);
        body->w = vec3_from(part->spin[i]);
        vec3 x = vec3_from(part->position[i]);
        if (!isfinite(vec3_dot(x, x) + vec3_dot(body->v, body->v) + vec3_dot(body->w, body->w)))
            return no_number(g, i, err);
    }
    place_walls(g, step);
    TRY(begin_exchange(g, err));
    carom_grains_refresh(g, CAROM_GRAINS_STATE);
    return CAROM_OK;
}

// No one may pass what was not looked at.
static carom_status check_speeds(const carom_grains *g, carom_error *err)
{
    double most = 0.5 * g->options.skin / g->dt;
    for (int i = 0; i < g->part->owned; ++i) {
        double speed = vec3_length(g->system.sphere_bodies[i].v);
        if (speed <= most)
            continue;
        carom_error_set(err, CAROM_BROKE_PROMISE,
                        "grain %lld goes %g m in a step, more than half of the skin of %g m",
                        (long long)g->part->name[i], speed * g->dt, g->options.skin);
        return carom_error_fix(err, "use a smaller step, or a larger skin");
    }
    return CAROM_OK;
}

static void begin_books(carom_grains *g)
{
    if (g->steps > 0)
        return;
    for (int i = 0; i < g->part->owned; ++i) {
        carom_exact_sum_add(&g->sum[CAROM_GRAINS_START], carom_grains_kinetic(g, i));
        carom_exact_sum_add(&g->sum[CAROM_GRAINS_START],
                            carom_grains_potential(g, i, vec3_from(g->part->position[i])));
    }
}

static carom_status run(carom_grains *g, int64_t step, carom_error *err)
{
    TRY(load(g, step, err));
    TRY(check_speeds(g, err));
    begin_books(g);
    TRY(carom_grains_search(g, err));
    TRY(carom_grains_colour(g, err));
    TRY(carom_grains_impact(g, err));
    TRY(carom_grains_rest(g, err));
    TRY(carom_grains_move(g, err));
    ++g->steps;
    return CAROM_OK;
}

carom_status carom_grains_step(carom_grains *grains, const carom_grains_part *part, int64_t step,
                               double dt, carom_error *err)
{
    NEED(err, grains, part);
    NEED(err, grains->scratch);
    if (part->count > 0)
        NEED(err, part->name, part->position, part->velocity, part->spin, part->radius, part->mass);
    if (!(dt > 0) || !isfinite(dt) || part->owned < 0 || part->count < part->owned || step < 0) {
        carom_error_set(err, CAROM_BAD_INPUT, "step %lld of %g s with %d of %d grains",
                        (long long)step, dt, part->owned, part->count);
        return carom_error_fix(err,
                               "use a step above 0 s, and at most as many owned grains as all");
    }
    grains->part = part;
    grains->dt = dt;
    grains->resting_speed = grains->options.resting_speed;
    if (grains->resting_speed < 0)
        grains->resting_speed = 2 * dt * vec3_length(vec3_from(grains->options.gravity));
    TRY(carom_grains_memory_grow(grains, part->owned, err));
    carom_arena_rewind(grains->scratch, (carom_arena_mark){ 0 });
    carom_status status = run(grains, step, err);
    grains->part = NULL;
    return status;
}

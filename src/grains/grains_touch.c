// Who touches and who impacts in an instant, kept up to date from pass to pass: a pass changes few
// of the grains, and only their contacts are looked at again.
#include "grains/grains.h"

// The contacts of each grain, ghosts too.
static carom_status list_contacts(const carom_grains *g, carom_grains_instant *c, carom_error *err)
{
    int n = g->part->count;
    TAKE_ZEROS(g->scratch, c->start, n + 2, err);
    TAKE(g->scratch, c->list, 2 * (size_t)g->contact_count, err);
    for (int i = 0; i < g->contact_count; ++i) {
        const carom_contact_link *link = &g->system.links[i];
        if (!carom_grains_is_wall(g, link->a))
            ++c->start[link->a + 2];
        ++c->start[link->b + 2];
    }
    for (int i = 0; i < n; ++i)
        c->start[i + 2] += c->start[i + 1];
    for (int i = 0; i < g->contact_count; ++i) { // start[i + 1] runs up to where i's contacts end
        const carom_contact_link *link = &g->system.links[i];
        if (!carom_grains_is_wall(g, link->a))
            c->list[c->start[link->a + 1]++] = i;
        c->list[c->start[link->b + 1]++] = i;
    }
    return CAROM_OK;
}

// Those within the slop touch, and those that close within the step. Each contact is counted by the
// owner of its higher name.
static void look(const carom_grains *g, carom_grains_instant *c, int i)
{
    double u = carom_grains_impact_speed(g, i);
    bool near = g->gap[i] <= g->options.slop || g->gap[i] + g->dt * u < 0;
    bool seed = carom_grains_impact_meets(g, i, u);
    if (g->system.links[i].b < g->part->owned) {
        c->own[0] += near - c->near[i];
        c->own[1] += seed - c->seed[i];
    }
    c->near[i] = near;
    c->seed[i] = seed;
    c->closing[i] = near && u < -g->resting_speed;
    if (c->closing[i] && !c->listed[i]) {
        c->listed[i] = 1;
        c->closers[c->closer_count++] = i;
    }
}

// The fastest approach of an impact; drops those that close no more.
static double fastest_of(const carom_grains *g, carom_grains_instant *c)
{
    double fastest = 0;
    int kept = 0;
    for (int k = 0; k < c->closer_count; ++k) {
        int i = c->closers[k];
        if (c->seed[i])
            fastest = fmax(fastest, -carom_grains_impact_speed(g, i));
        c->listed[i] = c->closing[i];
        if (c->closing[i])
            c->closers[kept++] = i;
    }
    c->closer_count = kept;
    return fastest;
}

static bool agree(const carom_grains *g, carom_grains_instant *c)
{
    c->fastest = fastest_of(g, c);
    carom_grains_max(g, &c->fastest, 1);
    if (!(c->fastest > 0))
        return false;
    int64_t counts[2] = { c->own[0], c->own[1] };
    if (g->host.sum)
        g->host.sum(g->host.client, counts, 2);
    c->near_count = counts[0];
    c->seed_count = counts[1];
    return true;
}

carom_status carom_grains_touch_begin(carom_grains *g, carom_grains_instant *instant, bool *any,
                                      carom_error *err)
{
    carom_grains_instant *c = instant;
    int contacts = g->contact_count;
    TAKE_ZEROS(g->scratch, c->near, contacts, err);
    TAKE_ZEROS(g->scratch, c->seed, contacts, err);
    TAKE(g->scratch, c->closing, contacts, err);
    TAKE_ZEROS(g->scratch, c->listed, contacts, err);
    TAKE(g->scratch, c->closers, contacts, err);
    for (int i = 0; i < contacts; ++i)
        look(g, c, i);
    *any = agree(g, c);
    return *any ? list_contacts(g, c, err) : CAROM_OK;
}

bool carom_grains_touch_again(carom_grains *g, carom_grains_instant *instant)
{
    carom_grains_instant *c = instant;
    int ghosts = g->part->count - g->part->owned; // a ghost may have moved that is no member here
    for (int k = 0; k < c->member_count + ghosts; ++k) {
        int grain = k < c->member_count ? c->members[k] : g->part->owned + k - c->member_count;
        for (int n = c->start[grain]; n < c->start[grain + 1]; ++n)
            look(g, c, c->list[n]);
    }
    return agree(g, c);
}

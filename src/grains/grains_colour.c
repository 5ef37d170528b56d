// Colours of contacts: no two of a colour share a grain, and every rank finds the same ones.
//
// Jones and Plassmann 1993: each contact has a hash of its two names; it takes the lowest colour
// that is free at both its grains when its hash is the highest of all uncoloured contacts there.
// The owner of a grain knows all its contacts, and tells ghosts, once per round, which of them is
// next and which colours are in use. The result is that of the greedy order by falling hashes,
// whatever the ranks.
#include "grains/grains.h"

enum { BITS = 52 }; // of a word: a double carries it exactly

typedef struct colouring {
    carom_grains *g;
    int *start, *list;     // pairs of owned grain i: list[start[i] ... start[i + 1])
    int *colour;           // per pair; -1: none yet
    double *hash;          // per pair
    int *next;             // per owned grain: place in `list` of its next pair without a colour
    int *live, live_count; // owned grains with uncoloured pairs
} colouring;

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u; // the finish of splitmix64 (Steele et al. 2014)
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static double hash_of(const carom_grains *g, const carom_grains_pair *pair)
{
    uint64_t low = (uint64_t)carom_grains_name(g, pair->a),
             high = (uint64_t)carom_grains_name(g, pair->b);
    return (double)(mix(mix(low) + high) >> (64 - BITS));
}

static bool owned(const carom_grains *g, int body)
{
    return body < g->part->owned;
}

// The pairs of every owned grain. Returns the most of one.
static int list_pairs(colouring *c)
{
    const carom_grains *g = c->g;
    int most = 0, n = g->part->owned;
    for (int i = 0; i < g->pair_count; ++i) {
        if (owned(g, g->pairs[i].a))
            ++c->start[g->pairs[i].a + 1];
        if (owned(g, g->pairs[i].b))
            ++c->start[g->pairs[i].b + 1];
    }
    for (int i = 0; i < n; ++i) {
        most = c->start[i + 1] > most ? c->start[i + 1] : most;
        c->start[i + 1] += c->start[i];
        c->next[i] = c->start[i];
    }
    for (int i = 0; i < g->pair_count; ++i) {
        if (owned(g, g->pairs[i].a))
            c->list[c->next[g->pairs[i].a]++] = i;
        if (owned(g, g->pairs[i].b))
            c->list[c->next[g->pairs[i].b]++] = i;
    }
    return most;
}

static bool before(const colouring *c, int i, int j)
{
    const carom_grains *g = c->g;
    if (c->hash[i] != c->hash[j])
        return c->hash[i] > c->hash[j];
    const carom_grains_pair *p = &g->pairs[i], *q = &g->pairs[j];
    int64_t a = carom_grains_name(g, p->a), b = carom_grains_name(g, q->a);
    return a != b ? a > b : carom_grains_name(g, p->b) > carom_grains_name(g, q->b);
}

// The pairs of every owned grain by falling hash.
static void sort_pairs(colouring *c)
{
    for (int i = 0; i < c->g->part->owned; ++i)
        for (int n = c->start[i] + 1; n < c->start[i + 1]; ++n) {
            int pair = c->list[n], m = n;
            for (; m > c->start[i] && before(c, pair, c->list[m - 1]); --m)
                c->list[m] = c->list[m - 1];
            c->list[m] = pair;
        }
}

// What each live grain wants next.
static void choose(colouring *c)
{
    carom_grains *g = c->g;
    int live = 0;
    for (int k = 0; k < c->live_count; ++k) {
        int i = c->live[k], n = c->next[i];
        while (n < c->start[i + 1] && c->colour[c->list[n]] >= 0)
            ++n;
        c->next[i] = n;
        g->hash[i] = -1;
        if (n == c->start[i + 1])
            continue;
        const carom_grains_pair *pair = &g->pairs[c->list[n]];
        g->hash[i] = c->hash[c->list[n]];
        g->choice[i] = carom_grains_name(g, pair->a == i ? pair->b : pair->a);
        c->live[live++] = i;
    }
    c->live_count = live;
}

static bool wanted_by(const colouring *c, int pair, int body, int other)
{
    const carom_grains *g = c->g;
    return carom_grains_is_wall(g, body) ||
           (g->hash[body] == c->hash[pair] && g->choice[body] == carom_grains_name(g, other));
}

static int lowest_free(const carom_grains *g, int a, int b)
{
    const uint64_t all = ((uint64_t)1 << BITS) - 1;
    for (int k = 0; k < g->words; ++k) {
        uint64_t used = g->used[b * g->words + k];
        if (!carom_grains_is_wall(g, a))
            used |= g->used[a * g->words + k];
        if (used != all)
            return BITS * k + __builtin_ctzll(~used);
    }
    return -1; // cannot be: there are more colours than a contact has neighbours
}

static void use(carom_grains *g, int body, int colour)
{
    if (owned(g, body))
        g->used[body * g->words + colour / BITS] |= (uint64_t)1 << colour % BITS;
}

bool carom_grains_colour_has(const carom_grains *g, int grain, int colour)
{
    return g->used[grain * g->words + colour / BITS] >> colour % BITS & 1;
}

// Colours what both ends want. The contacts of a round share no grain. Returns whether there were
// any.
static bool settle(colouring *c)
{
    carom_grains *g = c->g;
    bool any = false;
    for (int k = 0; k < c->live_count; ++k) {
        int i = c->list[c->next[c->live[k]]];
        const carom_grains_pair *pair = &g->pairs[i];
        if (c->colour[i] >= 0 || !wanted_by(c, i, pair->a, pair->b) ||
            !wanted_by(c, i, pair->b, pair->a))
            continue;
        c->colour[i] = lowest_free(g, pair->a, pair->b);
        use(g, pair->a, c->colour[i]);
        use(g, pair->b, c->colour[i]);
        any = true;
    }
    return any;
}

static carom_status begin(colouring *c, carom_error *err)
{
    carom_grains *g = c->g;
    size_t n = (size_t)g->part->count, own = (size_t)g->part->owned;
    TAKE_ZEROS(g->scratch, c->start, own + 1, err);
    TAKE(g->scratch, c->list, 2 * (size_t)g->pair_count, err);
    TAKE(g->scratch, c->colour, g->pair_count, err);
    TAKE(g->scratch, c->hash, g->pair_count, err);
    TAKE(g->scratch, c->next, own, err);
    TAKE(g->scratch, c->live, own, err);
    TAKE(g->scratch, g->hash, n, err);
    TAKE_ZEROS(g->scratch, g->choice, n, err);
    double most = list_pairs(c);
    carom_grains_max(g, &most, 1);
    g->words = (int)(2 * most) / BITS + 1;
    TAKE_ZEROS(g->scratch, g->used, n * (size_t)g->words, err);
    for (int i = 0; i < g->pair_count; ++i) {
        c->colour[i] = -1;
        c->hash[i] = hash_of(g, &g->pairs[i]);
    }
    for (int i = 0; i < g->part->owned; ++i) {
        c->live[i] = i;
        c->next[i] = c->start[i];
    }
    sort_pairs(c);
    c->live_count = g->part->owned;
    return CAROM_OK;
}

// -- contacts from pairs --------------------------------------------------------------------------

static void make_contact(carom_grains *g, int i, const carom_grains_pair *pair)
{
    carom_contact_system *s = &g->system;
    const carom_contact_sphere_body *a = &s->sphere_bodies[pair->a],
                                    *b = &s->sphere_bodies[pair->b];
    const carom_grains_surface *surface = carom_grains_surface_of(g, pair->a);
    bool wall = carom_grains_is_wall(g, pair->a);
    // the contact lies in the middle of the gap: the two arms make up the distance of the centres
    double arm_a = wall ? 0 : g->part->radius[pair->a] + 0.5 * pair->gap;
    double arm_b = g->part->radius[pair->b] + (wall ? 0 : 0.5 * pair->gap);
    double mass = a->inverse_mass + b->inverse_mass;
    double turn = arm_a * arm_a * a->inverse_inertia + arm_b * arm_b * b->inverse_inertia;
    s->links[i] = (carom_contact_link){ pair->a, pair->b, -1 };
    s->sphere_contacts[i] = (carom_contact_sphere_record){ .n = pair->n,
                                                           .arm_a = arm_a,
                                                           .arm_b = arm_b,
                                                           .normal_mass = 1 / mass,
                                                           .tangent_mass = 1 / (mass + turn),
                                                           .friction = surface->friction };
    s->made[i] = 1;
    if (s->rolling)
        s->rolling[i] = (carom_contact_rolling){ .length = surface->rolling };
    g->gap[i] = pair->gap;
}

static bool resists_rolling(const carom_grains *g)
{
    bool any = g->options.surface.rolling > 0;
    for (int k = 0; k < g->wall_count; ++k)
        any = any || g->walls[k].surface.rolling > 0;
    return any;
}

static carom_status make_contacts(colouring *c, carom_error *err)
{
    carom_grains *g = c->g;
    int own = 0, *next;
    for (int i = 0; i < g->pair_count; ++i)
        own = c->colour[i] >= own ? c->colour[i] + 1 : own;
    double most = own;
    carom_grains_max(g, &most, 1);
    g->colour_count = (int)most;
    g->contact_count = g->pair_count;
    TAKE_ZEROS(g->scratch, g->first, g->colour_count + 1, err);
    TAKE(g->scratch, next, g->colour_count + 1, err);
    for (int i = 0; i < g->pair_count; ++i)
        ++g->first[c->colour[i] + 1];
    for (int k = 0; k < g->colour_count; ++k) {
        g->first[k + 1] += g->first[k];
        next[k] = g->first[k];
    }
    g->system.rolling = NULL;
    TAKE(g->scratch, g->gap, g->pair_count, err);
    TAKE(g->scratch, g->system.links, g->pair_count, err);
    TAKE(g->scratch, g->system.sphere_contacts, g->pair_count, err);
    TAKE(g->scratch, g->system.made, g->pair_count, err);
    if (resists_rolling(g))
        TAKE(g->scratch, g->system.rolling, g->pair_count, err);
    for (int i = 0; i < g->pair_count; ++i)
        make_contact(g, next[c->colour[i]]++, &g->pairs[i]);
    return CAROM_OK;
}

carom_status carom_grains_colour(carom_grains *g, carom_error *err)
{
    colouring c = { .g = g };
    double left_and_done[2] = { 0, 1 };
    TRY(begin(&c, err));
    for (;;) {
        choose(&c);
        left_and_done[0] = c.live_count > 0;
        carom_grains_max(g, left_and_done, 2);
        if (left_and_done[0] == 0)
            break;
        if (left_and_done[1] == 0) { // the highest hash of all has a colour after each round
            carom_error_set(err, CAROM_BAD_INPUT, "contacts of grains cannot be coloured");
            return carom_error_fix(err, "look for two grains with the same name");
        }
        carom_grains_refresh(g, CAROM_GRAINS_CHOICE);
        left_and_done[1] = settle(&c);
    }
    return make_contacts(&c, err);
}

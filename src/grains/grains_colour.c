// Colours of contacts: no two of a colour share a grain, and every rank finds the same ones.
//
// Jones and Plassmann 1993: each contact has a hash of its two names; it takes the lowest colour
// that is free at both its grains when its hash is the highest of all uncoloured contacts there.
// The result is that of the greedy order by falling hashes, whatever the ranks and whenever a
// contact is looked at. So a rank colours all it can by itself, along chains of its own grains, and
// asks others for what is left: the owner of a grain knows all its contacts, and tells ghosts, once
// per round, which of them is next and which colours are in use. A contact across ranks takes its
// colour on both in the same round.
#include "grains/grains.h"

enum { BITS = CAROM_GRAINS_BITS };

typedef struct colouring {
    carom_grains *g;
    int *start, *list; // pairs of owned grain i by falling hash: list[start[i] ... start[i + 1])
    int *colour;       // per pair; -1: none yet
    double *hash;      // per pair
    int *next;         // per owned grain: place in `list` of its next pair without a colour
    int *ready, ready_count;   // owned grains whose next pair may be settled
    int *across, across_count; // pairs with a ghost that have no colour
    int left;                  // pairs without a colour
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

// The next pair of an owned grain; -1: all have colours.
static int next_of(colouring *c, int grain)
{
    int n = c->next[grain], end = c->start[grain + 1];
    while (n < end && c->colour[c->list[n]] >= 0)
        ++n;
    c->next[grain] = n;
    return n < end ? c->list[n] : -1;
}

// What the owned ends of pairs across ranks want next.
static void tell(colouring *c)
{
    carom_grains *g = c->g;
    for (int k = 0; k < c->across_count; ++k) {
        const carom_grains_pair *ends = &g->pairs[c->across[k]];
        int grain = owned(g, ends->a) ? ends->a : ends->b, wants = next_of(c, grain);
        const carom_grains_pair *pair = &g->pairs[wants];
        g->hash[grain] = c->hash[wants];
        g->choice[grain] = carom_grains_name(g, pair->a == grain ? pair->b : pair->a);
    }
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

// The owned ends may go on to what is next.
static void settle(colouring *c, int pair)
{
    carom_grains *g = c->g;
    int a = g->pairs[pair].a, b = g->pairs[pair].b;
    c->colour[pair] = lowest_free(g, a, b);
    use(g, a, c->colour[pair]);
    use(g, b, c->colour[pair]);
    --c->left;
    if (owned(g, a))
        c->ready[c->ready_count++] = a;
    if (owned(g, b))
        c->ready[c->ready_count++] = b;
}

// All that can be settled without the others.
static void settle_own(colouring *c)
{
    const carom_grains *g = c->g;
    while (c->ready_count > 0) {
        int grain = c->ready[--c->ready_count], pair = next_of(c, grain);
        if (pair < 0)
            continue;
        int a = g->pairs[pair].a, other = a == grain ? g->pairs[pair].b : a;
        if (carom_grains_is_wall(g, other) || (owned(g, other) && next_of(c, other) == pair))
            settle(c, pair);
    }
}

// Settles what both ends have told that they want: pairs of a round share no grain. Returns whether
// there were any.
static bool settle_across(colouring *c)
{
    int kept = 0, count = c->across_count;
    for (int k = 0; k < count; ++k) {
        int i = c->across[k];
        const carom_grains_pair *pair = &c->g->pairs[i];
        if (wanted_by(c, i, pair->a, pair->b) && wanted_by(c, i, pair->b, pair->a))
            settle(c, i);
        else
            c->across[kept++] = i;
    }
    c->across_count = kept;
    return kept < count;
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
    TAKE(g->scratch, c->ready, own + (size_t)g->pair_count, err);
    TAKE(g->scratch, c->across, g->pair_count, err);
    TAKE_ZEROS(g->scratch, g->hash, n, err);
    TAKE_ZEROS(g->scratch, g->choice, n, err);
    double most = list_pairs(c);
    carom_grains_max(g, &most, 1);
    g->words = (int)(2 * most) / BITS + 1;
    TAKE_ZEROS(g->scratch, g->used, n * (size_t)g->words, err);
    for (int i = 0; i < g->pair_count; ++i) {
        c->colour[i] = -1;
        c->hash[i] = hash_of(g, &g->pairs[i]);
        if (carom_grains_across(g, g->pairs[i].a, g->pairs[i].b))
            c->across[c->across_count++] = i;
    }
    for (int i = 0; i < g->part->owned; ++i) {
        c->ready[c->ready_count++] = i;
        c->next[i] = c->start[i];
    }
    sort_pairs(c);
    c->left = g->pair_count;
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

// Colours of the contacts that owned grains have with ghosts.
static carom_status find_rim(colouring *c, carom_error *err)
{
    carom_grains *g = c->g;
    uint64_t *rim;
    if (!g->host.refresh)
        return CAROM_OK;
    TAKE_ZEROS(g->scratch, rim, (size_t)g->part->owned * (size_t)g->words, err);
    for (int i = 0; i < g->pair_count; ++i) {
        const carom_grains_pair *pair = &g->pairs[i];
        int grain = owned(g, pair->a) ? pair->a : pair->b;
        if (carom_grains_across(g, pair->a, pair->b))
            rim[grain * g->words + c->colour[i] / BITS] |= (uint64_t)1 << c->colour[i] % BITS;
    }
    g->rim = rim;
    return CAROM_OK;
}

static carom_status make_contacts(colouring *c, carom_error *err)
{
    carom_grains *g = c->g;
    int own = 0, *next;
    TRY(find_rim(c, err));
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
        settle_own(&c);
        left_and_done[0] = c.left > 0;
        carom_grains_max(g, left_and_done, 2);
        if (left_and_done[0] == 0)
            break;
        if (left_and_done[1] == 0) { // the highest hash of all has a colour after each round
            carom_error_set(err, CAROM_BAD_INPUT, "contacts of grains cannot be coloured");
            return carom_error_fix(err, "look for two grains with the same name");
        }
        tell(&c);
        carom_grains_refresh(g, CAROM_GRAINS_CHOICE);
        left_and_done[1] = settle_across(&c);
    }
    return make_contacts(&c, err);
}

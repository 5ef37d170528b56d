// Inside of the solver for grains over many ranks: grains.c has the step, grains_search.c finds
// contacts, grains_colour.c colours them, grains_impact.c and grains_rest.c relax them,
// grains_touch.c, grains_reach.c and grains_island.c ask an impact law instead, grains_move.c
// moves, grains_memory.c keeps impulses from step to step, grains_books.c the ledger.
//
// Bodies of a step: all grains of this process by their places, ghosts behind the owned ones, then
// walls. Contacts: those of at least one owned grain, sorted by colour.
#ifndef CAROM_GRAINS_GRAINS_H
#define CAROM_GRAINS_GRAINS_H

#include "base/arena.h"
#include "base/exact_sum.h"
#include "carom/grains.h"
#include "carom/impact.h"
#include "contact/contact.h"

enum { CAROM_GRAINS_WALLS = 64 };
enum { CAROM_GRAINS_BITS = 52 }; // of a word: a double carries it exactly

// A wall in this step.
typedef struct carom_grains_plane {
    vec3 point, normal, velocity; // the mean velocity of the step: where it ends is exact
} carom_grains_plane;

// Two grains closer than the skin, or a grain and a wall. The lower name is a; walls are lower than
// grains.
typedef struct carom_grains_pair {
    int a, b; // bodies
    double gap;
    vec3 n;
} carom_grains_pair;

// What is remembered of a contact.
typedef struct carom_grains_trace {
    int64_t partner; // name; -1 - wall
    vec3 impulse;    // N s, on the higher name
    vec3 rolling;    // N m s
} carom_grains_trace;

// What ghosts know of a grain.
typedef struct carom_grains_state {
    double velocity[3], spin[3], travel;
} carom_grains_state;

// What ghosts get now.
typedef enum carom_grains_exchange {
    CAROM_GRAINS_STATE,  // velocity, spin, travel
    CAROM_GRAINS_REACH,  // fastest neighbour
    CAROM_GRAINS_CHOICE, // best uncoloured contact, colours in use
    CAROM_GRAINS_SHIFT,  // displacement
    CAROM_GRAINS_LEVEL,  // how far an impact spreads from here
    CAROM_GRAINS_LABEL,  // island, and whether it is new
} carom_grains_exchange;

// Sums of the books; each a carom_exact_sum.
typedef enum carom_grains_entry {
    CAROM_GRAINS_START,
    CAROM_GRAINS_LAW,
    CAROM_GRAINS_RESTING,
    CAROM_GRAINS_DRIVEN,
    CAROM_GRAINS_FORCES,
    CAROM_GRAINS_CORRECTION,
    CAROM_GRAINS_ENTRIES
} carom_grains_entry;

// Impacts of a step that a law answers island by island, pass by pass.
typedef struct carom_grains_instant {
    int *start, *list; // contacts of grain i: list[start[i] ... start[i + 1])
    // Of a contact: it touches or will within the step; it impacts, too; it touches and closes
    unsigned char *near, *seed, *closing, *listed;
    int *closers, closer_count;     // contacts that close; `listed`: those in the list
    int own[2];                     // near and seeds of this rank
    int64_t near_count, seed_count; // over all ranks
    double fastest;                 // m/s, approach of a seed, over all ranks
    // a pass
    unsigned char *joined, *asked, *waiting; // of a grain: all its contacts take part; a law has
    int *joiners, joiner_count;              // seen them; its neighbours are still to be told
    int *queue, queue_begin, queue_end;      // those that wait, a ring
    unsigned char *member;                   // grains of contacts that take part
    int *members, member_count;
    vec3 *velocity, *spin; // of members and ghosts, before
    int *parent;           // of a member: a root of its island on this rank
    unsigned char *in;     // contacts that go to the law
    int *chosen, chosen_count, own_chosen;
    int64_t in_count; // over all ranks
    // per contact, by the owner of its higher name: the law pushed; J, what a wall brought
    unsigned char *struck;
    double *work;
} carom_grains_instant;

struct carom_grains {
    carom_grains_options options;
    carom_grains_host host; // functions null: alone
    carom_grains_wall walls[CAROM_GRAINS_WALLS];
    int wall_count;
    carom_arena *scratch;
    carom_workspace *workspace; // of the law of islands; null without one

    // a step
    const carom_grains_part *part;
    double dt, resting_speed;
    double near; // m: pairs farther apart cannot touch in this step
    carom_grains_plane planes[CAROM_GRAINS_WALLS];
    carom_contact_system system; // sphere_bodies, sphere_contacts, links, travel, rolling
    vec3 *before;                // m/s, of owned grains, before gravity
    double *energy;              // J, of owned grains, before gravity
    unsigned char *held;         // owned grains that resting contact holds
    double *reach;               // m/s per grain: fastest against a neighbour
    vec3 *shift;                 // m per grain, of position correction
    double *level;               // per grain: 1 + layers around it that an impact reaches; 0: none
    double *label, *fresh;       // per grain: lowest name of its island; 1: to be resolved
    int contact_count, colour_count;
    double *gap; // per contact
    int *first;  // contacts of colour c: [first[c], first[c + 1])
    // colouring
    carom_grains_exchange exchange;
    double *hash;    // per grain: of its best contact that has no colour
    int64_t *choice; // and that contact's other end
    uint64_t *used;  // per grain `words` words of colours in use, 52 bits each
    int words;
    uint64_t *rim; // the same per owned grain, of its contacts with ghosts; null: not known yet

    // exchange of states: what owned grains have sent last, and per grain twice the number of the
    // exchange, plus 1 where it had news in it
    carom_grains_state *sent;
    int64_t *news;
    int asked_colour; // ghosts at contacts of this colour are refreshed; -1: all that have contacts

    // lists that grow
    carom_grains_pair *pairs;
    int pair_count, pair_room;

    // memory: `memory_width` traces per grain
    carom_grains_trace *memory;
    int *memory_count;
    int memory_room, memory_width;

    // books
    carom_exact_sum sum[CAROM_GRAINS_ENTRIES];
    double overlap, peak_overlap;
    int64_t steps, impacts, contacts, impact_sweeps, rest_sweeps, capped, asked, exchanges;
};

// Where a body's name stands in the order.
static inline int64_t carom_grains_name(const carom_grains *g, int body)
{
    return body < g->part->count ? g->part->name[body] : -1 - (int64_t)(body - g->part->count);
}

static inline bool carom_grains_is_wall(const carom_grains *g, int body)
{
    return body >= g->part->count;
}

// Whether one of two grains is a ghost: contacts that two ranks relax.
static inline bool carom_grains_across(const carom_grains *g, int a, int b)
{
    int owned = g->part->owned;
    return (a >= owned && !carom_grains_is_wall(g, a)) || b >= owned;
}

// Whether an owned grain has a contact of this colour with a ghost; -1: of any colour.
static inline bool carom_grains_rim_has(const carom_grains *g, int grain, int colour)
{
    const uint64_t *rim = g->rim + (size_t)grain * (size_t)g->words;
    if (colour >= 0)
        return rim[colour / CAROM_GRAINS_BITS] >> colour % CAROM_GRAINS_BITS & 1;
    uint64_t any = 0;
    for (int k = 0; k < g->words; ++k)
        any |= rim[k];
    return any != 0;
}

static inline const carom_grains_surface *carom_grains_surface_of(const carom_grains *g, int a)
{
    return carom_grains_is_wall(g, a) ? &g->walls[a - g->part->count].surface : &g->options.surface;
}

// Ghosts get what `what` says from their owners; when contacts are known, those that have one.
void carom_grains_refresh(carom_grains *g, carom_grains_exchange what);
// The same for ghosts at contacts of this colour, before these are relaxed. The others stay behind.
void carom_grains_refresh_colour(carom_grains *g, carom_grains_exchange what, int colour);
// The largest of all ranks, each value.
void carom_grains_max(const carom_grains *g, double *values, int count);
// Kinetic energy of a body, J.
double carom_grains_kinetic(const carom_grains *g, int grain);
// Potential energy at a place, J.
double carom_grains_potential(const carom_grains *g, int grain, vec3 place);

// Contacts of the step, without colours; fills `pairs`.
carom_status carom_grains_search(carom_grains *g, carom_error *err);
// Colours pairs and makes the records of contacts from them, colour by colour.
carom_status carom_grains_colour(carom_grains *g, carom_error *err);
// Impacts: velocities after them.
carom_status carom_grains_impact(carom_grains *g, carom_error *err);
// Normal speed of a contact, m/s; whether it is an impact at that speed; its restitution there.
double carom_grains_impact_speed(const carom_grains *g, int contact);
bool carom_grains_impact_meets(const carom_grains *g, int contact, double u);
double carom_grains_impact_restitution(const carom_grains *g, int contact, double u);
// Finds what touches and impacts now. `any` becomes false where nothing impacts on any rank.
carom_status carom_grains_touch_begin(carom_grains *g, carom_grains_instant *instant, bool *any,
                                      carom_error *err);
// The same after a pass; false: nothing impacts on any rank.
bool carom_grains_touch_again(carom_grains *g, carom_grains_instant *instant);
// Memory for passes; the end of one: nobody takes part.
carom_status carom_grains_reach_begin(carom_grains *g, carom_grains_instant *instant,
                                      carom_error *err);
void carom_grains_reach_end(carom_grains *g, carom_grains_instant *instant);
// Chooses contacts and islands for round 0, 1, ... of asking the law; false: there is no more to
// ask.
bool carom_grains_reach_next(carom_grains *g, carom_grains_instant *instant, int round);
// Asks the law about all islands that are to be resolved; velocities become those after.
carom_status carom_grains_island_resolve(carom_grains *g, const carom_grains_instant *instant,
                                         carom_error *err);
// Gravity and resting contact.
carom_status carom_grains_rest(carom_grains *g, carom_error *err);
// Positions at the end of the step.
carom_status carom_grains_move(carom_grains *g, carom_error *err);

// The trace of a contact at an owned end; null: none.
const carom_grains_trace *carom_grains_memory_find(const carom_grains *g, int a, int b);
// Forgets all contacts of owned grains, then takes new ones.
void carom_grains_memory_begin(carom_grains *g);
carom_status carom_grains_memory_add(carom_grains *g, int a, int b, vec3 impulse, vec3 rolling,
                                     carom_error *err);

#endif

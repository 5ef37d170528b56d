// What the parts of a list of pairs know of each other (pair_list.h): the list itself, and one
// call.
#ifndef CAROM_COLLIDE_PAIR_LOOK_H
#define CAROM_COLLIDE_PAIR_LOOK_H

#include "base/team.h"
#include "collide/broad.h"
#include "collide/pair_list.h"

// What an entry of the list pairs: bits above the first body's number.
#define CAROM_WITH_BOX UINT32_C(0x80000000)
#define CAROM_WITH_PLANE UINT32_C(0x40000000)
#define CAROM_PAIR_NUMBER UINT32_C(0x3fffffff)

// What the walk along the pairs reads of a body: centre from the list's origin, and the radius of a
// sphere about it, both as in carom_grid_entry.
typedef struct carom_pair_ball {
    float centre[3], radius;
} carom_pair_ball;

// Pairs in order; what each pairs is in the upper bits of its first number.
typedef struct carom_pair_run {
    carom_body_pair *pair;
    size_t room;
} carom_pair_run;

struct carom_pair_list {
    carom_broad *broad;
    int64_t searches;
    uint32_t call;  // number of this one
    bool looked;    // the broad phase has the bounds of an earlier call, with nobody absent
    int count;      // bodies then
    bool kept_any;  // its pairs are kept: it was with skins
    int age;        // calls since the last search, that one included
    int pause;      // calls to come that search without a look at the motion
    int next_pause; // how many it will be when skins next turn out not to be worth it
    vec3 origin;    // middle of the bodies at the search
    double extent;  // m, from there
    // The pairs that were near when both bodies had last been placed, in blocks that each keep
    // their part of the order; `other` takes the next ones.
    carom_pair_run kept, other;
    int block_count, block_begin[CAROM_TEAM_BLOCKS], block_size[CAROM_TEAM_BLOCKS];
    carom_body_pair block_bound[CAROM_TEAM_BLOCKS]; // no pair of the block comes before it
    carom_body_pair *near;                          // of those: now
    size_t near_room;
    carom_pair_ball *ball; // per body, now
    float (*half)[3];      // likewise, half extents of the bounds, but of spheres
    float *skin;           // per body, m, since it was last placed
    uint32_t *since;       // per body: the call in which it was
    int32_t *left;         // who has left the skin, in this call
    size_t body_room;
    carom_half_space *then, *now; // per plane: when it was placed, with its skin; now, without
    size_t plane_room;
};

// One call.
typedef struct carom_pair_look {
    carom_pair_list *list;
    const carom_collide_bodies *bodies;
    const carom_grid *grid;
    vec3 drift;    // m, that bodies have in common since the search
    double radius; // m, in the mean
    double usual;  // m, of its skin that a body uses up in a call, in the mean
    bool alike;    // nobody is another body, or nowhere
    int left_count;
    int found[CAROM_TEAM_BLOCKS]; // by blocks: bodies that have left, pairs that are near
} carom_pair_look;

// pair_skin.c: how far bodies have gone, who has left the skin, and how wide skins are to be.
void carom_pair_look_examine(carom_pair_look *l);
// Skins for a search now; false where they would be left too soon.
bool carom_pair_look_choose(carom_pair_look *l);
// Of a body that is placed anew.
double carom_pair_look_skin(const carom_pair_look *l, int body);
// pair_follow.c: places those who have left anew, with their pairs; false where a search is due.
carom_status carom_pair_look_follow(carom_pair_look *l, bool *done, carom_error *err);
// The broad phase's pairs become the kept ones.
carom_status carom_pair_look_keep(carom_pair_look *l, const carom_body_pair *pair, int count,
                                  carom_error *err);
// pair_near.c: which of the kept pairs are near.
int carom_pair_look_near(carom_pair_look *l);

static inline bool carom_pair_look_plane(const carom_pair_look *l, int body)
{
    return l->grid->loose[body].level == CAROM_GRID_NO_LEVEL;
}

#endif

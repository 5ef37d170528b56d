// Pairs that live for several calls: the broad phase is asked with bounds that are wider than they
// need be, and only asked again when something has left its own [Verlet 1967].
//
// A body's bounds at the search have a skin about them. As long as its present bounds, taken back
// by the drift that all bodies have in common, lie within them, every pair that is near now was
// near then: going through the pairs of the search finds them all. What comes out is what the broad
// phase itself would say, in the same order, up to pairs at the last digit of single precision; so
// contacts do not depend on when the last search was.
//
// How wide a skin is follows from how fast the last one was used up: it should last for some calls
// and not make many pairs more. Where bodies are too fast for that, each call searches, without.
#ifndef CAROM_COLLIDE_PAIR_LIST_H
#define CAROM_COLLIDE_PAIR_LIST_H

#include "collide/collide.h"

typedef struct carom_pair_list carom_pair_list;

carom_status carom_pair_list_create(carom_pair_list **out, carom_error *err);
void carom_pair_list_destroy(carom_pair_list *list);
// As carom_broad_find: sorted by (a, b), valid until the next call; the caller may shrink it in
// place.
carom_status carom_pair_list_find(carom_pair_list *list, const carom_collide_bodies *bodies,
                                  carom_body_pair **pairs, int *count, carom_error *err);
// How many calls have searched.
int64_t carom_pair_list_searches(const carom_pair_list *list);
size_t carom_pair_list_bytes(const carom_pair_list *list);

#endif

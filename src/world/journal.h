// What happened at contacts, for whoever watches: viewers, recordings, reports of a run.
#ifndef CAROM_WORLD_JOURNAL_H
#define CAROM_WORLD_JOURNAL_H

#include <stdbool.h>
#include "carom/impact.h"
#include "carom/world.h"
#include "math/vec.h"

struct carom_candidate;
struct carom_step;

typedef struct carom_journal {
    carom_world_contact *list; // impacts since the last clear, then the last interval's resting
                               // contacts
    int count, impacts, capacity;
    int kept; // impacts when the step began: a failed step goes back to these
    carom_audit audit, kept_audit;
    int watching;
} carom_journal;

void carom_journal_begin(carom_world *world);
// A step that failed leaves no trace.
void carom_journal_undo(carom_world *world);
// How an impact went, noted always; `largest` is its largest normal impulse (N s).
void carom_journal_judge(carom_world *world, const carom_impact_report *report, double largest);
// Keeps the worse of two overlaps (shares of the thinner body); of equal ones that of the lower
// numbers, whoever comes first.
void carom_journal_overlap(carom_audit *audit, double share, int a, int b);
// Whether anybody wants to know of single contacts.
bool carom_journal_listens(const carom_world *world);
// The impulse on body b at one contact of an impact; `before`: its relative velocity before.
void carom_journal_impact(carom_world *world, const struct carom_candidate *candidate, vec3 impulse,
                          vec3 before);
// The contacts that the resting solver pressed in this interval.
void carom_journal_rest(const struct carom_step *step);
// Room for one more, or null.
carom_world_contact *carom_journal_next(carom_journal *journal);
void carom_journal_free(carom_journal *journal);

#endif

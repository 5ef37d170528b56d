// Contacts four at a time, for islands that are swept many times.
//
// A group is four pairs of bodies, a lane each, that share no movable body. The points of a pair
// are its rows: row j of a group holds the j-th point of each of its pairs. A pair goes into a
// group behind all those in which one of its bodies has been before; so every body meets its
// contacts in the same order as in a sweep contact by contact, and the result is the same to the
// bit (but for the sign of a zero, and for the sum that conjugate directions go by). The groups
// follow from the order of the contacts alone, which is that of the bodies' numbers: neither the
// number of threads nor the width of the registers shows.
//
//     contact_wide_order.c    which pairs go together
//     contact_wide.c          records into lanes and back, the sweep
//     contact_wide_sphere.c   the same for spheres
#ifndef CAROM_CONTACT_CONTACT_WIDE_H
#define CAROM_CONTACT_CONTACT_WIDE_H

#include "base/arena.h"
#include "contact/contact.h"
#include "math/lanes.h"

// Contacts from which an island goes into lanes, sweeps after which it does, and how many must be
// left: the way there and back costs about as much as two sweeps.
enum { CAROM_CONTACT_WIDE_MIN = 64, CAROM_CONTACT_WIDE_AFTER = 2, CAROM_CONTACT_WIDE_SWEEPS = 6 };

// What a sweep reads of one point of each pair: 104 bytes per contact. An empty lane has zeros.
typedef struct carom_contact_wide_row {
    lanes3 n, point, normal_column;
    lanes normal_mass, tangent_mass, target, friction;
} carom_contact_wide_row;

typedef struct carom_contact_wide_group {
    int a[LANES], b[LANES]; // bodies; an empty lane has those of the first
    int first, count;       // rows
    bool writes_a[LANES], writes_b[LANES];
} carom_contact_wide_group;

// Room for all contacts of a system. A range takes the groups and rows from half of its first
// contact to half of its end: where lanes would be less than half full, it stays as it is.
struct carom_contact_wide {
    carom_contact_wide_group *groups;
    carom_contact_wide_row *rows;
    lanes3 *impulse, *last, *direction; // per row, as in carom_contact_system
    int (*contact)[LANES];              // per row: the number of the contact; below 0: none
    int *place;                         // per contact, of the first of a pair: LANES group + lane
    int *turn; // per body: the first group of its range that it may go into
};

// Room for so many contacts and bodies.
carom_status carom_contact_wide_take(carom_arena *arena, int contacts, int bodies,
                                     carom_contact_wide **out, carom_error *err);
// contact_wide_order.c: groups that are not full, the oldest first.
enum { CAROM_CONTACT_WIDE_OPEN = 16 };
typedef struct carom_contact_wide_list {
    int group[CAROM_CONTACT_WIDE_OPEN], count;
} carom_contact_wide_list;
// The place in the list of a group for a pair that may go into `from` and later ones: a new one,
// the last of `total`, where there is none; the oldest makes room.
int carom_contact_wide_choose(carom_contact_wide_list *open, int from, int *total);
void carom_contact_wide_drop(carom_contact_wide_list *open, int at);
// Puts the pairs of a range into groups. Returns how many groups there are;
// 0: it is not worth it.
int carom_contact_wide_order(const carom_contact_system *system, const carom_contact_range *range);
// Records of the island's ranges into lanes (`noted`: with what the acceleration knows of them);
// the impulses of a range back.
void carom_contact_wide_pack(carom_contact_system *system, const carom_contact_island *island,
                             bool noted, int threads);
void carom_contact_wide_unpack(carom_contact_system *system, carom_contact_range *range);
// Contacts of one range in turn, as carom_contact_general_sweep does it.
void carom_contact_wide_sweep(carom_contact_system *system, carom_contact_range *range,
                              const carom_contact_pass *pass);
// The impulses of a range by `ratio` further along their directions; see contact_sweep.c.
void carom_contact_wide_lead(carom_contact_system *system, const carom_contact_range *range,
                             double ratio);

// Four contacts between spheres, as carom_contact_sphere_record and carom_contact_link have them:
// eight cache lines.
typedef struct carom_contact_wide_spheres {
    lanes3 n, friction_impulse;
    lanes normal_impulse, arm_a, arm_b, normal_mass, tangent_mass, target, friction, idle;
    int a[LANES], b[LANES], contact[LANES]; // contact: below 0: none, and none behind it
    bool writes_a[LANES], writes_b[LANES];
} carom_contact_wide_spheres;

typedef struct carom_contact_wide_rolling {
    lanes3 impulse;
    lanes length;
} carom_contact_wide_rolling;

// Room as above.
struct carom_contact_wide_sphere {
    carom_contact_wide_spheres *groups;
    carom_contact_wide_rolling *rolling; // beside them; null: nothing resists it
    int *turn;                           // per place
};

// contact_wide_sphere.c: the same as above for islands of spheres.
carom_status carom_contact_wide_sphere_take(carom_arena *arena, int contacts, int bodies,
                                            bool rolling, carom_contact_wide_sphere **out,
                                            carom_error *err);
void carom_contact_wide_sphere_pack(carom_contact_system *system,
                                    const carom_contact_island *island, int threads);
void carom_contact_wide_sphere_unpack(carom_contact_system *system, carom_contact_range *range);
void carom_contact_wide_sphere_sweep(carom_contact_system *system, carom_contact_range *range,
                                     const carom_contact_pass *pass);

// The first group and row of a range.
static inline int carom_contact_wide_first(const carom_contact_range *range)
{
    return range->begin / 2;
}

#endif

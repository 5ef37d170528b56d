// Which pairs of bodies go into the same group of four lanes; see contact_wide.h.
//
// Pair by pair in their order: into the first group that has a lane left and comes after all those
// with one of its bodies, among the last few that are not full; else into a new one. Groups of a
// kind hold pairs with about equally many points. The last few only: what stands together in the
// list stays together in memory.
#include "contact/contact_wide.h"

enum { KINDS = 5 };

typedef carom_contact_wide_list open_list;

static int kind_of(int points)
{
    return points <= 1 ? 0 : points <= 2 ? 1 : points <= 4 ? 2 : points <= 8 ? 3 : 4;
}

void carom_contact_wide_drop(carom_contact_wide_list *open, int at)
{
    --open->count;
    for (int k = at; k < open->count; ++k)
        open->group[k] = open->group[k + 1];
}

int carom_contact_wide_choose(carom_contact_wide_list *open, int from, int *total)
{
    for (int k = 0; k < open->count; ++k)
        if (open->group[k] >= from)
            return k;
    if (open->count == CAROM_CONTACT_WIDE_OPEN)
        carom_contact_wide_drop(open, 0);
    open->group[open->count] = (*total)++;
    return open->count++;
}

static bool movable(const carom_contact_system *s, int body)
{
    return s->bodies[body].inverse_mass > 0;
}

static void enter(const carom_contact_system *s, carom_contact_wide_group *group, int lane, int a,
                  int b)
{
    if (lane == 0) {
        *group = (carom_contact_wide_group){ .count = 0 };
        for (int k = 0; k < LANES; ++k) {
            group->a[k] = a;
            group->b[k] = b;
        }
    }
    group->a[lane] = a;
    group->b[lane] = b;
    group->writes_a[lane] = movable(s, a);
    group->writes_b[lane] = movable(s, b);
}

// Rows of all groups, one after the other.
static int number_rows(carom_contact_wide_group *groups, int count, int first)
{
    int rows = 0;
    for (int g = 0; g < count; ++g) {
        groups[g].first = first + rows;
        rows += groups[g].count;
    }
    return rows;
}

// The first group that a body may go into; of an immovable one, which is never written: any.
static int turn_of(const carom_contact_system *s, int body)
{
    return movable(s, body) ? s->wide->turn[body] : 0;
}

static void set_turn(const carom_contact_system *s, int body, int group)
{
    if (movable(s, body))
        s->wide->turn[body] = group;
}

// Puts the pair of the contacts [i, end) into a group. Returns the number of that.
static int place(const carom_contact_system *s, carom_contact_wide_group *groups, open_list *open,
                 const int pair[2], int *total)
{
    int a = s->contacts[pair[0]].a, b = s->contacts[pair[0]].b, points = pair[1] - pair[0];
    int from_a = turn_of(s, a), from_b = turn_of(s, b), before = *total;
    int at = carom_contact_wide_choose(open, from_a > from_b ? from_a : from_b, total),
        g = open->group[at];
    int lane =
        *total > before ? 0 : groups[g].first; // `first`: lanes in use, until rows have numbers
    enter(s, &groups[g], lane, a, b);
    groups[g].first = lane + 1;
    groups[g].count = points > groups[g].count ? points : groups[g].count;
    s->wide->place[pair[0]] = LANES * g + lane;
    set_turn(s, a, g + 1);
    set_turn(s, b, g + 1);
    if (lane + 1 == LANES)
        carom_contact_wide_drop(open, at);
    return g;
}

int carom_contact_wide_order(const carom_contact_system *s, const carom_contact_range *range)
{
    open_list open[KINDS] = { { { 0 }, 0 } };
    int total = 0, first = carom_contact_wide_first(range), room = range->end / 2 - first;
    const carom_contact_record *c = s->contacts;
    carom_contact_wide_group *groups = s->wide->groups + first;
    for (int i = range->begin; i < range->end; ++i) {
        set_turn(s, c[i].a, 0);
        set_turn(s, c[i].b, 0);
    }
    for (int i = range->begin, end; i < range->end; i = end) {
        for (end = i + 1; end < range->end && c[end].a == c[i].a && c[end].b == c[i].b;)
            ++end;
        if (total == room) // the next may need one more
            return 0;
        place(s, groups, &open[kind_of(end - i)], (int[2]){ i, end }, &total);
    }
    return number_rows(groups, total, first) <= room ? total : 0;
}

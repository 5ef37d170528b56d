// See pair_list.h: when to search, when to go on with the pairs there are, and when to place single
// bodies anew.
#include "base/memory.h"
#include "collide/pair_look.h"

#include <string.h>

// Where skins would not last, or have not lasted for so few calls (a search with skins costs two
// without), so many calls search without one before the motion is looked at again; twice as many
// each time, up to so many.
enum { BRIEF = 3, PAUSE = 16, PAUSE_MAX = 256 };
// A search costs as much as placing so few of all bodies anew; and some more, as it costs a small
// world nothing.
enum { ONE_IN = 6, SMALL = 64 };

static void free_bodies(carom_pair_list *list);
static carom_status reserve_near(carom_pair_list *list, carom_error *err);
static carom_status plainly(carom_pair_look *l, carom_body_pair **pairs, int *count,
                            carom_error *err);
static carom_status search(carom_pair_look *l, carom_error *err);

carom_status carom_pair_list_create(carom_pair_list **out, carom_error *err)
{
    *out = carom_memory_zeros(1, sizeof **out);
    if (!*out)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for a list of pairs");
    carom_status status = carom_broad_create(&(*out)->broad, err);
    if (status != CAROM_OK) {
        carom_memory_free(*out);
        *out = NULL;
    }
    return status;
}

void carom_pair_list_destroy(carom_pair_list *list)
{
    if (!list)
        return;
    carom_broad_destroy(list->broad);
    carom_memory_free(list->kept.pair);
    carom_memory_free(list->other.pair);
    carom_memory_free(list->near);
    free_bodies(list);
    carom_memory_free(list->then);
    carom_memory_free(list->now);
    carom_memory_free(list);
}

int64_t carom_pair_list_searches(const carom_pair_list *list)
{
    return list->searches;
}

size_t carom_pair_list_bytes(const carom_pair_list *list)
{
    size_t body = sizeof *list->ball + sizeof *list->half + sizeof *list->skin +
                  sizeof *list->since + sizeof *list->left;
    size_t pairs = list->kept.room + list->other.room + list->near_room;
    return carom_broad_bytes(list->broad) + pairs * sizeof *list->near + list->body_room * body +
           list->plane_room * 2 * sizeof *list->then;
}

// The next calls search without skins, where those are not worth it.
static void rest_after(carom_pair_list *list, bool worth)
{
    bool lasted = list->kept_any && list->age >= BRIEF;
    int next = lasted || list->next_pause == 0 ? PAUSE : list->next_pause;
    list->pause = worth ? 0 : next;
    list->next_pause = worth ? next : next < PAUSE_MAX ? 2 * next : PAUSE_MAX;
}

// Goes on with the pairs that are kept, once those who have left their skins are placed anew; false
// where a search costs less, or is due.
static carom_status go_on(carom_pair_look *l, bool *done, carom_error *err)
{
    carom_pair_list *list = l->list;
    int most = list->count > SMALL ? list->count / ONE_IN : 0;
    *done = list->kept_any && l->alike && l->left_count <= most;
    if (*done && l->left_count > 0) {
        list->looked = false; // unless it ends well
        TRY(carom_pair_look_follow(l, done, err));
        list->looked = true;
        TRY(*done ? reserve_near(list, err) : CAROM_OK);
    }
    list->age += *done;
    return CAROM_OK;
}

carom_status carom_pair_list_find(carom_pair_list *list, const carom_collide_bodies *bodies,
                                  carom_body_pair **pairs, int *count, carom_error *err)
{
    carom_pair_look l = { .list = list, .bodies = bodies, .grid = carom_broad_grid(list->broad) };
    bool known = list->looked && list->count == bodies->count, done;
    ++list->call;
    // who is absent changes with every call; a list that may have been cut short is not kept
    if (bodies->absent || bodies->most_pairs || list->pause > 0 || !known) {
        list->pause -= list->pause > 0;
        return plainly(&l, pairs, count, err);
    }
    carom_pair_look_examine(&l);
    TRY(go_on(&l, &done, err));
    if (!done) {
        bool brief = list->kept_any && list->age < BRIEF;
        bool worth = l.alike && !brief && carom_pair_look_choose(&l);
        if (l.alike)
            rest_after(list, worth);
        if (!worth)
            return plainly(&l, pairs, count, err);
        TRY(search(&l, err));
        carom_pair_look_examine(&l);
    }
    *count = carom_pair_look_near(&l);
    *pairs = list->near;
    return CAROM_OK;
}

// -- the search -----------------------------------------------------------------------------------

static void free_bodies(carom_pair_list *list)
{
    carom_memory_free(list->ball);
    carom_memory_free(list->half);
    carom_memory_free(list->skin);
    carom_memory_free(list->since);
    carom_memory_free(list->left);
}

static carom_status reserve(carom_pair_list *list, int bodies, int planes, carom_error *err)
{
    bool room = true;
    if ((size_t)bodies > list->body_room) {
        free_bodies(list);
        list->ball = carom_memory_get((size_t)bodies * sizeof *list->ball);
        list->half = carom_memory_get((size_t)bodies * sizeof *list->half);
        list->skin = carom_memory_get((size_t)bodies * sizeof *list->skin);
        list->since = carom_memory_get((size_t)bodies * sizeof *list->since);
        list->left = carom_memory_get((size_t)bodies * sizeof *list->left);
        room = list->ball && list->half && list->skin && list->since && list->left;
        list->body_room = room ? (size_t)bodies : 0;
    }
    if (room && (size_t)planes > list->plane_room) {
        carom_memory_free(list->then);
        carom_memory_free(list->now);
        list->then = carom_memory_get(2 * (size_t)planes * sizeof *list->then);
        list->now = carom_memory_get(2 * (size_t)planes * sizeof *list->now);
        room = list->then && list->now;
        list->plane_room = room ? 2 * (size_t)planes : 0;
    }
    return room ? CAROM_OK
                : carom_error_set(err, CAROM_NO_MEMORY, "no memory for the pairs of %d bodies",
                                  bodies);
}

static carom_status reserve_near(carom_pair_list *list, carom_error *err)
{
    int last = list->block_count - 1;
    size_t count = (size_t)list->block_begin[last] + (size_t)list->block_size[last];
    if (count <= list->near_room)
        return CAROM_OK;
    carom_memory_free(list->near);
    list->near_room = count + count / 4;
    list->near = carom_memory_get(list->near_room * sizeof *list->near);
    if (list->near)
        return CAROM_OK;
    list->near_room = 0;
    list->looked = false;
    return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %zu pairs", count);
}

// What is needed of the search to see later how far bodies have gone.
static carom_status note(carom_pair_look *l, const float *skin, carom_error *err)
{
    carom_pair_list *list = l->list;
    carom_collide_bodies bodies = *l->bodies;
    list->looked = false;
    TRY(reserve(list, l->bodies->count, l->grid->plane_count, err));
    bodies.skin = skin;
    for (int p = 0; p < l->grid->plane_count; ++p)
        list->then[p] = carom_broad_half_space(&bodies, l->grid->plane[p]);
    list->looked = !l->bodies->absent;
    list->count = l->bodies->count;
    list->age = 1;
    ++list->searches;
    for (int i = 0; i < list->count; ++i)
        list->since[i] = list->call;
    return CAROM_OK;
}

// Without a skin: the broad phase's list as it is.
static carom_status plainly(carom_pair_look *l, carom_body_pair **pairs, int *count,
                            carom_error *err)
{
    carom_pair_list *list = l->list;
    list->looked = list->kept_any = false;
    TRY(carom_broad_find(list->broad, l->bodies, pairs, count, err));
    TRY(note(l, NULL, err));
    memset(list->skin, 0, (size_t)list->count * sizeof *list->skin);
    return CAROM_OK;
}

static void find_middle(carom_pair_look *l)
{
    vec3 min = vec3_make(HUGE_VAL, HUGE_VAL, HUGE_VAL), max = vec3_scale(-1, min);
    carom_pair_list *list = l->list;
    double widest = 0;
    for (int i = 0; i < list->count; ++i) {
        const carom_grid_loose *loose = &l->grid->loose[i];
        vec3 c = vec3_from(loose->centre);
        if (carom_pair_look_plane(l, i))
            continue;
        min = vec3_make(fmin(min.x, c.x), fmin(min.y, c.y), fmin(min.z, c.z));
        max = vec3_make(fmax(max.x, c.x), fmax(max.y, c.y), fmax(max.z, c.z));
        widest = fmax(widest, (double)loose->radius);
    }
    bool any = min.x <= max.x;
    list->origin = any ? vec3_scale(0.5, vec3_add(min, max)) : vec3_make(0, 0, 0);
    vec3 way = vec3_sub(max, min);
    list->extent = any ? 0.5 * fmax(way.x, fmax(way.y, way.z)) + widest : 0;
}

static carom_status search(carom_pair_look *l, carom_error *err)
{
    carom_pair_list *list = l->list;
    carom_collide_bodies wider = *l->bodies;
    carom_body_pair *pairs;
    int count;
    wider.skin = list->skin;
    list->looked = list->kept_any = false;
    TRY(carom_broad_find(list->broad, &wider, &pairs, &count, err));
    TRY(carom_broad_stay(list->broad, err));
    TRY(note(l, list->skin, err));
    list->looked = false; // unless it ends well
    find_middle(l);
    TRY(carom_pair_look_keep(l, pairs, count, err));
    list->looked = list->kept_any = true;
    return reserve_near(list, err);
}

// See pair_list.h. Whether a list still serves is told body by body; what a body has used up of its
// skin since the search says how wide its next one is to be.
#include "base/memory.h"
#include "base/team.h"
#include "collide/broad.h"
#include "collide/grid.h"
#include "collide/pair_list.h"

#include <string.h>

// A skin is to last for so many calls. Where it would not last for so few, or has not (a search
// with skins costs two without), so many calls search without one before the motion is looked at
// again; twice as many each time, up to so many.
enum { LIFE = 8, SHORT = 3, PAUSE = 16, PAUSE_MOST = 256 };
// Skins in radii: of most bodies at most (wider ones double the pairs of a packing), of a single
// one, and at least.
#define USUAL 0.3
#define WIDEST 1.0
#define THINNEST 0.02
enum { SAMPLES = 64 }; // bodies that what is usual is taken from
// What an entry of the list pairs: bits above the body's number.
#define WITH_BOX UINT32_C(0x80000000)
#define WITH_PLANE UINT32_C(0x40000000)
#define NUMBER UINT32_C(0x3fffffff)

// What the walk along the pairs reads of a body: centre from the list's origin, and the radius of a
// sphere about it, both as in carom_grid_entry.
typedef struct ball {
    float centre[3], radius;
} ball;

// A plane, with its margin and reach: what is not above `level` along the normal is near.
typedef struct half_space {
    vec3 normal;
    double level;
} half_space;

struct carom_pair_list {
    carom_broad *broad;
    int64_t searches;
    bool looked;           // the broad phase has the bounds of the last call, with nobody absent
    int count;             // bodies then
    bool kept_any;         // its pairs are kept: it was with skins
    int age;               // calls since the last search, that one included
    int pause;             // calls to come that search without a look at the motion
    int next_pause;        // how many it will be when skins next turn out not to be worth it
    vec3 origin;           // middle of the bodies at the search
    double extent;         // m, from there
    carom_body_pair *kept; // by the last search, in the broad phase's memory; what each pairs is in
                           // the upper bits of its first number
    int kept_count;
    carom_body_pair *near; // of those: now
    size_t near_room;
    ball *ball;       // per body, now
    float (*half)[3]; // likewise, half extents of the bounds, but of spheres
    float *skin;      // per body, m, of the last search
    size_t body_room;
    half_space *then, *now; // per plane: at the search, and now
    size_t plane_room;
};

// One call.
typedef struct look {
    carom_pair_list *list;
    const carom_collide_bodies *bodies;
    const carom_grid *grid;
    vec3 drift;    // m, that bodies have in common since the search
    double radius; // m, in the mean
    double excess; // m, by which somebody is outside of its bounds; infinite: is another body
    int found[CAROM_TEAM_BLOCKS]; // pairs that are near, by blocks
} look;

static carom_status plainly(look *l, carom_body_pair **pairs, int *count, carom_error *err);
static carom_status search(look *l, carom_error *err);
static bool choose_skins(look *l);
static void examine(look *l);
static int list_near(look *l);

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
    carom_memory_free(list->near);
    carom_memory_free(list->ball);
    carom_memory_free(list->half);
    carom_memory_free(list->skin);
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
    return carom_broad_bytes(list->broad) + list->near_room * sizeof *list->near +
           list->body_room * (sizeof *list->ball + sizeof *list->half + sizeof *list->skin) +
           list->plane_room * 2 * sizeof *list->then;
}

// The next calls search without skins, where those are not worth it.
static void rest_after(carom_pair_list *list, bool worth)
{
    bool lasted = list->kept_any && list->age >= SHORT;
    int next = lasted || list->next_pause == 0 ? PAUSE : list->next_pause;
    list->pause = worth ? 0 : next;
    list->next_pause = worth ? next : next < PAUSE_MOST ? 2 * next : PAUSE_MOST;
}

carom_status carom_pair_list_find(carom_pair_list *list, const carom_collide_bodies *bodies,
                                  carom_body_pair **pairs, int *count, carom_error *err)
{
    look l = { .list = list, .bodies = bodies, .grid = carom_broad_grid(list->broad) };
    bool known = list->looked && list->count == bodies->count;
    // who is absent changes with every call; a list that may have been cut short is not kept
    if (bodies->absent || bodies->most_pairs || list->pause > 0 || !known) {
        list->pause -= list->pause > 0;
        return plainly(&l, pairs, count, err);
    }
    examine(&l);
    if (list->kept_any && l.excess <= 0) {
        ++list->age;
    } else {
        bool alike = l.excess < HUGE_VAL, brief = list->kept_any && list->age < SHORT;
        bool worth = alike && !brief && choose_skins(&l);
        if (alike)
            rest_after(list, worth);
        if (!worth)
            return plainly(&l, pairs, count, err);
        TRY(search(&l, err));
        examine(&l);
    }
    *count = list_near(&l);
    *pairs = list->near;
    return CAROM_OK;
}

// -- the search -----------------------------------------------------------------------------------

static carom_status reserve(carom_pair_list *list, int bodies, int planes, carom_error *err)
{
    bool room = true;
    if ((size_t)bodies > list->body_room) {
        carom_memory_free(list->ball);
        carom_memory_free(list->half);
        carom_memory_free(list->skin);
        list->ball = carom_memory_get((size_t)bodies * sizeof *list->ball);
        list->half = carom_memory_get((size_t)bodies * sizeof *list->half);
        list->skin = carom_memory_get((size_t)bodies * sizeof *list->skin);
        room = list->ball && list->half && list->skin;
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

static half_space half_space_of(const carom_collide_bodies *bodies, int plane)
{
    vec3 normal = quat_rotate(bodies->rotation[plane], vec3_make(0, 0, 1));
    double slack = bodies->margin / 2 + (bodies->reach ? bodies->reach[plane] : 0);
    return (half_space){ normal, vec3_dot(normal, bodies->position[plane]) + slack };
}

// What is needed of the search to see later how far bodies have gone.
static carom_status note(look *l, carom_error *err)
{
    carom_pair_list *list = l->list;
    list->looked = false;
    TRY(reserve(list, l->bodies->count, l->grid->plane_count, err));
    for (int p = 0; p < l->grid->plane_count; ++p)
        list->then[p] = half_space_of(l->bodies, l->grid->plane[p]);
    list->looked = !l->bodies->absent;
    list->count = l->bodies->count;
    list->age = 1;
    ++list->searches;
    return CAROM_OK;
}

// Without a skin: the broad phase's list as it is.
static carom_status plainly(look *l, carom_body_pair **pairs, int *count, carom_error *err)
{
    carom_pair_list *list = l->list;
    list->looked = list->kept_any = false;
    TRY(carom_broad_find(list->broad, l->bodies, pairs, count, err));
    TRY(note(l, err));
    memset(list->skin, 0, (size_t)list->count * sizeof *list->skin);
    return CAROM_OK;
}

static inline bool is_plane(const look *l, int body)
{
    return l->grid->loose[body].level == CAROM_GRID_NO_LEVEL;
}

static void mark_share(const look *l, int threads)
{
    const carom_grid_loose *loose = l->grid->loose;
    carom_body_pair *kept = l->list->kept;
    int end = carom_team_end(l->list->kept_count, threads);
    for (int k = carom_team_begin(l->list->kept_count, threads); k < end; ++k) {
        int a = kept[k].a, b = kept[k].b;
        uint32_t mark = is_plane(l, a) || is_plane(l, b)       ? WITH_PLANE
                        : !loose[a].sphere || !loose[b].sphere ? WITH_BOX
                                                               : 0;
        kept[k].a = (int)((uint32_t)a | mark);
    }
}
CAROM_TEAM_SHARE2(mark_share, const look *, int)

static void find_middle(look *l)
{
    vec3 min = vec3_make(HUGE_VAL, HUGE_VAL, HUGE_VAL), max = vec3_scale(-1, min);
    carom_pair_list *list = l->list;
    double widest = 0;
    for (int i = 0; i < list->count; ++i) {
        const carom_grid_loose *loose = &l->grid->loose[i];
        vec3 c = vec3_from(loose->centre);
        if (is_plane(l, i))
            continue;
        min = vec3_make(fmin(min.x, c.x), fmin(min.y, c.y), fmin(min.z, c.z));
        max = vec3_make(fmax(max.x, c.x), fmax(max.y, c.y), fmax(max.z, c.z));
        widest = fmax(widest, (double)loose->radius);
    }
    bool any = min.x <= max.x;
    list->origin = any ? vec3_scale(.5, vec3_add(min, max)) : vec3_make(0, 0, 0);
    vec3 way = vec3_sub(max, min);
    list->extent = any ? .5 * fmax(way.x, fmax(way.y, way.z)) + widest : 0;
}

static carom_status search(look *l, carom_error *err)
{
    carom_pair_list *list = l->list;
    carom_collide_bodies wider = *l->bodies;
    wider.skin = list->skin;
    list->looked = list->kept_any = false;
    TRY(carom_broad_find(list->broad, &wider, &list->kept, &list->kept_count, err));
    TRY(note(l, err));
    list->kept_any = true;
    if ((size_t)list->kept_count > list->near_room) {
        carom_memory_free(list->near);
        list->near_room = (size_t)list->kept_count + (size_t)list->kept_count / 4;
        list->near = carom_memory_get(list->near_room * sizeof *list->near);
        if (!list->near) {
            list->near_room = 0;
            list->looked = false;
            return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %d pairs",
                                   list->kept_count);
        }
    }
    find_middle(l);
    int team = carom_team_worth(list->kept_count, carom_collide_threads(l->bodies));
    CAROM_TEAM(team, mark_share(l, team));
    return CAROM_OK;
}

// -- how far bodies have gone ---------------------------------------------------------------------

// Not a number where one of them is none.
static double larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

// Of a sample of the bodies that move: how far they have gone in the mean, and their mean radius.
static void sample(look *l)
{
    vec3 way = vec3_make(0, 0, 0);
    int count = l->list->count, step = count / SAMPLES + 1, seen = 0;
    l->radius = 0;
    for (int i = 0; i < count; i += step) {
        if (is_plane(l, i) || l->grid->loose[i].fixed)
            continue;
        vec3 then = vec3_from(l->grid->loose[i].centre);
        carom_grid_loose now = carom_grid_bounds(l->bodies, i);
        way = vec3_add(way, vec3_sub(vec3_from(now.centre), then));
        l->radius += (double)now.radius;
        ++seen;
    }
    l->radius /= seen ? seen : 1;
    l->drift = vec3_scale(seen ? 1.0 / seen : 0, way);
}

// By how much a plane stands out of its skin: it may rise by that against what drifts, and must not
// turn.
static double excess_of_plane(const look *l, int plane)
{
    int p = (int)l->grid->loose[plane].at;
    const half_space *then = &l->list->then[p];
    half_space now = half_space_of(l->bodies, plane);
    l->list->now[p] = now;
    bool turned = now.normal.x != then->normal.x || now.normal.y != then->normal.y ||
                  now.normal.z != then->normal.z;
    double rise = now.level - then->level - vec3_dot(now.normal, l->drift);
    return turned ? HUGE_VAL : rise - (double)l->list->skin[plane];
}

// By how much a body stands out of its bounds at the search; what the walk needs of it.
static inline double excess_of(const look *l, int i, vec3 shift, float loss)
{
    const carom_grid_loose *then = &l->grid->loose[i];
    const carom_collide_bodies *bodies = l->bodies;
    bool plane = bodies->shape[i]->kind == CAROM_SHAPE_PLANE;
    bool fixed = bodies->fixed && bodies->fixed[i];
    if (plane != is_plane(l, i) || fixed != then->fixed)
        return HUGE_VAL;
    if (plane)
        return excess_of_plane(l, i);
    carom_grid_loose now = carom_grid_bounds(bodies, i);
    if (now.sphere != then->sphere)
        return HUGE_VAL;
    vec3 way = vec3_sub(vec3_sub(vec3_from(now.centre), vec3_from(then->centre)), l->drift);
    double excess = vec3_length(way) + ((double)now.radius - (double)then->radius);
    vec3 centre = vec3_sub(vec3_from(now.centre), shift);
    l->list->ball[i] = (ball){ { (float)centre.x, (float)centre.y, (float)centre.z },
                               now.radius * (1 + 1e-6f) + loss };
    if (now.sphere)
        return excess;
    double ways[3] = { way.x, way.y, way.z };
    for (int k = 0; k < 3; ++k) {
        excess = larger(fabs(ways[k]) + ((double)now.half[k] - (double)then->half[k]), excess);
        l->list->half[i][k] = now.half[k] * (1 + 1e-6f) + loss;
    }
    return excess;
}

static void examine_share(look *l, int threads)
{
    int end = carom_team_end(l->list->count, threads);
    vec3 shift = vec3_add(l->list->origin, l->drift);
    // as in the grid: a coordinate loses at most half a unit in the last of 24 places
    float loss = (float)(l->list->extent * 1.3e-7);
    double excess = -HUGE_VAL;
    for (int i = carom_team_begin(l->list->count, threads); i < end; ++i)
        excess = larger(excess_of(l, i, shift, loss), excess);
    carom_team_lock(threads);
    l->excess = larger(excess, l->excess);
    carom_team_unlock(threads);
}
CAROM_TEAM_SHARE2(examine_share, look *, int)

static void examine(look *l)
{
    int team = carom_team_worth(l->list->count, carom_collide_threads(l->bodies));
    sample(l);
    l->excess = -HUGE_VAL;
    CAROM_TEAM(team, examine_share(l, team));
}

// What a body has used up of its skin in each call.
static double rate_of(const look *l, int i)
{
    vec3 shift = vec3_add(l->list->origin, l->drift);
    return (excess_of(l, i, shift, 0) + (double)l->list->skin[i]) / l->list->age;
}

// Skins by the body's own motion and by the usual one, as whoever is struck goes like the others.
// False where somebody would leave them too soon.
static bool choose_skins(look *l)
{
    carom_pair_list *list = l->list;
    int step = list->count / SAMPLES + 1, seen = 0;
    double usual = 0;
    for (int i = 0; i < list->count; i += step, ++seen)
        usual += fmax(rate_of(l, i), 0);
    usual /= seen ? seen : 1;
    double life = fmin(LIFE, USUAL * l->radius / usual);
    for (int i = 0; i < list->count; ++i) {
        double rate = fmax(rate_of(l, i), usual);
        double skin = fmin(fmax(life * rate, THINNEST * l->radius), WIDEST * l->radius);
        if (skin < SHORT * rate)
            return false;
        list->skin[i] = (float)skin;
    }
    return true;
}

// -- who is near ----------------------------------------------------------------------------------

static inline bool near_spheres(const ball *a, const ball *b)
{
    float x = a->centre[0] - b->centre[0], y = a->centre[1] - b->centre[1];
    float z = a->centre[2] - b->centre[2], r = a->radius + b->radius;
    return x * x + y * y + z * z <= r * r;
}

static const float *half_of(const look *l, int i, float same[3])
{
    same[0] = same[1] = same[2] = l->list->ball[i].radius;
    return l->grid->loose[i].sphere ? same : l->list->half[i];
}

static bool near_boxes(const look *l, int a, int b)
{
    const carom_pair_list *list = l->list;
    float round[2][3];
    const float *half_a = half_of(l, a, round[0]), *half_b = half_of(l, b, round[1]);
    bool near = near_spheres(&list->ball[a], &list->ball[b]);
    for (int k = 0; k < 3; ++k)
        near = near &&
               fabsf(list->ball[a].centre[k] - list->ball[b].centre[k]) <= half_a[k] + half_b[k];
    return near;
}

static bool near_plane(const look *l, int a, int b)
{
    const carom_pair_list *list = l->list;
    int plane = is_plane(l, a) ? a : b, other = plane == a ? b : a;
    const half_space *space = &list->now[l->grid->loose[plane].at];
    const ball *body = &list->ball[other];
    vec3 n = space->normal, middle = vec3_add(list->origin, l->drift);
    double height = n.x * (double)body->centre[0] + n.y * (double)body->centre[1] +
                    n.z * (double)body->centre[2] + vec3_dot(n, middle) - space->level;
    double radius = (double)body->radius;
    if (l->grid->loose[other].sphere)
        return height <= radius;
    const float *half = list->half[other];
    double box =
        fabs(n.x) * (double)half[0] + fabs(n.y) * (double)half[1] + fabs(n.z) * (double)half[2];
    return height <= fmin(box, radius);
}

// Blocks write where they begin; every pair is written, and the end moves on only when it counts.
static void near_share(look *l, int threads)
{
    const carom_pair_list *list = l->list;
    int blocks = carom_team_blocks(list->kept_count);
    CAROM_TEAM_EACH (block, blocks, threads) {
        int begin = carom_team_block(list->kept_count, block);
        int end = carom_team_block(list->kept_count, block + 1);
        carom_body_pair *out = list->near + begin;
        for (int k = begin; k < end; ++k) {
            uint32_t marked = (uint32_t)list->kept[k].a;
            int a = (int)(marked & NUMBER), b = list->kept[k].b;
            *out = (carom_body_pair){ a, b };
            out += marked & WITH_PLANE ? near_plane(l, a, b)
                   : marked & WITH_BOX ? near_boxes(l, a, b)
                                       : near_spheres(&list->ball[a], &list->ball[b]);
        }
        l->found[block] = (int)(out - (list->near + begin));
    }
}
CAROM_TEAM_SHARE2(near_share, look *, int)

static int list_near(look *l)
{
    carom_pair_list *list = l->list;
    int team = carom_team_worth(list->kept_count, carom_collide_threads(l->bodies)), count = 0;
    CAROM_TEAM(team, near_share(l, team));
    for (int block = 0; block < carom_team_blocks(list->kept_count); ++block) {
        const carom_body_pair *from = list->near + carom_team_block(list->kept_count, block);
        if (l->found[block] > 0) // with no pairs there is no list yet
            memmove(list->near + count, from, (size_t)l->found[block] * sizeof *from);
        count += l->found[block];
    }
    return count;
}

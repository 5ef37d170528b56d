// How far bodies have gone since they were placed, and how wide their skins are to be. See
// pair_list.h.
#include "collide/pair_look.h"

#include <float.h>

// A skin is to last for so many calls, and hardly serves where it would not last for so few.
enum { LIFE = 16, SHORT = 3 };
// So many of all bodies may leave theirs sooner: they are placed anew one by one.
enum { ONE_IN = 16 };
// Skins in radii: of most bodies at most (wider ones double the pairs of a packing), of a single
// one (the cells of all go by it), and at least.
#define USUAL 0.3
#define WIDEST 0.45
#define THINNEST 0.02
enum { SAMPLES = 64 }; // bodies that what is usual is taken from

// Of a sample of the bodies that move: how far they have gone in the mean, and their mean radius.
static void sample(carom_pair_look *l)
{
    vec3 way = vec3_make(0, 0, 0);
    int count = l->list->count, step = count / SAMPLES + 1, seen = 0;
    l->radius = 0;
    for (int i = 0; i < count; i += step) {
        if (carom_pair_look_plane(l, i) || l->grid->loose[i].fixed)
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
static double excess_of_plane(const carom_pair_look *l, int plane)
{
    int p = (int)l->grid->loose[plane].at;
    const carom_half_space *then = &l->list->then[p];
    carom_half_space now = carom_broad_half_space(l->bodies, plane);
    l->list->now[p] = now;
    bool turned = now.normal.x != then->normal.x || now.normal.y != then->normal.y ||
                  now.normal.z != then->normal.z;
    return turned ? DBL_MAX : now.level - vec3_dot(now.normal, l->drift) - then->level;
}

// Not a number where one of them is none.
static double larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

// By how much a body stands out of its bounds when it was placed; infinite: it is another body. And
// what the walk needs of it.
static inline double excess_of(const carom_pair_look *l, int i, vec3 shift, float loss)
{
    const carom_grid_loose *then = &l->grid->loose[i];
    const carom_collide_bodies *bodies = l->bodies;
    bool plane = bodies->shape[i]->kind == CAROM_SHAPE_PLANE;
    bool fixed = bodies->fixed && bodies->fixed[i];
    if (plane != carom_pair_look_plane(l, i) || fixed != then->fixed)
        return HUGE_VAL;
    if (plane)
        return excess_of_plane(l, i);
    carom_grid_loose now = carom_grid_bounds(bodies, i);
    if (now.sphere != then->sphere)
        return HUGE_VAL;
    vec3 way = vec3_sub(vec3_sub(vec3_from(now.centre), vec3_from(then->centre)), l->drift);
    double excess = vec3_length(way) + ((double)now.radius - (double)then->radius);
    vec3 centre = vec3_sub(vec3_from(now.centre), shift);
    l->list->ball[i] = (carom_pair_ball){ { (float)centre.x, (float)centre.y, (float)centre.z },
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

// As in the grid: a coordinate loses at most half a unit in the last of 24 places.
static float loss_of(const carom_pair_list *list)
{
    return (float)(list->extent * 1.3e-7);
}

static void examine_share(carom_pair_look *l, int threads)
{
    carom_pair_list *list = l->list;
    vec3 shift = vec3_add(list->origin, l->drift);
    float loss = loss_of(list);
    bool alike = true;
    CAROM_TEAM_EACH (block, carom_team_blocks(list->count), threads) {
        int begin = carom_team_block(list->count, block), found = 0;
        int end = carom_team_block(list->count, block + 1);
        for (int i = begin; i < end; ++i) {
            double excess = excess_of(l, i, shift, loss);
            list->left[begin + found] = i;
            found += !(excess <= 0);
            alike = alike && excess < HUGE_VAL;
        }
        l->found[block] = found;
    }
    carom_team_lock(threads);
    l->alike = l->alike && alike;
    carom_team_unlock(threads);
}
CAROM_TEAM_SHARE2(examine_share, carom_pair_look *, int)

// How much of its skin a body has used up in each call.
static double rate_of(const carom_pair_look *l, int i)
{
    vec3 shift = vec3_add(l->list->origin, l->drift);
    double used = excess_of(l, i, shift, loss_of(l->list)) + (double)l->list->skin[i];
    return fmax(used / (l->list->call - l->list->since[i]), 0);
}

static void find_usual(carom_pair_look *l)
{
    int step = l->list->count / SAMPLES + 1, seen = 0;
    l->usual = 0;
    for (int i = 0; i < l->list->count; i += step)
        if (!carom_pair_look_plane(l, i)) {
            l->usual += rate_of(l, i);
            ++seen;
        }
    l->usual /= seen ? seen : 1;
}

void carom_pair_look_examine(carom_pair_look *l)
{
    carom_pair_list *list = l->list;
    int team = carom_team_worth(list->count, carom_collide_threads(l->bodies));
    sample(l);
    l->alike = true;
    CAROM_TEAM(team, examine_share(l, team));
    l->left_count = 0;
    for (int block = 0; block < carom_team_blocks(list->count); ++block) {
        const int32_t *from = list->left + carom_team_block(list->count, block);
        for (int k = 0; k < l->found[block]; ++k)
            list->left[l->left_count++] = from[k];
    }
    if (l->alike && l->left_count > 0)
        find_usual(l);
}

// By the body's own motion and by the usual one, as whoever is struck goes like the others.
static double skin_for(const carom_pair_look *l, double rate)
{
    double life = fmin(LIFE, USUAL * l->radius / l->usual);
    return fmin(fmax(life * fmax(rate, l->usual), THINNEST * l->radius), WIDEST * l->radius);
}

double carom_pair_look_skin(const carom_pair_look *l, int body)
{
    return skin_for(l, rate_of(l, body));
}

bool carom_pair_look_choose(carom_pair_look *l)
{
    carom_pair_list *list = l->list;
    int brief = 0;
    find_usual(l);
    for (int i = 0; i < list->count; ++i) {
        double rate = rate_of(l, i), skin = skin_for(l, rate);
        list->skin[i] = (float)skin;
        brief += skin < SHORT * fmax(rate, l->usual);
    }
    return brief <= list->count / ONE_IN;
}

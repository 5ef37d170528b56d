// Going through the kept pairs: which of them are near now. See pair_list.h.
#include "collide/pair_look.h"

#include <string.h>

static inline bool near_spheres(const carom_pair_ball *a, const carom_pair_ball *b)
{
    float x = a->centre[0] - b->centre[0], y = a->centre[1] - b->centre[1];
    float z = a->centre[2] - b->centre[2], r = a->radius + b->radius;
    return x * x + y * y + z * z <= r * r;
}

static const float *half_of(const carom_pair_look *l, int i, float same[3])
{
    same[0] = same[1] = same[2] = l->list->ball[i].radius;
    return l->grid->loose[i].sphere ? same : l->list->half[i];
}

__attribute__((noinline)) static bool near_boxes(const carom_pair_look *l, int a, int b)
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

__attribute__((noinline)) static bool near_plane(const carom_pair_look *l, int a, int b)
{
    const carom_pair_list *list = l->list;
    int plane = carom_pair_look_plane(l, a) ? a : b, other = plane == a ? b : a;
    const carom_half_space *space = &list->now[l->grid->loose[plane].at];
    const carom_pair_ball *body = &list->ball[other];
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

// Every pair is written, and the end moves on only when it counts. Blocks of a team write where
// they begin; one thread goes on behind the last.
static void near_share(carom_pair_look *l, int threads)
{
    const carom_pair_list *list = l->list;
    const carom_pair_ball *ball = list->ball;
    carom_body_pair *out = list->near;
    CAROM_TEAM_EACH (block, list->block_count, threads) {
        const carom_body_pair *kept = list->kept.pair + list->block_begin[block];
        const carom_body_pair *end = kept + list->block_size[block];
        out = threads > 1 ? list->near + list->block_begin[block] : out;
        carom_body_pair *begin = out;
        for (; kept < end; ++kept) {
            uint32_t marked = (uint32_t)kept->a;
            int a = (int)(marked & CAROM_PAIR_NUMBER), b = kept->b;
            *out = (carom_body_pair){ a, b };
            if (marked == (uint32_t)a)
                out += near_spheres(&ball[a], &ball[b]);
            else
                out += marked & CAROM_WITH_PLANE ? near_plane(l, a, b) : near_boxes(l, a, b);
        }
        l->found[block] = (int)(out - begin);
    }
}
CAROM_TEAM_SHARE2(near_share, carom_pair_look *, int)

int carom_pair_look_near(carom_pair_look *l)
{
    const carom_pair_list *list = l->list;
    int blocks = list->block_count, count = 0;
    int team = blocks > 1 ? carom_collide_threads(l->bodies) : 1;
    CAROM_TEAM(team, near_share(l, team));
    for (int block = 0; block < blocks; ++block) {
        const carom_body_pair *from = list->near + list->block_begin[block];
        if (team > 1 && l->found[block] > 0)
            memmove(list->near + count, from, (size_t)l->found[block] * sizeof *from);
        count += l->found[block];
    }
    return count;
}

// The generator `cluster`: balls packed at random, one after the other, each resting on three
// earlier ones where that is possible.
#include "scene/scene_impact.h"

#include <math.h>
#include <stdio.h>
#include "base/random.h"
#include "math/vec.h"
#include "scene/reader.h"

typedef struct cluster {
    int64_t count, seed;
    double speed, mass, radius;
    carom_scene_impact_material material;
} cluster;

enum { IN_CLUSTER_MAX = 3000, TRIES = 400 };

static const carom_field cluster_fields[] = {
    { "count", CAROM_FIELD_INT64, offsetof(cluster, count), .initial = 20,
      .range = { .min = 1, .max = IN_CLUSTER_MAX }, .doc = "number of balls" },
    { "seed", CAROM_FIELD_INT64, offsetof(cluster, seed), .initial = 1,
      .range = { .min = 0, .max = 9e15 }, .doc = "other seeds give other clusters" },
    CAROM_SCENE_SPEED_FIELD(cluster, "each velocity component is random between -speed and speed"),
    CAROM_SCENE_MASS_FIELD(cluster),
    CAROM_SCENE_RADIUS_FIELD(cluster),
    CAROM_SCENE_MATERIAL_FIELDS(cluster),
    { 0 },
};
const carom_field_table carom_scene_impact_cluster_table = {
    "cluster",
    "Equal balls packed at random, each touching up to three earlier ones: ball1, ball2, "
    "... Seen from the same seed it is always the same.",
    cluster_fields
};

// Centres in units of the diameter, so that touching means distance 1.
typedef struct packing {
    vec3 *centre;
    int count;
    carom_random random;
} packing;

static const double TOUCHING = 1e-9; // distance from 1 that still counts as touching

static bool fits(const packing *p, vec3 place)
{
    for (int i = 0; i < p->count; ++i) {
        vec3 d = vec3_sub(place, p->centre[i]);
        if (vec3_dot(d, d) < (1 - TOUCHING) * (1 - TOUCHING))
            return false;
    }
    return true;
}

// The places at distance 1 from three centres: above and below their plane.
static bool above_three(const vec3 c[3], double side, vec3 *place)
{
    vec3 ab = vec3_sub(c[1], c[0]), ac = vec3_sub(c[2], c[0]), n = vec3_cross(ab, ac);
    double area = vec3_dot(n, n);
    if (area < 1e-6)
        return false;
    // centre of the circle through the three
    vec3 towards = vec3_add(vec3_scale(vec3_dot(ab, ab), vec3_cross(ac, n)),
                            vec3_scale(vec3_dot(ac, ac), vec3_cross(n, ab)));
    vec3 middle = vec3_scale(0.5 / area, towards);
    double height = 1 - vec3_dot(middle, middle);
    if (height <= 0)
        return false;
    *place = vec3_axpy(vec3_add(c[0], middle), side * sqrt(height / area), n);
    return true;
}

// A ball of the packing within two diameters of another one: the first from a random start; -1
// where there is none.
static int pick_near(packing *p, int ball)
{
    int start = carom_random_below(&p->random, p->count);
    for (int i = 0; i < p->count; ++i) {
        int other = (start + i) % p->count;
        vec3 d = vec3_sub(p->centre[other], p->centre[ball]);
        if (other != ball && vec3_dot(d, d) < 4)
            return other;
    }
    return -1;
}

static bool place_on_three(packing *p, vec3 *place)
{
    for (int tries = 0; tries < TRIES; ++tries) {
        int a = carom_random_below(&p->random, p->count), b = pick_near(p, a), c = pick_near(p, a);
        double side = carom_random_unit(&p->random) < 0.5 ? -1 : 1;
        if (b < 0 || c < 0 || b == c)
            continue;
        vec3 three[3] = { p->centre[a], p->centre[b], p->centre[c] };
        if (above_three(three, side, place) && fits(p, *place))
            return true;
    }
    return false;
}

// Touches one ball in a random direction; outwards from the farthest ball this always fits.
static vec3 place_on_one(packing *p)
{
    double direction[3];
    vec3 place;
    for (int tries = 0; tries < TRIES; ++tries) {
        int ball = carom_random_below(&p->random, p->count);
        carom_random_direction(&p->random, direction);
        place = vec3_add(p->centre[ball], vec3_from(direction));
        if (fits(p, place))
            return place;
    }
    int farthest = 0;
    for (int i = 1; i < p->count; ++i)
        if (vec3_length(p->centre[i]) > vec3_length(p->centre[farthest]))
            farthest = i;
    return vec3_add(p->centre[farthest], vec3_unit(p->centre[farthest]));
}

static void join_touching(const packing *p, carom_scene_impact *scene, int first,
                          const carom_scene_impact_material *material)
{
    for (int i = 0; i < p->count; ++i)
        for (int j = i + 1; j < p->count; ++j)
            if (fabs(vec3_length(vec3_sub(p->centre[j], p->centre[i])) - 1) <= TOUCHING)
                carom_scene_impact_join(scene, first + i, first + j, material);
}

carom_status carom_scene_impact_cluster(carom_scene_impact *scene, carom_value *value,
                                        carom_error *err)
{
    cluster given;
    TRY(carom_field_read(value, &carom_scene_impact_cluster_table, &given, err));
    packing p = { .random = carom_random_make((uint64_t)given.seed, 0) };
    carom_random motion = carom_random_make((uint64_t)given.seed, 1);
    int count = (int)given.count, first = scene->impact.body_count;
    // No ball touches more than twelve others, and each contact belongs to two.
    TRY(carom_scene_impact_reserve(scene, count, 6 * count, value, err));
    TAKE_ZEROS(carom_reader_memory(value->reader), p.centre, count, err);
    for (p.count = 1; p.count < count; ++p.count) {
        vec3 place;
        if (p.count < 3 || !place_on_three(&p, &place))
            place = place_on_one(&p);
        p.centre[p.count] = place;
    }
    for (int i = 0; i < count; ++i) {
        char name[24];
        snprintf(name, sizeof name, "ball%d", i + 1);
        carom_scene_impact_ball ball = { .mass = given.mass, .radius = given.radius };
        vec3_store(vec3_scale(2 * given.radius, p.centre[i]), ball.position);
        for (int k = 0; k < 3; ++k)
            ball.velocity[k] = given.speed * carom_random_between(&motion, -1, 1);
        TRY(carom_scene_impact_add_ball(scene, &ball, name, err));
    }
    join_touching(&p, scene, first, &given.material);
    return CAROM_OK;
}

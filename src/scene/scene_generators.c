// Generators of world scenes: a few keys place many bodies.
//
// Every generator takes a body as its template; the template's position is where the arrangement
// starts, its rotation holds for every copy.
#include "scene/scene_generators.h"
#include "scene/scene_list.h"
#include "scene/scene_pour.h"

#include <string.h>
#include "math/trig.h"
#include "shape/shape.h"

#define BODY_FIELD                                                                                 \
    {                                                                                              \
        "body", CAROM_FIELD_OBJECT,                                                                \
            .required = true, .table = &carom_scene_body_table,                                    \
            .doc = "what is placed; its position is where the arrangement starts, its "            \
                   "rotation holds for every one"                                                  \
    }
void carom_scene_generators_put(carom_scene_task *t, vec3 offset, quat turn)
{
    carom_scene_body_place(t->scene, &t->body, vec3_add(t->start, offset), turn, t->placed++,
                           t->source);
}

uint64_t carom_scene_generators_seed(const carom_scene_task *t, int64_t own)
{
    return t->scene->sample + (uint64_t)t->scene->seed + (uint64_t)own;
}

carom_status carom_scene_generators_kinds(carom_scene_task *t,
                                          carom_scene_template kinds[CAROM_SCENE_KINDS], int *count,
                                          double *largest, carom_error *err)
{
    carom_value list;
    carom_value_member(t->value, "bodies", &list);
    *count = (int)carom_value_count(&list);
    *largest = 0;
    if (*count < 1 || *count > CAROM_SCENE_KINDS)
        return carom_value_fail(&list, err, "list from 1 to 64 bodies", "%d bodies are listed",
                                *count);
    for (int i = 0; i < *count; ++i) {
        carom_value item;
        carom_value_item(&list, (size_t)i, &item);
        TRY(carom_scene_body_template(t->scene, &item, &kinds[i], err));
        double radius = carom_shape_radius(t->scene->forms[kinds[i].form].shape);
        if (!isfinite(radius))
            return carom_value_fail(&item, err, "use a bounded shape", "a plane fills no region");
        *largest = fmax(*largest, radius);
    }
    return CAROM_OK;
}

static carom_status reserve(const carom_scene_task *t, double count, carom_error *err)
{
    return carom_scene_body_reserve(t->scene, count, t->value, err);
}

// Sizes of the template along x, y, z as it is turned.
static vec3 extent(const carom_scene_task *t)
{
    const carom_scene_form *form = &t->scene->forms[t->body.form];
    const double *q = t->body.body.rotation;
    quat turn = quat_unit(quat_mul((quat){ q[0], q[1], q[2], q[3] }, form->turn));
    carom_pose pose = carom_pose_make(vec3_make(0, 0, 0), turn);
    carom_bounds bounds = carom_shape_bounds(form->shape, &pose);
    return vec3_sub(bounds.max, bounds.min);
}

// -- row ----------------------------------------------------------------------------------------

typedef struct row_values {
    int64_t count, striking;
    double step[3], velocity[3];
} row_values;

static const carom_field row_fields[] = {
    BODY_FIELD,
    CAROM_SCENE_COUNT_FIELD(row_values),
    { "step", CAROM_FIELD_VEC3, offsetof(row_values, step), .range = { .unit = "m" },
      .shown = "the body's size along x", .doc = "from one to the next" },
    { "striking", CAROM_FIELD_INT64, offsetof(row_values, striking),
      .range = { .min = 0, .max = 1e12 }, .doc = "how many of the first have the velocity below" },
    { "velocity", CAROM_FIELD_VEC3, offsetof(row_values, velocity), .range = { .unit = "m/s" },
      .doc = "of the striking ones" },
    { 0 },
};
static const carom_field_table row_table = { "row", "Bodies in a line.", row_fields };

static carom_status generate_row(carom_scene_task *t, carom_error *err)
{
    row_values given;
    TRY(carom_field_read(t->value, &row_table, &given, err));
    if (!carom_value_member(t->value, "step", NULL))
        given.step[0] = extent(t).x;
    TRY(reserve(t, (double)given.count, err));
    double still[3];
    memcpy(still, t->body.body.velocity, sizeof still);
    for (int64_t i = 0; i < given.count; ++i) {
        memcpy(t->body.body.velocity, i < given.striking ? given.velocity : still, sizeof still);
        carom_scene_generators_put(t, vec3_scale((double)i, vec3_from(given.step)),
                                   quat_identity());
    }
    return CAROM_OK;
}

// -- rack ---------------------------------------------------------------------------------------

typedef struct rack_values {
    int64_t rows;
    double gap;
} rack_values;

static const carom_field rack_fields[] = {
    BODY_FIELD,
    { "rows", CAROM_FIELD_INT64, offsetof(rack_values, rows), .initial = 5,
      .range = { .min = 1, .max = 1e6 }, .doc = "of the triangle; five rows are fifteen bodies" },
    CAROM_SCENE_SPAN_FIELD(rack_values, gap, "between neighbours"),
    { 0 },
};
static const carom_field_table rack_table = {
    "rack", "A triangle of bodies in the x-y plane: the first is the apex, rows follow along +x.",
    rack_fields
};

static carom_status generate_rack(carom_scene_task *t, carom_error *err)
{
    rack_values given;
    TRY(carom_field_read(t->value, &rack_table, &given, err));
    double rows = (double)given.rows, size = extent(t).y + given.gap, step = 0.5 * sqrt(3) * size;
    TRY(reserve(t, 0.5 * rows * (rows + 1), err));
    for (int64_t i = 0; i < given.rows; ++i)
        for (int64_t j = 0; j <= i; ++j)
            carom_scene_generators_put(
                t, vec3_make((double)i * step, ((double)j - 0.5 * (double)i) * size, 0),
                quat_identity());
    return CAROM_OK;
}

// -- ring ---------------------------------------------------------------------------------------

typedef struct ring_values {
    int64_t count;
    double radius, speed;
    bool facing;
} ring_values;

static const carom_field ring_fields[] = {
    BODY_FIELD,
    CAROM_SCENE_COUNT_FIELD(ring_values),
    { "radius", CAROM_FIELD_NUMBER, offsetof(ring_values, radius),
      .range = { 0, 1e12, .unit = "m" }, .shown = "neighbours touch", .doc = "of the circle" },
    { "speed", CAROM_FIELD_NUMBER, offsetof(ring_values, speed), .range = { .unit = "m/s" },
      .doc = "towards the centre, on top of the body's velocity" },
    { "facing", CAROM_FIELD_BOOL, offsetof(ring_values, facing),
      .doc = "each body is turned about z by its angle" },
    { 0 },
};
static const carom_field_table ring_table = {
    "ring", "Bodies on a circle in the x-y plane about the template's position; the first on +x.",
    ring_fields
};

static carom_status generate_ring(carom_scene_task *t, carom_error *err)
{
    ring_values given;
    TRY(carom_field_read(t->value, &ring_table, &given, err));
    TRY(reserve(t, (double)given.count, err));
    double step[2], own[3];
    carom_trig_degrees(180.0 / (double)given.count, step);
    if (!carom_value_member(t->value, "radius", NULL))
        given.radius = given.count > 1 ? 0.5 * extent(t).x / step[0] : 0;
    memcpy(own, t->body.body.velocity, sizeof own);
    for (int64_t i = 0; i < given.count; ++i) {
        double turn[2], half[2], angle = 360.0 * (double)i / (double)given.count;
        carom_trig_degrees(angle, turn);
        carom_trig_degrees(0.5 * angle, half);
        t->body.body.velocity[0] = own[0] - given.speed * turn[1];
        t->body.body.velocity[1] = own[1] - given.speed * turn[0];
        carom_scene_generators_put(t, vec3_make(given.radius * turn[1], given.radius * turn[0], 0),
                                   given.facing ? (quat){ half[1], 0, 0, half[0] }
                                                : quat_identity());
    }
    return CAROM_OK;
}

// -- grid and stack -----------------------------------------------------------------------------

// Uniform among all rotations: a point in the unit ball of four dimensions, on its sphere.
quat carom_scene_generators_rotation(carom_random *random)
{
    for (int k = 0; k < 1000; ++k) {
        quat q;
        q.w = carom_random_between(random, -1, 1);
        q.x = carom_random_between(random, -1, 1);
        q.y = carom_random_between(random, -1, 1);
        q.z = carom_random_between(random, -1, 1);
        double s = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
        if (s > 0.01 && s <= 1)
            return quat_unit(q);
    }
    return quat_identity();
}

typedef struct grid_values {
    double count[3], spacing[3], jitter, scatter, spread;
    int64_t seed;
    bool tumble;
} grid_values;

static const carom_field grid_fields[] = {
    BODY_FIELD,
    { "count", CAROM_FIELD_VEC3, offsetof(grid_values, count), .required = true,
      .range = { 1, 1e9, .fix = "write three whole numbers from 1: [nx, ny, nz]" },
      .doc = "along x, y, z" },
    { "spacing", CAROM_FIELD_VEC3, offsetof(grid_values, spacing),
      .range = { 0, 1e12, .unit = "m" }, .shown = "the body's sizes",
      .doc = "between neighbours along x, y, z, centre to centre" },
    { "jitter", CAROM_FIELD_NUMBER, offsetof(grid_values, jitter),
      .range = { 0, 1e12, .unit = "m" },
      .doc = "random displacement along each axis, up to this much either way" },
    { "scatter", CAROM_FIELD_NUMBER, offsetof(grid_values, scatter),
      .range = { 0, 1e12, .unit = "m/s" },
      .doc = "random velocity along each axis, up to this much either way, on top of the body's" },
    { "spread", CAROM_FIELD_NUMBER, offsetof(grid_values, spread),
      .range = { .min = 0, .max = 0.5 },
      .doc = "spheres only: diameters at random, up to this share larger or smaller, in 41 even "
             "steps" },
    { "seed", CAROM_FIELD_INT64, offsetof(grid_values, seed), .initial = 1,
      .range = { .min = 0, .max = 1e15 }, .doc = "of jitter, scatter, spread and rotations" },
    { "tumble", CAROM_FIELD_BOOL, offsetof(grid_values, tumble),
      .doc = "random rotations, uniform over all" },
    { 0 },
};
static const carom_field_table grid_table = {
    "grid", "Bodies on a lattice; the template's position is the corner with the smallest x, y, z.",
    grid_fields
};

enum { SIZES = 41 }; // a spread of diameters in this many: bodies of one size share a shape

// Spheres from (1 - spread) to (1 + spread) times the template's, the smallest first.
static carom_status make_sizes(const carom_scene_task *t, double spread, int *forms,
                               carom_error *err)
{
    const carom_shape *shape = t->scene->forms[t->body.form].shape;
    if (carom_shape_kind_of(shape) != CAROM_SHAPE_SPHERE) {
        carom_value at;
        carom_value_member(t->value, "spread", &at);
        return carom_value_fail(&at, err, "use a sphere, or leave spread out",
                                "only spheres have a spread, and the body is a %s",
                                carom_shape_kind_name(carom_shape_kind_of(shape)));
    }
    double radius = carom_shape_radius(shape);
    for (int i = 0; i < SIZES; ++i)
        TRY(carom_scene_shape_sphere(t->scene, radius * (1 + spread * (2.0 * i / (SIZES - 1) - 1)),
                                     &forms[i], err));
    return CAROM_OK;
}

static carom_status generate_grid(carom_scene_task *t, carom_error *err)
{
    grid_values given;
    carom_value count;
    TRY(carom_field_read(t->value, &grid_table, &given, err));
    carom_value_member(t->value, "count", &count);
    const double *n = given.count;
    for (int k = 0; k < 3; ++k)
        if (n[k] != floor(n[k]))
            return carom_value_fail(&count, err, "write three whole numbers from 1: [nx, ny, nz]",
                                    "count[%d] is %g, not a whole number", k, n[k]);
    TRY(reserve(t, n[0] * n[1] * n[2], err));
    if (!carom_value_member(t->value, "spacing", NULL))
        vec3_store(extent(t), given.spacing);
    uint64_t seed = carom_scene_generators_seed(t, given.seed);
    carom_random random = carom_random_make(seed, 1), motion = carom_random_make(seed, 2);
    carom_random size = carom_random_make(seed, 3);
    int sizes[SIZES];
    double *velocity = t->body.body.velocity;
    const vec3 own = vec3_from(velocity);
    if (given.spread > 0)
        TRY(make_sizes(t, given.spread, sizes, err));
    for (int iz = 0; iz < (int)n[2]; ++iz)
        for (int iy = 0; iy < (int)n[1]; ++iy)
            for (int ix = 0; ix < (int)n[0]; ++ix) {
                double at[3] = { ix * given.spacing[0], iy * given.spacing[1],
                                 iz * given.spacing[2] };
                for (int k = 0; k < 3 && given.jitter > 0; ++k)
                    at[k] += carom_random_between(&random, -given.jitter, given.jitter);
                if (given.spread > 0)
                    t->body.form = sizes[carom_random_below(&size, SIZES)];
                vec3_store(own, velocity);
                for (int k = 0; k < 3 && given.scatter > 0; ++k)
                    velocity[k] += carom_random_between(&motion, -given.scatter, given.scatter);
                carom_scene_generators_put(t, vec3_from(at),
                                           given.tumble ? carom_scene_generators_rotation(&random)
                                                        : quat_identity());
            }
    return CAROM_OK;
}

typedef struct pile_values {
    int64_t count, rows;
    double gap, side_gap, spacing, bend, lean, turn;
} pile_values;

static const carom_field stack_fields[] = {
    BODY_FIELD,
    CAROM_SCENE_COUNT_FIELD(pile_values),
    CAROM_SCENE_SPAN_FIELD(pile_values, gap, "between one and the next"),
    { "turn", CAROM_FIELD_NUMBER, offsetof(pile_values, turn), .range = { .unit = "degrees" },
      .doc = "about z from one to the next" },
    { 0 },
};
static const carom_field_table stack_table = { "stack", "Bodies on top of each other.",
                                               stack_fields };

static quat about_z(double degrees)
{
    double half[2];
    carom_trig_degrees(0.5 * degrees, half);
    return (quat){ half[1], 0, 0, half[0] };
}

static quat about_y(double degrees)
{
    double half[2];
    carom_trig_degrees(0.5 * degrees, half);
    return (quat){ half[1], 0, half[0], 0 };
}

static carom_status generate_stack(carom_scene_task *t, carom_error *err)
{
    pile_values given;
    TRY(carom_field_read(t->value, &stack_table, &given, err));
    TRY(reserve(t, (double)given.count, err));
    double step = extent(t).z + given.gap;
    for (int64_t i = 0; i < given.count; ++i)
        carom_scene_generators_put(t, vec3_make(0, 0, (double)i * step),
                                   about_z(fmod((double)i * given.turn, 360)));
    return CAROM_OK;
}

// -- pyramid ------------------------------------------------------------------------------------

static const carom_field pyramid_fields[] = {
    BODY_FIELD,
    { "rows", CAROM_FIELD_INT64, offsetof(pile_values, rows), .initial = 10,
      .range = { .min = 1, .max = 1e6 }, .doc = "the lowest has as many bodies as there are rows" },
    CAROM_SCENE_SPAN_FIELD(pile_values, gap, "between one row and the next"),
    CAROM_SCENE_SPAN_FIELD(pile_values, side_gap, "between neighbours of a row"),
    { 0 },
};
static const carom_field_table pyramid_table = {
    "pyramid",
    "Rows of bodies in the x-z plane, each with one less than the row below; the first is the "
    "left end of the lowest row.",
    pyramid_fields
};

static carom_status generate_pyramid(carom_scene_task *t, carom_error *err)
{
    pile_values given;
    TRY(carom_field_read(t->value, &pyramid_table, &given, err));
    double rows = (double)given.rows;
    TRY(reserve(t, 0.5 * rows * (rows + 1), err));
    vec3 size = extent(t);
    double across = size.x + given.side_gap, up = size.z + given.gap;
    for (int64_t i = 0; i < given.rows; ++i)
        for (int64_t j = 0; j < given.rows - i; ++j)
            carom_scene_generators_put(
                t, vec3_make(((double)j + 0.5 * (double)i) * across, 0, (double)i * up),
                quat_identity());
    return CAROM_OK;
}

// -- dominoes -----------------------------------------------------------------------------------

static const carom_field domino_fields[] = {
    BODY_FIELD,
    CAROM_SCENE_COUNT_FIELD(pile_values),
    { "spacing", CAROM_FIELD_NUMBER, offsetof(pile_values, spacing), .required = true,
      .range = { 0, 1e12, .above = true, .unit = "m" }, .doc = "centre to centre" },
    { "bend", CAROM_FIELD_NUMBER, offsetof(pile_values, bend),
      .range = { -90, 90, .unit = "degrees" },
      .doc = "about z from one to the next; the row curves to the left" },
    { 0 },
};
static const carom_field_table domino_table = {
    "dominoes",
    "Bodies one behind the other along x, turned with the row where it bends: thin along x.",
    domino_fields
};

static carom_status generate_dominoes(carom_scene_task *t, carom_error *err)
{
    pile_values given;
    TRY(carom_field_read(t->value, &domino_table, &given, err));
    TRY(reserve(t, (double)given.count, err));
    vec3 at = { 0, 0, 0 };
    for (int64_t i = 0; i < given.count; ++i) {
        double way[2], heading = fmod((double)i * given.bend, 360);
        carom_scene_generators_put(t, at, about_z(heading));
        carom_trig_degrees(heading + 0.5 * given.bend, way);
        at = vec3_axpy(at, given.spacing, vec3_make(way[1], way[0], 0));
    }
    return CAROM_OK;
}

// -- card house ---------------------------------------------------------------------------------

typedef struct house_values {
    int64_t levels, pairs;
    double lean, gap;
} house_values;

static const carom_field house_fields[] = {
    BODY_FIELD,
    { "levels", CAROM_FIELD_INT64, offsetof(house_values, levels), .initial = 3,
      .range = { .min = 1, .max = 1000 }, .doc = "one above the other" },
    { "pairs", CAROM_FIELD_INT64, offsetof(house_values, pairs),
      .range = { .min = 0, .max = 10000 }, .shown = "as many as levels",
      .doc = "of leaning cards in the lowest level; each level has one pair less than the one "
             "below, and a flat card between any two pairs" },
    { "lean", CAROM_FIELD_NUMBER, offsetof(house_values, lean), .initial = 20,
      .range = { 1, 60, .unit = "degrees" }, .doc = "of a card against the vertical" },
    CAROM_SCENE_SPAN_FIELD(house_values, gap, "between the flat cards, or the feet, of neighbours"),
    { 0 },
};
static const carom_field_table house_table = {
    "card-house",
    "Pairs of cards that lean on each other, with flat cards between the levels. The body is a "
    "box: thickness along x, width along y, height along z. The template's position is on the "
    "ground, below the left foot of the first pair.",
    house_fields
};

// A card of height h and thickness t that leans by the angle a has the corners c +- h/2 u +- t/2 w
// with u = (sin a, cos a) and w = (cos a, -sin a) in the x-z plane: its lowest corner lies
// h/2 cos a + t/2 sin a below its centre, its foremost one h/2 sin a + t/2 cos a before it.
static carom_status generate_house(carom_scene_task *t, carom_error *err)
{
    house_values given;
    TRY(carom_field_read(t->value, &house_table, &given, err));
    const carom_shape *shape = t->scene->forms[t->body.form].shape;
    if (carom_shape_kind_of(shape) != CAROM_SHAPE_BOX)
        return carom_value_fail_key(t->value, "body", err,
                                    "use a box: thickness along x, width y, height z",
                                    "a card house is made of boxes, not of a %s",
                                    carom_shape_kind_name(carom_shape_kind_of(shape)));
    double h = 2 * shape->half.z, thick = 2 * shape->half.x, a[2], levels = (double)given.levels;
    if (given.pairs == 0)
        given.pairs = given.levels;
    if (given.pairs < given.levels)
        return carom_value_fail_key(t->value, "pairs", err, "use at least as many pairs as levels",
                                    "%lld pairs of cards cannot carry %lld levels",
                                    (long long)given.pairs, (long long)given.levels);
    // level k has pairs - k pairs: two leaning cards each, and a flat one less than pairs
    double leaning = levels * (double)given.pairs - 0.5 * levels * (levels - 1);
    TRY(reserve(t, 3 * leaning - levels, err));
    carom_trig_degrees(given.lean, a);
    double rise = 0.5 * (h * a[1] + thick * a[0]), reach = 0.5 * (h * a[0] + thick * a[1]);
    // room for the feet of a pair, and for one flat card between two apexes
    double spacing = fmax(4 * reach, h) + given.gap;
    for (int64_t level = 0; level < given.levels; ++level) {
        double ground = (double)level * (2 * rise + thick);
        int64_t pairs = given.pairs - level;
        for (int64_t k = 0; k < pairs; ++k) {
            double apex = 2 * reach + ((double)k + 0.5 * (double)level) * spacing;
            carom_scene_generators_put(t, vec3_make(apex - reach, 0, ground + rise),
                                       about_y(given.lean));
            carom_scene_generators_put(t, vec3_make(apex + reach, 0, ground + rise),
                                       about_y(-given.lean));
            if (k + 1 < pairs)
                carom_scene_generators_put(
                    t, vec3_make(apex + 0.5 * spacing, 0, ground + 2 * rise + 0.5 * thick),
                    about_y(90));
        }
    }
    return CAROM_OK;
}

// -- choosing -----------------------------------------------------------------------------------

#define GENERATOR_LIST(X)                                                                          \
    X("row", row_table, generate_row, "bodies in a line")                                          \
    X("rack", rack_table, generate_rack, "a triangle")                                             \
    X("ring", ring_table, generate_ring, "a circle")                                               \
    X("grid", grid_table, generate_grid, "a lattice, with jitter if wanted")                       \
    X("stack", stack_table, generate_stack, "one on top of the other")                             \
    X("pyramid", pyramid_table, generate_pyramid, "a wall with a slope on both sides")             \
    X("dominoes", domino_table, generate_dominoes, "one behind the other, straight or curved")     \
    X("card-house", house_table, generate_house, "leaning and flat cards")                         \
    X("fill", carom_scene_fill_table, carom_scene_fill, "random places in a region")               \
    X("pour", carom_scene_pour_table, carom_scene_pour, "enter a region while the run goes on")    \
    X("list", carom_scene_list_table, carom_scene_list, "one by one, from a table")

static const carom_field generator_fields[] = {
#define FIELD(word, fields, make, words)                                                           \
    { word, CAROM_FIELD_OBJECT, .table = &fields, .doc = words },
    GENERATOR_LIST(FIELD)
#undef FIELD
        { 0 },
};
const carom_field_table carom_scene_generator_table = {
    "generator", "Exactly one key, which says how bodies are placed.", generator_fields
};

static carom_status generate(carom_scene_world *scene, carom_value *item, int entry,
                             carom_error *err)
{
    static const struct {
        const char *key;
        carom_status (*make)(carom_scene_task *, carom_error *);
    } generators[] = {
#define ENTRY(word, fields, make, words) { word, make },
        GENERATOR_LIST(ENTRY)
#undef ENTRY
    };
    char nothing;
    const char *key = NULL;
    carom_value value, body;
    TRY(carom_field_read(item, &carom_scene_generator_table, &nothing, err));
    carom_scene_task t = { .scene = scene, .value = &value, .source = -1 - entry };
    for (size_t i = 0; i < sizeof generators / sizeof *generators; ++i) {
        carom_value found;
        if (!carom_value_member(item, generators[i].key, &found))
            continue;
        if (key)
            return carom_value_fail_key(item, generators[i].key, err,
                                        "write one generator per entry of the list",
                                        "the entry is both a %s and a %s", key, generators[i].key);
        key = generators[i].key;
        value = found;
    }
    if (!key)
        return carom_value_fail(item, err,
                                "use one of: row rack ring grid stack pyramid dominoes card-house "
                                "fill pour list",
                                "the generator has no kind");
    if (carom_value_member(&value, "body", &body)) {
        TRY(carom_scene_body_template(scene, &body, &t.body, err));
        t.start = vec3_from(t.body.body.position);
        if (!t.body.name)
            t.body.name = key;
    }
    for (size_t i = 0; i < sizeof generators / sizeof *generators; ++i)
        if (strcmp(generators[i].key, key) == 0)
            return generators[i].make(&t, err);
    return CAROM_OK;
}

carom_status carom_scene_generators_read(carom_scene_world *scene, const carom_value *root,
                                         carom_error *err)
{
    carom_value list;
    if (!carom_value_member(root, "generators", &list))
        return CAROM_OK;
    for (size_t i = 0; i < carom_value_count(&list); ++i) {
        carom_value item;
        carom_value_item(&list, i, &item);
        TRY(generate(scene, &item, (int)i, err));
    }
    return CAROM_OK;
}

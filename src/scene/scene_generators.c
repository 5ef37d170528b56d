// Generators of world scenes: a few keys place many bodies.
//
// Every generator takes a body as its template; the template's position is where the arrangement
// starts, its rotation holds for every copy.
#include "scene/scene_world.h"

#include <string.h>
#include "base/random.h"
#include "math/trig.h"
#include "shape/shape.h"

// What all generators are given.
typedef struct task {
    carom_scene_world *scene;
    carom_value *value; // the generator's own object
    int source;
    const char *kind;
    carom_scene_template body;
    vec3 start;
    int placed;
} task;

#define BODY_FIELD                                                                                 \
    {                                                                                              \
        "body", CAROM_FIELD_OBJECT,                                                                \
            .required = true, .table = &carom_scene_body_table,                                    \
            .doc = "what is placed; its position is where the arrangement starts, its "            \
                   "rotation holds for every one"                                                  \
    }
#define COUNT_FIELD(type)                                                                          \
    {                                                                                              \
        "count", CAROM_FIELD_WHOLE, offsetof(type, count), .required = true, .range = { 1, 1e12 }, \
                                                           .doc = "how many"                       \
    }
#define SPAN_FIELD(type, name, words)                                                              \
    {                                                                                              \
#name, CAROM_FIELD_NUMBER, offsetof(type, name),                                           \
            .range = { 0, 1e12, .unit = "m" }, .doc = words                                        \
    }

static void put(task *t, vec3 offset, quat turn)
{
    carom_scene_body_place(t->scene, &t->body, vec3_add(t->start, offset), turn, t->placed++,
                           t->source);
}

static carom_status reserve(const task *t, double count, carom_error *err)
{
    return carom_scene_body_reserve(t->scene, count, t->value, err);
}

// Sizes of the template along x, y, z as it is turned.
static vec3 extent(const task *t)
{
    const carom_scene_form *form = &t->scene->forms[t->body.form];
    const double *q = t->body.body.rotation;
    quat turn = quat_unit(quat_mul((quat){ q[0], q[1], q[2], q[3] }, form->turn));
    carom_pose pose = carom_pose_make(vec3_make(0, 0, 0), turn);
    carom_bounds bounds = carom_shape_bounds(form->shape, &pose);
    return vec3_sub(bounds.most, bounds.least);
}

// -- row ----------------------------------------------------------------------------------------

typedef struct row_values {
    int64_t count, striking;
    double step[3], velocity[3];
} row_values;

static const carom_field row_fields[] = {
    BODY_FIELD,
    COUNT_FIELD(row_values),
    { "step", CAROM_FIELD_VEC3, offsetof(row_values, step), .range = { .unit = "m" },
      .shown = "the body's size along x", .doc = "from one to the next" },
    { "striking", CAROM_FIELD_WHOLE, offsetof(row_values, striking), .range = { 0, 1e12 },
      .doc = "how many of the first have the velocity below" },
    { "velocity", CAROM_FIELD_VEC3, offsetof(row_values, velocity), .range = { .unit = "m/s" },
      .doc = "of the striking ones" },
    { 0 },
};
static const carom_field_table row_table = { "row", "Bodies in a line.", row_fields };

static carom_status generate_row(task *t, carom_error *err)
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
        put(t, vec3_scale((double)i, vec3_from(given.step)), quat_identity());
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
    { "rows", CAROM_FIELD_WHOLE, offsetof(rack_values, rows), .initial = 5, .range = { 1, 1e6 },
      .doc = "of the triangle; five rows are fifteen bodies" },
    SPAN_FIELD(rack_values, gap, "between neighbours"),
    { 0 },
};
static const carom_field_table rack_table = {
    "rack", "A triangle of bodies in the x-y plane: the first is the apex, rows follow along +x.",
    rack_fields
};

static carom_status generate_rack(task *t, carom_error *err)
{
    rack_values given;
    TRY(carom_field_read(t->value, &rack_table, &given, err));
    double rows = (double)given.rows, size = extent(t).y + given.gap, step = 0.5 * sqrt(3) * size;
    TRY(reserve(t, 0.5 * rows * (rows + 1), err));
    for (int64_t i = 0; i < given.rows; ++i)
        for (int64_t j = 0; j <= i; ++j)
            put(t, vec3_make((double)i * step, ((double)j - 0.5 * (double)i) * size, 0),
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
    COUNT_FIELD(ring_values),
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

static carom_status generate_ring(task *t, carom_error *err)
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
        put(t, vec3_make(given.radius * turn[1], given.radius * turn[0], 0),
            given.facing ? (quat){ half[1], 0, 0, half[0] } : quat_identity());
    }
    return CAROM_OK;
}

// -- grid and stack -----------------------------------------------------------------------------

// Uniform among all rotations: a point in the unit ball of four dimensions, on its sphere.
static quat random_rotation(carom_random *random)
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
    double count[3], spacing[3], jitter;
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
    { "seed", CAROM_FIELD_WHOLE, offsetof(grid_values, seed), .initial = 1, .range = { 0, 1e15 },
      .doc = "of jitter and rotations" },
    { "tumble", CAROM_FIELD_BOOL, offsetof(grid_values, tumble),
      .doc = "random rotations, uniform over all" },
    { 0 },
};
static const carom_field_table grid_table = {
    "grid", "Bodies on a lattice; the template's position is the corner with the smallest x, y, z.",
    grid_fields
};

static carom_status generate_grid(task *t, carom_error *err)
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
    carom_random random = carom_random_make((uint64_t)given.seed, 1);
    for (int iz = 0; iz < (int)n[2]; ++iz)
        for (int iy = 0; iy < (int)n[1]; ++iy)
            for (int ix = 0; ix < (int)n[0]; ++ix) {
                double at[3] = { ix * given.spacing[0], iy * given.spacing[1],
                                 iz * given.spacing[2] };
                for (int k = 0; k < 3 && given.jitter > 0; ++k)
                    at[k] += carom_random_between(&random, -given.jitter, given.jitter);
                put(t, vec3_from(at), given.tumble ? random_rotation(&random) : quat_identity());
            }
    return CAROM_OK;
}

typedef struct pile_values {
    int64_t count, rows;
    double gap, side_gap, spacing, bend, lean, turn;
} pile_values;

static const carom_field stack_fields[] = {
    BODY_FIELD,
    COUNT_FIELD(pile_values),
    SPAN_FIELD(pile_values, gap, "between one and the next"),
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

static carom_status generate_stack(task *t, carom_error *err)
{
    pile_values given;
    TRY(carom_field_read(t->value, &stack_table, &given, err));
    TRY(reserve(t, (double)given.count, err));
    double step = extent(t).z + given.gap;
    for (int64_t i = 0; i < given.count; ++i)
        put(t, vec3_make(0, 0, (double)i * step), about_z(fmod((double)i * given.turn, 360)));
    return CAROM_OK;
}

// -- pyramid ------------------------------------------------------------------------------------

static const carom_field pyramid_fields[] = {
    BODY_FIELD,
    { "rows", CAROM_FIELD_WHOLE, offsetof(pile_values, rows), .initial = 10, .range = { 1, 1e6 },
      .doc = "the lowest has as many bodies as there are rows" },
    SPAN_FIELD(pile_values, gap, "between one row and the next"),
    SPAN_FIELD(pile_values, side_gap, "between neighbours of a row"),
    { 0 },
};
static const carom_field_table pyramid_table = {
    "pyramid",
    "Rows of bodies in the x-z plane, each with one less than the row below; the first is the "
    "left end of the lowest row.",
    pyramid_fields
};

static carom_status generate_pyramid(task *t, carom_error *err)
{
    pile_values given;
    TRY(carom_field_read(t->value, &pyramid_table, &given, err));
    double rows = (double)given.rows;
    TRY(reserve(t, 0.5 * rows * (rows + 1), err));
    vec3 size = extent(t);
    double across = size.x + given.side_gap, up = size.z + given.gap;
    for (int64_t i = 0; i < given.rows; ++i)
        for (int64_t j = 0; j < given.rows - i; ++j)
            put(t, vec3_make(((double)j + 0.5 * (double)i) * across, 0, (double)i * up),
                quat_identity());
    return CAROM_OK;
}

// -- dominoes -----------------------------------------------------------------------------------

static const carom_field domino_fields[] = {
    BODY_FIELD,
    COUNT_FIELD(pile_values),
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

static carom_status generate_dominoes(task *t, carom_error *err)
{
    pile_values given;
    TRY(carom_field_read(t->value, &domino_table, &given, err));
    TRY(reserve(t, (double)given.count, err));
    vec3 at = { 0, 0, 0 };
    for (int64_t i = 0; i < given.count; ++i) {
        double way[2], heading = fmod((double)i * given.bend, 360);
        put(t, at, about_z(heading));
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
    { "levels", CAROM_FIELD_WHOLE, offsetof(house_values, levels), .initial = 3,
      .range = { 1, 1000 }, .doc = "one above the other" },
    { "pairs", CAROM_FIELD_WHOLE, offsetof(house_values, pairs), .range = { 0, 10000 },
      .shown = "as many as levels",
      .doc = "of leaning cards in the lowest level; each level has one pair less than the one "
             "below, and a flat card between any two pairs" },
    { "lean", CAROM_FIELD_NUMBER, offsetof(house_values, lean), .initial = 20,
      .range = { 1, 60, .unit = "degrees" }, .doc = "of a card against the vertical" },
    SPAN_FIELD(house_values, gap, "between the flat cards, or the feet, of neighbours"),
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
static carom_status generate_house(task *t, carom_error *err)
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
            put(t, vec3_make(apex - reach, 0, ground + rise), about_y(given.lean));
            put(t, vec3_make(apex + reach, 0, ground + rise), about_y(-given.lean));
            if (k + 1 < pairs)
                put(t, vec3_make(apex + 0.5 * spacing, 0, ground + 2 * rise + 0.5 * thick),
                    about_y(90));
        }
    }
    return CAROM_OK;
}

// -- fill ---------------------------------------------------------------------------------------

typedef struct fill_values {
    int64_t count, seed;
    double from[3], to[3], gap;
    bool tumble;
} fill_values;

static const carom_field fill_fields[] = {
    { "bodies", CAROM_FIELD_LIST, .required = true, .table = &carom_scene_body_table,
      .doc = "what is placed, chosen at random; their positions do not count" },
    COUNT_FIELD(fill_values),
    { "from", CAROM_FIELD_VEC3, offsetof(fill_values, from), .required = true,
      .range = { .unit = "m" }, .doc = "corner of the region with the smallest x, y, z" },
    { "to", CAROM_FIELD_VEC3, offsetof(fill_values, to), .required = true, .range = { .unit = "m" },
      .doc = "the opposite corner" },
    SPAN_FIELD(fill_values, gap, "that stays between the balls around any two bodies"),
    { "seed", CAROM_FIELD_WHOLE, offsetof(fill_values, seed), .initial = 1, .range = { 0, 1e15 },
      .doc = "of everything random" },
    { "tumble", CAROM_FIELD_BOOL, offsetof(fill_values, tumble), .initial = 1,
      .doc = "random rotations, uniform over all" },
    { 0 },
};
static const carom_field_table fill_table = {
    "fill",
    "Bodies at random places of a region, such that the balls around them do not overlap. About a "
    "third of the region can be filled by equal balls; `grid` with jitter packs closer.",
    fill_fields
};

enum { FILL_TRIES = 20000, FILL_KINDS = 64 };

// Balls by cell of their centre; cells are as wide as two balls of the largest kind, so that only
// neighbouring cells matter.
typedef struct crowd {
    vec3 *centre;
    double *radius;
    int *head, *next; // first of a cell, next of the same cell; -1 ends
    int cells[3], count;
    double width;
    vec3 corner;
} crowd;

static int cell_of(const crowd *c, vec3 p, int axis)
{
    double at = axis == 0 ? p.x - c->corner.x : axis == 1 ? p.y - c->corner.y : p.z - c->corner.z;
    int cell = (int)(at / c->width);
    return cell < 0 ? 0 : cell >= c->cells[axis] ? c->cells[axis] - 1 : cell;
}

static bool is_free(const crowd *c, vec3 centre, double radius)
{
    int low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        int cell = cell_of(c, centre, k);
        low[k] = cell > 0 ? cell - 1 : 0;
        high[k] = cell + 1 < c->cells[k] ? cell + 1 : cell;
    }
    for (int z = low[2]; z <= high[2]; ++z)
        for (int y = low[1]; y <= high[1]; ++y)
            for (int x = low[0]; x <= high[0]; ++x)
                for (int i = c->head[(z * c->cells[1] + y) * c->cells[0] + x]; i >= 0;
                     i = c->next[i]) {
                    vec3 apart = vec3_sub(centre, c->centre[i]);
                    double least = radius + c->radius[i];
                    if (vec3_dot(apart, apart) < least * least)
                        return false;
                }
    return true;
}

static void keep(crowd *c, vec3 centre, double radius)
{
    int *head =
        &c->head[(cell_of(c, centre, 2) * c->cells[1] + cell_of(c, centre, 1)) * c->cells[0] +
                 cell_of(c, centre, 0)];
    c->centre[c->count] = centre;
    c->radius[c->count] = radius;
    c->next[c->count] = *head;
    *head = c->count++;
}

static carom_status crowd_begin(const task *t, const fill_values *given, double largest, crowd *c,
                                carom_error *err)
{
    double cells = 1;
    size_t count = (size_t)given->count;
    c->corner = vec3_from(given->from);
    c->width = 2 * largest;
    for (int k = 0; k < 3; ++k) {
        double span = given->to[k] - given->from[k];
        if (!(span >= 2 * largest))
            return carom_value_fail_key(t->value, "to", err, "make the region larger",
                                        "the region is %g m wide along %c, the ball around a body "
                                        "%g m",
                                        span, "xyz"[k], 2 * largest);
        c->cells[k] = (int)fmin(floor(span / c->width) + 1, 1024);
        cells *= c->cells[k];
        c->width = fmax(c->width, span / 1024);
    }
    for (int k = 0; k < 3; ++k) // once the width is known for all axes
        c->cells[k] = (int)floor((given->to[k] - given->from[k]) / c->width) + 1;
    if (cells > 1e8)
        return carom_value_fail(t->value, err, "make the region smaller or the bodies larger",
                                "the region is too large for bodies of %g m", 2 * largest);
    size_t all = (size_t)c->cells[0] * (size_t)c->cells[1] * (size_t)c->cells[2];
    carom_arena *memory = carom_reader_memory(t->value->reader);
    TAKE(memory, c->centre, count, err);
    TAKE(memory, c->radius, count, err);
    TAKE(memory, c->next, count, err);
    TAKE(memory, c->head, all, err);
    memset(c->head, -1, all * sizeof *c->head);
    return CAROM_OK;
}

static carom_status read_kinds(task *t, carom_scene_template kinds[FILL_KINDS], int *count,
                               double *largest, carom_error *err)
{
    carom_value list;
    carom_value_member(t->value, "bodies", &list);
    *count = (int)carom_value_count(&list);
    *largest = 0;
    if (*count < 1 || *count > FILL_KINDS)
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

static carom_status generate_fill(task *t, carom_error *err)
{
    fill_values given;
    carom_scene_template kinds[FILL_KINDS];
    crowd c = { 0 };
    int kind_count;
    double largest;
    TRY(carom_field_read(t->value, &fill_table, &given, err));
    TRY(reserve(t, (double)given.count, err));
    TRY(read_kinds(t, kinds, &kind_count, &largest, err));
    TRY(crowd_begin(t, &given, largest + 0.5 * given.gap, &c, err));
    carom_random random = carom_random_make((uint64_t)given.seed, 2);
    for (int64_t i = 0; i < given.count; ++i) {
        carom_scene_template *kind = &kinds[carom_random_below(&random, kind_count)];
        const carom_scene_form *form = &t->scene->forms[kind->form];
        double radius = carom_shape_radius(form->shape), at[3];
        quat turn = given.tumble ? random_rotation(&random) : quat_identity();
        int tries = 0;
        do
            for (int k = 0; k < 3; ++k)
                at[k] = carom_random_between(&random, given.from[k] + radius, given.to[k] - radius);
        while (!is_free(&c, vec3_from(at), radius + 0.5 * given.gap) && ++tries < FILL_TRIES);
        if (tries == FILL_TRIES)
            return carom_value_fail_key(
                t->value, "count", err, "ask for fewer, make the region larger, or use a grid",
                "only %lld of %lld bodies found a place", (long long)i, (long long)given.count);
        keep(&c, vec3_from(at), radius + 0.5 * given.gap);
        const double *q = kind->body.rotation;
        quat whole = quat_mul(turn, (quat){ q[0], q[1], q[2], q[3] });
        t->body = *kind;
        t->body.name = kind->name ? kind->name : kinds[0].name ? kinds[0].name : "fill";
        t->start = vec3_sub(vec3_from(at), quat_rotate(whole, form->shift));
        put(t, vec3_make(0, 0, 0), turn);
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
    X("fill", fill_table, generate_fill, "random places in a region")

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
        carom_status (*make)(task *, carom_error *);
    } generators[] = {
#define ENTRY(word, fields, make, words) { word, make },
        GENERATOR_LIST(ENTRY)
#undef ENTRY
    };
    char nothing;
    const char *key = NULL;
    carom_value value, body;
    TRY(carom_field_read(item, &carom_scene_generator_table, &nothing, err));
    task t = { .scene = scene, .value = &value, .source = -1 - entry };
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
                                "fill",
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

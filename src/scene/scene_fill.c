// The generator `fill`: random places in a region, none overlapping.
#include "scene/scene_generators.h"
#include "scene/scene_sizes.h"

#include <string.h>

typedef struct fill_values {
    int64_t count, seed;
    double from[3], to[3], gap;
    bool tumble;
} fill_values;

static const carom_field fill_fields[] = {
    { "bodies", CAROM_FIELD_LIST, .required = true, .table = &carom_scene_body_table,
      .doc = "what is placed, chosen at random; their positions do not count" },
    CAROM_SCENE_COUNT_FIELD(fill_values),
    { "from", CAROM_FIELD_VEC3, offsetof(fill_values, from), .required = true,
      .range = { .unit = "m" }, .doc = "corner of the region with the smallest x, y, z" },
    { "to", CAROM_FIELD_VEC3, offsetof(fill_values, to), .required = true, .range = { .unit = "m" },
      .doc = "the opposite corner" },
    CAROM_SCENE_SPAN_FIELD(fill_values, gap, "that stays between the balls around any two bodies"),
    CAROM_SCENE_SIZES_FIELD,
    { "seed", CAROM_FIELD_INT64, offsetof(fill_values, seed), .initial = 1,
      .range = { .min = 0, .max = 1e15 }, .doc = "of everything random" },
    { "tumble", CAROM_FIELD_BOOL, offsetof(fill_values, tumble), .initial = 1,
      .doc = "random rotations, uniform over all" },
    { 0 },
};
const carom_field_table carom_scene_fill_table = {
    "fill",
    "Bodies at random places of a region, such that the balls around them do not overlap. About a "
    "third of the region can be filled by equal balls; `grid` with jitter packs closer. Where it "
    "reaches from end to end of a periodic box, bodies lie across the ends, too.",
    fill_fields
};

enum { FILL_TRIES = 200000 };

// Balls by cell of their centre; cells are as wide as two balls of the largest kind, so that only
// neighbouring cells matter.
typedef struct placed_balls {
    vec3 *centre;
    double *radius;
    int *head, *next; // first of a cell, next of the same cell; -1 ends
    int cells[3], count;
    double width;
    double period[3]; // m, along axes on which the region goes from end to end of the box; else 0
    vec3 corner;
} placed_balls;

static int cell_of(const placed_balls *c, vec3 p, int axis)
{
    double at = axis == 0 ? p.x - c->corner.x : axis == 1 ? p.y - c->corner.y : p.z - c->corner.z;
    int cell = (int)(at / c->width);
    return cell < 0 ? 0 : cell >= c->cells[axis] ? c->cells[axis] - 1 : cell;
}

static bool is_free_here(const placed_balls *c, vec3 centre, double radius)
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
                    double min = radius + c->radius[i];
                    if (vec3_dot(apart, apart) < min * min)
                        return false;
                }
    return true;
}

// At all images: those in the copies of the box beside this one reach into it.
static bool is_free(const placed_balls *c, vec3 centre, double radius)
{
    int most[3];
    for (int k = 0; k < 3; ++k)
        most[k] = c->period[k] > 0;
    for (int x = -most[0]; x <= most[0]; ++x)
        for (int y = -most[1]; y <= most[1]; ++y)
            for (int z = -most[2]; z <= most[2]; ++z) {
                vec3 way = { x * c->period[0], y * c->period[1], z * c->period[2] };
                if (!is_free_here(c, vec3_add(centre, way), radius))
                    return false;
            }
    return true;
}

// Along one axis, for a ball of this radius.
static double place(const placed_balls *c, const fill_values *given, int axis, double radius,
                    carom_random *random)
{
    double from = given->from[axis], to = given->to[axis], period = c->period[axis];
    return period > 0 ? carom_random_between(random, from, from + period)
                      : carom_random_between(random, from + radius, to - radius);
}

static void keep(placed_balls *c, vec3 centre, double radius)
{
    int *head =
        &c->head[(cell_of(c, centre, 2) * c->cells[1] + cell_of(c, centre, 1)) * c->cells[0] +
                 cell_of(c, centre, 0)];
    c->centre[c->count] = centre;
    c->radius[c->count] = radius;
    c->next[c->count] = *head;
    *head = c->count++;
}

static carom_status placed_begin(const carom_scene_task *t, const fill_values *given,
                                 double largest, placed_balls *c, carom_error *err)
{
    double cells = 1;
    size_t count = (size_t)given->count;
    c->corner = vec3_from(given->from);
    c->width = 2 * largest;
    for (int k = 0; k < 3; ++k) {
        const double *box = t->scene->options.periodic[k];
        double span = given->to[k] - given->from[k], period = box[1] - box[0];
        c->period[k] = period > 0 && span >= (1 - 1e-12) * period ? period : 0;
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

carom_status carom_scene_fill(carom_scene_task *t, carom_error *err)
{
    fill_values given;
    carom_scene_sizes sizes;
    carom_scene_template kinds[CAROM_SCENE_KINDS];
    placed_balls c = { 0 };
    int kind_count;
    double largest;
    TRY(carom_field_read(t->value, &carom_scene_fill_table, &given, err));
    TRY(carom_scene_sizes_read(t->value, &sizes, err));
    TRY(carom_scene_body_reserve(t->scene, (double)given.count, t->value, err));
    TRY(carom_scene_generators_kinds(t, kinds, &kind_count, &largest, err));
    largest *= carom_scene_sizes_max(&sizes);
    TRY(placed_begin(t, &given, largest + 0.5 * given.gap, &c, err));
    carom_random random = carom_random_make(carom_scene_generators_seed(t, given.seed), 2);
    for (int64_t i = 0; i < given.count; ++i) {
        carom_scene_template chosen = kinds[carom_random_below(&random, kind_count)];
        const carom_scene_template *kind = &chosen;
        TRY(carom_scene_sizes_apply(t->scene, carom_scene_sizes_draw(&sizes, &random), &chosen,
                                    err));
        const carom_scene_form *form = &t->scene->forms[kind->form];
        double radius = carom_shape_radius(form->shape), at[3];
        quat turn = given.tumble ? carom_scene_generators_rotation(&random) : quat_identity();
        int tries = 0;
        do
            for (int k = 0; k < 3; ++k)
                at[k] = place(&c, &given, k, radius, &random);
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
        carom_scene_generators_put(t, vec3_make(0, 0, 0), turn);
    }
    return CAROM_OK;
}

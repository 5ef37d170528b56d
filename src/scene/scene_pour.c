// The generator `pour`: bodies that enter a region one after the other while the run goes on.
//
// Every body has its place in the region and its time from the seed, before the run begins. It
// enters when its time has come and nothing is in its place, and waits otherwise. Who waits is part
// of the world (CAROM_BODY_WAITING), so that a resumed run goes on to the same bits.
#include "scene/scene_pour.h"

#include "carom/world_change.h"
#include "carom/world_query.h"
#include "scene/scene_sizes.h"

typedef struct pour_values {
    int64_t count, seed;
    double rate, start, from[3], to[3];
    bool tumble;
} pour_values;

static const carom_field pour_fields[] = {
    { "bodies", CAROM_FIELD_LIST, .required = true, .table = &carom_scene_body_table,
      .doc = "what is poured, chosen at random; their velocities are those that they enter with, "
             "their positions do not count" },
    CAROM_SCENE_COUNT_FIELD(pour_values),
    { "rate", CAROM_FIELD_NUMBER, offsetof(pour_values, rate), .required = true,
      .range = { 0, 1e12, .above = true, .unit = "1/s" }, .doc = "bodies per second" },
    { "start", CAROM_FIELD_NUMBER, offsetof(pour_values, start),
      .range = { 0, 1e12, .unit = "s" }, .doc = "when the first one enters" },
    { "from", CAROM_FIELD_VEC3, offsetof(pour_values, from), .required = true,
      .range = { .unit = "m" }, .doc = "corner of the region with the smallest x, y, z" },
    { "to", CAROM_FIELD_VEC3, offsetof(pour_values, to), .required = true, .range = { .unit = "m" },
      .doc = "the opposite corner" },
    CAROM_SCENE_SIZES_FIELD,
    { "seed", CAROM_FIELD_INT64, offsetof(pour_values, seed), .initial = 1,
      .range = { .min = 0, .max = 1e15 }, .doc = "of everything random" },
    { "tumble", CAROM_FIELD_BOOL, offsetof(pour_values, tumble), .initial = 1,
      .doc = "random rotations, uniform over all" },
    { 0 },
};
const carom_field_table carom_scene_pour_table = {
    "pour",
    "Bodies that enter a region at a steady rate while the run goes on, at random places. One whose "
    "place is taken when its time has come waits until it is free.",
    pour_fields
};

static carom_status check_region(const carom_scene_task *t, const pour_values *given, double radius,
                                 carom_error *err)
{
    for (int k = 0; k < 3; ++k) {
        double span = given->to[k] - given->from[k];
        if (!(span >= 2 * radius * (1 - 1e-9)))
            return carom_value_fail_key(t->value, "to", err, "make the region larger",
                                        "the region is %g m wide along %c, the ball around a body "
                                        "%g m",
                                        span, "xyz"[k], 2 * radius);
    }
    return CAROM_OK;
}

static carom_status place(carom_scene_task *t, const pour_values *given,
                          const carom_scene_template *kind, carom_random *random, carom_error *err)
{
    const carom_scene_form *form = &t->scene->forms[kind->form];
    double radius = carom_shape_radius(form->shape), at[3];
    TRY(check_region(t, given, radius, err));
    quat turn = given->tumble ? carom_scene_generators_rotation(random) : quat_identity();
    for (int k = 0; k < 3; ++k)
        at[k] = carom_random_between(random, given->from[k] + radius, given->to[k] - radius);
    const double *q = kind->body.rotation;
    quat whole = quat_mul(turn, (quat){ q[0], q[1], q[2], q[3] });
    t->body = *kind;
    t->start = vec3_sub(vec3_from(at), quat_rotate(whole, form->shift));
    carom_scene_generators_put(t, vec3_make(0, 0, 0), turn);
    return CAROM_OK;
}

carom_status carom_scene_pour(carom_scene_task *t, carom_error *err)
{
    pour_values given;
    carom_scene_sizes sizes;
    carom_scene_template kinds[CAROM_SCENE_KINDS];
    int kind_count;
    double largest;
    TRY(carom_field_read(t->value, &carom_scene_pour_table, &given, err));
    TRY(carom_scene_sizes_read(t->value, &sizes, err));
    TRY(carom_scene_body_reserve(t->scene, (double)given.count, t->value, err));
    TRY(carom_scene_generators_kinds(t, kinds, &kind_count, &largest, err));
    carom_random random = carom_random_make(carom_scene_generators_seed(t, given.seed), 4);
    for (int64_t i = 0; i < given.count; ++i) {
        carom_scene_template kind = kinds[carom_random_below(&random, kind_count)];
        kind.name = kind.name ? kind.name : kinds[0].name ? kinds[0].name : "pour";
        TRY(carom_scene_sizes_apply(t->scene, carom_scene_sizes_draw(&sizes, &random), &kind, err));
        TRY(place(t, &given, &kind, &random, err));
        t->scene->members[t->scene->member_count - 1].born = given.start + (double)i / given.rate;
        t->scene->pours = true;
    }
    return CAROM_OK;
}

// -- while it runs ------------------------------------------------------------------------------

enum { TRIES = 256 }; // bodies that may enter before one step

// Those whose time has come, as many as may be tried; from another one on before every step, so
// that one in a place that stays taken keeps no other waiting.
static int due(const carom_scene_world *scene, const carom_world *world, int64_t step,
               int list[TRIES])
{
    int64_t waiting = 0, first;
    for (int pass = 0;; ++pass) {
        int64_t seen = 0;
        int count = 0;
        first = pass && waiting > TRIES ? step * TRIES % waiting : 0;
        for (int i = 0; i < (int)scene->member_count && count < TRIES; ++i) {
            const carom_scene_member *m = &scene->members[i];
            if (m->born < 0 || carom_scene_world_steps_until(m->born, scene->step) > step ||
                carom_world_kind(world, carom_world_body_at(world, i)) != CAROM_BODY_WAITING)
                continue;
            if (pass && seen >= first)
                list[count++] = i;
            ++seen;
            waiting += !pass;
        }
        if (pass || waiting == 0)
            return count;
    }
}

static bool is_free(const carom_scene_world *scene, carom_world *world, int member,
                    const int *entering, int count)
{
    carom_body body = carom_scene_world_body(scene, member);
    carom_placed placed = carom_world_placed_default(body.shape);
    carom_filter filter = carom_world_filter_default();
    carom_body_id other;
    int others = 0;
    for (int k = 0; k < count; ++k) {
        carom_body beside = carom_scene_world_body(scene, entering[k]);
        double apart = vec3_length(vec3_sub(vec3_from(beside.position), vec3_from(body.position)));
        if (apart <= carom_shape_radius(beside.shape) + carom_shape_radius(body.shape))
            return false;
    }
    for (int k = 0; k < 3; ++k)
        placed.position[k] = body.position[k];
    for (int k = 0; k < 4; ++k)
        placed.rotation[k] = body.rotation[k];
    return carom_world_overlap(world, &placed, &filter, &other, 1, &others, NULL) == CAROM_OK &&
           others == 0;
}

// All are looked at before the first one enters: the tree of the questions is made once.
void carom_scene_pour_enter(const carom_scene_world *scene, carom_world *world, int64_t step)
{
    int list[TRIES], entering[TRIES], count = 0;
    if (!scene->pours)
        return;
    int wanted = due(scene, world, step, list);
    for (int k = 0; k < wanted; ++k)
        if (is_free(scene, world, list[k], entering, count))
            entering[count++] = list[k];
    for (int k = 0; k < count; ++k)
        carom_world_set_kind(world, carom_world_body_at(world, entering[k]), CAROM_BODY_MOVING,
                             NULL);
}

int carom_scene_world_waiting(const carom_scene_world *scene, const carom_world *world)
{
    int count = 0;
    for (int i = 0; scene && world && scene->pours && i < (int)scene->member_count; ++i)
        count += scene->members[i].born >= 0 &&
                 carom_world_kind(world, carom_world_body_at(world, i)) == CAROM_BODY_WAITING;
    return count;
}

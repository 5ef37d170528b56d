// Recordings: the bodies of a world, their names, looks and surfaces. Frames: recording_frames.c.
#include "export/recording.h"

#include <stdlib.h>
#include <string.h>
#include "draw/font.h"
#include "shape/shape.h"

// Sides of round shapes as triangles: fewer where there are thousands of them.
static int sides_for(int users)
{
    return users > 2000 ? 12 : users > 200 ? 24 : 48;
}

static carom_status copy_bodies(carom_recording *recording, const carom_world *world,
                                carom_error *err);
static carom_status find_forms(carom_recording *recording, const carom_world *world,
                               carom_error *err);
static carom_status make_mesh(carom_recording *recording, carom_recording_form *form,
                              carom_error *err);

carom_status carom_recording_create(const carom_world *world, carom_recording **out,
                                    carom_error *err)
{
    NEED(err, world, out);
    *out = NULL;
    carom_recording *recording = calloc(1, sizeof *recording);
    if (recording) {
        recording->arena = carom_arena_create(0);
        recording->scratch = carom_arena_create(0);
        recording->stride = 1;
    }
    if (!recording || !recording->arena || !recording->scratch) {
        carom_recording_destroy(recording);
        return carom_error_no_memory(err, "an export");
    }
    carom_status status = copy_bodies(recording, world, err);
    if (status == CAROM_OK)
        status = find_forms(recording, world, err);
    if (status != CAROM_OK) {
        carom_recording_destroy(recording);
        return status;
    }
    *out = recording;
    return CAROM_OK;
}

void carom_recording_destroy(carom_recording *recording)
{
    if (!recording)
        return;
    for (int i = 0; i < recording->form_count; ++i)
        carom_shape_release(recording->forms[i].shape);
    carom_recording_truncate(recording, 0);
    free(recording->kept);
    carom_trajectory_close(recording->own);
    carom_font_close(recording->font);
    carom_arena_destroy(recording->arena);
    carom_arena_destroy(recording->scratch);
    free(recording);
}

// Bodies that joints connect go with the first of them.
static carom_status find_leaders(carom_recording *recording, const carom_world *world,
                                 carom_error *err)
{
    recording->period = world->period;
    TAKE(recording->arena, recording->leader, recording->count + 1, err);
    for (int i = 0; i < recording->count; ++i)
        recording->leader[i] = i;
    for (bool again = true; again;) { // ends: leaders only become lower
        again = false;
        for (int k = 0; k < recording->joint_count; ++k) {
            int a = recording->joints[k].a, b = recording->joints[k].b;
            if (a < 0 || b < 0 || recording->leader[a] == recording->leader[b])
                continue;
            int low = recording->leader[a] < recording->leader[b] ? recording->leader[a]
                                                                  : recording->leader[b];
            recording->leader[a] = recording->leader[b] = low;
            again = true;
        }
    }
    return CAROM_OK;
}

static carom_status copy_bodies(carom_recording *recording, const carom_world *world,
                                carom_error *err)
{
    int count = recording->count = world->count;
    double *bodies;
    TAKE(recording->arena, recording->form, count + 1, err);
    TAKE(recording->arena, recording->kind, count + 1, err);
    TAKE(recording->arena, recording->mass, count + 1, err);
    TAKE(recording->arena, recording->waits, count + 1, err);
    TAKE_ZEROS(recording->arena, recording->name, count + 1, err);
    TAKE(recording->arena, recording->look, count + 1, err);
    TAKE_ZEROS(recording->arena, recording->ghost, count + 1, err);
    TAKE_ZEROS(recording->arena, recording->servo, count + 1, err);
    TAKE(recording->arena, bodies, CAROM_FRAME_STRIDE * (size_t)count + 1, err);
    for (int i = 0; i < count; ++i) {
        bool waits = world->kind[i] == CAROM_BODY_WAITING;
        recording->kind[i] = waits ? CAROM_BODY_MOVING : world->kind[i];
        recording->mass[i] = waits ? world->own_mass[i] : world->fixed[i] ? 0 : world->mass[i];
        recording->waits[i] = waits;
        recording->pours = recording->pours || waits;
        recording->look[i] = carom_scene_world_look(NULL, -1);
        double *b = bodies + CAROM_FRAME_STRIDE * (size_t)i;
        carom_world_bodies_state(world, i, b);
    }
    recording->joint_count = world->joint_count;
    TAKE(recording->arena, recording->joints, world->joint_count + 1, err);
    if (world->joint_count)
        memcpy(recording->joints, world->joints,
               (size_t)world->joint_count * sizeof *recording->joints);
    if (world->periodic)
        TRY(find_leaders(recording, world, err));
    carom_ledger ledger = carom_world_ledger(world);
    recording->now = (carom_frame){ .step = ledger.steps,
                                    .time = ledger.time,
                                    .hash = carom_world_hash(world),
                                    .ledger = ledger,
                                    .body_count = count,
                                    .bodies = bodies };
    return CAROM_OK;
}

// Shapes are shared by address: sorted by it, equal ones are neighbours. The order of forms is that
// of their first body, so it does not depend on addresses.
static int by_shape(const void *a, const void *b)
{
    const uintptr_t *x = a, *y = b;
    if (x[0] != y[0])
        return x[0] < y[0] ? -1 : 1;
    return x[1] < y[1] ? -1 : x[1] > y[1];
}

static carom_status find_forms(carom_recording *recording, const carom_world *world,
                               carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(recording->scratch);
    uintptr_t(*sorted)[2];
    int *first;
    TAKE(recording->scratch, sorted, recording->count + 1, err);
    TAKE(recording->scratch, first, recording->count + 1, err);
    for (int i = 0; i < recording->count; ++i) {
        sorted[i][0] = (uintptr_t)world->shape[i];
        sorted[i][1] = (uintptr_t)i;
    }
    qsort(sorted, (size_t)recording->count, sizeof *sorted, by_shape);
    int distinct = 0;
    for (int i = 0, head = 0; i < recording->count; ++i) {
        if (sorted[i][0] != sorted[head][0])
            head = i;
        first[sorted[i][1]] = (int)sorted[head][1];
        distinct += head == i;
    }
    TAKE_ZEROS(recording->arena, recording->forms, distinct + 1, err);
    for (int i = 0; i < recording->count; ++i) {
        if (first[i] == i) {
            recording->form[i] = recording->form_count;
            recording->forms[recording->form_count++].shape = carom_shape_retain(world->shape[i]);
        }
        recording->form[i] = recording->form[first[i]];
        ++recording->forms[recording->form[i]].users;
    }
    carom_arena_rewind(recording->scratch, mark);
    for (int f = 0; f < recording->form_count; ++f)
        TRY(make_mesh(recording, &recording->forms[f], err));
    return CAROM_OK;
}

typedef struct collector {
    double *corners;
    int count;
} collector;

static void collect(void *context, const double corners[9])
{
    collector *c = context;
    if (c->corners)
        memcpy(c->corners + 9 * (size_t)c->count, corners, 9 * sizeof *corners);
    ++c->count;
}

static carom_status make_mesh(carom_recording *recording, carom_recording_form *form,
                              carom_error *err)
{
    collector c = { 0 };
    int sides = sides_for(form->users);
    if (carom_shape_kind_of(form->shape) == CAROM_SHAPE_PLANE)
        return CAROM_OK;
    carom_shape_triangles(form->shape, sides, 1, collect, &c);
    carom_arena_mark mark = carom_arena_mark_here(recording->scratch);
    TAKE(recording->scratch, c.corners, 9 * (size_t)c.count + 1, err);
    c.count = 0;
    carom_shape_triangles(form->shape, sides, 1, collect, &c);
    carom_status status =
        carom_trimesh_build(c.corners, c.count, recording->arena, &form->mesh, err);
    carom_arena_rewind(recording->scratch, mark);
    return status;
}

carom_status carom_recording_set_trajectory(carom_recording *recording,
                                            const carom_trajectory *trajectory, carom_error *err)
{
    NEED(err, recording);
    carom_frame frame;
    if (carom_trajectory_frame_count(trajectory) == 0) {
        carom_error_set(err, CAROM_BAD_INPUT, "the trajectory has %lld records but no frame",
                        (long long)carom_trajectory_count(trajectory));
        return carom_error_fix(err, "run its scene again with `carom run`");
    }
    TRY(carom_trajectory_frame(trajectory, 0, &frame, err));
    if (frame.body_count != recording->count)
        return carom_error_set(err, CAROM_BAD_INPUT,
                               "the trajectory has %d bodies, its scene has %d", frame.body_count,
                               recording->count);
    recording->trajectory = trajectory;
    return CAROM_OK;
}

carom_status carom_recording_set_body(carom_recording *recording, int body, const char *name,
                                      int colour, carom_error *err)
{
    NEED(err, recording);
    if (body < 0 || body >= recording->count)
        return carom_error_set(err, CAROM_BAD_INPUT, "there is no body %d of %d", body,
                               recording->count);
    recording->look[body].colour = colour;
    if (!name)
        return CAROM_OK;
    size_t size = strlen(name) + 1;
    TAKE(recording->arena, recording->name[body], size, err);
    memcpy(recording->name[body], name, size);
    return CAROM_OK;
}

carom_status carom_recording_set_title(carom_recording *recording, const char *title,
                                       carom_error *err)
{
    NEED(err, recording, title);
    size_t size = strlen(title) + 1;
    char *copy;
    TAKE(recording->arena, copy, size, err);
    memcpy(copy, title, size);
    recording->title = copy;
    return CAROM_OK;
}

static bool is_share(double value)
{
    return value >= 0 && value <= 1;
}

carom_status carom_recording_set_look(carom_recording *recording, int body, carom_look look,
                                      carom_error *err)
{
    NEED(err, recording);
    if (body < 0 || body >= recording->count)
        return carom_error_set(err, CAROM_BAD_INPUT, "there is no body %d of %d", body,
                               recording->count);
    if (!is_share(look.opacity) || !is_share(look.roughness)) {
        carom_error_set(err, CAROM_BAD_INPUT, "opacity %g, roughness %g", look.opacity,
                        look.roughness);
        return carom_error_fix(err, "give numbers from 0 to 1");
    }
    recording->look[body] = look;
    return CAROM_OK;
}

carom_status carom_recording_set_lights(carom_recording *recording, const carom_light *lights,
                                        int count, carom_error *err)
{
    NEED(err, recording);
    if (count < 0 || count > CAROM_LIGHT_MAX || (count && !lights)) {
        carom_error_set(err, CAROM_BAD_INPUT, "%d lights", count);
        return carom_error_fix(err, "give up to %d", CAROM_LIGHT_MAX);
    }
    for (int i = 0; i < count; ++i) {
        const carom_light *l = &lights[i];
        double length = vec3_length(vec3_from(l->direction));
        if (!(length > 0 && length < HUGE_VAL && l->strength >= 0 && l->strength <= 100 &&
              l->size >= 0 && l->size <= 40)) {
            carom_error_set(err, CAROM_BAD_INPUT, "light %d: length %g, strength %g, size %g", i,
                            length, l->strength, l->size);
            return carom_error_fix(err, "give a direction, a strength up to 100, a size up to 40");
        }
        recording->lights[i] = *l;
        vec3_store(vec3_scale(1 / length, vec3_from(l->direction)), recording->lights[i].direction);
    }
    recording->light_count = count;
    return CAROM_OK;
}

carom_status carom_recording_set_ghost(carom_recording *recording, int body, carom_error *err)
{
    NEED(err, recording);
    if (body < 0 || body >= recording->count)
        return carom_error_set(err, CAROM_BAD_INPUT, "there is no body %d of %d", body,
                               recording->count);
    recording->ghost[body] = true;
    return CAROM_OK;
}

const char *carom_recording_damage(const carom_recording *recording)
{
    if (!recording)
        return NULL;
    return recording->trajectory ? carom_trajectory_damage(recording->trajectory) : NULL;
}

const char *carom_recording_title(const carom_recording *recording)
{
    if (!recording)
        return "";
    return recording->title ? recording->title : "world";
}

int carom_recording_body_count(const carom_recording *recording)
{
    if (!recording)
        return 0;
    return recording->count;
}

int carom_recording_find(const carom_recording *recording, const char *name)
{
    if (!recording || !name)
        return -1;
    for (int i = 0; i < recording->count; ++i) {
        char room[32];
        if (strcmp(carom_recording_name(recording, i, room, sizeof room), name) == 0)
            return i;
    }
    return -1;
}

const char *carom_recording_name(const carom_recording *recording, int body, char *room,
                                 size_t size)
{
    if (recording->name[body])
        return recording->name[body];
    snprintf(room, size, "body%d", body);
    return room;
}

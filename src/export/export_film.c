// Films: the bodies of a world, their surfaces, and the moments of a run.
#include "export/export_film.h"

#include <stdlib.h>
#include <string.h>
#include "shape/shape.h"

// Sides of round shapes as triangles: fewer where there are thousands of them.
static int sides_for(int users)
{
    return users > 2000 ? 12 : users > 200 ? 24 : 48;
}

static carom_status copy_bodies(carom_export *film, const carom_world *world, carom_error *err);
static carom_status find_forms(carom_export *film, const carom_world *world, carom_error *err);
static carom_status make_mesh(carom_export *film, carom_export_form *form, carom_error *err);

carom_status carom_export_create(const carom_world *world, carom_export **out, carom_error *err)
{
    *out = NULL;
    carom_export *film = calloc(1, sizeof *film);
    if (film) {
        film->arena = carom_arena_create(0);
        film->scratch = carom_arena_create(0);
        film->stride = 1;
    }
    if (!film || !film->arena || !film->scratch) {
        carom_export_destroy(film);
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for an export");
    }
    carom_status status = copy_bodies(film, world, err);
    if (status == CAROM_OK)
        status = find_forms(film, world, err);
    if (status != CAROM_OK) {
        carom_export_destroy(film);
        return status;
    }
    *out = film;
    return CAROM_OK;
}

void carom_export_destroy(carom_export *film)
{
    if (!film)
        return;
    for (int i = 0; i < film->form_count; ++i)
        carom_shape_release(film->forms[i].shape);
    carom_export_keep_only(film, 0);
    free(film->kept);
    carom_trajectory_close(film->own);
    carom_arena_destroy(film->arena);
    carom_arena_destroy(film->scratch);
    free(film);
}

static carom_status copy_bodies(carom_export *film, const carom_world *world, carom_error *err)
{
    int count = film->count = world->count;
    double *bodies;
    TAKE(film->arena, film->form, count + 1, err);
    TAKE(film->arena, film->kind, count + 1, err);
    TAKE(film->arena, film->mass, count + 1, err);
    TAKE_ZEROS(film->arena, film->name, count + 1, err);
    TAKE(film->arena, film->colour, count + 1, err);
    TAKE(film->arena, bodies, 13 * (size_t)count + 1, err);
    for (int i = 0; i < count; ++i) {
        film->kind[i] = world->kind[i];
        film->mass[i] = world->fixed[i] ? 0 : world->mass[i];
        film->colour[i] = -1;
        double *b = bodies + 13 * (size_t)i;
        carom_world_body(world, i, b, b + 3, b + 7, b + 10);
    }
    film->joint_count = world->joint_count;
    TAKE(film->arena, film->joints, world->joint_count + 1, err);
    if (world->joint_count)
        memcpy(film->joints, world->joints, (size_t)world->joint_count * sizeof *film->joints);
    carom_ledger ledger = carom_world_ledger(world);
    film->now = (carom_frame){ .step = ledger.steps,
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

static carom_status find_forms(carom_export *film, const carom_world *world, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(film->scratch);
    uintptr_t(*sorted)[2];
    int *first;
    TAKE(film->scratch, sorted, film->count + 1, err);
    TAKE(film->scratch, first, film->count + 1, err);
    for (int i = 0; i < film->count; ++i) {
        sorted[i][0] = (uintptr_t)world->shape[i];
        sorted[i][1] = (uintptr_t)i;
    }
    qsort(sorted, (size_t)film->count, sizeof *sorted, by_shape);
    int distinct = 0;
    for (int i = 0, head = 0; i < film->count; ++i) {
        if (sorted[i][0] != sorted[head][0])
            head = i;
        first[sorted[i][1]] = (int)sorted[head][1];
        distinct += head == i;
    }
    TAKE_ZEROS(film->arena, film->forms, distinct + 1, err);
    for (int i = 0; i < film->count; ++i) {
        if (first[i] == i) {
            film->form[i] = film->form_count;
            film->forms[film->form_count++].shape = carom_shape_retain(world->shape[i]);
        }
        film->form[i] = film->form[first[i]];
        ++film->forms[film->form[i]].users;
    }
    carom_arena_rewind(film->scratch, mark);
    for (int f = 0; f < film->form_count; ++f)
        TRY(make_mesh(film, &film->forms[f], err));
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

static carom_status make_mesh(carom_export *film, carom_export_form *form, carom_error *err)
{
    collector c = { 0 };
    int sides = sides_for(form->users);
    if (carom_shape_kind_of(form->shape) == CAROM_SHAPE_PLANE)
        return CAROM_OK;
    carom_shape_triangles(form->shape, sides, 1, collect, &c);
    carom_arena_mark mark = carom_arena_mark_here(film->scratch);
    TAKE(film->scratch, c.corners, 9 * (size_t)c.count + 1, err);
    c.count = 0;
    carom_shape_triangles(form->shape, sides, 1, collect, &c);
    carom_status status = carom_trimesh_build(c.corners, c.count, film->arena, &form->mesh, err);
    carom_arena_rewind(film->scratch, mark);
    return status;
}

carom_status carom_export_film(carom_export *film, const carom_trajectory *trajectory,
                               carom_error *err)
{
    carom_frame frame;
    if (carom_trajectory_frame_count(trajectory) == 0) {
        carom_error_set(err, CAROM_BAD_INPUT, "the trajectory has %lld records but no frame",
                        (long long)carom_trajectory_count(trajectory));
        return carom_error_fix(err, "run its scene again with `carom run`");
    }
    TRY(carom_trajectory_frame(trajectory, 0, &frame, err));
    if (frame.body_count != film->count)
        return carom_error_set(err, CAROM_BAD_INPUT,
                               "the trajectory has %d bodies, its scene has %d", frame.body_count,
                               film->count);
    film->trajectory = trajectory;
    return CAROM_OK;
}

carom_status carom_export_body(carom_export *film, int body, const char *name, int colour,
                               carom_error *err)
{
    if (body < 0 || body >= film->count)
        return carom_error_set(err, CAROM_BAD_INPUT, "there is no body %d of %d", body,
                               film->count);
    film->colour[body] = colour;
    if (!name)
        return CAROM_OK;
    size_t size = strlen(name) + 1;
    TAKE(film->arena, film->name[body], size, err);
    memcpy(film->name[body], name, size);
    return CAROM_OK;
}

void carom_export_decimate(carom_export *film, int64_t n)
{
    film->stride = n > 0 ? n : 1;
}

const char *carom_export_damage(const carom_export *film)
{
    return film->trajectory ? carom_trajectory_damage(film->trajectory) : NULL;
}

const char *carom_export_title(const carom_export *film)
{
    return film->title ? film->title : "world";
}

int carom_export_body_count(const carom_export *film)
{
    return film->count;
}

int64_t carom_export_moment_count(const carom_export *film)
{
    int64_t frames = film->trajectory   ? carom_trajectory_frame_count(film->trajectory)
                     : film->kept_count ? film->kept_count
                                        : 1;
    return (frames - 1) / film->stride + 1;
}

const carom_world_contact *carom_export_film_contacts(const carom_export *film, int64_t moment,
                                                      int *count)
{
    int64_t index = moment * film->stride;
    *count = 0;
    if (film->trajectory)
        return carom_trajectory_contacts(film->trajectory, index, count);
    if (index < 0 || index >= film->kept_count)
        return NULL;
    *count = film->kept[index].contact_count;
    return film->kept[index].contacts;
}

carom_status carom_export_moment(const carom_export *film, int64_t moment, carom_frame *frame,
                                 carom_error *err)
{
    if (film->trajectory) {
        TRY(carom_trajectory_frame(film->trajectory, moment * film->stride, frame, err));
        if (frame->body_count != film->count)
            return carom_error_set(err, CAROM_BAD_INPUT, "frame %lld has %d bodies instead of %d",
                                   (long long)moment, frame->body_count, film->count);
        return CAROM_OK;
    }
    int64_t index = moment * film->stride;
    if (moment < 0 || index >= (film->kept_count ? film->kept_count : 1))
        return carom_error_set(err, CAROM_BAD_INPUT, "there is no moment %lld", (long long)moment);
    *frame = film->kept_count ? film->kept[index].frame : film->now;
    return CAROM_OK;
}

int64_t carom_export_nearest(const carom_export *film, double time)
{
    int64_t low = 0, high = carom_export_moment_count(film) - 1;
    carom_frame frame, next;
    while (high - low > 1) { // ends: halves; times rise from frame to frame
        int64_t middle = low + (high - low) / 2;
        if (carom_export_moment(film, middle, &frame, NULL) != CAROM_OK)
            return low;
        if (frame.time <= time)
            low = middle;
        else
            high = middle;
    }
    if (high == low || carom_export_moment(film, low, &frame, NULL) != CAROM_OK ||
        carom_export_moment(film, high, &next, NULL) != CAROM_OK)
        return low;
    return time - frame.time <= next.time - time ? low : high;
}

carom_export_state carom_export_film_state(const carom_frame *frame, int body)
{
    const double *b = frame->bodies + 13 * (size_t)body;
    return (carom_export_state){
        vec3_from(b), { b[3], b[4], b[5], b[6] }, vec3_from(b + 7), vec3_from(b + 10)
    };
}

bool carom_export_film_gone(const carom_export *film, const carom_frame *frame, int body)
{
    return film->kind[body] == CAROM_BODY_REMOVED ||
           (film->removed && frame->time >= film->removed[body]);
}

const char *carom_export_film_name(const carom_export *film, int body, char *room, size_t size)
{
    if (film->name[body])
        return film->name[body];
    snprintf(room, size, "body%d", body);
    return room;
}

// -- moments in memory --------------------------------------------------------------------------

static bool fill(carom_export_kept *kept, const carom_world *world)
{
    int count = carom_world_body_count(world), touching;
    const carom_world_contact *contacts = carom_world_contacts(world, &touching);
    carom_ledger ledger = carom_world_ledger(world);
    double *bodies = malloc(13 * ((size_t)count + 1) * sizeof *bodies);
    *kept = (carom_export_kept){ .contact_count = touching };
    kept->contacts = malloc(((size_t)touching + 1) * sizeof *contacts);
    if (!bodies || !kept->contacts) {
        free(bodies);
        free(kept->contacts);
        return false;
    }
    for (int i = 0; i < count; ++i) {
        double *b = bodies + 13 * (size_t)i;
        carom_world_body(world, i, b, b + 3, b + 7, b + 10);
    }
    if (touching)
        memcpy(kept->contacts, contacts, (size_t)touching * sizeof *contacts);
    kept->frame = (carom_frame){ .step = ledger.steps,
                                 .time = ledger.time,
                                 .hash = carom_world_hash(world),
                                 .ledger = ledger,
                                 .body_count = count,
                                 .bodies = bodies };
    return true;
}

carom_status carom_export_keep(carom_export *film, const carom_world *world, carom_error *err)
{
    if (film->trajectory || carom_world_body_count(world) != film->count)
        return carom_error_set(err, CAROM_BAD_INPUT, "a world of %d bodies, a film of %d%s",
                               carom_world_body_count(world), film->count,
                               film->trajectory ? " with a trajectory" : "");
    if (film->kept_count == film->kept_room) {
        int64_t room = 2 * film->kept_room + 64;
        carom_export_kept *more = realloc(film->kept, (size_t)room * sizeof *more);
        if (!more)
            return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %lld moments",
                                   (long long)room);
        film->kept = more;
        film->kept_room = room;
    }
    if (!fill(&film->kept[film->kept_count], world))
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for moment %lld",
                               (long long)film->kept_count);
    ++film->kept_count;
    return CAROM_OK;
}

void carom_export_keep_only(carom_export *film, int64_t count)
{
    while (film->kept_count > count) {
        carom_export_kept *last = &film->kept[--film->kept_count];
        free((void *)last->frame.bodies);
        free(last->contacts);
    }
}

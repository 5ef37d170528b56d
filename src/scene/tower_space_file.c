// A tower in space from a scene of kind "world"; a file of kind "tower" is handed on.
//
// Boxes, hulls and compounds of them become polyhedra, planes half spaces; where anything round, or
// a mesh, takes part, the contacts are those of the collision module.
#include "carom/scene.h"
#include "carom/tower_space.h"
#include "collide/collide.h"
#include "scene/reader.h"
#include "scene/scene_world.h"
#include "scene/tower_file.h"
#include "shape/polytope.h"
#include "shape/shape.h"
#include "tower/tower_space.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct bridge {
    const carom_scene_world *scene;
    carom_tower_space *tower;
    const char *name; // of the file
    int count;
    // what collision needs
    const carom_shape **shape;
    vec3 *position;
    quat *rotation;
    unsigned char *fixed, *round; // round: its contacts come from collision
    carom_error *err;
} bridge;

static carom_status blame(const bridge *b, int body)
{
    char name[80];
    carom_scene_world_body_name(b->scene, body, name, sizeof name);
    return carom_error_where(b->err, "%.60s: body \"%.24s\"", b->name, name);
}

static carom_status refuse(const bridge *b, int body, const char *what, const char *fix)
{
    carom_error_set(b->err, CAROM_UNSUPPORTED, "%s", what);
    carom_error_fix(b->err, "%s", fix);
    return blame(b, body);
}

// -- shapes -------------------------------------------------------------------------------------

// Whether a shape is made of polyhedra and planes only.
static bool flat(const carom_shape *shape)
{
    bool all = shape->kind == CAROM_SHAPE_BOX || shape->kind == CAROM_SHAPE_HULL ||
               shape->kind == CAROM_SHAPE_PLANE;
    if (shape->kind == CAROM_SHAPE_COMPOUND) {
        all = true;
        for (int p = 0; p < shape->part_count; ++p)
            all = all && flat(shape->parts[p].shape);
    }
    return all;
}

static carom_status add_polytope(const bridge *b, int body, const carom_polytope *p,
                                 const carom_pose *pose)
{
    double *corners = malloc(3 * (size_t)p->vertex_count * sizeof *corners);
    if (!corners)
        return carom_error_set(b->err, CAROM_NO_MEMORY, "no memory for %d corners",
                               p->vertex_count);
    for (int v = 0; v < p->vertex_count; ++v)
        vec3_store(carom_pose_out(pose, p->vertex[v]), corners + 3 * (size_t)v);
    carom_tower_space_piece piece = { corners, p->vertex_count, p->first, p->loop, p->face_count };
    carom_status status = carom_tower_space_add_piece(b->tower, body, &piece, b->err);
    free(corners);
    return status;
}

static carom_status add_shape(const bridge *b, int body, const carom_shape *shape,
                              const carom_pose *pose)
{
    if (shape->kind == CAROM_SHAPE_PLANE) {
        double point[3], normal[3];
        vec3_store(pose->position, point);
        vec3_store(vec3_unit(carom_pose_column(pose, 2)), normal);
        return carom_tower_space_add_half(b->tower, body, point, normal, b->err);
    }
    if (shape->kind == CAROM_SHAPE_COMPOUND) {
        for (int p = 0; p < shape->part_count; ++p) {
            carom_pose part = carom_pose_chain(pose, &shape->parts[p].pose);
            TRY(add_shape(b, body, shape->parts[p].shape, &part));
        }
        return CAROM_OK;
    }
    return add_polytope(b, body, shape->polytope, pose);
}

// -- bodies -------------------------------------------------------------------------------------

static bool at_rest(const carom_body *body)
{
    double max = 0;
    for (int k = 0; k < 3; ++k)
        max = fmax(max, fmax(fabs(body->velocity[k]), fabs(body->spin[k])));
    return max == 0;
}

static carom_status add_member(bridge *b, int n)
{
    carom_body body = carom_scene_world_body(b->scene, n);
    char name[80];
    if (body.kind == CAROM_BODY_DRIVEN)
        return refuse(b, n, "a driven body moves, and a tower starts at rest",
                      "fix the body, or use `carom run`");
    if (!at_rest(&body))
        return refuse(b, n, "the body moves, and a tower starts at rest",
                      "leave out its velocity and spin, or use `carom run`");
    const carom_shape *shape = body.shape;
    quat q = { body.rotation[0], body.rotation[1], body.rotation[2], body.rotation[3] };
    vec3 place = vec3_from(body.position);
    carom_pose pose = carom_pose_make(place, q);
    carom_scene_world_body_name(b->scene, n, name, sizeof name);
    carom_tower_space_body made = { .name = name, .group = body.group, .mass = 1 };
    made.fixed = body.kind == CAROM_BODY_FIXED;
    vec3_store(place, made.centre);
    if (!made.fixed) {
        const double *own = shape->mass.inertia;
        made.mass = body.mass > 0 ? body.mass : body.density * shape->mass.volume;
        double scale = made.mass / shape->mass.volume;
        sym3 j =
            sym3_rotate(pose.rotation, (sym3){ own[0], own[1], own[2], own[3], own[4], own[5] });
        const double turned[6] = { j.xx, j.yy, j.zz, j.xy, j.xz, j.yz };
        for (int k = 0; k < 6; ++k)
            made.inertia[k] = scale * turned[k];
    }
    b->shape[n] = shape;
    b->position[n] = place;
    b->rotation[n] = q;
    b->fixed[n] = made.fixed;
    b->round[n] = !flat(shape);
    if (b->round[n] && !made.fixed)
        made.size = 2 * shape->bounding_radius;
    carom_status status = carom_tower_space_add_body(b->tower, &made, NULL, b->err);
    if (status == CAROM_OK && !b->round[n])
        status = add_shape(b, n, shape, &pose);
    return status == CAROM_OK ? CAROM_OK : blame(b, n);
}

// -- round shapes -------------------------------------------------------------------------------

static carom_status take_contacts(const bridge *b, const carom_contact *list, int count,
                                  double near)
{
    for (int n = 0; n < count; ++n) {
        const carom_contact *c = &list[n];
        double point[3], normal[3];
        if (c->gap < -near) {
            carom_error_set(b->err, CAROM_BAD_INPUT, "\"%.40s\" and \"%.40s\" overlap by %.3g",
                            b->tower->bodies[c->a].name, b->tower->bodies[c->b].name, -c->gap);
            return carom_error_fix(
                b->err, "move them apart; gaps and overlaps up to %.1e count as touching", near);
        }
        if (c->gap > near)
            continue;
        vec3_store(c->point, point);
        vec3_store(c->normal, normal);
        TRY(carom_tower_space_add_contact(b->tower, c->a, c->b, point, normal, b->err));
    }
    return CAROM_OK;
}

static carom_status round_contacts(const bridge *b)
{
    double near = TOWER_SPACE_TOUCHING * b->tower->size;
    carom_collide *collide = NULL;
    carom_body_pair *pairs;
    int count, kept = 0;
    carom_collide_bodies bodies = { .count = b->count,
                                    .shape = b->shape,
                                    .position = b->position,
                                    .rotation = b->rotation,
                                    .fixed = b->fixed,
                                    .margin = near,
                                    .threads = 1 };
    TRY(carom_collide_create(&collide, b->err));
    carom_status status = carom_collide_pairs(collide, &bodies, &pairs, &count, b->err);
    for (int p = 0; status == CAROM_OK && p < count; ++p)
        if (b->round[pairs[p].a] || b->round[pairs[p].b])
            pairs[kept++] = pairs[p];
    if (status == CAROM_OK && kept > 0)
        status = carom_collide_contacts(collide, &bodies, pairs, kept, b->err);
    if (status == CAROM_OK && kept > 0) {
        const carom_contact *list = carom_collide_list(collide, &count);
        status = take_contacts(b, list, count, near);
    }
    carom_collide_destroy(collide);
    return status;
}

// -- the file -----------------------------------------------------------------------------------

static carom_status fill(bridge *b)
{
    size_t count = (size_t)b->count + 1;
    bool round = false;
    b->shape = calloc(count, sizeof *b->shape);
    b->position = calloc(count, sizeof *b->position);
    b->rotation = calloc(count, sizeof *b->rotation);
    b->fixed = calloc(count, sizeof *b->fixed);
    b->round = calloc(count, sizeof *b->round);
    if (!b->shape || !b->position || !b->rotation || !b->fixed || !b->round)
        return carom_error_set(b->err, CAROM_NO_MEMORY, "no memory for %d bodies", b->count);
    for (int n = 0; n < b->count; ++n) {
        TRY(add_member(b, n));
        round = round || b->round[n];
    }
    return round ? round_contacts(b) : CAROM_OK;
}

static carom_status from_world(const char *name, const carom_scene_world *scene,
                               carom_tower_space **out, carom_error *err)
{
    carom_world_options options = carom_scene_world_options(scene);
    bridge b = { .scene = scene,
                 .name = name,
                 .count = carom_scene_world_body_count(scene),
                 .err = err,
                 .tower = carom_tower_space_create(options.gravity) };
    carom_status status = b.tower ? CAROM_OK : carom_error_no_memory(err, "a tower");
    if (status == CAROM_OK && scene->joint_count > 0) {
        carom_error_set(err, CAROM_UNSUPPORTED, "the scene has joints");
        carom_error_where(err, "%.80s", name);
        status = carom_error_fix(err, "leave them out, or use `carom run`");
    }
    if (status == CAROM_OK)
        status = fill(&b);
    free(b.shape);
    free(b.position);
    free(b.rotation);
    free(b.fixed);
    free(b.round);
    if (status != CAROM_OK)
        carom_tower_space_destroy(b.tower);
    else
        *out = b.tower;
    return status;
}

carom_status carom_tower_space_file_parse(const char *name, const char *text, size_t size,
                                          carom_tower **flat_tower, carom_tower_space **space,
                                          carom_error *err)
{
    NEED(err, name, flat_tower, space);
    carom_reader *reader = NULL;
    carom_scene_world *scene = NULL;
    int kind = 0;
    *flat_tower = NULL;
    *space = NULL;
    TRY(carom_reader_parse(name, text, size, &reader, err));
    carom_value root = carom_reader_root(reader);
    carom_status status = carom_reader_kind(&root, "tower world", &kind, err);
    carom_reader_close(reader);
    TRY(status);
    if (kind == 0)
        return carom_tower_file_parse(name, text, size, flat_tower, err);
    TRY(carom_scene_world_parse(name, text, size, &scene, err));
    status = from_world(name, scene, space, err);
    carom_scene_world_close(scene);
    return status;
}

carom_status carom_tower_space_file_load(const char *path, carom_tower **flat_tower,
                                         carom_tower_space **space, carom_error *err)
{
    NEED(err, path, flat_tower, space);
    carom_reader *reader = NULL;
    size_t size;
    *flat_tower = NULL;
    *space = NULL;
    TRY(carom_reader_open(path, &reader, err));
    const char *text = carom_reader_text(reader, &size);
    carom_status status =
        carom_tower_space_file_parse(carom_reader_path(reader), text, size, flat_tower, space, err);
    carom_reader_close(reader);
    return status;
}

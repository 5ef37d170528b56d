// Nodes with a motion are bodies; colliders at them or below them are their shapes, colliders
// without such a node stand still. glTF's y is up and becomes our z, in the frames of nodes as in
// the world. [KHR_physics_rigid_bodies and KHR_implicit_shapes, drafts of the Khronos Group]
//
// Read: spheres, boxes, capsules and cylinders with equal ends, masses, velocities, materials and
// joints that hold all but one direction. Left out with a remark: triggers, filters, drives, kinds
// of combining. Refused: colliders made of meshes, cones, scales that differ along the axes.
#include "import/gltf.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include "math/constants.h"
#include "parse/parse.h"

enum { DEPTH = 64, NODES = 1000000 };

typedef struct node_place {
    bool seen;
    vec3 position;
    quat rotation;
    double scale;
    int body;  // that it moves with, -1: the world
    int still; // that its own collider is, where that stands still; -1: none
} node_place;

typedef struct reading {
    const char *name;
    json_t *root, *nodes, *physics, *shapes;
    carom_draft *draft;
    node_place *places;
    size_t count;
} reading;

static carom_status refuse(const reading *r, carom_error *err, const char *what, long long at)
{
    char words[200];
    snprintf(words, sizeof words, what, at);
    carom_error_set(err, CAROM_BAD_INPUT, "%s", words);
    carom_error_where(err, "%.200s", r->name);
    return carom_error_fix(err, "change it in the program that wrote the file, or leave it out");
}

// -- values ---------------------------------------------------------------------------------------

static carom_status numbers(const reading *r, const json_t *of, const char *key, double *out,
                            int count, carom_error *err)
{
    const json_t *list = json_object_get(of, key);
    if (!list)
        return CAROM_OK;
    for (int i = 0; i < count; ++i) {
        const json_t *one = count == 1 ? list : json_array_get(list, (size_t)i);
        double value = json_number_value(one);
        if (!json_is_number(one) || !(fabs(value) <= 1e12)) {
            char words[100];
            snprintf(words, sizeof words, "%.40s is no list of %%lld numbers", key);
            return refuse(r, err, words, count);
        }
        out[i] = value;
    }
    return CAROM_OK;
}

// A number of a list, or -1.
static long long index_of(const json_t *of, const char *key, const json_t *list)
{
    const json_t *at = json_object_get(of, key);
    json_int_t value = json_is_integer(at) ? json_integer_value(at) : -1;
    return value >= 0 && (size_t)value < json_array_size(list) ? (long long)value : -1;
}

static quat quaternion(const double v[4])
{
    double length = v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3];
    if (!(length > 1e-20))
        return quat_identity();
    return carom_draft_upright_turn(quat_unit((quat){ v[3], v[0], v[1], v[2] }));
}

// -- nodes ----------------------------------------------------------------------------------------

static const json_t *physics_of(const json_t *node)
{
    return json_object_get(json_object_get(node, "extensions"), "KHR_physics_rigid_bodies");
}

// Column by column, as glTF has it: only turns and moves with one scale.
static carom_status from_matrix(const reading *r, const double m[16], vec3 *way, quat *turn,
                                double *scale, carom_error *err)
{
    vec3 x = vec3_from(m), y = vec3_from(m + 4), z = vec3_from(m + 8);
    double size = vec3_length(x), trace;
    if (!(size > 1e-9) || fabs(vec3_length(y) - size) > 1e-6 * size ||
        fabs(vec3_length(z) - size) > 1e-6 * size ||
        fabs(vec3_dot(vec3_cross(x, y), z) - size * size * size) > 1e-6 * size * size * size)
        return refuse(r, err, "the matrix of a node does more than turn, move and scale", 0);
    x = vec3_scale(1 / size, x), y = vec3_scale(1 / size, y), z = vec3_scale(1 / size, z);
    trace = x.x + y.y + z.z;
    double q[4]; // x y z w
    if (trace > 0)
        q[3] = 1 + trace, q[0] = y.z - z.y, q[1] = z.x - x.z, q[2] = x.y - y.x;
    else if (x.x >= y.y && x.x >= z.z)
        q[0] = 1 + x.x - y.y - z.z, q[1] = y.x + x.y, q[2] = z.x + x.z, q[3] = y.z - z.y;
    else if (y.y >= z.z)
        q[1] = 1 + y.y - x.x - z.z, q[0] = y.x + x.y, q[2] = z.y + y.z, q[3] = z.x - x.z;
    else
        q[2] = 1 + z.z - x.x - y.y, q[0] = z.x + x.z, q[1] = z.y + y.z, q[3] = x.y - y.x;
    *way = carom_draft_upright(vec3_from(m + 12));
    *turn = quaternion(q);
    *scale = size;
    return CAROM_OK;
}

static carom_status transform(const reading *r, const json_t *node, vec3 *way, quat *turn,
                              double *scale, carom_error *err)
{
    double t[3] = { 0, 0, 0 }, q[4] = { 0, 0, 0, 1 }, s[3] = { 1, 1, 1 }, m[16];
    if (json_object_get(node, "matrix")) {
        TRY(numbers(r, node, "matrix", m, 16, err));
        return from_matrix(r, m, way, turn, scale, err);
    }
    TRY(numbers(r, node, "translation", t, 3, err));
    TRY(numbers(r, node, "rotation", q, 4, err));
    TRY(numbers(r, node, "scale", s, 3, err));
    if (!(s[0] > 0) || fabs(s[1] - s[0]) > 1e-9 * s[0] || fabs(s[2] - s[0]) > 1e-9 * s[0])
        return refuse(r, err, "a node is scaled differently along its axes", 0);
    *way = carom_draft_upright(vec3_from(t));
    *turn = quaternion(q);
    *scale = s[0];
    return CAROM_OK;
}

static carom_status read_motion(reading *r, const json_t *node, const json_t *motion, size_t at,
                                carom_error *err)
{
    const char *name = json_string_value(json_object_get(node, "name"));
    double v[3] = { 0, 0, 0 }, w[3] = { 0, 0, 0 }, c[3] = { 0, 0, 0 }, i[3] = { 0, 0, 0 };
    double q[4] = { 0, 0, 0, 1 }, mass = 0;
    node_place *place = &r->places[at];
    TRY(carom_draft_body_add(r->draft, name ? name : "body", &place->body, err));
    carom_draft_body *body = &r->draft->bodies[place->body];
    TRY(numbers(r, motion, "linearVelocity", v, 3, err));
    TRY(numbers(r, motion, "angularVelocity", w, 3, err));
    TRY(numbers(r, motion, "centerOfMass", c, 3, err));
    TRY(numbers(r, motion, "inertiaDiagonal", i, 3, err));
    TRY(numbers(r, motion, "inertiaOrientation", q, 4, err));
    TRY(numbers(r, motion, "mass", &mass, 1, err));
    body->position = place->position;
    body->rotation = place->rotation;
    body->velocity = quat_rotate(place->rotation, carom_draft_upright(vec3_from(v)));
    body->spin = quat_rotate(place->rotation, carom_draft_upright(vec3_from(w)));
    bool driven = json_is_true(json_object_get(motion, "isKinematic"));
    body->kind = driven ? CAROM_DRAFT_DRIVEN : CAROM_DRAFT_MOVING;
    body->has_mass = mass > 0;
    body->has_inertia = mass > 0 && i[0] > 0 && i[1] > 0 && i[2] > 0;
    sym3 principal = { i[0], i[2], i[1], 0, 0, 0 }; // y is up there
    body->m = (carom_draft_mass){ fmax(mass, 0),
                                  vec3_scale(place->scale, carom_draft_upright(vec3_from(c))),
                                  sym3_rotate(quat_matrix(quaternion(q)), principal) };
    if (json_object_get(motion, "gravityFactor"))
        TRY(carom_draft_remark(r->draft, err, "gravity factors of bodies are left out"));
    return CAROM_OK;
}

static carom_status place_node(reading *r, size_t at, const node_place *parent, int depth,
                               carom_error *err)
{
    const json_t *node = json_array_get(r->nodes, at), *physics = physics_of(node);
    const json_t *children = json_object_get(node, "children"), *motion;
    node_place *place = &r->places[at];
    vec3 way;
    quat turn;
    double scale;
    if (place->seen || depth > DEPTH)
        return refuse(r, err, "node %lld hangs on two nodes, or too deep", (long long)at);
    TRY(transform(r, node, &way, &turn, &scale, err));
    *place = (node_place){ true,
                           vec3_add(parent->position,
                                    quat_rotate(parent->rotation, vec3_scale(parent->scale, way))),
                           quat_mul(parent->rotation, turn),
                           parent->scale * scale,
                           parent->body,
                           -1 };
    if (!(place->scale > 1e-9 && place->scale < 1e9))
        return refuse(r, err, "node %lld has an odd scale", (long long)at);
    motion = json_object_get(physics, "motion");
    if (motion)
        TRY(read_motion(r, node, motion, at, err));
    for (size_t i = 0; i < json_array_size(children); ++i) {
        json_int_t child = json_integer_value(json_array_get(children, i));
        if (child < 0 || (size_t)child >= r->count)
            return refuse(r, err, "there is no node %lld", (long long)child);
        TRY(place_node(r, (size_t)child, place, depth + 1, err));
    }
    return CAROM_OK;
}

// -- colliders ------------------------------------------------------------------------------------

static carom_status read_shape(reading *r, const json_t *shape, double scale, int *out,
                               carom_error *err)
{
    const char *type = json_string_value(json_object_get(shape, "type"));
    const json_t *of = json_object_get(shape, type ? type : "");
    double size[3] = { 0.5, 0.5, 0 }, ends[2] = { 0.25, 0.25 }, height = 0.5;
    carom_draft_form form = CAROM_DRAFT_SPHERE;
    if (type && strcmp(type, "sphere") == 0) {
        TRY(numbers(r, of, "radius", size, 1, err));
    } else if (type && strcmp(type, "box") == 0) {
        double s[3] = { 1, 1, 1 };
        TRY(numbers(r, of, "size", s, 3, err));
        size[0] = s[0], size[1] = s[2], size[2] = s[1];
        form = CAROM_DRAFT_BOX;
    } else if (type && (strcmp(type, "capsule") == 0 || strcmp(type, "cylinder") == 0)) {
        TRY(numbers(r, of, "radiusTop", &ends[0], 1, err));
        TRY(numbers(r, of, "radiusBottom", &ends[1], 1, err));
        TRY(numbers(r, of, "height", &height, 1, err));
        if (ends[0] != ends[1])
            return refuse(r, err, "a capsule or cylinder has two radii", 0);
        size[0] = ends[0], size[1] = height;
        form = type[1] == 'a' ? CAROM_DRAFT_CAPSULE : CAROM_DRAFT_CYLINDER;
    } else
        return refuse(r, err, "a shape is no sphere, box, capsule or cylinder", 0);
    for (int i = 0; i < 3; ++i)
        size[i] *= scale;
    carom_status status = carom_draft_shape_add(r->draft, form, size, NULL, out, err);
    return status == CAROM_BAD_INPUT ? carom_error_where(err, "%.200s", r->name) : status;
}

static carom_status read_material(reading *r, const json_t *collider, int *out, carom_error *err)
{
    const json_t *list = json_object_get(r->physics, "physicsMaterials");
    long long at = index_of(collider, "physicsMaterial", list);
    const json_t *material = at >= 0 ? json_array_get(list, (size_t)at) : NULL;
    double friction[2] = { 0.6, 0.6 }, restitution = 0;
    TRY(numbers(r, material, "staticFriction", &friction[0], 1, err));
    TRY(numbers(r, material, "dynamicFriction", &friction[1], 1, err));
    TRY(numbers(r, material, "restitution", &restitution, 1, err));
    if (friction[0] != friction[1])
        TRY(carom_draft_remark(r->draft, err, "of two frictions the one in motion counts"));
    if (json_object_get(material, "frictionCombine") ||
        json_object_get(material, "restitutionCombine") || json_array_size(list) > 1)
        TRY(carom_draft_remark(r->draft, err, "materials combine by the geometric mean"));
    carom_status status = carom_draft_material_add(r->draft, restitution, friction[1], out, err);
    return status == CAROM_BAD_INPUT ? carom_error_where(err, "%.200s", r->name) : status;
}

static carom_status read_collider(reading *r, size_t at, const json_t *collider, carom_error *err)
{
    const json_t *node = json_array_get(r->nodes, at),
                 *geometry = json_object_get(collider, "geometry");
    node_place *place = &r->places[at];
    const char *name = json_string_value(json_object_get(node, "name"));
    long long which = index_of(geometry ? geometry : collider, "shape", r->shapes);
    int shape, body = place->body, material;
    if (which < 0)
        return refuse(r, err, "the collider of node %lld is a mesh, or names no shape",
                      (long long)at);
    TRY(read_shape(r, json_array_get(r->shapes, (size_t)which), place->scale, &shape, err));
    TRY(read_material(r, collider, &material, err));
    if (body < 0) {
        TRY(carom_draft_body_add(r->draft, name ? name : "fixed", &body, err));
        place->still = body;
        r->draft->bodies[body].kind = CAROM_DRAFT_FIXED;
        r->draft->bodies[body].position = place->position;
        r->draft->bodies[body].rotation = place->rotation;
    }
    carom_draft_body *of = &r->draft->bodies[body];
    quat back = quat_conjugate(of->rotation);
    of->material = of->material < 0 ? material : of->material;
    if (json_object_get(collider, "collisionFilter"))
        TRY(carom_draft_remark(r->draft, err, "collision filters are left out"));
    return carom_draft_part_add(r->draft, body, shape,
                                quat_rotate(back, vec3_sub(place->position, of->position)),
                                quat_mul(back, place->rotation), err);
}

// -- joints ---------------------------------------------------------------------------------------

typedef struct freedom {
    bool held[2][3]; // along and about x, y, z of the node
    double min[2][3], max[2][3];
    bool bounded[2][3];
    double stiffness, damping;
} freedom;

static carom_status read_limits(reading *r, const json_t *joint, freedom *f, carom_error *err)
{
    static const char *const keys[2] = { "linearAxes", "angularAxes" };
    const json_t *limits = json_object_get(joint, "limits"), *limit;
    size_t i;
    json_array_foreach(limits, i, limit)
    {
        double min = -1e12, max = 1e12;
        TRY(numbers(r, limit, "min", &min, 1, err));
        TRY(numbers(r, limit, "max", &max, 1, err));
        TRY(numbers(r, limit, "stiffness", &f->stiffness, 1, err));
        for (int about = 0; about < 2; ++about) {
            const json_t *axes = json_object_get(limit, keys[about]), *axis;
            size_t k;
            json_array_foreach(axes, k, axis)
            {
                json_int_t which = json_is_integer(axis) ? json_integer_value(axis) : -1;
                if (which < 0 || which > 2)
                    return refuse(r, err, "an axis of a joint is %lld, not 0, 1 or 2",
                                  (long long)which);
                f->held[about][which] = min == 0 && max == 0;
                f->bounded[about][which] = min > -1e12 && max < 1e12;
                f->min[about][which] = min;
                f->max[about][which] = max;
            }
        }
    }
    return CAROM_OK;
}

static int count_held(const bool held[3])
{
    return held[0] + held[1] + held[2];
}

// The kind by what is held, and the axis that is free; null: none of ours.
static const char *kind_of(const freedom *f, int *axis)
{
    int along = count_held(f->held[0]), about = count_held(f->held[1]);
    const bool *last = along == 2 ? f->held[0] : f->held[1];
    *axis = !last[0] ? 0 : !last[1] ? 1 : 2;
    if (along == 3)
        return about == 3 ? "fixed" : about == 2 ? "hinge" : about == 0 ? "ball" : NULL;
    return along == 2 && about == 3 ? "slider" : NULL;
}

static carom_status read_joint(reading *r, size_t at, const json_t *use, carom_error *err)
{
    const json_t *list = json_object_get(r->physics, "physicsJoints");
    long long which = index_of(use, "joint", list);
    long long other = index_of(use, "connectedNode", r->nodes);
    const node_place *place = &r->places[at];
    freedom f = { 0 };
    int axis;
    if (which < 0 || other < 0)
        return refuse(r, err, "the joint at node %lld names no joint or no other node",
                      (long long)at);
    TRY(read_limits(r, json_array_get(list, (size_t)which), &f, err));
    const char *kind = kind_of(&f, &axis);
    int a = place->body >= 0 ? place->body : place->still;
    int b = r->places[other].body >= 0 ? r->places[other].body : r->places[other].still;
    if (!kind || f.stiffness > 0 || a == b)
        return refuse(r, err,
                      "the joint at node %lld has no counterpart (hinge, slider, ball, fixed)",
                      (long long)at);
    carom_draft_joint *joint;
    bool swapped = a < 0;
    TRY(carom_draft_joint_add(r->draft, kind, swapped ? b : a, swapped ? -1 : b, &joint, err));
    vec3 unit = carom_draft_upright(vec3_make(axis == 0, axis == 1, axis == 2));
    joint->anchor = place->position;
    joint->axis = quat_rotate(place->rotation, unit);
    joint->has_axis = strcmp(kind, "hinge") == 0 || strcmp(kind, "slider") == 0;
    int about = strcmp(kind, "hinge") == 0;
    if (joint->has_axis && f.bounded[about][axis] && f.min[about][axis] <= 0 &&
        f.max[about][axis] >= 0) {
        double scale = about ? 180 / CAROM_PI : 1;
        joint->lower = scale * (swapped ? -f.max[about][axis] : f.min[about][axis]);
        joint->upper = scale * (swapped ? -f.min[about][axis] : f.max[about][axis]);
        joint->has_limits = !about || (joint->lower > -180 && joint->upper < 180);
    }
    if (json_object_get(json_array_get(list, (size_t)which), "drives"))
        TRY(carom_draft_remark(r->draft, err, "drives of joints are left out"));
    for (int k = 0; !json_is_true(json_object_get(use, "enableCollision")) && k < 2; ++k)
        if ((k ? b : a) >= 0)
            r->draft->bodies[k ? b : a].group = 1;
    return CAROM_OK;
}

// -- the file -------------------------------------------------------------------------------------

static carom_status read_physics(reading *r, carom_error *err)
{
    for (size_t i = 0; i < r->count; ++i) {
        const json_t *physics = physics_of(json_array_get(r->nodes, i));
        const json_t *collider = json_object_get(physics, "collider");
        if (collider && r->places[i].seen)
            TRY(read_collider(r, i, collider, err));
        if (json_object_get(physics, "trigger"))
            TRY(carom_draft_remark(r->draft, err, "triggers are left out"));
    }
    for (int i = 0; i < r->draft->body_count; ++i)
        if (r->draft->bodies[i].part < 0)
            return refuse(r, err, "body %lld has a motion but no collider", i);
    for (size_t i = 0; i < r->count; ++i) {
        const json_t *joint = json_object_get(physics_of(json_array_get(r->nodes, i)), "joint");
        if (joint && r->places[i].seen)
            TRY(read_joint(r, i, joint, err));
    }
    return r->draft->body_count
               ? CAROM_OK
               : refuse(r, err, "the file has no KHR_physics_rigid_bodies: nothing moves", 0);
}

static carom_status read_document(reading *r, carom_error *err)
{
    const json_t *extensions = json_object_get(r->root, "extensions");
    const json_t *scenes = json_object_get(r->root, "scenes");
    json_int_t scene = json_integer_value(json_object_get(r->root, "scene"));
    const json_t *roots =
        json_object_get(json_array_get(scenes, (size_t)(scene < 0 ? 0 : scene)), "nodes");
    r->nodes = json_object_get(r->root, "nodes");
    r->count = json_array_size(r->nodes);
    r->physics = json_object_get(extensions, "KHR_physics_rigid_bodies");
    r->shapes = json_object_get(json_object_get(extensions, "KHR_implicit_shapes"), "shapes");
    if (r->count == 0 || r->count > NODES)
        return refuse(r, err, "the file has %lld nodes", (long long)r->count);
    TAKE_ZEROS(r->draft->memory, r->places, r->count, err);
    for (size_t i = 0; i < r->count; ++i)
        r->places[i].body = r->places[i].still = -1;
    const node_place world = { true, { 0, 0, 0 }, { 1, 0, 0, 0 }, 1, -1, -1 };
    for (size_t i = 0; i < json_array_size(roots); ++i) {
        json_int_t at = json_integer_value(json_array_get(roots, i));
        if (at < 0 || (size_t)at >= r->count)
            return refuse(r, err, "there is no node %lld", (long long)at);
        TRY(place_node(r, (size_t)at, &world, 0, err));
    }
    r->draft->gravity = vec3_make(0, 0, -9.81);
    return read_physics(r, err);
}

// The JSON of a .glb is its first chunk; a .gltf is all JSON.
static bool find_text(const char *bytes, size_t size, const char **text, size_t *length)
{
    *text = bytes;
    *length = size;
    if (size < 4 || memcmp(bytes, "glTF", 4) != 0)
        return true;
    if (size < 20 || memcmp(bytes + 16, "JSON", 4) != 0)
        return false;
    const unsigned char *b = (const unsigned char *)bytes + 12;
    *text = bytes + 20;
    *length = (size_t)b[0] | (size_t)b[1] << 8 | (size_t)b[2] << 16 | (size_t)b[3] << 24;
    return *length <= size - 20;
}

carom_status carom_gltf_read(const char *name, const char *bytes, size_t size, carom_draft *draft,
                             carom_error *err)
{
    reading r = { .name = name, .draft = draft };
    json_error_t flaw;
    const char *text;
    size_t length;
    if (!find_text(bytes, size, &text, &length))
        return refuse(&r, err, "the file is cut: its first part is no JSON", 0);
    errno = 0;
    r.root = carom_parse_text(text, length, JSON_REJECT_DUPLICATES, &flaw);
    if (!r.root && errno == ENOMEM) // the parser itself calls that any kind of flaw
        return carom_error_no_memory(err, "the JSON text");
    if (!json_is_object(r.root)) {
        json_decref(r.root);
        carom_error_set(err, CAROM_BAD_INPUT, "this is no sound JSON: %.120s", flaw.text);
        carom_error_fix(err, "repair the file there");
        return carom_error_where(err, "%.200s:%d", name, flaw.line);
    }
    carom_status status = read_document(&r, err);
    json_decref(r.root);
    return status;
}

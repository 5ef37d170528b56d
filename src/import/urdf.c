// URDF: a tree of links. Frames of links are found from the root on, with all joints at zero. Links
// that fixed joints hold become parts of what they are fixed to. A root that is called "world" or
// has no mass stands still; any other falls freely. Links of one robot do not touch each other.
//
// Left out, with a remark in the scene: transmissions, limits of effort and speed, friction of
// joints, mimicry. Refused: planar and floating joints between links.
#include "import/urdf.h"

#include <stdlib.h>
#include <string.h>
#include "math/constants.h"

typedef struct link_frame {
    const carom_xml_element *element, *joint; // joint: by which it hangs, null: the root
    int body;                                 // -1: not placed yet
    int holder;                               // the body it is part of
    vec3 position;
    quat rotation;
} link_frame;

typedef struct reading {
    const carom_xml_element *root;
    carom_draft *draft;
    link_frame *links;
    int count;
} reading;

// Roll, pitch, yaw about fixed axes.
static quat rpy(const double a[3])
{
    quat x = carom_draft_turn(vec3_make(1, 0, 0), a[0]);
    quat y = carom_draft_turn(vec3_make(0, 1, 0), a[1]);
    quat z = carom_draft_turn(vec3_make(0, 0, 1), a[2]);
    return quat_mul(z, quat_mul(y, x));
}

// <origin xyz rpy> of an element; none: where it is.
static carom_status origin(const carom_xml_element *of, vec3 *position, quat *rotation,
                           carom_error *err)
{
    double xyz[3] = { 0, 0, 0 }, angles[3] = { 0, 0, 0 };
    const carom_xml_element *e = carom_xml_child(of, "origin");
    if (e) {
        TRY(carom_xml_numbers(e, "xyz", xyz, (const int[]){ 3, 3 }, NULL, err));
        TRY(carom_xml_numbers(e, "rpy", angles, (const int[]){ 3, 3 }, NULL, err));
    }
    *position = vec3_from(xyz);
    *rotation = rpy(angles);
    return CAROM_OK;
}

static link_frame *find(const reading *r, const char *name)
{
    for (int i = 0; name && i < r->count; ++i)
        if (strcmp(carom_xml_text(r->links[i].element, "name"), name) == 0)
            return &r->links[i];
    return NULL;
}

// -- links ----------------------------------------------------------------------------------------

static carom_status read_shape(reading *r, const carom_xml_element *geometry, int *shape,
                               carom_error *err)
{
    const carom_xml_element *e;
    double size[3] = { 1, 1, 1 };
    if ((e = carom_xml_child(geometry, "box"))) {
        TRY(carom_xml_need(e, "size", size, 3, err));
        return carom_draft_shape_add(r->draft, CAROM_DRAFT_BOX, size, NULL, shape, err);
    }
    if ((e = carom_xml_child(geometry, "sphere"))) {
        TRY(carom_xml_need(e, "radius", size, 1, err));
        return carom_draft_shape_add(r->draft, CAROM_DRAFT_SPHERE, size, NULL, shape, err);
    }
    if ((e = carom_xml_child(geometry, "cylinder")) || (e = carom_xml_child(geometry, "capsule"))) {
        bool round = carom_xml_is(e, "capsule");
        TRY(carom_xml_need(e, "radius", &size[0], 1, err));
        TRY(carom_xml_need(e, "length", &size[1], 1, err));
        return carom_draft_shape_add(r->draft, round ? CAROM_DRAFT_CAPSULE : CAROM_DRAFT_CYLINDER,
                                     size, NULL, shape, err);
    }
    if (!(e = carom_xml_child(geometry, "mesh")))
        return carom_xml_refuse(geometry, err, "a box, sphere, cylinder or mesh belongs here");
    const char *file = carom_xml_text(e, "filename");
    TRY(carom_xml_numbers(e, "scale", size, (const int[]){ 3, 3 }, NULL, err));
    if (!file)
        return carom_xml_refuse(e, err, "filename is missing");
    if (size[0] != size[1] || size[0] != size[2])
        return carom_xml_beyond(e, err, "the mesh is scaled differently along its axes");
    if (strncmp(file, "package://", 10) == 0) {
        TRY(carom_draft_remark(r->draft, err, "package:// was taken for this folder: %.100s",
                               file));
        file += 10;
    }
    return carom_draft_shape_add(r->draft, CAROM_DRAFT_MESH, size, file, shape, err);
}

static carom_status read_shapes(reading *r, const link_frame *link, const char *kind,
                                carom_error *err)
{
    for (const carom_xml_element *e = carom_xml_child(link->element, kind); e;
         e = carom_xml_next(e)) {
        const carom_xml_element *geometry = carom_xml_child(e, "geometry");
        vec3 position;
        quat rotation;
        int shape;
        if (!geometry)
            return carom_xml_refuse(e, err, "the geometry is missing");
        TRY(origin(e, &position, &rotation, err));
        TRY(read_shape(r, geometry, &shape, err));
        TRY(carom_draft_part_add(r->draft, link->body, shape, position, rotation, err));
    }
    return CAROM_OK;
}

static carom_status read_inertial(reading *r, const link_frame *link, carom_error *err)
{
    static const char *const keys[6] = { "ixx", "iyy", "izz", "ixy", "ixz", "iyz" };
    const carom_xml_element *e = carom_xml_child(link->element, "inertial");
    if (!e)
        return CAROM_OK;
    const carom_xml_element *mass = carom_xml_child(e, "mass");
    const carom_xml_element *inertia = carom_xml_child(e, "inertia");
    carom_draft_mass m = { 0 };
    double v[6] = { 0 };
    quat turn;
    if (!mass)
        return carom_xml_refuse(e, err, "the mass is missing");
    TRY(carom_xml_need(mass, "value", &m.mass, 1, err));
    TRY(origin(e, &m.centre, &turn, err));
    for (int i = 0; inertia && i < 6; ++i)
        TRY(carom_xml_number(inertia, keys[i], &v[i], err));
    if (m.mass == 0)
        return CAROM_OK;
    if (!(m.mass > 0) || !(v[0] >= 0 && v[1] >= 0 && v[2] >= 0))
        return carom_xml_refuse(e, err, "mass or moments of inertia are below 0");
    m.inertia = sym3_rotate(quat_matrix(turn), (sym3){ v[0], v[1], v[2], v[3], v[4], v[5] });
    carom_draft_body *body = &r->draft->bodies[link->body];
    body->has_mass = true;
    body->has_inertia = v[0] + v[1] + v[2] > 0;
    body->m = m;
    return CAROM_OK;
}

static carom_status place_link(reading *r, link_frame *link, carom_error *err)
{
    TRY(carom_draft_body_add(r->draft, carom_xml_text(link->element, "name"), &link->body, err));
    link->holder = link->body;
    r->draft->bodies[link->body].position = link->position;
    r->draft->bodies[link->body].rotation = link->rotation;
    TRY(read_inertial(r, link, err));
    TRY(read_shapes(r, link, "collision", err));
    if (r->draft->bodies[link->body].part < 0) {
        TRY(read_shapes(r, link, "visual", err));
        if (r->draft->bodies[link->body].part >= 0)
            TRY(carom_draft_remark(r->draft, err,
                                   "links without a collision shape have their visual one"));
    }
    return CAROM_OK;
}

// -- joints ---------------------------------------------------------------------------------------

static carom_status limit(reading *r, const carom_xml_element *e, carom_draft_joint *joint,
                          carom_error *err)
{
    const carom_xml_element *of = carom_xml_child(e, "limit");
    const carom_xml_element *dynamics = carom_xml_child(e, "dynamics");
    double scale = strcmp(joint->kind, "hinge") == 0 ? 180 / CAROM_PI : 1;
    double friction = 0, bounds[2] = { 0, 0 };
    if (of && strcmp(carom_xml_text(e, "type"), "continuous") != 0) {
        TRY(carom_xml_number(of, "lower", &bounds[0], err));
        TRY(carom_xml_number(of, "upper", &bounds[1], err));
        if (bounds[0] > 0 || bounds[1] < 0)
            return carom_xml_beyond(of, err, "the limits leave out the place where it starts, 0");
        joint->has_limits = true;
        joint->lower = fmax(scale * bounds[0], -1e60);
        joint->upper = scale * bounds[1];
        if (scale != 1 && (joint->lower <= -180 || joint->upper >= 180)) {
            joint->has_limits = false;
            TRY(carom_draft_remark(r->draft, err, "stops of half a turn or more are left out"));
        }
        if (carom_xml_text(of, "effort") || carom_xml_text(of, "velocity"))
            TRY(carom_draft_remark(r->draft, err, "limits of effort and speed are left out"));
    }
    if (dynamics) {
        TRY(carom_xml_number(dynamics, "damping", &joint->damping, err));
        TRY(carom_xml_number(dynamics, "friction", &friction, err));
        if (friction > 0)
            TRY(carom_draft_remark(r->draft, err, "friction of joints is left out"));
    }
    if (carom_xml_child(e, "mimic"))
        TRY(carom_draft_remark(r->draft, err, "joints that mimic others move on their own"));
    return CAROM_OK;
}

static carom_status read_joint(reading *r, link_frame *child, const link_frame *parent,
                               carom_error *err)
{
    const carom_xml_element *e = child->joint;
    const char *type = carom_xml_text(e, "type");
    if (!type)
        return carom_xml_refuse(e, err, "the type is missing");
    bool hinge = strcmp(type, "revolute") == 0 || strcmp(type, "continuous") == 0;
    if (strcmp(type, "fixed") == 0) {
        child->holder = parent->holder;
        return carom_draft_merge(r->draft, parent->holder, child->body, err);
    }
    if (!hinge && strcmp(type, "prismatic") != 0)
        return carom_xml_beyond(e, err, "joints of the type \"%.40s\" have no counterpart", type);
    double axis[3] = { 1, 0, 0 };
    const carom_xml_element *along = carom_xml_child(e, "axis");
    if (along)
        TRY(carom_xml_need(along, "xyz", axis, 3, err));
    if (!(vec3_length(vec3_from(axis)) > 1e-9))
        return carom_xml_refuse(e, err, "the axis has no direction");
    carom_draft_joint *joint;
    TRY(carom_draft_joint_add(r->draft, hinge ? "hinge" : "slider", child->body, parent->holder,
                              &joint, err));
    joint->anchor = child->position;
    joint->axis = quat_rotate(child->rotation, vec3_unit(vec3_from(axis)));
    joint->has_axis = true;
    if (carom_xml_text(e, "name")) {
        char name[CAROM_DRAFT_NAME];
        carom_draft_spell(carom_xml_text(e, "name"), name);
        TRY(carom_draft_keep(r->draft, name, &joint->name, err));
    }
    return limit(r, e, joint, err);
}

// Finds by which joint each link hangs.
static carom_status read_tree(reading *r, carom_error *err)
{
    for (const carom_xml_element *e = carom_xml_child(r->root, "joint"); e; e = carom_xml_next(e)) {
        link_frame *parent = find(r, carom_xml_text(carom_xml_child(e, "parent"), "link"));
        link_frame *child = find(r, carom_xml_text(carom_xml_child(e, "child"), "link"));
        if (!parent || !child || parent == child)
            return carom_xml_refuse(e, err, "the joint does not name two links");
        if (child->joint)
            return carom_xml_refuse(e, err, "the link \"%.60s\" hangs by two joints",
                                    carom_xml_text(child->element, "name"));
        child->joint = e;
    }
    return CAROM_OK;
}

// Places a link whose parent is placed; false in `done` where it is not yet.
static carom_status place_next(reading *r, link_frame *link, bool *done, carom_error *err)
{
    const link_frame *parent = NULL;
    vec3 way = vec3_make(0, 0, 0);
    quat turn = quat_identity();
    *done = false;
    if (link->joint) {
        parent = find(r, carom_xml_text(carom_xml_child(link->joint, "parent"), "link"));
        if (parent->body < 0)
            return CAROM_OK;
        TRY(origin(link->joint, &way, &turn, err));
        link->position = vec3_add(parent->position, quat_rotate(parent->rotation, way));
        link->rotation = quat_mul(parent->rotation, turn);
    }
    TRY(place_link(r, link, err));
    *done = true;
    return parent ? read_joint(r, link, parent, err) : CAROM_OK;
}

static carom_status place_all(reading *r, carom_error *err)
{
    int left = r->count;
    while (left > 0) {
        int before = left;
        for (int i = 0; i < r->count; ++i) {
            bool done = false;
            if (r->links[i].body < 0)
                TRY(place_next(r, &r->links[i], &done, err));
            left -= done;
        }
        if (left == before)
            return carom_xml_refuse(r->root, err, "links hang by joints in a ring");
    }
    return CAROM_OK;
}

// Bodies without a shape cannot be; those that stand still are only frames.
static carom_status finish(reading *r, carom_error *err)
{
    int moving = 0;
    for (int i = 0; i < r->count; ++i) {
        const link_frame *link = &r->links[i];
        carom_draft_body *body = &r->draft->bodies[link->body];
        if (link->holder != link->body)
            continue;
        const char *name = carom_xml_text(link->element, "name");
        bool still = !link->joint && (strcmp(name, "world") == 0 || !body->has_mass);
        body->kind = still ? CAROM_DRAFT_FIXED : CAROM_DRAFT_MOVING;
        body->group = 1;
        moving += !still;
        if (body->part >= 0)
            continue;
        int shape;
        double radius =
            body->has_inertia
                ? sqrt(1.5 * (body->m.inertia.xx + body->m.inertia.yy + body->m.inertia.zz) /
                       (3 * body->m.mass))
                : 0.01;
        TRY(carom_draft_shape_add(r->draft, CAROM_DRAFT_SPHERE,
                                  (double[3]){ fmin(fmax(radius, 0.001), 1) }, NULL, &shape, err));
        TRY(carom_draft_part_add(r->draft, link->body, shape, body->m.centre, quat_identity(),
                                 err));
        TRY(carom_draft_remark(r->draft, err, "\"%.60s\" has no shape in the file: a ball instead",
                               name));
    }
    if (!moving)
        return carom_xml_refuse(r->root, err, "no link has a mass: nothing would move");
    return moving > 1 ? carom_draft_remark(r->draft, err,
                                           "links of one robot do not touch each other (group 1)")
                      : CAROM_OK;
}

carom_status carom_urdf_read(const carom_xml_element *root, carom_draft *draft, carom_error *err)
{
    reading r = { .root = root, .draft = draft };
    int count = 0;
    for (const carom_xml_element *e = carom_xml_child(root, "link"); e; e = carom_xml_next(e)) {
        if (!carom_xml_text(e, "name"))
            return carom_xml_refuse(e, err, "the name is missing");
        ++count;
    }
    if (count == 0 || count > 10000)
        return carom_xml_refuse(root, err, "there are %d links, not from 1 to 10000", count);
    TAKE(draft->memory, r.links, count, err);
    for (const carom_xml_element *e = carom_xml_child(root, "link"); e; e = carom_xml_next(e)) {
        if (find(&r, carom_xml_text(e, "name")))
            return carom_xml_refuse(e, err, "two links are called \"%.60s\"",
                                    carom_xml_text(e, "name"));
        r.links[r.count++] = (link_frame){ e, NULL, -1, -1, { 0, 0, 0 }, { 1, 0, 0, 0 } };
    }
    if (carom_xml_text(root, "name"))
        TRY(carom_draft_keep(draft, carom_xml_text(root, "name"), &draft->title, err));
    draft->gravity = vec3_make(0, 0, -9.81);
    TRY(read_tree(&r, err));
    TRY(place_all(&r, err));
    if (carom_xml_child(root, "transmission"))
        TRY(carom_draft_remark(draft, err,
                               "transmissions are left out: nothing drives the joints"));
    return finish(&r, err);
}

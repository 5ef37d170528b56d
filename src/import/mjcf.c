// MJCF: the tree of bodies, their joints, and what holds for all of them.
//
// A body without a joint becomes part of what it hangs on, or stands still in the world. Two or
// three hinges of one body become a ball joint. MuJoCo lets no body touch the one it hangs on; here
// those of one tree never touch each other. It has no restitution (its contacts are soft), so the
// scene has none, and of two surfaces the rougher one counts.
//
// Left out, with a remark: actuators, sensors, tendons, keyframes, dry friction and armature of
// joints. Refused: ellipsoids, height fields, plugins, and bodies with other sets of joints.
#include "import/mjcf.h"

#include <string.h>
#include "math/constants.h"

// -- attributes -----------------------------------------------------------------------------------

static const carom_xml_element *find_class(const carom_xml_element *e, const char *name)
{
    for (; e; e = e->next) {
        if (!carom_xml_is(e, "default"))
            continue;
        const char *own = carom_xml_text(e, "class");
        if (strcmp(own ? own : "main", name) == 0)
            return e;
        const carom_xml_element *below = find_class(e->child, name);
        if (below)
            return below;
    }
    return NULL;
}

static const char *class_of(const carom_xml_element *e)
{
    const char *name = carom_xml_text(e, "class");
    for (const carom_xml_element *up = e->parent; up && !name; up = up->parent)
        name = carom_xml_text(up, "childclass");
    return name ? name : "main";
}

const carom_xml_element *carom_mjcf_says(const carom_mjcf *m, const carom_xml_element *e,
                                         const char *key)
{
    if (carom_xml_text(e, key))
        return e;
    const carom_xml_element *of = find_class(m->root->child, class_of(e));
    for (; of && carom_xml_is(of, "default"); of = of->parent) {
        const carom_xml_element *model = carom_xml_child(of, e->name);
        if (model && carom_xml_text(model, key))
            return model;
    }
    return NULL;
}

const char *carom_mjcf_words(const carom_mjcf *m, const carom_xml_element *e, const char *key)
{
    const carom_xml_element *says = carom_mjcf_says(m, e, key);
    return says ? carom_xml_text(says, key) : NULL;
}

carom_status carom_mjcf_numbers(const carom_mjcf *m, const carom_xml_element *e, const char *key,
                                double *out, int most, carom_error *err)
{
    const carom_xml_element *says = carom_mjcf_says(m, e, key);
    return says ? carom_xml_numbers(says, key, out, (const int[]){ 1, most }, NULL, err) : CAROM_OK;
}

// -- frames ---------------------------------------------------------------------------------------

// The rotation whose matrix has these columns.
static quat from_axes(vec3 x, vec3 y, vec3 z)
{
    double trace = x.x + y.y + z.z;
    quat q;
    if (trace > 0)
        q = (quat){ 1 + trace, y.z - z.y, z.x - x.z, x.y - y.x };
    else if (x.x >= y.y && x.x >= z.z)
        q = (quat){ y.z - z.y, 1 + x.x - y.y - z.z, y.x + x.y, z.x + x.z };
    else if (y.y >= z.z)
        q = (quat){ z.x - x.z, y.x + x.y, 1 + y.y - x.x - z.z, z.y + y.z };
    else
        q = (quat){ x.y - y.x, z.x + x.z, z.y + y.z, 1 + z.z - x.x - y.y };
    return quat_unit(q);
}

// The shortest turn that brings z to a direction.
static quat along(vec3 direction)
{
    vec3 n = vec3_unit(direction), z = vec3_make(0, 0, 1);
    if (n.z < -1 + 1e-12)
        return (quat){ 0, 1, 0, 0 };
    vec3 axis = vec3_cross(z, n);
    return quat_unit((quat){ 1 + n.z, axis.x, axis.y, axis.z });
}

static carom_status euler(const carom_mjcf *m, const double a[3], quat *out)
{
    *out = quat_identity();
    for (int i = 0; i < 3 && m->sequence[i]; ++i) {
        int which = (m->sequence[i] | 32) - 'x';
        vec3 axis = vec3_make(which == 0, which == 1, which == 2);
        quat turn = carom_draft_turn(axis, m->angle * a[i]);
        bool moving = m->sequence[i] >= 'a'; // small letters: about axes that turn along
        *out = moving ? quat_mul(*out, turn) : quat_mul(turn, *out);
    }
    return CAROM_OK;
}

static carom_status rotation_of(const carom_mjcf *m, const carom_xml_element *e, quat *out,
                                carom_error *err)
{
    double v[6] = { 0 };
    *out = quat_identity();
    if (carom_mjcf_says(m, e, "quat")) {
        TRY(carom_mjcf_numbers(m, e, "quat", v, 4, err));
        double length = v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3];
        if (!(length > 1e-20))
            return carom_xml_refuse(e, err, "the quaternion is zero");
        *out = quat_unit((quat){ v[0], v[1], v[2], v[3] });
    } else if (carom_mjcf_says(m, e, "euler")) {
        TRY(carom_mjcf_numbers(m, e, "euler", v, 3, err));
        return euler(m, v, out);
    } else if (carom_mjcf_says(m, e, "axisangle")) {
        TRY(carom_mjcf_numbers(m, e, "axisangle", v, 4, err));
        *out = carom_draft_turn(vec3_from(v), m->angle * v[3]);
    } else if (carom_mjcf_says(m, e, "zaxis")) {
        TRY(carom_mjcf_numbers(m, e, "zaxis", v, 3, err));
        if (!(vec3_length(vec3_from(v)) > 1e-9))
            return carom_xml_refuse(e, err, "zaxis has no direction");
        *out = along(vec3_from(v));
    } else if (carom_mjcf_says(m, e, "xyaxes")) {
        TRY(carom_mjcf_numbers(m, e, "xyaxes", v, 6, err));
        vec3 x = vec3_unit(vec3_from(v));
        vec3 y = vec3_unit(vec3_axpy(vec3_from(v + 3), -vec3_dot(vec3_from(v + 3), x), x));
        if (!(vec3_length(x) > 0.5 && vec3_length(y) > 0.5))
            return carom_xml_refuse(e, err, "xyaxes span no plane");
        *out = from_axes(x, y, vec3_cross(x, y));
    }
    return CAROM_OK;
}

carom_status carom_mjcf_frame(const carom_mjcf *m, const carom_xml_element *e, vec3 *position,
                              quat *rotation, carom_error *err)
{
    double pos[3] = { 0, 0, 0 }, ends[6];
    const carom_xml_element *by_ends = carom_mjcf_says(m, e, "fromto");
    if (by_ends) { // along the line from one end to the other
        TRY(carom_xml_need(by_ends, "fromto", ends, 6, err));
        vec3 from = vec3_from(ends), to = vec3_from(ends + 3);
        if (!(vec3_length(vec3_sub(to, from)) > 1e-12))
            return carom_xml_refuse(e, err, "fromto has no length");
        *position = vec3_scale(0.5, vec3_add(from, to));
        *rotation = along(to.z >= from.z ? vec3_sub(to, from) : vec3_sub(from, to));
        return CAROM_OK;
    }
    TRY(carom_mjcf_numbers(m, e, "pos", pos, 3, err));
    *position = vec3_from(pos);
    return rotation_of(m, e, rotation, err);
}

// -- joints ---------------------------------------------------------------------------------------

static carom_status limits(carom_mjcf *m, const carom_xml_element *e, carom_draft_joint *joint,
                           carom_error *err)
{
    const char *limited = carom_mjcf_words(m, e, "limited");
    bool given = carom_mjcf_says(m, e, "range") != NULL;
    bool wanted = limited && strcmp(limited, "auto") != 0 ? strcmp(limited, "true") == 0
                                                          : given && m->auto_limits;
    double range[2] = { 0, 0 }, ref = 0;
    bool turns = strcmp(joint->kind, "hinge") == 0;
    TRY(carom_mjcf_numbers(m, e, "range", range, 2, err));
    TRY(carom_mjcf_numbers(m, e, "ref", &ref, 1, err));
    if (!wanted || !given)
        return CAROM_OK;
    double scale = turns ? m->angle * 180 / CAROM_PI : 1;
    joint->lower = scale * (range[0] - ref);
    joint->upper = scale * (range[1] - ref);
    if (joint->lower > 0 || joint->upper < 0)
        return carom_xml_beyond(e, err, "the range leaves out the place where it starts");
    joint->has_limits = !turns || (joint->lower > -180 && joint->upper < 180);
    return joint->has_limits
               ? CAROM_OK
               : carom_draft_remark(m->draft, err, "stops of half a turn or more are left out");
}

static carom_status read_joint(carom_mjcf *m, const carom_xml_element *e, const char *kind,
                               const int between[2], carom_error *err)
{
    const carom_draft_body *body = &m->draft->bodies[between[0]];
    double pos[3] = { 0, 0, 0 }, axis[3] = { 0, 0, 1 }, other = 0;
    carom_draft_joint *joint;
    TRY(carom_mjcf_numbers(m, e, "pos", pos, 3, err));
    TRY(carom_mjcf_numbers(m, e, "axis", axis, 3, err));
    if (!(vec3_length(vec3_from(axis)) > 1e-9))
        return carom_xml_refuse(e, err, "the axis has no direction");
    vec3 anchor = vec3_add(body->position, quat_rotate(body->rotation, vec3_from(pos)));
    vec3 direction = quat_rotate(body->rotation, vec3_unit(vec3_from(axis)));
    TRY(carom_draft_joint_add(m->draft, kind, between[0], between[1], &joint, err));
    joint->anchor = anchor;
    joint->axis = direction;
    joint->has_axis = strcmp(kind, "ball") != 0;
    if (carom_xml_text(e, "name")) {
        char name[CAROM_DRAFT_NAME];
        carom_draft_spell(carom_xml_text(e, "name"), name);
        TRY(carom_draft_keep(m->draft, name, &joint->name, err));
    }
    if (!joint->has_axis)
        return carom_mjcf_says(m, e, "range")
                   ? carom_draft_remark(m->draft, err, "stops of ball joints are left out")
                   : CAROM_OK;
    TRY(carom_mjcf_numbers(m, e, "stiffness", &joint->stiffness, 1, err));
    TRY(carom_mjcf_numbers(m, e, "damping", &joint->damping, 1, err));
    TRY(carom_mjcf_numbers(m, e, "frictionloss", &other, 1, err));
    if (other > 0)
        TRY(carom_draft_remark(m->draft, err, "dry friction of joints is left out"));
    other = 0;
    TRY(carom_mjcf_numbers(m, e, "armature", &other, 1, err));
    if (other > 0)
        TRY(carom_draft_remark(m->draft, err, "armature of joints is left out"));
    return limits(m, e, joint, err);
}

typedef struct joint_set {
    const carom_xml_element *first;
    int hinges, slides, balls;
    bool free;
} joint_set;

static carom_status joints_of(const carom_mjcf *m, const carom_xml_element *body, joint_set *out,
                              carom_error *err)
{
    *out = (joint_set){ .free = carom_xml_child(body, "freejoint") != NULL };
    for (const carom_xml_element *e = carom_xml_child(body, "joint"); e; e = carom_xml_next(e)) {
        const char *type = carom_mjcf_words(m, e, "type");
        out->first = out->first ? out->first : e;
        if (!type || strcmp(type, "hinge") == 0)
            ++out->hinges;
        else if (strcmp(type, "slide") == 0)
            ++out->slides;
        else if (strcmp(type, "ball") == 0)
            ++out->balls;
        else if (strcmp(type, "free") == 0)
            out->free = true;
        else
            return carom_xml_refuse(e, err, "a joint of the type \"%.40s\" is not known", type);
    }
    return CAROM_OK;
}

// How a body hangs on its parent (-1: the world).
static carom_status hang(carom_mjcf *m, const carom_xml_element *body, int at, int parent,
                         carom_error *err)
{
    joint_set set;
    TRY(joints_of(m, body, &set, err));
    int count = set.hinges + set.slides + set.balls;
    const int between[2] = { at, parent };
    if (set.free || (set.slides == 3 && (set.hinges == 3 || set.balls == 1)))
        return CAROM_OK;
    if (count == 1)
        return read_joint(m, set.first,
                          set.hinges   ? "hinge"
                          : set.slides ? "slider"
                                       : "ball",
                          between, err);
    if (count == set.hinges && (count == 2 || count == 3)) {
        TRY(carom_draft_remark(m->draft, err, "%d hinges of one body became a ball joint", count));
        return read_joint(m, set.first, "ball", between, err);
    }
    return carom_xml_beyond(set.first, err,
                            "%d hinges, %d slides and %d balls of one body have no counterpart",
                            set.hinges, set.slides, set.balls);
}

// -- bodies ---------------------------------------------------------------------------------------

static carom_status read_inertial(carom_mjcf *m, const carom_xml_element *body, int at,
                                  carom_error *err)
{
    const carom_xml_element *e = carom_xml_child(body, "inertial");
    double v[6] = { 0 }, mass;
    quat turn;
    vec3 centre;
    if (!e)
        return CAROM_OK;
    TRY(carom_xml_need(e, "mass", &mass, 1, err));
    TRY(carom_mjcf_frame(m, e, &centre, &turn, err));
    TRY(carom_xml_numbers(e, "diaginertia", v, (const int[]){ 3, 3 }, NULL, err));
    TRY(carom_xml_numbers(e, "fullinertia", v, (const int[]){ 6, 6 }, NULL, err));
    if (!(mass > 0) || !(v[0] > 0 && v[1] > 0 && v[2] > 0))
        return carom_xml_refuse(e, err, "the mass or a moment of inertia is not above 0");
    carom_draft_body *to = &m->draft->bodies[at];
    to->has_mass = to->has_inertia = true;
    to->m = (carom_draft_mass){
        mass, centre, sym3_rotate(quat_matrix(turn), (sym3){ v[0], v[1], v[2], v[3], v[4], v[5] })
    };
    return CAROM_OK;
}

static carom_status read_body(carom_mjcf *m, const carom_xml_element *e, int parent, int tree,
                              carom_error *err);

// The bodies that hang on one, which may be the world (-1).
static carom_status read_children(carom_mjcf *m, const carom_xml_element *e, int at, int tree,
                                  carom_error *err)
{
    for (const carom_xml_element *c = carom_xml_child(e, "body"); c; c = carom_xml_next(c))
        TRY(read_body(m, c, at, tree, err));
    return CAROM_OK;
}

static carom_status read_body(carom_mjcf *m, const carom_xml_element *e, int parent, int tree,
                              carom_error *err)
{
    const char *name = carom_xml_text(e, "name");
    vec3 way;
    quat turn;
    int at;
    joint_set set;
    TRY(carom_draft_body_add(m->draft, name ? name : "body", &at, err));
    TRY(carom_mjcf_frame(m, e, &way, &turn, err));
    carom_draft_body *body = &m->draft->bodies[at];
    const carom_draft_body *up = parent >= 0 ? &m->draft->bodies[parent] : NULL;
    body->position = up ? vec3_add(up->position, quat_rotate(up->rotation, way)) : way;
    body->rotation = up ? quat_mul(up->rotation, turn) : turn;
    TRY(read_inertial(m, e, at, err));
    TRY(carom_mjcf_geoms(m, e, at, err));
    TRY(joints_of(m, e, &set, err));
    bool held = !set.free && set.hinges + set.slides + set.balls == 0;
    if (held && parent >= 0) {
        TRY(read_children(m, e, at, tree, err)); // their frames are of this one
        for (int i = 0; i < m->draft->joint_count; ++i)
            if (m->draft->joints[i].b == at)
                m->draft->joints[i].b = parent;
        return carom_draft_merge(m->draft, parent, at, err);
    }
    if (held)
        m->draft->bodies[at].kind = CAROM_DRAFT_FIXED;
    else {
        TRY(hang(m, e, at, parent, err));
        m->draft->bodies[at].group = tree < 0 ? at + 1 : tree;
    }
    return read_children(m, e, at, held ? -1 : m->draft->bodies[at].group, err);
}

// Every body needs a shape; one that stands alone needs no group.
static carom_status finish(carom_mjcf *m, carom_error *err)
{
    carom_draft *d = m->draft;
    for (int i = 0; i < d->body_count; ++i) {
        int alike = 0, used = 0;
        for (int k = 0; k < d->body_count; ++k)
            alike += d->bodies[k].group == d->bodies[i].group && d->bodies[i].group;
        for (int k = 0; k < d->joint_count; ++k)
            used += d->joints[k].a == i || d->joints[k].b == i;
        d->bodies[i].group = alike > 1 ? d->bodies[i].group : 0;
        if (alike > 1)
            TRY(carom_draft_remark(d, err, "bodies of one tree do not touch each other (group)"));
        if (d->bodies[i].part >= 0 || (!used && !d->bodies[i].has_mass))
            continue;
        int shape;
        TRY(carom_draft_shape_add(d, CAROM_DRAFT_SPHERE, (double[3]){ 0.01 }, NULL, &shape, err));
        TRY(carom_draft_part_add(d, i, shape, d->bodies[i].m.centre, quat_identity(), err));
        TRY(carom_draft_remark(d, err, "\"%.60s\" has no shape in the file: a small ball instead",
                               d->bodies[i].name));
    }
    return CAROM_OK;
}

// -- all ------------------------------------------------------------------------------------------

static carom_status read_options(carom_mjcf *m, carom_error *err)
{
    const carom_xml_element *compiler = carom_xml_child(m->root, "compiler");
    const carom_xml_element *option = carom_xml_child(m->root, "option");
    const char *angle = carom_xml_text(compiler, "angle");
    const char *sequence = carom_xml_text(compiler, "eulerseq");
    const char *folder = carom_xml_text(compiler, "meshdir");
    const char *automatic = carom_xml_text(compiler, "autolimits");
    double gravity[3] = { 0, 0, -9.81 };
    m->angle = angle && strcmp(angle, "radian") == 0 ? 1 : CAROM_PI / 180;
    m->sequence = sequence ? sequence : "xyz";
    if (strlen(m->sequence) != 3 || strspn(m->sequence, "xyzXYZ") != 3)
        return carom_xml_refuse(compiler, err, "eulerseq is \"%.20s\"", m->sequence);
    m->meshes = folder ? folder : "";
    m->auto_limits = !automatic || strcmp(automatic, "false") != 0;
    m->draft->step = 0.002;
    if (option) {
        TRY(carom_xml_number(option, "timestep", &m->draft->step, err));
        TRY(carom_xml_numbers(option, "gravity", gravity, (const int[]){ 3, 3 }, NULL, err));
    }
    if (!(m->draft->step > 0 && m->draft->step <= 1e6))
        return carom_xml_refuse(option, err, "timestep is %g, not above 0", m->draft->step);
    m->draft->gravity = vec3_from(gravity);
    return CAROM_OK;
}

static carom_status tell_left_out(carom_mjcf *m, carom_error *err)
{
    static const char *const parts[] = { "actuator", "sensor",  "tendon",    "equality",
                                         "keyframe", "contact", "deformable" };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
        if (carom_xml_child(m->root, parts[i]))
            TRY(carom_draft_remark(m->draft, err, "<%s> is left out", parts[i]));
    return CAROM_OK;
}

carom_status carom_mjcf_read(const carom_xml_element *root, carom_draft *draft, carom_error *err)
{
    carom_mjcf m = { .root = root, .draft = draft };
    const carom_xml_element *world = carom_xml_child(root, "worldbody");
    if (carom_xml_child(root, "include"))
        return carom_xml_beyond(carom_xml_child(root, "include"), err,
                                "files inside files are not followed; save the model as one");
    if (!world)
        return carom_xml_refuse(root, err, "there is no worldbody");
    draft->geometric_max = true;
    if (carom_xml_text(root, "model"))
        TRY(carom_draft_keep(draft, carom_xml_text(root, "model"), &draft->title, err));
    TRY(read_options(&m, err));
    for (const carom_xml_element *e = carom_xml_child(world, "geom"); e; e = carom_xml_next(e))
        TRY(carom_mjcf_geom_fixed(&m, e, err));
    TRY(read_children(&m, world, -1, -1, err));
    TRY(finish(&m, err));
    return tell_left_out(&m, err);
}

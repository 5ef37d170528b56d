// A draft as a scene file that a person would have written: one line for each body, shapes that
// several bodies share by name, nothing said that is the default, numbers without noise.
#include "import/draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "math/constants.h"
#include "math/trig.h"

// -- numbers --------------------------------------------------------------------------------------

// A value that differs from a short one by round-off only is that one.
static double neat(double value, double scale)
{
    char digits[40];
    if (fabs(value) < 1e-15 * scale)
        return 0;
    snprintf(digits, sizeof digits, "%.12g", value);
    double rounded = strtod(digits, NULL);
    return fabs(rounded - value) <= 1e-15 * fabs(value) ? rounded : value;
}

static void add_number(carom_text *out, const char *key, double value)
{
    carom_text_add(out, ", \"%s\": ", key);
    carom_text_add_number(out, neat(value, 1) + 0.0);
}

static void add_list(carom_text *out, const double *values, int count)
{
    double scale = 0;
    for (int i = 0; i < count; ++i)
        scale = fmax(scale, fabs(values[i]));
    carom_text_add(out, "[");
    for (int i = 0; i < count; ++i) {
        carom_text_add(out, i ? ", " : "");
        carom_text_add_number(out, neat(values[i], scale) + 0.0);
    }
    carom_text_add(out, "]");
}

static void add_vector(carom_text *out, const char *key, vec3 v)
{
    double values[3] = { v.x, v.y, v.z };
    carom_text_add(out, ", \"%s\": ", key);
    add_list(out, values, 3);
}

// Of a body's state: without noise, unless it is the file's own.
static void add_state(const carom_draft *draft, carom_text *out, const char *key, vec3 v)
{
    if (!draft->exact) {
        add_vector(out, key, v);
        return;
    }
    const double values[3] = { v.x, v.y, v.z };
    carom_text_add(out, ", \"%s\": ", key);
    for (int i = 0; i < 3; ++i) {
        carom_text_add(out, i ? ", " : "[");
        carom_text_add_number(out, values[i] + 0.0);
    }
    carom_text_add(out, "]");
}

static bool is_zero(vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

// As an axis and degrees where that is short, else as a quaternion; nothing where there is no turn.
static void add_rotation(carom_text *out, quat q)
{
    double sine = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    if (sine < 1e-15)
        return;
    double degrees = 2 * carom_trig_atan2(sine, q.w) * 180 / CAROM_PI;
    double list[4] = { q.x / sine, q.y / sine, q.z / sine, degrees };
    double rounded = round(degrees * 1e6) / 1e6;
    double largest = fmax(fabs(list[0]), fmax(fabs(list[1]), fabs(list[2])));
    bool along = largest > 1 - 1e-12; // an axis of coordinates
    if (along && fabs(rounded - degrees) < 1e-12 * fabs(degrees)) {
        for (int i = 0; i < 3; ++i)
            list[i] = round(list[i]);
        list[3] = rounded;
        carom_text_add(out, ", \"turn\": ");
        add_list(out, list, 4);
        return;
    }
    double quaternion[4] = { q.w, q.x, q.y, q.z };
    carom_text_add(out, ", \"rotation\": ");
    add_list(out, quaternion, 4);
}

// -- shapes ---------------------------------------------------------------------------------------

static void add_shape(carom_text *out, const carom_draft_shape *shape)
{
    const double *s = shape->size;
    switch (shape->form) {
    case CAROM_DRAFT_SPHERE:
        carom_text_add(out, "{ \"sphere\": ");
        carom_text_add_number(out, neat(s[0], 1));
        break;
    case CAROM_DRAFT_BOX:
        carom_text_add(out, "{ \"box\": ");
        add_list(out, s, 3);
        break;
    case CAROM_DRAFT_CAPSULE:
    case CAROM_DRAFT_CYLINDER:
        carom_text_add(out, "{ \"%s\": { \"radius\": ",
                       shape->form == CAROM_DRAFT_CAPSULE ? "capsule" : "cylinder");
        carom_text_add_number(out, neat(s[0], 1));
        carom_text_add(out, ", \"length\": ");
        carom_text_add_number(out, neat(s[1], 1));
        carom_text_add(out, " }");
        break;
    case CAROM_DRAFT_PLANE:
        carom_text_add(out, "{ \"plane\": ");
        add_list(out, s, 3);
        break;
    default:
        carom_text_add(out, "{ \"mesh\": { \"file\": ");
        carom_text_add_quoted(out, shape->file);
        if (s[0] != 1) {
            carom_text_add(out, ", \"scale\": ");
            carom_text_add_number(out, s[0]);
        }
        carom_text_add(out, " }");
    }
    carom_text_add(out, " }");
}

static bool is_named(const carom_draft_shape *shape)
{
    return shape->users > 1 && shape->form != CAROM_DRAFT_PLANE;
}

static void shape_name(const carom_draft *draft, int index, char name[40])
{
    static const char *const words[] = { "ball", "box", "capsule", "cylinder", "plane", "mesh" };
    int before = 0, in_all = 0;
    for (int i = 0; i < draft->shape_count; ++i)
        if (is_named(&draft->shapes[i]) && draft->shapes[i].form == draft->shapes[index].form) {
            before += i < index;
            ++in_all;
        }
    if (in_all > 1)
        snprintf(name, 40, "%s%d", words[draft->shapes[index].form], before + 1);
    else
        snprintf(name, 40, "%s", words[draft->shapes[index].form]);
}

static void add_shape_or_name(const carom_draft *draft, carom_text *out, int index)
{
    char name[40];
    if (!is_named(&draft->shapes[index])) {
        add_shape(out, &draft->shapes[index]);
        return;
    }
    shape_name(draft, index, name);
    carom_text_add(out, "\"%s\"", name);
}

static void write_shapes(const carom_draft *draft, carom_text *out)
{
    bool any = false;
    for (int i = 0; i < draft->shape_count; ++i) {
        if (!is_named(&draft->shapes[i]))
            continue;
        char name[40];
        shape_name(draft, i, name);
        carom_text_add(out, any ? ",\n    \"%s\": " : "  \"shapes\": {\n    \"%s\": ", name);
        add_shape(out, &draft->shapes[i]);
        any = true;
    }
    carom_text_add(out, any ? "\n  },\n" : "");
}

static void write_compound(const carom_draft *draft, carom_text *out, int first)
{
    carom_text_add(out, "{ \"compound\": [");
    for (int i = first; i >= 0; i = draft->parts[i].next) {
        const carom_draft_part *part = &draft->parts[i];
        carom_text_add(out, "%s\n      { \"shape\": ", i == first ? "" : ",");
        add_shape_or_name(draft, out, part->shape);
        if (!is_zero(part->position))
            add_vector(out, "position", part->position);
        add_rotation(out, part->rotation);
        carom_text_add(out, " }");
    }
    carom_text_add(out, " ] }");
}

// -- bodies ---------------------------------------------------------------------------------------

// Mass, centre and inertia as seen from the frame in which the shape is written.
static void add_mass(carom_text *out, const carom_draft_body *body, vec3 origin, quat turn)
{
    if (body->kind != CAROM_DRAFT_MOVING)
        return;
    if (body->has_mass)
        add_number(out, "mass", body->m.mass);
    else if (body->density > 0)
        add_number(out, "density", body->density);
    if (!body->has_inertia)
        return;
    quat back = quat_conjugate(turn);
    vec3 centre = quat_rotate(back, vec3_sub(body->m.centre, origin));
    sym3 s = sym3_rotate(quat_matrix(back), body->m.inertia);
    double list[6] = { s.xx, s.yy, s.zz, s.xy, s.xz, s.yz };
    double least = 1e-13 * (s.xx + s.yy + s.zz);
    bool principal = fabs(s.xy) < least && fabs(s.xz) < least && fabs(s.yz) < least;
    carom_text_add(out, ", \"inertia\": ");
    add_list(out, list, principal ? 3 : 6);
    if (vec3_length(centre) > 1e-13)
        add_vector(out, "centre", centre);
}

static void write_body(const carom_draft *draft, carom_text *out, const carom_draft_body *body)
{
    static const char *const kinds[] = { "moving", "fixed", "driven" };
    const carom_draft_part *only =
        draft->parts[body->part].next < 0 ? &draft->parts[body->part] : NULL;
    vec3 origin = only ? only->position : vec3_make(0, 0, 0);
    quat turn = only ? only->rotation : quat_identity();
    carom_text_add(out, "    { ");
    if (body->name) {
        carom_text_add(out, "\"name\": ");
        carom_text_add_quoted(out, body->name);
        carom_text_add(out, ", ");
    }
    if (body->kind != CAROM_DRAFT_MOVING)
        carom_text_add(out, "\"kind\": \"%s\", ", kinds[body->kind]);
    carom_text_add(out, "\"shape\": ");
    if (only)
        add_shape_or_name(draft, out, only->shape);
    else
        write_compound(draft, out, body->part);
    add_mass(out, body, origin, turn);
    vec3 place = vec3_add(body->position, quat_rotate(body->rotation, origin));
    if (!is_zero(place))
        add_state(draft, out, "position", place);
    add_rotation(out, quat_mul(body->rotation, turn));
    if (!is_zero(body->velocity))
        add_state(draft, out, "velocity", body->velocity);
    if (!is_zero(body->spin))
        add_state(draft, out, "spin", body->spin);
    if (body->material >= 0)
        carom_text_add(out, ", \"material\": \"%s\"", draft->materials[body->material].name);
    if (body->group)
        carom_text_add(out, ", \"group\": %d", body->group);
    if (body->colour >= 0)
        carom_text_add(out, ", \"colour\": \"#%06x\"", (unsigned)body->colour);
    carom_text_add(out, " }");
}

static void write_bodies(const carom_draft *draft, carom_text *out)
{
    bool any = false;
    carom_text_add(out, "  \"bodies\": [\n");
    for (int i = 0; i < draft->body_count; ++i) {
        if (draft->bodies[i].part < 0) // became part of another
            continue;
        carom_text_add(out, any ? ",\n" : "");
        write_body(draft, out, &draft->bodies[i]);
        any = true;
    }
    carom_text_add(out, "\n  ]");
}

// -- the rest -------------------------------------------------------------------------------------

static void write_periodic(const carom_draft *draft, carom_text *out)
{
    int count = 0;
    for (int k = 0; k < 3; ++k) {
        if (!(draft->periodic[k][0] < draft->periodic[k][1]))
            continue;
        carom_text_add(out, "%s\"%c\": ", count++ ? ", " : "  \"periodic\": { ", "xyz"[k]);
        add_list(out, draft->periodic[k], 2);
    }
    carom_text_add(out, count ? " },\n" : "");
}

static void write_materials(const carom_draft *draft, carom_text *out)
{
    for (int i = 0; i < draft->material_count; ++i) {
        const carom_draft_material *m = &draft->materials[i];
        carom_text_add(out,
                       "%s\"%s\": { \"restitution\": ", i ? ",\n    " : "  \"materials\": {\n    ",
                       m->name);
        carom_text_add_number(out, m->restitution);
        carom_text_add(out, ", \"friction\": ");
        carom_text_add_number(out, m->friction);
        carom_text_add(out, " }");
    }
    carom_text_add(out, draft->material_count ? "\n  },\n" : "");
}

// Where the other program takes the greater friction of two surfaces instead of the geometric mean.
static void write_pairs(const carom_draft *draft, carom_text *out)
{
    bool any = false;
    for (int i = 0; draft->geometric_max && i < draft->material_count; ++i)
        for (int j = i + 1; j < draft->material_count; ++j) {
            const carom_draft_material *a = &draft->materials[i], *b = &draft->materials[j];
            if (a->friction == b->friction && a->restitution == b->restitution)
                continue;
            carom_text_add(out, "%s{ \"a\": \"%s\", \"b\": \"%s\"",
                           any ? ",\n    " : "  \"pairs\": [\n    ", a->name, b->name);
            add_number(out, "restitution", fmax(a->restitution, b->restitution));
            add_number(out, "friction", fmax(a->friction, b->friction));
            carom_text_add(out, " }");
            any = true;
        }
    carom_text_add(out, any ? "\n  ],\n" : "");
}

static void write_joint(const carom_draft *draft, carom_text *out, const carom_draft_joint *joint)
{
    carom_text_add(out, "    { \"kind\": \"%s\"", joint->kind);
    if (joint->name) {
        carom_text_add(out, ", \"name\": ");
        carom_text_add_quoted(out, joint->name);
    }
    carom_text_add(out, ", \"a\": ");
    carom_text_add_quoted(out, draft->bodies[joint->a].name);
    if (joint->b >= 0) {
        carom_text_add(out, ", \"b\": ");
        carom_text_add_quoted(out, draft->bodies[joint->b].name);
    }
    add_vector(out, "anchor", joint->anchor);
    if (joint->has_axis)
        add_vector(out, "axis", joint->axis);
    if (joint->has_limits) {
        add_number(out, "lower", joint->lower);
        add_number(out, "upper", joint->upper);
    }
    if (joint->stiffness > 0)
        add_number(out, "stiffness", joint->stiffness);
    if (joint->damping > 0)
        add_number(out, "damping", joint->damping);
    carom_text_add(out, " }");
}

static void write_joints(const carom_draft *draft, carom_text *out)
{
    for (int i = 0; i < draft->joint_count; ++i) {
        carom_text_add(out, i ? ",\n" : ",\n  \"joints\": [\n");
        write_joint(draft, out, &draft->joints[i]);
    }
    carom_text_add(out, draft->joint_count ? "\n  ]" : "");
}

void carom_draft_write(const carom_draft *draft, carom_text *out)
{
    carom_text_add(out, "{ \"carom\": 1, \"kind\": \"world\",\n");
    if (draft->title) {
        carom_text_add(out, "  \"title\": ");
        carom_text_add_quoted(out, draft->title);
        carom_text_add(out, ",\n");
    }
    if (draft->source) {
        carom_text_add(out, "  \"note\": ");
        carom_text_add_quoted(out, draft->source);
        carom_text_add(out, ",\n");
    }
    for (int i = 0; i < draft->remark_count; ++i)
        carom_text_add(out, "  // %s\n", draft->remarks[i]);
    carom_text_add(out, "  \"step\": ");
    carom_text_add_number(out, draft->step > 0 ? draft->step : 0.001);
    carom_text_add(out, ", \"duration\": ");
    carom_text_add_number(out, draft->duration > 0 ? draft->duration : 5);
    if (draft->law)
        carom_text_add(out, ", \"law\": \"%s\"", draft->law);
    add_vector(out, "gravity", draft->gravity);
    carom_text_add(out, ",\n");
    write_periodic(draft, out);
    write_materials(draft, out);
    write_pairs(draft, out);
    write_shapes(draft, out);
    write_bodies(draft, out);
    write_joints(draft, out);
    if (draft->every > 0) {
        carom_text_add(out, ",\n  \"output\": { \"every\": ");
        carom_text_add_number(out, draft->every);
        carom_text_add(out, " }");
    }
    carom_text_add(out, " }\n");
}

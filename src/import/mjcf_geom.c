// Geoms of MJCF: shapes, masses, surfaces, colours.
#include "import/mjcf.h"

#include <stdio.h>
#include <string.h>
#include "math/constants.h"

// -- shapes ---------------------------------------------------------------------------------------

static carom_status mesh_shape(carom_mjcf *m, const carom_xml_element *e, int *shape,
                               carom_error *err)
{
    const char *name = carom_mjcf_words(m, e, "mesh");
    const carom_xml_element *asset = carom_xml_child(m->root, "asset");
    for (const carom_xml_element *a = carom_xml_child(asset, "mesh"); a && name;
         a = carom_xml_next(a)) {
        const char *file = carom_xml_text(a, "file"), *called = carom_xml_text(a, "name");
        char path[400], stem[200];
        snprintf(stem, sizeof stem, "%.190s", file ? file : "");
        char *slash = strrchr(stem, '/'), *dot = strrchr(stem, '.');
        if (dot)
            *dot = 0;
        if (strcmp(called ? called : slash ? slash + 1 : stem, name) != 0 || !file)
            continue;
        double scale[3] = { 1, 1, 1 };
        TRY(carom_xml_numbers(a, "scale", scale, (const int[]){ 3, 3 }, NULL, err));
        if (scale[0] != scale[1] || scale[0] != scale[2])
            return carom_xml_beyond(a, err, "the mesh is scaled differently along its axes");
        snprintf(path, sizeof path, "%.180s%s%.190s", m->meshes, *m->meshes ? "/" : "", file);
        TRY(carom_draft_remark(m->draft, err,
                               "MuJoCo takes the convex hull of a mesh, Carom the mesh"));
        return carom_draft_shape_add(m->draft, CAROM_DRAFT_MESH, scale, path, shape, err);
    }
    return carom_xml_refuse(e, err, "no mesh of the assets is called \"%.60s\"", name ? name : "");
}

// Half sizes as MuJoCo has them; `fromto` gives the length of what is long.
static carom_status sizes(carom_mjcf *m, const carom_xml_element *e, const char *type,
                          double out[3], carom_error *err)
{
    double ends[6];
    const carom_xml_element *by_ends = carom_mjcf_says(m, e, "fromto");
    TRY(carom_mjcf_numbers(m, e, "size", out, 3, err));
    if (!by_ends)
        return CAROM_OK;
    TRY(carom_xml_need(by_ends, "fromto", ends, 6, err));
    double half = 0.5 * vec3_length(vec3_sub(vec3_from(ends + 3), vec3_from(ends)));
    if (strcmp(type, "box") == 0)
        out[1] = out[1] > 0 ? out[1] : out[0], out[2] = half;
    else
        out[1] = half;
    return CAROM_OK;
}

static carom_status shape_of(carom_mjcf *m, const carom_xml_element *e, int *shape,
                             carom_error *err)
{
    const char *type = carom_mjcf_words(m, e, "type");
    double s[3] = { 0, 0, 0 };
    if (!type)
        type = carom_mjcf_says(m, e, "mesh") ? "mesh" : "sphere";
    if (strcmp(type, "mesh") == 0)
        return mesh_shape(m, e, shape, err);
    if (strcmp(type, "plane") == 0)
        return carom_draft_shape_add(m->draft, CAROM_DRAFT_PLANE, (double[3]){ 0, 0, 1 }, NULL,
                                     shape, err);
    TRY(sizes(m, e, type, s, err));
    carom_draft_form form = CAROM_DRAFT_SPHERE;
    if (strcmp(type, "box") == 0) {
        form = CAROM_DRAFT_BOX;
        for (int i = 0; i < 3; ++i)
            s[i] *= 2;
    } else if (strcmp(type, "capsule") == 0 || strcmp(type, "cylinder") == 0) {
        form = type[1] == 'a' ? CAROM_DRAFT_CAPSULE : CAROM_DRAFT_CYLINDER;
        s[1] *= 2;
    } else if (strcmp(type, "sphere") != 0)
        return carom_xml_beyond(e, err, "geoms of the type \"%.40s\" have no counterpart", type);
    carom_status status = carom_draft_shape_add(m->draft, form, s, NULL, shape, err);
    return status == CAROM_BAD_INPUT ? carom_xml_refuse(e, err, "a size is missing or not above 0")
                                     : status;
}

// -- masses ---------------------------------------------------------------------------------------

// Of a uniform body with density 1, about its centre; mass 0: not known here.
static carom_draft_mass uniform(const carom_draft_shape *shape)
{
    const double *s = shape->size;
    double r2 = s[0] * s[0];
    carom_draft_mass m = { 0 };
    if (shape->form == CAROM_DRAFT_SPHERE) {
        m.mass = 4 * CAROM_PI / 3 * r2 * s[0];
        m.inertia.xx = m.inertia.yy = m.inertia.zz = 0.4 * m.mass * r2;
    } else if (shape->form == CAROM_DRAFT_BOX) {
        m.mass = s[0] * s[1] * s[2];
        m.inertia = (sym3){ m.mass / 12 * (s[1] * s[1] + s[2] * s[2]),
                            m.mass / 12 * (s[0] * s[0] + s[2] * s[2]),
                            m.mass / 12 * (s[0] * s[0] + s[1] * s[1]),
                            0,
                            0,
                            0 };
    } else if (shape->form == CAROM_DRAFT_CYLINDER || shape->form == CAROM_DRAFT_CAPSULE) {
        double tube = CAROM_PI * r2 * s[1], l2 = s[1] * s[1];
        double ends = shape->form == CAROM_DRAFT_CAPSULE ? 4 * CAROM_PI / 3 * r2 * s[0] : 0;
        m.mass = tube + ends;
        m.inertia.zz = 0.5 * tube * r2 + 0.4 * ends * r2;
        // two half balls, each with its centre of mass 3/8 r from its flat side
        m.inertia.xx = m.inertia.yy =
            tube * (r2 / 4 + l2 / 12) + ends * (0.4 * r2 + l2 / 4 + 0.375 * s[0] * s[1]);
    }
    return m;
}

typedef struct tally {
    double mass, density; // of the geom
    bool masses, mixed;   // a geom says its mass; densities differ
    int count;
    carom_draft_mass all;
    bool unknown; // a geom whose mass is not known here
} tally;

static carom_status weigh(carom_mjcf *m, const carom_xml_element *e, tally *t, carom_error *err)
{
    double mass = -1, density = 1000;
    const carom_draft_part *part = &m->draft->parts[m->draft->part_count - 1];
    TRY(carom_mjcf_numbers(m, e, "mass", &mass, 1, err));
    TRY(carom_mjcf_numbers(m, e, "density", &density, 1, err));
    carom_draft_mass own = uniform(&m->draft->shapes[part->shape]);
    if (own.mass == 0)
        t->unknown = true;
    else {
        double factor = mass >= 0 ? mass / own.mass : density;
        own.mass *= factor;
        own.inertia = sym3_rotate(quat_matrix(part->rotation), sym3_scale(factor, own.inertia));
        own.centre = part->position;
        t->all = t->count ? carom_draft_together(t->all, own) : own;
    }
    t->mixed = t->mixed || (t->count && density != t->density);
    t->masses = t->masses || mass >= 0;
    t->mass = mass;
    t->density = density;
    ++t->count;
    return CAROM_OK;
}

// What the tally says of a body without an <inertial>.
static carom_status settle(carom_mjcf *m, const carom_xml_element *e, int at, const tally *t,
                           carom_error *err)
{
    carom_draft_body *body = &m->draft->bodies[at];
    if (body->has_mass || t->count == 0)
        return CAROM_OK;
    if (!t->unknown)
        body->m = t->all;
    if (!t->masses && !t->mixed) {
        body->density = t->density;
        return t->density > 0 ? CAROM_OK : carom_xml_refuse(e, err, "the body has no mass");
    }
    if (t->unknown && t->count > 1)
        return carom_xml_beyond(e, err, "a body of several meshes with masses of their own");
    body->has_mass = true;
    if (t->unknown)
        body->m.mass = t->mass;
    body->has_inertia = t->count > 1;
    return body->m.mass > 0 ? CAROM_OK : carom_xml_refuse(e, err, "the body has no mass");
}

// -- geoms ----------------------------------------------------------------------------------------

static carom_status paint(carom_mjcf *m, const carom_xml_element *e, int at, carom_error *err)
{
    double friction[3] = { 1, 0.005, 0.0001 }, rgba[4] = { -1, 0, 0, 1 };
    int material;
    TRY(carom_mjcf_numbers(m, e, "friction", friction, 3, err));
    TRY(carom_mjcf_numbers(m, e, "rgba", rgba, 4, err));
    carom_status status = carom_draft_material_add(m->draft, 0, friction[0], &material, err);
    if (status == CAROM_BAD_INPUT)
        return carom_xml_refuse(e, err, "friction is %g", friction[0]);
    TRY(status);
    carom_draft_body *body = &m->draft->bodies[at];
    if (body->material >= 0 && body->material != material)
        return carom_draft_remark(m->draft, err,
                                  "geoms of one body have the friction of the first");
    body->material = material;
    if (rgba[0] >= 0 && body->colour < 0) {
        int colour = 0;
        for (int i = 0; i < 3; ++i)
            colour = colour << 8 | (int)(255 * fmin(fmax(rgba[i], 0), 1) + 0.5);
        body->colour = colour;
    }
    return CAROM_OK;
}

static carom_status add_geom(carom_mjcf *m, const carom_xml_element *e, int at, carom_error *err)
{
    vec3 position;
    quat rotation;
    int shape;
    TRY(shape_of(m, e, &shape, err));
    TRY(carom_mjcf_frame(m, e, &position, &rotation, err));
    TRY(carom_draft_part_add(m->draft, at, shape, position, rotation, err));
    return paint(m, e, at, err);
}

// Whether a geom touches anything.
static carom_status touches(const carom_mjcf *m, const carom_xml_element *e, bool *out,
                            carom_error *err)
{
    double type = 1, affinity = 1;
    TRY(carom_mjcf_numbers(m, e, "contype", &type, 1, err));
    TRY(carom_mjcf_numbers(m, e, "conaffinity", &affinity, 1, err));
    *out = type != 0 || affinity != 0;
    return CAROM_OK;
}

carom_status carom_mjcf_geoms(carom_mjcf *m, const carom_xml_element *body, int at,
                              carom_error *err)
{
    tally t = { 0 };
    for (int only_solid = 1; only_solid >= 0 && t.count == 0; --only_solid)
        for (const carom_xml_element *e = carom_xml_child(body, "geom"); e; e = carom_xml_next(e)) {
            bool solid = true;
            TRY(touches(m, e, &solid, err));
            if (only_solid && !solid)
                continue;
            const char *type = carom_mjcf_words(m, e, "type");
            if (type && strcmp(type, "plane") == 0)
                return carom_xml_refuse(e, err, "a plane belongs to the world");
            if (!solid)
                TRY(carom_draft_remark(m->draft, err,
                                       "bodies that touch nothing in the file do here"));
            TRY(add_geom(m, e, at, err));
            TRY(weigh(m, e, &t, err));
        }
    return settle(m, body, at, &t, err);
}

carom_status carom_mjcf_geom_fixed(carom_mjcf *m, const carom_xml_element *e, carom_error *err)
{
    const char *name = carom_xml_text(e, "name"), *type = carom_mjcf_words(m, e, "type");
    bool solid, plane = type && strcmp(type, "plane") == 0;
    int at;
    TRY(touches(m, e, &solid, err));
    if (!solid)
        return CAROM_OK;
    TRY(carom_draft_body_add(m->draft, name ? name : plane ? "floor" : "fixed", &at, err));
    TRY(add_geom(m, e, at, err));
    m->draft->bodies[at].kind = CAROM_DRAFT_FIXED;
    return CAROM_OK;
}

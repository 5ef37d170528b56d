// SCISim's scenes. Its y is up and becomes our z. Two dimensions become the plane y = 0: a disc is
// a ball with the mass and the moment of the disc, a rectangle a box of depth 1 m, so that its
// density per area is ours per volume.
//
// What Carom has no counterpart for is refused with the reason: boundaries that let bodies in on
// the other side (portals), motions by a Python script, drums and cylinders seen from inside.
#include "import/scisim.h"

#include <stdio.h>
#include <string.h>
#include "math/constants.h"

typedef struct reading {
    const carom_xml_element *root;
    carom_draft *draft;
    bool flat; // two dimensions
    int material;
    int *shapes; // by number of the geometry
    int shape_count;
} reading;

bool carom_scisim_is(const carom_xml_element *root)
{
    return carom_xml_is(root, "ball2d_scene") || carom_xml_is(root, "rigidbody2d_scene") ||
           carom_xml_is(root, "rigidbody3d_scene");
}

// What a scene with one of these cannot do without.
static carom_status refuse_foreign(const carom_xml_element *root, carom_error *err)
{
    static const struct {
        const char *name, *why;
    } beyond[] = {
        { "scripting", "a Python script moves things in this scene; Carom has driven bodies" },
        { "planar_portal", "periodic boundaries (portals) are not read: add \"periodic\"" },
        { "lees_edwards_portal", "sheared periodic boundaries (portals) have no counterpart" },
        { "static_drum", "the inside of a circle as a wall has no counterpart" },
        { "static_cylinder", "the inside of a cylinder as a wall has no counterpart" },
        { "penalty_force", "penalty forces have no counterpart" },
        { "hertzian_penalty_force", "penalty forces have no counterpart" },
    };
    for (const carom_xml_element *e = root->child; e; e = e->next)
        for (size_t i = 0; i < sizeof beyond / sizeof *beyond; ++i)
            if (carom_xml_is(e, beyond[i].name))
                return carom_xml_beyond(e, err, "%s", beyond[i].why);
    return CAROM_OK;
}

// -- how it is solved -----------------------------------------------------------------------------

// The law of an impact operator by our name.
static carom_status law_of(reading *r, const carom_xml_element *op, carom_error *err)
{
    static const struct {
        const char *type, *law;
    } laws[] = {
        { "gr", "gr" },
        { "grr", "grr" },
        { "lcp", "newton" },
        { "gauss_seidel", "fixed-point" },
    };
    const char *type = carom_xml_text(op, "type");
    for (size_t i = 0; type && i < sizeof laws / sizeof *laws; ++i)
        if (strcmp(type, laws[i].type) == 0) {
            r->draft->law = laws[i].law;
            if (strcmp(type, "gauss_seidel") == 0)
                return carom_draft_remark(r->draft, err,
                                          "SCISim resolves pairs in turn (gauss_seidel): "
                                          "fixed-point does so, but many at once");
            return CAROM_OK;
        }
    return carom_xml_refuse(op, err, "an impact operator of the type \"%.40s\" is not known",
                            type ? type : "");
}

static carom_status read_solver(reading *r, carom_error *err)
{
    static const char *const rough[] = { "sobogus_friction_solver",
                                         "staggered_projections_friction_solver",
                                         "grr_friction_solver" };
    double restitution = 1, friction = 0;
    const carom_xml_element *op = carom_xml_child(r->root, "impact_operator");
    if (op) {
        TRY(law_of(r, op, err));
        TRY(carom_xml_number(op, "CoR", &restitution, err));
    }
    for (size_t i = 0; i < sizeof rough / sizeof *rough; ++i) {
        const carom_xml_element *e = carom_xml_child(r->root, rough[i]);
        if (!e)
            continue;
        TRY(carom_xml_number(e, "CoR", &restitution, err));
        TRY(carom_xml_number(e, "mu", &friction, err));
        r->draft->law = i == 2 ? "grr" : "newton";
    }
    return carom_draft_material_add(r->draft, restitution, friction, &r->material, err);
}

// dt is a number, or a fraction of two: 1/10800.
static carom_status read_step(const carom_xml_element *e, double *out, carom_error *err)
{
    const char *words = carom_xml_text(e, "dt");
    double above, below;
    char more;
    if (!words || sscanf(words, "%lf/%lf%c", &above, &below, &more) != 2 || !(below > 0))
        return carom_xml_need(e, "dt", out, 1, err);
    *out = above / below;
    return CAROM_OK;
}

static carom_status read_settings(reading *r, carom_error *err)
{
    double fps = 0, g[3] = { 0, 0, 0 };
    carom_draft *d = r->draft;
    const carom_xml_element *integrator = carom_xml_child(r->root, "integrator");
    const carom_xml_element *ends = carom_xml_child(r->root, "end_time");
    const carom_xml_element *force = carom_xml_child(r->root, "near_earth_gravity");
    const carom_xml_element *flat_force = carom_xml_child(r->root, "gravity");
    if (!integrator)
        return carom_xml_refuse(r->root, err, "the integrator is missing");
    TRY(read_step(integrator, &d->step, err));
    if (!(d->step > 0 && d->step <= 1e6))
        return carom_xml_refuse(integrator, err, "dt is %g, not above 0", d->step);
    if (ends)
        TRY(carom_xml_need(ends, "t", &d->duration, 1, err));
    for (const carom_xml_element *e = r->root->child; e; e = e->next)
        if (strncmp(e->name, "camera", 6) == 0)
            TRY(carom_xml_number(e, "fps", &fps, err));
    d->every = fps > 0 && fps < 1e6 && 1 / fps >= d->step ? 1 / fps : 0;
    if (force)
        TRY(carom_xml_need(force, "f", g, r->flat ? 2 : 3, err));
    if (flat_force) {
        TRY(carom_xml_need(flat_force, "fx", &g[0], 1, err));
        TRY(carom_xml_need(flat_force, "fy", &g[1], 1, err));
    }
    d->gravity = carom_draft_upright(vec3_from(g));
    return read_solver(r, err);
}

// -- what is there --------------------------------------------------------------------------------

// Two numbers in the plane or three in space, as our vector.
static carom_status vector(const reading *r, const carom_xml_element *e, const char *key, vec3 *out,
                           carom_error *err)
{
    double v[3] = { 0, 0, 0 };
    TRY(carom_xml_need(e, key, v, r->flat ? 2 : 3, err));
    *out = carom_draft_upright(vec3_from(v));
    return CAROM_OK;
}

static carom_status read_planes(reading *r, carom_error *err)
{
    for (const carom_xml_element *e = carom_xml_child(r->root, "static_plane"); e;
         e = carom_xml_next(e)) {
        vec3 place, normal;
        int body, shape;
        TRY(vector(r, e, "x", &place, err));
        TRY(vector(r, e, "n", &normal, err));
        normal = vec3_unit(normal);
        double n[3] = { normal.x, normal.y, normal.z };
        bool floor = normal.z > 0.999;
        TRY(carom_draft_shape_add(r->draft, CAROM_DRAFT_PLANE, n, NULL, &shape, err));
        TRY(carom_draft_body_add(r->draft, floor ? "floor" : "wall", &body, err));
        TRY(carom_draft_part_add(r->draft, body, shape, vec3_make(0, 0, 0), quat_identity(), err));
        r->draft->bodies[body].kind = CAROM_DRAFT_FIXED;
        r->draft->bodies[body].position = place;
        r->draft->bodies[body].material = r->material;
    }
    return CAROM_OK;
}

static carom_status read_geometry(reading *r, const carom_xml_element *e, int *at, carom_error *err)
{
    const char *type = carom_xml_text(e, "type");
    double size[3] = { 0, 0, 0 };
    if (type && (strcmp(type, "circle") == 0 || strcmp(type, "sphere") == 0)) {
        TRY(carom_xml_need(e, "r", size, 1, err));
        return carom_draft_shape_add(r->draft, CAROM_DRAFT_SPHERE, size, NULL, at, err);
    }
    if (type && strcmp(type, "box") == 0) { // half sizes; up is the second one
        double half[3] = { 0, 0, 0.5 };
        TRY(carom_xml_need(e, "r", half, r->flat ? 2 : 3, err));
        const double full[3] = { 2 * half[0], 2 * half[2], 2 * half[1] };
        return carom_draft_shape_add(r->draft, CAROM_DRAFT_BOX, full, NULL, at, err);
    }
    if (type && strcmp(type, "mesh") == 0)
        return carom_xml_beyond(e, err, "the mesh is in an HDF5 file, which Carom does not read");
    return carom_xml_beyond(e, err, "a geometry of the type \"%.40s\" has no counterpart",
                            type ? type : "");
}

static carom_status read_geometries(reading *r, carom_arena *memory, carom_error *err)
{
    int count = 0;
    for (const carom_xml_element *e = carom_xml_child(r->root, "geometry"); e;
         e = carom_xml_next(e))
        ++count;
    TAKE(memory, r->shapes, count + 1, err);
    for (const carom_xml_element *e = carom_xml_child(r->root, "geometry"); e;
         e = carom_xml_next(e))
        TRY(read_geometry(r, e, &r->shapes[r->shape_count++], err));
    return CAROM_OK;
}

// A disc of the plane as a ball: m r^2 / 2 about the axis across it, a ball's about the others.
static void make_disc(carom_draft_body *body, double mass, double radius)
{
    double of_ball = 0.4 * mass * radius * radius, of_disc = 0.5 * mass * radius * radius;
    body->has_mass = body->has_inertia = true;
    body->m = (carom_draft_mass){ .mass = mass, .inertia = { of_ball, of_disc, of_ball, 0, 0, 0 } };
}

static bool is_moving(const carom_draft_body *body)
{
    return vec3_dot(body->velocity, body->velocity) + vec3_dot(body->spin, body->spin) > 0;
}

static carom_status fix_if(const carom_xml_element *e, carom_draft_body *body, carom_error *err)
{
    double fixed = 0;
    TRY(carom_xml_number(e, "fixed", &fixed, err));
    if (fixed != 0)
        body->kind = is_moving(body) ? CAROM_DRAFT_DRIVEN : CAROM_DRAFT_FIXED;
    return CAROM_OK;
}

static carom_status read_ball(reading *r, const carom_xml_element *e, carom_error *err)
{
    double x[3] = { 0, 0, 0 }, v[3] = { 0, 0, 0 }, mass, radius[3] = { 0, 0, 0 };
    int shape, at;
    TRY(carom_xml_need(e, "x", &x[0], 1, err));
    TRY(carom_xml_need(e, "y", &x[1], 1, err));
    TRY(carom_xml_need(e, "vx", &v[0], 1, err));
    TRY(carom_xml_need(e, "vy", &v[1], 1, err));
    TRY(carom_xml_need(e, "m", &mass, 1, err));
    TRY(carom_xml_need(e, "r", radius, 1, err));
    if (!(mass > 0))
        return carom_xml_refuse(e, err, "m is %g, not above 0", mass);
    TRY(carom_draft_shape_add(r->draft, CAROM_DRAFT_SPHERE, radius, NULL, &shape, err));
    TRY(carom_draft_body_add(r->draft, NULL, &at, err));
    TRY(carom_draft_part_add(r->draft, at, shape, vec3_make(0, 0, 0), quat_identity(), err));
    carom_draft_body *body = &r->draft->bodies[at];
    body->position = carom_draft_upright(vec3_from(x));
    body->velocity = carom_draft_upright(vec3_from(v));
    body->material = r->material;
    body->has_mass = true;
    body->m.mass = mass;
    if (r->draft->materials[r->material].friction > 0) { // its balls do not turn
        double heavy = 1e9 * mass * radius[0] * radius[0];
        body->has_inertia = true;
        body->m.inertia = (sym3){ heavy, heavy, heavy, 0, 0, 0 };
        TRY(carom_draft_remark(
            r->draft, err,
            "balls of this kind of scene do not turn: their inertia is 1e9 times "
            "m r^2"));
    }
    return fix_if(e, &r->draft->bodies[at], err);
}

static carom_status read_body(reading *r, const carom_xml_element *e, carom_error *err)
{
    double number, density, angle = 0, turn[3] = { 0, 0, 0 }, omega[3] = { 0, 0, 0 };
    int at;
    TRY(carom_xml_need(e, "geo_idx", &number, 1, err));
    if (!r->flat && number < 0) // counted from the end
        number += r->shape_count;
    if (!(number >= 0 && number < r->shape_count) || number != (int)number)
        return carom_xml_refuse(e, err, "geo_idx names none of the %d geometries", r->shape_count);
    TRY(carom_xml_need(e, "rho", &density, 1, err));
    if (!(density > 0))
        return carom_xml_refuse(e, err, "rho is %g, not above 0", density);
    const carom_draft_shape *shape = &r->draft->shapes[r->shapes[(int)number]];
    TRY(carom_draft_body_add(r->draft, NULL, &at, err));
    TRY(carom_draft_part_add(r->draft, at, r->shapes[(int)number], vec3_make(0, 0, 0),
                             quat_identity(), err));
    carom_draft_body *body = &r->draft->bodies[at];
    body->material = r->material;
    body->density = density;
    TRY(vector(r, e, "x", &body->position, err));
    TRY(vector(r, e, "v", &body->velocity, err));
    if (r->flat) {
        TRY(carom_xml_need(e, "theta", &angle, 1, err));
        TRY(carom_xml_need(e, "omega", &omega[2], 1, err));
        body->rotation = carom_draft_turn(carom_draft_upright(vec3_make(0, 0, 1)), angle);
        if (shape->form == CAROM_DRAFT_SPHERE)
            make_disc(body, density * CAROM_PI * shape->size[0] * shape->size[0], shape->size[0]);
    } else {
        TRY(carom_xml_numbers(e, "R", turn, (const int[]){ 3, 3 }, NULL, err));
        TRY(carom_xml_need(e, "omega", omega, 3, err));
        vec3 axis = carom_draft_upright(vec3_from(turn));
        body->rotation = carom_draft_turn(axis, vec3_length(axis));
    }
    body->spin = carom_draft_upright(vec3_from(omega));
    return fix_if(e, body, err);
}

carom_status carom_scisim_read(const carom_xml_element *root, carom_draft *draft, carom_error *err)
{
    reading r = { .root = root, .draft = draft, .flat = !carom_xml_is(root, "rigidbody3d_scene") };
    TRY(refuse_foreign(root, err));
    TRY(read_settings(&r, err));
    TRY(read_planes(&r, err));
    TRY(read_geometries(&r, draft->memory, err));
    for (const carom_xml_element *e = root->child; e; e = e->next) {
        if (carom_xml_is(e, "ball") && carom_xml_is(root, "ball2d_scene"))
            TRY(read_ball(&r, e, err));
        else if (carom_xml_is(e, r.flat ? "rigid_body" : "rigid_body_with_density"))
            TRY(read_body(&r, e, err));
    }
    return CAROM_OK;
}

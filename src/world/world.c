// Creating a world and filling it.
#include "world/world.h"

#include <float.h>
#include <string.h>
#include "base/hash.h"
#include "base/memory.h"
#include "impact/workspace.h"
#include "shape/shape.h"
#include "world/ledger.h"
#include "world/linkage.h"
#include "world/world_handle.h"
#include "world/world_option.h"
#include "world/world_periodic.h"
#include "world/world_sleep.h"

carom_material carom_world_material_default(void)
{
    return (carom_material){ .restitution = 0.5,
                             .fade_speed = 1,
                             .fade_power = 1,
                             .friction = 0.5,
                             .stiffness = 1,
                             .exponent = 1.5 };
}

carom_body carom_world_body_default(void)
{
    return (carom_body){ .kind = CAROM_BODY_MOVING,
                         .density = 1000,
                         .layers = 1,
                         .mask = UINT32_MAX,
                         .gravity_scale = 1,
                         .rotation = { 1, 0, 0, 0 } };
}

static carom_status out_of_range(carom_error *err, const char *name, double value, const char *fix)
{
    carom_error_set(err, CAROM_BAD_INPUT, "%s is %g", name, value);
    return carom_error_fix(err, "%s", fix);
}

static bool make_workspaces(carom_world *world)
{
    int threads = world->options.threads > 1 ? world->options.threads : 1;
    world->beside = carom_memory_zeros((size_t)threads, sizeof *world->beside);
    for (int i = -1; world->beside && i < threads; ++i) {
        carom_workspace **one = i < 0 ? &world->workspace : &world->beside[i];
        *one = carom_workspace_create();
        if (!*one)
            return false;
        carom_workspace_trust(*one);
        world->beside_count = i + 1;
    }
    carom_world_tell_options(world);
    return world->beside != NULL;
}

void carom_world_tell_options(carom_world *world)
{
    for (int i = -1; i < world->beside_count; ++i) {
        carom_workspace *one = i < 0 ? world->workspace : world->beside[i];
        carom_workspace_set_accuracy(one, world->options.impact_residual);
        carom_workspace_set_work(one, world->options.impact_work);
    }
}

static carom_status make_nothing(carom_world *world, carom_error *err)
{
    carom_shape *point = NULL;
    carom_status status = carom_sphere_create(1e-9, &point, err);
    world->nothing = point;
    return status;
}

carom_status carom_world_create(const carom_world_options *options, carom_world **out,
                                carom_error *err)
{
    NEED(err, options, out);
    *out = NULL;
    TRY(carom_world_option_check(options, err));
    carom_world *world = carom_memory_zeros(1, sizeof *world);
    carom_material plain = carom_world_material_default();
    if (!world)
        return carom_error_no_memory(err, "a world");
    world->options = *options;
    world->period = carom_world_periodic_box(options);
    world->periodic = carom_period_any(&world->period);
    world->scratch = carom_arena_create(0);
    world->rest_matrix = carom_sparse_block_create(6, 0);
    carom_status status = make_nothing(world, err);
    if (status == CAROM_OK)
        status = carom_collide_create(&world->collide, err);
    if (status == CAROM_OK && (!make_workspaces(world) || !world->scratch || !world->rest_matrix))
        status = carom_error_no_memory(err, "a world");
    if (status == CAROM_OK)
        status = carom_world_add_material(world, &plain, NULL, err);
    if (status != CAROM_OK) {
        carom_world_destroy(world);
        return status;
    }
    carom_workspace_set_threads(world->workspace, options->threads);
    *out = world;
    return CAROM_OK;
}

void carom_world_destroy(carom_world *world)
{
    if (!world)
        return;
    carom_world_bodies_free(world);
    carom_shape_release(world->nothing);
    for (int i = 0; i < world->joint_count; ++i)
        carom_memory_free(world->joints[i].name);
    for (int i = 0; i < world->material_count; ++i)
        carom_memory_free((void *)world->materials[i].name);
    void *arrays[] = { world->changes.list,
                       world->materials,
                       world->pairs,
                       world->joints,
                       world->joined,
                       world->warm.contacts,
                       world->warm.rolling,
                       world->warm_asleep.contacts,
                       world->warm_asleep.rolling,
                       world->warm_other.contacts,
                       world->warm_other.rolling };
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
        carom_memory_free(arrays[i]);
    carom_linkage_destroy(world->linkage);
    carom_journal_free(&world->journal);
    carom_world_event_free(&world->events);
    carom_world_query_free(&world->query);
    carom_collide_destroy(world->collide);
    carom_workspace_destroy(world->workspace);
    for (int i = 0; i < world->beside_count; ++i)
        carom_workspace_destroy(world->beside[i]);
    carom_memory_free(world->beside);
    carom_sparse_block_destroy(world->rest_matrix);
    carom_arena_destroy(world->scratch);
    carom_memory_free(world);
}

static carom_status check_tangential(const carom_world *world, double value, carom_error *err)
{
    if (!(value >= -1 && value <= 1))
        return out_of_range(err, "tangential_restitution", value, "use a value from -1 to 1");
    if (value == 0 || carom_law_has_tangential(world->options.law))
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "tangential_restitution is %g, and the law %s has none",
                    value, carom_law_name(world->options.law));
    return carom_error_fix(err, "take the law qce, newton or sqm, or leave it at 0");
}

static carom_status check_cohesion(double cohesion, double adhesion, carom_error *err)
{
    if (!(cohesion >= 0) || !isfinite(cohesion))
        return out_of_range(err, "cohesion", cohesion, "use a force of at least 0 N");
    if (!(adhesion >= 0) || !isfinite(adhesion))
        return out_of_range(err, "adhesion", adhesion, "use a work of at least 0 J");
    return CAROM_OK;
}

carom_status carom_world_add_material(carom_world *world, const carom_material *m, int *index,
                                      carom_error *err)
{
    NEED(err, world, m);
    if (!(m->restitution >= 0 && m->restitution <= 1))
        return out_of_range(err, "restitution", m->restitution,
                            "use a value from 0 (no bounce) to 1 (no loss)");
    if (!(m->friction >= 0) || !isfinite(m->friction))
        return out_of_range(err, "friction", m->friction, "use a value of at least 0");
    if (!(m->fade >= 0) || !(m->fade_speed > 0) || !(m->fade_power > 0))
        return out_of_range(err, "fade", m->fade,
                            "use fade >= 0, fade_speed > 0 m/s and fade_power > 0");
    if (!(m->fade_slip >= 0) || !isfinite(m->fade_slip))
        return out_of_range(err, "fade_slip", m->fade_slip, "use a value of at least 0");
    if (!(m->stiffness > 0) || !(m->exponent >= 1))
        return out_of_range(err, "stiffness or exponent", m->stiffness,
                            "use a stiffness above 0 and an exponent of at least 1");
    if (!(m->rolling >= 0) || !isfinite(m->rolling))
        return out_of_range(err, "rolling", m->rolling, "use a length of at least 0 m");
    TRY(check_cohesion(m->cohesion, m->adhesion, err));
    TRY(check_tangential(world, m->tangential_restitution, err));
    if (m->rolling > 0)
        TRY(carom_warm_start_rolling(world, err));
    if (!carom_world_grow((void **)&world->materials, (size_t)world->material_count + 1,
                          sizeof *world->materials))
        return carom_error_no_memory(err, "material %d", world->material_count);
    char *name;
    if (!carom_world_handle_copy_name(m->name, &name))
        return carom_error_no_memory(err, "a name");
    world->materials[world->material_count] = *m;
    world->materials[world->material_count].name = name;
    world->cohesive = world->cohesive || m->cohesion > 0 || m->adhesion > 0;
    if (index)
        *index = world->material_count;
    ++world->material_count;
    return CAROM_OK;
}

static carom_world_pair_entry *find_pair(carom_world *world, int a, int b)
{
    for (int i = 0; i < world->pair_count; ++i)
        if (world->pairs[i].a == a && world->pairs[i].b == b)
            return &world->pairs[i];
    return NULL;
}

carom_status carom_world_pair(carom_world *world, int material_a, int material_b,
                              double restitution, double friction, carom_error *err)
{
    NEED(err, world);
    int a = material_a < material_b ? material_a : material_b, b = material_a + material_b - a;
    if (a < 0 || b >= world->material_count)
        return out_of_range(err, "material", a < 0 ? a : b,
                            "use the index of a material that was added");
    if (!(restitution >= 0 && restitution <= 1))
        return out_of_range(err, "restitution", restitution, "use a value from 0 to 1");
    if (!(friction >= 0) || !isfinite(friction))
        return out_of_range(err, "friction", friction, "use a value of at least 0");
    carom_world_pair_entry *pair = find_pair(world, a, b);
    if (!pair) {
        if (!carom_world_grow((void **)&world->pairs, (size_t)world->pair_count + 1,
                              sizeof *world->pairs))
            return carom_error_no_memory(err, "a pair of materials");
        pair = &world->pairs[world->pair_count++];
        *pair = (carom_world_pair_entry){ a, b, 0, 0, -1, -1, -1 };
    }
    pair->restitution = restitution;
    pair->friction = friction;
    return CAROM_OK;
}

static carom_status listed_pair(carom_world *world, int material_a, int material_b,
                                carom_world_pair_entry **out, carom_error *err)
{
    int a = material_a < material_b ? material_a : material_b, b = material_a + material_b - a;
    *out = find_pair(world, a, b);
    if (*out)
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "materials %d and %d are no listed pair", a, b);
    return carom_error_fix(err, "tell carom_world_pair of them first");
}

carom_status carom_world_pair_rolling(carom_world *world, int material_a, int material_b,
                                      double rolling, carom_error *err)
{
    carom_world_pair_entry *pair;
    NEED(err, world);
    if (!(rolling >= 0) || !isfinite(rolling))
        return out_of_range(err, "rolling", rolling, "use a length of at least 0 m");
    TRY(listed_pair(world, material_a, material_b, &pair, err));
    if (rolling > 0)
        TRY(carom_warm_start_rolling(world, err));
    pair->rolling = rolling;
    return CAROM_OK;
}

carom_status carom_world_pair_cohesion(carom_world *world, int material_a, int material_b,
                                       double cohesion, double adhesion, carom_error *err)
{
    carom_world_pair_entry *pair;
    NEED(err, world);
    TRY(check_cohesion(cohesion < 0 ? 0 : cohesion, adhesion < 0 ? 0 : adhesion, err));
    TRY(listed_pair(world, material_a, material_b, &pair, err));
    pair->cohesion = cohesion;
    pair->adhesion = adhesion;
    world->cohesive = world->cohesive || cohesion > 0 || adhesion > 0;
    return CAROM_OK;
}

static carom_status check_restitution(const carom_body *body, carom_error *err)
{
    const carom_restitution_source *source = &body->restitution;
    if (!source->functions)
        return CAROM_OK;
    if (!(source->scale >= 0 && source->scale <= 1))
        return out_of_range(err, "restitution.scale", source->scale, "use a value from 0 to 1");
    return source->functions->check ? source->functions->check(source->data, body->shape, err)
                                    : CAROM_OK;
}

static bool has_inertia(const carom_body *body)
{
    const double *j = body->inertia;
    return j[0] != 0 || j[1] != 0 || j[2] != 0 || j[3] != 0 || j[4] != 0 || j[5] != 0;
}

static bool off_centre(const carom_body *body);
static carom_status check_centre(const carom_body *body, carom_error *err);

#define COARSE 1e-3 // of a body's size: what positions must tell apart

static bool has_belt(const carom_body *body)
{
    const double *belt = body->drive.belt;
    return belt[0] != 0 || belt[1] != 0 || belt[2] != 0;
}

static carom_status check_body(const carom_world *world, const carom_body *body, carom_error *err)
{
    double norm = 0;
    if (!body->shape)
        return carom_error_set(err, CAROM_BAD_INPUT, "the body has no shape");
    for (int i = 0; i < 4; ++i)
        norm += body->rotation[i] * body->rotation[i];
    if (!(fabs(norm - 1) < 1e-6))
        return out_of_range(err, "the length of the rotation quaternion", sqrt(norm),
                            "give a unit quaternion w x y z");
    for (int i = 0; i < 3; ++i)
        if (!isfinite(body->position[i]) || !isfinite(body->velocity[i]) ||
            !isfinite(body->spin[i]))
            return out_of_range(err, "a position, velocity or spin", NAN, "use finite numbers");
    if (body->material < 0 || body->material >= world->material_count)
        return out_of_range(err, "material", body->material,
                            "use the index of a material that was added");
    TRY(check_restitution(body, err));
    if (off_centre(body))
        TRY(check_centre(body, err));
    if (!(body->damping >= 0) || !(body->angular_damping >= 0) || !isfinite(body->gravity_scale) ||
        !isfinite(body->damping + body->angular_damping))
        return out_of_range(err, "damping", body->damping,
                            "use rates of at least 0 1/s, and a finite gravity_scale");
    double far =
        fmax(fmax(fabs(body->position[0]), fabs(body->position[1])), fabs(body->position[2]));
    double size = carom_shape_radius(body->shape), coarse = far * DBL_EPSILON;
    if (isfinite(size) && coarse > COARSE * size) {
        carom_error_set(
            err, CAROM_BAD_INPUT,
            "a body of %.3g m lies %.3g m from the origin, where numbers are %.3g m apart", size,
            far, coarse);
        return carom_error_fix(err, "put the scene near the origin");
    }
    if (has_belt(body) && body->kind != CAROM_BODY_DRIVEN)
        return carom_error_set(err, CAROM_BAD_INPUT, "only a driven body has a belt");
    if (body->kind != CAROM_BODY_MOVING && body->kind != CAROM_BODY_WAITING)
        return CAROM_OK;
    if (carom_shape_mass(body->shape).volume <= 0) {
        carom_error_set(err, CAROM_BAD_INPUT, "a %s cannot move: it has no volume",
                        carom_shape_kind_name(carom_shape_kind_of(body->shape)));
        return carom_error_fix(err, "make the body fixed or driven");
    }
    if (!(body->mass >= 0) || !isfinite(body->mass) || (body->mass == 0 && !(body->density > 0)))
        return out_of_range(err, "mass", body->mass,
                            "give a mass above 0 kg, or a density above 0 kg/m^3");
    return has_inertia(body) ? carom_world_bodies_check_inertia(body->inertia, err) : CAROM_OK;
}

// Mass and inertia that the body has when it moves.
static void own_mass(carom_world *world, int i, const carom_body *body)
{
    carom_mass shape = carom_shape_mass(body->shape);
    bool solid = shape.volume > 0 && isfinite(shape.volume);
    double mass = body->mass > 0 ? body->mass : body->density * shape.volume;
    double density = solid ? mass / shape.volume : 0;
    const double *s = shape.inertia;
    if (has_inertia(body)) {
        s = body->inertia;
        density = 1;
    }
    world->own_mass[i] = solid && mass > 0 && isfinite(mass) ? mass : 0;
    world->own_inertia[i] = (sym3){ density * s[0], density * s[1], density * s[2],
                                    density * s[3], density * s[4], density * s[5] };
}

static bool off_centre(const carom_body *body)
{
    return body->centre[0] != 0 || body->centre[1] != 0 || body->centre[2] != 0;
}

// The shape, with its origin at the centre of mass; the caller becomes one more owner.
static carom_status shape_of(const carom_body *body, const carom_shape **out, carom_error *err)
{
    carom_shape *moved = NULL;
    if (off_centre(body))
        TRY(carom_compound_about(body->shape, vec3_from(body->centre), &moved, err));
    *out = moved ? moved : carom_shape_retain(body->shape);
    return CAROM_OK;
}

static carom_status check_centre(const carom_body *body, carom_error *err)
{
    const double *c = body->centre;
    if (!isfinite(c[0] + c[1] + c[2]) || carom_shape_mass(body->shape).volume <= 0) {
        carom_error_set(err, CAROM_BAD_INPUT, "the centre of mass is %g %g %g", c[0], c[1], c[2]);
        return carom_error_fix(err, "give a point (m, shape frame) of a solid shape");
    }
    bool massive = body->kind == CAROM_BODY_MOVING || body->kind == CAROM_BODY_WAITING;
    if (massive && !has_inertia(body)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the mass is not spread evenly, and how is not said");
        return carom_error_fix(err, "give the inertia about the centre of mass, too");
    }
    return CAROM_OK;
}

// Writes what is not there already.
#define SET(array, value)                                                                          \
    do {                                                                                           \
        const __typeof__(array) given_ = (value);                                                  \
        if (memcmp(&(array), &given_, sizeof given_) != 0)                                         \
            (array) = given_;                                                                      \
    } while (0)

// What few bodies have: where nobody does, the pages of the arrays are never touched.
static void set_rare(carom_world *world, int i, const carom_body *body, char *name)
{
    const vec3 zero = { 0, 0, 0 };
    SET(world->name[i], name);
    SET(world->user[i], body->user);
    SET(world->damping[i], body->damping);
    SET(world->angular_damping[i], body->angular_damping);
    SET(world->force[i], zero);
    SET(world->torque[i], zero);
    SET(world->push[i], zero);
    SET(world->push_turn[i], zero);
    SET(world->bounce[i], body->restitution);
    SET(world->quiet[i], 0.0);
    SET(world->drive[i], body->drive);
    SET(world->drive_steady[i], vec3_from(body->velocity));
}
#undef SET

carom_status carom_world_add_body(carom_world *world, const carom_body *body, carom_body_id *id,
                                  carom_error *err)
{
    NEED(err, world, body);
    TRY(check_body(world, body, err));
    if (body->kind == CAROM_BODY_FIXED || body->kind == CAROM_BODY_DRIVEN)
        carom_world_sleep_wake_all(world);
    const carom_shape *shape = NULL;
    const double *q = body->rotation;
    quat turn = quat_unit((quat){ q[0], q[1], q[2], q[3] });
    char *name;
    int i = -1;
    TRY(shape_of(body, &shape, err));
    if (carom_world_periodic_body(world, shape, turn, vec3_from(body->spin), err) != CAROM_OK) {
        carom_shape_release(shape);
        return err ? err->status : CAROM_BAD_INPUT;
    }
    if (carom_world_handle_copy_name(body->name, &name))
        i = carom_world_handle_take_body(world);
    if (i < 0) {
        carom_memory_free(name);
        carom_shape_release(shape);
        return carom_error_no_memory(err, "body %d", world->count);
    }
    world->shape[i] = shape;
    world->kind[i] = (unsigned char)body->kind;
    own_mass(world, i, body);
    carom_world_bodies_weigh(world, i);
    world->gravity_scale[i] = body->gravity_scale;
    world->special = world->special || body->gravity_scale != 1 || body->damping != 0 ||
                     body->angular_damping != 0;
    set_rare(world, i, body, name);
    world->material[i] = body->material;
    world->group[i] = body->group;
    world->layers[i] = body->layers;
    world->mask[i] = body->mask;
    world->sensor[i] = body->sensor != 0;
    world->tethered[i] = world->asleep[i] = world->disturbed[i] = 0;
    world->bed[i] = i;
    world->drive_origin[i] = vec3_from(body->position);
    world->now.position[i] = vec3_from(body->position);
    world->now.rotation[i] = turn;
    world->now.velocity[i] =
        body->kind == CAROM_BODY_FIXED ? vec3_make(0, 0, 0) : vec3_from(body->velocity);
    world->now.spin[i] =
        body->kind == CAROM_BODY_FIXED ? vec3_make(0, 0, 0) : vec3_from(body->spin);
    world->linkage_stale = world->joint_count > 0;
    world->query.fresh = false;
    carom_ledger_add(world, i);
    if (id)
        *id = carom_world_body_at(world, i);
    return CAROM_OK;
}

carom_status carom_world_body(const carom_world *world, carom_body_id id, double position[3],
                              double rotation[4], double velocity[3], double spin[3])
{
    int i = id.slot;
    if (!carom_world_has_body(world, id))
        return CAROM_BAD_INPUT;
    if (position)
        vec3_store(world->now.position[i], position);
    if (rotation)
        memcpy(rotation, &world->now.rotation[i], 4 * sizeof *rotation);
    if (velocity)
        vec3_store(world->now.velocity[i], velocity);
    if (spin)
        vec3_store(world->now.spin[i], spin);
    return CAROM_OK;
}

carom_body_kind carom_world_kind(const carom_world *world, carom_body_id id)
{
    return carom_world_has_body(world, id) ? (carom_body_kind)world->kind[id.slot]
                                           : CAROM_BODY_REMOVED;
}

const carom_shape *carom_world_shape(const carom_world *world, carom_body_id id)
{
    return carom_world_has_body(world, id) ? world->shape[id.slot] : NULL;
}

double carom_world_mass(const carom_world *world, carom_body_id id)
{
    return carom_world_has_body(world, id) ? world->mass[id.slot] : 0;
}

carom_ledger carom_world_ledger(const carom_world *world)
{
    if (!world)
        return (carom_ledger){ 0 };
    return world->now.ledger;
}

carom_times carom_world_times(const carom_world *world)
{
    if (!world)
        return (carom_times){ 0 };
    return world->times;
}

uint64_t carom_world_hash(const carom_world *world)
{
    if (!world)
        return 0;
    uint64_t hash = CAROM_HASH_START;
    size_t n = (size_t)world->count;
#define HASH(type, name)                                                                           \
    hash = carom_hash_doubles(hash, (const double *)world->now.name,                               \
                              n * sizeof(type) / sizeof(double));
    CAROM_WORLD_STATE_ARRAYS(HASH)
#undef HASH
    return hash;
}

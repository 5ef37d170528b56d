// Creating a world and filling it.
#include "world/world.h"

#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "impact/workspace.h"
#include "world/ledger.h"
#include "world/linkage.h"
#include "world/world_option.h"

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
    return (carom_body){ .kind = CAROM_BODY_MOVING, .density = 1000, .rotation = { 1, 0, 0, 0 } };
}

static carom_status out_of_range(carom_error *err, const char *name, double value, const char *fix)
{
    carom_error_set(err, CAROM_BAD_INPUT, "%s is %g", name, value);
    return carom_error_fix(err, "%s", fix);
}

static bool make_workspaces(carom_world *world)
{
    int threads = world->options.threads > 1 ? world->options.threads : 1;
    world->beside = calloc((size_t)threads, sizeof *world->beside);
    for (int i = -1; world->beside && i < threads; ++i) {
        carom_workspace **one = i < 0 ? &world->workspace : &world->beside[i];
        *one = carom_workspace_create();
        if (!*one)
            return false;
        carom_workspace_set_accuracy(*one, world->options.impact_residual);
        carom_workspace_set_work(*one, world->options.impact_work);
        carom_workspace_trust(*one);
        world->beside_count = i + 1;
    }
    return world->beside != NULL;
}

carom_status carom_world_create(const carom_world_options *options, carom_world **out,
                                carom_error *err)
{
    NEED(err, options, out);
    *out = NULL;
    TRY(carom_world_option_check(options, err));
    carom_world *world = calloc(1, sizeof *world);
    carom_material plain = carom_world_material_default();
    if (!world)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for a world");
    world->options = *options;
    world->scratch = carom_arena_create(0);
    world->rest_matrix = carom_sparse_block_create(6, 0);
    carom_status status = carom_collide_create(&world->collide, err);
    if (status == CAROM_OK && (!make_workspaces(world) || !world->scratch || !world->rest_matrix))
        status = carom_error_set(err, CAROM_NO_MEMORY, "no memory for a world");
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
    void *arrays[] = { world->materials,
                       world->pairs,
                       world->joints,
                       world->joined,
                       world->warm.contacts,
                       world->warm.rolling,
                       world->warm_other.contacts,
                       world->warm_other.rolling };
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
        free(arrays[i]);
    carom_linkage_destroy(world->linkage);
    carom_journal_free(&world->journal);
    carom_collide_destroy(world->collide);
    carom_workspace_destroy(world->workspace);
    for (int i = 0; i < world->beside_count; ++i)
        carom_workspace_destroy(world->beside[i]);
    free(world->beside);
    carom_sparse_block_destroy(world->rest_matrix);
    carom_arena_destroy(world->scratch);
    free(world);
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

carom_status carom_world_add_material(carom_world *world, const carom_material *m, int *index,
                                      carom_error *err)
{
    NEED(err, m);
    if (!(m->restitution >= 0 && m->restitution <= 1))
        return out_of_range(err, "restitution", m->restitution,
                            "use a value from 0 (no bounce) to 1 (no loss)");
    if (!(m->friction >= 0) || !isfinite(m->friction))
        return out_of_range(err, "friction", m->friction, "use a value of at least 0");
    if (!(m->fade >= 0) || !(m->fade_speed > 0) || !(m->fade_power > 0))
        return out_of_range(err, "fade", m->fade,
                            "use fade >= 0, fade_speed > 0 m/s and fade_power > 0");
    if (!(m->stiffness > 0) || !(m->exponent >= 1))
        return out_of_range(err, "stiffness or exponent", m->stiffness,
                            "use a stiffness above 0 and an exponent of at least 1");
    if (!(m->rolling >= 0) || !isfinite(m->rolling))
        return out_of_range(err, "rolling", m->rolling, "use a length of at least 0 m");
    TRY(check_tangential(world, m->tangential_restitution, err));
    if (m->rolling > 0)
        TRY(carom_warm_start_rolling(world, err));
    if (!carom_world_grow((void **)&world->materials, (size_t)world->material_count + 1,
                          sizeof *world->materials))
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for material %d",
                               world->material_count);
    world->materials[world->material_count] = *m;
    if (index)
        *index = world->material_count;
    ++world->material_count;
    return CAROM_OK;
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
    if (!carom_world_grow((void **)&world->pairs, (size_t)world->pair_count + 1,
                          sizeof *world->pairs))
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for a pair of materials");
    world->pairs[world->pair_count++] = (carom_world_pair_entry){ a, b, restitution, friction, -1 };
    return CAROM_OK;
}

carom_status carom_world_pair_rolling(carom_world *world, int material_a, int material_b,
                                      double rolling, carom_error *err)
{
    NEED(err, world);
    int a = material_a < material_b ? material_a : material_b, b = material_a + material_b - a;
    if (!(rolling >= 0) || !isfinite(rolling))
        return out_of_range(err, "rolling", rolling, "use a length of at least 0 m");
    for (int i = world->pair_count; i-- > 0;)
        if (world->pairs[i].a == a && world->pairs[i].b == b) {
            if (rolling > 0)
                TRY(carom_warm_start_rolling(world, err));
            world->pairs[i].rolling = rolling;
            return CAROM_OK;
        }
    carom_error_set(err, CAROM_BAD_INPUT, "materials %d and %d are no listed pair", a, b);
    return carom_error_fix(err, "tell carom_world_pair of them first");
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

static bool positive(sym3 a, double least)
{
    double minor = a.xx * a.yy - a.xy * a.xy;
    double determinant = a.xx * (a.yy * a.zz - a.yz * a.yz) - a.xy * (a.xy * a.zz - a.yz * a.xz) +
                         a.xz * (a.xy * a.yz - a.yy * a.xz);
    double size = a.xx + a.yy + a.zz;
    return a.xx > least * size && minor > least * size * size &&
           determinant > least * size * size * size;
}

static bool has_inertia(const carom_body *body)
{
    const double *j = body->inertia;
    return j[0] != 0 || j[1] != 0 || j[2] != 0 || j[3] != 0 || j[4] != 0 || j[5] != 0;
}

// Inertia is of some distribution of mass: positive definite, and so is, but for flat bodies, the
// matrix of second moments tr(I)/2 - I (the triangle inequality of principal moments).
static carom_status check_inertia(const carom_body *body, carom_error *err)
{
    const double *j = body->inertia;
    const double flat = 1e-9; // round-off of a plate
    if (!has_inertia(body))
        return CAROM_OK;
    double half = 0.5 * (j[0] + j[1] + j[2]);
    sym3 inertia = { j[0], j[1], j[2], j[3], j[4], j[5] };
    sym3 second = { half - j[0], half - j[1], half - j[2], -j[3], -j[4], -j[5] };
    if (positive(inertia, 0) && positive(second, -flat) && isfinite(half))
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT,
                    "no distribution of mass has the inertia %g %g %g, %g %g %g", j[0], j[1], j[2],
                    j[3], j[4], j[5]);
    return carom_error_fix(err, "give xx yy zz xy xz yz (kg m^2) about the centre of mass, no "
                                "principal moment above the sum of the others");
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
    if (body->kind != CAROM_BODY_MOVING)
        return CAROM_OK;
    if (carom_shape_mass(body->shape).volume <= 0) {
        carom_error_set(err, CAROM_BAD_INPUT, "a %s cannot move: it has no volume",
                        carom_shape_kind_name(carom_shape_kind_of(body->shape)));
        return carom_error_fix(err, "make the body fixed or driven");
    }
    if (!(body->mass >= 0) || !isfinite(body->mass) || (body->mass == 0 && !(body->density > 0)))
        return out_of_range(err, "mass", body->mass,
                            "give a mass above 0 kg, or a density above 0 kg/m^3");
    return check_inertia(body, err);
}

// Of the thinnest moving body, at most what overlap may stay: bodies of a micrometre would be
// inside each other by ten of them otherwise.
static const double SLOP_SHARE = 0.01;

// Twice the half width of the box with the same second moments, where that is thinnest: their mean
// square along an axis is a third of the half width's. Frobenius' norm of the inverse is at most
// 3^(1/2) times its largest eigenvalue.
static double thickness(const carom_mass *mass)
{
    const double *s = mass->inertia;
    double half = 0.5 * (s[0] + s[1] + s[2]), v = 1 / mass->volume;
    sym3 spread = { v * (half - s[0]), v * (half - s[1]), v * (half - s[2]),
                    -v * s[3],         -v * s[4],         -v * s[5] };
    sym3 inverse = sym3_inverse(spread);
    double square =
        inverse.xx * inverse.xx + inverse.yy * inverse.yy + inverse.zz * inverse.zz +
        2 * (inverse.xy * inverse.xy + inverse.xz * inverse.xz + inverse.yz * inverse.yz);
    return 2 * sqrt(3 / sqrt(square));
}

carom_status carom_world_add_body(carom_world *world, const carom_body *body, int *index,
                                  carom_error *err)
{
    NEED(err, body);
    TRY(check_body(world, body, err));
    if (!carom_world_bodies_grow(world))
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for body %d", world->count);
    int i = world->count++;
    carom_mass shape_mass = carom_shape_mass(body->shape);
    bool moving = body->kind == CAROM_BODY_MOVING;
    double mass = moving ? (body->mass > 0 ? body->mass : body->density * shape_mass.volume) : 0;
    double density = moving ? mass / shape_mass.volume : 0;
    const double *s = shape_mass.inertia;
    world->shape[i] = carom_shape_retain(body->shape);
    world->mass[i] = mass;
    world->inverse_mass[i] = moving ? 1 / mass : 0;
    world->thickness[i] = moving ? thickness(&shape_mass) : HUGE_VAL;
    world->options.slop = fmin(world->options.slop, SLOP_SHARE * world->thickness[i]);
    if (moving && has_inertia(body)) {
        s = body->inertia;
        density = 1;
    }
    world->inertia[i] = (sym3){ density * s[0], density * s[1], density * s[2],
                                density * s[3], density * s[4], density * s[5] };
    world->fixed[i] = !moving;
    world->sphere[i] = moving && carom_shape_kind_of(body->shape) == CAROM_SHAPE_SPHERE &&
                       sym3_is_number((sym3){ s[0], s[1], s[2], s[3], s[4], s[5] });
    if (world->sphere[i]) {
        double inverse = 1 / world->inertia[i].xx;
        world->inverse_inertia[i] = (sym3){ inverse, inverse, inverse, 0, 0, 0 };
    }
    world->kind[i] = (unsigned char)body->kind;
    world->material[i] = body->material;
    world->group[i] = body->group;
    world->bounce[i] = body->restitution;
    world->tethered[i] = 0;
    world->drive[i] = body->drive;
    world->drive_origin[i] = vec3_from(body->position);
    world->drive_steady[i] = vec3_from(body->velocity);
    world->now.position[i] = vec3_from(body->position);
    world->now.rotation[i] = quat_unit(
        (quat){ body->rotation[0], body->rotation[1], body->rotation[2], body->rotation[3] });
    world->now.velocity[i] =
        body->kind == CAROM_BODY_FIXED ? vec3_make(0, 0, 0) : vec3_from(body->velocity);
    world->now.spin[i] =
        body->kind == CAROM_BODY_FIXED ? vec3_make(0, 0, 0) : vec3_from(body->spin);
    carom_ledger_add(world, i);
    if (index)
        *index = i;
    return CAROM_OK;
}

int carom_world_body_count(const carom_world *world)
{
    if (!world)
        return 0;
    return world->count;
}

void carom_world_body(const carom_world *world, int i, double position[3], double rotation[4],
                      double velocity[3], double spin[3])
{
    if (!carom_world_has(world, i))
        return;
    if (position)
        vec3_store(world->now.position[i], position);
    if (rotation)
        memcpy(rotation, &world->now.rotation[i], 4 * sizeof *rotation);
    if (velocity)
        vec3_store(world->now.velocity[i], velocity);
    if (spin)
        vec3_store(world->now.spin[i], spin);
}

carom_status carom_world_set_velocity(carom_world *world, int i, const double velocity[3],
                                      const double spin[3])
{
    if (!carom_world_has(world, i) || !velocity || !spin)
        return CAROM_BAD_INPUT;
    world->now.velocity[i] = vec3_from(velocity);
    world->now.spin[i] = vec3_from(spin);
    carom_ledger_begin(world);
    return CAROM_OK;
}

const carom_shape *carom_world_shape(const carom_world *world, int i)
{
    return carom_world_has(world, i) ? world->shape[i] : NULL;
}
double carom_world_mass(const carom_world *world, int i)
{
    return carom_world_has(world, i) ? world->mass[i] : 0;
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

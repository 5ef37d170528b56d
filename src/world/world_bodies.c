// The arrays of a world with one entry per body: growing and freeing them by the lists of world.h;
// mass and inertia.
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "world/world.h"

enum { PAGE = 4096 };

bool carom_world_grow(void **array, size_t count, size_t size)
{
    void *grown = carom_memory_resize(*array, count * size);
    if (grown)
        *array = grown;
    return grown != NULL;
}

// As carom_world_grow of an array that has `was` bytes, but with zeros behind them; and pages that
// hold nothing but zeros are left as they come: what few bodies have costs no memory for the
// others.
static bool grow_array(void **array, size_t was, size_t count, size_t size)
{
    static const unsigned char nothing[PAGE];
    unsigned char *grown = carom_memory_zeros(count, size), *old = *array;
    if (!grown)
        return false;
    for (size_t at = 0; at < was; at += PAGE) {
        size_t part = was - at < PAGE ? was - at : PAGE;
        if (memcmp(old + at, nothing, part) != 0)
            memcpy(grown + at, old + at, part);
    }
    carom_memory_free(old);
    *array = grown;
    return true;
}

bool carom_world_bodies_grow(carom_world *world)
{
    if (world->count < world->capacity)
        return true;
    size_t n = world->capacity ? 2 * (size_t)world->capacity : 64;
    size_t was = (size_t)world->capacity;
    bool grown = true;
#define GROW(array, type)                                                                          \
    grown = grown && grow_array((void **)&(array), was * sizeof(type), n, sizeof(type));
#define GROW_STATE(type, name) GROW(world->now.name, type) GROW(world->saved.name, type)
#define GROW_BODY(type, name) GROW(world->name, type)
    CAROM_WORLD_STATE_ARRAYS(GROW_STATE)
    CAROM_WORLD_BODY_ARRAYS(GROW_BODY)
#undef GROW_BODY
#undef GROW_STATE
#undef GROW
    if (grown)
        world->capacity = (int)n;
    return grown;
}

void carom_world_bodies_state(const carom_world *world, int slot, double out[CAROM_FRAME_STRIDE])
{
    vec3_store(world->now.position[slot], out + CAROM_FRAME_POSITION);
    memcpy(out + CAROM_FRAME_ROTATION, &world->now.rotation[slot], 4 * sizeof *out);
    vec3_store(world->now.velocity[slot], out + CAROM_FRAME_VELOCITY);
    vec3_store(world->now.spin[slot], out + CAROM_FRAME_SPIN);
}

_Static_assert(sizeof(vec3) == 3 * sizeof(double) && sizeof(quat) == 4 * sizeof(double),
               "states are shown as rows of doubles");

carom_states carom_world_states(const carom_world *world)
{
    if (!world)
        return (carom_states){ 0 };
    return (carom_states){ world->count,
                           (const double(*)[3])world->now.position,
                           (const double(*)[4])world->now.rotation,
                           (const double(*)[3])world->now.velocity,
                           (const double(*)[3])world->now.spin,
                           &world->now.ledger };
}

void carom_world_bodies_free(carom_world *world)
{
    for (int i = 0; i < world->count; ++i) {
        carom_shape_release(world->shape[i]);
        carom_memory_free(world->name[i]);
    }
#define FREE_STATE(type, name)                                                                     \
    carom_memory_free(world->now.name), carom_memory_free(world->saved.name);
#define FREE_BODY(type, name) carom_memory_free((void *)world->name);
    CAROM_WORLD_STATE_ARRAYS(FREE_STATE)
    CAROM_WORLD_BODY_ARRAYS(FREE_BODY)
#undef FREE_BODY
#undef FREE_STATE
}

// -- mass -----------------------------------------------------------------------------------------

static bool positive(sym3 a, double min)
{
    double minor = a.xx * a.yy - a.xy * a.xy;
    double determinant = a.xx * (a.yy * a.zz - a.yz * a.yz) - a.xy * (a.xy * a.zz - a.yz * a.xz) +
                         a.xz * (a.xy * a.yz - a.yy * a.xz);
    double size = a.xx + a.yy + a.zz;
    return a.xx > min * size && minor > min * size * size && determinant > min * size * size * size;
}

// Inertia is of some distribution of mass: positive definite, and so is, but for flat bodies, the
// matrix of second moments tr(I)/2 - I (the triangle inequality of principal moments).
carom_status carom_world_bodies_check_inertia(const double j[6], carom_error *err)
{
    const double flat = 1e-9; // round-off of a plate
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

// Of the thinnest moving body, at most what overlap may stay: bodies of a micrometre would be
// inside each other by ten of them otherwise.
static const double SLOP_SHARE = 0.01;

void carom_world_bodies_weigh(carom_world *world, int i)
{
    bool moving = world->kind[i] == CAROM_BODY_MOVING;
    carom_mass shape = carom_shape_mass(world->shape[i]);
    world->mass[i] = moving ? world->own_mass[i] : 0;
    world->inverse_mass[i] = moving ? 1 / world->mass[i] : 0;
    world->thickness[i] = moving ? thickness(&shape) : HUGE_VAL;
    world->options.slop = fmin(world->options.slop, SLOP_SHARE * world->thickness[i]);
    world->inertia[i] = moving ? world->own_inertia[i] : (sym3){ 0 };
    world->fixed[i] = !moving;
    world->sphere[i] = moving && carom_shape_kind_of(world->shape[i]) == CAROM_SHAPE_SPHERE &&
                       sym3_is_number(world->inertia[i]);
    if (world->sphere[i]) {
        double inverse = 1 / world->inertia[i].xx;
        world->inverse_inertia[i] = (sym3){ inverse, inverse, inverse, 0, 0, 0 };
    }
}

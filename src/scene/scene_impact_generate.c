// Generators of problem files: a few keys make many bodies. Balls are solid spheres.
#include "scene/scene_impact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "math/trig.h"
#include "math/vec.h"

// -- chain --------------------------------------------------------------------------------------

typedef struct chain {
    carom_numbers masses, velocities;
    carom_scene_impact_material material;
    int wall;
} chain;

static const carom_field chain_fields[] = {
    { "masses", CAROM_FIELD_NUMBERS, offsetof(chain, masses), .required = true,
      .range = { 1e-20, 1e20, .unit = "kg" }, .doc = "of the bodies along x" },
    { "velocities", CAROM_FIELD_NUMBERS, offsetof(chain, velocities), .required = true,
      .range = { -1e20, 1e20, .unit = "m/s" }, .doc = "along x, as many as masses" },
    { "wall", CAROM_FIELD_CHOICE, offsetof(chain, wall), .words = "none left right both",
      .doc = "fixed walls at the ends" },
    CAROM_SCENE_MATERIAL_FIELDS(chain),
    { 0 },
};
const carom_field_table carom_scene_impact_chain_table = {
    "chain",
    "Bodies in a line along x, each touching the next. They are called m1, m2, ... and the "
    "walls left and right.",
    chain_fields
};

static carom_status add_wall(carom_scene_impact *scene, double x, const char *name,
                             carom_error *err)
{
    carom_impact_body wall = { .position = { x, 0, 0 } };
    carom_scene_look look = { .radius = 0.5 }; // so that the contact lies halfway
    return carom_scene_impact_add_body(scene, &wall, &look, name, err);
}

static carom_status generate_chain(carom_scene_impact *scene, carom_value *value, carom_error *err)
{
    chain given;
    TRY(carom_field_read(value, &carom_scene_impact_chain_table, &given, err));
    int count = given.masses.count, first = scene->impact.body_count;
    carom_value velocities;
    carom_value_member(value, "velocities", &velocities);
    if (count == 0)
        return carom_value_fail_key(value, "masses", err, "give at least one mass",
                                    "masses is empty");
    if (given.velocities.count != count)
        return carom_value_fail(&velocities, err, "give one velocity per mass",
                                "there are %d velocities for %d masses", given.velocities.count,
                                count);
    bool left = given.wall == 1 || given.wall == 3, right = given.wall >= 2;
    TRY(carom_scene_impact_reserve(scene, count + 2, count + 1, value, err));
    if (left)
        TRY(add_wall(scene, -1, "left", err));
    for (int i = 0; i < count; ++i) {
        char name[24];
        snprintf(name, sizeof name, "m%d", i + 1);
        carom_scene_impact_ball ball = {
            given.masses.values[i], 0.5, { i, 0, 0 }, { given.velocities.values[i], 0, 0 }
        };
        TRY(carom_scene_impact_add_ball(scene, &ball, name, err));
    }
    if (right)
        TRY(add_wall(scene, count, "right", err));
    for (int i = first; i + 1 < scene->impact.body_count; ++i)
        carom_scene_impact_join(scene, i, i + 1, &given.material);
    if (left) // pictures show a plate at the contact
        scene->looks[first] = (carom_scene_look){ 0 };
    if (right)
        scene->looks[scene->impact.body_count - 1] = (carom_scene_look){ 0 };
    return CAROM_OK;
}

// -- row ----------------------------------------------------------------------------------------

typedef struct row {
    int64_t count, striking;
    double speed, mass, radius;
    carom_scene_impact_material material;
} row;

static const carom_field row_fields[] = {
    { "count", CAROM_FIELD_INT64, offsetof(row, count), .initial = 5,
      .range = { .min = 1, .max = 1e9 }, .doc = "number of balls" },
    { "striking", CAROM_FIELD_INT64, offsetof(row, striking), .initial = 1,
      .range = { .min = 0, .max = 1e9 }, .doc = "how many of the first balls move" },
    CAROM_SCENE_SPEED_FIELD(row, "of the striking balls, along x"),
    CAROM_SCENE_MASS_FIELD(row),
    CAROM_SCENE_RADIUS_FIELD(row),
    CAROM_SCENE_MATERIAL_FIELDS(row),
    { 0 },
};
const carom_field_table carom_scene_impact_row_table = {
    "row", "Equal touching balls in a line along x, as in Newton's cradle: ball1, ball2, ...",
    row_fields
};

static carom_status generate_row(carom_scene_impact *scene, carom_value *value, carom_error *err)
{
    row given;
    TRY(carom_field_read(value, &carom_scene_impact_row_table, &given, err));
    carom_value striking;
    if (given.striking > given.count && carom_value_member(value, "striking", &striking))
        return carom_value_fail(&striking, err, "at most all of them strike",
                                "striking is %lld, but there are %lld balls",
                                (long long)given.striking, (long long)given.count);
    int first = scene->impact.body_count;
    TRY(carom_scene_impact_reserve(scene, given.count, given.count - 1, value, err));
    for (int i = 0; i < (int)given.count; ++i) {
        char name[24];
        snprintf(name, sizeof name, "ball%d", i + 1);
        carom_scene_impact_ball ball = { given.mass,
                                         given.radius,
                                         { 2 * given.radius * i, 0, 0 },
                                         { i < given.striking ? given.speed : 0, 0, 0 } };
        TRY(carom_scene_impact_add_ball(scene, &ball, name, err));
        if (i > 0)
            carom_scene_impact_join(scene, first + i - 1, first + i, &given.material);
    }
    return CAROM_OK;
}

// -- rack ---------------------------------------------------------------------------------------

typedef struct rack {
    int64_t rows;
    bool cue;
    double offset, speed, mass, radius;
    carom_scene_impact_material material;
} rack;

static const carom_field rack_fields[] = {
    { "rows", CAROM_FIELD_INT64, offsetof(rack, rows), .initial = 5,
      .range = { .min = 1, .max = 40000 }, .doc = "of the triangle; five rows are fifteen balls" },
    { "cue", CAROM_FIELD_BOOL, offsetof(rack, cue), .initial = 1,
      .doc = "a cue ball touches the apex" },
    { "offset", CAROM_FIELD_NUMBER, offsetof(rack, offset), .range = { -1e20, 1e20, .unit = "m" },
      .doc = "of the cue ball's centre along y" },
    CAROM_SCENE_SPEED_FIELD(rack, "of the cue ball, along x"),
    CAROM_SCENE_MASS_FIELD(rack),
    CAROM_SCENE_RADIUS_FIELD(rack),
    CAROM_SCENE_MATERIAL_FIELDS(rack),
    { 0 },
};
const carom_field_table carom_scene_impact_rack_table = {
    "rack",
    "A triangle of equal touching balls with its apex at the origin, rows along x: ball1 is "
    "the apex. The cue ball is called cue.",
    rack_fields
};

static carom_status add_cue(carom_scene_impact *scene, const carom_value *value, const rack *given,
                            carom_error *err)
{
    double distance = 2 * given->radius;
    if (!(fabs(given->offset) < distance)) {
        carom_value offset;
        carom_value_member(value, "offset", &offset);
        return carom_value_fail(&offset, err, "use less than the diameter",
                                "offset is %g m, but the balls have a diameter of %g m",
                                given->offset, distance);
    }
    double x = sqrt(distance * distance - given->offset * given->offset);
    carom_scene_impact_ball cue = {
        given->mass, given->radius, { -x, given->offset, 0 }, { given->speed, 0, 0 }
    };
    return carom_scene_impact_add_ball(scene, &cue, "cue", err);
}

static carom_status generate_rack(carom_scene_impact *scene, carom_value *value, carom_error *err)
{
    rack given;
    TRY(carom_field_read(value, &carom_scene_impact_rack_table, &given, err));
    int64_t rows = given.rows, count = rows * (rows + 1) / 2;
    TRY(carom_scene_impact_reserve(scene, count + 1, 3 * rows * (rows - 1) / 2 + 1, value, err));
    if (given.cue)
        TRY(add_cue(scene, value, &given, err));
    int first = scene->impact.body_count, number = 0;
    double diameter = 2 * given.radius, step = sqrt(3) * given.radius;
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j <= i; ++j) {
            char name[24];
            snprintf(name, sizeof name, "ball%d", ++number);
            carom_scene_impact_ball ball = {
                given.mass, given.radius, { i * step, (j - 0.5 * i) * diameter, 0 }, { 0, 0, 0 }
            };
            TRY(carom_scene_impact_add_ball(scene, &ball, name, err));
        }
    if (given.cue)
        carom_scene_impact_join(scene, first - 1, first, &given.material);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j <= i; ++j) {
            int here = first + i * (i + 1) / 2 + j, below = here + i + 1;
            if (j < i)
                carom_scene_impact_join(scene, here, here + 1, &given.material);
            if (i + 1 < rows) {
                carom_scene_impact_join(scene, here, below, &given.material);
                carom_scene_impact_join(scene, here, below + 1, &given.material);
            }
        }
    return CAROM_OK;
}

// -- ring ---------------------------------------------------------------------------------------

typedef struct ring {
    int64_t count;
    double speed, mass, radius;
    carom_scene_impact_material material;
} ring;

static const carom_field ring_fields[] = {
    { "count", CAROM_FIELD_INT64, offsetof(ring, count), .initial = 6,
      .range = { .min = 3, .max = 1e9 }, .doc = "number of balls" },
    CAROM_SCENE_SPEED_FIELD(ring, "towards the centre"),
    CAROM_SCENE_MASS_FIELD(ring),
    CAROM_SCENE_RADIUS_FIELD(ring),
    CAROM_SCENE_MATERIAL_FIELDS(ring),
    { 0 },
};
const carom_field_table carom_scene_impact_ring_table = {
    "ring",
    "Equal balls on a circle in the x-y plane, each touching its two neighbours, all moving "
    "inwards: ball1 lies on the x axis.",
    ring_fields
};

static carom_status generate_ring(carom_scene_impact *scene, carom_value *value, carom_error *err)
{
    ring given;
    TRY(carom_field_read(value, &carom_scene_impact_ring_table, &given, err));
    int count = (int)given.count, first = scene->impact.body_count;
    TRY(carom_scene_impact_reserve(scene, count, count, value, err));
    double half[2];
    carom_trig_degrees(180.0 / count, half);
    double distance = given.radius / half[0];
    for (int i = 0; i < count; ++i) {
        char name[24];
        double turn[2];
        carom_trig_degrees(360.0 * i / count, turn);
        snprintf(name, sizeof name, "ball%d", i + 1);
        carom_scene_impact_ball ball = { given.mass,
                                         given.radius,
                                         { distance * turn[1], distance * turn[0], 0 },
                                         { -given.speed * turn[1], -given.speed * turn[0], 0 } };
        TRY(carom_scene_impact_add_ball(scene, &ball, name, err));
    }
    for (int i = 0; i < count; ++i)
        carom_scene_impact_join(scene, first + i, first + (i + 1) % count, &given.material);
    return CAROM_OK;
}

// -- wedge --------------------------------------------------------------------------------------

typedef struct wedge {
    double angle, velocity[3], mass, radius;
    carom_scene_impact_material material;
} wedge;

static const carom_field wedge_fields[] = {
    { "angle", CAROM_FIELD_NUMBER, offsetof(wedge, angle), .initial = 45,
      .range = { 0, 90, .unit = "degrees" }, .doc = "of each wall against the vertical" },
    { "velocity", CAROM_FIELD_VEC3, offsetof(wedge, velocity),
      .range = { -1e20, 1e20, .unit = "m/s" }, .shown = "[0, 0, -1]", .doc = "of the ball" },
    CAROM_SCENE_MASS_FIELD(wedge),
    CAROM_SCENE_RADIUS_FIELD(wedge),
    CAROM_SCENE_MATERIAL_FIELDS(wedge),
    { 0 },
};
const carom_field_table carom_scene_impact_wedge_table = {
    "wedge",
    "A ball that lies in a groove along y between two fixed walls: left (at negative x) and "
    "right.",
    wedge_fields
};

static carom_status add_wedge_wall(carom_scene_impact *scene, const wedge *given, int side,
                                   carom_error *err)
{
    double turn[2];
    carom_trig_degrees(given->angle, turn);
    // from the ball to the wall: outwards and down
    double normal[3] = { side * turn[1], 0, -turn[0] };
    int ball = scene->impact.body_count - (side < 0 ? 1 : 2);
    carom_impact_body wall = { 0 };
    carom_impact_contact contact = { .a = ball,
                                     .b = scene->impact.body_count,
                                     .restitution = given->material.restitution,
                                     .friction = given->material.friction,
                                     .tangential_restitution =
                                         given->material.tangential_restitution,
                                     .stiffness = given->material.stiffness,
                                     .exponent = given->material.exponent,
                                     .gap = given->material.gap };
    for (int i = 0; i < 3; ++i) {
        contact.normal[i] = normal[i];
        contact.point[i] = wall.position[i] = given->radius * normal[i];
    }
    carom_scene_look look = { 0 };
    TRY(carom_scene_impact_add_body(scene, &wall, &look, side < 0 ? "left" : "right", err));
    carom_scene_impact_add_contact(scene, &contact);
    return CAROM_OK;
}

static carom_status generate_wedge(carom_scene_impact *scene, carom_value *value, carom_error *err)
{
    wedge given;
    TRY(carom_field_read(value, &carom_scene_impact_wedge_table, &given, err));
    if (!carom_value_member(value, "velocity", NULL))
        given.velocity[2] = -1;
    TRY(carom_scene_impact_reserve(scene, 3, 2, value, err));
    carom_scene_impact_ball ball = { given.mass, given.radius, { 0 }, { 0 } };
    memcpy(ball.velocity, given.velocity, sizeof ball.velocity);
    TRY(carom_scene_impact_add_ball(scene, &ball, "ball", err));
    TRY(add_wedge_wall(scene, &given, -1, err));
    return add_wedge_wall(scene, &given, 1, err);
}

// -- choosing -----------------------------------------------------------------------------------

carom_status carom_scene_impact_generate(carom_scene_impact *scene, const carom_value *root,
                                         carom_error *err)
{
    static const struct {
        const char *key;
        carom_status (*generate)(carom_scene_impact *, carom_value *, carom_error *);
    } generators[] = { { "chain", generate_chain }, { "row", generate_row },
                       { "rack", generate_rack },   { "ring", generate_ring },
                       { "wedge", generate_wedge }, { "cluster", carom_scene_impact_cluster } };
    const char *used = NULL;
    for (size_t i = 0; i < sizeof generators / sizeof *generators; ++i) {
        carom_value value;
        if (!carom_value_member(root, generators[i].key, &value))
            continue;
        if (used)
            return carom_value_fail_key(
                root, generators[i].key, err, "use one generator, and list what else is there",
                "the file has two generators, \"%s\" and \"%s\"", used, generators[i].key);
        used = generators[i].key;
        TRY(generators[i].generate(scene, &value, err));
    }
    return CAROM_OK;
}

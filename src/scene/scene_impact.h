// Inside of a problem file of kind "impact": what reader (scene_impact.c), generators
// (scene_impact_generate.c, scene_impact_cluster.c, onto scene_impact_build.c) and writer share.
#ifndef CAROM_SCENE_SCENE_IMPACT_H
#define CAROM_SCENE_SCENE_IMPACT_H

#include "carom/scene.h"
#include "scene/field.h"
#include "scene/scene_law.h"

struct carom_scene_impact {
    carom_impact impact; // points into bodies and contacts
    carom_impact_body *bodies;
    carom_impact_contact *contacts;
    carom_scene_look *looks;
    char **names; // of the bodies; each owned
    int body_room, contact_room;
    double megabytes; // that bodies and contacts may take
    char *title, *note;
    const carom_law *law;
    carom_law_options options;
};

// What all contacts of a generator share.
typedef struct carom_scene_impact_material {
    double restitution, friction, tangential_restitution, stiffness, exponent, gap;
} carom_scene_impact_material;

// The fields of a material inside struct `type`, member `material`.
#define CAROM_SCENE_MATERIAL_FIELDS(type)                                                          \
    { "restitution",                                                                               \
      CAROM_FIELD_NUMBER,                                                                          \
      offsetof(type, material.restitution),                                                        \
      .initial = 1,                                                                                \
      .range = { 0, 1, .fix = "use a value from 0 (no bounce) to 1 (no loss)" },                   \
      .doc = "relative speed after to before, from 0 (no bounce) to 1 (no loss)" },                \
        { "friction", CAROM_FIELD_NUMBER, offsetof(type, material.friction),                       \
          .range = { .min = 0, .max = 1e6 }, .doc = "Coulomb's coefficient" },                     \
        { "tangential_restitution", CAROM_FIELD_NUMBER,                                            \
          offsetof(type, material.tangential_restitution), .range = { .min = -1, .max = 1 },       \
          .doc = "a contact that friction can make stick leaves with minus this times its "        \
                 "tangential speed before (Walton and Braun 1986); laws `qce`, `newton`, `sqm`" }, \
        { "stiffness",                                                                             \
          CAROM_FIELD_NUMBER,                                                                      \
          offsetof(type, material.stiffness),                                                      \
          .initial = 1,                                                                            \
          .range = { 1e-60, 1e60, .unit = "N/m^exponent" },                                        \
          .doc = "of the contact spring of `springs` and `wave`; only ratios matter" },            \
        { "exponent",                                                                              \
          CAROM_FIELD_NUMBER,                                                                      \
          offsetof(type, material.exponent),                                                       \
          .initial = 1.5,                                                                          \
          .range = { .min = 1, .max = 100 },                                                       \
          .doc = "of the contact spring: 1 Hooke, 1.5 Hertz" },                                    \
    {                                                                                              \
        "gap", CAROM_FIELD_NUMBER, offsetof(type, material.gap),                                   \
            .range = { 0, 1e60, .unit = "m" },                                                     \
            .doc = "how far apart the two are before their spring touches"                         \
    }

// Fields that most generators share.
#define CAROM_SCENE_MASS_FIELD(type)                                                               \
    {                                                                                              \
        "mass", CAROM_FIELD_NUMBER, offsetof(type, mass),                                          \
            .initial = 1, .range = { 1e-20, 1e20, .unit = "kg" }, .doc = "of each ball"            \
    }
#define CAROM_SCENE_RADIUS_FIELD(type)                                                             \
    {                                                                                              \
        "radius", CAROM_FIELD_NUMBER, offsetof(type, radius),                                      \
            .initial = 0.5, .range = { 1e-20, 1e20, .unit = "m" }, .doc = "of each ball"           \
    }
#define CAROM_SCENE_SPEED_FIELD(type, words)                                                       \
    {                                                                                              \
        "speed", CAROM_FIELD_NUMBER, offsetof(type, speed),                                        \
            .initial = 1, .range = { -1e20, 1e20, .unit = "m/s" }, .doc = words                    \
    }

// A ball that a generator places: a solid sphere.
typedef struct carom_scene_impact_ball {
    double mass, radius; // kg, m
    double position[3], velocity[3];
} carom_scene_impact_ball;

// Makes room for more bodies and contacts; `at` is blamed where they need more memory than allowed.
carom_status carom_scene_impact_reserve(carom_scene_impact *scene, int64_t bodies, int64_t contacts,
                                        const carom_value *at, carom_error *err);
// Adds a body or a contact within the reserved room and gives its index. The name is copied.
carom_status carom_scene_impact_add_body(carom_scene_impact *scene, const carom_impact_body *body,
                                         const carom_scene_look *look, const char *name,
                                         carom_error *err);
carom_status carom_scene_impact_add_ball(carom_scene_impact *scene,
                                         const carom_scene_impact_ball *ball, const char *name,
                                         carom_error *err);
void carom_scene_impact_add_contact(carom_scene_impact *scene, const carom_impact_contact *contact);
// A contact between two balls, from the first to the second.
void carom_scene_impact_join(carom_scene_impact *scene, int a, int b,
                             const carom_scene_impact_material *material);

// The tables of the generators, by key of the file, and what they add. In
// scene_impact_generate.c and scene_impact_cluster.c.
extern const carom_field_table carom_scene_impact_chain_table, carom_scene_impact_row_table,
    carom_scene_impact_rack_table, carom_scene_impact_ring_table, carom_scene_impact_wedge_table,
    carom_scene_impact_cluster_table;
carom_status carom_scene_impact_cluster(carom_scene_impact *scene, carom_value *value,
                                        carom_error *err);
carom_status carom_scene_impact_generate(carom_scene_impact *scene, const carom_value *root,
                                         carom_error *err);

// carom_scene_impact_parse with another memory limit.
carom_status carom_scene_impact_parse_within(double megabytes, const char *name, const char *text,
                                             size_t size, carom_scene_impact **out,
                                             carom_error *err);

#endif

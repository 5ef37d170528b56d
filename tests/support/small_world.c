// Creates worlds and adds common bodies.
#include "support/small_world.h"

#include <math.h>
#include <string.h>
#include "support/check.h"

small_world small_world_make(const char *law)
{
    small_world s = { .options = carom_world_options_default(),
                      .material = carom_world_material_default(),
                      .rotation = { 1, 0, 0, 0 } };
    s.options.law = carom_law_find(law, NULL);
    CHECK(s.options.law != NULL, "there is a law %s", law);
    s.options.law_options = carom_law_defaults(s.options.law);
    return s;
}

small_world small_world_weightless(void)
{
    small_world s = small_world_make("qce");
    memset(s.options.gravity, 0, sizeof s.options.gravity);
    return s;
}

static carom_world *world_of(small_world *s)
{
    carom_error err = { 0 };
    if (!s->world) {
        CHECK(carom_world_create(&s->options, &s->world, &err) == CAROM_OK, "%s %s", err.what,
              err.fix);
        CHECK(carom_world_add_material(s->world, &s->material, NULL, &err) == CAROM_OK, "%s %s",
              err.what, err.fix);
    }
    return s->world;
}

void small_world_end(small_world *s)
{
    carom_world_destroy(s->world);
    s->world = NULL;
}

static int add(small_world *s, carom_body body, carom_shape *shape)
{
    carom_error err = { 0 };
    carom_body_id id = { .slot = -1 };
    body.shape = shape;
    body.material = 1;
    CHECK(carom_world_add_body(world_of(s), &body, &id, &err) == CAROM_OK, "%s %s", err.what,
          err.fix);
    carom_shape_release(shape);
    return id.slot;
}

int small_world_floor(small_world *s, const double n[3], double offset)
{
    carom_shape *shape;
    carom_error err = { 0 };
    carom_body body = carom_world_body_default();
    body.kind = CAROM_BODY_FIXED;
    // the rotation that takes z to n: half way quaternion (1 + n_z, z x n), and a half turn about x
    // for n = -z
    double w = 1 + n[2];
    double q[4] = { w, -n[1], n[0], 0 };
    if (w < 1e-12)
        q[0] = 0, q[1] = 1, q[2] = 0;
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    for (int i = 0; i < 4; ++i)
        body.rotation[i] = q[i] / length;
    for (int i = 0; i < 3; ++i)
        body.position[i] = offset * n[i];
    CHECK(carom_plane_create(&shape, &err) == CAROM_OK, "%s", err.what);
    return add(s, body, shape);
}

static carom_body moving(const small_world *s, double mass, const double position[3],
                         const double velocity[3])
{
    carom_body body = carom_world_body_default();
    body.mass = mass;
    body.group = s->group;
    memcpy(body.rotation, s->rotation, sizeof body.rotation);
    memcpy(body.position, position, sizeof body.position);
    if (velocity)
        memcpy(body.velocity, velocity, sizeof body.velocity);
    return body;
}

int small_world_ball(small_world *s, double radius, double mass, const double position[3],
                     const double velocity[3])
{
    carom_shape *shape;
    carom_error err = { 0 };
    CHECK(carom_sphere_create(radius, &shape, &err) == CAROM_OK, "%s", err.what);
    return add(s, moving(s, mass, position, velocity), shape);
}

int small_world_box(small_world *s, const double half[3], double mass, const double position[3],
                    const double velocity[3])
{
    carom_shape *shape;
    carom_error err = { 0 };
    CHECK(carom_box_create(half, &shape, &err) == CAROM_OK, "%s", err.what);
    return add(s, moving(s, mass, position, velocity), shape);
}

int small_world_cylinder(small_world *s, double radius, double half_length, double mass,
                         const double position[3])
{
    carom_shape *shape;
    carom_error err = { 0 };
    CHECK(carom_cylinder_create(radius, half_length, &shape, &err) == CAROM_OK, "%s", err.what);
    return add(s, moving(s, mass, position, NULL), shape);
}

void small_world_join(small_world *s, const carom_joint *joint)
{
    carom_error err = { 0 };
    CHECK(carom_world_add_joint(s->world, joint, NULL, &err) == CAROM_OK, "%s %s", err.what,
          err.fix);
}

void small_world_steps(small_world *s, double dt, int count)
{
    carom_error err = { 0 };
    for (int i = 0; i < count; ++i)
        if (!CHECK(carom_world_step(s->world, dt, &err) == CAROM_OK, "step %d: %s %s", i, err.what,
                   err.where))
            return;
}

int small_world_small_box(small_world *s, double mass, double x, double y, double z)
{
    return small_world_box(s, (const double[]){ 0.1, 0.1, 0.1 }, mass, (const double[]){ x, y, z },
                           NULL);
}

carom_body_id small_world_id(const small_world *s, int body)
{
    return carom_world_body_at(s->world, body);
}

carom_joint small_world_joint(const small_world *s, carom_joint_kind kind, int body, double x,
                              double y, double z)
{
    return (carom_joint){
        .kind = kind, .a = small_world_id(s, body), .anchor_a = { x, y, z }, .anchor_b = { x, y, z }
    };
}

void small_world_axis(carom_joint *joint, double x, double y, double z)
{
    joint->axis[0] = x, joint->axis[1] = y, joint->axis[2] = z;
}

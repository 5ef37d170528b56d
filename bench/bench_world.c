// The world beside Bullet and ODE: spheres, boxes and hulls at rest, and stacks that must stand.
// CSV on standard output; at the end the times as a table on standard error.
//
// Usage: bench_world [quick] [alone] [settled] [SCENE ...]. `quick` takes a tenth of the bodies,
// `alone` leaves the peers out, names choose scenes. Every engine starts from the same bodies and
// settles them itself, which in full size takes the peers an hour; with `settled` they start from
// where ours came to rest and get 30 steps to find their contacts. `ms` is the mean processor time
// per step over the last part of the run. Overlaps of all engines are measured by Carom's collision
// on the final positions, and so is the kinetic energy, relative to the potential energy the drop
// set free. `worst` is the longest step of the whole run. One thread, nothing asleep. Carom's
// options are its defaults in scenes at 1/60 and 1/240 s (`plain`); piles at 1/600 s take every
// contact of a step at once, as the peers do. The last columns are the goal that a scene's time was
// set and the processor time of a simulated second.
#include "carom/scene.h"
#include "carom/world.h"
#include "peers.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef BENCH_PEERS
const peer *const peers[] = { NULL };
const int peer_count = 0;
#endif

enum { MOST_BODIES = 20000, MOST_JOINTS = 400, HULL_POINTS = 12, FIND_STEPS = 30, MOST_PEERS = 8 };

typedef struct scene {
    const char *name;
    double dt;
    int settle, measure; // steps
    double friction, restitution;
    int count;
    bool stack; // drift is counted from the start, in all steps
    peer_body *bodies;
    bool plain;  // with our default options
    double goal; // ms per step
} scene;

typedef struct figures {
    double ms, worst_ms, total_s, kinetic, deepest, drift;
    int64_t contacts;
    uint64_t hash;
} figures;

static double hull_points[3 * HULL_POINTS];
static peer_joint joints[MOST_JOINTS]; // of the scene at work
static int joint_count;
static const double gravity = 9.81;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Numbers in [-1, 1) that depend on nothing but their index (a 64-bit mixer).
static double noise(uint64_t index)
{
    uint64_t z = (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

static void fail(const char *what)
{
    fprintf(stderr, "bench_world: %s\n", what);
    exit(1);
}

static carom_shape *shape_of(const peer_body *b)
{
    carom_error err = { 0 };
    carom_shape *shape = NULL;
    carom_status status = CAROM_OK;
    switch (b->kind) {
    case PEER_SPHERE:
        status = carom_sphere_create(b->size[0], &shape, &err);
        break;
    case PEER_BOX:
        status = carom_box_create(b->size, &shape, &err);
        break;
    case PEER_HULL:
        status = carom_hull_create(b->points, b->point_count, &shape, &err);
        break;
    case PEER_MESH:
        status = carom_mesh_create(
            &(carom_mesh_source){ b->points, b->triangles, b->point_count, b->triangle_count },
            CAROM_MESH_STRICT, NULL, &shape, &err);
        break;
    case PEER_PLANE:
        status = carom_plane_create(&shape, &err);
        break;
    }
    if (status != CAROM_OK)
        fail(err.what);
    return shape;
}

// -- scenes ---------------------------------------------------------------------------------------

// A cross of five cubes, which is not convex: twelve corners of its outline, below and above; caps
// of five squares each, and twelve sides.
enum { OUTLINE = 12, CROSS_POINTS = 2 * OUTLINE, CROSS_TRIANGLES = 2 * 10 + 2 * OUTLINE };
static double cross_points[3 * CROSS_POINTS];
static int cross_triangles[3 * CROSS_TRIANGLES];

static void make_cross(void)
{
    static const int outline[OUTLINE][2] = { { 1, 1 },  { 1, 3 },   { -1, 3 },  { -1, 1 },
                                             { -3, 1 }, { -3, -1 }, { -1, -1 }, { -1, -3 },
                                             { 1, -3 }, { 1, -1 },  { 3, -1 },  { 3, 1 } };
    static const int squares[5][4] = {
        { 0, 3, 6, 9 }, { 0, 1, 2, 3 }, { 3, 4, 5, 6 }, { 6, 7, 8, 9 }, { 9, 10, 11, 0 }
    };
    const double unit = .016;
    int *t = cross_triangles;
    for (int i = 0; i < CROSS_POINTS; ++i) {
        cross_points[3 * i] = unit * outline[i % OUTLINE][0];
        cross_points[3 * i + 1] = unit * outline[i % OUTLINE][1];
        cross_points[3 * i + 2] = unit * (i < OUTLINE ? -1 : 1);
    }
    for (int q = 0; q < 5; ++q)
        for (int half = 0; half < 2; ++half) {
            int a = squares[q][0], b = squares[q][1 + half], c = squares[q][2 + half];
            *t++ = a, *t++ = c, *t++ = b; // below, seen from below
            *t++ = a + OUTLINE, *t++ = b + OUTLINE, *t++ = c + OUTLINE;
        }
    for (int i = 0; i < OUTLINE; ++i) {
        int next = (i + 1) % OUTLINE;
        *t++ = i, *t++ = next, *t++ = next + OUTLINE;
        *t++ = i, *t++ = next + OUTLINE, *t++ = i + OUTLINE;
    }
}

static peer_body *add(scene *s, peer_kind kind, const double size[3], const double position[3])
{
    peer_body *b = &s->bodies[s->count++];
    *b = (peer_body){ .kind = kind, .rotation = { 1, 0, 0, 0 } };
    memcpy(b->size, size, sizeof b->size);
    memcpy(b->position, position, sizeof b->position);
    if (kind == PEER_HULL) {
        b->points = hull_points;
        b->point_count = HULL_POINTS;
    }
    if (kind == PEER_MESH) {
        b->points = cross_points;
        b->point_count = CROSS_POINTS;
        b->triangles = cross_triangles;
        b->triangle_count = CROSS_TRIANGLES;
    }
    carom_shape *shape = shape_of(b);
    carom_mass mass = carom_shape_mass(shape);
    b->mass = 1000 * mass.volume;
    for (int k = 0; k < 3; ++k)
        b->inertia[k] = 1000 * mass.inertia[k];
    carom_shape_release(shape);
    return b;
}

static void add_plane(scene *s, double nx, double ny, double nz, double offset)
{
    peer_body *b = &s->bodies[s->count++];
    *b = (peer_body){ .kind = PEER_PLANE,
                      .rotation = { 1, 0, 0, 0 },
                      .position = { offset * nx, offset * ny, offset * nz },
                      .normal = { nx, ny, nz } };
}

// A floor and four walls round a square of the given half width.
static void add_container(scene *s, double half)
{
    add_plane(s, 0, 0, 1, 0);
    add_plane(s, 1, 0, 0, -half);
    add_plane(s, -1, 0, 0, -half);
    add_plane(s, 0, 1, 0, -half);
    add_plane(s, 0, -1, 0, -half);
}

// A random rotation by at most a radian or so about each axis.
static void tumble(peer_body *b, uint64_t index)
{
    double q[4] = { 1, noise(3 * index), noise(3 * index + 1), noise(3 * index + 2) };
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; ++k)
        b->rotation[k] = q[k] / length;
}

// Bodies on a jittered grid, n x n x layers, `spacing` apart, above the floor of a container that
// fits them.
static void fill(scene *s, peer_kind kind, const double size[3], int n, int bodies, double spacing)
{
    double half = 0.5 * n * spacing;
    add_container(s, half);
    for (int i = 0; i < bodies; ++i) {
        int x = i % n, y = i / n % n, z = i / (n * n);
        double jitter = 0.02 * spacing;
        double position[3] = { (x + 0.5) * spacing - half, (y + 0.5) * spacing - half,
                               (z + 0.5) * spacing };
        for (int k = 0; k < 3; ++k)
            position[k] += jitter * noise((uint64_t)(3 * i + k));
        peer_body *b = add(s, kind, size, position);
        if (kind != PEER_SPHERE)
            tumble(b, (uint64_t)i + 1000000);
    }
}

static void make_hull(void)
{
    // twelve points near a sphere, by a golden spiral, so that no two are close
    for (int i = 0; i < HULL_POINTS; ++i) {
        double z = 1 - (2 * i + 1.0) / HULL_POINTS, r = sqrt(1 - z * z), a = 2.399963229728653 * i;
        double p[3] = { r * cos(a), r * sin(a), z };
        for (int k = 0; k < 3; ++k)
            hull_points[3 * i + k] = 0.05 * p[k];
    }
    // about the centre of mass, which is where every engine has a body's origin
    carom_error err = { 0 };
    carom_shape *shape;
    double shift[3];
    if (carom_hull_create(hull_points, HULL_POINTS, &shape, &err) != CAROM_OK)
        fail(err.what);
    carom_shape_shift(shape, shift);
    for (int i = 0; i < 3 * HULL_POINTS; ++i)
        hull_points[i] -= shift[i % 3];
    carom_shape_release(shape);
}

static void spheres(scene *s, bool quick)
{
    *s = (scene){ "spheres", 1.0 / 600, 1500, 30, .5, .3, 0, false, s->bodies, false, 7 };
    int n = quick ? 10 : 20;
    fill(s, PEER_SPHERE, (double[3]){ .05, .05, .05 }, n, n * n * n, .106);
}

static void boxes(scene *s, int count, int n)
{
    // the more there are, the longer the last of them find a place
    int settle = count <= 100 ? 1200 : count <= 500 ? 2400 : 3600;
    *s = (scene){ "boxes", 1.0 / 600, settle, 60, .5, .3, 0, false, s->bodies, false, 10 };
    fill(s, PEER_BOX, (double[3]){ .05, .04, .03 }, n, count, .145);
}

static void boxes_500(scene *s, bool quick)
{
    boxes(s, quick ? 100 : 500, quick ? 4 : 7);
    s->name = "boxes-500";
    s->goal = 0; // none was set
}

static void boxes_5000(scene *s, bool quick)
{
    boxes(s, quick ? 500 : 5000, quick ? 7 : 16);
    s->name = "boxes-5000";
}

static void hulls_500(scene *s, bool quick)
{
    *s = (scene){ "hulls-500", 1.0 / 600, 1200, 60, .5, .3, 0, false, s->bodies, false, 3 };
    fill(s, PEER_HULL, (double[3]){ .05, .05, .05 }, quick ? 4 : 7, quick ? 100 : 500, .106);
}

// The same as anybody would run them: steps of 1/60 s, 5 s after they fell.
static void boxes_plain(scene *s, bool quick)
{
    *s = (scene){ "boxes-plain", 1.0 / 60, 300, 60, .5, .3, 0, false, s->bodies, true, 1.5 };
    fill(s, PEER_BOX, (double[3]){ .05, .04, .03 }, quick ? 4 : 7, quick ? 100 : 500, .145);
}

static void hulls_plain(scene *s, bool quick)
{
    *s = (scene){ "hulls-plain", 1.0 / 60, 300, 60, .5, .3, 0, false, s->bodies, true, 2.5 };
    fill(s, PEER_HULL, (double[3]){ .05, .05, .05 }, quick ? 4 : 7, quick ? 100 : 500, .106);
}

static void build_pyramid(scene *s, int rows)
{
    add_plane(s, 0, 0, 1, 0);
    for (int r = 0; r < rows; ++r)
        for (int i = 0; i < rows - r; ++i)
            add(s, PEER_BOX, (double[3]){ .5, .5, .5 },
                (double[3]){ i + .5 * r - .5 * rows, 0, r + .5 });
}

static void pyramid(scene *s, bool quick)
{
    *s = (scene){ "pyramid-20", 1.0 / 60, 0, 300, .5, 0, 0, true, s->bodies, true, .4 };
    build_pyramid(s, quick ? 10 : 20);
}

static void pyramid_100(scene *s, bool quick)
{
    *s = (scene){ "pyramid-100", 1.0 / 60, 0, 300, .5, 0, 0, true, s->bodies, true, 25 };
    build_pyramid(s, quick ? 30 : 100);
}

// 100 columns of ten, apart from each other.
static void columns(scene *s, bool quick)
{
    *s = (scene){ "columns", 1.0 / 60, 0, 300, .5, 0, 0, true, s->bodies, true, 1 };
    int side = quick ? 3 : 10, all = side * side;
    add_plane(s, 0, 0, 1, 0);
    for (int i = 0; i < 10 * all; ++i)
        add(s, PEER_BOX, (double[3]){ .5, .5, .5 },
            (double[3]){ 2 * (i % side), 2 * (i / side % side), i / all + .5 });
}

static void cube(scene *s, bool quick)
{
    *s = (scene){ "cube-10", 1.0 / 60, 0, quick ? 60 : 300, .5, 0, 0, true, s->bodies, true, 5 };
    int n = quick ? 5 : 10;
    add_plane(s, 0, 0, 1, 0);
    for (int i = 0; i < n * n * n; ++i)
        add(s, PEER_BOX, (double[3]){ .5, .5, .5 },
            (double[3]){ i % n, i / n % n, i / (n * n) + .5 });
}

// -- what a user tries first: from the first step on, everything moves ----------------------------

static const double first_dt = 1.0 / 240; // Bullet's own
enum { FIRST_STEPS = 480 };               // two seconds

static void first(scene *s, const char *name)
{
    *s = (scene){ name, first_dt, 0, FIRST_STEPS, .5, .3, 0, false, s->bodies, true, 0 };
}

static void join(int a, int b, const double point[3], int hinge)
{
    peer_joint *joint = &joints[joint_count++];
    *joint = (peer_joint){ .a = a, .b = b, .hinge = hinge, .axis = { 0, 1, 0 } };
    memcpy(joint->point, point, sizeof joint->point);
}

// Balls, boxes and crosses.
static void first_mixed(scene *s, bool quick)
{
    first(s, "first-mixed-150");
    fill(s, PEER_MESH, (double[3]){ .048, .048, .016 }, quick ? 3 : 5, quick ? 30 : 150, .12);
    for (int i = 5; i < s->count; ++i) {
        peer_body b = s->bodies[i];
        int kind = i % 3;
        if (kind == 0)
            continue; // a cross
        s->count = i;
        add(s, kind == 1 ? PEER_SPHERE : PEER_BOX, (double[3]){ .04, .03, .02 }, b.position);
        s->count = quick ? 35 : 155;
        memcpy(s->bodies[i].rotation, b.rotation, sizeof b.rotation);
    }
}

// Fifty links, let go level.
static void first_hinged(scene *s, bool quick)
{
    first(s, "first-hinged-50");
    for (int i = 0; i < (quick ? 10 : 50); ++i) {
        add(s, PEER_BOX, (double[3]){ .045, .02, .01 }, (double[3]){ .1 * i + .05, 0, 5 });
        join(i, i - 1, (double[3]){ .1 * i, 0, 5 }, 1);
    }
}

// Figures of eleven boxes on ball joints fall on the floor.
static void first_ragdolls(scene *s, bool quick)
{
    static const double part[11][6] = {
        // where, and half edges: hips, chest, head, arms (upper, lower), legs (upper, lower)
        { 0, 0, 1, .15, .1, .1 },       { 0, 0, 1.3, .16, .1, .16 },
        { 0, 0, 1.62, .09, .09, .12 },  { -.32, 0, 1.4, .13, .04, .04 },
        { -.6, 0, 1.4, .12, .04, .04 }, { .32, 0, 1.4, .13, .04, .04 },
        { .6, 0, 1.4, .12, .04, .04 },  { -.09, 0, .68, .06, .06, .2 },
        { -.09, 0, .26, .05, .05, .2 }, { .09, 0, .68, .06, .06, .2 },
        { .09, 0, .26, .05, .05, .2 }
    };
    static const double at[10][3] = { { 0, 0, 1.12 },   { 0, 0, 1.48 },   { -.17, 0, 1.4 },
                                      { -.46, 0, 1.4 }, { .17, 0, 1.4 },  { .46, 0, 1.4 },
                                      { -.09, 0, .89 }, { -.09, 0, .47 }, { .09, 0, .89 },
                                      { .09, 0, .47 } };
    static const int parent[11] = { -1, 0, 1, 1, 3, 1, 5, 0, 7, 0, 9 };
    first(s, "first-ragdolls-10");
    add_plane(s, 0, 0, 1, 0);
    for (int figure = 0; figure < (quick ? 2 : 10); ++figure) {
        int first_part = s->count;
        double x = 1.6 * (figure % 5), y = 1.6 * (figure / 5), z = .2 + .1 * (figure % 3);
        for (int k = 0; k < 11; ++k) {
            peer_body *b = add(s, PEER_BOX, part[k] + 3,
                               (double[3]){ x + part[k][0], y + part[k][1], z + part[k][2] });
            b->velocity[1] = 1 + .2 * part[k][2];
        }
        for (int k = 1; k < 11; ++k)
            join(first_part + k, first_part + parent[k],
                 (double[3]){ x + at[k - 1][0], y + at[k - 1][1], z + at[k - 1][2] }, 0);
    }
}

// As scenes/world/card-house.json makes it, for 2 s.
static void first_cards(scene *s, bool quick)
{
    static const char text[] =
        "{ \"carom\": 1, \"kind\": \"world\", \"generators\": [ { \"card-house\": { \"levels\": 3, "
        "\"pairs\": 4, \"lean\": 20, \"gap\": 0.0005, \"body\": { \"name\": \"plate\", \"shape\": "
        "{ "
        "\"box\": [0.002, 0.06, 0.1] } } } } ] }";
    carom_scene_world *house = NULL;
    carom_error err = { 0 };
    (void)quick;
    first(s, "first-card-house");
    s->stack = true;
    s->restitution = .1;
    s->friction = .6;
    add_plane(s, 0, 0, 1, 0);
    if (carom_scene_world_parse("card house", text, strlen(text), &house, &err) != CAROM_OK)
        fail(err.what);
    for (int i = 0; i < carom_scene_world_body_count(house); ++i) {
        carom_body body = carom_scene_world_body(house, i);
        peer_body *b = add(s, PEER_BOX, (double[3]){ .001, .03, .05 }, body.position);
        memcpy(b->rotation, body.rotation, sizeof b->rotation);
    }
    carom_scene_world_close(house);
}

static void first_boxes_100(scene *s, bool quick)
{
    (void)quick;
    first(s, "first-boxes-100");
    fill(s, PEER_BOX, (double[3]){ .05, .04, .03 }, 4, 100, .145);
}

static void first_boxes_500(scene *s, bool quick)
{
    first(s, "first-boxes-500");
    fill(s, PEER_BOX, (double[3]){ .05, .04, .03 }, 7, quick ? 200 : 500, .145);
}

static void first_spheres_1000(scene *s, bool quick)
{
    first(s, "first-spheres-1000");
    fill(s, PEER_SPHERE, (double[3]){ .05, .05, .05 }, 10, quick ? 300 : 1000, .106);
}

// The first one is pushed over.
static void first_dominoes(scene *s, bool quick)
{
    first(s, "first-dominoes-50");
    add_plane(s, 0, 0, 1, 0);
    for (int i = 0; i < (quick ? 20 : 50); ++i) {
        peer_body *b =
            add(s, PEER_BOX, (double[3]){ .005, .02, .04 }, (double[3]){ .04 * i, 0, .04 });
        b->spin[1] = i == 0 ? 4 : 0;
        b->velocity[0] = i == 0 ? .16 : 0;
    }
}

// -- our own world as one more engine -------------------------------------------------------------

static carom_world *world_of(const scene *s, const peer_state *states)
{
    carom_error err = { 0 };
    carom_world *world;
    carom_world_options options = carom_world_options_default();
    if (!s->plain) {
        options.events = 0; // dense piles: every contact of a step at once, as the peers do
        // The law that handles friction and dense piles, and the speed below which Bullet does not
        // bounce either.
        options.resting_speed = 0.2;
        options.law = carom_law_find("wave", &err);
        options.law_options = carom_law_defaults(options.law);
    }
    carom_material material = carom_world_material_default();
    material.friction = s->friction;
    material.restitution = s->restitution;
    if (carom_world_create(&options, &world, &err) != CAROM_OK ||
        carom_world_add_material(world, &material, NULL, &err) != CAROM_OK)
        fail(err.what);
    carom_shape *shared[5] = { NULL };
    const double *shared_size[5] = { NULL };
    for (int i = 0; i < s->count; ++i) {
        const peer_body *b = &s->bodies[i];
        carom_body body = carom_world_body_default();
        if (shared[b->kind] && memcmp(shared_size[b->kind], b->size, sizeof b->size) != 0) {
            carom_shape_release(shared[b->kind]);
            shared[b->kind] = NULL;
        }
        if (!shared[b->kind])
            shared[b->kind] = shape_of(b);
        shared_size[b->kind] = b->size;
        body.shape = shared[b->kind];
        body.material = 1;
        if (b->kind == PEER_PLANE) {
            double q[4] = { 1 + b->normal[2], -b->normal[1], b->normal[0], 0 };
            double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
            body.kind = CAROM_BODY_FIXED;
            for (int k = 0; k < 4; ++k)
                body.rotation[k] = q[k] / length;
        } else {
            memcpy(body.rotation, states ? states[i].rotation : b->rotation, sizeof body.rotation);
        }
        memcpy(body.position, states && b->kind != PEER_PLANE ? states[i].position : b->position,
               sizeof body.position);
        if (b->kind != PEER_PLANE && !states) {
            memcpy(body.velocity, b->velocity, sizeof body.velocity);
            memcpy(body.spin, b->spin, sizeof body.spin);
        }
        body.mass = b->mass;
        if (carom_world_add_body(world, &body, NULL, &err) != CAROM_OK)
            fail(err.what);
    }
    for (int k = 0; k < 5; ++k)
        if (shared[k])
            carom_shape_release(shared[k]);
    return world;
}

static const scene *own_scene; // the face has no place for materials of the scene's other numbers

static void *own_create(const peer_body *bodies, int count, double friction, double restitution)
{
    (void)bodies, (void)count, (void)friction, (void)restitution;
    return world_of(own_scene, NULL);
}

static void own_step(void *world, double dt)
{
    carom_error err = { 0 };
    if (carom_world_step(world, dt, &err) != CAROM_OK) {
        fprintf(stderr, "%s\n", err.where);
        fail(err.what);
    }
}

static void own_state(void *world, int i, peer_state *out)
{
    carom_world_body(world, carom_world_body_at(world, i), out->position, out->rotation,
                     out->velocity, out->spin);
}

static int own_contacts(void *world)
{
    return (int)carom_world_ledger(world).contacts;
}

static void own_destroy(void *world)
{
    carom_world_destroy(world);
}

static void own_join(void *world, const peer_joint *list, int count)
{
    for (int i = 0; i < count; ++i) {
        carom_error err = { 0 };
        carom_joint joint = { .kind = list[i].hinge ? CAROM_JOINT_HINGE : CAROM_JOINT_BALL };
        joint.a = carom_world_body_at(world, list[i].a);
        if (list[i].b >= 0)
            joint.b = carom_world_body_at(world, list[i].b);
        memcpy(joint.anchor_a, list[i].point, sizeof joint.anchor_a);
        memcpy(joint.anchor_b, list[i].point, sizeof joint.anchor_b);
        memcpy(joint.axis, list[i].axis, sizeof joint.axis);
        if (carom_world_add_joint(world, &joint, NULL, &err) != CAROM_OK)
            fail(err.what);
    }
}

static const peer own = { "Carom",   own_create,   NULL,        own_step,
                          own_state, own_contacts, own_destroy, own_join };

// -- measuring ------------------------------------------------------------------------------------

static double kinetic(const scene *s, const peer_state *states)
{
    double energy = 0;
    for (int i = 0; i < s->count; ++i) {
        const peer_body *b = &s->bodies[i];
        if (b->kind == PEER_PLANE)
            continue;
        double q[4], w[3];
        memcpy(q, states[i].rotation, sizeof q);
        memcpy(w, states[i].spin, sizeof w);
        // spin in the shape frame, where the inertia is diagonal
        double r[3][3] = { { 1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[2] - q[0] * q[3]),
                             2 * (q[1] * q[3] + q[0] * q[2]) },
                           { 2 * (q[1] * q[2] + q[0] * q[3]), 1 - 2 * (q[1] * q[1] + q[3] * q[3]),
                             2 * (q[2] * q[3] - q[0] * q[1]) },
                           { 2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]),
                             1 - 2 * (q[1] * q[1] + q[2] * q[2]) } };
        for (int k = 0; k < 3; ++k) {
            double inner = r[0][k] * w[0] + r[1][k] * w[1] + r[2][k] * w[2];
            energy += .5 * b->mass * states[i].velocity[k] * states[i].velocity[k] +
                      .5 * b->inertia[k] * inner * inner;
        }
    }
    return energy;
}

static double fallen(const scene *s, const peer_state *states)
{
    double energy = 0;
    for (int i = 0; i < s->count; ++i)
        if (s->bodies[i].kind != PEER_PLANE)
            energy +=
                s->bodies[i].mass * gravity * (s->bodies[i].position[2] - states[i].position[2]);
    return energy;
}

static void read_states(const peer *engine, void *world, const scene *s, peer_state *states)
{
    for (int i = 0; i < s->count; ++i)
        engine->state(world, i, &states[i]);
}

static double farthest(const scene *s, const peer_state *from, const peer_state *to)
{
    double max = 0;
    for (int i = 0; i < s->count; ++i) {
        double square = 0;
        for (int k = 0; k < 3 && s->bodies[i].kind != PEER_PLANE; ++k) {
            double d = to[i].position[k] - from[i].position[k];
            square += d * d;
        }
        max = fmax(max, sqrt(square));
    }
    return max;
}

// The bodies of a scene where they have come to rest.
static peer_body *moved(const scene *s, const peer_state *states)
{
    peer_body *bodies = malloc((size_t)s->count * sizeof *bodies);
    if (!bodies)
        fail("no memory");
    memcpy(bodies, s->bodies, (size_t)s->count * sizeof *bodies);
    for (int i = 0; i < s->count; ++i)
        if (bodies[i].kind != PEER_PLANE) {
            memcpy(bodies[i].position, states[i].position, sizeof bodies[i].position);
            memcpy(bodies[i].rotation, states[i].rotation, sizeof bodies[i].rotation);
        }
    return bodies;
}

// Takes steps. Returns the processor time of the longest, s.
static double take_steps(const peer *engine, void *world, const scene *s, int count)
{
    double worst = 0;
    for (int i = 0; i < count; ++i) {
        double start = now();
        engine->step(world, s->dt);
        worst = fmax(worst, now() - start);
    }
    return worst;
}

// `rest`: where the bodies came to rest, for a peer that starts from there, or null; our own leaves
// them there.
static figures run(const peer *engine, const scene *s, peer_state *rest)
{
    figures f = { 0 };
    bool from_rest = rest && engine != &own && !s->stack;
    peer_state *first = calloc((size_t)s->count, sizeof *first);
    peer_state *last = calloc((size_t)s->count, sizeof *last);
    peer_body *bodies = from_rest ? moved(s, rest) : s->bodies;
    own_scene = s;
    void *world = engine->create(bodies, s->count, s->friction, s->restitution);
    engine->join(world, joints, joint_count);
    double start = now();
    f.worst_ms = 1e3 * take_steps(engine, world, s, from_rest ? FIND_STEPS : s->settle);
    read_states(engine, world, s, first);
    double middle = now();
    f.worst_ms = fmax(f.worst_ms, 1e3 * take_steps(engine, world, s, s->measure));
    double end = now();
    read_states(engine, world, s, last);
    f.ms = 1e3 * (end - middle) / s->measure;
    f.total_s = end - start;
    f.contacts = engine->contacts(world);
    f.drift = farthest(s, first, last);
    double drop = fallen(s, last);
    f.kinetic = kinetic(s, last) / (s->stack || drop <= 0 ? 1 : drop);
    if (engine == &own)
        f.hash = carom_world_hash(world);
    engine->destroy(world);
    carom_world *judge = world_of(s, last);
    own_step(judge, 1e-9);
    f.deepest = carom_world_ledger(judge).overlap;
    carom_world_destroy(judge);
    if (engine == &own && rest)
        memcpy(rest, last, (size_t)s->count * sizeof *last);
    if (from_rest)
        free(bodies);
    free(first);
    free(last);
    return f;
}

static void row(const scene *s, const peer *engine, const figures *f, const figures *ours)
{
    double diameter = 2 * s->bodies[s->count - 1].size[0];
    printf("%s,%s,%d,%" PRId64 ",%.3f,%.1f,%.1f,%.2e,%.2e,%.2e,%.2f,%016" PRIx64 ",%g,%.3f\n",
           s->name, engine->name, s->count, f->contacts, f->ms, f->worst_ms, f->total_s, f->kinetic,
           f->deepest / diameter, f->drift, f->ms / ours->ms, f->hash, s->goal,
           0.001 * f->ms / s->dt);
    fflush(stdout);
}

// What a scene's table row says of each engine: times per step, ours first; 0: did not run.
typedef struct times_of {
    const char *scene;
    double goal, ms[1 + MOST_PEERS];
} times_of;

static void print_table(const times_of *rows, int count)
{
    fprintf(stderr, "\n| scene, ms per step (how many times ours) | goal | %s |", own.name);
    for (int p = 0; p < peer_count; ++p)
        fprintf(stderr, " %s |", peers[p]->name);
    fprintf(stderr, "\n|---|---|---|");
    for (int p = 0; p < peer_count; ++p)
        fprintf(stderr, "---|");
    for (int k = 0; k < count; ++k) {
        fprintf(stderr, "\n| %s |", rows[k].scene);
        if (rows[k].goal > 0)
            fprintf(stderr, " %g", rows[k].goal);
        fprintf(stderr, " | %.3g |", rows[k].ms[0]);
        for (int p = 1; p <= peer_count; ++p)
            if (rows[k].ms[p] > 0)
                fprintf(stderr, " %.3g (%.1f) |", rows[k].ms[p], rows[k].ms[p] / rows[k].ms[0]);
            else
                fprintf(stderr, " |");
    }
    fprintf(stderr, "\n");
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*make)(scene *s, bool quick);
    } all[] = {
        { "spheres", spheres },
        { "pyramid-20", pyramid },
        { "pyramid-100", pyramid_100 },
        { "columns", columns },
        { "cube-10", cube },
        { "boxes-500", boxes_500 },
        { "boxes-5000", boxes_5000 },
        { "hulls-500", hulls_500 },
        { "boxes-plain", boxes_plain },
        { "hulls-plain", hulls_plain },
        { "first-boxes-100", first_boxes_100 },
        { "first-boxes-500", first_boxes_500 },
        { "first-spheres-1000", first_spheres_1000 },
        { "first-dominoes-50", first_dominoes },
        { "first-mixed-150", first_mixed },
        { "first-hinged-50", first_hinged },
        { "first-ragdolls-10", first_ragdolls },
        { "first-card-house", first_cards },
    };
    bool quick = false, alone = false, settled = false, chosen = false;
    for (int i = 1; i < argc; ++i) {
        bool is_quick = !strcmp(argv[i], "quick"), is_alone = !strcmp(argv[i], "alone");
        bool is_settled = !strcmp(argv[i], "settled");
        quick = quick || is_quick;
        alone = alone || is_alone;
        settled = settled || is_settled;
        chosen = chosen || (!is_quick && !is_alone && !is_settled);
    }
    make_hull();
    make_cross();
    scene s = { .bodies = calloc(MOST_BODIES, sizeof *s.bodies) };
    peer_state *rest = settled ? calloc(MOST_BODIES, sizeof *rest) : NULL;
    printf("scene,engine,bodies,contacts,ms/step,worst ms,total s,kinetic energy (share of the "
           "drop; J for stacks),"
           "deepest overlap/diameter,drift m,time/ours,hash,goal ms,s/simulated s\n");
    times_of rows[sizeof all / sizeof *all];
    int row_count = 0;
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
        bool wanted = !chosen;
        for (int i = 1; i < argc; ++i)
            wanted = wanted || !strcmp(argv[i], all[k].name);
        if (!wanted)
            continue;
        s.count = joint_count = 0;
        all[k].make(&s, quick);
        figures ours = run(&own, &s, rest);
        row(&s, &own, &ours, &ours);
        times_of *times = &rows[row_count++];
        *times = (times_of){ s.name, s.goal, { ours.ms } };
        for (int p = 0; p < (alone ? 0 : peer_count); ++p) {
            if (s.bodies[s.count - 1].kind == PEER_HULL && !strcmp(peers[p]->name, "ODE"))
                continue; // it has no hulls of points
            figures f = run(peers[p], &s, rest);
            row(&s, peers[p], &f, &ours);
            times->ms[1 + p] = f.ms;
        }
    }
    print_table(rows, row_count);
    free(rest);
    free(s.bodies);
    return 0;
}

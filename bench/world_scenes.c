// Scenes of bench_world: piles at rest, stacks that must stand, and what a user tries first.
#include "world_scenes.h"
#include "carom/scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES_MAX = 20000, JOINTS_MAX = 400, HULL_POINTS = 12 };

static double hull_points[3 * HULL_POINTS];

void world_scene_fail(const char *what)
{
    fprintf(stderr, "bench_world: %s\n", what);
    exit(1);
}

// Numbers in [-1, 1) that depend on nothing but their index (a 64-bit mixer).
static double noise(uint64_t index)
{
    uint64_t z = (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

carom_shape *world_scene_shape(const peer_body *b)
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
        world_scene_fail(err.what);
    return shape;
}

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
    const double unit = 0.016;
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

// A scene without bodies yet, with these figures.
static void begin(world_scene *s, world_scene figures)
{
    figures.bodies = s->bodies;
    figures.joints = s->joints;
    *s = figures;
}

static peer_body *add(world_scene *s, peer_kind kind, const double size[3],
                      const double position[3])
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
    carom_shape *shape = world_scene_shape(b);
    carom_mass mass = carom_shape_mass(shape);
    b->mass = 1000 * mass.volume;
    for (int k = 0; k < 3; ++k)
        b->inertia[k] = 1000 * mass.inertia[k];
    carom_shape_release(shape);
    return b;
}

static void add_plane(world_scene *s, double nx, double ny, double nz, double offset)
{
    peer_body *b = &s->bodies[s->count++];
    *b = (peer_body){ .kind = PEER_PLANE,
                      .rotation = { 1, 0, 0, 0 },
                      .position = { offset * nx, offset * ny, offset * nz },
                      .normal = { nx, ny, nz } };
}

// A floor and four walls round a square of the given half width.
static void add_container(world_scene *s, double half)
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
static void fill(world_scene *s, peer_kind kind, const double size[3], int n, int bodies,
                 double spacing)
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
        world_scene_fail(err.what);
    carom_shape_shift(shape, shift);
    for (int i = 0; i < 3 * HULL_POINTS; ++i)
        hull_points[i] -= shift[i % 3];
    carom_shape_release(shape);
}

// What bounces before it lies: small steps, measured after `settle` of them.
static void pile(world_scene *s, const char *name, int settle, int measure, double goal)
{
    begin(s, (world_scene){ .name = name,
                            .dt = 1.0 / 600,
                            .settle = settle,
                            .measure = measure,
                            .friction = 0.5,
                            .restitution = 0.3,
                            .goal = goal });
}

// The same as anybody would run it: steps of 1/60 s, 5 s after it fell.
static void pile_plain(world_scene *s, const char *name, double goal)
{
    pile(s, name, 300, 60, goal);
    s->dt = 1.0 / 60;
    s->plain = true;
}

// What must stand as it was built.
static void stack(world_scene *s, const char *name, int measure, double goal)
{
    begin(s, (world_scene){ .name = name,
                            .dt = 1.0 / 60,
                            .measure = measure,
                            .friction = 0.5,
                            .stack = true,
                            .plain = true,
                            .goal = goal });
}

static void spheres(world_scene *s, bool quick)
{
    pile(s, "spheres", 1500, 30, 7);
    int n = quick ? 10 : 20;
    fill(s, PEER_SPHERE, (double[3]){ 0.05, 0.05, 0.05 }, n, n * n * n, 0.106);
}

static void boxes(world_scene *s, int count, int n)
{
    // the more there are, the longer the last of them find a place
    int settle = count <= 100 ? 1200 : count <= 500 ? 2400 : 3600;
    pile(s, "boxes", settle, 60, 10);
    fill(s, PEER_BOX, (double[3]){ 0.05, 0.04, 0.03 }, n, count, 0.145);
}

static void boxes_500(world_scene *s, bool quick)
{
    boxes(s, quick ? 100 : 500, quick ? 4 : 7);
    s->name = "boxes-500";
    s->goal = 0; // none was set
}

static void boxes_5000(world_scene *s, bool quick)
{
    boxes(s, quick ? 500 : 5000, quick ? 7 : 16);
    s->name = "boxes-5000";
}

static void hulls_500(world_scene *s, bool quick)
{
    pile(s, "hulls-500", 1200, 60, 3);
    fill(s, PEER_HULL, (double[3]){ 0.05, 0.05, 0.05 }, quick ? 4 : 7, quick ? 100 : 500, 0.106);
}

static void boxes_plain(world_scene *s, bool quick)
{
    pile_plain(s, "boxes-plain", 1.5);
    fill(s, PEER_BOX, (double[3]){ 0.05, 0.04, 0.03 }, quick ? 4 : 7, quick ? 100 : 500, 0.145);
}

static void hulls_plain(world_scene *s, bool quick)
{
    pile_plain(s, "hulls-plain", 2.5);
    fill(s, PEER_HULL, (double[3]){ 0.05, 0.05, 0.05 }, quick ? 4 : 7, quick ? 100 : 500, 0.106);
}

static void build_pyramid(world_scene *s, int rows)
{
    add_plane(s, 0, 0, 1, 0);
    for (int r = 0; r < rows; ++r)
        for (int i = 0; i < rows - r; ++i)
            add(s, PEER_BOX, (double[3]){ 0.5, 0.5, 0.5 },
                (double[3]){ i + 0.5 * r - 0.5 * rows, 0, r + 0.5 });
}

static void pyramid(world_scene *s, bool quick)
{
    stack(s, "pyramid-20", 300, 0.4);
    build_pyramid(s, quick ? 10 : 20);
}

static void pyramid_100(world_scene *s, bool quick)
{
    stack(s, "pyramid-100", 300, 25);
    build_pyramid(s, quick ? 30 : 100);
}

// 100 columns of ten, apart from each other.
static void columns(world_scene *s, bool quick)
{
    stack(s, "columns", 300, 1);
    int side = quick ? 3 : 10, all = side * side;
    add_plane(s, 0, 0, 1, 0);
    for (int i = 0; i < 10 * all; ++i)
        add(s, PEER_BOX, (double[3]){ 0.5, 0.5, 0.5 },
            (double[3]){ 2 * (i % side), 2 * (i / side % side), i / all + 0.5 });
}

static void cube(world_scene *s, bool quick)
{
    stack(s, "cube-10", quick ? 60 : 300, 5);
    int n = quick ? 5 : 10;
    add_plane(s, 0, 0, 1, 0);
    for (int i = 0; i < n * n * n; ++i)
        add(s, PEER_BOX, (double[3]){ 0.5, 0.5, 0.5 },
            (double[3]){ i % n, i / n % n, i / (n * n) + 0.5 });
}

// What a user tries first: from the first step on, everything moves.
static const double first_dt = 1.0 / 240; // Bullet's own
enum { FIRST_STEPS = 480 };               // two seconds

static void first(world_scene *s, const char *name)
{
    begin(s, (world_scene){ .name = name,
                            .dt = first_dt,
                            .measure = FIRST_STEPS,
                            .friction = 0.5,
                            .restitution = 0.3,
                            .plain = true });
}

static void join(world_scene *s, int a, int b, const double point[3], int hinge)
{
    peer_joint *joint = &s->joints[s->joint_count++];
    *joint = (peer_joint){ .a = a, .b = b, .hinge = hinge, .axis = { 0, 1, 0 } };
    memcpy(joint->point, point, sizeof joint->point);
}

// Balls, boxes and crosses.
static void first_mixed(world_scene *s, bool quick)
{
    first(s, "first-mixed-150");
    fill(s, PEER_MESH, (double[3]){ 0.048, 0.048, 0.016 }, quick ? 3 : 5, quick ? 30 : 150, 0.12);
    for (int i = 5; i < s->count; ++i) {
        peer_body b = s->bodies[i];
        int kind = i % 3;
        if (kind == 0)
            continue; // a cross
        s->count = i;
        add(s, kind == 1 ? PEER_SPHERE : PEER_BOX, (double[3]){ 0.04, 0.03, 0.02 }, b.position);
        s->count = quick ? 35 : 155;
        memcpy(s->bodies[i].rotation, b.rotation, sizeof b.rotation);
    }
}

// Fifty links, let go level.
static void first_hinged(world_scene *s, bool quick)
{
    first(s, "first-hinged-50");
    for (int i = 0; i < (quick ? 10 : 50); ++i) {
        add(s, PEER_BOX, (double[3]){ 0.045, 0.02, 0.01 }, (double[3]){ 0.1 * i + 0.05, 0, 5 });
        join(s, i, i - 1, (double[3]){ 0.1 * i, 0, 5 }, 1);
    }
}

// Figures of eleven boxes on ball joints fall on the floor.
static void first_ragdolls(world_scene *s, bool quick)
{
    static const double part[11][6] = {
        // where, and half edges: hips, chest, head, arms (upper, lower), legs (upper, lower)
        { 0, 0, 1, 0.15, 0.1, 0.1 },         { 0, 0, 1.3, 0.16, 0.1, 0.16 },
        { 0, 0, 1.62, 0.09, 0.09, 0.12 },    { -0.32, 0, 1.4, 0.13, 0.04, 0.04 },
        { -0.6, 0, 1.4, 0.12, 0.04, 0.04 },  { 0.32, 0, 1.4, 0.13, 0.04, 0.04 },
        { 0.6, 0, 1.4, 0.12, 0.04, 0.04 },   { -0.09, 0, 0.68, 0.06, 0.06, 0.2 },
        { -0.09, 0, 0.26, 0.05, 0.05, 0.2 }, { 0.09, 0, 0.68, 0.06, 0.06, 0.2 },
        { 0.09, 0, 0.26, 0.05, 0.05, 0.2 }
    };
    static const double at[10][3] = { { 0, 0, 1.12 },     { 0, 0, 1.48 },     { -0.17, 0, 1.4 },
                                      { -0.46, 0, 1.4 },  { 0.17, 0, 1.4 },   { 0.46, 0, 1.4 },
                                      { -0.09, 0, 0.89 }, { -0.09, 0, 0.47 }, { 0.09, 0, 0.89 },
                                      { 0.09, 0, 0.47 } };
    static const int parent[11] = { -1, 0, 1, 1, 3, 1, 5, 0, 7, 0, 9 };
    first(s, "first-ragdolls-10");
    add_plane(s, 0, 0, 1, 0);
    for (int figure = 0; figure < (quick ? 2 : 10); ++figure) {
        int first_part = s->count;
        double x = 1.6 * (figure % 5), y = 1.6 * (figure / 5), z = 0.2 + 0.1 * (figure % 3);
        for (int k = 0; k < 11; ++k) {
            peer_body *b = add(s, PEER_BOX, part[k] + 3,
                               (double[3]){ x + part[k][0], y + part[k][1], z + part[k][2] });
            b->velocity[1] = 1 + 0.2 * part[k][2];
        }
        for (int k = 1; k < 11; ++k)
            join(s, first_part + k, first_part + parent[k],
                 (double[3]){ x + at[k - 1][0], y + at[k - 1][1], z + at[k - 1][2] }, 0);
    }
}

// As scenes/world/card-house.json makes it, for 2 s.
static void first_cards(world_scene *s, bool quick)
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
    s->restitution = 0.1;
    s->friction = 0.6;
    add_plane(s, 0, 0, 1, 0);
    if (carom_scene_world_parse("card house", text, strlen(text), &house, &err) != CAROM_OK)
        world_scene_fail(err.what);
    for (int i = 0; i < carom_scene_world_body_count(house); ++i) {
        carom_body body = carom_scene_world_body(house, i);
        peer_body *b = add(s, PEER_BOX, (double[3]){ 0.001, 0.03, 0.05 }, body.position);
        memcpy(b->rotation, body.rotation, sizeof b->rotation);
    }
    carom_scene_world_close(house);
}

static void first_boxes_100(world_scene *s, bool quick)
{
    (void)quick;
    first(s, "first-boxes-100");
    fill(s, PEER_BOX, (double[3]){ 0.05, 0.04, 0.03 }, 4, 100, 0.145);
}

static void first_boxes_500(world_scene *s, bool quick)
{
    first(s, "first-boxes-500");
    fill(s, PEER_BOX, (double[3]){ 0.05, 0.04, 0.03 }, 7, quick ? 200 : 500, 0.145);
}

static void first_spheres_1000(world_scene *s, bool quick)
{
    first(s, "first-spheres-1000");
    fill(s, PEER_SPHERE, (double[3]){ 0.05, 0.05, 0.05 }, 10, quick ? 300 : 1000, 0.106);
}

// The first one is pushed over.
static void first_dominoes(world_scene *s, bool quick)
{
    first(s, "first-dominoes-50");
    add_plane(s, 0, 0, 1, 0);
    for (int i = 0; i < (quick ? 20 : 50); ++i) {
        peer_body *b =
            add(s, PEER_BOX, (double[3]){ 0.005, 0.02, 0.04 }, (double[3]){ 0.04 * i, 0, 0.04 });
        b->spin[1] = i == 0 ? 4 : 0;
        b->velocity[0] = i == 0 ? 0.16 : 0;
    }
}

const world_scene_maker world_scene_list[] = {
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
    { NULL, NULL },
};

world_scene world_scene_create(void)
{
    world_scene s = { .bodies = calloc(BODIES_MAX, sizeof *s.bodies),
                      .joints = calloc(JOINTS_MAX, sizeof *s.joints) };
    if (!s.bodies || !s.joints)
        world_scene_fail("no memory");
    make_hull();
    make_cross();
    return s;
}

void world_scene_destroy(world_scene *s)
{
    free(s->bodies);
    free(s->joints);
}

// The software renderer: rays against exact geometry, pictures that do not depend on threads, PNG
// files that decode to the same pixels.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "base/hash.h"
#include "draw/colour.h"
#include "draw/tracer.h"
#include "draw/tracer_shadow.h"
#include "draw/tracer_tiles.h"
#include "support/check.h"

enum { BALLS = 300, SIZE = 96 };

static const mat3 straight = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };

static double number(int index, int k)
{
    unsigned x = (unsigned)index * 2654435761u + (unsigned)k * 40503u + 12345u;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return (double)((x ^ x >> 16) >> 8) / 16777216.0;
}

static void fill(carom_tracer_item *items)
{
    for (int i = 0; i < BALLS; ++i)
        items[i] =
            (carom_tracer_item){ .kind = CAROM_TRACER_BALL,
                                 .position = vec3_make(4 * number(i, 0) - 2, 4 * number(i, 1) - 2,
                                                       4 * number(i, 2) - 2),
                                 .rotation = straight,
                                 .radius = 0.02 + 0.2 * number(i, 3),
                                 .roughness = 0.5,
                                 .colour = carom_colour_series(i) };
}

// Distance along a ray to a ball by the closed form.
static double to_ball(vec3 o, vec3 d, const carom_tracer_item *ball)
{
    vec3 c = vec3_sub(o, ball->position);
    double a = vec3_dot(d, d), b = vec3_dot(c, d), e = vec3_dot(c, c) - ball->radius * ball->radius;
    double root = b * b - a * e;
    if (root < 0)
        return HUGE_VAL;
    double near = (-b - sqrt(root)) / a, far = (-b + sqrt(root)) / a;
    return near > 0 ? near : far > 0 ? far : HUGE_VAL;
}

static void check_tree(carom_arena *arena)
{
    carom_tracer_item *items = carom_arena_zeros(arena, BALLS, sizeof *items);
    fill(items);
    carom_tracer tracer = { .items = items, .count = BALLS };
    carom_tracer_scene scene;
    carom_error err;
    CHECK(carom_tracer_hit_prepare(&tracer, arena, &scene, &err) == CAROM_OK, "the tree is built");
    int wrong = 0, met = 0;
    for (int i = 0; i < 4000; ++i) {
        vec3 o = vec3_make(6 * number(i, 4) - 3, 6 * number(i, 5) - 3, 6 * number(i, 6) - 3);
        vec3 d = vec3_unit(vec3_make(number(i, 7) - 0.5, number(i, 8) - 0.5, number(i, 9) - 0.5));
        double best = HUGE_VAL;
        int which = -1;
        for (int k = 0; k < BALLS; ++k) {
            double far = to_ball(o, d, &items[k]);
            if (far < best) {
                best = far;
                which = k;
            }
        }
        carom_tracer_hit hit = carom_tracer_hit_first(&scene, o, d);
        met += which >= 0;
        wrong += hit.item != which || (which >= 0 && fabs(hit.far - best) > 1e-12);
        double any = carom_tracer_hit_distance(&scene, o, d, 1.5, true);
        wrong += (best < 1.5) != (any < 1.5);
    }
    CHECK(wrong == 0, "the tree finds what trying every ball finds");
    CHECK(met > 200, "enough rays meet a ball for that to mean something");
}

// Straight down on a solid of each kind: the height of its top, and the normal there.
static void check_solids(carom_arena *arena)
{
    double corners[4 * 9] = { 0, 0, 0, 1, 1, 0, 1,   0,   0, 0, 0, 0, 1, 0, 0, 0.5, 0.5, 1,
                              1, 0, 0, 1, 1, 0, 0.5, 0.5, 1, 1, 1, 0, 0, 0, 0, 0.5, 0.5, 1 };
    carom_trimesh mesh;
    carom_error err;
    CHECK(carom_trimesh_build(corners, 4, arena, &mesh, &err) == CAROM_OK, "a mesh is built");
    CHECK(mesh.vertex_count == 4, "four triangles share four corners");
    carom_tracer_item items[] = {
        { .kind = CAROM_TRACER_BALL, .rotation = straight, .radius = 2 },
        { .kind = CAROM_TRACER_CAPSULE, .rotation = straight, .radius = 0.5, .half_length = 1 },
        { .kind = CAROM_TRACER_CYLINDER, .rotation = straight, .radius = 0.5, .half_length = 1 },
        { .kind = CAROM_TRACER_BOX, .rotation = straight, .half = { 1, 1, 0.25 } },
        { .kind = CAROM_TRACER_MESH, .rotation = straight, .mesh = &mesh },
        { .kind = CAROM_TRACER_PLANE, .rotation = straight },
    };
    const double x[] = { 0, 0.3, 0.2, 0.9, 0.5, 7 }, y[] = { 0, 0.4, 0.1, -0.9, 0.25, 7 };
    const double top[] = { 2, 1, 1, 0.25, 0.5, 0 };
    for (int i = 0; i < 6; ++i) {
        carom_tracer tracer = { .items = &items[i], .count = 1 };
        carom_tracer_scene scene;
        carom_tracer_hit_prepare(&tracer, arena, &scene, &err);
        carom_tracer_hit hit =
            carom_tracer_hit_first(&scene, vec3_make(x[i], y[i], 10), vec3_make(0, 0, -1));
        CHECK(hit.item == 0, "seen from above");
        CHECK_NEAR(10 - hit.far, top[i], 1e-12, "the height of the surface, to round-off");
        CHECK(hit.normal.z > -1e-9, "the normal looks at the viewer");
        hit = carom_tracer_hit_first(&scene, vec3_make(x[i], y[i], -10), vec3_make(0, 0, 1));
        CHECK((hit.item == 0) == (i != 5), "everything but a plane is seen from below");
        hit = carom_tracer_hit_first(&scene, vec3_make(50, 0, 10), vec3_make(0, 0, -1));
        CHECK((hit.item == 0) == (i == 5), "only a plane reaches that far");
    }
}

// Signed distances by closed form, in the frame of the solid.
static double away(const carom_tracer_item *item, vec3 p)
{
    double rho = hypot(p.x, p.y), z = fabs(p.z), r = item->radius, l = item->half_length;
    if (item->kind == CAROM_TRACER_CAPSULE)
        return hypot(rho, fmax(z - l, 0)) - r;
    double q[3] = { fabs(p.x) - item->half.x, fabs(p.y) - item->half.y, z - item->half.z };
    if (item->kind == CAROM_TRACER_CYLINDER)
        q[0] = rho - r, q[1] = -HUGE_VAL, q[2] = z - l;
    double inside = fmin(fmax(q[0], fmax(q[1], q[2])), 0);
    return inside + sqrt(pow(fmax(q[0], 0), 2) + pow(fmax(q[1], 0), 2) + pow(fmax(q[2], 0), 2));
}

// Rays at turned solids: a hit lies on the surface, and nothing of the solid lies before it.
static void check_rays(carom_arena *arena)
{
    carom_tracer_item items[] = {
        { .kind = CAROM_TRACER_CAPSULE, .radius = 0.4, .half_length = 0.7 },
        { .kind = CAROM_TRACER_CYLINDER, .radius = 0.6, .half_length = 0.5 },
        { .kind = CAROM_TRACER_BOX, .half = { 0.3, 0.6, 0.9 } },
    };
    for (int k = 0; k < 3; ++k) {
        carom_tracer_item *item = &items[k];
        item->rotation = quat_matrix(quat_unit((quat){ 0.7, 0.3, -0.5, 0.2 }));
        item->position = vec3_make(0.1, -0.2, 0.3);
        carom_tracer tracer = { .items = item, .count = 1 };
        carom_tracer_scene scene;
        carom_error err;
        carom_tracer_hit_prepare(&tracer, arena, &scene, &err);
        double off = 0, deepest = 0;
        int met = 0;
        for (int i = 0; i < 400; ++i) {
            vec3 o = vec3_make(6 * number(i, 20) - 3, 6 * number(i, 21) - 3, 3);
            vec3 at = vec3_make(2.4 * number(i, 22) - 1.2, 2.4 * number(i, 23) - 1.2,
                                2.4 * number(i, 24) - 1.2);
            vec3 d = vec3_sub(at, o);
            carom_tracer_hit hit = carom_tracer_hit_first(&scene, o, d);
            double end = hit.item < 0 ? 3 : hit.far;
            for (int n = 0; n <= 200; ++n) {
                vec3 p = vec3_sub(vec3_axpy(o, end * n / 200, d), item->position);
                double here = away(item, mat3_tmul(item->rotation, p));
                deepest = fmin(deepest, here);
                if (n == 200 && hit.item == 0)
                    off = fmax(off, fabs(here));
            }
            met += hit.item == 0;
        }
        CHECK(met > 60, "enough hits: %d", met);
        CHECK_MOST(off, 1e-12, "a hit lies on the surface, to round-off");
        CHECK_MOST(-deepest, 1e-12, "nothing lies before it, to round-off");
    }
}

// Solids of every kind, some beside and behind the camera, a tilted plane below.
static carom_tracer_item *mixture(carom_arena *arena, const carom_trimesh *mesh, int count)
{
    carom_tracer_item *items = carom_arena_zeros(arena, (size_t)count + 1, sizeof *items);
    for (int i = 0; i < count; ++i) {
        quat turn = { number(i, 30) - 0.5, number(i, 31) - 0.5, number(i, 32) - 0.5, 0.3 };
        items[i] =
            (carom_tracer_item){ .kind = (carom_tracer_kind)(i % 5),
                                 .position = vec3_make(6 * number(i, 33) - 3, 6 * number(i, 34) - 3,
                                                       6 * number(i, 35) - 3),
                                 .rotation = quat_matrix(quat_unit(turn)),
                                 .radius = 0.05 + 0.3 * number(i, 36),
                                 .half_length = 0.4 * number(i, 37),
                                 .half = { 0.3, 0.05 + 0.2 * number(i, 38), 0.1 },
                                 .mesh = mesh,
                                 .marked = i % 10 == 0 };
    }
    items[count] = (carom_tracer_item){
        .kind = CAROM_TRACER_PLANE,
        .position = { 0, 0, -3 },
        .rotation = quat_matrix(quat_unit((quat){ 1, 0.05, 0.02, 0 })),
    };
    return items;
}

// Four rays through tiles see what one ray through the tree sees, from outside and from the middle.
static void check_tiles(carom_arena *arena)
{
    enum { COUNT = 200, WIDE = 83, HIGH = 61 };
    double corners[4 * 9] = { 0,   0,   0,   0.5, 0.5, 0,   0.5, 0, 0, 0,   0,   0,
                              0.5, 0,   0,   0.2, 0.2, 0.5, 0.5, 0, 0, 0.5, 0.5, 0,
                              0.2, 0.2, 0.5, 0.5, 0.5, 0,   0,   0, 0, 0.2, 0.2, 0.5 };
    const vec3 from[] = { { 7, -8, 4 }, { 0.1, 0.2, 0.3 }, { 0, 0, -20 } };
    carom_trimesh mesh;
    carom_error err;
    carom_trimesh_build(corners, 4, arena, &mesh, &err);
    carom_tracer_item *items = mixture(arena, &mesh, COUNT);
    carom_image image = { .width = WIDE, .height = HIGH };
    int wrong = 0, seen[6] = { 0 }, belts = 0;
    for (int k = 0; k < 3; ++k) {
        carom_tracer tracer = { .items = items,
                                .count = COUNT + 1,
                                .camera = { from[k], { 0, 0, 0.5 }, { 0, 0, 1 }, 50 } };
        carom_tracer_scene scene;
        carom_tracer_tiles tiles;
        CHECK(carom_tracer_hit_prepare(&tracer, arena, &scene, &err) == CAROM_OK &&
                  carom_tracer_tiles_prepare(&scene, &image, arena, &tiles, &err) == CAROM_OK,
              "tiles are made");
        for (int i = 0; i < WIDE * HIGH; i += LANES) {
            double x[LANES], y[LANES];
            carom_tracer_hit hits[LANES];
            for (int n = 0; n < LANES; ++n) {
                x[n] = i % WIDE / LANES * LANES + n + 0.4;
                y[n] = i / WIDE + 0.3;
            }
            carom_tracer_tiles_look(&tiles, x, y, hits);
            for (int n = 0; n < LANES; ++n) {
                vec3 d = carom_tracer_tiles_direction(&tiles, x[n], y[n]);
                carom_tracer_hit one = carom_tracer_hit_first(&scene, from[k], d);
                wrong += one.item != hits[n].item || one.belt != hits[n].belt;
                if (one.item < 0 || one.item != hits[n].item)
                    continue;
                ++seen[items[one.item].kind];
                belts += one.belt;
                wrong += fabs(one.far - hits[n].far) > 1e-12 * one.far ||
                         vec3_length(vec3_sub(one.normal, hits[n].normal)) > 1e-9;
            }
        }
    }
    CHECK(wrong == 0, "four rays through tiles see what one through the tree sees: %d", wrong);
    for (int kind = 0; kind < 6; ++kind)
        CHECK(seen[kind] > 40, "enough of kind %d: %d", kind, seen[kind]);
    CHECK(belts > 20, "belts among them: %d", belts);
}

// A beam of four rays is stopped where one ray each is; transparent things let their share through.
static void check_shadows(carom_arena *arena)
{
    enum { COUNT = 200 };
    double corners[9] = { 0, 0, 0, 0.5, 0.5, 0, 0.5, 0, 0.3 };
    carom_trimesh mesh;
    carom_error err;
    carom_trimesh_build(corners, 1, arena, &mesh, &err);
    carom_tracer_item *items = mixture(arena, &mesh, COUNT);
    carom_tracer tracer = { .items = items, .count = COUNT + 1 };
    carom_tracer_scene scene;
    carom_tracer_hit_prepare(&tracer, arena, &scene, &err);
    int wrong = 0, mixed = 0, dark = 0, before = -1;
    for (int i = 0; i < 6000; ++i) {
        vec3 d[LANES],
            o = vec3_make(7 * number(i, 4) - 3.5, 7 * number(i, 5) - 3.5, 7 * number(i, 6) - 3.5);
        vec3 to = vec3_make(number(i, 7) - 0.5, number(i, 8) - 0.5, i % 3 ? number(i, 9) - 0.5 : 0);
        double share = 0;
        for (int n = 0; n < LANES; ++n) {
            d[n] = vec3_unit(vec3_make(to.x + 0.06 * number(4 * i + n, 10), to.y,
                                       to.z + (i % 3 ? 0.06 * number(4 * i + n, 14) : 0)));
            share +=
                carom_tracer_hit_distance(&scene, o, d[n], HUGE_VAL, true) == HUGE_VAL ? 0.25 : 0;
        }
        carom_tracer_shadow shadow = carom_tracer_shadow_make(d);
        wrong += carom_tracer_shadow_share(&scene, &shadow, o, &before) != share;
        mixed += share > 0 && share < 1;
        dark += share == 0;
    }
    CHECK(wrong == 0, "four rays together are stopped where each alone is: %d", wrong);
    CHECK(mixed > 100 && dark > 500, "edges and shadows among them: %d, %d", mixed, dark);
    carom_tracer_item panes[2] = {
        { .kind = CAROM_TRACER_BALL, .rotation = straight, .radius = 1, .transparency = 0.5 },
        { .kind = CAROM_TRACER_BOX,
          .rotation = straight,
          .position = { 0, 0, 3 },
          .half = { 1, 1, 0.1 },
          .transparency = 0.25 },
    };
    carom_tracer clear = { .items = panes, .count = 2 };
    vec3 up[LANES] = { { 0, 0, 1 }, { 0, 0, 1 }, { 0, 0, 1 }, { 0, 0, 1 } };
    carom_tracer_shadow sun = carom_tracer_shadow_make(up);
    carom_tracer_hit_prepare(&clear, arena, &scene, &err);
    before = -1;
    CHECK_NEAR(carom_tracer_shadow_share(&scene, &sun, vec3_make(0, 0, -5), &before), 0.125, 1e-15,
               "shares of what lies one behind the other multiply");
    CHECK(carom_tracer_shadow_share(&scene, &sun, vec3_make(3, 0, -5), &before) == 1,
          "light beside them is not touched");
}

static vec3 middle_of(const carom_tracer *tracer, carom_arena *arena)
{
    carom_image image = { 0 };
    carom_error err;
    carom_image_create(32, 32, arena, &image, &err);
    CHECK(carom_tracer_render(tracer, arena, &image, &err) == CAROM_OK, "a picture is drawn");
    const unsigned char *rgb = image.rgb + 3 * (16 * 32 + 16);
    return vec3_make(rgb[0], rgb[1], rgb[2]);
}

// Glass shows what is behind it, a lamp's colour falls on what it lights, a smooth surface shines.
static void check_looks(carom_arena *arena)
{
    carom_tracer_item items[2] = {
        { .kind = CAROM_TRACER_BOX,
          .rotation = straight,
          .half = { 3, 0.1, 3 },
          .roughness = 1,
          .colour = { 0, 0.5, 0 } },
        { .kind = CAROM_TRACER_BOX,
          .rotation = straight,
          .position = { 0, -3, 0 },
          .roughness = 1,
          .half = { 3, 0.1, 3 },
          .colour = { 0.5, 0, 0 } },
    };
    carom_tracer tracer = { .items = items,
                            .count = 2,
                            .camera = { { 0, -12, 0 }, { 0, 0, 0 }, { 0, 0, 1 }, 20 },
                            .reach = 1,
                            .lamps = { { { 0, -1, 0 }, { 1, 1, 1 }, 0.01 } },
                            .lamp_count = 1,
                            .threads = 1 };
    vec3 solid = middle_of(&tracer, arena);
    items[1].transparency = 0.5;
    vec3 half = middle_of(&tracer, arena);
    items[1].transparency = 1;
    vec3 clear = middle_of(&tracer, arena);
    CHECK(solid.x > 100 && solid.y == 0, "a solid box hides what is behind it");
    CHECK(half.x > 60 && half.y > 60 && half.x < solid.x, "half of both is seen");
    CHECK(clear.x == 0 && clear.y > 100, "what is wholly transparent is not seen");
    items[0].colour = vec3_make(0.5, 0.5, 0.5);
    tracer.lamps[0].colour = vec3_make(1, 0, 0);
    vec3 red = middle_of(&tracer, arena);
    CHECK(red.x > red.y + 40 && red.y == red.z, "a red lamp makes grey things red");
    tracer.lamps[0].colour = vec3_make(1, 1, 1);
    double dull = middle_of(&tracer, arena).x;
    items[0].roughness = 0.2;
    CHECK(middle_of(&tracer, arena).x > dull + 20, "a smooth surface shines where it mirrors");
}

static carom_image picture(carom_arena *arena, int threads)
{
    carom_tracer_item *items = carom_arena_zeros(arena, BALLS + 1, sizeof *items);
    fill(items);
    items[BALLS] = (carom_tracer_item){ .kind = CAROM_TRACER_PLANE,
                                        .position = { 0, 0, -2.2 },
                                        .rotation = straight,
                                        .colour = { 0.6, 0.6, 0.6 } };
    carom_tracer tracer = { .items = items,
                            .count = BALLS + 1,
                            .camera = { { 6, -8, 5 }, { 0, 0, 0 }, { 0, 0, 1 }, 30 },
                            .reach = 0.5,
                            .grid = 0.5,
                            .fade = 6,
                            .threads = threads };
    carom_image image = { 0 };
    carom_error err;
    CHECK(carom_image_create(SIZE, SIZE, arena, &image, &err) == CAROM_OK, "room for a picture");
    CHECK(carom_tracer_render(&tracer, arena, &image, &err) == CAROM_OK, "a picture is drawn");
    return image;
}

// A video draws only what changed, and that gives the same pictures: balls that fly, one that
// leaves and one that comes back, a box that turns, a colour that changes; one thread and three.
// Under the sun, whose shadows reach far, or one lamp from the side.
static void check_video(carom_arena *arena, int lamps)
{
    enum { COUNT = 40, WIDE = 400, HIGH = 310, PICTURES = 8 };
    size_t size = 3 * WIDE * HIGH;
    carom_tracer_item *items = mixture(arena, NULL, COUNT);
    carom_tracer_memory *memory = carom_tracer_memory_create();
    carom_image once = { 0 }, again = { 0 };
    carom_error err;
    int wrong = 0, moved = 0;
    carom_image_create(WIDE, HIGH, arena, &once, &err);
    carom_image_create(WIDE, HIGH, arena, &again, &err);
    for (int i = 0; i < COUNT; ++i) {
        items[i].kind = i % 2 ? CAROM_TRACER_BALL : CAROM_TRACER_BOX;
        items[i].colour = carom_colour_series(i);
        items[i].roughness = 0.5;
    }
    items[COUNT].colour = vec3_make(0.6, 0.6, 0.6);
    for (int k = 0; k < PICTURES; ++k) {
        items[1].position = vec3_make(k % 2 ? -2.5 : 2.5, -1, 1 + 0.1 * k);
        items[3].position = vec3_make(0, k == 4 ? 90 : -2, 2);
        items[4].rotation = quat_matrix(quat_unit((quat){ 1, 0.1 * k, 0, 0.2 }));
        items[6].colour = carom_colour_series(k / 3);
        carom_tracer tracer = {
            .items = items,
            .count = COUNT + 1,
            .camera = { { 6, -11, k < 6 ? 5 : 6 }, { 0, 0, 0 }, { 0, 0, 1 }, 34 },
            .lamps = { { { 1, 0, 0 }, { 1, 1, 1 }, 0.01 } },
            .lamp_count = lamps,
            .reach = 1.5,
            .grid = 0.5,
            .fade = 6,
            .threads = k % 2 ? 3 : 1
        };
        CHECK(carom_tracer_render(&tracer, arena, &once, &err) == CAROM_OK, "drawn whole");
        tracer.memory = memory;
        moved += memcmp(again.rgb, once.rgb, size) != 0;
        CHECK(carom_tracer_render(&tracer, arena, &again, &err) == CAROM_OK, "drawn in part");
        wrong += memcmp(once.rgb, again.rgb, size) != 0;
    }
    CHECK(wrong == 0, "the same pictures, of which only what changed is drawn: %d differ", wrong);
    CHECK(moved == PICTURES, "every picture differs from the one before: %d", moved);
    carom_tracer_memory_destroy(memory);
}

static unsigned whole(const unsigned char *at)
{
    return (unsigned)at[0] << 24 | (unsigned)at[1] << 16 | (unsigned)at[2] << 8 | at[3];
}

// A reader of its own: chunks, checksums, inflate, and the filters undone.
static bool decode(const carom_text *png, unsigned char *rgb, int width, int height)
{
    static const unsigned char magic[8] = { 0x89, 'P', 'N', 'G', 13, 10, 26, 10 };
    const unsigned char *bytes = (const unsigned char *)png->bytes, *end = bytes + png->length;
    size_t row = 3 * (size_t)width + 1;
    uLong size = (uLong)(row * (size_t)height);
    unsigned char *plain = malloc(size);
    bool good = memcmp(bytes, magic, 8) == 0, seen_end = false;
    for (const unsigned char *at = bytes + 8; good && at + 12 <= end;) {
        unsigned length = whole(at);
        good = crc32(0, at + 4, length + 4) == whole(at + 8 + length);
        if (memcmp(at + 4, "IHDR", 4) == 0)
            good = good && whole(at + 8) == (unsigned)width && whole(at + 12) == (unsigned)height;
        if (memcmp(at + 4, "IDAT", 4) == 0)
            good = good && uncompress(plain, &size, at + 8, length) == Z_OK;
        seen_end = memcmp(at + 4, "IEND", 4) == 0;
        at += 12 + length;
    }
    for (int y = 0; good && y < height; ++y)
        for (size_t i = 0; i + 1 < row; ++i) {
            unsigned char *out = rgb + (size_t)y * (row - 1) + i;
            int left = i >= 3 ? out[-3] : 0, up = y ? out[1 - (long)row] : 0;
            int corner = i >= 3 && y ? out[-2 - (long)row] : 0;
            int p = left + up - corner, a = abs(p - left), b = abs(p - up), c = abs(p - corner);
            int kind = plain[(size_t)y * row];
            int guess = kind == 1   ? left
                        : kind == 2 ? up
                        : kind == 4 ? (a <= b && a <= c ? left
                                       : b <= c         ? up
                                                        : corner)
                                    : 0;
            *out = (unsigned char)(plain[(size_t)y * row + 1 + i] + guess);
        }
    free(plain);
    return good && seen_end;
}

static void check_picture(carom_arena *arena)
{
    size_t size = 3 * SIZE * SIZE;
    carom_image one = picture(arena, 1), three = picture(arena, 3);
    CHECK(memcmp(one.rgb, three.rgb, size) == 0, "the same picture with one thread and three");
    carom_text png = { 0 };
    carom_error err;
    CHECK(carom_image_png(&one, 6, &png, &err) == CAROM_OK, "a PNG is written");
    unsigned char *back = malloc(size);
    CHECK(decode(&png, back, SIZE, SIZE), "it is a PNG with good checksums");
    CHECK(memcmp(one.rgb, back, size) == 0, "it decodes to the same pixels");
    free(back);
    carom_text_free(&png);
    if (getenv("CAROM_SHOW"))
        printf("hash %llx\n",
               (unsigned long long)carom_hash_bytes(CAROM_HASH_START, one.rgb, size));
    // Golden: the picture is a function of the scene, whatever compiler, level or machine.
    CHECK(carom_hash_bytes(CAROM_HASH_START, one.rgb, size) == 0x54871f1e9c8f2e7ULL,
          "the picture as it was when somebody looked at it");
}

// A ball in front of the camera covers the disc that projective geometry gives.
static void check_disc(carom_arena *arena)
{
    carom_tracer_item ball = { .kind = CAROM_TRACER_BALL, .rotation = straight, .radius = 1 };
    carom_tracer tracer = { .items = &ball,
                            .count = 1,
                            .camera = { { 0, -5, 0 }, { 0, 0, 0 }, { 0, 0, 1 }, 40 },
                            .reach = 1,
                            .threads = 1 };
    carom_image image = { 0 };
    carom_error err;
    carom_image_create(200, 200, arena, &image, &err);
    carom_tracer_render(&tracer, arena, &image, &err);
    double radius = 100 * (1 / sqrt(24.0)) / tan(20 * acos(-1) / 180), area = 0;
    for (int i = 0; i < 200 * 200; ++i)
        area += image.rgb[3 * i] < 128; // the ball is black, the background is light
    CHECK_NEAR(sqrt(area / acos(-1)), radius, 0.2,
               "radius in pixels; a pixel's edge blurs by less");
}

static void check_camera(void)
{
    carom_camera_ball balls[3] = { { { 0, 0, 0 }, 1 }, { { 5, 0, 0 }, 0.5 }, { { 0, 3, 2 }, 0.1 } };
    carom_camera c = carom_camera_fit(vec3_make(0.3, 1, -0.4), 30, 16 / 9.0, balls, 3);
    carom_camera_frame f = carom_camera_axes(&c, 16 / 9.0);
    double max = 0;
    for (int i = 0; i < 3; ++i) {
        vec3 p = vec3_sub(balls[i].centre, c.from);
        double deep = vec3_dot(p, f.forward), r = balls[i].radius;
        double tangents[2] = { f.half_width, f.half_height };
        vec3 axes[2] = { f.right, f.up };
        for (int k = 0; k < 2; ++k) { // distance to the edge plane, in radii of the picture
            double t = 0.9 * tangents[k];
            double out = (fabs(vec3_dot(p, axes[k])) - t * deep) / sqrt(1 + t * t) + r;
            max = i + k == 0 || out > max ? out : max;
        }
    }
    CHECK_NEAR(max, 0, 1e-9, "all balls inside the margin and one touches it, to round-off");
}

int main(void)
{
    carom_arena *arena = carom_arena_create(0);
    check_tree(arena);
    check_solids(arena);
    check_rays(arena);
    check_tiles(arena);
    check_shadows(arena);
    check_looks(arena);
    check_video(arena, 0);
    check_video(arena, 1);
    check_picture(arena);
    check_disc(arena);
    check_camera();
    for (int i = 0; i < 256; ++i) {
        unsigned char back[3];
        carom_colour_store(carom_colour_hex((unsigned)i * 0x010101), back);
        if (i <= 230) // above, light is bent towards white
            CHECK(back[0] == i, "a colour comes back as it was");
    }
    carom_arena_destroy(arena);
    return check_report();
}

// The tests of the referee: scenes of spheres, boxes and planes whose outcome is known in closed
// form, or which keep something. What can stay in the plane of x and z does, so that engines of the
// plane take part.
#include "referee/referee.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double radius = 0.1, gravity = 9.81;

// -- bodies ----------------------------------------------------------------------------------

static carom_engine_body *add_body(carom_referee_setup *setup)
{
    carom_engine_body *b = &setup->bodies[setup->scene.body_count++];
    *b = (carom_engine_body){ .rotation = { 1 } };
    return b;
}

carom_engine_body *carom_referee_add_ball(carom_referee_setup *setup, double size, double x,
                                          double z)
{
    carom_engine_body *b = add_body(setup);
    b->shape = CAROM_ENGINE_SPHERE;
    b->size[0] = size;
    b->mass = 1;
    b->inertia[0] = b->inertia[1] = b->inertia[2] = 0.4 * size * size;
    b->position[0] = x;
    b->position[2] = z;
    return b;
}

static carom_engine_body *add_ball(carom_referee_setup *setup, double x, double z)
{
    return carom_referee_add_ball(setup, radius, x, z);
}

void carom_referee_add_plane(carom_referee_setup *setup, const double at[3], const double axis[3],
                             int quarters)
{
    carom_engine_body *b = add_body(setup);
    bool turned = axis[0] != 0 || axis[1] != 0;
    memcpy(b->position, at, sizeof b->position);
    if (!turned)
        return;
    b->rotation[0] = quarters == 2 ? 0 : sqrt(0.5);
    for (int k = 0; k < 3; ++k)
        b->rotation[k + 1] = quarters == 2 ? axis[k] : sqrt(0.5) * axis[k];
}

static void add_floor(carom_referee_setup *setup)
{
    carom_referee_add_plane(setup, (double[]){ 0, 0, 0 }, (double[]){ 0, 0, 0 }, 0);
}

double carom_referee_energy(const carom_engine_scene *s, const carom_engine_state *states)
{
    double sum = 0;
    for (int i = 0; i < s->body_count; ++i) {
        const carom_engine_body *b = &s->bodies[i];
        for (int k = 0; k < 3 && b->mass > 0; ++k) {
            double v = states ? states[i].velocity[k] : b->velocity[k];
            double w = states ? states[i].spin[k] : b->spin[k];
            double x = states ? states[i].position[k] : b->position[k];
            sum +=
                0.5 * b->mass * v * v + 0.5 * b->inertia[k] * w * w - b->mass * s->gravity[k] * x;
        }
    }
    return sum;
}

double carom_referee_energy_error(const carom_engine_scene *scene, const carom_engine_state *states)
{
    double before = carom_referee_energy(scene, NULL);
    return fabs(carom_referee_energy(scene, states) - before) / fabs(before);
}

// -- cradles ---------------------------------------------------------------------------------

static void make_cradle(carom_referee_setup *setup, int strike)
{
    setup->scene.restitution = 1;
    for (int i = 0; i < 5; ++i) { // the others touch, those that strike are a bit before them
        double gap = i < strike ? 0.01 : 0;
        carom_engine_body *b = add_ball(setup, 2 * radius * i - gap, 0);
        b->velocity[0] = i < strike;
    }
}

static double judge_cradle(const carom_engine_state *end, int strike)
{
    double sum = 0;
    for (int i = 0; i < 5; ++i) {
        double off = end[i].velocity[0] - (i >= 5 - strike);
        sum += off * off;
    }
    return sqrt(sum / strike);
}

#define CRADLE(n)                                                                                  \
    static void make_cradle_##n(carom_referee_setup *setup)                                        \
    {                                                                                              \
        make_cradle(setup, n);                                                                     \
    }                                                                                              \
    static double judge_cradle_##n(const carom_engine_scene *scene, const carom_engine_state *end) \
    {                                                                                              \
        (void)scene;                                                                               \
        return judge_cradle(end, n);                                                               \
    }
CRADLE(1)
CRADLE(2)
CRADLE(3)
CRADLE(4)

// -- a ball between a wall and a heavy one ---------------------------------------------------

static const double heavy = 100;

static void make_galperin(carom_referee_setup *setup)
{
    setup->scene.restitution = 1;
    carom_referee_add_plane(setup, (double[]){ 0, 0, 0 }, (double[]){ 0, 1, 0 },
                            1); // looks along x
    add_ball(setup, 1, 0);
    carom_engine_body *b = add_ball(setup, 1.5, 0);
    b->mass = heavy;
    for (int k = 0; k < 3; ++k)
        b->inertia[k] *= heavy;
    b->velocity[0] = -1;
}

// The two meet and the light one meets the wall in turn, until neither does any more: 31 times in
// all (Galperin 2003).
static double judge_galperin(const carom_engine_scene *scene, const carom_engine_state *end)
{
    double v = 0, w = -1;
    (void)scene;
    while (w < v || v < 0) { // ends: a finite number of bounces
        double old = v;
        if (v < 0 && w >= v) {
            v = -v;
            continue;
        }
        v = ((1 - heavy) * old + 2 * heavy * w) / (1 + heavy);
        w = ((heavy - 1) * w + 2 * old) / (1 + heavy);
    }
    double light = end[1].velocity[0] - v, large = end[2].velocity[0] - w;
    return sqrt(large * large + light * light / heavy); // by energy
}

// -- racks -----------------------------------------------------------------------------------

enum { RACK_ROWS = 4 };

static void make_rack_at(carom_referee_setup *setup, double offset)
{
    setup->scene.restitution = 1;
    carom_engine_body *cue = add_ball(setup, -2 * radius - 0.02, offset);
    cue->velocity[0] = 1;
    for (int row = 0; row < RACK_ROWS; ++row)
        for (int k = 0; k <= row; ++k)
            add_ball(setup, sqrt(3) * radius * row, radius * (2 * k - row));
}

static void make_rack(carom_referee_setup *setup)
{
    make_rack_at(setup, 0);
}

static void make_rack_offset(carom_referee_setup *setup)
{
    make_rack_at(setup, 0.5 * radius);
}

// Whichever is larger: of the mirror image, or of the energy.
static double judge_rack(const carom_engine_scene *scene, const carom_engine_state *end)
{
    double worst = carom_referee_energy_error(scene, end);
    for (int row = 0, first = 1; row < RACK_ROWS; first += ++row)
        for (int k = 0; k <= row; ++k) {
            const double *a = end[first + k].velocity, *b = end[first + row - k].velocity;
            worst = fmax(worst, fmax(fabs(a[0] - b[0]), fabs(a[2] + b[2])));
        }
    return worst;
}

// -- gravity ---------------------------------------------------------------------------------

static void make_bouncing(carom_referee_setup *setup)
{
    setup->scene.restitution = 0.7;
    setup->scene.gravity[2] = -gravity;
    add_floor(setup);
    add_ball(setup, 0, 1 + radius);
}

// After two bounces it rises to e^4.
static double judge_bouncing(const carom_engine_scene *scene, const carom_engine_state *end)
{
    double v = end[1].velocity[2], e = scene->restitution;
    double height = end[1].position[2] - radius + v * v / (2 * gravity);
    return fabs(height / (e * e * e * e) - 1);
}

static void make_spinning(carom_referee_setup *setup)
{
    setup->scene.friction = 0.3;
    setup->scene.gravity[2] = -gravity;
    add_floor(setup);
    add_ball(setup, 0, radius)->spin[1] = 20;
}

// It rolls with 2/7 of the speed that its rim had.
static double judge_spinning(const carom_engine_scene *scene, const carom_engine_state *end)
{
    double wanted = 2.0 / 7 * scene->bodies[1].spin[1] * radius;
    double v = end[1].velocity[0] - wanted, w = end[1].spin[1] * radius - wanted;
    return sqrt(v * v + 0.4 * w * w) / wanted;
}

// SimBenchmark's rolling (Kang and Hwangbo): thrown without spin, it slips and then rolls.
static void make_rolling(carom_referee_setup *setup)
{
    setup->scene.friction = 0.2;
    setup->scene.gravity[2] = -gravity;
    add_floor(setup);
    carom_engine_body *b = add_ball(setup, 0, radius);
    b->velocity[0] = 0.8; // not along an axis: friction is Coulomb's in all directions
    b->velocity[1] = 0.6;
}

// With 5/7 of its speed, straight on.
static double judge_rolling(const carom_engine_scene *scene, const carom_engine_state *end)
{
    const double *v = end[1].velocity, *thrown = scene->bodies[1].velocity;
    double x = v[0] - 5.0 / 7 * thrown[0], y = v[1] - 5.0 / 7 * thrown[1];
    return sqrt(x * x + y * y) / (5.0 / 7);
}

static void add_box(carom_referee_setup *setup, double mass)
{
    int under = setup->scene.body_count - 1; // boxes below it
    carom_engine_body *b = add_body(setup);
    b->shape = CAROM_ENGINE_BOX;
    b->mass = mass;
    for (int k = 0; k < 3; ++k) {
        b->size[k] = radius;
        b->inertia[k] = 2.0 / 3 * mass * radius * radius;
    }
    b->position[2] = radius * (2 * under + 1);
}

static void make_stack(carom_referee_setup *setup)
{
    setup->scene.friction = 0.5;
    setup->scene.gravity[2] = -gravity;
    add_floor(setup);
    for (int i = 0; i < 6; ++i)
        add_box(setup, 1);
}

// SimBenchmark's hard contact: a heavy box on a light one.
static void make_hard(carom_referee_setup *setup)
{
    setup->scene.friction = 0.5;
    setup->scene.gravity[2] = -gravity;
    add_floor(setup);
    add_box(setup, 1);
    add_box(setup, 1000);
}

// How far a box is from where it stood, in widths.
static double judge_stack(const carom_engine_scene *scene, const carom_engine_state *end)
{
    double worst = 0;
    for (int i = 1; i < scene->body_count; ++i) {
        double square = 0;
        for (int k = 0; k < 3; ++k) {
            double off = end[i].position[k] - scene->bodies[i].position[k];
            square += off * off;
        }
        worst = fmax(worst, sqrt(square) / (2 * radius));
    }
    return worst;
}

static void make_elastic(carom_referee_setup *setup)
{
    static const double walls[4][2][3] = { { { -1.2, 0, 0 }, { 0, 1, 0 } },
                                           { { 1.2, 0, 0 }, { 0, -1, 0 } },
                                           { { 0, -1.2, 0 }, { -1, 0, 0 } },
                                           { { 0, 1.2, 0 }, { 1, 0, 0 } } };
    setup->scene.restitution = 1;
    setup->scene.gravity[2] = -gravity;
    add_floor(setup);
    for (int i = 0; i < 4; ++i)
        carom_referee_add_plane(setup, walls[i][0], walls[i][1], 1);
    for (int i = 0; i < 216; ++i) { // off the grid by amounts without a pattern
        int x = i % 6, y = i / 6 % 6, z = i / 36;
        carom_engine_body *b =
            add_ball(setup, 0.38 * x - 0.95 + 0.02 * ((i * 7) % 5 - 2), 0.4 + 0.35 * z);
        b->position[1] = 0.38 * y - 0.95 + 0.02 * ((i * 11) % 7 - 3);
    }
}

const carom_referee_test carom_referee_tests[] = {
    { "cradle-1", "one of five balls strikes the others; velocities", 0.2, make_cradle_1,
      .judge = judge_cradle_1 },
    { "cradle-2", "two of five; velocities", 0.2, make_cradle_2, .judge = judge_cradle_2 },
    { "cradle-3", "three of five; velocities", 0.2, make_cradle_3, .judge = judge_cradle_3 },
    { "cradle-4", "four of five; velocities", 0.2, make_cradle_4, .judge = judge_cradle_4 },
    { "wall",
      "a ball between a wall and one of 100 times its mass, 31 bounces; velocities, by energy", 4,
      make_galperin, .judge = judge_galperin },
    { "rack", "a cue ball meets a triangle of ten in the middle; its mirror image, or the energy",
      0.3, make_rack, .judge = judge_rack },
    { "rack-offset", "the same half a radius beside the middle; energy", 0.3, make_rack_offset,
      .judge = carom_referee_energy_error },
    { "bouncing", "a ball dropped with restitution 0.7; height after two bounces", 1.3,
      make_bouncing, .judge = judge_bouncing },
    { "spinning", "a spinning ball put on a rough floor; velocity and spin when it rolls", 1,
      make_spinning, .judge = judge_spinning },
    { "rolling", "a ball thrown along a rough floor; velocity when it rolls", 1, make_rolling,
      .judge = judge_rolling },
    { "stack", "six boxes stand for two seconds; largest displacement, widths", 2, make_stack,
      .judge = judge_stack },
    { "hard-contact", "1000 kg rest on 1 kg for two seconds; largest displacement, widths", 2,
      make_hard, .judge = judge_stack },
    { "elastic-666", "216 elastic balls fall into a box for two seconds; energy", 2, make_elastic,
      .judge = carom_referee_energy_error },
    { "energy", "25 elastic discs in a box; energy over four seconds", 4, carom_referee_make_energy,
      .judge_frame = carom_referee_judge_energy },
    { "haff", "196 discs of restitution 0.9 cool; logarithm of the energy against Haff's law", 4,
      carom_referee_make_haff, .judge_frame = carom_referee_judge_haff },
    { "articulated", "eight links on ball joints; energy, momenta, joints over five seconds", 5,
      carom_referee_make_articulated, .judge_frame = carom_referee_judge_articulated },
    { "tosses", "24 measured tosses of a cube; mean distance from it, widths", .tosses = true },
};

int carom_referee_test_count(void)
{
    return (int)(sizeof carom_referee_tests / sizeof *carom_referee_tests);
}

const char *carom_referee_test_name(int test)
{
    return test >= 0 && test < carom_referee_test_count() ? carom_referee_tests[test].name : NULL;
}

double carom_referee_test_interval(int test)
{
    if (test < 0 || test >= carom_referee_test_count() || !carom_referee_tests[test].judge_frame)
        return 0;
    return carom_referee_tests[test].duration / CAROM_REFEREE_FRAMES;
}

const char *carom_referee_test_summary(int test)
{
    return test >= 0 && test < carom_referee_test_count() ? carom_referee_tests[test].words : NULL;
}

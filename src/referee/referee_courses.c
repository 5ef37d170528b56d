// Tests that are judged over time: a gas that keeps its energy, one that cools by Haff's law, a
// chain of links whose momentum and energy are known.
#include "referee/referee.h"

#include <math.h>
#include "carom/random.h"
#include "math/constants.h"

// -- gases -----------------------------------------------------------------------------------

// A gas of so many rows of discs in a box with elastic walls, in the plane of x and z.
static const double radius = 0.1, speed = 2.5; // m; m/s, of each component, root of the mean square
enum { ENERGY_ROWS = 5, HAFF_ROWS = 14 };
static const double half_per_row = 0.4; // m: half the box, per row

static void make_gas(carom_referee_setup *setup, int rows)
{
    static const double axes[4][3] = { { 0, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 1, 0, 0 } };
    double half = half_per_row * rows, cell = 2 * (half - radius) / rows;
    const double places[4][3] = {
        { 0, 0, -half }, { -half, 0, 0 }, { half, 0, 0 }, { 0, 0, half }
    };
    carom_random random = carom_random_make(666, (uint64_t)rows);
    setup->scene.elastic_walls = 1;
    for (int i = 0; i < 4; ++i)
        carom_referee_add_plane(setup, places[i], axes[i], i < 3 ? 1 : 2);
    for (int i = 0; i < rows * rows; ++i) {
        double play = 0.5 * cell - radius;
        double x =
            (i % rows - 0.5 * (rows - 1)) * cell + carom_random_between(&random, -play, play);
        double z =
            (i / rows - 0.5 * (rows - 1)) * cell + carom_random_between(&random, -play, play);
        carom_engine_body *b = carom_referee_add_ball(setup, radius, x, z);
        b->velocity[0] = speed * carom_random_normal(&random);
        b->velocity[2] = speed * carom_random_normal(&random);
    }
}

void carom_referee_make_energy(carom_referee_setup *setup)
{
    setup->scene.restitution = 1;
    make_gas(setup, ENERGY_ROWS);
}

double carom_referee_judge_energy(const carom_engine_scene *scene, const carom_engine_state *states,
                                  double time)
{
    (void)time;
    return carom_referee_energy_error(scene, states);
}

void carom_referee_make_haff(carom_referee_setup *setup)
{
    setup->scene.restitution = 0.9;
    make_gas(setup, HAFF_ROWS);
}

// Haff 1983: E = E_0 / (1 + zeta t / 2)^2, in the plane with Enskog's rate of collisions
// zeta = (1 - e^2) sqrt(pi T / m) n d chi, chi = (1 - 7 nu / 16) / (1 - nu)^2 (Henderson 1975), nu
// the covered part of the area that centres can reach. As a logarithm: of what is left too much
// and too little count alike.
double carom_referee_judge_haff(const carom_engine_scene *scene, const carom_engine_state *states,
                                double time)
{
    double side = 2 * (half_per_row * HAFF_ROWS - radius), count = HAFF_ROWS * HAFF_ROWS;
    double e = scene->restitution, before = carom_referee_energy(scene, NULL);
    double density = count / (side * side), nu = density * CAROM_PI * radius * radius;
    double chi = (1 - 7 * nu / 16) / ((1 - nu) * (1 - nu)), temperature = before / count;
    double rate = (1 - e * e) * sqrt(CAROM_PI * temperature) * density * 2 * radius * chi;
    double wanted = -2 * log(1 + 0.5 * rate * time);
    return fabs(log(carom_referee_energy(scene, states) / before) - wanted);
}

// -- the articulated chain -------------------------------------------------------------------

// The links of scenes/benchmark/articulated-chain.json, turned into the plane of x and z: mass 0.5,
// 0.2 m apart, on ball joints halfway. So small that none meets another.
enum { LINKS = 8 };
static const double link_mass = 0.5, link_inertia = 0.0014, link_length = 0.2;

void carom_referee_make_articulated(carom_referee_setup *setup)
{
    static const double up[LINKS] = { 0, 0.1, 0.3, 0.4, 0.3, 1, 1.1, 0.8 };
    static const double spin[LINKS] = { 3, -2, 4, -3, 2, 5, -4, 1 };
    setup->scene.restitution = 1;
    for (int i = 0; i < LINKS; ++i) {
        carom_engine_body *b = carom_referee_add_ball(setup, 0.002, link_length * i, 0);
        b->mass = link_mass;
        for (int k = 0; k < 3; ++k)
            b->inertia[k] = link_inertia;
        b->velocity[2] = up[i];
        b->spin[1] = -spin[i];
    }
    for (int i = 0; i + 1 < LINKS; ++i)
        setup->joints[setup->scene.joint_count++] =
            (carom_engine_joint){ i, i + 1, { link_length * (i + 0.5), 0, 0 } };
}

// Momentum along x, along z, and about y.
static void momentum(const carom_engine_scene *s, const carom_engine_state *now, double out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (int i = 0; i < LINKS; ++i) {
        const double *x = now ? now[i].position : s->bodies[i].position;
        const double *v = now ? now[i].velocity : s->bodies[i].velocity;
        double w = now ? now[i].spin[1] : s->bodies[i].spin[1];
        out[0] += link_mass * v[0];
        out[1] += link_mass * v[2];
        out[2] += link_mass * (x[2] * v[0] - x[0] * v[2]) + link_inertia * w;
    }
}

// How far the two ends at a joint are apart, in lengths of a link.
static double gap(const carom_engine_state *a, const carom_engine_state *b)
{
    double off[3];
    for (int k = 0; k < 3; k += 2) {
        // half a link along its own x axis, which rotation about y takes into the plane
        const double *q = a->rotation, *r = b->rotation;
        double of_a =
            k == 0 ? 1 - 2 * (q[2] * q[2] + q[3] * q[3]) : 2 * (q[1] * q[3] - q[0] * q[2]);
        double of_b =
            k == 0 ? 1 - 2 * (r[2] * r[2] + r[3] * r[3]) : 2 * (r[1] * r[3] - r[0] * r[2]);
        off[k] = b->position[k] - a->position[k] - 0.5 * link_length * (of_a + of_b);
    }
    return sqrt(off[0] * off[0] + off[2] * off[2]) / link_length;
}

// Whichever is worst: energy, momentum, angular momentum (relative, the latter two by their sizes
// at the start), the joints.
double carom_referee_judge_articulated(const carom_engine_scene *scene,
                                       const carom_engine_state *states, double time)
{
    double before[3], now[3], worst = carom_referee_energy_error(scene, states);
    (void)time;
    momentum(scene, NULL, before);
    momentum(scene, states, now);
    worst = fmax(worst, hypot(now[0] - before[0], now[1] - before[1]) / fabs(before[1]));
    worst = fmax(worst, fabs(now[2] / before[2] - 1));
    for (int i = 0; i + 1 < LINKS; ++i)
        worst = fmax(worst, gap(&states[i], &states[i + 1]));
    return worst;
}

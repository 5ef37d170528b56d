// Each measure against a closed form: lattices, even spreads, stacks, flows, collisions.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "carom/measure.h"
#include "carom/random.h"
#include "math/constants.h"
#include "measure/measure.h"
#include "support/check.h"

static char text[1 << 20];

// A scene of balls: `grid` is the JSON of a generator, `more` further keys.
static carom_scene_world *scene_of(const char *grid, const char *more)
{
    carom_error err = { 0 };
    carom_scene_world *scene = NULL;
    snprintf(text, sizeof text,
             "{\"carom\": 1, \"kind\": \"world\", %s \"materials\": {\"m\": {\"friction\": 0, "
             "\"restitution\": 0}}, \"generators\": [%s]}",
             more, grid);
    CHECK(carom_scene_world_parse("made.json", text, strlen(text), &scene, &err) == CAROM_OK,
          "%s (%s)", err.what, err.where);
    return scene;
}

static const carom_measure_table *table_of(carom_measure *m)
{
    carom_error err = { 0 };
    const carom_measure_table *table = NULL;
    CHECK(carom_measure_finish(m, &table, &err) == CAROM_OK, "%s", err.what);
    return table;
}

static const char cubic[] =
    "{\"grid\": {\"count\": [8, 8, 8], \"spacing\": [1, 1, 1], \"body\": {\"name\": \"b\", "
    "\"shape\": {\"sphere\": 0.5}, \"mass\": 2, \"position\": [0.5, 0.5, 0.5], \"material\": "
    "\"m\"}}}";

// One look at the start of a scene, with contacts of one's own; null contacts: none.
static carom_measure *look(const carom_scene_world *scene, carom_measure_options options,
                           const carom_world_contact *contacts, int count)
{
    carom_error err = { 0 };
    carom_measure *m = NULL;
    carom_world *world = NULL;
    CHECK(carom_scene_world_build(scene, NULL, &world, &err) == CAROM_OK &&
              carom_measure_create(scene, &options, &m, &err) == CAROM_OK,
          "%s", err.what);
    carom_world_record_contacts(world, 1);
    carom_world_contacts_add(world, contacts, count);
    CHECK(carom_measure_look(m, world, 0.01, &err) == CAROM_OK, "%s", err.what);
    carom_world_destroy(world);
    return m;
}

// pi / 6 in every cell, however the box is cut; twice the mass per cube.
static void check_volume(void)
{
    carom_scene_world *scene = scene_of(cubic, "");
    const int cells[][3] = { { 1, 1, 8 }, { 1, 1, 16 }, { 4, 1, 1 }, { 3, 3, 3 } };
    for (int k = 0; k < 4; ++k) {
        carom_measure_options o = { .of = CAROM_MEASURE_PACKING };
        memcpy(o.cells, cells[k], sizeof o.cells);
        if (k == 3) // cells that cut balls along three axes, where points stand for volume
            memcpy(o.box, (double[]){ 0.5, 0.5, 0.5, 6.5, 6.5, 6.5 }, sizeof o.box);
        carom_measure *m = look(scene, o, NULL, 0);
        const carom_measure_table *t = table_of(m);
        double allowance = k < 3 ? 1e-12 : 1e-9; // eighths are exact by symmetry
        CHECK_NEAR(carom_measure_value(t, "packing fraction"), CAROM_PI / 6, 1e-9, "as a whole");
        for (int r = 0; r < t->rows; ++r)
            CHECK_NEAR(t->columns[3].values[r], CAROM_PI / 6, allowance, "cell %d of cut %d", r, k);
        carom_measure_destroy(m);
    }
    carom_measure_options o = { .of = CAROM_MEASURE_DENSITY, .box = { 1, 1, 1, 7, 7, 3 } };
    carom_measure *m = look(scene, o, NULL, 0);
    CHECK_NEAR(carom_measure_value(table_of(m), "density"), 2, 1e-9, "2 kg per cubic metre");
    carom_measure_destroy(m);
    carom_scene_world_close(scene);
}

// Every ball of the lattice touches its neighbours along the axes, with force 1 along z only.
static int lattice_contacts(carom_world_contact *out)
{
    static const int step[3] = { 1, 8, 64 };
    int count = 0;
    for (int i = 0; i < 512; ++i)
        for (int k = 0; k < 3; ++k) {
            int at[3] = { i % 8, i / 8 % 8, i / 64 };
            if (at[k] == 7)
                continue;
            carom_world_contact c = { .a = i, .b = i + step[k], .duration = 0.01 };
            for (int j = 0; j < 3; ++j)
                c.point[j] = at[j] + 0.5 + 0.5 * (j == k);
            c.normal[k] = 1;
            c.impulse[k] = 0.01 * (k + 1); // 1, 2 and 3 N
            out[count++] = c;
        }
    return count;
}

static void check_contacts(void)
{
    static carom_world_contact list[3 * 512];
    int count = lattice_contacts(list);
    carom_scene_world *scene = scene_of(cubic, "");
    const double inner[6] = { 1, 1, 1, 7, 7, 7 };
    carom_measure_options o = { .of = CAROM_MEASURE_COORDINATION };
    memcpy(o.box, inner, sizeof inner);
    carom_measure *m = look(scene, o, list, count);
    CHECK_NEAR(carom_measure_value(table_of(m), "coordination number"), 6, 1e-12, "inside");
    carom_measure_destroy(m);
    o = (carom_measure_options){ .of = CAROM_MEASURE_COORDINATION };
    m = look(scene, o, list, count);
    // 3 * 7 * 64 pairs of 512 balls
    CHECK_NEAR(carom_measure_value(table_of(m), "coordination number"), 2 * 1344 / 512.0, 1e-12,
               "with the surface");
    CHECK_NEAR(carom_measure_value(table_of(m), "share of rattlers"), 1, 1e-12,
               "nothing holds a block without walls: its corners have 3 neighbours, and so has "
               "what is left without them");
    carom_measure_destroy(m);
    o = (carom_measure_options){ .of = CAROM_MEASURE_FABRIC };
    m = look(scene, o, list, count);
    static const char *const parts[] = { "fabric xx", "fabric yy", "fabric zz", "fabric xy" };
    for (int k = 0; k < 4; ++k)
        CHECK_NEAR(carom_measure_value(table_of(m), parts[k]), k < 3 ? 1.0 / 3 : 0, 1e-12, "%s",
                   parts[k]);
    CHECK_NEAR(carom_measure_value(table_of(m), "deviator"), 0, 1e-12, "alike in all directions");
    carom_measure_destroy(m);
    o = (carom_measure_options){ .of = CAROM_MEASURE_FORCES };
    m = look(scene, o, list, count);
    CHECK_NEAR(carom_measure_value(table_of(m), "mean"), 2, 1e-12, "1, 2 and 3 N alike");
    CHECK_NEAR(carom_measure_value(table_of(m), "largest"), 3, 1e-12, "N");
    carom_measure_destroy(m);
    // one metre of branch with k N along each axis per cubic metre
    o = (carom_measure_options){ .of = CAROM_MEASURE_STRESS, .cells = { 2, 3, 5 } };
    memcpy(o.box, inner, sizeof inner);
    m = look(scene, o, list, count);
    static const char *const stress[] = { "stress xx", "stress yy", "stress zz", "stress xy" };
    for (int k = 0; k < 4; ++k)
        CHECK_NEAR(carom_measure_value(table_of(m), stress[k]), k < 3 ? k + 1 : 0, 1e-9, "%s",
                   stress[k]);
    carom_measure_destroy(m);
    carom_scene_world_close(scene);
}

// Contacts of one direction, forces of three sizes: fabric and density of forces in closed form.
static void check_uneven(void)
{
    static carom_world_contact all[3 * 512], list[3 * 512];
    int count = 0;
    for (int i = 0, n = lattice_contacts(all); i < n; ++i)
        if (all[i].normal[2] == 1) {
            list[count] = all[i];
            list[count].impulse[2] = 0.01 * (count % 3 + 1);
            ++count;
        }
    carom_scene_world *scene = scene_of(cubic, "");
    carom_measure_options o = { .of = CAROM_MEASURE_FABRIC };
    carom_measure *m = look(scene, o, list, count);
    CHECK_NEAR(carom_measure_value(table_of(m), "fabric zz"), 1, 1e-12, "all along z");
    CHECK_NEAR(carom_measure_value(table_of(m), "fabric xx"), 0, 1e-12, "none along x");
    // sqrt(3/2) |diag(-1/3, -1/3, 2/3)|
    CHECK_NEAR(carom_measure_value(table_of(m), "deviator"), 1, 1e-12, "as uneven as can be");
    carom_measure_destroy(m);
    o = (carom_measure_options){ .of = CAROM_MEASURE_FORCES };
    m = look(scene, o, list, count);
    const carom_measure_table *t = table_of(m);
    double width = t->columns[0].values[1] - t->columns[0].values[0], whole = 0, peak[3] = { 0 };
    for (int r = 0; r < t->rows; ++r) {
        double share = t->columns[1].values[r] * width, force = t->columns[0].values[r];
        if (!(share > 0))
            continue;
        whole += share;
        for (int k = 0; k < 3; ++k) // 1, 2 and 3 N over their mean, 2 N less what the counts miss
            peak[k] += fabs(force - 0.5 * (k + 1)) < 0.51 * width + 0.01 ? share : 0;
    }
    CHECK_NEAR(whole, 1, 1e-12, "a density of probability");
    for (int k = 0; k < 3; ++k)
        CHECK_NEAR(peak[k], 1.0 / 3, 0.002, "a third at %g times the mean", 0.5 * (k + 1));
    carom_measure_destroy(m);
    carom_scene_world_close(scene);
}

// Cells cut branches without losing any: the sum over cells times volume is sum of f l.
static void check_stress_sum(void)
{
    static carom_world_contact list[3 * 512];
    int count = lattice_contacts(list);
    carom_scene_world *scene = scene_of(cubic, "");
    const int cells[][3] = { { 1, 1, 1 }, { 1, 1, 13 }, { 5, 7, 3 } };
    for (int k = 0; k < 3; ++k) {
        carom_measure_options o = { .of = CAROM_MEASURE_STRESS };
        memcpy(o.cells, cells[k], sizeof o.cells);
        carom_measure *m = look(scene, o, list, count);
        double volume = carom_measure_value(table_of(m), "volume");
        CHECK_NEAR(volume, 512, 1e-9, "the box of the lattice");
        CHECK_NEAR(carom_measure_value(table_of(m), "stress zz") * volume, 3 * 448.0, 1e-9,
                   "3 N over 1 m, 448 times");
        carom_measure_destroy(m);
    }
    carom_scene_world_close(scene);
}

// Columns of balls stand on each other: the stress at a level is the weight above over the area.
static void check_hydrostatic(void)
{
    static const char stack[] =
        "{\"grid\": {\"count\": [3, 3, 6], \"spacing\": [1.2, 1.2, 1], \"body\": {\"name\": \"b\", "
        "\"shape\": {\"sphere\": 0.5}, \"mass\": 2, \"position\": [0, 0, 0.5], \"material\": "
        "\"m\"}}}";
    carom_error err = { 0 };
    carom_scene_world *scene =
        scene_of(stack, "\"events\": 0, \"resting_speed\": 100, \"bodies\": [{\"name\": \"floor\", "
                        "\"shape\": {\"plane\": [0, 0, 1]}, \"kind\": \"fixed\", \"material\": "
                        "\"m\"}],");
    carom_world *world = NULL;
    carom_measure *m = NULL;
    carom_measure_options o = { .of = CAROM_MEASURE_STRESS,
                                .box = { -0.6, -0.6, 0, 3.0, 3.0, 6 },
                                .cells = { 1, 1, 6 } };
    CHECK(carom_scene_world_build(scene, NULL, &world, &err) == CAROM_OK &&
              carom_measure_create(scene, &o, &m, &err) == CAROM_OK,
          "%s", err.what);
    for (int i = 0; i < 50; ++i)
        CHECK(carom_world_step(world, 0.001, &err) == CAROM_OK, "%s", err.what);
    carom_world_record_contacts(world, 1);
    CHECK(carom_world_step(world, 0.001, &err) == CAROM_OK, "%s", err.what);
    CHECK(carom_measure_look(m, world, 0.001, &err) == CAROM_OK, "%s", err.what);
    const carom_measure_table *t = table_of(m);
    double weight = 2 * 9.81, area = 3.6 * 3.6;
    for (int r = 0; r < 6; ++r) { // half a branch carries the weight below, half that above
        double load = 9 * weight * (6 - r - 0.5);
        CHECK_NEAR(t->columns[5].values[r], load / area, 1e-3 * load / area, // resting tolerance
                   "stress zz at level %d", r);
    }
    carom_measure_destroy(m);
    carom_world_destroy(world);
    carom_scene_world_close(scene);
}

// g(r) of an even spread is 1; of a lattice all is at 1, sqrt 2, sqrt 3 ...
static void check_distances(void)
{
    enum { POINTS = 4000 };
    carom_random random = carom_random_make(11, 1);
    char *bodies = malloc(POINTS * 160), *at = bodies;
    at += sprintf(at, "\"bodies\": [");
    for (int i = 0; i < POINTS; ++i)
        at += sprintf(at,
                      "%s{\"name\": \"p%d\", \"group\": 1, \"shape\": {\"sphere\": 0.2}, \"mass\": "
                      "1, \"position\": [%.6f, %.6f, %.6f]}",
                      i ? "," : "", i, carom_random_between(&random, 0, 10),
                      carom_random_between(&random, 0, 12), carom_random_between(&random, 0, 8));
    sprintf(at, "],");
    carom_scene_world *scene = scene_of("", bodies);
    carom_measure_options o = { .of = CAROM_MEASURE_DISTANCES, .box = { 0, 0, 0, 10, 12, 8 } };
    carom_measure *m = look(scene, o, NULL, 0);
    const carom_measure_table *t = table_of(m);
    double sum = 0, pairs = 0;
    for (int r = 0; r < t->rows; ++r) {
        double shell = t->columns[0].values[r] * t->columns[0].values[r];
        sum += t->columns[2].values[r] * shell;
        pairs += shell;
    }
    // some 60,000 pairs within 2 m: a standard deviation of 0.4 %
    CHECK_NEAR(sum / pairs, 1, 0.013, "an even spread");
    carom_measure_destroy(m);
    carom_scene_world_close(scene);
    free(bodies);
    scene = scene_of(cubic, "");
    o = (carom_measure_options){ .of = CAROM_MEASURE_DISTANCES, .bins = 60 };
    m = look(scene, o, NULL, 0);
    t = table_of(m);
    CHECK_NEAR(carom_measure_value(t, "highest at"), 1, 1e-9, "the first shell");
    for (int r = 0; r < t->rows; ++r) {
        double x = t->columns[1].values[r], half = 0.5 / 20.5;
        bool shell = false;
        for (int k = 1; k <= 8; ++k)
            shell = shell || (k != 7 && fabs(x - sqrt(k)) < half);
        if (fabs(fabs(x - 2) - half) < 1e-9)
            continue; // 2 lies between two bins
        CHECK(shell == (t->columns[2].values[r] > 0), "a shell at %.3f", x);
    }
    carom_measure_destroy(m);
    carom_scene_world_close(scene);
}

// The lattice over the ends of a periodic box, and each ball in a copy of its own: in every cell
// pi / 6 of it, 6 neighbours at 1 m and 12 at the root of 2 of every ball, and three contacts of
// 1, 2 and 3 N over 1 m per cubic metre.
static void check_periodic(void)
{
    static carom_world_contact list[3 * 512];
    static char box[1 << 18], *at;
    at = box + sprintf(box, "\"periodic\": {\"x\": [0, 8], \"y\": [-3, 5], \"z\": [0, 8]}, "
                            "\"bodies\": [");
    int count = 0;
    for (int i = 0; i < 512; ++i) {
        int n[3] = { i % 8, i / 8 % 8, i / 64 };
        double x[3] = { n[0] + 0.87 + 8 * (i % 3 - 1), n[1] + 0.31 + 8 * (i % 5), n[2] + 0.77 };
        at += sprintf(at,
                      "%s{\"name\": \"p%d\", \"shape\": {\"sphere\": 0.5}, \"mass\": 2, "
                      "\"position\": [%.3f, %.3f, %.3f]}",
                      i ? "," : "", i, x[0], x[1], x[2]);
        for (int k = 0; k < 3; ++k) {
            int next[3] = { n[0], n[1], n[2] };
            next[k] = (n[k] + 1) % 8;
            carom_world_contact c = { .a = i,
                                      .b = next[0] + 8 * next[1] + 64 * next[2],
                                      .duration = 0.01 };
            for (int j = 0; j < 3; ++j)
                c.point[j] = x[j] + 0.5 * (j == k);
            c.normal[k] = 1;
            c.impulse[k] = 0.01 * (k + 1);
            list[count++] = c;
        }
    }
    sprintf(at, "],");
    carom_scene_world *scene = scene_of("", box);
    const int cells[][3] = { { 1, 1, 8 }, { 8, 1, 1 }, { 2, 4, 8 } };
    for (int k = 0; k < 3; ++k) {
        carom_measure_options o = { .of = CAROM_MEASURE_PACKING };
        memcpy(o.cells, cells[k], sizeof o.cells);
        carom_measure *m = look(scene, o, NULL, 0);
        const carom_measure_table *t = table_of(m);
        CHECK_NEAR(carom_measure_value(t, "volume"), 512, 1e-9, "the periodic box");
        for (int r = 0; r < t->rows; ++r) // a tenth of a diameter stands for what is cut twice
            CHECK_NEAR(t->columns[3].values[r], CAROM_PI / 6, k < 2 ? 1e-12 : 0.02,
                       "cell %d of cut %d", r, k);
        carom_measure_destroy(m);
        o.of = CAROM_MEASURE_STRESS;
        m = look(scene, o, list, count);
        t = table_of(m);
        for (int r = 0; r < t->rows; ++r)
            for (int j = 0; j < 3; ++j)
                CHECK_NEAR(t->columns[3 + j].values[r], j + 1, 1e-9, "stress of cell %d", r);
        carom_measure_destroy(m);
    }
    carom_measure_options o = { .of = CAROM_MEASURE_DISTANCES, .bins = 60 };
    carom_measure *m = look(scene, o, NULL, 0);
    const carom_measure_table *t = table_of(m);
    for (int r = 0; r < t->rows; ++r) {
        double x = t->columns[1].values[r], shells = (x > 1) * 6 + (x > sqrt(2)) * 12;
        if (fabs(x - 1) > 0.05 && fabs(x - sqrt(2)) > 0.05 && x < 1.6)
            CHECK_NEAR(t->columns[3].values[r], shells, 1e-9, "neighbours up to %.2f", x);
    }
    carom_measure_destroy(m);
    carom_scene_world_close(scene);
}

// Balls that fly apart with velocities of a uniform shear: profile and displacement are known.
static void check_motion(void)
{
    carom_error err = { 0 };
    carom_scene_world *scene = scene_of(cubic, "\"gravity\": [0, 0, 0],");
    carom_world *world = NULL;
    carom_measure *flow = NULL, *way = NULL;
    carom_measure_options o = { .of = CAROM_MEASURE_VELOCITY, .cells = { 1, 1, 8 } };
    carom_measure_options d = { .of = CAROM_MEASURE_DISPLACEMENT };
    CHECK(carom_scene_world_build(scene, NULL, &world, &err) == CAROM_OK &&
              carom_measure_create(scene, &o, &flow, &err) == CAROM_OK &&
              carom_measure_create(scene, &d, &way, &err) == CAROM_OK,
          "%s", err.what);
    double squares = 0;
    for (int i = 0; i < 512; ++i) {
        double x[3];
        carom_world_body(world, carom_world_body_at(world, i), x, NULL, NULL, NULL);
        double v[3] = { 0.5 * x[2], 0, 0.25 * x[2] }; // apart: nobody touches
        carom_world_set_velocity(world, carom_world_body_at(world, i), v, (double[3]){ 0 }, &err);
        squares += (v[0] * v[0] + v[2] * v[2]) / 512;
    }
    CHECK(carom_measure_look(flow, world, 0.01, &err) == CAROM_OK, "%s", err.what);
    const carom_measure_table *t = table_of(flow);
    for (int r = 0; r < 8; ++r)
        CHECK_NEAR(t->columns[3].values[r], 0.5 * (r + 0.5), 1e-12, "shear at level %d", r);
    CHECK_NEAR(t->columns[6].values[0], 0, 1e-12, "no temperature within a level");
    for (int i = 0; i < 20; ++i) {
        CHECK(carom_measure_look(way, world, 0.01, &err) == CAROM_OK, "%s", err.what);
        CHECK(carom_world_step(world, 0.01, &err) == CAROM_OK, "%s", err.what);
    }
    t = table_of(way);
    CHECK_NEAR(carom_measure_value(t, "exponent"), 2, 1e-9, "free flight");
    CHECK_NEAR(carom_measure_value(t, "at the end"), squares * 0.19 * 0.19, 1e-9, "v^2 t^2");
    carom_measure_destroy(flow);
    carom_measure_destroy(way);
    carom_world_destroy(world);
    carom_scene_world_close(scene);
}

static const char sparse[] =
    "{\"grid\": {\"count\": [8, 8, 8], \"spacing\": [3, 3, 3], \"body\": {\"name\": \"b\", "
    "\"shape\": {\"sphere\": 0.5}, \"mass\": 2, \"material\": \"m\"}}}";

// Every grain goes one step of known length to either side along each axis, at random: displacement
// grows by 2 D t per axis, and the temperature is that of the velocities.
static void check_random_walk(void)
{
    enum { STEPS = 400 };
    const double dt = 0.01, speed = 0.1, drift = 5;
    carom_error err = { 0 };
    carom_scene_world *scene = scene_of(sparse, "\"gravity\": [0, 0, 0],");
    carom_world *world = NULL;
    carom_measure *way = NULL, *heat = NULL;
    carom_measure_options d = { .of = CAROM_MEASURE_DISPLACEMENT };
    carom_measure_options o = { .of = CAROM_MEASURE_TEMPERATURE };
    CHECK(carom_scene_world_build(scene, NULL, &world, &err) == CAROM_OK &&
              carom_measure_create(scene, &d, &way, &err) == CAROM_OK &&
              carom_measure_create(scene, &o, &heat, &err) == CAROM_OK,
          "%s", err.what);
    carom_random random = carom_random_make(3, 7);
    for (int n = 0; n < STEPS; ++n) {
        for (int i = 0; i < 512; ++i) {
            double v[3];
            for (int k = 0; k < 3; ++k)
                v[k] = carom_random_between(&random, 0, 1) < 0.5 ? -speed : speed;
            carom_world_set_velocity(world, carom_world_body_at(world, i), v, (double[3]){ 0 },
                                     &err);
        }
        CHECK(carom_measure_look(way, world, dt, &err) == CAROM_OK, "%s", err.what);
        CHECK(carom_world_step(world, dt, &err) == CAROM_OK, "%s", err.what);
    }
    const carom_measure_table *t = table_of(way);
    // 3 * 512 walks whose ends scatter by sqrt 2: 3.6 % of their mean square; the slope by twice
    // that
    double end = 3 * pow(speed * dt, 2) * (STEPS - 1);
    CHECK_NEAR(carom_measure_value(t, "at the end"), end, 0.11 * end, "steps add up in squares");
    CHECK_NEAR(carom_measure_value(t, "diffusion"), 0.5 * speed * speed * dt,
               0.2 * 0.5 * speed * speed * dt, "Einstein's constant");
    for (int i = 0; i < 512; ++i) // half to the left, half to the right, and all of them upwards
        carom_world_set_velocity(world, carom_world_body_at(world, i),
                                 (double[3]){ i % 2 ? speed : -speed, 0, drift }, (double[3]){ 0 },
                                 &err);
    CHECK(carom_measure_look(heat, world, dt, &err) == CAROM_OK, "%s", err.what);
    CHECK_NEAR(table_of(heat)->columns[1].values[0], 2 * speed * speed / 3, 1e-12,
               "m v^2 / 3, whatever all of them do together");
    carom_measure_destroy(way);
    carom_measure_destroy(heat);
    carom_world_destroy(world);
    carom_scene_world_close(scene);
}

// A wall that a servo presses is no grain.
static void check_servo(void)
{
    carom_scene_world *scene = scene_of(
        cubic, "\"bodies\": [{\"name\": \"lid\", \"mass\": 1, \"shape\": {\"box\": [8, 8, 1]}, "
               "\"position\": [4, 4, 9.5], \"servo\": {\"stress\": 10, \"direction\": [0, 0, -1], "
               "\"area\": 64}}],");
    carom_measure_options o = { .of = CAROM_MEASURE_PACKING, .box = { 0, 0, 0, 8, 8, 10 } };
    carom_measure *m = look(scene, o, NULL, 0);
    CHECK_NEAR(carom_measure_value(table_of(m), "packing fraction"), 0.8 * CAROM_PI / 6, 1e-9,
               "the lid does not count");
    carom_measure_destroy(m);
    carom_scene_world_close(scene);
}

// What contacts lost is what the ledger lost, in which cell ever.
static void check_dissipation(void)
{
    carom_error err = { 0 };
    carom_scene_world *scene = scene_of(
        "{\"grid\": {\"count\": [4, 4, 4], \"spacing\": [1.1, 1.1, 1.1], \"body\": {\"name\": "
        "\"b\", \"shape\": {\"sphere\": 0.5}, \"mass\": 2, \"position\": [0, 0, 1], \"material\": "
        "\"m\"}}}",
        "\"law\": \"newton\", \"bodies\": [{\"name\": \"floor\", \"shape\": {\"plane\": [0, 0, "
        "1]}, "
        "\"kind\": \"fixed\", \"material\": \"m\"}],");
    carom_world *world = NULL;
    carom_measure *m = NULL;
    carom_measure_options o = { .of = CAROM_MEASURE_DISSIPATION, .box = { -2, -2, -1, 6, 6, 9 } };
    CHECK(carom_scene_world_build(scene, NULL, &world, &err) == CAROM_OK &&
              carom_measure_create(scene, &o, &m, &err) == CAROM_OK,
          "%s", err.what);
    carom_world_record_contacts(world, 1);
    for (int i = 0; i < 60; ++i) {
        CHECK(carom_world_step(world, 0.01, &err) == CAROM_OK, "%s", err.what);
        CHECK(carom_measure_look(m, world, 0.01, &err) == CAROM_OK, "%s", err.what);
    }
    carom_ledger ledger = carom_world_ledger(world);
    CHECK(ledger.law > 10, "balls that do not bounce lose %g J", ledger.law);
    CHECK_NEAR(carom_measure_value(table_of(m), "lost in impacts"), ledger.law, 1e-9 * ledger.law,
               "the same, contact by contact");
    carom_measure_destroy(m);
    carom_world_destroy(world);
    carom_scene_world_close(scene);
}

int main(void)
{
    check_volume();
    check_contacts();
    check_uneven();
    check_stress_sum();
    check_hydrostatic();
    check_distances();
    check_periodic();
    check_motion();
    check_random_walk();
    check_servo();
    check_dissipation();
    return check_report();
}

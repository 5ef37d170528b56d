// Sweeps between round bodies are the general sweeps with less arithmetic: a packing of spheres and
// the same one with inertia that is not quite a number come out alike.
#include <math.h>
#include "base/random.h"
#include "carom/impact.h"
#include "carom/law.h"
#include "support/check.h"

enum { SIDE = 5, BALLS = SIDE * SIDE * SIDE, BODIES = BALLS + 1, MOST = 4 * BALLS };

static carom_impact_body bodies[BODIES];
static carom_impact_contact contacts[MOST];

static int place(int x, int y, int z)
{
    return x + SIDE * (y + SIDE * z);
}

static void touch(int *count, int a, int b, const double normal[3], const double point[3])
{
    carom_impact_contact *c = &contacts[(*count)++];
    *c = carom_impact_contact_default();
    c->a = a;
    c->b = b;
    c->restitution = 0.7;
    c->friction = 0.5;
    for (int k = 0; k < 3; ++k) {
        c->normal[k] = normal[k];
        c->point[k] = point[k];
    }
}

// A cubic packing of balls of radius 0.5 on a floor that rises, thrown about at random.
static carom_impact pack(double uneven)
{
    carom_random random = carom_random_make(8, 0);
    int count = 0;
    bodies[BALLS] = (carom_impact_body){ .velocity = { 0, 0, 0.3 } };
    for (int i = 0; i < BALLS; ++i) {
        int at[3] = { i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE };
        bodies[i] = (carom_impact_body){ .inverse_mass = 1 + i % 3,
                                         .inverse_inertia = { 10, 10 * (1 + uneven), 10 } };
        for (int k = 0; k < 3; ++k) {
            bodies[i].position[k] = at[k];
            bodies[i].velocity[k] = carom_random_unit(&random) - 0.5 - (k == 2);
            bodies[i].spin[k] = 4 * carom_random_unit(&random) - 2;
        }
    }
    for (int i = 0; i < BALLS; ++i) {
        int at[3] = { i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE };
        for (int k = 0; k < 3; ++k) {
            double normal[3] = { k == 0, k == 1, k == 2 };
            double point[3] = { at[0] + 0.5 * normal[0], at[1] + 0.5 * normal[1],
                                at[2] + 0.5 * normal[2] };
            if (at[k] + 1 < SIDE)
                touch(&count, i, place(at[0] + (k == 0), at[1] + (k == 1), at[2] + (k == 2)),
                      normal, point);
        }
        if (at[2] == 0)
            touch(&count, BALLS, i, (double[]){ 0, 0, 1 }, (double[]){ at[0], at[1], -0.5 });
    }
    return (carom_impact){ BODIES, count, bodies, contacts };
}

static carom_impact_outcome resolve(double uneven, double (*v)[3], double (*w)[3], double (*p)[3])
{
    carom_error err = { 0 };
    carom_impact impact = pack(uneven);
    carom_workspace *workspace = carom_workspace_create();
    carom_impact_outcome out = { .velocities = v, .spins = w, .impulses = p };
    carom_workspace_set_accuracy(workspace, 1e-6);
    carom_status status =
        carom_impact_resolve(workspace, &impact, carom_law_find("qce", &err), NULL, &out, &err);
    CHECK(status == CAROM_OK, "resolved: %s", err.what);
    carom_workspace_destroy(workspace);
    return out;
}

int main(void)
{
    static double v[2][BODIES][3], w[2][BODIES][3], p[2][MOST][3];
    carom_impact_outcome round = resolve(0, v[0], w[0], p[0]);
    carom_impact_outcome general = resolve(1e-9, v[1], w[1], p[1]);
    double apart = 0, slides = 0;
    for (int i = 0; i < BODIES; ++i)
        for (int k = 0; k < 3; ++k)
            apart = fmax(apart, fmax(fabs(v[0][i][k] - v[1][i][k]), fabs(w[0][i][k] - w[1][i][k])));
    for (int i = 0; i < pack(0).contact_count; ++i)
        slides = fmax(slides, fmax(fabs(p[0][i][1]), fabs(p[0][i][2])));
    CHECK(slides > 0.01, "friction acts, up to %g N s", slides);
    // the inertia differs by 1e-9, and sweeps that stop at 1e-6 multiply that by their number
    CHECK_MOST(apart, 1e-6, "round and general arithmetic agree");
    CHECK(round.report.sweeps == general.report.sweeps, "in as many sweeps");
    CHECK_MOST(round.report.momentum_error, 1e-12, "momentum is kept");
    CHECK_MOST(round.report.energy_after - round.report.energy_before - round.report.work,
               1e-12 * round.report.energy_before, "no energy is gained");
    return check_report();
}

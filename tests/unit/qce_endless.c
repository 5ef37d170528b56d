// Which contacts can keep QCE sweeps going for ever.
#include "carom/carom.h"
#include "impact/qce.h"
#include "support/check.h"
#include "support/instant.h"

#include <math.h>

static bool endless(const instant *t)
{
    carom_arena *arena = carom_arena_create(0);
    carom_problem problem;
    bool found = false;
    CHECK(carom_problem_build(&t->impact, arena, &problem, NULL) == CAROM_OK, "builds");
    carom_contact_set all = carom_inelastic_island(&problem, 0);
    CHECK(carom_qce_endless(&problem, &all, arena, &found, NULL) == CAROM_OK, "decides");
    carom_arena_destroy(arena);
    return found;
}

// A ball held by walls whose normals are at the given angles.
static bool held(int walls, const double *degrees)
{
    static instant t;
    instant_clear(&t);
    int ball = instant_body(&t, 1, 0, 0, 0);
    for (int i = 0; i < walls; ++i) {
        double c = cos(degrees[i] * acos(-1) / 180), s = sin(degrees[i] * acos(-1) / 180);
        int wall = instant_body(&t, 0, 0, 0, 0);
        instant_contact(&t, wall, ball, vec3_make(-c / 2, -s / 2, 0), vec3_make(c, s, 0));
    }
    return endless(&t);
}

int main(void)
{
    static instant t;
    CHECK(held(2, (const double[]){ 0, 180 }), "parallel walls");
    CHECK(!held(2, (const double[]){ 0, 175 }), "a narrow wedge has an end");
    CHECK(held(3, (const double[]){ 0, 120, 240 }), "three walls around");
    CHECK(held(3, (const double[]){ 0, 100, 200 }), "unevenly");
    CHECK(!held(3, (const double[]){ 0, 80, 170 }), "three walls with a way out");
    const double masses[8] = { 0, 1, 100, 1, 0.01, 1, 10, 0 }, still[8] = { 0 };
    instant_chain(&t, 8, masses, still);
    CHECK(endless(&t), "unequal balls between two walls");
    instant_chain(&t, 7, masses, still);
    CHECK(!endless(&t), "one wall is not enough");
    instant_lattice(&t, 8, 1);
    CHECK(!endless(&t), "free spheres fly apart");
    return check_report();
}

// Simultaneous impacts with friction: `plus` beside Simbody, whose law it is. Bodies of any inertia
// strike a rough floor with one to three points at once, at random: slip turns, stops, reverses.
// With one point all agree. Points of one body that have stopped to slide can share the friction
// along the line between them in any way; what they pass on to the next interval then differs, in
// about one instant of twenty-five.
#include "rough_peer.h"
#include "support/check.h"
#include "support/instant.h"

#include <math.h>
#include <string.h>

// Both stop at a slip of about 1e-6 of the speed, along ways of their own.
#define SAME 2e-6

static instant s;

// Points in a plane below the centre, well apart.
static rough_peer_body random_body(carom_random *random, int count)
{
    rough_peer_body b = { .height = 0.5, .contact_count = count };
    for (int k = 0; k < 3; ++k) {
        b.inertia[k] = 0.1 + 0.05 * carom_random_unit(random);
        b.velocity[k] = 2 * carom_random_unit(random) - 1;
        b.spin[k] = 2 * carom_random_unit(random) - 1;
    }
    b.velocity[2] = -1.5 - carom_random_unit(random);
    b.restitution = carom_random_unit(random);
    b.friction = 0.6 * carom_random_unit(random);
    for (int i = 0; i < count; ++i) {
        double turn = 2 * 3.14159265358979 * (i + 0.3 * carom_random_unit(random)) / count;
        b.points[i][0] = 0.3 * cos(turn);
        b.points[i][1] = 0.3 * sin(turn);
        b.points[i][2] = -b.height;
    }
    return b;
}

static void take(const rough_peer_body *b)
{
    instant_clear(&s);
    instant_wall(&s, vec3_make(0, 0, 0));
    int body = instant_ball(&s, 1, 0.5, vec3_make(0, 0, b->height), vec3_from(b->velocity));
    for (int k = 0; k < 3; ++k) {
        s.bodies[body].inverse_inertia[k] = 1 / b->inertia[k];
        s.bodies[body].inverse_inertia[3 + k] = 0;
        s.bodies[body].spin[k] = b->spin[k];
    }
    for (int i = 0; i < b->contact_count; ++i) {
        vec3 point = { b->points[i][0], b->points[i][1], 0 };
        carom_impact_contact *c = instant_contact(&s, 0, body, point, vec3_make(0, 0, 1));
        c->restitution = b->restitution;
        c->friction = b->friction;
    }
}

int main(void)
{
    enum { PER_COUNT = 40 }; // of 100 each 289 of 300 agree
    carom_random random = carom_random_make(1, 0);
    carom_workspace *workspace = carom_workspace_create();
    for (int count = 1; count <= 3; ++count) {
        double worst = 0;
        int agreed = 0;
        for (int n = 0; n < PER_COUNT; ++n) {
            rough_peer_body b = random_body(&random, count);
            take(&b);
            rough_peer_step(&b);
            instant_run(&s, workspace, "plus", NULL);
            CHECK(s.report.limited == 0, "%d points, number %d: no energy is gained", count, n);
            double off = 0;
            for (int k = 0; k < 3; ++k)
                off = fmax(off, fmax(fabs(s.v[1][k] - b.velocity[k]), fabs(s.w[1][k] - b.spin[k])));
            agreed += off <= SAME;
            worst = fmax(worst, off <= SAME ? off : 0);
            CHECK_MOST(off, count == 1 ? SAME : 0.2, "%d points, number %d", count, n);
        }
        CHECK(10 * agreed >= 9 * PER_COUNT, "%d points: %d of %d agree", count, agreed, PER_COUNT);
        printf("%d points: plus and Simbody agree to %.1e in %d of %d\n", count, worst, agreed,
               PER_COUNT);
    }
    carom_workspace_destroy(workspace);
    instant_free(&s);
    return check_report();
}

// At rest: piles that come to rest, stacks that stay where they are, and books that show it.
#include <math.h>
#include <stdlib.h>
#include "support/check.h"
#include "support/small_world.h"

static const double up[3] = { 0, 0, 1 };

static small_world pile_world(double friction, double restitution)
{
    small_world s = small_world_make("wave");
    s.options.events = 0;
    s.options.resting_speed = 0.2;
    s.material.friction = friction;
    s.material.restitution = restitution;
    small_world_floor(&s, up, 0);
    return s;
}

// A small pile of balls between walls: kinetic energy below 1e-6 of what the drop set free,
// overlaps below 1 % of a diameter, and nothing in the books that time stepping itself brought in.
static void pile(void)
{
    small_world s = pile_world(0.5, 0.3);
    for (int w = 0; w < 4; ++w) {
        const double normal[3] = { w == 0 ? 1 : w == 1 ? -1 : 0, w == 2 ? 1 : w == 3 ? -1 : 0, 0 };
        small_world_floor(&s, normal, -0.16);
    }
    for (int i = 0; i < 36; ++i)
        small_world_ball(&s, 0.05, 1,
                         (double[]){ 0.106 * (i % 3 - 1) + 0.003 * (i % 5), 0.106 * (i / 3 % 3 - 1),
                                     0.06 + 0.11 * (i / 9) },
                         NULL);
    small_world_steps(&s, 1.0 / 600, 2400);
    carom_ledger l = carom_world_ledger(s.world);
    double drop = l.start - l.potential;
    CHECK_MOST(l.kinetic / drop, 1e-6,
               "kinetic energy of a pile at rest, as a share of the drop's");
    CHECK_MOST(l.overlap / 0.1, 0.01, "deepest overlap, in diameters");
    CHECK_MOST(fabs(l.integrator) / drop, 1e-9, "what time stepping brought in");
    CHECK_MOST(l.position_correction, l.rest,
               "position correction gives back less than resting contact took");
    small_world_end(&s);
}

// A wall of boxes, ten rows high, one box thick: bending is what makes it hard to hold.
static void pyramid(void)
{
    small_world s = pile_world(0.5, 0);
    double position[3], max = 0;
    int rows = 10, count = 0, index[64];
    double start[64][3];
    for (int r = 0; r < rows; ++r)
        for (int i = 0; i < rows - r; ++i) {
            double at[3] = { i + 0.5 * r, 0, r + 0.5 };
            for (int k = 0; k < 3; ++k)
                start[count][k] = at[k];
            index[count++] = small_world_box(&s, (double[]){ 0.5, 0.5, 0.5 }, 1000, at, NULL);
        }
    small_world_steps(&s, 1.0 / 60, 300);
    for (int i = 0; i < count; ++i) {
        carom_world_body(s.world, carom_world_body_at(s.world, index[i]), position, NULL, NULL,
                         NULL);
        for (int k = 0; k < 3; ++k)
            max = fmax(max, fabs(position[k] - start[i][k]));
    }
    // the residual of the solver, 1e-8 of the speed gravity gives in a step, over 5 s: 8e-9 m
    CHECK_MOST(max, 1e-6, "a pyramid of ten rows stays in place for 5 s");
    small_world_end(&s);
}

// A block on an incline of friction angle: a thousandth more friction holds it, a thousandth less
// lets it go.
static void incline(double excess)
{
    double angle = 0.3, mu = tan(angle) * (1 + excess), velocity[3], g = 9.81;
    small_world s = small_world_make("qce");
    s.options.events = 0;
    s.options.gravity[0] = g * sin(angle);
    s.options.gravity[2] = -g * cos(angle);
    s.material.friction = mu;
    s.material.restitution = 0;
    small_world_floor(&s, up, 0);
    int block =
        small_world_box(&s, (double[]){ 0.2, 0.1, 0.05 }, 3, (double[]){ 0, 0, 0.05 }, NULL);
    small_world_steps(&s, 1.0 / 240, 240);
    carom_world_body(s.world, carom_world_body_at(s.world, block), NULL, NULL, velocity, NULL);
    double wanted = excess < 0 ? g * (sin(angle) - mu * cos(angle)) : 0;
    // a hundredth of the pull that is left at a thousandth from the threshold
    CHECK_NEAR(velocity[0], wanted, 1e-5 * g, "speed after 1 s at %+g of the threshold", excess);
    small_world_end(&s);
}

// An elastic box keeps its spin at zero however often it lands flat.
static void flat_landings(void)
{
    small_world s = small_world_make("qce");
    s.material.restitution = 1;
    s.material.friction = 0;
    small_world_floor(&s, up, 0);
    int box = small_world_box(&s, (double[]){ 0.3, 0.2, 0.1 }, 1, (double[]){ 0, 0, 0.6 },
                              (double[]){ 0.3, 0.2, 0 });
    small_world_steps(&s, 1.0 / 240, 2400); // about 15 landings
    double spin[3];
    carom_world_body(s.world, carom_world_body_at(s.world, box), NULL, NULL, NULL, spin);
    CHECK_MOST(fabs(spin[0]) + fabs(spin[1]) + fabs(spin[2]), 1e-9, "spin after %lld flat landings",
               (long long)carom_world_ledger(s.world).impacts);
    small_world_end(&s);
}

int main(void)
{
    pile();
    pyramid();
    incline(1e-3);
    incline(-1e-3);
    flat_landings();
    return check_report();
}

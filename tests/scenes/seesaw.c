// A ball falls on a seesaw: the first instant against a solution by hand, then the throw.
#include <math.h>
#include <stdio.h>
#include "support/check.h"
#include "support/play.h"

// The spin of the plank just after the ball has hit it. In the plane of motion (x, z), about the
// fulcrum: the plank with the light ball on it has inertia I, the contact lies at r, the heavy
// ball's centre at r + c, it arrives with velocity v. It neither bounces nor slips, so that an
// impulse j on it ends the slip: v + j/m + (spin of the ball) x (-c) = w x r. Rotations about y
// take (x, z) to (z, -x); with the impulse -j on the plank, I w = -(r_z j_x - r_x j_z).
static double spin_after(double inertia)
{
    const double cos15 = 0.9659258262890683, sin15 = 0.25881904510252074;
    const double m = 10, radius = 0.12, v[2] = { 0, -sqrt(2 * 9.81) };
    // plank coordinates (-0.85, thickness) from the fulcrum; plank x is (cos, -sin), plank z is
    // (sin, cos)
    double r[2] = { -0.85 * cos15 + 0.05 * sin15, 0.85 * sin15 + 0.05 * cos15 };
    double c[2] = { radius * sin15, radius * cos15 }, ball = 0.4 * m * radius * radius;
    // K j = -v, K the response at the contact: of the ball about its centre, of the plank about the
    // fulcrum; an arm (x, z) contributes ((z z, -x z), (-x z, x x)) / inertia
    double a = 1 / m + c[1] * c[1] / ball + r[1] * r[1] / inertia;
    double b = -c[0] * c[1] / ball - r[0] * r[1] / inertia;
    double d = 1 / m + c[0] * c[0] / ball + r[0] * r[0] / inertia;
    double det = a * d - b * b;
    double j[2] = { -(d * v[0] - b * v[1]) / det, -(a * v[1] - b * v[0]) / det };
    double along = j[0] * cos15 - j[1] * sin15, across = j[0] * sin15 + j[1] * cos15;
    CHECK(fabs(along) < 0.6 * across, "the ball sticks where it hits (%g of %g)", along, across);
    return -(r[1] * j[0] - r[0] * j[1]) / inertia;
}

// Plank (4 kg, five parts of one density) and light ball (1 kg) as one body about the fulcrum.
static double inertia_about_fulcrum(void)
{
    const double part[5][5] = { { 2, 0.05, 0.3, 0, 0.025 },       // size along x, z, y; place
                                { 0.02, 0.04, 0.3, 0.755, 0.07 }, //
                                { 0.02, 0.04, 0.3, 0.945, 0.07 }, //
                                { 0.17, 0.04, 0.02, 0.85, 0.07 }, //
                                { 0.17, 0.04, 0.02, 0.85, 0.07 } };
    double volume = 0, second = 0;
    for (int i = 0; i < 5; ++i) {
        double x = part[i][0], z = part[i][1], size = x * z * part[i][2];
        volume += size;
        second += size * ((x * x + z * z) / 12 + part[i][3] * part[i][3] + part[i][4] * part[i][4]);
    }
    double ball = 0.855 * 0.855 + 0.15 * 0.15 + 0.4 * 0.1 * 0.1;
    return 4 / volume * second + ball;
}

int main(void)
{
    play p = play_open("seesaw");
    int plank = play_find(&p, "plank"), light = play_find(&p, "light");
    play_until(&p, 0.4);
    if (p.broken)
        return check_report();
    vec3 start = play_position(&p, light);
    CHECK_MOST(vec3_length(play_velocity(&p, light)), 1e-6, "the light ball lies still before");
    CHECK_MOST(vec3_length(play_spin(&p, plank)), 1e-6, "so does the plank");
    while (fabs(play_spin(&p, plank).y) < 0.5 && p.step < 600 && play_steps(&p, 1))
        ;
    // The torque of gravity changes it by up to 0.4 % within the step of the hit.
    double found = play_spin(&p, plank).y, wanted = spin_after(inertia_about_fulcrum());
    CHECK_NEAR(found, wanted, 0.005 * fabs(wanted), "the plank's spin after the hit");
    vec3 middle = play_position(&p, plank);
    double peak = start.z, slip = 0, speed = 0;
    while (p.step < carom_scene_world_steps(p.scene) && play_steps(&p, 1)) {
        peak = fmax(peak, play_position(&p, light).z);
        speed = fmax(speed, play_velocity(&p, light).z);
        slip = fmax(slip, vec3_length(vec3_sub(play_position(&p, plank), middle)));
    }
    // It turns over the edge (13 mm) and may slip a little where the left end hits the floor.
    CHECK_MOST(slip, 0.05, "the plank stays on its fulcrum");
    CHECK(peak - start.z > 0.8, "the light ball flies %g m up", peak - start.z);
    // what it has when the plank hits the floor carries it v^2 / 2 g beyond the height of that
    // moment
    CHECK_MOST(peak - start.z, 2 * 0.855 * 0.2588 + speed * speed / 19.62 + 0.01,
               "and no higher than its speed carries it");
    printf("seesaw: spin %.4f (by hand %.4f) rad/s, light ball %.3f m up\n", found, wanted,
           peak - start.z);
    play_close(&p);
    return check_report();
}

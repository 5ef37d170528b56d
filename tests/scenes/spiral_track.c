// A ball on a spiral track stays in its channel for two turns and leaves it along the last piece.
#include <math.h>
#include <stdio.h>
#include "support/check.h"
#include "support/play.h"

int main(void)
{
    const double radius = 0.5, drop = 0.8, top = 1, ball = 0.03; // as in the scene, m
    const double pi = 3.14159265358979323846, whole = 4 * pi;
    play p = play_open("spiral-track");
    int body = play_find(&p, "ball");
    double angle = 0, last = NAN, farthest = 0, highest = 0, energy = INFINITY, gained = 0;
    vec3 leaving = { 0 };
    while (p.step < carom_scene_world_steps(p.scene) && angle < whole - 0.05 && play_steps(&p, 1)) {
        vec3 x = play_position(&p, body);
        double now = atan2(x.y, x.x);
        // atan2 jumps by a turn once per turn
        angle += isnan(last) ? now : now - last - 2 * pi * rint((now - last) / (2 * pi));
        last = now;
        farthest = fmax(farthest, fabs(hypot(x.x, x.y) - radius));
        highest = fmax(highest, x.z - (top - drop * angle / whole) - ball);
        carom_ledger ledger = play_ledger(&p);
        gained = fmax(gained, ledger.kinetic + ledger.potential - energy);
        energy = ledger.kinetic + ledger.potential;
        leaving = play_velocity(&p, body);
    }
    CHECK(angle >= whole - 0.05, "the ball comes round twice, %g of %g rad", angle, whole);
    // half the width less the ball's radius, plus the bulge of a wall of 96 corners per turn
    CHECK_MOST(farthest, 0.05 - ball + 0.001, "it stays between the walls");
    CHECK_MOST(highest, 0.035 - ball, "it does not climb above the walls");
    // a held body moves with its velocity at the end of the step: off by up to m (g h)^2 / 2
    CHECK_MOST(gained, 0.5 * 0.882 * 9.81e-3 * 9.81e-3, "no step adds energy to it (J)");
    vec3 along = vec3_unit(vec3_make(0, radius, -drop / whole));
    CHECK_MOST(1 - vec3_dot(vec3_unit(leaving), along), 0.01, "it leaves along the track");
    // It rolls at once on the floor and against the outer wall, and each of the 96 corners per turn
    // stops the part of the velocity across it: it arrives slower than a ball that rolls without
    // any loss, but it does not stop.
    double speed = vec3_length(leaving), free = sqrt(10.0 / 7 * 9.81 * drop);
    CHECK(speed > 0.3 * free && speed < free, "it leaves with %g m/s of at most %g", speed, free);
    printf("spiral track: %.3f s down, leaves with %.3f m/s (rolling without loss: %.3f)\n",
           (double)p.step * p.dt, speed, free);
    play_close(&p);
    return check_report();
}

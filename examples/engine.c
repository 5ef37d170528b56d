// The impact pass in an engine of one's own: balls on a line, steps of 1/60 s, contacts as they are
// found.
#include <math.h>
#include <stdio.h>
#include "carom/pass.h"

enum { BALLS = 6 };
static const double RADIUS = 0.05, DT = 1.0 / 60;

int main(void)
{
    double x[BALLS], v[BALLS] = { 1 }, energy = 0;
    carom_pass *pass;
    carom_error err = { 0 };
    if (carom_pass_create(NULL, &pass, &err) != CAROM_OK)
        return fprintf(stderr, "%s. Fix: %s\n", err.what, err.fix), 1;
    for (int i = 0; i < BALLS; ++i)
        x[i] = 2 * RADIUS * i + (i == 0 ? -0.1 : i > 3 ? 0.003 : 0); // a row of three, a gap, two
    for (int step = 0; step < 30; ++step) {
        carom_pass_report report;
        carom_pass_begin(pass);
        for (int i = 0; i < BALLS; ++i) {
            carom_impact_body ball = carom_impact_body_default();
            ball.position[0] = x[i], ball.velocity[0] = v[i];
            carom_pass_add_body(pass, &ball);
        }
        for (int i = 1; i < BALLS; ++i) {
            carom_pass_contact touch = { .a = i - 1, .b = i, .normal = { 1 }, .restitution = 1 };
            touch.point[0] = 0.5 * (x[i - 1] + x[i]);
            touch.distance = x[i] - x[i - 1] - 2 * RADIUS;
            carom_pass_add_contact(pass, &touch);
        }
        if (carom_pass_resolve(pass, DT, &report, &err) != CAROM_OK)
            return fprintf(stderr, "%s. Fix: %s\n", err.what, err.fix), 1;
        if (report.rounds)
            printf("%.3f s: %d impacts in %d instants\n", step * DT, report.impacts, report.rounds);
        for (int i = 0; i < BALLS; ++i) { // here an engine would solve what rests
            const carom_pass_motion *motion = carom_pass_body(pass, i);
            v[i] = motion->velocity[0];
            x[i] += motion->shift[0] + DT * v[i];
        }
    }
    for (int i = 0; i < BALLS; ++i) {
        printf("ball %d: %.6f m/s\n", i, v[i] + 0.0);
        energy += v[i] * v[i];
    }
    carom_pass_destroy(pass);
    return fabs(energy - 1) > 1e-9 || fabs(v[BALLS - 1] - 1) > 1e-9;
}

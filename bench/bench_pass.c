// The impact pass for other engines on what is broken most often: 16 balls, a cue ball and a rack.
// Time of one step from begin to the last velocity, as an engine pays it; beside it the same step
// without an impact.
//
// The least of many rounds, processor time of one thread. Usage: bench_pass
#include <math.h>
#include <stdio.h>
#include <time.h>
#include "carom/pass.h"

enum { ROWS = 5, BALLS = ROWS * (ROWS + 1) / 2 + 1, ROUNDS = 2000, STEPS = 10 };
static const double RADIUS = 0.0286; // m

typedef struct rack {
    carom_impact_body balls[BALLS];
    carom_pass_contact contacts[6 * BALLS];
    int contact_count;
} rack;

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The cue ball overlaps the first by a quarter of a step, as an engine finds it.
static rack make_rack(double speed, double dt)
{
    rack r = { .contact_count = 0 };
    int ball = 1;
    for (int row = 0; row < ROWS; ++row)
        for (int k = 0; k <= row; ++k, ++ball) {
            r.balls[ball] = carom_impact_body_default();
            r.balls[ball].position[0] = 2 * RADIUS * sqrt(0.75) * row;
            r.balls[ball].position[1] = 2 * RADIUS * (k - 0.5 * row);
        }
    r.balls[0] = carom_impact_body_default();
    r.balls[0].position[0] = -2 * RADIUS + 0.25 * dt * speed;
    r.balls[0].velocity[0] = speed;
    for (int a = 0; a < BALLS; ++a)
        for (int b = a + 1; b < BALLS; ++b) {
            const double *x = r.balls[a].position, *y = r.balls[b].position;
            double apart = hypot(y[0] - x[0], y[1] - x[1]);
            if (apart > 2 * RADIUS + 1e-9)
                continue;
            carom_pass_contact *c = &r.contacts[r.contact_count++];
            *c = (carom_pass_contact){
                .a = a, .b = b, .distance = apart - 2 * RADIUS, .restitution = 1
            };
            for (int k = 0; k < 2; ++k) {
                c->normal[k] = (y[k] - x[k]) / apart;
                c->point[k] = 0.5 * (x[k] + y[k]);
            }
        }
    return r;
}

// One step as an engine pays it; returns the speed of the fastest ball.
static double step(carom_pass *pass, const rack *r, double dt)
{
    double fastest = 0;
    carom_error err = { 0 };
    carom_pass_begin(pass);
    for (int i = 0; i < BALLS; ++i)
        carom_pass_add_body(pass, &r->balls[i]);
    for (int i = 0; i < r->contact_count; ++i)
        carom_pass_add_contact(pass, &r->contacts[i]);
    if (carom_pass_resolve(pass, dt, NULL, &err) != CAROM_OK)
        return -1;
    for (int i = 0; i < BALLS; ++i)
        fastest = fmax(fastest, fabs(carom_pass_body(pass, i)->velocity[0]));
    return fastest;
}

static double least_seconds(const carom_pass_options *options, double speed)
{
    const double dt = 1.0 / 60;
    carom_pass *pass = NULL;
    carom_error err = { 0 };
    double least = HUGE_VAL, sum = 0;
    rack r = make_rack(speed, dt);
    if (carom_pass_create(options, &pass, &err) != CAROM_OK)
        return -1;
    for (int round = 0; round < ROUNDS; ++round) {
        double start = cpu_seconds();
        for (int i = 0; i < STEPS; ++i)
            sum += step(pass, &r, dt);
        least = fmin(least, (cpu_seconds() - start) / STEPS);
    }
    carom_pass_destroy(pass);
    return sum >= 0 ? least : -1;
}

int main(void)
{
    static const char *const laws[] = { "qce", "wave", "gr", "newton" };
    printf("law,step_without_impact_us,step_with_impact_us\n");
    for (int i = 0; i < 4; ++i) {
        carom_pass_options options = carom_pass_options_default();
        options.law = carom_law_find(laws[i], NULL);
        options.law_options = carom_law_defaults(options.law);
        printf("%s,%.2f,%.2f\n", laws[i], 1e6 * least_seconds(&options, 0),
               1e6 * least_seconds(&options, 1));
    }
    return 0;
}

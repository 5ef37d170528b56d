// Theorem 7.1 of [Collapse]: two bricks that meet, by the step of towers and by the laws of impact.
#include "gallery/gallery_instant.h"
#include "gallery/gallery_tower.h"

#include <math.h>
#include <string.h>

// Two bricks, no gravity; the first flies at the second, which lies higher by `offset`.
static carom_status crash(double offset, double v[2][3], double *lost, carom_error *err)
{
    carom_tower *tower = carom_tower_create(0);
    carom_tower_motion *motion = NULL;
    carom_tower_motion_options options = carom_tower_motion_default();
    carom_tower_body brick = { .width = 1, .height = 0.25, .x = -1.05, .y = 5 };
    static const double flight[3] = { 1, 0, 0 };
    options.dt = 1.0 / 1024;
    carom_status status = tower ? CAROM_OK : carom_error_set(err, CAROM_NO_MEMORY, "no memory");
    if (status == CAROM_OK)
        status = carom_tower_add_body(tower, &brick, NULL, err);
    brick.x = 0;
    brick.y += offset;
    brick.mass = 3;
    if (status == CAROM_OK)
        status = carom_tower_add_body(tower, &brick, NULL, err);
    if (status == CAROM_OK)
        status = carom_tower_motion_create(tower, &options, &motion, err);
    if (status == CAROM_OK)
        status = carom_tower_motion_set_velocity(motion, 0, flight, err);
    *lost = 0;
    for (int n = 0; n < 56 && status == CAROM_OK; ++n) { // the gap of 0.05 closes after 51.2 steps
        carom_tower_step step;
        status = carom_tower_motion_step(motion, &step, err);
        *lost -= step.energy_gain;
    }
    for (int b = 0; b < 2 && status == CAROM_OK; ++b)
        carom_tower_motion_velocity(motion, b, v[b]);
    carom_tower_motion_destroy(motion);
    carom_tower_destroy(tower);
    return status;
}

// The same instant by the impact law `inelastic`, in three dimensions: shares no code with towers.
static carom_status crash_law(carom_gallery_result *result, double offset, double v[2][3],
                              carom_error *err)
{
    carom_impact_body bodies[2];
    carom_impact_contact contacts[2];
    carom_impact_outcome out;
    for (int b = 0; b < 2; ++b) {
        double mass = b ? 3 : 1, inertia = mass * (1 + 0.0625) / 12;
        bodies[b] = carom_impact_body_default();
        bodies[b].inverse_mass = 1 / mass;
        for (int k = 0; k < 3; ++k)
            bodies[b].inverse_inertia[k] = 1 / inertia;
        bodies[b].position[0] = b;
        bodies[b].position[1] = b ? offset : 0;
        contacts[b] = carom_impact_contact_default();
        contacts[b].restitution = 0;
        contacts[b].point[0] = 0.5;
        contacts[b].point[1] = b ? 0.125 : offset - 0.125; // both ends of the common interval
    }
    bodies[0].velocity[0] = 1;
    carom_impact impact = { 2, 2, bodies, contacts };
    TRY(carom_gallery_instant_resolve(result, &impact, "inelastic", &out, err));
    for (int b = 0; b < 2; ++b) {
        v[b][0] = out.velocities[b][0];
        v[b][1] = out.velocities[b][1];
        v[b][2] = out.spins[b][2];
    }
    return CAROM_OK;
}

carom_status carom_gallery_tower_crash(carom_gallery_result *result, carom_error *err)
{
    enum { POINTS = 9 };
    static const double wanted[2][3] = { { 0.25, 0, 0 }, { 0.25, 0, 0 } };
    double offset[POINTS], tower[POINTS], law[POINTS], loss[POINTS], worst = 0, carnot = 0;
    for (int n = 0; n < POINTS; ++n) {
        double v[2][3], w[2][3], lost;
        offset[n] = 0.025 * n;
        TRY(crash(offset[n], v, &lost, err));
        TRY(crash_law(result, offset[n], w, err));
        if (n == 0)
            for (int b = 0; b < 2; ++b)
                carom_gallery_result_near(result,
                                          b ? "head on: speed of the second brick"
                                            : "head on: speed of the first brick",
                                          "brick units", wanted[b][0], v[b][0], 1e-9);
        for (int b = 0; b < 2; ++b)
            for (int k = 0; k < 3; ++k)
                worst = fmax(worst, fabs(v[b][k] - w[b][k]));
        // Carnot: what is lost is the kinetic energy of the lost velocity
        double gone = 0;
        for (int b = 0; b < 2; ++b) {
            double mass = b ? 3 : 1, inertia = mass * (1 + 0.0625) / 12,
                   d[3] = { w[b][0] - (b == 0), w[b][1], w[b][2] };
            gone += 0.5 * (mass * (d[0] * d[0] + d[1] * d[1]) + inertia * d[2] * d[2]);
        }
        carnot = fmax(carnot, fabs(lost - gone));
        tower[n] = v[0][2];
        law[n] = w[0][2];
        loss[n] = lost;
    }
    carom_gallery_result_at_most(result,
                                 "largest difference of a velocity to the standard inelastic "
                                 "impact (law `inelastic`), nine offsets",
                                 "brick units", worst, 2e-3);
    carom_gallery_result_at_most(result,
                                 "energy lost, against the kinetic energy of the lost velocity",
                                 "brick units", carnot, 2e-3);
    carom_plot_series series[] = {
        { "position-based step", offset, tower, POINTS, CAROM_PLOT_LINE, "s0", NULL, 2 },
        { "law inelastic", offset, law, POINTS, CAROM_PLOT_DOTS, "s1", NULL, 4 },
        { "energy lost", offset, loss, POINTS, CAROM_PLOT_LINE, "s2", "5 3", 2 },
    };
    carom_plot plot = { .title = "A brick flies into one of triple mass that lies higher",
                        .x = { "offset", "brick lengths", 0, 0, false, 0 },
                        .y = { "spin of the first, and energy lost", "brick units", 0, 0, false,
                               0 },
                        .series = series,
                        .count = 3 };
    carom_gallery_result_plots(result, &plot, 1, 1,
                               "Spin of the striking brick after the impact, by towers and by the "
                               "impact law.");
    carom_gallery_result_note(result, "Steps of 1/1024. The impact falls between two steps and is "
                                      "spread over them, so that velocities agree to the size of a "
                                      "step; head on they agree to round-off.");
    return CAROM_OK;
}

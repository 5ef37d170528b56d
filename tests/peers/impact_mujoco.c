// MuJoCo's Newton solver: one step with constant impedance 0.9 and a damping that asks for
// 1 + e times the approach within the step.
#define _POSIX_C_SOURCE 200809L // mkstemp
#include "impact_peer.h"

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *const impact_peer_name = "MuJoCo", *const impact_peer_law = "soft",
                  *const impact_peer_options = "impedance=0.9";

static const double STEP = 1e-3, IMPEDANCE = 0.9;

// MuJoCo reads models from files.
static mjModel *make_model(const impact_peer_problem *problem)
{
    char path[] = "/tmp/carom-impact-XXXXXX", error[500] = "";
    FILE *file = fdopen(mkstemp(path), "w");
    fprintf(
        file,
        "<mujoco><option timestep=\"%g\" gravity=\"0 0 0\" solver=\"Newton\" iterations=\"200\" "
        "tolerance=\"0\"/><default><geom type=\"sphere\" size=\"0.5\" mass=\"1\" condim=\"1\" "
        "margin=\"1e-6\" solref=\"-1e-9 %.17g\" solimp=\"%g %g 0.001 0.5 2\"/></default>"
        "<worldbody>",
        STEP, -(1 + problem->restitution) * IMPEDANCE / STEP, IMPEDANCE, IMPEDANCE);
    for (int i = 0; i < problem->count; ++i) {
        const double *x = problem->position[i];
        fprintf(file, "<body pos=\"%.17g %.17g %.17g\"><freejoint/><geom/></body>", x[0], x[1],
                x[2]);
    }
    fprintf(file, "</worldbody></mujoco>");
    fclose(file);
    mjModel *model = mj_loadXML(path, NULL, error, sizeof error);
    if (!model)
        fprintf(stderr, "MuJoCo refuses the model: %s\n", error);
    unlink(path);
    return model;
}

void impact_peer_step(impact_peer_problem *problem)
{
    mjModel *model = make_model(problem);
    if (!model)
        exit(1);
    mjData *data = mj_makeData(model);
    for (int i = 0; i < problem->count; ++i)
        for (int k = 0; k < 3; ++k)
            data->qvel[6 * i + k] = problem->velocity[i][k];
    mj_step(model, data);
    for (int i = 0; i < problem->count; ++i)
        for (int k = 0; k < 3; ++k)
            problem->velocity[i][k] = data->qvel[6 * i + k];
    mj_deleteData(data);
    mj_deleteModel(model);
}

// MuJoCo with the pass of examples/pass/mujoco.h.
#include "pass_peer.h"

#include "../../examples/pass/mujoco.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct world {
    mjModel *model;
    mjData *data;
    carom_pass *pass;
} world;

const char *const pass_peer_name = "MuJoCo";

// The model is compiled from memory, by the name of a file that does not exist.
static mjModel *compile(const char *text)
{
    char why[256];
    mjVFS *files = malloc(sizeof *files);
    if (!files)
        abort();
    mj_defaultVFS(files);
    mj_makeEmptyFileVFS(files, "balls.xml", (int)strlen(text) + 1);
    memcpy(files->filedata[0], text, strlen(text) + 1);
    mjModel *model = mj_loadXML("balls.xml", files, why, sizeof why);
    mj_deleteVFS(files);
    free(files);
    return model;
}

void *pass_peer_create(const pass_ball *balls, int count, double radius, double dt)
{
    static char text[1 << 14];
    int at = snprintf(text, sizeof text,
                      "<mujoco><option timestep='%.17g' gravity='0 0 0'/><default><geom "
                      "friction='0 0 0' condim='1' margin='1e-4' gap='1e-4'/>"
                      "</default><worldbody>",
                      dt);
    for (int i = 0; i < count; ++i)
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "<body pos='%.17g %.17g %.17g'><freejoint/><geom type='sphere' size='%.17g' "
                       "mass='1'/></body>",
                       balls[i].position[0], balls[i].position[1], balls[i].position[2], radius);
    snprintf(text + at, sizeof text - (size_t)at, "</worldbody></mujoco>");
    world *w = calloc(1, sizeof *w);
    if (!w || !(w->model = compile(text)) || !(w->data = mj_makeData(w->model)) ||
        carom_pass_create(NULL, &w->pass, NULL) != CAROM_OK)
        abort();
    for (int i = 0; i < count; ++i)
        mju_copy3(w->data->qvel + 6 * i, balls[i].velocity);
    return w;
}

void pass_peer_step(void *data, double dt)
{
    world *w = data;
    (void)dt;
    if (pass_mujoco_step(w->model, w->data, w->pass, 1, NULL) != CAROM_OK)
        abort();
}

void pass_peer_state(void *data, int ball, pass_ball *out)
{
    world *w = data;
    mju_copy3(out->position, w->data->qpos + 7 * ball);
    mju_copy3(out->velocity, w->data->qvel + 6 * ball);
}

void pass_peer_destroy(void *data)
{
    world *w = data;
    carom_pass_destroy(w->pass);
    mj_deleteData(w->data);
    mj_deleteModel(w->model);
    free(w);
}

// MuJoCo: its soft contacts, Newton solver, elliptic cones.
//
// It has no restitution. A contact is a damped spring whose acceleration is -b v - k r; with the
// damping ratio z of e = exp(-pi z / sqrt(1 - z^2)) a single contact bounces by e. k is as large as
// the step allows: the time constant is two steps, the least that MuJoCo's manual recommends.
#include "adapter.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct mujoco_world {
    mjModel *model;
    mjData *data;
    int *bodies;
} mujoco_world;

static double damping_ratio(double e)
{
    if (e >= 1)
        return 0;
    double l = log(fmax(e, 1e-9));
    return fmin(-l / sqrt(M_PI * M_PI + l * l), 1);
}

static void write_body(FILE *xml, const carom_engine_body *b, int number, const char *contact)
{
    static const char *const kinds[] = { "plane", "sphere", "box" };
    const double *x = b->position, *q = b->rotation, *s = b->size, *o = b->offset;
    double size[3] = { s[0], s[1], s[2] };
    if (b->shape == CAROM_ENGINE_PLANE)
        size[0] = size[1] = 100, size[2] = 1;
    fprintf(xml, "<body name='b%d' pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'>", number,
            x[0], x[1], x[2], q[0], q[1], q[2], q[3]);
    if (b->mass > 0)
        fprintf(xml,
                "<freejoint/><inertial pos='0 0 0' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>",
                b->mass, b->inertia[0], b->inertia[1], b->inertia[2]);
    fprintf(xml, "<geom type='%s' pos='%.17g %.17g %.17g' size='%.17g %.17g %.17g' %s/></body>\n",
            kinds[b->shape], o[0], o[1], o[2], size[0], size[1], size[2], contact);
}

// How contacts with restitution e behave: solref in its direct form, -stiffness and -damping, in
// the time constant and ratio of the manual. Of two geometries that with the higher priority
// decides.
static void write_contact(char out[256], const carom_engine_scene *s, double e, int priority)
{
    double z = damping_ratio(e), constant = 2 * s->step;
    double stiffness = 1 / (constant * constant), damping = 2 * z * sqrt(stiffness);
    snprintf(out, 256,
             "friction='%.17g 0 0' solref='%.17g %.17g' solimp='0.999 0.9999 0.001' condim='3' "
             "priority='%d'",
             s->friction, -stiffness, -damping - 1e-9, priority);
}

// Joints are equality constraints between free bodies, as stiff as the contacts; the anchor is in
// the frame of the first body.
static void write_joints(FILE *xml, const carom_engine_scene *s)
{
    fprintf(xml, "<equality>");
    for (int i = 0; i < s->joint_count; ++i) {
        const carom_engine_joint *j = &s->joints[i];
        const carom_engine_body *a = &s->bodies[j->a];
        mjtNum arm[3], back[4], local[3];
        mju_sub3(arm, j->anchor, a->position);
        mju_negQuat(back, a->rotation);
        mju_rotVecQuat(local, arm, back);
        fprintf(xml,
                "<connect body1='b%d' body2='b%d' anchor='%.17g %.17g %.17g' solref='%.17g 1' "
                "solimp='0.999 0.9999 0.001'/>",
                j->a, j->b, local[0], local[1], local[2], 2 * s->step);
    }
    fprintf(xml, "</equality>");
}

static char *write_model(const carom_engine_scene *s)
{
    char contact[256], wall[256], *text = NULL;
    size_t size;
    FILE *xml = open_memstream(&text, &size);
    if (!xml)
        return NULL;
    write_contact(contact, s, s->restitution, 0);
    write_contact(wall, s, s->elastic_walls ? 1 : s->restitution, 1);
    fprintf(xml,
            "<mujoco><compiler balanceinertia='false' boundmass='0'/>"
            "<option timestep='%.17g' gravity='%.17g %.17g %.17g' solver='Newton' cone='elliptic' "
            "iterations='%d' "
            "tolerance='1e-12' impratio='10'/><size nconmax='%d' njmax='%d'/><worldbody>\n",
            s->step, s->gravity[0], s->gravity[1], s->gravity[2],
            s->iterations > 0 ? s->iterations : 100, 5 * s->body_count + 50,
            15 * s->body_count + 150); // contacts, rows: memory grows with their square
    for (int i = 0; i < s->body_count; ++i)
        write_body(xml, &s->bodies[i], i, s->bodies[i].mass > 0 ? contact : wall);
    fprintf(xml, "</worldbody>");
    if (s->joint_count > 0)
        write_joints(xml, s);
    fprintf(xml, "</mujoco>\n");
    fclose(xml);
    return text;
}

// The model is compiled from memory, by the name of a file that does not exist.
static mjModel *compile(const char *text, char *why, size_t size)
{
    mjVFS *files = malloc(sizeof *files);
    mjModel *model = NULL;
    if (files) {
        mj_defaultVFS(files);
        mj_makeEmptyFileVFS(files, "scene.xml", (int)strlen(text) + 1);
        memcpy(files->filedata[0], text, strlen(text) + 1);
        model = mj_loadXML("scene.xml", files, why, (int)size);
        mj_deleteVFS(files);
    }
    free(files);
    return model;
}

// MuJoCo keeps the spin of a free body in its own frame.
static void set_motion(mujoco_world *w, const carom_engine_scene *s)
{
    int at = 0;
    for (int i = 0; i < s->body_count; ++i) {
        mjtNum back[4];
        const carom_engine_body *b = &s->bodies[i];
        w->bodies[i] = at;
        if (b->mass == 0)
            continue;
        mju_negQuat(back, b->rotation);
        mju_copy3(w->data->qvel + 6 * at, b->velocity);
        mju_rotVecQuat(w->data->qvel + 6 * at + 3, b->spin, back);
        ++at;
    }
}

static void destroy(void *world)
{
    mujoco_world *w = world;
    if (w->data)
        mj_deleteData(w->data);
    if (w->model)
        mj_deleteModel(w->model);
    free(w->bodies);
    free(w);
}

static void *create(const carom_engine_scene *scene, char *why, size_t size)
{
    mujoco_world *w = calloc(1, sizeof *w);
    char *text = write_model(scene);
    if (w && text) {
        w->bodies = calloc((size_t)scene->body_count, sizeof *w->bodies);
        w->model = compile(text, why, size);
        w->data = w->model && w->bodies ? mj_makeData(w->model) : NULL;
    }
    free(text);
    for (char *c = why; *c; ++c)
        if (*c == '\n')
            *c = ' ';
    if (w && !w->data) {
        destroy(w);
        return NULL;
    }
    if (w)
        set_motion(w, scene);
    return w;
}

static void step(void *world, double dt)
{
    mujoco_world *w = world;
    (void)dt;
    mj_step(w->model, w->data);
}

static void state(void *world, int i, carom_engine_state *out)
{
    mujoco_world *w = world;
    const mjtNum *q = w->data->qpos + 7 * w->bodies[i], *v = w->data->qvel + 6 * w->bodies[i];
    mju_copy3(out->position, q);
    mju_copy4(out->rotation, q + 3);
    mju_copy3(out->velocity, v);
    mju_rotVecQuat(out->spin, v + 3, q + 3);
}

// Warnings of a diverging run are its states; they have no other place.
static void silent(const char *words)
{
    (void)words;
}

int main(void)
{
    const adapter engine = { "MuJoCo 2.2", create, step, state, destroy };
    mju_user_warning = silent;
    return adapter_main(&engine);
}

// The protocol's side of an engine's program: reads scenes, runs them, writes states and the
// processor time of the steps. What an engine prints by itself (Simbody traces its solver) goes
// nowhere: answers have a stream of their own.
#include "adapter.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static FILE *answers;

static void numbers(const json_t *from, const char *key, double *out, size_t count)
{
    const json_t *list = json_object_get(from, key);
    for (size_t i = 0; i < count; ++i)
        out[i] = json_number_value(json_array_get(list, i));
}

static void read_body(const json_t *from, carom_engine_body *b)
{
    const char *shape = json_string_value(json_object_get(from, "shape"));
    b->shape = CAROM_ENGINE_PLANE;
    if (shape && strcmp(shape, "sphere") == 0)
        b->shape = CAROM_ENGINE_SPHERE;
    if (shape && strcmp(shape, "box") == 0)
        b->shape = CAROM_ENGINE_BOX;
    b->mass = json_number_value(json_object_get(from, "mass"));
    numbers(from, "size", b->size, 3);
    numbers(from, "offset", b->offset, 3);
    numbers(from, "inertia", b->inertia, 3);
    numbers(from, "position", b->position, 3);
    numbers(from, "rotation", b->rotation, 4);
    numbers(from, "velocity", b->velocity, 3);
    numbers(from, "spin", b->spin, 3);
}

static int whole(const json_t *from, const char *key)
{
    return (int)json_integer_value(json_object_get(from, key));
}

static void read_scene(const json_t *from, carom_engine_scene *s, carom_engine_body *bodies,
                       carom_engine_joint *joints)
{
    const json_t *list = json_object_get(from, "bodies"), *held = json_object_get(from, "joints");
    s->bodies = bodies;
    s->body_count = (int)json_array_size(list);
    for (int i = 0; i < s->body_count; ++i)
        read_body(json_array_get(list, (size_t)i), &bodies[i]);
    s->joints = joints;
    s->joint_count = (int)json_array_size(held);
    for (int i = 0; i < s->joint_count; ++i) {
        const json_t *joint = json_array_get(held, (size_t)i);
        joints[i].a = whole(joint, "a");
        joints[i].b = whole(joint, "b");
        numbers(joint, "anchor", joints[i].anchor, 3);
    }
    s->elastic_walls = json_is_true(json_object_get(from, "elastic_walls"));
    numbers(from, "gravity", s->gravity, 3);
    s->restitution = json_number_value(json_object_get(from, "restitution"));
    s->friction = json_number_value(json_object_get(from, "friction"));
    s->step = json_number_value(json_object_get(from, "step"));
    s->steps = whole(from, "steps");
    s->every = whole(from, "every");
    s->iterations = whole(from, "iterations");
    s->setting = json_string_value(json_object_get(from, "setting"));
}

static double processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void write_frame(const adapter *engine, void *world, const carom_engine_scene *s,
                        double time)
{
    for (int i = 0; i < s->body_count; ++i) {
        const carom_engine_body *b = &s->bodies[i];
        carom_engine_state state = { 0 };
        memcpy(state.position, b->position, sizeof state.position);
        memcpy(state.rotation, b->rotation, sizeof state.rotation);
        if (b->mass > 0)
            engine->state(world, i, &state);
        const double *x = state.position, *q = state.rotation, *v = state.velocity, *w = state.spin;
        fprintf(answers,
                "%.9g,%d,%.15g,%.15g,%.15g,%.15g,%.15g,%.15g,%.15g,%.15g,%.15g,%.15g,%.15g,%.15g,"
                "%.15g\n",
                time, i, x[0], x[1], x[2], q[0], q[1], q[2], q[3], v[0], v[1], v[2], w[0], w[1],
                w[2]);
    }
}

static void answer(const adapter *engine, const carom_engine_scene *s)
{
    char why[200] = "the engine could not make its world";
    void *world = engine->create(s, why, sizeof why);
    if (!world) {
        fprintf(answers, "error %s\n", why);
        return;
    }
    double spent = 0;
    for (int done = 0; done + s->every <= s->steps; done += s->every) {
        double before = processor_time();
        for (int k = 0; k < s->every; ++k)
            engine->step(world, s->step);
        spent += processor_time() - before;
        write_frame(engine, world, s, (done + s->every) * s->step);
    }
    fprintf(answers, "seconds %.9g\n", spent);
    engine->destroy(world);
}

static void answer_one(const adapter *engine, const json_t *root)
{
    size_t count = json_array_size(json_object_get(root, "bodies"));
    size_t held = json_array_size(json_object_get(root, "joints"));
    carom_engine_body *bodies = calloc(count + 1, sizeof *bodies);
    carom_engine_joint *joints = calloc(held + 1, sizeof *joints);
    carom_engine_scene scene = { 0 };
    if (bodies && joints && count > 0) {
        read_scene(root, &scene, bodies, joints);
        answer(engine, &scene);
    } else {
        fprintf(answers, "error there is no scene with bodies\n");
    }
    fprintf(answers, "\n");
    free(joints);
    free(bodies);
}

// The standard output as it was becomes `answers`; whatever is printed from now on is lost.
static int take_output(void)
{
    int answering = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY);
    answers = answering >= 0 ? fdopen(answering, "w") : NULL;
    if (!answers || nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0)
        return -1;
    close(nowhere);
    return 0;
}

int adapter_main(const adapter *engine)
{
    char *line = NULL;
    size_t size = 0;
    if (take_output() != 0)
        return 1;
    fprintf(answers, "%s\n", engine->name);
    fflush(answers);
    while (getline(&line, &size, stdin) > 0) {
        json_error_t wrong;
        json_t *root = json_loads(line, 0, &wrong);
        if (!root)
            fprintf(answers, "error the line is no JSON: %s\n\n", wrong.text);
        for (size_t i = 0; i < json_array_size(root); ++i)
            answer_one(engine, json_array_get(root, i));
        if (json_is_object(root))
            answer_one(engine, root);
        fflush(answers);
        json_decref(root);
    }
    free(line);
    return fclose(answers) == 0 ? 0 : 1;
}

// Wrong calls from C: null pointers and indices out of range in every public function end in a
// status or a neutral value, in every build. The calls are written by misuse_calls.py from the
// headers; each runs in a process of its own, so that a fault is seen and the others go on. Under
// sanitizers, where a process is dear, a dozen share one; each has its own where something goes
// wrong.
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "carom/carom.h"
#include "support/check.h"

enum { SECONDS = 20, ALIGNED = 64 }; // SECONDS of processor time, under sanitizers too

static _Alignas(ALIGNED) char zeros[1 << 20];

// One sound object of each kind that only the library can make.
static struct {
    carom_bounce_direct *bounce_direct;
    carom_bounce_file *bounce_file;
    carom_bounce_map *bounce_map;
    carom_chain_file *chain_file;
    carom_chain_stepper *chain_stepper;
    carom_compare *compare;
    carom_desiderata *desiderata;
    carom_grains *grains;
    carom_pass *pass;
    carom_recording *recording;
    carom_json *json;
    const carom_law *law;
    carom_measure *measure;
    carom_modes *modes;
    carom_recorder *recorder;
    carom_runner *runner;
    carom_scene_impact *scene_impact;
    carom_scene_text *scene_text;
    carom_scene_world *scene_world;
    carom_shape *shape;
    carom_sweep *sweep;
    carom_tower *tower;
    carom_tower_motion *tower_motion;
    carom_tower_space *tower_space;
    carom_trajectory *trajectory;
    carom_view_source *view_source;
    carom_workspace *workspace;
    carom_world *world;
    carom_body_id body;
    carom_joint_id joint;
    FILE *file;
} sound;

static void make_worlds(void);
static void make_models(void);
static void make_bounces(void);
static int outcome_of(int first, int end);
static void call(int number);

static const char *const words[] = {
#define WRONG(number, text, call) text,
#include "misuse_calls.h"
#undef WRONG
};

static void check_alone(int i)
{
    int outcome = outcome_of(i, i + 1);
    CHECK(WIFEXITED(outcome) && WEXITSTATUS(outcome) == 0, "%s ends by itself (%s %d)", words[i],
          WIFSIGNALED(outcome) ? "signal" : "exit code",
          WIFSIGNALED(outcome) ? WTERMSIG(outcome) : WEXITSTATUS(outcome));
}

static void every_function(void)
{
    const int count = sizeof words / sizeof *words, together = check_effort(1, 12);
    CHECK(count > 1000, "%d wrong calls", count);
    fflush(NULL);
    for (int i = 0; i < count;) {
        int end = i + together < count ? i + together : count;
        if (together > 1 && outcome_of(i, end) == 0)
            i = end;
        else
            check_alone(i++);
    }
}

// Of the calls [first, end), in a process of their own.
static int outcome_of(int first, int end)
{
    pid_t child = fork();
    if (child == 0) {
        struct rlimit time = { SECONDS, SECONDS + 1 }, core = { 0, 0 };
        setrlimit(RLIMIT_CPU, &time);
        setrlimit(RLIMIT_CORE, &core);
        for (int i = first; i < end; ++i)
            call(i);
        _exit(0);
    }
    int outcome = -1;
    waitpid(child, &outcome, 0);
    return outcome;
}

static void each_triangle(void *context, const double corners[9])
{
    (void)context, (void)corners;
}

static void call(int number)
{
    carom_error err = { 0 };
    void *blank = zeros;
    switch (number) {
#define WRONG(number, text, call)                                                                  \
    case number:                                                                                   \
        call;                                                                                      \
        break;
#include "misuse_calls.h"
#undef WRONG
    }
}

// A refusal says what, where and the next thing to try; an index that names nothing changes
// nothing.
static void what_is_said(void)
{
    carom_error err = { 0 };
    const double still[3] = { 0 };
    const int beyond = carom_world_body_count(sound.world);
    CHECK(carom_world_step(NULL, 0.1, &err) == CAROM_BAD_INPUT, "no world");
    CHECK_TEXT(err.what, "the argument world is null", "what");
    CHECK_TEXT(err.where, "carom_world_step", "where");
    CHECK(*err.fix, "a fix");
    CHECK(carom_impact_resolve(sound.workspace, NULL, sound.law, NULL, (void *)zeros, &err) ==
              CAROM_BAD_INPUT,
          "no instant");
    CHECK_TEXT(err.what, "the argument impact is null", "the second argument by its name");
    CHECK(!carom_law_find(NULL, &err) && strstr(err.what, "name is null"), "no name: %s", err.what);
    uint64_t before = carom_world_hash(sound.world);
    const carom_body_id wrong[] = { { 0 }, { -1, 1 }, { beyond, 1 }, { 0, 2 } };
    for (int i = 0; i < 4; ++i) {
        err = (carom_error){ 0 };
        CHECK(carom_world_set_velocity(sound.world, wrong[i], still, still, &err) ==
                      CAROM_BAD_INPUT &&
                  *err.what && *err.fix,
              "set: %s", err.what);
        CHECK(carom_world_remove(sound.world, wrong[i], NULL) == CAROM_BAD_INPUT, "remove");
        CHECK(carom_world_kind(sound.world, wrong[i]) == CAROM_BODY_REMOVED, "kind of %d", i);
        CHECK(!carom_world_shape(sound.world, wrong[i]) &&
                  carom_world_mass(sound.world, wrong[i]) == 0,
              "shape and mass of %d", i);
    }
    CHECK(carom_tower_body_mass(sound.tower, -1) == 0 &&
              carom_tower_body_mass(sound.tower, 1000) == 0,
          "mass of a brick");
    CHECK(carom_world_hash(sound.world) == before, "the world is as it was");
}

#define SCENES CAROM_SOURCE_DIR "/scenes/"

static void must(carom_status status, const carom_error *err, const char *what)
{
    CHECK(status == CAROM_OK, "%s is made: %s", what, err->what);
}

static void make_worlds(void)
{
    carom_error err = { 0 };
    sound.law = carom_law_default();
    sound.workspace = carom_workspace_create();
    sound.json = carom_json_create();
    sound.file = tmpfile();
    must(carom_sphere_create(0.5, &sound.shape, &err), &err, "a shape");
    must(carom_scene_world_open(SCENES "world/dropped-ball.json", &sound.scene_world, &err), &err,
         "a scene");
    must(carom_scene_world_build(sound.scene_world, NULL, &sound.world, &err), &err, "a world");
    sound.body = carom_world_find_body(sound.world, "ball");
    CHECK(carom_world_has_body(sound.world, sound.body), "a body");
    carom_joint pin = { .kind = CAROM_JOINT_BALL, .a = sound.body };
    must(carom_world_add_joint(sound.world, &pin, &sound.joint, &err), &err, "a joint");
    must(carom_scene_impact_open(SCENES "impact/cradle.json", &sound.scene_impact, &err), &err,
         "an instant");
    must(carom_scene_text_open(SCENES "impact/cradle.json", &sound.scene_text, &err), &err,
         "a text");
    carom_grains_options grains = carom_grains_options_default();
    grains.skin = 0.01;
    grains.slop = 1e-5;
    must(carom_grains_create(&grains, NULL, &sound.grains, &err), &err, "grains");
    must(carom_sweep_open(SCENES "sweep/rod.json", &sound.sweep, &err), &err, "a sweep");
    const carom_runner_settings settings = { .out = "sound.carom" };
    must(carom_runner_create(SCENES "world/dropped-ball.json", &settings, &sound.runner, &err),
         &err, "a run");
    must(carom_runner_advance(sound.runner, 100, NULL, &err), &err, "its recording");
    must(carom_trajectory_open("sound.carom", &sound.trajectory, &err), &err, "a trajectory");
    must(carom_recorder_create("more.carom", 1, &sound.recorder, &err), &err, "a recorder");
    must(carom_recording_create(sound.world, &sound.recording, &err), &err, "a recording");
    must(carom_measure_create(sound.scene_world, &(carom_measure_options){ 0 }, &sound.measure,
                              &err),
         &err, "a measurement");
    must(carom_compare_create(sound.scene_impact, 0, &sound.compare, &err), &err, "a comparison");
    must(carom_compare_add(sound.compare, sound.law, NULL, &err), &err, "its row");
    sound.desiderata =
        carom_desiderata_create(carom_scene_impact_problem(sound.scene_impact), &err);
    CHECK(sound.desiderata, "a judge is made: %s", err.what);
}

static void make_models(void)
{
    carom_error err = { 0 };
    must(carom_tower_build("diamond:3", &sound.tower, &err), &err, "a tower");
    must(carom_pass_create(NULL, &sound.pass, &err), &err, "a pass");
    carom_tower_motion_options motion = carom_tower_motion_default();
    must(carom_tower_motion_create(sound.tower, &motion, &sound.tower_motion, &err), &err,
         "a motion");
    sound.tower_space = carom_tower_space_create((double[3]){ 0, 0, -1 });
    must(carom_tower_space_add_box(sound.tower_space, (double[3]){ 0 }, (double[3]){ 1, 1, 1 },
                                   NULL, 1, false, NULL, &err),
         &err, "a tower in space");
    must(carom_chain_file_open(SCENES "chain/fig5_hertz.json", &sound.chain_file, &err), &err,
         "a chain");
    const carom_chain_row row = { .count = 2,
                                  .mass = (double[2]){ 1, 1 },
                                  .velocity = (double[2]){ 1, 0 },
                                  .gap = (double[1]){ 0 } };
    must(carom_chain_stepper_create(&row, &sound.chain_stepper, &err), &err, "a stepper");
    must(carom_view_source_recording(sound.recording, &sound.view_source, &err), &err, "a source");
}

static void make_bounces(void)
{
    carom_error err = { 0 };
    carom_shape *bar = NULL;
    must(carom_generate_shape("bar:200x10x10mm@10mm", &bar, &err), &err, "a bar");
    carom_mesh_source surface = carom_mesh_surface(bar);
    carom_modal_material steel = { 0 };
    must(carom_modal_material_named("steel", &steel, &err), &err, "steel");
    carom_modal_options options = carom_modal_options_default();
    options.modes = 3;
    options.unknowns_max = 2000;
    must(carom_modal_from_surface(&surface, &steel, &options, NULL, &sound.modes, &err), &err,
         "modes");
    carom_bounce_map_options map = carom_bounce_map_options_default();
    map.edges = map.vertices = 0;
    map.threads = 1;
    must(carom_bounce_map_bake(bar, sound.modes, &map, NULL, &sound.bounce_map, &err), &err,
         "a map");
    must(carom_bounce_direct_create(bar, sound.modes, NULL, &sound.bounce_direct, &err), &err,
         "direct modes");
    must(carom_bounce_file_open(SCENES "bounce/kernel.json", &sound.bounce_file, &err), &err,
         "a kernel file");
    carom_shape_release(bar);
}

int main(void)
{
    char folder[] = "/tmp/carom-misuse-XXXXXX";
    if (!CHECK(mkdtemp(folder) && chdir(folder) == 0, "a folder for files that calls leave"))
        return check_report();
    make_worlds();
    make_models();
    make_bounces();
    what_is_said();
    every_function();
    char remove[64];
    snprintf(remove, sizeof remove, "rm -r %s", folder);
    CHECK(chdir("/") == 0 && system(remove) == 0, "the folder is removed");
    return check_report();
}

// `carom run`: a scene in time.
#include "command.h"
#include "output.h"
#include "settings.h"
#include "terminal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "carom/json.h"
#include "carom/text.h"
#include "carom/trajectory.h"

enum { SETTINGS_MAX = 64 };

// What the command line changes in the scene, as "key=value", in order: the law first, because it
// resets the options.
typedef struct changes {
    const char *list[SETTINGS_MAX];
    char texts[8][96];
    int count, texts_used;
} changes;

static void add(changes *c, const char *key, const char *value)
{
    char *text = c->texts[c->texts_used++];
    snprintf(text, sizeof c->texts[0], "%s=%.80s", key, value);
    c->list[c->count++] = text;
}

static int collect(const carom_arguments *given, changes *c)
{
    static const char *const plain[][2] = { { "--law", "law" },
                                            { "--duration", "duration" },
                                            { "--threads", "threads" } };
    for (size_t i = 0; i < sizeof plain / sizeof *plain; ++i)
        if (carom_command_text(given, plain[i][0]))
            add(c, plain[i][1], carom_command_text(given, plain[i][0]));
    if (carom_command_flag(given, "--separate"))
        add(c, "separate", "true");
    int set = carom_command_count(given, "--set");
    if (c->count + set > SETTINGS_MAX)
        return carom_command_misuse("write them into the scene", "--set is given %d times", set);
    for (int i = 0; i < set; ++i)
        c->list[c->count++] = carom_command_text_at(given, "--set", i);
    return CAROM_EXIT_GOOD;
}

// -- words --------------------------------------------------------------------------------------

// "kept to 3e-16", or the change with its reason left to the reader.
static void print_kept(const char *name, const double now[3], const double start[3], double scale,
                       const char *unit)
{
    double change[3], size = 0;
    for (int k = 0; k < 3; ++k) {
        change[k] = carom_terminal_rounded(now[k] - start[k], scale);
        size += (now[k] - start[k]) * (now[k] - start[k]);
    }
    size = sqrt(size);
    if (scale == 0)
        printf("%-9s zero throughout\n", name);
    else if (size <= 1e-9 * scale)
        printf("%-9s kept to %.1e of %.6g %s\n", name, size / scale, scale, unit);
    else
        printf("%-9s changed by (%.6g, %.6g, %.6g) %s from outside\n", name, change[0], change[1],
               change[2], unit);
}

static void print_energy(const carom_ledger *l)
{
    double now = l->kinetic + l->potential, scale = fmax(fabs(l->start), fabs(now));
    double correction = carom_terminal_energy(l->position_correction, l);
    double driven = carom_terminal_energy(l->driven, l);
    printf("energy    %.9g J at the start, %.9g J now (%.6g kinetic)\n", l->start, now, l->kinetic);
    if (fabs(now - l->start) <= 1e-9 * scale && l->law <= 1e-9 * scale)
        printf("          kept to %.1e\n", scale > 0 ? fabs(now - l->start) / scale : 0);
    if (driven != 0)
        printf("          %.6g J brought in by driven bodies, pushes and removals\n", driven);
    if (l->motors != 0)
        printf("          %.6g J brought in by motors\n", l->motors);
    printf("          %.6g J lost in %lld %s by the law\n", carom_terminal_energy(l->law, l),
           (long long)l->impacts, carom_text_noun(l->impacts, "impact", "impacts"));
    printf("          %.6g J lost in resting contact and its friction\n",
           carom_terminal_energy(l->rest, l));
    if (l->dampers != 0)
        printf("          %.6g J lost in dampers\n", l->dampers);
    if (l->stops != 0)
        printf("          %.6g J lost at stops of joints\n", carom_terminal_energy(l->stops, l));
    if (l->breakage != 0)
        printf("          %.6g J lost with springs that broke\n", l->breakage);
    if (l->cohesion != 0)
        printf("          %.6g J %s where contacts that hold together %s\n",
               fabs(carom_terminal_energy(l->cohesion, l)), l->cohesion > 0 ? "lost" : "brought in",
               l->cohesion > 0 ? "opened" : "closed");
    if (correction != 0)
        printf("          %.3g J %s by position correction\n", fabs(correction),
               correction > 0 ? "added" : "taken");
    printf("          %.3g J added by the time stepping itself\n",
           carom_terminal_energy(l->integrator, l));
}

static void print_promises(const carom_runner_report *r, const carom_law *law)
{
    printf("promises  of %s:", carom_law_name(law));
    for (int bit = 0; bit < CAROM_PROMISE_COUNT; ++bit) {
        if (!(r->promised >> bit & 1))
            continue;
        bool broken = r->broken >> bit & 1;
        printf(" %s%s %s%s",
               carom_terminal_start(stdout, broken ? CAROM_TERMINAL_BAD : CAROM_TERMINAL_GOOD),
               carom_law_promise_name(bit), broken ? "BROKEN" : "kept",
               carom_terminal_start(stdout, CAROM_TERMINAL_PLAIN));
    }
    printf("%s\n", r->promised ? "" : " none that a run can judge");
    const carom_audit *a = &r->audit;
    if (a->elastic_steps > 0)
        printf("          energy error of %lld elastic %s: %.2g on average, %.2g at most\n",
               (long long)a->elastic_steps, carom_text_noun(a->elastic_steps, "step", "steps"),
               a->elastic_sum / (double)a->elastic_steps, a->elastic_max);
    const carom_ledger *l = &r->ledger;
    if (l->limited + l->capped + l->endless)
        printf("          safeguards: energy limiter %lld times, sweep cap %lld, endless %lld\n",
               (long long)l->limited, (long long)l->capped, (long long)l->endless);
}

static void print_profile(const carom_runner *runner)
{
    carom_runner_cost cost = carom_runner_profile(runner);
    const carom_profile *p = &cost.steps;
    double seconds, all = cost.total > 0 ? cost.total : 1, steps = p->steps ? (double)p->steps : 1;
    const char *name;
    printf("profile   %.3g s,", cost.total);
    for (int k = 0; (name = carom_runner_profile_phase(&cost, k, &seconds)); ++k)
        printf("%s %s %.0f %%", k ? "," : "", name, 100 * seconds / all);
    printf("\n          %.3g s a step, %.2f intervals and %.2f instants of impact each\n",
           cost.total / steps, (double)p->intervals / steps, (double)p->instants / steps);
    printf("          widest island %lld contacts, %lld calls of the law, %lld of them repeated\n",
           (long long)p->widest, (long long)p->calls, (long long)p->repeated);
    printf("          %lld contacts at most, %lld steps above the resting tolerance\n",
           (long long)p->contacts, (long long)p->unsettled);
}

// How far times of impact were looked for, where the step could not afford them all.
static void print_events(const carom_runner *runner)
{
    carom_profile p = carom_runner_profile(runner).steps;
    const carom_scene_world *scene = carom_runner_scene(runner);
    carom_world_options options = carom_scene_world_options(scene);
    carom_time_of_impact_work work =
        carom_time_of_impact_afford(&options, carom_scene_world_step(scene));
    if (p.thrifty > 0 && work.plain > 0)
        printf(
            "events    in %lld of %lld steps times of impact of fast and elastic pairs only: all "
            "would cost more than event_work %g%s\n",
            (long long)p.thrifty, (long long)p.steps, work.plain,
            work.chosen ? " (chosen from the step, for scenes to keep up with the clock)" : "");
}

// Where the run was slow, why, and what to do about it.
static void print_cost(const carom_runner *runner, bool profile)
{
    char words[384];
    int slow = carom_runner_profile_advice(runner, words, sizeof words);
    print_events(runner);
    if (profile)
        print_profile(runner);
    if (slow)
        printf("slow      %s\n", words);
}

// Energy out of the time stepping, where that is more than a run may have.
static void print_added(const carom_runner *runner, const carom_runner_report *r)
{
    char name[80];
    if (!r->added_broken)
        return;
    printf("%senergy BROKEN%s: the time stepping added %.3g of the energy at stake, 0.001 at most",
           carom_terminal_start(stdout, CAROM_TERMINAL_BAD),
           carom_terminal_start(stdout, CAROM_TERMINAL_PLAIN), r->added);
    if (r->added_body >= 0) {
        carom_scene_world_body_name(carom_runner_scene(runner), r->added_body, name, sizeof name);
        printf("; most at body \"%s\", joint %d", name, r->added_joint);
    }
    printf(". Fix: use a smaller step.\n");
}

// Bodies inside each other, by more than a run may have.
static void print_gap(const carom_runner *runner, const carom_runner_report *r)
{
    char a[80], b[80];
    if (!r->overlap_broken)
        return;
    carom_scene_world_body_name(carom_runner_scene(runner), r->audit.overlap_a, a, sizeof a);
    carom_scene_world_body_name(carom_runner_scene(runner), r->audit.overlap_b, b, sizeof b);
    printf("%sGAP BROKEN%s: \"%s\" and \"%s\" were inside each other by %.3g of the thinner one's "
           "thickness, 0.25 at most. Fix: use a smaller step, or more event_work.\n",
           carom_terminal_start(stdout, CAROM_TERMINAL_BAD),
           carom_terminal_start(stdout, CAROM_TERMINAL_PLAIN), a, b, r->audit.overlap);
}

// What was chosen because the scene leaves it open, and why.
static void print_choices(const carom_scene_world *scene)
{
    carom_world_options options = carom_scene_world_options(scene);
    carom_resting speeds = carom_resting_speeds(&options, carom_scene_world_step(scene));
    if (!speeds.chosen)
        return;
    printf("resting   contacts that approach by less than %g m/s", speeds.plain);
    if (speeds.pile > speeds.plain)
        printf(" (inside of piles %.3g m/s: gravity gives that in a step)", speeds.pile);
    printf("; resting_speed sets it\n");
}

// How far from the origin bodies are, m: what positions round to.
static double extent(const carom_world *world)
{
    double far = 0, position[3] = { 0 };
    for (int i = 0; i < carom_world_body_count(world); ++i) {
        carom_world_body(world, carom_world_body_at(world, i), position, NULL, NULL, NULL);
        for (int k = 0; k < 3; ++k)
            far = fmax(far, fabs(position[k]));
    }
    return far;
}

// Across the ends of a periodic box impulses act on two lines.
static void print_angular(const carom_scene_world *scene, const carom_runner_report *r)
{
    carom_world_options options = carom_scene_world_options(scene);
    bool periodic = false;
    for (int k = 0; k < 3; ++k)
        periodic = periodic || options.periodic[k][0] < options.periodic[k][1];
    if (!periodic)
        print_kept("angular", r->angular, r->start_angular, r->angular_scale, "kg m^2/s");
    else
        printf("angular   (%.6g, %.6g, %.6g) kg m^2/s, which a periodic box does not keep\n",
               r->angular[0], r->angular[1], r->angular[2]);
}

static void print_words(const carom_runner *runner, const carom_runner_report *r)
{
    const carom_scene_world *scene = carom_runner_scene(runner);
    const carom_law *law = carom_scene_world_options(scene).law;
    int bodies = carom_scene_world_body_count(scene);
    printf("%s by %s: %lld of %lld steps, %.6g s, %d %s\n", carom_scene_world_title(scene),
           carom_law_name(law), (long long)r->done, (long long)r->steps, r->ledger.time, bodies,
           carom_text_noun(bodies, "body", "bodies"));
    if (carom_scene_world_note(scene))
        carom_terminal_print(carom_scene_world_note(scene));
    if (r->stopped[0])
        printf("ended     early: %s\n", r->stopped);
    print_energy(&r->ledger);
    print_kept("momentum", r->momentum, r->start_momentum, r->momentum_scale, "kg m/s");
    print_angular(scene, r);
    printf("overlap   %.3g m at most\n",
           carom_terminal_rounded(r->ledger.peak_overlap, extent(carom_runner_world(runner))));
    int waiting = carom_scene_world_waiting(scene, carom_runner_world(runner));
    if (waiting)
        printf("waiting   %d %s not poured in yet\n", waiting,
               carom_text_noun(waiting, "body", "bodies"));
    print_choices(scene);
    print_promises(r, law);
    print_added(runner, r);
    print_gap(runner, r);
    printf("state     %016llx\n", (unsigned long long)carom_world_hash(carom_runner_world(runner)));
}

static int print_json(const carom_runner *runner, const carom_runner_report *report,
                      const char *out, bool profile)
{
    carom_json *json = carom_json_create();
    carom_json_object(json, NULL);
    carom_runner_report_json(report, runner, json);
    if (profile)
        carom_runner_profile_json(runner, json);
    if (out)
        carom_json_string(json, "out", out);
    carom_json_end(json);
    return carom_output_finish_json(json, "-", true);
}

// -- work ---------------------------------------------------------------------------------------

// "scenes/cradle.json" becomes "cradle.carom" in the current folder.
static void default_name(const char *file, char *out, size_t size)
{
    const char *slash = strrchr(file, '/'), *start = slash ? slash + 1 : file;
    const char *point = strrchr(start, '.');
    int length = (int)(point && point != start ? (size_t)(point - start) : strlen(start));
    snprintf(out, size, "%.*s.carom", length, strcmp(file, "-") == 0 ? "run" : start);
}

static int finish(const carom_arguments *given, const carom_runner *runner, const char *out)
{
    carom_runner_report report = carom_runner_judge(runner);
    int code = CAROM_EXIT_GOOD;
    if (carom_command_flag(given, "--json"))
        code = print_json(runner, &report, out, carom_command_flag(given, "--profile"));
    else if (!carom_command_flag(given, "--quiet"))
        print_words(runner, &report);
    if (!carom_command_flag(given, "--json") && !carom_command_flag(given, "--quiet"))
        print_cost(runner, carom_command_flag(given, "--profile"));
    if (out && !carom_command_flag(given, "--quiet"))
        carom_terminal_report("wrote %s", out);
    if (code == CAROM_EXIT_GOOD && (report.broken || report.added_broken || report.overlap_broken))
        code = CAROM_EXIT_BROKEN;
    return code;
}

static int advance(const carom_arguments *given, carom_runner *runner, const char *out)
{
    carom_error err = { 0 };
    int64_t steps = carom_command_integer(given, "--steps");
    const carom_progress *progress = carom_terminal_progress_begin();
    carom_runner_set_limit(runner, carom_command_number(given, "--limit"));
    carom_status status = carom_runner_advance(runner, steps ? steps : INT64_MAX, progress, &err);
    carom_terminal_progress_end();
    if (status == CAROM_OK)
        return finish(given, runner, out);
    if (status == CAROM_INTERRUPTED) {
        carom_terminal_report("stopped after %lld of %lld steps%s%s",
                              (long long)carom_runner_done(runner),
                              (long long)carom_runner_steps(runner),
                              out ? "; continue with: carom run --resume " : "", out ? out : "");
        return CAROM_EXIT_STOPPED;
    }
    return carom_command_fail(&err);
}

static int run(const carom_arguments *given)
{
    carom_error err = { 0 };
    changes c = { 0 };
    char name[512];
    carom_runner *runner = NULL;
    const char *file = carom_command_text(given, "FILE"), *out = carom_command_text(given, "--out");
    const char *resume = carom_command_text(given, "--resume");
    if ((file != NULL) == (resume != NULL))
        return carom_command_misuse("write `carom run SCENE`, or `carom run --resume TRAJECTORY`",
                                    file ? "a scene and --resume exclude each other"
                                         : "FILE is missing");
    if (carom_command_flag(given, "--quiet"))
        carom_terminal_progress_quiet();
    int code = collect(given, &c);
    if (code != CAROM_EXIT_GOOD)
        return code;
    if (resume && (c.count > 0 || out))
        return carom_command_misuse("leave it out, or start a new run",
                                    "a resumed run keeps its file and its settings");
    if (out && carom_command_flag(given, "--no-file"))
        return carom_command_misuse("leave one of them out",
                                    "--out and --no-file exclude each other");
    if (!out && file) {
        default_name(file, name, sizeof name);
        out = name;
    }
    if (carom_command_flag(given, "--no-file"))
        out = NULL;
    carom_runner_settings settings = { .out = out,
                                       .overwrite = carom_command_flag(given, "--force"),
                                       .set = c.list,
                                       .set_count = c.count,
                                       .limit = carom_command_number(given, "--limit"),
                                       .steps = carom_command_integer(given, "--steps"),
                                       .progress = carom_terminal_progress_begin() };
    carom_status status = resume ? carom_runner_resume(resume, &runner, &err)
                                 : carom_runner_create(file, &settings, &runner, &err);
    carom_terminal_progress_end();
    if (status != CAROM_OK)
        return carom_command_fail(&err);
    code = advance(given, runner, resume ? resume : out);
    carom_runner_destroy(runner);
    return code;
}

static const carom_argument arguments[] = {
    { "FILE", CAROM_ARGUMENT_FILE,
      .doc = "scene of kind world, JSON; \"-\" is the standard input" },
    { "--out", CAROM_ARGUMENT_FILE, .value = "FILE",
      .doc = "write the trajectory there; without it SCENE.carom in the current folder" },
    { "--no-file", CAROM_ARGUMENT_FLAG, .doc = "write no trajectory" },
    { "--force", CAROM_ARGUMENT_FLAG, .doc = "replace an existing trajectory" },
    { "--resume", CAROM_ARGUMENT_FILE, .value = "FILE",
      .doc = "continue this trajectory after its last checkpoint, to the same bits" },
    { "--law", CAROM_ARGUMENT_TEXT, .value = "NAME",
      .doc = "use this law instead of the scene's; `carom laws` lists them" },
    SETTINGS_ARGUMENT("set an option of the law, or a value of the scene by its path: step, seed, "
                      "gravity=0,0,-1.62, materials.NAME.friction, bodies.NAME.position.z, "
                      "bodies.*.material, let.NAME"),
    { "--duration", CAROM_ARGUMENT_TEXT, .value = "SECONDS", .doc = "of the run" },
    { "--steps", CAROM_ARGUMENT_INTEGER, .value = "N", .initial = "0", .min = 0, .max = 1e15,
      .doc = "stop after this many steps; 0: at the end" },
    { "--limit", CAROM_ARGUMENT_NUMBER, .value = "N", .initial = "1e11", .min = 1, .max = 1e18,
      .doc =
          "most work: bodies, contacts, 16 more and a third of the triangles of each mesh that is "
          "near another body, summed over steps and the intervals that times of impact cut them "
          "into, and a twentieth of the visits of contacts by the law and by "
          "the resting solver; 1e6 takes about a second. What surely takes more is refused before "
          "it starts, what turns out to take more ends there, within a step if need be, with a "
          "checkpoint and exit code 1" },
    { "--threads", CAROM_ARGUMENT_TEXT, .value = "N", .doc = "any number gives the same bits" },
    { "--separate", CAROM_ARGUMENT_FLAG,
      .doc = "move bodies that overlap at the start apart, instead of refusing the scene" },
    { "--profile", CAROM_ARGUMENT_FLAG,
      .doc = "also print where the time went: phases, intervals, islands, calls of the law" },
    { "--json", CAROM_ARGUMENT_FLAG, .doc = "print JSON" },
    { "--quiet", CAROM_ARGUMENT_FLAG, .doc = "print nothing but errors" },
    { 0 },
};

static const char *const examples[] = {
    "watch the energy of a bouncing ball",
    "carom run scenes/world/dropped-ball.json --no-file",
    "record it, by another law, with smaller steps",
    "carom run scenes/world/dropped-ball.json --law gr --set step=1e-4 --out ball.carom",
    "continue after Ctrl-C, a power cut or a full disk",
    "carom run --resume ball.carom",
    NULL,
};

const carom_command carom_run_command = {
    .name = "run",
    .summary = "run a scene in time and record it",
    .details =
        "Steps a scene of kind world to its end and writes a trajectory (.carom): the scene, "
        "frames, and checkpoints from which a run continues to the same bits, whatever stopped it. "
        "Ctrl-C writes a checkpoint and ends with exit code 130. Afterwards it says what was kept, "
        "what was lost and by which mechanism, and whether the law's promises held; the exit code "
        "is 1 where one was broken, where two bodies were inside each other by more than a quarter "
        "of the thinner one's thickness (GAP), or where the time stepping itself added more than a "
        "thousandth of the energy at stake. A run that took long says which phase took most and "
        "what to "
        "change; --profile says it always. Where the standard error is no terminal, a line now and "
        "then says how far the run is and how long it will take.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};

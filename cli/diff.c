// `carom diff`: where do two trajectories part?
#include "command.h"
#include "output.h"
#include "terminal.h"

#include <stdio.h>
#include <string.h>
#include "carom/json.h"
#include "carom/trajectory.h"

typedef struct pair {
    carom_trajectory *a, *b;
    carom_scene_world *scene; // of a, for names
    carom_difference found;
    int64_t frames[2];
    bool scenes_differ;
} pair;

static bool same_scene(const pair *p)
{
    carom_record a = carom_trajectory_first(p->a, CAROM_RECORD_SCENE);
    carom_record b = carom_trajectory_first(p->b, CAROM_RECORD_SCENE);
    return a.size == b.size && (a.size == 0 || memcmp(a.payload, b.payload, a.size) == 0);
}

static carom_status compare(const carom_arguments *given, pair *p, carom_error *err)
{
    carom_error ignored = { 0 };
    carom_status status = carom_trajectory_open(carom_command_text(given, "A"), &p->a, err);
    if (status == CAROM_OK)
        status = carom_trajectory_open(carom_command_text(given, "B"), &p->b, err);
    if (status == CAROM_OK)
        status = carom_trajectory_compare(p->a, p->b, carom_command_number(given, "--tolerance"),
                                          &p->found, err);
    if (status != CAROM_OK)
        return status;
    carom_trajectory_scene(p->a, &p->scene, &ignored); // names are a comfort only
    p->frames[0] = carom_trajectory_frame_count(p->a);
    p->frames[1] = carom_trajectory_frame_count(p->b);
    p->scenes_differ = !same_scene(p);
    return CAROM_OK;
}

static void body_name(const pair *p, char *out, size_t size)
{
    if (p->scene)
        carom_scene_world_body_name(p->scene, p->found.body, out, size);
    else
        snprintf(out, size, "%d", p->found.body);
}

static bool differ(const pair *p)
{
    return p->found.frame >= 0 || p->found.alone_a > 0 || p->found.alone_b > 0;
}

static void print_words(const pair *p)
{
    const carom_difference *d = &p->found;
    char name[128];
    if (p->scenes_differ)
        printf("the scenes differ\n");
    if (d->frame >= 0 && d->body >= 0) {
        body_name(p, name, sizeof name);
        carom_terminal_tame(name);
        printf(
            "frame %lld (step %lld, %.9g s) differs first: %s of \"%s\" is %.17g and %.17g, %.3g "
            "apart\n",
            (long long)d->frame, (long long)d->step, d->time, d->what, name, d->a, d->b,
            d->a > d->b ? d->a - d->b : d->b - d->a);
        printf("largest difference in %lld frames: %.3g\n", (long long)d->frames, d->largest);
    } else if (d->frame >= 0) {
        printf("frame %lld cannot be compared: %s is %.0f and %.0f\n", (long long)d->frame, d->what,
               d->a, d->b);
    } else if (d->frames == 0) {
        printf("no two frames are of the same time\n");
    } else {
        printf("%lld frames are equal%s", (long long)d->frames, d->largest > 0 ? " within " : "\n");
        if (d->largest > 0)
            printf("%.3g\n", d->largest);
    }
    if (p->frames[0] != p->frames[1])
        printf("one has %lld frames, the other %lld\n", (long long)p->frames[0],
               (long long)p->frames[1]);
    if (d->alone_a > 0 && d->alone_b > 0)
        printf("%lld and %lld frames have none of the same time on the other side\n",
               (long long)d->alone_a, (long long)d->alone_b);
}

static int print_json(const pair *p)
{
    const carom_difference *d = &p->found;
    char name[128];
    carom_json *json = carom_json_create();
    carom_json_object(json, NULL);
    carom_json_bool(json, "equal", !differ(p));
    carom_json_bool(json, "same_scene", !p->scenes_differ);
    carom_json_integer(json, "frames_a", p->frames[0]);
    carom_json_integer(json, "frames_b", p->frames[1]);
    carom_json_integer(json, "compared", d->frames);
    carom_json_integer(json, "alone_a", d->alone_a);
    carom_json_integer(json, "alone_b", d->alone_b);
    carom_json_number(json, "largest", d->largest);
    if (d->frame >= 0) {
        carom_json_object(json, "first");
        carom_json_integer(json, "frame", d->frame);
        carom_json_integer(json, "step", d->step);
        carom_json_number(json, "time", d->time);
        if (d->body >= 0) {
            body_name(p, name, sizeof name);
            carom_json_string(json, "body", name);
        }
        carom_json_string(json, "quantity", d->what);
        carom_json_number(json, "a", d->a);
        carom_json_number(json, "b", d->b);
        carom_json_end(json);
    }
    carom_json_end(json);
    return carom_output_finish_json(json, "-", true);
}

static int run(const carom_arguments *given)
{
    carom_error err = { 0 };
    pair p = { 0 };
    int code = CAROM_EXIT_GOOD;
    if (compare(given, &p, &err) != CAROM_OK)
        code = carom_command_fail(&err);
    else if (carom_command_flag(given, "--json"))
        code = print_json(&p);
    else
        print_words(&p);
    if (code == CAROM_EXIT_GOOD && differ(&p))
        code = CAROM_EXIT_BROKEN;
    carom_scene_world_close(p.scene);
    carom_trajectory_close(p.a);
    carom_trajectory_close(p.b);
    return code;
}

static const carom_argument arguments[] = {
    { "A", CAROM_ARGUMENT_FILE, .doc = "a trajectory", .required = true },
    { "B", CAROM_ARGUMENT_FILE, .doc = "another", .required = true },
    { "--tolerance", CAROM_ARGUMENT_NUMBER, .value = "T", .initial = "0", .min = 0, .max = 1e300,
      .doc = "numbers that differ by no more count as equal (m, m/s, rad/s)" },
    { "--json", CAROM_ARGUMENT_FLAG, .doc = "print JSON" },
    { 0 },
};

static const char *const examples[] = {
    "do one thread and four give the same bits?",
    "carom run scenes/world/dropped-ball.json --out one.carom && "
    "carom run scenes/world/dropped-ball.json --threads 4 --out four.carom && "
    "carom diff one.carom four.carom",
    "how far off is a step twice as long?",
    "carom run scenes/world/dropped-ball.json --set step=0.002 --force --out two.carom && "
    "carom run scenes/world/dropped-ball.json --set step=0.004 --force --out four.carom && "
    "carom diff two.carom four.carom --tolerance 1e-6",
    NULL,
};

const carom_command carom_diff_command = {
    .name = "diff",
    .summary = "find the first frame, body and quantity in which two trajectories differ",
    .details =
        "Compares the frames of the same time (to 1e-9 of it), also of runs with other steps. The "
        "exit "
        "code is 1 where they differ or where a frame has none of its time on the other side.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};

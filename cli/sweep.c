// `carom sweep`: one scene many times.
#define _XOPEN_SOURCE 700 // realpath
#include "command.h"
#include "output.h"
#include "shards.h"
#include "terminal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "carom/sweep.h"

enum { SHOWN = 5, NAME = 4096 };

// The name that all files of the sweep begin with: --out, or the sweep file's without its ending.
static void take_name(const carom_arguments *given, char out[NAME])
{
    const char *path = carom_command_text(given, "FILE"),
               *name = carom_command_text(given, "--out");
    const char *slash = strrchr(path, '/');
    snprintf(out, NAME, "%s", name ? name : slash ? slash + 1 : path);
    char *dot = strrchr(out, '.');
    if (!name && dot && strcmp(dot, ".json") == 0)
        *dot = 0;
}

static int read_shard(const carom_arguments *given, carom_sweep_settings *s)
{
    const char *words = carom_command_text(given, "--shard");
    return words ? carom_shards_number(words, &s->shard, &s->shards) : CAROM_EXIT_GOOD;
}

static void print_failures(const carom_sweep *sweep)
{
    int shown = 0;
    for (int64_t job = 0; job < carom_sweep_count(sweep) && shown < SHOWN; ++job) {
        const char *why = carom_sweep_error(sweep, job);
        char words[400];
        if (!why)
            continue;
        carom_sweep_words(sweep, job, words, sizeof words);
        carom_terminal_report("job %lld (%s) failed: %s", (long long)job, words, why);
        ++shown;
    }
}

typedef carom_status (*writer)(const carom_sweep *sweep, FILE *file, carom_error *err);

static carom_status write_file(const carom_sweep *sweep, const char *path, writer write, bool force,
                               carom_error *err)
{
    carom_output output;
    carom_status status = carom_output_open(&output, path, force, err);
    if (status != CAROM_OK)
        return status;
    status = write(sweep, output.file, err);
    if (status != CAROM_OK) {
        carom_output_drop(&output);
        return status;
    }
    return carom_output_close(&output, err);
}

// The table is made anew from the journals each time, so it may be replaced.
static int write_tables(const carom_sweep *sweep, const char *name, carom_error *err)
{
    char path[NAME + 8];
    snprintf(path, sizeof path, "%s.csv", name);
    if (write_file(sweep, path, carom_sweep_csv, true, err) != CAROM_OK)
        return carom_command_fail(err);
    carom_terminal_report("written: %s", path);
    snprintf(path, sizeof path, "%s.npz", name);
    if (write_file(sweep, path, carom_sweep_npz, true, err) != CAROM_OK)
        return carom_command_fail(err);
    carom_terminal_report("written: %s", path);
    snprintf(path, sizeof path, "%s.html", name);
    return carom_output_finish_text(path, carom_sweep_html(sweep), true);
}

static int finish(const carom_sweep *sweep, const carom_sweep_report *r, const char *name,
                  bool merge)
{
    carom_error err = { 0 };
    if (merge && r->missing > 0)
        carom_terminal_report("%lld jobs are in no journal: run their shards, then merge again",
                              (long long)r->missing);
    int code = write_tables(sweep, name, &err);
    print_failures(sweep);
    printf("%lld jobs: %lld done, %lld failed, %lld missing\n", (long long)r->jobs,
           (long long)(r->jobs - r->failed - r->missing), (long long)r->failed,
           (long long)r->missing);
    return code == CAROM_EXIT_GOOD && r->failed + r->missing > 0 ? CAROM_EXIT_BROKEN : code;
}

static int emit(const carom_arguments *given, const char *name)
{
#define WORD(name, word) word,
    static const char *const words[] = { CAROM_SWEEP_DRIVER_LIST(WORD) };
#undef WORD
    static const char *const endings[] = { "sh", "sbatch", "smk" };
    const char *wanted = carom_command_text(given, "--emit"),
               *file = carom_command_text(given, "FILE");
    char program[PATH_MAX] = "carom", path[PATH_MAX], out[NAME + 16];
    int driver = 0;
    while (driver < CAROM_SWEEP_DRIVERS && strcmp(words[driver], wanted) != 0)
        ++driver;
    if (driver == CAROM_SWEEP_DRIVERS)
        return carom_command_misuse("use parallel, slurm or snakemake",
                                    "no driver file for \"%.40s\" is known", wanted);
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length > 0)
        program[length] = 0;
    if (!realpath(file, path))
        snprintf(path, sizeof path, "%s", file);
    snprintf(out, sizeof out, "%s.%s", name, endings[driver]);
    char *text = carom_sweep_driver_text((carom_sweep_driver)driver, program, path, name,
                                         (int)carom_command_integer(given, "--shards"));
    return carom_output_finish_text(out, text, carom_command_flag(given, "--force"));
}

static int audit(carom_sweep *sweep, const char *name, double share)
{
    carom_error err = { 0 };
    int64_t run = 0, differ = 0;
    carom_status status = carom_sweep_load(sweep, name, NULL, &err);
    const carom_progress *progress = carom_terminal_progress_begin();
    if (status == CAROM_OK)
        status = carom_sweep_audit(sweep, share, progress, &run, &differ, &err);
    carom_terminal_progress_end();
    if (status != CAROM_OK)
        return carom_command_fail(&err);
    printf("%lld jobs run again, %lld differ\n", (long long)run, (long long)differ);
    return differ > 0 ? CAROM_EXIT_BROKEN : CAROM_EXIT_GOOD;
}

// Refuses more jobs than the caller wants before the first of them; a shard has its part.
static int check_jobs(const carom_sweep *sweep, int shards, double most)
{
    int64_t parts = shards > 0 ? shards : 1, jobs = (carom_sweep_count(sweep) + parts - 1) / parts;
    if ((double)jobs <= most)
        return CAROM_EXIT_GOOD;
    return carom_command_misuse("give the axes fewer values, run shards, or give a higher --limit",
                                "%lld jobs are more than the limit of %.0f", (long long)jobs, most);
}

static int run_sweep(const carom_arguments *given, carom_sweep *sweep, const char *name)
{
    carom_error err = { 0 };
    carom_sweep_report report = { 0 };
    carom_sweep_settings s = { .out = name,
                               .processes = (int)carom_command_integer(given, "--jobs"),
                               .retry = carom_command_flag(given, "--retry") };
    int code = read_shard(given, &s);
    if (code != CAROM_EXIT_GOOD)
        return code;
    if (s.processes == 0)
        s.processes = s.shards > 0 ? 1 : (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (carom_command_flag(given, "--merge")) {
        if (carom_sweep_load(sweep, name, &report, &err) != CAROM_OK)
            return carom_command_fail(&err);
        return finish(sweep, &report, name, true);
    }
    if ((code = check_jobs(sweep, s.shards, carom_command_number(given, "--limit"))))
        return code;
    s.progress = carom_terminal_progress_begin();
    carom_status status = carom_sweep_run(sweep, &s, &report, &err);
    carom_terminal_progress_end();
    if (status != CAROM_OK) {
        carom_terminal_report("the same command goes on: %lld jobs are missing",
                              (long long)report.missing);
        return carom_command_fail(&err);
    }
    if (s.shards > 0) {
        printf("shard %d of %d: %lld jobs, %lld run now\n", s.shard, s.shards,
               (long long)report.jobs, (long long)report.run);
        return CAROM_EXIT_GOOD;
    }
    return finish(sweep, &report, name, false);
}

static int run(const carom_arguments *given)
{
    char name[NAME];
    carom_error err = { 0 };
    carom_sweep *sweep = NULL;
    double share = carom_command_number(given, "--audit");
    take_name(given, name);
    if (carom_sweep_open(carom_command_text(given, "FILE"), &sweep, &err) != CAROM_OK)
        return carom_command_fail(&err);
    int code = carom_command_text(given, "--emit") ? emit(given, name)
               : share > 0                         ? audit(sweep, name, share)
                                                   : run_sweep(given, sweep, name);
    carom_sweep_close(sweep);
    return code;
}

static const carom_argument arguments[] = {
    { "FILE", CAROM_ARGUMENT_FILE, .doc = "file of kind sweep, JSON", .required = true },
    { "--out", CAROM_ARGUMENT_TEXT, .value = "NAME",
      .doc = "what the files are called: NAME.journal, NAME.csv, NAME.npz, NAME.html; by default "
             "as the sweep file, in this folder" },
    { "--jobs", CAROM_ARGUMENT_INTEGER, .value = "N", .initial = "0", .min = 0, .max = 1024,
      .doc = "processes at the same time; 0: one per processor, of a shard one" },
    { "--limit", CAROM_ARGUMENT_NUMBER, .value = "N", .initial = "1e5", .min = 1, .max = 1e9,
      .doc = "most jobs; what has more is refused before it starts" },
    { "--retry", CAROM_ARGUMENT_FLAG, .doc = "run jobs that failed again" },
    { "--shard", CAROM_ARGUMENT_TEXT, .value = "I/N",
      .doc = "only every N-th job from the I-th on, into NAME.I-of-N.journal" },
    { "--merge", CAROM_ARGUMENT_FLAG, .doc = "run nothing; make the tables from all journals" },
    { "--emit", CAROM_ARGUMENT_TEXT, .value = "WHAT",
      .doc = "run nothing; write a driver file for parallel, slurm or snakemake" },
    { "--shards", CAROM_ARGUMENT_INTEGER, .value = "N", .initial = "16", .min = 1, .max = 1e6,
      .doc = "of that file" },
    { "--audit", CAROM_ARGUMENT_NUMBER, .value = "SHARE", .initial = "0", .min = 0, .max = 1,
      .doc = "run this share of the jobs in the journals again, here, and compare" },
    { "--force", CAROM_ARGUMENT_FLAG, .doc = "replace a driver file that exists" },
    { 0 },
};

static const char *const examples[] = {
    "on all processors; the same command goes on after a kill",
    "carom sweep scenes/sweep/rod.json",
    "on a cluster",
    "carom sweep scenes/sweep/rod.json --emit slurm --shards 100",
    "are the results the same elsewhere?",
    "carom sweep scenes/sweep/rod.json --audit 0.02",
    NULL,
};

const carom_command carom_sweep_command = {
    .name = "sweep",
    .summary = "run one scene many times, with values that change",
    .details =
        "Reads which values of a scene change (any key by its path), runs every job in a process "
        "of its own and keeps what the file asks for: one line per job, in a journal. Jobs that "
        "are in a journal are not run again: after Ctrl-C, a kill or a crash the same command goes "
        "on. Jobs that fail are named and do not stop the others. See docs/sweep.md.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};

// Driver files for schedulers: each runs the shards of a sweep, and merges them at the end.
#include "sweep/sweep.h"

// In single quotes, for a shell.
static void add_quoted(carom_text *text, const char *words)
{
    carom_text_add(text, "'");
    for (const char *c = words; *c; ++c)
        carom_text_add(text, *c == '\'' ? "'\\''" : "%c", *c);
    carom_text_add(text, "'");
}

static void add_command(carom_text *text, const char *carom, const char *path, const char *out)
{
    add_quoted(text, carom);
    carom_text_add(text, " sweep ");
    add_quoted(text, path);
    carom_text_add(text, " --out ");
    add_quoted(text, out);
}

static void add_parallel(carom_text *text, const char *carom, const char *path, const char *out,
                         int shards)
{
    carom_text_add(text,
                   "#!/bin/sh\n# %d shards on the cores of this machine; \"$@\" goes to GNU "
                   "parallel (--sshlogin ...)\nset -e\nseq %d | parallel \"$@\" ",
                   shards, shards);
    carom_text add = { 0 };
    add_command(&add, carom, path, out);
    carom_text_add(&add, " --shard {}/%d", shards);
    carom_text_add(text, "\"%s\"\n", add.bytes ? add.bytes : "");
    text->failed = text->failed || add.failed;
    carom_text_free(&add);
    add_command(text, carom, path, out);
    carom_text_add(text, " --merge --force\n");
}

static void add_slurm(carom_text *text, const char *carom, const char *path, const char *out,
                      int shards)
{
    carom_text_add(text,
                   "#!/bin/sh\n# sbatch this file; when the array is done: sbatch "
                   "--dependency=singleton --job-name=carom-sweep --array=0 this file\n"
                   "#SBATCH --job-name=carom-sweep\n#SBATCH --array=1-%d\n#SBATCH --ntasks=1\n"
                   "if [ \"$SLURM_ARRAY_TASK_ID\" = 0 ]; then\n    exec ",
                   shards);
    add_command(text, carom, path, out);
    carom_text_add(text, " --merge --force\nfi\nexec ");
    add_command(text, carom, path, out);
    carom_text_add(text, " --shard \"$SLURM_ARRAY_TASK_ID/%d\"\n", shards);
}

static void add_snakemake(carom_text *text, const char *carom, const char *path, const char *out,
                          int shards)
{
    carom_text command = { 0 };
    add_command(&command, carom, path, out);
    const char *words = command.bytes ? command.bytes : "";
    carom_text_add(text,
                   "# snakemake --snakefile this file --cores N\n"
                   "rule all:\n    input: r\"%s.csv\"\n\n"
                   "rule merge:\n    input: expand(r\"%s.{i}-of-%d.done\", i=range(1, %d))\n"
                   "    output: r\"%s.csv\"\n    shell: r\"\"\"%s --merge --force\"\"\"\n\n"
                   "rule shard:\n    output: touch(r\"%s.{i}-of-%d.done\")\n"
                   "    shell: r\"\"\"%s --shard {wildcards.i}/%d\"\"\"\n",
                   out, out, shards, shards + 1, out, words, out, shards, words, shards);
    text->failed = text->failed || command.failed;
    carom_text_free(&command);
}

char *carom_sweep_driver_text(carom_sweep_driver driver, const char *carom, const char *path,
                              const char *out, int shards)
{
    carom_text text = { 0 };
    if (!carom || !path || !out || shards < 1)
        return NULL;
    if (driver == CAROM_SWEEP_DRIVER_PARALLEL)
        add_parallel(&text, carom, path, out, shards);
    else if (driver == CAROM_SWEEP_DRIVER_SLURM)
        add_slurm(&text, carom, path, out, shards);
    else
        add_snakemake(&text, carom, path, out, shards);
    if (text.failed)
        carom_text_free(&text);
    return text.bytes;
}

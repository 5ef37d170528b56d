// `carom gallery`: every figure and table of the five papers, computed anew, as a site.
#include "gallery/gallery.h"
#include "command.h"
#include "output.h"
#include "table.h"

#include <stdio.h>
#include <stdlib.h>

static const carom_terminal_look looks[] = { CAROM_TERMINAL_GOOD, CAROM_TERMINAL_WARN,
                                             CAROM_TERMINAL_BAD, CAROM_TERMINAL_BAD,
                                             CAROM_TERMINAL_FAINT };

static int print_list(void)
{
    carom_table *table = carom_table_create(4);
    static const char *const heads[] = { "id", "paper", "what", "title" };
    for (int i = 0; i < 4; ++i) {
        carom_table_cell(table, CAROM_TERMINAL_BOLD, "%s", heads[i]);
        carom_table_left(table, i);
    }
    for (int i = 0; i < carom_gallery_count(); ++i) {
        carom_gallery_about about = carom_gallery_at(i);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", about.id);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", about.paper);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", about.label);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", about.title);
    }
    carom_table_print(table, stdout);
    carom_table_destroy(table);
    return CAROM_EXIT_GOOD;
}

static void print_summary(const carom_gallery_summary *summary)
{
    carom_table *table = carom_table_create(3);
    carom_table_cell(table, CAROM_TERMINAL_BOLD, "entry");
    carom_table_cell(table, CAROM_TERMINAL_BOLD, "verdict");
    carom_table_cell(table, CAROM_TERMINAL_BOLD, "s");
    carom_table_left(table, 1);
    for (int i = 0; i < carom_gallery_count(); ++i) {
        carom_gallery_verdict verdict = summary->verdict[i];
        if (verdict == CAROM_GALLERY_OPEN)
            continue;
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", carom_gallery_at(i).id);
        carom_table_cell(table, looks[verdict], "%s", carom_gallery_word(verdict));
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.1f", summary->seconds[i]);
    }
    carom_table_print(table, stdout);
    carom_table_destroy(table);
    for (int v = 0; v < CAROM_GALLERY_OPEN; ++v)
        if (summary->count[v])
            printf("%d %s, ", summary->count[v], carom_gallery_word((carom_gallery_verdict)v));
    printf("%d computed now, %d kept\n", summary->computed, summary->kept);
}

static int compare_list(const char *path, const carom_gallery_summary *summary)
{
    carom_error err = { 0 };
    char *words = NULL;
    int worse = 0;
    if (carom_gallery_list_compare(path, summary, &worse, &words, &err) != CAROM_OK)
        return carom_command_fail(&err);
    fputs(words, stdout);
    free(words);
    if (worse)
        printf("%d of the verdicts are worse than in %s\n", worse, path);
    return worse ? CAROM_EXIT_BROKEN : CAROM_EXIT_GOOD;
}

static int write_list(const char *path, bool force, const carom_gallery_summary *summary)
{
    carom_error err = { 0 };
    char *text = carom_gallery_list_text(summary);
    carom_status status = text ? carom_output_write(path, text, force, &err) : CAROM_NO_MEMORY;
    free(text);
    return status == CAROM_OK ? CAROM_EXIT_GOOD : carom_command_fail(&err);
}

static int run(const carom_arguments *given)
{
    if (carom_command_flag(given, "--list"))
        return print_list();
    const char *verdicts = carom_command_text(given, "--verdicts"),
               *against = carom_command_text(given, "--against");
    bool force = carom_command_flag(given, "--force");
    carom_error err = { 0 };
    if (verdicts && carom_output_check(verdicts, force, &err) != CAROM_OK)
        return carom_command_fail(&err);
    carom_gallery_settings settings = {
        .out = carom_command_text(given, "--out"),
        .scenes = carom_command_text(given, "--scenes"),
        .only = carom_command_text(given, "--only"),
        .within = carom_command_number(given, "--within"),
        .quick = carom_command_flag(given, "--quick"),
        .again = carom_command_flag(given, "--again"),
        .threads = (int)carom_command_integer(given, "--threads"),
        .progress = carom_terminal_progress_begin(),
    };
    carom_gallery_summary summary;
    carom_status status = carom_gallery_make(&settings, &summary, &err);
    carom_terminal_progress_end();
    if (status == CAROM_INTERRUPTED)
        carom_terminal_report("what is done stays in %s; the same command continues", settings.out);
    if (status != CAROM_OK)
        return carom_command_fail(&err);
    print_summary(&summary);
    carom_terminal_report("written: %s/index.html", settings.out);
    int code = summary.count[CAROM_GALLERY_FAILED] ? CAROM_EXIT_BROKEN : CAROM_EXIT_GOOD;
    if (verdicts && code == CAROM_EXIT_GOOD)
        code = write_list(verdicts, force, &summary);
    if (against) {
        int other = compare_list(against, &summary);
        code = code == CAROM_EXIT_GOOD ? other : code;
    }
    return code;
}

static const carom_argument arguments[] = {
    { "--out", CAROM_ARGUMENT_FILE, .value = "DIR", .initial = "carom-gallery",
      .doc = "folder of the site; a folder with other things in it is refused" },
    { "--only", CAROM_ARGUMENT_TEXT, .value = "ID", .doc = "compute this entry only" },
    { "--within", CAROM_ARGUMENT_NUMBER, .value = "S", .unit = "s", .initial = "0", .min = 0,
      .max = 1e9, .doc = "only entries that take at most this long each, by estimate; 0: all" },
    { "--quick", CAROM_ARGUMENT_FLAG, .doc = "smaller sizes, which the pages name" },
    { "--list", CAROM_ARGUMENT_FLAG, .doc = "name the entries, and stop" },
    { "--scenes", CAROM_ARGUMENT_FILE, .value = "DIR", .initial = "scenes",
      .doc = "folder with the scenes of the project" },
    { "--again", CAROM_ARGUMENT_FLAG, .doc = "compute also what is there already" },
    { "--against", CAROM_ARGUMENT_FILE, .value = "FILE",
      .doc = "fail where a verdict is worse than in this list" },
    { "--verdicts", CAROM_ARGUMENT_FILE, .value = "FILE", .doc = "write the list of verdicts" },
    { "--threads", CAROM_ARGUMENT_INTEGER, .value = "N", .initial = "0", .min = 0, .max = 1024,
      .doc = "entries at a time; 0: as many as there are cores" },
    { "--force", CAROM_ARGUMENT_FLAG, .doc = "replace an existing list of verdicts" },
    { 0 },
};

static const char *const examples[] = {
    "everything, at small sizes",
    "carom gallery --quick --out quick-gallery",
    "one entry",
    "carom gallery --only qce-fig-4 --out three-balls",
    NULL,
};

const carom_command carom_gallery_command = {
    .name = "gallery",
    .summary = "every figure and table of the five papers, computed anew, as a site",
    .details = "Writes index.html with a card per entry and a page per entry: what the paper "
               "shows, what comes out here, the comparison by a stated criterion with its verdict "
               "(agrees, differs, paper in error), the command that makes it, and its scene.\n\n"
               "A gallery that was stopped continues: entries with a result of the same program "
               "and scene are kept. The exit code is 1 where an entry failed, or where a verdict "
               "is worse than in the list given with --against.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};

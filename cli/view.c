// `carom view`: a recording in the browser.
#include "command.h"
#include "output.h"
#include "terminal.h"

#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "carom/view.h"

enum { RECORDINGS_MAX = 16 };

// Asks the desktop for its browser; where there is none the printed link is all.
static void open_browser(const char *link)
{
    extern char **environ;
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY"))
        return;
    char *words[] = { "xdg-open", (char *)link, NULL };
    pid_t child;
    if (posix_spawnp(&child, words[0], NULL, NULL, words, environ) == 0)
        waitpid(child, NULL, 0);
}

// Until Ctrl-C, or the end of whoever started us.
static void wait_for_the_end(void)
{
    sigset_t signals;
    int which;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigwait(&signals, &which);
}

// The server's threads inherit the mask: signals come to this thread alone.
static void keep_signals(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, NULL);
}

static int serve(const carom_arguments *given, carom_view_source **sources, int count)
{
    carom_error err = { 0 };
    carom_view *view = NULL;
    carom_view_options options = { .listen = carom_command_text(given, "--listen"),
                                   .port = (int)carom_command_integer(given, "--port") };
    if (carom_view_open(sources, count, &options, &view, &err) != CAROM_OK)
        return carom_command_fail(&err);
    printf("%s\n", carom_view_link(view));
    fflush(stdout);
    carom_terminal_report("Open this address in a browser; Ctrl-C ends.");
    if (!carom_command_flag(given, "--no-browser"))
        open_browser(carom_view_link(view));
    wait_for_the_end();
    carom_view_close(view);
    return CAROM_EXIT_GOOD;
}

// One file to keep instead of a server.
static int write_page(const carom_arguments *given, carom_view_source **sources, int count)
{
    carom_error err = { 0 };
    const char *path = carom_command_text(given, "--page");
    bool force = carom_command_flag(given, "--force");
    carom_status status = carom_output_check_page(path, force, &err);
    if (status == CAROM_OK)
        status = carom_output_page(path, sources, count, NULL, force, &err);
    if (status != CAROM_OK)
        return carom_command_fail(&err);
    carom_terminal_report("written: %s", path);
    return CAROM_EXIT_GOOD;
}

// Every file by its own law, or by each of those asked for.
static int open_all(const carom_arguments *given, carom_view_source **sources, int *count)
{
    carom_error err = { 0 };
    int files = carom_command_count(given, "FILE"), laws = carom_command_count(given, "--law");
    int each = laws ? laws : 1;
    if (files * each > RECORDINGS_MAX)
        return carom_command_misuse("show fewer at a time", "%d views; %d fit side by side",
                                    files * each, RECORDINGS_MAX);
    for (int i = 0; i < files * each; ++i) {
        const char *law = laws ? carom_command_text_at(given, "--law", i % each) : NULL;
        if (carom_view_source_open(carom_command_text_at(given, "FILE", i / each), law, &sources[i],
                                   &err) != CAROM_OK)
            return carom_command_fail(&err);
        ++*count;
    }
    return CAROM_EXIT_GOOD;
}

static int run(const carom_arguments *given)
{
    carom_view_source *sources[RECORDINGS_MAX] = { NULL };
    int count = 0;
    if (!carom_command_text(given, "--page"))
        keep_signals(); // before any thread is made
    int code = open_all(given, sources, &count);
    if (code == CAROM_EXIT_GOOD)
        code = carom_command_text(given, "--page") ? write_page(given, sources, count)
                                                   : serve(given, sources, count);
    for (int i = 0; i < count; ++i)
        carom_view_source_close(sources[i]);
    return code;
}

static const carom_argument arguments[] = {
    { "FILE", CAROM_ARGUMENT_FILE, .required = true, .repeated = true,
      .doc = "trajectories, bounce maps, or scenes of kind world (runs while one watches), impact "
             "(sweep by sweep), tower or chain; several stand side by side" },
    { "--law", CAROM_ARGUMENT_TEXT, .value = "NAME", .repeated = true,
      .doc = "of scenes of kind world and impact, instead of their own; several laws stand side by "
             "side" },
    { "--port", CAROM_ARGUMENT_INTEGER, .value = "N", .initial = "0", .min = 0, .max = 65535,
      .doc = "of the server; 0: a free one" },
    { "--listen", CAROM_ARGUMENT_TEXT, .value = "ADDRESS",
      .doc =
          "an address of this machine other than 127.0.0.1, for browsers elsewhere; the link then "
          "carries a token" },
    { "--no-browser", CAROM_ARGUMENT_FLAG, .doc = "only print the link" },
    { "--page", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".html",
      .doc = "write the page with everything in it to this file, instead of serving it; a scene "
             "of kind world runs to its end first" },
    { "--out", CAROM_ARGUMENT_FILE, .value = "FILE", .by_ending = true,
      .doc = "write the same by its ending, .html" },
    { "--force", CAROM_ARGUMENT_FLAG, .doc = "replace that file where it exists" },
    { 0 },
};

static const char *const examples[] = {
    "watch a recorded run",
    "carom run scenes/world/pyramid.json --out pyramid.carom && carom view pyramid.carom",
    "run a scene while watching it",
    "carom view scenes/world/pool-break.json",
    "two laws side by side, sweep by sweep through one impact",
    "carom view scenes/impact/pool-break.json --law wave --law qce",
    NULL,
};

const carom_command carom_view_command = {
    .name = "view",
    .summary = "show anything in the browser: runs, scenes, towers, chains, bounce maps",
    .details = "Serves one page on this machine and prints its address: play, step and scrub, pick "
               "a body and read its state, colours, impulses, plots. A scene of kind world runs "
               "while one watches: law, restitution, friction and gravity can be changed on the "
               "way. A file that changes is read again. H in the page lists the keys.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};

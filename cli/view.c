// `carom view`: a film in the browser.
#include "command.h"
#include "terminal.h"

#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "carom/view.h"

enum { MOST_FILMS = 16 };

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

static int serve(const carom_arguments *given, carom_export **films, int count)
{
    carom_error err = { 0 };
    carom_view *view = NULL;
    carom_view_options options = { .listen = carom_command_text(given, "--listen"),
                                   .port = (int)carom_command_whole(given, "--port") };
    keep_signals();
    if (carom_view_open(films, count, &options, &view, &err) != CAROM_OK)
        return carom_command_fail(&err);
    printf("%s\n", carom_view_link(view));
    fflush(stdout);
    carom_terminal_say("Open this address in a browser; Ctrl-C ends.");
    if (!carom_command_flag(given, "--no-browser"))
        open_browser(carom_view_link(view));
    wait_for_the_end();
    carom_view_close(view);
    return CAROM_EXIT_GOOD;
}

static int run(const carom_arguments *given)
{
    carom_error err = { 0 };
    carom_export *films[MOST_FILMS] = { NULL };
    int files = carom_command_count(given, "FILE"), count = 0, code = CAROM_EXIT_GOOD;
    if (files > MOST_FILMS)
        return carom_command_misuse("show fewer at a time", "%d files; %d fit side by side", files,
                                    MOST_FILMS);
    for (; count < files && code == CAROM_EXIT_GOOD; ++count)
        if (carom_export_open(carom_command_text_at(given, "FILE", count), &films[count], &err) !=
            CAROM_OK)
            code = carom_command_fail(&err);
    if (code == CAROM_EXIT_GOOD)
        code = serve(given, films, count);
    for (int i = 0; i < count; ++i)
        carom_export_destroy(films[i]);
    return code;
}

static const carom_argument arguments[] = {
    { "FILE", CAROM_ARGUMENT_FILE, .required = true, .repeated = true,
      .doc = "trajectories or scenes of kind world; several stand side by side" },
    { "--port", CAROM_ARGUMENT_WHOLE, .value = "N", .initial = "0", .least = 0, .most = 65535,
      .doc = "of the server; 0: a free one" },
    { "--listen", CAROM_ARGUMENT_TEXT, .value = "ADDRESS",
      .doc =
          "an address of this machine other than 127.0.0.1, for browsers elsewhere; the link then "
          "carries a token" },
    { "--no-browser", CAROM_ARGUMENT_FLAG, .doc = "only print the link" },
    { 0 },
};

static const char *const examples[] = {
    "watch a recorded run",
    "carom run scenes/world/pyramid.json --out pyramid.carom && carom view pyramid.carom",
    "two laws side by side",
    "carom view wave.carom qce.carom",
    NULL,
};

const carom_command carom_view_command = {
    .name = "view",
    .summary = "show a run or a scene in the browser",
    .details = "Serves one page on this machine and prints its address: play, step and scrub, pick "
               "a body and read its state, colours, impulses, plots. H in the page lists the keys.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};

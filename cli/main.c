// The command line. Adding a command: one file with its value, one line here.
#include "command.h"
#include "manual.h"
#include "terminal.h"

#include <stdio.h>
#include <string.h>
#include "carom/version.h"

// clang-format off
#define COMMAND_LIST(X)                                                                            \
    X(new)                                                                                         \
    X(import)                                                                                      \
    X(run)                                                                                         \
    X(repose)                                                                                      \
    X(pattern)                                                                                     \
    X(measure)                                                                                     \
    X(validate)                                                                                    \
    X(referee)                                                                                     \
    X(info)                                                                                        \
    X(diff)                                                                                        \
    X(export)                                                                                      \
    X(plot)                                                                                        \
    X(view)                                                                                        \
    X(impact)                                                                                      \
    X(compare)                                                                                     \
    X(outcomes)                                                                                    \
    X(sweep)                                                                                       \
    X(chain)                                                                                       \
    X(tower)                                                                                       \
    X(bounce)                                                                                      \
    X(bounce_probe)                                                                                \
    X(bounce_pair)                                                                                 \
    X(bounce_kernel)                                                                               \
    X(bounce_modes)                                                                                \
    X(bounce_table)                                                                                \
    X(bounce_figure)                                                                               \
    X(gallery)                                                                                     \
    X(laws)                                                                                        \
    X(check)                                                                                       \
    X(help)
// clang-format on

#define DECLARE(name) extern const carom_command carom_##name##_command;
COMMAND_LIST(DECLARE)
#undef DECLARE

const carom_command *const carom_command_list[] = {
#define ADDRESS(name) &carom_##name##_command,
    COMMAND_LIST(ADDRESS)
#undef ADDRESS
        NULL,
};

static int run(int argc, char **argv)
{
    if (argc < 2) {
        carom_manual_overview();
        return CAROM_EXIT_INPUT;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("carom %s (%s)\n", carom_version(), carom_version_compiler());
        return CAROM_EXIT_GOOD;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        carom_manual_overview();
        return CAROM_EXIT_GOOD;
    }
    char both[64];
    for (int i = 0; argc > 2 && carom_command_list[i]; ++i) { // names of two words: `bounce probe`
        snprintf(both, sizeof both, "%s %s", argv[1], argv[2]);
        if (strcmp(both, carom_command_list[i]->name) == 0)
            return carom_command_run(carom_command_list[i], argc - 2, argv + 2);
    }
    const carom_command *command = carom_command_find(argv[1]);
    return command ? carom_command_run(command, argc - 1, argv + 1) : CAROM_EXIT_INPUT;
}

int main(int argc, char **argv)
{
    carom_terminal_catch_interrupts();
    int code = run(argc, argv);
    if (carom_terminal_lost() && (code == CAROM_EXIT_GOOD || code == CAROM_EXIT_BROKEN))
        code = carom_command_no_memory("all that is to be printed");
    // A full disk shows only when the last words are written.
    if ((ferror(stdout) || fflush(stdout) != 0) &&
        (code == CAROM_EXIT_GOOD || code == CAROM_EXIT_BROKEN)) {
        carom_error err = { .status = CAROM_IO_FAILED,
                            .what = "cannot write the standard output",
                            .fix = "look for a full disk or a lost connection" };
        return carom_command_fail(&err);
    }
    return code;
}

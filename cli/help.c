// `carom help`: the overview, one command, the manual pages of all, completion for shells.
#include "command.h"
#include "completion.h"
#include "manual.h"

#include <stdio.h>

static int run(const carom_arguments *given)
{
    const char *name = carom_command_text(given, "COMMAND");
    const carom_command *command = NULL;
    if (name && !(command = carom_command_find(name)))
        return CAROM_EXIT_INPUT;
    if (carom_command_text(given, "--completion")) {
        static void (*const shells[])(void) = { carom_completion_bash, carom_completion_zsh,
                                                carom_completion_fish };
        shells[carom_command_choice(given, "--completion")]();
    } else if (carom_command_flag(given, "--names")) {
        for (int i = 0; carom_command_list[i]; ++i)
            printf("%s\n", carom_command_list[i]->name);
    } else if (carom_command_flag(given, "--man")) {
        carom_manual_page(command);
    } else if (carom_command_flag(given, "--markdown")) {
        for (int i = 0; carom_command_list[i]; ++i)
            if (!command || command == carom_command_list[i])
                carom_manual_markdown(carom_command_list[i]);
    } else if (command) {
        carom_manual_help(command);
    } else {
        carom_manual_overview();
    }
    return CAROM_EXIT_GOOD;
}

static const carom_argument arguments[] = {
    { "COMMAND", CAROM_ARGUMENT_TEXT, .doc = "explain this command" },
    { "--man", CAROM_ARGUMENT_FLAG, .doc = "print the manual page (roff)" },
    { "--markdown", CAROM_ARGUMENT_FLAG,
      .doc = "print Markdown, of all commands where none is named" },
    { "--completion", CAROM_ARGUMENT_CHOICE, .value = "SHELL", .choices = "bash zsh fish",
      .doc = "print a script that completes commands, options and their values in this shell" },
    { "--names", CAROM_ARGUMENT_FLAG, .doc = "print only the names of the commands" },
    { 0 },
};

static const char *const examples[] = {
    "what `compare` takes",
    "carom help compare",
    "read its manual page",
    "carom help compare --man | man -l -",
    "complete its options with the tabulator key, in this shell",
    "source <(carom help --completion bash)",
    NULL,
};

const carom_command carom_help_command = {
    .name = "help",
    .summary = "list the commands, or explain one",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};

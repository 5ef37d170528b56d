// `--set PATH=VALUE`, the same for every command that reads a scene.
#ifndef CAROM_CLI_SETTINGS_H
#define CAROM_CLI_SETTINGS_H

#include "carom/scene.h"
#include "command.h"

#define SETTINGS_ARGUMENT(words)                                                                   \
    {                                                                                              \
        "--set", CAROM_ARGUMENT_TEXT, .value = "PATH=VALUE", .doc = words, .repeated = true        \
    }

// The text of a file with the law of --law (where the command has that) and every --set applied.
carom_status carom_settings_open(const carom_arguments *given, const char *path, const char *law,
                                 carom_scene_text **out, carom_error *err);

#endif

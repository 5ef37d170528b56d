// Reads the text of a scene and changes what the command line asks for.
#include "settings.h"

#include <stdio.h>

carom_status carom_settings_open(const carom_arguments *given, const char *path, const char *law,
                                 carom_scene_text **out, carom_error *err)
{
    char setting[80];
    carom_status status = carom_scene_text_open(path, out, err);
    if (status == CAROM_OK && law) {
        snprintf(setting, sizeof setting, "law=%.70s", law);
        status = carom_scene_text_set(*out, setting, err);
    }
    for (int i = 0; status == CAROM_OK && i < carom_command_count(given, "--set"); ++i)
        status = carom_scene_text_set(*out, carom_command_text_at(given, "--set", i), err);
    if (status != CAROM_OK) {
        carom_scene_text_close(*out);
        *out = NULL;
    }
    return status;
}

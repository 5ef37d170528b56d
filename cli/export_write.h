// What `carom export` was asked for, and writing it.
#ifndef CAROM_CLI_EXPORT_WRITE_H
#define CAROM_CLI_EXPORT_WRITE_H

#include <stdbool.h>
#include "carom/export.h"
#include "command.h"

enum { CAROM_EXPORT_WRITE_KEYS = 64 };

typedef struct carom_export_write_job {
    const carom_arguments *given;
    carom_recording *recording;
    carom_export_view view;
    double keys[CAROM_EXPORT_WRITE_KEYS][7]; // of the camera
    carom_export_pace pace;
    const carom_progress *progress;
    carom_export_format format;
    char out[4096];
    char prefix[2 * 4096 + 32]; // of the files of frames, from the folder of `out`
    bool force;
} carom_export_write_job;

// Whether its format is one that ffmpeg writes.
bool carom_export_write_is_video(const carom_export_write_job *j);
// Writes its file or files, and says where those beside the first are.
carom_status carom_export_write(carom_export_write_job *j, carom_error *err);

#endif

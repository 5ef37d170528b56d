// Tower scenes from text, for tests and the fuzzer; the public way is carom_tower_file_load.
#ifndef CAROM_SCENE_TOWER_FILE_H
#define CAROM_SCENE_TOWER_FILE_H

#include <stddef.h>
#include "carom/tower.h"

carom_status carom_tower_file_parse(const char *name, const char *text, size_t size,
                                    carom_tower **out, carom_error *err);

#endif

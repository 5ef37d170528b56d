// The table of chain files, for the manual and its test.
#ifndef CAROM_SCENE_CHAIN_FILE_H
#define CAROM_SCENE_CHAIN_FILE_H

#include "scene/field.h"

const carom_field_table *carom_chain_file_table(void);

#endif

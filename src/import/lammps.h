// LAMMPS data files with grains: atom style sphere, also granular fixes' "bpm/sphere".
#ifndef CAROM_IMPORT_LAMMPS_H
#define CAROM_IMPORT_LAMMPS_H

#include "import/draft.h"

carom_status carom_lammps_read(const char *name, const char *bytes, size_t size, carom_draft *draft,
                               carom_error *err);

#endif

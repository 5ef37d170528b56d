// Lists of bodies as tables: CSV with a line of headings, or arrays of a NumPy archive.
#ifndef CAROM_IMPORT_TABLE_H
#define CAROM_IMPORT_TABLE_H

#include "import/draft.h"

carom_status carom_table_read(const char *name, const char *bytes, size_t size, carom_draft *draft,
                              carom_error *err);
carom_status carom_table_read_npz(const char *name, const char *bytes, size_t size,
                                  carom_draft *draft, carom_error *err);

#endif

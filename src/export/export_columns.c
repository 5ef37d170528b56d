// The table of ledger columns, and flushing a text to its file before it grows large.
#include "export/export_columns.h"

#include <stddef.h>
#include <string.h>

enum { MUCH = 1 << 20 }; // bytes

#define NUMBER(name, unit, field)                                                                  \
    {                                                                                              \
        name, unit, offsetof(carom_ledger, field), false                                           \
    }
#define INTEGER(name, field)                                                                       \
    {                                                                                              \
        name, "", offsetof(carom_ledger, field), true                                              \
    }

const carom_export_column carom_export_columns[] = {
    NUMBER("kinetic", "J", kinetic),
    NUMBER("potential", "J", potential),
    NUMBER("start", "J", start),
    NUMBER("driven", "J", driven),
    NUMBER("law", "J", law),
    NUMBER("rest", "J", rest),
    NUMBER("drift", "J", position_correction),
    NUMBER("scheme", "J", integrator),
    NUMBER("momentum_x", "kg m/s", momentum[0]),
    NUMBER("momentum_y", "kg m/s", momentum[1]),
    NUMBER("momentum_z", "kg m/s", momentum[2]),
    NUMBER("angular_x", "kg m^2/s", angular[0]),
    NUMBER("angular_y", "kg m^2/s", angular[1]),
    NUMBER("angular_z", "kg m^2/s", angular[2]),
    NUMBER("deepest", "m", overlap),
    NUMBER("deepest_ever", "m", peak_overlap),
    INTEGER("impacts", impacts),
    INTEGER("contacts", contacts),
    INTEGER("sweeps", sweeps),
    INTEGER("rest_sweeps", rest_sweeps),
    NUMBER("rest_residual", "1", rest_residual),
    INTEGER("limited", limited),
    INTEGER("capped", capped),
    INTEGER("endless", endless),
    NUMBER("motors", "J", motors),
    NUMBER("dampers", "J", dampers),
    NUMBER("stops", "J", stops),
    NUMBER("breakage", "J", breakage),
    NUMBER("cohesion", "J", cohesion),
};
const int carom_export_column_count = sizeof carom_export_columns / sizeof *carom_export_columns;

double carom_export_columns_number(const carom_export_column *column, const carom_ledger *ledger)
{
    double value;
    if (column->whole)
        return (double)carom_export_columns_integer(column, ledger);
    memcpy(&value, (const char *)ledger + column->offset, sizeof value);
    return value;
}

int64_t carom_export_columns_integer(const carom_export_column *column, const carom_ledger *ledger)
{
    int64_t value;
    memcpy(&value, (const char *)ledger + column->offset, sizeof value);
    return value;
}

carom_status carom_export_columns_flush(carom_text *text, FILE *file, bool all, carom_error *err)
{
    if (!all && text->length < MUCH)
        return CAROM_OK;
    TRY(carom_text_status(text, err));
    if (text->length && fwrite(text->bytes, 1, text->length, file) != text->length) {
        carom_error_set(err, CAROM_IO_FAILED, "cannot write the file");
        return carom_error_fix(err, "look for a full disk");
    }
    text->length = 0;
    return CAROM_OK;
}

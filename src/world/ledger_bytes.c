// Writes and reads the ledger number by number, 8 bytes each, in the order of one list. New numbers
// are added at its end, so that older files stay readable.
#include "world/ledger_bytes.h"

#include "base/bytes.h"

#define NUMBER(member) CAROM_BYTES(F64, carom_ledger, member)
#define COUNT(member) CAROM_BYTES(I64, carom_ledger, member)

static const carom_bytes_field fields[] = {
    NUMBER(kinetic),
    NUMBER(potential),
    NUMBER(start),
    NUMBER(driven),
    NUMBER(law),
    NUMBER(rest),
    NUMBER(position_correction),
    NUMBER(integrator),
    NUMBER(peak_kinetic),
    NUMBER(min_potential),
    NUMBER(max_potential),
    NUMBER(momentum),
    NUMBER(angular),
    NUMBER(overlap),
    NUMBER(peak_overlap),
    COUNT(impacts),
    COUNT(contacts),
    COUNT(sweeps),
    COUNT(rest_sweeps),
    NUMBER(rest_residual),
    COUNT(limited),
    COUNT(capped),
    COUNT(endless),
    COUNT(steps),
    NUMBER(time),
    NUMBER(motors),
    NUMBER(dampers),
    NUMBER(stops),
    NUMBER(breakage),
    NUMBER(cohesion),
    { 0 },
};

void carom_ledger_bytes_put(const carom_ledger *ledger, unsigned char out[CAROM_LEDGER_BYTES])
{
    carom_bytes_put(fields, ledger, &out);
}

void carom_ledger_bytes_get(const unsigned char *bytes, size_t size, carom_ledger *out)
{
    unsigned char whole[CAROM_LEDGER_BYTES] = { 0 };
    const unsigned char *at = whole;
    memcpy(whole, bytes, size < sizeof whole ? size : sizeof whole);
    *out = (carom_ledger){ 0 };
    carom_bytes_get(fields, out, &at);
}

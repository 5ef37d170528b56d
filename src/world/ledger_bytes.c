// Writes and reads the ledger number by number, 8 bytes each, in the order of one list. New numbers
// are added at its end, so that older files stay readable.
#include "world/ledger_bytes.h"

#include "base/bytes.h"

// X(member) for a double, N(member) for a count.
#define LEDGER_LIST(X, N)                                                                          \
    X(kinetic)                                                                                     \
    X(potential)                                                                                   \
    X(start)                                                                                       \
    X(driven)                                                                                      \
    X(law)                                                                                         \
    X(rest)                                                                                        \
    X(position_correction)                                                                         \
    X(integrator)                                                                                  \
    X(peak_kinetic)                                                                                \
    X(min_potential)                                                                               \
    X(max_potential)                                                                               \
    X(momentum[0])                                                                                 \
    X(momentum[1])                                                                                 \
    X(momentum[2])                                                                                 \
    X(angular[0])                                                                                  \
    X(angular[1])                                                                                  \
    X(angular[2])                                                                                  \
    X(overlap)                                                                                     \
    X(peak_overlap)                                                                                \
    N(impacts)                                                                                     \
    N(contacts)                                                                                    \
    N(sweeps)                                                                                      \
    N(rest_sweeps)                                                                                 \
    X(rest_residual)                                                                               \
    N(limited)                                                                                     \
    N(capped)                                                                                      \
    N(endless)                                                                                     \
    N(steps)                                                                                       \
    X(time)                                                                                        \
    X(motors)                                                                                      \
    X(dampers)                                                                                     \
    X(stops)                                                                                       \
    X(breakage)

#define COUNT(member) +8
_Static_assert(CAROM_LEDGER_BYTES == 0 LEDGER_LIST(COUNT, COUNT), "the list and its size agree");
#undef COUNT

void carom_ledger_bytes_put(const carom_ledger *ledger, unsigned char out[CAROM_LEDGER_BYTES])
{
    unsigned char *at = out;
#define PUT(member) carom_bytes_put_f64(&at, ledger->member);
#define PUT_COUNT(member) carom_bytes_put_u64(&at, (uint64_t)ledger->member);
    LEDGER_LIST(PUT, PUT_COUNT)
#undef PUT
#undef PUT_COUNT
}

void carom_ledger_bytes_get(const unsigned char *bytes, size_t size, carom_ledger *out)
{
    unsigned char whole[CAROM_LEDGER_BYTES] = { 0 };
    const unsigned char *at = whole;
    memcpy(whole, bytes, size < sizeof whole ? size : sizeof whole);
    *out = (carom_ledger){ 0 };
#define GET(member) out->member = carom_bytes_get_f64(&at);
#define GET_COUNT(member) out->member = (int64_t)carom_bytes_get_u64(&at);
    LEDGER_LIST(GET, GET_COUNT)
#undef GET
#undef GET_COUNT
}

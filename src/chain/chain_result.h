// The memory behind a carom_chain_result, and what both solvers derive in the same way.
#ifndef CAROM_CHAIN_CHAIN_RESULT_H
#define CAROM_CHAIN_CHAIN_RESULT_H

#include "base/arena.h"
#include "carom/chain.h"

carom_status carom_chain_result_create(const carom_chain *chain, carom_chain_result **out,
                                       carom_error *err);
// Memory that lives as long as the result, and memory that is given back by
// carom_chain_result_finish.
carom_arena *carom_chain_result_arena(carom_chain_result *result);
carom_arena *carom_chain_result_scratch(carom_chain_result *result);
carom_chain_touch *carom_chain_result_touch(carom_chain_result *result);
void carom_chain_result_set_body(carom_chain_result *result, size_t body, double velocity,
                                 double vibration);
// Derives impulses, restitution and the momentum error and hands the result over; or, if `status`
// is a failure, destroys it. Returns `status`.
carom_status carom_chain_result_finish(carom_chain_result *result, carom_status status,
                                       carom_chain_result **out);

#endif

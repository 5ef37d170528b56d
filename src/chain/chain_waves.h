// Bars that collide, solved exactly by characteristics.
#ifndef CAROM_CHAIN_CHAIN_WAVES_H
#define CAROM_CHAIN_CHAIN_WAVES_H

#include "chain/chain_result.h"

// Fills a fresh result. UNSUPPORTED unless every body is an undamped cylinder or a wall and every
// contact is bare. `chain` has been checked and has its options filled in.
carom_status carom_chain_waves_run(const carom_chain *chain, carom_chain_result *result,
                                   carom_error *err);

#endif

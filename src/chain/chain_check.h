// The parts of carom_chain_check, for readers that know where each part stands in a file.
#ifndef CAROM_CHAIN_CHAIN_CHECK_H
#define CAROM_CHAIN_CHAIN_CHECK_H

#include "base/error.h"
#include "base/shared.h"
#include "carom/chain.h"

CAROM_SHARED carom_status carom_chain_check_body(const carom_chain *chain, size_t body,
                                                 carom_error *err);
CAROM_SHARED carom_status carom_chain_check_contact(const carom_chain *chain, size_t contact,
                                                    carom_error *err);

#endif

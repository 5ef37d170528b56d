// The pictures of a chain as pieces of a page. Text goes to the end of `text`.
#ifndef CAROM_PICTURES_CHAIN_PANELS_H
#define CAROM_PICTURES_CHAIN_PANELS_H

#include "base/arena.h"
#include "base/text.h"
#include "carom/chain.h"

// Four panels: positions, compressions, velocities, force over compression.
carom_status carom_chain_panels_draw(const carom_chain_report *report,
                                     const carom_chain_result *result, carom_arena *scratch,
                                     carom_text *text, carom_error *err);
// Velocities after the impact over the gap before it.
carom_status carom_chain_panels_sweep(const carom_chain_report *report, carom_arena *scratch,
                                      carom_text *text, carom_error *err);
// Bodies with their strain in colour at twelve instants.
void carom_chain_snapshots_draw(const carom_chain_report *report, const carom_chain_result *result,
                                carom_text *text);

#endif

// Help, manual pages and Markdown from the command tables.
#ifndef CAROM_CLI_MANUAL_H
#define CAROM_CLI_MANUAL_H

#include "command.h"

void carom_manual_overview(void);                     // `carom help`
void carom_manual_help(const carom_command *command); // `carom impact --help`
void carom_manual_page(const carom_command *command); // roff; null: the page of `carom` itself
void carom_manual_markdown(const carom_command *command);

#endif

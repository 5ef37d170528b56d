// Shell completion from the command tables.
#ifndef CAROM_CLI_COMPLETION_H
#define CAROM_CLI_COMPLETION_H

void carom_completion_bash(void);
void carom_completion_zsh(void);
void carom_completion_fish(void);

#endif

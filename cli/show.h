// Results of impacts on the terminal, shared by `impact` and `compare`.
#ifndef CAROM_CLI_SHOW_H
#define CAROM_CLI_SHOW_H

#include "carom/compare.h"
#include "command.h"

// Laws with energy, verdicts, distance, sweeps, time.
void carom_show_figures(const carom_compare *compare);
// Velocities (and spins where there are any) before and after, bodies down, laws across; split into
// blocks that fit the terminal.
void carom_show_velocities(const carom_compare *compare);
// Failed laws and broken promises in words; CAROM_EXIT_BROKEN where there are any of the latter, or
// a law that did not converge.
int carom_show_judgement(const carom_compare *compare);

// The argument --verdicts of commands that measure desiderata.
#define SHOW_LIMIT_ARGUMENT                                                                        \
    {                                                                                              \
        "--limit", CAROM_ARGUMENT_NUMBER,                                                          \
            .value = "N", .initial = "1e9", .min = 1, .max = 1e18,                                 \
            .doc =                                                                                 \
                "most work of one resolve: updates of contacts; 1e7 take about a second. A law "   \
                "that needs more ends there with exit code 1"                                      \
    }
#define SHOW_VERDICTS_ARGUMENT                                                                     \
    {                                                                                              \
        "--verdicts", CAROM_ARGUMENT_CHOICE,                                                       \
            .value = "WORD", .initial = "auto", .choices = "auto quick all",                       \
            .doc =                                                                                 \
                "desiderata to measure; quick leaves out BRK, WAV and the distance to springs, "   \
                "which need many resolves; auto is all up to 300 contacts"                         \
    }

// Bits of the desiderata that --verdicts asks for, as carom_compare_create takes them.
unsigned carom_show_selection(const carom_arguments *given);

// Applies "option=value" to the options of a law; prints the error and returns an exit code.
int carom_show_set(const carom_law *law, carom_law_options *options, const char *text);

#endif

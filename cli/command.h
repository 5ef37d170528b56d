// Commands as tables: one entry per argument feeds the parser, `--help`, the manual page and the
// suggestions for misspelt ones.
//
// A command is one file with one `const carom_command carom_<stem>_command` and one line in
// COMMAND_LIST in main.c:
//
//     static const carom_argument arguments[] = {
//         { "FILE", CAROM_ARGUMENT_FILE, .doc = "the problem, JSON (\"-\": standard input)",
//           .required = true },
//         { "--law", CAROM_ARGUMENT_TEXT, .value = "NAME", .doc = "use this law" },
//         { "--steps", CAROM_ARGUMENT_INTEGER, .value = "N", .initial = "100", .min = 1, .max =
//         1e9,
//           .doc = "how many" },
//         { "--json", CAROM_ARGUMENT_FLAG, .doc = "print JSON" },
//         { 0 },
//     };
//     static int run(const carom_arguments *given) {
//         const char *law = carom_command_text(given, "--law"); // null where not given
//         int64_t steps = carom_command_integer(given, "--steps");
//         ...
//     }
#ifndef CAROM_CLI_COMMAND_H
#define CAROM_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "carom/status.h"

// Exit codes, documented in every manual page.
#define CAROM_EXIT_LIST(X)                                                                         \
    X(GOOD, 0, "done")                                                                             \
    X(BROKEN, 1, "done, but a result breaks what was promised or did not converge")                \
    X(INPUT, 2, "the command line or a file cannot be used")                                       \
    X(INTERNAL, 3, "not enough memory, or a mistake inside Carom")                                 \
    X(IO, 4, "a file could not be read or written")                                                \
    X(STOPPED, 130, "interrupted")

enum {
#define CAROM_EXIT_VALUE(name, code, sentence) CAROM_EXIT_##name = code,
    CAROM_EXIT_LIST(CAROM_EXIT_VALUE)
#undef CAROM_EXIT_VALUE
};

typedef enum carom_argument_kind {
    CAROM_ARGUMENT_FLAG,    // --json
    CAROM_ARGUMENT_TEXT,    // --law NAME
    CAROM_ARGUMENT_NUMBER,  // --time SECONDS
    CAROM_ARGUMENT_INTEGER, // --steps N
    CAROM_ARGUMENT_CHOICE,  // --form WORD, one of `choices`
    CAROM_ARGUMENT_FILE,    // a file to read or write
} carom_argument_kind;

typedef struct carom_argument {
    const char *name; // "--law"; without dashes it is positional: "FILE"
    carom_argument_kind kind;
    const char *value;   // what help calls the value: "NAME"
    const char *unit;    // of a number: "s"
    const char *initial; // used where it is not given, shown in help; null: none
    double min, max;     // of a number; both 0: no bounds
    const char *choices; // of a CHOICE, separated by spaces
    const char *doc;     // starts in lower case, no full stop
    const char *ending;  // of a FILE to write: ".svg"; a name that ends like another one is refused
    bool by_ending;      // --out: also takes the files of the other options, by their endings
    bool required;       // positional ones only
    bool repeated;       // may be given several times; a positional one must be the last
} carom_argument;

typedef struct carom_arguments carom_arguments;

typedef struct carom_command {
    const char *name;
    const char *summary;                      // one line for the overview, no full stop
    const char *details;                      // paragraphs for help and manual, may be null
    const carom_argument *arguments;          // ends with a null name
    const char *const *examples;              // pairs: what it shows, the line; ends with null
    int (*run)(const carom_arguments *given); // returns an exit code
} carom_command;

// Values as given, else the default. The name must be in the table.
bool carom_command_flag(const carom_arguments *given, const char *name);
const char *carom_command_text(const carom_arguments *given, const char *name);
double carom_command_number(const carom_arguments *given, const char *name);
int64_t carom_command_integer(const carom_arguments *given, const char *name);
int carom_command_choice(const carom_arguments *given, const char *name); // index into `choices`
// Numbers separated by commas: how many, 0 where it is not given, -1 where they cannot be read or
// there are more than `max`.
int carom_command_numbers(const carom_arguments *given, const char *name, double *out, int max);
// How often it was given, and the n-th text of a repeated one.
int carom_command_count(const carom_arguments *given, const char *name);
const char *carom_command_text_at(const carom_arguments *given, const char *name, int index);

// The list of commands; ends with null.
extern const carom_command *const carom_command_list[];
const carom_command *carom_command_find(const char *name);

// Parses argv (argv[0] is the command's name) and runs it.
int carom_command_run(const carom_command *command, int argc, char **argv);

// Prints an error as file:line:column: what / in ... Fix: ..., and returns its exit code.
int carom_command_fail(const carom_error *err);
// The same where memory has run out: "no memory for <what>".
int carom_command_no_memory(const char *what);
// Reports a misuse of the command line; printf style; returns CAROM_EXIT_INPUT.
int carom_command_misuse(const char *fix, const char *what, ...)
    __attribute__((format(printf, 2, 3)));

#endif

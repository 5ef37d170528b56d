// Checks that say what they claim.
//
// A failing check prints file, line, the claim in words, both values and the allowance, and goes
// on. Write the reason of a tolerance next to it. main() ends with `return check_report();`.
#ifndef CAROM_TESTS_CHECK_H
#define CAROM_TESTS_CHECK_H

#include <stdbool.h>

// The claim holds: printf-style words.
#define CHECK(truth, ...) check_true((truth), __FILE__, __LINE__, #truth, __VA_ARGS__)
// |found - wanted| <= allowance (a NaN fails).
#define CHECK_NEAR(found, wanted, allowance, ...)                                                  \
    check_near((found), (wanted), (allowance), __FILE__, __LINE__, __VA_ARGS__)
// found <= most (a NaN fails).
#define CHECK_MOST(found, max, ...) check_most((found), (max), __FILE__, __LINE__, __VA_ARGS__)
#define CHECK_TEXT(found, wanted, ...)                                                             \
    check_text((found), (wanted), __FILE__, __LINE__, __VA_ARGS__)

bool check_true(bool truth, const char *file, int line, const char *expression, const char *claim,
                ...) __attribute__((format(printf, 5, 6)));
bool check_near(double found, double wanted, double allowance, const char *file, int line,
                const char *claim, ...) __attribute__((format(printf, 6, 7)));
bool check_most(double found, double max, const char *file, int line, const char *claim, ...)
    __attribute__((format(printf, 5, 6)));
bool check_text(const char *found, const char *wanted, const char *file, int line,
                const char *claim, ...) __attribute__((format(printf, 5, 6)));

// How much of a long loop to do, by CAROM_EFFORT. Unset, in the optimised build of the reference
// compiler: `usual`. "part", under sanitizers (ten times slower) and from another compiler, whose
// results the tests of determinism compare bit by bit: `part`. "full", in `make test-slow`, for the
// tests that tests/CMakeLists.txt lists: check_effort gives `usual` and check_full is true.
// "threads", under the thread sanitizer: `part`, and check_threads_only is true: what one thread
// does is left to the other builds, golden hashes are asked of several threads at once.
int check_effort(int usual, int part);
bool check_full(void);
bool check_threads_only(void);

// Prints "N passed, N failed" and returns the exit code. A program that checked nothing fails.
int check_report(void);

#endif

// Colours, width, errors and the progress line of a terminal; plain text where there is none.
#include "terminal.h"

#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include "command.h"
#include "output.h"

// -- colours ------------------------------------------------------------------------------------

static bool is_coloured(FILE *stream)
{
    const char *refused = getenv("NO_COLOR"), *kind = getenv("TERM");
    return isatty(fileno(stream)) && !(refused && *refused) && kind && strcmp(kind, "dumb") != 0;
}

const char *carom_terminal_start(FILE *stream, carom_terminal_look look)
{
    static const char *const codes[] = { "\033[0m",  "\033[1m",  "\033[2m",
                                         "\033[32m", "\033[31m", "\033[33m" };
    return is_coloured(stream) ? codes[look] : "";
}

int carom_terminal_width(FILE *stream)
{
    struct winsize size;
    if (isatty(fileno(stream)) && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 &&
        size.ws_col >= 20)
        return size.ws_col;
    return 100;
}

// -- messages -----------------------------------------------------------------------------------

// Splits "file:12:5, in body "a"" behind the column; a place without a file is all surroundings.
static size_t place_length(const char *where)
{
    size_t length = 0;
    for (const char *at = where; (at = strchr(at, ':')); ++at) {
        size_t line = strspn(at + 1, "0123456789");
        if (line == 0 || at[1 + line] != ':')
            continue;
        size_t column = strspn(at + 2 + line, "0123456789");
        const char *end = at + 2 + line + column;
        if (column && (*end == 0 || strncmp(end, ", ", 2) == 0))
            length = (size_t)(end - where);
    }
    return length;
}

// C0 and DEL are single bytes; C1 is 0xC2 followed by 0x80 to 0x9F in UTF-8.
void carom_terminal_tame(char *words)
{
    for (unsigned char *at = (unsigned char *)words; *at; ++at) {
        bool c1 = at[0] == 0xC2 && at[1] >= 0x80 && at[1] < 0xA0;
        if ((*at < 0x20 && *at != '\n') || *at == 0x7F)
            *at = '?';
        if (c1)
            at[0] = at[1] = '?';
    }
}

static bool lost;

void carom_terminal_lose(void)
{
    lost = true;
}

bool carom_terminal_lost(void)
{
    return lost;
}

void carom_terminal_print(const char *words)
{
    char *copy = strdup(words);
    if (!copy) {
        carom_terminal_lose();
        return;
    }
    carom_terminal_tame(copy);
    puts(copy);
    free(copy);
}

void carom_terminal_error(const carom_error *given)
{
    carom_error copy = *given, *err = &copy;
    carom_terminal_tame(copy.what);
    carom_terminal_tame(copy.where);
    carom_terminal_tame(copy.fix);
    size_t length = place_length(err->where);
    const char *around = err->where + length;
    if (strncmp(around, ", ", 2) == 0)
        around += 2;
    const char *in = strncmp(around, "in ", 3) == 0 || *around == 0 ? "" : "in ";
    fflush(stdout);
    fprintf(stderr, "%s%.*s:%s %s\n", carom_terminal_start(stderr, CAROM_TERMINAL_BAD),
            length ? (int)length : 5, length ? err->where : "carom",
            carom_terminal_start(stderr, CAROM_TERMINAL_PLAIN), err->what);
    size_t end = strlen(err->fix);
    bool open_end = end && !strchr(".?!", err->fix[end - 1]);
    if (*around || end)
        fprintf(stderr, "  %s%s%s%s%s%s%s\n", in, around, *around ? "." : "",
                *around && end ? " " : "", end ? "Fix: " : "", err->fix, open_end ? "." : "");
}

void carom_terminal_report(const char *words, ...)
{
    va_list list;
    va_start(list, words);
    fflush(stdout);
    vfprintf(stderr, words, list);
    fputc('\n', stderr);
    va_end(list);
}

static const double ROUND_OFF = 1e-12;

double carom_terminal_rounded(double value, double scale)
{
    return fabs(value) <= ROUND_OFF * scale ? 0 : value;
}

double carom_terminal_energy(double value, const carom_ledger *l)
{
    double now = l->kinetic + l->potential;
    double stake = fmax(fmax(fabs(l->start), fabs(now)),
                        fmax(l->peak_kinetic, l->max_potential - l->min_potential));
    double terms = (double)l->steps + (double)l->impacts;
    return carom_terminal_rounded(value, stake * fmax(1, DBL_EPSILON / ROUND_OFF * terms));
}

// -- interruption -------------------------------------------------------------------------------

static volatile sig_atomic_t asked_to_stop, work_listens;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    if (work_listens && !asked_to_stop) {
        static const char words[] = "\nstopping after this step; once more stops at once\n";
        asked_to_stop = 1;
        ssize_t written = isatty(STDERR_FILENO) ? write(STDERR_FILENO, words, sizeof words - 1) : 0;
        (void)written; // nothing to be done about a failure here
        return;
    }
    carom_output_abandon();
    _exit(CAROM_EXIT_STOPPED);
}

void carom_terminal_catch_interrupts(void)
{
    struct sigaction action = { .sa_handler = on_interrupt, .sa_flags = SA_RESTART };
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    // A reader that goes away (`carom laws | head -1`) is an end like any other: writing fails.
    signal(SIGPIPE, SIG_DFL);
    // A file at its size limit is a full disk like any other.
    signal(SIGXFSZ, SIG_IGN);
}

// -- progress -----------------------------------------------------------------------------------

static struct {
    double start, last;
    bool shown, quiet;
} line;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void format_left(double seconds, char *out, size_t size)
{
    if (seconds < 90)
        snprintf(out, size, "%.0f s", seconds);
    else if (seconds < 5400)
        snprintf(out, size, "%.0f min", seconds / 60);
    else
        snprintf(out, size, "%.1f h", seconds / 3600);
}

// For logs: a line now and then, at first after half a minute, then more and more seldom.
static void report_log(double time, double share, const char *left, const char *what)
{
    const double first = 30, longest = 600; // s
    double pause = fmax(first, fmin(time - line.start, longest));
    if (line.quiet || time - fmax(line.last, line.start) < pause)
        return;
    line.last = time;
    fprintf(stderr, "%s: %.0f %%, %s left\n", what, 100 * share, left);
}

// Nothing before two seconds, then at most five times per second.
static int report(void *context, double done, double total, const char *what)
{
    (void)context;
    double time = now(), passed = time - line.start;
    if (asked_to_stop)
        return 1;
    bool terminal = isatty(STDERR_FILENO);
    if (passed < 2 || time - line.last < 0.2)
        return 0;
    double share = total > 0 ? done / total : 0;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    char left[32] = "?";
    if (share > 0)
        format_left(passed * (1 - share) / share, left, sizeof left);
    if (!terminal) {
        report_log(time, share, left, what);
        return 0;
    }
    line.last = time;
    line.shown = true;
    fprintf(stderr, "\r\033[K%s: %3.0f %%, %s left", what, 100 * share, left);
    fflush(stderr);
    return 0;
}

void carom_terminal_progress_quiet(void)
{
    line.quiet = true;
}

const carom_progress *carom_terminal_progress_begin(void)
{
    static const carom_progress progress = { report, NULL };
    line.start = now();
    line.last = 0;
    line.shown = false;
    work_listens = 1;
    return &progress;
}

void carom_terminal_progress_end(void)
{
    work_listens = 0;
    if (line.shown)
        fputs("\r\033[K", stderr);
    line.shown = false;
}

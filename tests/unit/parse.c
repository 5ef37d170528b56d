// JSON without memory: each allocation of the parser fails in turn. jansson alone goes on behind a
// token that found no room, and writes beyond it: where that is the quote at its end (the first key
// here fills sixteen bytes).
#include "parse/parse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "support/check.h"

static const char text[] =
    "{ \"fourteen bytes\": \"\", \"a key that is longer than sixteen bytes\": [1, 2.5, true, null, "
    "\"and a text of more than "
    "sixty-four bytes, so that the buffer of the parser has to grow twice\", { \"x\": \"\\u00e4\" "
    "}],"
    " \"numbers\": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] }";
static char path[] = "/tmp/carom-parse-XXXXXX";

static int calls, failing = -1;
static bool for_ever; // and all that follow

static void *fragile(size_t size)
{
    int number = calls++;
    return failing >= 0 && (number == failing || (for_ever && number > failing)) ? NULL
                                                                                 : malloc(size);
}

static json_t *parse(bool file)
{
    json_error_t flaw;
    calls = 0;
    errno = 0;
    return file ? carom_parse_file(path, 0, &flaw) : carom_parse_text(text, strlen(text), 0, &flaw);
}

static void check_source(bool file)
{
    failing = -1;
    json_t *whole = parse(file);
    int all = calls;
    CHECK(whole && all > 30, "the text is sound, and asks for memory %d times", all);
    for (int k = 0; k < 2 * all; ++k) {
        failing = k / 2;
        for_ever = k % 2;
        json_t *root = parse(file);
        CHECK(!root && errno == ENOMEM, "call %d fails: no memory, not %s", failing,
              root ? "a value" : strerror(errno));
        json_decref(root);
    }
    failing = -1;
    json_t *again = parse(file);
    CHECK(again && json_equal(whole, again), "with memory it is what it was");
    json_decref(again);
    json_decref(whole);
}

static void check_flaws(void)
{
    json_error_t flaw;
    CHECK(!carom_parse_text("{ \"a\": [1, }", 12, 0, &flaw) && flaw.line == 1, "no JSON, line 1");
    CHECK(!carom_parse_file("no such file", 0, &flaw) && flaw.line == -1, "no file");
    CHECK(!carom_parse_file("/", 0, &flaw) && flaw.line == -1, "a folder is no file");
}

int main(void)
{
    json_set_alloc_funcs(fragile, free); // before the first text is parsed: what ours stand before
    int descriptor = mkstemp(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (CHECK(file != NULL, "a file to write")) {
        fputs(text, file);
        fclose(file);
    }
    check_source(false);
    check_source(true);
    check_flaws();
    remove(path);
    return check_report();
}

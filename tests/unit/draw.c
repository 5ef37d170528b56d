// Pictures and pages: ticks, escaping, clipping, and well-formed output.
#include <math.h>
#include <string.h>
#include "draw/page.h"
#include "draw/plot.h"
#include "support/check.h"

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        ++count;
    return count;
}

int main(void)
{
    CHECK_NEAR(carom_plot_tick(10, 5), 2, 1e-12, "ten in five steps of two");
    CHECK_NEAR(carom_plot_tick(0.7, 7), 0.1, 1e-12, "tenths");

    double x[] = { 0, 1, 2, 3, 4 }, y[] = { 1, 2, NAN, 4, 1e300 };
    carom_plot_series series[] = { { .name = "a < b", .x = x, .y = y, .count = 5 } };
    carom_plot plot = { .title = "title",
                        .x = { "time", "s", 0, 0, false, 0 },
                        .y = { "speed", NULL, 0, 5, false, 0 },
                        .series = series,
                        .count = 1,
                        .size = { 400, 300 } };
    carom_text text = { 0 };
    carom_svg svg = carom_svg_begin(&text, 400, 300, "a \"plot\" & more");
    carom_plot_draw(&svg, &plot);
    carom_svg_end(&svg);
    CHECK(count_of(text.bytes, "<polyline") == 2,
          "a gap in the data and a value outside split the line");
    CHECK(strstr(text.bytes, "a &lt; b") != NULL, "names are escaped");
    CHECK(strstr(text.bytes, "time (s)") != NULL && strstr(text.bytes, "speed (-)") != NULL,
          "no axis without its unit");
    CHECK(!strstr(text.bytes, "nan") && !strstr(text.bytes, "inf"),
          "no number a viewer cannot read");

    carom_text page = { 0 };
    const char *cells[] = { "law", "energy", "qce", "1.0" };
    carom_page_begin(&page, "t", "<script>");
    carom_page_table(&page, cells, 2, 2);
    carom_page_picture(&page, &text, "caption");
    carom_page_end(&page);
    CHECK(!strstr(page.bytes, "<script>"), "words are escaped");
    CHECK(count_of(page.bytes, "class=\"n\"") == 2,
          "numbers and their heading are set to the right");
    CHECK(carom_text_status(&page, NULL) == CAROM_OK, "all of it was written");

    carom_text number = { 0 };
    carom_text_add_number(&number, 0.1);
    CHECK_TEXT(number.bytes, "0.1", "the shortest decimal that reads back");
    carom_text_free(&number);
    carom_text_add_number(&number, 1.0 / 3);
    CHECK_TEXT(number.bytes, "0.3333333333333333", "sixteen digits are enough for a third");
    carom_text_free(&number);
    carom_text_free(&text);
    carom_text_free(&page);
    return check_report();
}

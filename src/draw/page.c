// Sections, pictures and tables of one HTML file with its style inside.
#include "draw/page.h"

#include <ctype.h>
#include "carom/version.h"

static const char style[] =
    ":root{color-scheme:light "
    "dark;--ink:#1b1f24;--paper:#fff;--soft:#f3f5f8;--line:#d5d9df;--mid:#59626d}"
    "@media "
    "(prefers-color-scheme:dark){:root{--ink:#e8eaed;--paper:#15181c;--soft:#1e2329;--line:#3a414a;"
    "--mid:#9aa3ad}}"
    "body{margin:2rem auto;max-width:72rem;padding:0 "
    "1.2rem;background:var(--paper);color:var(--ink);"
    "font:16px/1.5 system-ui,Helvetica,Arial,sans-serif}"
    "h1{font-size:1.7rem;margin:0 0 .4rem}h2{font-size:1.25rem;margin:2.2rem 0 "
    ".4rem}p{max-width:48rem}"
    "figure{margin:1rem 0;overflow-x:auto}figure svg{max-width:100%;height:auto}"
    "figcaption{color:var(--mid);font-size:.9rem}"
    ".table{overflow-x:auto}table{border-collapse:collapse;font-size:.88rem;font-variant-numeric:"
    "tabular-nums}"
    "th,td{padding:.25rem .7rem;border-bottom:1px solid "
    "var(--line);text-align:left;white-space:nowrap}"
    "td.n,th.n{text-align:right}"
    "pre{background:var(--soft);padding:.8rem "
    "1rem;overflow-x:auto;font-size:.85rem;border-radius:4px}"
    "footer{margin-top:3rem;color:var(--mid);font-size:.85rem}"
    "input[type=range]{width:min(40rem,90%)}";

void carom_page_begin(carom_text *text, const char *title, const char *introduction)
{
    if (!text || !title)
        return;
    carom_text_add(
        text, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
              "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>");
    carom_text_add_escaped(text, title);
    carom_text_add(text, "</title><style>%s</style></head><body>\n<h1>", style);
    carom_text_add_escaped(text, title);
    carom_text_add(text, "</h1>\n");
    if (introduction) {
        carom_text_add(text, "<p>");
        carom_text_add_escaped(text, introduction);
        carom_text_add(text, "</p>\n");
    }
}

void carom_page_section(carom_text *text, const char *heading, const char *words)
{
    if (!text || !heading)
        return;
    carom_text_add(text, "<h2>");
    carom_text_add_escaped(text, heading);
    carom_text_add(text, "</h2>\n");
    if (!words)
        return;
    carom_text_add(text, "<p>");
    carom_text_add_escaped(text, words);
    carom_text_add(text, "</p>\n");
}

void carom_page_picture(carom_text *text, const carom_text *svg, const char *caption)
{
    if (!text || !svg)
        return;
    carom_text_add(text, "<figure>");
    if (svg->length)
        carom_text_add_bytes(text, svg->bytes, svg->length);
    if (svg->failed)
        text->failed = true;
    if (caption) {
        carom_text_add(text, "<figcaption>");
        carom_text_add_escaped(text, caption);
        carom_text_add(text, "</figcaption>");
    }
    carom_text_add(text, "</figure>\n");
}

static int looks_like_number(const char *words)
{
    if (*words == '-' || *words == '+')
        ++words;
    return isdigit((unsigned char)*words) || (*words == '.' && isdigit((unsigned char)words[1]));
}

void carom_page_table(carom_text *text, const char *const *cells, int rows, int columns)
{
    if (!text || !cells)
        return;
    carom_text_add(text, "<div class=\"table\"><table>\n");
    for (int r = 0; r < rows; ++r) {
        carom_text_add(text, "<tr>");
        for (int c = 0; c < columns; ++c) {
            const char *cell = cells[r * columns + c];
            // a heading stands over numbers where the row below holds one
            const char *judge = r == 0 && rows > 1 ? cells[columns + c] : cell;
            carom_text_add(text, "<%s%s>", r ? "td" : "th",
                           looks_like_number(judge) ? " class=\"n\"" : "");
            carom_text_add_escaped(text, cell);
            carom_text_add(text, "</%s>", r ? "td" : "th");
        }
        carom_text_add(text, "</tr>\n");
    }
    carom_text_add(text, "</table></div>\n");
}

void carom_page_verbatim(carom_text *text, const char *words)
{
    if (!text || !words)
        return;
    carom_text_add(text, "<pre>");
    carom_text_add_escaped(text, words);
    carom_text_add(text, "</pre>\n");
}

void carom_page_end(carom_text *text)
{
    if (!text)
        return;
    carom_text_add(text, "<footer>Made by Carom %s.</footer>\n</body></html>\n", carom_version());
}

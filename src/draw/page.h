// Self-contained HTML pages: one file, no network, light and dark.
#ifndef CAROM_DRAW_PAGE_H
#define CAROM_DRAW_PAGE_H

#include "base/text.h"

// Starts a page with a heading and an introduction (plain words, may be null).
void carom_page_begin(carom_text *text, const char *title, const char *introduction);
// A section heading with a paragraph below (may be null).
void carom_page_section(carom_text *text, const char *heading, const char *words);
// A picture (an SVG made with carom_svg_*) with a caption.
void carom_page_picture(carom_text *text, const carom_text *svg, const char *caption);
// A table, cells row by row; the first row is the heading. Numbers are set to the right.
void carom_page_table(carom_text *text, const char *const *cells, int rows, int columns);
// Words set in a fixed-width font, kept as they are.
void carom_page_verbatim(carom_text *text, const char *words);
void carom_page_end(carom_text *text);

#endif

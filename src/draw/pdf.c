// The SVG that svg.c and its users write, as PDF (ISO 32000): lines, boxes, circles, curves and
// words in one of the fonts that every reader of PDF has. One picture, one page of its size; 1 px
// is 0.75 pt. Colours are those of light paper. Not for SVG from elsewhere: what svg.c never
// writes is passed over.
#include "draw/pdf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "base/error.h"

enum { VALUE = 256 };
// Stand for a tick and a cross in words.
enum { TICK = 1, CROSS = 2 };
#define POINTS_PER_PIXEL 0.75
// Bezier arms of a quarter circle.
#define QUARTER 0.5522847498307936

typedef struct pdf {
    carom_text *out;   // the page's drawing
    const char *style; // of the SVG: where roles have their colours
    double height;
    double clip[2]; // size of the box that groups may be cut to
    bool serif, mono;
} pdf;

// -- the elements of the SVG ----------------------------------------------------------------------

// An element: from its name to its `>`.
typedef struct tag {
    const char *begin, *end;
} tag;

static bool attribute(tag t, const char *key, char value[VALUE])
{
    size_t length = strlen(key);
    for (const char *c = t.begin; c + length + 2 < t.end; ++c)
        if (c[-1] == ' ' && strncmp(c, key, length) == 0 && c[length] == '=' &&
            c[length + 1] == '"') {
            size_t n = 0;
            for (c += length + 2; c < t.end && *c != '"' && n + 1 < VALUE; ++c)
                value[n++] = *c;
            value[n] = 0;
            return true;
        }
    return false;
}

static double number_of(tag t, const char *key, double otherwise)
{
    char value[VALUE];
    return attribute(t, key, value) ? strtod(value, NULL) : otherwise;
}

// The first character of an attribute that may be long; null: none.
static const char *list_of(tag t, const char *key)
{
    size_t length = strlen(key);
    for (const char *c = t.begin; c + length + 2 < t.end; ++c)
        if (c[-1] == ' ' && strncmp(c, key, length) == 0 && c[length] == '=' &&
            c[length + 1] == '"')
            return c + length + 2;
    return NULL;
}

// -- colours --------------------------------------------------------------------------------------

// "#rrggbb" behind "<prefix><role>{...:" in the style sheet, light page.
static bool role_colour(const pdf *p, const char *prefix, const char *role, size_t length,
                        unsigned *out)
{
    char rule[60];
    snprintf(rule, sizeof rule, ".%s%.*s{", prefix, (int)(length < 40 ? length : 40), role);
    const char *at = p->style ? strstr(p->style, rule) : NULL;
    at = at ? strchr(at, '#') : NULL;
    if (!at)
        return false;
    *out = (unsigned)strtoul(at + 1, NULL, 16);
    return true;
}

static bool class_colour(const pdf *p, tag t, const char *prefix, unsigned *out)
{
    char value[VALUE];
    if (!attribute(t, "class", value))
        return false;
    const char *word = strncmp(value, prefix, 2) == 0 ? value : strstr(value, prefix);
    return word && role_colour(p, prefix, word + 2, strcspn(word + 2, " "), out);
}

static bool colour_of(const pdf *p, tag t, const char *key, const char *prefix, unsigned *out)
{
    char value[VALUE];
    if (attribute(t, key, value) && value[0] == '#') {
        *out = (unsigned)strtoul(value + 1, NULL, 16);
        return true;
    }
    return class_colour(p, t, prefix, out);
}

static void set_colour(pdf *p, unsigned colour, const char *operator)
{
    carom_text_add(p->out, "%.3f %.3f %.3f %s\n", (colour >> 16 & 255) / 255.0,
                   (colour >> 8 & 255) / 255.0, (colour & 255) / 255.0, operator);
}

// Sets colours and widths, and returns the operator that paints a path; null: nothing to paint.
static const char *paint(pdf *p, tag t, bool closed)
{
    unsigned stroke, fill;
    char dash[VALUE];
    bool lined = colour_of(p, t, "stroke", "l-", &stroke);
    bool filled = closed && colour_of(p, t, "fill", "f-", &fill);
    double opacity = number_of(t, "opacity", number_of(t, "fill-opacity", 1));
    if (opacity < 1) // one graphics state for each tenth
        carom_text_add(p->out, "/A%d gs\n", (int)fmin(fmax(10 * opacity + 0.5, 0), 10));
    else
        carom_text_add(p->out, "/A10 gs\n");
    if (lined) {
        set_colour(p, stroke, "RG");
        carom_text_add(p->out, "%.3f w 1 J 1 j [", number_of(t, "stroke-width", 1));
        carom_text_add(p->out, "%s] 0 d\n", attribute(t, "stroke-dasharray", dash) ? dash : "");
    }
    if (filled)
        set_colour(p, fill, "rg");
    return lined && filled ? "B" : lined ? "S" : filled ? "f" : NULL;
}

// -- shapes ---------------------------------------------------------------------------------------

static void draw_points(pdf *p, tag t, bool closed)
{
    const char *at = list_of(t, "points"), *how = at ? paint(p, t, closed) : NULL;
    bool first = true;
    if (!how)
        return;
    while (at && *at != '"') {
        char *after;
        double x = strtod(at, &after), y = *after == ',' ? strtod(after + 1, &after) : 0;
        if (after == at)
            break;
        carom_text_add(p->out, "%.2f %.2f %s\n", x, y, first ? "m" : "l");
        first = false;
        at = after + strspn(after, " ");
    }
    carom_text_add(p->out, "%s%s\n", closed ? "h " : "", how);
}

static void draw_circle(pdf *p, tag t)
{
    double x = number_of(t, "cx", 0), y = number_of(t, "cy", 0), r = number_of(t, "r", 0);
    double k = QUARTER * r;
    const char *how = paint(p, t, true);
    if (!how)
        return;
    carom_text_add(p->out, "%.2f %.2f m\n", x + r, y);
    carom_text_add(p->out, "%.2f %.2f %.2f %.2f %.2f %.2f c\n", x + r, y + k, x + k, y + r, x,
                   y + r);
    carom_text_add(p->out, "%.2f %.2f %.2f %.2f %.2f %.2f c\n", x - k, y + r, x - r, y + k, x - r,
                   y);
    carom_text_add(p->out, "%.2f %.2f %.2f %.2f %.2f %.2f c\n", x - r, y - k, x - k, y - r, x,
                   y - r);
    carom_text_add(p->out, "%.2f %.2f %.2f %.2f %.2f %.2f c h %s\n", x + k, y - r, x + r, y - k,
                   x + r, y, how);
}

static void draw_box(pdf *p, tag t)
{
    const char *how = paint(p, t, true);
    if (how)
        carom_text_add(p->out, "%.2f %.2f %.2f %.2f re %s\n", number_of(t, "x", 0),
                       number_of(t, "y", 0), number_of(t, "width", 0), number_of(t, "height", 0),
                       how);
}

static void draw_line(pdf *p, tag t)
{
    const char *how = paint(p, t, false);
    if (how)
        carom_text_add(p->out, "%.2f %.2f m %.2f %.2f l %s\n", number_of(t, "x1", 0),
                       number_of(t, "y1", 0), number_of(t, "x2", 0), number_of(t, "y2", 0), how);
}

// Straight pieces: M, L, H, V in capitals or not, Z.
static void draw_path(pdf *p, tag t)
{
    const char *at = list_of(t, "d"), *how = at ? paint(p, t, true) : NULL;
    double x = 0, y = 0;
    char word = 'M';
    while (how && *at != '"') {
        char *after;
        at += strspn(at, " ,");
        if (strchr("MLHVZmlhvz", *at) && *at) {
            word = *at++;
            if ((word | 32) == 'z')
                carom_text_add(p->out, "h\n");
            continue;
        }
        bool small = word >= 'a';
        double first = strtod(at, &after), second = 0;
        if (after == at)
            break;
        at = after + strspn(after, " ,");
        if ((word | 32) == 'm' || (word | 32) == 'l') {
            second = strtod(at, &after);
            at = after;
        }
        if ((word | 32) == 'v')
            y = small ? y + first : first;
        else
            x = small ? x + first : first;
        if ((word | 32) == 'm' || (word | 32) == 'l')
            y = small ? y + second : second;
        carom_text_add(p->out, "%.2f %.2f %s\n", x, y, (word | 32) == 'm' ? "m" : "l");
        word = word == 'M' ? 'L' : word == 'm' ? 'l' : word;
    }
    if (how)
        carom_text_add(p->out, "%s\n", how);
}

// -- words ----------------------------------------------------------------------------------------

// Advance widths of the characters from ! to ~, thousandths of the size; of the blank before them.
static const short sans[] = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584,
};
static const short serif[] = {
    250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500,
    500, 500, 500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611,
    556, 722, 722, 333, 389, 722, 611, 889, 722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722,
    722, 611, 333, 278, 333, 469, 500, 333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500,
    278, 778, 500, 500, 500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541,
};

static double width_of(const pdf *p, const unsigned char *words)
{
    double sum = 0;
    for (; *words; ++words) {
        int at = *words >= ' ' && *words <= '~' ? *words - ' ' : 'n' - ' ';
        sum += p->mono ? 600 : p->serif ? serif[at] : sans[at];
    }
    return sum / 1000;
}

// Code points that Latin-1 lacks, in what it has.
static unsigned char plain(unsigned code)
{
    static const unsigned known[][2] = { { 0x2212, '-' },  { 0x2013, '-' },  { 0x2018, '\'' },
                                         { 0x2019, '\'' }, { 0x2713, TICK }, { 0x2717, CROSS } };
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (known[i][0] == code)
            return (unsigned char)known[i][1];
    return code < 256 ? (unsigned char)code : '?';
}

// Entities and UTF-8 to Latin-1.
static void decode(const char *from, const char *end, unsigned char *out, size_t room)
{
    static const char *const entities[][2] = {
        { "&amp;", "&" }, { "&lt;", "<" }, { "&gt;", ">" }, { "&quot;", "\"" }, { "&#39;", "'" }
    };
    size_t n = 0;
    while (from < end && n + 1 < room) {
        unsigned char c = (unsigned char)*from;
        bool entity = false;
        for (size_t i = 0; c == '&' && i < sizeof entities / sizeof *entities && !entity; ++i)
            if (strncmp(from, entities[i][0], strlen(entities[i][0])) == 0) {
                out[n++] = (unsigned char)*entities[i][1];
                from += strlen(entities[i][0]);
                entity = true;
            }
        if (entity)
            continue;
        int more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc0 ? 1 : 0;
        unsigned code = more ? c & (0x3f >> more) : c;
        for (++from; more > 0 && from < end; --more)
            code = code << 6 | ((unsigned char)*from++ & 0x3f);
        out[n++] = plain(code);
    }
    out[n] = 0;
}

static void draw_words(pdf *p, tag t, const char *end)
{
    unsigned char words[400];
    char value[VALUE];
    unsigned colour = 0;
    double size = number_of(t, "font-size", 12), x = number_of(t, "x", 0), y = number_of(t, "y", 0);
    bool bold = attribute(t, "font-weight", value);
    double angle = attribute(t, "transform", value) && strncmp(value, "rotate(", 7) == 0
                       ? strtod(value + 7, NULL) * acos(-1) / 180
                       : 0;
    decode(t.end + 1, end, words, sizeof words);
    double wide = size * width_of(p, words), shift = 0;
    if (attribute(t, "text-anchor", value))
        shift = strcmp(value, "middle") == 0 ? 0.5 * wide : strcmp(value, "end") == 0 ? wide : 0;
    colour_of(p, t, "fill", "f-", &colour);
    set_colour(p, colour, "rg");
    double c = cos(angle), s = sin(angle); // y is down in the picture: letters stand on their heads
    carom_text_add(p->out, "/A10 gs BT /%s %.2f Tf %.4f %.4f %.4f %.4f %.2f %.2f Tm (",
                   bold ? "FB" : "F", size, c, s, s, -c, x - shift * c, y - shift * s);
    for (const unsigned char *w = words; *w; ++w)
        if (*w == TICK || *w == CROSS) // these two have a font of their own
            carom_text_add(p->out, ") Tj /Z %.2f Tf (%c) Tj /%s %.2f Tf (", size,
                           *w == TICK ? '3' : '7', bold ? "FB" : "F", size);
        else if (*w < ' ' || *w > '~')
            carom_text_add(p->out, "\\%03o", *w);
        else
            carom_text_add(p->out, "%s%c", strchr("()\\", *w) ? "\\" : "", *w);
    carom_text_add(p->out, ") Tj ET\n");
}

// -- the document ---------------------------------------------------------------------------------

static void begin_group(pdf *p, tag t)
{
    char value[VALUE];
    carom_text_add(p->out, "q\n");
    if (attribute(t, "transform", value) && strncmp(value, "translate(", 10) == 0) {
        char *after;
        double x = strtod(value + 10, &after), y = strtod(after + strspn(after, " ,"), NULL);
        carom_text_add(p->out, "1 0 0 1 %.2f %.2f cm\n", x, y);
    }
    if (attribute(t, "clip-path", value) && p->clip[0] > 0)
        carom_text_add(p->out, "0 0 %.2f %.2f re W n\n", p->clip[0], p->clip[1]);
}

static bool named(tag t, const char *name)
{
    size_t length = strlen(name);
    return strncmp(t.begin, name, length) == 0 && strchr(" >/", t.begin[length]);
}

// Draws one element; returns where the next may begin.
static const char *draw(pdf *p, tag t)
{
    if (named(t, "text")) {
        const char *end = strstr(t.end, "</text>");
        if (end)
            draw_words(p, t, end);
        return end ? end : t.end;
    }
    if (named(t, "clipPath")) {
        const char *end = strstr(t.end, "</clipPath>"), *box = strstr(t.end, "<rect ");
        if (end && box && box < end) {
            tag inner = { box + 1, end };
            p->clip[0] = number_of(inner, "width", 0);
            p->clip[1] = number_of(inner, "height", 0);
        }
        return end ? end : t.end;
    }
    if (named(t, "line"))
        draw_line(p, t);
    else if (named(t, "circle"))
        draw_circle(p, t);
    else if (named(t, "rect"))
        draw_box(p, t);
    else if (named(t, "polyline"))
        draw_points(p, t, false);
    else if (named(t, "polygon"))
        draw_points(p, t, true);
    else if (named(t, "path"))
        draw_path(p, t);
    else if (named(t, "g"))
        begin_group(p, t);
    else if (named(t, "/g"))
        carom_text_add(p->out, "Q\n");
    return t.end;
}

// An object of the file; its place goes into the table at the end.
static void object(carom_text *pdf_text, size_t *places, int number, const char *words)
{
    places[number] = pdf_text->length;
    carom_text_add(pdf_text, "%d 0 obj\n%s\nendobj\n", number, words);
}

static carom_status write_file(const pdf *p, double width, double height, const carom_text *page,
                               carom_text *out, carom_error *err)
{
    enum { OBJECTS = 9 };
    size_t places[OBJECTS] = { 0 };
    char words[400];
    uLongf size = compressBound((uLong)page->length);
    unsigned char *packed = malloc(size);
    if (!packed ||
        compress2(packed, &size, (const Bytef *)page->bytes, (uLong)page->length, 9) != Z_OK) {
        free(packed);
        return carom_error_no_memory(err, "a PDF file");
    }
    const char *font = p->mono ? "Courier" : p->serif ? "Times-Roman" : "Helvetica";
    const char *bold = p->mono ? "Courier-Bold" : p->serif ? "Times-Bold" : "Helvetica-Bold";
    carom_text_add(out, "%%PDF-1.4\n");
    object(out, places, 1, "<< /Type /Catalog /Pages 2 0 R >>");
    object(out, places, 2, "<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
    snprintf(words, sizeof words,
             "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %.2f %.2f] /Contents 4 0 R /Resources "
             "<< /Font << /F 5 0 R /FB 6 0 R /Z 8 0 R >> /ExtGState 7 0 R >> >>",
             width * POINTS_PER_PIXEL, height * POINTS_PER_PIXEL);
    object(out, places, 3, words);
    places[4] = out->length;
    carom_text_add(out, "4 0 obj\n<< /Length %lu /Filter /FlateDecode >>\nstream\n", size);
    carom_text_add_bytes(out, (const char *)packed, size);
    carom_text_add(out, "\nendstream\nendobj\n");
    free(packed);
    for (int i = 0; i < 2; ++i) {
        snprintf(words, sizeof words,
                 "<< /Type /Font /Subtype /Type1 /BaseFont /%s /Encoding /WinAnsiEncoding >>",
                 i ? bold : font);
        object(out, places, 5 + i, words);
    }
    places[7] = out->length;
    carom_text_add(out, "7 0 obj\n<<");
    for (int i = 0; i <= 10; ++i)
        carom_text_add(out, " /A%d << /CA %.1f /ca %.1f >>", i, i / 10.0, i / 10.0);
    carom_text_add(out, " >>\nendobj\n");
    object(out, places, 8, "<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>");
    size_t table = out->length;
    carom_text_add(out, "xref\n0 %d\n0000000000 65535 f \n", OBJECTS);
    for (int i = 1; i < OBJECTS; ++i)
        carom_text_add(out, "%010zu 00000 n \n", places[i]);
    carom_text_add(out, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%zu\n%%%%EOF\n", OBJECTS,
                   table);
    return carom_text_status(out, err);
}

carom_status carom_pdf_make(const char *svg, carom_text *out, carom_error *err)
{
    NEED(err, svg, out);
    carom_text page = { 0 };
    char font[VALUE] = "";
    const char *at = strstr(svg, "<svg ");
    const char *end = at ? strchr(at, '>') : NULL;
    if (!end)
        return carom_error_set(err, CAROM_BAD_INPUT, "this is no picture in SVG");
    tag root = { at + 1, end };
    double width = number_of(root, "width", 640), height = number_of(root, "height", 400);
    double scale = width;
    const char *box = list_of(root, "viewBox");
    if (box && sscanf(box, "%*f %*f %lf", &scale) != 1)
        scale = width;
    attribute(root, "font-family", font);
    // words like "width="85mm"" give the size on paper
    char value[VALUE];
    double unit = attribute(root, "width", value) && strstr(value, "mm") ? 96 / 25.4 : 1;
    width *= unit, height *= unit;
    pdf p = { .out = &page,
              .style = strstr(svg, "<style>"),
              .height = height,
              .serif = strstr(font, "Times") == font || strncmp(font, "serif", 5) == 0,
              .mono = strstr(font, "Courier") == font || strncmp(font, "monospace", 9) == 0 };
    double s = POINTS_PER_PIXEL * width / scale;
    carom_text_add(&page, "%.6f 0 0 %.6f 0 %.2f cm\n", s, -s, height * POINTS_PER_PIXEL);
    const char *body = p.style ? strstr(p.style, "</style>") : end;
    for (const char *c = body ? body : end; (c = strchr(c, '<')) != NULL;) {
        tag t = { c + 1, strchr(c, '>') };
        if (!t.end)
            break;
        c = draw(&p, t);
    }
    carom_status status = carom_text_status(&page, err);
    if (status == CAROM_OK)
        status = write_file(&p, width, height, &page, out, err);
    carom_text_free(&page);
    return status;
}

// The page with its recordings inside: one file that needs no server.
#include "base/error.h"
#include "carom/view.h"
#include "export/export_base64.h"
#include "view/view_assets.h"
#include "view/view_source.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void add_base64(carom_text *out, const carom_text *bytes)
{
    carom_export_base64 coder = { .text = out };
    carom_export_base64_add(&coder, bytes->bytes, bytes->length);
    carom_export_base64_end(&coder);
}

// A part of a script that must not end it early.
static void add_safely(carom_text *out, const char *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        const char *end = at + 2 <= size ? memchr(bytes + at, '<', size - at) : NULL;
        size_t plain = end ? (size_t)(end - bytes) - at : size - at;
        carom_text_add_bytes(out, bytes + at, plain);
        at += plain;
        if (!end)
            break;
        bool closes = size - at >= 2 && bytes[at + 1] == '/';
        carom_text_add_bytes(out, closes ? "<\\" : "<", closes ? 2 : 1);
        ++at;
    }
}

// -- numbers in few bytes -------------------------------------------------------------------------
// A page is looked at: of the 13 numbers of a body's state, or of a contact, it keeps as many
// binary digits as one can see. Numbers of one kind stand together, those of one body in the order
// of time (what rests repeats itself), and of these all bytes of one significance; then they are
// deflated. Before them stand three words: how many there are, how many frames they are of, and how
// many of a kind belong together.

enum { PERIOD = 13 };
// Digits behind the first: position, rotation, velocity, spin; and bodies, kind, point, normal,
// impulse, duration of a contact.
static const unsigned char state_digits[PERIOD] = { 19, 19, 19, 13, 13, 13, 13,
                                                    11, 11, 11, 11, 11, 11 };
static const unsigned char contact_digits[PERIOD] = { 23, 23, 23, 13, 13, 13, 8, 8, 8, 8, 8, 8, 8 };

static void round_words(char *bytes, size_t size, const unsigned char digits[PERIOD])
{
    for (size_t i = 0; i < size / 4; ++i) {
        uint32_t word, dropped = 23u - digits[i % PERIOD];
        memcpy(&word, bytes + 4 * i, sizeof word);
        if (dropped == 0 || (word & 0x7f800000u) == 0x7f800000u)
            continue;
        word = (word + (1u << (dropped - 1))) >> dropped << dropped;
        memcpy(bytes + 4 * i, &word, sizeof word);
    }
}

// Where a word goes: kind, body, frame.
static size_t place_of(size_t i, size_t frames, size_t kinds, size_t count)
{
    size_t bodies = count / (frames * kinds), kind = i % kinds, body = i / kinds % bodies;
    return (kind * bodies + body) * frames + i / (kinds * bodies);
}

static void sort_bytes(const carom_text *bytes, size_t frames, size_t kinds, unsigned char *out)
{
    size_t count = bytes->length / 4, alike = count / kinds;
    for (size_t i = 0; i < count; ++i) {
        size_t to = place_of(i, frames, kinds, count), kind = to / alike;
        for (size_t k = 0; k < 4; ++k)
            out[(4 * kind + k) * alike + to % alike] = (unsigned char)bytes->bytes[4 * i + k];
    }
}

// The words in place of those given; `frames` and `kinds` divide their number.
static carom_status pack_words(carom_text *bytes, size_t frames, size_t kinds, carom_error *err)
{
    size_t bound = compressBound((uLong)bytes->length);
    unsigned char *sorted = malloc(bytes->length + 1), *packed = malloc(bound);
    uint32_t head[3] = { (uint32_t)(bytes->length / 4), (uint32_t)frames, (uint32_t)kinds };
    uLongf size = (uLongf)bound;
    bool good = sorted && packed;
    if (good && head[0])
        sort_bytes(bytes, frames, kinds, sorted);
    good = good && compress2(packed, &size, sorted, 4 * (uLong)head[0], 6) == Z_OK;
    free(sorted);
    carom_text_free(bytes);
    if (good) {
        carom_text_add_bytes(bytes, (const char *)head, sizeof head);
        carom_text_add_bytes(bytes, (const char *)packed, size);
    }
    free(packed);
    return good ? carom_text_status(bytes, err) : carom_error_no_memory(err, "a page");
}

// What every frame has of its own: their number, their lengths in words, then all of them packed; a
// kind of source without gives nothing.
static carom_status frame_by_frame(const carom_view_source_locked *locked,
                                   carom_status (*one)(void *self, int64_t index, carom_text *bytes,
                                                       carom_error *err),
                                   const unsigned char *digits, carom_text *bytes, carom_error *err)
{
    int64_t count = one ? locked->ops->count(locked->self) : 0;
    uint32_t frames = (uint32_t)count;
    carom_text words = { 0 };
    carom_status status = CAROM_OK;
    carom_text_add_bytes(bytes, (const char *)&frames, sizeof frames);
    for (int64_t m = 0; m < count && status == CAROM_OK; ++m) {
        carom_text held = { 0 };
        status = one(locked->self, m, &held, err);
        uint32_t size = (uint32_t)(held.length / 4);
        if (digits && held.length)
            round_words(held.bytes, held.length, digits);
        carom_text_add_bytes(bytes, (const char *)&size, sizeof size);
        if (held.length)
            carom_text_add_bytes(&words, held.bytes, held.length);
        carom_text_free(&held);
    }
    status = status == CAROM_OK ? carom_text_status(&words, err) : status;
    if (status == CAROM_OK)
        status = pack_words(&words, 1, digits ? PERIOD : 1, err);
    if (status == CAROM_OK)
        carom_text_add_bytes(bytes, words.bytes, words.length);
    carom_text_free(&words);
    return status == CAROM_OK ? carom_text_status(bytes, err) : status;
}

static carom_status all_contacts(const carom_view_source_locked *locked, carom_text *bytes,
                                 carom_error *err)
{
    return frame_by_frame(locked, locked->ops->contacts, contact_digits, bytes, err);
}

static carom_status all_values(const carom_view_source_locked *locked, carom_text *bytes,
                               carom_error *err)
{
    return frame_by_frame(locked, locked->ops->values, NULL, bytes, err);
}

static carom_status all_frames(const carom_view_source_locked *locked, carom_text *bytes,
                               carom_error *err)
{
    int64_t count = locked->ops->count(locked->self);
    TRY(locked->ops->frames(locked->self, 0, count, bytes, err));
    if (bytes->length)
        round_words(bytes->bytes, bytes->length, state_digits);
    return pack_words(bytes, (size_t)(count > 0 ? count : 1), PERIOD, err);
}

static carom_status describe(const carom_view_source_locked *locked, carom_text *bytes,
                             carom_error *err)
{
    return locked->ops->describe(locked->self, bytes, err);
}

static carom_status surfaces(const carom_view_source_locked *locked, carom_text *bytes,
                             carom_error *err)
{
    return locked->ops->surfaces(locked->self, bytes, err);
}

static carom_status add_recording(carom_text *out, const carom_view_source_locked *locked,
                                  int number, carom_error *err)
{
    static const struct {
        const char *name, *type;
        carom_status (*make)(const carom_view_source_locked *locked, carom_text *bytes,
                             carom_error *err);
    } parts[] = {
        { "describe", "application/json", describe },
        { "surfaces", "application/octet-stream", surfaces },
        { "frames", "application/octet-stream", all_frames },
        { "contacts", "application/octet-stream", all_contacts },
        { "values", "application/octet-stream", all_values },
    };
    for (size_t part = 0; part < sizeof parts / sizeof *parts; ++part) {
        carom_text held = { 0 };
        carom_status status = parts[part].make(locked, &held, err);
        carom_text_add(out, "<script type=\"%s\" id=\"source-%d-%s\">", parts[part].type, number,
                       parts[part].name);
        if (part == 0)
            add_safely(out, held.bytes ? held.bytes : "", held.length);
        else
            add_base64(out, &held);
        carom_text_add(out, "</script>\n");
        carom_text_free(&held);
        TRY(status);
    }
    return CAROM_OK;
}

int carom_view_available(void)
{
    return 1;
}

carom_status carom_view_page(carom_view_source *const *sources, int count, const char *start,
                             char **html, size_t *size, carom_error *err)
{
    NEED(err, html, size);
    NEED(err, sources);
    const carom_view_asset *index = &carom_view_assets[CAROM_VIEW_ASSET_INDEX];
    const carom_view_asset *script = &carom_view_assets[CAROM_VIEW_ASSET_SCRIPT];
    const carom_view_asset *style = &carom_view_assets[CAROM_VIEW_ASSET_STYLE];
    carom_text out = { 0 };
    *html = NULL;
    // The head of the page up to its own style and script, which follow inline.
    const char *page = (const char *)index->bytes;
    const char *cut = strstr(page, "<link rel=\"stylesheet\""); // assets end with a zero byte
    carom_text_add_bytes(&out, page, cut ? (size_t)(cut - page) : index->size);
    // Nothing is ever loaded from elsewhere.
    carom_text_add(&out,
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                   "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: "
                   "blob:; font-src data:\">\n<style>");
    carom_text_add_bytes(&out, (const char *)style->bytes, style->size);
    carom_text_add(&out,
                   "</style>\n</head>\n<body>\n<script type=\"application/json\" "
                   "id=\"sources\">{ \"sources\": %d, \"start\": ",
                   count);
    carom_text start_words = { 0 };
    carom_text_add_quoted(&start_words, start ? start : "");
    add_safely(&out, start_words.bytes ? start_words.bytes : "\"\"", start_words.length);
    carom_text_free(&start_words);
    carom_text_add(&out, " }</script>\n");
    carom_status status = CAROM_OK;
    for (int i = 0; i < count && status == CAROM_OK; ++i) {
        carom_view_source_locked locked = carom_view_source_lock(sources[i]);
        if (locked.ops->finish)
            locked.ops->finish(locked.self);
        status = add_recording(&out, &locked, i, err);
        carom_view_source_unlock(sources[i]);
    }
    carom_text_add(&out, "<script type=\"module\">");
    add_safely(&out, (const char *)script->bytes, script->size);
    carom_text_add(&out, "</script>\n</body>\n</html>\n");
    if (status == CAROM_OK)
        status = carom_text_status(&out, err);
    if (status != CAROM_OK) {
        carom_text_free(&out);
        return status;
    }
    *html = out.bytes;
    *size = out.length;
    return CAROM_OK;
}

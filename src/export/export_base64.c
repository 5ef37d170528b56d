// Encodes bytes as they come, without a copy of the whole.
#include "export/export_base64.h"

#include <string.h>

static void code_three(carom_export_base64 *c)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned value = (unsigned)c->held[0] << 16 | (unsigned)c->held[1] << 8 | (unsigned)c->held[2];
    char four[4];
    for (int k = 0; k < 4; ++k)
        four[k] = k <= c->count ? letters[value >> (18 - 6 * k) & 63] : '=';
    carom_text_add_bytes(c->text, four, 4);
    c->count = 0;
    memset(c->held, 0, sizeof c->held);
}

void carom_export_base64_add(carom_export_base64 *c, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; ++i) {
        c->held[c->count++] = at[i];
        if (c->count == 3)
            code_three(c);
    }
}

void carom_export_base64_end(carom_export_base64 *c)
{
    if (c->count)
        code_three(c);
}

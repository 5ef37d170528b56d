// Base64 of bytes that come piece by piece.
#ifndef CAROM_EXPORT_EXPORT_BASE64_H
#define CAROM_EXPORT_EXPORT_BASE64_H

#include "base/text.h"

typedef struct carom_export_base64 {
    carom_text *text; // where it goes
    unsigned char held[3];
    int count;
} carom_export_base64;

void carom_export_base64_add(carom_export_base64 *coder, const void *bytes, size_t size);
// Writes what is held back, padded; the coder is then ready for another array.
void carom_export_base64_end(carom_export_base64 *coder);

#endif

// A build without FreeType: pictures have letters made of strokes.
#include "draw/font.h"

carom_font *carom_font_open(const char *path)
{
    (void)path;
    return NULL;
}

void carom_font_close(carom_font *font)
{
    (void)font;
}

bool carom_font_reads(void)
{
    return false;
}

int carom_font_text(carom_font *font, carom_image *image, int x, int y, carom_image_style style,
                    const char *words)
{
    (void)font;
    return carom_image_text(image, x, y, style, words);
}

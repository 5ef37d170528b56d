// Letters by FreeType, with soft edges and without hints, at fractions of pixels: the same on every
// machine that has the same font.
#include "draw/font.h"

#include <ft2build.h>
#include <stdlib.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

struct carom_font {
    FT_Library library;
    FT_Face face;
    double capital; // height of H, of an em
};

static const char *const places[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", // Debian, Ubuntu
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
    "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf", // Fedora
    "/usr/share/fonts/TTF/DejaVuSans.ttf",               // Arch
    "/usr/share/fonts/dejavu/DejaVuSans.ttf",            // Alpine
    "/System/Library/Fonts/Helvetica.ttc",
    "/Library/Fonts/Arial.ttf",
};

static bool measure(carom_font *font)
{
    if (!FT_IS_SCALABLE(font->face) || FT_Load_Char(font->face, 'H', FT_LOAD_NO_SCALE))
        return false;
    font->capital = (double)font->face->glyph->metrics.height / font->face->units_per_EM;
    return font->capital > 0;
}

static bool open_file(carom_font *font, const char *path)
{
    if (FT_New_Face(font->library, path, 0, &font->face))
        return false;
    if (measure(font))
        return true;
    FT_Done_Face(font->face);
    font->face = NULL;
    return false;
}

carom_font *carom_font_open(const char *path)
{
    carom_font *font = calloc(1, sizeof *font);
    if (!font)
        return NULL;
    if (FT_Init_FreeType(&font->library)) {
        free(font);
        return NULL;
    }
    bool found = path && open_file(font, path);
    for (size_t i = 0; i < sizeof places / sizeof *places && !path && !found; ++i)
        found = open_file(font, places[i]);
    if (found)
        return font;
    carom_font_close(font);
    return NULL;
}

void carom_font_close(carom_font *font)
{
    if (!font)
        return;
    if (font->face)
        FT_Done_Face(font->face);
    FT_Done_FreeType(font->library);
    free(font);
}

bool carom_font_reads(void)
{
    return true;
}

// The next character, or the replacement sign where the bytes are none (RFC 3629).
static unsigned long next_character(const char **words)
{
    const unsigned char *at = (const unsigned char *)*words;
    int more = *at < 0x80 ? 0 : *at >= 0xc2 && *at < 0xe0 ? 1 : *at < 0xf0 ? 2 : 3;
    unsigned long code = more == 0 ? *at : *at & (0x3fu >> more);
    if (*at >= 0x80 && (*at < 0xc2 || *at > 0xf4))
        more = 0, code = 0xfffd;
    for (int i = 1; i <= more; ++i) {
        if ((at[i] & 0xc0) != 0x80) {
            *words += i;
            return 0xfffd;
        }
        code = code << 6 | (at[i] & 0x3fu);
    }
    *words += more + 1;
    return code;
}

static void blend(carom_image *image, const FT_Bitmap *bitmap, int left, int top,
                  const unsigned char rgb[3])
{
    for (int row = 0; row < (int)bitmap->rows; ++row)
        for (int column = 0; column < (int)bitmap->width; ++column) {
            int x = left + column, y = top + row;
            if (x < 0 || y < 0 || x >= image->width || y >= image->height)
                continue;
            int share = bitmap->buffer[row * bitmap->pitch + column];
            unsigned char *pixel = image->rgb + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
            for (int k = 0; k < 3; ++k)
                pixel[k] = (unsigned char)((pixel[k] * (255 - share) + rgb[k] * share + 127) / 255);
        }
}

// `pen`: where the letter begins, in 64ths of a pixel.
static void draw_letter(const carom_font *font, carom_image *image, FT_Pos pen, int base,
                        carom_image_style style)
{
    FT_GlyphSlot slot = font->face->glyph;
    FT_Pos wider = (FT_Pos)(128 * style.halo);
    if (wider > 0 && slot->format == FT_GLYPH_FORMAT_OUTLINE) {
        FT_Outline_Embolden(&slot->outline, wider); // grows to the right and up
        FT_Outline_Translate(&slot->outline, -wider / 2, -wider / 2);
    }
    if (slot->format == FT_GLYPH_FORMAT_OUTLINE)
        FT_Outline_Translate(&slot->outline, pen & 63, 0);
    if (FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL))
        return;
    if (slot->bitmap.pixel_mode == FT_PIXEL_MODE_GRAY)
        blend(image, &slot->bitmap, (int)(pen >> 6) + slot->bitmap_left, base - slot->bitmap_top,
              style.rgb);
}

int carom_font_text(carom_font *font, carom_image *image, int x, int y, carom_image_style style,
                    const char *words)
{
    FT_Pos pen = (FT_Pos)x * 64;
    FT_UInt before = 0;
    if (FT_Set_Char_Size(font->face, 0, (FT_F26Dot6)(64 * style.height / font->capital), 72, 72))
        return 0;
    while (*words) {
        FT_UInt glyph = FT_Get_Char_Index(font->face, next_character(&words));
        FT_Vector kern = { 0, 0 };
        if (before && glyph)
            FT_Get_Kerning(font->face, before, glyph, FT_KERNING_UNFITTED, &kern);
        pen += kern.x;
        before = glyph;
        if (FT_Load_Glyph(font->face, glyph, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP))
            continue;
        FT_Pos advance = font->face->glyph->linearHoriAdvance >> 10; // from 16.16 px
        draw_letter(font, image, pen, y + (int)(style.height + 0.5), style);
        pen += advance;
    }
    return (int)((pen + 32) / 64) - x;
}

// Turns light into stored sRGB and back, and gives series, scales and variations their colours.
#include "draw/colour.h"

#include "math/power.h"

// IEC 61966-2-1, both ways.
static double to_light(double stored)
{
    return stored <= 0.04045 ? stored / 12.92 : carom_power((stored + 0.055) / 1.055, 2.4);
}

vec3 carom_colour_hex(unsigned rgb)
{
    return vec3_make(to_light((rgb >> 16 & 255) / 255.0), to_light((rgb >> 8 & 255) / 255.0),
                     to_light((rgb & 255) / 255.0));
}

// x^(1/2.4) is the root of y^12 = x^5, found by Newton's steps from x^(13/32), which is near.
static double to_stored(double light)
{
    if (light <= 0.0031308)
        return 12.92 * light;
    double r2 = sqrt(light), r4 = sqrt(r2), r8 = sqrt(r4), r32 = sqrt(sqrt(r8));
    double y = r4 * r8 * r32, x5 = light * light * light * light * light;
    for (int i = 0; i < 4; ++i) {
        double y2 = y * y, y4 = y2 * y2, y11 = y4 * y4 * y2 * y;
        y -= (y11 * y - x5) / (12 * y11);
    }
    return 1.055 * y - 0.055;
}

#define BENT 0.8 // light up to here is as it is

// Above, the rest of infinity is folded into the last fifth.
static double bend(double light)
{
    double over = light - BENT, rest = 1 - BENT;
    return over <= 0 ? light : BENT + rest * over / (rest + over);
}

static unsigned char to_byte(double light)
{
    double stored = to_stored(light);
    return (unsigned char)(stored >= 1 ? 255 : 255 * stored + 0.5);
}

#define LIGHT_MAX 8.0 // light that is told apart

void carom_colour_table_make(carom_colour_table *table)
{
    for (int i = 0; i <= CAROM_COLOUR_FINE; ++i)
        table->stored[i] = to_byte(BENT * i / CAROM_COLOUR_FINE);
    for (int i = 0; i <= CAROM_COLOUR_COARSE; ++i)
        table->bent[i] = to_byte(bend(BENT + (LIGHT_MAX - BENT) * i / CAROM_COLOUR_COARSE));
}

static unsigned char look_up(const carom_colour_table *table, double light)
{
    if (light < BENT)
        return table->stored[light > 0 ? (int)(CAROM_COLOUR_FINE / BENT * light + 0.5) : 0];
    double over = light < LIGHT_MAX ? light - BENT : LIGHT_MAX - BENT;
    return table->bent[(int)(CAROM_COLOUR_COARSE / (LIGHT_MAX - BENT) * over + 0.5)];
}

void carom_colour_table_store(const carom_colour_table *table, vec3 light, unsigned char rgb[3])
{
    rgb[0] = look_up(table, light.x);
    rgb[1] = look_up(table, light.y);
    rgb[2] = look_up(table, light.z);
}

void carom_colour_store(vec3 light, unsigned char rgb[3])
{
    double value[3];
    vec3_store(light, value);
    for (int k = 0; k < 3; ++k)
        rgb[k] = to_byte(bend(value[k] > 0 ? value[k] : 0));
}

vec3 carom_colour_series(int index)
{
    static const unsigned set[8] = { 0x3b82b8, 0xe07b39, 0x3fa37c, 0xc5628f,
                                     0xd9b13b, 0x6fb6dc, 0x8a75c9, 0x8d6a4f };
    return carom_colour_hex(set[((index % 8) + 8) % 8]);
}

vec3 carom_colour_scale(double value)
{
    static const unsigned stops[] = { 0x3b4d92, 0x2f7098, 0x2f9089, 0x5fae6b, 0xa9c455, 0xf0d264 };
    enum { LAST = sizeof stops / sizeof *stops - 1 };
    double at = value <= 0 ? 0 : value >= 1 ? LAST : value * LAST;
    int i = at >= LAST ? LAST - 1 : (int)at;
    vec3 a = carom_colour_hex(stops[i]), b = carom_colour_hex(stops[i + 1]);
    return vec3_axpy(vec3_scale(1 - (at - i), a), at - i, b);
}

vec3 carom_colour_vary(vec3 colour, int index)
{
    static const double shade[] = { 1, 0.8, 1.16, 0.9, 1.08, 0.84, 1.2, 0.95 };
    return vec3_scale(shade[((index % 8) + 8) % 8], colour);
}

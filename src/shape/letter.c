// The outlines of B O U N C E, of a wrench and of a hockey stick, in units of their size.
#include "shape/letter.h"

#include <math.h>
#include <string.h>
#include "math/trig.h"

static void add_all(carom_outline *o, double scale, const double (*points)[2], int count)
{
    for (int k = 0; k < count; ++k)
        carom_outline_add(o, scale * points[k][0], scale * points[k][1]);
}

static void arc(carom_outline *o, double scale, double x, double y, double radius, double from,
                double to, int pieces)
{
    double centre[2] = { scale * x, scale * y };
    carom_outline_arc(o, centre, scale * radius, from, to, pieces);
}

static void letter_b(carom_outline *o, double h, int n)
{
    static const double low[][2] = { { 0.18, 0.17 }, { 0.18, 0.40 }, { 0.42, 0.40 },
                                     { 0.47, 0.35 }, { 0.47, 0.22 }, { 0.42, 0.17 } };
    static const double high[][2] = { { 0.175, 0.65 }, { 0.175, 0.84 }, { 0.40, 0.84 },
                                      { 0.44, 0.80 },  { 0.44, 0.69 },  { 0.40, 0.65 } };
    carom_outline_add(o, 0, 0);
    arc(o, h, 0.42, 0.28, 0.28, -90, 72, n);
    arc(o, h, 0.40, 0.77, 0.23, -72, 90, n);
    carom_outline_add(o, 0, h);
    carom_outline_close(o);
    add_all(o, h, low, 6);
    carom_outline_close(o);
    add_all(o, h, high, 6);
    carom_outline_close(o);
}

static void letter_o(carom_outline *o, double h, int n)
{
    arc(o, h, 0.5, 0.5, 0.5, 0, 360, 2 * n);
    carom_outline_close(o);
    arc(o, h, 0.5, 0.5, 0.3, 360, 0, 2 * n);
    carom_outline_close(o);
}

static void letter_u(carom_outline *o, double h, int n)
{
    arc(o, h, 0.4, 0.4, 0.4, 180, 360, n);
    carom_outline_add(o, 0.8 * h, h);
    carom_outline_add(o, 0.6 * h, h);
    arc(o, h, 0.4, 0.4, 0.2, 360, 180, n);
    carom_outline_add(o, 0.2 * h, h);
    carom_outline_add(o, 0, h);
    carom_outline_close(o);
}

static void letter_n(carom_outline *o, double h)
{
    static const double points[][2] = { { 0, 0 },   { 0.2, 0 }, { 0.2, 0.65 }, { 0.6, 0 },
                                        { 0.8, 0 }, { 0.8, 1 }, { 0.6, 1 },    { 0.6, 0.35 },
                                        { 0.2, 1 }, { 0, 1 } };
    add_all(o, h, points, 10);
    carom_outline_close(o);
}

static void letter_c(carom_outline *o, double h, int n)
{
    arc(o, h, 0.5, 0.5, 0.5, 45, 315, 2 * n);
    arc(o, h, 0.5, 0.5, 0.3, 315, 45, 2 * n);
    carom_outline_close(o);
}

static void letter_e(carom_outline *o, double h)
{
    static const double points[][2] = { { 0, 0 },     { 0.65, 0 },   { 0.65, 0.2 }, { 0.2, 0.2 },
                                        { 0.2, 0.4 }, { 0.55, 0.4 }, { 0.55, 0.6 }, { 0.2, 0.6 },
                                        { 0.2, 0.8 }, { 0.65, 0.8 }, { 0.65, 1 },   { 0, 1 } };
    add_all(o, h, points, 12);
    carom_outline_close(o);
}

bool carom_letter_outline(char letter, double height, int pieces, carom_outline *o)
{
    memset(o, 0, sizeof *o);
    switch (letter) {
    case 'B':
        letter_b(o, height, pieces);
        return true;
    case 'O':
        letter_o(o, height, pieces);
        return true;
    case 'U':
        letter_u(o, height, pieces);
        return true;
    case 'N':
        letter_n(o, height);
        return true;
    case 'C':
        letter_c(o, height, pieces);
        return true;
    case 'E':
        letter_e(o, height);
        return true;
    default:
        return false;
    }
}

void carom_letter_wrench(double length, int pieces, carom_outline *o)
{
    // jaw: a disc of radius 0.12 with a slot 0.09 wide; ring: radius 0.09 with a hole of 0.05;
    // handle 0.1 wide. The angles (degrees) are where the edges of slot and handle leave the discs:
    // asin(0.045 / 0.12), asin(0.05 / 0.12), asin(0.05 / 0.09).
    double l = length, slot = 22.024312837042164, jaw = 24.624318352164084,
           ring = 33.74898859588859;
    memset(o, 0, sizeof *o);
    arc(o, l, 0.12, 0, 0.12, 180 + slot, 360 - jaw, pieces);
    arc(o, l, 0.91, 0, 0.09, 180 + ring, 540 - ring, 2 * pieces);
    arc(o, l, 0.12, 0, 0.12, jaw, 180 - slot, pieces);
    carom_outline_add(o, 0.11 * l, 0.045 * l);
    carom_outline_add(o, 0.11 * l, -0.045 * l);
    carom_outline_close(o);
    arc(o, l, 0.91, 0, 0.05, 360, 0, 6);
    carom_outline_close(o);
}

void carom_letter_hockey(double length, carom_outline *o)
{
    double lean[2]; // the shaft leans back by 30 degrees from upright
    carom_trig_degrees(120, lean);
    double c = lean[1], s = lean[0], foot[2] = { 0.06, 0.06 }, wide = 0.03;
    memset(o, 0, sizeof *o);
    carom_outline_add(o, 0, 0);
    carom_outline_add(o, 0.30, 0);
    carom_outline_add(o, 0.31, 0.06);
    carom_outline_add(o, foot[0], foot[1]);
    carom_outline_add(o, foot[0] + length * c, foot[1] + length * s);
    carom_outline_add(o, foot[0] + length * c - wide * s, foot[1] + length * s + wide * c);
    carom_outline_add(o, foot[0] - wide * s, foot[1] + wide * c);
    carom_outline_close(o);
}

// Shapes by name: closed meshes, right volumes, wanted fineness, clear refusals.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "carom/shape.h"
#include "support/check.h"

static const double PI = 3.14159265358979324;

static carom_shape *make(const char *text)
{
    carom_shape *shape = NULL;
    carom_error err = { 0 };
    CHECK(carom_generate_shape(text, &shape, &err) == CAROM_OK, "%s: %s; %s", text, err.what,
          err.fix);
    return shape;
}

static double volume(const char *text)
{
    carom_shape *shape = make(text);
    double v = shape ? carom_shape_mass(shape).volume : 0;
    carom_shape_release(shape);
    return v;
}

static double longest_edge(const carom_shape *shape)
{
    carom_mesh_source s = carom_mesh_surface(shape);
    double max = 0;
    for (int e = 0; e < 3 * s.triangle_count; ++e) {
        const double *a = s.vertices + 3 * s.triangles[e],
                     *b = s.vertices + 3 * s.triangles[e % 3 == 2 ? e - 2 : e + 1];
        max = fmax(max, hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]));
    }
    return max;
}

static void volumes(void)
{
    // polygons of the circle's area: what is left is the facets along the profile
    CHECK_NEAR(volume("bar:200x10x10mm@5mm"), 2e-5, 1e-17, "bar");
    CHECK_NEAR(volume("cube:10cm@5cm"), 1e-3, 1e-15, "cube");
    CHECK_NEAR(volume("rod:200x10mm@1mm"), PI * 25e-6 * 0.19 + 4 * PI / 3 * 125e-9, 0.003 * 1.5e-5,
               "rod: cylinder and two half balls");
    CHECK_NEAR(volume("table:100x80x70x5cm@1m"), 1.0 * 0.8 * 0.05 + 4 * 0.05 * 0.05 * 0.65, 1e-12,
               "table: plate and legs");
    CHECK_NEAR(volume("spring:100x60x30x6mm@1m"),
               5 * 0.06 * 0.03 * 0.006 + 4 * 0.006 * 0.03 * (0.1 - 5 * 0.006) / 4, 1e-15,
               "spring: five strips and four joints");
    CHECK_NEAR(volume("letter-E:1x1m@2m"), 0.2 * 1 + 2 * 0.45 * 0.2 + 0.35 * 0.2, 1e-12, "E");
    CHECK_NEAR(volume("letter-O:1x1m@5cm"), PI * (0.25 - 0.09), 0.01, "O has its hole");
}

static void everything(void)
{
    for (int i = 0; carom_generate_name(i); ++i) {
        const char *name = carom_generate_name(i), *doc;
        double sizes[5], longest = 0;
        char text[80];
        CHECK(carom_generate_sizes(i, &doc, sizes) != NULL, "%s says its sizes", name);
        for (int k = 0; k < 5; ++k)
            longest = fmax(longest, sizes[k]);
        snprintf(text, sizeof text, "%s@%.6fm", name, longest / 12);
        carom_shape *shape = make(text);
        if (!shape)
            continue;
        CHECK_MOST(longest_edge(shape), 1.5 * longest / 12 + 1e-9,
                   "%s keeps the fineness (diagonals of squares are longer by sqrt 2)", name);
        CHECK(carom_shape_mass(shape).volume > 0, "%s has a volume", name);
        carom_shape_release(shape);
    }
    carom_shape *bar = make("bar");
    int faces = carom_mesh_surface(bar).triangle_count;
    CHECK(faces > 15000 && faces < 40000, "about 20000 faces by default: %d", faces);
    carom_shape_release(bar);
}

static void refusals(void)
{
    static const char *const bad[] = {
        "br",          "bar:",          "bar:1x2",           "bar:1x2mm",
        "bar:1x2x0mm", "bar:1x2x3km",   "bar:-1x2x3mm",      "bar@",
        "bar@0mm",     "rod:1x2mm",     "cup:1x1x1mm",       "bar:0x2x3mm",
        "letter-Z",    "bar:nanx1x1mm", "bar:1x1x1mm@1e-9m", ""
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        carom_shape *shape = NULL;
        carom_error err = { 0 };
        CHECK(carom_generate_shape(bad[i], &shape, &err) != CAROM_OK && !shape, "\"%s\" is refused",
              bad[i]);
        CHECK(*err.what, "\"%s\" is refused with words", bad[i]);
        carom_shape_release(shape);
    }
}

static void refining(void)
{
    carom_shape *bar = make("bar:2x1x1m@5m"), *fine = NULL, *many = NULL;
    CHECK(carom_refine_mesh(bar, 0.3, &fine, NULL) == CAROM_OK, "refined");
    CHECK_MOST(longest_edge(fine), 0.3, "no edge is longer");
    CHECK_NEAR(carom_shape_mass(fine).volume, 2, 1e-14, "same solid");
    CHECK(carom_refine_count(bar, 5000, &many, NULL) == CAROM_OK, "refined by count");
    int count = carom_mesh_surface(many).triangle_count;
    CHECK(count >= 5000 && count < 20000, "at least the faces asked for, not many more: %d", count);
    carom_shape_release(bar);
    carom_shape_release(fine);
    carom_shape_release(many);
}

int main(void)
{
    volumes();
    everything();
    refusals();
    refining();
    return check_report();
}

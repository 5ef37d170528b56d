// Readers of surface meshes: one solid in every form gives the same triangles to the last digit
// that the form holds, and what is damaged is refused with its place.
#include "carom/import.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "carom/shape.h"
#include "support/check.h"

// An L-shaped prism: two concave polygons with six corners, and six quadrilaterals.
static const double CORNER[12][3] = { { 0, 0, 0 },   { 2, 0, 0 },   { 2, 1, 0 },   { 1, 1, 0 },
                                      { 1, 3, 0 },   { 0, 3, 0 },   { 0, 0, 0.1 }, { 2, 0, 0.1 },
                                      { 2, 1, 0.1 }, { 1, 1, 0.1 }, { 1, 3, 0.1 }, { 0, 3, 0.1 } };
static const int FACE[8][7] = { { 6, 5, 4, 3, 2, 1, 0 }, { 6, 6, 7, 8, 9, 10, 11 },
                                { 4, 0, 1, 7, 6 },       { 4, 1, 2, 8, 7 },
                                { 4, 2, 3, 9, 8 },       { 4, 3, 4, 10, 9 },
                                { 4, 4, 5, 11, 10 },     { 4, 5, 0, 6, 11 } };
static const double VOLUME = 0.4; // area 2 + 2, height 0.1

typedef struct text {
    char bytes[8192];
    size_t size;
} text;

#define ADD(t, ...)                                                                                \
    ((t)->size +=                                                                                  \
     (size_t)snprintf((t)->bytes + (t)->size, sizeof(t)->bytes - (t)->size, __VA_ARGS__))

static void add_raw(text *t, const void *bytes, size_t size, bool swapped)
{
    for (size_t i = 0; i < size; ++i)
        t->bytes[t->size++] = ((const char *)bytes)[swapped ? size - 1 - i : i];
}

static void check_volume(const char *name, const text *t, double tolerance, const char *claim)
{
    carom_mesh_source source;
    carom_shape *shape = NULL;
    carom_error err = { 0 };
    if (!CHECK(carom_import_parse(name, t->bytes, t->size, 1, &source, &err) == CAROM_OK, "%s: %s",
               claim, err.what))
        return;
    CHECK(source.triangle_count == 20, "%s: %d triangles", claim, source.triangle_count);
    CHECK(carom_mesh_create(&source, CAROM_MESH_STRICT, NULL, &shape, &err) == CAROM_OK,
          "%s is closed: %s", claim, err.what);
    if (shape)
        CHECK_NEAR(carom_shape_mass(shape).volume, VOLUME, tolerance, "%s: volume", claim);
    carom_shape_release(shape);
    carom_import_free(&source);
}

static void check_obj(void)
{
    text plain = { .size = 0 }, relative = { .size = 0 };
    ADD(&plain, "# a prism\nmtllib none.mtl\no L\n");
    for (int i = 0; i < 12; ++i) {
        ADD(&plain, "v %g %g %g\r\n", CORNER[i][0], CORNER[i][1], CORNER[i][2]);
        ADD(&relative, "v %g %g %g 1.0\n", CORNER[i][0], CORNER[i][1], CORNER[i][2]);
    }
    ADD(&plain, "vn 0 0 1\nvt 0 0\ns off\n");
    for (int f = 0; f < 8; ++f) {
        ADD(&plain, "f");
        ADD(&relative, "f");
        for (int k = 1; k <= FACE[f][0]; ++k) {
            ADD(&plain, " %d/1/1", FACE[f][k] + 1);
            ADD(&relative, k == 2 ? " \\\n %d" : " %d", FACE[f][k] - 12);
        }
        ADD(&plain, "\n");
        ADD(&relative, "\n");
    }
    check_volume("l.OBJ", &plain, 1e-15, "OBJ with textures, normals and concave polygons");
    check_volume("l.obj", &relative, 1e-15, "OBJ counted backwards, with lines that go on");
}

static void check_off(void)
{
    text t = { .size = 0 };
    ADD(&t, "OFF # comment\n12 8 0\n");
    for (int i = 0; i < 12; ++i)
        ADD(&t, "%g %g %g\n", CORNER[i][0], CORNER[i][1], CORNER[i][2]);
    for (int f = 0; f < 8; ++f) {
        for (int k = 0; k <= FACE[f][0]; ++k)
            ADD(&t, "%d ", FACE[f][k]);
        ADD(&t, "255 0 0\n");
    }
    check_volume("l.off", &t, 1e-15, "OFF with colours");
}

static void ply_header(text *t, const char *format)
{
    ADD(t,
        "ply\nformat %s 1.0\ncomment a prism\nelement vertex 12\nproperty double x\nproperty "
        "double y\n"
        "property double z\nproperty uchar red\nelement face 8\nproperty list uchar int "
        "vertex_indices\n"
        "property list uchar float extra\nend_header\n",
        format);
}

static void check_ply(void)
{
    const uint16_t one = 1;
    bool little = *(const unsigned char *)&one;
    text words = { .size = 0 };
    ply_header(&words, "ascii");
    for (int i = 0; i < 12; ++i)
        ADD(&words, "%g %g %g 200\n", CORNER[i][0], CORNER[i][1], CORNER[i][2]);
    for (int f = 0; f < 8; ++f) {
        for (int k = 0; k <= FACE[f][0]; ++k)
            ADD(&words, "%d ", FACE[f][k]);
        ADD(&words, "1 0.5\n");
    }
    check_volume("l.ply", &words, 1e-15, "PLY in text");
    for (int big = 0; big < 2; ++big) {
        text t = { .size = 0 };
        bool swapped = big ? little : !little;
        ply_header(&t, big ? "binary_big_endian" : "binary_little_endian");
        for (int i = 0; i < 12; ++i) {
            for (int k = 0; k < 3; ++k)
                add_raw(&t, &CORNER[i][k], sizeof(double), swapped);
            add_raw(&t, "\xc8", 1, false);
        }
        for (int f = 0; f < 8; ++f) {
            unsigned char count = (unsigned char)FACE[f][0], none = 0;
            add_raw(&t, &count, 1, false);
            for (int k = 1; k <= FACE[f][0]; ++k)
                add_raw(&t, &FACE[f][k], sizeof(int), swapped);
            add_raw(&t, &none, 1, false);
        }
        check_volume("l.ply", &t, 1e-15,
                     big ? "PLY, bytes from the largest" : "PLY, bytes from the least");
    }
}

static void check_stl(void)
{
    carom_mesh_source source;
    carom_error err = { 0 };
    text off = { .size = 0 }, words = { .size = 0 }, bytes = { .size = 0 };
    ADD(&off, "OFF\n12 8 0\n");
    for (int i = 0; i < 12; ++i)
        ADD(&off, "%g %g %g\n", CORNER[i][0], CORNER[i][1], CORNER[i][2]);
    for (int f = 0; f < 8; ++f)
        for (int k = 0; k <= FACE[f][0]; ++k)
            ADD(&off, k == FACE[f][0] ? "%d\n" : "%d ", FACE[f][k]);
    if (!CHECK(carom_import_parse("l.off", off.bytes, off.size, 1, &source, &err) == CAROM_OK,
               "triangles: %s", err.what))
        return;
    uint32_t count = (uint32_t)source.triangle_count;
    ADD(&words, "solid the vertex of a name\n");
    ADD(&bytes, "%-80s", "solid by its title alone");
    add_raw(&bytes, &count, sizeof count, false);
    for (int i = 0; i < source.triangle_count; ++i) {
        const float normal[3] = { 0 };
        ADD(&words, "facet normal 0 0 0\nouter loop\n");
        add_raw(&bytes, normal, sizeof normal, false);
        for (int k = 0; k < 3; ++k) {
            const double *at = source.vertices + 3 * source.triangles[3 * i + k];
            const float single[3] = { (float)at[0], (float)at[1], (float)at[2] };
            ADD(&words, "vertex %g %g %g\n", at[0], at[1], at[2]);
            add_raw(&bytes, single, sizeof single, false);
        }
        ADD(&words, "endloop\nendfacet\n");
        add_raw(&bytes, "\0", 2, false);
    }
    ADD(&words, "endsolid the vertex of a name\n");
    carom_import_free(&source);
    check_volume("l.stl", &words, 1e-15, "STL in text");
    check_volume("l.stl", &bytes, 1e-8, "STL in bytes"); // 0.1 in single precision
}

static void check_refused(const char *name, const char *bytes, const char *what, const char *where)
{
    carom_mesh_source source;
    carom_error err = { 0 };
    CHECK(carom_import_parse(name, bytes, strlen(bytes), 1, &source, &err) != CAROM_OK,
          "%s is refused", what);
    CHECK(strstr(err.what, what), "\"%s\" says: %s", err.what, what);
    CHECK_TEXT(err.where, where, "%s", what);
    CHECK(err.fix[0] && !source.vertices, "%s: a fix, and nothing to free", what);
}

static void check_damaged(void)
{
    check_refused("a.obj", "v 0 0\n", "a vertex with 2 coordinates", "a.obj:1");
    check_refused("a.obj", "v 0 0 0\nv 1 0 x\n", "\"x\" where a coordinate", "a.obj:2");
    check_refused("a.obj", "v 0 0 0\nf 1 2 3\n", "a face names vertex 1 of 1", "a.obj:2");
    check_refused("a.obj", "v 0 0 0\nf 0 1 1\n", "\"0\" where the number of a vertex", "a.obj:2");
    check_refused("a.obj", "hello\n", "no triangles", "a.obj");
    check_refused("a.off", "PFF\n", "not with OFF", "a.off:1");
    check_refused("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n", "the file ends where a coordinate",
                  "a.off:5");
    check_refused("a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty half x\nend_header\n",
                  "\"half\" is no type", "a.ply:4");
    check_refused("a.ply", "ply\nformat ascii 1.0\n", "ends inside its header", "a.ply:3");
    check_refused("a.ply",
                  "ply\nformat ascii 1.0\nelement vertex 99\nproperty float x\nend_header\n0 0\n",
                  "99 elements announced", "a.ply:6");
    check_refused("a.stl", "solid a\nfacet\nvertex 0 0 0\nendfacet\n", "a facet with 1 corners",
                  "a.stl:4");
    check_refused("a.stl", "nonsense", "neither text nor", "a.stl: byte 8");
    check_refused("a.3ds", "", "OBJ, PLY, STL and OFF", "a.3ds");
}

int main(void)
{
    check_obj();
    check_off();
    check_ply();
    check_stl();
    check_damaged();
    return check_report();
}

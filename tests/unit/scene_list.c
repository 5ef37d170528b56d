// Lists of bodies: rows in the scene, or a CSV or NPZ file beside it, which the scene needs no more
// once it is read.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "carom/scene.h"
#include "support/check.h"

static const char scene_text[] =
    "{ \"carom\": 1, \"kind\": \"world\", \"generators\": [ { \"list\": { %s, \"body\": { "
    "\"name\": "
    "\"g\", \"shape\": { \"sphere\": 0.5 }, \"velocity\": [0, 0, 3], \"mass\": 8 } } } ] }";

static carom_status parse(const char *list, carom_scene_world **scene, carom_error *err)
{
    char text[1000];
    snprintf(text, sizeof text, scene_text, list);
    return carom_scene_world_parse("scene_list_test.json", text, strlen(text), scene, err);
}

static void check_rows(void)
{
    carom_scene_world *scene = NULL;
    carom_error err = { 0 };
    CHECK(
        parse("\"columns\": \"x y z radius vx qw qx qy qz\", \"rows\": [[1, 2, 3, 0.5, 7, 1, 0, 0,"
              " 0], [4, 5, 6, 0.25, 8, 0, 1, 0, 0]]",
              &scene, &err) == CAROM_OK,
        "%s %s", err.where, err.what);
    CHECK(carom_scene_world_body_count(scene) == 2, "two rows");
    carom_body body = carom_scene_world_body(scene, 1);
    CHECK_NEAR(body.position[1], 5, 0, "y");
    CHECK_NEAR(body.velocity[0], 8, 0, "vx");
    CHECK_NEAR(body.velocity[2], 3, 0, "what no column says is the template's");
    CHECK_NEAR(carom_shape_radius(body.shape), 0.25, 0, "radius");
    CHECK_NEAR(body.mass, 1, 1e-15, "an eighth of the volume");
    CHECK_NEAR(body.rotation[1], 1, 0, "rotation");
    carom_scene_world_close(scene);
}

static void check_file(void)
{
    static const char table[] = "step,x_m,y_m,z_m,name,size\n"
                                "0,9,9,9,\"a, b\",1\n"
                                "5,1,2,3,\"a, b\",2\n5,4,5,6,c,0.5\n";
    static const char again[] = "x,y,z\n0,0,0\n";
    const char *tables[] = { table, again };
    carom_scene_world *scene = NULL, *copy = NULL;
    carom_error err = { 0 };
    size_t size;
    for (int k = 0; k < 2; ++k) {
        FILE *file = fopen("scene_list_test.csv", "w");
        if (!CHECK(file != NULL, "a file to write"))
            return;
        fputs(tables[k], file);
        fclose(file);
        if (k == 0)
            CHECK(parse("\"file\": \"scene_list_test.csv\"", &scene, &err) == CAROM_OK, "%s %s",
                  err.where, err.what);
    }
    CHECK(carom_scene_world_body_count(scene) == 2, "only the last step");
    CHECK_NEAR(carom_shape_radius(carom_scene_world_body(scene, 0).shape), 1, 0, "twice as large");
    const char *text = carom_scene_world_text(scene, &size);
    remove("scene_list_test.csv");
    CHECK(carom_scene_world_parse("scene_list_test.json", text, size, &copy, &err) == CAROM_OK,
          "the scene has the rows now: %s", err.what);
    CHECK_NEAR(carom_scene_world_body(copy, 1).position[2], 6, 0, "the same ones");
    carom_scene_world_close(scene);
    carom_scene_world_close(copy);
}

// A line with more fields than headings was cut there: decimal commas became other numbers.
static void check_commas(void)
{
    carom_scene_world *scene = NULL;
    carom_error err = { 0 };
    FILE *file = fopen("scene_list_test.csv", "w");
    if (!CHECK(file != NULL, "a file to write"))
        return;
    fputs("x;y;z\n1,5;2,5;3,5\n", file);
    fclose(file);
    CHECK(parse("\"file\": \"scene_list_test.csv\"", &scene, &err) == CAROM_BAD_INPUT &&
              strstr(err.what, "more fields than headings") && strstr(err.where, ".csv:2"),
          "decimal commas: %s at %s", err.what, err.where);
    carom_scene_world_close(scene);
    remove("scene_list_test.csv");
}

static void check_refusals(void)
{
    static const struct {
        const char *list, *what;
    } cases[] = {
        { "\"columns\": \"x y w\", \"rows\": []", "there is no column \"w\"" },
        { "\"rows\": [[1, 2]]", "the row has 2 numbers for 3 columns" },
        { "\"columns\": \"x y z radius\", \"rows\": [[1, 2, 3, -1]]", "times as large" },
        { "\"columns\": \"x y z qw\", \"rows\": [[1, 2, 3, 5]]", "the rotation has the length 5" },
        { "\"file\": \"no-such-file.csv\"", "cannot be read: No such file" },
        { "\"file\": \"/dev/zero\"", "not a regular file" }, // has no end
        { "\"file\": \"/dev\"", "not a regular file" },
        { "\"columns\": \"x\"", "the list has no rows" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        carom_scene_world *scene = NULL;
        carom_error err = { 0 };
        CHECK(parse(cases[i].list, &scene, &err) != CAROM_OK && strstr(err.what, cases[i].what) &&
                  *err.fix,
              "%s: %s", cases[i].list, err.what);
        carom_scene_world_close(scene);
    }
}

// -- NumPy archives -----------------------------------------------------------------------------

typedef struct zip {
    unsigned char bytes[8192], list[2048];
    size_t size, list_size, members;
} zip;

static void put(unsigned char *to, size_t *at, unsigned long long value, int bytes)
{
    for (int k = 0; k < bytes; ++k)
        to[(*at)++] = (unsigned char)(value >> 8 * k);
}

// What local head and list have in common, from the version needed to the length of the name.
static void put_common(unsigned char *to, size_t *at, int method, const size_t sizes[2],
                       unsigned long checksum, size_t name)
{
    put(to, at, 20, 2), put(to, at, 0, 2), put(to, at, (unsigned)method, 2), put(to, at, 0, 4);
    put(to, at, checksum, 4), put(to, at, sizes[0], 4), put(to, at, sizes[1], 4);
    put(to, at, name, 2), put(to, at, 0, 2);
}

static void add_array(zip *z, const char *name, const char *head, const void *data, size_t bytes,
                      bool deflated)
{
    unsigned char whole[1024] = "\x93NUMPY\1", packed[2048];
    size_t length = strlen(head), at = 8, start = z->size, sizes[2];
    char file[64];
    put(whole, &at, length + 1, 2);
    memcpy(whole + at, head, length);
    whole[at + length] = '\n';
    memcpy(whole + at + length + 1, data, bytes);
    sizes[0] = sizes[1] = at + length + 1 + bytes;
    memcpy(packed, whole, sizes[1]);
    if (deflated) {
        z_stream s = { .next_in = whole,
                       .avail_in = (uInt)sizes[1],
                       .next_out = packed,
                       .avail_out = sizeof packed };
        deflateInit2(&s, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
        deflate(&s, Z_FINISH);
        sizes[0] = s.total_out;
        deflateEnd(&s);
    }
    unsigned long checksum = crc32(0, whole, (uInt)sizes[1]);
    size_t name_length = (size_t)snprintf(file, sizeof file, "%s.npy", name);
    put(z->bytes, &z->size, 0x04034b50, 4);
    put_common(z->bytes, &z->size, deflated ? 8 : 0, sizes, checksum, name_length);
    memcpy(z->bytes + z->size, file, name_length);
    memcpy(z->bytes + z->size + name_length, packed, sizes[0]);
    z->size += name_length + sizes[0];
    put(z->list, &z->list_size, 0x02014b50, 4), put(z->list, &z->list_size, 20, 2);
    put_common(z->list, &z->list_size, deflated ? 8 : 0, sizes, checksum, name_length);
    put(z->list, &z->list_size, 0, 2), put(z->list, &z->list_size, 0, 8);
    put(z->list, &z->list_size, start, 4);
    memcpy(z->list + z->list_size, file, name_length);
    z->list_size += name_length;
    ++z->members;
}

static void write_bytes(const unsigned char *bytes, size_t size)
{
    FILE *file = fopen("scene_list_test.npz", "wb");
    if (CHECK(file != NULL, "a file to write")) {
        fwrite(bytes, 1, size, file);
        fclose(file);
    }
}

static void finish(zip *z)
{
    size_t list = z->size;
    memcpy(z->bytes + z->size, z->list, z->list_size);
    z->size += z->list_size;
    put(z->bytes, &z->size, 0x06054b50, 4), put(z->bytes, &z->size, 0, 4);
    put(z->bytes, &z->size, z->members, 2), put(z->bytes, &z->size, z->members, 2);
    put(z->bytes, &z->size, z->list_size, 4), put(z->bytes, &z->size, list, 4);
    put(z->bytes, &z->size, 0, 2);
    write_bytes(z->bytes, z->size);
}

// Two frames of three bodies, of which the second does not move; sizes as single numbers, whole
// ones for vx.
static zip archive(bool deflated)
{
    static const double position[18] = { 9, 9, 9, 9, 9, 9, 9, 9, 9, 1, 2, 3, 0, 0, 0, 4, 5, 6 };
    static const float radius[3] = { 1, 0.5F, 0.25F };
    static const int vx[3] = { 7, 0, -8 };
    static const unsigned char kind[3] = { 0, 1, 0 };
    zip z = { 0 };
    add_array(&z, "time", "{'descr': '|S4', 'fortran_order': False, 'shape': (1,), }", "none", 4,
              deflated);
    add_array(&z, "position", "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3, 3), }",
              position, sizeof position, deflated);
    add_array(&z, "radius", "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", radius,
              sizeof radius, deflated);
    add_array(&z, "vx", "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }", vx, sizeof vx,
              deflated);
    add_array(&z, "kind", "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }", kind,
              sizeof kind, deflated);
    finish(&z);
    return z;
}

static void check_archive(bool deflated)
{
    carom_scene_world *scene = NULL;
    carom_error err = { 0 };
    archive(deflated);
    CHECK(parse("\"file\": \"scene_list_test.npz\"", &scene, &err) == CAROM_OK, "%s: %s (%s)",
          err.where, err.what, err.fix);
    if (!CHECK(carom_scene_world_body_count(scene) == 2, "those that move"))
        return;
    carom_body body = carom_scene_world_body(scene, 1);
    CHECK(body.position[0] == 4 && body.position[1] == 5 && body.position[2] == 6,
          "the last frame");
    CHECK_NEAR(body.velocity[0], -8, 0, "whole numbers with their sign");
    CHECK_NEAR(body.velocity[2], 3, 0, "what no array says is the template's");
    CHECK_NEAR(carom_shape_radius(body.shape), 0.25, 0, "single numbers");
    carom_scene_world_close(scene);
}

// Every byte of an archive wrong, in two ways, and every length too short: refused, or read; where
// refused, with what and how to mend it.
static void check_damage(bool deflated)
{
    zip z = archive(deflated);
    int refused = 0, tried = 0, step = check_effort(5, 23);
    for (size_t i = 0; i < 3 * z.size; i += (size_t)step) {
        carom_scene_world *scene = NULL;
        carom_error err = { 0 };
        unsigned char bytes[sizeof z.bytes];
        size_t at = i % z.size;
        memcpy(bytes, z.bytes, z.size);
        bytes[at] = (unsigned char)(i < z.size ? ~bytes[at] : bytes[at] + 1);
        write_bytes(bytes, i < 2 * z.size ? z.size : at);
        ++tried;
        if (parse("\"file\": \"scene_list_test.npz\"", &scene, &err) != CAROM_OK) {
            ++refused;
            CHECK(*err.what && *err.fix, "byte %zu: %s", at, err.what);
        }
        carom_scene_world_close(scene);
    }
    CHECK(2 * refused > tried, "most of it is refused: %d of %d", refused, tried);
}

static void check_archive_refusals(void)
{
    static const struct {
        const char *name, *head, *what;
    } cases[] = {
        { "x", "{'descr': '<f8', 'fortran_order': True, 'shape': (2,), }", "Fortran" },
        { "x", "{'descr': '>f8', 'fortran_order': False, 'shape': (2,), }", "little-endian" },
        { "x", "{'descr': '<f8', 'fortran_order': False, 'shape': (9,), }", "fewer numbers" },
        { "x", "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1, 2), }", "one row" },
        { "position", "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", "one row" },
        { "x", "no head", "no head" },
        // what would follow the type is not in the head, but behind it
        { "x", "{'fortran_order': False, 'shape': (1,), 'descr': '",
          "no numbers that can be read" },
        { "q", "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", "no array" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        carom_scene_world *scene = NULL;
        carom_error err = { 0 };
        zip z = { 0 };
        add_array(&z, cases[i].name, cases[i].head, "f8'behind the head", 16, false);
        finish(&z);
        CHECK(parse("\"file\": \"scene_list_test.npz\"", &scene, &err) == CAROM_BAD_INPUT &&
                  strstr(err.what, cases[i].what) && *err.fix &&
                  strstr(err.where, "scene_list_test.npz"),
              "%s: %s at %s", cases[i].head, err.what, err.where);
        carom_scene_world_close(scene);
    }
}

int main(void)
{
    check_rows();
    check_file();
    check_commas();
    check_refusals();
    for (int deflated = 0; deflated < 2; ++deflated) {
        check_archive(deflated);
        check_damage(deflated);
    }
    check_archive_refusals();
    remove("scene_list_test.npz");
    return check_report();
}

// Modes: materials, cells, thickness, evaluation, cache files, refusals, stopping.
#include "carom/modal.h"
#include "math/vec.h"
#include "modal/modal_hex.h"
#include "modal/modal_thickness.h"
#include "support/check.h"
#include "support/solids.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const carom_modal_material STUFF = { 7e10, 0.3, 2000 };

static carom_modal_options few(int modes)
{
    carom_modal_options options = carom_modal_options_default();
    options.modes = modes;
    options.threads = 1;
    return options;
}

static void materials(void)
{
    carom_modal_material m;
    carom_error err = { 0 };
    CHECK(carom_modal_material_count() == 6, "six presets");
    for (int i = 0; i < carom_modal_material_count(); ++i) {
        CHECK(carom_modal_material_named(carom_modal_material_name(i), &m, &err) == CAROM_OK &&
                  carom_modal_material_check(&m, &err) == CAROM_OK,
              "%s", carom_modal_material_name(i));
    }
    CHECK(carom_modal_material_named("stele", &m, &err) == CAROM_BAD_INPUT &&
              strstr(err.fix, "steel"),
          "a slip of the pen is understood: %s", err.fix);
    static const carom_modal_material BAD[] = {
        { -1, 0.3, 1 }, { NAN, 0.3, 1 }, { 0, 0.3, 1 },   { INFINITY, 0.3, 1 },
        { 1, 0.5, 1 },  { 1, 0.7, 1 },   { 1, -1, 1 },    { 1, NAN, 1 },
        { 1, 0.3, 0 },  { 1, 0.3, -2 },  { 1, 0.3, NAN }, { 1, 0.3, INFINITY }
    };
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; ++i)
        CHECK(carom_modal_material_check(&BAD[i], &err) == CAROM_BAD_INPUT && err.fix[0],
              "E %g, nu %g, rho %g is refused", BAD[i].young, BAD[i].poisson, BAD[i].density);
}

// The matrices of a brick cut by a slanted plane: rigid motions cost nothing and weigh what they
// should; moments by exact integrals of the part below z = (x + y) / 4.
static void bricks(void)
{
    double moments[125] = { 0 }, mass[729], *k = malloc(81 * 81 * sizeof *k);
    double half[3] = { 0.3, 0.5, 0.4 };
    static const double AT[3] = { -0.77459666924148338, 0, 0.77459666924148338 };
    static const double WEIGHT[3] = { 5. / 9, 8. / 9, 5. / 9 };
    for (int i = 0; i < 30 * 30; ++i) // ten strips of three points along x and y
        for (int n = 0; n < 1; ++n) {
            double x = (2 * (i / 30 / 3) + 1 + AT[i / 30 % 3]) / 10 - 1;
            double y = (2 * (i % 30 / 3) + 1 + AT[i % 3]) / 10 - 1;
            double w = WEIGHT[i / 30 % 3] * WEIGHT[i % 3] / 100, px[5], py[5], pz[5];
            carom_modal_hex_legendre(x, px);
            carom_modal_hex_legendre(y, py);
            carom_modal_hex_integrals(-1, (x + y) / 4, pz);
            for (int m = 0; m < 125; ++m)
                moments[m] += w * px[m / 25] * py[m / 5 % 5] * pz[m % 5];
        }
    carom_modal_hex_mass(moments, half, mass);
    carom_modal_hex_stiffness(moments, half, carom_modal_elastic_make(0.3), k);
    double total = 0, asymmetry = 0, energy = 0;
    for (int i = 0; i < 729; ++i)
        total += mass[i];
    for (int i = 0; i < 81; ++i)
        for (int j = 0; j < 81; ++j)
            asymmetry = fmax(asymmetry, fabs(k[81 * i + j] - k[81 * j + i]));
    CHECK_NEAR(total, 8 * 0.3 * 0.5 * 0.4 / 2, 1e-14, "half of the brick weighs half");
    CHECK_MOST(asymmetry, 1e-14, "the stiffness is symmetric");
    for (int mode = 0; mode < 6; ++mode) {
        double u[81] = { 0 };
        for (int a = 0; a < 27; ++a) {
            double r[3] = { half[0] * (a % 3 - 1), half[1] * (a / 3 % 3 - 1),
                            half[2] * (a / 9 - 1) };
            int e = mode % 3;
            if (mode < 3)
                u[3 * a + e] = 1;
            else {
                u[3 * a + (e + 2) % 3] = r[(e + 1) % 3];
                u[3 * a + (e + 1) % 3] = -r[(e + 2) % 3];
            }
        }
        for (int i = 0; i < 81; ++i) {
            double force = 0;
            for (int j = 0; j < 81; ++j)
                force += k[81 * i + j] * u[j];
            energy = fmax(energy, fabs(force));
        }
    }
    CHECK_MOST(energy, 1e-13, "rigid motions strain nothing");
    free(k);
}

static double thickness_of(const carom_shape *shape)
{
    carom_mesh_source s = carom_mesh_surface(shape);
    double min[3] = { 1e9, 1e9, 1e9 }, extent[3] = { 0 }, unit = 0;
    double *v = malloc(3 * (size_t)s.vertex_count * sizeof *v);
    carom_modal_thickness found = { 0 };
    carom_error err = { 0 };
    for (int i = 0; i < 3 * s.vertex_count; ++i)
        min[i % 3] = fmin(min[i % 3], s.vertices[i]);
    for (int i = 0; i < 3 * s.vertex_count; ++i)
        unit = fmax(unit, s.vertices[i] - min[i % 3]);
    for (int i = 0; i < 3 * s.vertex_count; ++i) {
        v[i] = (s.vertices[i] - min[i % 3]) / unit;
        extent[i % 3] = fmax(extent[i % 3], v[i]);
    }
    s.vertices = v;
    CHECK(carom_modal_thickness_measure(&s, extent, &found, &err) == CAROM_OK, "%s", err.what);
    CHECK_MOST(found.broken, 0, "every line ends outside");
    free(v);
    return found.wall * unit;
}

static void thickness(void)
{
    carom_shape *box = solids_box((double[3]){ 1, 0.2, 0.05 }, 0);
    carom_shape *turned = solids_box((double[3]){ 1, 0.2, 0.05 }, 0.5), *ball = NULL, *round = NULL;
    carom_error err = { 0 };
    CHECK(carom_sphere_create(0.7, &ball, &err) == CAROM_OK, "a ball");
    CHECK(carom_mesh_from(ball, 64, &round, &err) == CAROM_OK, "%s", err.what);
    CHECK_NEAR(thickness_of(box), 0.1, 1e-9, "a plate along the axes");
    CHECK_NEAR(thickness_of(turned), 0.1, 1e-9, "an oblique plate");
    CHECK_NEAR(thickness_of(round), 1.4, 0.03, "a ball is as thick as its diameter");
    carom_shape_release(box);
    carom_shape_release(turned);
    carom_shape_release(ball);
    carom_shape_release(round);
}

// Modal mass is one: the sum over the surface cannot show it, but participation at a free end can.
// Shapes are continuous across cells, and a point off the body is refused.
static void evaluation(const carom_modes *modes)
{
    const carom_modal_info *info = carom_modal_about(modes);
    double low[300], high[300], jump = 0, a[100], w;
    carom_error err = { 0 };
    for (int i = 1; i < 40; ++i) {
        double x = -0.1 + 0.2 * i / 40, y = 0.001;
        CHECK(carom_modal_shapes_at(modes, (double[3]){ x - 1e-12, y, 0.005 }, low, &err) ==
                      CAROM_OK &&
                  carom_modal_shapes_at(modes, (double[3]){ x + 1e-12, y, 0.005 }, high, &err) ==
                      CAROM_OK,
              "%s", err.what);
        for (int k = 0; k < 3 * info->mode_count; ++k)
            jump = fmax(jump, fabs(low[k] - high[k]));
    }
    CHECK_MOST(jump, 1e-7, "shapes are continuous");
    double end[3] = { 0.1, 0.001, -0.002 }, out[3] = { 1, 0, 0 };
    CHECK(carom_modal_participation(modes, end, out, a, &w, &err) == CAROM_OK, "%s", err.what);
    double turn = (0.001 * 0.001 + 0.002 * 0.002) / info->inertia[1];
    CHECK_NEAR(w, 1 / 0.04 + turn, 1e-9, "response at the end: 1/m + (X x N) I^-1 (X x N)");
    CHECK_NEAR(a[9] * a[9] * 0.04, 2, 0.01, "the end of a bar: twice the mean square, axial mode");
    CHECK(carom_modal_shapes_at(modes, (double[3]){ 0.2, 0, 0 }, low, &err) == CAROM_BAD_INPUT,
          "a point off the body is refused: %s", err.what);
    CHECK(carom_modal_shapes_at(modes, (double[3]){ NAN, 0, 0 }, low, &err) == CAROM_BAD_INPUT,
          "so is no point");
    CHECK(carom_modal_participation(modes, end, (double[3]){ 2, 0, 0 }, a, &w, &err) ==
              CAROM_BAD_INPUT,
          "a normal that is no unit vector is refused");
}

static void scaling(const carom_shape *bar, const carom_modes *modes)
{
    // steel-like numbers and a bar ten times as large: only scaled
    carom_modal_material other = { 7e11, 0.3, 8000 };
    carom_modal_options options = few(12);
    carom_shape *large = solids_box((double[3]){ 1, 0.05, 0.05 }, 0);
    carom_modes *again = solids_modes(bar, &other, &options);
    carom_modes *big = solids_modes(large, &STUFF, &options);
    const carom_modal_info *a = carom_modal_about(modes), *b = carom_modal_about(again),
                           *c = carom_modal_about(big);
    double u[60], v[60], worst = 0, point[3] = { 0.03, 0.002, 0.005 }, far[3] = { 0.3, 0.02, 0.05 };
    carom_error err = { 0 };
    CHECK_NEAR(b->omega[3] / a->omega[3], sqrt(10. / 4), 1e-12, "frequency goes with sqrt(E/rho)");
    CHECK_NEAR(c->omega[3] / a->omega[3], 0.1, 1e-12, "and with 1 over size");
    carom_modal_shapes_at(modes, point, u, &err);
    carom_modal_shapes_at(big, far, v, &err);
    for (int mode = 6; mode <= 9; mode += 3) // torsion and axial: pairs may come out mixed
        for (int k = 0; k < 3; ++k)
            worst = fmax(worst, fabs(fabs(u[3 * mode + k]) - fabs(v[3 * mode + k]) * sqrt(1000)));
    CHECK_MOST(worst, 1e-6, "shapes go with 1 over sqrt(mass)");
    CHECK(carom_modal_rescale(again, &STUFF, &err) == CAROM_OK, "%s", err.what);
    CHECK_NEAR(carom_modal_about(again)->omega[3] / a->omega[3], 1, 1e-12, "rescaling comes back");
    other.poisson = 0.2;
    CHECK(carom_modal_rescale(again, &other, &err) == CAROM_BAD_INPUT, "not for another nu");
    carom_modal_destroy(again);
    carom_modal_destroy(big);
    carom_shape_release(large);
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(bytes, 1, size, file) == size, "scratch file");
    if (file)
        fclose(file);
}

static void cache(const carom_modes *modes, const char *name)
{
    char path[64];
    carom_error err = { 0 };
    carom_modes *back = NULL;
    const carom_modal_info *info = carom_modal_about(modes);
    snprintf(path, sizeof path, "/tmp/carom-test-%ld.cmodes", (long)getpid());
    CHECK(carom_modal_save(modes, path, &err) == CAROM_OK, "%s", err.what);
    CHECK(carom_modal_load(path, info->key, &back, &err) == CAROM_OK, "%s: %s", name, err.what);
    double a[300], b[300], point[3] = { 0.0321, 0.001, 0.005 };
    CHECK(carom_modal_shapes_at(modes, point, a, &err) == CAROM_OK &&
              carom_modal_shapes_at(back, point, b, &err) == CAROM_OK &&
              memcmp(a, b, 3 * (size_t)info->mode_count * sizeof *a) == 0,
          "%s: the same bits back", name);
    CHECK(memcmp(info->omega, carom_modal_about(back)->omega,
                 (size_t)info->mode_count * sizeof *a) == 0,
          "%s: the same frequencies back", name);
    carom_modal_destroy(back);
    CHECK(carom_modal_load(path, info->key + 1, &back, &err) == CAROM_BAD_INPUT && !back &&
              strstr(err.what, "another"),
          "modes of another mesh are refused");
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    char *bytes = malloc(size + 1);
    rewind(file);
    CHECK(fread(bytes, 1, size, file) == size, "read back");
    fclose(file);
    int survived = 0, refused = 0;
    for (size_t i = 0; i < size; i += i < 400 ? 13 : size / 7, ++survived) {
        bytes[i] ^= 0x40;
        write_bytes(path, bytes, size);
        refused += carom_modal_load(path, 0, &back, &err) == CAROM_BAD_INPUT && err.where[0];
        bytes[i] ^= 0x40;
        write_bytes(path, bytes, i);
        refused += carom_modal_load(path, 0, &back, &err) == CAROM_BAD_INPUT && err.where[0];
    }
    CHECK(refused == 2 * survived, "%s: %d of %d damaged or cut files refused", name, refused,
          2 * survived);
    bytes[size] = 0;
    write_bytes(path, bytes, size + 1);
    CHECK(carom_modal_load(path, 0, &back, &err) == CAROM_BAD_INPUT, "a file that is too long");
    free(bytes);
    remove(path);
    CHECK(carom_modal_load(path, 0, &back, &err) == CAROM_IO_FAILED, "no file");
    CHECK(carom_modal_save(modes, "/nonexistent/x.cmodes", &err) == CAROM_IO_FAILED, "no folder");
}

static carom_status run(const double *vertex, int vertices, const int *triangle, int triangles,
                        carom_error *err)
{
    carom_mesh_source s = { vertex, triangle, vertices, triangles };
    carom_modal_options options = few(6);
    carom_modes *modes = NULL;
    carom_status status = carom_modal_from_surface(&s, &STUFF, &options, NULL, &modes, err);
    CHECK((status == CAROM_OK) == (modes != NULL), "modes exactly on success");
    carom_modal_destroy(modes);
    return status;
}

static void refusals(const carom_shape *bar)
{
    carom_mesh_source s = carom_mesh_surface(bar);
    int triangle[36];
    double vertex[24];
    carom_error err = { 0 };
    memcpy(triangle, s.triangles, sizeof triangle);
    memcpy(vertex, s.vertices, sizeof vertex);
    CHECK(run(vertex, 8, triangle, 11, &err) == CAROM_BAD_INPUT && strstr(err.what, "is open"),
          "an open surface: %s", err.what);
    triangle[0] = 99;
    CHECK(run(vertex, 8, triangle, 12, &err) == CAROM_BAD_INPUT && strstr(err.what, "99"),
          "a vertex that is not there: %s", err.what);
    for (int i = 0; i < 36; ++i)
        triangle[i] = s.triangles[i % 3 == 0 ? i : i % 3 == 1 ? i + 1 : i - 1];
    CHECK(run(vertex, 8, triangle, 12, &err) == CAROM_BAD_INPUT && strstr(err.what, "inside out"),
          "a surface inside out: %s", err.what);
    memcpy(triangle, s.triangles, sizeof triangle);
    triangle[1] = s.triangles[2];
    triangle[2] = s.triangles[1];
    CHECK(run(vertex, 8, triangle, 12, &err) == CAROM_BAD_INPUT && strstr(err.what, "opposite"),
          "one triangle turned: %s", err.what);
    memcpy(triangle, s.triangles, sizeof triangle);
    for (int i = 0; i < 8; ++i)
        vertex[3 * i + 2] = 0;
    CHECK(run(vertex, 8, triangle, 12, &err) == CAROM_BAD_INPUT && strstr(err.what, "no volume"),
          "a flat surface: %s", err.what);
    vertex[4] = NAN;
    CHECK(run(vertex, 8, triangle, 12, &err) == CAROM_BAD_INPUT, "no number: %s", err.what);
    carom_modal_options options = few(0);
    carom_modes *modes = NULL;
    CHECK(carom_modal_from_surface(&s, &STUFF, &options, NULL, &modes, &err) == CAROM_BAD_INPUT,
          "no modes: %s", err.what);
    // a sheet a thousandth thick, with few unknowns
    carom_shape *sheet = solids_box((double[3]){ 0.5, 0.5, 0.0005 }, 0.2);
    s = carom_mesh_surface(sheet);
    options = few(6);
    options.unknowns_max = 3000;
    CHECK(carom_modal_from_surface(&s, &STUFF, &options, NULL, &modes, &err) == CAROM_BAD_INPUT &&
              strstr(err.what, "0.001 m") && strstr(err.fix, "unknowns"),
          "a sheet too thin: %s; %s", err.what, err.fix);
    carom_shape_release(sheet);
}

// Two boxes side by side are two bodies; as one surface with a gap they are refused.
static void pieces(const carom_shape *bar)
{
    carom_mesh_source s = carom_mesh_surface(bar);
    double vertex[48];
    int triangle[72];
    carom_error err = { 0 };
    for (int i = 0; i < 24; ++i) {
        vertex[i] = s.vertices[i];
        vertex[24 + i] = s.vertices[i] + (i % 3 == 1 ? 0.05 : 0);
    }
    for (int i = 0; i < 36; ++i) {
        triangle[i] = s.triangles[i];
        triangle[36 + i] = s.triangles[i] + 8;
    }
    CHECK(run(vertex, 16, triangle, 24, &err) == CAROM_BAD_INPUT && strstr(err.what, "pieces"),
          "two pieces: %s", err.what);
}

static int stop_late(void *context, double done, double total, const char *what)
{
    double *last = context;
    (void)what;
    CHECK(done >= last[0] - 1e-9 && done <= total, "progress goes on: %g of %g", done, total);
    last[0] = done;
    last[1] += 1;
    return last[2] > 0 && done > last[2];
}

static void stopping(const carom_shape *bar)
{
    carom_mesh_source s = carom_mesh_surface(bar);
    carom_modal_options options = few(12);
    carom_modes *modes = NULL;
    carom_error err = { 0 };
    double last[3] = { 0, 0, 60 };
    carom_progress progress = { stop_late, last };
    CHECK(carom_modal_from_surface(&s, &STUFF, &options, &progress, &modes, &err) ==
                  CAROM_INTERRUPTED &&
              !modes,
          "stopped on request");
    CHECK(last[1] > 10, "it tells often: %g times", last[1]);
}

static void split_pair(const carom_shape *bar)
{
    carom_modal_options options = few(3);
    carom_modes *modes = solids_modes(bar, &STUFF, &options);
    const carom_modal_info *info = carom_modal_about(modes);
    CHECK(info->mode_count == 4 && info->warning_count == 1 &&
              strstr(info->warnings[0], "4 modes are kept, not 3"),
          "the second pair of the bar is not split: %s", info->warnings[0]);
    CHECK(info->next_omega > 1.5 * info->omega[3], "the next is known");
    carom_modal_destroy(modes);
}

static void tetrahedra(void)
{
    carom_modal_options options = few(12);
    carom_tets *tets = solids_tets((int[3]){ 12, 1, 1 }, (double[3]){ 0.1, 0.01, 0.01 });
    carom_modes *modes = NULL;
    carom_error err = { 0 };
    CHECK(carom_modal_from_tets(tets, &STUFF, &options, NULL, &modes, &err) == CAROM_OK, "%s",
          err.what);
    carom_mesh_source s = carom_modal_boundary(modes);
    CHECK(s.triangle_count == 2 * (4 * 12 + 2) && s.vertex_count == tets->upgraded / 6 * 4 + 4,
          "the boundary of tetrahedra: %d triangles", s.triangle_count);
    // a corner node is a vertex: its own shape comes out, wherever it is asked from
    double u[60], v[60], n[3] = { 0, 0, 1 }, a[20], w;
    carom_modal_shapes_at(modes, (double[3]){ 0.1, 0.01, 0.01 }, u, &err);
    carom_modal_shapes_at(modes, (double[3]){ 0.1 + 1e-9, 0.01 + 1e-9, 0.01 + 1e-9 }, v, &err);
    for (int i = 0; i < 36; ++i)
        CHECK_NEAR(u[i], v[i], 1e-4, "shapes are steady at a corner");
    CHECK(carom_modal_participation(modes, (double[3]){ 0.05, 0.005, 0.01 }, n, a, &w, &err) ==
              CAROM_OK,
          "%s", err.what);
    CHECK_NEAR(w * carom_modal_about(modes)->mass, 1, 1e-9, "over the centre: 1/m");
    CHECK(carom_modal_shapes_at(modes, (double[3]){ 0.05, 0.005, 0.2 }, u, &err) == CAROM_BAD_INPUT,
          "a point off the body is refused");
    cache(modes, "tetrahedra");
    // a gap that is hard to find takes several rounds; the shapes stay the same
    carom_modes *more = NULL;
    options.cluster_gap = 0.04;
    options.modes = 46;
    CHECK(carom_modal_from_tets(tets, &STUFF, &options, NULL, &more, &err) == CAROM_OK, "%s",
          err.what);
    int count = carom_modal_about(more)->mode_count;
    double *far = malloc(3 * (size_t)count * sizeof *far), worst = 0;
    carom_modal_shapes_at(modes, (double[3]){ 0.1, 0.003, 0.004 }, u, &err);
    carom_modal_shapes_at(more, (double[3]){ 0.1, 0.003, 0.004 }, far, &err);
    for (int i = 0; i < 36; ++i)
        worst = fmax(worst, fabs(fabs(u[i]) - fabs(far[i])));
    CHECK(count == 58, "the next gap of 4 %% is far up: %d modes", count);
    CHECK_MOST(worst, 1e-5, "shapes after several rounds");
    free(far);
    carom_modal_destroy(more);
    carom_modal_destroy(modes);
    carom_tets_destroy(tets);
    // two pieces that share a node only
    double place[21] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, -1, 0, 0, 0, -1 };
    int corner[8] = { 0, 1, 2, 3, 0, 4, 5, 6 };
    CHECK(carom_tets_create(place, 7, corner, 2, &tets, &err) == CAROM_OK, "%s", err.what);
    options.modes = 1;
    CHECK(carom_modal_from_tets(tets, &STUFF, &options, NULL, &modes, &err) != CAROM_OK && !modes,
          "tetrahedra that hang on a point: %s", err.what);
    carom_tets_destroy(tets);
}

int main(void)
{
    carom_shape *bar = solids_box((double[3]){ 0.1, 0.005, 0.005 }, 0);
    carom_modal_options options = few(12);
    materials();
    bricks();
    thickness();
    carom_modes *modes = solids_modes(bar, &STUFF, &options);
    evaluation(modes);
    scaling(bar, modes);
    cache(modes, "lattice");
    carom_modal_destroy(modes);
    refusals(bar);
    pieces(bar);
    stopping(bar);
    split_pair(bar);
    tetrahedra();
    carom_shape_release(bar);
    return check_report();
}

// Builds the packings and what touches in them.
#include "scenes.h"

#include <math.h>
#include <stdlib.h>

// Two lattice neighbours.
typedef struct pair {
    double distance;
    int a, b;
} pair;

static int neighbours(const scene *s, int nx, int ny, int nz, pair *pairs);
static int by_distance(const void *a, const void *b);
static int by_index(const void *a, const void *b);
static carom_impact_contact touch(const scene *s, const pair *one);

// splitmix64 (Steele, Lea, Flood 2014): enough for a scene.
static uint64_t bits(uint64_t n)
{
    uint64_t z = n * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

// Uniform in [-1, 1), the n-th number of a stream.
static double uniform(uint64_t stream, uint64_t n)
{
    return (double)(bits(bits(stream + 1) + n) >> 11) * 0x1p-52 - 1;
}

int scene_packing(scene *out, int nx, int ny, int nz, int contacts)
{
    const double jitter = 0.2; // of the lattice spacing
    int count = nx * ny * nz;
    *out = (scene){ .bodies = malloc((size_t)count * sizeof *out->bodies),
                    .contacts = malloc((size_t)contacts * sizeof *out->contacts) };
    pair *pairs = malloc((size_t)count * 13 * sizeof *pairs);
    int found = 0;
    if (out->bodies && out->contacts && pairs) {
        for (int i = 0; i < count; ++i) {
            int cell[3] = { i / (ny * nz), i / nz % ny, i % nz };
            out->bodies[i] = carom_impact_body_default();
            for (int k = 0; k < 3; ++k)
                out->bodies[i].position[k] = cell[k] + jitter * uniform(1, 3 * (uint64_t)i + k);
        }
        found = neighbours(out, nx, ny, nz, pairs);
    }
    if (found < contacts || found == 0) {
        free(pairs);
        scene_free(out);
        return 0;
    }
    qsort(pairs, (size_t)found, sizeof *pairs, by_distance);
    qsort(pairs, (size_t)contacts, sizeof *pairs, by_index);
    for (int i = 0; i < contacts; ++i)
        out->contacts[i] = touch(out, &pairs[i]);
    free(pairs);
    out->impact = (carom_impact){ count, contacts, out->bodies, out->contacts };
    return 1;
}

int scene_cube(scene *out, int contacts)
{
    int side = 2;
    while (3.2257 * side * side * side < contacts)
        ++side;
    return scene_packing(out, side, side, side, contacts);
}

void scene_free(scene *out)
{
    free(out->bodies);
    free(out->contacts);
    *out = (scene){ .bodies = NULL };
}

void scene_set_random(scene *out)
{
    for (int i = 0; i < out->impact.body_count; ++i)
        for (int k = 0; k < 3; ++k)
            out->bodies[i].velocity[k] = uniform(2, 3 * (uint64_t)i + k);
}

void scene_set_shock(scene *out)
{
    for (int i = 0; i < out->impact.body_count; ++i)
        for (int k = 0; k < 3; ++k)
            out->bodies[i].velocity[k] = k == 0 && out->bodies[i].position[0] < 0.5;
}

static double distance(const scene *s, int a, int b)
{
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        double d = s->bodies[b].position[k] - s->bodies[a].position[k];
        square += d * d;
    }
    return sqrt(square);
}

// All pairs that differ by at most one cell along every axis, each once.
static int neighbours(const scene *s, int nx, int ny, int nz, pair *pairs)
{
    int found = 0;
    for (int i = 0; i < nx * ny * nz; ++i)
        for (int step = 14; step < 27; ++step) {
            int x = i / (ny * nz) + step / 9 - 1, y = i / nz % ny + step / 3 % 3 - 1;
            int z = i % nz + step % 3 - 1;
            if (x < 0 || x >= nx || y < 0 || y >= ny || z < 0 || z >= nz)
                continue;
            int j = (x * ny + y) * nz + z;
            pairs[found++] = (pair){ distance(s, i, j), i, j };
        }
    return found;
}

static int by_distance(const void *a, const void *b)
{
    const pair *p = a, *q = b;
    if (p->distance != q->distance)
        return p->distance < q->distance ? -1 : 1;
    return by_index(a, b);
}

static int by_index(const void *a, const void *b)
{
    const pair *p = a, *q = b;
    return p->a != q->a ? (p->a < q->a ? -1 : 1) : (p->b > q->b) - (p->b < q->b);
}

static carom_impact_contact touch(const scene *s, const pair *one)
{
    carom_impact_contact contact = carom_impact_contact_default();
    const double *p = s->bodies[one->a].position, *q = s->bodies[one->b].position;
    contact.a = one->a;
    contact.b = one->b;
    for (int k = 0; k < 3; ++k) {
        contact.point[k] = 0.5 * (p[k] + q[k]);
        contact.normal[k] = (q[k] - p[k]) / one->distance;
    }
    return contact;
}

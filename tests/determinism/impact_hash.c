// The same bits everywhere: every law on every small problem, with 1 and 2 threads, against golden
// hashes. The suite runs with gcc and clang at -O3, with both at -O0 (impact_hash_plain) and with
// gcc -O1 and sanitizers, so agreement with one table is agreement between compilers and levels.
//
// A law without a row fails and prints the row to add. Run with the argument `print` for the whole
// table; change rows only together with the reason why results changed.
#include "carom/carom.h"
#include "support/check.h"
#include "support/instant.h"

#include <stdio.h>
#include <string.h>
#include "base/random.h"

enum { PROBLEMS = 5 };

typedef struct golden {
    const char *law;
    uint64_t hash[PROBLEMS]; // in the order of make()
} golden;

static const golden goldens[] = {
    { "qce",
      { 0x361d969354583e55, 0x6b78d91eec23a0d7, 0xc6e47f816a09a4d4, 0x4cf13e53dc1acc71,
        0x0d7eddaa8f3ae9a6 } },
    { "gr",
      { 0x6e04787708849988, 0x01a0c8ea5b1336bb, 0x6fcebca0d37b9f8c, 0x3f8d45084d7fc1da,
        0x8b2e1d0856b7a9a1 } },
    { "poisson",
      { 0x4c23e303cd4ef5cc, 0x9b8e2ccab1c45bd3, 0x7742080b11ca8339, 0xee0b60e31c5b6464,
        0xe232882f8b84d75b } },
    { "newton",
      { 0xe9053d7561df867e, 0xd6068d381fb9771c, 0x7f144ede10afac27, 0xc73cac4931030480,
        0xf4fdd63a7feb4eb1 } },
    { "inelastic",
      { 0x41e2df4acc833ed8, 0xf10b203ab206e67f, 0x27e1d2763393d428, 0x4c064574b615148c,
        0x3d9299c9c9519368 } },
    { "smm",
      { 0xfe0daefed3c495c2, 0x905a875344a643b3, 0x361a538c1405ad1b, 0xf297a32551aa6ffd,
        0xdf548af2b495c00e } },
    { "sqm",
      { 0x59b37b2946988644, 0x3c06ff6c4bab80b9, 0x6416177f6f4ef308, 0xdac368250ec8ed7c,
        0x608a77908d09333d } },
    { "fixed-point",
      { 0x8525bfb1b20d6eb0, 0x7d651d64f0b4250c, 0xdf02fbfd863fc41b, 0x61e0874ed9841a9d,
        0x031d6f580a34a674 } },
    { "etm",
      { 0xf9f827a0745c25ad, 0x64fa305febb34fc4, 0xa6177018e09a249b, 0xc39ca1ba606c8f2a,
        0xe2739113a895c257 } },
    { "springs",
      { 0xe2e2620a6b663f0c, 0x6df1b8557db73961, 0x08bc40109f6796e1, 0xcb1cd454d69918a9,
        0xb68197b5d4ab05d9 } },
    { "wave",
      { 0xc659a06e7fb3e6ba, 0x8758ba880bd51cc3, 0xbc7b3cc168435ca5, 0xb508733540dbb06b,
        0xf99869f789a3e53d } },
    { "lzb",
      { 0x1980353128dfef7b, 0xfdc0f76990b3b7e3, 0x40849b2101c0d9ba, 0xd187731861136057,
        0x346f96dadd294167 } },
    { "routh",
      { 0xbb4eff1bafcef0a5, 0xcce11764489c4272, 0xebd60b747590234b, 0xf1de3204b867a1bd,
        0x92c0ad1c1a605b98 } },
    { "moreau",
      { 0x920151e726c16858, 0xfb216865e242f2e1, 0x219950c738b1c968, 0xee0b60e31c5b6464,
        0x89c9b65bc05df340 } },
    { "glocker",
      { 0x4c23e303cd4ef5cc, 0x9b8e2ccab1c45bd3, 0x7742080b11ca8339, 0xee0b60e31c5b6464,
        0xe232882f8b84d75b } },
    { "global",
      { 0x4c23e303cd4ef5cc, 0xeebf8729dcb1369a, 0x34b71a6dffdbfd50, 0x74cc4916f0aefa46,
        0x66f9fea16205c400 } },
    { "matrix",
      { 0xe9053d7561df867e, 0xd6068d381fb9771c, 0x7f144ede10afac27, 0xc73cac4931030480,
        0xb1fd822a0b23d6f2 } },
    { "grr",
      { 0x6e04787708849988, 0x01a0c8ea5b1336bb, 0xfb3c0b18cfa8ac7a, 0x74cc4916f0aefa46,
        0xc38e443c60b0b65a } },
    { "fremond",
      { 0xe9053d7561df867e, 0xaf2e69d191d9e847, 0x347b57270e95b38e, 0x91b7f1b171e92397,
        0x04e5e895255080d0 } },
    { "correlation",
      { 0xaa4d8c52063b53bb, 0x3c06ff6c4bab80b9, 0xa3cbfe41c1567c9b, 0xdac368250ec8ed7c,
        0xb429b67a02bbb2b0 } },
    { "soft",
      { 0x5b1d9dcefe696994, 0xc9fccd921a3c69f6, 0x8535bf90ac5ce33e, 0x25d5bc9b00e45844,
        0x64e7d9dbe9260d60 } },
    { "impulses",
      { 0xc6c0b01d930b5950, 0xb0d2e4b60f720191, 0x02ec27c6fdb5a915, 0x841de56cce88b5ed,
        0xea05b31f127666ab } },
    { "rebound",
      { 0xb74d3251359ae615, 0x34cd7d0d03c31ee5, 0xecf4bdb69057c25e, 0x8aa7129e66709420,
        0x147d3da706719689 } },
    { "xpbd",
      { 0xfd7447766987ff91, 0x99ca23e78fdb7268, 0x50b2291bcac6e2fc, 0x9b6fd98e77592dc2,
        0xfd418863b8dfc488 } },
    { "propagation",
      { 0xad217c0c7509622e, 0xa282445b56b32bfa, 0x3ad15c3b667c259d, 0x5aa36ebd74311664,
        0x42bcbf4cd80262b3 } },
    { "gbf",
      { 0xbeb322a54617118f, 0xe6f183df86dde621, 0xa9acf6b609b0ddd1, 0xdac368250ec8ed7c,
        0xef342141d327f7b4 } },
    { "plus",
      { 0xda29450df299d5f8, 0xfdb9ee1177dd49f3, 0x1f170c367ebf8ff5, 0xee0b60e31c5b6464,
        0x4be88bc465114876 } },
    { "drumwright",
      { 0xbe6f157c439f95c4, 0x6aa8c747b7d96068, 0xe427e96ad138f41d, 0xee0b60e31c5b6464,
        0xf86bf05a78065cf0 } },
};

// Threads act on large problems only: laws that use them, on one large group and on many small.
static const struct {
    const char *law;
    uint64_t crowd, flock;
} larges[] = {
    { "qce", 0xce76c8d89645c06d, 0x153db6f89a29b431 },
    { "wave", 0xe243d120ddf33636, 0xbaf6f1e6847bdf22 },
};

// A cluster with restitution and friction of its own at every contact.
static void make_rough(instant *t)
{
    carom_random random = carom_random_make(12, 1);
    instant_cluster(t, 12, 12);
    for (int i = 0; i < t->impact.contact_count; ++i) {
        t->contacts[i].restitution = carom_random_unit(&random);
        t->contacts[i].friction = carom_random_unit(&random);
    }
}

// A cube that falls with half a face on a table, spinning a little.
static void make_box(instant *t)
{
    instant_clear(t);
    int cube = instant_body(t, 8, 0, 0, 0), table = instant_body(t, 0, 0, 0, -1);
    for (int k = 0; k < 3; ++k) {
        t->bodies[cube].inverse_inertia[k] = 0.1875;
        t->bodies[cube].spin[k] = 0.25 * k;
    }
    t->bodies[cube].velocity[0] = 1;
    t->bodies[cube].velocity[2] = -10;
    for (int i = 0; i < 4; ++i)
        instant_contact(t, cube, table, vec3_make(i / 2 - 1, 2 * (i % 2) - 1, -1),
                        vec3_make(0, 0, -1))
            ->restitution = 0.75;
}

// Unequal balls against a wall that moves, and a second island.
static void make_driven(instant *t)
{
    instant_chain(t, 8, (const double[]){ 0, 1, 5, 1, 0.25, 2, 1, 3 },
                  (const double[]){ 0.5, 0, 0, -0.25, 0, 0, -1, 0 });
    instant_set_restitution(t, 0.875);
    int extra = instant_body(t, 1, 0, 9, 0);
    instant_body(t, 2, 1, 9, 0);
    t->bodies[extra].velocity[0] = 0.3;
    instant_touch(t, extra, extra + 1);
}

static void make(instant *t, int problem)
{
    switch (problem) {
    case 0:
        instant_rack(t);
        break;
    case 1:
        instant_cluster(t, 24, 11);
        break;
    case 2:
        make_rough(t);
        break;
    case 3:
        make_box(t);
        break;
    default:
        make_driven(t);
    }
}

static uint64_t hash_of(instant *t, const char *law, int threads)
{
    carom_workspace *workspace = carom_workspace_create();
    carom_workspace_set_threads(workspace, threads);
    instant_run(t, workspace, law, "");
    carom_workspace_destroy(workspace);
    return t->report.hash;
}

static const golden *find(const char *law)
{
    for (size_t i = 0; i < sizeof goldens / sizeof *goldens; ++i)
        if (strcmp(goldens[i].law, law) == 0)
            return &goldens[i];
    return NULL;
}

static void print_row(const char *law, const uint64_t hash[PROBLEMS])
{
    printf("    { \"%s\",\n      {", law);
    for (int i = 0; i < PROBLEMS; ++i)
        printf(" 0x%016llx%s", (unsigned long long)hash[i], i + 1 < PROBLEMS ? "," : " } },\n");
}

static void check_law(instant *t, const char *law, bool print)
{
    uint64_t hash[PROBLEMS];
    const golden *wanted = find(law);
    for (int i = 0; i < PROBLEMS; ++i) {
        make(t, i);
        hash[i] = hash_of(t, law, 1);
        CHECK(hash_of(t, law, 2) == hash[i], "%s, problem %d: 2 threads as 1", law, i);
        if (wanted)
            CHECK(hash[i] == wanted->hash[i], "%s, problem %d: found %016llx, golden %016llx", law,
                  i, (unsigned long long)hash[i], (unsigned long long)wanted->hash[i]);
    }
    CHECK(wanted != NULL, "law %s has golden hashes; add the row printed here", law);
    if (!wanted || print)
        print_row(law, hash);
}

static void check_large(instant *t, const char *law, const char *problem, uint64_t wanted)
{
    for (int threads = check_effort(1, 3); threads <= 3; ++threads) {
        uint64_t hash = hash_of(t, law, threads);
        CHECK(hash == wanted, "%s on the %s, threads %d: found %016llx, golden %016llx", law,
              problem, threads, (unsigned long long)hash, (unsigned long long)wanted);
    }
}

int main(int argc, char **argv)
{
    static instant t;
    bool print = argc > 1 && strcmp(argv[1], "print") == 0;
    for (int i = 0; i < carom_law_count() && !check_threads_only(); ++i)
        check_law(&t, carom_law_name(carom_law_at(i)), print);
    for (size_t i = 0; i < sizeof larges / sizeof *larges; ++i) {
        instant_lattice(&t, 8, 21);
        check_large(&t, larges[i].law, "crowd", larges[i].crowd);
        instant_triples(&t, 600, 22);
        check_large(&t, larges[i].law, "flock", larges[i].flock);
    }
    return check_report();
}

// A host that is no host: reads a data file of LAMMPS and the words of `fix carom`, does the steps
// in this one process, and prints the hash. tests/slow/lammps.sh holds LAMMPS on any ranks to it.
// Usage: lammps_alone DATA STEP_S STEPS WORD ...
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "carom/grains.h"
#include "fix_words.h"

typedef struct grains {
    int count;
    int64_t *name;
    double (*x)[3], (*v)[3], (*w)[3], *radius, *mass;
} grains;

static bool make_room(grains *g, int count)
{
    size_t n = (size_t)count;
    g->name = calloc(n, sizeof *g->name);
    g->x = calloc(n, sizeof *g->x);
    g->v = calloc(n, sizeof *g->v);
    g->w = calloc(n, sizeof *g->w);
    g->radius = calloc(n, sizeof *g->radius);
    g->mass = calloc(n, sizeof *g->mass);
    return g->name && g->x && g->v && g->w && g->radius && g->mass;
}

static void read_atom(grains *g, const char *line)
{
    long long name;
    double diameter, density, x[3];
    if (sscanf(line, "%lld %*d %lf %lf %lf %lf %lf", &name, &diameter, &density, x, x + 1, x + 2) !=
        6)
        return;
    double r = 0.5 * diameter;
    const double pi = 3.14159265358979323846;
    g->name[g->count] = name;
    g->radius[g->count] = r;
    g->mass[g->count] = 4.0 * pi / 3.0 * r * r * r * density; // as LAMMPS makes it
    memcpy(g->x[g->count++], x, sizeof x);
}

static void read_velocity(grains *g, const char *line)
{
    long long name;
    double v[6];
    if (sscanf(line, "%lld %lf %lf %lf %lf %lf %lf", &name, v, v + 1, v + 2, v + 3, v + 4, v + 5) !=
        7)
        return;
    for (int i = 0; i < g->count; ++i)
        if (g->name[i] == name) {
            memcpy(g->v[i], v, 3 * sizeof *v);
            memcpy(g->w[i], v + 3, 3 * sizeof *v);
        }
}

static bool read_data(const char *path, grains *g)
{
    char line[512], section = 0;
    FILE *in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in)) {
        int atoms;
        char word[16];
        if (sscanf(line, "%d %15s", &atoms, word) == 2 && strcmp(word, "atoms") == 0 &&
            !make_room(g, atoms))
            return false;
        if (strncmp(line, "Atoms", 5) == 0 || strncmp(line, "Velocities", 10) == 0)
            section = line[0];
        else if (section == 'A')
            read_atom(g, line);
        else if (section == 'V')
            read_velocity(g, line);
    }
    return in && fclose(in) == 0 && g->count > 0;
}

// What fix carom chooses where nothing is said.
static void choose(fix_words *words, const grains *g)
{
    double most = 0, least = HUGE_VAL;
    for (int i = 0; i < g->count; ++i) {
        most = fmax(most, g->radius[i]);
        least = fmin(least, g->radius[i]);
    }
    if (words->options.skin == 0)
        words->options.skin = 2 * most;
    if (words->options.slop == 0)
        words->options.slop = 1e-3 * least;
}

static carom_status run(grains *g, const fix_words *words, double dt, int steps, carom_error *err)
{
    carom_grains *solver = NULL;
    carom_grains_part part = { .owned = g->count,
                               .count = g->count,
                               .name = g->name,
                               .position = g->x,
                               .velocity = g->v,
                               .spin = g->w,
                               .radius = g->radius,
                               .mass = g->mass };
    carom_status status = carom_grains_create(&words->options, NULL, &solver, err);
    for (int k = 0; k < words->wall_count && status == CAROM_OK; ++k)
        status = carom_grains_add_wall(solver, &words->walls[k], err);
    for (int n = 0; n < steps && status == CAROM_OK; ++n) {
        status = carom_grains_step(solver, &part, n, dt, err);
        if (status == CAROM_OK && words->hash > 0 && (n + 1) % words->hash == 0)
            printf("carom: step %d hash %016llx\n", n + 1,
                   (unsigned long long)carom_grains_books_hash(solver, &part));
    }
    carom_grains_destroy(solver);
    return status;
}

int main(int argc, char **argv)
{
    static fix_words words;
    grains g = { 0 };
    carom_error err = { 0 };
    if (argc < 4 || !read_data(argv[1], &g)) {
        fprintf(stderr, "usage: lammps_alone DATA STEP_S STEPS WORD ...\n");
        return 2;
    }
    carom_status status = fix_words_read(argc - 4, argv + 4, &words, &err);
    if (status == CAROM_OK) {
        choose(&words, &g);
        status = run(&g, &words, atof(argv[2]), atoi(argv[3]), &err);
    }
    if (status != CAROM_OK)
        fprintf(stderr, "%s\n", err.what);
    return status == CAROM_OK ? 0 : 1;
}

// Clusters of discs in the plane, masses equal and from 0.03 to 30: the yardstick `springs` ends on
// every one of them, and how far the other laws are from it. Prints the table of docs/laws.md.
//
// Usage: plane_clusters [clusters]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/random.h"
#include "support/check.h"
#include "support/instant.h"

enum { CLUSTERS = 40, DISCS = 18, SEED = 99, LAWS = 6 };

static const char *const names[LAWS] = { "springs", "wave", "qce", "gr", "newton", "sqm" };

typedef struct record {
    double sum, max;
} record;

// The place of a disc that touches i alone or both i and j; false where it does not exist.
static bool place_at(const instant *s, carom_random *r, int i, int j, vec3 *x)
{
    vec3 a = vec3_from(s->bodies[i].position), b = vec3_from(s->bodies[j].position);
    if (i == j) {
        vec3 way = { carom_random_normal(r), carom_random_normal(r), 0 };
        *x = vec3_add(a, vec3_unit(way));
        return true;
    }
    vec3 d = vec3_sub(b, a);
    double length = vec3_length(d);
    if (length >= 2)
        return false;
    double side = carom_random_unit(r) < 0.5 ? -1 : 1;
    double height = side * sqrt(1 - 0.25 * length * length) / length;
    *x = vec3_add(vec3_axpy(a, 0.5, d), vec3_make(-height * d.y, height * d.x, 0));
    return true;
}

// The four families: bits.
enum { SPREAD = 1, INWARD = 2, FAMILIES = 4 };

static void add_disc(instant *s, carom_random *r, vec3 x, int family)
{
    double mass = family & SPREAD ? exp(carom_random_between(r, log(0.03), log(30))) : 1;
    vec3 any = { carom_random_between(r, -1, 1), carom_random_between(r, -1, 1), 0 };
    vec3 v = family & INWARD ? vec3_neg(x) : any;
    int k = instant_ball(s, mass, 0.5, x, v);
    for (int i = 0; i < k; ++i)
        if (vec3_length(vec3_sub(x, vec3_from(s->bodies[i].position))) < 1 + 1e-9)
            instant_touch(s, i, k);
}

static void make_cluster(instant *s, int number, int family)
{
    carom_random r = carom_random_make(SEED, 2 * (uint64_t)number + (family & SPREAD));
    instant_clear(s);
    add_disc(s, &r, vec3_make(0, 0, 0), family);
    for (int tries = 0; s->impact.body_count < DISCS && tries < 20000; ++tries) {
        int i = carom_random_below(&r, s->impact.body_count),
            j = carom_random_below(&r, s->impact.body_count);
        vec3 x;
        bool clear = place_at(s, &r, i, carom_random_unit(&r) < 0.2 ? i : j, &x);
        for (int k = 0; clear && k < s->impact.body_count; ++k)
            clear = vec3_length(vec3_sub(x, vec3_from(s->bodies[k].position))) > 1 - 1e-9;
        if (clear)
            add_disc(s, &r, x, family);
    }
}

static double approach(const instant *s)
{
    double sum = 0;
    for (int i = 0; i < s->impact.contact_count; ++i) {
        const carom_impact_contact *c = &s->contacts[i];
        double u = 0;
        for (int k = 0; k < 3; ++k)
            u += c->normal[k] * (s->bodies[c->b].velocity[k] - s->bodies[c->a].velocity[k]);
        sum += u * u;
    }
    return sqrt(sum);
}

static void run_cluster(int number, int family, carom_workspace *workspace, record *records)
{
    static instant s;
    double yardstick[DISCS][3];
    make_cluster(&s, number, family);
    for (int law = 0; law < LAWS; ++law) {
        double away = 0;
        CHECK(instant_resolve(&s, workspace, carom_law_find(names[law], NULL), NULL), "%s",
              s.err.what);
        if (law == 0)
            CHECK(s.report.end == CAROM_IMPACT_SETTLED,
                  "springs end on cluster %d (%d contacts): %s", number, s.impact.contact_count,
                  carom_impact_end_word(s.report.end));
        for (int i = 0; i < s.impact.body_count; ++i)
            for (int k = 0; k < 3; ++k) {
                double d = law ? s.v[i][k] - yardstick[i][k] : 0;
                yardstick[i][k] = law ? yardstick[i][k] : s.v[i][k];
                away += d * d;
            }
        double distance = sqrt(away) / approach(&s);
        records[law].sum += distance;
        records[law].max = fmax(records[law].max, distance);
    }
}

int main(int argc, char **argv)
{
    int clusters = argc > 1 ? atoi(argv[1]) : check_effort(CLUSTERS, CLUSTERS / 8);
    carom_workspace *workspace = carom_workspace_create();
    record records[FAMILIES][LAWS] = { { { 0 } } };
    for (int family = 0; family < FAMILIES; ++family)
        for (int number = 0; number < clusters; ++number)
            run_cluster(number, family, workspace, records[family]);
    printf("%d clusters of %d discs each; |v - v_springs| / |u-|: mean, largest\n", clusters,
           DISCS);
    printf("law      | any velocities              | all inwards\n");
    printf("masses   | equal         .03 to 30     | equal         .03 to 30\n");
    for (int law = 1; law < LAWS; ++law) {
        printf("%-8s ", names[law]);
        for (int family = 0; family < FAMILIES; ++family)
            printf("%s%.3f %.3f", family % 2 ? "   " : "| ", records[family][law].sum / clusters,
                   records[family][law].max);
        printf("\n");
    }
    // What docs/laws.md says: qce is nearer than gr with equal masses, farther with these.
    CHECK(records[0][2].sum < records[0][3].sum, "equal masses: qce is nearer than gr");
    CHECK(records[3][2].sum > 1.2 * records[3][3].sum,
          "masses from .03 to 30 that move inwards: qce is farther than gr");
    carom_workspace_destroy(workspace);
    return check_report();
}

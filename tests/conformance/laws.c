// Every law is held to exactly what it promises, on seeded families of impacts.
//
// KIN, MOM, ONE and NOP are asked on every problem, with any friction, restitution, masses from
// 1e-6 to 1e6 and driven bodies. BRK, SYM and WAV are asked without friction and with one
// restitution (see carom_law_promises). A promise that is not made must be broken somewhere: the
// table of promises is then neither too long nor too short.
//
// Usage: laws [problems per law] [law]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "support/check.h"
#include "support/families.h"

enum { PROBLEMS = 10000, SYM_EVERY = 3, WAVE_EVERY = 10, SHOWN = 3 };

// What came out for one law and one desideratum.
typedef struct tally {
    int asked, broken;
    double worst;          // largest figure (smallest for WAV) where asked
    uint64_t worst_number; // of that problem
    uint64_t number;       // of the first problem that broke it
} tally;

typedef struct course {
    const carom_law *law;
    tally of[CAROM_PROMISE_COUNT];
    tally cone;
    int failed, ends[4], limited;
    double distance;
    int distances;
    double seconds;
} course;

static void run_problem(course *c, uint64_t number);
static void judge_course(const course *c);
static void print_course(const course *c);

int main(int argc, char **argv)
{
    int problems = argc > 1 ? atoi(argv[1]) : PROBLEMS;
    for (int i = 0; i < carom_law_count(); ++i) {
        course c = { .law = carom_law_at(i) };
        if (argc > 2 && strcmp(argv[2], carom_law_name(c.law)) != 0)
            continue;
        clock_t start = clock();
        for (int number = 0; number < problems; ++number)
            run_problem(&c, (uint64_t)number);
        c.seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        print_course(&c);
        judge_course(&c);
    }
    return check_report();
}

// Which desiderata this problem puts to a law.
static unsigned questions(const family_problem *problem)
{
    unsigned asked = CAROM_KIN | CAROM_MOM | CAROM_ONE | CAROM_NOP;
    bool plain = !problem->friction && problem->one_restitution;
    if (plain && problem->number / FAMILY_COUNT % SYM_EVERY == 0)
        asked |= CAROM_SYM;
    if (plain && problem->restitution == 1 && problem->masses != MASSES_EXTREME &&
        problem->number / FAMILY_COUNT % WAVE_EVERY < 2)
        asked |= CAROM_WAV | CAROM_BRK;
    return asked;
}

static void count(const course *c, tally *t, const carom_desideratum *d, uint64_t number, int bit)
{
    if (d->verdict == CAROM_VERDICT_UNASKED)
        return;
    bool wave = bit == 5, first = t->asked++ == 0;
    if (first || (wave ? d->figure < t->worst : d->figure > t->worst)) {
        t->worst = d->figure;
        t->worst_number = number;
    }
    if (d->verdict != CAROM_VERDICT_BROKEN)
        return;
    if (t->broken++ == 0)
        t->number = number;
    if (carom_law_promises(c->law) >> bit & 1 && t->broken <= SHOWN)
        printf("  %s breaks %s on problem %llu: figure %.3g, bound %.3g\n", carom_law_name(c->law),
               carom_law_promise_name(bit), (unsigned long long)number, d->figure, d->bound);
}

static void run_problem(course *c, uint64_t number)
{
    static scene s;
    family_problem problem = family_make(&s, number);
    carom_impact impact = scene_impact(&s);
    carom_error err = { 0 };
    carom_desiderata_figures f;
    carom_desiderata *d = carom_desiderata_create(&impact, &err);
    unsigned asked = questions(&problem);
    if (!CHECK(d != NULL, "problem %llu is valid: %s %s", (unsigned long long)number, err.where,
               err.what))
        return;
    carom_desiderata_select(d, asked);
    if (carom_desiderata_measure(d, c->law, NULL, &f, &err) != CAROM_OK) {
        if (c->failed++ < SHOWN)
            printf("  %s fails on problem %llu: %s\n", carom_law_name(c->law),
                   (unsigned long long)number, err.what);
        carom_desiderata_destroy(d);
        return;
    }
    for (int bit = 0; bit < CAROM_PROMISE_COUNT; ++bit)
        count(c, &c->of[bit], &f.of[bit], number, bit);
    // Round-off of sums of some thousand impulses inside the cone.
    carom_desideratum cone = { f.cone <= 1e-9 ? CAROM_VERDICT_HOLDS : CAROM_VERDICT_BROKEN, f.cone,
                               1e-9 };
    count(c, &c->cone, &cone, number, 4);
    if (f.distance >= 0) {
        c->distance += f.distance;
        ++c->distances;
    }
    carom_desiderata_destroy(d);
}

static void print_course(const course *c)
{
    printf("%-12s %5.1f s", carom_law_name(c->law), c->seconds);
    for (int bit = 0; bit < CAROM_PROMISE_COUNT; ++bit) {
        const tally *t = &c->of[bit];
        printf(" | %s%s %d/%d %.1e #%llu", carom_law_promise_name(bit),
               carom_law_promises(c->law) >> bit & 1 ? "*" : "", t->broken, t->asked, t->worst,
               (unsigned long long)t->worst_number);
    }
    printf(" | cone %d %.1e", c->cone.broken, c->cone.worst);
    if (c->distances)
        printf(" | springs %.3f", c->distance / c->distances);
    printf("\n");
}

static void judge_course(const course *c)
{
    const char *name = carom_law_name(c->law);
    CHECK(c->failed == 0, "%s resolves every problem (%d failed)", name, c->failed);
    CHECK(c->cone.broken == 0, "%s keeps friction in its cone, first broken by problem %llu", name,
          (unsigned long long)c->cone.number);
    for (int bit = 0; bit < CAROM_PROMISE_COUNT; ++bit) {
        const tally *t = &c->of[bit];
        const char *word = carom_law_promise_name(bit);
        if (carom_law_promises(c->law) >> bit & 1)
            CHECK(t->asked > 0 && t->broken == 0, "%s keeps %s: %d of %d broken, first by %llu",
                  name, word, t->broken, t->asked, (unsigned long long)t->number);
        else
            CHECK(t->broken > 0, "%s does not promise %s, and breaks it somewhere (%d asked)", name,
                  word, t->asked);
    }
}

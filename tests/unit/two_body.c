// The pair impulse: reaches the wanted change, stays in the cone, adds no energy that is not there.
#include "impact/two_body.h"
#include "base/arena.h"
#include "base/random.h"
#include "support/check.h"
#include "support/families.h"

static void check_pair(const carom_two_body *pair, carom_random *r)
{
    vec3 u = { -carom_random_unit(r), carom_random_between(r, -1, 1),
               carom_random_between(r, -1, 1) };
    double dn = carom_random_between(r, 0.1, 2) * -u.x;
    double spare = carom_random_below(r, 2) * carom_random_unit(r) * 1e-3;
    vec3 p;
    double share = carom_two_body_impulse(pair, u, dn, spare, &p);
    double size = vec3_length(p) * pair->k.xx; // of the terms that cancel
    CHECK(p.x > 0, "the impulse pushes");
    CHECK_NEAR(sym3_mul(pair->k, p).x, dn, 1e-12 * (dn + size),
               "the wanted change is reached [ETM eq 55]; eqs 75, 76 miss it");
    CHECK_MOST(sqrt(p.y * p.y + p.z * p.z), pair->mu * p.x * (1 + 1e-12), "inside the cone");
    CHECK_MOST(carom_two_body_tangential_work(pair, u, p), spare + 1e-13 * size * (size + 1),
               "friction adds no more than was to spare");
    CHECK(share >= 0 && share <= 1, "a share from 0 to 1, found %g", share);
}

// Every contact of some seeded problems with friction, as a pair of its own.
static void random_pairs(carom_arena *arena)
{
    static instant s;
    for (uint64_t number = 0; number < 300; ++number) {
        family_problem made = family_make(&s, number);
        if (made.masses == MASSES_EXTREME)
            continue;
        for (int i = 0; i < s.impact.contact_count; ++i)
            s.contacts[i].friction = 0.01 + (double)((number + (uint64_t)i) % 7) / 3;
        carom_impact impact = s.impact;
        carom_problem problem;
        carom_random r = carom_random_make(9, number);
        carom_arena_rewind(arena, (carom_arena_mark){ 0 });
        if (!CHECK(carom_problem_build(&impact, arena, &problem, NULL) == CAROM_OK, "built"))
            return;
        for (int i = 0; i < s.impact.contact_count; ++i) {
            carom_two_body pair = carom_two_body_make(&problem, i);
            check_pair(&pair, &r);
        }
    }
}

// A ball on a floor: K = diag(1, 7/2, 7/2) for mass 1 and radius 0.5.
static void ball_on_floor(void)
{
    carom_two_body pair = { .k = { 1, 3.5, 3.5, 0, 0, 0 }, .mu = 0.5, .frictional = true };
    vec3 p;
    CHECK_NEAR(carom_two_body_impulse(&pair, vec3_make(-1, 1, 0), 2, 0, &p), 1, 0, "nothing cut");
    CHECK_NEAR(p.x, 2, 1e-15, "the normal impulse");
    CHECK_NEAR(p.y, -2 / 7.0, 1e-15, "it sticks: the slip ends");
    pair.mu = 0.1;
    carom_two_body_impulse(&pair, vec3_make(-1, 0, 1), 2, 0, &p);
    CHECK_NEAR(p.z, -0.2, 1e-15, "it slides: on the edge of the cone");
    pair.frictional = false;
    carom_two_body_impulse(&pair, vec3_make(-1, 0, 1), 2, 0, &p);
    CHECK(p.y == 0 && p.z == 0, "no friction, no tangential impulse");
}

// Slip that would need a pulling impulse to end slides, and friction along the slip is cut.
static void coupled(void)
{
    carom_two_body pair = { .k = { 1, 1, 1, 0.9, 0, 0 }, .mu = 0.5, .frictional = true };
    vec3 p;
    carom_two_body_impulse(&pair, vec3_make(-1, -10, 0), 1, 0, &p);
    CHECK_NEAR(p.x, 1 / 1.45, 1e-15, "sticking would pull: it slides instead");
    CHECK_NEAR(p.y, 0.5 / 1.45, 1e-15, "against the slip, on the edge of the cone");
    pair = (carom_two_body){ .k = { 1, 1, 1, -0.6, 0, 0 }, .mu = 1, .frictional = true };
    vec3 u = { -1, 0.1, 0 };
    double none = carom_two_body_impulse(&pair, u, 2, 0, &p);
    double poor = carom_two_body_tangential_work(&pair, u, p);
    double some = carom_two_body_impulse(&pair, u, 2, 10, &p);
    double rich = carom_two_body_tangential_work(&pair, u, p);
    CHECK(none <= some && some == 1, "with energy to spare friction is not cut: %g, %g", none,
          some);
    CHECK(poor <= 1e-15 && poor <= rich, "and without it does not add any: %g, %g", poor, rich);
}

int main(void)
{
    carom_arena *arena = carom_arena_create(0);
    random_pairs(arena);
    ball_on_floor();
    coupled();
    carom_arena_destroy(arena);
    return check_report();
}

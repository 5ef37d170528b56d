// A sweep over contacts between spheres one by one gives the same bits in registers of this machine
// and in the narrowest ones, with rolling resistance and without, where it passes over contacts and
// where it does not.
#include <stdlib.h>
#include <string.h>
#include "base/random.h"
#include "contact/contact.h"
#include "support/check.h"

// The same sweep in the narrowest registers of this kind of processor: compiled here once more,
// without the choice at the start of the program.
#include "math/lanes.h"
static void narrow_sweep(carom_contact_system *system, carom_contact_range *range,
                         const carom_contact_pass *pass);
static void narrow_stop(carom_contact_system *system, carom_contact_range *range,
                        const carom_contact_pass *pass, double *extra) __attribute__((unused));
#undef CAROM_LANES_WIDE
#define CAROM_LANES_WIDE
#define carom_contact_sphere_sweep narrow_sweep
#define carom_contact_sphere_stop narrow_stop
#include "contact/contact_sphere.c"
#undef carom_contact_sphere_sweep
#undef carom_contact_sphere_stop

enum { BALLS = 60, CONTACTS = 200, SWEEPS = 12 };

typedef struct heap {
    carom_contact_sphere_body bodies[BALLS];
    carom_contact_sphere_record contacts[CONTACTS];
    carom_contact_rolling rolling[CONTACTS];
    carom_contact_link links[CONTACTS];
    double travel[BALLS];
    carom_contact_range range;
} heap;

static vec3 some(carom_random *random)
{
    double x = carom_random_unit(random), y = carom_random_unit(random);
    return vec3_make(x - 0.5, y - 0.5, carom_random_unit(random) - 0.5);
}

// The first ball does not move; friction, arms and masses are unlike.
static void fill(heap *h)
{
    carom_random random = carom_random_make(4, 0);
    memset(h, 0, sizeof *h);
    for (int i = 0; i < BALLS; ++i)
        h->bodies[i] = (carom_contact_sphere_body){ some(&random), i > 0 ? 1 + i % 3 : 0,
                                                    some(&random), i > 0 ? 8 + i % 5 : 0 };
    for (int i = 0; i < CONTACTS; ++i) {
        int a = i % BALLS, b = 1 + (7 * i + 3) % (BALLS - 1);
        b = a == b ? (b + 1) % BALLS : b;
        double arm_a = a > 0 ? 0.5 : 0, arm_b = b > 0 ? 0.4 + 0.1 * (i % 3) : 0;
        double mass = h->bodies[a].inverse_mass + h->bodies[b].inverse_mass;
        double turn = arm_a * arm_a * h->bodies[a].inverse_inertia +
                      arm_b * arm_b * h->bodies[b].inverse_inertia;
        h->contacts[i] = (carom_contact_sphere_record){ .n = vec3_unit(some(&random)),
                                                        .target = i % 7 == 0 ? -0.1 : 0,
                                                        .arm_a = arm_a,
                                                        .arm_b = arm_b,
                                                        .normal_mass = 1 / mass,
                                                        .tangent_mass = 1 / (mass + turn),
                                                        .friction = 0.1 * (i % 9) };
        h->rolling[i].length = i % 5 == 0 ? 0 : 0.02;
        h->links[i] = (carom_contact_link){ a, b, i % 3 == 0 ? 0.3 : -1 };
    }
    h->range = (carom_contact_range){ .end = CONTACTS };
}

static void check(bool passes, bool rolls)
{
    heap *one = malloc(sizeof *one), *other = malloc(sizeof *other);
    fill(one);
    fill(other);
    for (int k = 0; k < SWEEPS; ++k) {
        carom_contact_pass pass = { .number = k + 1, .min = 1e-6, .forward = k % 2 == 0 };
        heap *both[] = { one, other };
        for (int j = 0; j < 2; ++j) {
            carom_contact_system s = { .sphere_bodies = both[j]->bodies,
                                       .sphere_contacts = both[j]->contacts,
                                       .links = both[j]->links,
                                       .travel = passes ? both[j]->travel : NULL,
                                       .rolling = rolls ? both[j]->rolling : NULL };
            (j ? narrow_sweep : carom_contact_sphere_sweep)(&s, &both[j]->range, &pass);
        }
    }
    CHECK(memcmp(one, other, sizeof *one) == 0, "the same bits, passing %d, rolling %d", passes,
          rolls);
    CHECK(one->range.visited > 0 && one->range.change > 0, "something was relaxed");
    CHECK(one->bodies[0].inverse_mass == 0 && one->travel[0] == 0, "what is fixed stays");
    free(one);
    free(other);
}

int main(void)
{
    for (int k = 0; k < 4; ++k)
        check(k % 2, k / 2);
    return check_report();
}

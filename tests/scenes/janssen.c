// A tall silo: most of the weight hangs on rough walls (Janssen 1895), none of it on smooth ones.
//
// The walls rise slowly, so that their friction is used up everywhere, as in careful experiments
// (Ovarlez, Fond and Clement 2003). 1,500 grains, 0.9 s settling (in part: 0.02 s, no bounds but
// that it runs) and 0.3 s of measuring every tenth step. The fit has one parameter, which must be
// what Janssen's law says with the ratio of stresses K and the friction at the walls as measured
// there, without any fit.
#include <math.h>
#include "carom/measure.h"
#include "support/check.h"
#include "support/play.h"

#define SIDE 0.06    // m, of the square tube
#define FRICTION 0.5 // of its walls
enum { EVERY = 10 };

static void profile(play *p, int before, int after, carom_measure *measure)
{
    carom_error err = { 0 };
    play_steps(p, before);
    for (int i = 0; i < after && play_steps(p, EVERY - 1); i += EVERY) {
        carom_world_record_contacts(p->world, 1);
        play_steps(p, 1);
        CHECK(carom_measure_look(measure, p->world, p->dt, &err) == CAROM_OK, "%s", err.what);
        carom_world_record_contacts(p->world, 0);
    }
}

static void check_rough(const carom_measure_table *table)
{
    double saturation = carom_measure_value(table, "saturation");
    double used = carom_measure_value(table, "friction used at the side walls");
    double K = carom_measure_value(table, "push over force and height") * SIDE / 4;
    double predicted = carom_measure_value(table, "weight per height") * SIDE / (4 * used * K);
    // a tube six grains wide: the force fluctuates from level to level by about an eighth
    CHECK_MOST(carom_measure_value(table, "largest misfit over saturation"), 0.3,
               "force inside the packing follows Janssen");
    CHECK_MOST(carom_measure_value(table, "load over weight"), 0.2,
               "the floor carries a small part of the weight: the filling is eight times as heavy "
               "as what Janssen's law lets through");
    CHECK_NEAR(saturation / predicted, 1, 0.15, "the law holds with K and friction as measured");
    CHECK_MOST(used, FRICTION * (1 + 1e-6), "no wall holds more than Coulomb's friction");
    CHECK(K > 0.4 && K < 1.3, "K = %g is that of grains", K);
}

// Twenty layers: without walls that hold, a deeper packing takes many more sweeps to come to rest.
static void shorten(play *p)
{
    play_build(p);
    for (int i = 0; !p->broken && i < carom_world_body_count(p->world); ++i)
        if (carom_world_kind(p->world, carom_world_body_at(p->world, i)) == CAROM_BODY_MOVING &&
            play_position(p, i).z > 0.23)
            carom_world_remove(p->world, carom_world_body_at(p->world, i), NULL);
}

static void run(const char *name, int smooth)
{
    play p = play_open(name);
    carom_error err = { 0 };
    carom_measure *measure = NULL;
    const carom_measure_table *table = NULL;
    carom_measure_options options = { .of = CAROM_MEASURE_PROFILE };
    CHECK(carom_measure_create(p.scene, &options, &measure, &err) == CAROM_OK, "%s", err.what);
    if (smooth)
        shorten(&p);
    profile(&p, check_effort(450, 10), check_effort(150, 10), measure);
    CHECK(carom_measure_finish(measure, &table, &err) == CAROM_OK, "%s", err.what);
    if (check_effort(1, 0) && !smooth)
        check_rough(table);
    double weight = 0;
    for (int i = 0; i < carom_world_body_count(p.world); ++i)
        if (carom_world_kind(p.world, carom_world_body_at(p.world, i)) == CAROM_BODY_MOVING)
            weight += 9.81 * carom_world_mass(p.world, carom_world_body_at(p.world, i));
    if (check_effort(1, 0) && smooth)
        CHECK_NEAR(carom_measure_value(table, "load on the floor") / weight, 1, 0.01,
                   "between smooth walls the floor carries everything");
    carom_measure_destroy(measure);
    play_close(&p);
}

int main(void)
{
    run("janssen", 0);
    run("janssen-smooth", 1);
    return check_report();
}

// A plane has the normal it was given, to the last bit: a quaternion made [1, 0, 0] into
// (1, 0, -2e-16), and balls that bounce on the axis of such a wall left it at 84 m/s.
#include "support/check.h"
#include "support/play.h"

#include <math.h>
#include <stdio.h>

// The impulse of one bounce of a ball without friction lies along the normal of the plane.
static void given_normals(void)
{
    static const double normals[][3] = {
        { 1, 0, 0 },        { -1, 0, 0 },        { 0, 1, 0 },          { 0, -1, 0 },
        { 0, 0, 1 },        { 0, 0, -1 },        { 0.6, 0.8, 0 },      { 0, 0.6, -0.8 },
        { -0.28, 0, 0.96 }, { 0.36, 0.48, 0.8 }, { 0.48, -0.64, 0.6 },
    };
    for (size_t i = 0; i < sizeof normals / sizeof *normals; ++i) {
        const double *n = normals[i];
        char text[900];
        snprintf(text, sizeof text,
                 "{ \"carom\": 1, \"kind\": \"world\", \"gravity\": [0, 0, 0], \"law\": \"newton\","
                 "\"materials\": { \"m\": { \"restitution\": 1, \"friction\": 0 } }, \"bodies\": ["
                 "{ \"name\": \"wall\", \"shape\": { \"plane\": [%.17g, %.17g, %.17g] },"
                 "\"kind\": \"fixed\", \"material\": \"m\" },"
                 "{ \"name\": \"ball\", \"shape\": { \"sphere\": 0.5 }, \"material\": \"m\","
                 "\"position\": [%.17g, %.17g, %.17g], \"velocity\": [%.17g, %.17g, %.17g] } ] }",
                 n[0], n[1], n[2], n[0], n[1], n[2], -n[0], -n[1], -n[2]);
        play p = play_parse("plane", text);
        play_build(&p);
        carom_world_record_contacts(p.world, 1);
        play_steps(&p, 600);
        int count;
        const carom_world_contact *list = carom_world_contacts(p.world, &count);
        if (CHECK(count == 1, "normal %zu: one impact", i))
            for (int k = 0; k < 3; ++k)
                CHECK(fabs(list[0].normal[k]) == fabs(n[k]), "normal %zu: component %d is %.17g", i,
                      k, n[k]);
        play_close(&p);
    }
}

// A ball of 1 kg between a wall and one of 10^4 kg: 314 impacts on the axis, none off it.
static void stays_on_the_axis(void)
{
    play p = play_parse(
        "axis", "{ \"carom\": 1, \"kind\": \"world\", \"gravity\": [0, 0, 0], \"law\": \"newton\","
                "\"step\": 0.01, \"materials\": { \"m\": { \"restitution\": 1, \"friction\": 0 } },"
                "\"bodies\": [ { \"name\": \"wall\", \"shape\": { \"plane\": [1, 0, 0] },"
                "\"kind\": \"fixed\", \"material\": \"m\" },"
                "{ \"name\": \"small\", \"shape\": { \"sphere\": 0.5 }, \"mass\": 1,"
                "\"position\": [1, 0, 0], \"material\": \"m\" },"
                "{ \"name\": \"large\", \"shape\": { \"sphere\": 0.5 }, \"mass\": 10000,"
                "\"position\": [3, 0, 0], \"velocity\": [-1, 0, 0], \"material\": \"m\" } ] }");
    play_until(&p, 8);
    vec3 v = play_velocity(&p, play_find(&p, "small")), x = play_position(&p, 1);
    CHECK(v.y == 0 && v.z == 0 && x.y == 0 && x.z == 0, "the small ball stays on the axis: %g %g",
          v.y, v.z);
    // floor(pi / atan(sqrt(m / M))) impacts [Galperin 2003]
    CHECK_NEAR((double)play_ledger(&p).impacts, floor(acos(-1) / atan(0.01)), 0, "impacts in all");
    play_close(&p);
}

int main(void)
{
    given_normals();
    stays_on_the_axis();
    return check_report();
}

// A box thrown flat onto a rough floor, restitution 0, with no law named: it slides and does not
// jump. A law that gets the energy of friction from the normal impulses throws it up by 18 cm.
#include "support/check.h"
#include "support/play.h"

#include <math.h>
#include <stdio.h>

// Highest rise of the lowest corner after it has touched down, within a second.
static double rise(double speed, double sideways, double friction)
{
    char text[1024];
    snprintf(text, sizeof text,
             "{ \"carom\": 1, \"kind\": \"world\", \"step\": 0.001, \"duration\": 1,"
             "  \"gravity\": [0, 0, -9.81],"
             "  \"materials\": { \"wood\": { \"restitution\": 0, \"friction\": %g } },"
             "  \"bodies\": ["
             "    { \"name\": \"floor\", \"shape\": { \"plane\": [0, 0, 1] }, \"kind\": \"fixed\","
             "      \"material\": \"wood\" },"
             "    { \"name\": \"box\", \"shape\": { \"box\": [0.2, 0.2, 0.2] }, \"mass\": 1,"
             "      \"position\": [0, 0, 0.12], \"velocity\": [%g, %g, -1],"
             "      \"material\": \"wood\" } ] }",
             friction, speed, sideways);
    play p = play_parse("thrown box", text);
    play_build(&p);
    int box = play_find(&p, "box");
    double max = 0;
    bool down = false;
    for (int i = 0; i < 1000 && play_steps(&p, 1); ++i) {
        vec3 at = play_position(&p, box);
        mat3 turn = quat_matrix(play_rotation(&p, box));
        double reach = 0;
        for (int k = 0; k < 3; ++k)
            reach += 0.1 * fabs(turn.m[2][k]);
        down = down || at.z - reach < 1e-3;
        if (down)
            max = fmax(max, at.z - reach);
    }
    CHECK(down, "the box has touched down");
    play_close(&p);
    return max;
}

int main(void)
{
    const double throws[][3] = { { 4, 0, 0.3 }, { 4, 1, 0.3 }, { 2, 2, 0.1 }, { 8, 0, 0.5 } };
    // Contacts of a resting box lie within a few micrometres; a jump would be centimetres.
    for (size_t i = 0; i < sizeof throws / sizeof *throws; ++i)
        CHECK_MOST(rise(throws[i][0], throws[i][1], throws[i][2]), 1e-3,
                   "thrown with (%g, %g, -1), friction %g: does not jump", throws[i][0],
                   throws[i][1], throws[i][2]);
    return check_report();
}

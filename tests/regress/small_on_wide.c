// A small body on a wide floor that is a box, not a plane: what counts as a sliver of contact went
// by the larger body, so that a cube of 3 cm fell through a plate of a kilometre, without a word.
#include "support/check.h"
#include "support/play.h"

#include <stdio.h>

static const char *const shapes[] = {
    "\"box\": [0.01, 0.02, 0.02]",
    "\"cylinder\": { \"radius\": 0.01, \"length\": 0.02 }",
    ("\"hull\": [[-0.01, -0.01, -0.01], [0.01, -0.01, -0.01], [-0.01, 0.01, -0.01], "
     "[0.01, 0.01, -0.01], [-0.01, -0.01, 0.01], [0.01, -0.01, 0.01], [-0.01, 0.01, 0.01], "
     "[0.01, 0.01, 0.01]]"),
    "\"capsule\": { \"radius\": 0.01, \"length\": 0.02 }",
    "\"sphere\": 0.01",
};
static const double heights[] = { 0.01, 0.01, 0.01, 0.02, 0.01 };

// Stands where it was put, flat on the floor, from the first step on.
static void stands(int shape, double width)
{
    char text[1200];
    snprintf(
        text, sizeof text,
        "{ \"carom\": 1, \"kind\": \"world\", \"step\": 0.01, \"bodies\": [ { \"name\": \"floor\","
        " \"kind\": \"fixed\", \"shape\": { \"box\": [%g, %g, 0.01] }, \"position\": [0, 0, "
        "-0.005] }, { \"name\": \"body\", \"shape\": { %s }, \"position\": [0.3, 0.1, %g] } ] }",
        width, width, shapes[shape], heights[shape]);
    play p = play_parse("wide", text);
    play_steps(&p, 50);
    vec3 position = play_position(&p, play_find(&p, "body"));
    CHECK_NEAR(position.z, heights[shape], 2e-5, "height of shape %d on a floor of %g m", shape,
               width);
    CHECK_NEAR(position.x, 0.3, 1e-6, "place of shape %d on a floor of %g m", shape, width);
    play_close(&p);
}

int main(void)
{
    for (int shape = 0; shape < (int)(sizeof shapes / sizeof *shapes); ++shape)
        for (double width = 1; width < 2e5; width *= 10)
            stands(shape, width);
    return check_report();
}

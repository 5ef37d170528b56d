// A house of 24 thin plates [QCE, section 5.4]: stands for ten seconds, falls when it is hit, and
// comes to rest.
#include <math.h>
#include <stdio.h>
#include "support/check.h"
#include "support/play.h"

enum { PLATES = 24 };

static const double thickness = 0.002, width = 0.06, height = 0.1; // m, as in the scene

typedef struct house {
    vec3 position[PLATES];
    quat rotation[PLATES];
} house;

static house look(const play *p, int first)
{
    house now;
    for (int i = 0; i < PLATES; ++i) {
        now.position[i] = play_position(p, first + i);
        now.rotation[i] = play_rotation(p, first + i);
    }
    return now;
}

// How far the corner of a plate that moved most has moved, m.
static double moved(const house *before, const house *after, int plate)
{
    double max = 0;
    for (int corner = 0; corner < 8; ++corner) {
        vec3 x = vec3_make(corner & 1 ? 0.5 * thickness : -0.5 * thickness,
                           corner & 2 ? 0.5 * width : -0.5 * width,
                           corner & 4 ? 0.5 * height : -0.5 * height);
        vec3 was = vec3_add(before->position[plate], quat_rotate(before->rotation[plate], x));
        vec3 is = vec3_add(after->position[plate], quat_rotate(after->rotation[plate], x));
        max = fmax(max, vec3_length(vec3_sub(is, was)));
    }
    return max;
}

static double highest(const play *p, int first)
{
    double top = 0;
    for (int i = 0; i < PLATES; ++i)
        top = fmax(top, play_position(p, first + i).z);
    return top;
}

static double fastest(const play *p, int first)
{
    double speed = 0;
    for (int i = 0; i < PLATES; ++i)
        speed = fmax(speed, vec3_length(play_velocity(p, first + i)));
    return speed;
}

// How far a corner moves while the house stands, by steps of this length, m.
static double standing(const char *step, double seconds)
{
    play p = play_open("card-house");
    int first = play_find(&p, "plate[0]");
    double max = 0;
    play_set(&p, "step", step);
    play_build(&p);
    house start = look(&p, first);
    play_until(&p, seconds);
    house now = look(&p, first);
    for (int i = 0; i < PLATES; ++i)
        max = fmax(max, moved(&start, &now, i));
    play_close(&p);
    return max;
}

int main(void)
{
    const char *steps[] = { "0.0005", "0.002", "0.004" };
    for (int i = 0; i < 3; ++i)
        CHECK_MOST(standing(steps[i], check_effort(10, 1)), 0.1 * thickness,
                   "no corner of a plate moves, by steps of %s s", steps[i]);
    play p = play_open("card-house");
    int first = play_find(&p, "plate[0]");
    play_build(&p);
    if (p.broken)
        return check_report();
    double hit = check_effort(10, 1), top = highest(&p, first),
           max = 0; // s; the balls start at 10
    house start = look(&p, first);
    for (int k = 1; k <= 20; ++k) {
        play_until(&p, hit * k / 20);
        house now = look(&p, first);
        for (int i = 0; i < PLATES; ++i)
            max = fmax(max, moved(&start, &now, i));
    }
    CHECK_MOST(max, 0.1 * thickness, "no corner of a plate moves in %g s", hit);
    CHECK_MOST(play_ledger(&p).kinetic, 1e-15, "everything is at rest");
    printf("card house: %g s, moved by %.3g m\n", hit, max);
    if (hit < 10) { // the fall takes ten times as long to compute as standing
        play_close(&p);
        return check_report();
    }

    play_until(&p, carom_scene_world_duration(p.scene));
    carom_ledger ledger = play_ledger(&p);
    // not one storey stands: those are a leaning card high, 0.094 m. The pile itself may lie on a ball
    // of 0.04 m, cards across each other on it; how high is as chaotic as the fall
    CHECK_MOST(highest(&p, first), 0.75 * height, "the house has fallen, it was %g m high", top);
    // a ball that rolls slowly may push the heap for some more seconds
    double speed = fastest(&p, first);
    for (int extra = 0; extra < 10 && speed > 1e-6; ++extra) {
        play_until(&p, ledger.time + 1);
        ledger = play_ledger(&p);
        speed = fastest(&p, first);
    }
    CHECK_MOST(speed, 1e-6, "and its plates come to rest (m/s), by %g s", ledger.time);
    // the balls (84 g each) got 0.4 J together and may still roll: nothing resists that on a level
    // floor, and how fast is as chaotic as the fall (some 1e-4 J)
    CHECK_MOST(ledger.kinetic, 4e-3, "and the balls keep a hundredth of what they got (J)");
    // a plate is 2 mm thick: nothing passes through
    CHECK_MOST(ledger.peak_overlap, 0.75 * thickness, "deepest overlap of the fall");
    CHECK_MOST(ledger.overlap, 0.05 * thickness, "deepest overlap at the end");
    // all of it is accounted for, to a part in a million of the energy that went through
    CHECK_NEAR(ledger.integrator, 0, 1e-6, "energy that the time stepping added (J)");
    printf("card house: fell from %.3f to %.3f m, kinetic %.3g J, overlap %.3g m (%.3g ever)\n",
           top, highest(&p, first), ledger.kinetic, ledger.overlap, ledger.peak_overlap);
    play_close(&p);
    return check_report();
}

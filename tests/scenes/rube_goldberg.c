// The Rube Goldberg machine [QCE, section 5.4, figure 11] as one scene: every stage sets off the
// next, and nothing moves before its turn.
#include <math.h>
#include <stdio.h>
#include "support/check.h"
#include "support/play.h"

// What is watched: a body and what it does when its stage begins.
typedef enum deed {
    MOVES, // faster than `value` m/s
    TILTS, // by more than `value` degrees from how it stood
    SINKS, // below the height `value` m
    COMES, // beyond x = `value` m
} deed;

typedef struct event {
    const char *words, *body;
    deed deed;
    double value;
    bool fresh;  // its body is at rest until its own event
    double when; // s, found; 0: not yet
    vec3 place;
    quat stand;
    int index;
} event;

// The heights and lengths are those of the scene: the first spiral ends at 0.97 m, the table's top
// is at 0.8 m, the plank ends at x = 1.5 m, the second table is at 0.33 m, the second spiral ends
// at 0.02 m.
static event events[] = {
    { "the ball has come down the first spiral", "first", SINKS, 1.02, false, .when = 0 },
    { "the last of three balls leaves the row", "cradle-3", MOVES, 0.5, true, .when = 0 },
    { "the card house is hit", "plate[10]", MOVES, 0.1, true, .when = 0 },
    { "the first domino falls", "domino[0]", TILTS, 12, true, .when = 0 },
    { "the fifth domino falls", "domino[4]", TILTS, 12, true, .when = 0 },
    { "the ninth domino falls", "domino[8]", TILTS, 12, true, .when = 0 },
    { "the heavy domino falls off the table", "last", SINKS, 0.7, false, .when = 0 },
    { "the seesaw tips", "plank", TILTS, 3, true, .when = 0 },
    { "its ball rolls off the other end", "seesaw-ball", COMES, 1.5, false, .when = 0 },
    { "the ball reaches the second table", "seesaw-ball", COMES, 2.2, false, .when = 0 },
    { "the rack breaks", "rack[0]", MOVES, 0.02, true, .when = 0 },
    { "the corner ball drops on the second spiral", "rack[9]", SINKS, 0.345, false, .when = 0 },
    { "it has rolled down", "rack[9]", SINKS, 0.06, false, .when = 0 },
    { "the first pillar falls", "pillar-1", TILTS, 15, true, .when = 0 },
    { "the third pillar falls", "pillar-3", TILTS, 15, true, .when = 0 },
    { "the last pillar falls", "pillar-5", TILTS, 15, true, .when = 0 },
};
enum { EVENTS = sizeof events / sizeof *events };

static bool happens(const play *p, const event *e)
{
    vec3 x = play_position(p, e->index);
    quat q = play_rotation(p, e->index), s = e->stand;
    // |scalar part of q s^-1| is the cosine of half the angle between the two
    double half = fabs(q.w * s.w + q.x * s.x + q.y * s.y + q.z * s.z);
    switch (e->deed) {
    case MOVES:
        return vec3_length(play_velocity(p, e->index)) > e->value;
    case TILTS:
        return 2 * acos(fmin(half, 1)) * 57.29577951308232 > e->value;
    case SINKS:
        return x.z < e->value;
    case COMES:
        return x.x > e->value;
    }
    return false;
}

// The balls of the row but for the last stay behind, as in Newton's cradle.
static void check_cradle(const play *p)
{
    double last = play_velocity(p, play_find(p, "cradle-3")).x;
    for (int i = 1; i <= 2; ++i) {
        char name[16];
        snprintf(name, sizeof name, "cradle-%d", i);
        // restitution 0.9 leaves each of them a tenth, friction a little more
        CHECK_MOST(play_velocity(p, play_find(p, name)).x, 0.2 * last, "%s stays in the row", name);
    }
}

int main(void)
{
    play p = play_open("rube-goldberg");
    play_build(&p);
    for (int i = 0; i < EVENTS && !p.broken; ++i) {
        events[i].index = play_find(&p, events[i].body);
        events[i].place = play_position(&p, events[i].index);
        events[i].stand = play_rotation(&p, events[i].index);
    }
    int next = 0;
    while (!p.broken && next < EVENTS && p.step < carom_scene_world_steps(p.scene)) {
        play_steps(&p, 1);
        if (!happens(&p, &events[next]))
            continue;
        events[next].when = (double)p.step * p.dt;
        printf("%6.3f s  %s\n", events[next].when, events[next].words);
        if (next == 1)
            check_cradle(&p);
        // 1 mm: what comes later has not stirred (settling into the first contacts moves 1e-5 m)
        for (int k = next + 2; k < EVENTS; ++k)
            if (events[k].fresh)
                CHECK_MOST(
                    vec3_length(vec3_sub(play_position(&p, events[k].index), events[k].place)),
                    1e-3, "%s waits while %s", events[k].body, events[next].words);
        ++next;
    }
    CHECK(next == EVENTS, "all %d events happen in order; the first missing: %s", EVENTS,
          next < EVENTS ? events[next].words : "none");
    carom_ledger ledger = play_ledger(&p);
    CHECK_TEXT(carom_law_name(carom_scene_world_options(p.scene).law), "qce", "the law");
    // turning bodies are stepped to second order: some 1e-8 of the energy
    CHECK_NEAR(ledger.integrator, 0, 1e-7 * ledger.start,
               "energy that the time stepping added (J)");
    // Plates of 2 mm turn at up to 60 rad/s while edges slide on them at 2 m/s: contacts that hold
    // at the start of a step are left by half of its square times 2 w v, whatever the impacts do.
    // Steps of 2 ms let them into each other by 0.6 of their thickness.
    if (!p.broken)
        CHECK_MOST(carom_world_audit(p.world).overlap, 0.25,
                   "the thinner body's thickness that another was ever inside of it (GAP)");
    play_close(&p);
    return check_report();
}

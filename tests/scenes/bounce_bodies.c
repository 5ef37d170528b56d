// The scenes of bounce maps: what the figures of the paper show must happen. The maps are coarser
// than those of the scene files (fewer modes, cells and samples), unless CAROM_LONG is set.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "support/cache.h"
#include "support/check.h"
#include "support/play.h"

// Replaces the number after a key, wherever it stands; `text` has room.
static void lower(char *text, const char *key, const char *number)
{
    for (char *at = text; (at = strstr(at, key));) {
        at += strlen(key);
        size_t old = strspn(at, " 0123456789.");
        memmove(at + strlen(number), at + old, strlen(at + old) + 1);
        memcpy(at, number, strlen(number));
    }
}

static play open_light(const char *name, const char *modes, const char *faces)
{
    play p = play_open(name);
    if (getenv("CAROM_LONG") || p.broken)
        return p;
    size_t size;
    const char *text = carom_scene_world_text(p.scene, &size);
    char *copy = calloc(1, size + 1000);
    memcpy(copy, text, size);
    lower(copy, "\"modes\":", modes);
    lower(copy, "\"across\":", "0.7");
    lower(copy, "\"faces\":", faces);
    play_close(&p);
    p = play_parse(name, copy);
    free(copy);
    return p;
}

// How high a body is thrown: top after its first turn upwards over the height it fell, both
// measured from where it turned.
static double rebound(const double *z, int count)
{
    int low = 0, top;
    while (low + 1 < count && z[low + 1] <= z[low])
        ++low;
    top = low;
    while (top + 1 < count && z[top + 1] >= z[top])
        ++top;
    return (z[top] - z[low]) / (z[0] - z[low]);
}

enum { SAMPLES = 400, BODIES = 12 };

static void follow(play *p, const char *const *names, int count, double until, double *out)
{
    static double z[BODIES][SAMPLES];
    int n = 0;
    play_build(p);
    for (; n < SAMPLES && p->step * p->dt < until && !p->broken; ++n) {
        for (int k = 0; k < count; ++k)
            z[k][n] = play_position(p, play_find(p, names[k])).z;
        play_steps(p, 1);
    }
    for (int k = 0; k < count; ++k) {
        out[k] = rebound(z[k], n);
        printf("%-18s %.3f\n", names[k], out[k]);
    }
    if (!p->broken)
        CHECK_MOST(carom_world_audit(p->world).gain, 1e-12, "no impact gains energy");
}

static void letters(void)
{
    static const char *const names[] = { "B constant", "O constant", "U constant", "N constant",
                                         "C constant", "E constant", "B mapped",   "O mapped",
                                         "U mapped",   "N mapped",   "C mapped",   "E mapped" };
    play p = open_light("letters", "20", "1500");
    double top[12], min[2] = { 1, 1 }, max[2] = { 0, 0 };
    follow(&p, names, 12, 0.46, top);
    for (int k = 0; k < 12; ++k) {
        min[k / 6] = fmin(min[k / 6], top[k]);
        max[k / 6] = fmax(max[k / 6], top[k]);
    }
    CHECK_MOST(max[0] / min[0], 1.3, "letters of one restitution jump about alike (fig 2 left)");
    CHECK(max[1] / min[1] > 2.5, "mapped ones each in their own way (fig 2 right): %g to %g",
          min[1], max[1]);
    CHECK(fmin(top[6], top[7]) > 1.3 * max[0] && fmax(top[8], top[9]) < min[0],
          "B and O are bouncier than before, U and N duller");
    play_close(&p);
}

static void springs(void)
{
    static const char *const names[] = { "upright constant", "flat constant", "upright mapped",
                                         "flat mapped" };
    play p = open_light("springs", "20", "1500");
    double top[4];
    follow(&p, names, 4, 0.46, top);
    CHECK_NEAR(top[0], top[1], 0.02, "springs of one restitution jump alike (fig 5)");
    CHECK(top[2] > 1.3 * top[3], "with a map the upright one jumps higher: %g, %g", top[2], top[3]);
    play_close(&p);
}

static void bat(void)
{
    static const char *const names[] = { "barrel down", "knob down", "flat" };
    play p = open_light("bat", "45", "12000");
    double top[3];
    follow(&p, names, 3, 0.5, top);
    CHECK(top[1] > 3 * top[0] && top[1] > 3 * top[2],
          "the knob is bouncier than the barrel: %g, "
          "%g, flat %g",
          top[1], top[0], top[2]);
    play_close(&p);
}

static void ruler(void)
{
    static const char *const names[] = { "ruler middle", "ruler corner" };
    double top[2], alike[2];
    play p = open_light("ruler-table", "20", "1500");
    follow(&p, names, 2, 0.38, top);
    CHECK(top[0] > 1.2 * top[1], "the ruler jumps higher from the table's middle (fig 24): %g, %g",
          top[0], top[1]);
    play_close(&p);
    // A light ruler does not make a heavy table ring: with the responses as weights its own value
    // decides.
    p = open_light("ruler-table", "20", "1500");
    play_set(&p, "bounce_rule", "weighted");
    follow(&p, names, 2, 0.38, alike);
    CHECK_NEAR(alike[0], alike[1], 0.01, "weighted by response: both places alike");
    play_close(&p);
}

static void hockey(void)
{
    play p = open_light("hockey", "20", "1500");
    double back[3];
    static const char *const names[] = { "puck heel", "puck middle", "puck tip" };
    play_until(&p, 0.05);
    for (int k = 0; k < 3 && !p.broken; ++k) {
        back[k] = -play_velocity(&p, play_find(&p, names[k])).y / 5;
        printf("%-18s %.3f\n", names[k], back[k]);
    }
    if (!p.broken)
        CHECK(back[0] > 1.2 * back[1] && back[2] > 1.2 * back[1],
              "the middle of the blade is its sweet spot (fig 15): %g between %g and %g", back[1],
              back[0], back[2]);
    play_close(&p);
}

int main(void)
{
    cache_begin();
    letters();
    springs();
    bat();
    ruler();
    hockey();
    cache_end();
    return check_report();
}

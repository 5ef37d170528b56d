// The options of a world, each of them once: name, type, default, range, meaning. From this list
// come carom_world_options_default, the check of carom_world_create, the keys of scene files, their
// schema and manual, and `--set`. A new option is a field of carom_world_options (carom/world.h,
// with its comment) and a line at the end of the list, as checkpoints know options by their
// numbers.
//
// The entries are initialisers of carom_world_option below, and of carom_field in the scene room:
// both have these members.
#ifndef CAROM_WORLD_WORLD_OPTION_H
#define CAROM_WORLD_WORLD_OPTION_H

#include "base/range.h"
#include "carom/world.h"

// NUMBER: double. INTEGER: int. VECTOR: double[3]. CHOICE: an enum, in the order of `words`.
#define CAROM_WORLD_OPTION_LIST(NUMBER, INTEGER, VECTOR, CHOICE)                                   \
    VECTOR(gravity, .vector = { 0, 0, -9.81 }, .range = { .unit = "m/s^2" },                       \
           .doc = "acceleration of everything that moves"),                                        \
        NUMBER(resting_speed, .initial = -1, .range = { 0, 1e12, .unit = "m/s" },                  \
               .shown = "chosen: 0.01; inside of a pile what gravity gives in a step",             \
               .doc = "contacts that approach more slowly rest instead of bouncing"),              \
        NUMBER(touch, .initial = 1e-9, .range = { 0, 1, .above = true, .unit = "m" },              \
               .doc = "gap up to which two bodies count as touching"),                             \
        INTEGER(events, .initial = 1000, .range = { .min = 0, .max = 1e9 },                        \
                .doc = "most sub-steps to the time of impact per step; 0: none"),                  \
        NUMBER(                                                                                    \
            event_work, .initial = -1, .range = { .min = 0, .max = 1e15 },                         \
            .shown = "chosen: 240,000 a second, 500 to 5000 a step, triangles apart: 5000",        \
            .doc =                                                                                 \
                "bodies and contacts that the sub-steps of one step may look at in all, a pair "   \
                "with meshes counted by a third of their triangles; ten times that where "         \
                "bodies would pass through each other, no bound where restitution is 1"),          \
        CHOICE(                                                                                    \
            stepping, .words = "events elastic",                                                   \
            .doc =                                                                                 \
                "events: impacts happen at their times, as far as `events` and `event_work` go; "  \
                "elastic: no times of impact; one inelastic solve per step tells where bodies "    \
                "go, the law with which velocities they leave"),                                   \
        NUMBER(rest_tolerance, .initial = 1e-8, .range = { 0, 1, .above = true },                  \
               .doc = "relative residual at which the resting solver stops"),                      \
        INTEGER(rest_sweeps, .initial = 200, .range = { .min = 1, .max = 1e9 },                    \
                .doc = "most sweeps of the resting solver per step"),                              \
        NUMBER(                                                                                    \
            impact_work, .initial = 4e6, .range = { .min = 1e3, .max = 1e12 },                     \
            .doc =                                                                                 \
                "contacts that sweeps to impact_residual may look at in one island, the same "     \
                "one each time anew: more where a deep pile is struck, as what the sweeps have "   \
                "not carried through it is lost"),                                                 \
        NUMBER(impact_residual, .initial = 1e-4, .range = { .min = 0, .max = 0.1 },                \
               .doc = "relative residual at which the law may end its solves with friction or "    \
                      "partial restitution in islands of more than 32 contacts (from 1e-3 on: of " \
                      "more than 3); 0: as exact as they come"),                                   \
        NUMBER(slop, .initial = 1e-5, .range = { 0, 1, .above = true, .unit = "m" },               \
               .doc = "overlap that position correction leaves alone; at most a hundredth of the " \
                      "thinnest moving body"),                                                     \
        NUMBER(sleep_after, .initial = 0, .range = { .min = 0, .max = 1e12, .unit = "s" },         \
               .doc = "an island whose bodies have been slow for that long is left out of the "    \
                      "steps until something touches it; 0: never"),                               \
        NUMBER(sleep_speed, .initial = 1e-3, .range = { .min = 0, .max = 1e6, .unit = "m/s" },     \
               .doc = "slow is less than that, radius times spin counted"),                        \
        INTEGER(threads, .initial = 1, .range = { .min = 1, .max = 1024 },                         \
                .doc = "any number gives the same bits"),                                          \
        CHOICE(                                                                                    \
            bounce_rule,                                                                           \
            .words =                                                                               \
                "weighted arithmetic geometric harmonic geometric-flipped harmonic-flipped min "   \
                "max",                                                                             \
            .doc =                                                                                 \
                "how the restitutions of two bodies combine where one of them has a bounce map")

typedef enum carom_world_option_kind {
    CAROM_WORLD_OPTION_NUMBER,
    CAROM_WORLD_OPTION_INTEGER,
    CAROM_WORLD_OPTION_VECTOR,
    CAROM_WORLD_OPTION_CHOICE,
} carom_world_option_kind;

typedef struct carom_world_option {
    const char *name;
    carom_world_option_kind kind;
    size_t offset;     // in carom_world_options
    double initial;    // default; always accepted
    double vector[3];  // of a VECTOR
    carom_range range; // of numbers
    const char *words; // of a CHOICE, separated by spaces
    const char *shown; // the default in words, where the number does not say it
    const char *doc;   // what it means; starts in lower case, no full stop
} carom_world_option;

// All of them; ends with a null name.
extern const carom_world_option carom_world_option_table[];

// The place of an option in the table; -1: there is none of that name.
int carom_world_option_find(const char *name);
// Sets a number or word by its place; refuses others, and `threads`, which a world cannot change.
carom_status carom_world_option_put(carom_world_options *options, int index, double value,
                                    carom_error *err);
bool carom_world_option_may_change(int index);
double carom_world_option_get(const carom_world_options *options, int index);
// Refuses what no world can be made with: says what, and what to use instead.
carom_status carom_world_option_check(const carom_world_options *options, carom_error *err);

#endif

// The inside of a run, shared by runner.c and runner_report.c.
#ifndef CAROM_TRAJECTORY_RUNNER_H
#define CAROM_TRAJECTORY_RUNNER_H

#include <stdbool.h>
#include "carom/trajectory.h"

// Sums over the moving bodies.
typedef struct carom_runner_totals {
    double momentum[3], angular[3];
    double momentum_scale, angular_scale; // sums of lengths
} carom_runner_totals;

struct carom_runner {
    carom_scene_world *scene;
    carom_world *world;
    carom_recorder *recorder; // null: nothing is written
    carom_scene_output output;
    carom_runner_totals start;
    double step;                     // s
    int64_t done, steps;             // of the run
    char stopped[120];               // why the run ended early; empty: it did not
    int64_t frame_steps;             // between frames
    double last_point;               // s on the clock: last checkpoint
    double point_cost;               // s that writing it took
    uint64_t point_start, point_end; // where it stands in the file
    int64_t saved;                   // step of the last checkpoint
    double began;                    // s on the clock
    int64_t began_at;                // step
    double reported;                 // s on the clock: last progress
    double spent;                    // s on the clock: in carom_runner_advance
    bool changed;                    // the changes before the next step have been made
    double limit, work;              // of carom_runner_set_limit, and done since; 0: none
};

carom_runner_totals carom_runner_sum(const carom_world *world);

#endif

// A snapshot: a head, the ledger, and sections of equal records. world_snapshot.c writes and reads
// the bytes, world_snapshot_records.c knows what the records hold.
#ifndef CAROM_WORLD_WORLD_SNAPSHOT_H
#define CAROM_WORLD_WORLD_SNAPSHOT_H

#include "base/bytes.h"
#include "world/world.h"
#include "world/world_event.h"

// As the scene's reader allows.
#define CAROM_WORLD_SNAPSHOT_MAX 1e60

enum { CAROM_WORLD_SNAPSHOT_OPTION_MAX = 32 };

// What a head says that there are sections of.
enum {
    CAROM_SNAPSHOT_ROLLING = 1,
    CAROM_SNAPSHOT_ALTERED = 2,
    CAROM_SNAPSHOT_OPTIONS = 4,
    CAROM_SNAPSHOT_EVENTS = 8,
    CAROM_SNAPSHOT_SLEEP = 16,
    CAROM_SNAPSHOT_JOINTS = 32,
    CAROM_SNAPSHOT_ALL = 63
};

typedef struct carom_world_snapshot_head {
    uint32_t version, body_count, warm_count, ledger_size;
    double warm_interval;
    uint32_t joint_count, touch_count, has, asleep_count; // since version 2
} carom_world_snapshot_head;

// Who is in a slot: its generation; 0: nobody.
typedef struct carom_world_snapshot_present {
    uint32_t generation;
} carom_world_snapshot_present;

// What is fixed as a rule, of a body that somebody has changed.
typedef struct carom_world_snapshot_altered {
    int kind, material;
    double mass, inertia[6], gravity_scale, damping, angular_damping;
    vec3 force, torque, push, push_turn, drive_origin, drive_steady;
} carom_world_snapshot_altered;

// Where bodies may sleep.
typedef struct carom_world_snapshot_dormant {
    int asleep, bed;
    double quiet;
    vec3 velocity, spin; // of a sleeper
} carom_world_snapshot_dormant;

// What a run changes of a joint.
typedef struct carom_world_snapshot_jointed {
    int broken;
    double aim, held, held_torque;
} carom_world_snapshot_jointed;

// The options of a run that somebody has changed.
typedef struct carom_world_snapshot_chosen {
    int law, unused;
    double law_options[CAROM_LAW_OPTION_MAX], gravity[3], options[CAROM_WORLD_SNAPSHOT_OPTION_MAX];
} carom_world_snapshot_chosen;

// A record of any section.
typedef union carom_world_snapshot_record {
    vec3 vector;
    quat rotation;
    carom_warm_contact warm;
    carom_touch touch;
    carom_world_snapshot_present present;
    carom_world_snapshot_altered altered;
    carom_world_snapshot_dormant dormant;
    carom_world_snapshot_jointed jointed;
    carom_world_snapshot_chosen chosen;
} carom_world_snapshot_record;

typedef struct carom_world_snapshot_section {
    const carom_bytes_field *fields;
    size_t count;
    carom_status (*check)(const carom_world *world, int i, const void *record, carom_error *err);
    void *records; // of the world, so far apart; or:
    size_t stride;
    void (*get)(const carom_world *world, int i, void *record);
    void (*set)(carom_world *world, int i, const void *record);
} carom_world_snapshot_section;

// Behind head and ledger: one for each array of the state, two of the warm start, who is there,
// what was changed, events, and who sleeps.
#define CAROM_SNAPSHOT_AND_ONE(type, name) +1
enum { CAROM_WORLD_SNAPSHOT_SECTIONS = 11 CAROM_WORLD_STATE_ARRAYS(CAROM_SNAPSHOT_AND_ONE) };
#undef CAROM_SNAPSHOT_AND_ONE

// The sections that a head tells of, in the order of the bytes.
void carom_world_snapshot_list(const carom_world *world, const carom_world_snapshot_head *h,
                               carom_world_snapshot_section out[CAROM_WORLD_SNAPSHOT_SECTIONS]);
// Slots that did not exist yet are freed.
void carom_world_snapshot_free_later(carom_world *world, const carom_world_snapshot_head *h);
// CAROM_BAD_INPUT: a number that no run can reach.
carom_status carom_world_snapshot_misplaced(carom_error *err, const char *what, double value);

#endif

// The records of a snapshot: what they hold, what their numbers may be, and how they come from the
// world and go back to it. The head and the bytes are world_snapshot.c's.
//
// Files are sealed by checksums, so only one written by somebody else can fail a check; its numbers
// would overflow in the middle of a step.
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "world/ledger.h"
#include "world/step.h"
#include "world/world_handle.h"
#include "world/world_option.h"
#include "world/world_sleep.h"
#include "world/world_snapshot.h"

#define MAX CAROM_WORLD_SNAPSHOT_MAX
// How far a quaternion's square may be from 1.
#define UNIT 1e-6

typedef carom_world_snapshot_head head;
typedef carom_world_snapshot_section section;
typedef carom_world_snapshot_present present;
typedef carom_world_snapshot_altered altered;
typedef carom_world_snapshot_dormant dormant;
typedef carom_world_snapshot_jointed jointed;
typedef carom_world_snapshot_chosen chosen;

static const carom_bytes_field present_fields[] = { CAROM_BYTES(I32, present, generation), { 0 } };
static const carom_bytes_field touch_fields[] = {
    CAROM_BYTES(I64, carom_touch, key),
    CAROM_BYTES(I32, carom_touch, generation),
    CAROM_BYTES(I32, carom_touch, sensor),
    { CAROM_BYTES_ZERO, 0, 1 },
    { 0 },
};
static const carom_bytes_field altered_fields[] = {
    CAROM_BYTES(I32, altered, kind),
    CAROM_BYTES(I32, altered, material),
    { CAROM_BYTES_F64, offsetof(altered, mass),
      (sizeof(altered) - offsetof(altered, mass)) / sizeof(double) },
    { 0 },
};
static const carom_bytes_field dormant_fields[] = {
    CAROM_BYTES(I32, dormant, asleep), CAROM_BYTES(I32, dormant, bed),
    CAROM_BYTES(F64, dormant, quiet),  CAROM_BYTES(F64, dormant, velocity),
    CAROM_BYTES(F64, dormant, spin),   { 0 },
};
static const carom_bytes_field jointed_fields[] = {
    CAROM_BYTES(I32, jointed, broken),      { CAROM_BYTES_ZERO, 0, 1 },
    CAROM_BYTES(F64, jointed, aim),         CAROM_BYTES(F64, jointed, held),
    CAROM_BYTES(F64, jointed, held_torque), { 0 },
};
static const carom_bytes_field chosen_fields[] = {
    CAROM_BYTES(I32, chosen, law),
    CAROM_BYTES(I32, chosen, unused),
    { CAROM_BYTES_F64, offsetof(chosen, law_options),
      (sizeof(chosen) - offsetof(chosen, law_options)) / sizeof(double) },
    { 0 },
};
static const carom_bytes_field vec3_fields[] = { { CAROM_BYTES_F64, 0, 3 }, { 0 } };
static const carom_bytes_field quat_fields[] = { { CAROM_BYTES_F64, 0, 4 }, { 0 } };
static const carom_bytes_field warm_fields[] = {
    CAROM_BYTES(I32, carom_warm_contact, a),       CAROM_BYTES(I32, carom_warm_contact, b),
    CAROM_BYTES(I64, carom_warm_contact, feature), CAROM_BYTES(F64, carom_warm_contact, point),
    CAROM_BYTES(F64, carom_warm_contact, impulse), { 0 },
};

carom_status carom_world_snapshot_misplaced(carom_error *err, const char *what, double value)
{
    carom_error_set(err, CAROM_BAD_INPUT, "the checkpoint says %.9g for %s", value, what);
    return carom_error_fix(err, "resume from a file that Carom wrote");
}

static carom_status check_vec3(const carom_world *world, int i, const void *record,
                               carom_error *err)
{
    (void)world, (void)i;
    const vec3 *v = record;
    const double values[] = { v->x, v->y, v->z };
    for (int k = 0; k < 3; ++k)
        if (!(fabs(values[k]) <= MAX))
            return carom_world_snapshot_misplaced(err, "the state of a body", values[k]);
    return CAROM_OK;
}

static carom_status check_quat(const carom_world *world, int i, const void *record,
                               carom_error *err)
{
    (void)world, (void)i;
    const quat *q = record;
    double square = q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z;
    return fabs(square - 1) <= UNIT ? CAROM_OK
                                    : carom_world_snapshot_misplaced(
                                          err, "the length of a rotation of a body", sqrt(square));
}

static carom_status check_warm(const carom_world *world, int i, const void *record,
                               carom_error *err)
{
    (void)i;
    const carom_warm_contact *c = record;
    if (c->a < 0 || c->b < 0 || c->a >= world->count || c->b >= world->count)
        return carom_world_snapshot_misplaced(err, "a body of a resting contact", fmax(c->a, c->b));
    double sum = vec3_dot(c->point, c->point) + vec3_dot(c->impulse, c->impulse);
    return sum <= MAX * MAX
               ? CAROM_OK
               : carom_world_snapshot_misplaced(err, "the impulse of a resting contact", sqrt(sum));
}

static carom_status check_rolling(const carom_world *world, int i, const void *record,
                                  carom_error *err)
{
    (void)world, (void)i;
    const vec3 *turn = record;
    double square = vec3_dot(*turn, *turn);
    return square <= MAX * MAX ? CAROM_OK
                               : carom_world_snapshot_misplaced(
                                     err, "the angular impulse of a resting contact", sqrt(square));
}

// What stood in the slot then is what stands there now, or the slot was free.
static carom_status check_slot(uint32_t then, unsigned now, const char *what, int slot,
                               carom_error *err)
{
    if (then == 0 || then == now)
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT,
                    "the checkpoint has a %s in slot %d that the world does not have", what, slot);
    return carom_error_fix(err, "restore it into a world with the bodies and joints of then");
}

static carom_status check_body(const carom_world *world, int i, const void *record,
                               carom_error *err)
{
    const present *p = record;
    return check_slot(p->generation, carom_world_body_at(world, i).generation, "body", i, err);
}

static carom_status check_joint(const carom_world *world, int i, const void *record,
                                carom_error *err)
{
    const present *p = record;
    return check_slot(p->generation, carom_world_joint_at(world, i).generation, "joint", i, err);
}

static carom_status check_altered(const carom_world *world, int i, const void *record,
                                  carom_error *err)
{
    (void)i;
    const altered *a = record;
    const double *numbers = &a->mass;
    if (a->kind < 0 || a->kind > CAROM_BODY_WAITING)
        return carom_world_snapshot_misplaced(err, "the kind of a body", a->kind);
    if (a->material < 0 || a->material >= world->material_count)
        return carom_world_snapshot_misplaced(err, "the material of a body", a->material);
    if (a->kind == CAROM_BODY_MOVING && !(a->mass > 0))
        return carom_world_snapshot_misplaced(err, "the mass of a body", a->mass);
    for (size_t k = 0; k < (sizeof *a - offsetof(altered, mass)) / sizeof *numbers; ++k)
        if (!(fabs(numbers[k]) <= MAX))
            return carom_world_snapshot_misplaced(err, "what acts on a body", numbers[k]);
    return CAROM_OK;
}

static carom_status check_touch(const carom_world *world, int i, const void *record,
                                carom_error *err)
{
    (void)i;
    const carom_touch *t = record;
    uint64_t n = (uint64_t)world->count, low = t->key >> 32, high = t->key & UINT32_MAX;
    return low < high && high < n
               ? CAROM_OK
               : carom_world_snapshot_misplaced(err, "a body that touched", (double)high);
}

static carom_status check_dormant(const carom_world *world, int i, const void *record,
                                  carom_error *err)
{
    (void)i;
    const dormant *d = record;
    double sum = vec3_dot(d->velocity, d->velocity) + vec3_dot(d->spin, d->spin);
    if (d->bed < 0 || d->bed >= world->count)
        return carom_world_snapshot_misplaced(err, "the island of a sleeper", d->bed);
    return sum <= MAX * MAX && d->quiet >= 0 && d->quiet <= MAX
               ? CAROM_OK
               : carom_world_snapshot_misplaced(err, "the speed of a sleeper", sqrt(sum));
}

static carom_status check_jointed(const carom_world *world, int i, const void *record,
                                  carom_error *err)
{
    (void)world, (void)i;
    const jointed *j = record;
    if (j->broken < 0 || j->broken > 1)
        return carom_world_snapshot_misplaced(err, "whether a joint is broken", j->broken);
    if (!(fabs(j->aim) <= MAX))
        return carom_world_snapshot_misplaced(err, "the aim of a joint", j->aim);
    double load = fmax(j->held, j->held_torque);
    return j->held >= 0 && j->held_torque >= 0 && load <= MAX
               ? CAROM_OK
               : carom_world_snapshot_misplaced(err, "the load of a joint", load);
}

static carom_status options_of(const chosen *from, carom_world_options *options, carom_error *err)
{
    if (!carom_law_at(from->law))
        return carom_world_snapshot_misplaced(err, "the law", from->law);
    options->law = carom_law_at(from->law);
    memcpy(options->law_options.value, from->law_options, sizeof from->law_options);
    memcpy(options->gravity, from->gravity, sizeof from->gravity);
    for (int k = 0; carom_world_option_table[k].name; ++k)
        if (carom_world_option_may_change(k))
            TRY(carom_world_option_put(options, k, from->options[k], err));
    return carom_world_option_check(options, err);
}

static carom_status check_chosen(const carom_world *world, int i, const void *record,
                                 carom_error *err)
{
    (void)i;
    carom_world_options options = world->options;
    return options_of(record, &options, err);
}

static void get_body(const carom_world *world, int i, void *record)
{
    *(present *)record = (present){ carom_world_body_at(world, i).generation };
}

static void get_joint(const carom_world *world, int j, void *record)
{
    *(present *)record = (present){ carom_world_joint_at(world, j).generation };
}

static void set_body(carom_world *world, int i, const void *record)
{
    if (((const present *)record)->generation == 0 && world->kind[i] != CAROM_BODY_REMOVED)
        carom_world_handle_free_body(world, i);
}

static void set_joint(carom_world *world, int j, const void *record)
{
    if (((const present *)record)->generation == 0 && !world->joints[j].removed)
        carom_world_handle_free_joint(world, j);
}

static void get_altered(const carom_world *world, int i, void *record)
{
    sym3 j = world->own_inertia[i];
    *(altered *)record = (altered){ .kind = world->kind[i],
                                    .material = world->material[i],
                                    .mass = world->own_mass[i],
                                    .inertia = { j.xx, j.yy, j.zz, j.xy, j.xz, j.yz },
                                    .gravity_scale = world->gravity_scale[i],
                                    .damping = world->damping[i],
                                    .angular_damping = world->angular_damping[i],
                                    .force = world->force[i],
                                    .torque = world->torque[i],
                                    .push = world->push[i],
                                    .push_turn = world->push_turn[i],
                                    .drive_origin = world->drive_origin[i],
                                    .drive_steady = world->drive_steady[i] };
}

static void set_altered(carom_world *world, int i, const void *record)
{
    const altered *a = record;
    const double *j = a->inertia;
    if (world->kind[i] == CAROM_BODY_REMOVED || a->kind == CAROM_BODY_REMOVED)
        return;
    if (world->kind[i] != a->kind) {
        world->drive[i] = (carom_drive){ 0 };
        world->linkage_stale = world->joint_count > 0;
    }
    world->kind[i] = (unsigned char)a->kind;
    world->material[i] = a->material;
    world->own_mass[i] = a->mass;
    world->own_inertia[i] = (sym3){ j[0], j[1], j[2], j[3], j[4], j[5] };
    world->gravity_scale[i] = a->gravity_scale;
    world->damping[i] = a->damping;
    world->angular_damping[i] = a->angular_damping;
    world->force[i] = a->force;
    world->torque[i] = a->torque;
    world->push[i] = a->push;
    world->push_turn[i] = a->push_turn;
    world->drive_origin[i] = a->drive_origin;
    world->drive_steady[i] = a->drive_steady;
    world->altered = true;
    world->pushed =
        world->pushed || vec3_dot(a->push, a->push) > 0 || vec3_dot(a->push_turn, a->push_turn) > 0;
    carom_world_bodies_weigh(world, i);
}

static void get_dormant(const carom_world *world, int i, void *record)
{
    *(dormant *)record =
        (dormant){ .asleep = world->asleep[i],
                   .bed = world->bed[i],
                   .quiet = world->quiet[i],
                   .velocity = world->asleep[i] ? world->kept_velocity[i] : vec3_make(0, 0, 0),
                   .spin = world->asleep[i] ? world->kept_spin[i] : vec3_make(0, 0, 0) };
}

static void set_dormant(carom_world *world, int i, const void *record)
{
    const dormant *d = record;
    ++world->ledger_epoch;
    world->quiet[i] = d->quiet;
    if (!d->asleep || world->kind[i] != CAROM_BODY_MOVING)
        return;
    carom_world_sleep_set(world, i, d->bed);
    world->kept_velocity[i] = d->velocity;
    world->kept_spin[i] = d->spin;
}

static void get_jointed(const carom_world *world, int i, void *record)
{
    const carom_world_joint *joint = &world->joints[i];
    *(jointed *)record = (jointed){ joint->broken, joint->aim, joint->held, joint->held_torque };
}

static void set_jointed(carom_world *world, int i, const void *record)
{
    const jointed *from = record;
    carom_world_joint *joint = &world->joints[i];
    if (joint->removed)
        return;
    carom_world_joint_set_broken(world, i, from->broken);
    joint->aim = from->aim;
    joint->held = from->held;
    joint->held_torque = from->held_torque;
}

static void get_chosen(const carom_world *world, int i, void *record)
{
    (void)i;
    chosen c = { 0 };
    for (int k = 0; k < carom_law_count(); ++k)
        if (carom_law_at(k) == world->options.law)
            c.law = k;
    memcpy(c.law_options, world->options.law_options.value, sizeof c.law_options);
    memcpy(c.gravity, world->options.gravity, sizeof c.gravity);
    for (int k = 0; carom_world_option_table[k].name; ++k)
        if (carom_world_option_may_change(k))
            c.options[k] = carom_world_option_get(&world->options, k);
    *(chosen *)record = c;
}

static void set_chosen(carom_world *world, int i, const void *record)
{
    (void)i;
    carom_error checked;
    options_of(record, &world->options, &checked);
    world->options_altered = true;
    carom_world_tell_options(world);
}

void carom_world_snapshot_list(const carom_world *world, const head *h,
                               section out[CAROM_WORLD_SNAPSHOT_SECTIONS])
{
    const carom_warm_start *warm = &world->warm;
    size_t n = h->body_count, rolling = h->has & CAROM_SNAPSHOT_ROLLING ? h->warm_count : 0;
    size_t bodies = h->version > 1 ? n : 0;
    section *s = out;
#define STATE(type, name)                                                                          \
    *s++ = (section){ type##_fields, n, check_##type, world->now.name, sizeof(type), NULL, NULL };
    CAROM_WORLD_STATE_ARRAYS(STATE)
#undef STATE
    *s++ =
        (section){ warm_fields, h->warm_count, check_warm, warm->contacts, sizeof *warm->contacts,
                   NULL,        NULL };
    *s++ = (section){ vec3_fields,           rolling, check_rolling, warm->rolling,
                      sizeof *warm->rolling, NULL,    NULL };
    *s++ = (section){ present_fields, bodies, check_body, NULL, 0, get_body, set_body };
    *s++ = (section){ present_fields, h->joint_count, check_joint, NULL, 0, get_joint, set_joint };
    *s++ = (section){ altered_fields,
                      h->has & CAROM_SNAPSHOT_ALTERED ? n : 0,
                      check_altered,
                      NULL,
                      0,
                      get_altered,
                      set_altered };
    *s++ = (section){ touch_fields,        h->touch_count, check_touch, world->events.before.list,
                      sizeof(carom_touch), NULL,           NULL };
    *s++ = (section){
        chosen_fields, h->has & CAROM_SNAPSHOT_OPTIONS ? 1 : 0, check_chosen, NULL, 0, get_chosen,
        set_chosen
    };
    const carom_warm_start *slept = &world->warm_asleep;
    *s++ = (section){
        dormant_fields, h->has & CAROM_SNAPSHOT_SLEEP ? n : 0, check_dormant, NULL, 0, get_dormant,
        set_dormant
    };
    *s++ = (section){
        warm_fields, h->asleep_count, check_warm, slept->contacts, sizeof *slept->contacts, NULL,
        NULL
    };
    *s++ = (section){ vec3_fields,
                      h->has & CAROM_SNAPSHOT_ROLLING ? h->asleep_count : 0,
                      check_rolling,
                      slept->rolling,
                      sizeof *slept->rolling,
                      NULL,
                      NULL };
    *s = (section){ jointed_fields,
                    h->has & CAROM_SNAPSHOT_JOINTS ? h->joint_count : 0,
                    check_jointed,
                    NULL,
                    0,
                    get_jointed,
                    set_jointed };
}

void carom_world_snapshot_free_later(carom_world *world, const head *h)
{
    const present nobody = { 0 };
    for (int i = (int)h->body_count; h->version > 1 && i < world->count; ++i)
        set_body(world, i, &nobody);
    for (int j = (int)h->joint_count; h->version > 1 && j < world->joint_count; ++j)
        set_joint(world, j, &nobody);
}

// Free motion: parabolas, free rotation and prescribed motion.
#include "world/motion.h"

#include "base/team.h"
#include "math/constants.h"
#include "math/trig.h"

enum { TURN_ITERATIONS = 60 };

// That of a sphere is the same in every frame, and set when it is added.
static void refresh_share(carom_world *world, int threads)
{
    int end = carom_team_end(world->count, threads);
    for (int i = carom_team_begin(world->count, threads); i < end; ++i) {
        if (world->fixed[i])
            world->inverse_inertia[i] = (sym3){ 0 };
        else if (!world->sphere[i])
            world->inverse_inertia[i] =
                sym3_rotate(quat_matrix(world->now.rotation[i]), sym3_inverse(world->inertia[i]));
    }
}
CAROM_TEAM_SHARE2(refresh_share, carom_world *, int)

void carom_motion_refresh(carom_world *world)
{
    int team = carom_team_worth(world->count, world->options.threads);
    CAROM_TEAM(team, refresh_share(world, team));
}

// One midpoint step in the body frame. The implicit midpoint rule keeps quadratic invariants, here
// the energy w.Jw/2 and |Jw|; turning the body by the Cayley transform of the same midpoint spin
// carries Jw along exactly, so that the angular momentum in space stays as well [Simo and Wong
// 1991].
static void turn_once(sym3 inertia, sym3 inverse, double h, quat *rotation, vec3 *body_spin)
{
    vec3 start = *body_spin, end = start, middle = start;
    for (int k = 0; k < TURN_ITERATIONS; ++k) {
        middle = vec3_scale(0.5, vec3_add(start, end));
        vec3 torque = vec3_cross(sym3_mul(inertia, middle), middle);
        vec3 next = vec3_axpy(start, h, sym3_mul(inverse, torque));
        vec3 change = vec3_sub(next, end);
        end = next;
        if (vec3_dot(change, change) <= 1e-33 * vec3_dot(end, end))
            break;
    }
    middle = vec3_scale(0.5, vec3_add(start, end));
    quat cayley = { 1, 0.5 * h * middle.x, 0.5 * h * middle.y, 0.5 * h * middle.z };
    *rotation = quat_unit(quat_mul(*rotation, cayley));
    *body_spin = end;
}

// Where every axis is a principal one the spin stays, and the turn is exact.
static void turn_exactly(double h, quat *rotation, vec3 spin, double speed)
{
    double turns = speed * h / CAROM_TWO_PI, angle = CAROM_TWO_PI * (turns - floor(turns));
    double along = carom_trig_sin(0.5 * angle) / speed;
    quat turn = { carom_trig_cos(0.5 * angle), along * spin.x, along * spin.y, along * spin.z };
    *rotation = quat_unit(quat_mul(turn, *rotation));
}

// The same with the spin as it is in space, a little at a time.
static void turn_slowly(double h, int pieces, quat *rotation, vec3 spin)
{
    double half = 0.5 * h / pieces;
    quat cayley = { 1, half * spin.x, half * spin.y, half * spin.z };
    for (int k = 0; k < pieces; ++k)
        *rotation = quat_unit(quat_mul(cayley, *rotation));
}

bool carom_motion_turn(sym3 inertia, double h, quat *rotation, vec3 *spin)
{
    double speed = vec3_length(*spin);
    if (speed == 0)
        return true;
    bool every_axis = sym3_is_number(inertia); // is a principal one
    if (!(speed * fabs(h) <= CAROM_MOTION_MOST)) {
        if (every_axis)
            turn_exactly(h, rotation, *spin, speed);
        return every_axis;
    }
    // an eighth of a radian per piece keeps the iteration contracting for any inertia a real body
    // has
    int pieces = (int)ceil(speed * fabs(h) * 8);
    if (every_axis) {
        turn_slowly(h, pieces, rotation, *spin);
        return true;
    }
    sym3 inverse = sym3_inverse(inertia);
    vec3 body_spin = quat_rotate(quat_conjugate(*rotation), *spin);
    for (int k = 0; k < pieces; ++k)
        turn_once(inertia, inverse, h / pieces, rotation, &body_spin);
    *spin = quat_rotate(*rotation, body_spin);
    return true;
}

// A time is a sum of steps, each with its rounding: after a million of them some 1e-10 of it.
static double round_off(double time)
{
    return 1e-9 * fabs(time);
}

double carom_motion_steady(const carom_world *world, double max)
{
    double now = world->now.ledger.time, min = round_off(now), until = max;
    for (int i = 0; i < world->count; ++i) {
        const carom_drive *drive = &world->drive[i];
        if (world->kind[i] != CAROM_BODY_DRIVEN || !(drive->frequency > 0))
            continue;
        double begin = drive->start - now, end = begin + drive->cycles / drive->frequency;
        if (begin > min && begin < until - min)
            until = begin;
        if (drive->cycles > 0 && end > min && end < until - min)
            until = end;
    }
    return until;
}

void carom_motion_drive(const carom_world *world, int i, double time, vec3 *position,
                        vec3 *velocity)
{
    const carom_drive *drive = &world->drive[i];
    double swung = time - drive->start, late = round_off(time); // s
    bool swings = swung >= -late;
    if (drive->cycles > 0 && (swung + late) * drive->frequency >= drive->cycles) {
        swung = drive->cycles / drive->frequency;
        swings = false;
    }
    // turns, not radians, are reduced: they stay exact for long runs
    double turns = drive->frequency * fmax(swung, 0);
    double angle = CAROM_TWO_PI * (turns - floor(turns)) + drive->phase;
    vec3 amplitude = vec3_from(drive->amplitude), steady = world->drive_steady[i];
    double shift = carom_trig_sin(angle) - carom_trig_sin(drive->phase);
    *position = vec3_axpy(vec3_axpy(world->drive_origin[i], time, steady), shift, amplitude);
    double speed = swings ? CAROM_TWO_PI * drive->frequency * carom_trig_cos(angle) : 0;
    *velocity = vec3_axpy(steady, speed, amplitude);
}

// Free motion: parabolas, free rotation and prescribed motion.
#include "world/motion.h"

#include "base/team.h"
#include "math/constants.h"
#include "math/trig.h"

enum { TURN_ITERATIONS = 60 };
#define LITTLE 2e-6 // rad: its cube, by which a step of second order is off, is below round-off

// That of a sphere is the same in every frame, and set when it is added.
static void refresh_share(carom_world *world, int threads)
{
    int end = carom_team_end(world->count, threads);
    for (int i = carom_team_begin(world->count, threads); i < end; ++i) {
        if (world->asleep[i])
            continue;
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

// tan(a) / a for |a| <= 1/8, by its series: what is left out is below 1e-17.
static double tangent_ratio(double a)
{
    const double term[] = { 1.0 / 3,         2.0 / 15,          17.0 / 315,          62.0 / 2835,
                            1382.0 / 155925, 21844.0 / 6081075, 929569.0 / 638512875 };
    double square = a * a, sum = 0;
    for (int k = 6; k >= 0; --k)
        sum = square * (term[k] + sum);
    return 1 + sum;
}

// One midpoint step in the body frame. The implicit midpoint rule keeps quadratic invariants, here
// the energy w.Jw/2 and |Jw|; turning the body by the Cayley transform of the same midpoint spin
// carries Jw along exactly, so that the angular momentum in space stays as well [Simo and Wong
// 1991]. The Cayley transform turns by 2 atan(a), a = |w| h / 2, where 2 a is meant: with the step
// longer by tan(a) / a all of this stays true, and a steady spin turns its body exactly.
static void turn_once(sym3 inertia, sym3 inverse, double h, quat *rotation, vec3 *body_spin)
{
    vec3 start = *body_spin, end = start, middle = start;
    double longer = h;
    for (int k = 0; k < TURN_ITERATIONS; ++k) {
        middle = vec3_scale(0.5, vec3_add(start, end));
        longer = h * tangent_ratio(0.5 * h * vec3_length(middle));
        vec3 torque = vec3_cross(sym3_mul(inertia, middle), middle);
        vec3 next = vec3_axpy(start, longer, sym3_mul(inverse, torque));
        vec3 change = vec3_sub(next, end);
        end = next;
        if (vec3_dot(change, change) <= 1e-33 * vec3_dot(end, end))
            break;
    }
    middle = vec3_scale(0.5, vec3_add(start, end));
    quat cayley = { 1, 0.5 * longer * middle.x, 0.5 * longer * middle.y, 0.5 * longer * middle.z };
    *rotation = quat_unit(quat_mul(*rotation, cayley));
    *body_spin = end;
}

// Steps of s, s, 1 - 4 s, s, s with s = 1/(4 - 4^(1/3)) cancel the error of second order [Suzuki
// 1990]. Where that is below round-off anyway, one step does.
static void turn_piece(sym3 inertia, sym3 inverse, double h, quat *rotation, vec3 *body_spin)
{
    const double s = 0.41449077179437573714, share[] = { s, s, 1 - 4 * s, s, s };
    if (vec3_length(*body_spin) * fabs(h) < LITTLE) {
        turn_once(inertia, inverse, h, rotation, body_spin);
        return;
    }
    for (int k = 0; k < 5; ++k)
        turn_once(inertia, inverse, share[k] * h, rotation, body_spin);
}

quat carom_motion_rotation(vec3 spin, double h)
{
    double speed = vec3_length(spin), half = 0.5 * speed * h;
    if (!(fabs(half) > 0))
        return (quat){ 1, 0.5 * h * spin.x, 0.5 * h * spin.y, 0.5 * h * spin.z };
    if (!(fabs(half) < CAROM_MOTION_MAX)) {
        double turns = half / CAROM_TWO_PI;
        half = CAROM_TWO_PI * (turns - floor(turns));
    }
    double along = carom_trig_sin(half) / speed;
    return (quat){ carom_trig_cos(half), along * spin.x, along * spin.y, along * spin.z };
}

// Turns by pieces of an eighth of a radian, which keeps the iteration contracting for any inertia a
// real body has.
static bool turn_by(void piece(sym3, sym3, double, quat *, vec3 *), sym3 inertia, sym3 inverse,
                    double h, quat *rotation, vec3 *spin)
{
    double speed = vec3_length(*spin);
    if (speed == 0)
        return true;
    if (sym3_is_number(inertia)) { // every axis is a principal one: the spin stays
        *rotation = quat_unit(quat_mul(carom_motion_rotation(*spin, h), *rotation));
        return true;
    }
    if (!(speed * fabs(h) <= CAROM_MOTION_MAX))
        return false;
    int pieces = (int)ceil(speed * fabs(h) * 8);
    vec3 body_spin = quat_rotate(quat_conjugate(*rotation), *spin);
    for (int k = 0; k < pieces; ++k)
        piece(inertia, inverse, h / pieces, rotation, &body_spin);
    *spin = quat_rotate(*rotation, body_spin);
    return true;
}

bool carom_motion_turn(sym3 inertia, double h, quat *rotation, vec3 *spin)
{
    sym3 inverse = sym3_is_number(inertia) ? inertia : sym3_inverse(inertia); // not needed there
    return turn_by(turn_piece, inertia, inverse, h, rotation, spin);
}

bool carom_motion_turn_midpoint(sym3 inertia, sym3 inverse, double h, quat *rotation, vec3 *spin)
{
    return turn_by(turn_once, inertia, inverse, h, rotation, spin);
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

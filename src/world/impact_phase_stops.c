// Stops of hinges and sliders in the instant they are met.
//
// A stop is a contact between the two bodies of its joint, without friction and with a restitution
// of its own: the law answers it together with all joints of the linkage (impact_phase_joints.c),
// and together with the contacts of that linkage if one of them is an impact, too. Here are the
// stops that are met alone.
#include "world/impact_phase.h"
#include "world/journal.h"
#include "world/ledger.h"
#include "world/linkage.h"

double carom_impact_phase_stops_lever(const carom_world *world, const carom_world_joint *joint)
{
    double lever = 0;
    if (joint->a >= 0 && !world->fixed[joint->a])
        lever = carom_shape_radius(world->shape[joint->a]);
    if (joint->b >= 0 && !world->fixed[joint->b])
        lever = fmax(lever, carom_shape_radius(world->shape[joint->b]));
    return lever;
}

// m per unit of the position.
static double scale_of(const carom_world *world, const carom_world_joint *joint)
{
    return joint->kind == CAROM_JOINT_HINGE ? carom_impact_phase_stops_lever(world, joint) : 1;
}

// m/s: how fast a joint goes against its stop.
static double approach(const carom_world *world, const carom_world_joint *joint, int side)
{
    carom_joint_ends ends = carom_world_joint_ends(world, joint);
    double speed = scale_of(world, joint) * carom_world_joint_speed(world, joint, &ends);
    return side ? -speed : speed;
}

void carom_impact_phase_stops_find(const carom_step *step)
{
    carom_world *world = step->world;
    for (int j = 0; j < world->joint_count; ++j)
        for (int side = 0; side < 2; ++side) {
            carom_world_joint *joint = &world->joints[j];
            joint->met[side] = false;
            if (!joint->bounded[side] || joint->broken)
                continue;
            carom_joint_ends ends = carom_world_joint_ends(world, joint);
            double position = carom_joint_position(joint, &ends);
            double gap = -scale_of(world, joint) * carom_joint_excess(joint, position, side);
            // a moment that is not looked for happens at the start of its interval
            double way = step->locates ? 0 : step->remaining * approach(world, joint, side);
            joint->met[side] = gap <= world->options.touch || gap < way;
        }
}

// Whether a stop of a linkage is met fast enough.
static bool strikes(const carom_world *world, const carom_linkage_part *part)
{
    double slow = carom_resting_fine(world);
    for (int k = 0; k < part->joint_count; ++k) {
        const carom_world_joint *joint =
            &world->joints[world->linkage->joint[part->first_joint + k]];
        for (int side = 0; side < 2; ++side)
            if (joint->met[side] && approach(world, joint, side) > slow)
                return true;
    }
    return false;
}

static carom_impact_body copy_of(const carom_world *world, int i)
{
    sym3 s = world->inverse_inertia[i];
    carom_impact_body copy = { .inverse_mass = world->inverse_mass[i],
                               .inverse_inertia = { s.xx, s.yy, s.zz, s.xy, s.xz, s.yz } };
    vec3_store(world->now.position[i], copy.position);
    vec3_store(world->now.velocity[i], copy.velocity);
    vec3_store(world->now.spin[i], copy.spin);
    return copy;
}

static carom_status resolve_part(carom_world *world, const carom_linkage_part *part,
                                 carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(world->scratch);
    const int *member = world->linkage->member + part->first;
    carom_impact_body *bodies;
    carom_impact_outcome out = { 0 };
    double loss = 0;
    TAKE(world->scratch, bodies, part->count, err);
    TAKE(world->scratch, out.velocities, part->count, err);
    TAKE(world->scratch, out.spins, part->count, err);
    TAKE(world->scratch, out.impulses, 1, err);
    for (int m = 0; m < part->count; ++m)
        bodies[m] = copy_of(world, member[m]);
    const carom_impact impact = { part->count, 0, bodies, NULL };
    TRY(carom_impact_phase_joints_resolve(world, member, &impact, &out, err));
    for (int m = 0; m < part->count; ++m) {
        int i = member[m];
        carom_twist before = { world->now.velocity[i], world->now.spin[i] };
        carom_twist after = { vec3_from(out.velocities[m]), vec3_from(out.spins[m]) };
        loss += carom_ledger_kinetic_lost(world, i, before, after);
        world->now.velocity[i] = after.linear;
        world->now.spin[i] = after.angular;
    }
    carom_journal_judge(world, &out.report, 0);
    world->now.ledger.stops += loss + out.report.work;
    world->now.ledger.driven += out.report.work;
    ++world->now.ledger.impacts;
    ++world->profile.instants;
    carom_arena_rewind(world->scratch, mark);
    return CAROM_OK;
}

carom_status carom_impact_phase_stops_resolve(carom_step *step, bool *any, carom_error *err)
{
    carom_world *world = step->world;
    bool met = false;
    *any = false;
    for (int j = 0; j < world->joint_count && !met; ++j)
        met = world->joints[j].met[0] || world->joints[j].met[1];
    if (!met)
        return CAROM_OK;
    TRY(carom_linkage_prepare(world, err));
    for (int k = 0; k < world->linkage->part_count; ++k)
        if (strikes(world, &world->linkage->parts[k])) {
            TRY(resolve_part(world, &world->linkage->parts[k], err));
            *any = step->struck = true;
        }
    return CAROM_OK;
}

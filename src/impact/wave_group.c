// Active contacts of the law `wave` with loss and friction into lanes, and back.
//
// They keep the order of the list, in which bodies add up kicks: the bits are those of contacts one
// by one.
#include "impact/wave_group.h"

// Opening speed, in the first speed, below which a contact counts as held: HELD, plus
// HELD_INELASTIC (1 - HELD_FALL e^2) where that is positive, e < 0.1.
#define HELD 1e-12
#define HELD_INELASTIC 0.02
#define HELD_FALL 100

static void put_bodies(const wave_field *field, int i, wave_group *group, int lane);
static void put_contact(const wave_field *field, const wave_run *run, int i, wave_group *group,
                        int lane);
static void take_contact(const wave_group *group, int lane, wave_dissipative *state);

void carom_wave_group_pack(wave_field *field, const wave_run *run, int piece)
{
    const int which = run->first_piece + piece, count = field->active_count[which];
    const int *active_contacts = field->active_contacts + field->first_place[which];
    wave_group *groups = field->groups + wave_first_group(field, which);
    for (int g = 0; g < wave_group_count(field, which); ++g) {
        int rest = count - LANES * g;
        if (rest < LANES)
            memset(&groups[g], 0, sizeof groups[g]);
        groups[g].count = rest < LANES ? rest : LANES;
        groups[g].lossy = groups[g].rough = false;
        for (int lane = 0; lane < groups[g].count; ++lane)
            put_contact(field, run, active_contacts[LANES * g + lane], &groups[g], lane);
        for (int lane = groups[g].count; lane < LANES; ++lane)
            put_bodies(field, active_contacts[LANES * g], &groups[g], lane);
    }
    for (int j = 0; j < count && run->pieces > run->inner; ++j)
        field->slot[active_contacts[j]] = LANES * wave_first_group(field, which) + j;
}

void carom_wave_group_unpack(wave_field *field, const wave_run *run, int piece)
{
    const int which = run->first_piece + piece;
    const wave_group *groups = field->groups + wave_first_group(field, which);
    for (int g = 0; g < wave_group_count(field, which); ++g)
        for (int lane = 0; lane < groups[g].count; ++lane)
            take_contact(&groups[g], lane, &field->dissipative[groups[g].place[lane]]);
}

static void set3(lanes3 *to, int lane, vec3 v)
{
    to->x[lane] = v.x;
    to->y[lane] = v.y;
    to->z[lane] = v.z;
}

static vec3 get3(const lanes3 *from, int lane)
{
    return vec3_make(from->x[lane], from->y[lane], from->z[lane]);
}

static void set_sym3(lanes_sym3 *to, int lane, sym3 s)
{
    to->xx[lane] = s.xx;
    to->yy[lane] = s.yy;
    to->zz[lane] = s.zz;
    to->xy[lane] = s.xy;
    to->xz[lane] = s.xz;
    to->yz[lane] = s.yz;
}

static void put_spring(const wave_field *field, int i, wave_group *group, int lane)
{
    const carom_impact_contact *contact = &field->problem->contacts[field->order[i]];
    double exponent = field->set.exponent;
    group->k[lane] = contact->stiffness;
    group->exponent[lane] = exponent > 0 ? exponent : contact->exponent;
    group->gap[lane] = field->springs ? field->springs[i].gap : 0;
    group->driven_speed[lane] = field->driven_speed ? field->driven_speed[i] : 0;
    if (field->arms) {
        set3(&group->turn_a, lane, field->arms[i].a);
        set3(&group->turn_b, lane, field->arms[i].b);
    }
}

static void put_bodies(const wave_field *field, int i, wave_group *group, int lane)
{
    int a = field->contacts[i].a, b = field->contacts[i].b;
    group->a[lane] = a;
    group->b[lane] = b;
    group->v_a[lane] = &field->bodies[a].v.x;
    group->v_b[lane] = &field->bodies[b].v.x;
    group->inverse_mass_a[lane] = field->bodies[a].inverse_mass;
    group->inverse_mass_b[lane] = field->bodies[b].inverse_mass;
    group->moves_a[lane] = field->bodies[a].inverse_mass > 0;
    group->moves_b[lane] = field->bodies[b].inverse_mass > 0;
    if (field->spins) {
        group->w_a[lane] = &field->spins[a].w.x;
        group->w_b[lane] = &field->spins[b].w.x;
        set_sym3(&group->inverse_inertia_a, lane, field->spins[a].inverse_inertia);
        set_sym3(&group->inverse_inertia_b, lane, field->spins[b].inverse_inertia);
    }
}

// Held: round-off, but where nothing or next to nothing is returned (e < 0.1) up to a fiftieth of
// the approach. What such a contact gives while it opens faster is an error, to be taken back by
// the scalar.
static void put_contact(const wave_field *field, const wave_run *run, int i, wave_group *group,
                        int lane)
{
    const wave_dissipative *state = &field->dissipative[i];
    double falling = 1 - HELD_FALL * state->e2;
    put_bodies(field, i, group, lane);
    put_spring(field, i, group, lane);
    group->place[lane] = i;
    group->held[lane] = run->first_speed * (HELD + HELD_INELASTIC * (falling > 0 ? falling : 0));
    set3(&group->d, lane, field->contacts[i].d);
    set3(&group->arm_a, lane, state->arm_a);
    set3(&group->arm_b, lane, state->arm_b);
    group->lossy |= state->e2 < 1;
    group->rough |= state->mu > 0;
    group->mu[lane] = state->mu;
    group->e2[lane] = state->e2;
    group->w_nn[lane] = state->wnn_a + state->wnn_b;
    group->wnn_a[lane] = state->wnn_a;
    group->wnn_b[lane] = state->wnn_b;
    group->wtt_a[lane] = state->wtt_a;
    group->wtt_b[lane] = state->wtt_b;
    group->full[lane] = state->full;
    group->u0[lane] = state->u0;
    group->dp[lane] = state->dp;
    set3(&group->x, lane, state->x);
    group->normal[lane] = state->normal;
    group->normal_before[lane] = state->normal_before;
    set3(&group->friction, lane, state->friction);
    set3(&group->friction_before, lane, state->friction_before);
    group->pressed[lane] = state->pressed;
    set3(&group->impulse, lane, state->impulse);
    set3(&group->release, lane, state->release);
    group->stored[lane] = state->stored;
    group->due[lane] = state->due;
    group->returned[lane] = state->returned;
}

static void take_contact(const wave_group *group, int lane, wave_dissipative *state)
{
    state->full = group->full[lane];
    state->u0 = group->u0[lane];
    state->dp = group->dp[lane];
    state->x = get3(&group->x, lane);
    state->normal = group->normal[lane];
    state->normal_before = group->normal_before[lane];
    state->friction = get3(&group->friction, lane);
    state->friction_before = get3(&group->friction_before, lane);
    state->pressed = group->pressed[lane];
    state->impulse = get3(&group->impulse, lane);
    state->release = get3(&group->release, lane);
    state->stored = group->stored[lane];
    state->due = group->due[lane];
    state->returned = group->returned[lane];
}

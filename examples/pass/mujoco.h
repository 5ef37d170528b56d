// Carom's impact pass in MuJoCo: call pass_mujoco_step in place of mj_step. Bodies on a free joint, with
// nothing on them, take part; all others are driven to the pass: they push, and what pushes them is MuJoCo's.
// That neighbours touch has to be seen: give shapes a margin, and the same gap, within which no force acts.
#pragma once
#include <carom/pass.h>
#include <mujoco/mujoco.h>

// Where the free joint of a body has its velocity, -1: it has none.
static inline int pass_mujoco_free(const mjModel *m, int body)
{
    int joint = m->body_jntadr[body];
    return joint >= 0 && m->jnt_type[joint] == mjJNT_FREE && m->body_subtreemass[body] == m->body_mass[body]
               ? m->jnt_dofadr[joint]
               : -1;
}
static inline void pass_mujoco_add(const mjModel *m, const mjData *d, int body, carom_pass *pass)
{
    carom_impact_body one = { 0 };
    mjtNum turn[4], v[6];
    const mjtNum *I = m->body_inertia + 3 * body;
    mju_mulQuat(turn, d->xquat + 4 * body, m->body_iquat + 4 * body);
    mj_objectVelocity(m, d, mjOBJ_BODY, body, v, 0); // spin, and velocity of the centre of mass
    mju_copy3(one.spin, v);
    mju_copy3(one.velocity, v + 3);
    mju_copy3(one.position, d->xipos + 3 * body);
    if (pass_mujoco_free(m, body) >= 0) {
        one.inverse_mass = 1 / m->body_mass[body];
        carom_pass_inverse_inertia((double[]){ I[0], I[1], I[2], 0, 0, 0 }, turn, one.inverse_inertia);
    }
    carom_pass_add_body(pass, &one);
}
// Velocity of the joint from that of the centre of mass: its origin is elsewhere, its spin in its own frame.
static inline void pass_mujoco_take(const mjModel *m, mjData *d, int body, const carom_pass_motion *motion)
{
    int at = pass_mujoco_free(m, body);
    mjtNum arm[3], back[4], *v = d->qvel + at;
    if (at < 0 || !motion->struck)
        return;
    mju_sub3(arm, d->xpos + 3 * body, d->xipos + 3 * body);
    mju_cross(v, motion->spin, arm);
    mju_addTo3(v, motion->velocity);
    mju_negQuat(back, d->xquat + 4 * body);
    mju_rotVecQuat(v + 3, motion->spin, back);
    mju_addTo3(d->qpos + m->jnt_qposadr[m->body_jntadr[body]], motion->shift);
}
// One step. MuJoCo has no restitution, so it is given here, for all contacts. A failed pass leaves the
// velocities to MuJoCo.
static inline carom_status pass_mujoco_step(const mjModel *m, mjData *d, carom_pass *pass, double restitution,
                                            carom_error *err)
{
    mj_step1(m, d); // contacts and velocities
    carom_pass_begin(pass);
    for (int i = 0; i < m->nbody; ++i)
        pass_mujoco_add(m, d, i, pass);
    for (int i = 0; i < d->ncon; ++i) {
        const mjContact *c = &d->contact[i];
        carom_pass_contact one = { m->geom_bodyid[c->geom1], m->geom_bodyid[c->geom2], { 0 }, { 0 }, c->dist,
                                   restitution, c->friction[0] };
        mju_copy3(one.point, c->pos);
        mju_copy3(one.normal, c->frame);
        carom_pass_add_contact(pass, &one);
    }
    carom_status status = carom_pass_resolve(pass, m->opt.timestep, NULL, err);
    for (int i = 0; i < m->nbody; ++i)
        pass_mujoco_take(m, d, i, carom_pass_body(pass, i));
    for (int i = 0; i < d->ncon; ++i) {
        d->contact[i].dist = carom_pass_distance(pass, i);
        if (carom_pass_parts(pass, i) || d->contact[i].dist >= d->contact[i].includemargin)
            d->contact[i].exclude = 1; // seen, and without a force
    }
    mj_makeConstraint(m, d);
    mj_projectConstraint(m, d);
    mj_fwdVelocity(m, d);
    mj_step2(m, d);
    return status;
}

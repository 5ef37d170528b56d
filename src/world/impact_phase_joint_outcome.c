// What an instant with joints did: the work of its impulses, what still approaches, and the report.
#include <string.h>
#include "world/impact_phase_joints.h"

// Gains below this part of the work done are round-off.
#define ROUND_OFF 1e-13

typedef carom_impact_joint_link link;
typedef carom_impact_joint_split split;

typedef struct impulse_work {
    double slope, curvature, size; // J
} impulse_work;

static vec3 impulse_of(const split *s, int i)
{
    vec3 n = vec3_from(s->contacts[i].normal), t1, t2;
    const double *p = s->answer.impulses[i];
    vec3_tangents(n, &t1, &t2);
    return vec3_axpy(vec3_axpy(vec3_scale(p[0], n), p[1], t1), p[2], t2);
}

// Work of the impulses: of t times all of them slope t + curvature t^2 / 2. Joints at rest do none;
// stops do.
static impulse_work work_of(const split *s)
{
    impulse_work sum = { 0, 0, 0 };
    for (int i = 0; i < s->reduced.contact_count; ++i) {
        vec3 p = impulse_of(s, i);
        double first =
            vec3_dot(p, carom_impact_joint_relative_velocity(s, &s->contacts[i], s->start));
        double last = vec3_dot(p, carom_impact_joint_relative_velocity(s, &s->contacts[i], s->end));
        sum.slope += first;
        sum.curvature += last - first;
        sum.size += fabs(first) + fabs(last);
    }
    for (int i = 0; i < s->active_count; ++i) {
        const link *one = &s->links[s->active[i]];
        if (one->bounce < 0)
            continue;
        double first = one->q * (carom_row_speed(&one->row, s->start) - one->drive);
        double last = one->q * (carom_row_speed(&one->row, s->end) - one->drive);
        sum.slope += first;
        sum.curvature += last - first;
        sum.size += fabs(first) + fabs(last);
    }
    return sum;
}

bool carom_impact_joint_gains(const split *s)
{
    impulse_work sum = work_of(s);
    return s->active_count > 0 && sum.slope + 0.5 * sum.curvature > ROUND_OFF * sum.size;
}

bool carom_impact_joint_is_elastic(const split *s)
{
    for (int i = 0; i < s->reduced.contact_count; ++i)
        if (s->contacts[i].restitution < 1 || s->contacts[i].friction > 0)
            return false;
    for (int k = 0; k < s->link_count; ++k)
        if (s->links[k].bounce >= 0 && s->links[k].bounce < 1)
            return false;
    return carom_law_bounces(s->law) && (carom_law_promises(s->law) & CAROM_KIN);
}

void carom_impact_joint_shorten(split *s)
{
    impulse_work sum = work_of(s);
    if (!carom_impact_joint_gains(s))
        return;
    double part = sum.slope < 0 ? -2 * sum.slope / sum.curvature : 0;
    for (int i = 0; i < s->system.impact->body_count; ++i) {
        const carom_twist *from = &s->start[i];
        carom_twist *to = &s->end[i];
        to->linear = vec3_axpy(from->linear, part, vec3_sub(to->linear, from->linear));
        to->angular = vec3_axpy(from->angular, part, vec3_sub(to->angular, from->angular));
    }
    for (int i = 0; i < s->reduced.contact_count; ++i)
        for (int k = 0; k < 3; ++k)
            s->answer.impulses[i][k] *= part;
    for (int k = 0; k < s->link_count; ++k)
        s->links[k].q *= part;
    ++s->answer.report.limited;
    s->answer.report.limiter = fmin(s->answer.report.limiter, part);
}

double carom_impact_joint_approach_left(const split *s)
{
    double fastest = 0;
    for (int i = 0; i < s->reduced.contact_count; ++i) {
        vec3 n = vec3_from(s->contacts[i].normal);
        fastest =
            fmax(fastest,
                 -vec3_dot(n, carom_impact_joint_relative_velocity(s, &s->contacts[i], s->end)));
    }
    return fastest;
}

static double energy_of(const carom_impact_body *body, vec3 v, vec3 w)
{
    return body->inverse_mass == 0
               ? 0
               : 0.5 * vec3_dot(v, v) / body->inverse_mass +
                     0.5 * sym3_divide(carom_impact_joint_inverse_inertia(body), w);
}

// What the far end of a stop brings in, where it is driven.
static double stop_work(const split *s, int i)
{
    const carom_impact_contact *contact = &s->contacts[i];
    int first = s->system.impact->body_count;
    double work = 0;
    for (int k = 0; k < 2; ++k) {
        int place = k ? contact->b : contact->a;
        if (place <= first)
            continue;
        vec3 arm = vec3_sub(vec3_from(contact->point), vec3_from(s->bodies[place].position));
        vec3 v = vec3_add(s->start[place].linear, vec3_cross(s->start[place].angular, arm));
        work += (k ? -1 : 1) * vec3_dot(impulse_of(s, i), v);
    }
    return work;
}

void carom_impact_joint_report(const split *s, carom_impact_outcome *out)
{
    const carom_impact *impact = s->system.impact;
    out->report = s->reduced.contact_count > 0 ? s->answer.report : carom_impact_report_default();
    carom_impact_report *r = &out->report;
    for (int i = 0; i < impact->body_count; ++i) {
        vec3_store(s->end[i].linear, out->velocities[i]);
        vec3_store(s->end[i].angular, out->spins[i]);
    }
    carom_reduced_body_expand(&s->system, out->velocities, out->spins);
    r->energy_before = r->energy_after = r->penetration = 0;
    for (int i = 0; i < impact->body_count; ++i) {
        const carom_impact_body *body = &impact->bodies[i];
        r->energy_before += energy_of(body, vec3_from(body->velocity), vec3_from(body->spin));
        r->energy_after += energy_of(body, vec3_from(out->velocities[i]), vec3_from(out->spins[i]));
    }
    for (int k = 0; k < s->link_count; ++k) { // anchors that are driven
        const link *one = &s->links[k];
        r->work += (one->spent + (one->on ? one->q : 0)) * one->drive;
    }
    memset(out->impulses, 0, (size_t)impact->contact_count * sizeof *out->impulses);
    for (int i = 0; i < s->reduced.contact_count; ++i) {
        vec3 n = vec3_from(s->contacts[i].normal);
        double u = vec3_dot(n, carom_impact_joint_relative_velocity(s, &s->contacts[i], s->end));
        r->penetration = fmax(r->penetration, -u);
        if (s->contact_of[i] >= 0)
            memcpy(out->impulses[s->contact_of[i]], s->answer.impulses[i], sizeof *out->impulses);
        else
            r->work += stop_work(s, i);
    }
}

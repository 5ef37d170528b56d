// One contact with friction on a linkage: exact, for every law.
//
// The split around the law (impact_phase_joints.c) leaves the law with the answer of free bodies.
// Along the normal alone that cancels out; friction turns with the slip, and the slip with the
// answer that the law sees. Of a single contact the law need only know W = J P J^T (3 x 3), the
// relative velocity, friction and restitution, and one rigid body that strikes something immovable
// has any W: with the eigenvalues w0 <= w1 <= w2 and axes e0, e1, e2 of W,
//     1/m = w0,   arm r = e0 (1 m),   I^-1 = (w2 - w0) e1 e1^T + (w1 - w0) e2 e2^T,
// as the answer of a body is 1/m - [r] I^-1 [r]. That body goes to the law; its impulse acts on the
// linkage.
#include <string.h>
#include "solve/eigen.h"
#include "world/impact_phase_joints.h"

// Least part of the largest eigenvalue: a direction in which joints let nothing move.
#define FAINT 1e-13

typedef carom_impact_joint_split split;

bool carom_impact_joint_is_single(const split *s)
{
    if (s->reduced.contact_count != 1 || s->contact_of[0] < 0 || !(s->contacts[0].friction > 0) ||
        s->link_count == 0)
        return false;
    for (int k = 0; k < s->link_count; ++k)
        if (s->links[k].bounce >= 0) // a stop has a restitution of its own
            return false;
    return true;
}

static void kick_body(const split *s, int place, vec3 point, vec3 impulse, carom_twist *v)
{
    const carom_impact_body *body = &s->bodies[place];
    vec3 arm = vec3_sub(point, vec3_from(body->position));
    vec3 turn = sym3_mul(carom_impact_joint_inverse_inertia(body), vec3_cross(arm, impulse));
    v[place].linear = vec3_axpy(v[place].linear, body->inverse_mass, impulse);
    v[place].angular = vec3_add(v[place].angular, turn);
}

// What an impulse at the contact makes of the velocities before, joints apart, in s->end.
static void kick(split *s, vec3 impulse)
{
    const carom_impact_contact *contact = &s->contacts[0];
    vec3 point = vec3_from(contact->point);
    vec3 point_b = vec3_sub(point, vec3_from(contact->shift));
    memcpy(s->end, s->start, carom_impact_joint_places(s) * sizeof *s->end);
    kick_body(s, contact->a, point, vec3_neg(impulse), s->end);
    kick_body(s, contact->b, point_b, impulse, s->end);
}

static vec3 speed_at_end(const split *s)
{
    return carom_impact_joint_relative_velocity(s, &s->contacts[0], s->end);
}

// W, row by row; by impulses that change speeds by about as much as the impact does.
// `before`: the relative velocity where joints and strings are met and the contact does nothing yet.
static carom_status answer_of(split *s, double w[9], vec3 *before, carom_error *err)
{
    const vec3 none = { 0, 0, 0 };
    vec3 n = vec3_from(s->contacts[0].normal);
    kick(s, none);
    vec3 first = speed_at_end(s);
    TRY(carom_impact_joint_project(s, s->end, false, err));
    *before = speed_at_end(s);
    kick(s, n);
    double size = s->scale / vec3_dot(n, vec3_sub(speed_at_end(s), first));
    for (int k = 0; k < 3; ++k) {
        kick(s, vec3_make(size * (k == 0), size * (k == 1), size * (k == 2)));
        TRY(carom_impact_joint_project(s, s->end, false, err));
        vec3 change = vec3_scale(1 / size, vec3_sub(speed_at_end(s), *before));
        w[k] = change.x;
        w[3 + k] = change.y;
        w[6 + k] = change.z;
    }
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < i; ++k)
            w[3 * i + k] = w[3 * k + i] = 0.5 * (w[3 * i + k] + w[3 * k + i]);
    return CAROM_OK;
}

static void add_square(double *inertia, double size, vec3 e)
{
    const double square[6] = { e.x * e.x, e.y * e.y, e.z * e.z, e.x * e.y, e.x * e.z, e.y * e.z };
    for (int k = 0; k < 6; ++k)
        inertia[k] += size * square[k];
}

// The body whose answer at the origin is W, moving with `velocity`.
static void stand_in(const double w[9], vec3 velocity, carom_impact_body *body)
{
    double axes[9], value[3], work[6];
    vec3 e[3];
    memcpy(axes, w, sizeof axes);
    carom_eigen_symmetric(3, axes, value, work);
    for (int k = 0; k < 3; ++k)
        e[k] = vec3_make(axes[k], axes[3 + k], axes[6 + k]);
    *body = carom_impact_body_default();
    body->inverse_mass = fmax(value[0], FAINT * value[2]);
    memset(body->inverse_inertia, 0, sizeof body->inverse_inertia);
    add_square(body->inverse_inertia, value[2] - value[0], e[0]); // about the arm: without effect
    add_square(body->inverse_inertia, value[2] - value[0], e[1]);
    add_square(body->inverse_inertia, value[1] - value[0], e[2]);
    vec3_store(vec3_neg(e[0]), body->position);
    vec3_store(velocity, body->velocity);
}

carom_status carom_impact_joint_single(split *s, carom_error *err)
{
    carom_impact_body bodies[2] = { carom_impact_body_default() };
    carom_impact_contact contact = s->contacts[0];
    carom_impact alone = { 2, 1, bodies, &contact };
    double w[9], velocities[2][3], spins[2][3], impulses[1][3];
    carom_impact_outcome out = { velocities, spins, impulses, carom_impact_report_default() };
    vec3 n = vec3_from(contact.normal), before, t1, t2;
    TRY(answer_of(s, w, &before, err));
    bodies[0].inverse_mass = 0;
    stand_in(w, before, &bodies[1]);
    contact.a = 0;
    contact.b = 1;
    memset(contact.point, 0, sizeof contact.point);
    memset(contact.shift, 0, sizeof contact.shift);
    TRY(carom_impact_resolve(s->world->workspace, &alone, s->law, &s->options, &out, err));
    vec3_tangents(n, &t1, &t2);
    vec3 impulse = vec3_axpy(vec3_axpy(vec3_scale(impulses[0][0], n), impulses[0][1], t1),
                             impulses[0][2], t2);
    kick(s, impulse);
    TRY(carom_impact_joint_project(s, s->end, true, err));
    memcpy(s->answer.impulses[0], impulses[0], sizeof impulses[0]);
    s->answer.report = out.report;
    return CAROM_OK;
}

// The impulse of one contact alone with friction [ETM, section 4]; the header derives it.
#include "impact/two_body.h"

static vec3 sliding_impulse(const carom_two_body *pair, vec3 stick, double dn);
static double friction_share(double start, double end, double spare);

carom_two_body carom_two_body_make(const carom_problem *problem, int contact)
{
    carom_two_body pair = { .contact = contact, .mu = problem->contacts[contact].friction };
    const carom_row *n = &problem->normal[contact];
    pair.k.xx = n->diagonal;
    pair.frictional = pair.mu > 0;
    if (pair.frictional) {
        const carom_row *t = carom_problem_tangents(problem, contact);
        pair.k.yy = t[0].diagonal;
        pair.k.zz = t[1].diagonal;
        pair.k.xy = carom_row_coupling(n, &t[0]);
        pair.k.xz = carom_row_coupling(n, &t[1]);
        pair.k.yz = carom_row_coupling(&t[0], &t[1]);
    }
    return pair;
}

vec3 carom_two_body_relative_velocity(const carom_problem *problem, const carom_two_body *pair,
                                      const carom_twist *v)
{
    vec3 u = { carom_row_speed(&problem->normal[pair->contact], v), 0, 0 };
    if (pair->frictional) {
        u.y = carom_row_speed(&carom_problem_tangents(problem, pair->contact)[0], v);
        u.z = carom_row_speed(&carom_problem_tangents(problem, pair->contact)[1], v);
    }
    return u;
}

double carom_two_body_impulse(const carom_two_body *pair, vec3 u, double dn, double spare, vec3 *p)
{
    vec3 frictionless = { dn / pair->k.xx, 0, 0 };
    *p = frictionless;
    if (!pair->frictional || dn <= 0)
        return 1;
    // [ETM eq 50]: no tangential velocity afterwards but the restored one, p = K^-1 du.
    double back = 1 + pair->tangential_restitution;
    vec3 stick = sym3_mul(sym3_inverse(pair->k), vec3_make(dn, -back * u.y, -back * u.z));
    bool inside = stick.x > 0 && sqrt(stick.y * stick.y + stick.z * stick.z) <= pair->mu * stick.x;
    vec3 frictional = inside ? stick : sliding_impulse(pair, stick, dn);
    vec3 none = sym3_mul(pair->k, frictionless);
    double start = frictional.y * (u.y + 0.5 * none.y) + frictional.z * (u.z + 0.5 * none.z);
    double share =
        friction_share(start, carom_two_body_tangential_work(pair, u, frictional), spare);
    *p = vec3_axpy(frictionless, share, vec3_sub(frictional, frictionless));
    return share;
}

// [ETM eqs 54, 55]: on the edge of the cone, in the direction of the sticking impulse. Where no
// impulse along that edge separates the bodies, the frictionless one.
static vec3 sliding_impulse(const carom_two_body *pair, vec3 stick, double dn)
{
    double length = sqrt(stick.y * stick.y + stick.z * stick.z);
    vec3 edge = { 1, pair->mu * stick.y / length, pair->mu * stick.z / length };
    double gain = vec3_dot(vec3_make(pair->k.xx, pair->k.xy, pair->k.xz), edge);
    return length > 0 && gain > 0 ? vec3_scale(dn / gain, edge) : vec3_make(dn / pair->k.xx, 0, 0);
}

double carom_two_body_tangential_work(const carom_two_body *pair, vec3 u, vec3 p)
{
    vec3 change = sym3_mul(pair->k, p);
    return p.y * (u.y + 0.5 * change.y) + p.z * (u.z + 0.5 * change.z);
}

// Largest b in [0, 1] such that frictionless + b (frictional - frictionless) does at most `spare`
// tangential work. That work is p_t . (u_t + du_t / 2), p_t = b p_t(frictional) and du_t affine in
// b: a quadratic that is b start + b^2 (end - start), `end` at b = 1.
static double friction_share(double start, double end, double spare)
{
    if (end <= spare)
        return 1;
    double curve = end - start, disc = start * start + 4 * curve * spare;
    double root = sqrt(disc > 0 ? disc : 0);
    return start > 0 ? 2 * spare / (start + root) : (root - start) / (2 * curve);
}

void carom_two_body_apply(const carom_problem *problem, const carom_two_body *pair, vec3 p,
                          carom_motion *motion)
{
    int i = pair->contact;
    carom_row_apply(&problem->normal[i], p.x, motion->v);
    motion->p[i][0] += p.x;
    if (!pair->frictional)
        return;
    carom_row_apply(&carom_problem_tangents(problem, i)[0], p.y, motion->v);
    carom_row_apply(&carom_problem_tangents(problem, i)[1], p.z, motion->v);
    motion->p[i][1] += p.y;
    motion->p[i][2] += p.z;
}

carom_single_contact carom_two_body_single_contact(const carom_two_body *pair, vec3 u,
                                                   double restitution)
{
    const sym3 *k = &pair->k;
    return (carom_single_contact){ .normal_response = k->xx,
                                   .coupling = { k->xy, k->xz },
                                   .tangential_response = { k->yy, k->yz, k->zz },
                                   .approach = u.x,
                                   .slip = { u.y, u.z },
                                   .friction = pair->mu,
                                   .restitution = restitution };
}

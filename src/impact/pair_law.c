// Laws of one contact; see pair_law.h.
#include "impact/pair_law.h"

static double across(vec3 p)
{
    return sqrt(p.y * p.y + p.z * p.z);
}

static vec3 kane(const carom_two_body *pair, vec3 u, double e)
{
    double dn = -(1 + e) * u.x, slip = across(u);
    vec3 stick = sym3_mul(sym3_inverse(pair->k), vec3_make(dn, -u.y, -u.z));
    if (stick.x > 0 && across(stick) <= pair->mu * stick.x)
        return stick;
    vec3 edge = { 1, 0, 0 };
    if (slip > 0)
        edge = vec3_make(1, -pair->mu * u.y / slip, -pair->mu * u.z / slip);
    double gain = vec3_dot(vec3_make(pair->k.xx, pair->k.xy, pair->k.xz), edge);
    return gain > 0 ? vec3_scale(dn / gain, edge) : vec3_make(dn / pair->k.xx, 0, 0);
}

static vec3 chatterjee(const carom_two_body *pair, vec3 u, double e)
{
    vec3 first = { -u.x / pair->k.xx, 0, 0 };
    vec3 second = vec3_neg(sym3_mul(sym3_inverse(pair->k), u));
    vec3 way = vec3_sub(second, first), bounce = vec3_scale(1 + e, first);
    vec3 p = vec3_axpy(bounce, 1 + pair->tangential_restitution, way);
    if (across(p) <= pair->mu * p.x)
        return p;
    double share = pair->mu * bounce.x / (across(second) - pair->mu * way.x);
    return vec3_axpy(bounce, share, way);
}

vec3 carom_pair_law_impulse(carom_pair_law law, const carom_two_body *pair, vec3 u, double e)
{
    double p[3];
    if (!pair->frictional)
        return vec3_make(-(1 + e) * u.x / pair->k.xx, 0, 0);
    if (law == CAROM_PAIR_LAW_KANE)
        return kane(pair, u, e);
    if (law == CAROM_PAIR_LAW_CHATTERJEE)
        return chatterjee(pair, u, e);
    carom_single_contact contact = carom_two_body_single_contact(pair, u, e);
    contact.poisson = law == CAROM_PAIR_LAW_WANG;
    carom_single_contact_solve(&contact, p);
    return vec3_make(p[0], p[1], p[2]);
}

// The gain of p_1 + b (p - p_1) is a quadratic in b that is negative at 0.
vec3 carom_pair_law_limit(const carom_two_body *pair, vec3 u, vec3 p, double *share)
{
    sym3 k = pair->frictional ? pair->k : (sym3){ .xx = pair->k.xx };
    vec3 first = { -u.x / k.xx, 0, 0 }, way = vec3_sub(p, first);
    vec3 after = vec3_add(u, sym3_mul(k, first)), change = sym3_mul(k, way);
    double start = 0.5 * vec3_dot(first, vec3_add(u, after)), slope = vec3_dot(way, after);
    double curve = 0.5 * vec3_dot(way, change);
    if (start + slope + curve <= 1e-14 * fabs(start))
        return p;
    double b = (sqrt(fmax(slope * slope - 4 * start * curve, 0)) - slope) / (2 * curve);
    b = fmin(fmax(b, 0), 1);
    *share = fmin(*share, b);
    return vec3_axpy(first, b, way);
}

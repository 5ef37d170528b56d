// The energy limiter; see limiter.h.
//
// With dp = wanted - reference and speeds u0 (reference), u1 (wanted), the gain of the blend is
//     E(b) = E(0) + b dp.u0 + 1/2 b^2 dp.(u1 - u0),
// because W dp = u1 - u0. Only sums over the contacts of the island are needed.
#include "impact/limiter.h"

typedef struct sums {
    double gain, size; // and the size of its terms, for round-off
} sums;

// Gains below this part of their terms are round-off.
static const double ROUND_OFF = 1e-14;

static carom_twist before(const carom_problem *problem, int body)
{
    return (carom_twist){ vec3_from(problem->bodies[body].velocity),
                          vec3_from(problem->bodies[body].spin) };
}

// Speeds of a contact along normal, t1, t2 before the impact and with the twists `v`. Those across
// the normal are zero where `frictional` is not set.
typedef struct contact_speeds {
    double first[3], last[3];
} contact_speeds;

static contact_speeds speeds_of(const carom_problem *problem, int contact, const carom_twist *v,
                                bool frictional)
{
    const carom_problem_link *one = &problem->links[contact];
    contact_speeds both = { { problem->u[contact], 0, 0 },
                            { carom_problem_speed(problem, contact, v), 0, 0 } };
    if (!frictional)
        return both;
    carom_twist a = before(problem, one->a), b = before(problem, (int)one->b);
    vec3 first = carom_problem_relative_velocity(problem, contact, &a, &b);
    vec3 last = carom_problem_relative_velocity(problem, contact, &v[one->a], &v[one->b]), t1, t2;
    vec3_tangents(one->d, &t1, &t2);
    both.first[1] = vec3_dot(t1, first);
    both.first[2] = vec3_dot(t2, first);
    both.last[1] = vec3_dot(t1, last);
    both.last[2] = vec3_dot(t2, last);
    return both;
}

static bool has_friction_impulse(const double p[3])
{
    return p[1] != 0 || p[2] != 0;
}

static sums gain_of(const carom_problem *problem, const carom_contact_set *set,
                    const carom_twist *v, const double (*p)[3])
{
    sums total = { 0, 0 };
    for (int i = 0; i < set->count; ++i) {
        const double *impulse = p[set->index[i]];
        if (impulse[0] == 0 && !has_friction_impulse(impulse))
            continue;
        contact_speeds u = speeds_of(problem, set->index[i], v, has_friction_impulse(impulse));
        for (int k = 0; k < 3; ++k) {
            total.gain += 0.5 * impulse[k] * (u.first[k] + u.last[k]);
            total.size += 0.5 * fabs(impulse[k]) * (fabs(u.first[k]) + fabs(u.last[k]));
        }
    }
    return total;
}

bool carom_limiter_needed(const carom_problem *problem, const carom_contact_set *set,
                          const carom_twist *v, const double (*p)[3])
{
    sums total = gain_of(problem, set, v, p);
    return total.gain > ROUND_OFF * total.size;
}

// The largest b in [0, 1] with e0 + e1 b + e2 b^2 <= 0, e0 <= 0 < e0 + e1 + e2, e2 >= 0.
static double largest_root(double e0, double e1, double e2)
{
    if (e2 <= 0)
        return e1 > 0 ? fmin(-e0 / e1, 1) : 0;
    double root = sqrt(fmax(e1 * e1 - 4 * e0 * e2, 0));
    double b = e1 > 0 ? -2 * e0 / (e1 + root) : (root - e1) / (2 * e2);
    return fmin(fmax(b, 0), 1);
}

// Replaces the island's part of `wanted` by shorten * reference + b (wanted - shorten * reference).
// A body is visited with the lowest of its contacts.
static void blend(const carom_problem *problem, const carom_contact_set *set,
                  const carom_motion *reference, carom_motion *wanted, double b, double shorten)
{
    for (int i = 0; i < set->count; ++i) {
        int contact = set->index[i];
        const carom_row *row = &problem->normal[contact];
        for (int k = 0; k < 3; ++k)
            wanted->p[contact][k] =
                shorten * (1 - b) * reference->p[contact][k] + b * wanted->p[contact][k];
        for (int k = 0; k < 2; ++k) {
            int body = k ? row->b : row->a;
            bool movable = (k ? row->inv_b : row->inv_a) > 0;
            if (!movable || problem->contact_list[problem->first_contact[body]] != contact)
                continue;
            carom_twist start = before(problem, body), *v = &wanted->v[body];
            const carom_twist *c = &reference->v[body];
            double keep = (1 - b) * (1 - shorten), mix = (1 - b) * shorten;
            v->linear =
                vec3_axpy(vec3_axpy(vec3_scale(keep, start.linear), mix, c->linear), b, v->linear);
            v->angular = vec3_axpy(vec3_axpy(vec3_scale(keep, start.angular), mix, c->angular), b,
                                   v->angular);
        }
    }
}

// How much of the reference impulses may act: s p.u- + 1/2 s^2 p.W p <= 0.
static double shortening(const carom_problem *problem, const carom_contact_set *set,
                         const carom_motion *reference)
{
    double slope = 0, curvature = 0;
    for (int i = 0; i < set->count; ++i) {
        const double *p = reference->p[set->index[i]];
        contact_speeds u = speeds_of(problem, set->index[i], reference->v, has_friction_impulse(p));
        for (int k = 0; k < 3; ++k) {
            slope += p[k] * u.first[k];
            curvature += p[k] * (u.last[k] - u.first[k]);
        }
    }
    return slope < 0 && curvature > 0 ? fmin(-2 * slope / curvature, 1) : 0;
}

double carom_limiter_apply(const carom_problem *problem, const carom_contact_set *set,
                           const carom_motion *reference, carom_motion *wanted,
                           carom_impact_report *report)
{
    if (!carom_limiter_needed(problem, set, wanted->v, (const double(*)[3])wanted->p))
        return 1;
    bool bad = carom_limiter_needed(problem, set, reference->v, (const double(*)[3])reference->p);
    double shorten = bad ? shortening(problem, set, reference) : 1;
    double e0 = 0, e1 = 0, e2 = 0;
    for (int i = 0; i < set->count; ++i) {
        const double *p = reference->p[set->index[i]], *q = wanted->p[set->index[i]];
        bool frictional = has_friction_impulse(p) || has_friction_impulse(q);
        contact_speeds c = speeds_of(problem, set->index[i], reference->v, frictional);
        contact_speeds w = speeds_of(problem, set->index[i], wanted->v, frictional);
        for (int k = 0; k < 3; ++k) {
            double p0 = shorten * p[k], dp = q[k] - p0;
            double u0 = c.first[k] + shorten * (c.last[k] - c.first[k]);
            e0 += 0.5 * p0 * (c.first[k] + u0);
            e1 += dp * u0;
            e2 += 0.5 * dp * (w.last[k] - u0);
        }
    }
    double b = largest_root(fmin(e0, 0), e1, e2);
    blend(problem, set, reference, wanted, b, shorten);
    report->limiter = fmin(report->limiter, b);
    ++report->limited;
    return b;
}

// The energy limiter; see limiter.h.
//
// With dp = wanted - calm and speeds u0 (calm), u1 (wanted), the gain of the blend is
//     E(b) = E(0) + b dp.u0 + 1/2 b^2 dp.(u1 - u0),
// because W dp = u1 - u0. Only sums over the contacts of the island are needed.
#include "impact/limiter.h"

typedef struct sums {
    double gain, size; // and the size of its terms, for round-off
} sums;

// Gains below this part of their terms are round-off.
static const double ROUND_OFF = 1e-14;

static const carom_row *row_of(const carom_problem *problem, int contact, int k)
{
    return k == 0 ? &problem->normal[contact] : &problem->tangent[2 * contact + k - 1];
}

static carom_twist before(const carom_problem *problem, int body)
{
    return (carom_twist){ vec3_from(problem->bodies[body].velocity),
                          vec3_from(problem->bodies[body].spin) };
}

// The speed of a row before the impact.
static double speed_before(const carom_problem *problem, int contact, int k)
{
    if (k == 0)
        return problem->u[contact];
    carom_row row = *row_of(problem, contact, k);
    carom_twist pair[2] = { before(problem, row.a), before(problem, row.b) };
    row.a = 0;
    row.b = 1;
    return carom_row_speed(&row, pair);
}

static sums gain_of(const carom_problem *problem, const carom_contact_set *set,
                    const carom_twist *v, const double (*p)[3])
{
    sums total = { 0, 0 };
    int directions = problem->tangent ? 3 : 1;
    for (int i = 0; i < set->count; ++i)
        for (int k = 0; k < directions; ++k) {
            int contact = set->index[i];
            double impulse = p[contact][k];
            if (impulse == 0)
                continue;
            double first = speed_before(problem, contact, k);
            double last = carom_row_speed(row_of(problem, contact, k), v);
            total.gain += 0.5 * impulse * (first + last);
            total.size += 0.5 * fabs(impulse) * (fabs(first) + fabs(last));
        }
    return total;
}

double carom_limiter_gain(const carom_problem *problem, const carom_contact_set *set,
                          const carom_twist *v, const double (*p)[3])
{
    return gain_of(problem, set, v, p).gain;
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

// Replaces the island's part of `wanted` by shorten * calm + b (wanted - shorten * calm). A body is
// visited with the lowest of its contacts.
static void blend(const carom_problem *problem, const carom_contact_set *set,
                  const carom_limiter_end *calm, carom_limiter_end *wanted, double b,
                  double shorten)
{
    for (int i = 0; i < set->count; ++i) {
        int contact = set->index[i];
        const carom_row *row = &problem->normal[contact];
        for (int k = 0; k < 3; ++k)
            wanted->p[contact][k] =
                shorten * (1 - b) * calm->p[contact][k] + b * wanted->p[contact][k];
        for (int k = 0; k < 2; ++k) {
            int body = k ? row->b : row->a;
            bool movable = (k ? row->inv_b : row->inv_a) > 0;
            if (!movable || problem->contact_list[problem->first_contact[body]] != contact)
                continue;
            carom_twist start = before(problem, body), *v = &wanted->v[body];
            const carom_twist *c = &calm->v[body];
            double keep = (1 - b) * (1 - shorten), mix = (1 - b) * shorten;
            v->linear =
                vec3_axpy(vec3_axpy(vec3_scale(keep, start.linear), mix, c->linear), b, v->linear);
            v->angular = vec3_axpy(vec3_axpy(vec3_scale(keep, start.angular), mix, c->angular), b,
                                   v->angular);
        }
    }
}

// How much of the calm impulses may act: s p.u- + 1/2 s^2 p.W p <= 0.
static double shortening(const carom_problem *problem, const carom_contact_set *set,
                         const carom_limiter_end *calm)
{
    double slope = 0, curvature = 0;
    int directions = problem->tangent ? 3 : 1;
    for (int i = 0; i < set->count; ++i)
        for (int k = 0; k < directions; ++k) {
            int contact = set->index[i];
            double first = speed_before(problem, contact, k), p = calm->p[contact][k];
            slope += p * first;
            curvature += p * (carom_row_speed(row_of(problem, contact, k), calm->v) - first);
        }
    return slope < 0 && curvature > 0 ? fmin(-2 * slope / curvature, 1) : 0;
}

double carom_limiter_apply(const carom_problem *problem, const carom_contact_set *set,
                           const carom_limiter_end *calm, carom_limiter_end *wanted,
                           carom_impact_report *report)
{
    if (!carom_limiter_needed(problem, set, wanted->v, (const double(*)[3])wanted->p))
        return 1;
    bool bad = carom_limiter_needed(problem, set, calm->v, (const double(*)[3])calm->p);
    double shorten = bad ? shortening(problem, set, calm) : 1;
    double e0 = 0, e1 = 0, e2 = 0;
    int directions = problem->tangent ? 3 : 1;
    for (int i = 0; i < set->count; ++i)
        for (int k = 0; k < directions; ++k) {
            int contact = set->index[i];
            const carom_row *row = row_of(problem, contact, k);
            double p0 = shorten * calm->p[contact][k], dp = wanted->p[contact][k] - p0;
            double first = speed_before(problem, contact, k);
            double u0 = first + shorten * (carom_row_speed(row, calm->v) - first);
            double u1 = carom_row_speed(row, wanted->v);
            e0 += 0.5 * p0 * (first + u0);
            e1 += dp * u0;
            e2 += 0.5 * dp * (u1 - u0);
        }
    double b = largest_root(fmin(e0, 0), e1, e2);
    blend(problem, set, calm, wanted, b, shorten);
    report->limiter = fmin(report->limiter, b);
    ++report->limited;
    return b;
}

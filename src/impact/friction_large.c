// Contact with friction for islands of many contacts: accelerated projected gradients, matrix-free.
//
// With De Saxce's shift (de Saxce and Feng 1998) Coulomb's law is a complementarity between a cone
// and its dual: p in K, (u_n - target + mu |u_t|, u_t) in K*, orthogonal. For a given shift this is
// the minimum of 1/2 p.W p + p.(u + shift n) over K, which Nesterov's method with restarts solves
// (APGD, Mazhar et al. 2015); the shift follows the slip. With a least normal impulse (Poisson) K
// is cut at p_n = base, with the pyramid it has four sides and the shift is mu (|u_1| + |u_2|).
//
// All contacts move at once, so the result does not depend on their order beyond round-off. Each
// iteration is one product with W: impulses to bodies, velocities back to contacts.
//
// Symbols: x = p / root, root = D^-1/2, D the largest response of a contact to itself; u speeds
// times root; z point of extrapolation; L bound of the curvature, raised where it proves too low.
#include "impact/friction.h"

#include <string.h>

// A contact as the products need it.
typedef struct solver_contact {
    vec3 d[3];         // normal and tangents
    vec3 arm_a, arm_b; // point - position
    int a, b;          // local bodies
    double root, mu;
    double base, target; // in units of x and u
} solver_contact;

// A body: what it answers, and the answer.
typedef struct solver_body {
    carom_twist change;
    sym3 inverse_inertia;
    double inverse_mass;
    int body;
} solver_body;

typedef struct triple {
    double n, t[2];
} triple;

typedef struct large {
    int n, body_count;
    bool pyramid;
    solver_contact *contacts;
    solver_body *bodies;
    triple *speed;           // before
    triple *x, *u;           // now
    triple *last_x, *last_u; // one iteration ago
    triple *next, *next_u;
    double *shift;
    triple *best;    // x with the least residual seen, kept at every halving of it
    double bound;    // L
    double momentum; // t of Nesterov's method
    double min;      // |change|^2, the least since the last restart
    double size;     // for relative residuals
} large;

static carom_status large_init(large *s, const carom_problem *problem, const carom_contact_set *set,
                               carom_arena *scratch, carom_error *err);
static void read_contacts(large *s, const carom_problem *problem, const carom_contact_set *set,
                          const carom_friction_conditions *conditions, const carom_twist *v);
static void product_with_w(large *s, const triple *x, triple *u);
static triple project(const large *s, const solver_contact *g, triple x);
static carom_status accelerate(large *s, const carom_problem *problem, int cap,
                               carom_friction_report *report, carom_error *err);
static void iterate_gradient(large *s);
static void take_step(large *s);
static double residual(const large *s);

carom_status carom_friction_large_solve(const carom_problem *problem, const carom_contact_set *set,
                                        const carom_friction_conditions *conditions,
                                        carom_arena *scratch, carom_twist *v, double (*p)[3],
                                        carom_friction_report *report, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    large s = { .n = set->count,
                .pyramid = conditions->bound == CAROM_FRICTION_PYRAMID,
                .bound = 2,
                .momentum = 1 };
    TRY(large_init(&s, problem, set, scratch, err));
    read_contacts(&s, problem, set, conditions, v);
    for (int i = 0; i < s.n; ++i) {
        const solver_contact *g = &s.contacts[i];
        triple start = { p[i][0] / g->root, { p[i][1] / g->root, p[i][2] / g->root } };
        s.x[i] = s.last_x[i] = s.best[i] = project(&s, g, start);
    }
    product_with_w(&s, s.x, s.u);
    memcpy(s.last_u, s.u, (size_t)s.n * sizeof *s.u);
    double work = fmax(CAROM_FRICTION_LARGE_WORK / s.n, CAROM_FRICTION_LARGE_MIN);
    int cap = (int)fmin(work, CAROM_FRICTION_LARGE_CAP);
    TRY(accelerate(&s, problem, conditions->cap > 0 ? conditions->cap : cap, report, err));
    for (int k = 0; k < s.body_count; ++k) {
        carom_twist *twist = &v[s.bodies[k].body];
        twist->linear = vec3_add(twist->linear, s.bodies[k].change.linear);
        twist->angular = vec3_add(twist->angular, s.bodies[k].change.angular);
    }
    for (int i = 0; i < s.n; ++i) {
        p[i][0] = s.x[i].n * s.contacts[i].root;
        p[i][1] = s.x[i].t[0] * s.contacts[i].root;
        p[i][2] = s.x[i].t[1] * s.contacts[i].root;
    }
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

// Ends at the residual or at the cap, with the best x that was seen.
static carom_status accelerate(large *s, const carom_problem *problem, int cap,
                               carom_friction_report *report, carom_error *err)
{
    enum { EVERY = 10 }; // iterations between looks at the residual
    double worst = residual(s), best = worst, wanted = CAROM_FRICTION_LARGE_RESIDUAL * s->size;
    while (worst > wanted && report->iterations < cap) {
        for (int k = 0; k < EVERY; ++k)
            iterate_gradient(s);
        report->iterations += EVERY;
        TRY(carom_problem_query_stop(problem, (int64_t)EVERY * s->n, err));
        worst = residual(s);
        if (worst < 0.5 * best) {
            memcpy(s->best, s->x, (size_t)s->n * sizeof *s->x);
            best = worst;
        }
    }
    if (worst > best) {
        memcpy(s->x, s->best, (size_t)s->n * sizeof *s->x);
        worst = best;
    }
    product_with_w(s, s->x, s->u);
    report->residual = s->size > 0 ? worst / s->size : 0;
    report->stalled = worst > wanted;
    return CAROM_OK;
}

static carom_status large_init(large *s, const carom_problem *problem, const carom_contact_set *set,
                               carom_arena *scratch, carom_error *err)
{
    int *local;
    TAKE(scratch, s->contacts, s->n, err);
    TAKE(scratch, s->speed, s->n, err);
    TAKE(scratch, s->x, s->n, err);
    TAKE(scratch, s->u, s->n, err);
    TAKE(scratch, s->last_x, s->n, err);
    TAKE(scratch, s->last_u, s->n, err);
    TAKE(scratch, s->next, s->n, err);
    TAKE(scratch, s->next_u, s->n, err);
    TAKE(scratch, s->best, s->n, err);
    TAKE_ZEROS(scratch, s->shift, s->n, err);
    TAKE(scratch, s->bodies, 2 * (size_t)s->n, err);
    TAKE(scratch, local, problem->body_count, err);
    memset(local, 0xff, (size_t)problem->body_count * sizeof *local);
    for (int i = 0; i < 2 * s->n; ++i) {
        const carom_row *row = &problem->normal[set->index[i / 2]];
        int body = i % 2 ? row->b : row->a;
        if (local[body] < 0) {
            const carom_impact_body *of = &problem->bodies[body];
            const double *j = of->inverse_inertia;
            s->bodies[s->body_count] =
                (solver_body){ .inverse_mass = of->inverse_mass, .body = body };
            if (of->inverse_mass > 0)
                s->bodies[s->body_count].inverse_inertia =
                    (sym3){ j[0], j[1], j[2], j[3], j[4], j[5] };
            local[body] = s->body_count++;
        }
        *(i % 2 ? &s->contacts[i / 2].b : &s->contacts[i / 2].a) = local[body];
    }
    return CAROM_OK;
}

static void read_contacts(large *s, const carom_problem *problem, const carom_contact_set *set,
                          const carom_friction_conditions *conditions, const carom_twist *v)
{
    for (int i = 0; i < s->n; ++i) {
        int contact = set->index[i];
        const carom_row *row = &problem->normal[contact];
        const carom_row *t = carom_problem_tangents(problem, contact);
        vec3 point = vec3_from(problem->contacts[contact].point),
             point_of_b = carom_problem_point_of_b(&problem->contacts[contact]);
        double rebound = carom_friction_rebound(conditions, &problem->contacts[contact]);
        double top = fmax(row->diagonal, fmax(t[0].diagonal, t[1].diagonal)), root = 1 / sqrt(top);
        solver_contact *g = &s->contacts[i];
        g->d[0] = row->d;
        g->d[1] = t[0].d;
        g->d[2] = t[1].d;
        g->arm_a = vec3_sub(point, vec3_from(problem->bodies[row->a].position));
        g->arm_b = vec3_sub(point_of_b, vec3_from(problem->bodies[row->b].position));
        g->root = root;
        g->mu = problem->contacts[contact].friction;
        g->base = conditions->base ? conditions->base[i] / root : 0;
        g->target = conditions->target ? conditions->target[i] * root : 0;
        s->speed[i] = (triple){ carom_row_speed(row, v) * root - g->target,
                                { carom_row_speed(&t[0], v) * root * rebound,
                                  carom_row_speed(&t[1], v) * root * rebound } };
        s->size = fmax(s->size, fmax(fabs(s->speed[i].n), g->base));
        s->size = fmax(s->size, fmax(fabs(s->speed[i].t[0]), fabs(s->speed[i].t[1])));
    }
}

// u = speeds with the impulses x: through the bodies, never through W.
static void product_with_w(large *s, const triple *x, triple *u)
{
    const vec3 zero = { 0, 0, 0 };
    for (int k = 0; k < s->body_count; ++k)
        s->bodies[k].change = (carom_twist){ zero, zero };
    for (int i = 0; i < s->n; ++i) {
        const solver_contact *g = &s->contacts[i];
        if (x[i].n == 0)
            continue;
        vec3 f = vec3_scale(x[i].n, g->d[0]);
        f = vec3_axpy(f, x[i].t[0], g->d[1]);
        f = vec3_scale(g->root, vec3_axpy(f, x[i].t[1], g->d[2]));
        carom_twist *a = &s->bodies[g->a].change, *b = &s->bodies[g->b].change;
        a->linear = vec3_sub(a->linear, f);
        a->angular = vec3_sub(a->angular, vec3_cross(g->arm_a, f));
        b->linear = vec3_add(b->linear, f);
        b->angular = vec3_add(b->angular, vec3_cross(g->arm_b, f));
    }
    for (int k = 0; k < s->body_count; ++k) {
        solver_body *m = &s->bodies[k];
        m->change.linear = vec3_scale(m->inverse_mass, m->change.linear);
        m->change.angular = sym3_mul(m->inverse_inertia, m->change.angular);
    }
    for (int i = 0; i < s->n; ++i) {
        const solver_contact *g = &s->contacts[i];
        const carom_twist *a = &s->bodies[g->a].change, *b = &s->bodies[g->b].change;
        vec3 at_b = vec3_add(b->linear, vec3_cross(b->angular, g->arm_b));
        vec3 at_a = vec3_add(a->linear, vec3_cross(a->angular, g->arm_a));
        vec3 w = vec3_scale(g->root, vec3_sub(at_b, at_a));
        u[i].n = s->speed[i].n + vec3_dot(w, g->d[0]);
        u[i].t[0] = s->speed[i].t[0] + vec3_dot(w, g->d[1]);
        u[i].t[1] = s->speed[i].t[1] + vec3_dot(w, g->d[2]);
    }
}

static void hold_in(bool pyramid, double reach, double t[2])
{
    if (pyramid) {
        t[0] = fmin(fmax(t[0], -reach), reach);
        t[1] = fmin(fmax(t[1], -reach), reach);
        return;
    }
    double length = sqrt(t[0] * t[0] + t[1] * t[1]);
    double factor = length > reach ? reach / length : 1;
    t[0] *= factor;
    t[1] *= factor;
}

// The nearest point of { n >= base, |t| <= mu n }. Given n the nearest t is known, and n minimises
// (n - x_n)^2 plus the squares by which tangents exceed mu n: none, the larger one or both.
static triple project(const large *s, const solver_contact *g, triple x)
{
    double more = fabs(x.t[0]), less = fabs(x.t[1]), mu = g->mu;
    if (s->pyramid && more < less) {
        double kept = more;
        more = less;
        less = kept;
    } else if (!s->pyramid) {
        more = sqrt(more * more + less * less);
        less = 0;
    }
    double n = x.n;
    if (more > mu * n)
        n = (x.n + mu * more) / (1 + mu * mu);
    if (less > mu * n)
        n = (x.n + mu * (more + less)) / (1 + 2 * mu * mu);
    x.n = n > g->base ? n : g->base;
    hold_in(s->pyramid, mu * x.n, x.t);
    return x;
}

static double slip(const large *s, triple u)
{
    return s->pyramid ? fabs(u.t[0]) + fabs(u.t[1]) : sqrt(u.t[0] * u.t[0] + u.t[1] * u.t[1]);
}

static triple mix(triple a, double factor, triple b)
{
    return (triple){ a.n + factor * (a.n - b.n),
                     { a.t[0] + factor * (a.t[0] - b.t[0]), a.t[1] + factor * (a.t[1] - b.t[1]) } };
}

static double product(triple a, triple b)
{
    return a.n * b.n + a.t[0] * b.t[0] + a.t[1] * b.t[1];
}

// a - b
static triple minus(triple a, triple b)
{
    return (triple){ a.n - b.n, { a.t[0] - b.t[0], a.t[1] - b.t[1] } };
}

// One step from the extrapolated point. Momentum starts anew where the step leads uphill
// (O'Donoghue and Candes 2015), and where changes have grown far above the least: with a shift that
// moves, the value alone does not tell that.
static void iterate_gradient(large *s)
{
    enum { TRIES = 60 };
    const double grown = 20;
    double t = s->momentum, after = 0.5 * (1 + sqrt(1 + 4 * t * t)), factor = (t - 1) / after;
    double square = 0, uphill = 0;
    for (int tries = 0; tries < TRIES; ++tries) {
        double step = 1 / s->bound, bend = 0;
        square = uphill = 0;
        for (int i = 0; i < s->n; ++i) {
            triple z = mix(s->x[i], factor, s->last_x[i]);
            triple g = mix(s->u[i], factor, s->last_u[i]);
            g.n += s->shift[i];
            triple to = { z.n - step * g.n, { z.t[0] - step * g.t[0], z.t[1] - step * g.t[1] } };
            s->next[i] = project(s, &s->contacts[i], to);
            uphill += product(g, minus(s->next[i], s->x[i]));
        }
        product_with_w(s, s->next, s->next_u);
        for (int i = 0; i < s->n; ++i) {
            triple d = minus(s->next[i], mix(s->x[i], factor, s->last_x[i]));
            square += product(d, d);
            bend += product(d, minus(s->next_u[i], mix(s->u[i], factor, s->last_u[i])));
        }
        if (bend <= s->bound * square * (1 + 1e-12))
            break;
        s->bound = 1.05 * bend / square;
    }
    s->min = t == 1 || square < s->min ? square : s->min;
    bool restart = uphill > 0 || square > grown * s->min;
    s->momentum = restart ? 1 : after;
    take_step(s);
}

// The next point becomes the present one. The shift follows slowly: at once, it and the momentum
// would drive each other.
static void take_step(large *s)
{
    const double follow = 0.2;
    triple *x = s->last_x, *u = s->last_u;
    s->last_x = s->x;
    s->last_u = s->u;
    s->x = s->next;
    s->u = s->next_u;
    s->next = x;
    s->next_u = u;
    for (int i = 0; i < s->n; ++i)
        s->shift[i] += follow * (s->contacts[i].mu * slip(s, s->u[i]) - s->shift[i]);
}

// max |x - projection(x - u)|, the normal and the tangential part each for itself: what is left of
// Coulomb's law.
static double residual(const large *s)
{
    double worst = 0;
    for (int i = 0; i < s->n; ++i) {
        const solver_contact *g = &s->contacts[i];
        triple x = s->x[i], u = s->u[i];
        double n = fmax(x.n - u.n, g->base), t[2] = { x.t[0] - u.t[0], x.t[1] - u.t[1] };
        hold_in(s->pyramid, g->mu * x.n, t);
        worst = fmax(worst, fmax(fabs(n - x.n), fmax(fabs(t[0] - x.t[0]), fabs(t[1] - x.t[1]))));
    }
    return worst;
}

// Contacts in lanes: records into them and back, and the sweep. See contact_wide.h; the relaxation
// is that of contact_general.c, operation by operation.
#include <string.h>
#include "contact/contact_wide.h"

typedef carom_contact_wide_row row;
typedef carom_contact_wide_group group;

carom_status carom_contact_wide_take(carom_arena *arena, int contacts, int bodies,
                                     carom_contact_wide **out, carom_error *err)
{
    carom_contact_wide *wide;
    TAKE_ZEROS(arena, wide, 1, err);
    TAKE(arena, wide->groups, contacts / 2, err);
    TAKE(arena, wide->rows, contacts / 2, err);
    TAKE(arena, wide->impulse, contacts / 2, err);
    TAKE(arena, wide->last, contacts / 2, err);
    TAKE(arena, wide->direction, contacts / 2, err);
    TAKE(arena, wide->contact, contacts / 2, err);
    TAKE(arena, wide->place, contacts, err);
    TAKE(arena, wide->turn, bodies, err);
    *out = wide;
    return CAROM_OK;
}

// -- records into lanes and back ------------------------------------------------------------------

// The end of the rows of a range.
static int end_of(const carom_contact_wide *wide, const carom_contact_range *range)
{
    const group *last = &wide->groups[carom_contact_wide_first(range) + range->groups - 1];
    return last->first + last->count;
}

static void set3(lanes3 *to, int lane, vec3 v)
{
    to->x[lane] = v.x;
    to->y[lane] = v.y;
    to->z[lane] = v.z;
}

static void pack_contact(const carom_contact_system *s, int at, int lane, int i, bool noted)
{
    const carom_contact_record *c = &s->contacts[i];
    row *r = &s->wide->rows[at];
    set3(&r->n, lane, c->n);
    set3(&r->point, lane, c->point);
    set3(&r->normal_column, lane, c->normal_column);
    r->normal_mass[lane] = c->normal_mass;
    r->tangent_mass[lane] = c->tangent_mass;
    r->target[lane] = c->target;
    r->friction[lane] = c->friction;
    set3(&s->wide->impulse[at], lane, c->impulse);
    if (noted) {
        set3(&s->wide->last[at], lane, s->last[i]);
        set3(&s->wide->direction[at], lane, s->direction[i]);
    }
    s->wide->contact[at][lane] = i;
}

static void pack_range(void *system, carom_contact_range *range, const carom_contact_pass *pass)
{
    carom_contact_system *s = system;
    carom_contact_wide *wide = s->wide;
    int first = carom_contact_wide_first(range);
    bool noted = pass->number > 0;
    range->groups = carom_contact_wide_order(s, range);
    if (range->groups == 0)
        return;
    const group *groups = wide->groups + first;
    size_t rows = (size_t)(end_of(wide, range) - first);
    memset(wide->rows + first, 0, rows * sizeof *wide->rows);
    memset(wide->impulse + first, 0, rows * sizeof *wide->impulse);
    memset(wide->last + first, 0, rows * sizeof *wide->last);
    memset(wide->direction + first, 0, rows * sizeof *wide->direction);
    memset(wide->contact + first, -1, rows * sizeof *wide->contact);
    for (int i = range->begin, end; i < range->end; i = end) {
        int g = wide->place[i] / LANES, lane = wide->place[i] % LANES;
        int a = s->contacts[i].a, b = s->contacts[i].b;
        for (end = i; end < range->end && s->contacts[end].a == a && s->contacts[end].b == b; ++end)
            pack_contact(s, groups[g].first + end - i, lane, end, noted);
    }
}

void carom_contact_wide_pack(carom_contact_system *s, const carom_contact_island *island,
                             bool noted, int threads)
{
    carom_contact_pass pass = { .number = noted, .forward = true, .threads = threads };
    carom_contact_sweep_ranges(island, s->ranges, &pass, pack_range, s);
}

void carom_contact_wide_unpack(carom_contact_system *s, carom_contact_range *range)
{
    const carom_contact_wide *wide = s->wide;
    if (range->groups == 0)
        return;
    for (int k = carom_contact_wide_first(range); k < end_of(wide, range); ++k)
        for (int lane = 0; lane < LANES; ++lane)
            if (wide->contact[k][lane] >= 0)
                s->contacts[wide->contact[k][lane]].impulse =
                    (vec3){ wide->impulse[k].x[lane], wide->impulse[k].y[lane],
                            wide->impulse[k].z[lane] };
    range->groups = 0;
}

CAROM_LANES_WIDE static void lead_points(const carom_contact_wide *wide, int begin, int end,
                                         double ratio)
{
    for (int k = begin; k < end; ++k) {
        lanes3 extra = lanes3_scale(lanes_all(ratio), wide->direction[k]), now = wide->impulse[k];
        wide->direction[k] = lanes3_add(extra, lanes3_sub(now, wide->last[k]));
        wide->impulse[k] = wide->last[k] = lanes3_add(now, extra);
    }
}

void carom_contact_wide_lead(carom_contact_system *s, const carom_contact_range *range,
                             double ratio)
{
    lead_points(s->wide, carom_contact_wide_first(range), end_of(s->wide, range), ratio);
}

// -- the sweep ------------------------------------------------------------------------------------

// Four bodies.
typedef struct four {
    lanes3 v, w, x;
    lanes inverse_mass;
    lanes_sym3 inverse_inertia;
} four;

#define GATHER(bodies, i, field)                                                                   \
    ((lanes){ (bodies)[(i)[0]].field, (bodies)[(i)[1]].field, (bodies)[(i)[2]].field,              \
              (bodies)[(i)[3]].field })
#define GATHER3(bodies, i, field)                                                                  \
    ((lanes3){ GATHER(bodies, i, field.x), GATHER(bodies, i, field.y), GATHER(bodies, i, field.z) })

LANES_INLINE four gather(const carom_contact_body *bodies, const int i[LANES])
{
    return (four){ GATHER3(bodies, i, v),
                   GATHER3(bodies, i, w),
                   GATHER3(bodies, i, x),
                   GATHER(bodies, i, inverse_mass),
                   { GATHER(bodies, i, inverse_inertia.xx), GATHER(bodies, i, inverse_inertia.yy),
                     GATHER(bodies, i, inverse_inertia.zz), GATHER(bodies, i, inverse_inertia.xy),
                     GATHER(bodies, i, inverse_inertia.xz),
                     GATHER(bodies, i, inverse_inertia.yz) } };
}

LANES_INLINE void scatter(carom_contact_body *bodies, const int i[LANES], const bool writes[LANES],
                          const four *f)
{
    for (int k = 0; k < LANES; ++k)
        if (writes[k]) {
            bodies[i[k]].v = (vec3){ f->v.x[k], f->v.y[k], f->v.z[k] };
            bodies[i[k]].w = (vec3){ f->w.x[k], f->w.y[k], f->w.z[k] };
        }
}

// One row, in those lanes that are `visited`. Returns the squares of the changes of impulse.
LANES_INLINE lanes relax(const row *c, lanes3 *impulse, four *a, four *b, lanes_flags visited)
{
    lanes3 arm_a = lanes3_sub(c->point, a->x), arm_b = lanes3_sub(c->point, b->x), n = c->n;
    lanes3 u = lanes3_sub(lanes3_add(b->v, lanes3_cross(b->w, arm_b)),
                          lanes3_add(a->v, lanes3_cross(a->w, arm_a)));
    lanes zero = lanes_all(0), old = lanes3_dot(n, *impulse);
    lanes p = old - c->normal_mass * (lanes3_dot(n, u) - c->target);
    lanes_flags presses = p > zero;
    lanes_flags acts = presses | (impulse->x != zero) | (impulse->y != zero) | (impulse->z != zero);
    acts &= visited;
    if (!lanes_any(acts))
        return zero;
    p = lanes_keep(presses, p);
    u = lanes3_axpy(u, p - old, c->normal_column);
    lanes3 q = lanes3_axpy(*impulse, -c->tangent_mass, u);
    q = lanes3_clip(lanes3_axpy(q, -lanes3_dot(n, q), n), c->friction * p);
    lanes3 next = lanes3_axpy(q, p, n), change = lanes3_keep(acts, lanes3_sub(next, *impulse));
    *impulse = lanes3_pick(acts, next, *impulse);
    lanes3 turn_a = lanes_sym3_mul(a->inverse_inertia, lanes3_cross(arm_a, change));
    lanes3 turn_b = lanes_sym3_mul(b->inverse_inertia, lanes3_cross(arm_b, change));
    a->v = lanes3_axpy(a->v, -a->inverse_mass, change);
    a->w = lanes3_sub(a->w, turn_a);
    b->v = lanes3_axpy(b->v, b->inverse_mass, change);
    b->w = lanes3_add(b->w, turn_b);
    return lanes3_dot(change, change);
}

// The centres of the images that the pairs of a group touch.
static void to_images(const carom_contact_system *s, const group *g, lanes3 *x)
{
    for (int k = 0; k < LANES; ++k) {
        int contact = s->wide->contact[g->first][k];
        if (contact < 0)
            continue;
        x->x[k] += s->shift[contact].x;
        x->y[k] += s->shift[contact].y;
        x->z[k] += s->shift[contact].z;
    }
}

// When the bodies of the lanes have last been changed by more than counts.
LANES_INLINE lanes_flags changed(const carom_contact_system *s, const group *g)
{
    const int *in = s->changed_in;
    lanes_flags last;
    for (int k = 0; k < LANES; ++k)
        last[k] = in[g->a[k]] > in[g->b[k]] ? in[g->a[k]] : in[g->b[k]];
    return last;
}

LANES_INLINE void note_changes(carom_contact_system *s, const group *g, lanes_flags now, int number)
{
    for (int k = 0; k < LANES; ++k) {
        if (now[k] && g->writes_a[k])
            s->changed_in[g->a[k]] = number;
        if (now[k] && g->writes_b[k])
            s->changed_in[g->b[k]] = number;
    }
}

// What a sweep has done so far, per lane.
typedef struct sums {
    lanes worst, size; // (m/s)^2, J
} sums;

// `passing` (over contacts) is a constant where it is called.
LANES_INLINE void relax_group(carom_contact_system *s, const group *g,
                              const carom_contact_pass *pass, const bool passing, sums *sum)
{
    lanes_flags all = { -1, -1, -1, -1 }, visited = all, now = ~all;
    lanes min = lanes_all(pass->min * pass->min);
    if (passing) {
        lanes_flags since = { pass->number - 1, pass->number - 1, pass->number - 1,
                              pass->number - 1 };
        visited = changed(s, g) >= since;
        if (!lanes_any(visited))
            return;
    }
    four a = gather(s->bodies, g->a), b = gather(s->bodies, g->b);
    if (s->shift) // all points of a pair touch the same image
        to_images(s, g, &b.x);
    lanes mass = a.inverse_mass + b.inverse_mass;
    for (int k = 0; k < g->count; ++k) {
        int at = g->first + (pass->forward ? k : g->count - 1 - k);
        lanes square = relax(&s->wide->rows[at], &s->wide->impulse[at], &a, &b, visited);
        lanes change = square * mass * mass;
        now |= change > min;
        sum->worst = lanes_max(change, sum->worst);
        sum->size += square * mass;
    }
    scatter(s->bodies, g->a, g->writes_a, &a);
    scatter(s->bodies, g->b, g->writes_b, &b);
    if (passing)
        note_changes(s, g, now, pass->number);
}

CAROM_LANES_WIDE static void sweep_points(carom_contact_system *s, carom_contact_range *range,
                                          const carom_contact_pass *pass)
{
    const group *groups = s->wide->groups + carom_contact_wide_first(range);
    sums sum = { lanes_all(0), lanes_all(0) };
    for (int k = 0; k < range->groups; ++k) {
        const group *g = &groups[pass->forward ? k : range->groups - 1 - k];
        if (pass->min >= 0)
            relax_group(s, g, pass, true, &sum);
        else
            relax_group(s, g, pass, false, &sum);
    }
    double worst = 0;
    range->size = 0;
    for (int k = 0; k < LANES; ++k) {
        worst = sum.worst[k] > worst ? sum.worst[k] : worst;
        range->size += sum.size[k];
    }
    range->change = sqrt(worst);
}

void carom_contact_wide_sweep(carom_contact_system *s, carom_contact_range *range,
                              const carom_contact_pass *pass)
{
    sweep_points(s, range, pass);
}

// Contacts between spheres in lanes: which go together, records into lanes and back, and the sweep.
// See contact_wide.h; the relaxation is that of contact_sphere.c, operation by operation, and so is
// the passing over of contacts that have nothing to do.
#include <string.h>
#include "contact/contact_wide.h"

typedef carom_contact_sphere_body body;
typedef carom_contact_sphere_record record;
typedef carom_contact_wide_spheres group;

enum { AHEAD = 2 }; // groups whose bodies are fetched

carom_status carom_contact_wide_sphere_take(carom_arena *arena, int contacts, int bodies,
                                            bool rolling, carom_contact_wide_sphere **out,
                                            carom_error *err)
{
    carom_contact_wide_sphere *wide;
    TAKE_ZEROS(arena, wide, 1, err);
    TAKE(arena, wide->groups, contacts / 2, err);
    if (rolling)
        TAKE(arena, wide->rolling, contacts / 2, err);
    TAKE(arena, wide->turn, bodies, err);
    *out = wide;
    return CAROM_OK;
}

// -- order ----------------------------------------------------------------------------------------

static bool movable(const carom_contact_system *s, int place)
{
    return s->sphere_bodies[place].inverse_mass > 0;
}

static int turn_of(const carom_contact_system *s, int place)
{
    return movable(s, place) ? s->wide_spheres->turn[place] : 0;
}

static void set_turn(const carom_contact_system *s, int place, int at)
{
    if (movable(s, place))
        s->wide_spheres->turn[place] = at;
}

// A group without contacts: nothing is ever open by less than infinity.
static void clear(group *g, int a, int b)
{
    memset(g, 0, sizeof *g);
    g->idle = lanes_all(HUGE_VAL);
    for (int k = 0; k < LANES; ++k) {
        g->a[k] = a;
        g->b[k] = b;
        g->contact[k] = -1;
    }
}

static void set3(lanes3 *to, int lane, vec3 v)
{
    to->x[lane] = v.x;
    to->y[lane] = v.y;
    to->z[lane] = v.z;
}

// The record of a contact into its lane.
static void load(const carom_contact_system *s, group *g, int lane)
{
    int i = g->contact[lane];
    const record *c = &s->sphere_contacts[i];
    set3(&g->n, lane, c->n);
    set3(&g->friction_impulse, lane, c->friction_impulse);
    g->normal_impulse[lane] = c->normal_impulse;
    g->arm_a[lane] = c->arm_a;
    g->arm_b[lane] = c->arm_b;
    g->normal_mass[lane] = c->normal_mass;
    g->tangent_mass[lane] = c->tangent_mass;
    g->target[lane] = c->target;
    g->friction[lane] = c->friction;
    if (s->rolling) {
        carom_contact_wide_rolling *r = &s->wide_spheres->rolling[g - s->wide_spheres->groups];
        set3(&r->impulse, lane, s->rolling[i].impulse);
        r->length[lane] = s->rolling[i].length;
    }
}

static void enter(const carom_contact_system *s, group *g, int lane, int i)
{
    const carom_contact_link *link = &s->links[i];
    g->a[lane] = link->a;
    g->b[lane] = link->b;
    g->writes_a[lane] = movable(s, link->a);
    g->writes_b[lane] = movable(s, link->b);
    g->idle[lane] = link->idle;
    g->contact[lane] = i;
    load(s, g, lane);
}

static int order(const carom_contact_system *s, const carom_contact_range *range)
{
    carom_contact_wide_sphere *wide = s->wide_spheres;
    int first = carom_contact_wide_first(range), room = range->end / 2 - first, total = 0;
    carom_contact_wide_list open = { .count = 0 };
    for (int i = range->begin; i < range->end; ++i) {
        set_turn(s, s->links[i].a, 0);
        set_turn(s, s->links[i].b, 0);
    }
    for (int i = range->begin; i < range->end; ++i) {
        int a = s->links[i].a, b = s->links[i].b, before = total;
        int from_a = turn_of(s, a), from_b = turn_of(s, b), lane = 0;
        if (total == room) // the next may need one more
            return 0;
        int at = carom_contact_wide_choose(&open, from_a > from_b ? from_a : from_b, &total);
        int g = open.group[at];
        if (total > before) {
            clear(&wide->groups[first + g], a, b);
            if (s->rolling)
                memset(&wide->rolling[first + g], 0, sizeof *wide->rolling);
        }
        while (wide->groups[first + g].contact[lane] >= 0)
            ++lane;
        enter(s, &wide->groups[first + g], lane, i);
        set_turn(s, a, g + 1);
        set_turn(s, b, g + 1);
        if (lane + 1 == LANES)
            carom_contact_wide_drop(&open, at);
    }
    return total;
}

static void pack_range(void *system, carom_contact_range *range, const carom_contact_pass *pass)
{
    (void)pass;
    range->groups = order(system, range);
}

void carom_contact_wide_sphere_pack(carom_contact_system *s, const carom_contact_island *island,
                                    int threads)
{
    carom_contact_pass pass = { .forward = true, .threads = threads };
    carom_contact_sweep_ranges(island, s->ranges, &pass, pack_range, s);
}

LANES_INLINE vec3 lane_of(const lanes3 *v, int k)
{
    return (vec3){ v->x[k], v->y[k], v->z[k] };
}

void carom_contact_wide_sphere_unpack(carom_contact_system *s, carom_contact_range *range)
{
    int first = carom_contact_wide_first(range);
    for (int at = first; at < first + range->groups; ++at) {
        const group *g = &s->wide_spheres->groups[at];
        for (int k = 0; k < LANES && g->contact[k] >= 0; ++k) {
            int i = g->contact[k];
            s->links[i].idle = g->idle[k];
            s->sphere_contacts[i].normal_impulse = g->normal_impulse[k];
            s->sphere_contacts[i].friction_impulse = lane_of(&g->friction_impulse, k);
            if (s->rolling)
                s->rolling[i].impulse = lane_of(&s->wide_spheres->rolling[at].impulse, k);
        }
    }
    range->groups = 0;
}

// -- the sweep ------------------------------------------------------------------------------------

typedef struct four_bodies {
    lanes3 v, w;
    lanes inverse_mass, inverse_inertia;
} four_bodies;

#define GATHER(p, i, field)                                                                        \
    ((lanes){ (p)[(i)[0]] field, (p)[(i)[1]] field, (p)[(i)[2]] field, (p)[(i)[3]] field })
#define GATHER3(p, i, field)                                                                       \
    ((lanes3){ GATHER(p, i, field.x), GATHER(p, i, field.y), GATHER(p, i, field.z) })

LANES_INLINE four_bodies gather(const body *p, const int i[LANES])
{
    return (four_bodies){ GATHER3(p, i, .v), GATHER3(p, i, .w), GATHER(p, i, .inverse_mass),
                          GATHER(p, i, .inverse_inertia) };
}

LANES_INLINE void scatter(carom_contact_system *s, const int i[LANES], const bool writes[LANES],
                          const four_bodies *f, lanes travel)
{
    for (int k = 0; k < LANES; ++k)
        if (writes[k]) {
            s->sphere_bodies[i[k]].v = lane_of(&f->v, k);
            s->sphere_bodies[i[k]].w = lane_of(&f->w, k);
            s->travel[i[k]] = travel[k];
        }
}

// Normal impulse and friction, in those lanes that are visited. Returns the squares of the changes,
// and by how much each contact is open now.
LANES_INLINE lanes relax(four_bodies *a, four_bodies *b, group *c, lanes_flags visited, lanes *open)
{
    lanes3 n = c->n, between = lanes3_sub(b->v, a->v);
    lanes zero = lanes_all(0), u = lanes3_dot(n, between), old = c->normal_impulse;
    lanes p = old - c->normal_mass * (u - c->target);
    lanes_flags presses = p > zero, acts = visited & (presses | (old != zero));
    *open = lanes_keep(~presses, u - c->target - old / c->normal_mass);
    if (!lanes_any(acts))
        return zero;
    p = lanes_keep(presses, p);
    lanes3 spin = lanes3_axpy(lanes3_scale(c->arm_a, a->w), c->arm_b, b->w);
    lanes3 slip = lanes3_sub(lanes3_axpy(between, -u, n), lanes3_cross(spin, n));
    lanes3 q =
        lanes3_clip(lanes3_axpy(c->friction_impulse, -c->tangent_mass, slip), c->friction * p);
    lanes3 across = lanes3_keep(acts, lanes3_sub(q, c->friction_impulse));
    lanes3 change = lanes3_keep(acts, lanes3_axpy(across, p - old, n));
    lanes3 turn = lanes3_cross(n, across);
    a->v = lanes3_axpy(a->v, -a->inverse_mass, change);
    a->w = lanes3_axpy(a->w, -a->inverse_inertia * c->arm_a, turn);
    b->v = lanes3_axpy(b->v, b->inverse_mass, change);
    b->w = lanes3_axpy(b->w, -b->inverse_inertia * c->arm_b, turn);
    c->normal_impulse = lanes_pick(acts, p, old);
    c->friction_impulse = lanes3_pick(acts, q, c->friction_impulse);
    return lanes3_dot(change, change);
}

// Rolling resistance. `spin`: before the contact itself was relaxed. Adds to the squares.
LANES_INLINE lanes relax_rolling(four_bodies *a, four_bodies *b, const group *c,
                                 carom_contact_wide_rolling *r, lanes3 spin, lanes_flags visited,
                                 lanes *square)
{
    lanes zero = lanes_all(0), length = r->length;
    lanes3 old = r->impulse;
    lanes_flags rolls =
        visited & ((*square > zero) | (c->normal_impulse > zero)) & (length != zero);
    if (!lanes_any(rolls))
        return zero;
    lanes mass = lanes_all(1) / (a->inverse_inertia + b->inverse_inertia);
    lanes at_a = c->arm_a * a->inverse_inertia, at_b = c->arm_b * b->inverse_inertia;
    lanes reach = (at_a + at_b) * c->normal_mass, apart = lanes_abs(at_a - at_b);
    lanes_flags unlike = rolls & (apart > lanes_all(CAROM_CONTACT_SPHERE_ALIKE) * (at_a + at_b));
    spin = lanes3_pick(unlike, lanes3_sub(b->w, a->w), spin);
    lanes3 next = lanes3_clip(lanes3_axpy(old, -mass, spin), length * c->normal_impulse);
    lanes3 change = lanes3_keep(rolls, lanes3_sub(next, old));
    a->w = lanes3_axpy(a->w, -a->inverse_inertia, change);
    b->w = lanes3_axpy(b->w, b->inverse_inertia, change);
    r->impulse = lanes3_pick(rolls, next, old);
    *square += lanes_keep(rolls, lanes3_dot(change, change) * reach * reach);
    return lanes_keep(unlike, apart / (at_a + at_b));
}

// What a sweep has done so far.
typedef struct sums {
    lanes worst, size; // m/s, J
} sums;

// `rolls` is a constant where it is called.
LANES_INLINE void relax_group(carom_contact_system *s, group *g, const carom_contact_pass *pass,
                              const bool rolls, sums *sum)
{
    lanes travel_a = GATHER(s->travel, g->a, ), travel_b = GATHER(s->travel, g->b, );
    lanes_flags visited = travel_a + travel_b > g->idle;
    if (!lanes_any(visited))
        return;
    four_bodies a = gather(s->sphere_bodies, g->a), b = gather(s->sphere_bodies, g->b);
    lanes3 spin = lanes3_sub(b.w, a.w);
    lanes open, own = lanes_all(0), min = lanes_all(pass->min);
    lanes square = relax(&a, &b, g, visited, &open);
    if (rolls) {
        carom_contact_wide_rolling *r = &s->wide_spheres->rolling[g - s->wide_spheres->groups];
        own = relax_rolling(&a, &b, g, r, spin, visited, &square);
    }
    lanes length = lanes_sqrt(square), mass = a.inverse_mass + b.inverse_mass;
    lanes change = length * mass, idle = lanes_pick(open > min, open, min);
    sum->size += square * mass;
    sum->worst = lanes_max(change, sum->worst);
    travel_a += length * a.inverse_mass;
    travel_b += length * b.inverse_mass;
    idle = travel_a + travel_b + idle;
    if (rolls) // where friction and rolling resistance are not in balance
        idle -= own * change;
    g->idle = lanes_pick(visited, idle, g->idle);
    scatter(s, g->a, g->writes_a, &a, travel_a);
    scatter(s, g->b, g->writes_b, &b, travel_b);
}

LANES_INLINE void fetch(const carom_contact_system *s, const group *g)
{
    for (int k = 0; k < LANES; ++k) {
        __builtin_prefetch(&s->sphere_bodies[g->a[k]], 1);
        __builtin_prefetch(&s->sphere_bodies[g->b[k]], 1);
    }
}

CAROM_LANES_WIDE static void sweep_spheres(carom_contact_system *s, carom_contact_range *range,
                                           const carom_contact_pass *pass)
{
    group *groups = s->wide_spheres->groups + carom_contact_wide_first(range);
    sums sum = { lanes_all(0), lanes_all(0) };
    for (int k = 0; k < range->groups; ++k) {
        int g = pass->forward ? k : range->groups - 1 - k;
        int ahead = pass->forward ? g + AHEAD : g - AHEAD;
        if (ahead >= 0 && ahead < range->groups)
            fetch(s, &groups[ahead]);
        if (s->rolling)
            relax_group(s, &groups[g], pass, true, &sum);
        else
            relax_group(s, &groups[g], pass, false, &sum);
    }
    range->change = range->size = 0;
    for (int k = 0; k < LANES; ++k) {
        range->change = sum.worst[k] > range->change ? sum.worst[k] : range->change;
        range->size += sum.size[k];
    }
}

void carom_contact_wide_sphere_sweep(carom_contact_system *s, carom_contact_range *range,
                                     const carom_contact_pass *pass)
{
    sweep_spheres(s, range, pass);
}

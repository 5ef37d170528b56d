// A start for large islands that have none: who carries whom.
//
// Sweeps hand a load on from contact to contact; a stack of n layers costs them about n^2. In a
// structure that stands it is quicker to go from the top down: a body whose load from above is
// known is held by the contacts below it, as if what carries it could not move, and hands the load
// on [after Guendelman, Bridson, Fedkiw 2003, section 7, who go upwards]. Each body is a small
// contact problem of its own, solved by relaxation. Where no body helps to carry one above it, one
// pass leaves every body in balance; where some do, it is a guess, and sweeps go on from there.
//
// Impulses stay inside the cone: each is the result of a relaxation.
#include "base/heap_sort.h"
#include "world/rest.h"

// Relaxations of each contact of a body; the change of a speed that ends them early, of the
// island's scale, and of what sweeps have left before.
enum { ROUNDS = 60 };
#define ENOUGH 1e-9
#define CLOSE 1e-2

// A contact that carries the body at work, as this body alone answers.
typedef struct carrier {
    int contact;
    vec3 arm,
        normal_column; // normal_column: change of the relative velocity by a unit normal impulse
    vec3 other;        // m/s, of the carrying body at the contact
    vec3 gained;       // N s, on b, by this pass
    double sign;       // 1: the body at work is b
    double normal_mass, tangent_mass;
} carrier;

typedef struct support {
    carom_rest *rest;
    const carom_rest_island *island;
    int *order;         // places of the island's bodies, the highest first
    double *height;     // m, per place
    int *rank;          // per body of the world; of the immovable: none
    int *first, *links; // contacts per rank
    carrier *carriers;  // room for those of one body
} support;

static void sort_by_height(int *items, size_t count, const support *with);
static carom_status link(support *s, carom_error *err);
static void carry(support *s, int rank);

carom_status carom_rest_support_start(carom_rest *rest, const carom_rest_island *island,
                                      carom_error *err)
{
    const carom_world *world = rest->step->world;
    carom_arena_mark mark = carom_arena_mark_here(world->scratch);
    vec3 gravity = vec3_from(world->options.gravity);
    support s = { .rest = rest, .island = island };
    TAKE(world->scratch, s.order, island->set.body_count, err);
    TAKE(world->scratch, s.height, island->set.body_count, err);
    TAKE(world->scratch, s.rank, world->count, err);
    for (int i = 0; i < island->set.body_count; ++i) {
        int body = rest->member[island->set.first_body + i];
        s.order[i] = i;
        s.height[i] = -vec3_dot(gravity, world->now.position[body]);
    }
    sort_by_height(s.order, (size_t)island->set.body_count, &s);
    TRY(link(&s, err));
    for (int k = 0; k < island->set.body_count; ++k) {
        if (carom_rest_ask_stopped(rest, (double)ROUNDS * (s.first[k + 1] - s.first[k])))
            break;
        carry(&s, k);
    }
    carom_arena_rewind(world->scratch, mark);
    return CAROM_OK;
}

// From the highest place down.
static bool higher(const support *s, const int *one, const int *other)
{
    double a = s->height[*one], b = s->height[*other];
    return a != b ? a > b : *one < *other;
}
CAROM_HEAP_SORT(sort_by_height, int, const support *, higher)

static bool moves(const support *s, int body)
{
    return s->rest->system.bodies[body].inverse_mass > 0;
}

// The contacts that carry each body: those with bodies of later rank, or immovable ones.
static carom_status link(support *s, carom_error *err)
{
    const carom_rest *rest = s->rest;
    const carom_rest_island *island = s->island;
    carom_arena *scratch = rest->step->world->scratch;
    int max = 0;
    TAKE_ZEROS(scratch, s->first, island->set.body_count + 2, err);
    TAKE(scratch, s->links, island->set.count, err);
    for (int k = 0; k < island->set.body_count; ++k)
        s->rank[rest->member[island->set.first_body + s->order[k]]] = k;
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = island->set.first; i < island->set.first + island->set.count; ++i) {
            int a = rest->system.contacts[i].a, b = rest->system.contacts[i].b;
            int upper = !moves(s, a) ? b : !moves(s, b) ? a : s->rank[a] < s->rank[b] ? a : b;
            if (pass == 0)
                ++s->first[s->rank[upper] + 2];
            else
                s->links[s->first[s->rank[upper] + 1]++] = i;
        }
        for (int k = 2; k < island->set.body_count + 2 && pass == 0; ++k) {
            max = s->first[k] > max ? s->first[k] : max;
            s->first[k] += s->first[k - 1];
        }
    }
    TAKE(scratch, s->carriers, max, err);
    return CAROM_OK;
}

static vec3 respond(const carom_contact_body *body, vec3 arm, vec3 impulse)
{
    vec3 turn = sym3_mul(body->inverse_inertia, vec3_cross(arm, impulse));
    return vec3_axpy(vec3_cross(turn, arm), body->inverse_mass, impulse);
}

static vec3 arm_of(const support *s, int contact, bool of_b)
{
    const carom_contact_system *system = &s->rest->system;
    return of_b ? carom_contact_arm_b(system, contact) : carom_contact_arm_a(system, contact);
}

// What carries is to stay where it is; an immovable body moves as it does.
static carrier carrier_of(const support *s, int upper, int i)
{
    const carom_contact_record *c = &s->rest->system.contacts[i];
    const carom_contact_body *body = &s->rest->system.bodies[upper];
    const carom_contact_body *other = &s->rest->system.bodies[c->a == upper ? c->b : c->a];
    carrier one = { .contact = i, .sign = c->b == upper ? 1 : -1 };
    vec3 t1, t2;
    one.arm = arm_of(s, i, c->b == upper);
    one.normal_column = respond(body, one.arm, c->n);
    one.normal_mass = 1 / vec3_dot(c->n, one.normal_column);
    vec3_tangents(c->n, &t1, &t2);
    one.tangent_mass =
        1 / (vec3_dot(t1, respond(body, one.arm, t1)) + vec3_dot(t2, respond(body, one.arm, t2)));
    if (other->inverse_mass == 0)
        one.other = vec3_add(other->v, vec3_cross(other->w, arm_of(s, i, c->a == upper)));
    return one;
}

// One relaxation. Returns the change of speed.
static double hold(carom_contact_body *body, carom_contact_record *c, carrier *one, double friction)
{
    vec3 velocity = vec3_add(body->v, vec3_cross(body->w, one->arm));
    vec3 u = vec3_scale(one->sign, vec3_sub(velocity, one->other)), n = c->n;
    double old = vec3_dot(n, c->impulse);
    double p = fmax(0, old - one->normal_mass * (vec3_dot(n, u) - c->target));
    u = vec3_axpy(u, p - old, one->normal_column);
    vec3 q = vec3_axpy(c->impulse, -one->tangent_mass, u);
    q = vec3_axpy(q, -vec3_dot(n, q), n);
    double max = friction * p, size = vec3_length(q);
    if (size > max)
        q = vec3_scale(max / size, q);
    vec3 impulse = vec3_axpy(q, p, n), change = vec3_sub(impulse, c->impulse);
    vec3 act = vec3_scale(one->sign, change);
    body->v = vec3_axpy(body->v, body->inverse_mass, act);
    body->w = vec3_add(body->w, sym3_mul(body->inverse_inertia, vec3_cross(one->arm, act)));
    c->impulse = impulse;
    one->gained = vec3_add(one->gained, change);
    return vec3_length(change) * body->inverse_mass;
}

// Relaxes the contacts that carry a body, with friction or without.
static void relax(support *s, carom_contact_body *body, int count, bool rough)
{
    double enough = fmax(ENOUGH, CLOSE * s->island->residual) * s->island->scale;
    double change = HUGE_VAL;
    for (int round = 0; round < ROUNDS && change > enough; ++round) {
        change = 0;
        for (int k = 0; k < count; ++k) {
            carrier *one = &s->carriers[round % 2 ? count - 1 - k : k];
            carom_contact_record *c = &s->rest->system.contacts[one->contact];
            change = fmax(change, hold(body, c, one, rough ? c->friction : 0));
        }
    }
}

// Holds one body, and lets what carries it feel that.
static void carry(support *s, int rank)
{
    carom_rest *rest = s->rest;
    int upper = rest->member[s->island->set.first_body + s->order[rank]];
    int first = s->first[rank], count = s->first[rank + 1] - first;
    carom_contact_body *body = &rest->system.bodies[upper];
    for (int k = 0; k < count; ++k)
        s->carriers[k] = carrier_of(s, upper, s->links[first + k]);
    if (s->island->start !=
        CAROM_REST_WARM) // first without friction, which would brace bodies against each other
        relax(s, body, count, false);
    relax(s, body, count, true);
    for (int k = 0; k < count; ++k) {
        const carrier *one = &s->carriers[k];
        const carom_contact_record *c = &rest->system.contacts[one->contact];
        carom_contact_body *lower = &rest->system.bodies[c->a == upper ? c->b : c->a];
        if (lower->inverse_mass == 0)
            continue;
        vec3 act = vec3_scale(-one->sign, one->gained);
        vec3 turn = vec3_cross(arm_of(s, one->contact, c->a == upper), act);
        lower->v = vec3_axpy(lower->v, lower->inverse_mass, act);
        lower->w = vec3_add(lower->w, sym3_mul(lower->inverse_inertia, turn));
    }
}

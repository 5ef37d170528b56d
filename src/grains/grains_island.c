// Islands of an impact to a law of the library (carom/law.h), over ranks.
//
// The law gets an island as a whole, contacts and bodies in the order of names: what it answers is
// a function of the island, not of who asks. An island whose grains are all owned by one rank is
// asked about there. One across ranks is gathered: its contacts, with the states of their grains,
// go to all ranks (each contact from the owner of its higher name), and every rank that owns a
// grain of it asks, and takes the velocities of its own. Ranks thus do the work of an island that
// they share each for themselves: the price of laws that know no parts of an island.
#include "grains/grains.h"

#include <string.h>
#include "base/heap_sort.h"
#include "impact/workspace.h"

enum { CONTACTS_MAX = 1 << 22 }; // of islands across ranks, at most: a gigabyte on each rank
// Spin, as a share of the fastest approach, that is round-off (world/impact_phase_batch.c says why)
#define ROUND_OFF 1e-12
// Hertz's springs, alike everywhere
#define STIFFNESS 1
#define EXPONENT 1.5

// A body at a contact.
typedef struct side {
    double name, radius, inverse_mass, inverse_inertia;
    double position[3], velocity[3], spin[3];
} side;

// A contact as it is gathered: doubles only.
typedef struct island_contact {
    double label; // of its island
    double restitution, friction, gap, normal[3];
    side end[2];
} island_contact;

// The order of contacts.
typedef struct key {
    double label, a, b; // names
    int index;          // of a contact here, or of a gathered one
} key;

typedef struct islands {
    carom_grains *g;
    const carom_grains_instant *instant;
    key *here;     // contacts of islands to be resolved, in order
    key *gathered; // those of islands across ranks
    int count, gathered_count;
    unsigned char *shared;    // per root: there are ghosts in it
    island_contact *contacts; // gathered
    // one island
    double *name; // of its bodies, ascending
    carom_impact_body *bodies;
    carom_impact_contact *list;
    carom_impact_outcome out;
    int body_count;
} islands;

static bool before(const void *none, const key *p, const key *q)
{
    (void)none;
    if (p->label != q->label)
        return p->label < q->label;
    return p->a != q->a ? p->a < q->a : p->b < q->b;
}

CAROM_HEAP_SORT(sort, key, const void *, before)

static side side_of(const carom_grains *g, int body)
{
    const carom_contact_sphere_body *state = &g->system.sphere_bodies[body];
    side one = { .name = (double)carom_grains_name(g, body),
                 .inverse_mass = state->inverse_mass,
                 .inverse_inertia = state->inverse_inertia };
    if (carom_grains_is_wall(g, body)) {
        vec3_store(g->planes[body - g->part->count].point, one.position);
    } else {
        one.radius = g->part->radius[body];
        memcpy(one.position, g->part->position[body], sizeof one.position);
    }
    vec3_store(state->v, one.velocity);
    vec3_store(state->w, one.spin);
    return one;
}

static island_contact contact_of(const carom_grains *g, int i)
{
    const carom_contact_link *link = &g->system.links[i];
    const carom_contact_sphere_record *record = &g->system.sphere_contacts[i];
    island_contact one = { .label = g->label[link->b],
                           .restitution = carom_grains_impact_restitution(
                               g, i, carom_grains_impact_speed(g, i)),
                           .friction = record->friction,
                           .gap = g->gap[i],
                           .end = { side_of(g, link->a), side_of(g, link->b) } };
    vec3_store(record->n, one.normal);
    return one;
}

// -- contacts of the islands to be resolved -------------------------------------------------------

static bool is_ghost(const carom_grains *g, int body)
{
    return body >= g->part->owned && !carom_grains_is_wall(g, body);
}

static void mark_shared(islands *s)
{
    const carom_grains *g = s->g;
    const carom_grains_instant *c = s->instant;
    for (int k = 0; k < c->member_count; ++k)
        s->shared[c->members[k]] = 0;
    for (int k = 0; k < c->member_count; ++k)
        if (is_ghost(g, c->members[k]))
            s->shared[c->parent[c->members[k]]] = 1;
}

static bool is_shared(const islands *s, int contact)
{
    return s->shared[s->instant->parent[s->g->system.links[contact].b]];
}

static carom_status list_contacts(islands *s, carom_error *err)
{
    carom_grains *g = s->g;
    const carom_grains_instant *c = s->instant;
    TAKE(g->scratch, s->shared, g->part->count, err);
    TAKE(g->scratch, s->here, c->chosen_count, err);
    mark_shared(s);
    for (int k = 0; k < c->chosen_count; ++k) {
        int i = c->chosen[k];
        const carom_contact_link *link = &g->system.links[i];
        if (g->fresh[link->b] > 0)
            s->here[s->count++] = (key){ g->label[link->b], (double)carom_grains_name(g, link->a),
                                         (double)carom_grains_name(g, link->b), i };
    }
    sort(s->here, (size_t)s->count, NULL);
    return CAROM_OK;
}

static carom_status too_many(const carom_grains *g, int64_t count, carom_error *err)
{
    carom_error_set(err, CAROM_BAD_INPUT,
                    "%lld contacts in islands across ranks, of which each rank needs all; %d at "
                    "most",
                    (long long)count, CONTACTS_MAX);
    return carom_error_fix(err, "use the law fixed-point instead of %s, or one rank",
                           carom_law_name(g->options.island_law));
}

// Contacts of islands across ranks, from all ranks, in order.
static carom_status gather(islands *s, carom_error *err)
{
    enum { DOUBLES = sizeof(island_contact) / sizeof(double) };
    carom_grains *g = s->g;
    island_contact *mine;
    int own = 0;
    if (!g->host.gather)
        return CAROM_OK;
    TAKE(g->scratch, mine, s->count, err);
    for (int k = 0; k < s->count; ++k) {
        int i = s->here[k].index;
        if (is_shared(s, i) && g->system.links[i].b < g->part->owned)
            mine[own++] = contact_of(g, i);
    }
    int64_t all = own;
    g->host.sum(g->host.client, &all, 1);
    if (all > CONTACTS_MAX)
        return too_many(g, all, err);
    if (all == 0)
        return CAROM_OK;
    s->gathered_count = (int)all;
    TAKE(g->scratch, s->contacts, all, err);
    TAKE(g->scratch, s->gathered, all, err);
    g->host.gather(g->host.client, (const double *)mine, own * DOUBLES, (double *)s->contacts);
    for (int k = 0; k < s->gathered_count; ++k) {
        const island_contact *one = &s->contacts[k];
        s->gathered[k] = (key){ one->label, one->end[0].name, one->end[1].name, k };
    }
    sort(s->gathered, (size_t)s->gathered_count, NULL);
    return CAROM_OK;
}

// -- one island -----------------------------------------------------------------------------------

static int number_of(const islands *s, double name)
{
    int low = 0, high = s->body_count - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (s->name[middle] < name)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// All ends, each once, by name. `keys` serve as the memory of the sort.
static void list_bodies(islands *s, const island_contact *contacts, int count, key *keys)
{
    for (int k = 0; k < 2 * count; ++k)
        keys[k] = (key){ .label = contacts[k / 2].end[k % 2].name, .index = k };
    sort(keys, 2 * (size_t)count, NULL);
    s->body_count = 0;
    for (int k = 0; k < 2 * count; ++k) {
        const side *one = &contacts[keys[k].index / 2].end[keys[k].index % 2];
        if (k > 0 && keys[k].label == keys[k - 1].label)
            continue;
        carom_impact_body *body = &s->bodies[s->body_count];
        double turn = one->inverse_inertia;
        *body = (carom_impact_body){ .inverse_mass = one->inverse_mass,
                                     .inverse_inertia = { turn, turn, turn, 0, 0, 0 } };
        memcpy(body->position, one->position, sizeof body->position);
        memcpy(body->velocity, one->velocity, sizeof body->velocity);
        memcpy(body->spin, one->spin, sizeof body->spin);
        s->name[s->body_count++] = one->name;
    }
}

// The law knows bodies by one place each: a ring of contacts round a periodic box has none.
static carom_status check_place(const islands *s, const side *one, carom_error *err)
{
    if (memcmp(s->bodies[number_of(s, one->name)].position, one->position, sizeof one->position) ==
        0)
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT,
                    "grain %.0f is struck across a periodic border, which the law %s does not know",
                    one->name, carom_law_name(s->g->options.island_law));
    return carom_error_fix(err, "use the law fixed-point, or walls");
}

// The point half way between the surfaces, as collide/ has it.
static vec3 point_of(const island_contact *one)
{
    const side *a = &one->end[0], *b = &one->end[1];
    vec3 n = vec3_from(one->normal), at = vec3_from(b->position);
    if (a->inverse_mass == 0) // a wall
        return vec3_axpy(at, -0.5 * (one->gap + 2 * b->radius), n);
    return vec3_scale(0.5, vec3_add(vec3_axpy(vec3_from(a->position), a->radius, n),
                                    vec3_axpy(at, -b->radius, n)));
}

static carom_status fill(islands *s, const island_contact *contacts, int count, carom_error *err)
{
    carom_arena *scratch = s->g->scratch;
    key *keys;
    TAKE(scratch, keys, 2 * (size_t)count, err);
    TAKE(scratch, s->name, 2 * (size_t)count, err);
    TAKE(scratch, s->bodies, 2 * (size_t)count, err);
    TAKE(scratch, s->list, count, err);
    list_bodies(s, contacts, count, keys);
    TAKE(scratch, s->out.velocities, s->body_count, err);
    TAKE(scratch, s->out.spins, s->body_count, err);
    TAKE(scratch, s->out.impulses, count, err);
    for (int k = 0; k < count; ++k) {
        const island_contact *one = &contacts[k];
        TRY(check_place(s, &one->end[0], err));
        TRY(check_place(s, &one->end[1], err));
        s->list[k] = (carom_impact_contact){ .a = number_of(s, one->end[0].name),
                                             .b = number_of(s, one->end[1].name),
                                             .restitution = one->restitution,
                                             .friction = one->friction,
                                             .stiffness = STIFFNESS,
                                             .exponent = EXPONENT };
        vec3_store(point_of(one), s->list[k].point);
        memcpy(s->list[k].normal, one->normal, sizeof one->normal);
    }
    return CAROM_OK;
}

static bool round_off(const islands *s, int grain, const double *spin)
{
    return vec3_length(vec3_from(spin)) * s->g->part->radius[grain] <=
           ROUND_OFF * s->instant->fastest;
}

static void take_velocity(islands *s, int grain)
{
    carom_grains *g = s->g;
    if (grain >= g->part->owned)
        return; // a ghost, or a wall
    int i = number_of(s, (double)g->part->name[grain]);
    const double *spin = s->out.spins[i];
    bool still = round_off(s, grain, s->bodies[i].spin) && round_off(s, grain, spin);
    g->system.sphere_bodies[grain].v = vec3_from(s->out.velocities[i]);
    g->system.sphere_bodies[grain].w = still ? vec3_make(0, 0, 0) : vec3_from(spin);
}

// What the law said of contact k of the island, for contact i here.
static void take_contact(islands *s, int i, int k)
{
    carom_grains *g = s->g;
    const carom_contact_link *link = &g->system.links[i];
    const double *p = s->out.impulses[k];
    take_velocity(s, link->a);
    take_velocity(s, link->b);
    if (link->b >= g->part->owned)
        return;
    s->instant->struck[i] = p[0] > 0;
    vec3 t1, t2, n = vec3_from(s->list[k].normal);
    vec3_tangents(n, &t1, &t2);
    vec3 impulse = vec3_axpy(vec3_axpy(vec3_scale(p[0], n), p[1], t1), p[2], t2);
    s->instant->work[i] = carom_grains_is_wall(g, link->a)
                              ? vec3_dot(impulse, g->system.sphere_bodies[link->a].v)
                              : 0;
}

// The island of the keys [begin, end).
static carom_status resolve_one(islands *s, int begin, int end, carom_error *err)
{
    carom_grains *g = s->g;
    carom_arena_mark mark = carom_arena_mark_here(g->scratch);
    double label = s->here[begin].label;
    int count = end - begin, first = 0;
    const bool shared = is_shared(s, s->here[begin].index);
    if (shared) { // where its contacts begin among those gathered
        int high = s->gathered_count;
        while (first < high) {
            int middle = (first + high) / 2;
            if (s->gathered[middle].label < label)
                first = middle + 1;
            else
                high = middle;
        }
        for (count = 0;
             first + count < s->gathered_count && s->gathered[first + count].label == label;)
            ++count;
    }
    island_contact *contacts;
    TAKE(g->scratch, contacts, count, err);
    for (int k = 0; k < count; ++k)
        contacts[k] = shared ? s->contacts[s->gathered[first + k].index]
                             : contact_of(g, s->here[begin + k].index);
    TRY(fill(s, contacts, count, err));
    carom_impact impact = { s->body_count, count, s->bodies, s->list };
    carom_workspace_scale(g->workspace, s->instant->fastest);
    TRY(carom_impact_resolve(g->workspace, &impact, g->options.island_law,
                             &g->options.island_options, &s->out, err));
    for (int n = begin, k = 0; n < end; ++n) { // both in the order of names
        const key *here = &s->here[n];
        while (contacts[k].end[0].name != here->a || contacts[k].end[1].name != here->b)
            ++k;
        take_contact(s, here->index, k);
    }
    carom_arena_rewind(g->scratch, mark);
    return CAROM_OK;
}

carom_status carom_grains_island_resolve(carom_grains *g, const carom_grains_instant *instant,
                                         carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(g->scratch);
    islands s = { .g = g, .instant = instant };
    TRY(list_contacts(&s, err));
    TRY(gather(&s, err));
    for (int begin = 0, end; begin < s.count; begin = end) {
        for (end = begin + 1; end < s.count && s.here[end].label == s.here[begin].label;)
            ++end;
        TRY(resolve_one(&s, begin, end, err));
    }
    carom_arena_rewind(g->scratch, mark);
    return CAROM_OK;
}

// Islands of an impact to a law of the library (carom/law.h), over ranks.
//
// The law gets an island as a whole, contacts and bodies in the order of names: what it answers is
// a function of the island, not of who asks. An island whose grains are all owned by one rank is
// asked about there. One across ranks is gathered: its contacts, with the states of their grains,
// go to all ranks (each contact from the owner of its higher name). One of its owners asks, the
// sender of a contact that the label draws, so that ranks have their turns, and what the law said
// goes to all ranks in its turn.
#include "grains/grains.h"

#include <string.h>
#include "base/hash.h"
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

// What the law said of a gathered contact.
typedef struct answer {
    double place;  // among those gathered, in order
    double struck; // 1: the law pushed
    double impulse[3], velocity[2][3], spin[2][3];
} answer;

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
    answer *answers;          // of this rank, for them
    int answer_count;
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
    TAKE(g->scratch, s->answers, all, err);
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

// Spin after the impact: what is round-off before and after is none.
static vec3 spin_after(const islands *s, int body, double radius)
{
    double least = ROUND_OFF * s->instant->fastest;
    vec3 then = vec3_from(s->bodies[body].spin), now = vec3_from(s->out.spins[body]);
    bool still = vec3_length(then) * radius <= least && vec3_length(now) * radius <= least;
    return still ? vec3_make(0, 0, 0) : now;
}

// What the law said of contact k of the island.
static answer answer_of(const islands *s, const island_contact *contacts, int k)
{
    answer one = { .struck = s->out.impulses[k][0] > 0 };
    vec3 t1, t2, n = vec3_from(s->list[k].normal);
    const double *p = s->out.impulses[k];
    vec3_tangents(n, &t1, &t2);
    vec3_store(vec3_axpy(vec3_axpy(vec3_scale(p[0], n), p[1], t1), p[2], t2), one.impulse);
    for (int end = 0; end < 2; ++end) {
        int body = end ? s->list[k].b : s->list[k].a;
        memcpy(one.velocity[end], s->out.velocities[body], sizeof one.velocity[end]);
        vec3_store(spin_after(s, body, contacts[k].end[end].radius), one.spin[end]);
    }
    return one;
}

// The answer for contact i here. Ghosts and walls are not this rank's to change.
static void take_answer(islands *s, int i, const answer *one)
{
    carom_grains *g = s->g;
    const carom_contact_link *link = &g->system.links[i];
    for (int end = 0; end < 2; ++end) {
        int grain = end ? link->b : link->a;
        if (grain >= g->part->owned)
            continue;
        g->system.sphere_bodies[grain].v = vec3_from(one->velocity[end]);
        g->system.sphere_bodies[grain].w = vec3_from(one->spin[end]);
    }
    if (link->b >= g->part->owned)
        return;
    vec3 impulse = vec3_from(one->impulse);
    s->instant->struck[i] = one->struck > 0;
    s->instant->work[i] = carom_grains_is_wall(g, link->a)
                              ? vec3_dot(impulse, g->system.sphere_bodies[link->a].v)
                              : 0;
}

// Where the contacts of an island begin among those gathered, and how many they are.
static int find_gathered(const islands *s, double label, int *count)
{
    int first = 0, high = s->gathered_count;
    while (first < high) {
        int middle = (first + high) / 2;
        if (s->gathered[middle].label < label)
            first = middle + 1;
        else
            high = middle;
    }
    *count = 0;
    while (first + *count < s->gathered_count && s->gathered[first + *count].label == label)
        ++*count;
    return first;
}

static bool same_contact(const key *p, const key *q)
{
    return p->a == q->a && p->b == q->b;
}

// Whether this rank asks about the island of the keys [begin, end), which ranks share.
static bool is_asker(const islands *s, int begin, int end, int first, int count)
{
    uint64_t draw = carom_hash_bytes(CAROM_HASH_START, &s->here[begin].label, sizeof(double));
    const key *drawn = &s->gathered[first + (int)(draw % (uint64_t)count)];
    for (int n = begin; n < end; ++n)
        if (same_contact(&s->here[n], drawn) &&
            s->g->system.links[s->here[n].index].b < s->g->part->owned)
            return true;
    return false;
}

static carom_status ask(islands *s, const island_contact *contacts, int count, carom_error *err)
{
    carom_grains *g = s->g;
    TRY(fill(s, contacts, count, err));
    g->asked += count;
    carom_impact impact = { s->body_count, count, s->bodies, s->list };
    carom_workspace_scale(g->workspace, s->instant->fastest);
    return carom_impact_resolve(g->workspace, &impact, g->options.island_law,
                                &g->options.island_options, &s->out, err);
}

// The island of the keys [begin, end).
static carom_status resolve_one(islands *s, int begin, int end, carom_error *err)
{
    carom_grains *g = s->g;
    carom_arena_mark mark = carom_arena_mark_here(g->scratch);
    int count = end - begin, first = 0;
    const bool shared = is_shared(s, s->here[begin].index);
    if (shared)
        first = find_gathered(s, s->here[begin].label, &count);
    if (shared && !is_asker(s, begin, end, first, count))
        return CAROM_OK;
    island_contact *contacts;
    TAKE(g->scratch, contacts, count, err);
    for (int k = 0; k < count; ++k)
        contacts[k] = shared ? s->contacts[s->gathered[first + k].index]
                             : contact_of(g, s->here[begin + k].index);
    TRY(ask(s, contacts, count, err));
    for (int k = 0; k < count; ++k) {
        answer one = answer_of(s, contacts, k);
        one.place = first + k;
        if (shared)
            s->answers[s->answer_count++] = one;
        else
            take_answer(s, s->here[begin + k].index, &one);
    }
    carom_arena_rewind(g->scratch, mark);
    return CAROM_OK;
}

// What all ranks were told about the islands that they share.
static carom_status take_shared(islands *s, carom_error *err)
{
    enum { DOUBLES = sizeof(answer) / sizeof(double) };
    carom_grains *g = s->g;
    answer *all;
    int *at;
    if (s->gathered_count == 0)
        return CAROM_OK;
    TAKE(g->scratch, all, s->gathered_count, err);
    TAKE(g->scratch, at, s->gathered_count, err);
    g->host.gather(g->host.client, (const double *)s->answers, s->answer_count * DOUBLES,
                   (double *)all);
    for (int k = 0; k < s->gathered_count; ++k)
        at[(int)all[k].place] = k;
    for (int n = 0, k = 0; n < s->count; ++n) { // both in the same order
        const key *here = &s->here[n];
        if (!is_shared(s, here->index))
            continue;
        while (s->gathered[k].label != here->label || !same_contact(&s->gathered[k], here))
            ++k;
        take_answer(s, here->index, &all[at[k]]);
    }
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
    TRY(take_shared(&s, err));
    carom_arena_rewind(g->scratch, mark);
    return CAROM_OK;
}

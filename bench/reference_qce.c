// A plain implementation of QCE as the paper prints it: the baseline that speed is measured against.
#include "reference_qce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct state {
    const carom_impact *impact;
    int count;               // contacts
    double (*v)[3];          // bodies' velocities
    double (*sum)[3];        // M^-1 J^T F
    int *first, *list;       // contacts of each body
    double *F, *e, *u, *a;   // push, energy / F, speed, half its slope, per contact
    double *s_ref, *end, *P; // s of the last update, s where it ends, impulse
    int *heap, *place;       // heap of contacts by `end`; place -1: not in it
    int heap_size;
} state;

static int allocate(state *s, reference_report *report);
static void release(state *s);
static void build_lists(state *s);
static double gather(state *s, double tolerance);
static void run(state *s, reference_report *report);
static void apply(state *s, double *impulses);

int reference_qce(const carom_impact *impact, double tolerance, int cap, double (*velocities)[3],
                  double *impulses, reference_report *report)
{
    state s = { .impact = impact, .count = impact->contact_count, .v = velocities };
    *report = (reference_report){ 0 };
    if (!allocate(&s, report)) {
        release(&s);
        return 0;
    }
    for (int i = 0; i < impact->body_count; ++i)
        memcpy(velocities[i], impact->bodies[i].velocity, sizeof velocities[i]);
    memset(impulses, 0, (size_t)s.count * sizeof *impulses);
    build_lists(&s);
    double limit = tolerance * gather(&s, HUGE_VAL);
    while (report->sweeps < cap) {
        gather(&s, limit);
        if (s.heap_size == 0)
            break;
        ++report->sweeps;
        run(&s, report);
        apply(&s, impulses);
    }
    release(&s);
    return 1;
}

static void *take(size_t count, size_t size, reference_report *report)
{
    report->bytes += count * size;
    return malloc(count * size);
}

static int allocate(state *s, reference_report *report)
{
    size_t n = (size_t)s->count, bodies = (size_t)s->impact->body_count;
    double **arrays[] = { &s->F, &s->e, &s->u, &s->a, &s->s_ref, &s->end, &s->P };
    int ok = 1;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
        ok = (*arrays[i] = take(n, sizeof(double), report)) != NULL && ok;
    s->sum = take(bodies, sizeof *s->sum, report);
    s->first = take(bodies + 2, sizeof(int), report);
    s->list = take(2 * n, sizeof(int), report);
    s->heap = take(n, sizeof(int), report);
    s->place = take(n, sizeof(int), report);
    return ok && s->sum && s->first && s->list && s->heap && s->place;
}

static void release(state *s)
{
    void *all[] = { s->F, s->e,   s->u,     s->a,    s->s_ref, s->end,
                    s->P, s->sum, s->first, s->list, s->heap,  s->place };
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        free(all[i]);
}

static void build_lists(state *s)
{
    memset(s->first, 0, ((size_t)s->impact->body_count + 2) * sizeof(int));
    for (int i = 0; i < s->count; ++i) {
        ++s->first[s->impact->contacts[i].a + 2];
        ++s->first[s->impact->contacts[i].b + 2];
    }
    for (int i = 2; i < s->impact->body_count + 2; ++i)
        s->first[i] += s->first[i - 1];
    for (int i = 0; i < s->count; ++i) {
        s->list[s->first[s->impact->contacts[i].a + 1]++] = i;
        s->list[s->first[s->impact->contacts[i].b + 1]++] = i;
    }
}

// -- heap ----------------------------------------------------------------------------------------

static void heap_put(state *s, int at, int contact)
{
    s->heap[at] = contact;
    s->place[contact] = at;
}

static void heap_up(state *s, int at)
{
    int contact = s->heap[at];
    while (at > 0 && s->end[contact] < s->end[s->heap[(at - 1) / 2]]) {
        heap_put(s, at, s->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    heap_put(s, at, contact);
}

static void heap_down(state *s, int at)
{
    int contact = s->heap[at];
    for (int child = 2 * at + 1; child < s->heap_size; child = 2 * at + 1) {
        if (child + 1 < s->heap_size && s->end[s->heap[child + 1]] < s->end[s->heap[child]])
            ++child;
        if (s->end[contact] <= s->end[s->heap[child]])
            break;
        heap_put(s, at, s->heap[child]);
        at = child;
    }
    heap_put(s, at, contact);
}

static int heap_pop(state *s)
{
    int top = s->heap[0], last = s->heap[--s->heap_size];
    s->place[top] = -1;
    if (s->heap_size > 0) {
        heap_put(s, 0, last);
        heap_down(s, 0);
    }
    return top;
}

// -- one sweep -----------------------------------------------------------------------------------

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Speeds of all contacts; those faster than the tolerance enter the heap. Returns max |u|.
static double gather(state *s, double tolerance)
{
    const carom_impact *impact = s->impact;
    double fastest = 0;
    s->heap_size = 0;
    memset(s->sum, 0, (size_t)impact->body_count * sizeof *s->sum);
    for (int i = 0; i < s->count; ++i) {
        const carom_impact_contact *c = &impact->contacts[i];
        s->u[i] = dot(c->normal, s->v[c->b]) - dot(c->normal, s->v[c->a]);
        fastest = fabs(s->u[i]) > fastest ? fabs(s->u[i]) : fastest;
        s->F[i] = s->u[i] < -tolerance ? -s->u[i] : 0;
        s->e[i] = s->s_ref[i] = s->P[i] = 0;
        s->place[i] = -1;
        for (int k = 0; k < 3 && s->F[i] > 0; ++k) {
            s->sum[c->a][k] -= s->F[i] * impact->bodies[c->a].inverse_mass * c->normal[k];
            s->sum[c->b][k] += s->F[i] * impact->bodies[c->b].inverse_mass * c->normal[k];
        }
    }
    for (int i = 0; i < s->count; ++i) {
        const carom_impact_contact *c = &impact->contacts[i];
        if (s->F[i] == 0)
            continue;
        s->a[i] = 0.5 * (dot(c->normal, s->sum[c->b]) - dot(c->normal, s->sum[c->a]));
        s->end[i] = s->a[i] > 0 ? -s->u[i] / s->a[i] : HUGE_VAL;
        s->heap[s->heap_size++] = i;
        s->place[i] = s->heap_size - 1;
    }
    for (int i = s->heap_size / 2 - 1; i >= 0; --i)
        heap_down(s, i);
    return fastest;
}

static double first_root(double e, double v, double a)
{
    double disc = v * v + 4 * a * e;
    if (e <= 0)
        return 0;
    if (v > 0)
        return disc < 0 ? HUGE_VAL : 2 * e / (v + sqrt(disc));
    return a > 0 ? (-v + sqrt(disc)) / (2 * a) : HUGE_VAL;
}

// Contact i after its neighbour k ended at s.
static void update(state *s, int i, int k, int body, double now)
{
    const carom_impact_contact *ci = &s->impact->contacts[i], *ck = &s->impact->contacts[k];
    double tau = now - s->s_ref[i];
    double w = s->impact->bodies[body].inverse_mass * dot(ci->normal, ck->normal);
    if ((ci->a == body) != (ck->a == body))
        w = -w;
    s->e[i] -= s->u[i] * tau + s->a[i] * tau * tau;
    s->u[i] += 2 * s->a[i] * tau;
    s->s_ref[i] = now;
    s->a[i] -= 0.5 * w * s->F[k];
    double before = s->end[i];
    s->end[i] = now + first_root(s->e[i], s->u[i], s->a[i]);
    if (s->end[i] < before)
        heap_up(s, s->place[i]);
    else
        heap_down(s, s->place[i]);
}

static void run(state *s, reference_report *report)
{
    while (s->heap_size > 0) {
        int k = heap_pop(s);
        int bodies[2] = { s->impact->contacts[k].a, s->impact->contacts[k].b };
        double now = s->end[k];
        s->P[k] = s->F[k] * now;
        ++report->events;
        for (int side = 0; side < 2; ++side)
            for (int j = s->first[bodies[side]]; j < s->first[bodies[side] + 1]; ++j)
                if (s->place[s->list[j]] >= 0)
                    update(s, s->list[j], k, bodies[side], now);
    }
}

static void apply(state *s, double *impulses)
{
    for (int i = 0; i < s->count; ++i) {
        const carom_impact_contact *c = &s->impact->contacts[i];
        if (s->P[i] == 0)
            continue;
        impulses[i] += s->P[i];
        for (int k = 0; k < 3; ++k) {
            s->v[c->a][k] -= s->P[i] * s->impact->bodies[c->a].inverse_mass * c->normal[k];
            s->v[c->b][k] += s->P[i] * s->impact->bodies[c->b].inverse_mass * c->normal[k];
        }
    }
}

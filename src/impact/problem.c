// Rows, adjacency and islands of a contact problem.
#include "impact/problem.h"
#include "base/progress.h"
#include "base/sets.h"

#include <string.h>

static carom_row make_row(const carom_impact_body *bodies, const carom_impact_contact *contact,
                          vec3 d);
static carom_status build_rows(const carom_impact *impact, carom_arena *arena,
                               carom_problem *problem, carom_error *err);
static carom_status build_adjacency(carom_arena *arena, carom_problem *problem, carom_error *err);
static carom_status build_islands(carom_arena *arena, carom_problem *problem, carom_error *err);

carom_status carom_problem_build(const carom_impact *impact, carom_arena *arena,
                                 carom_problem *problem, carom_error *err)
{
    *problem = (carom_problem){ .body_count = impact->body_count,
                                .contact_count = impact->contact_count,
                                .bodies = impact->bodies,
                                .contacts = impact->contacts,
                                .threads = 1 };
    TRY(build_rows(impact, arena, problem, err));
    TRY(build_adjacency(arena, problem, err));
    return build_islands(arena, problem, err);
}

carom_status carom_problem_begin_motion(const carom_problem *problem, carom_arena *arena,
                                        carom_motion *motion, carom_error *err)
{
    TAKE(arena, motion->v, problem->body_count, err);
    TAKE_ZEROS(arena, motion->p, problem->contact_count, err);
    for (int i = 0; i < problem->body_count; ++i)
        motion->v[i] = (carom_twist){ vec3_from(problem->bodies[i].velocity),
                                      vec3_from(problem->bodies[i].spin) };
    return CAROM_OK;
}

double carom_problem_energy(const carom_problem *problem, const carom_twist *v)
{
    double energy = 0;
    for (int i = 0; i < problem->body_count; ++i) {
        const carom_impact_body *body = &problem->bodies[i];
        if (body->inverse_mass == 0)
            continue;
        const double *s = body->inverse_inertia;
        sym3 inverse = { s[0], s[1], s[2], s[3], s[4], s[5] };
        energy += 0.5 / body->inverse_mass * vec3_dot(v[i].linear, v[i].linear);
        energy += 0.5 * sym3_divide(inverse, v[i].angular);
    }
    return energy;
}

static carom_row make_row(const carom_impact_body *bodies, const carom_impact_contact *contact,
                          vec3 d)
{
    const carom_impact_body *a = &bodies[contact->a], *b = &bodies[contact->b];
    const double *ia = a->inverse_inertia, *ib = b->inverse_inertia;
    vec3 point = vec3_from(contact->point), point_of_b = carom_problem_point_of_b(contact);
    carom_row row = {
        .a = contact->a, .b = contact->b, .d = d, .inv_a = a->inverse_mass, .inv_b = b->inverse_mass
    };
    row.arm_a = vec3_cross(vec3_sub(point, vec3_from(a->position)), d);
    row.arm_b = vec3_cross(vec3_sub(point_of_b, vec3_from(b->position)), d);
    row.turn_a = sym3_mul((sym3){ ia[0], ia[1], ia[2], ia[3], ia[4], ia[5] }, row.arm_a);
    row.turn_b = sym3_mul((sym3){ ib[0], ib[1], ib[2], ib[3], ib[4], ib[5] }, row.arm_b);
    row.diagonal = carom_row_coupling(&row, &row);
    return row;
}

// Whether an impulse turns a body. Centres and contact points carry round-off, so that the arms of
// spheres are not quite zero; an arm within that round-off says nothing and counts as none. An
// immovable body does not turn, but its given spin moves the contact.
static bool turned(const carom_impact_contact *contact, const carom_impact_body *body, vec3 arm)
{
    const double noise = 0x1p-48; // 16 units in the last place
    if (body->inverse_mass == 0)
        return vec3_dot(arm, vec3_from(body->spin)) != 0;
    return vec3_dot(arm, arm) > noise * noise * carom_problem_arm_size(contact, body);
}

static void build_link(carom_problem *problem, int i)
{
    const carom_row *row = &problem->normal[i];
    const carom_impact_contact *contact = &problem->contacts[i];
    bool turns = turned(contact, &problem->bodies[row->a], row->arm_a) ||
                 turned(contact, &problem->bodies[row->b], row->arm_b);
    problem->links[i] = (carom_problem_link){ row->d, row->a, (unsigned)row->b, turns };
    problem->still[i] = (unsigned char)((row->inv_a == 0 ? CAROM_PROBLEM_STILL_A : 0) |
                                        (row->inv_b == 0 ? CAROM_PROBLEM_STILL_B : 0));
    problem->turning = problem->turning || turns;
}

static carom_status build_rows(const carom_impact *impact, carom_arena *arena,
                               carom_problem *problem, carom_error *err)
{
    int n = problem->contact_count;
    bool frictional = false;
    TAKE(arena, problem->normal, n, err);
    TAKE(arena, problem->links, n, err);
    TAKE(arena, problem->still, n, err);
    TAKE(arena, problem->u, n, err);
    for (int i = 0; i < n; ++i) {
        const carom_impact_contact *contact = &impact->contacts[i];
        const carom_impact_body *a = &impact->bodies[contact->a], *b = &impact->bodies[contact->b];
        problem->normal[i] = make_row(impact->bodies, contact, vec3_from(contact->normal));
        const carom_row *row = &problem->normal[i];
        double u = vec3_dot(row->d, vec3_sub(vec3_from(b->velocity), vec3_from(a->velocity))) +
                   vec3_dot(row->arm_b, vec3_from(b->spin)) -
                   vec3_dot(row->arm_a, vec3_from(a->spin));
        build_link(problem, i);
        problem->u[i] = u;
        problem->fastest = fmax(problem->fastest, fabs(u));
        frictional = frictional || contact->friction > 0;
        vec3 shift = vec3_from(contact->shift);
        problem->shifted |= vec3_dot(shift, shift) > 0;
    }
    if (!frictional)
        return CAROM_OK;
    TAKE(arena, problem->tangent, 2 * (size_t)n, err);
    TAKE_ZEROS(arena, problem->drawn, n, err);
    return CAROM_OK;
}

void carom_problem_make_tangents(const carom_problem *problem, int contact)
{
    const carom_impact_contact *one = &problem->contacts[contact];
    vec3 t1, t2;
    vec3_tangents(problem->normal[contact].d, &t1, &t2);
    problem->tangent[2 * contact] = make_row(problem->bodies, one, t1);
    problem->tangent[2 * contact + 1] = make_row(problem->bodies, one, t2);
    problem->drawn[contact] = 1;
}

static carom_status build_adjacency(carom_arena *arena, carom_problem *problem, carom_error *err)
{
    int n = problem->contact_count;
    int *first;
    TAKE_ZEROS(arena, first, problem->body_count + 2, err);
    for (int i = 0; i < n; ++i) {
        const carom_problem_link *one = &problem->links[i];
        first[one->a + 2] += !(problem->still[i] & CAROM_PROBLEM_STILL_A);
        first[one->b + 2] += !(problem->still[i] & CAROM_PROBLEM_STILL_B);
    }
    for (int i = 2; i < problem->body_count + 2; ++i)
        first[i] += first[i - 1];
    TAKE(arena, problem->contact_list, first[problem->body_count + 1], err);
    for (int i = 0; i < n; ++i) {
        const carom_problem_link *one = &problem->links[i];
        if (!(problem->still[i] & CAROM_PROBLEM_STILL_A))
            problem->contact_list[first[one->a + 1]++] = i;
        if (!(problem->still[i] & CAROM_PROBLEM_STILL_B))
            problem->contact_list[first[one->b + 1]++] = i;
    }
    problem->first_contact = first;
    return CAROM_OK;
}

static carom_status build_islands(carom_arena *arena, carom_problem *problem, carom_error *err)
{
    int n = problem->contact_count;
    int *parent, *island_of, *first;
    TAKE(arena, problem->island_contacts, n, err);
    TAKE(arena, first, (size_t)n + 2, err);
    carom_arena_mark mark = carom_arena_mark_here(arena);
    TAKE(arena, parent, problem->body_count, err);
    TAKE(arena, island_of, problem->body_count, err);
    for (int i = 0; i < problem->body_count; ++i) {
        parent[i] = i;
        island_of[i] = -1;
    }
    for (int i = 0; i < n; ++i) {
        const carom_problem_link *one = &problem->links[i];
        if (!problem->still[i])
            sets_join(parent, one->a, (int)one->b);
    }
    memset(first, 0, ((size_t)n + 2) * sizeof *first);
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < n; ++i) {
            const carom_problem_link *one = &problem->links[i];
            bool still = problem->still[i] & CAROM_PROBLEM_STILL_A;
            int root = sets_find(parent, still ? (int)one->b : one->a);
            if (island_of[root] < 0)
                island_of[root] = problem->island_count++;
            if (pass == 0)
                ++first[island_of[root] + 2];
            else
                problem->island_contacts[first[island_of[root] + 1]++] = i;
        }
        for (int k = 2; pass == 0 && k <= problem->island_count + 1; ++k)
            first[k] += first[k - 1];
    }
    problem->first_island = first;
    carom_arena_rewind(arena, mark);
    return CAROM_OK;
}

void carom_problem_report(const carom_problem *problem, int sweep, const double (*p)[3])
{
    carom_problem_observer *observer = problem->observer;
    if (observer)
        observer->callback.after_sweep(observer->callback.context, observer->base + sweep, p);
}

void carom_problem_report_step(const carom_problem *problem, const double (*p)[3], double stored)
{
    carom_problem_observer *observer = problem->observer;
    if (observer && observer->callback.after_step)
        observer->callback.after_step(observer->callback.context, p, stored);
}

void carom_problem_report_some(const carom_problem *problem, int sweep, const carom_motion *motion,
                               const int *contacts, const double *normal, int count)
{
    carom_problem_observer *observer = problem->observer;
    if (!observer)
        return;
    for (int i = 0; i < problem->contact_count; ++i)
        for (int k = 0; k < 3; ++k)
            observer->so_far[i][k] = motion->p[i][k];
    for (int i = 0; i < count; ++i)
        observer->so_far[contacts[i]][0] += normal[i];
    carom_problem_report(problem, sweep, (const double(*)[3])observer->so_far);
}

void carom_problem_add_share(const carom_problem *problem, int contact, double share,
                             carom_motion *motion)
{
    double *p = motion->p[contact];
    for (int k = 0; k < 3; ++k)
        if (p[k] != 0) {
            const carom_row *row = k == 0 ? &problem->normal[contact]
                                          : &carom_problem_tangents(problem, contact)[k - 1];
            carom_row_apply(row, share * p[k], motion->v);
            p[k] += share * p[k];
        }
}

void carom_problem_copy_motion(const carom_problem *problem, const carom_motion *from,
                               carom_motion *to)
{
    memcpy(to->v, from->v, (size_t)problem->body_count * sizeof *to->v);
    memcpy(to->p, from->p, (size_t)problem->contact_count * sizeof *to->p);
}

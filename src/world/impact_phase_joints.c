// Joints in an instant of impact.
//
// Rigid joints answer at once, so the law has to see W = J P J^T in place of J M^-1 J^T, with
//     P = M^-1 - M^-1 G^T (G M^-1 G^T)^-1 G M^-1,   G the rows of the joints, G v = t.
// Where P is that of free bodies again, reduced bodies go to the law (reduced_body.c), and every
// law answers exactly. What is left, joints between moving bodies and strings, is solved around the
// law L. With impulses q of the joints, a part S before and the rest after it:
//     v1 = v- + M^-1 G^T S q,   v2 = L(v1),   v+ = v2 + M^-1 G^T (1 - S) q,   G v+ = t.   (1)
// Contacts compress, then expand with e of the impulse, and a joint follows them in both phases in
// proportion: S = 1/(1 + e). What this means:
//   one contact: L gives J v2 = -e J v1, hence
//     J v+ = -e J v- + (1 - S - e S) J M^-1 G^T q,
//     of which the last term is zero: Newton's law with W = J P J^T, for any law and any e. With
//     friction the law has to see W itself: impact_phase_joint_single.c.
//   e = 1: S = 1/2; the joints bring in 1/8 q.A q before and take it out after the law
//     (A = G M^-1 G^T, t = 0): the energy is the law's to keep, for any number of contacts.
//   e = 0: S = 1; of a law with complementarity (0 <= p _|_ J v+ >= 0) (1) is the solution with
//     W = J P J^T, which loses 1/2 |v+ - v-|_M^2.
// With several contacts of other e the result satisfies (1), momentum is kept, and impulses that
// would gain energy are shortened. How (1) is solved, with strings, says
// impact_phase_joint_solve.c; what the law sees of contacts and stops,
// impact_phase_joint_contacts.c.
//
// What approaches after a law that jumps, or after impulses were shortened, is stopped by (1) once
// more, with the inelastic law without friction (in an elastic instant: with reflections):
// piecewise linear, along the normals only, without a gain.
#include <string.h>
#include "base/sets.h"
#include "world/impact_phase_joints.h"

// Approach that may be left, of the fastest contact, as laws leave it (wave: `tolerance`).
#define LEFT 1e-9
// Times that what is left is stopped.
enum { FINISHES = 4 };

typedef carom_impact_joint_link link;
typedef carom_impact_joint_split split;

static carom_status prepare(split *s, carom_error *err);
static void share_out(split *s, int *cluster);
static void deaden(split *s, int *cluster);
static carom_status finish(split *s, carom_error *err);

carom_status carom_impact_phase_joints_resolve(carom_world *world, const int *body_of,
                                               const carom_impact *impact,
                                               carom_impact_outcome *out, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(world->scratch);
    split s = { .world = world,
                .law = world->options.law,
                .options = world->options.law_options,
                .system = { .world = world, .impact = impact, .body_of = body_of } };
    int *cluster;
    TRY(prepare(&s, err));
    TRY(carom_impact_joint_rows(&s, err));
    TAKE(world->scratch, cluster, carom_impact_joint_places(&s), err);
    TRY(carom_impact_joint_project(&s, s.start, false, err));
    carom_impact_joint_contacts(&s);
    share_out(&s, cluster);
    TRY(carom_impact_joint_solve(&s, err));
    if (carom_impact_joint_gains(&s)) {
        deaden(&s, cluster);
        TRY(carom_impact_joint_solve(&s, err));
    }
    carom_impact_joint_shorten(&s);
    TRY(finish(&s, err));
    carom_impact_joint_report(&s, out);
    carom_arena_rewind(world->scratch, mark);
    return CAROM_OK;
}

carom_status carom_impact_phase_joints_clusters(carom_world *world, int **next,
                                                unsigned char **jointed, carom_error *err)
{
    *next = NULL;
    *jointed = NULL;
    if (world->joint_count == 0)
        return CAROM_OK;
    TAKE(world->scratch, *next, world->count, err);
    TAKE_ZEROS(world->scratch, *jointed, world->count, err);
    carom_arena_mark mark = carom_arena_mark_here(world->scratch);
    int *parent;
    TAKE(world->scratch, parent, world->count, err);
    for (int i = 0; i < world->count; ++i)
        parent[i] = (*next)[i] = i;
    for (int j = 0; j < world->joint_count; ++j) {
        const carom_world_joint *joint = &world->joints[j];
        bool ends[2] = { !carom_reduced_body_immovable(world, joint->a),
                         !carom_reduced_body_immovable(world, joint->b) };
        if (joint->broken || joint->kind == CAROM_JOINT_SPRING)
            continue;
        if (ends[0])
            (*jointed)[joint->a] = 1;
        if (ends[1])
            (*jointed)[joint->b] = 1;
        if (!ends[0] || !ends[1] ||
            (joint->kind == CAROM_JOINT_STRING && !carom_impact_joint_is_taut(world, joint)))
            continue;
        if (!sets_join(parent, joint->a, joint->b))
            continue;
        int after = (*next)[joint->a]; // two circular lists become one
        (*next)[joint->a] = (*next)[joint->b];
        (*next)[joint->b] = after;
    }
    carom_arena_rewind(world->scratch, mark);
    return CAROM_OK;
}

static carom_status prepare(split *s, carom_error *err)
{
    carom_arena *scratch = s->world->scratch;
    const carom_impact *impact = s->system.impact;
    int bodies = impact->body_count, contacts = impact->contact_count;
    TAKE(scratch, s->system.place_of, s->world->count, err);
    for (int i = 0; i < s->world->count; ++i)
        s->system.place_of[i] = -1;
    for (int i = 0; i < bodies; ++i)
        s->system.place_of[s->system.body_of[i]] = i;
    TRY(carom_reduced_body_make(&s->system, err));
    for (int j = 0; j < s->world->joint_count && contacts == 0; ++j)
        for (int side = 0; side < 2; ++side)
            s->stop_count += s->world->joints[j].met[side] &&
                             carom_impact_joint_is_here(s, &s->world->joints[j]);
    size_t most = (size_t)contacts + (size_t)s->stop_count, all = carom_impact_joint_places(s);
    TAKE_ZEROS(scratch, s->bodies, all, err);
    TAKE(scratch, s->contacts, most, err);
    TAKE(scratch, s->contact_of, most, err);
    TAKE(scratch, s->answer.velocities, all, err);
    TAKE(scratch, s->answer.spins, all, err);
    TAKE_ZEROS(scratch, s->answer.impulses, most, err);
    TAKE_ZEROS(scratch, s->start, all, err);
    TAKE_ZEROS(scratch, s->end, all, err);
    for (int i = 0; i < bodies; ++i)
        s->start[i] = (carom_twist){ vec3_from(s->system.bodies[i].velocity),
                                     vec3_from(s->system.bodies[i].spin) };
    memcpy(s->bodies, s->system.bodies, (size_t)bodies * sizeof *s->bodies);
    return CAROM_OK;
}

// S of every link: by the restitution of the contacts at its cluster, weighted by the square of
// their approach.
static void share_out(split *s, int *cluster)
{
    int bodies = s->system.impact->body_count;
    bool bounces = carom_law_bounces(s->world->options.law);
    if (s->link_count == 0)
        return;
    for (int i = 0; i < (int)carom_impact_joint_places(s); ++i)
        cluster[i] = i;
    for (int k = 0; k < s->link_count; ++k) {
        const carom_row *row = &s->links[k].row;
        if (row->a == bodies || row->b == bodies)
            continue;
        sets_join(cluster, row->a, row->b);
    }
    for (int k = 0; k < s->link_count; ++k) {
        link *one = &s->links[k];
        int home = sets_find(cluster, one->row.a == bodies ? one->row.b : one->row.a);
        double sum = 0, weights = 0;
        for (int i = 0; i < s->reduced.contact_count; ++i) {
            const carom_impact_contact *contact = &s->contacts[i];
            if (sets_find(cluster, contact->a) != home && sets_find(cluster, contact->b) != home)
                continue;
            double u = vec3_dot(vec3_from(contact->normal),
                                carom_impact_joint_relative_velocity(s, contact, s->start));
            double weight = (u < 0 ? u * u : 0) + 1e-12 * s->scale * s->scale;
            sum += bounces ? weight * contact->restitution : 0;
            weights += weight;
        }
        one->before = weights > 0 ? 1 / (1 + sum / weights) : 0.5;
    }
}

// Where several contacts of partial restitution would gain: once more without any, which never
// does. Impulses that are merely shortened leave bodies approaching, and the next impact follows at
// once.
static void deaden(split *s, int *cluster)
{
    for (int i = 0; i < s->reduced.contact_count; ++i)
        s->contacts[i].restitution = 0;
    for (int k = 0; k < s->link_count; ++k) {
        link *one = &s->links[k];
        one->q = 0;
        one->on = !one->pull;
        one->target = one->drive;
    }
    share_out(s, cluster);
}

// From the velocities that are reached, with another law: generalized reflections where energy must
// not be lost, else the inelastic law.
static void begin_finish(split *s, bool elastic)
{
    s->law = carom_law_find(elastic ? "gr" : "inelastic", NULL);
    s->options = carom_law_defaults(s->law);
    memcpy(s->start, s->end, carom_impact_joint_places(s) * sizeof *s->start);
    for (int i = 0; i < s->reduced.contact_count; ++i) {
        s->contacts[i].restitution = elastic;
        s->contacts[i].friction = 0;
    }
    for (int k = 0; k < s->link_count; ++k) {
        link *one = &s->links[k];
        one->spent += one->on ? one->q : 0;
        one->q = 0;
        one->before = elastic ? 0.5 : 1;
        one->on = !one->pull;
        one->target = one->drive;
    }
}

// For laws after which nothing approaches.
static carom_status finish(split *s, carom_error *err)
{
    carom_workspace *workspace = s->world->workspace;
    carom_impact_report law = s->answer.report;
    size_t count = (size_t)s->reduced.contact_count;
    carom_status status = CAROM_OK;
    double(*sum)[3];
    bool elastic = carom_impact_joint_is_elastic(s),
         promised = carom_law_promises(s->law) & CAROM_NOP;
    if (!promised || s->active_count == 0 ||
        !(carom_impact_joint_approach_left(s) > LEFT * s->scale))
        return CAROM_OK;
    TAKE(s->world->scratch, sum, count, err);
    carom_workspace_set_accuracy(workspace, 0);
    for (int turn = 0; turn < FINISHES && carom_impact_joint_approach_left(s) > LEFT * s->scale;
         ++turn) {
        memcpy(sum, s->answer.impulses, count * sizeof *sum);
        begin_finish(s, elastic && turn < FINISHES / 2);
        status = carom_impact_joint_solve(s, err);
        if (status != CAROM_OK)
            break;
        for (size_t i = 0; i < count; ++i)
            for (int k = 0; k < 3; ++k)
                s->answer.impulses[i][k] += sum[i][k];
    }
    carom_workspace_set_accuracy(workspace, s->world->options.impact_residual);
    s->answer.report = law;
    return status;
}

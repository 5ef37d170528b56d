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
//   one contact  L gives J v2 = -e J v1, hence J v+ = -e J v- + (1 - S - e S) J M^-1 G^T q, of
//   which
//                the last term is zero: Newton's law with W = J P J^T, for any law and any e.
//   e = 1        S = 1/2; the joints bring in 1/8 q.A q before and take it out after the law
//                (A = G M^-1 G^T, t = 0): the energy is the law's to keep, for any number of
//                contacts.
//   e = 0        S = 1; of a law with complementarity (0 <= p _|_ J v+ >= 0) (1) is the solution
//   with
//                W = J P J^T, which loses 1/2 |v+ - v-|_M^2.
// With several contacts of other e the result satisfies (1), momentum is kept, and impulses that
// would gain energy are shortened. Strings are one-sided rows: those that would stretch take part,
// those that would push do not. Between steps a taut string has a small speed g along itself that
// changes its sign from step to step (world_joint.c: only the mean of two is across); it changes
// its sign here too, g+ = -g-, which does no work: 1/2 q (g- + g+).
//
// Stops of joints that are reached are contacts of the law without friction where nothing else
// collides: of a slider at its anchor along the axis; of a hinge beside the axis, where it makes no
// difference how far, as the hinge takes up what is not a moment about it. In one instant with
// contacts they are one-sided rows, as strings are, which return e of the speed they are met with:
// (1) has one S for all, and laws that see stops and contacts of different e would gain energy.
//
// (1) is piecewise linear in q and differs from A by a matrix whose rank is the number of contacts
// that act: Broyden's method from A ends after two steps per contact [Gay 1979]. Laws that jump, or
// that end at a residual, may leave it without an end; one projection (q' = A^-1 (t - G v+), which
// only takes energy) then meets the joints, and moves contacts. What approaches after that, or
// after impulses were shortened, is stopped by (1) once more, with the inelastic law without
// friction (in an elastic instant: with reflections): piecewise linear, along the normals only,
// without a gain.
#include <string.h>
#include "base/sets.h"
#include "world/impact_phase_joints.h"
#include "world/pair_material.h"

// Speeds of joints that count as zero, of the fastest contact.
#define TOLERANCE 1e-13
// Gains below this part of the work done are round-off.
#define ROUND_OFF 1e-13
// Below this part of what free bodies would answer, joints hold a contact alone.
#define HELD 1e-10
// Approach that may be left, of the fastest contact, as laws leave it (wave: `tolerance`).
#define LEFT 1e-9
// Times that the law is asked per set of strings, and in vain once the joints are met as well as
// the law's own residual; changes of that set; times that what is left is stopped.
enum { ASK_MAX = 40, ASK_VAIN = 6, SETS = 8, FINISHES = 4 };

typedef carom_impact_joint_link link;
typedef carom_impact_joint_split split;

typedef struct impulse_work {
    double slope, curvature, size; // J
} impulse_work;

static carom_status prepare(split *s, carom_error *err);
static void reduce(split *s);
static size_t places(const split *s);
static void add_stops(split *s);
static void share_out(split *s, int *cluster);
static carom_status solve(split *s, carom_error *err);
static carom_status solve_sets(split *s, carom_error *err);
static bool change_strings(split *s);
static bool gains(const split *s);
static void deaden(split *s, int *cluster);
static void shorten(split *s);
static carom_status finish(split *s, carom_error *err);
static void report(split *s, carom_impact_outcome *out);

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
    TAKE(world->scratch, cluster, places(&s), err);
    TRY(carom_impact_joint_project(&s, s.start, false, err));
    reduce(&s);
    add_stops(&s);
    share_out(&s, cluster);
    TRY(solve_sets(&s, err));
    if (gains(&s)) {
        deaden(&s, cluster);
        TRY(solve_sets(&s, err));
    }
    shorten(&s);
    TRY(finish(&s, err));
    report(&s, out);
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
    size_t most = (size_t)contacts + (size_t)s->stop_count, all = places(s);
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

// -- the contacts that the law sees -------------------------------------------------------------

// Where b is touched, see carom_impact_contact.shift.
static vec3 point_of_b(const carom_impact_contact *contact)
{
    return vec3_sub(vec3_from(contact->point), vec3_from(contact->shift));
}

// Answer of a body to a unit impulse at a contact, along its normal.
static double answer_at(const carom_impact_body *body, const carom_impact_contact *contact,
                        vec3 point)
{
    vec3 n = vec3_from(contact->normal);
    vec3 arm = vec3_cross(vec3_sub(point, vec3_from(body->position)), n);
    return body->inverse_mass +
           vec3_dot(arm, sym3_mul(carom_impact_joint_inverse_inertia(body), arm));
}

// Of both bodies together.
static double answer_of_both(const carom_impact_body *bodies, const carom_impact_contact *contact)
{
    return answer_at(&bodies[contact->a], contact, vec3_from(contact->point)) +
           answer_at(&bodies[contact->b], contact, point_of_b(contact));
}

static vec3 relative_velocity(const split *s, const carom_impact_contact *contact,
                              const carom_twist *v)
{
    vec3 at[2];
    for (int k = 0; k < 2; ++k) {
        int i = k ? contact->b : contact->a;
        vec3 point = k ? point_of_b(contact) : vec3_from(contact->point);
        vec3 arm = vec3_sub(point, vec3_from(s->bodies[i].position));
        at[k] = vec3_add(v[i].linear, vec3_cross(v[i].angular, arm));
    }
    return vec3_sub(at[1], at[0]);
}

static void reduce(split *s)
{
    const carom_impact *impact = s->system.impact;
    int count = 0;
    for (int i = 0; i < impact->contact_count; ++i) {
        carom_impact_contact contact = impact->contacts[i];
        double free = answer_of_both(impact->bodies, &contact);
        contact.a = s->system.root[contact.a];
        contact.b = s->system.root[contact.b];
        double left = answer_of_both(s->bodies, &contact);
        if (contact.a == contact.b || !(left > HELD * free))
            continue;
        s->contacts[count] = contact;
        s->contact_of[count++] = i;
        double u = vec3_dot(vec3_from(contact.normal), relative_velocity(s, &contact, s->start));
        s->scale = fmax(s->scale, fabs(u));
    }
    s->reduced = (carom_impact){ impact->body_count, count, s->bodies, s->contacts };
}

// -- stops ---------------------------------------------------------------------------------------

// Bodies of the instant, a resting one and one for the far end of every stop.
static size_t places(const split *s)
{
    return (size_t)s->system.impact->body_count + 1 + (size_t)s->stop_count;
}

// The place of a joint's end; of an immovable one, number `k`: one made for it.
static int place_for(split *s, int end, int k)
{
    if (!carom_reduced_body_immovable(s->world, end))
        return s->system.place_of[end] < 0 ? -1 : s->system.root[s->system.place_of[end]];
    int place = s->system.impact->body_count + 1 + k;
    if (end >= 0) {
        vec3_store(s->world->now.position[end], s->bodies[place].position);
        vec3_store(s->world->now.velocity[end], s->bodies[place].velocity);
        vec3_store(s->world->now.spin[end], s->bodies[place].spin);
        s->start[place] = (carom_twist){ s->world->now.velocity[end], s->world->now.spin[end] };
    }
    return place;
}

static void add_stop(split *s, const carom_world_joint *joint, int side, int k)
{
    const carom_world *world = s->world;
    carom_joint_ends at = carom_world_joint_ends(world, joint);
    vec3 axis = carom_joint_axis(joint, &at), point = at.anchor[0], n = axis, across;
    int a = place_for(s, joint->a, k), b = place_for(s, joint->b, k);
    int body = carom_reduced_body_immovable(world, joint->a) ? joint->b : joint->a;
    int other = joint->a < 0 || joint->b < 0 ? body : joint->a + joint->b - body;
    if (a < 0 || b < 0 || a == b)
        return;
    if (joint->kind == CAROM_JOINT_HINGE) {
        vec3_tangents(axis, &across, &n);
        double lever = carom_impact_phase_stops_lever(world, joint);
        point = vec3_axpy(point, lever, across);
        n = vec3_cross(axis, across);
    }
    carom_impact_contact *contact = &s->contacts[s->reduced.contact_count];
    *contact =
        (carom_impact_contact){ .a = a,
                                .b = b,
                                .restitution = joint->restitution,
                                .stiffness = carom_pair_material_stiffness(world, body, other),
                                .exponent = carom_pair_material_exponent(world, body, other) };
    vec3_store(point, contact->point);
    vec3_store(vec3_scale(side ? -1 : 1, n), contact->normal);
    s->contact_of[s->reduced.contact_count++] = -1;
    double u = vec3_dot(vec3_from(contact->normal), relative_velocity(s, contact, s->start));
    s->scale = fmax(s->scale, fabs(u));
}

static void add_stops(split *s)
{
    int k = 0;
    if (s->stop_count == 0)
        return;
    s->reduced.body_count = (int)places(s);
    for (int j = 0; j < s->world->joint_count; ++j)
        for (int side = 0; side < 2; ++side)
            if (s->world->joints[j].met[side] &&
                carom_impact_joint_is_here(s, &s->world->joints[j]))
                add_stop(s, &s->world->joints[j], side, k++);
}

// S of every link: by the restitution of the contacts at its cluster, weighted by the square of
// their approach.
static void share_out(split *s, int *cluster)
{
    int bodies = s->system.impact->body_count;
    bool bounces = carom_law_bounces(s->world->options.law);
    if (s->link_count == 0)
        return;
    for (int i = 0; i < (int)places(s); ++i)
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
            double u =
                vec3_dot(vec3_from(contact->normal), relative_velocity(s, contact, s->start));
            double weight = (u < 0 ? u * u : 0) + 1e-12 * s->scale * s->scale;
            sum += bounces ? weight * contact->restitution : 0;
            weights += weight;
        }
        one->before = weights > 0 ? 1 / (1 + sum / weights) : 0.5;
    }
}

// -- around the law ----------------------------------------------------------------------------

// s->end from the impulses of the links: equation (1).
static carom_status ask(split *s, carom_error *err)
{
    int bodies = s->reduced.body_count;
    memcpy(s->end, s->start, places(s) * sizeof *s->end);
    for (int i = 0; i < s->active_count; ++i) {
        const link *one = &s->links[s->active[i]];
        carom_row_apply(&one->row, one->before * one->q, s->end);
    }
    if (s->reduced.contact_count > 0) {
        for (int i = 0; i < bodies; ++i) {
            vec3_store(s->end[i].linear, s->bodies[i].velocity);
            vec3_store(s->end[i].angular, s->bodies[i].spin);
        }
        TRY(carom_impact_resolve(s->world->workspace, &s->reduced, s->law, &s->options, &s->answer,
                                 err));
        for (int i = 0; i < bodies; ++i)
            s->end[i] =
                (carom_twist){ vec3_from(s->answer.velocities[i]), vec3_from(s->answer.spins[i]) };
    }
    for (int i = 0; i < s->active_count; ++i) {
        const link *one = &s->links[s->active[i]];
        carom_row_apply(&one->row, (1 - one->before) * one->q, s->end);
    }
    return CAROM_OK;
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += a[i] * b[i];
    return sum;
}

// The next step of Broyden's method from the steps so far [Kelley 1995, section 7.3]: z = -A^-1 F
// on entry. False where the update is singular and the method must start anew.
static bool next_step(const double *steps, int count, int n, double *z)
{
    for (int j = 0; j + 1 < count; ++j) {
        const double *one = steps + (size_t)j * (size_t)n, *after = one + n;
        double part = dot(one, z, n) / dot(one, one, n);
        for (int i = 0; i < n; ++i)
            z[i] += part * after[i];
    }
    if (count == 0)
        return true;
    const double *last = steps + (size_t)(count - 1) * (size_t)n;
    double left = 1 - dot(last, z, n) / dot(last, last, n);
    if (fabs(left) < 1e-6)
        return false;
    for (int i = 0; i < n; ++i)
        z[i] /= left;
    return true;
}

static carom_status solve(split *s, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(s->world->scratch);
    double *steps, *best, min = INFINITY;
    TRY(carom_impact_joint_factor(s, err));
    int n = s->active_count, count = 0, vain = 0;
    double residual = s->world->options.impact_residual * s->scale;
    TAKE(s->world->scratch, steps, (size_t)ASK_MAX * (size_t)n + 1, err);
    TAKE(s->world->scratch, best, (size_t)n + 1, err);
    for (int turn = 0; turn < ASK_MAX; ++turn) {
        TRY(ask(s, err));
        double *z = steps + (size_t)count * (size_t)n;
        double max = carom_impact_joint_misfit(s, s->end, z);
        ++vain;
        if (max < min) {
            vain = max < 0.5 * min ? 0 : vain;
            min = max;
            for (int i = 0; i < n; ++i)
                best[i] = s->links[s->active[i]].q;
        }
        if (!(max > TOLERANCE * s->scale) || (vain >= ASK_VAIN && min < residual))
            break;
        carom_impact_joint_divide(s, z);
        for (int i = 0; i < n; ++i)
            z[i] = -z[i];
        if (!next_step(steps, count, n, z)) {
            memcpy(steps, z, (size_t)n * sizeof *z);
            count = 0;
            z = steps;
        }
        for (int i = 0; i < n; ++i)
            s->links[s->active[i]].q += z[i] * s->unit[i];
        ++count;
    }
    if (n > 0 && min > TOLERANCE * s->scale) { // the law jumps: the nearest, and the rest by force
        for (int i = 0; i < n; ++i)
            s->links[s->active[i]].q = best[i];
        TRY(ask(s, err));
    }
    TRY(carom_impact_joint_project(s, s->end, true, err));
    carom_arena_rewind(s->world->scratch, mark);
    return CAROM_OK;
}

// With the strings and stops that take part.
static carom_status solve_sets(split *s, carom_error *err)
{
    for (int set = 0; set < SETS; ++set) {
        TRY(solve(s, err));
        if (!change_strings(s))
            break;
    }
    return CAROM_OK;
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

// Strings that stretch join, strings that push leave. False where none does either.
static bool change_strings(split *s)
{
    const double still = 1e-9 * s->scale;
    bool any = false;
    for (int k = 0; k < s->link_count; ++k) {
        link *one = &s->links[k];
        if (!one->pull)
            continue;
        double first = carom_row_speed(&one->row, s->start) - one->drive;
        double last = carom_row_speed(&one->row, s->end) - one->drive;
        bool stop = one->bounce >= 0;
        bool join = !one->on && last > still + (stop ? 0 : fabs(first));
        bool leave = one->on && one->q > 0;
        if (!join && !leave)
            continue;
        one->target = one->drive - (stop ? one->bounce * fmax(first, 0) : first);
        one->on = join;
        one->q = 0;
        any = true;
    }
    return any;
}

// -- what came out -----------------------------------------------------------------------------

static vec3 impulse_of(const split *s, int i)
{
    vec3 n = vec3_from(s->contacts[i].normal), t1, t2;
    const double *p = s->answer.impulses[i];
    vec3_tangents(n, &t1, &t2);
    return vec3_axpy(vec3_axpy(vec3_scale(p[0], n), p[1], t1), p[2], t2);
}

// Work of the impulses: of t times all of them slope t + curvature t^2 / 2. Joints at rest do none;
// stops do.
static impulse_work work_of(const split *s)
{
    impulse_work sum = { 0, 0, 0 };
    for (int i = 0; i < s->reduced.contact_count; ++i) {
        vec3 p = impulse_of(s, i);
        double first = vec3_dot(p, relative_velocity(s, &s->contacts[i], s->start));
        double last = vec3_dot(p, relative_velocity(s, &s->contacts[i], s->end));
        sum.slope += first;
        sum.curvature += last - first;
        sum.size += fabs(first) + fabs(last);
    }
    for (int i = 0; i < s->active_count; ++i) {
        const link *one = &s->links[s->active[i]];
        if (one->bounce < 0)
            continue;
        double first = one->q * (carom_row_speed(&one->row, s->start) - one->drive);
        double last = one->q * (carom_row_speed(&one->row, s->end) - one->drive);
        sum.slope += first;
        sum.curvature += last - first;
        sum.size += fabs(first) + fabs(last);
    }
    return sum;
}

// Whether they bring in energy, beyond round-off.
static bool gains(const split *s)
{
    impulse_work sum = work_of(s);
    return s->active_count > 0 && sum.slope + 0.5 * sum.curvature > ROUND_OFF * sum.size;
}

// Whether all energy must come back.
static bool is_elastic(const split *s)
{
    for (int i = 0; i < s->reduced.contact_count; ++i)
        if (s->contacts[i].restitution < 1 || s->contacts[i].friction > 0)
            return false;
    for (int k = 0; k < s->link_count; ++k)
        if (s->links[k].bounce >= 0 && s->links[k].bounce < 1)
            return false;
    return carom_law_bounces(s->law) && (carom_law_promises(s->law) & CAROM_KIN);
}

// All impulses times the largest factor up to 1 that gains nothing.
static void shorten(split *s)
{
    impulse_work sum = work_of(s);
    if (!gains(s))
        return;
    double part = sum.slope < 0 ? -2 * sum.slope / sum.curvature : 0;
    for (int i = 0; i < s->system.impact->body_count; ++i) {
        const carom_twist *from = &s->start[i];
        carom_twist *to = &s->end[i];
        to->linear = vec3_axpy(from->linear, part, vec3_sub(to->linear, from->linear));
        to->angular = vec3_axpy(from->angular, part, vec3_sub(to->angular, from->angular));
    }
    for (int i = 0; i < s->reduced.contact_count; ++i)
        for (int k = 0; k < 3; ++k)
            s->answer.impulses[i][k] *= part;
    for (int k = 0; k < s->link_count; ++k)
        s->links[k].q *= part;
    ++s->answer.report.limited;
    s->answer.report.limiter = fmin(s->answer.report.limiter, part);
}

// m/s, the fastest approach that is left.
static double approach_left(const split *s)
{
    double fastest = 0;
    for (int i = 0; i < s->reduced.contact_count; ++i) {
        vec3 n = vec3_from(s->contacts[i].normal);
        fastest = fmax(fastest, -vec3_dot(n, relative_velocity(s, &s->contacts[i], s->end)));
    }
    return fastest;
}

// From the velocities that are reached, with another law: generalized reflections where energy must
// not be lost, else the inelastic law.
static void begin_finish(split *s, bool elastic)
{
    s->law = carom_law_find(elastic ? "gr" : "inelastic", NULL);
    s->options = carom_law_defaults(s->law);
    memcpy(s->start, s->end, places(s) * sizeof *s->start);
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
    bool elastic = is_elastic(s), promised = carom_law_promises(s->law) & CAROM_NOP;
    if (!promised || s->active_count == 0 || !(approach_left(s) > LEFT * s->scale))
        return CAROM_OK;
    TAKE(s->world->scratch, sum, count, err);
    carom_workspace_set_accuracy(workspace, 0);
    for (int turn = 0; turn < FINISHES && approach_left(s) > LEFT * s->scale; ++turn) {
        memcpy(sum, s->answer.impulses, count * sizeof *sum);
        begin_finish(s, elastic && turn < FINISHES / 2);
        status = solve_sets(s, err);
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

static double energy_of(const carom_impact_body *body, vec3 v, vec3 w)
{
    return body->inverse_mass == 0
               ? 0
               : 0.5 * vec3_dot(v, v) / body->inverse_mass +
                     0.5 * sym3_divide(carom_impact_joint_inverse_inertia(body), w);
}

// What the far end of a stop brings in, where it is driven.
static double stop_work(const split *s, int i)
{
    const carom_impact_contact *contact = &s->contacts[i];
    int first = s->system.impact->body_count;
    double work = 0;
    for (int k = 0; k < 2; ++k) {
        int place = k ? contact->b : contact->a;
        if (place <= first)
            continue;
        vec3 arm = vec3_sub(vec3_from(contact->point), vec3_from(s->bodies[place].position));
        vec3 v = vec3_add(s->start[place].linear, vec3_cross(s->start[place].angular, arm));
        work += (k ? -1 : 1) * vec3_dot(impulse_of(s, i), v);
    }
    return work;
}

static void report(split *s, carom_impact_outcome *out)
{
    const carom_impact *impact = s->system.impact;
    out->report = s->reduced.contact_count > 0 ? s->answer.report : carom_impact_report_default();
    carom_impact_report *r = &out->report;
    for (int i = 0; i < impact->body_count; ++i) {
        vec3_store(s->end[i].linear, out->velocities[i]);
        vec3_store(s->end[i].angular, out->spins[i]);
    }
    carom_reduced_body_expand(&s->system, out->velocities, out->spins);
    r->energy_before = r->energy_after = r->penetration = 0;
    for (int i = 0; i < impact->body_count; ++i) {
        const carom_impact_body *body = &impact->bodies[i];
        r->energy_before += energy_of(body, vec3_from(body->velocity), vec3_from(body->spin));
        r->energy_after += energy_of(body, vec3_from(out->velocities[i]), vec3_from(out->spins[i]));
    }
    for (int k = 0; k < s->link_count; ++k) { // anchors that are driven
        const link *one = &s->links[k];
        r->work += (one->spent + (one->on ? one->q : 0)) * one->drive;
    }
    memset(out->impulses, 0, (size_t)impact->contact_count * sizeof *out->impulses);
    for (int i = 0; i < s->reduced.contact_count; ++i) {
        vec3 n = vec3_from(s->contacts[i].normal);
        double u = vec3_dot(n, relative_velocity(s, &s->contacts[i], s->end));
        r->penetration = fmax(r->penetration, -u);
        if (s->contact_of[i] >= 0)
            memcpy(out->impulses[s->contact_of[i]], s->answer.impulses[i], sizeof *out->impulses);
        else
            r->work += stop_work(s, i);
    }
}

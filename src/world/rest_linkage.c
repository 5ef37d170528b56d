// Contacts that press on linkages.
//
// Relaxing joints and contacts in turn settles slowly: what a contact does goes through the joints
// to all others, and comes back. So the joints are eliminated. With A = M + G^T D G of
// linkage_rows.c a force f on the members changes their velocities by A^-1 f, joints and all (their
// compliance is 1e-8), and contacts i and j see each other by the Delassus operator
//     W_ij = J_i A^-1 J_j^T,
// made once, three columns per contact. Sweeps go over W alone, contact by contact as in
// contact/contact_general.c, in frames of normal and tangents; the bodies are told at the end.
#include "world/rest.h"

typedef carom_contact_record record;

// Largest eigenvalue of a contact's tangential block of W.
static double tangential(const double k[3][3])
{
    double half = 0.5 * (k[1][1] - k[2][2]), off = 0.5 * (k[1][2] + k[2][1]);
    return 0.5 * (k[1][1] + k[2][2]) + sqrt(half * half + off * off);
}

static bool suits(const carom_rest *rest, const carom_rest_island *island)
{
    const carom_contact_system *s = &rest->system;
    if (island->joint_count == 0 || island->set.count > CAROM_REST_LINKAGE_MAX)
        return false;
    for (int i = island->set.first; i < island->set.first + island->set.count && s->rolling; ++i)
        if (s->rolling[i].length > 0)
            return false;
    return true;
}

carom_status carom_rest_linkage_begin(carom_rest *rest, carom_rest_island *island, carom_error *err)
{
    size_t n = 3 * (size_t)island->set.count;
    island->delassus = NULL;
    if (suits(rest, island))
        TAKE(rest->step->world->scratch, island->delassus, n * n + 2 * n, err);
    island->eliminated = false;
    return CAROM_OK;
}

// -- the operator --------------------------------------------------------------------------------

static void axes_of(const record *c, vec3 axis[3])
{
    axis[0] = c->n;
    vec3_tangents(c->n, &axis[1], &axis[2]);
}

static vec3 velocity_at(vec3 arm, const double *six)
{
    vec3 v = { six[0], six[1], six[2] }, w = { six[3], six[4], six[5] };
    return vec3_add(v, vec3_cross(w, arm));
}

static vec3 arm_of(const carom_rest *rest, int contact, bool of_b)
{
    return of_b ? carom_contact_arm_b(&rest->system, contact)
                : carom_contact_arm_a(&rest->system, contact);
}

// Adds to a column of W what a body's velocities are at a contact.
static void see(const carom_rest *rest, const carom_rest_island *island, int i, bool of_b,
                const double *six, double *column)
{
    const record *c = &rest->system.contacts[island->set.first + i];
    vec3 axis[3], u = velocity_at(arm_of(rest, island->set.first + i, of_b), six);
    double sign = of_b ? 1 : -1;
    axes_of(c, axis);
    for (int k = 0; k < 3; ++k)
        column[3 * i + k] += sign * vec3_dot(axis[k], u);
}

// The same of velocities of a whole linkage, or of one body alone (part -1), at all contacts.
static void see_all(const carom_rest *rest, const carom_rest_island *island, int part, int body,
                    const double *x, double *column)
{
    const carom_linkage *all = rest->step->world->linkage;
    for (int i = 0; i < island->set.count; ++i) {
        const record *c = &rest->system.contacts[island->set.first + i];
        for (int side = 0; side < 2; ++side) {
            int end = side ? c->b : c->a;
            if (part < 0 ? end == body : all->part_of[end] == part)
                see(rest, island, i, side, part < 0 ? x : x + 6 * (size_t)all->local[end], column);
        }
    }
}

static void put(double *six, double sign, vec3 force, vec3 moment)
{
    six[0] += sign * force.x, six[1] += sign * force.y, six[2] += sign * force.z;
    six[3] += sign * moment.x, six[4] += sign * moment.y, six[5] += sign * moment.z;
}

// What a unit impulse at a contact does to one of its bodies, and through joints to others.
static void push_end(const carom_rest *rest, const carom_rest_island *island, int contact,
                     bool of_b, vec3 axis, double *column)
{
    const record *c = &rest->system.contacts[contact];
    int i = of_b ? c->b : c->a, part, local;
    const carom_contact_body *body = &rest->system.bodies[i];
    vec3 moment = vec3_cross(arm_of(rest, contact, of_b), axis);
    double sign = of_b ? 1 : -1, own[6] = { 0 };
    if (body->inverse_mass == 0)
        return;
    double *x = carom_linkage_room(rest->step, i, &part, &local);
    if (!x) {
        put(own, sign, vec3_scale(body->inverse_mass, axis),
            sym3_mul(body->inverse_inertia, moment));
        see_all(rest, island, -1, i, own, column);
        return;
    }
    put(x + 6 * (size_t)local, sign, axis, moment);
    carom_linkage_respond(rest->step, part);
    see_all(rest, island, part, i, x, column);
}

// Column after column, one per contact and axis.
static void eliminate(carom_rest *rest, carom_rest_island *island)
{
    size_t n = 3 * (size_t)island->set.count;
    for (size_t j = 0; j < n; ++j) {
        int contact = island->set.first + (int)(j / 3);
        double *column = island->delassus + n * j;
        vec3 axis[3];
        axes_of(&rest->system.contacts[contact], axis);
        for (size_t i = 0; i < n; ++i)
            column[i] = 0;
        push_end(rest, island, contact, false, axis[j % 3], column);
        push_end(rest, island, contact, true, axis[j % 3], column);
    }
    island->eliminated = true;
}

// -- sweeps --------------------------------------------------------------------------------------

// Joints hold a contact fast (balls that touch, with a rod between their centres) where next to
// nothing is left of its response: their compliance, 1e-8 each. No impulse could move it, so it
// gets none. A lever of a thousandth of a body's length leaves 1e-6.
static bool held_fast(const record *c, const double k[3][3])
{
    return !(c->normal_mass * k[0][0] > 1e-7);
}

// One contact: the normal impulse, then friction within its cone. Returns the change of its
// velocity (m/s); the change of the impulse comes out.
static double relax(const record *c, const double k[3][3], const double u[3], double p[3],
                    double change[3])
{
    double mass = 1 / tangential(k);
    double normal = held_fast(c, k) ? 0 : fmax(p[0] - (u[0] - c->target) / k[0][0], 0);
    double step = normal - p[0], q[2], square = 0;
    for (int t = 0; t < 2; ++t)
        q[t] = p[1 + t] - mass * (u[1 + t] + step * k[0][1 + t]);
    double size = sqrt(q[0] * q[0] + q[1] * q[1]), most = c->friction * normal;
    double part = size > most ? most / size : 1;
    const double next[3] = { normal, part * q[0], part * q[1] };
    for (int t = 0; t < 3; ++t) {
        change[t] = next[t] - p[t];
        p[t] = next[t];
    }
    for (int t = 0; t < 3; ++t) {
        double du = k[0][t] * change[0] + k[1][t] * change[1] + k[2][t] * change[2];
        square += du * du;
    }
    return sqrt(square);
}

// All contacts, there or back. Returns the largest change of velocity (m/s).
static double sweep(const carom_rest *rest, const carom_rest_island *island, bool forward,
                    double *p, double *u)
{
    int count = island->set.count;
    size_t n = 3 * (size_t)count;
    double worst = 0;
    for (int m = 0; m < count; ++m) {
        int i = forward ? m : count - 1 - m;
        const double *columns = island->delassus + 3 * n * (size_t)i;
        double k[3][3], change[3];
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                k[a][b] = columns[n * (size_t)a + 3 * (size_t)i + (size_t)b];
        double moved =
            relax(&rest->system.contacts[island->set.first + i], k, u + 3 * i, p + 3 * i, change);
        worst = moved <= worst ? worst : moved; // what is not a number stays
        if (moved == 0)
            continue;
        for (size_t r = 0; r < n; ++r)
            u[r] += columns[r] * change[0] + columns[n + r] * change[1] +
                    columns[2 * n + r] * change[2];
    }
    return worst;
}

// Velocities as the joints allow them; each time a share of their compliance is left.
static void relax_joints(carom_rest *rest, const carom_rest_island *island)
{
    for (int pass = 0; pass < 2; ++pass)
        for (int k = 0; k < island->joint_count; ++k)
            carom_linkage_relax(rest->step, rest->joint_order[island->first_joint + k],
                                rest->system.bodies);
}

static void load(const carom_rest *rest, const carom_rest_island *island, double *p, double *u)
{
    for (int i = 0; i < island->set.count; ++i) {
        const record *c = &rest->system.contacts[island->set.first + i];
        vec3 axis[3], v = carom_contact_velocity_at(&rest->system, island->set.first + i);
        axes_of(c, axis);
        for (int k = 0; k < 3; ++k) {
            p[3 * i + k] = vec3_dot(axis[k], c->impulse);
            u[3 * i + k] = vec3_dot(axis[k], v);
        }
    }
}

static void store(carom_rest *rest, const carom_rest_island *island, const double *p)
{
    for (int i = 0; i < island->set.count; ++i) {
        record *c = &rest->system.contacts[island->set.first + i];
        vec3 axis[3], impulse = { 0, 0, 0 };
        axes_of(c, axis);
        for (int k = 0; k < 3; ++k)
            impulse = vec3_axpy(impulse, p[3 * i + k], axis[k]);
        carom_contact_push_at(&rest->system, island->set.first + i, vec3_sub(impulse, c->impulse));
        c->impulse = impulse;
    }
}

double carom_rest_linkage_sweep(carom_rest *rest, carom_rest_island *island, int cap,
                                double tolerance)
{
    size_t n = 3 * (size_t)island->set.count;
    double *p = island->delassus + n * n, *u = p + n, change = HUGE_VAL;
    if (!island->eliminated)
        eliminate(rest, island);
    relax_joints(rest, island);
    load(rest, island, p, u);
    for (int k = 0; k < cap && !(change <= tolerance); ++k) {
        change = sweep(rest, island, k % 2 == 0, p, u);
        ++island->sweeps;
        if (carom_rest_ask_stopped(rest, (double)n))
            break;
    }
    store(rest, island, p);
    relax_joints(rest, island);
    return change;
}

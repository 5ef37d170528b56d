// Bodies cut into mass points and springs [EC, section 2, eqs 11 and 12].
//
// A cylinder of length l in n slices: n points of mass m/n in the middle of their slices, springs
// k = E r^2 pi / dx with dx = l/n. A sphere: each slice has the mass of its spherical segment, and
// the spring between two points the radius of the sphere at the plane between them. At both ends a
// massless half slice of height dx/2 remains, k_end = E r_end^2 pi / (dx/2); when two faces touch,
// their half slices (and the contact law, if there is one) act in series, eq 12. The paper leaves
// r_end of a sphere open: it is taken in the middle of that half slice, at R - dx/4, as for any
// other spring.
#include "chain/lattice.h"

#include <math.h>
#include "math/constants.h"

static carom_status take(carom_lattice *lattice, carom_arena *arena, carom_error *err);
static void slice(const carom_chain_body *body, size_t b, carom_lattice *out);
static void join(const carom_chain *chain, carom_lattice *out);
static double extent(const carom_lattice *lattice, size_t body);

double carom_lattice_energy(const carom_lattice *lattice, const carom_lattice_state *state)
{
    double kinetic = 0;
    double elastic = 0;
    for (size_t i = 0; i < lattice->nodes; i++)
        kinetic += lattice->mass[i] * state->v[i] * state->v[i];
    for (size_t i = 0; i + 1 < lattice->nodes; i++)
        elastic += lattice->stiffness[i] * state->d[i] * state->d[i];
    double energy = (kinetic + elastic) / 2;
    for (size_t c = 0; c < lattice->contacts; c++)
        energy += carom_contact_spring_energy(&lattice->touch[c],
                                              state->d[carom_lattice_link(lattice, c)]);
    return energy;
}

// Velocity of the centre of mass of the nodes from..to-1.
static double mean_velocity(const carom_lattice *lattice, const carom_lattice_state *state,
                            size_t from, size_t to)
{
    double mass = 0;
    double momentum = 0;
    for (size_t i = from; i < to; i++) {
        mass += lattice->mass[i];
        momentum += lattice->mass[i] * state->v[i];
    }
    return mass > 0 ? momentum / mass : 0;
}

double carom_lattice_body_velocity(const carom_lattice *lattice, const carom_lattice_state *state,
                                   size_t body)
{
    size_t from = lattice->first[body];
    if (lattice->first[body + 1] == from + 1)
        return state->v[from];
    return mean_velocity(lattice, state, from, lattice->first[body + 1]);
}

bool carom_lattice_separated(const carom_lattice *lattice, const carom_lattice_state *state,
                             double still_speed, double still_energy)
{
    double left_velocity = carom_lattice_body_velocity(lattice, state, 0);
    double left_swing = 0;
    double left_reach = 0; // how far the right half of the left body is shortened now
    for (size_t b = 0; b < lattice->bodies; b++) {
        double velocity = carom_lattice_body_velocity(lattice, state, b);
        double swing = 0;
        double behind = 0;
        double shorter = 0; // left face to centre of mass
        double shorter_right = 0;
        if (lattice->first[b + 1] - lattice->first[b] > 1) {
            swing = carom_lattice_swing(lattice, b, carom_lattice_vibration(lattice, state, b));
            for (size_t i = lattice->first[b]; i + 1 < lattice->first[b + 1]; i++) {
                behind += lattice->mass[i] / lattice->body_mass[b];
                shorter += state->d[i] * (1 - behind);
                shorter_right += state->d[i] * behind;
            }
        }
        if (b > 0) {
            double d = state->d[carom_lattice_link(lattice, b - 1)];
            bool slow = left_velocity - velocity <= still_speed;
            double spent = carom_contact_spring_energy(&lattice->touch[b - 1], d);
            if (!slow || spent > still_energy)
                return false;
            // Clearance of the faces if both bodies were undeformed about their centres.
            double clearance = -d - left_reach - shorter;
            if (clearance < (left_swing + swing) * (1 - 1e-9) && left_swing + swing > 0)
                return false;
        }
        left_velocity = velocity;
        left_swing = swing;
        left_reach = shorter_right;
    }
    return true;
}

double carom_lattice_half_velocity(const carom_lattice *lattice, const carom_lattice_state *state,
                                   size_t body, int half)
{
    size_t from = lattice->first[body];
    size_t to = lattice->first[body + 1];
    if (to - from < 2)
        return state->v[from];
    size_t middle = from + (to - from) / 2;
    return half ? mean_velocity(lattice, state, middle, to)
                : mean_velocity(lattice, state, from, middle);
}

double carom_lattice_vibration(const carom_lattice *lattice, const carom_lattice_state *state,
                               size_t body)
{
    double centre = carom_lattice_body_velocity(lattice, state, body);
    double twice = 0;
    for (size_t i = lattice->first[body]; i < lattice->first[body + 1]; i++) {
        double relative = state->v[i] - centre;
        twice += lattice->mass[i] * relative * relative;
        if (i + 1 < lattice->first[body + 1])
            twice += lattice->stiffness[i] * state->d[i] * state->d[i];
    }
    return twice / 2;
}

// A face lies at (centre of mass) + sum over links of w_i d_i, w_i the share of the mass on the far
// side of link i. With sum k_i d_i^2 <= 2 V, Cauchy's inequality bounds it by sqrt(2 V sum w_i^2 /
// k_i).
double carom_lattice_swing(const carom_lattice *lattice, size_t body, double vibration)
{
    return sqrt(2 * vibration * lattice->extent[body]);
}

// Energy that bodies from..to-1, joined by closed contacts, can turn into compression.
static double internal_energy(const carom_lattice *lattice, const carom_lattice_state *state,
                              size_t from, size_t to)
{
    double mass = 0;
    double momentum = 0;
    double kinetic = 0;
    double stored = 0;
    bool wall = false;
    for (size_t i = lattice->first[from]; i < lattice->first[to]; i++) {
        mass += lattice->mass[i];
        momentum += lattice->mass[i] * state->v[i];
        kinetic += lattice->mass[i] * state->v[i] * state->v[i] / 2;
        wall |= lattice->mass[i] == 0;
        if (i + 1 < lattice->first[to])
            stored += lattice->stiffness[i] * state->d[i] * state->d[i] / 2;
    }
    for (size_t c = from; c + 1 < to; c++)
        stored += carom_contact_spring_energy(&lattice->touch[c],
                                              state->d[carom_lattice_link(lattice, c)]);
    if (!wall && mass > 0)
        kinetic = fmax(kinetic - momentum * momentum / (2 * mass), 0);
    return kinetic + stored;
}

// Gershgorin on M^-1 K: row i sums to 2 (k_left + k_right) / m_i.
static double cluster_frequency(const carom_lattice *lattice, double energy, size_t from, size_t to)
{
    double max = 0;
    double left = 0;
    size_t contact = from;
    for (size_t i = lattice->first[from]; i < lattice->first[to]; i++) {
        bool last = i + 1 == lattice->first[to];
        double right = last ? 0 : lattice->stiffness[i];
        if (!last && i == carom_lattice_link(lattice, contact)) {
            const carom_contact_spring *touch = &lattice->touch[contact++];
            right =
                carom_contact_spring_stiffness(touch, carom_contact_spring_reach(touch, energy));
        }
        max = fmax(max, 2 * (left + right) * lattice->inverse[i]);
        left = right;
    }
    return sqrt(max);
}

double carom_lattice_frequency(const carom_lattice *lattice, const carom_lattice_state *state,
                               const bool *closed)
{
    double max = 0;
    size_t from = 0;
    for (size_t to = 1; to <= lattice->bodies; to++) {
        if (to < lattice->bodies && closed[to - 1])
            continue;
        double energy = internal_energy(lattice, state, from, to);
        max = fmax(max, cluster_frequency(lattice, energy, from, to));
        from = to;
    }
    return max;
}

carom_status carom_lattice_build(const carom_chain *chain, carom_arena *arena, carom_lattice *out,
                                 carom_error *err)
{
    *out = (carom_lattice){
        .bodies = chain->body_count, .contacts = chain->body_count - 1, .free = true, .rigid = true
    };
    TAKE(arena, out->first, out->bodies + 1, err);
    out->first[0] = 0;
    for (size_t b = 0; b < out->bodies; b++) {
        const carom_chain_body *body = &chain->bodies[b];
        bool sliced = body->kind == CAROM_CHAIN_SPHERE || body->kind == CAROM_CHAIN_CYLINDER;
        out->first[b + 1] = out->first[b] + (sliced ? (size_t)body->slices : 1);
        out->free &= body->kind != CAROM_CHAIN_WALL;
        out->rigid &= out->first[b + 1] == out->first[b] + 1;
        out->damped |= sliced && body->damping > 0;
    }
    out->nodes = out->first[out->bodies];
    TRY(take(out, arena, err));
    for (size_t b = 0; b < out->bodies; b++)
        slice(&chain->bodies[b], b, out);
    join(chain, out);
    for (size_t b = 0; b < out->bodies; b++)
        out->extent[b] = extent(out, b);
    return CAROM_OK;
}

carom_status carom_lattice_start(const carom_lattice *lattice, const carom_chain *chain,
                                 carom_arena *arena, carom_lattice_state *out, carom_error *err)
{
    TAKE(arena, out->v, lattice->nodes, err);
    TAKE_ZEROS(arena, out->d, lattice->nodes, err);
    for (size_t b = 0; b < lattice->bodies; b++)
        for (size_t i = lattice->first[b]; i < lattice->first[b + 1]; i++)
            out->v[i] = chain->bodies[b].velocity;
    for (size_t c = 0; c < lattice->contacts; c++)
        out->d[carom_lattice_link(lattice, c)] = -chain->contacts[c].gap;
    out->base = lattice->inset[0];
    return CAROM_OK;
}

static carom_status take(carom_lattice *lattice, carom_arena *arena, carom_error *err)
{
    TAKE(arena, lattice->mass, lattice->nodes, err);
    TAKE(arena, lattice->inverse, lattice->nodes, err);
    TAKE_ZEROS(arena, lattice->stiffness, lattice->nodes, err);
    TAKE_ZEROS(arena, lattice->dashpot, lattice->nodes, err);
    TAKE_ZEROS(arena, lattice->spacing, lattice->nodes, err);
    TAKE(arena, lattice->touch, lattice->bodies, err);
    TAKE(arena, lattice->body_mass, lattice->bodies, err);
    TAKE(arena, lattice->body_length, lattice->bodies, err);
    TAKE(arena, lattice->inset, lattice->bodies, err);
    TAKE_ZEROS(arena, lattice->half, lattice->bodies, err);
    TAKE_ZEROS(arena, lattice->extent, lattice->bodies, err);
    return CAROM_OK;
}

// Square of the radius at the distance x from the left face.
static double radius_squared(const carom_chain_body *body, double x)
{
    if (body->kind == CAROM_CHAIN_CYLINDER)
        return body->radius * body->radius;
    double from_centre = x - body->radius;
    return fmax(body->radius * body->radius - from_centre * from_centre, 0);
}

// Volume from the left face to x, over pi: the integral of radius_squared.
static double volume(const carom_chain_body *body, double x)
{
    if (body->kind == CAROM_CHAIN_CYLINDER)
        return body->radius * body->radius * x;
    return x * x * (body->radius - x / 3);
}

static void slice(const carom_chain_body *body, size_t b, carom_lattice *out)
{
    size_t from = out->first[b];
    size_t count = out->first[b + 1] - from;
    out->body_mass[b] = carom_chain_body_mass(body);
    out->body_length[b] = carom_chain_body_length(body);
    out->inset[b] = out->body_length[b] / (2 * (double)count);
    if (body->kind == CAROM_CHAIN_MASS || body->kind == CAROM_CHAIN_WALL) {
        out->mass[from] = body->kind == CAROM_CHAIN_WALL ? 0 : body->mass;
        out->inverse[from] = body->kind == CAROM_CHAIN_WALL ? 0 : 1 / body->mass;
        return;
    }
    double dx = out->body_length[b] / (double)count;
    for (size_t i = 0; i < count; i++) {
        double left = dx * (double)i;
        // Symmetric bodies get symmetric masses to the last bit: measure from the nearer face.
        double near = i < count - 1 - i ? left : dx * (double)(count - 1 - i);
        out->mass[from + i] =
            CAROM_PI * body->density * (volume(body, near + dx) - volume(body, near));
        out->inverse[from + i] = 1 / out->mass[from + i];
        if (i + 1 == count)
            break;
        double plane = dx * (double)(i + 1 < count - 1 - i ? i + 1 : count - 1 - i);
        out->stiffness[from + i] =
            body->young * CAROM_PI * radius_squared(body, plane) / dx; // eq 11
        out->dashpot[from + i] = out->stiffness[from + i] * body->damping;
        out->spacing[from + i] = dx;
    }
    out->half[b] = dx / 2 / (body->young * CAROM_PI * radius_squared(body, dx / 4));
}

static void join(const carom_chain *chain, carom_lattice *out)
{
    for (size_t c = 0; c < out->contacts; c++) {
        out->touch[c] =
            (carom_contact_spring){ .stiffness = chain->contacts[c].stiffness,
                                    .exponent = chain->contacts[c].exponent,
                                    .compliance = out->half[c] + out->half[c + 1] }; // eq 12
        out->spacing[carom_lattice_link(out, c)] = out->inset[c] + out->inset[c + 1];
    }
}

static double extent(const carom_lattice *lattice, size_t body)
{
    double sum = 0;
    double beyond = 0;
    double largest = 0;
    // Both faces: w from the left and from the right. Bodies are symmetric, so the larger is
    // either.
    for (size_t i = lattice->first[body]; i + 1 < lattice->first[body + 1]; i++) {
        beyond += lattice->mass[i];
        double share = beyond / lattice->body_mass[body];
        double other = 1 - share;
        sum += share * share / lattice->stiffness[i];
        largest += other * other / lattice->stiffness[i];
    }
    return fmax(sum, largest);
}

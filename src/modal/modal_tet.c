// Elements of a tetrahedral body: ten nodes, possibly with curved edges, consistent mass.
//
// Integrals by a rule of 14 points, exact for degree 5 (Walkington 2000): mass (degree 4) and
// stiffness (degree 2) of straight tetrahedra are exact.
#include "math/vec.h"

#include <stdlib.h>
#include <string.h>
#include "modal/modal_body.h"
#include "modal/tets.h"

enum { NODES = 10, POINTS = 14 };

// Barycentric coordinates and weight (of a unit volume).
typedef struct point {
    double l[4], weight;
} point;

static void make_rule(point rule[POINTS])
{
    static const double NEAR[2] = { 0.31088591926330060980, 0.092735250310891226402 };
    static const double WEIGHT[3] = { 0.11268792571801585080, 0.073493043116361949544,
                                      0.042546020777081466438 };
    static const double EDGE = 0.045503704125649649492;
    int at = 0;
    for (int s = 0; s < 2; ++s)
        for (int k = 0; k < 4; ++k, ++at) {
            for (int i = 0; i < 4; ++i)
                rule[at].l[i] = i == k ? 1 - 3 * NEAR[s] : NEAR[s];
            rule[at].weight = WEIGHT[s];
        }
    for (int e = 0; e < 6; ++e, ++at) {
        for (int i = 0; i < 4; ++i)
            rule[at].l[i] =
                i == carom_tets_edges[e][0] || i == carom_tets_edges[e][1] ? 0.5 - EDGE : EDGE;
        rule[at].weight = WEIGHT[2];
    }
}

static void functions(const double l[4], double n[NODES])
{
    for (int i = 0; i < 4; ++i)
        n[i] = l[i] * (2 * l[i] - 1);
    for (int e = 0; e < 6; ++e)
        n[4 + e] = 4 * l[carom_tets_edges[e][0]] * l[carom_tets_edges[e][1]];
}

// Slopes along the reference axes (l1, l2, l3; l0 = 1 - l1 - l2 - l3).
static void slopes(const double l[4], double d[NODES][3])
{
    double by[NODES][4] = { { 0 } };
    for (int i = 0; i < 4; ++i)
        by[i][i] = 4 * l[i] - 1;
    for (int e = 0; e < 6; ++e) {
        by[4 + e][carom_tets_edges[e][0]] = 4 * l[carom_tets_edges[e][1]];
        by[4 + e][carom_tets_edges[e][1]] = 4 * l[carom_tets_edges[e][0]];
    }
    for (int i = 0; i < NODES; ++i)
        for (int k = 0; k < 3; ++k)
            d[i][k] = by[i][k + 1] - by[i][0];
}

// Slopes along x, y, z in place of the reference ones; returns the Jacobian's determinant.
static double to_space(const carom_modal_body *body, int element, double d[NODES][3])
{
    const int *node = body->tets->tets + NODES * (size_t)element;
    vec3 axis[3] = { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } };
    for (int i = 0; i < NODES; ++i)
        for (int k = 0; k < 3; ++k)
            axis[k] = vec3_axpy(axis[k], d[i][k], vec3_from(body->tet_nodes + 3 * (size_t)node[i]));
    double det = vec3_dot(axis[0], vec3_cross(axis[1], axis[2]));
    vec3 dual[3];
    for (int k = 0; k < 3; ++k)
        dual[k] = vec3_scale(1 / det, vec3_cross(axis[(k + 1) % 3], axis[(k + 2) % 3]));
    for (int i = 0; i < NODES; ++i) {
        vec3 s =
            vec3_axpy(vec3_axpy(vec3_scale(d[i][0], dual[0]), d[i][1], dual[1]), d[i][2], dual[2]);
        vec3_store(s, d[i]);
    }
    return det;
}

static void mass_of(const carom_modal_body *body, int element, double *mass)
{
    point rule[POINTS];
    make_rule(rule);
    memset(mass, 0, NODES * NODES * sizeof *mass);
    for (int p = 0; p < POINTS; ++p) {
        double n[NODES], d[NODES][3];
        functions(rule[p].l, n);
        slopes(rule[p].l, d);
        double weight = rule[p].weight * to_space(body, element, d) / 6;
        for (int a = 0; a < NODES; ++a)
            for (int b = 0; b < NODES; ++b)
                mass[NODES * a + b] += weight * n[a] * n[b];
    }
}

static void stiffness_of(const carom_modal_body *body, int element, double *stiffness)
{
    point rule[POINTS];
    make_rule(rule);
    memset(stiffness, 0, 900 * sizeof *stiffness);
    for (int p = 0; p < POINTS; ++p) {
        double d[NODES][3];
        slopes(rule[p].l, d);
        double weight = rule[p].weight * to_space(body, element, d) / 6;
        double lambda = weight * body->elastic.lambda, mu = weight * body->elastic.mu;
        for (int a = 0; a < NODES; ++a)
            for (int b = 0; b < NODES; ++b) {
                double both = d[a][0] * d[b][0] + d[a][1] * d[b][1] + d[a][2] * d[b][2];
                for (int i = 0; i < 3; ++i)
                    for (int j = 0; j < 3; ++j)
                        stiffness[(3 * a + i) * 30 + 3 * b + j] += lambda * d[a][i] * d[b][j] +
                                                                   mu * d[a][j] * d[b][i] +
                                                                   (i == j ? mu * both : 0);
            }
    }
}

// Mass properties with the same rule; refuses folded tetrahedra.
static carom_status weigh(const carom_modal_body *body, carom_modal_solid *solid, carom_error *err)
{
    point rule[POINTS];
    double first[3] = { 0 }, second[3][3] = { { 0 } };
    make_rule(rule);
    *solid = (carom_modal_solid){ 0 };
    for (int e = 0; e < body->tets->tet_count; ++e)
        for (int p = 0; p < POINTS; ++p) {
            const int *node = body->tets->tets + NODES * (size_t)e;
            double n[NODES], d[NODES][3], x[3] = { 0 };
            functions(rule[p].l, n);
            slopes(rule[p].l, d);
            double det = to_space(body, e, d), weight = rule[p].weight * det / 6;
            if (!(det > 0)) {
                carom_error_set(err, CAROM_BAD_INPUT, "tetrahedron %d is folded", e);
                carom_error_where(err, "tetrahedron %d", e);
                return carom_error_fix(err, "straighten its edges or mesh the body anew");
            }
            for (int i = 0; i < NODES; ++i)
                for (int k = 0; k < 3; ++k)
                    x[k] += n[i] * (body->tet_nodes[3 * (size_t)node[i] + (size_t)k] - 0.5);
            solid->volume += weight;
            for (int k = 0; k < 3; ++k) {
                first[k] += weight * x[k];
                for (int l = 0; l < 3; ++l)
                    second[k][l] += weight * x[k] * x[l];
            }
        }
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l)
            second[k][l] -= first[k] * first[l] / solid->volume;
    for (int k = 0; k < 3; ++k) {
        solid->centre[k] = first[k] / solid->volume + 0.5;
        solid->inertia[k] = second[(k + 1) % 3][(k + 1) % 3] + second[(k + 2) % 3][(k + 2) % 3];
    }
    solid->inertia[3] = -second[0][1];
    solid->inertia[4] = -second[0][2];
    solid->inertia[5] = -second[1][2];
    return CAROM_OK;
}

carom_status carom_modal_body_of_tets(const carom_tets *tets, const carom_modal_frame *frame,
                                      carom_modal_body *body, carom_modal_solid *solid,
                                      carom_error *err)
{
    size_t count = (size_t)tets->tet_count, nodes = (size_t)tets->node_count;
    carom_nested_dissection_cells *e = &body->elements;
    body->tets = tets;
    body->mass = mass_of;
    body->stiffness = stiffness_of;
    e->cell_count = tets->tet_count;
    e->node_count = tets->node_count;
    e->first = malloc((count + 1) * sizeof *e->first);
    e->node = malloc((count * NODES + 1) * sizeof *e->node);
    e->position = malloc(3 * (count + 1) * sizeof *e->position);
    body->position = malloc(3 * (nodes + 1) * sizeof *body->position);
    body->tet_nodes = malloc(3 * (nodes + 1) * sizeof *body->tet_nodes);
    if (!e->first || !e->node || !e->position || !body->position || !body->tet_nodes)
        return carom_error_no_memory(err, "%d tetrahedra", tets->tet_count);
    for (size_t i = 0; i < 3 * nodes; ++i)
        body->position[i] = body->tet_nodes[i] =
            (tets->nodes[i] - frame->corner[i % 3]) / frame->unit;
    for (size_t i = 0; i <= count; ++i)
        e->first[i] = (int)(NODES * i);
    memcpy(e->node, tets->tets, count * NODES * sizeof *e->node);
    for (size_t i = 0; i < 3 * count; ++i) {
        const int *node = tets->tets + NODES * (i / 3);
        e->position[i] = 0;
        for (int k = 0; k < 4; ++k)
            e->position[i] += 0.25 * body->tet_nodes[3 * (size_t)node[k] + i % 3];
    }
    return weigh(body, solid, err);
}

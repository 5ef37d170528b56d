// Elements of a lattice body: nodes of the active cells, matrices from their moments.
//
// The empty part of a cut cell is given a millionth of the stiffness, so that every unknown is held
// [FCM], and a thousandth of that as mass, so that
// nothing in it vibrates slowly.
#include "modal/modal_body.h"

#include <stdlib.h>
#include <string.h>

enum { NODES = CAROM_MODAL_HEX_NODES, MOMENTS = CAROM_MODAL_HEX_MOMENTS };
static const double VOID_STIFFNESS = 1e-6, VOID_MASS = 1e-9;

static void moments_of(const carom_modal_body *body, int element, double empty, double *moments)
{
    const carom_modal_cells *c = body->cells;
    memset(moments, 0, MOMENTS * sizeof *moments);
    if (c->cut[element] >= 0) {
        memcpy(moments, c->moments + (size_t)c->cut[element] * MOMENTS, MOMENTS * sizeof *moments);
        for (int i = 0; i < MOMENTS; ++i)
            moments[i] *= 1 - empty;
        moments[0] += 8 * empty;
    } else {
        moments[0] = 8; // of a full cell all others vanish
    }
}

static void half_edges(const carom_modal_cells *c, double half[3])
{
    for (int k = 0; k < 3; ++k)
        half[k] = 0.5 * c->edge[k];
}

static void mass_of(const carom_modal_body *body, int element, double *mass)
{
    double moments[MOMENTS], half[3];
    moments_of(body, element, VOID_MASS, moments);
    half_edges(body->cells, half);
    carom_modal_hex_mass(moments, half, mass);
}

static void stiffness_of(const carom_modal_body *body, int element, double *stiffness)
{
    double moments[MOMENTS], half[3];
    moments_of(body, element, VOID_STIFFNESS, moments);
    half_edges(body->cells, half);
    carom_modal_hex_stiffness(moments, half, body->elastic, stiffness);
}

// Place of local node k of a cell in the grid of nodes, which is twice as fine.
static size_t grid_node(const carom_modal_cells *c, int cell, int k)
{
    size_t wide = 2 * (size_t)c->n[0] + 1, deep = 2 * (size_t)c->n[1] + 1;
    size_t x = 2 * (size_t)(cell % c->n[0]) + (size_t)(k % 3);
    size_t y = 2 * (size_t)(cell / c->n[0] % c->n[1]) + (size_t)(k / 3 % 3);
    size_t z = 2 * (size_t)(cell / c->n[0] / c->n[1]) + (size_t)(k / 9);
    return x + wide * (y + deep * z);
}

// Numbers the nodes that active cells use and places them.
static carom_status number_nodes(const carom_modal_cells *c, carom_modal_body *body,
                                 carom_error *err)
{
    size_t wide = 2 * (size_t)c->n[0] + 1, deep = 2 * (size_t)c->n[1] + 1,
           all = wide * deep * (2 * (size_t)c->n[2] + 1);
    int *number = malloc(all * sizeof *number), count = 0;
    if (!number)
        return carom_error_no_memory(err, "a grid of %zu nodes", all);
    for (size_t i = 0; i < all; ++i)
        number[i] = -1;
    for (int e = 0; e < c->count; ++e)
        for (int k = 0; k < NODES; ++k)
            number[grid_node(c, c->grid[e], k)] = 0;
    for (size_t i = 0; i < all; ++i)
        if (number[i] == 0)
            number[i] = count++;
    body->elements.node_count = count;
    body->position = malloc(3 * ((size_t)count + 1) * sizeof *body->position);
    for (size_t i = 0; body->position && i < all; ++i)
        if (number[i] >= 0) {
            double *at = body->position + 3 * (size_t)number[i];
            at[0] = 0.5 * (double)(i % wide) * c->edge[0];
            at[1] = 0.5 * (double)(i / wide % deep) * c->edge[1];
            at[2] = 0.5 * (double)(i / wide / deep) * c->edge[2];
        }
    for (int e = 0; e < c->count; ++e)
        for (int k = 0; k < NODES; ++k)
            body->elements.node[NODES * e + k] = number[grid_node(c, c->grid[e], k)];
    free(number);
    return body->position ? CAROM_OK : carom_error_no_memory(err, "%d nodes", count);
}

carom_status carom_modal_body_of_cells(const carom_modal_cells *c, carom_modal_body *body,
                                       carom_error *err)
{
    size_t count = (size_t)c->count;
    body->cells = c;
    body->mass = mass_of;
    body->stiffness = stiffness_of;
    body->elements.cell_count = c->count;
    body->elements.first = malloc((count + 1) * sizeof *body->elements.first);
    body->elements.node = malloc((count * NODES + 1) * sizeof *body->elements.node);
    body->elements.position = malloc(3 * (count + 1) * sizeof *body->elements.position);
    if (!body->elements.first || !body->elements.node || !body->elements.position)
        return carom_error_no_memory(err, "%d cells", c->count);
    for (int e = 0; e <= c->count; ++e)
        body->elements.first[e] = NODES * e;
    for (int e = 0; e < c->count; ++e) {
        double *at = body->elements.position + 3 * (size_t)e;
        at[0] = c->grid[e] % c->n[0] * c->edge[0];
        at[1] = c->grid[e] / c->n[0] % c->n[1] * c->edge[1];
        at[2] = c->grid[e] / c->n[0] / c->n[1] * c->edge[2];
    }
    return number_nodes(c, body, err);
}

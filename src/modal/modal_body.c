// From elements to modes: ordering, mass matrix, rigid modes, factorisation, Lanczos.
#include "modal/modal_body.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "base/team.h"
#include "math/lanes.h"
#include "modal/modal_progress.h"
#include "solve/multifrontal.h"

enum { VECTORS = CAROM_LANCZOS_BLOCK, NODES_MAX = 27, CHUNK = 512 };
// K alone is singular; the shift is small beside the stiffness and about the square of the lowest
// frequencies of slender bodies.
static const double SHIFT = 0.01;
static const double TOLERANCE = 1e-9;

static carom_status order(carom_modal_body *body, carom_nested_dissection *tree, carom_error *err);
static carom_status assemble_mass(carom_modal_body *body, carom_error *err);
// What is asked for.
typedef struct task {
    const double *centre;
    int wanted;
    const carom_progress *progress;
} task;

static carom_status iterate(carom_modal_body *body, const carom_nested_dissection *tree,
                            const task *asked, carom_modal_solution *solution, carom_error *err);

carom_status carom_modal_body_solve(carom_modal_body *body, const double centre[3], int wanted,
                                    const carom_progress *progress, carom_modal_solution *solution,
                                    carom_error *err)
{
    carom_nested_dissection tree = { 0 };
    *solution = (carom_modal_solution){ 0 };
    carom_status status = carom_progress_report(progress, 0, 100, "ordering", err);
    if (status == CAROM_OK)
        status = order(body, &tree, err);
    if (status == CAROM_OK)
        status = assemble_mass(body, err);
    if (status == CAROM_OK)
        status = iterate(body, &tree, &(task){ centre, wanted, progress }, solution, err);
    carom_nested_dissection_free(&tree);
    return status;
}

void carom_modal_body_free(carom_modal_body *body)
{
    free(body->elements.first);
    free(body->elements.node);
    free(body->elements.position);
    free(body->position);
    free(body->place);
    free(body->tet_nodes);
    free(body->row);
    free(body->column);
    free(body->value);
    *body = (carom_modal_body){ 0 };
}

void carom_modal_body_free_solution(carom_modal_solution *solution)
{
    carom_lanczos_free(&solution->modes);
}

// Puts nodes in elimination order, positions with them.
static carom_status order(carom_modal_body *body, carom_nested_dissection *tree, carom_error *err)
{
    int nodes = body->elements.node_count;
    TRY(carom_nested_dissection_create(&body->elements, tree, err));
    int *to = malloc(((size_t)nodes + 1) * sizeof *to);
    double *moved = malloc(3 * ((size_t)nodes + 1) * sizeof *moved);
    if (!to || !moved) {
        free(to);
        free(moved);
        return carom_error_no_memory(err, "%d nodes", nodes);
    }
    carom_status status = carom_nested_dissection_renumber(tree, &body->elements, to, err);
    for (int i = 0; i < nodes; ++i)
        memcpy(moved + 3 * (size_t)to[i], body->position + 3 * (size_t)i, 3 * sizeof *moved);
    free(body->position);
    body->position = moved;
    if (!body->place) {
        body->place = to;
        return status;
    }
    for (int i = 0; i < nodes; ++i) // a second round starts from the order of the first
        body->place[i] = to[body->place[i]];
    free(to);
    return status;
}

// -- mass matrix --------------------------------------------------------------------------------

static int ascending(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

// Elements by node, in compressed rows.
static carom_status find_users(const carom_nested_dissection_cells *e, int **first, int **user,
                               carom_error *err)
{
    int entries = e->first[e->cell_count];
    *first = calloc((size_t)e->node_count + 2, sizeof **first);
    *user = malloc(((size_t)entries + 1) * sizeof **user);
    if (!*first || !*user)
        return carom_error_no_memory(err, "%d nodes", e->node_count);
    for (int i = 0; i < entries; ++i)
        ++(*first)[e->node[i] + 2];
    for (int i = 0; i < e->node_count; ++i)
        (*first)[i + 2] += (*first)[i + 1];
    for (int c = 0; c < e->cell_count; ++c)
        for (int k = e->first[c]; k < e->first[c + 1]; ++k)
            (*user)[(*first)[e->node[k] + 1]++] = c;
    return CAROM_OK;
}

// The nodes that share an element with `node`, ascending; `seen` holds the last node that met each.
static int neighbours(const carom_nested_dissection_cells *e, const int *first, const int *user,
                      int node, int *seen, int *out)
{
    int count = 0;
    for (int i = first[node]; i < first[node + 1]; ++i)
        for (int k = e->first[user[i]]; k < e->first[user[i] + 1]; ++k)
            if (seen[e->node[k]] != node) {
                seen[e->node[k]] = node;
                out[count++] = e->node[k];
            }
    qsort(out, (size_t)count, sizeof *out, ascending);
    return count;
}

static carom_status mass_pattern(carom_modal_body *body, const int *first, const int *user,
                                 carom_error *err)
{
    const carom_nested_dissection_cells *e = &body->elements;
    size_t nodes = (size_t)e->node_count, room = 0, used = 0;
    int *seen = malloc((nodes + 1) * sizeof *seen);
    body->row = malloc((nodes + 1) * sizeof *body->row);
    bool ok = seen && body->row;
    for (int i = 0; ok && i < e->node_count; ++i)
        seen[i] = -1;
    for (int i = 0; ok && i < e->node_count; ++i) {
        if (room - used < nodes) { // a row can be as long as all nodes
            room = room + room / 2 + 64 * nodes;
            int *more = realloc(body->column, room * sizeof *more);
            ok = more != NULL;
            body->column = more ? more : body->column;
        }
        body->row[i] = used;
        if (ok)
            used += (size_t)neighbours(e, first, user, i, seen, body->column + used);
    }
    free(seen);
    if (ok) {
        body->row[nodes] = used;
        body->value = calloc(used + 1, sizeof *body->value);
    }
    return ok && body->value ? CAROM_OK : carom_error_no_memory(err, "the mass matrix");
}

static double *mass_entry(carom_modal_body *body, int row, int column)
{
    size_t low = body->row[row], high = body->row[row + 1];
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        if (body->column[middle] <= column)
            low = middle;
        else
            high = middle;
    }
    return &body->value[low];
}

static carom_status assemble_mass(carom_modal_body *body, carom_error *err)
{
    const carom_nested_dissection_cells *e = &body->elements;
    int *first = NULL, *user = NULL;
    free(body->row);
    free(body->column);
    free(body->value);
    body->row = NULL;
    body->column = NULL;
    body->value = NULL;
    carom_status status = find_users(e, &first, &user, err);
    if (status == CAROM_OK)
        status = mass_pattern(body, first, user, err);
    for (int c = 0; status == CAROM_OK && c < e->cell_count; ++c) {
        double mass[NODES_MAX * NODES_MAX];
        int count = e->first[c + 1] - e->first[c];
        const int *node = e->node + e->first[c];
        body->mass(body, c, mass);
        for (int a = 0; a < count; ++a)
            for (int b = 0; b < count; ++b)
                *mass_entry(body, node[a], node[b]) += mass[count * a + b];
    }
    free(first);
    free(user);
    return status;
}

// Rows from .. to - 1 of y = M x.
CAROM_LANES_WIDE static void multiply_rows(const carom_modal_body *body, int from, int to,
                                           const double *x, double *y)
{
    for (int i = from; i < to; ++i) {
        double sum[3 * VECTORS] = { 0 };
        for (size_t k = body->row[i]; k < body->row[i + 1]; ++k) {
            const double *at = x + (size_t)body->column[k] * 3 * VECTORS;
            double m = body->value[k];
            for (int l = 0; l < 3 * VECTORS; ++l)
                sum[l] += m * at[l];
        }
        memcpy(y + (size_t)i * 3 * VECTORS, sum, sizeof sum);
    }
}

static void multiply_share(const carom_modal_body *body, const double *x, double *y)
{
    int nodes = body->elements.node_count, chunks = (nodes + CHUNK - 1) / CHUNK;
    int to = CHUNK * carom_team_end(chunks, body->threads);
    multiply_rows(body, CHUNK * carom_team_begin(chunks, body->threads), to < nodes ? to : nodes, x,
                  y);
}
CAROM_TEAM_SHARE3(multiply_share, const carom_modal_body *, const double *, double *)

// y = M x for one block of lanes.
static void multiply_mass(void *context, const double *x, double *y)
{
    const carom_modal_body *body = *(carom_modal_body **)context;
    CAROM_TEAM(body->threads, multiply_share(body, x, y));
}

// -- modes --------------------------------------------------------------------------------------

typedef struct solver {
    carom_modal_body *body; // first: multiply_mass looks here
    carom_multifrontal *front;
    double *scratch;
} solver;

static void solve_shifted(void *context, double *x)
{
    solver *s = context;
    carom_multifrontal_solve(s->front, x, s->scratch, s->body->threads);
}

// K + shift M of one element.
static void shifted(const void *context, int element, double *full)
{
    const carom_modal_body *body = context;
    double mass[NODES_MAX * NODES_MAX];
    int count = body->elements.first[element + 1] - body->elements.first[element];
    body->stiffness(body, element, full);
    body->mass(body, element, mass);
    for (int a = 0; a < count; ++a)
        for (int b = 0; b < count; ++b)
            for (int k = 0; k < 3; ++k)
                full[(size_t)(3 * a + k) * (size_t)(3 * count) + (size_t)(3 * b + k)] +=
                    SHIFT * mass[count * a + b];
}

// Lanes 0 to 2 shift the body, 3 to 5 turn it about the centre.
static void rigid_motions(const carom_modal_body *body, const double centre[3], double *block)
{
    memset(block, 0, 3 * (size_t)body->elements.node_count * VECTORS * sizeof *block);
    for (int i = 0; i < body->elements.node_count; ++i) {
        double *at = block + 3 * (size_t)i * VECTORS, r[3];
        for (int k = 0; k < 3; ++k)
            r[k] = body->position[3 * (size_t)i + (size_t)k] - centre[k];
        for (int k = 0; k < 3; ++k) {
            int u = (k + 1) % 3, v = (k + 2) % 3;
            at[VECTORS * k + k] = 1;
            at[VECTORS * v + 3 + k] = r[u]; // e_k x r
            at[VECTORS * u + 3 + k] = -r[v];
        }
    }
}

// Mass properties of the discretised body from its rigid motions.
static carom_status weigh(const carom_lanczos_problem *problem, const double *rigid, double *image,
                          carom_modal_solution *solution)
{
    static const int ENTRY[6][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 0, 1 }, { 0, 2 }, { 1, 2 } };
    double gram[VECTORS * VECTORS] = { 0 };
    problem->multiply(problem->context, rigid, image);
    for (int i = 0; i < problem->rows; ++i)
        for (int p = 0; p < 6; ++p)
            for (int q = 0; q < 6; ++q)
                gram[VECTORS * p + q] +=
                    rigid[(size_t)i * VECTORS + (size_t)p] * image[(size_t)i * VECTORS + (size_t)q];
    solution->mass = gram[0];
    for (int k = 0; k < 3;
         ++k) // u_v of a turn about k is r_u: its mean is the offset of the centre
        solution->offset[(k + 1) % 3] = gram[VECTORS * ((k + 2) % 3) + 3 + k] / gram[0];
    for (int k = 0; k < 6; ++k)
        solution->inertia[k] = gram[VECTORS * (3 + ENTRY[k][0]) + 3 + ENTRY[k][1]];
    return CAROM_OK;
}

// Factorisation and iteration as one piece of work. How the two compare is known when the
// factorisation first tells how much it is: its w multiplications on n unknowns mean fronts of
// about sqrt(2 w / n) rows, hence n times that many entries, which every block of vectors passes
// twice, at a third of the speed.
typedef struct halves {
    const carom_progress *outer;
    double rows, blocks; // unknowns; blocks of vectors that are wanted
    double share;        // of the factorisation
} halves;

static int report_factor(void *context, double done, double total, const char *what)
{
    halves *h = context;
    double entries = h->rows * sqrt(2 * total / h->rows);
    double vectors = VECTORS * (2.8 * h->blocks + 4);
    h->share = total / (total + 3 * vectors * (2 * entries + 64 * h->rows * h->blocks));
    carom_modal_progress part = { h->outer, 0.02, 0.02 + 0.98 * h->share };
    carom_progress inner = carom_modal_progress_part(&part);
    return inner.report(inner.context, done, total, what);
}

static carom_status iterate(carom_modal_body *body, const carom_nested_dissection *tree,
                            const task *asked, carom_modal_solution *solution, carom_error *err)
{
    const carom_progress *progress = asked->progress;
    int wanted = asked->wanted;
    halves h = { progress, 3. * body->elements.node_count, (wanted + VECTORS - 1) / VECTORS, 0 };
    carom_progress factor = { report_factor, &h };
    size_t block = 3 * (size_t)body->elements.node_count * VECTORS;
    carom_multifrontal_source source = { &body->elements, 3, shifted, body, body->threads };
    solver s = { .body = body };
    double *rigid = aligned_alloc(64, (2 * block * sizeof *rigid + 63) / 64 * 64);
    carom_lanczos_problem problem = { .rows = 3 * body->elements.node_count,
                                      .shift = SHIFT,
                                      .multiply = multiply_mass,
                                      .solve = solve_shifted,
                                      .context = &s,
                                      .known = rigid,
                                      .wanted = wanted,
                                      .tolerance = TOLERANCE,
                                      .threads = body->threads };
    carom_status status = CAROM_NO_MEMORY;
    if (!rigid) {
        carom_error_set(err, status, "no memory for %d nodes", body->elements.node_count);
    } else {
        rigid_motions(body, asked->centre, rigid);
        weigh(&problem, rigid, rigid + block, solution);
        int left = carom_lanczos_orthonormal(&problem, rigid, rigid + block);
        if (left < 0)
            carom_error_set(err, status, "no memory for %d nodes", body->elements.node_count);
        else if (left < 6)
            status = carom_error_set(err, CAROM_BAD_INPUT,
                                     "the body has no extent along some direction");
        else
            status = carom_multifrontal_create(&source, tree, &factor, &s.front, err);
    }
    if (status == CAROM_OK) {
        size_t scratch = carom_multifrontal_scratch(s.front) * sizeof *s.scratch;
        solution->factor_bytes = carom_multifrontal_bytes(s.front);
        s.scratch = aligned_alloc(64, (scratch + 63) / 64 * 64);
        carom_modal_progress part = { progress, 0.02 + 0.98 * h.share, 1 };
        carom_progress modes = carom_modal_progress_part(&part);
        status = s.scratch ? carom_lanczos_lowest(&problem, &modes, &solution->modes, err)
                           : carom_error_no_memory(err, "the solves");
    }
    for (int i = 0; status == CAROM_OK && i < wanted; ++i)
        solution->residual = fmax(solution->residual, solution->modes.residual[i]);
    carom_multifrontal_destroy(s.front);
    free(s.scratch);
    free(rigid);
    return status;
}

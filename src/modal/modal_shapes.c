// Mode shapes at points of the surface, and what a contact there sees.
#include "modal/modal_internal.h"

#include <stdlib.h>
#include <string.h>

enum { NODES = CAROM_MODAL_HEX_NODES };
static const double REACH = 0.5; // of a cell: how far outside of the cells a point may lie

static sym3 inverse_inertia(const carom_modal_info *info)
{
    const double *i = info->inertia;
    return sym3_inverse((sym3){ i[0], i[1], i[2], i[3], i[4], i[5] });
}

// How far (in cells, largest coordinate) a place lies outside of a cell.
static double outside(const carom_modes *m, const int cell[3], const double place[3])
{
    double max = 0;
    for (int k = 0; k < 3; ++k) {
        double x = place[k] / m->edge[k] - cell[k];
        max = fmax(max, fmax(-x, x - 1));
    }
    return max;
}

// The kept brick that holds a place, or the nearest among its neighbours: a point of the surface
// may lie in a sliver that has no cell of its own.
static int find_brick(const carom_modes *m, const double place[3], int at[3])
{
    int home[3], best = -1;
    double min = REACH;
    for (int k = 0; k < 3; ++k) {
        double cell = floor(place[k] / m->edge[k]);
        home[k] = cell < 0 ? 0 : cell > m->n[k] - 1 ? m->n[k] - 1 : (int)cell;
    }
    for (int i = 0; i < 27; ++i) {
        static const int TURN[3] = { 0, -1, 1 }; // itself first
        int cell[3] = { home[0] + TURN[i % 3], home[1] + TURN[i / 3 % 3], home[2] + TURN[i / 9] };
        if (cell[0] < 0 || cell[1] < 0 || cell[2] < 0 || cell[0] >= m->n[0] || cell[1] >= m->n[1] ||
            cell[2] >= m->n[2])
            continue;
        int brick =
            m->slot[(size_t)cell[0] +
                    (size_t)m->n[0] * ((size_t)cell[1] + (size_t)m->n[1] * (size_t)cell[2])];
        double away = brick >= 0 ? outside(m, cell, place) : HUGE_VAL;
        if (away < min) {
            min = away;
            best = brick;
            memcpy(at, cell, sizeof cell);
        }
        if (best >= 0 && min <= 0)
            break;
    }
    return best;
}

typedef struct spot {
    int count; // nodes
    const int *node;
    double weight[NODES];
} spot;

static carom_status too_far(const double point[3], double reach, carom_error *err)
{
    carom_error_set(err, CAROM_BAD_INPUT, "the point (%g, %g, %g) m is not on the body", point[0],
                    point[1], point[2]);
    return carom_error_fix(err, "give a point within %.3g m of the surface, in mesh coordinates",
                           reach);
}

static carom_status locate(const carom_modes *m, const double point[3], spot *s, carom_error *err)
{
    double place[3];
    for (int k = 0; k < 3; ++k)
        place[k] = (point[k] - m->corner[k]) / m->unit;
    if (!(fabs(place[0]) < 1e6 && fabs(place[1]) < 1e6 && fabs(place[2]) < 1e6))
        return too_far(point, 0, err);
    if (m->face_count > 0) {
        double distance, reach = m->box_edge;
        int face = carom_modal_nearest_face_find(m, vec3_from(place), s->weight, &distance);
        if (face < 0 || distance > reach)
            return too_far(point, reach * m->unit, err);
        s->count = 6;
        s->node = m->face + 6 * (size_t)face;
        return CAROM_OK;
    }
    int at[3], brick = find_brick(m, place, at);
    if (brick < 0)
        return too_far(point, REACH * m->unit * fmin(m->edge[0], fmin(m->edge[1], m->edge[2])),
                       err);
    double n[3][3];
    for (int k = 0; k < 3; ++k)
        carom_modal_hex_functions(2 * (place[k] / m->edge[k] - at[k]) - 1, n[k]);
    for (int i = 0; i < NODES; ++i)
        s->weight[i] = n[0][i % 3] * n[1][i / 3 % 3] * n[2][i / 9];
    s->count = NODES;
    s->node = m->brick + NODES * (size_t)brick;
    return CAROM_OK;
}

carom_status carom_modal_shapes_at(const carom_modes *modes, const double point[3], double *shapes,
                                   carom_error *err)
{
    NEED(err, modes, point, shapes);
    spot s;
    int m = modes->info.mode_count;
    TRY(locate(modes, point, &s, err));
    memset(shapes, 0, 3 * (size_t)m * sizeof *shapes);
    for (int i = 0; i < s.count; ++i)
        for (int k = 0; k < 3; ++k) {
            const double *from = modes->shape + (3 * (size_t)s.node[i] + (size_t)k) * (size_t)m;
            for (int j = 0; j < m; ++j)
                shapes[3 * j + k] += s.weight[i] * from[j];
        }
    return CAROM_OK;
}

double carom_modal_response(const carom_modes *modes, const double point[3], const double normal[3])
{
    if (!modes || !point || !normal)
        return 0;
    const carom_modal_info *info = &modes->info;
    vec3 lever = vec3_sub(vec3_from(point), vec3_from(info->centre));
    vec3 turn = vec3_cross(lever, vec3_from(normal));
    return 1 / info->mass + vec3_dot(turn, sym3_mul(inverse_inertia(info), turn));
}

carom_status carom_modal_participation(const carom_modes *modes, const double point[3],
                                       const double normal[3], double *a, double *w,
                                       carom_error *err)
{
    NEED(err, modes, normal);
    spot s;
    int m = modes->info.mode_count;
    double length = vec3_length(vec3_from(normal));
    if (!(fabs(length - 1) < 1e-6)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the normal (%g, %g, %g) has length %g", normal[0],
                        normal[1], normal[2], length);
        return carom_error_fix(err, "give the outward unit normal");
    }
    TRY(locate(modes, point, &s, err));
    memset(a, 0, (size_t)m * sizeof *a);
    for (int i = 0; i < s.count; ++i)
        for (int k = 0; k < 3; ++k) {
            const double *from = modes->shape + (3 * (size_t)s.node[i] + (size_t)k) * (size_t)m;
            double factor = s.weight[i] * normal[k];
            for (int j = 0; j < m && factor != 0; ++j)
                a[j] += factor * from[j];
        }
    *w = carom_modal_response(modes, point, normal);
    return CAROM_OK;
}

carom_status carom_modal_rescale(carom_modes *modes, const carom_modal_material *material,
                                 carom_error *err)
{
    NEED(err, material);
    carom_modal_info *info = &modes->info;
    TRY(carom_modal_material_check(material, err));
    if (material->poisson != info->material.poisson) {
        carom_error_set(err, CAROM_BAD_INPUT,
                        "the modes were computed for Poisson's ratio %g, not %g",
                        info->material.poisson, material->poisson);
        return carom_error_fix(err, "compute them anew: only stiffness and density scale");
    }
    double heavier = material->density / info->material.density;
    double quicker = sqrt(material->young / info->material.young / heavier);
    for (int i = 0; i < info->mode_count; ++i)
        modes->omega[i] *= quicker;
    info->next_omega *= quicker;
    info->mass *= heavier;
    for (int k = 0; k < 6; ++k)
        info->inertia[k] *= heavier;
    size_t count = 3 * (size_t)modes->node_count * (size_t)info->mode_count;
    for (size_t i = 0; i < count; ++i)
        modes->shape[i] /= sqrt(heavier);
    info->material = *material;
    return CAROM_OK;
}

// -- what is kept -------------------------------------------------------------------------------

carom_status carom_modal_keep_shapes(carom_modes *modes, const carom_modal_body *body,
                                     const carom_modal_solution *s, const int *number,
                                     carom_error *err)
{
    enum { LANES = CAROM_LANCZOS_BLOCK };
    int m = modes->info.mode_count;
    size_t rows = 3 * (size_t)body->elements.node_count;
    double scale = 1 / sqrt(modes->info.material.density * modes->unit * modes->unit * modes->unit);
    modes->shape = malloc((3 * (size_t)modes->node_count * (size_t)m + 1) * sizeof *modes->shape);
    if (!modes->shape)
        return carom_error_no_memory(err, "%d modes at %d nodes", m, modes->node_count);
    for (int i = 0; i < body->elements.node_count; ++i)
        for (int k = 0; number[i] >= 0 && k < 3; ++k) {
            double *to = modes->shape + (3 * (size_t)number[i] + (size_t)k) * (size_t)m;
            size_t row = 3 * (size_t)i + (size_t)k;
            for (int j = 0; j < m; ++j)
                to[j] = scale *
                        s->modes.vectors[((size_t)(j / LANES) * rows + row) * LANES + j % LANES];
        }
    return CAROM_OK;
}

// Does a brick meet the surface: is it cut, or is one of the 26 cells around it empty?
static bool at_surface(const carom_modes *m, const carom_modal_cells *c, int element)
{
    int cell = c->grid[element];
    int at[3] = { cell % c->n[0], cell / c->n[0] % c->n[1], cell / c->n[0] / c->n[1] };
    if (c->cut[element] >= 0)
        return true;
    for (int i = 0; i < 27; ++i) {
        int x = at[0] + i % 3 - 1, y = at[1] + i / 3 % 3 - 1, z = at[2] + i / 9 - 1;
        if (x < 0 || y < 0 || z < 0 || x >= c->n[0] || y >= c->n[1] || z >= c->n[2] ||
            m->slot[(size_t)x + (size_t)c->n[0] * ((size_t)y + (size_t)c->n[1] * (size_t)z)] < 0)
            return true;
    }
    return false;
}

// Numbers what is marked with 0 and returns how many there are.
static int number_marked(int *number, int count)
{
    int next = 0;
    for (int i = 0; i < count; ++i)
        if (number[i] >= 0)
            number[i] = next++;
    return next;
}

// Fills slot and brick (with numbers of the body's nodes), and marks the nodes of kept bricks.
static void keep_surface_bricks(carom_modes *m, const carom_modal_body *body, bool *kept,
                                int *number)
{
    const carom_modal_cells *c = body->cells;
    for (int i = 0; i < c->count; ++i)
        m->slot[c->grid[i]] = i;
    for (int i = 0; i < c->count; ++i)
        kept[i] = at_surface(m, c, i);
    for (int i = 0; i < c->count; ++i) {
        m->slot[c->grid[i]] = kept[i] ? m->brick_count : -1;
        if (!kept[i])
            continue;
        int *to = m->brick + NODES * (size_t)m->brick_count++;
        for (int k = 0; k < NODES; ++k) {
            to[k] = body->elements.node[NODES * i + k];
            number[to[k]] = 0;
        }
    }
}

carom_status carom_modal_keep_bricks(carom_modes *modes, const carom_modal_body *body,
                                     const carom_modal_solution *solution, carom_error *err)
{
    const carom_modal_cells *c = body->cells;
    size_t all = (size_t)c->n[0] * (size_t)c->n[1] * (size_t)c->n[2];
    size_t nodes = (size_t)body->elements.node_count;
    memcpy(modes->n, c->n, sizeof modes->n);
    memcpy(modes->edge, c->edge, sizeof modes->edge);
    modes->slot = malloc((all + 1) * sizeof *modes->slot);
    modes->brick = malloc((NODES * (size_t)c->count + 1) * sizeof *modes->brick);
    bool *kept = malloc((size_t)c->count + 1);
    int *number = malloc((nodes + 1) * sizeof *number);
    carom_status status = CAROM_NO_MEMORY;
    if (modes->slot && modes->brick && kept && number) {
        for (size_t i = 0; i < all; ++i)
            modes->slot[i] = -1;
        for (size_t i = 0; i < nodes; ++i)
            number[i] = -1;
        keep_surface_bricks(modes, body, kept, number);
        modes->node_count = number_marked(number, body->elements.node_count);
        for (size_t i = 0; i < NODES * (size_t)modes->brick_count; ++i)
            modes->brick[i] = number[modes->brick[i]];
        status = carom_modal_keep_shapes(modes, body, solution, number, err);
    } else {
        carom_error_set(err, status, "no memory for %d cells", c->count);
    }
    free(kept);
    free(number);
    return status;
}

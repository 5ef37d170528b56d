// Rows for the solvers; see jacobian.h. Costs O(contacts of the set), never O(bodies of the
// problem), because laws call this for thousands of small islands: bodies are numbered through a
// hash table.
#include "impact/jacobian.h"
#include "base/sets.h"

#include <string.h>

typedef struct body_map {
    int mask;
    int *key, *local; // key -1: free
    int count;
} body_map;

static carom_status map_init(body_map *map, int contacts, carom_arena *scratch, carom_error *err)
{
    int capacity = 8;
    while (capacity / 4 < contacts)
        capacity *= 2;
    TAKE(scratch, map->key, capacity, err);
    TAKE(scratch, map->local, capacity, err);
    memset(map->key, 0xff, (size_t)capacity * sizeof *map->key);
    map->mask = capacity - 1;
    map->count = 0;
    return CAROM_OK;
}

// The local number of a body, new ones in the order of their first appearance.
static int map_body(body_map *map, int body)
{
    unsigned slot = ((unsigned)body * 2654435769u) >> 7 & (unsigned)map->mask;
    while (map->key[slot] >= 0 && map->key[slot] != body)
        slot = (slot + 1) & (unsigned)map->mask;
    if (map->key[slot] < 0) {
        map->key[slot] = body;
        map->local[slot] = map->count++;
    }
    return map->local[slot];
}

carom_status carom_jacobian_split(const carom_problem *problem, const carom_contact_set *set,
                                  carom_arena *scratch, carom_jacobian_parts *parts,
                                  carom_error *err)
{
    int n = set->count, *parent, *part_of, *end;
    body_map map = { 0 };
    parts->count = 0;
    TAKE_ZEROS(scratch, parts->first, (size_t)n + 2, err);
    TAKE(scratch, parts->position, n, err);
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    TRY(map_init(&map, n, scratch, err));
    TAKE(scratch, parent, 2 * (size_t)n, err);
    TAKE(scratch, part_of, 2 * (size_t)n, err);
    TAKE(scratch, end, n, err);
    for (int i = 0; i < 2 * n; ++i) {
        parent[i] = i;
        part_of[i] = -1;
    }
    for (int i = 0; i < n; ++i) {
        const carom_row *row = &problem->normal[set->index[i]];
        int a = row->inv_a > 0 ? map_body(&map, row->a) : -1;
        int b = row->inv_b > 0 ? map_body(&map, row->b) : -1;
        end[i] = a >= 0 ? a : b;
        if (a >= 0 && b >= 0) {
            sets_join(parent, a, b);
        }
    }
    for (int i = 0; i < n; ++i) {
        int root = end[i] = sets_find(parent, end[i]);
        if (part_of[root] < 0)
            part_of[root] = parts->count++;
        ++parts->first[part_of[root] + 2];
    }
    for (int k = 2; k <= parts->count; ++k)
        parts->first[k] += parts->first[k - 1];
    for (int i = 0; i < n; ++i)
        parts->position[parts->first[part_of[end[i]] + 1]++] = i;
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

// The six entries of a body in a row: root of the inverse mass times d, C^T times the arm.
static void side(const double root[7], vec3 d, vec3 arm, double sign, double out[6])
{
    const double *c = root + 1;
    out[0] = sign * root[0] * d.x;
    out[1] = sign * root[0] * d.y;
    out[2] = sign * root[0] * d.z;
    out[3] = sign * (c[0] * arm.x + c[1] * arm.y + c[3] * arm.z);
    out[4] = sign * (c[2] * arm.y + c[4] * arm.z);
    out[5] = sign * (c[5] * arm.z);
}

// Writes the entries of a row that matter and returns their number. The row is made a unit row.
static int write_row(const carom_jacobian *jacobian, const carom_row *row, const int local[2],
                     double *value, int *column, double *scale)
{
    double full[12] = { 0 }, length[2] = { 0, 0 };
    if (local[0] >= 0)
        side(jacobian->root[local[0]], row->d, row->arm_a, -1, full);
    if (local[1] >= 0)
        side(jacobian->root[local[1]], row->d, row->arm_b, 1, full + 6);
    for (int k = 0; k < 12; ++k)
        length[k / 6] += full[k] * full[k];
    *scale = 1 / sqrt(length[0] + length[1]);
    int count = 0;
    for (int k = 0; k < 12; ++k) {
        if (local[k / 6] < 0)
            continue;
        // Noise beside the other entries of the same body; beside those of a much lighter body the
        // entries of a heavy one are small, but they are its momentum.
        bool noise = full[k] * full[k] <= 1e-32 * length[k / 6];
        value[count] = noise ? 0 : full[k] * *scale;
        column[count++] = 6 * local[k / 6] + k % 6;
    }
    return count;
}

// Takes out the columns that no row uses and renumbers the others: balls without friction need no
// rotation, plane scenes no third direction. Zeros in used columns stay, so that rows of one kind
// of scene have one length. Returns how many columns there are.
static int compact(int *columns, int count, int rows, int *first, int *column, double *value)
{
    int width = 0, kept = 0;
    memset(columns, 0xff, (size_t)count * sizeof *columns);
    for (int k = 0; k < first[rows]; ++k)
        if (value[k] != 0)
            columns[column[k]] = 0;
    for (int k = 0; k < count; ++k)
        if (columns[k] == 0)
            columns[k] = width++;
    for (int i = 0, from = 0; i < rows; ++i) {
        int end = first[i + 1];
        for (; from < end; ++from)
            if (columns[column[from]] >= 0) {
                column[kept] = columns[column[from]];
                value[kept++] = value[from];
            }
        first[i + 1] = kept;
    }
    return width;
}

carom_status carom_jacobian_build(const carom_problem *problem, const carom_contact_set *set,
                                  int directions, carom_arena *scratch, carom_jacobian *jacobian,
                                  carom_error *err)
{
    int n = set->count, *first, *column, (*local)[2];
    double *value;
    body_map map = { 0 };
    size_t rows = (size_t)n * (size_t)directions;
    TAKE(scratch, jacobian->body, 2 * (size_t)n, err);
    TAKE(scratch, jacobian->scale, rows, err);
    TAKE(scratch, first, rows + 1, err);
    TAKE(scratch, local, n, err);
    jacobian->local = local;
    TRY(map_init(&map, n, scratch, err));
    for (int i = 0; i < n; ++i) {
        const carom_row *row = &problem->normal[set->index[i]];
        local[i][0] = row->inv_a > 0 ? map_body(&map, row->a) : -1;
        local[i][1] = row->inv_b > 0 ? map_body(&map, row->b) : -1;
        for (int k = 0; k < 2; ++k)
            if (local[i][k] >= 0)
                jacobian->body[local[i][k]] = k ? row->b : row->a;
    }
    jacobian->body_count = map.count;
    TAKE(scratch, jacobian->root, map.count, err);
    for (int k = 0; k < map.count; ++k) {
        const carom_impact_body *body = &problem->bodies[jacobian->body[k]];
        const double *j = body->inverse_inertia;
        jacobian->root[k][0] = sqrt(body->inverse_mass);
        sym3_root((sym3){ j[0], j[1], j[2], j[3], j[4], j[5] }, jacobian->root[k] + 1);
    }
    TAKE(scratch, value, 12 * rows, err);
    TAKE(scratch, column, 12 * rows, err);
    first[0] = 0;
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < directions; ++k) {
            int contact = set->index[i], at = directions * i + k, start = first[at];
            const carom_row *row = k == 0 ? &problem->normal[contact]
                                          : &carom_problem_tangents(problem, contact)[k - 1];
            first[at + 1] = start + write_row(jacobian, row, local[i], value + start,
                                              column + start, &jacobian->scale[at]);
        }
    TAKE(scratch, jacobian->columns, 6 * (size_t)map.count, err);
    int width = compact(jacobian->columns, 6 * map.count, (int)rows, first, column, value);
    jacobian->rows = (carom_lcp_rows){ (int)rows, width, first, column, value };
    return CAROM_OK;
}

void carom_jacobian_add(const carom_jacobian *jacobian, const double *y, carom_twist *v)
{
    for (int k = 0; k < jacobian->body_count; ++k) {
        const double *root = jacobian->root[k], *c = root + 1;
        double full[6];
        for (int i = 0; i < 6; ++i) {
            int column = jacobian->columns[6 * k + i];
            full[i] = column >= 0 ? y[column] : 0;
        }
        carom_twist *twist = &v[jacobian->body[k]];
        twist->linear = vec3_axpy(twist->linear, root[0], vec3_make(full[0], full[1], full[2]));
        twist->angular =
            vec3_add(twist->angular, vec3_make(c[0] * full[3], c[1] * full[3] + c[2] * full[4],
                                               c[3] * full[3] + c[4] * full[4] + c[5] * full[5]));
    }
}

static double terms(vec3 a, vec3 b)
{
    return fabs(a.x * b.x) + fabs(a.y * b.y) + fabs(a.z * b.z);
}

double carom_jacobian_speed_terms(const carom_row *row, const carom_twist *v)
{
    const carom_twist *a = &v[row->a], *b = &v[row->b];
    return terms(row->d, a->linear) + terms(row->d, b->linear) + terms(row->arm_a, a->angular) +
           terms(row->arm_b, b->angular);
}

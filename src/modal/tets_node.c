// TetGen's pair of text files: points (.node) and tetrahedra (.ele).
#include "modal/tets.h"

#include <stdint.h>
#include <stdlib.h>

enum { COUNT_MAX = 100000000, EXTRAS_MAX = 1000 };

static carom_status integer(carom_cursor *c, long long max, const char *name, long long *out,
                            carom_error *err)
{
    long long range[2] = { 0, max };
    return carom_cursor_integer(c, 4, range, name, out, err);
}

// Attributes and marks behind the numbers we want.
static carom_status skip_reals(carom_cursor *c, long long count, carom_error *err)
{
    double ignored;
    for (long long i = 0; i < count; ++i)
        TRY(carom_cursor_real(c, "an attribute", &ignored, err));
    return CAROM_OK;
}

static carom_status read_points(carom_cursor *c, carom_tets_raw *raw, long long *base,
                                carom_error *err)
{
    long long count, dimension, attributes, marks, number;
    TRY(integer(c, COUNT_MAX, "the number of points", &count, err));
    TRY(integer(c, 3, "the dimension", &dimension, err));
    TRY(integer(c, EXTRAS_MAX, "the number of attributes", &attributes, err));
    TRY(integer(c, 1, "the mark for boundary marks", &marks, err));
    if (dimension != 3)
        return carom_cursor_damaged(c, err, "points of dimension %lld", dimension);
    TRY(carom_cursor_room(c, count, 7, "points", err));
    raw->nodes = malloc(3 * ((size_t)count + 1) * sizeof *raw->nodes);
    if (!raw->nodes)
        return carom_error_no_memory(err, "%lld points", count);
    *base = 0;
    for (int i = 0; i < count; ++i) {
        TRY(integer(c, COUNT_MAX, "a point number", &number, err));
        if (i == 0)
            *base = number;
        if (number != *base + i || *base > 1)
            return carom_cursor_damaged(c, err, "point %lld where %lld should stand", number,
                                        (*base > 1 ? 0 : *base) + i);
        for (int k = 0; k < 3; ++k)
            TRY(carom_cursor_real(c, "a coordinate", &raw->nodes[3 * (size_t)i + (size_t)k], err));
        TRY(skip_reals(c, attributes + marks, err));
        raw->node_count = i + 1;
    }
    return CAROM_OK;
}

static carom_status read_tets(carom_cursor *c, carom_tets_raw *raw, long long base,
                              carom_error *err)
{
    long long count, per, attributes, number, corner;
    TRY(integer(c, COUNT_MAX, "the number of tetrahedra", &count, err));
    TRY(integer(c, 10, "the number of nodes of a tetrahedron", &per, err));
    TRY(integer(c, EXTRAS_MAX, "the number of attributes", &attributes, err));
    if (per != 4 && per != 10)
        return carom_cursor_damaged(c, err, "tetrahedra with %lld nodes, not 4 or 10", per);
    if (count == 0)
        return carom_cursor_damaged(c, err, "the file holds no tetrahedra");
    TRY(carom_cursor_room(c, count, 2 * (int)per, "tetrahedra", err));
    raw->per = (int)per;
    raw->tets = malloc((size_t)count * (size_t)per * sizeof *raw->tets);
    if (!raw->tets)
        return carom_error_no_memory(err, "%lld tetrahedra", count);
    for (int i = 0; i < count; ++i) {
        TRY(integer(c, COUNT_MAX, "a tetrahedron's number", &number, err));
        for (int k = 0; k < per; ++k) {
            long long range[2] = { base, base + raw->node_count - 1 };
            TRY(carom_cursor_integer(c, 4, range, "a node number", &corner, err));
            raw->tets[(size_t)i * (size_t)per + (size_t)k] = (int)(corner - base);
        }
        TRY(skip_reals(c, attributes, err));
        raw->tet_count = i + 1;
    }
    return CAROM_OK;
}

carom_status carom_tets_node(carom_cursor *node, carom_cursor *ele, carom_tets_raw *raw,
                             carom_error *err)
{
    long long base = 0;
    TRY(read_points(node, raw, &base, err));
    return read_tets(ele, raw, base, err);
}

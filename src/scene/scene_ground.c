// What holds everything else in world scenes: the shapes `heightfield`, rows of heights, and
// `container`, a box without some of its walls.
#include "scene/scene_ground.h"

#include <string.h>

// -- heightfield --------------------------------------------------------------------------------

typedef struct heightfield_values {
    carom_numbers spacing;
    double depth;
} heightfield_values;

static const carom_field heightfield_fields[] = {
    { "heights", CAROM_FIELD_OTHER, .required = true, .words = "list of rows of numbers",
      .schema = "{ \"type\": \"array\", \"items\": { \"type\": \"array\", \"items\": { \"type\": "
                "[\"number\", \"string\"] } } }",
      .doc = "m, row by row: x runs along a row, y from row to row" },
    { "spacing", CAROM_FIELD_NUMBERS, offsetof(heightfield_values, spacing), .required = true,
      .range = { 0, 1e12, .above = true, .unit = "m" },
      .doc = "between neighbours: one number, or one along x and one along y" },
    { "depth", CAROM_FIELD_NUMBER, offsetof(heightfield_values, depth), .initial = 1,
      .range = { 0, 1e12, .above = true, .unit = "m" }, .doc = "of the ground below its lowest point" },
    { 0 },
};
const carom_field_table carom_scene_ground_heightfield_table = {
    "heightfield",
    "Ground over a grid of heights, two triangles to a cell. Its origin is the middle of the grid at "
    "height 0.",
    heightfield_fields
};

static carom_status read_heights(const carom_value *list, int *columns, double **out,
                                 carom_error *err)
{
    size_t rows = carom_value_count(list), used = 0;
    *columns = 0;
    for (size_t j = 0; j < rows; ++j) {
        carom_value row;
        carom_numbers numbers;
        carom_value_item(list, j, &row);
        TRY(carom_value_numbers(&row, NULL, &numbers, err));
        if (j == 0) {
            *columns = numbers.count;
            TAKE(carom_reader_memory(list->reader), *out, rows * (size_t)numbers.count + 1, err);
        }
        if (numbers.count != *columns)
            return carom_value_fail(&row, err, "make all rows equally long",
                                    "row %zu has %d heights, the first %d", j, numbers.count,
                                    *columns);
        for (int i = 0; i < numbers.count; ++i)
            (*out)[used++] = numbers.values[i];
    }
    return CAROM_OK;
}

carom_status carom_scene_ground_heightfield(carom_value *value, carom_shape **out, carom_error *err)
{
    heightfield_values given;
    carom_value list;
    double *heights = NULL;
    int columns = 0;
    TRY(carom_field_read(value, &carom_scene_ground_heightfield_table, &given, err));
    carom_value_member(value, "heights", &list);
    TRY(carom_value_array(&list, err));
    TRY(read_heights(&list, &columns, &heights, err));
    if (given.spacing.count < 1 || given.spacing.count > 2 || !heights)
        return carom_value_fail(value, err, "give rows of heights, and one or two spacings",
                                "there are %zu rows and %d spacings", carom_value_count(&list),
                                given.spacing.count);
    const double *s = given.spacing.values;
    carom_heightfield field = { .heights = heights,
                                .columns = columns,
                                .rows = (int)carom_value_count(&list),
                                .spacing = { s[0], s[given.spacing.count - 1] },
                                .depth = given.depth };
    return carom_heightfield_create(&field, out, err);
}

// -- container ----------------------------------------------------------------------------------

typedef struct container_values {
    double inside[3], thickness;
    const char *open;
} container_values;

static const carom_field container_fields[] = {
    { "inside", CAROM_FIELD_VEC3, offsetof(container_values, inside), .required = true,
      .range = { 0, 1e12, .above = true, .unit = "m" }, .doc = "room inside along x, y, z" },
    { "thickness", CAROM_FIELD_NUMBER, offsetof(container_values, thickness), .initial = 0.05,
      .range = { 0, 1e12, .above = true, .unit = "m" }, .doc = "of floor and walls" },
    { "open", CAROM_FIELD_TEXT, offsetof(container_values, open), .words = "+z",
      .doc = "sides without a wall, separated by spaces: +x -x +y -y +z -z" },
    { 0 },
};
const carom_field_table carom_scene_ground_container_table = {
    "container",
    "A box without some of its walls, made of boxes. Its origin is the centre of the floor's "
    "upper side.",
    container_fields
};

static carom_status read_open_sides(const carom_value *value, const char *words, bool open[6],
                                    carom_error *err)
{
    static const char *const sides[] = { "+x", "-x", "+y", "-y", "+z", "-z" };
    for (const char *at = words + strspn(words, " "); *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        int side = 0;
        while (side < 6 && (length != 2 || strncmp(at, sides[side], 2) != 0))
            ++side;
        if (side == 6)
            return carom_value_fail_key(value, "open", err, "use +x -x +y -y +z -z",
                                        "a container has no side \"%.*s\"",
                                        (int)(length > 40 ? 40 : length), at);
        open[side] = true;
        at += length;
    }
    return CAROM_OK;
}

carom_status carom_scene_ground_container(carom_value *value, carom_shape **out, carom_error *err)
{
    container_values given;
    bool open[6] = { false };
    TRY(carom_field_read(value, &carom_scene_ground_container_table, &given, err));
    TRY(read_open_sides(value, given.open, open, err));
    const double *in = given.inside, t = given.thickness;
    carom_part parts[6];
    carom_shape *walls[6];
    int count = 0;
    carom_status status = CAROM_OK;
    for (int side = 0; side < 6 && status == CAROM_OK; ++side) {
        if (open[side])
            continue;
        int axis = side / 2, sign = side % 2 ? -1 : 1;
        double half[3], centre[3] = { 0, 0, 0.5 * in[2] };
        for (int k = 0; k < 3; ++k) // walls of later axes reach over the ends of earlier ones
            half[k] = 0.5 * in[k] + (k < axis ? t : 0);
        half[axis] = 0.5 * t;
        centre[axis] += sign * 0.5 * (in[axis] + t);
        status = carom_box_create(half, &walls[count], err);
        if (status != CAROM_OK)
            break;
        parts[count] = (carom_part){ .shape = walls[count], .rotation = { 1, 0, 0, 0 } };
        memcpy(parts[count++].position, centre, sizeof centre);
    }
    if (status == CAROM_OK && count == 0)
        status = carom_value_fail_key(value, "open", err, "leave at least one wall",
                                      "the container has no walls");
    if (status == CAROM_OK)
        status = carom_compound_create(parts, count, out, err);
    for (int i = 0; i < count; ++i)
        carom_shape_release(walls[i]);
    return status;
}

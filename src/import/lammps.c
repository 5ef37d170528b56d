// The data format of LAMMPS's read_data: a header of lines "100 atoms", "0 1 xlo xhi", then
// sections. Read: Atoms (style sphere: id, type, diameter, density, x, y, z; or bpm/sphere, which
// has a molecule before the type) and Velocities (id, v, and angular velocity). Numbers are taken
// as SI. The box becomes six walls where the header has one.
//
// Whether it is periodic stands in LAMMPS's script ("boundary p p f"), not in its data. It is along
// an axis where some atom has left the box (three whole numbers behind its place, the images, say
// how often), and where the title, which LAMMPS passes over, has those words: so writes
// export/export_lammps.c.
#include "import/lammps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/cursor.h"

typedef struct reading {
    carom_cursor c;
    carom_draft *draft;
    long long atoms;
    double box[3][2];
    bool has_axis[3], has_box, tilted, periodic[3]; // has_box: all of its axes
    int *index;                                     // body by id, sorted pairs
    long long *ids;
    int count, material, first;
} reading;

static const char FIX[] = "write the file with `write_data` and atom_style sphere";

static carom_status real(reading *r, const char *name, double *out, carom_error *err)
{
    TRY(carom_cursor_real(&r->c, name, out, err));
    return fabs(*out) <= 1e12 ? CAROM_OK : carom_cursor_damaged(&r->c, err, "%s is %g", name, *out);
}

// The rest of a line as words, without a comment; true in `more` until the end of the file.
static bool line_of(reading *r, char *line, size_t room, char *comment, size_t comment_room)
{
    const unsigned char *at = r->c.at, *end = r->c.end;
    size_t length = 0, said = 0;
    bool in_comment = false;
    if (at >= end)
        return false;
    for (; at < end && *at != '\n'; ++at) {
        if (*at == '#')
            in_comment = true;
        else if (in_comment && said + 1 < comment_room)
            comment[said++] = (char)*at;
        else if (!in_comment && length + 1 < room)
            line[length++] = (char)*at;
    }
    line[length] = 0;
    comment[said] = 0;
    carom_cursor_next_line(&r->c);
    return true;
}

// -- header ---------------------------------------------------------------------------------------

static bool header_line(reading *r, const char *line)
{
    double low, high, tilt;
    char words[2][40];
    long long number;
    static const char *const axes[3] = { "xlo", "ylo", "zlo" };
    if (sscanf(line, "%lf %lf %39s %39s", &low, &high, words[0], words[1]) == 4)
        for (int i = 0; i < 3; ++i)
            if (strcmp(words[0], axes[i]) == 0 && high > low && fabs(low) < 1e12 &&
                fabs(high) < 1e12) {
                r->box[i][0] = low;
                r->box[i][1] = high;
                r->has_axis[i] = true;
                r->has_box = r->has_axis[0] && r->has_axis[1] && r->has_axis[2];
                return true;
            }
    if (strstr(line, "xy xz yz") && sscanf(line, "%lf %lf %lf", &low, &high, &tilt) == 3)
        r->tilted = low != 0 || high != 0 || tilt != 0;
    if (sscanf(line, "%lld %39s", &number, words[0]) == 2) {
        if (strcmp(words[0], "atoms") == 0)
            r->atoms = number;
        return true;
    }
    return line[strspn(line, " \t\r")] == 0;
}

// -- sections -------------------------------------------------------------------------------------

static carom_status add_atom(reading *r, long long id, const double v[5], carom_error *err)
{
    int shape, at;
    if (!(v[0] > 0) || !(v[1] > 0))
        return carom_cursor_damaged(&r->c, err, "atom %lld is no sphere: diameter %g, density %g",
                                    id, v[0], v[1]);
    TRY(carom_draft_shape_add(r->draft, CAROM_DRAFT_SPHERE, (double[3]){ 0.5 * v[0] }, NULL, &shape,
                              err));
    TRY(carom_draft_body_add(r->draft, NULL, &at, err));
    TRY(carom_draft_part_add(r->draft, at, shape, vec3_make(0, 0, 0), quat_identity(), err));
    carom_draft_body *body = &r->draft->bodies[at];
    body->density = v[1];
    body->position = vec3_from(v + 2);
    body->material = r->material;
    r->ids[r->count++] = id;
    return CAROM_OK;
}

// What follows on the line: nothing, or how many boxes the atom is away.
static carom_status add_images(reading *r, double place[3], carom_error *err)
{
    char line[200], comment[80];
    double n[3]; // whole ones; an integer of the file need not fit one of ours
    if (!line_of(r, line, sizeof line, comment, sizeof comment) ||
        sscanf(line, "%lf %lf %lf", &n[0], &n[1], &n[2]) != 3)
        return CAROM_OK;
    for (int k = 0; k < 3 && r->has_box; ++k) {
        place[k] += n[k] * (r->box[k][1] - r->box[k][0]);
        r->periodic[k] = r->periodic[k] || n[k] != 0;
        if (n[k] != floor(n[k]) || !(fabs(place[k]) <= 1e12))
            return carom_cursor_damaged(&r->c, err, "an atom is %g boxes away", n[k]);
    }
    return CAROM_OK;
}

static carom_status read_atoms(reading *r, bool molecule, carom_error *err)
{
    long long any[2] = { 0, 1000000000000 };
    TRY(carom_cursor_room(&r->c, r->atoms, 12, "atoms", err));
    TAKE(r->draft->memory, r->ids, r->atoms + 1, err);
    r->first = r->draft->body_count;
    r->draft->exact = true;
    for (long long i = 0; i < r->atoms; ++i) {
        static const char *const names[5] = { "diameter", "density", "x", "y", "z" };
        long long id, type;
        double v[5];
        TRY(carom_cursor_integer(&r->c, 8, any, "atom id", &id, err));
        if (molecule)
            TRY(carom_cursor_integer(&r->c, 8, any, "molecule", &type, err));
        TRY(carom_cursor_integer(&r->c, 8, any, "atom type", &type, err));
        for (int k = 0; k < 5; ++k)
            TRY(real(r, names[k], &v[k], err));
        TRY(add_images(r, v + 2, err));
        TRY(add_atom(r, id, v, err));
    }
    return CAROM_OK;
}

static int by_id(const void *a, const void *b)
{
    const long long *x = a, *y = b;
    return (x[0] > y[0]) - (x[0] < y[0]);
}

static carom_status read_velocities(reading *r, carom_error *err)
{
    long long any[2] = { 0, 1000000000000 }, (*order)[2];
    TAKE(r->draft->memory, order, r->count + 1, err);
    for (int i = 0; i < r->count; ++i)
        order[i][0] = r->ids[i], order[i][1] = i;
    qsort(order, (size_t)r->count, sizeof *order, by_id);
    for (int i = 0; i + 1 < r->count; ++i)
        if (order[i][0] == order[i + 1][0])
            return carom_cursor_damaged(&r->c, err, "atom %lld stands in the file twice",
                                        order[i][0]);
    for (int i = 0; i < r->count; ++i) {
        long long key[2] = { 0, 0 };
        double v[6];
        TRY(carom_cursor_integer(&r->c, 8, any, "atom id", &key[0], err));
        for (int k = 0; k < 6; ++k)
            TRY(real(r, k < 3 ? "velocity" : "angular velocity", &v[k], err));
        long long(*found)[2] = bsearch(key, order, (size_t)r->count, sizeof *order, by_id);
        if (!found)
            return carom_cursor_damaged(&r->c, err, "a velocity of atom %lld, which is not there",
                                        key[0]);
        carom_draft_body *body = &r->draft->bodies[r->first + (int)(*found)[1]];
        body->velocity = vec3_from(v);
        body->spin = vec3_from(v + 3);
    }
    return CAROM_OK;
}

// The words of LAMMPS's command in the title.
static void read_boundary(reading *r, const char *title)
{
    const char *words = strstr(title, "boundary ");
    char kind[3];
    if (!words || sscanf(words, "boundary %c %c %c", &kind[0], &kind[1], &kind[2]) != 3)
        return;
    for (int k = 0; k < 3; ++k)
        r->periodic[k] = kind[k] == 'p';
}

// The box of the header as walls, and periodic where it is that.
static carom_status add_walls(reading *r, carom_error *err)
{
    static const char *const names[3][2] = { { "west", "east" },
                                             { "south", "north" },
                                             { "floor", "lid" } };
    bool any = r->periodic[0] || r->periodic[1] || r->periodic[2];
    for (int i = 2; r->has_box && i >= 0; --i)
        for (int side = 0; side < 2; ++side) {
            if (r->periodic[i]) {
                r->draft->periodic[i][side] = r->box[i][side];
                continue;
            }
            double n[3] = { 0, 0, 0 }, place[3] = { 0, 0, 0 };
            int shape, at;
            n[i] = side ? -1 : 1;
            place[i] = r->box[i][side];
            TRY(carom_draft_shape_add(r->draft, CAROM_DRAFT_PLANE, n, NULL, &shape, err));
            TRY(carom_draft_body_add(r->draft, names[i][side], &at, err));
            TRY(carom_draft_part_add(r->draft, at, shape, vec3_make(0, 0, 0), quat_identity(),
                                     err));
            r->draft->bodies[at].kind = CAROM_DRAFT_FIXED;
            r->draft->bodies[at].position = vec3_from(place);
            r->draft->bodies[at].material = r->material;
        }
    if (!r->has_box || any)
        return CAROM_OK;
    return carom_draft_remark(
        r->draft, err,
        "the box of the file became six walls; LAMMPS says only in its script "
        "whether it is periodic: then write \"periodic\" instead of walls");
}

// -- the file -------------------------------------------------------------------------------------

static bool starts(const char *line, const char *word)
{
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && (!line[length] || strchr(" \t\r", line[length]));
}

static carom_status section(reading *r, const char *line, const char *style, carom_error *err)
{
    static const char *const passed[] = { "Masses", "Pair Coeffs", "PairIJ Coeffs", "Bonds" };
    style += strspn(style, " \t");
    if (starts(line, "Atoms")) {
        bool molecule = starts(style, "bpm/sphere");
        if (*style && !molecule && !starts(style, "sphere"))
            return carom_cursor_damaged(&r->c, err, "atoms of the style %.30s have no size", style);
        return r->count ? carom_cursor_damaged(&r->c, err, "Atoms stand in the file twice")
                        : read_atoms(r, molecule, err);
    }
    if (starts(line, "Velocities"))
        return r->count ? read_velocities(r, err)
                        : carom_cursor_damaged(&r->c, err, "Velocities stand before Atoms");
    for (size_t i = 0; i < sizeof passed / sizeof *passed; ++i)
        if (starts(line, passed[i]))
            return carom_draft_remark(r->draft, err, "the section \"%s\" is left out", passed[i]);
    return carom_cursor_damaged(&r->c, err, "\"%.40s\" belongs to no grains", line);
}

carom_status carom_lammps_read(const char *name, const char *bytes, size_t size, carom_draft *draft,
                               carom_error *err)
{
    reading r = { .c = carom_cursor_make(name, bytes, size, FIX), .draft = draft };
    char line[200], comment[80];
    bool in_header = true;
    r.c.comments = true;
    TRY(carom_draft_material_add(draft, 0.5, 0.5, &r.material, err));
    draft->gravity = vec3_make(0, 0, -9.81);
    line_of(&r, line, sizeof line, comment, sizeof comment); // the first line is a title
    read_boundary(&r, line);
    while (line_of(&r, line, sizeof line, comment, sizeof comment)) {
        const char *words = line + strspn(line, " \t\r");
        if (!*words || (in_header && header_line(&r, words)))
            continue;
        if (in_header && r.atoms <= 0)
            return carom_cursor_damaged(&r.c, err,
                                        "this is no data file of LAMMPS: no line "
                                        "\"N atoms\" before \"%.40s\"",
                                        words);
        if (!in_header && strchr("+-.0123456789", *words))
            continue; // lines of a section that is left out
        if (r.tilted)
            return carom_cursor_damaged(&r.c, err, "the box is tilted: it has no walls along axes");
        in_header = false;
        TRY(section(&r, words, comment, err));
    }
    if (r.count == 0)
        return carom_cursor_damaged(&r.c, err, "the file holds no atoms");
    TRY(carom_draft_remark(draft, err,
                           "restitution, friction and gravity stand in LAMMPS's script: set them"));
    return add_walls(&r, err);
}

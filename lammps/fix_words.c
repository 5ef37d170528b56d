// Words of `fix ID all carom ...`. A surface word (restitution, fade, friction, rolling) is about
// grains before the first wall, and about the last wall named after it; a wall begins with the
// surface of the grains.
#include "fix_words.h"

#include <stdbool.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 6 }; // numbers of a word

typedef enum target { OPTION, SURFACE, WALL } target;

typedef struct word {
    const char *name;
    int numbers;
    target of;
    size_t offset[MOST]; // in carom_grains_options, _surface or _wall
    const char *says;
} word;

#define IN_OPTIONS(field) offsetof(carom_grains_options, field)
#define IN_SURFACE(field) offsetof(carom_grains_surface, field)
#define IN_WALL(field) offsetof(carom_grains_wall, field)

static const word words[] = {
    { "restitution", 1, SURFACE, { IN_SURFACE(restitution) }, "E: 0 to 1; with fade, the least" },
    { "fade",
      3,
      SURFACE,
      { IN_SURFACE(fade), IN_SURFACE(fade_speed), IN_SURFACE(fade_power) },
      "C U P: restitution max(E, 1 - C (u/U)^P) at an approach of u" },
    { "friction", 1, SURFACE, { IN_SURFACE(friction) }, "MU: Coulomb's coefficient" },
    { "rolling", 1, SURFACE, { IN_SURFACE(rolling) }, "LENGTH: rolling resistance" },
    { "gravity",
      3,
      OPTION,
      { IN_OPTIONS(gravity[0]), IN_OPTIONS(gravity[1]), IN_OPTIONS(gravity[2]) },
      "X Y Z: default 0 0 -9.81" },
    { "skin",
      1,
      OPTION,
      { IN_OPTIONS(skin) },
      "LENGTH: contacts are looked for up to this gap, and no grain may go half of it in a step; "
      "default the largest diameter" },
    { "slop",
      1,
      OPTION,
      { IN_OPTIONS(slop) },
      "LENGTH: overlap that is left alone; default a thousandth of the smallest radius" },
    { "resting_speed",
      1,
      OPTION,
      { IN_OPTIONS(resting_speed) },
      "SPEED: slower contacts rest instead of bouncing; default twice what gravity gives in a "
      "step" },
    { "rest_tolerance",
      1,
      OPTION,
      { IN_OPTIONS(rest_tolerance) },
      "SHARE: relative change at which sweeps of resting contact end; default 1e-6" },
    { "impact_residual",
      1,
      OPTION,
      { IN_OPTIONS(impact_residual) },
      "SHARE: relative residual at which a law may end its solves; default 1e-4" },
    { "wall",
      6,
      WALL,
      { IN_WALL(normal[0]), IN_WALL(normal[1]), IN_WALL(normal[2]), IN_WALL(point[0]),
        IN_WALL(point[1]), IN_WALL(point[2]) },
      "NX NY NZ X Y Z: a plane, its normal towards the grains, through a point" },
    { "drive",
      5,
      WALL,
      { IN_WALL(amplitude[0]), IN_WALL(amplitude[1]), IN_WALL(amplitude[2]), IN_WALL(frequency),
        IN_WALL(phase) },
      "X Y Z F PHASE: the last wall swings by (X Y Z) sin(2 pi F t + PHASE degrees)" },
};
enum { WORDS = sizeof words / sizeof *words };

static const char help[] =
    "fix ID all carom WORD VALUES ...\n"
    "  law fixed-point|inelastic|wave|qce|gr|...\n"
    "    how impacts are answered: by pair collisions until nothing approaches (default), without\n"
    "    bounce, or by any law that `carom laws` lists, for all grains that touch at once. Such a\n"
    "    law gets whole islands: one that lies across ranks is resolved by each of them\n"
    "  restitution E, fade C U P, friction MU, rolling LENGTH\n"
    "    of the grains, before the first wall; of the last wall named, behind it. Restitution is\n"
    "    0 to 1, with fade max(E, 1 - C (u/U)^P) at an approach of u. Defaults .5, none, .5, 0\n"
    "  gravity X Y Z           default 0 0 -9.81; forces of other fixes come on top\n"
    "  wall NX NY NZ X Y Z     a plane, its normal towards the grains, through a point\n"
    "  drive X Y Z F PHASE     the last wall swings by (X Y Z) sin(2 pi F t + PHASE degrees)\n"
    "  skin LENGTH             contacts are looked for up to this gap, and no grain may go half\n"
    "                          of it in a step; default the largest diameter\n"
    "  slop LENGTH             overlap that is left alone; default 1/1000 of the smallest radius\n"
    "  resting_speed SPEED     slower contacts rest; default twice what gravity gives in a step\n"
    "  rest_tolerance SHARE    relative change at which sweeps of resting contact end; 1e-6\n"
    "  rest_sweeps N, impact_sweeps N   at most; 60, 200\n"
    "  impact_residual SHARE   at which a law of islands may end its solves; 1e-4\n"
    "  hash N                  prints a hash of all states every N steps\n"
    "f_ID is the energy; f_ID[1 ...]: kinetic, potential, start, law, rest, driven, forces,\n"
    "correction, integrator, momentum x y z, angular x y z, overlap, peak overlap, impacts,\n"
    "contacts, capped steps, colours, exchanges of ghosts, contacts that a law of islands was asked\n"
    "about. Units are those of the script, used as they are.\n";

const char *fix_words_help(void)
{
    return help;
}

static carom_status fail(carom_error *err, const char *name, const char *what, const char *fix)
{
    carom_error_set(err, CAROM_BAD_INPUT, "fix carom: %s %s", name, what);
    return carom_error_fix(err, "%s", fix);
}

static carom_status number(const char *name, const char *text, double *out, carom_error *err)
{
    char *end;
    *out = strtod(text, &end);
    if (end != text && *end == 0)
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "fix carom: %s: \"%.60s\" is no number", name, text);
    return carom_error_fix(err, "write a number");
}

static carom_status whole(const char *name, const char *text, int *out, carom_error *err)
{
    double value;
    carom_status status = number(name, text, &value, err);
    if (status != CAROM_OK)
        return status;
    if (!(value >= 1 && value <= 1e9 && value == (int)value))
        return fail(err, name, "is not a whole number from 1 on", "write one");
    *out = (int)value;
    return CAROM_OK;
}

static carom_grains_surface *surface_of(fix_words *out)
{
    return out->wall_count ? &out->walls[out->wall_count - 1].surface : &out->options.surface;
}

// Where the numbers of a word go; null with an error.
static char *place_of(const word *w, fix_words *out, carom_error *err)
{
    if (w->of == OPTION)
        return (char *)&out->options;
    if (w->of == SURFACE)
        return (char *)surface_of(out);
    if (strcmp(w->name, "wall") == 0) {
        carom_grains_surface surface = out->options.surface;
        if (out->wall_count == FIX_WORDS_WALLS) {
            fail(err, w->name, "is there too often", "use up to 64 walls");
            return NULL;
        }
        out->walls[out->wall_count] = (carom_grains_wall){ .surface = surface };
        return (char *)&out->walls[out->wall_count++];
    }
    if (out->wall_count == 0) {
        fail(err, w->name, "belongs to a wall", "name the wall before it");
        return NULL;
    }
    return (char *)&out->walls[out->wall_count - 1];
}

static carom_status read_numbers(const word *w, char **values, fix_words *out, carom_error *err)
{
    char *place = place_of(w, out, err);
    if (!place)
        return CAROM_BAD_INPUT;
    for (int k = 0; k < w->numbers; ++k) {
        double value;
        carom_status status = number(w->name, values[k], &value, err);
        if (status != CAROM_OK)
            return status;
        memcpy(place + w->offset[k], &value, sizeof value);
    }
    return CAROM_OK;
}

static carom_status read_law(const char *text, fix_words *out, carom_error *err)
{
    if (strcmp(text, "fixed-point") == 0) {
        out->options.law = CAROM_GRAINS_FIXED_POINT;
        return CAROM_OK;
    }
    if (strcmp(text, "inelastic") == 0) {
        out->options.law = CAROM_GRAINS_INELASTIC;
        return CAROM_OK;
    }
    const carom_law *law = carom_law_find(text, err);
    if (!law)
        return CAROM_BAD_INPUT;
    out->options.law = CAROM_GRAINS_ISLANDS;
    out->options.island_law = law;
    out->options.island_options = carom_law_defaults(law);
    return CAROM_OK;
}

// Words of one value that is no double.
static carom_status read_other(const char *name, const char *value, fix_words *out, bool *known,
                               carom_error *err)
{
    *known = true;
    if (strcmp(name, "law") == 0)
        return read_law(value, out, err);
    if (strcmp(name, "rest_sweeps") == 0)
        return whole(name, value, &out->options.rest_sweeps, err);
    if (strcmp(name, "impact_sweeps") == 0)
        return whole(name, value, &out->options.impact_sweeps, err);
    if (strcmp(name, "hash") == 0)
        return whole(name, value, &out->hash, err);
    *known = false;
    return CAROM_OK;
}

carom_status fix_words_read(int count, char **given, fix_words *out, carom_error *err)
{
    *out = (fix_words){ .options = carom_grains_options_default() };
    for (int i = 0; i < count;) {
        const char *name = given[i++];
        const word *w = NULL;
        bool known = false;
        for (int k = 0; k < WORDS; ++k)
            if (strcmp(words[k].name, name) == 0)
                w = &words[k];
        int values = w ? w->numbers : 1;
        if (i + values > count)
            return fail(err, name, "ends too early", w ? w->says : "give it a value");
        carom_status status =
            w ? read_numbers(w, given + i, out, err) : read_other(name, given[i], out, &known, err);
        if (status != CAROM_OK)
            return status;
        if (!w && !known)
            return fail(err, name, "is not known", "carom-lammps --help lists all words");
        i += values;
    }
    return CAROM_OK;
}

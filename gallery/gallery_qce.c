// The entries of [QCE], and table 1: the desiderata, measured.
#include "gallery/gallery_qce.h"
#include "gallery/gallery_instant.h"

#include <stdio.h>
#include <string.h>

// -- table 1 ------------------------------------------------------------------------------------

enum { ROWS = 3, COLUMNS = 6 };

// Instants without friction, with one restitution, that put the questions.
static const char *const questions[] = {
    "impact/three-balls.json", "impact/cradle.json",     "impact/chain-unequal.json",
    "impact/bernoulli.json",   "impact/pool-break.json", "impact/pool-break-offset.json",
    "impact/ring-3.json",      "impact/ring-6.json",     "impact/half-face.json",
    "impact/wedge.json",       "impact/cluster.json",
};
enum { QUESTIONS = sizeof questions / sizeof *questions };

typedef struct tally {
    int asked[ROWS][COLUMNS], broken[ROWS][COLUMNS];
} tally;

static const char *const rows[ROWS] = { "QCE", "GR", "LCP" };
static const char *const laws[ROWS] = { "qce", "gr", "newton" };
// in the order of the paper's table, as bits of carom_law_promises
static const int columns[COLUMNS] = { 5, 0, 1, 2, 3, 4 };

static carom_status ask(carom_gallery_result *result, const char *scene, tally *t, carom_error *err)
{
    char path[4200];
    carom_scene_impact *file = NULL;
    TRY(carom_scene_impact_open(carom_gallery_result_scene(result, scene, path, sizeof path), &file,
                                err));
    carom_desiderata *d = carom_desiderata_create(carom_scene_impact_problem(file), err);
    carom_status status = d ? CAROM_OK : err->status;
    for (int r = 0; r < ROWS && status == CAROM_OK; ++r) {
        carom_desiderata_figures f;
        status = carom_desiderata_measure(d, carom_law_find(laws[r], err), NULL, &f, err);
        for (int c = 0; c < COLUMNS && status == CAROM_OK; ++c) {
            carom_verdict verdict = f.of[columns[c]].verdict;
            t->asked[r][c] += verdict != CAROM_VERDICT_UNASKED;
            t->broken[r][c] += verdict == CAROM_VERDICT_BROKEN;
        }
    }
    carom_desiderata_destroy(d);
    carom_scene_impact_close(file);
    return status;
}

static void draw_tally(carom_gallery_result *result, const tally *t)
{
    carom_text *text = carom_gallery_result_svg(
        result, "Instants that keep a desideratum, of those that ask for it. A full dot: kept in "
                "all.");
    carom_svg svg = carom_svg_begin(text, 640, 250, result->entry->title);
    for (int c = 0; c < COLUMNS; ++c) {
        double at[2] = { 150 + 80.0 * c, 40 };
        carom_svg_text_at(&svg, at, (carom_svg_text){ 15, "middle", NULL, 0, 1 },
                          carom_law_promise_name(columns[c]));
    }
    for (int r = 0; r < ROWS; ++r) {
        double y = 90 + 55.0 * r, name[2] = { 30, y + 5 };
        carom_svg_text_at(&svg, name, (carom_svg_text){ 15, NULL, NULL, 0, 1 }, rows[r]);
        for (int c = 0; c < COLUMNS; ++c) {
            double at[2] = { 150 + 80.0 * c, y }, under[2] = { at[0], y + 24 };
            char words[32];
            bool kept = t->broken[r][c] == 0;
            carom_svg_circle(
                &svg, at, 9,
                (carom_svg_style){ kept ? "s2" : "hot", kept ? "s2" : NULL, 2, 0, NULL });
            snprintf(words, sizeof words, "%d of %d", t->asked[r][c] - t->broken[r][c],
                     t->asked[r][c]);
            carom_svg_text_at(&svg, under, (carom_svg_text){ 11, "middle", "mid", 0, 0 }, words);
        }
    }
    carom_svg_end(&svg);
}

static carom_status table_1(carom_gallery_result *result, carom_error *err)
{
    static const bool printed[ROWS][COLUMNS] = { { 1, 1, 1, 1, 1, 1 },
                                                 { 0, 1, 1, 1, 1, 1 },
                                                 { 0, 0, 1, 1, 1, 1 } };
    tally t = { 0 };
    for (int q = 0; q < QUESTIONS; ++q)
        TRY(ask(result, questions[q], &t, err));
    draw_tally(result, &t);
    for (int r = 0; r < ROWS; ++r)
        for (int c = 0; c < COLUMNS; ++c) {
            bool kept = t.broken[r][c] == 0 && t.asked[r][c] > 0;
            carom_gallery_result_holds(result, kept == printed[r][c],
                                       "%s, %s: %s in the paper; broken by %d of %d instants here",
                                       rows[r], carom_law_promise_name(columns[c]),
                                       printed[r][c] ? "kept" : "not kept", t.broken[r][c],
                                       t.asked[r][c]);
        }
    carom_gallery_result_note(result,
                              "%d instants: chains, the break, circles, wedge, cube on a step, "
                              "a cluster. Each desideratum is a number with a bound (`carom "
                              "compare` prints them).",
                              QUESTIONS);
    return CAROM_OK;
}

// -- the list -----------------------------------------------------------------------------------

static const carom_gallery_entry entries[] = {
    { "qce-fig-2",
      "Figure 2",
      "Outer balls exchange their velocities",
      "Three equal balls: A and C strike B from both sides at different speeds. After the impact A "
      "and C have exchanged their velocities and B rests, as measured by others.",
      "Steep contact springs (exponent 20) exchange the velocities to 0.002 m/s, Hertz's to 0.02 "
      "m/s, and QCE is nearer to the exchange than LCP.",
      NULL,
      "carom compare scenes/impact/three-balls.json --svg three-balls.svg",
      "impact/three-balls.json",
      { 0.2, 0.2 },
      carom_gallery_qce_exchange,
      NULL },
    { "qce-fig-4",
      "Figure 4",
      "Three balls: five models over the speed of one",
      "Speeds of the three balls after the impact over the speed of A, for the ideal exchange, "
      "QCE, LCP, and contact springs by Hooke and by Hertz. GR lies on LCP except at zero. The "
      "text says that QCE is nearer to the ideal than the others for all values.",
      "QCE follows its closed form (1e-9), LCP and GR theirs, all meet the ideal where the paper "
      "says so (1e-12), and QCE is nearer on the mean.",
      "Two sentences of section 5.1 do not hold: QCE is not nearer for all values (it crosses LCP "
      "at 0.6375 m/s), and equation 6 without approximation is not exact either: it is contact "
      "springs, whose dispersion depends on the exponent.",
      "carom gallery --only qce-fig-4 --out three-balls",
      "impact/three-balls.json",
      { 1, 0.3 },
      carom_gallery_qce_curves,
      NULL },
    { "qce-table-1",
      "Table 1",
      "Which desiderata the laws keep",
      "QCE keeps all six (WAV, BRK, SYM, KIN, MOM, ONE), GR all but WAV, LCP neither WAV nor BRK.",
      "A desideratum counts as kept where none of the instants that ask for it breaks it. All 18 "
      "entries are as printed.",
      "An entry of the table differs from what the instants show.",
      "carom compare scenes/impact/pool-break.json scenes/impact/cradle.json "
      "--laws qce,gr,newton",
      "impact/three-balls.json impact/cradle.json impact/chain-unequal.json impact/bernoulli.json "
      "impact/pool-break.json impact/ring-3.json impact/half-face.json impact/cluster.json",
      { 3, 3 },
      table_1,
      NULL },
    { "qce-fig-5",
      "Figure 5",
      "Pool break",
      "A cue ball breaks a rack of fifteen along its axis. QCE and GR give clean, symmetric "
      "patterns that are alike.",
      "Mirror error of all velocities below 1e-12 m/s and of all places 0.3 s later below 1e-9 m; "
      "QCE keeps the energy to 1e-12; the velocities of QCE and GR are alike to 0.95 (cosine).",
      NULL,
      "carom compare scenes/impact/pool-break.json --laws qce,gr --svg break.svg",
      "impact/pool-break.json world/pool-break.json",
      { 5, 5 },
      carom_gallery_qce_break,
      NULL },
    { "qce-fig-6",
      "Figure 6",
      "Newton's cradle",
      "Some balls of a row strike the others: as many leave, the rest stay.",
      "For one to four of five strikers as many leave, to 1e-12 of the speed; on strings the "
      "energy stays to 1e-4.",
      NULL,
      "carom run scenes/world/cradle-strings-2.json --out cradle.carom",
      "world/cradle-strings-2.json",
      { 5, 5 },
      carom_gallery_qce_cradle,
      NULL },
    { "qce-fig-7",
      "Figure 7",
      "Four balls in a circle stay symmetric",
      "Four balls meet in the middle again and again; after a long time their paths are still "
      "symmetric.",
      "At every recorded moment each ball is a turned copy of the first to 1e-6 m, over at least "
      "80 impacts (15 with --quick).",
      NULL,
      "carom run scenes/world/ring-4.json --out ring.carom",
      "world/ring-4.json",
      { 10, 3 },
      carom_gallery_qce_circle,
      NULL },
    { "qce-fig-8",
      "Figure 8",
      "A shock through layers of grains",
      "4,000 grains at rest, coloured by depth, are shaken once, up and down. The shock runs from "
      "the floor to the top and leaves a pattern in the coloured stripes.",
      "Every layer is lifted by more than 0.05 m; when the heap falls back, each is stopped "
      "after the one below it; the layers keep their order, without overlap (5 % of a diameter).",
      NULL,
      "carom run scenes/world/shake.json --out shake.carom",
      "world/shake.json",
      { 35, 4 },
      carom_gallery_qce_shake,
      NULL },
    { "qce-fig-9",
      "Figure 9",
      "Patterns in a vibrated layer",
      "60,000 grains on a vibrating floor form squares, stripes or hexagons, depending on "
      "frequency "
      "and amplitude.",
      "Each of the three layers flies in every cycle (its mean height a diameter above that at "
      "rest); in full also: the spectrum of the heights has the peaks of the named pattern; the "
      "wavelength is within a quarter of the measured one, 1 + 1.1 f*^-1.32 depths of the layer "
      "(Bizon et al. 1998); the wave has half the floor's frequency: the map is unlike that of the "
      "next cycle (at most 0) and like that of the one after (at least 0.2).",
      "Squares and hexagons come out, and all three waves have half the floor's frequency and the "
      "right length. Stripes need the paper's size: in a box of 61 diameters, three waves, they "
      "change places with squares; with 60,000 grains they are there from cycle 79 on "
      "(docs/granular.md).",
      "carom run scenes/world/patterns.json --out layer.carom && carom pattern layer.carom --last "
      "4",
      "world/patterns.json",
      { 900, 9 },
      carom_gallery_qce_layer_patterns,
      NULL },
    { "qce-table-2",
      "Table 2",
      "Sweeps and time in the vibrated layer",
      "Iterations of QCE (13 to 17 on the mean, at most 46) and time for the contacts of a step "
      "(0.25 to 0.33 s on the mean; by GR 6.1 s) for three patterns of 60,000 grains.",
      "QCE converges in every step; in full also: its sweeps and its time for contacts are on the "
      "mean no more than the paper's, for each of the three layers of 60,000 grains.",
      "What closes within a step after a first bounce is resolved as well, in up to six passes "
      "whose sweeps are added up; the paper resolves a step once. Time for contacts is below the "
      "paper's by a factor of two to four. GR is no slower than QCE here: it shares everything "
      "but the order of its sweeps.",
      "carom run scenes/world/patterns.json --steps 432 --out layer.carom",
      "world/patterns.json",
      { 180, 6 },
      carom_gallery_qce_speed_table,
      NULL },
    { "qce-fig-10",
      "Figure 10",
      "Bunnies and pawns",
      "144 bunnies fall on the floor and are hit by 16 pawns; all come to rest in a pile.",
      "Nothing falls through the floor, overlaps stay below 5 % of a bunny, at the end less than 1 "
      "% of the energy moves, and no impact breaks a promise.",
      NULL,
      "carom run scenes/world/bunnies-and-pawns.json --out bunnies.carom",
      "world/bunnies-and-pawns.json",
      { 285, 4 },
      carom_gallery_qce_bunnies,
      NULL },
    { "qce-section-5-4",
      "Section 5.4",
      "Energy error of the elastic step",
      "In the scene of bunnies and pawns the kinetic energy after the elastic step differs from "
      "that before by 0.000243 of it, on the mean.",
      "The mean is not above the paper's.",
      NULL,
      "carom run scenes/world/bunnies-and-pawns.json --out bunnies.carom",
      "world/bunnies-and-pawns.json",
      { 221, 3 },
      carom_gallery_qce_energy,
      NULL },
    { "qce-fig-11",
      "Figure 11",
      "A Rube Goldberg machine",
      "One scene in which a ball rolls down a spiral, passes its momentum through a row, fells a "
      "card house, dominoes, a seesaw, a rack of ten and at last pillars.",
      "Every stage is set off, in the order of the description.",
      NULL,
      "carom run scenes/world/rube-goldberg.json --out machine.carom",
      "world/rube-goldberg.json",
      { 60, 10 },
      carom_gallery_qce_machine,
      NULL },
    { "qce-fig-12",
      "Figure 12",
      "A cradle with disturbances",
      "A disturbance much smaller than the speed is added to a cradle. GR's result changes wildly; "
      "QCE is said not to be influenced at all.",
      "GR is off (by more than 0.01) in at least 20 % of the cases, QCE as printed in less than a "
      "third as many, never with three balls; with contacts that wait never at all.",
      "As printed, QCE is influenced too from four balls on: a contact that is disturbed to "
      "approach very slowly takes part in the first sweep. Letting slow contacts wait a sweep "
      "(option theta) cures it.",
      "carom gallery --only qce-fig-12 --out disturbed",
      "impact/cradle.json",
      { 4, 1 },
      carom_gallery_qce_disturbed,
      NULL },
    { "qce-restitution",
      "Section 4 and appendix",
      "Two readings of restitution",
      "Restitution between 0 and 1 comes from a complementarity problem with QCE's velocities as "
      "the aim; the appendix proves that mixing the inelastic and the elastic impulses solves it.",
      "Closed forms for balls at 1, 0 and 0.6 m/s (1e-9), equality at 0 and 1, and the order of "
      "energies.",
      "The proof drops that complementarity must hold contact by contact: a contact with an "
      "elastic impulse may be open in the inelastic solution. Both readings keep the energy bound; "
      "the complementarity problem is used here.",
      "carom compare scenes/impact/three-balls.json --laws qce --set qce.reading=convex",
      "impact/three-balls.json",
      { 0.3, 0.3 },
      carom_gallery_qce_readings,
      NULL },
};

const carom_gallery_paper carom_gallery_qce = {
    "QCE",
    "Zhang, Li, Manocha, Wang and Sun, Quadratic Contact Energy Model for Multi-impact "
    "Simulation",
    entries, sizeof entries / sizeof *entries
};

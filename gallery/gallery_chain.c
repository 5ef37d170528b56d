// The entries of [EC]: chains of balls and bars, by springs, by exact waves, by time stepping.
//
// The paper gives few numbers; the criteria hold its sentences to the velocities computed here.
#include "gallery/gallery_chain.h"

#include <stdio.h>
#include "carom/chain.h"

typedef struct chain_work {
    carom_chain_file *file;
    const carom_chain *chain;
    carom_chain_result *result, *exact;
    carom_chain_courses *courses;
} chain_work;

static void chain_close(chain_work *w)
{
    carom_chain_result_destroy(w->result);
    carom_chain_result_destroy(w->exact);
    carom_chain_plan_destroy(w->courses);
    carom_chain_file_close(w->file);
    *w = (chain_work){ 0 };
}

static carom_status chain_open(const carom_gallery_result *result, const char *scene, chain_work *w,
                               carom_error *err)
{
    char path[4200];
    carom_error ignored = { 0 };
    TRY(carom_chain_file_open(carom_gallery_result_scene(result, scene, path, sizeof path),
                              &w->file, err));
    w->chain = carom_chain_file_chain(w->file);
    if (carom_chain_file_has_springs(w->file)) {
        TRY(carom_chain_run(w->chain, &w->result, err));
        if (carom_chain_waves(w->chain, &w->exact, &ignored) != CAROM_OK)
            w->exact = NULL; // only bars have exact waves
    }
    if (carom_chain_file_plan(w->file))
        TRY(carom_chain_plan_run(w->chain, carom_chain_file_plan(w->file), &w->courses, err));
    return CAROM_OK;
}

static carom_chain_report report_of(const chain_work *w)
{
    return (carom_chain_report){ .title = carom_chain_file_title(w->file),
                                 .names = carom_chain_file_names(w->file),
                                 .chain = w->chain,
                                 .result = w->result,
                                 .exact = w->exact };
}

static carom_status panels(carom_gallery_result *result, const chain_work *w, carom_error *err)
{
    char *svg = NULL;
    carom_chain_report report = report_of(w);
    TRY(carom_chain_picture_svg(&report, &svg, err));
    return carom_gallery_result_take(result, svg,
                                     "Positions, compressions and velocities over time, and force "
                                     "over compression, as in the figure of the paper.",
                                     err);
}

static void velocities(carom_gallery_result *result, const carom_chain_result *r,
                       const double *paper, double allowance)
{
    for (size_t b = 0; b < r->bodies; ++b) {
        char what[80];
        snprintf(what, sizeof what, "velocity of body %zu after the impact", b + 1);
        if (paper)
            carom_gallery_result_near(result, what, "m/s", paper[b], r->velocity[b], allowance);
        else
            carom_gallery_result_number(result, what, "m/s", NAN, r->velocity[b]);
    }
    carom_gallery_result_at_most(result, "energy lost or gained, of the whole", "", r->energy_error,
                                 1e-10);
}

// Largest distance to the dispersion-free result: as many leave as came.
static double off_ideal(const carom_chain_result *r)
{
    static const double ideal[5] = { 0, 0, 0, 1, 1 };
    double worst = 0;
    for (size_t b = 0; b < r->bodies && b < 5; ++b)
        worst = fmax(worst, fabs(r->velocity[b] - ideal[b]));
    return worst;
}

// -- figures ------------------------------------------------------------------------------------

static carom_status space_in(carom_gallery_result *result, chain_work *w, carom_error *err)
{
    char *svg = NULL;
    TRY(chain_open(result, result->entry->data, w, err));
    const carom_chain_plan *plan = carom_chain_file_plan(w->file);
    TRY(carom_chain_space_svg(w->chain, w->result, plan->step, &svg, err));
    TRY(carom_gallery_result_take(
        result, svg,
        "All pairs of impulses, each in units of m v0: energy is kept on "
        "the curve, nothing penetrates in the cone, and the rules and the "
        "springs end where they are marked.",
        err));
    const carom_chain_course *c = w->courses->course;
    const double *plain = c[CAROM_CHAIN_RULE_INELASTIC].first_inelastic,
                 *fixed = c[CAROM_CHAIN_RULE_FIXED_POINT].velocity,
                 *poisson = c[CAROM_CHAIN_RULE_POISSON].velocity;
    carom_gallery_result_number(result,
                                "inelastic impulse, first contact, in the step of the impact",
                                "N s", NAN, plain[0]);
    carom_gallery_result_near(result, "fixed point: speed of the first ball", "m/s", 0, fixed[0],
                              1e-12);
    carom_gallery_result_near(result, "fixed point: speed of the last ball", "m/s", 1, fixed[2],
                              1e-12);
    carom_gallery_result_near(result, "Poisson (section 5): speed of the first ball", "m/s",
                              -1.0 / 3, poisson[0], 1e-12);
    carom_gallery_result_near(result, "Poisson (section 5): speed of the others", "m/s", 2.0 / 3,
                              poisson[1], 1e-12);
    // eq 9: the curve through (1, 1) and the branch of the springs
    double l1 = w->result->touch[0].impulse, l2 = w->result->touch[1].impulse;
    double branch = l1 / 2 + sqrt(fmax(l1 - 0.75 * l1 * l1, 0));
    carom_gallery_result_near(result, "Hertz springs: second impulse, on the curve of eq 9", "N s",
                              branch, l2, 1e-9);
    carom_gallery_result_holds(result, fabs(l1 - 1) > 0.01,
                               "an elastic result other than the expected one exists: energy and "
                               "momentum do not decide (Hertz springs end at %.4f, %.4f m v0)",
                               l1, l2);
    return CAROM_OK;
}

static carom_status springs_in(carom_gallery_result *result, chain_work *w, carom_error *err)
{
    const char *id = result->entry->id;
    chain_work other = { 0 };
    TRY(chain_open(result, result->entry->data, w, err));
    TRY(panels(result, w, err));
    velocities(result, w->result, NULL, 0);
    const double *v = w->result->velocity;
    double off = off_ideal(w->result);
    carom_gallery_result_number(result, "largest distance to the ideal cradle", "m/s", NAN, off);
    if (id[7] == '3') {
        carom_gallery_result_holds(result, v[0] < 0 && v[1] < 0, "the two striking balls rebound");
        carom_gallery_result_near(result, "mean speed of the two inner balls that go forward",
                                  "m/s", 0.5, (v[2] + v[3]) / 2, 0.1);
        carom_gallery_result_holds(result, v[4] > 1,
                                   "only one ball is expelled, faster than it came");
        return CAROM_OK;
    }
    if (id[7] == '6') {
        carom_gallery_result_at_most(result, "distance to the ideal cradle, exponent 5", "m/s", off,
                                     0.01);
        return CAROM_OK;
    }
    // figures 4 and 5: both nearer to the ideal than Hooke's springs, and similar to each other
    const char *beside = id[7] == '4' ? "chain/fig5_hertz.json" : "chain/fig4_sliced_spheres.json";
    carom_status status = chain_open(result, beside, &other, err);
    double apart = 0;
    for (size_t b = 0; status == CAROM_OK && b < 5; ++b)
        apart = fmax(apart, fabs(v[b] - other.result->velocity[b]));
    chain_close(&other);
    TRY(status);
    status = chain_open(result, "chain/fig3_hooke.json", &other, err);
    if (status == CAROM_OK) {
        carom_gallery_result_at_most(result,
                                     "distance to the ideal cradle, of that with Hooke's springs",
                                     "", off / off_ideal(other.result), 0.9);
        carom_gallery_result_at_least(result, "still not the ideal cradle: distance to it", "m/s",
                                      off, 0.01);
        carom_gallery_result_at_most(result,
                                     id[7] == '4' ? "distance to Hertz's springs (figure 5)"
                                                  : "distance to the sliced spheres (figure 4)",
                                     "m/s", apart, 0.1);
    }
    chain_close(&other);
    return status;
}

// F = A sqrt(E rho) v / 2 between equal bars, for the time 2 l / c (eqs 14, 15).
static void bar_contact(carom_gallery_result *result, const chain_work *w, size_t contact)
{
    const carom_chain_body *bar = &w->chain->bodies[contact];
    const carom_chain_touch *sliced = &w->result->touch[contact],
                            *exact = &w->exact->touch[contact];
    double sound = carom_chain_body_sound(bar), time = 2 * bar->length / sound,
           area = 3.14159265358979323846 * bar->radius * bar->radius;
    double force = area * sqrt(bar->young * bar->density) * 0.5;
    carom_gallery_result_near(result, "contact time by exact waves, against 2 l / c", "s", time,
                              exact->closed_time, 1e-9);
    carom_gallery_result_near(result, "contact time of the sliced bars", "s", time,
                              sliced->closed_time, 0.03 * time);
    carom_gallery_result_near(result,
                              "mean contact force of the sliced bars, against the constant one",
                              "N", force, sliced->impulse / sliced->closed_time, 0.03 * force);
}

static carom_status bars_in(carom_gallery_result *result, chain_work *w, carom_error *err)
{
    static const double exchanged[2] = { 0, 1 }, cradle[5] = { 0, 0, 0, 1, 1 },
                        unequal[2] = { 0, 0.5 };
    TRY(chain_open(result, result->entry->data, w, err));
    TRY(panels(result, w, err));
    const char *number = result->entry->id + 7;
    const double *wanted = *number == '7' ? exchanged : *number == '8' ? cradle : unequal;
    for (size_t b = 0; b < w->exact->bodies; ++b) {
        char what[80];
        snprintf(what, sizeof what, "exact waves: velocity of body %zu", b + 1);
        carom_gallery_result_near(result, what, "m/s", wanted[b], w->exact->velocity[b], 1e-9);
    }
    velocities(result, w->result, wanted, 0.02); // slices disperse: less with more of them
    if (*number == '7')
        bar_contact(result, w, 0);
    if (*number == '1')
        carom_gallery_result_near(result, "share of the energy that stays as vibration", "", 0.5,
                                  w->exact->vibration[1] / w->exact->energy_before, 1e-9);
    carom_gallery_result_note(result, "80 slices per cylinder of length 2 m; the exact waves stand "
                                      "beside them.");
    return CAROM_OK;
}

// Sketches of the paper, here from the exact solution: where the waves are at twelve instants.
static carom_status waves_in(carom_gallery_result *result, chain_work *w, carom_error *err)
{
    char *svg = NULL;
    TRY(chain_open(result, result->entry->data, w, err));
    carom_chain_report report = report_of(w);
    report.result = w->exact;
    report.exact = NULL;
    TRY(carom_chain_picture_waves(&report, &svg, err));
    TRY(carom_gallery_result_take(
        result, svg,
        "The bodies at twelve instants, coloured by strain, from the exact "
        "solution.",
        err));
    const carom_chain_history *h = &w->exact->history;
    bool cradle = h->bodies == 5;
    // the moment when the wave has reached the free end of the striking side
    const carom_chain_body *bar = w->chain->bodies;
    double reach = (cradle ? 2 : 1) * bar->length / carom_chain_body_sound(bar);
    size_t at = 0;
    while (at + 1 < h->samples && h->time[at] < reach)
        ++at;
    for (size_t b = 0; b < (cradle ? 4u : 1u); ++b) {
        char what[100];
        snprintf(what, sizeof what, "speed of body %zu when the wave reaches the free end", b + 1);
        carom_gallery_result_near(result, what, "m/s", 0.5, h->velocity[at * h->bodies + b], 0.02);
    }
    if (!cradle)
        carom_gallery_result_near(result, "speed of the long cylinder at the end", "m/s", 0.5,
                                  w->exact->velocity[1], 1e-9);
    else
        carom_gallery_result_near(result, "speed of the last cylinder at the end", "m/s", 1,
                                  w->exact->velocity[4], 1e-9);
    return CAROM_OK;
}

static carom_status table_in(carom_gallery_result *result, chain_work *w, carom_error *err)
{
    static const double impulses[4] = { 0.6, 1.2, 0.8, 0.4 };
    static const double ideal[5] = { 0, 0, 0, 1, 1 };
    static const double contact[4] = { 1, 2, 3, 4 };
    TRY(chain_open(result, result->entry->data, w, err));
    const carom_chain_course *plain = &w->courses->course[CAROM_CHAIN_RULE_INELASTIC],
                             *fixed = &w->courses->course[CAROM_CHAIN_RULE_FIXED_POINT];
    double mass = carom_chain_body_mass(w->chain->bodies), found[4], total[4];
    for (int i = 0; i < 4; ++i) {
        char what[80];
        found[i] = plain->first_inelastic[i] / mass;
        total[i] = fixed->impulse[i] / mass;
        snprintf(what, sizeof what, "inelastic impulse between balls %d and %d", i + 1, i + 2);
        carom_gallery_result_near(result, what, "m v0", impulses[i], found[i], 1e-12);
    }
    carom_gallery_result_near(result, "common speed after the inelastic step", "v0", 0.4,
                              plain->velocity[0], 1e-12);
    for (int b = 0; b < 5; ++b) {
        char what[80];
        snprintf(what, sizeof what, "speed of ball %d after the fixed point", b + 1);
        carom_gallery_result_near(result, what, "v0", ideal[b], fixed->velocity[b], 1e-12);
    }
    carom_gallery_result_holds(result, fixed->unconverged == 0, "the fixed point ends (%zu passes)",
                               fixed->passes);
    carom_plot_series series[] = {
        { "inelastic step", contact, found, 4, CAROM_PLOT_BARS, "s0", NULL, 0 },
        { "printed in the paper", contact, impulses, 4, CAROM_PLOT_DOTS, "ink", NULL, 0 },
        { "fixed point, in all", contact, total, 4, CAROM_PLOT_LINE, "s1", NULL, 0 },
    };
    carom_plot plot = { .title = "Impulses when two of five balls strike",
                        .x = { "contact, counted from the left", "number", 0.5, 4.5, false, 0 },
                        .y = { "impulse", "m v0", 0, 2.2, false, 0 },
                        .series = series,
                        .count = 3 };
    carom_gallery_result_plots(result, &plot, 1, 1,
                               "Impulses of the inelastic step as bars, those printed as dots.");
    return CAROM_OK;
}

#define CHAIN_ENTRY(name)                                                                          \
    static carom_status name(carom_gallery_result *result, carom_error *err)                       \
    {                                                                                              \
        chain_work w = { 0 };                                                                      \
        carom_status status = name##_in(result, &w, err);                                          \
        chain_close(&w);                                                                           \
        return status;                                                                             \
    }
CHAIN_ENTRY(space)
CHAIN_ENTRY(springs)
CHAIN_ENTRY(bars)
CHAIN_ENTRY(waves)
CHAIN_ENTRY(table)

static const carom_gallery_entry entries[] = {
    { "ec-fig-2",
      "Figure 2",
      "Which impulses are possible when one ball strikes two",
      "The plane of the two contact impulses: no impulse pulls, nothing penetrates inside a cone, "
      "and energy is kept on a curve. The expected result is one point of infinitely many on that "
      "curve; the tip of the cone is the inelastic result.",
      "The rules of sections 5 and 6 end where the text says (to 1e-12), Hertz springs end on the "
      "energy curve (1e-9) and at another point than the expected one.",
      NULL,
      "carom chain scenes/chain/fig2_three_spheres.json --space space.svg",
      "chain/fig2_three_spheres.json",
      { 0.1, 0.1 },
      space,
      "chain/fig2_three_spheres.json" },
    { "ec-fig-3",
      "Figure 3",
      "Cradle of rigid balls with Hooke's springs",
      "Two of five balls strike. With linear springs between rigid balls the strikers rebound a "
      "little, the inner ones go on at about half the speed and one ball alone is expelled.",
      "Signs and sizes as the text describes them: strikers rebound, the inner two go on at 0.5 "
      "within 0.1, the last is faster than the strikers were; energy is kept to 1e-10.",
      NULL,
      "carom chain scenes/chain/fig3_hooke.json --svg fig3.svg",
      "chain/fig3_hooke.json",
      { 0.1, 0.1 },
      springs,
      "chain/fig3_hooke.json" },
    { "ec-fig-4",
      "Figure 4",
      "Cradle of balls cut into slices",
      "The same cradle with balls that compress: each is cut into 20 slices with springs between "
      "them. The result is better than with Hooke's springs, but not the ideal one.",
      "The distance to the ideal cradle is below 0.9 of that with Hooke's springs and above 0.01; "
      "the velocities are within 0.1 of those with Hertz's springs, which the text calls similar.",
      NULL,
      "carom chain scenes/chain/fig4_sliced_spheres.json --svg fig4.svg",
      "chain/fig4_sliced_spheres.json chain/fig5_hertz.json chain/fig3_hooke.json",
      { 0.1, 0.1 },
      springs,
      "chain/fig4_sliced_spheres.json" },
    { "ec-fig-5",
      "Figure 5",
      "Cradle of rigid balls with Hertz's springs",
      "With a force that grows with the power 3/2 of the compression the velocities come near "
      "those of the sliced balls, still not those of an ideal cradle.",
      "As for figure 4, with the sliced balls as the other side.",
      NULL,
      "carom chain scenes/chain/fig5_hertz.json --svg fig5.svg",
      "chain/fig5_hertz.json chain/fig4_sliced_spheres.json chain/fig3_hooke.json",
      { 0.1, 0.1 },
      springs,
      "chain/fig5_hertz.json" },
    { "ec-fig-6",
      "Figure 6",
      "Cradle of rigid balls with springs of the fifth power",
      "Steep springs make the collisions happen one after another: the cradle is almost ideal.",
      "No velocity is farther than 0.01 from the ideal cradle.",
      NULL,
      "carom chain scenes/chain/fig6_fifth_power.json --svg fig6.svg",
      "chain/fig6_fifth_power.json",
      { 0.1, 0.1 },
      springs,
      "chain/fig6_fifth_power.json" },
    { "ec-fig-7",
      "Figure 7",
      "A cylinder strikes an equal one",
      "Sliced cylinders: the contact force is constant, not Hooke's, the contact lasts as long as "
      "the wave needs to the far end and back (2 l / c), and the velocities are exchanged, the "
      "better the more slices there are.",
      "Exact waves exchange the velocities (1e-9) in the time 2 l / c; 80 slices do so within 0.02 "
      "of the speed and 3 % of time and force.",
      NULL,
      "carom chain scenes/chain/fig7_cylinders.json --svg fig7.svg",
      "chain/fig7_cylinders.json",
      { 0.1, 0.1 },
      bars,
      "chain/fig7_cylinders.json" },
    { "ec-fig-8",
      "Figure 8",
      "A cradle of cylinders",
      "Two of five cylinders strike: the result is that of an ideal cradle although everything "
      "happens at the same time.",
      "Exact waves give (0, 0, 0, 1, 1) to 1e-9, 80 slices to 0.02.",
      NULL,
      "carom chain scenes/chain/fig8_cylinder_cradle.json --svg fig8.svg",
      "chain/fig8_cylinder_cradle.json",
      { 0.2, 0.2 },
      bars,
      "chain/fig8_cylinder_cradle.json" },
    { "ec-fig-9",
      "Figure 9",
      "Waves in the cradle of cylinders",
      "A sketch of the compression that runs from the point of impact both ways; when it reaches "
      "the free end of the strikers, the four bodies it has passed move at half the speed.",
      "Speeds 0.5 within 0.02 at that moment (the history has rows of finite spacing), and the "
      "ideal end to 1e-9.",
      NULL,
      "carom chain scenes/chain/fig8_cylinder_cradle.json --exact --waves fig9.svg",
      "chain/fig8_cylinder_cradle.json",
      { 0.2, 0.2 },
      waves,
      "chain/fig8_cylinder_cradle.json" },
    { "ec-fig-10",
      "Figure 10",
      "Waves in two rods of unequal length",
      "A sketch: when the wave is back in the short rod, the one in the long rod has just reached "
      "its far end. The rods part, and the wave goes on inside the long one.",
      "The short rod has half the speed when the wave reaches its free end (0.02), and the long "
      "one leaves with half the speed (1e-9).",
      NULL,
      "carom chain scenes/chain/fig11_unequal.json --exact --waves fig10.svg",
      "chain/fig11_unequal.json",
      { 0.1, 0.1 },
      waves,
      "chain/fig11_unequal.json" },
    { "ec-fig-11",
      "Figure 11",
      "Cylinders of unequal length",
      "A cylinder strikes one twice as long: it stops, the long one leaves with half the speed on "
      "average, and half of the energy stays in it as vibration.",
      "Exact waves give (0, 1/2) and half the energy to 1e-9, the slices to 0.02.",
      NULL,
      "carom chain scenes/chain/fig11_unequal.json --svg fig11.svg",
      "chain/fig11_unequal.json",
      { 0.1, 0.1 },
      bars,
      "chain/fig11_unequal.json" },
    { "ec-table",
      "Section 6, table",
      "Impulses of the inelastic step, and the fixed point",
      "Two of five balls strike: the inelastic impulses are 0.6, 1.2, 0.8 and 0.4 m v0, all balls "
      "then move at 2/5 v0; the fixed point afterwards gives the ideal cradle.",
      "All numbers to 1e-12.",
      NULL,
      "carom chain scenes/chain/cradle_2_of_5.json",
      "chain/cradle_2_of_5.json",
      { 0.1, 0.1 },
      table,
      "chain/cradle_2_of_5.json" },
    { "ec-section-6-3d",
      "Section 6, in space",
      "Elastic collisions without times of impact in three dimensions",
      "The paper has the scheme in one dimension and says that it can be extended in a straight "
      "forward way to three: all contacts are inelastic first, which moves the bodies and tells "
      "which contacts were hit; then the velocities are replaced by those of the fixed point.",
      "A row along an oblique direction goes as in one dimension (places to 1e-8 m, velocities to "
      "1e-12), with the ideal velocities; a pool break and balls in a box keep energy (1e-11) and "
      "the break its momentum (1e-12), nothing overlaps by more than 1e-5 m; with another law in "
      "the place of the fixed point the break leaves as it does with times of impact (1e-6).",
      NULL,
      "carom run scenes/world/elastic-row.json --out row.carom",
      "world/elastic-row.json world/pool-break.json world/elastic-box.json",
      { 3, 3 },
      carom_gallery_chain_space,
      NULL },
};

const carom_gallery_paper carom_gallery_chain = {
    "EC", "Preclik and Ruede, Elastic Collisions in Complementarity-based Time-stepping Methods",
    entries, sizeof entries / sizeof *entries
};

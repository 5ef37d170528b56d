// Comparisons: rows, promises, JSON, CSV and pictures, also of problems with next to nothing in
// them.
#include "carom/carom.h"
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static carom_scene_impact *parse(const char *keys)
{
    char text[1000];
    carom_error err = { 0 };
    carom_scene_impact *scene = NULL;
    snprintf(text, sizeof text, "{\"carom\": 1, \"kind\": \"impact\", %s}", keys);
    carom_scene_impact_parse("test", text, strlen(text), &scene, &err);
    CHECK(scene != NULL, "%s is accepted: %s at %s", keys, err.what, err.where);
    return scene;
}

static carom_compare *compare_by(const carom_scene_impact *scene, const char *name)
{
    carom_error err = { 0 };
    carom_compare *compare = NULL;
    CHECK(carom_compare_create(scene, 0, &compare, &err) == CAROM_OK, "%s", err.what);
    CHECK(carom_compare_add(compare, carom_law_find(name, &err), NULL, &err) == CAROM_OK, "%s",
          err.what);
    return compare;
}

static void check_row(void)
{
    carom_scene_impact *scene = parse("\"row\": {\"count\": 3}, \"law\": \"sqm\"");
    carom_compare *compare = compare_by(scene, "sqm");
    const carom_compare_row *row = carom_compare_at(compare, 0);
    CHECK(carom_compare_count(compare) == 1 && !carom_compare_at(compare, 1), "one row");
    CHECK(row->status == CAROM_OK, "%s", row->error.what);
    CHECK_NEAR(row->outcome.velocities[2][0], 1, 1e-12, "the last ball leaves");
    CHECK_TEXT(carom_compare_end(row), "settled", "and that is all");
    CHECK(carom_compare_broken(compare, row) == 0, "no promise is broken");
    CHECK(row->seconds > 0 && row->seconds < 10, "it took some time");
    carom_json *json = carom_json_create();
    carom_compare_json(compare, NULL, json);
    CHECK(strstr(carom_json_text(json), "\"KIN\": \"holds\""), "JSON has the verdicts");
    carom_json_destroy(json);
    char *csv = carom_compare_csv((const carom_compare *const[]){ compare }, 1);
    CHECK(csv && strstr(csv, "\ntest,sqm,ball3,1,0,0,0,0,0,settled,0.5,0.5,0,"), "CSV: %s", csv);
    free(csv);
    carom_compare_destroy(compare);
    carom_scene_impact_close(scene);
}

// Own options of the file's law, defaults of the others.
static void check_options(void)
{
    carom_scene_impact *scene =
        parse("\"row\": {\"count\": 3}, \"law\": \"sqm\", \"options\": {\"tolerance\": 1e-3}");
    carom_compare *compare = compare_by(scene, "sqm");
    CHECK_NEAR(carom_compare_at(compare, 0)->options.value[0], 1e-3, 0, "the file's own option");
    carom_compare_destroy(compare);
    carom_scene_impact_close(scene);
}

static void check_friction(void)
{
    carom_scene_impact *scene = parse("\"wedge\": {\"friction\": 0.5}");
    carom_compare *rough = compare_by(scene, "newton"), *smooth = compare_by(scene, "gr");
    CHECK(!carom_compare_frictionless(rough, carom_compare_at(rough, 0)), "newton has friction");
    CHECK(carom_compare_frictionless(smooth, carom_compare_at(smooth, 0)), "gr has none, marked");
    CHECK(carom_compare_broken(smooth, carom_compare_at(smooth, 0)) == 0,
          "promises are about problems without friction");
    carom_compare_destroy(rough);
    carom_compare_destroy(smooth);
    carom_scene_impact_close(scene);
}

static void check_pictures(void)
{
    static const char *const problems[] = {
        "\"bodies\": [{\"mass\": 1}]",
        "\"bodies\": [{\"fixed\": true}]",
        "\"row\": {\"count\": 1}",
        "\"row\": {\"speed\": 0}",
        "\"row\": {\"mass\": 1e-20, \"radius\": 1e20, \"speed\": 1e20}",
        "\"row\": {\"mass\": 1e20, \"radius\": 1e-20, \"speed\": 1e-20}",
        "\"wedge\": {\"angle\": 0, \"friction\": 1}",
        "\"cluster\": {\"count\": 12}",
        "\"bodies\": [{\"name\": \"<&>\", \"mass\": 1, \"velocity\": [0, 0, -1], \"size\": [1, 1, "
        "1]}, "
        "{\"name\": \"w\", \"fixed\": true}], \"contacts\": [{\"a\": \"<&>\", \"b\": \"w\", "
        "\"point\": "
        "[0, 0, -0.5], \"normal\": [0, 0, -1]}]",
    };
    for (size_t i = 0; i < sizeof problems / sizeof *problems; ++i) {
        carom_scene_impact *scene = parse(problems[i]);
        carom_compare *compare = compare_by(scene, "newton");
        char *svg = carom_compare_svg(compare);
        char *page = carom_compare_html((const carom_compare *const[]){ compare }, 1, "A <page>");
        CHECK(svg && strstr(svg, "</svg>"), "%s is drawn", problems[i]);
        CHECK(svg && !strstr(svg, "nan") && !strstr(svg, "inf"), "%s: every number is one",
              problems[i]);
        CHECK(page && strstr(page, "A &lt;page&gt;") && !strstr(page, "<&>"), "%s: a page",
              problems[i]);
        free(svg);
        free(page);
        carom_compare_destroy(compare);
        carom_scene_impact_close(scene);
    }
}

int main(void)
{
    check_row();
    check_options();
    check_friction();
    check_pictures();
    return check_report();
}

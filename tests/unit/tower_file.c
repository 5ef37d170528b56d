// Tower scenes: what is read, and what is refused with place and fix.
#include "scene/tower_file.h"
#include "support/check.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static carom_error err;

static carom_tower *parse(const char *text)
{
    carom_tower *tower = 0;
    carom_tower_file_parse("scene.json", text, strlen(text), &tower, &err);
    return tower;
}

#define HEAD "{\"carom\":1,\"kind\":\"tower\","

static void refused(const char *text, const char *what)
{
    memset(&err, 0, sizeof err);
    carom_tower *tower = parse(text);
    CHECK(!tower && strstr(err.what, what), "refused with \"%s\": %s", what, err.what);
    CHECK(strstr(err.where, "scene.json:") != 0, "and its place: %s", err.where);
    CHECK(err.fix[0] != 0, "and a fix: %s", err.fix);
    carom_tower_destroy(tower);
}

static void check_forms(void)
{
    double place[3];
    carom_tower *tower = parse(HEAD "\"supports\":[{\"ground\":0}],\"rows\":[[0],[-0.5,0.5]]}");
    CHECK(tower && carom_tower_bodies(tower) == 3, "rows: %s", err.what);
    if (tower) {
        carom_tower_body_place(tower, 2, place);
        CHECK(place[0] == 0.5 && place[1] == 0.375, "rows are stacked");
    }
    carom_tower_destroy(tower);
    tower = parse(
        HEAD
        "\"brick\":[2,1],\"gravity\":9.81,\"supports\":[{\"table\":{\"right\":0,\"top\":1}},"
        "{\"wall\":{\"x\":-9,\"side\":\"left\"}},{\"polygon\":[[5,0],[6,0],[6,1]]}],"
        "\"bricks\":[[-0.5,1.5],[-0.5,2.5,0],{\"x\":-0.5,\"y\":3.25,\"width\":1,\"height\":0.5},"
        "{\"x\":-4,\"y\":1,\"polygon\":[[0,0],[1,0],[0,1]],\"mass\":2}],"
        "\"points\":[{\"x\":3,\"y\":3}],\"pins\":[{\"a\":0,\"b\":1,\"at\":[-0.5,2]}],"
        "\"bars\":[{\"a\":4,\"from\":[3,3],\"to\":[3,5]}]}");
    CHECK(tower && carom_tower_bodies(tower) == 6, "everything at once: %s %s", err.what,
          err.where);
    if (tower) {
        CHECK_NEAR(carom_tower_body_mass(tower, 2), 0.25, 1e-15,
                   "mass by area against a plain brick");
        carom_tower_body_place(tower, 3, place);
        CHECK_NEAR(place[0], -4 + 1.0 / 3, 1e-15, "centre of a triangle");
        CHECK_NEAR(carom_tower_body_inertia(tower, 3), 2.0 / 9, 1e-15,
                   "inertia of a right triangle m (a^2+b^2)/18");
    }
    carom_tower_destroy(tower);
}

static void check_refusals(void)
{
    refused(HEAD "\"supports\":[{\"ground\":0}]}", "no bricks");
    refused(HEAD "\"briks\":[[0,0]]}", "briks");
    refused(HEAD "\"bricks\":[[0]]}", "numbers are given");
    refused(HEAD "\"bricks\":[[0,0.125],[0.2,0.125]]}", "overlap");
    refused(HEAD "\"supports\":[{\"ground\":0}],\"bricks\":[[0,0.1]]}", "overlap");
    refused(HEAD "\"bricks\":[{\"x\":0,\"y\":1,\"mass\":0}]}", "mass is 0");
    refused(HEAD "\"bricks\":[{\"x\":0,\"y\":1,\"mass\":-1e-3}]}", "mass of a body is -0.001");
    refused(HEAD "\"bricks\":[{\"x\":0,\"y\":1,\"polygon\":[[0,0],[0,1],[1,0]]}]}", "signed area");
    refused(HEAD "\"bricks\":[{\"x\":0,\"y\":1,\"polygon\":[[0,0],[2,0],[1,0.2],[1,1]]}]}",
            "not strictly convex");
    refused(HEAD "\"bricks\":[{\"x\":0,\"y\":1,\"polygon\":[[0,0],[1,0]]}]}", "2 corners");
    refused(HEAD "\"bricks\":[{\"x\":0,\"y\":1,\"polygon\":[[0,1],[-0.6,-0.8],[0.95,0.3],[-0.95,0."
                 "3],[0.6,-0.8]]}]}",
            "crosses itself");
    refused(HEAD "\"bricks\":[[1e9,0]]}", "coordinate");
    refused(HEAD "\"brick\":[1,0],\"bricks\":[[0,1]]}", "brick is 1 x 0");
    refused(HEAD "\"bricks\":[[0,1]],\"supports\":[{\"grund\":0}]}", "no known kind");
    refused(HEAD "\"bricks\":[[0,1]],\"supports\":[{\"table\":{\"left\":1,\"right\":0}}]}",
            "table");
    refused(HEAD "\"bricks\":[[0,1]],\"pins\":[{\"a\":0,\"b\":7,\"at\":[0,1]}]}", "tie");
    refused(HEAD "\"bricks\":[[0,1]],\"pins\":[{\"a\":0,\"b\":0,\"at\":[0,1]}]}", "itself");
    refused(HEAD "\"bricks\":[[0,1]],\"bars\":[{\"a\":0,\"from\":[0,1],\"to\":[0,1]}]}",
            "length of a bar");
    refused(HEAD "\"bricks\":[[0,1]],\"friction\":-1}", "friction");
}

// Numbers that vanish or overflow on the way to an area, an inertia or a weight: refused before any
// arithmetic, so that no division by zero is left to the rationals of a proof.
static void check_degenerate(void)
{
    refused(HEAD "\"brick\":[5e-324,0.25],\"bricks\":[[0.1,0.125]]}", "a brick is 4.94066e-324");
    refused(HEAD "\"brick\":[1,1e-200],\"bricks\":[[0,1]]}", "a brick is 1 x 1e-200");
    refused(HEAD "\"brick\":[1e300,1],\"bricks\":[[0,1]]}", "a brick is 1e+300");
    refused(HEAD "\"bricks\":[{\"x\":0,\"y\":1,\"width\":1e-170}]}", "size of a brick is 1e-170");
    refused(HEAD "\"bricks\":[{\"x\":0,\"y\":1,\"mass\":5e-324}]}", "mass of a body is 4.9");
    refused(HEAD "\"bricks\":[[0,1]],\"gravity\":1e-310}", "gravity is 1e-310");
    refused(HEAD "\"bricks\":[{\"x\":0,\"y\":1,\"polygon\":[[0,0],[1e-160,0],[0,1e-160]]}]}",
            "length of an edge is");
    refused(HEAD "\"bricks\":[{\"x\":0,\"y\":1,\"polygon\":[[0,0],[1,0],[0.5,1e-300]]}]}",
            "not strictly convex");
    refused(HEAD "\"bricks\":[[0,1]],\"supports\":[{\"table\":{\"left\":0,\"right\":1e-320}}]}",
            "right - left of a table is");
    refused(HEAD "\"bricks\":[[0,1]],\"bars\":[{\"a\":0,\"from\":[0,1],\"to\":[0,1.0000000001]}]}",
            "length of a bar");
    refused(HEAD "\"bricks\":[[0,1]],\"supports\":[{\"table\":{\"top\":1e300,\"right\":0}}]}",
            "coordinate");
}

// A million bricks: refused with the limit, at once.
static void check_million(void)
{
    size_t size = 8000000;
    char *text = malloc(size), *at = text;
    at += sprintf(at, HEAD "\"bricks\":[[0,0]");
    for (int n = 1; n < 1000000; ++n)
        at += sprintf(at, ",[%d,0]", n % 10);
    sprintf(at, "]}");
    refused(text, "1000000 bricks");
    CHECK(strstr(err.fix, "20000") != 0, "with the limit: %s", err.fix);
    free(text);
}

// A brick in the air falls freely.
static void check_floating(void)
{
    carom_tower *tower = parse(HEAD "\"bricks\":[[0,5]]}");
    carom_tower_instant instant;
    CHECK(tower && carom_tower_initial(tower, CAROM_TOWER_AUTO, &instant, &err) == CAROM_OK, "%s",
          err.what);
    CHECK(!instant.stable && instant.accelerations[1] == -1, "a floating brick falls with g");
    carom_tower_initial_free(&instant);
    carom_tower_destroy(tower);
}

int main(void)
{
    check_forms();
    check_refusals();
    check_degenerate();
    check_million();
    check_floating();
    return check_report();
}

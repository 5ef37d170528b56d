// Lists of bodies: rows in the scene, or a CSV file beside it, which the scene needs no more once it
// is read.
#include <stdio.h>
#include <string.h>
#include "carom/scene.h"
#include "support/check.h"

static const char scene_text[] =
    "{ \"carom\": 1, \"kind\": \"world\", \"generators\": [ { \"list\": { %s, \"body\": { \"name\": "
    "\"g\", \"shape\": { \"sphere\": 0.5 }, \"velocity\": [0, 0, 3], \"mass\": 8 } } } ] }";

static carom_status parse(const char *list, carom_scene_world **scene, carom_error *err)
{
    char text[1000];
    snprintf(text, sizeof text, scene_text, list);
    return carom_scene_world_parse("scene_list_test.json", text, strlen(text), scene, err);
}

static void check_rows(void)
{
    carom_scene_world *scene = NULL;
    carom_error err = { 0 };
    CHECK(parse("\"columns\": \"x y z radius vx qw qx qy qz\", \"rows\": [[1, 2, 3, 0.5, 7, 1, 0, 0,"
                " 0], [4, 5, 6, 0.25, 8, 0, 1, 0, 0]]",
                &scene, &err) == CAROM_OK,
          "%s %s", err.where, err.what);
    CHECK(carom_scene_world_body_count(scene) == 2, "two rows");
    carom_body body = carom_scene_world_body(scene, 1);
    CHECK_NEAR(body.position[1], 5, 0, "y");
    CHECK_NEAR(body.velocity[0], 8, 0, "vx");
    CHECK_NEAR(body.velocity[2], 3, 0, "what no column says is the template's");
    CHECK_NEAR(carom_shape_radius(body.shape), 0.25, 0, "radius");
    CHECK_NEAR(body.mass, 1, 1e-15, "an eighth of the volume");
    CHECK_NEAR(body.rotation[1], 1, 0, "rotation");
    carom_scene_world_close(scene);
}

static void check_file(void)
{
    static const char table[] = "step,x_m,y_m,z_m,name,size\n"
                                "0,9,9,9,\"a, b\",1\n"
                                "5,1,2,3,\"a, b\",2\n5,4,5,6,c,0.5\n";
    static const char again[] = "x,y,z\n0,0,0\n";
    const char *tables[] = { table, again };
    carom_scene_world *scene = NULL, *copy = NULL;
    carom_error err = { 0 };
    size_t size;
    for (int k = 0; k < 2; ++k) {
        FILE *file = fopen("scene_list_test.csv", "w");
        if (!CHECK(file != NULL, "a file to write"))
            return;
        fputs(tables[k], file);
        fclose(file);
        if (k == 0)
            CHECK(parse("\"file\": \"scene_list_test.csv\"", &scene, &err) == CAROM_OK, "%s %s",
                  err.where, err.what);
    }
    CHECK(carom_scene_world_body_count(scene) == 2, "only the last step");
    CHECK_NEAR(carom_shape_radius(carom_scene_world_body(scene, 0).shape), 1, 0, "twice as large");
    const char *text = carom_scene_world_text(scene, &size);
    remove("scene_list_test.csv");
    CHECK(carom_scene_world_parse("scene_list_test.json", text, size, &copy, &err) == CAROM_OK,
          "the scene has the rows now: %s", err.what);
    CHECK_NEAR(carom_scene_world_body(copy, 1).position[2], 6, 0, "the same ones");
    carom_scene_world_close(scene);
    carom_scene_world_close(copy);
}

static void check_refusals(void)
{
    static const struct {
        const char *list, *what;
    } cases[] = {
        { "\"columns\": \"x y w\", \"rows\": []", "there is no column \"w\"" },
        { "\"rows\": [[1, 2]]", "the row has 2 numbers for 3 columns" },
        { "\"columns\": \"x y z radius\", \"rows\": [[1, 2, 3, -1]]", "times as large" },
        { "\"columns\": \"x y z qw\", \"rows\": [[1, 2, 3, 5]]", "the rotation has the length 5" },
        { "\"file\": \"no-such-file.csv\"", "cannot open" },
        { "\"columns\": \"x\"", "the list has no rows" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        carom_scene_world *scene = NULL;
        carom_error err = { 0 };
        CHECK(parse(cases[i].list, &scene, &err) != CAROM_OK && strstr(err.what, cases[i].what) &&
                  *err.fix,
              "%s: %s", cases[i].list, err.what);
        carom_scene_world_close(scene);
    }
}

int main(void)
{
    check_rows();
    check_file();
    check_refusals();
    return check_report();
}

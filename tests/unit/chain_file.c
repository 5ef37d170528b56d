// Chain files: everything that can be said arrives, and every refusal says what, where and fix.
#include "carom/chain.h"
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static carom_status open_text(const char *text, carom_chain_file **out, carom_error *err)
{
    char path[] = "/tmp/carom-chain-XXXXXX";
    int descriptor = mkstemp(path);
    FILE *file = fdopen(descriptor, "w");
    fputs(text, file);
    fclose(file);
    *err = (carom_error){ 0 };
    carom_status status = carom_chain_file_open(path, out, err);
    unlink(path);
    return status;
}

#define HEAD "{ \"carom\": 1, \"kind\": \"chain\",\n"
#define HERTZ "\"contact\": { \"exponent\": 1.5, \"stiffness\": 1 },\n"
#define BAR(text)                                                                                  \
    "{ \"cylinder\": { " text ", \"radius\": 0.05, \"young\": 2e11, \"density\": 7800 } }"

static void accepted(void)
{
    carom_chain_file *file;
    carom_error err;
    const char *text = HEAD
        "\"title\": \"all of it\", " HERTZ "\"bodies\": [ { \"wall\": true }, { \"mass\": 2, "
        "\"velocity\": -1, \"count\": 2, \"name\": \"ball\" },\n"
        "{ \"cylinder\": { \"length\": 1, \"radius\": 0.05, \"young\": 2e11, \"density\": 7800, "
        "\"slices\": 10, \"damping\": 1e-6 }, \"velocity\": 3 },\n"
        "{ \"sphere\": { \"radius\": 0.5, \"young\": 30, \"density\": 2 }, \"note\": \"soft\" } "
        "],\n"
        "\"contacts\": [ { \"stiffness\": 5, \"exponent\": 2 }, { \"stiffness\": 6 }, { "
        "\"stiffness\": 7 }, "
        "{ \"bare\": true } ],\n"
        "\"gaps\": [ 0.1, 0.2, 0.3, 0.4 ], \"duration\": null, \"tolerance\": 1e-8, \"samples\": "
        "99,\n"
        "\"max_steps\": 1000, \"sweep\": [ 0, 1 ], \"stepping\": { \"step\": 0.5, \"restitution\": "
        "0.25 } }";
    if (!CHECK(open_text(text, &file, &err) == CAROM_OK, "a full file is read: %s %s", err.what,
               err.where))
        return;
    const carom_chain *chain = carom_chain_file_chain(file);
    CHECK(chain->body_count == 5 && chain->bodies[0].kind == CAROM_CHAIN_WALL,
          "count makes two of one");
    CHECK(chain->bodies[2].mass == 2 && chain->bodies[2].velocity == -1, "both alike");
    CHECK(chain->bodies[3].slices == 10 && chain->bodies[3].damping == 1e-6, "the cylinder");
    CHECK(chain->bodies[4].slices == 80 && chain->bodies[4].radius == 0.5,
          "the sphere, default slices");
    CHECK(chain->contacts[0].exponent == 2 && chain->contacts[1].exponent == 1.5, "contacts");
    CHECK(chain->contacts[3].stiffness == 0 && chain->contacts[2].gap == 0.3,
          "a bare one, and gaps");
    CHECK(chain->duration == 0 && chain->tolerance == 1e-8 && chain->samples == 99, "options");
    size_t gaps;
    CHECK(carom_chain_file_sweep(file, &gaps)[1] == 1 && gaps == 2, "the sweep");
    const carom_chain_plan *plan = carom_chain_file_plan(file);
    CHECK(plan && plan->step == 0.5 && plan->steps == 2 && !plan->frame, "the plan");
    CHECK_TEXT(carom_chain_file_names(file)[2], "ball 3", "names of repeated bodies are numbered");
    CHECK_TEXT(carom_chain_file_names(file)[3], "4", "a body without a name has its number");
    CHECK_TEXT(carom_chain_file_title(file), "all of it", "the title");
    CHECK(carom_chain_file_has_springs(file), "it has springs");
    carom_chain_file_close(file);

    text = HEAD "\"bodies\": [ { \"mass\": 1 }, { \"mass\": 1 } ], \"stepping\": { \"step\": 1, "
                "\"frame\": 0.5 } }";
    if (!CHECK(open_text(text, &file, &err) == CAROM_OK, "stepping alone: %s", err.what))
        return;
    CHECK(!carom_chain_file_has_springs(file) && carom_chain_file_plan(file)->frame,
          "needs no contact law");
    carom_chain_file_close(file);
}

static const struct {
    const char *text, *where, *what;
} refusals[] = {
    { HEAD "\"bodies\": [ " BAR("\"length\": -1") ", " BAR("\"length\": 1") " ] }", ":2:39",
      "length is -1 m" },
    { HEAD "\"contact\": { \"exponent\": 1.5, \"stiffness\": 0 }, \"bodies\": [ { \"mass\": 1 }, { "
           "\"mass\": 1 } ] }",
      ":2:44", "stiffness is 0" },
    { HEAD HERTZ "\"bodies\": [ { \"mass\": 1 }, { \"mass\": 1 } ],\n\"gaps\": [ -0.1 ] }", ":4:11",
      "-0.1" },
    { HEAD HERTZ "\"bodies\": [ { \"mass\": 1 }, { \"mass\": 1 } ],\n\"gaps\": -2 }", ":4:9",
      "-2" },
    { HEAD "\"bodies\": [ " BAR("\"length\": 1, \"slices\": 0") ", { \"wall\": true } ] }", ":2:52",
      "slices is 0" },
    { HEAD "\"contact\": { \"exponent\": 0.5, \"stiffness\": 1 }, \"bodies\": [ { \"mass\": 1 }, { "
           "\"mass\": 1 } ] }",
      ":2:26", "exponent is 0.5" },
    { HEAD HERTZ "\"bodies\": [ { \"mass\": 1 }, { \"mass\": 1 } ], \"duration\": -1 }", ":3:57",
      "duration is -1" },
    { HEAD HERTZ "\"bodies\": [ { \"mass\": 1 }, { \"mass\": 1 } ], \"duration\": 0 }", ":3:57",
      "duration is 0" },
    { HEAD HERTZ "\"bodies\": [ { \"mass\": 1 },\n { \"wall\": true }, { \"mass\": 1 } ] }", ":4:2",
      "inside the row" },
    { HEAD HERTZ "\"bodies\": [ { \"wall\": true }, { \"wall\": true } ] }", ":3:13", "two walls" },
    { HEAD HERTZ "\"bodies\": [ { \"wall\": true, \"velocity\": 1 }, { \"mass\": 1 } ] }", ":3:13",
      "a wall moves" },
    { HEAD HERTZ "\"bodies\": [ { \"mass\": 1 } ] }", ":3:11", "1 bodies" },
    { HEAD HERTZ "\"bodies\": [ { \"mass\": 1, \"wall\": true }, { \"mass\": 1 } ] }", ":3:13",
      "2 shapes" },
    { HEAD HERTZ "\"bodies\": [ { \"velocity\": 1 }, { \"mass\": 1 } ] }", ":3:13", "0 shapes" },
    { HEAD "\"bodies\": [ { \"mass\": 1 }, { \"mass\": 1 } ] }", ":2:13",
      "without a contact spring" },
    { HEAD "\"contact\": { \"exponent\": 2 }, \"bodies\": [ { \"mass\": 1 }, { \"mass\": 1 } ] }",
      ":2:12", "no stiffness" },
    { HEAD HERTZ "\"bodies\": [ { \"mass\": 1 }, { \"mass\": 1 } ], \"gaps\": [ 0, 0 ] }", ":3:53",
      "2 gaps for 2" },
    { HEAD "\"contacts\": [], \"bodies\": [ { \"mass\": 1 }, { \"mass\": 1 } ] }", ":2:13",
      "0 contacts for 2" },
    { HEAD HERTZ "\"bodeis\": [ { \"mass\": 1 }, { \"mass\": 1 } ] }", ":3:1", "bodeis" },
    { HEAD "\"bodies\": [ { \"mass\": 1 }, { \"wall\": true } ], \"stepping\": { \"step\": 1, "
           "\"frame\": 0 } }",
      ":2:82", "a frame and a wall" },
    { HEAD "\"bodies\": [ { \"mass\": 1 }, { \"mass\": 1 } ], \"stepping\": { \"step\": 0 } }",
      ":2:67", "step is 0" },
    { HEAD "\"bodies\": [ { \"sphere\": { \"radius\": 1, \"young\": 30, \"density\": 1, "
           "\"slices\": 9000000 }, \"count\": 2 } ] }",
      ":2:13", "slices in all" },
    { HEAD HERTZ "\"bodies\": [ { \"mass\": 1e999 }, { \"mass\": 1 } ] }", ":3:", "" },
    { "{ \"carom\": 1, \"kind\": \"chian\", \"bodies\": [] }", ":1:23", "chian" },
};

int main(void)
{
    accepted();
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        carom_chain_file *file;
        carom_error err;
        carom_status status = open_text(refusals[i].text, &file, &err);
        CHECK(status == CAROM_BAD_INPUT && !file, "refusal %zu: %s", i, refusals[i].text);
        CHECK(strstr(err.where, refusals[i].where), "refusal %zu stands at %s, said %s", i,
              refusals[i].where, err.where);
        CHECK(strstr(err.what, refusals[i].what), "refusal %zu says %s, said %s", i,
              refusals[i].what, err.what);
        CHECK(err.fix[0] != 0, "refusal %zu has a fix: %s", i, err.what);
    }
    carom_chain_file *file;
    carom_error err = { 0 };
    CHECK(carom_chain_file_open("/nonexistent/chain.json", &file, &err) == CAROM_IO_FAILED,
          "a file that is not there");
    return check_report();
}

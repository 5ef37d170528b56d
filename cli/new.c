// `carom new`: a starting scene with comments, to be changed.
#include "command.h"
#include "output.h"

#include <string.h>

static const char world[] =
    "{\n"
    "  \"carom\": 1, \"kind\": \"world\",\n"
    "  // SI units, z is up. docs/files.md lists every key; `carom check FILE` finds mistakes.\n"
    "  \"step\": 0.004,     // s\n"
    "  \"duration\": 3,     // s\n"
    "  \"law\": \"wave\",     // `carom laws` lists the others\n"
    "  \"gravity\": [0, 0, -9.81],\n"
    "  // \"periodic\": { \"x\": [-3, 3] }, // what leaves at one end enters at the other\n"
    "  \"materials\": {\n"
    "    \"rubber\": { \"restitution\": 0.7, \"friction\": 0.6 },\n"
    "    \"wood\": { \"restitution\": 0.3, \"friction\": 0.4 }\n"
    "  },\n"
    "  \"bodies\": [\n"
    "    { \"name\": \"floor\", \"kind\": \"fixed\", \"shape\": { \"plane\": [0, 0, 1] },\n"
    "      \"material\": \"wood\" },\n"
    "    { \"name\": \"ball\", \"shape\": { \"sphere\": 0.1 }, \"density\": 1100, \"material\": "
    "\"rubber\",\n"
    "      \"position\": [0, 0, 1], \"velocity\": [0.5, 0, 0] },\n"
    "    // sides, not half sides\n"
    "    { \"name\": \"crate\", \"shape\": { \"box\": [0.3, 0.3, 0.3] }, \"mass\": 5, "
    "\"material\": "
    "\"wood\",\n"
    "      \"position\": [0.8, 0, 0.15] },\n"
    "    { \"name\": \"door\", \"shape\": { \"box\": [0.8, 0.04, 1] }, \"mass\": 10, \"material\": "
    "\"wood\",\n"
    "      \"position\": [0.4, 1, 0.6], \"spin\": [0, 0, 1], \"velocity\": [0, 0.4, 0] }\n"
    "  ],\n"
    "  \"joints\": [\n"
    "    // a hinge with a stop at 60 degrees, from which the door bounces\n"
    "    { \"kind\": \"hinge\", \"a\": \"door\", \"anchor\": [0, 1, 0.6], \"axis\": [0, 0, 1],\n"
    "      \"lower\": -10, \"upper\": 60, \"restitution\": 0.5 }\n"
    "  ]\n"
    "}\n";

static const char impact[] =
    "{\n"
    "  \"carom\": 1, \"kind\": \"impact\",\n"
    "  // One instant: three balls in a row, the first one strikes.\n"
    "  \"law\": \"wave\",\n"
    "  \"bodies\": [\n"
    "    { \"name\": \"a\", \"mass\": 1, \"inertia\": [0.1, 0.1, 0.1], \"position\": [-1, 0, 0], "
    "\"velocity\": [1, 0, 0] },\n"
    "    { \"name\": \"b\", \"mass\": 1, \"inertia\": [0.1, 0.1, 0.1], \"position\": [0, 0, 0] },\n"
    "    { \"name\": \"c\", \"mass\": 1, \"inertia\": [0.1, 0.1, 0.1], \"position\": [1, 0, 0] }\n"
    "  ],\n"
    "  \"contacts\": [\n"
    "    // the normal points from a to b\n"
    "    { \"a\": \"a\", \"b\": \"b\", \"point\": [-0.5, 0, 0], \"normal\": [1, 0, 0], "
    "\"restitution\": 1 },\n"
    "    { \"a\": \"b\", \"b\": \"c\", \"point\": [0.5, 0, 0], \"normal\": [1, 0, 0], "
    "\"restitution\": 1 }\n"
    "  ]\n"
    "}\n";

static const char chain[] =
    "{\n"
    "  \"carom\": 1, \"kind\": \"chain\",\n"
    "  \"contact\": { \"exponent\": 1.5, \"stiffness\": 1000 }, // 1.5 is Hertz's law\n"
    "  \"bodies\": [\n"
    "    // one sphere strikes four at rest\n"
    "    { \"mass\": 1, \"radius\": 1, \"velocity\": 1 },\n"
    "    { \"mass\": 1, \"radius\": 1, \"count\": 4 }\n"
    "  ],\n"
    "  \"stepping\": { \"step\": 0.01, \"steps\": 200 }\n"
    "}\n";

static const char tower[] = "{\n"
                            "  \"carom\": 1, \"kind\": \"tower\",\n"
                            "  \"brick\": [1, 0.25], // width and height of every brick\n"
                            "  \"supports\": [ { \"table\": { \"right\": 0, \"top\": 0 } } ],\n"
                            "  \"bricks\": [\n"
                            "    // centres; the second one reaches over the edge of the table\n"
                            "    [-0.3, 0.125],\n"
                            "    [0.1, 0.375]\n"
                            "  ]\n"
                            "}\n";

static const struct {
    const char *kind, *text;
} starts[] = { { "world", world }, { "impact", impact }, { "chain", chain }, { "tower", tower } };

static int run(const carom_arguments *given)
{
    carom_error err = { 0 };
    const char *kind = carom_command_text(given, "KIND"), *out = carom_command_text(given, "--out");
    for (size_t i = 0; i < sizeof starts / sizeof *starts; ++i) {
        if (strcmp(starts[i].kind, kind) != 0)
            continue;
        bool force = carom_command_flag(given, "--force");
        return carom_output_write(out, starts[i].text, force, &err) == CAROM_OK
                   ? CAROM_EXIT_GOOD
                   : carom_command_fail(&err);
    }
    return carom_command_misuse("use one of: world, impact, chain, tower",
                                "there is no kind of file \"%.60s\"", kind);
}

static const carom_argument arguments[] = {
    { "KIND", CAROM_ARGUMENT_TEXT, .value = "KIND", .doc = "world, impact, chain or tower",
      .required = true },
    { "--out", CAROM_ARGUMENT_FILE, .value = "FILE", .initial = "-",
      .doc = "where to write it (\"-\": standard output)" },
    { "--force", CAROM_ARGUMENT_FLAG, .doc = "replace a file that exists" },
    { 0 },
};

static const char *const examples[] = {
    "start a scene of one's own and run it",
    "carom new world --out mine.json && carom run mine.json",
    NULL,
};

const carom_command carom_new_command = {
    .name = "new",
    .summary = "write a small scene with comments, to start from",
    .details = "The file is sound and runs as it is. Comments begin with // and end with the line.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};

// `carom import`: a scene of another program as one of ours.
#include "command.h"
#include "output.h"

#include <stdio.h>
#include "carom/import.h"

static int run(const carom_arguments *given)
{
    carom_error err = { 0 };
    carom_text scene = { 0 };
    const char *out = carom_command_text(given, "--out");
    bool force = carom_command_flag(given, "--force");
    carom_status status = carom_output_check(out, force, &err);
    if (status == CAROM_OK)
        status = carom_import_scene(carom_command_text(given, "FILE"), &scene, &err);
    if (status == CAROM_OK)
        status = carom_output_write(out, scene.bytes, force, &err);
    carom_text_free(&scene);
    return status == CAROM_OK ? CAROM_EXIT_GOOD : carom_command_fail(&err);
}

static const carom_argument arguments[] = {
    { "FILE", CAROM_ARGUMENT_FILE, .doc = "the scene of another program", .required = true },
    { "--out", CAROM_ARGUMENT_FILE, .value = "FILE", .initial = "-",
      .doc = "where to write the scene (\"-\": standard output)" },
    { "--force", CAROM_ARGUMENT_FLAG, .doc = "replace a file that exists" },
    { 0 },
};

static const char *const examples[] = {
    "out as glTF and in again",
    "carom export scenes/world/pool-break.json --out break.glb && carom import break.glb --out "
    "again.json && carom check again.json",
    NULL,
};

const carom_command carom_import_command = {
    .name = "import",
    .summary = "turn a scene of another program into one of Carom's",
    .details =
        "Reads scenes of SCISim (.xml), models of MuJoCo (.xml, .mjcf), robots in URDF (.urdf), "
        "glTF with KHR_physics_rigid_bodies (.gltf, .glb), data files of LAMMPS with spheres "
        "(.data, .lmp, data.NAME) and tables with one body a line (.csv, .npz). What has no "
        "counterpart is refused with the reason where the "
        "scene makes no sense without it, else left out and named in a comment of the scene. "
        "Meshes stay where they are: the scene names their files.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};

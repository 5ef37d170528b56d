// carom-lammps: LAMMPS with `fix carom`. The program as a whole is under the GNU General Public License, version 2, as
// LAMMPS is; this source is under Carom's own licence.
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <mpi.h>
#include "carom/version.h"
#include "fix_carom.h"
#include "input.h"
#include "lammps.h"
#include "modify.h"

using namespace LAMMPS_NS;

static Fix *make_fix(LAMMPS *lmp, int count, char **words)
{
    return new FixCarom(lmp, count, words);
}

static int run(int argc, char **argv)
{
    LAMMPS *lammps = new LAMMPS(argc, argv, MPI_COMM_WORLD);
    (*lammps->modify->fix_map)["carom"] = &make_fix;
    lammps->input->file();
    delete lammps;
    return 0;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i)
        if (strcmp(argv[i], "--help") == 0) {
            printf("carom-lammps: LAMMPS with hard contacts, Carom %s\n\n"
                   "  mpirun -n 4 carom-lammps -in SCRIPT      all words of LAMMPS: carom-lammps -help\n\n%s",
                   carom_version(), fix_words_help());
            return 0;
        }
    MPI_Init(&argc, &argv);
    int code = 1;
    try {
        code = run(argc, argv);
    } catch (const std::exception &e) { // LAMMPS has said what was wrong
        fprintf(stderr, "%s\n", e.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return code;
}

// fix carom: see fix_carom.h. The whole step is done in initial_integrate, from the ghosts of the step
// before: setup changes nothing, so that a run in pieces, or from a restart file, is the same run.
#include "fix_carom.h"

#include <cstring>
#include <mpi.h>
#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "error.h"
#include "memory.h"
#include "update.h"

using namespace LAMMPS_NS;

namespace
{
enum { COLUMNS = 12, VALUES = 23 }; // most that ghosts get at once; numbers of f_ID
}

void FixCarom::stop(carom_error &err, bool all)
{
    std::string text = std::string(err.what) + (err.fix[0] ? ". Fix: " : "") + err.fix;
    if (all)
        error->all(FLERR, text);
    error->one(FLERR, text);
}

FixCarom::FixCarom(LAMMPS *lmp, int narg, char **arg)
    : Fix(lmp, narg, arg), grains(nullptr), books(), books_step(-1)
{
    carom_error err = {};
    if (fix_words_read(narg - 3, arg + 3, &words, &err) != CAROM_OK)
        stop(err, true);
    if (!atom->sphere_flag || !atom->omega_flag || !atom->rmass_flag)
        error->all(FLERR, std::string("fix carom needs grains. Fix: use atom_style sphere"));
    if (!atom->tag_enable)
        error->all(FLERR, std::string("fix carom goes by atom IDs. Fix: leave atom_modify id on"));
    if (igroup != 0)
        error->all(FLERR, std::string("fix carom moves all grains. Fix: use the group all"));
    if (domain->triclinic || domain->dimension != 3)
        error->all(FLERR, std::string("fix carom needs an orthogonal box in three dimensions"));

    double radius[2] = { 0, -1e300 }, over_all[2]; // the largest, and minus the smallest
    for (int i = 0; i < atom->nlocal; ++i) {
        radius[0] = MAX(radius[0], atom->radius[i]);
        radius[1] = MAX(radius[1], -atom->radius[i]);
    }
    MPI_Allreduce(radius, over_all, 2, MPI_DOUBLE, MPI_MAX, world);
    if (words.options.skin == 0)
        words.options.skin = 2 * over_all[0];
    if (words.options.slop == 0 && over_all[0] > 0)
        words.options.slop = -1e-3 * over_all[1];
    if (words.options.skin == 0)
        error->all(FLERR, std::string("fix carom finds no grains. Fix: read them before it, or give it a skin"));

    carom_grains_host host = { this, refresh, max, sum, gather };
    if (carom_grains_create(&words.options, &host, &grains, &err) != CAROM_OK)
        stop(err, true);
    for (int i = 0; i < words.wall_count; ++i)
        if (carom_grains_add_wall(grains, &words.walls[i], &err) != CAROM_OK)
            stop(err, true);

    time_integrate = 1;
    comm_forward = COLUMNS + 1;
    force_reneighbor = 1; // ghosts of every step reach as far as its contacts may
    next_reneighbor = -1;
    restart_global = restart_peratom = 1;
    maxexchange_dynamic = 1;
    maxexchange = carom_grains_memory_max(grains);
    scalar_flag = vector_flag = 1;
    size_vector = VALUES;
    global_freq = 1;
    extscalar = extvector = 0;
    nevery = words.hash > 0 ? words.hash : 1;
    grow_arrays(atom->nmax);
    atom->add_callback(Atom::GROW);
    atom->add_callback(Atom::RESTART);
}

FixCarom::~FixCarom()
{
    atom->delete_callback(id, Atom::GROW);
    atom->delete_callback(id, Atom::RESTART);
    carom_grains_destroy(grains);
}

int FixCarom::setmask()
{
    return FixConst::INITIAL_INTEGRATE | (words.hash > 0 ? FixConst::END_OF_STEP : 0);
}

void FixCarom::init()
{
    double radius = 0, largest;
    for (int i = 0; i < atom->nlocal; ++i)
        radius = MAX(radius, atom->radius[i]);
    MPI_Allreduce(&radius, &largest, 1, MPI_DOUBLE, MPI_MAX, world);
    double reach = 2 * largest + words.options.skin;
    comm->cutghostuser = MAX(comm->cutghostuser, reach);
    for (int k = 0; k < 3; ++k)
        if (domain->periodicity[k] && domain->prd[k] < 2 * reach)
            error->all(FLERR, std::string("fix carom: the periodic box is narrower than two grains can be seen. Fix: widen it"));
    if (atom->userbinsize == 0) // neighbours lie together in memory
        atom->userbinsize = reach;
}

carom_grains_part FixCarom::part()
{
    int count = atom->nlocal + atom->nghost;
    names.assign(atom->tag, atom->tag + count);
    carom_grains_part all = {};
    all.owned = atom->nlocal;
    all.count = count;
    all.name = names.data();
    all.radius = atom->radius;
    all.mass = atom->rmass;
    if (count > 0) {
        all.position = reinterpret_cast<double(*)[3]>(&atom->x[0][0]);
        all.velocity = reinterpret_cast<double(*)[3]>(&atom->v[0][0]);
        all.spin = reinterpret_cast<double(*)[3]>(&atom->omega[0][0]);
        all.force = reinterpret_cast<const double(*)[3]>(&atom->f[0][0]);
    }
    return all;
}

void FixCarom::initial_integrate(int)
{
    carom_error err = {};
    carom_grains_part all = part();
    if (carom_grains_step(grains, &all, update->ntimestep - 1, update->dt, &err) != CAROM_OK)
        stop(err, false);
    maxexchange = carom_grains_memory_max(grains);
    next_reneighbor = update->ntimestep;
}

// -- ranks --------------------------------------------------------------------------------------------

void FixCarom::refresh(void *client, int columns)
{
    FixCarom *fix = static_cast<FixCarom *>(client);
    if (columns > COLUMNS)
        fix->error->all(FLERR, std::string("fix carom: a grain has more than 260 neighbours. Fix: use a smaller step or skin"));
    fix->comm->forward_comm_fix(fix, columns + 1);
}

void FixCarom::max(void *client, double *values, int count)
{
    MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_MAX, static_cast<FixCarom *>(client)->world);
}

void FixCarom::sum(void *client, int64_t *values, int count)
{
    MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_INT64_T, MPI_SUM, static_cast<FixCarom *>(client)->world);
}

void FixCarom::gather(void *client, const double *mine, int count, double *all)
{
    FixCarom *fix = static_cast<FixCarom *>(client);
    std::vector<int> counts(fix->comm->nprocs), firsts(fix->comm->nprocs);
    MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, fix->world);
    for (int k = 1; k < fix->comm->nprocs; ++k)
        firsts[k] = firsts[k - 1] + counts[k - 1];
    MPI_Allgatherv(mine, count, MPI_DOUBLE, all, counts.data(), firsts.data(), MPI_DOUBLE, fix->world);
}

int FixCarom::pack_forward_comm(int n, int *list, double *buf, int, int *)
{
    return carom_grains_pack_list(grains, list, n, buf);
}

void FixCarom::unpack_forward_comm(int n, int first, double *buf)
{
    carom_grains_unpack_list(grains, first, n, buf);
}

// -- memory of contacts, with the grains --------------------------------------------------------------

void FixCarom::grow_arrays(int nmax)
{
    carom_error err = {};
    if (carom_grains_memory_grow(grains, nmax, &err) != CAROM_OK)
        stop(err, false);
}

void FixCarom::copy_arrays(int i, int j, int)
{
    carom_grains_memory_copy(grains, i, j);
}

void FixCarom::set_arrays(int i)
{
    carom_grains_memory_clear(grains, i);
}

int FixCarom::pack_exchange(int i, double *buf)
{
    return carom_grains_memory_pack(grains, i, buf);
}

int FixCarom::unpack_exchange(int i, double *buf)
{
    int count = carom_grains_memory_unpack(grains, i, buf);
    if (count < 0)
        error->one(FLERR, std::string("fix carom: no memory for the contacts of a grain"));
    return count;
}

double FixCarom::memory_usage()
{
    return 0.0 + carom_grains_memory_max(grains) * sizeof(double) * atom->nmax;
}

// -- restart files ------------------------------------------------------------------------------------

void FixCarom::write_restart(FILE *fp)
{
    std::vector<int64_t> state(carom_grains_books_size());
    carom_grains_books_save(grains, state.data());
    int size = static_cast<int>(state.size() * sizeof(int64_t));
    if (comm->me != 0)
        return;
    fwrite(&size, sizeof(int), 1, fp);
    fwrite(state.data(), 1, size, fp);
}

void FixCarom::restart(char *buf)
{
    std::vector<int64_t> state(carom_grains_books_size());
    memcpy(state.data(), buf, state.size() * sizeof(int64_t));
    carom_grains_books_load(grains, state.data(), comm->me == 0);
}

int FixCarom::pack_restart(int i, double *buf)
{
    buf[0] = size_restart(i);
    return 1 + carom_grains_memory_pack(grains, i, buf + 1);
}

void FixCarom::unpack_restart(int nlocal, int nth)
{
    double *extra = atom->extra[nlocal];
    int m = 0;
    for (int i = 0; i < nth; ++i)
        m += static_cast<int>(extra[m]);
    unpack_exchange(nlocal, extra + m + 1);
}

int FixCarom::size_restart(int i)
{
    return 1 + carom_grains_memory_size(grains, i);
}

int FixCarom::maxsize_restart()
{
    return 1 + carom_grains_memory_max(grains);
}

// -- books --------------------------------------------------------------------------------------------

const carom_grains_books &FixCarom::books_now()
{
    carom_error err = {};
    if (books_step == update->ntimestep)
        return books;
    carom_grains_part all = part();
    if (carom_grains_books_now(grains, &all, &books, &err) != CAROM_OK)
        stop(err, true);
    books_step = update->ntimestep;
    return books;
}

double FixCarom::compute_scalar()
{
    const carom_grains_books &b = books_now();
    return b.kinetic + b.potential;
}

double FixCarom::compute_vector(int n)
{
    const carom_grains_books &b = books_now();
    const double values[VALUES] = { b.kinetic,
                                    b.potential,
                                    b.start,
                                    b.law,
                                    b.rest,
                                    b.driven,
                                    b.forces,
                                    b.correction,
                                    b.integrator,
                                    b.momentum[0],
                                    b.momentum[1],
                                    b.momentum[2],
                                    b.angular[0],
                                    b.angular[1],
                                    b.angular[2],
                                    b.overlap,
                                    b.peak_overlap,
                                    static_cast<double>(b.impacts),
                                    static_cast<double>(b.contacts),
                                    static_cast<double>(b.capped),
                                    static_cast<double>(b.colours),
                                    static_cast<double>(b.exchanges),
                                    static_cast<double>(b.asked) };
    return values[n];
}

void FixCarom::end_of_step()
{
    carom_grains_part all = part();
    unsigned long long hash = carom_grains_books_hash(grains, &all);
    FILE *const outs[] = { screen, logfile };
    for (FILE *out : outs)
        if (comm->me == 0 && out)
            fprintf(out, "carom: step %lld hash %016llx\n", static_cast<long long>(update->ntimestep), hash);
}

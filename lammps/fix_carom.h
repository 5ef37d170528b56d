/* fix carom: hard contacts for LAMMPS. A thin shim: LAMMPS keeps grains, ghosts, migration and
   files, libcarom (carom/grains.h) is the solver. */
#ifndef CAROM_LAMMPS_FIX_CAROM_H
#define CAROM_LAMMPS_FIX_CAROM_H

#include <cstdint>
#include <vector>
#include "carom/grains.h"
#include "fix.h"
#include "fix_words.h"

namespace LAMMPS_NS
{

class FixCarom : public Fix
{
  public:
    FixCarom(LAMMPS *, int, char **);
    ~FixCarom() override;
    int setmask() override;
    void init() override;
    void initial_integrate(int) override;
    void end_of_step() override;
    double compute_scalar() override;
    double compute_vector(int) override;
    double memory_usage() override;

    void grow_arrays(int) override;
    void copy_arrays(int, int, int) override;
    void set_arrays(int) override;
    int pack_exchange(int, double *) override;
    int unpack_exchange(int, double *) override;
    int pack_forward_comm(int, int *, double *, int, int *) override;
    void unpack_forward_comm(int, int, double *) override;

    void write_restart(FILE *) override;
    void restart(char *) override;
    int pack_restart(int, double *) override;
    void unpack_restart(int, int) override;
    int size_restart(int) override;
    int maxsize_restart() override;

  private:
    fix_words words;
    carom_grains *grains;
    carom_grains_books books;
    bigint books_step;
    std::vector<int64_t> names;

    carom_grains_part part();
    const carom_grains_books &books_now();
    void stop(carom_error &, bool);
    static void refresh(void *, int);
    static void max(void *, double *, int);
    static void sum(void *, int64_t *, int);
    static void gather(void *, const double *, int, double *);
};

} // namespace LAMMPS_NS

#endif

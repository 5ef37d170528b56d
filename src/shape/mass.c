// Adds solids by their moments and takes the sum about its centre of mass.
#include "shape/mass.h"

// I = tr(S) 1 - S, turned around.
static sym3 second_from_inertia(const double inertia[6])
{
    double half_trace = (inertia[0] + inertia[1] + inertia[2]) / 2;
    return (sym3){ half_trace - inertia[0],
                   half_trace - inertia[1],
                   half_trace - inertia[2],
                   -inertia[3],
                   -inertia[4],
                   -inertia[5] };
}

void carom_mass_add_solid(carom_moments *moments, const carom_mass *mass, const carom_pose *pose)
{
    carom_moments_add_solid(moments, mass->volume, pose->position,
                            sym3_rotate(pose->rotation, second_from_inertia(mass->inertia)));
}

carom_mass carom_mass_about_centre(const carom_moments *moments)
{
    carom_mass mass = { .volume = moments->volume };
    carom_moments_inertia(moments, mass.inertia);
    return mass;
}

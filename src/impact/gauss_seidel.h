// Projected Gauss-Seidel as physics engines run it: passes over the contacts in their order, each
// contact alone against the velocities of the moment, sums of impulses kept from pulling and within
// friction. What engines make of it is not converged; laws that stand for them take it as it is.
#ifndef CAROM_IMPACT_GAUSS_SEIDEL_H
#define CAROM_IMPACT_GAUSS_SEIDEL_H

#include "impact/inelastic.h"

// One pass along the normals: every contact of the set moves to its target speed (m/s, per contact
// of the problem; null for zeros), times `relaxation`, as far as its sum of impulses in motion->p
// stays >= 0. Returns the largest change of a normal speed, m/s.
double carom_gauss_seidel_normals(const carom_problem *problem, const carom_contact_set *set,
                                  const double *target, double relaxation, carom_motion *motion);

// One pass across them: every contact with friction stops its slip as far as the sum of its
// tangential impulses stays within mu times that of the normal ones.
void carom_gauss_seidel_tangents(const carom_problem *problem, const carom_contact_set *set,
                                 carom_motion *motion);

// All contacts, in their order.
carom_status carom_gauss_seidel_all(const carom_problem *problem, carom_arena *scratch,
                                    carom_contact_set *set, carom_error *err);

#endif

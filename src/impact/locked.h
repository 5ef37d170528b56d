// Contacts that no motion can open, and an end for elastic processes that have none of their own.
//
// A contact i is locked where every v with J v >= 0 has J_i v = 0: a ball between parallel walls is
// locked at both. By Farkas that is where pushes y >= 0 with y_i > 0 are in balance, J^T y = 0, so
// the cone of the rows of the locked contacts D is their whole span S.
//
// Theorem. Let all contacts be elastic and frictionless and no immovable body be driven.
//   1. Without locked contacts every process ends that keeps the energy, pushes contacts only while
//      they approach, and in every step by at least a fixed multiple of the fastest approach: some
//      x has J x >= 1, so x.M v grows by at least the sum of the pushes and is bounded by the
//      energy: all pushes together are at most 2 |x|_M sqrt(2 E), and v tends to some v* with
//      J v* >= 0. Contacts that are pushed again and again have J_i v* = 0, so v.M v* does not
//      change any more, nor does |v - v*|_M, which tends to 0: it is 0, the process has ended. With
//      a tolerance tol for approach there are at most 2 |x|_M sqrt(2 E) max W_ii / tol steps.
//   2. With locked ones, whatever law is taken, v+ is orthogonal to S: that part of the motion is
//      lost. Stopping D inelastically takes exactly that part out, by pushes alone. From there
//      reflections with D held (the solve of violated contacts V to -u_V and of D to 0) keep the
//      energy exactly, as lam_V.(u + u+) = 0 and u_D = u_D+ = 0, and end by 1 within the space
//      orthogonal to S: the pushes of D only take the part along S from those of V, and no contact
//      of the rest is locked there.
//
// So the finish keeps KIN, MOM, ONE and NOP, and loses 1/2 |P_S v|^2 and nothing else. Derived
// here; Vouga, Smith, Kaufman, Tamstorf and Grinspun 2017 announce such a detection and such an end
// in their abstract, which is all of the paper that was at hand.
#ifndef CAROM_IMPACT_LOCKED_H
#define CAROM_IMPACT_LOCKED_H

#include "impact/inelastic.h"

// Marks the locked contacts of an island (`locked` runs over the positions of the set) and counts
// them. Not for more than CAROM_LOCKED_MAX contacts: each look is one inelastic solve.
enum { CAROM_LOCKED_MAX = CAROM_INELASTIC_EXACT };
carom_status carom_locked_find(const carom_problem *problem, const carom_contact_set *set,
                               carom_arena *scratch, bool *locked, int *count, carom_error *err);

// Ends the elastic process of an island that has locked contacts; approach below `tolerance` (m/s)
// counts as none. Adds to motion, to sweeps and events of the report, and reports `endless`.
// *ended is false, and nothing is changed, where nothing is locked, where immovable bodies are
// driven, or where the island is too large. Should the reflections need more than its masses and
// angles let expect (cap.h), the rest is stopped and the report says `capped`.
carom_status carom_locked_finish(const carom_problem *problem, const carom_contact_set *set,
                                 double tolerance, carom_arena *scratch, carom_motion *motion,
                                 carom_impact_report *report, bool *ended, carom_error *err);

#endif

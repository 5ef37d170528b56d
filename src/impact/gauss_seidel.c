// Projected Gauss-Seidel as physics engines run it; see gauss_seidel.h.
#include "impact/gauss_seidel.h"

double carom_gauss_seidel_normals(const carom_problem *problem, const carom_contact_set *set,
                                  const double *target, double relaxation, carom_motion *motion)
{
    double largest = 0;
    for (int i = 0; i < set->count; ++i) {
        int contact = set->index[i];
        const carom_row *row = &problem->normal[contact];
        double wanted = target ? target[contact] : 0, *sum = &motion->p[contact][0];
        double step = relaxation * (wanted - carom_row_speed(row, motion->v)) / row->diagonal;
        double next = fmax(*sum + step, 0);
        carom_row_apply(row, next - *sum, motion->v);
        largest = fmax(largest, fabs(next - *sum) * row->diagonal);
        *sum = next;
    }
    return largest;
}

void carom_gauss_seidel_tangents(const carom_problem *problem, const carom_contact_set *set,
                                 carom_motion *motion)
{
    for (int i = 0; i < set->count; ++i) {
        int contact = set->index[i];
        double mu = problem->contacts[contact].friction, *sum = motion->p[contact], next[2];
        if (mu == 0)
            continue;
        const carom_row *t = carom_problem_tangents(problem, contact);
        for (int k = 0; k < 2; ++k)
            next[k] = sum[k + 1] - carom_row_speed(&t[k], motion->v) / t[k].diagonal;
        double size = sqrt(next[0] * next[0] + next[1] * next[1]), most = mu * sum[0];
        double share = size > most ? most / size : 1;
        for (int k = 0; k < 2; ++k) {
            carom_row_apply(&t[k], share * next[k] - sum[k + 1], motion->v);
            sum[k + 1] = share * next[k];
        }
    }
}

carom_status carom_gauss_seidel_all(const carom_problem *problem, carom_arena *scratch,
                                    carom_contact_set *set, carom_error *err)
{
    int *index;
    TAKE(scratch, index, problem->contact_count, err);
    for (int i = 0; i < problem->contact_count; ++i)
        index[i] = i;
    *set = (carom_contact_set){ index, problem->contact_count };
    return CAROM_OK;
}

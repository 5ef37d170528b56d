// A = G M^-1 G^T of the rows of joints, factored as L D L^T within its envelope: rows of an instant
// may depend on each other, and one that says nothing new gets no pivot.
#include "world/impact_phase_joints.h"

typedef carom_impact_joint_link link;
typedef carom_impact_joint_split split;

static bool linked(const carom_row *i, const carom_row *j, int ground)
{
    return (i->a != ground && (i->a == j->a || i->a == j->b)) ||
           (i->b != ground && (i->b == j->a || i->b == j->b));
}

// A row that says nothing new has no pivot.
carom_status carom_impact_joint_factor(split *s, carom_error *err)
{
    const double dependent = 1e-12;
    int ground = s->system.impact->body_count, n = 0;
    size_t size = 0;
    for (int k = 0; k < s->link_count; ++k)
        if (s->links[k].on)
            s->active[n++] = k;
    s->active_count = n;
    for (int i = 0; i < n; ++i) {
        const carom_row *row = &s->links[s->active[i]].row;
        int j = 0;
        while (j < i && !linked(row, &s->links[s->active[j]].row, ground))
            ++j;
        s->first[i] = j;
        s->row_at[i] = size;
        s->unit[i] = 1 / sqrt(row->diagonal);
        size += (size_t)(i - j);
    }
    TAKE(s->world->scratch, s->factor, size + 1, err);
    for (int i = 0; i < n; ++i) {
        const carom_row *row = &s->links[s->active[i]].row;
        double *li = s->factor + s->row_at[i] - s->first[i], diagonal = 1;
        for (int j = s->first[i]; j < i; ++j) {
            const carom_row *other = &s->links[s->active[j]].row;
            const double *lj = s->factor + s->row_at[j] - s->first[j];
            double sum = linked(row, other, ground)
                             ? carom_row_coupling(row, other) * s->unit[i] * s->unit[j]
                             : 0;
            for (int k = s->first[i] > s->first[j] ? s->first[i] : s->first[j]; k < j; ++k)
                sum -= li[k] * lj[k]; // li still holds L D
            li[j] = sum;
        }
        for (int j = s->first[i]; j < i; ++j) {
            double scaled = s->pivot[j] > 0 ? li[j] / s->pivot[j] : 0;
            diagonal -= li[j] * scaled;
            li[j] = scaled;
        }
        s->pivot[i] = diagonal > dependent ? diagonal : 0;
    }
    return CAROM_OK;
}

void carom_impact_joint_divide(const split *s, double *x)
{
    int n = s->active_count;
    for (int i = 0; i < n; ++i) {
        const double *li = s->factor + s->row_at[i] - s->first[i];
        for (int j = s->first[i]; j < i; ++j)
            x[i] -= li[j] * x[j];
    }
    for (int i = 0; i < n; ++i)
        x[i] = s->pivot[i] > 0 ? x[i] / s->pivot[i] : 0;
    for (int i = n - 1; i >= 0; --i) {
        const double *li = s->factor + s->row_at[i] - s->first[i];
        for (int j = s->first[i]; j < i; ++j)
            x[j] -= li[j] * x[i];
    }
}

double carom_impact_joint_misfit(const split *s, const carom_twist *v, double *out)
{
    double max = 0;
    for (int i = 0; i < s->active_count; ++i) {
        const link *one = &s->links[s->active[i]];
        double left = carom_row_speed(&one->row, v) - one->target;
        out[i] = left * s->unit[i];
        max = fmax(max, fabs(left));
    }
    return max;
}

carom_status carom_impact_joint_project(split *s, carom_twist *v, bool keep, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(s->world->scratch);
    double *x;
    TAKE(s->world->scratch, x, (size_t)s->link_count + 1, err);
    TRY(carom_impact_joint_factor(s, err));
    carom_impact_joint_misfit(s, v, x);
    carom_impact_joint_divide(s, x);
    for (int i = 0; i < s->active_count; ++i) {
        link *one = &s->links[s->active[i]];
        double q = -x[i] * s->unit[i];
        carom_row_apply(&one->row, q, v);
        one->q = keep ? one->q + q : 0;
    }
    carom_arena_rewind(s->world->scratch, mark);
    return CAROM_OK;
}

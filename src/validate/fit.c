// Fitting two numbers: a grid over their range, then a pattern search from its best point.
//
// The mean error of many impacts is continuous and nearly convex, but has kinks where contacts
// begin to stick: no derivatives are asked for (Hooke and Jeeves 1961, the plain exploratory
// moves). The points visited depend on the values alone, so the result is the same everywhere.
#include "validate/fit.h"

#include <math.h>

// Halvings of the distance that the pattern search may make, and moves at each of them.
enum { HALVINGS = 12, MOVES = 8 };

typedef struct search {
    const carom_fit *fit;
    double best, at[2];
} search;

static int points(const carom_fit *fit, int axis)
{
    return (axis ? fit->friction : fit->restitution) ? fit->coarse : 1;
}

static double most(const carom_fit *fit, int axis)
{
    return axis ? fit->most_friction : 1;
}

// Takes the point where it is better.
static carom_status visit(search *s, double restitution, double friction, bool *better,
                          carom_error *err)
{
    double error;
    TRY(s->fit->error(s->fit->context, restitution, friction, &error, err));
    *better = error < s->best;
    if (*better) {
        s->best = error;
        s->at[0] = restitution;
        s->at[1] = friction;
    }
    return CAROM_OK;
}

static carom_status grid(search *s, carom_error *err)
{
    bool better;
    for (int i = 0; i < points(s->fit, 0); ++i)
        for (int k = 0; k < points(s->fit, 1); ++k) {
            double step = 1.0 / (s->fit->coarse - 1);
            TRY(visit(s, i * step, k * step * s->fit->most_friction, &better, err));
        }
    return CAROM_OK;
}

// One step there or back along each axis; `moved` where one of them was better.
static carom_status explore(search *s, double share, bool *moved, carom_error *err)
{
    *moved = false;
    for (int axis = 0; axis < 2; ++axis) {
        bool better = false;
        for (int sign = -1; sign <= 1 && !better && points(s->fit, axis) > 1; sign += 2) {
            double to[2] = { s->at[0], s->at[1] };
            to[axis] =
                fmin(fmax(to[axis] + sign * share * most(s->fit, axis), 0), most(s->fit, axis));
            if (to[axis] != s->at[axis])
                TRY(visit(s, to[0], to[1], &better, err));
        }
        *moved = *moved || better;
    }
    return CAROM_OK;
}

carom_status carom_fit_search(const carom_fit *fit, double *restitution, double *friction,
                              carom_error *err)
{
    search s = { .fit = fit, .best = HUGE_VAL };
    double share = 0.5 / (fit->coarse - 1);
    TRY(grid(&s, err));
    for (int k = 0; k < HALVINGS && share >= fit->fine; ++k, share *= 0.5) {
        bool moved = true;
        for (int move = 0; move < MOVES && moved; ++move)
            TRY(explore(&s, share, &moved, err));
    }
    *restitution = s.at[0];
    *friction = s.at[1];
    return CAROM_OK;
}

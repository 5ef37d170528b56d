// Fitting a few numbers: a rough grid over restitution and friction, then a pattern search in all
// of them from its best point.
//
// The mean error of many impacts is continuous and nearly convex, but has kinks where contacts
// begin to stick: no derivatives are asked for (Hooke and Jeeves 1961, the plain exploratory
// moves). The points visited depend on the values alone, so the result is the same everywhere.
#include "validate/fit.h"

#include <math.h>
#include <string.h>

// Halvings of the distance that the pattern search may make, and moves at each of them.
enum { HALVINGS = 12, MOVES = 8 };

typedef struct search {
    const carom_fit *fit;
    bool rough;
    double best, at[CAROM_FIT_NUMBERS];
} search;

// Takes the point where it is better.
static carom_status visit(search *s, const double to[CAROM_FIT_NUMBERS], bool *better,
                          carom_error *err)
{
    double error;
    TRY(s->fit->error(s->fit->context, to, s->rough, &error, err));
    *better = error < s->best;
    if (*better) {
        s->best = error;
        memcpy(s->at, to, sizeof s->at);
    }
    return CAROM_OK;
}

static double place(const carom_fit *fit, int axis, int k)
{
    double share = (double)k / (fit->coarse - 1);
    return fit->open[axis] ? fit->min[axis] + share * (fit->max[axis] - fit->min[axis]) : 0;
}

static carom_status grid(search *s, carom_error *err)
{
    bool better;
    int coarse = s->fit->coarse;
    for (int i = 0; i < (s->fit->open[CAROM_FIT_RESTITUTION] ? coarse : 1); ++i)
        for (int k = 0; k < (s->fit->open[CAROM_FIT_FRICTION] ? coarse : 1); ++k) {
            const double to[CAROM_FIT_NUMBERS] = { place(s->fit, CAROM_FIT_RESTITUTION, i),
                                                   place(s->fit, CAROM_FIT_FRICTION, k), 0 };
            TRY(visit(s, to, &better, err));
        }
    return CAROM_OK;
}

// One step there or back along each axis; `moved` where one of them was better.
static carom_status explore(search *s, double share, int axes, bool *moved, carom_error *err)
{
    const carom_fit *fit = s->fit;
    *moved = false;
    for (int axis = 0; axis < axes; ++axis) {
        bool better = false;
        for (int sign = -1; sign <= 1 && !better && fit->open[axis]; sign += 2) {
            double to[CAROM_FIT_NUMBERS], range = fit->max[axis] - fit->min[axis];
            memcpy(to, s->at, sizeof to);
            to[axis] = fmin(fmax(to[axis] + sign * share * range, fit->min[axis]), fit->max[axis]);
            if (to[axis] != s->at[axis])
                TRY(visit(s, to, &better, err));
        }
        *moved = *moved || better;
    }
    return CAROM_OK;
}

static carom_status descend(search *s, double share, int axes, carom_error *err)
{
    for (int k = 0; k < HALVINGS && share >= s->fit->fine; ++k, share *= 0.5) {
        bool moved = true;
        for (int move = 0; move < MOVES && moved; ++move)
            TRY(explore(s, share, axes, &moved, err));
    }
    return CAROM_OK;
}

// The fade comes last: it means nothing before restitution is about right.
carom_status carom_fit_search(const carom_fit *fit, double numbers[CAROM_FIT_NUMBERS],
                              carom_error *err)
{
    search s = { .fit = fit, .rough = true, .best = HUGE_VAL };
    double share = 0.5 / (fit->coarse - 1), start[CAROM_FIT_NUMBERS];
    bool better;
    TRY(grid(&s, err));
    s.rough = false;
    s.best = HUGE_VAL;
    memcpy(start, s.at, sizeof start);
    TRY(visit(&s, start, &better, err));
    TRY(descend(&s, share, CAROM_FIT_FADE, err));
    if (fit->open[CAROM_FIT_FADE])
        TRY(descend(&s, share, CAROM_FIT_NUMBERS, err));
    memcpy(numbers, s.at, sizeof s.at);
    return CAROM_OK;
}

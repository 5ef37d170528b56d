/// @file
/// The desiderata, measured: for one instant and one law, how far each promise is kept.
///
/// Every desideratum becomes a dimensionless figure, the bound it is held to, and a verdict. A
/// figure at or below its bound holds, except WAV, where the figure must exceed the bound. The
/// verdict is about this instant; what a law promises for every instant is carom_law_promises.
#ifndef CAROM_DESIDERATA_H
#define CAROM_DESIDERATA_H

#include "carom/impact.h"
#include "carom/law.h"
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Every verdict, with its word and what it means.
#define CAROM_VERDICT_LIST(X)                                                                      \
    X(UNASKED, "-", "this instant does not put the question, or it was not measured")              \
    X(HOLDS, "holds", "the figure is within its bound")                                            \
    X(BROKEN, "broken", "the figure is outside its bound")

/// Whether a law keeps a promise on one problem.
typedef enum carom_verdict {
#define CAROM_VERDICT_VALUE(name, word, sentence) CAROM_VERDICT_##name,
    CAROM_VERDICT_LIST(CAROM_VERDICT_VALUE)
#undef CAROM_VERDICT_VALUE
} carom_verdict;

/// One promise on one problem.
typedef struct carom_desideratum {
    carom_verdict verdict; ///< kept, broken, or not to be judged here
    double figure;         ///< dimensionless, see carom_desiderata_figures
    double bound;          ///< what the figure was compared with
} carom_desideratum;

/// All figures for one instant and one law. Speeds are relative to the fastest |u| before; energy
/// norms |v|_M = sqrt(sum m v^2 + w.I w) to the larger of the instant's own and its impulses'.
typedef struct carom_desiderata_figures {
    /// By bit index (0 BRK, 1 SYM, 2 KIN, 3 MOM, 4 ONE, 5 WAV, 6 NOP, 7 RES):
    /// BRK: one minus the largest speed at which a contact that touched at rest and got pressed
    ///      parts, over that with steep springs (exponent 5: a wave almost without dispersion).
    ///      Unasked where these part none.
    /// SYM: largest energy-norm distance between the result and the results of the mirrored,
    ///      rotated and renumbered instant, carried back.
    /// KIN: (energy after - energy before - work of driven bodies) / the largest of these; or what
    ///      was lost, where the law's cap ended an instant whose contacts are all elastic.
    /// MOM: largest change of total linear or angular momentum not explained by immovable bodies,
    ///      relative to the sum of all impulses (times their arms).
    /// ONE: largest pull relative to the largest impulse.
    /// WAV: largest |du_i+/du_j-| in the elastic frictionless instant, i and j different contacts
    ///      that carry impulse and are joined by such contacts, in units where W_ii = 1. Unasked
    ///      where there are no two. At most the 8 largest impulses are tried. Differences to one
    ///      side, towards approach or away from it.
    /// NOP: largest approach speed left, relative to the fastest.
    /// RES: how much faster than allowed a contact leaves, relative to the fastest. A contact alone
    ///      in its island may leave with the speed at which it has returned e^2 of the normal work
    ///      it absorbed, Coulomb's friction acting all along; of an island without restitution some
    ///      contact that got pressed may not leave at all. Unasked where there are only islands of
    ///      several contacts that bounce.
    carom_desideratum of[CAROM_PROMISE_COUNT];

    carom_impact_end end;                 ///< what ended the law's loop on this instant
    int sweeps;                           ///< most sweeps that an island took
    double mirror, rotation, renumbering; ///< the three parts of SYM
    double linear, angular;               ///< the two parts of MOM
    double energy_ratio;                  ///< (energy after - work) / energy before
    double cone;     ///< largest friction impulse beyond friction times normal impulse, relative to
                     ///< the largest impulse
    double distance; ///< to `springs`: |v - v_springs| / |u-| over all linear velocities, or
                     ///< -1 where it was not measured (friction, or the law itself) or the springs
                     ///< did not settle
    double spin_distance; ///< the same for spins, times each body's radius of gyration
} carom_desiderata_figures;

/// One instant to be judged under many laws. Holds a copy of the problem and what all laws are
/// compared with.
typedef struct carom_desiderata carom_desiderata;

/// Null with an error where the problem is refused or memory is short.
CAROM_API carom_desiderata *carom_desiderata_create(const carom_impact *impact, carom_error *err);
/// Frees it; null is allowed.
CAROM_API void carom_desiderata_destroy(carom_desiderata *desiderata);
/// Which desiderata to measure, as bits CAROM_BRK ...; default all. The others stay unasked.
/// SYM, BRK and WAV stay unasked where the law did not settle. SYM costs three resolves, WAV one
/// per contact and one of `springs`, BRK one of `springs`.
CAROM_API void carom_desiderata_select(carom_desiderata *desiderata, unsigned promises);
/// The law that distances are measured to: `springs`.
CAROM_API const carom_law *carom_desiderata_yardstick(void);
/// Its options from now on; null: its defaults.
CAROM_API void carom_desiderata_set_yardstick(carom_desiderata *desiderata,
                                              const carom_law_options *springs);
/// Bounds the work of every resolve of a measurement; as carom_workspace_set_bound.
CAROM_API void carom_desiderata_set_bound(carom_desiderata *desiderata, double work);
/// Who may stop a measurement; as carom_workspace_set_progress.
CAROM_API void carom_desiderata_set_progress(carom_desiderata *desiderata,
                                             const carom_progress *progress);
/// Measures a law. Null options mean the law's defaults.
CAROM_API carom_status carom_desiderata_measure(carom_desiderata *desiderata, const carom_law *law,
                                                const carom_law_options *options,
                                                carom_desiderata_figures *figures,
                                                carom_error *err);

/// "holds", "broken" or "-".
CAROM_API const char *carom_desiderata_word(carom_verdict verdict);
/// The sentence behind the word.
CAROM_API const char *carom_desiderata_sentence(carom_verdict verdict);

#ifdef __cplusplus
}
#endif
#endif

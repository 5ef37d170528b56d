// What the proofs of towers in the plane and in space share: rows of rationals, rationals in
// certificates, and which contacts to try first.
#ifndef CAROM_TOWER_EXACT_H
#define CAROM_TOWER_EXACT_H

#include <gmp.h>
#include "base/arena.h"
#include "base/error.h"
#include "carom/json.h"
#include "carom/tower.h"
#include "solve/qp.h"

// So many zeros; null without memory. Destroy takes null.
mpq_t *carom_tower_exact_create(int count);
void carom_tower_exact_destroy(mpq_t *numbers, int count);

// A certificate to be written, and an arena, both ended by the guard where memory runs out
// (rational.h). An arena is let go of before it is destroyed.
carom_json *carom_tower_exact_begin(void);
carom_arena *carom_tower_exact_arena(void);

// A member of a certificate; a double is the rational that it is.
void carom_tower_exact_write(carom_json *json, const char *key, mpq_srcptr number);
void carom_tower_exact_write_double(carom_json *json, const char *key, double value);
// Ends the writer and returns its text, release with free; null without memory.
char *carom_tower_exact_finish(carom_json *json);

// A certificate up to its claim, of a tower in the plane (2) or in space (3).
carom_json *carom_tower_exact_certificate(int dimension, bool stable);
// The accelerations of one body, so many; null: it is fixed.
void carom_tower_exact_write_motion(carom_json *json, const mpq_t *y, int count);
// Ends the certificate and hands it over with its sums; no support: an empty text.
carom_status carom_tower_exact_hand_over(carom_json *json, mpq_srcptr sum, mpq_srcptr support,
                                         carom_tower_proof *out, carom_error *err);

// Rows of the program that push in floating point, the strongest first: what the exact solver
// begins with. The order is the arena's.
carom_status carom_tower_exact_guess(const carom_qp *qp, carom_arena *arena, int **order,
                                     int *count, carom_error *err);

#endif

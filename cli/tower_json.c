// The JSON of `carom tower` that both kinds of towers share; what is of one kind is in
// tower_answer.c and tower_space.c.
#include "tower_json.h"

void carom_tower_json_force(carom_json *json, int a, int b, const double *point,
                            const double *normal, int axes, double force)
{
    carom_json_object(json, 0);
    carom_json_integer(json, "a", a);
    carom_json_integer(json, "b", b);
    carom_json_numbers(json, "point", point, axes);
    carom_json_numbers(json, "normal", normal, axes);
    carom_json_number(json, "force", force);
}

void carom_tower_json_opens(carom_json *json, double force, double opening)
{
    carom_json_bool(json, "opens", force == 0 && opening > 1e-12);
    carom_json_end(json);
}

void carom_tower_json_sums(carom_json *json, double sum_m_a2, double support_force, double kkt,
                           const char *method)
{
    carom_json_number(json, "sum_m_a2", sum_m_a2);
    carom_json_number(json, "support_force", support_force);
    carom_json_number(json, "kkt", kkt + 0.0); // fmax may give either zero
    carom_json_string(json, "method", method);
}

void carom_tower_json_proof(carom_json *json, const carom_tower_proof *proof)
{
    carom_json_object(json, "proof");
    carom_json_bool(json, "stable", proof->stable);
    carom_json_string(json, "sum_m_a2", proof->sum_m_a2);
    carom_json_string(json, "support_force", proof->support);
    carom_json_number(json, "tolerance", proof->tolerance);
    carom_json_integer(json, "bits", proof->bits);
    carom_json_integer(json, "contacts", proof->contacts);
    carom_json_end(json);
    carom_json_raw(json, "certificate", proof->certificate);
}

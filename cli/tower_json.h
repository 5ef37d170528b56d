// What the JSON of `carom tower` says alike about towers in the plane and in space.
#ifndef CAROM_CLI_TOWER_JSON_H
#define CAROM_CLI_TOWER_JSON_H

#include "carom/json.h"
#include "carom/tower.h"

// Opens a force between bodies a and b; point and normal have `axes` numbers. More of it may
// follow.
void carom_tower_json_force(carom_json *json, int a, int b, const double *point,
                            const double *normal, int axes, double force);
// Closes it: a contact opens that carries nothing and whose surfaces accelerate apart.
void carom_tower_json_opens(carom_json *json, double force, double opening);
// The sums of an instant and how well it is solved.
void carom_tower_json_sums(carom_json *json, double sum_m_a2, double support_force, double kkt,
                           const char *method);
// A proof and its certificate.
void carom_tower_json_proof(carom_json *json, const carom_tower_proof *proof);

#endif

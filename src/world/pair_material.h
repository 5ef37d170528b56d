// The material properties of a pair of bodies: friction, restitution, resistance against rolling,
// cohesion, contact stiffness.
#ifndef CAROM_WORLD_PAIR_MATERIAL_H
#define CAROM_WORLD_PAIR_MATERIAL_H

#include "world/world.h"

// What carom_world_pair has set for the materials of two bodies; null: nothing.
const carom_world_pair_entry *carom_pair_material_listed(const carom_world *world, int a, int b);
// Coulomb's coefficient.
double carom_pair_material_friction(const carom_world *world, int a, int b);
// At an approach speed and a slip (m/s), by the materials alone: without bounce maps.
double carom_pair_material_restitution(const carom_world *world, int a, int b, double speed,
                                       double slip);
// Of one material.
double carom_pair_material_at_speed(const carom_material *material, double speed, double slip);
// Whether the slip matters to a contact of the two bodies.
bool carom_pair_material_wants_slip(const carom_world *world, int a, int b);
double carom_pair_material_tangential_restitution(const carom_world *world, int a, int b);
// Length (m) that times the normal force bounds the torque against rolling and spinning.
double carom_pair_material_rolling(const carom_world *world, int a, int b);
// Force (N) that holds the pair together, and work (J) that parts it after an impact.
double carom_pair_material_cohesion(const carom_world *world, int a, int b);
double carom_pair_material_adhesion(const carom_world *world, int a, int b);
// Of the contact spring F = k d^exponent.
double carom_pair_material_stiffness(const carom_world *world, int a, int b);
double carom_pair_material_exponent(const carom_world *world, int a, int b);

#endif

// Mass properties at unit density from moments.
#ifndef CAROM_SHAPE_MASS_H
#define CAROM_SHAPE_MASS_H

#include "carom/shape.h"
#include "math/moments.h"
#include "shape/pose.h"

// Adds a solid with these properties, placed at `pose`.
void carom_mass_add_solid(carom_moments *moments, const carom_mass *mass, const carom_pose *pose);
// The properties about the centre of mass.
carom_mass carom_mass_about_centre(const carom_moments *moments);

#endif

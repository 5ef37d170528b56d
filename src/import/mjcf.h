// Models of MuJoCo (MJCF): bodies, geoms, joints, friction, inertia, with default classes.
#ifndef CAROM_IMPORT_MJCF_H
#define CAROM_IMPORT_MJCF_H

#include "import/draft.h"
#include "import/xml.h"

// One model being read.
typedef struct carom_mjcf {
    const carom_xml_element *root;
    carom_draft *draft;
    double angle;         // rad per unit of the file
    const char *sequence; // of Euler angles: xyz
    const char *meshes;   // folder, "": this one
    bool auto_limits;
} carom_mjcf;

carom_status carom_mjcf_read(const carom_xml_element *root, carom_draft *draft, carom_error *err);

// The element that says an attribute: the one asked, else its default class; null: nobody.
const carom_xml_element *carom_mjcf_says(const carom_mjcf *m, const carom_xml_element *e,
                                         const char *key);
// Its words; null: nobody says it.
const char *carom_mjcf_words(const carom_mjcf *m, const carom_xml_element *e, const char *key);
// Its numbers, from one to `most`; `out` stays where nobody says it.
carom_status carom_mjcf_numbers(const carom_mjcf *m, const carom_xml_element *e, const char *key,
                                double *out, int most, carom_error *err);
// Place and rotation in the frame of the parent.
carom_status carom_mjcf_frame(const carom_mjcf *m, const carom_xml_element *e, vec3 *position,
                              quat *rotation, carom_error *err);
// The shapes, the mass and the surface of a body from its geoms; those that touch nothing are left
// out.
carom_status carom_mjcf_geoms(carom_mjcf *m, const carom_xml_element *body, int at,
                              carom_error *err);
// A geom of the world: a fixed body of its own.
carom_status carom_mjcf_geom_fixed(carom_mjcf *m, const carom_xml_element *e, carom_error *err);

#endif

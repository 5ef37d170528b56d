#include "modal/modal_inside.h"
carom_status carom_modal_keep_faces(carom_modes *modes, const carom_modal_body *body,
                                    const carom_modal_solution *solution, carom_error *err)
{ (void)modes;(void)body;(void)solution; return carom_error_set(err, CAROM_UNSUPPORTED, "x"); }
int carom_modal_near_face(const carom_modes *modes, vec3 place, double weight[6], double *distance)
{ (void)modes;(void)place;(void)weight;(void)distance; return -1; }

// Two plates that lean against each other. At these poses (round-off tilts of 1e-13 rad) the sides
// of their faces lie on each other up to the clipping tolerance; a corner that was outside by less
// than it made a crossing 0.2 m away from both plates, with an overlap of 0.14 m: a card house that
// stood at a step of 1 ms crept at 2 ms, and the walls of a run had bodies thrown off.
#include "collide/narrow.h"
#include "support/check.h"

int main(void)
{
    carom_shape *plate = NULL;
    const double half[3] = { 0.001, 0.03, 0.05 };
    CHECK(carom_box_create(half, &plate, NULL) == CAROM_OK, "a plate");
    carom_pose a = carom_pose_make(
        vec3_make(0x1.e58aeecd49cd4p-4, -0x1.bae64d0e3bedp-48, 0x1.83b32e61e0b0fp-5),
        (quat){ 0x1.f838b8c811ae1p-1, 0x1.8c5a9695705f3p-44, 0x1.63a1a7e0b8f17p-3,
                -0x1.64468c9b94d0dp-45 });
    carom_pose b = carom_pose_make(
        vec3_make(0x1.3caa82dff67f3p-3, -0x1.2c0e1b8022ba2p-46, 0x1.83b32e61e1ec1p-5),
        (quat){ 0x1.f838b8c811e21p-1, 0x1.3d0495891bcc5p-44, -0x1.63a1a7e0b4565p-3,
                0x1.057f6fdc7af9ap-44 });
    carom_manifold m = { .count = 0 };
    carom_narrow_touch(plate, &a, plate, &b, 0.02, 0, NULL, &m);
    CHECK(m.count >= 2, "they touch along the edge at the top, found %d contacts", m.count);
    for (int i = 0; i < m.count; ++i) {
        vec3 p = m.points[i].point;
        // half of the diagonal, and the gap
        double reach = vec3_length(vec3_make(half[0], half[1], half[2])) + 0.02;
        CHECK_MOST(vec3_length(vec3_sub(p, a.position)), reach, "contact %d lies at the first", i);
        CHECK_MOST(vec3_length(vec3_sub(p, b.position)), reach, "contact %d lies at the second", i);
        CHECK_MOST(-m.points[i].gap, 1e-9, "contact %d: they do not overlap", i);
    }
    carom_shape_release(plate);
    return check_report();
}

// A falling tower in which one step used to take ten times the factorisations of the others: the
// penalty was made stiffer for the last digit of an answer that was good enough already, and the
// rows that almost touch then came and went by round-off (182 factorisations; 416 with 400 bricks).
#include "carom/tower.h"
#include "support/check.h"

enum { STEPS = 400, MOST = 140 };

int main(void)
{
    carom_error err = { 0 };
    carom_tower *tower = NULL;
    carom_tower_motion *motion = NULL;
    carom_tower_motion_options options = carom_tower_motion_default();
    int most = 0;
    double kkt = 0;
    carom_status status = carom_tower_build("diamond:10", &tower, &err);
    if (status == CAROM_OK)
        status = carom_tower_motion_create(tower, &options, &motion, &err);
    for (int k = 0; k < STEPS && status == CAROM_OK; ++k) {
        carom_tower_step step;
        status = carom_tower_motion_step(motion, &step, &err);
        most = step.factorisations > most ? step.factorisations : most;
        kkt = step.kkt > kkt ? step.kkt : kkt;
    }
    CHECK(status == CAROM_OK, "the tower falls: %s", err.what);
    CHECK(most > 20 && most <= MOST, "%d factorisations in the worst step", most);
    CHECK_MOST(kkt, 1e-13, "residual of the worst step");
    carom_tower_motion_destroy(motion);
    carom_tower_destroy(tower);
    return check_report();
}

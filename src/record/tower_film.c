// Records a motion frame by frame.
#include "carom/tower.h"
#include "base/error.h"
#include <math.h>
#include <stdlib.h>

static carom_status allocate(carom_tower_film *film, long frames, carom_error *err)
{
    size_t count = (size_t)frames, places = 3 * (size_t)film->bodies;
    // 8 bytes a number: refuse films that would not fit rather than ask for them.
    if (frames > 10000000 || count > ((size_t)1 << 31) / (8 * (places + 1))) {
        carom_error_set(err, CAROM_UNSUPPORTED, "a film of %ld frames of %d bodies is too large",
                        frames, film->bodies);
        return carom_error_fix(err, "keep fewer frames (--every), or run fewer steps");
    }
    film->time = calloc(count, sizeof *film->time);
    film->place = calloc(count * places + 1, sizeof *film->place);
    film->kinetic = calloc(count, sizeof *film->kinetic);
    film->potential = calloc(count, sizeof *film->potential);
    film->penetration = calloc(count, sizeof *film->penetration);
    if (!film->time || !film->place || !film->kinetic || !film->potential || !film->penetration)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %ld frames", frames);
    return CAROM_OK;
}

static void keep_frame(carom_tower_film *film, const carom_tower_motion *motion,
                       const carom_tower_step *step)
{
    int n = film->frames++;
    for (int b = 0; b < film->bodies; ++b)
        carom_tower_motion_place(motion, b,
                                 film->place + 3 * ((size_t)n * (size_t)film->bodies + (size_t)b));
    film->time[n] = step->time;
    film->kinetic[n] = step->kinetic;
    film->potential[n] = step->potential;
    film->penetration[n] = step->penetration;
}

static double potential_at_rest(const carom_tower *tower)
{
    double sum = 0, place[3];
    for (int b = 0; b < carom_tower_bodies(tower); ++b) {
        carom_tower_body_place(tower, b, place);
        if (!carom_tower_body_fixed(tower, b))
            sum += carom_tower_gravity(tower) * carom_tower_body_mass(tower, b) * place[1];
    }
    return sum;
}

static carom_status run(carom_tower_film *film, carom_tower_motion *motion, long steps, int every,
                        carom_error *err)
{
    carom_status status = CAROM_OK;
    for (long n = 1; n <= steps && status == CAROM_OK; ++n) {
        carom_tower_step step;
        status = carom_tower_motion_step(motion, &step, err);
        if (status != CAROM_OK) {
            carom_error_where(err, "step %ld of %ld", n, steps);
            break;
        }
        film->bitwise = film->bitwise && carom_tower_motion_is_symmetric(motion);
        film->qp_ms_most = fmax(film->qp_ms_most, step.qp_ms);
        if (n % every == 0 || n == steps)
            keep_frame(film, motion, &step);
    }
    film->audit = carom_tower_motion_audit(motion);
    film->hash = carom_tower_motion_hash(motion);
    return status;
}

carom_status carom_tower_film_record(const carom_tower *tower,
                                     const carom_tower_motion_options *options, long steps,
                                     int every, carom_tower_film *film, carom_error *err)
{
    carom_tower_motion *motion;
    *film = (carom_tower_film){ .bodies = carom_tower_bodies(tower),
                                .options = *options,
                                .bitwise = true };
    if (steps < 0 || every < 1)
        return carom_error_set(err, CAROM_BAD_INPUT, "%ld steps, every %d", steps, every);
    TRY(allocate(film, steps / every + 3, err));
    TRY(carom_tower_motion_create(tower, options, &motion, err));
    carom_tower_step start = { .potential = potential_at_rest(tower) };
    keep_frame(film, motion, &start);
    carom_status status = run(film, motion, steps, every, err);
    carom_tower_motion_destroy(motion);
    return status;
}

void carom_tower_film_free(carom_tower_film *film)
{
    free(film->time);
    free(film->place);
    free(film->kinetic);
    free(film->potential);
    free(film->penetration);
    *film = (carom_tower_film){ .frames = 0 };
}

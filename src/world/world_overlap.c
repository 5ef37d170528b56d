// Bodies that overlap before a run begins: found, and moved apart if wanted.
#include <stdlib.h>
#include <string.h>
#include "world/ledger.h"
#include "world/step.h"
#include "world/world_sleep.h"

// Passes, and contacts in all of them: 60,000 spheres each inside all others would take days.
enum { SEPARATE_PASSES = 2000 };
static const double SEPARATE_WORK = 3e8;
// Passes in which the deepest overlap shrinks by no more than a hundredth: what comes apart within
// all passes does so by diffusion, which is quicker; rings that are linked never do.
enum { SEPARATE_VAIN = 250 };
#define SEPARATE_LESS 0.99

// Overlap that the position correction of a run takes out without being seen.
static double harmless(const carom_world *world, int a, int b)
{
    double smaller = fmin(carom_shape_radius(world->shape[a]), carom_shape_radius(world->shape[b]));
    return fmax(world->options.slop, 1e-3 * smaller);
}

// The contacts of the state as it is, of pairs that may touch. Who stopped the last step has no
// part in it.
static carom_status find(carom_world *world, const carom_contact **contacts, int *count,
                         carom_error *err)
{
    carom_progress_begin(&world->stop, world->progress);
    return carom_candidate_list(world, NULL, world->options.slop, contacts, count, err);
}

carom_status carom_world_overlaps(carom_world *world, carom_overlap *worst, int *count,
                                  carom_error *err)
{
    NEED(err, world, worst, count);
    const carom_contact *contacts;
    int found;
    *worst = (carom_overlap){ 0 };
    *count = 0;
    TRY(find(world, &contacts, &found, err));
    int last_a = -1, last_b = -1;
    for (int i = 0; i < found; ++i) {
        const carom_contact *c = &contacts[i];
        if (-c->gap <= harmless(world, c->a, c->b))
            continue;
        *count += c->a != last_a || c->b != last_b; // contacts of a pair stand together
        last_a = c->a;
        last_b = c->b;
        if (-c->gap > worst->depth)
            *worst = (carom_overlap){ carom_world_body_at(world, c->a),
                                      carom_world_body_at(world, c->b), -c->gap };
    }
    return CAROM_OK;
}

carom_body_id carom_world_touching(carom_world *world, carom_body_id id, double point[3])
{
    if (!carom_world_has_body(world, id) || !point)
        return (carom_body_id){ 0 };
    const carom_contact *contacts;
    carom_error ignored = { 0 };
    int count, body = id.slot, other = -1;
    double nearest = HUGE_VAL;
    if (find(world, &contacts, &count, &ignored) != CAROM_OK)
        return (carom_body_id){ 0 };
    for (int i = 0; i < count; ++i) {
        const carom_contact *c = &contacts[i];
        if ((c->a != body && c->b != body) || c->gap >= nearest)
            continue;
        nearest = c->gap;
        other = c->a == body ? c->b : c->a;
        vec3_store(c->point, point);
    }
    return carom_world_body_at(world, other);
}

// One pass: every overlapping contact moves its two bodies apart by its depth, the lighter one
// more; moves of one body are averaged over its contacts, so that opposite ones do not add up.
static double spread(carom_world *world, const carom_contact *contacts, int count, vec3 *move,
                     int *pushes)
{
    double deepest = 0;
    memset(move, 0, (size_t)world->count * sizeof *move);
    memset(pushes, 0, (size_t)world->count * sizeof *pushes);
    for (int i = 0; i < count; ++i) {
        const carom_contact *c = &contacts[i];
        double depth = -c->gap, ma = world->inverse_mass[c->a], mb = world->inverse_mass[c->b];
        if (!(depth > world->options.slop) || !(ma + mb > 0))
            continue;
        deepest = fmax(deepest, depth);
        double whole = depth / (ma + mb); // no overshoot: chains of bodies settle
        move[c->a] = vec3_axpy(move[c->a], -whole * ma, c->normal);
        move[c->b] = vec3_axpy(move[c->b], whole * mb, c->normal);
        ++pushes[c->a];
        ++pushes[c->b];
    }
    for (int i = 0; i < world->count; ++i)
        if (pushes[i] && !world->fixed[i]) // over-relaxed: averaging alone creeps
            world->now.position[i] =
                vec3_axpy(world->now.position[i], 1.5 / (0.5 + pushes[i]), move[i]);
    return deepest;
}

carom_status carom_world_separate(carom_world *world, carom_error *err)
{
    NEED(err, world);
    const carom_contact *contacts;
    int count, passes = 0, better = 0;
    vec3 *move;
    int *pushes;
    double deepest = HUGE_VAL, least = HUGE_VAL, work = 0;
    carom_world_sleep_wake_all(world);
    carom_arena_rewind(world->scratch, (carom_arena_mark){ 0 });
    TAKE(world->scratch, move, world->count, err);
    TAKE(world->scratch, pushes, world->count, err);
    while (deepest > 0 && passes < SEPARATE_PASSES && work < SEPARATE_WORK &&
           passes - better < SEPARATE_VAIN) {
        TRY(carom_progress_report(world->progress, passes++, SEPARATE_PASSES,
                                  "passes of moving bodies apart", err));
        TRY(find(world, &contacts, &count, err));
        deepest = spread(world, contacts, count, move, pushes);
        work += count;
        if (deepest < SEPARATE_LESS * least) {
            least = deepest;
            better = passes;
        }
    }
    carom_ledger_begin(world);
    world->query.fresh = false;
    if (deepest > 0) {
        carom_error_set(err, CAROM_NOT_CONVERGED,
                        "bodies still overlap by %.3g m after %d passes of moving them apart",
                        deepest, passes);
        return carom_error_fix(err, "give the bodies more room");
    }
    return CAROM_OK;
}

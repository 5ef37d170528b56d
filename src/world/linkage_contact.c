// Linkages on which contacts press.
//
// The resting solve starts from the velocities v that the linkage would have at the end of the
// interval without its contacts, and looks for changes that the joints allow: G dv = 0 with the
// rows of the start, and dampers that resist by half of their impulse. Contacts are relaxed with
// the joints eliminated (rest_linkage.c), or, of islands of very many, one by one, all joints of a
// linkage at once, by the factors of linkage_rows.c. The impulses P that come out act as constant
// forces P/h in one more flight over the interval, with the joints met at its end as ever. What
// contacts ask for is met to second order in the interval, joints to round-off, and the work of the
// forces is what the bodies lose: joints bring in nothing.
#include "world/ledger.h"
#include "world/linkage.h"
#include "world/rest.h"

#define ROUND_OFF 1e-15 // of the extent: positions cannot be better

int *carom_linkage_held(const carom_step *step, int part, int *count)
{
    const carom_linkage *all = step->world->linkage;
    *count = step->links->held[part] ? all->parts[part].count : 0;
    return all->member + all->parts[part].first;
}

// The rows of the start, with the speeds that must not change.
static void brace(carom_step *step, carom_linkage_path *path)
{
    carom_world *world = step->world;
    carom_linkage_rows_make(path, path->start, 0, path->rows, path->next);
    for (int i = 0; i < path->row_count; ++i) {
        path->next[i].target = carom_linkage_rows_speed(&path->next[i], path->now);
        path->next[i].origin = path->next[i].impulse;
    }
    // half of a damper's impulse goes by the speed at the end, which contacts change
    carom_linkage_rows_factor(path, path->next, path->start, path->damps ? 0.5 * path->h : 0);
    for (int m = 0; m < path->part->count; ++m) {
        int i = path->all->member[path->part->first + m];
        path->trial[m] = path->start[m];
        world->now.velocity[i] = path->now[m].v;
        world->now.spin[i] = path->now[m].w;
    }
}

carom_status carom_linkage_brace(carom_step *step, int *count, carom_error *err)
{
    (void)err;
    *count = 0;
    if (!step->linked)
        return CAROM_OK;
    for (int k = 0; k < step->world->linkage->part_count; ++k)
        if (step->links->held[k]) {
            brace(step, &step->links->paths[k]);
            *count = step->world->linkage->part_count;
        }
    return CAROM_OK;
}

double carom_linkage_relax(const carom_step *step, int part, carom_contact_body *bodies)
{
    carom_linkage_path *path = &step->links->paths[part];
    const int *member = path->all->member + path->part->first;
    double max = 0;
    for (int m = 0; m < path->part->count; ++m) {
        path->trial[m].v = bodies[member[m]].v;
        path->trial[m].w = bodies[member[m]].w;
    }
    for (int i = 0; i < path->row_count; ++i) {
        const carom_linkage_row *row = &path->next[i];
        bool drags = row->kind == CAROM_LINKAGE_ROW_SPRING && row->stiff > 0;
        path->wanted[i] = row->target - carom_linkage_rows_speed(row, path->trial) -
                          (drags ? (row->impulse - row->origin) / row->stiff : 0);
    }
    carom_linkage_rows_answer(path, path->next, path->wanted, path->trial);
    for (int m = 0; m < path->part->count; ++m) {
        carom_contact_body *body = &bodies[member[m]];
        vec3 change = vec3_sub(path->trial[m].v, body->v);
        vec3 turn = vec3_sub(path->trial[m].w, body->w);
        max = fmax(max, vec3_length(change) + path->lever * vec3_length(turn));
        body->v = path->trial[m].v;
        body->w = path->trial[m].w;
    }
    return max;
}

double *carom_linkage_room(const carom_step *step, int body, int *part, int *local)
{
    const carom_linkage *all = step->world->linkage;
    *part = all->part_of[body];
    *local = all->local[body];
    if (*part < 0 || !step->links->held[*part])
        return NULL;
    double *x = step->links->paths[*part].x;
    for (int i = 0; i < 6 * all->parts[*part].count; ++i)
        x[i] = 0;
    return x;
}

void carom_linkage_respond(const carom_step *step, int part)
{
    const carom_linkage_path *path = &step->links->paths[part];
    carom_sparse_block_solve(path->part->matrix, path->x);
}

// An impulse at a point of a member, or an angular impulse: as forces over the interval.
static void add(const carom_step *step, int body, vec3 point, vec3 impulse, vec3 angular)
{
    const carom_world *world = step->world;
    if (step->linked[body] != CAROM_LINKAGE_HELD)
        return;
    carom_linkage_path *path = &step->links->paths[world->linkage->part_of[body]];
    carom_linkage_body *member = &path->start[world->linkage->local[body]];
    vec3 turn = vec3_add(angular, vec3_cross(vec3_sub(point, member->x), impulse));
    member->force = vec3_axpy(member->force, 1 / step->h, impulse);
    member->torque = vec3_axpy(member->torque, 1 / step->h, turn);
}

void carom_linkage_apply_contacts(carom_step *step)
{
    const vec3 zero = { 0, 0, 0 };
    if (!step->linked)
        return;
    for (int k = 0; k < step->resting_count; ++k) {
        const carom_resting_contact *resting = &step->resting_contacts[k];
        const carom_candidate *candidate = &step->candidates[resting->candidate];
        add(step, resting->a, candidate->point, vec3_neg(resting->impulse), zero);
        add(step, resting->b, carom_step_point_of_b(candidate), resting->impulse, zero);
    }
    for (int i = 0; i < step->candidate_count && step->rolling_impulses; ++i) {
        const carom_candidate *candidate = &step->candidates[i];
        add(step, candidate->a, candidate->point, zero, vec3_neg(step->rolling_impulses[i]));
        add(step, candidate->b, candidate->point, zero, step->rolling_impulses[i]);
    }
    for (int k = 0; k < step->world->linkage->part_count; ++k)
        if (step->links->held[k])
            carom_linkage_flow_again(&step->links->paths[k]);
}

// -- after position correction ---------------------------------------------------------------

// Displacements from small velocities: one unit of time.
static void shift(const carom_linkage_path *path, carom_linkage_body *bodies)
{
    const vec3 zero = { 0, 0, 0 };
    for (int m = 0; m < path->part->count; ++m) {
        carom_linkage_body *b = &bodies[m];
        vec3 half = vec3_scale(0.5, b->w);
        b->x = vec3_add(b->x, b->v);
        b->q = quat_unit(quat_mul((quat){ 1, half.x, half.y, half.z }, b->q));
        b->inverse = sym3_rotate(quat_matrix(b->q), b->own_inverse);
        b->v = b->w = zero;
    }
}

static void place(carom_world *world, const carom_linkage_path *path,
                  const carom_linkage_body *bodies)
{
    for (int m = 0; m < path->part->count; ++m) {
        int i = path->all->member[path->part->first + m];
        world->now.position[i] = bodies[m].x;
        world->now.rotation[i] = bodies[m].q;
    }
}

// Brings anchors together again; false where that cannot be done.
static bool mend(const carom_world *world, carom_linkage_path *path)
{
    enum { ITERATIONS = 6 };
    const int *member = path->all->member + path->part->first;
    for (int m = 0; m < path->part->count; ++m) {
        path->trial[m] = path->now[m];
        path->trial[m].x = world->now.position[member[m]];
        path->trial[m].q = world->now.rotation[member[m]];
        path->trial[m].v = path->trial[m].w = vec3_make(0, 0, 0);
    }
    for (int k = 0; k < ITERATIONS; ++k) {
        double worst = 0;
        carom_linkage_rows_make(path, path->trial, path->h, path->rows, path->next);
        for (int i = 0; i < path->row_count; ++i) {
            const carom_linkage_row *row = &path->next[i];
            path->wanted[i] = -row->error;
            if (row->on)
                worst = fmax(worst, fabs(row->error) * carom_linkage_rows_scale(path, row));
        }
        if (worst <= ROUND_OFF * path->extent)
            break;
        if (!carom_linkage_rows_factor(path, path->next, path->trial, 0))
            return false;
        carom_linkage_rows_answer(path, path->next, path->wanted, path->trial);
        shift(path, path->trial);
    }
    return true;
}

static double of_members(const carom_world *world, const carom_linkage_path *path)
{
    double energy = 0;
    for (int m = 0; m < path->part->count; ++m)
        energy += carom_ledger_energy(world, path->all->member[path->part->first + m]);
    return energy;
}

static double in_springs(const carom_world *world, const carom_linkage_path *path)
{
    double energy = 0;
    for (int k = 0; k < path->part->joint_count; ++k) {
        int j = path->all->joint[path->part->first_joint + k];
        energy += carom_world_joint_energy(world, &world->joints[j]);
    }
    return energy;
}

// The displacements of a linkage, as its joints allow them, and only as far as resting contact has
// paid for them (position_correction.c): they also lift what joints carry and wind up springs.
// Where that would cost more, the linkage stays where it has moved to.
static void project(carom_world *world, carom_linkage_path *path)
{
    carom_ledger *ledger = &world->now.ledger;
    double displaced = of_members(world, path), gain = HUGE_VAL;
    if (mend(world, path)) {
        place(world, path, path->trial);
        gain = of_members(world, path) + in_springs(world, path);
    }
    place(world, path, path->now);
    double start = of_members(world, path);
    gain -= start + in_springs(world, path);
    ledger->position_correction -= displaced - start; // was booked when bodies were displaced
    if (gain <= fmax(0, ledger->rest - ledger->position_correction)) {
        place(world, path, path->trial);
        ledger->position_correction += gain;
    }
}

void carom_linkage_project(carom_step *step)
{
    const vec3 zero = { 0, 0, 0 };
    for (int k = 0; step->linked && step->shift && k < step->world->linkage->part_count; ++k) {
        carom_linkage_path *path = &step->links->paths[k];
        bool moved = false;
        for (int m = 0; m < path->part->count && !moved; ++m) {
            const carom_step_shift *s = &step->shift[path->all->member[path->part->first + m]];
            moved = !carom_rest_same(s->move, zero) || !carom_rest_same(s->turn, zero);
        }
        if (moved)
            project(step->world, path);
    }
}

// Linkages: which bodies belong together, and which of them move by themselves in an interval.
//
// A linkage on which no contact presses moves as linkage_flow.c has it. Whether a contact presses
// is tried: where it pressed in the last step, or where its gap would be gone at the end of that
// motion, the resting solve takes the joints of the linkage together with its contacts.
#include "world/linkage.h"

#include <string.h>
#include "base/memory.h"
#include "base/sets.h"
#include "base/team.h"
#include "world/ledger.h"
#include "world/motion.h"
#include "world/rest.h"
#include "world/world_force.h"

// -- who belongs together -------------------------------------------------------------------------

void carom_linkage_destroy(carom_linkage *linkage)
{
    if (!linkage)
        return;
    for (int k = 0; k < linkage->part_count && linkage->parts; ++k)
        carom_sparse_block_destroy(linkage->parts[k].matrix);
    carom_memory_free(linkage->parts);
    carom_memory_free(linkage->member);
    carom_memory_free(linkage->part_of);
    carom_memory_free(linkage->local);
    carom_memory_free(linkage->joint);
    carom_memory_free(linkage->gain);
    carom_memory_free(linkage);
}

static bool moves(const carom_world *world, int body)
{
    return body >= 0 && !world->fixed[body];
}

// The moving end of a joint, the first of two; -1: none.
static int mover(const carom_world *world, const carom_world_joint *joint)
{
    return moves(world, joint->a) ? joint->a : moves(world, joint->b) ? joint->b : -1;
}

// Numbers the parts in the order of their first bodies, and lists members and joints.
static void sort_out(const carom_world *world, carom_linkage *l, int *parent)
{
    int members = 0, joints = 0;
    for (int i = 0; i < world->count; ++i)
        l->part_of[i] = l->local[i] = -1;
    for (int j = 0; j < world->joint_count; ++j) {
        int body = mover(world, &world->joints[j]);
        if (body >= 0)
            l->local[sets_find(parent, body)] = 0; // marks the roots that are linkages
    }
    for (int i = 0; i < world->count; ++i) // a root is the lowest of its set
        if (l->local[i] == 0)
            l->part_of[i] = l->part_count++;
    for (int i = 0; i < world->count; ++i) {
        l->part_of[i] = l->part_of[sets_find(parent, i)];
        l->local[i] = -1;
    }
    for (int k = 0; k < l->part_count; ++k)
        l->parts[k] = (carom_linkage_part){ 0 };
    for (int i = 0; i < world->count; ++i)
        if (l->part_of[i] >= 0)
            l->local[i] = l->parts[l->part_of[i]].count++;
    for (int j = 0; j < world->joint_count; ++j) {
        int body = mover(world, &world->joints[j]);
        if (body >= 0)
            ++l->parts[l->part_of[body]].joint_count;
    }
    for (int k = 0; k < l->part_count; ++k) {
        l->parts[k].first = members;
        l->parts[k].first_joint = joints;
        members += l->parts[k].count;
        joints += l->parts[k].joint_count;
        l->parts[k].joint_count = 0;
    }
    for (int i = 0; i < world->count; ++i)
        if (l->part_of[i] >= 0)
            l->member[l->parts[l->part_of[i]].first + l->local[i]] = i;
    for (int j = 0; j < world->joint_count; ++j) {
        int body = mover(world, &world->joints[j]);
        carom_linkage_part *part = body >= 0 ? &l->parts[l->part_of[body]] : NULL;
        if (part)
            l->joint[part->first_joint + part->joint_count++] = j;
    }
}

static carom_status make_matrix(const carom_world *world, const carom_linkage *l,
                                carom_linkage_part *part, int (*edges)[2], carom_error *err)
{
    int count = 0;
    for (int k = 0; k < part->joint_count; ++k) {
        const carom_world_joint *joint = &world->joints[l->joint[part->first_joint + k]];
        if (!moves(world, joint->a) || !moves(world, joint->b))
            continue;
        edges[count][0] = l->local[joint->a];
        edges[count++][1] = l->local[joint->b];
    }
    part->matrix = carom_sparse_block_create(6, 0);
    if (!part->matrix)
        return carom_error_no_memory(err, "the matrix of a linkage");
    return carom_sparse_block_order(part->matrix, part->count, (const int(*)[2])edges, count,
                                    world->scratch, err);
}

carom_status carom_linkage_prepare(carom_world *world, carom_error *err)
{
    if (!world->linkage_stale)
        return CAROM_OK;
    size_t n = (size_t)world->count + 1, joints = (size_t)world->joint_count + 1;
    carom_linkage *l = carom_memory_zeros(1, sizeof *l);
    int *parent = carom_memory_get(n * sizeof *parent),
        (*edges)[2] = carom_memory_get(joints * sizeof *edges);
    carom_linkage_destroy(world->linkage);
    world->linkage = l;
    if (l) {
        l->parts = carom_memory_get(n * sizeof *l->parts);
        l->member = carom_memory_get(n * sizeof *l->member);
        l->part_of = carom_memory_get(n * sizeof *l->part_of);
        l->local = carom_memory_get(n * sizeof *l->local);
        l->joint = carom_memory_get(joints * sizeof *l->joint);
        l->gain = carom_memory_zeros(n, sizeof *l->gain);
    }
    carom_status status = CAROM_OK;
    if (!l || !parent || !edges || !l->parts || !l->member || !l->part_of || !l->local ||
        !l->joint || !l->gain)
        status = carom_error_no_memory(err, "%d joints", world->joint_count);
    if (status == CAROM_OK) {
        for (int i = 0; i < world->count; ++i)
            parent[i] = i;
        for (int j = 0; j < world->joint_count; ++j)
            if (moves(world, world->joints[j].a) && moves(world, world->joints[j].b))
                sets_join(parent, world->joints[j].a, world->joints[j].b);
        sort_out(world, l, parent);
        for (int k = 0; k < l->part_count && status == CAROM_OK; ++k)
            status = make_matrix(world, l, &l->parts[k], edges, err);
    }
    carom_memory_free(parent);
    carom_memory_free(edges);
    world->linkage_stale = status != CAROM_OK;
    return status;
}

// -- where they go --------------------------------------------------------------------------------

static carom_linkage_body load(const carom_world *world, int i)
{
    return (carom_linkage_body){
        .x = world->now.position[i],
        .v = world->now.velocity[i],
        .w = world->now.spin[i],
        .q = world->now.rotation[i],
        .inverse_mass = world->inverse_mass[i],
        .pull = world->pull[i],
        .fall = vec3_scale(world->gravity_scale[i], vec3_from(world->options.gravity)),
        .turn = world->forced ? carom_world_force_torque(world, i) : vec3_make(0, 0, 0),
        .inertia = world->inertia[i],
        .own_inverse = sym3_inverse(world->inertia[i]),
        .inverse = world->inverse_inertia[i]
    };
}

static carom_status make_path(carom_step *step, const carom_linkage_part *part,
                              carom_linkage_path *path, carom_error *err)
{
    carom_world *world = step->world;
    size_t rows = (size_t)part->joint_count * CAROM_LINKAGE_ROWS;
    *path = (carom_linkage_path){ .world = world, .all = world->linkage, .part = part };
    TAKE(world->scratch, path->start, part->count, err);
    TAKE(world->scratch, path->now, part->count, err);
    TAKE(world->scratch, path->trial, part->count, err);
    TAKE(world->scratch, path->rows, rows, err);
    TAKE(world->scratch, path->next, rows, err);
    TAKE(world->scratch, path->wanted, rows, err);
    TAKE(world->scratch, path->error, rows, err);
    TAKE(world->scratch, path->past.noted, rows, err);
    for (int k = 0; k < CAROM_LINKAGE_MOMENTS; ++k)
        TAKE(world->scratch, path->past.force[k], rows, err);
    TAKE(world->scratch, path->x, 6 * (size_t)part->count, err);
    path->from = world->now.ledger.time;
    return CAROM_OK;
}

// The sizes that tell round-off from motion.
static void measure(carom_linkage_path *path, double h)
{
    const carom_world *world = path->world;
    double speed = h * vec3_length(vec3_from(world->options.gravity)), mass = 0;
    path->lever = path->extent = 0;
    for (int i = 0; i < path->part->count; ++i) {
        int body = path->all->member[path->part->first + i];
        const carom_linkage_body *b = &path->start[i];
        double radius = carom_shape_radius(world->shape[body]);
        path->lever = fmax(path->lever, radius);
        path->extent = fmax(path->extent, vec3_length(b->x));
        speed = fmax(speed, vec3_length(b->v) + radius * vec3_length(b->w));
        mass = fmax(mass, 1 / b->inverse_mass);
    }
    path->extent += path->lever;
    path->speed = speed;
    path->quiet = 1e-10 * speed;
    path->quiet_impulse = 1e-12 * speed * mass;
}

static void push(const carom_linkage_path *path, int body, vec3 point, vec3 force)
{
    const carom_linkage *all = path->all;
    if (all->part_of[body] < 0 || &all->parts[all->part_of[body]] != path->part)
        return;
    carom_linkage_body *member = &path->start[all->local[body]];
    member->force = vec3_add(member->force, force);
    member->torque = vec3_add(member->torque, vec3_cross(vec3_sub(point, member->x), force));
}

// Contacts as they pressed in the step before.
static void lean(const carom_step *step, const carom_linkage_path *path)
{
    for (int i = 0; i < step->links->candidate_count; ++i) {
        int k = step->links->touching[i], warm = step->warm_index[k];
        const carom_candidate *candidate = &step->candidates[k];
        if (warm == 0)
            continue;
        vec3 force = vec3_scale(1 / step->world->warm.interval, step->warm_impulse[warm - 1]);
        push(path, candidate->a, candidate->point, vec3_neg(force));
        push(path, candidate->b, carom_step_point_of_b(candidate), force);
    }
}

static void flow(const carom_step *step, carom_linkage_path *path)
{
    const carom_world *world = step->world;
    for (int i = 0; i < path->part->count; ++i)
        path->start[i] = load(world, path->all->member[path->part->first + i]);
    if (path->leans)
        lean(step, path);
    measure(path, step->h);
    carom_linkage_flow(path, step->h);
}

static bool bounded(const carom_linkage_path *path)
{
    for (int k = 0; k < path->part->joint_count; ++k) {
        const carom_world_joint *joint =
            &path->world->joints[path->all->joint[path->part->first_joint + k]];
        if (joint->kind == CAROM_JOINT_STRING || joint->bounded[0] || joint->bounded[1])
            return true;
    }
    return false;
}

static void flow_share(const carom_step *step, bool joins, int threads)
{
    const carom_linkage_plan *plan = step->links;
    CAROM_TEAM_EACH (k, step->world->linkage->part_count, threads) {
        carom_linkage_path *path = &plan->paths[k];
        bool leans = !joins && plan->held[k] && bounded(path);
        if (path->h != step->h || path->overlong || path->leans != leans) {
            path->joins = joins;
            path->located = step->locates;
            path->held = plan->held[k];
            path->leans = leans;
            flow(step, path);
        }
    }
}
CAROM_TEAM_SHARE3(flow_share, const carom_step *, bool, int)

// `joins`: whether strings that become taut on the way take part, or wait to be located.
static void flow_all(const carom_step *step, bool joins)
{
    int parts = step->world->linkage->part_count;
    int team = parts > 1 ? step->world->options.threads : 1;
    CAROM_TEAM(team, flow_share(step, joins, team));
}

static int part_of(const carom_step *step, int body)
{
    return step->world->linkage->part_of[body];
}

static void hold(carom_step *step, const carom_candidate *candidate)
{
    int a = part_of(step, candidate->a), b = part_of(step, candidate->b);
    if (a >= 0)
        step->links->held[a] = 1;
    if (b >= 0)
        step->links->held[b] = 1;
}

carom_status carom_linkage_predict(carom_step *step, carom_error *err)
{
    carom_world *world = step->world;
    step->links = NULL;
    step->linked = NULL;
    if (world->joint_count == 0)
        return CAROM_OK;
    TRY(carom_linkage_prepare(world, err));
    const carom_linkage *l = world->linkage;
    TAKE_ZEROS(world->scratch, step->links, 1, err);
    carom_linkage_plan *plan = step->links;
    TAKE(world->scratch, plan->paths, l->part_count, err);
    TAKE_ZEROS(world->scratch, plan->held, l->part_count, err);
    TAKE(world->scratch, plan->touching, step->candidate_count, err);
    for (int k = 0; k < l->part_count; ++k)
        TRY(make_path(step, &l->parts[k], &plan->paths[k], err));
    for (int i = 0; i < step->candidate_count; ++i) {
        const carom_candidate *candidate = &step->candidates[i];
        if (part_of(step, candidate->a) < 0 && part_of(step, candidate->b) < 0)
            continue;
        plan->touching[plan->candidate_count++] = i;
        if (step->warm_index[i] > 0 && carom_rest_choose_takes_part(step, candidate))
            hold(step, candidate);
    }
    flow_all(step, !step->locates);
    return CAROM_OK;
}

bool carom_linkage_ends(const carom_step *step, int body, bool pressed,
                        const carom_linkage_body **from, const carom_linkage_body **to, double *h)
{
    int part = step->links ? part_of(step, body) : -1;
    if (part < 0 || (step->links->held[part] && !pressed) || step->links->paths[part].lost)
        return false;
    const carom_linkage_path *path = &step->links->paths[part];
    int local = step->world->linkage->local[body];
    *from = &path->start[local];
    *to = &path->now[local];
    *h = path->h;
    return path->h > 0;
}

bool carom_linkage_slack(const carom_step *step, int joint, int side)
{
    const carom_world *world = step->world;
    const carom_linkage *l = world->linkage;
    int body = step->links ? mover(world, &world->joints[joint]) : -1;
    if (body < 0)
        return false;
    const carom_linkage_path *path = &step->links->paths[l->part_of[body]];
    for (int i = 0; i < path->row_count; ++i) {
        const carom_linkage_row *row = &path->rows[i];
        if (row->kind == CAROM_LINKAGE_ROW_BOUND && row->joint == joint && row->side == side)
            return !row->on && path->overlong;
    }
    return false;
}

double carom_linkage_reaches(const carom_step *step)
{
    double first = HUGE_VAL;
    for (int k = 0; step->links && k < step->world->linkage->part_count; ++k)
        if (!step->links->held[k])
            first = fmin(first, step->links->paths[k].reaches);
    return first;
}

void carom_linkage_follow(const carom_step *step)
{
    if (step->links)
        flow_all(step, false);
}

// -- whether they go there ------------------------------------------------------------------------

// How far a point of a body goes within the interval.
static vec3 shift_of(const carom_step *step, int i, vec3 point)
{
    const carom_world *world = step->world;
    vec3 x = world->now.position[i], arm = vec3_sub(point, x), end, velocity;
    int part = part_of(step, i);
    if (part >= 0 && !step->links->held[part]) {
        const carom_linkage_body *b = &step->links->paths[part].now[world->linkage->local[i]];
        quat turn = quat_mul(b->q, quat_conjugate(world->now.rotation[i]));
        return vec3_sub(vec3_add(b->x, quat_rotate(turn, arm)), point);
    }
    vec3 turn = vec3_scale(step->h, vec3_cross(world->now.spin[i], arm));
    if (world->kind[i] == CAROM_BODY_DRIVEN) {
        carom_motion_drive(world, i, world->now.ledger.time + step->h, &end, &velocity);
        return vec3_add(vec3_sub(end, x), turn);
    }
    vec3 fall = world->pull[i];
    vec3 go = vec3_scale(step->h, world->now.velocity[i]);
    return vec3_add(vec3_axpy(go, 0.5 * step->h * step->h, fall), turn);
}

static bool presses(const carom_step *step, const carom_candidate *candidate)
{
    if (!carom_rest_choose_takes_part(step, candidate))
        return false;
    vec3 apart = vec3_sub(shift_of(step, candidate->b, carom_step_point_of_b(candidate)),
                          shift_of(step, candidate->a, candidate->point));
    double end = candidate->gap + vec3_dot(candidate->normal, apart);
    return end < fmin(candidate->gap, 0) - step->world->options.touch;
}

// A spring that swings too fast for any number of pieces.
static carom_status too_stiff(const carom_step *step, const carom_linkage_path *path,
                              carom_error *err)
{
    int joint = -1;
    double most = 0;
    for (int i = 0; i < path->row_count; ++i) {
        const carom_linkage_row *row = &path->rows[i];
        double swing = row->kind == CAROM_LINKAGE_ROW_SPRING
                           ? step->world->joints[row->joint].stiffness *
                                 carom_linkage_rows_response(row, path->start)
                           : 0;
        joint = swing > most ? row->joint : joint;
        most = fmax(most, swing);
    }
    carom_error_set(err, CAROM_BAD_INPUT,
                    "the spring of joint %d swings in %.3g s, too fast for an interval of %.3g s",
                    joint, path->stiff, path->h);
    carom_error_where(err, "step %lld", (long long)step->world->now.ledger.steps);
    return carom_error_fix(err, "use a smaller step or stiffness, or a rod in place of the spring");
}

static carom_status broken(const carom_step *step, const carom_linkage_path *path, carom_error *err)
{
    if (path->stiff > 0)
        return too_stiff(step, path, err);
    const carom_linkage_row *worst = &path->rows[0];
    for (int i = 1; i < path->row_count; ++i)
        if (!(fabs(path->rows[i].error) <= fabs(worst->error)))
            worst = &path->rows[i];
    int body = mover(step->world, &step->world->joints[worst->joint]);
    carom_error_set(err, CAROM_BROKE_PROMISE, "joint %d cannot be kept: its ends are %.3g apart",
                    worst->joint, fabs(worst->error));
    carom_error_where(err, "body %d, step %lld", body, (long long)step->world->now.ledger.steps);
    return carom_error_fix(err,
                           "use a smaller step, or look for joints that contradict each other");
}

carom_status carom_linkage_choose(carom_step *step, carom_error *err)
{
    carom_world *world = step->world;
    carom_linkage_plan *plan = step->links;
    if (!plan || step->h == 0)
        return CAROM_OK;
    const carom_linkage *l = world->linkage;
    flow_all(step, true);
    for (int k = 0; k < l->part_count; ++k)
        if (plan->paths[k].lost)
            return broken(step, &plan->paths[k], err);
    int pressing =
        0; // judged for all before any is held, so that the order does not affect the result
    for (int i = 0; i < plan->candidate_count; ++i)
        if (presses(step, &step->candidates[plan->touching[i]]))
            plan->touching[pressing++] = plan->touching[i];
    for (int i = 0; i < pressing; ++i)
        hold(step, &step->candidates[plan->touching[i]]);
    TAKE_ZEROS(world->scratch, step->linked, world->count, err);
    for (int i = 0; i < world->count; ++i)
        step->linked[i] = l->part_of[i] < 0           ? CAROM_LINKAGE_NONE
                          : plan->held[l->part_of[i]] ? CAROM_LINKAGE_HELD
                                                      : CAROM_LINKAGE_FREE;
    return CAROM_OK;
}

// Work of forces from outside on the members (J).
static double work_of(const carom_linkage_path *path)
{
    double work = 0;
    for (int m = 0; m < path->part->count; ++m) {
        const carom_linkage_body *from = &path->start[m], *to = &path->now[m];
        vec3 force = vec3_scale(1 / from->inverse_mass, vec3_sub(from->pull, from->fall));
        work += vec3_dot(force, vec3_sub(to->x, from->x)) + to->work;
    }
    return work;
}

// What the members of a linkage have lost since the interval began (J).
static double loss_of(const carom_step *step, const carom_linkage_path *path)
{
    double loss = 0;
    for (int m = 0; m < path->part->count; ++m) {
        int i = path->all->member[path->part->first + m];
        loss += step->energy[i] - carom_ledger_energy(step->world, i);
    }
    return loss;
}

// What the joints have held in this interval, on a.
static void note_load(carom_world *world, const carom_linkage_path *path)
{
    for (int i = 0; i < path->row_count; ++i) {
        const carom_linkage_row *row = &path->rows[i];
        carom_world_joint *joint = &world->joints[row->joint];
        bool angle = row->d.x == 0 && row->d.y == 0 && row->d.z == 0;
        // rows of the position have the two bodies the other way round
        double sign = row->b == (joint->b < 0 ? -1 : world->linkage->local[joint->b]) ? -1 : 1;
        if (angle)
            joint->angular_impulse =
                vec3_axpy(joint->angular_impulse, sign * row->impulse, row->turn_b);
        else
            joint->impulse = vec3_axpy(joint->impulse, sign * row->impulse, row->d);
    }
}

void carom_linkage_move(carom_step *step)
{
    carom_world *world = step->world;
    carom_ledger *ledger = &world->now.ledger;
    for (int k = 0; step->linked && k < world->linkage->part_count; ++k) {
        const carom_linkage_path *path = &step->links->paths[k];
        for (int m = 0; m < path->part->count; ++m) {
            int i = world->linkage->member[path->part->first + m];
            world->now.position[i] = path->now[m].x;
            world->now.rotation[i] = path->now[m].q;
            world->now.velocity[i] = path->now[m].v;
            world->now.spin[i] = path->now[m].w;
        }
        note_load(world, path);
        ledger->driven += path->work.driven;
        ledger->motors += path->work.motors;
        ledger->dampers += path->work.damped;
        *(path->struck ? &ledger->law : &ledger->rest) += path->caught;
        ledger->impacts += path->struck;
        double work = world->forced ? work_of(path) : 0; // of forces from outside
        ledger->driven += work;
        double loss = loss_of(step, path) + path->work.driven + work - path->caught;
        if (path->forced)
            loss += path->work.motors - path->work.damped + path->stored[0] - path->stored[1];
        if (step->links->held[k])
            ledger->rest += loss;
        else if (path->joined && loss > 0) // caught on the way, where its moment was not looked for
            ledger->stops += loss;
        world->linkage->gain[k] -= loss;
    }
}

void carom_linkage_fastest_gaining(const carom_world *world, int *body, int *joint)
{
    const carom_linkage *l = world->linkage;
    double max = 0;
    *body = *joint = -1;
    for (int k = 0; l && k < l->part_count; ++k)
        if (*joint < 0 || l->gain[k] > max) {
            max = l->gain[k];
            *joint = l->joint[l->parts[k].first_joint];
            *body = mover(world, &world->joints[*joint]);
        }
}

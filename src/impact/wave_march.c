// Micro-steps: leapfrog in impact time on all contacts of an island at once.
//
//   repeat { kick: dlambda_i = h k_i max(-g_i, 0)^eta for all i, v += M^-1 J^T dlambda; drift: q +=
//   h v }
//
// with half a drift before the first kick. Two passes per step, no queue and no order: a pass over
// contacts reads displacements and writes kicks, a pass over bodies gathers the kicks of its
// contacts in ascending order. Every number is written by one thread from numbers of the pass
// before, so the bits do not depend on the number of threads.
//
// Contacts far from closing are left out: every BLOCK steps those in play are listed anew. A body
// without contacts in play moves evenly and is brought up to date when it is next needed.
//
// With e < 1 unloading gives e^2 of the force (Stronge), and each contact keeps a ledger: the work
// of a kick is exactly 1/2 (u + u') dlambda summed over contacts, u before and u' after it. What
// loading stores is added up; where u turns positive, (1 - e^2) of it is booked as lost. See
// docs/wave.md.
#include "impact/wave.h"

#include "math/power.h"

enum { BLOCK = 8 };

typedef struct traits {
    bool turning, lossy, hertz;
} traits;

static void begin(wave_field *field, wave_run *run);
static void list_play(wave_field *field, wave_run *run);
static void list_awake(wave_field *field, wave_run *run);
static int64_t block(wave_field *field, wave_run *run);
static int kick_piece(wave_field *field, const wave_run *run, int piece, traits t);
static void gather_piece(wave_field *field, const wave_run *run, int piece, traits t);
static void rub_piece(wave_field *field, const wave_run *run, int piece);
static void rub_gather_piece(wave_field *field, const wave_run *run, int piece);
static bool jump(wave_field *field, wave_run *run);
static void close_ledger(wave_field *field, const wave_run *run);

static int pieces(int count)
{
    return (count + WAVE_PIECE - 1) / WAVE_PIECE;
}

// Number of items in a piece of `count`.
static int piece_size(int count, int piece)
{
    int rest = count - piece * WAVE_PIECE;
    return rest < WAVE_PIECE ? rest : WAVE_PIECE;
}

void carom_wave_march(wave_field *field, wave_run *run)
{
    double limit = field->set.steps * (field->set.cap + 2.0 * run->count);
    int cap = limit < 1e9 ? (int)limit : 1000000000;
    int64_t few = (int64_t)(field->set.tail * run->count);
    begin(field, run);
    while (run->step < cap) {
        list_play(field, run);
        list_awake(field, run);
        int64_t pressed = block(field, run);
        if (pressed == 0 && !jump(field, run))
            break;
        if (pressed > 0 && pressed <= few && run->step > 2 * field->set.steps)
            break;
    }
    run->capped = run->step >= cap;
    if (run->lossy)
        close_ledger(field, run);
}

// Half a drift, after which kicks and drifts alternate.
static void begin(wave_field *field, wave_run *run)
{
    run->clock = 0.5 * run->h;
    run->step = 0;
    run->kicks = 0;
#pragma omp parallel for num_threads(run->threads) if (run->threads > 1) schedule(static)
    for (int j = 0; j < run->body_count; ++j) {
        int i = field->island_body[run->first_body + j];
        wave_body *body = &field->bodies[i];
        body->q = vec3_scale(0.5 * run->h, body->v);
        if (run->turning)
            field->spins[i].q = vec3_scale(0.5 * run->h, field->spins[i].w);
    }
}

// Normal speed at a contact.
static inline double speed_at(const wave_field *field, const wave_contact *c, int i, bool turning)
{
    const wave_body *a = &field->bodies[c->a], *b = &field->bodies[c->b];
    double u = vec3_dot(c->d, vec3_sub(b->v, a->v));
    if (turning)
        u += vec3_dot(field->arms[i].b, field->spins[c->b].w) -
             vec3_dot(field->arms[i].a, field->spins[c->a].w);
    return u;
}

// Gap at a contact whose bodies are up to date.
static inline double gap_at(const wave_field *field, const wave_run *run, const wave_contact *c,
                            int i, bool turning)
{
    const wave_body *a = &field->bodies[c->a], *b = &field->bodies[c->b];
    double g = c->gap + vec3_dot(c->d, vec3_sub(b->q, a->q));
    if (turning) {
        g += vec3_dot(field->arms[i].b, field->spins[c->b].q) -
             vec3_dot(field->arms[i].a, field->spins[c->a].q);
        if (field->drift)
            g += run->clock * field->drift[i];
    }
    return g;
}

// Brings a body that moved evenly up to the present micro-step.
static void catch_up(wave_field *field, const wave_run *run, int i, int step)
{
    wave_body *body = &field->bodies[i];
    double late = (run->step - body->step) * run->h;
    if (late > 0) {
        body->q = vec3_axpy(body->q, late, body->v);
        if (run->turning)
            field->spins[i].q = vec3_axpy(field->spins[i].q, late, field->spins[i].w);
    }
    body->step = step;
}

// Which contacts may be compressed within the next block: compressed now, or close enough for their
// closing speed plus what a push from the neighbours may add.
static void list_play(wave_field *field, wave_run *run)
{
    const int *list = field->problem->island_contacts + run->first;
    const double span = BLOCK * run->h, push = 0.5 * run->speed;
#pragma omp parallel for num_threads(run->threads) if (run->threads > 1) schedule(static)
    for (int piece = 0; piece < pieces(run->count); ++piece) {
        int found = 0, base = run->first + piece * WAVE_PIECE;
        for (int j = 0; j < piece_size(run->count, piece); ++j) {
            int i = list[piece * WAVE_PIECE + j];
            const wave_contact *c = &field->contacts[i];
            field->in_play[i] = 0;
            if (field->skip[i] > 0) {
                --field->skip[i];
                continue;
            }
            const wave_body *a = &field->bodies[c->a], *b = &field->bodies[c->b];
            double u = speed_at(field, c, i, run->turning);
            // Bodies that were left alone have moved evenly since.
            double g = gap_at(field, run, c, i, run->turning);
            double late_a = a->inverse_mass > 0 ? (run->step - a->step) * run->h : 0;
            double late_b = b->inverse_mass > 0 ? (run->step - b->step) * run->h : 0;
            if (late_a > 0 || late_b > 0) {
                g += vec3_dot(c->d, vec3_sub(vec3_scale(late_b, b->v), vec3_scale(late_a, a->v)));
                if (run->turning)
                    g += late_b * vec3_dot(field->arms[i].b, field->spins[c->b].w) -
                         late_a * vec3_dot(field->arms[i].a, field->spins[c->a].w);
            }
            double reach = span * (fmax(-u, 0) + push);
            if (g <= reach) {
                field->in_play[i] = 1;
                field->play[base + found++] = i;
            } else {
                double blocks = g / reach - 1;
                field->skip[i] = blocks > 15 ? 15 : (unsigned char)blocks;
            }
        }
        field->play_count[run->first_piece + piece] = found;
    }
}

// The bodies of those contacts, each with its contacts in play.
static void list_awake(wave_field *field, wave_run *run)
{
    const carom_problem *problem = field->problem;
#pragma omp parallel for num_threads(run->threads) if (run->threads > 1) schedule(static)
    for (int piece = 0; piece < pieces(run->body_count); ++piece) {
        int found = 0, base = run->first_body + piece * WAVE_PIECE;
        for (int j = 0; j < piece_size(run->body_count, piece); ++j) {
            int i = field->island_body[base + j], first = problem->first_contact[i], count = 0;
            for (int k = first; k < problem->first_contact[i + 1]; ++k)
                if (field->in_play[problem->contact_list[k]])
                    field->near[first + count++] = problem->contact_list[k];
            field->bodies[i].near_count = count;
            if (count == 0)
                continue;
            catch_up(field, run, i, run->step + BLOCK);
            field->awake[base + found++] = i;
        }
        field->awake_count[run->first_body_piece + piece] = found;
    }
}

// BLOCK micro-steps. Returns how many contacts the last one found compressed.
static int64_t block(wave_field *field, wave_run *run)
{
    // The common case, spheres without loss, as constants: the compiler drops the rest.
    const traits plain = { false, false, true };
    const traits t = { run->turning, run->lossy, run->hertz };
    bool quick = !t.turning && !t.lossy && t.hertz;
    int contact_pieces = pieces(run->count), body_pieces = pieces(run->body_count);
    int64_t pressed = 0, kicks = 0;
    double clock = run->clock;
#pragma omp parallel num_threads(run->threads) if (run->threads > 1) firstprivate(clock)
    for (int step = 0; step < BLOCK; ++step) {
        wave_run at = *run;
        at.clock = clock + step * run->h;
#pragma omp single
        pressed = 0;
#pragma omp for schedule(static) reduction(+ : pressed)
        for (int piece = 0; piece < contact_pieces; ++piece)
            pressed +=
                quick ? kick_piece(field, &at, piece, plain) : kick_piece(field, &at, piece, t);
#pragma omp for schedule(static)
        for (int piece = 0; piece < body_pieces; ++piece) {
            if (quick)
                gather_piece(field, &at, piece, plain);
            else
                gather_piece(field, &at, piece, t);
        }
        if (run->rough) {
#pragma omp for schedule(static)
            for (int piece = 0; piece < contact_pieces; ++piece)
                rub_piece(field, &at, piece);
#pragma omp for schedule(static)
            for (int piece = 0; piece < body_pieces; ++piece)
                rub_gather_piece(field, &at, piece);
        }
#pragma omp single
        kicks += pressed;
    }
    run->kicks += kicks;
    run->step += BLOCK;
    run->clock += BLOCK * run->h;
    return pressed;
}

// Books the kick of a micro-step that took the normal speed from loss->u to u. Loading stores its
// work; where the speed turns positive within the kick only the part before zero was loading (speed
// is linear in the impulse), and the cycle ends.
static inline void book(wave_loss *loss, double kick, double u)
{
    double before = loss->u;
    if (before < 0 && u < 0) {
        loss->stored -= 0.5 * (before + u) * kick;
    } else if (before < 0) {
        loss->stored += 0.5 * before * before / (u - before) * kick;
        loss->lost += (1 - loss->keep) * loss->stored;
        loss->stored = 0;
    } else if (u < 0) {
        loss->stored += 0.5 * u * u / (before - u) * kick;
    }
}

static inline vec3 slip_at(const wave_field *field, const wave_contact *c, const wave_rough *rough)
{
    const wave_spin *a = &field->spins[c->a], *b = &field->spins[c->b];
    vec3 slip = vec3_sub(vec3_add(field->bodies[c->b].v, vec3_cross(b->w, rough->arm_b)),
                         vec3_add(field->bodies[c->a].v, vec3_cross(a->w, rough->arm_a)));
    return vec3_axpy(slip, -vec3_dot(slip, c->d), c->d);
}

// Friction's work in the last micro-step, exactly: 1/2 (slip + slip') . impulse, never positive.
static inline void book_friction(wave_field *field, const wave_contact *c, int i)
{
    wave_rough *rough = &field->roughs[i];
    if (vec3_dot(rough->kick, rough->kick) == 0)
        return;
    vec3 both = vec3_add(rough->slip, slip_at(field, c, rough));
    field->losses[i].lost -= 0.5 * vec3_dot(both, rough->kick);
    rough->kick = vec3_make(0, 0, 0);
}

// The kick of a contact with e < 1 from the full kick h F: loading acts with F, unloading with e^2
// F, and a contact pressed by its neighbours at u = 0 holds with something between. Which it will
// be within this kick is told by the change of u that the last one brought: it goes on smoothly
// except for the contact's own jump of force, (1 - e^2) F, answered by W_ii. A holding contact
// corrects its last kick by what would be left of u; dividing by the response of all neighbours
// together (push) keeps contacts that correct at once from overshooting.
static inline double hysteresis(const wave_loss *loss, double u, double change, double last,
                                double full)
{
    double least = loss->keep * full, next = u + change;
    double hold = fmin(fmax(last - next / loss->push, least), full);
    if (u < 0) {
        if (next <= 0)
            return full;
        bool leaves = change - loss->own * (full - least) >= 0;
        double loading = -u / change;
        return leaves ? full * loading + least * (1 - loading) : hold;
    }
    return next - loss->own * (last - least) >= 0 ? least : hold;
}

static inline double lossy_kick(wave_field *field, const wave_run *run, const wave_contact *c,
                                int i, double full)
{
    wave_loss *loss = &field->losses[i];
    double u = speed_at(field, c, i, run->turning), change = u - loss->u;
    if (run->rough)
        book_friction(field, c, i);
    else if (c->kick > 0)
        book(loss, c->kick, u);
    loss->u = u;
    return loss->keep == 1 || full == 0 ? full : hysteresis(loss, u, change, c->kick, full);
}

static inline __attribute__((always_inline)) int kick_piece(wave_field *field, const wave_run *run,
                                                            int piece, traits t)
{
    const int *play = field->play + run->first + piece * WAVE_PIECE;
    int count = field->play_count[run->first_piece + piece], pressed = 0;
    const double faint = 1e-4 * run->speed; // what a lossy contact may still add when it is left
    for (int j = 0; j < count; ++j) {
        int i = play[j];
        wave_contact *c = &field->contacts[i];
        double depth = fmax(-gap_at(field, run, c, i, t.turning), 0), kick;
        if (t.hertz)
            kick = c->hk * (depth * sqrt(depth));
        else
            kick = depth > 0
                       ? c->hk * carom_power(depth, field->set.exponent > 0
                                                        ? field->set.exponent
                                                        : field->problem->contacts[i].exponent)
                       : 0;
        if (t.lossy)
            kick = lossy_kick(field, run, c, i, kick);
        c->kick = kick;
        c->lambda += kick;
        pressed += kick > (t.lossy ? faint / field->losses[i].push : 0);
    }
    return pressed;
}

static inline __attribute__((always_inline)) void
gather_piece(wave_field *field, const wave_run *run, int piece, traits t)
{
    const int *awake = field->awake + run->first_body + piece * WAVE_PIECE;
    int count = field->awake_count[run->first_body_piece + piece];
    for (int j = 0; j < count; ++j) {
        int i = awake[j], share = 0;
        wave_body *body = &field->bodies[i];
        const int *near = field->near + field->problem->first_contact[i];
        vec3 linear = { 0, 0, 0 }, angular = { 0, 0, 0 };
        for (int k = 0; k < body->near_count; ++k) {
            const wave_contact *c = &field->contacts[near[k]];
            bool is_b = c->b == i;
            double kick = is_b ? c->kick : -c->kick;
            linear = vec3_axpy(linear, kick, c->d);
            if (t.turning)
                angular = vec3_axpy(angular, kick,
                                    is_b ? field->arms[near[k]].b : field->arms[near[k]].a);
            if (t.lossy && run->rough)
                share += c->kick > 0 && field->roughs[near[k]].mu > 0;
        }
        body->v = vec3_axpy(body->v, body->inverse_mass, linear);
        if (t.turning) {
            wave_spin *spin = &field->spins[i];
            spin->w = vec3_add(spin->w, sym3_mul(spin->inverse_inertia, angular));
            if (!run->rough)
                spin->q = vec3_axpy(spin->q, run->h, spin->w);
        }
        if (t.lossy && run->rough)
            field->share[i] = share;
        else
            body->q = vec3_axpy(body->q, run->h, body->v);
    }
}

// s^T K s of one end, K the response of a body to an impulse at the contact.
static double compliance(const wave_field *field, int body, vec3 arm, vec3 s)
{
    double inverse = field->bodies[body].inverse_mass;
    if (inverse == 0)
        return 0;
    vec3 torque = vec3_cross(arm, s);
    return field->share[body] *
           (inverse * vec3_dot(s, s) +
            vec3_dot(torque, sym3_mul(field->spins[body].inverse_inertia, torque)));
}

// Friction after the normal kicks: against the slip, at most mu times the kick, and at most what
// stops the slip when each body's mass is shared among its rubbing contacts. By Cauchy and Schwarz
// |sum of n vectors|^2 <= n times the sum of squares, so the energy all contacts together take out
// is at least what each would with its share, and that is never negative: no limiter is needed.
static void rub_piece(wave_field *field, const wave_run *run, int piece)
{
    const int *play = field->play + run->first + piece * WAVE_PIECE;
    for (int j = 0; j < field->play_count[run->first_piece + piece]; ++j) {
        int i = play[j];
        wave_contact *c = &field->contacts[i];
        wave_rough *rough = &field->roughs[i];
        if (c->kick > 0)
            book(&field->losses[i], c->kick, speed_at(field, c, i, true));
        if (!(c->kick > 0) || rough->mu == 0)
            continue;
        vec3 s = slip_at(field, c, rough);
        double square = vec3_dot(s, s);
        double soft =
            compliance(field, c->a, rough->arm_a, s) + compliance(field, c->b, rough->arm_b, s);
        if (!(square > 0) || !(soft > 0))
            continue;
        double factor = fmin(square / soft, rough->mu * c->kick / sqrt(square));
        rough->slip = s;
        rough->kick = vec3_scale(-factor, s);
        rough->impulse = vec3_add(rough->impulse, rough->kick);
    }
}

static void rub_gather_piece(wave_field *field, const wave_run *run, int piece)
{
    const int *awake = field->awake + run->first_body + piece * WAVE_PIECE;
    for (int j = 0; j < field->awake_count[run->first_body_piece + piece]; ++j) {
        int i = awake[j];
        wave_body *body = &field->bodies[i];
        wave_spin *spin = &field->spins[i];
        const int *near = field->near + field->problem->first_contact[i];
        vec3 linear = { 0, 0, 0 }, angular = { 0, 0, 0 };
        for (int k = 0; k < body->near_count && field->share[i] > 0; ++k) {
            const wave_rough *rough = &field->roughs[near[k]];
            bool is_b = field->contacts[near[k]].b == i;
            vec3 kick = is_b ? rough->kick : vec3_neg(rough->kick);
            linear = vec3_add(linear, kick);
            angular = vec3_add(angular, vec3_cross(is_b ? rough->arm_b : rough->arm_a, kick));
        }
        body->v = vec3_axpy(body->v, body->inverse_mass, linear);
        spin->w = vec3_add(spin->w, sym3_mul(spin->inverse_inertia, angular));
        body->q = vec3_axpy(body->q, run->h, body->v);
        spin->q = vec3_axpy(spin->q, run->h, spin->w);
    }
}

// Nothing is compressed: go on to shortly before the next closing. False where no contact will
// close faster than the share of the speed that the sweeps may end.
static bool jump(wave_field *field, wave_run *run)
{
    const int *list = field->problem->island_contacts + run->first;
    double slow = 1e-3 * run->speed, soonest = HUGE_VAL;
    for (int j = 0; j < run->body_count; ++j)
        catch_up(field, run, field->island_body[run->first_body + j], run->step);
    for (int j = 0; j < run->count; ++j) {
        const wave_contact *c = &field->contacts[list[j]];
        double u = speed_at(field, c, list[j], run->turning);
        field->skip[list[j]] = 0;
        if (u < -slow)
            soonest = fmin(soonest, fmax(gap_at(field, run, c, list[j], run->turning), 0) / -u);
    }
    if (soonest == HUGE_VAL)
        return false;
    double ahead = floor(soonest / run->h) * run->h;
    for (int j = 0; j < run->body_count; ++j) {
        int i = field->island_body[run->first_body + j];
        field->bodies[i].q = vec3_axpy(field->bodies[i].q, ahead, field->bodies[i].v);
        if (run->turning)
            field->spins[i].q = vec3_axpy(field->spins[i].q, ahead, field->spins[i].w);
    }
    run->clock += ahead;
    return true;
}

// Books the last kicks, and counts what is still stored as if it were released now.
static void close_ledger(wave_field *field, const wave_run *run)
{
    const int *list = field->problem->island_contacts + run->first;
    for (int j = 0; j < run->count; ++j) {
        int i = list[j];
        const wave_contact *c = &field->contacts[i];
        wave_loss *loss = &field->losses[i];
        if (run->rough)
            book_friction(field, c, i);
        else if (c->kick > 0)
            book(loss, c->kick, speed_at(field, c, i, run->turning));
        loss->lost += (1 - loss->keep) * loss->stored;
        loss->stored = 0;
    }
}

// Kicks and drifts of plain problems, the quick loops of the law `wave`: spheres, Hertz, equal
// springs, neither loss nor friction.
//
// Active contacts lie once more in the order of their list (wave_field.listed): a kick streams
// through half a cache line per contact and looks at four of them at a time. Nothing fills up the
// last four but contacts without a normal, which are never compressed. Of a body only its line is
// touched. Sums are those of one contact after the other, so the bits do not depend on the lanes.
#include "impact/wave.h"

#include "math/lanes.h"

static int kick_few(wave_field *field, const wave_run *run, int piece);
CAROM_LANES_WIDE static int kick_many(wave_field *field, const wave_run *run, int piece);
CAROM_LANES_WIDE static int kick_outer(wave_field *field, const wave_run *run, int piece);
CAROM_LANES_WIDE static void move_bodies(wave_field *field, const wave_run *run, int piece);

int carom_wave_plain_contacts(wave_field *field, const wave_run *run, int piece)
{
    if (piece >= run->inner && run->threads > 1)
        return kick_outer(field, run, piece);
    return field->active_count[run->first_piece + piece] < WAVE_MANY ? kick_few(field, run, piece)
                                                                     : kick_many(field, run, piece);
}

void carom_wave_plain_bodies(wave_field *field, const wave_run *run, int piece)
{
    move_bodies(field, run, piece);
}

// Contacts change the velocities at once: the pass reads displacements only. Few of them go
// one by one, which takes as long as by fours, or less where there are no vector registers.
static int kick_few(wave_field *field, const wave_run *run, int piece)
{
    const int *active_contacts =
        field->active_contacts + field->first_place[run->first_piece + piece];
    const wave_contact *contacts = field->contacts;
    wave_body *bodies = field->bodies;
    double *lambda = field->lambda;
    unsigned char *disturbed = field->disturbed[!run->present];
    int count = field->active_count[run->first_piece + piece], pressed = 0;
    const double hk = run->h * field->problem->contacts[0].stiffness, min = wave_least_depth(run);
    for (int j = 0; j < count; ++j) {
        const wave_contact *c = &contacts[active_contacts[j]];
        double depth = -vec3_dot(c->d, vec3_sub(bodies[c->b].q, bodies[c->a].q));
        if (!(depth > 0))
            continue;
        double kick = hk * (depth * sqrt(depth));
        wave_body *a = &bodies[c->a], *b = &bodies[c->b];
        lambda[active_contacts[j]] += kick;
        pressed += depth > min;
        if (a->inverse_mass > 0) {
            a->v = vec3_axpy(a->v, -kick * a->inverse_mass, c->d);
            disturbed[c->a] = 1;
        }
        if (b->inverse_mass > 0) {
            b->v = vec3_axpy(b->v, kick * b->inverse_mass, c->d);
            disturbed[c->b] = 1;
        }
    }
    return pressed;
}

// Four contacts in a row.
typedef struct four {
    lanes d[LANES]; // normals, as rows
    lanes depth;    // negative where the spheres are apart
} four;

LANES_INLINE four look_at(const wave_body *bodies, const wave_contact *c)
{
    four f;
    lanes along[LANES];
    for (int k = 0; k < LANES; ++k) {
        f.d[k] = (lanes)((lanes_flags)lanes_load(&c[k].d.x) & (lanes_flags){ -1, -1, -1, 0 });
        along[k] = f.d[k] * (lanes_load(&bodies[c[k].b].q.x) - lanes_load(&bodies[c[k].a].q.x));
    }
    lanes_transpose(along);
    f.depth = -(along[0] + along[1] + along[2]);
    return f;
}

// v += s d of a body that is movable.
LANES_INLINE void push(wave_body *bodies, unsigned char *disturbed, int i, double kick, lanes d)
{
    double *v = &bodies[i].v.x, inverse_mass = bodies[i].inverse_mass;
    if (!(inverse_mass > 0))
        return;
    lanes_store(v, lanes_load(v) + lanes_all(kick * inverse_mass) * d);
    disturbed[i] = 1;
}

LANES_INLINE int count_of(lanes_flags sum)
{
    return -(int)(sum[0] + sum[1] + sum[2] + sum[3]);
}

CAROM_LANES_WIDE static int kick_many(wave_field *field, const wave_run *run, int piece)
{
    const int which = run->first_piece + piece, count = field->active_count[which];
    const wave_contact *c = wave_listed(field, which);
    // Bytes may alias anything: what is written cannot change these.
    const int *place = field->active_contacts + field->first_place[which];
    unsigned char *const disturbed = field->disturbed[!run->present];
    wave_body *const bodies = field->bodies;
    double *const lambda = field->lambda;
    const lanes hk = lanes_all(run->h * field->problem->contacts[0].stiffness), zero = lanes_all(0);
    const lanes min = lanes_all(wave_least_depth(run));
    lanes_flags pressed = lanes_flags_all(0);
    for (int j = 0; j < count; j += LANES, c += LANES) {
        four now = look_at(bodies, c);
        lanes_flags closed = now.depth > zero;
        if (!lanes_any(closed))
            continue;
        lanes depth = lanes_keep(closed, now.depth), kick = hk * (depth * lanes_sqrt(depth));
        pressed += now.depth > min;
        for (int k = 0; k < LANES; ++k) {
            if (!closed[k])
                continue;
            lambda[place[j + k]] += kick[k];
            push(bodies, disturbed, c[k].a, -kick[k], now.d[k]);
            push(bodies, disturbed, c[k].b, kick[k], now.d[k]);
        }
    }
    return count_of(pressed);
}

CAROM_LANES_WIDE static int kick_outer(wave_field *field, const wave_run *run, int piece)
{
    const int which = run->first_piece + piece, count = field->active_count[which];
    const wave_contact *c = wave_listed(field, which);
    const int *place = field->active_contacts + field->first_place[which];
    const lanes hk = lanes_all(run->h * field->problem->contacts[0].stiffness), zero = lanes_all(0);
    const lanes min = lanes_all(wave_least_depth(run));
    lanes_flags pressed = lanes_flags_all(0);
    for (int j = 0; j < count; j += LANES, c += LANES) {
        four now = look_at(field->bodies, c);
        lanes depth = lanes_max(now.depth, zero), kick = hk * (depth * lanes_sqrt(depth));
        pressed += now.depth > min;
        for (int k = 0; k < LANES && j + k < count; ++k) {
            field->kick[place[j + k]] = kick[k];
            field->lambda[place[j + k]] += kick[k];
        }
    }
    return count_of(pressed);
}

// What a body's outer contacts do to it.
LANES_INLINE void gather(wave_field *field, const wave_run *run, int i)
{
    wave_body *body = &field->bodies[i];
    const int *around = field->active_around + field->first_around[i];
    for (int k = 0; k < field->active_around_count[i]; ++k) {
        int contact = around[k] >= 0 ? around[k] : ~around[k];
        double kick = field->kick[contact];
        if (!(kick > 0))
            continue;
        body->v = vec3_axpy(body->v, (around[k] >= 0 ? kick : -kick) * body->inverse_mass,
                            field->contacts[contact].d);
        field->disturbed[!run->present][i] = 1;
    }
}

CAROM_LANES_WIDE static void move_bodies(wave_field *field, const wave_run *run, int piece)
{
    const int *active_bodies = field->active_bodies + run->first_body + piece * field->piece;
    const int count = field->active_body_count[run->first_body_piece + piece];
    const int gathering = field->gathering_count[run->first_body_piece + piece];
    const lanes h = lanes_all(run->h);
    for (int j = 0; j < gathering; ++j)
        gather(field, run, active_bodies[j]);
    for (int j = 0; j < count; ++j) {
        double *q = &field->bodies[active_bodies[j]].q.x;
        lanes_store(q, lanes_load(q) + h * lanes_load(q + LANES)); // and the mass stays
    }
}

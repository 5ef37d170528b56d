// The impact phase: where something approaches faster than the resting speed, its whole island goes
// to the law, with every touching contact, also those that do not approach: the wave passes through
// them.
#include "world/step.h"

static bool touching(const carom_step *step, const carom_touch *touch)
{
    if (touch->gap <= step->world->options.slop)
        return true;
    return !step->to_event && touch->gap + touch->u * step->remaining < 0;
}

static bool impacting(const carom_step *step, const carom_touch *touch)
{
    const carom_world_options *options = &step->world->options;
    bool here = touch->gap <= options->touch || (!step->to_event && touching(step, touch));
    return here && touch->u < -options->resting_speed;
}

static int find(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

// The instant's own numbering: bodies and contacts of the islands in impact only.
typedef struct clash {
    carom_impact_body *bodies;
    carom_impact_contact *contacts;
    int *body_of;  // world index of a clash body
    int *touch_of; // touch index of a clash contact
    int body_count, contact_count;
} clash;

static carom_status mark_islands(const carom_step *step, int **parent_out, unsigned char **hit_out,
                                 carom_error *err);
static carom_status gather(carom_step *step, int *parent, const unsigned char *hit, clash *c,
                           carom_error *err);
static carom_status resolve(carom_step *step, clash *c, carom_error *err);

carom_status carom_clash_resolve(carom_step *step, carom_error *err)
{
    bool any = false;
    for (int i = 0; i < step->touch_count && !any; ++i)
        any = impacting(step, &step->touches[i]);
    if (!any)
        return CAROM_OK;
    carom_arena_mark mark = carom_arena_mark_here(step->world->scratch);
    int *parent = NULL;
    unsigned char *hit = NULL;
    clash c = { 0 };
    TRY(mark_islands(step, &parent, &hit, err));
    TRY(gather(step, parent, hit, &c, err));
    TRY(resolve(step, &c, err));
    for (int i = 0; i < step->touch_count;
         ++i) // every later phase sees the speeds after the impact
        step->touches[i].u =
            vec3_dot(step->touches[i].normal, carom_step_slip(step->world, &step->touches[i]));
    carom_arena_rewind(step->world->scratch, mark);
    return CAROM_OK;
}

static carom_status mark_islands(const carom_step *step, int **parent_out, unsigned char **hit_out,
                                 carom_error *err)
{
    carom_world *world = step->world;
    int *parent;
    unsigned char *hit;
    TAKE(world->scratch, parent, world->count, err);
    TAKE_ZEROS(world->scratch, hit, world->count, err);
    for (int i = 0; i < world->count; ++i)
        parent[i] = i;
    for (int i = 0; i < step->touch_count; ++i) {
        const carom_touch *touch = &step->touches[i];
        if (!touching(step, touch) || world->fixed[touch->a] || world->fixed[touch->b])
            continue;
        int a = find(parent, touch->a), b = find(parent, touch->b);
        parent[a > b ? a : b] = a > b ? b : a;
    }
    for (int i = 0; i < step->touch_count; ++i) {
        const carom_touch *touch = &step->touches[i];
        if (impacting(step, touch))
            hit[find(parent, world->fixed[touch->a] ? touch->b : touch->a)] = 1;
    }
    *parent_out = parent;
    *hit_out = hit;
    return CAROM_OK;
}

static carom_status gather(carom_step *step, int *parent, const unsigned char *hit, clash *c,
                           carom_error *err)
{
    carom_world *world = step->world;
    int *number;
    TAKE(world->scratch, number, world->count, err);
    TAKE(world->scratch, c->bodies, world->count, err);
    TAKE(world->scratch, c->body_of, world->count, err);
    TAKE(world->scratch, c->contacts, step->touch_count, err);
    TAKE(world->scratch, c->touch_of, step->touch_count, err);
    c->body_count = c->contact_count = 0;
    for (int i = 0; i < world->count; ++i)
        number[i] = -1;
    for (int i = 0; i < step->touch_count; ++i) {
        const carom_touch *touch = &step->touches[i];
        int mover = world->fixed[touch->a] ? touch->b : touch->a;
        if (!touching(step, touch) || !hit[find(parent, mover)])
            continue;
        int ends[2] = { touch->a, touch->b };
        for (int k = 0; k < 2; ++k) {
            int body = ends[k];
            if (number[body] >= 0)
                continue;
            sym3 s = world->inverse_inertia[body];
            carom_impact_body *copy = &c->bodies[c->body_count];
            *copy =
                (carom_impact_body){ .inverse_mass = world->inverse_mass[body],
                                     .inverse_inertia = { s.xx, s.yy, s.zz, s.xy, s.xz, s.yz } };
            vec3_store(world->now.position[body], copy->position);
            vec3_store(world->now.velocity[body], copy->velocity);
            vec3_store(world->now.spin[body], copy->spin);
            c->body_of[c->body_count] = body;
            number[body] = c->body_count++;
        }
        const carom_material *ma = &world->materials[world->material[touch->a]];
        const carom_material *mb = &world->materials[world->material[touch->b]];
        carom_impact_contact *contact = &c->contacts[c->contact_count];
        // two springs in a row: their compliances add
        *contact = (carom_impact_contact){ .a = number[touch->a],
                                           .b = number[touch->b],
                                           .restitution = touch->restitution,
                                           .friction = touch->friction,
                                           .stiffness = 2 / (1 / ma->stiffness + 1 / mb->stiffness),
                                           .exponent = fmax(ma->exponent, mb->exponent) };
        vec3_store(touch->point, contact->point);
        vec3_store(touch->normal, contact->normal);
        c->touch_of[c->contact_count++] = i;
    }
    return CAROM_OK;
}

static carom_status resolve(carom_step *step, clash *c, carom_error *err)
{
    carom_world *world = step->world;
    carom_ledger *ledger = &world->now.ledger;
    carom_impact impact = { c->body_count, c->contact_count, c->bodies, c->contacts };
    carom_impact_outcome out = { .report = { 0 } };
    TAKE(world->scratch, out.velocities, c->body_count, err);
    TAKE(world->scratch, out.spins, c->body_count, err);
    TAKE(world->scratch, out.impulses, c->contact_count, err);
    TRY(carom_impact_resolve(world->workspace, &impact, world->options.law,
                             &world->options.law_options, &out, err));
    for (int i = 0; i < c->body_count; ++i) {
        int body = c->body_of[i];
        if (world->fixed[body])
            continue;
        world->now.velocity[body] = vec3_from(out.velocities[i]);
        world->now.spin[body] = vec3_from(out.spins[i]);
    }
    const carom_impact_report *report = &out.report;
    double largest = 0;
    for (int i = 0; i < c->contact_count; ++i) {
        largest = fmax(largest, fabs(out.impulses[i][0]));
        carom_journal_impact(world, &step->touches[c->touch_of[i]], out.impulses[i]);
    }
    carom_journal_judge(world, report, largest);
    ledger->law += report->energy_before + report->work - report->energy_after;
    ledger->driven += report->work;
    ledger->sweeps += report->sweeps;
    ++ledger->impacts;
    ledger->limited += report->limited;
    ledger->capped += report->end == CAROM_IMPACT_CAPPED;
    ledger->endless += report->end == CAROM_IMPACT_ENDLESS;
    return CAROM_OK;
}

// What a contact's restitution is: from the materials, from the speed, or from the place on the
// surface where a body has a source of restitution (carom/restitution.h), such as a bounce map.
//
// Symbols: n the normal from a to b, so a is met with the outward normal +n and b with -n; e one
// body's value against an immovable wall; w = 1/m + (r x n).I^-1 (r x n) its response, 0 for a body
// that cannot move. The values of a pair are combined by the world's rule. The immovable partner
// without a source is the wall that the other's value is meant for: that value stands.
//
// A face that lands flat violates the assumption of one point: all contacts of a face manifold get
// one value, that of its middle. Two contacts of a pair belong to one manifold where their normals
// agree and the point half way between them lies on both surfaces, too: the corners of a face do,
// the feet of a table do not.
#include "shape/shape.h"
#include "world/pair_material.h"
#include "world/step.h"

#define LIKE_NORMALS 0.9999 // cosine: 0.8 degrees
#define ON_SURFACE 1e-3     // of a body's radius

static double of_materials(const carom_world *world, const carom_candidate *candidate)
{
    double slip = 0;
    if (carom_pair_material_wants_slip(world, candidate->a, candidate->b)) {
        vec3 u = carom_step_relative_velocity(world, candidate);
        vec3 along = vec3_axpy(u, -vec3_dot(candidate->normal, u), candidate->normal);
        slip = sqrt(vec3_dot(along, along));
    }
    return carom_pair_material_restitution(world, candidate->a, candidate->b, -candidate->u, slip);
}

double carom_restitution_now(const carom_world *world, const carom_candidate *candidate)
{
    double e =
        candidate->restitution >= 0 ? candidate->restitution : of_materials(world, candidate);
    return candidate->points > 0 ? carom_cohesion_restitution(world, candidate, e) : e;
}

bool carom_restitution_materials_elastic(const carom_world *world)
{
    bool any = false;
    for (int i = 0; i < world->material_count && !any; ++i)
        any = world->materials[i].restitution >= CAROM_RESTITUTION_ELASTIC ||
              world->materials[i].fade != 0;
    for (int i = 0; i < world->pair_count && !any; ++i)
        any = world->pairs[i].restitution >= CAROM_RESTITUTION_ELASTIC;
    return any;
}

// -- by place ------------------------------------------------------------------------------------

// A manifold: contacts of one pair that get one value.
typedef struct patch {
    int a, b, count;
    vec3 first, sum, normal; // point of its first contact, sum of all points
    vec3 shift;              // as of the pair's candidates
    double speed;            // m/s, fastest approach
} patch;

static vec3 unrotate(quat q, vec3 v)
{
    return quat_rotate(quat_conjugate(q), v);
}

static bool mapped(const carom_world *world, int body)
{
    return world->bounce[body].functions != NULL;
}

static vec3 inside(const carom_world *world, int body, vec3 point)
{
    return unrotate(world->now.rotation[body], vec3_sub(point, world->now.position[body]));
}

static bool on_surface(const carom_world *world, int body, vec3 point)
{
    double p[3], radius = carom_shape_radius(world->shape[body]);
    double margin = 2 * world->options.slop + (isfinite(radius) ? ON_SURFACE * radius : 0);
    vec3_store(inside(world, body, point), p);
    return fabs(carom_shape_distance(world->shape[body], p)) <= margin;
}

static bool belongs(const carom_world *world, const patch *p, const carom_candidate *candidate)
{
    vec3 middle = vec3_scale(0.5, vec3_add(p->first, candidate->point));
    return vec3_dot(p->normal, candidate->normal) > LIKE_NORMALS &&
           on_surface(world, p->a, middle) && on_surface(world, p->b, vec3_sub(middle, p->shift));
}

// What one body brings into a contact.
typedef struct side {
    int body;
    carom_restitution_site site;
    double epsilon;
} side;

static carom_status value_of(const carom_world *world, side *s, double speed, carom_error *err)
{
    const carom_restitution_source *bounce = &world->bounce[s->body];
    if (!bounce->functions) {
        // where the other has a source of its own, which knows approach alone
        s->epsilon =
            carom_pair_material_at_speed(&world->materials[world->material[s->body]], speed, 0);
        return CAROM_OK;
    }
    unsigned char *scratch = NULL;
    if (bounce->functions->scratch)
        TAKE(world->scratch, scratch, bounce->functions->scratch(bounce->data, NULL), err);
    TRY(bounce->functions->value(bounce->data, &s->site, scratch, &s->epsilon, err));
    s->epsilon *= bounce->scale;
    return CAROM_OK;
}

// Two moving bodies whose sources know how to treat them as the pair they are.
static bool paired(const carom_world *world, const side s[2])
{
    const carom_restitution_functions *functions = world->bounce[s[0].body].functions;
    return functions && functions->pair && functions == world->bounce[s[1].body].functions &&
           s[0].site.response > 0 && s[1].site.response > 0;
}

static carom_status value_of_both(const carom_world *world, const side s[2], double *epsilon,
                                  carom_error *err)
{
    const carom_restitution_source *bounce[2] = { &world->bounce[s[0].body],
                                                  &world->bounce[s[1].body] };
    const void *const data[2] = { bounce[0]->data, bounce[1]->data };
    const carom_restitution_site site[2] = { s[0].site, s[1].site };
    double w = site[0].response + site[1].response, scale = 0;
    unsigned char *scratch = NULL;
    for (int k = 0; k < 2; ++k)
        scale += site[k].response / w * bounce[k]->scale;
    if (bounce[0]->functions->scratch)
        TAKE(world->scratch, scratch, bounce[0]->functions->scratch(data[0], data[1]), err);
    TRY(bounce[0]->functions->pair(data, site, scratch, epsilon, err));
    *epsilon *= scale;
    return CAROM_OK;
}

static carom_status value_of_patch(const carom_world *world, const patch *p, double *epsilon,
                                   carom_error *err)
{
    vec3 middle = vec3_scale(1.0 / p->count, p->sum);
    side s[2] = { { .body = p->a }, { .body = p->b } };
    for (int k = 0; k < 2; ++k) {
        vec3 normal = k ? vec3_neg(p->normal) : p->normal;
        vec3 point = k ? vec3_sub(middle, p->shift) : middle;
        carom_restitution_site *site = &s[k].site;
        vec3_store(inside(world, s[k].body, point), site->point);
        vec3_store(unrotate(world->now.rotation[s[k].body], normal), site->normal);
        site->response = carom_step_response(world, s[k].body, point, normal);
    }
    if (paired(world, s))
        return value_of_both(world, s, epsilon, err);
    bool wall[2];
    for (int k = 0; k < 2; ++k) {
        wall[k] = s[k].site.response == 0 && !mapped(world, s[k].body);
        if (!wall[k])
            TRY(value_of(world, &s[k], p->speed, err));
    }
    *epsilon = wall[0] ? s[1].epsilon
               : wall[1]
                   ? s[0].epsilon
                   : carom_restitution_rule_combine(
                         world->options.bounce_rule, (double[2]){ s[0].epsilon, s[1].epsilon },
                         (double[2]){ s[0].site.response, s[1].site.response });
    return CAROM_OK;
}

// The contacts [begin, end) of one pair.
static carom_status settle_pair(carom_step *step, const int *near, int count, carom_error *err)
{
    carom_world *world = step->world;
    carom_arena_mark mark = carom_arena_mark_here(world->scratch);
    patch *patches;
    int *of, patch_count = 0;
    TAKE(world->scratch, patches, count, err);
    TAKE(world->scratch, of, count, err);
    for (int i = 0; i < count; ++i) {
        const carom_candidate *candidate = &step->candidates[near[i]];
        int k = 0;
        while (k < patch_count && !belongs(world, &patches[k], candidate))
            ++k;
        if (k == patch_count)
            patches[patch_count++] = (patch){ .a = candidate->a,
                                              .b = candidate->b,
                                              .first = candidate->point,
                                              .shift = candidate->shift,
                                              .normal = candidate->normal };
        patch *p = &patches[k];
        p->sum = vec3_add(p->sum, candidate->point);
        p->speed = fmax(p->speed, -candidate->u);
        ++p->count;
        of[i] = k;
    }
    for (int k = 0; k < patch_count; ++k) {
        double epsilon;
        TRY(value_of_patch(world, &patches[k], &epsilon, err));
        for (int i = 0; i < count; ++i)
            if (of[i] == k)
                step->candidates[near[i]].restitution = epsilon;
    }
    carom_arena_rewind(world->scratch, mark);
    return CAROM_OK;
}

carom_status carom_restitution_mapped(carom_step *step, const int *near, int count,
                                      carom_error *err)
{
    const carom_world *world = step->world;
    for (int begin = 0, end; begin < count; begin = end) {
        const carom_candidate *candidate = &step->candidates[near[begin]];
        for (end = begin + 1; end < count && step->candidates[near[end]].a == candidate->a &&
                              step->candidates[near[end]].b == candidate->b;)
            ++end;
        if ((mapped(world, candidate->a) || mapped(world, candidate->b)) &&
            !carom_pair_material_listed(world, candidate->a, candidate->b))
            TRY(settle_pair(step, near + begin, end - begin, err));
    }
    return CAROM_OK;
}

// Takes bodies and contacts of another engine and hands out what became of them; pass_resolve.c has
// what is done.
#include "pass/pass.h"

#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "impact/workspace.h"
#include "math/vec.h"

carom_pass_options carom_pass_options_default(void)
{
    const carom_law *law = carom_law_find("qce", NULL);
    return (carom_pass_options){ .law = law,
                                 .law_options = carom_law_defaults(law),
                                 .speed = 0.01,
                                 .touch = 1e-5,
                                 .rounds = 16 };
}

static carom_status check_options(const carom_pass_options *options, carom_error *err)
{
    if (!options->law)
        return carom_error_set(err, CAROM_BAD_INPUT, "no law was given");
    if (!(options->speed >= 0 && options->speed < HUGE_VAL))
        return carom_error_set(err, CAROM_BAD_INPUT, "speed is %g m/s, not a number from 0 on",
                               options->speed);
    if (!(options->touch >= 0 && options->touch < HUGE_VAL))
        return carom_error_set(err, CAROM_BAD_INPUT, "touch is %g m, not a number from 0 on",
                               options->touch);
    if (options->rounds < 1)
        return carom_error_set(err, CAROM_BAD_INPUT, "rounds is %d, less than 1", options->rounds);
    return CAROM_OK;
}

carom_status carom_pass_create(const carom_pass_options *options, carom_pass **out,
                               carom_error *err)
{
    carom_pass_options defaults = carom_pass_options_default();
    NEED(err, out);
    *out = NULL;
    if (!options)
        options = &defaults;
    if (check_options(options, err) != CAROM_OK) {
        carom_error_where(err, "carom_pass_create");
        return carom_error_fix(err, "start from carom_pass_options_default");
    }
    carom_pass *pass = carom_memory_zeros(1, sizeof *pass);
    if (!pass)
        return carom_error_no_memory(err, "an impact pass");
    pass->options = *options;
    pass->workspace = carom_workspace_create();
    pass->scratch = carom_arena_create(0);
    if (!pass->workspace || !pass->scratch) {
        carom_pass_destroy(pass);
        return carom_error_no_memory(err, "an impact pass");
    }
    carom_workspace_trust(pass->workspace); // who resolves has checked, and wants no hash
    *out = pass;
    return CAROM_OK;
}

void carom_pass_destroy(carom_pass *pass)
{
    if (!pass)
        return;
    carom_workspace_destroy(pass->workspace);
    carom_arena_destroy(pass->scratch);
    carom_memory_free(pass->bodies);
    carom_memory_free(pass->motion);
    carom_memory_free(pass->contacts);
    carom_memory_free(pass->distance);
    carom_memory_free(pass);
}

void carom_pass_begin(carom_pass *pass)
{
    if (pass)
        pass->body_count = pass->contact_count = 0;
}

// Makes room for another entry in two arrays that grow together; false without memory.
static bool grow(int count, int *room, void **first, size_t first_size, void **second,
                 size_t second_size)
{
    if (count < *room)
        return true;
    size_t wanted = *room ? 2 * (size_t)*room : 64;
    if (wanted > 1 << 30)
        return false;
    void *one = carom_memory_resize(*first, wanted * first_size);
    if (!one)
        return false;
    *first = one;
    void *two = carom_memory_resize(*second, wanted * second_size);
    if (!two)
        return false;
    *second = two;
    *room = (int)wanted;
    return true;
}

int carom_pass_add_body(carom_pass *pass, const carom_impact_body *body)
{
    if (!pass || !body)
        return -1;
    void *bodies = pass->bodies, *motion = pass->motion;
    bool room = grow(pass->body_count, &pass->body_room, &bodies, sizeof *pass->bodies, &motion,
                     sizeof *pass->motion);
    pass->bodies = bodies;
    pass->motion = motion;
    if (!room)
        return -1;
    carom_pass_motion *now = &pass->motion[pass->body_count];
    *now = (carom_pass_motion){ .struck = 0 };
    memcpy(now->velocity, body->velocity, sizeof now->velocity);
    memcpy(now->spin, body->spin, sizeof now->spin);
    pass->bodies[pass->body_count] = *body;
    return pass->body_count++;
}

int carom_pass_add_contact(carom_pass *pass, const carom_pass_contact *contact)
{
    if (!pass || !contact)
        return -1;
    void *contacts = pass->contacts, *distance = pass->distance;
    bool room = grow(pass->contact_count, &pass->contact_room, &contacts, sizeof *pass->contacts,
                     &distance, sizeof *pass->distance);
    pass->contacts = contacts;
    pass->distance = distance;
    if (!room)
        return -1;
    pass->contacts[pass->contact_count] = *contact;
    pass->distance[pass->contact_count] = contact->distance;
    return pass->contact_count++;
}

const carom_pass_motion *carom_pass_body(const carom_pass *pass, int body)
{
    return pass && body >= 0 && body < pass->body_count ? &pass->motion[body] : NULL;
}

double carom_pass_speed(const carom_pass *pass, int contact)
{
    const carom_pass_contact *c = &pass->contacts[contact];
    vec3 point = vec3_from(c->point), speed[2];
    const int ends[2] = { c->a, c->b };
    for (int k = 0; k < 2; ++k) {
        const carom_pass_motion *now = &pass->motion[ends[k]];
        vec3 arm = vec3_sub(point, vec3_from(pass->bodies[ends[k]].position));
        speed[k] = vec3_add(vec3_from(now->velocity), vec3_cross(vec3_from(now->spin), arm));
    }
    return vec3_dot(vec3_from(c->normal), vec3_sub(speed[1], speed[0]));
}

int carom_pass_parts(const carom_pass *pass, int contact)
{
    return pass && contact >= 0 && contact < pass->contact_count &&
           carom_pass_speed(pass, contact) > pass->options.speed;
}

double carom_pass_distance(const carom_pass *pass, int contact)
{
    return pass && contact >= 0 && contact < pass->contact_count ? pass->distance[contact] : 0;
}

void carom_pass_inverse_inertia(const double inertia[6], const double rotation[4], double out[6])
{
    if (!inertia || !rotation || !out)
        return;
    sym3 own = { inertia[0], inertia[1], inertia[2], inertia[3], inertia[4], inertia[5] },
         turned = { 0 };
    if (sym3_det(own) > 0)
        turned =
            sym3_rotate(quat_matrix((quat){ rotation[0], rotation[1], rotation[2], rotation[3] }),
                        sym3_inverse(own));
    const double parts[6] = { turned.xx, turned.yy, turned.zz, turned.xy, turned.xz, turned.yz };
    memcpy(out, parts, sizeof parts);
}

// Nothing allocates in the step: 100 resolves of every law and 1000 steps of a world after a
// warm-up, with the system's allocator watched.
#include "carom/carom.h"
#include "support/allocations.h"
#include "support/check.h"
#include "support/small_world.h"

#include <stdlib.h>

// The same problem again and again with the same workspace: what the first ones do not ask for none
// will.
enum { BALLS = 8, CONTACTS = BALLS, RESOLVES = 100 };

// A chain of balls of unequal mass on a rough floor under the last one.
static void build(carom_impact_body *bodies, carom_impact_contact *contacts)
{
    for (int i = 0; i <= BALLS; ++i) {
        bodies[i] = carom_impact_body_default();
        bodies[i].inverse_mass = 1.0 / (1 + i % 3);
        bodies[i].position[0] = i;
        bodies[i].velocity[0] = i < 3 ? 1 - 0.2 * i : 0;
    }
    bodies[BALLS] = (carom_impact_body){ .position = { BALLS - 1, 0, -0.5 } };
    bodies[BALLS - 1].velocity[2] = -0.3;
    for (int i = 0; i < CONTACTS; ++i) {
        contacts[i] = carom_impact_contact_default();
        contacts[i].a = i;
        contacts[i].b = i + 1;
        contacts[i].point[0] = i + 0.5;
        contacts[i].restitution = i % 2 ? 1 : 0.8;
        contacts[i].friction = 0.3;
    }
    contacts[CONTACTS - 1].point[0] = BALLS - 1;
    contacts[CONTACTS - 1].point[2] = -0.5;
    contacts[CONTACTS - 1].normal[0] = 0;
    contacts[CONTACTS - 1].normal[2] = -1;
}

// Boxes and balls that fall, hit each other and come to rest.
static void world_steps(double rolling)
{
    small_world s = small_world_make("wave");
    s.options.events = 0;
    s.material.rolling = rolling;
    small_world_floor(&s, (double[]){ 0, 0, 1 }, 0);
    for (int i = 0; i < 12; ++i) {
        double x = 0.12 * (i % 3), z = 0.1 + 0.13 * (i / 3);
        small_world_ball(&s, 0.05, 1, (double[]){ x, 0.01 * i, z }, NULL);
        small_world_box(&s, (double[]){ 0.05, 0.04, 0.03 }, 1, (double[]){ x, 0.12, z }, NULL);
    }
    // Until all have come to rest or roll away from each other, with the most contacts there are.
    small_world_steps(&s, 1.0 / 600, allocations_watched() ? 2400 : 1000);
    long before = allocations();
    small_world_steps(&s, 1.0 / 600, allocations_watched() ? 1000 : 10);
    CHECK(allocations() == before, "%ld allocations in 1000 steps of a world, rolling %g m",
          allocations() - before, rolling);
    small_world_end(&s);
}

// Bars between two walls, the one with a bounce map, the other with modes: contacts ask for
// restitution by place all the time.
static void bounce_steps(void)
{
    carom_error err = { 0 };
    carom_bounce_recipe recipe = carom_bounce_recipe_default();
    carom_world_options options = carom_world_options_default();
    carom_shape *box = NULL, *plane = NULL;
    carom_bounce_map *map = NULL;
    carom_bounce_direct *direct = NULL;
    carom_world *world = NULL;
    recipe.modal.modes = 10;
    recipe.modal.across = 1;
    recipe.faces = 200;
    CHECK(carom_box_create((double[]){ 0.1, 0.01, 0.01 }, &box, &err) == CAROM_OK &&
              carom_plane_create(&plane, &err) == CAROM_OK &&
              carom_bounce_cache_map(NULL, box, &recipe, NULL, &map, &err) == CAROM_OK &&
              carom_bounce_cache_direct(NULL, box, &recipe, NULL, &direct, &err) == CAROM_OK &&
              carom_world_create(&options, &world, &err) == CAROM_OK,
          "two bars: %s", err.what);
    carom_body body = carom_world_body_default();
    body.kind = CAROM_BODY_FIXED;
    body.shape = plane;
    carom_world_add_body(world, &body, NULL, &err);
    for (int i = 0; i < 4; ++i) {
        body = carom_world_body_default();
        body.shape = box;
        body.restitution =
            i % 2 ? carom_bounce_map_restitution(map) : carom_bounce_direct_restitution(direct);
        body.position[2] = 0.05 + 0.05 * i;
        body.rotation[0] = 0.96;
        body.rotation[1 + i % 3] = 0.28;
        carom_world_add_body(world, &body, NULL, &err);
    }
    // warm until as many contacts have been seen at once as there will be: lists grow by doubling
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 300; ++i)
            carom_world_step(world, 1e-3, &err);
        for (int i = 1; i < 5; ++i)
            carom_world_set_velocity(world, carom_world_body_at(world, i), (double[]){ 0, 0, 1.5 },
                                     (double[]){ 3, 0, 0 }, NULL);
    }
    long before = allocations();
    for (int i = 0; i < 500; ++i)
        CHECK(carom_world_step(world, 1e-3, &err) == CAROM_OK, "a step: %s", err.what);
    CHECK(allocations() == before, "%ld allocations in 500 steps with bounce maps",
          allocations() - before);
    CHECK(carom_world_ledger(world).impacts > 20, "they bounced");
    carom_world_destroy(world);
    carom_bounce_map_destroy(map);
    carom_bounce_direct_destroy(direct);
    carom_shape_release(box);
    carom_shape_release(plane);
}

// The pass for other engines: bodies and contacts handed over anew in every step.
static void pass_steps(const carom_impact_body *bodies, const carom_impact_contact *contacts)
{
    carom_error err = { 0 };
    carom_pass *pass = NULL;
    carom_pass_report report = { 0 };
    long before = 0;
    CHECK(carom_pass_create(NULL, &pass, &err) == CAROM_OK, "a pass: %s", err.what);
    for (int step = 0; step < (allocations_watched() ? 1000 : 10); ++step) {
        if (step == 3)
            before = allocations();
        carom_pass_begin(pass);
        for (int i = 0; i <= BALLS; ++i)
            carom_pass_add_body(pass, &bodies[i]);
        for (int i = 0; i < CONTACTS; ++i) {
            const carom_impact_contact *c = &contacts[i];
            carom_pass_contact one = { .a = c->a, .b = c->b, .restitution = c->restitution };
            for (int k = 0; k < 3; ++k) {
                one.point[k] = c->point[k];
                one.normal[k] = c->normal[k];
            }
            carom_pass_add_contact(pass, &one);
        }
        CHECK(carom_pass_resolve(pass, 0.01, &report, &err) == CAROM_OK, "a step: %s", err.what);
    }
    CHECK(report.impacts > 3, "the pass had something to do");
    CHECK(allocations() == before, "%ld allocations in 1000 steps of a pass",
          allocations() - before);
    carom_pass_destroy(pass);
}

int main(void)
{
    world_steps(0);
    world_steps(1e-3);
    bounce_steps();
    carom_impact_body bodies[BALLS + 1];
    carom_impact_contact contacts[CONTACTS];
    double velocities[BALLS + 1][3], spins[BALLS + 1][3], impulses[CONTACTS][3];
    carom_impact_outcome out = { velocities, spins, impulses, { 0 } };
    build(bodies, contacts);
    carom_impact impact = { BALLS + 1, CONTACTS, bodies, contacts };
    carom_workspace *workspace = carom_workspace_create();
    free(malloc(100));
    CHECK(!allocations_watched() || allocations() > 0, "the watch sees allocations");
    for (int k = 0; k < carom_law_count(); ++k) {
        const carom_law *law = carom_law_at(k);
        carom_error err = { 0 };
        for (int warm_up = 0; warm_up < 3; ++warm_up)
            CHECK(carom_impact_resolve(workspace, &impact, law, NULL, &out, &err) == CAROM_OK,
                  "%s: %s", carom_law_name(law), err.what);
        long before = allocations();
        for (int i = 0; i < RESOLVES; ++i)
            carom_impact_resolve(workspace, &impact, law, NULL, &out, &err);
        CHECK(allocations() == before, "%s: %ld allocations in %d resolves", carom_law_name(law),
              allocations() - before, RESOLVES);
    }
    carom_workspace_destroy(workspace);
    pass_steps(bodies, contacts);
    return check_report();
}

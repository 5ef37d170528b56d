// What the impact phase says and asks of a law where joints take part.
//
// An instant whose contacts joints hold alone has no elastic step, so its error is unknown: it was
// counted as one without error, and as nothing had changed it was found again until the events of
// the step were used up. Whether a law bounces, which decides how much of a joint's impulse
// acts before it, is a property of the law: its name was asked, so that a second inelastic law got
// the wrong share.
#include <string.h>
#include "impact/law.h"
#include "support/check.h"
#include "support/small_world.h"

// A ball welded to the world, struck by a driven one: the law has nothing to say.
static void held(const char *name)
{
    small_world s = small_world_make(name);
    carom_error err = { 0 };
    memset(s.options.gravity, 0, sizeof s.options.gravity);
    int ball = small_world_ball(&s, 0.1, 1, (double[]){ 0, 0, 0 }, NULL);
    carom_body driven = carom_world_body_default();
    carom_shape *shape = NULL;
    CHECK(carom_sphere_create(0.1, &shape, &err) == CAROM_OK, "%s", err.what);
    driven.kind = CAROM_BODY_DRIVEN;
    driven.shape = shape;
    driven.position[0] = -0.2;
    driven.velocity[0] = 1;
    CHECK(carom_world_add_body(s.world, &driven, NULL, &err) == CAROM_OK, "%s", err.what);
    small_world_join(
        &s, &(carom_joint){ .kind = CAROM_JOINT_FIXED, .a = carom_world_body_at(s.world, ball) });
    small_world_steps(&s, 1e-6, 1);
    int64_t impacts = carom_world_ledger(s.world).impacts;
    CHECK(impacts > 0, "%s: there is an impact", name);
    CHECK(impacts <= 2, "%s: it changes nothing, so it is not looked for again, %lld times", name,
          (long long)impacts);
    CHECK(carom_world_audit(s.world).elastic_steps == 0, "%s: and no elastic step, found %lld",
          name, (long long)carom_world_audit(s.world).elastic_steps);
    carom_shape_release(shape);
    small_world_end(&s);
}

// A ball strikes one of two that a ball joint connects; the speed of the other one after it.
static double struck(const carom_law *law)
{
    small_world s = small_world_make("inelastic");
    memset(s.options.gravity, 0, sizeof s.options.gravity);
    s.options.law = law;
    s.options.law_options = carom_law_defaults(law);
    s.material.restitution = 0.8;
    small_world_ball(&s, 0.1, 1, (double[]){ -0.2, 0, 0 }, (double[]){ 1, 0, 0 });
    int near = small_world_ball(&s, 0.1, 1, (double[]){ 0, 0, 0 }, NULL);
    int far = small_world_ball(&s, 0.1, 1, (double[]){ 0.15, 0.3, 0 }, NULL);
    // one contact alone is solved exactly, without the share that the property decides on
    small_world_ball(&s, 0.1, 1, (double[]){ 0.35, 0.3, 0 }, NULL);
    carom_joint joint = { .kind = CAROM_JOINT_BALL,
                          .a = carom_world_body_at(s.world, near),
                          .b = carom_world_body_at(s.world, far) };
    joint.anchor_a[0] = joint.anchor_b[0] = 0.08;
    joint.anchor_a[1] = joint.anchor_b[1] = 0.2;
    small_world_join(&s, &joint);
    small_world_steps(&s, 1e-6, 1);
    double velocity[3];
    carom_world_body(s.world, carom_world_body_at(s.world, far), NULL, NULL, velocity, NULL);
    small_world_end(&s);
    return velocity[0];
}

static void by_property(void)
{
    carom_error err = { 0 };
    const carom_law *plain = carom_law_find("inelastic", &err);
    carom_law other = *plain, bouncing = *plain;
    other.name = "another";
    bouncing.inelastic = false;
    double wanted = struck(plain);
    CHECK(wanted != 0, "the joint carries the blow");
    CHECK_NEAR(struck(&other), wanted, 0, "a law of another name, the same share (m/s)");
    CHECK(struck(&bouncing) != wanted, "what is asked is whether it is inelastic: %g m/s", wanted);
}

int main(void)
{
    held("qce");
    held("wave");
    held("newton");
    by_property();
    return check_report();
}

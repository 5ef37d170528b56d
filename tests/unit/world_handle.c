// Handles of bodies and joints: slots come back under another generation, what was removed is
// refused, and who is there belongs to a snapshot.
#include <stdlib.h>
#include <string.h>
#include "support/check.h"
#include "support/small_world.h"

static carom_body_id ball(small_world *s, double x, const char *name)
{
    carom_error err = { 0 };
    carom_shape *shape = NULL;
    carom_body body = carom_world_body_default();
    carom_body_id id = { 0 };
    CHECK(carom_sphere_create(0.1, &shape, &err) == CAROM_OK, "%s", err.what);
    body.shape = shape;
    body.position[0] = x;
    body.name = name;
    body.user = s;
    CHECK(carom_world_add_body(s->world, &body, &id, &err) == CAROM_OK, "%s", err.what);
    carom_shape_release(shape);
    return id;
}

static small_world begin(void)
{
    small_world s = small_world_make("qce");
    memset(s.options.gravity, 0, sizeof s.options.gravity);
    small_world_ball(&s, 0.1, 1, (double[]){ -1, 0, 0 }, NULL);
    return s;
}

static carom_joint_id join(small_world *s, carom_body_id a, carom_body_id b, const char *name)
{
    carom_error err = { 0 };
    carom_joint joint = { .kind = CAROM_JOINT_BALL, .a = a, .b = b, .name = name };
    carom_joint_id id = { 0 };
    CHECK(carom_world_add_joint(s->world, &joint, &id, &err) == CAROM_OK, "%s", err.what);
    return id;
}

static void slots_come_back(void)
{
    small_world s = begin();
    carom_world *w = s.world;
    carom_body_id one = ball(&s, 0, "one"), two = ball(&s, 1, "two"), three = ball(&s, 2, NULL);
    CHECK(one.slot == 1 && two.slot == 2 && three.slot == 3, "slots in their order");
    CHECK(carom_world_remove(w, one, NULL) == CAROM_OK, "removed");
    CHECK(carom_world_remove(w, two, NULL) == CAROM_OK, "and another");
    CHECK(carom_world_remove(w, one, NULL) == CAROM_BAD_INPUT, "only once");
    CHECK(!carom_world_has_body(w, one) && carom_world_body_at(w, 1).generation == 0, "gone");
    CHECK(carom_world_body_count(w) == 4, "the slots stay");
    carom_body_id again = ball(&s, 5, "again");
    CHECK(again.slot == 1 && again.generation == 2, "the lowest slot first: %d, %u", again.slot,
          again.generation);
    CHECK(!carom_world_has_body(w, one) && carom_world_has_body(w, again), "not the same body");
    double x[3] = { 7, 7, 7 };
    CHECK(carom_world_body(w, one, x, NULL, NULL, NULL) == CAROM_BAD_INPUT && x[0] == 7,
          "nothing of a stale one is told");
    CHECK(carom_world_body(w, again, x, NULL, NULL, NULL) == CAROM_OK && x[0] == 5, "of it is");
    CHECK(ball(&s, 6, NULL).slot == 2 && ball(&s, 7, NULL).slot == 4, "then the next");
    small_world_end(&s);
}

static void names_and_pointers(void)
{
    small_world s = begin();
    char name[] = "cue";
    carom_body_id cue = ball(&s, 0, name), other = ball(&s, 1, NULL);
    name[0] = 'X';
    CHECK_TEXT(carom_world_name(s.world, cue), "cue", "a copy");
    CHECK(!carom_world_name(s.world, other), "no name");
    CHECK(carom_world_find_body(s.world, "cue").slot == cue.slot, "found");
    CHECK(carom_world_find_body(s.world, "nobody").generation == 0, "not found");
    CHECK(carom_world_user(s.world, cue) == &s, "the caller's pointer");
    CHECK(carom_world_set_user(s.world, cue, &cue, NULL) == CAROM_OK &&
              carom_world_user(s.world, cue) == &cue,
          "another");
    carom_joint_id pin = join(&s, cue, (carom_body_id){ 0 }, "pin");
    CHECK_TEXT(carom_world_joint_name(s.world, pin), "pin", "of a joint");
    CHECK(carom_world_find_joint(s.world, "pin").generation == pin.generation, "found");
    carom_material felt = carom_world_material_default();
    int index = -1;
    felt.name = "felt";
    CHECK(carom_world_add_material(s.world, &felt, &index, NULL) == CAROM_OK, "a material");
    CHECK(carom_world_find_material(s.world, "felt") == index, "found");
    CHECK_TEXT(carom_world_material_name(s.world, index), "felt", "of a material");
    CHECK(carom_world_remove(s.world, cue, NULL) == CAROM_OK, "removed");
    CHECK(!carom_world_name(s.world, cue) && !carom_world_user(s.world, cue) &&
              carom_world_find_body(s.world, "cue").generation == 0,
          "and its name with it");
    small_world_end(&s);
}

// Two balls that overlap do not touch while they are joined; a joint goes with its body.
static void joints_go(void)
{
    small_world s = begin();
    carom_world *w = s.world;
    carom_body_id a = ball(&s, 0, NULL), b = ball(&s, 0.15, NULL), c = ball(&s, 3, NULL);
    carom_joint_id ab = join(&s, a, b, NULL), bc = join(&s, b, c, NULL);
    carom_overlap worst;
    int count = -1;
    carom_error err = { 0 };
    CHECK(carom_world_overlaps(w, &worst, &count, &err) == CAROM_OK && count == 0, "joined");
    small_world_steps(&s, 0.01, 2);
    CHECK(carom_world_remove_joint(w, ab, &err) == CAROM_OK, "%s", err.what);
    CHECK(carom_world_remove_joint(w, ab, &err) == CAROM_BAD_INPUT, "only once");
    CHECK(carom_world_overlaps(w, &worst, &count, &err) == CAROM_OK && count == 1 &&
              worst.a.slot == a.slot && worst.b.slot == b.slot,
          "they touch again");
    carom_joint_id again = join(&s, a, b, NULL);
    CHECK(again.slot == ab.slot && again.generation == 2, "the slot comes back");
    CHECK(carom_world_remove(w, c, &err) == CAROM_OK && !carom_world_has_joint(w, bc) &&
              carom_world_has_joint(w, again),
          "the joint of a body that goes");
    carom_body_id d = ball(&s, 6, NULL);
    CHECK(d.slot == c.slot, "in its place");
    CHECK(carom_world_set_velocity(w, b, (double[]){ 1, 0, 0 }, NULL, &err) == CAROM_OK, "pushed");
    small_world_steps(&s, 0.01, 5);
    double v[3];
    carom_world_body(w, d, NULL, NULL, v, NULL);
    CHECK(v[0] == 0 && v[1] == 0, "which no joint holds");
    carom_ledger l = carom_world_ledger(w);
    CHECK_NEAR(l.driven, 2.0943951023931957, 1e-12,
               "the push is work: m v^2 / 2 of a ball of water");
    CHECK_NEAR(l.integrator, 0, 1e-12, "and every joule is booked");
    small_world_end(&s);
}

// A world goes back to a snapshot if all that was there is there; what came later goes.
static void snapshots_know(void)
{
    small_world s = begin(), other = begin();
    carom_world *w = s.world;
    carom_error err = { 0 };
    carom_body_id a = ball(&s, 0, NULL), b = ball(&s, 1, NULL);
    ball(&other, 0, NULL);
    carom_body_id kept = ball(&other, 1, NULL);
    join(&s, a, b, NULL);
    join(&other, carom_world_body_at(other.world, 1), kept, NULL);
    carom_world_set_velocity(w, b, (double[]){ 0, 1, 0 }, NULL, NULL);
    small_world_steps(&s, 0.01, 3);
    carom_world_remove(w, a, NULL);
    small_world_steps(&s, 0.01, 3);
    size_t size = carom_world_snapshot_size(w);
    void *bytes = malloc(size), *second = malloc(size);
    carom_world_snapshot(w, bytes);
    CHECK(carom_world_restore(other.world, bytes, size, &err) == CAROM_OK, "%s", err.what);
    CHECK(!carom_world_has_body(other.world, a) && carom_world_joint_at(other.world, 0).slot == 0 &&
              carom_world_joint_at(other.world, 0).generation == 0,
          "what was gone is gone");
    CHECK(carom_world_snapshot_size(other.world) == size, "the same size");
    carom_world_snapshot(other.world, second);
    CHECK(memcmp(bytes, second, size) == 0, "the same bytes");
    small_world_steps(&s, 0.01, 5);
    small_world_steps(&other, 0.01, 5);
    CHECK(carom_world_hash(w) == carom_world_hash(other.world), "and the same bits later");
    ball(&s, 9, NULL);
    carom_body_id late = ball(&s, 12, NULL);
    CHECK(carom_world_restore(w, bytes, size, &err) == CAROM_OK && !carom_world_has_body(w, late),
          "what came later is gone: %s", err.what);
    carom_world_remove(w, b, NULL);
    CHECK(carom_world_restore(w, bytes, size, &err) == CAROM_BAD_INPUT &&
              strstr(err.what, "slot 2") && *err.fix,
          "what is no longer there cannot come back: %s", err.what);
    free(bytes);
    free(second);
    small_world_end(&s);
    small_world_end(&other);
}

int main(void)
{
    slots_come_back();
    names_and_pointers();
    joints_go();
    snapshots_know();
    return check_report();
}

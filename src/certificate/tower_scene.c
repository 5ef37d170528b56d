// Whether a certificate is about a given tower.
//
// tower_checker.c proves what is in the file, whatever it is. Here every number of the file that
// describes the tower (gravity, tolerance, masses, corners, centres, supports) is compared, as a
// fraction, with what the tower gives, and every force has to act at one of its contacts, with the
// point and normal of that contact. Forces and motion themselves are the checker's business: a
// certificate of this tower that the checker accepts proves its claim about this tower.
#include "tower/tower_prove.h"

#include <gmp.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "certificate/tower_certificate.h"
#include "parse/parse.h"
#include "rational/rational.h"
#include "tower/tower_space_prove.h"

typedef struct comparison {
    carom_tower_verdict *verdict;
    mpq_t a, b;
} comparison;

static bool differ(comparison *c, const char *where, const char *what)
{
    c->verdict->valid = false;
    snprintf(c->verdict->reason, sizeof c->verdict->reason, "%s", what);
    snprintf(c->verdict->where, sizeof c->verdict->where, "%s", where);
    snprintf(c->verdict->fix, sizeof c->verdict->fix, "%s",
             "give the scene that was proved, or prove this one: carom tower SCENE --prove "
             "--certificate FILE");
    return false;
}

// Whether two texts are the same fraction.
static bool same_fraction(comparison *c, const char *a, const char *b)
{
    return a && b && mpq_set_str(c->a, a, 10) == 0 && mpq_set_str(c->b, b, 10) == 0 &&
           mpz_sgn(mpq_denref(c->a)) != 0 && mpz_sgn(mpq_denref(c->b)) != 0 &&
           (mpq_canonicalize(c->a), mpq_canonicalize(c->b), mpq_equal(c->a, c->b));
}

static bool compare(comparison *c, const char *where, const json_t *given, const json_t *wanted);

static bool compare_list(comparison *c, const char *where, const json_t *given,
                         const json_t *wanted)
{
    char place[96], what[160];
    if (json_array_size(given) != json_array_size(wanted)) {
        snprintf(what, sizeof what, "the certificate has %zu of them, the scene %zu",
                 json_array_size(given), json_array_size(wanted));
        return differ(c, where, what);
    }
    for (size_t n = 0; n < json_array_size(wanted); ++n) {
        snprintf(place, sizeof place, "%s[%zu]", where, n);
        if (!compare(c, place, json_array_get(given, n), json_array_get(wanted, n)))
            return false;
    }
    return true;
}

static bool compare_members(comparison *c, const char *where, const json_t *given,
                            const json_t *wanted)
{
    const char *key;
    json_t *value;
    char place[96];
    json_object_foreach((json_t *)wanted, key, value)
    {
        snprintf(place, sizeof place, "%s%s%s", where, *where ? "." : "", key);
        // Certificates of version 0.1 do not say that the masses are homogeneous.
        if (strcmp(key, "masses") == 0 && !json_object_get(given, key) &&
            strcmp(json_string_value(value), "homogeneous") == 0)
            continue;
        if (!compare(c, place, json_object_get(given, key), value))
            return false;
    }
    if (json_object_size(given) > json_object_size(wanted))
        return differ(c, where, "the certificate has members that the scene does not give");
    return true;
}

static bool compare(comparison *c, const char *where, const json_t *given, const json_t *wanted)
{
    char what[200];
    if (json_is_array(wanted))
        return compare_list(c, where, given, wanted);
    if (json_is_object(wanted))
        return compare_members(c, where, given, wanted);
    const char *said = json_string_value(given), *right = json_string_value(wanted);
    if (right ? said && (strcmp(said, right) == 0 || same_fraction(c, said, right))
              : json_equal(given, wanted))
        return true;
    snprintf(what, sizeof what, "the certificate says %.60s, the scene gives %.60s",
             said ? said : "something else", right ? right : "something else");
    return differ(c, where, what);
}

// Every force acts at a contact of the scene.
static bool compare_forces(comparison *c, const json_t *forces, const json_t *contacts)
{
    static const char *const members[] = { "a", "b", "point", "normal" };
    char where[40];
    for (size_t n = 0; n < json_array_size(forces); ++n) {
        const json_t *force = json_array_get(forces, n);
        bool found = false;
        for (size_t k = 0; !found && k < json_array_size(contacts); ++k) {
            const json_t *contact = json_array_get(contacts, k);
            found = true;
            for (int m = 0; found && m < 4; ++m)
                found = compare(c, "", json_object_get(force, members[m]),
                                json_object_get(contact, members[m]));
        }
        snprintf(where, sizeof where, "forces[%zu]", n);
        if (!found)
            return differ(c, where, "the scene has no such contact");
    }
    return true;
}

static void compare_all(comparison *c, const json_t *given, const json_t *scene)
{
    static const char *const members[] = { "gravity", "tolerance", "bodies", "supports" };
    const carom_tower_verdict before = *c->verdict;
    for (int m = 0; m < 4; ++m)
        if (!compare(c, members[m], json_object_get(given, members[m]),
                     json_object_get(scene, members[m])))
            return;
    if (!compare_forces(c, json_object_get(given, "forces"), json_object_get(scene, "forces")))
        return;
    *c->verdict = before; // contacts that did not fit left their differences behind
    c->verdict->of_the_scene = true;
}

// In space every contact is listed, with its force, which is the checker's business.
static void compare_space(comparison *c, const json_t *given, const json_t *scene)
{
    static const char *const members[] = { "gravity", "tolerance", "bodies", "contacts" };
    json_t *contacts = json_object_get(given, "contacts");
    for (size_t n = 0; n < json_array_size(contacts); ++n)
        json_object_del(json_array_get(contacts, n), "force");
    for (int m = 0; m < 4; ++m)
        if (!compare(c, members[m], json_object_get(given, members[m]),
                     json_object_get(scene, members[m])))
            return;
    c->verdict->of_the_scene = true;
}

typedef struct task {
    const char *path;
    const carom_tower *flat;
    const carom_tower_space *space;
    carom_tower_verdict *out;
} task;

// Both have been read before: what cannot be read now has no memory.
static carom_status compare_with(const char *path, char *text, carom_tower_verdict *out)
{
    json_error_t problem;
    json_t *scene = carom_rational_hold(carom_parse_text(text, strlen(text), 0, &problem),
                                        carom_tower_certificate_end_json);
    json_t *given = carom_rational_hold(carom_parse_file(path, JSON_REJECT_DUPLICATES, &problem),
                                        carom_tower_certificate_end_json);
    carom_rational_free(text);
    comparison c = { .verdict = out };
    mpq_inits(c.a, c.b, NULL);
    if (!json_object_get(given, "dimension") != !json_object_get(scene, "contacts"))
        differ(&c, "dimension", "one of certificate and scene is in the plane, the other in space");
    else if (json_object_get(given, "dimension"))
        compare_space(&c, given, scene);
    else
        compare_all(&c, given, scene);
    mpq_clears(c.a, c.b, NULL);
    json_decref(carom_rational_let_go(scene));
    json_decref(carom_rational_let_go(given));
    return CAROM_OK;
}

static carom_status check_guarded(void *with, carom_error *err)
{
    const task *t = with;
    char *text = NULL;
    TRY(carom_tower_checker_check(t->path, t->out, err));
    if (!t->out->valid)
        return CAROM_OK;
    TRY(t->flat ? carom_tower_prove_geometry(t->flat, &text, err)
                : carom_tower_space_prove_geometry(t->space, &text, err));
    return compare_with(t->path, text, t->out);
}

carom_status carom_tower_scene_check(const char *path, const carom_tower *tower,
                                     carom_tower_verdict *out, carom_error *err)
{
    NEED(err, path, tower, out);
    return carom_rational_guard(check_guarded, &(task){ path, tower, NULL, out }, err);
}

carom_status carom_tower_scene_check_space(const char *path, const carom_tower_space *tower,
                                           carom_tower_verdict *out, carom_error *err)
{
    NEED(err, path, tower, out);
    return carom_rational_guard(check_guarded, &(task){ path, NULL, tower, out }, err);
}

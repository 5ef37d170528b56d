// Every number of a certificate, edited in turn: with the scene given, none is let pass, and the
// refusal says what, where and what to do.
//
// A certificate has fractions in quotes ("-3/8") and body numbers without (-1). Each is replaced by
// what a careless or a clever hand would write: one more, the negative, zero, a millionth part
// more, its double, an empty text, text that is no number.
#include "carom/tower.h"
#include "carom/tower_space.h"
#include "support/check.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static carom_error err;
static char path[64];

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

// The next number in the certificate after `at`: a fraction in quotes or a whole number.
static const char *next_number(const char *at, size_t *length)
{
    for (; *at; ++at) {
        bool quoted = *at == '"' && (isdigit((unsigned char)at[1]) || at[1] == '-');
        bool bare = at[0] == ' ' && (isdigit((unsigned char)at[1]) ||
                                     (at[1] == '-' && isdigit((unsigned char)at[2])));
        if (!quoted && !bare)
            continue;
        ++at;
        *length = strspn(at, "-/0123456789");
        return at;
    }
    return NULL;
}

enum { EDITS = 7 };

// Edit number e of the number at `at`; false where it would leave the value as it is.
static bool edited(const char *at, size_t length, int e, char *out, size_t size)
{
    bool quoted = at[-1] == '"', zero = length == 1 && *at == '0', minus = *at == '-';
    const char *slash = memchr(at, '/', length);
    int top = (int)(slash ? slash - at : (long)length), below = (int)length - top;
    switch (e) {
    case 0: // one more, by a denominator that is there
        snprintf(out, size, "%.*s", (int)length, at);
        if (!quoted) {
            snprintf(out, size, "%d", atoi(at) + 1);
            return true;
        }
        // n/d + 1 = (n + d)/d is not written without long arithmetic: n1/d is 10 n + 1 over d
        snprintf(out, size, "%.*s1%.*s", top, at, below, at + top);
        return true;
    case 1:
        snprintf(out, size, "%s%.*s", minus ? "" : "-", (int)length - minus, at + minus);
        return !zero;
    case 2:
        snprintf(out, size, "0");
        return !zero;
    case 3: // n/d times 1000001/1000000
        if (!quoted || zero)
            return false;
        snprintf(out, size, "%.*s%06d%.*s%s", top, at, 1, below, at + top,
                 slash ? "000000" : "/1000000");
        return true;
    case 4: // a tiny bit more than 0, or half
        if (!quoted)
            return false;
        snprintf(out, size, zero ? "1/1000000000000" : slash ? "%.*s0" : "%.*s/2", (int)length, at);
        return true;
    case 5:
        snprintf(out, size, quoted ? "" : "77");
        return true;
    default:
        snprintf(out, size, quoted ? "1/0" : "2.5");
        return true;
    }
}

// A tower in the plane or in space.
typedef struct subject {
    const char *name;
    const carom_tower *flat;
    const carom_tower_space *space;
} subject;

static carom_status check_scene(const subject *s, carom_tower_verdict *verdict)
{
    return s->space ? carom_tower_scene_check_space(path, s->space, verdict, &err)
                    : carom_tower_scene_check(path, s->flat, verdict, &err);
}

static void edit_all(const subject *s, const char *certificate)
{
    const char *name = s->name;
    static char edit[8192];
    size_t length;
    int tried = 0, refused = 0, silent = 0;
    char *forged = malloc(strlen(certificate) + sizeof edit);
    for (const char *at = next_number(certificate, &length); at && forged;
         at = next_number(at + length, &length))
        for (int e = 0; e < EDITS; ++e) {
            carom_tower_verdict verdict;
            if (length + 16 > sizeof edit || !edited(at, length, e, edit, sizeof edit))
                continue;
            sprintf(forged, "%.*s%s%s", (int)(at - certificate), certificate, edit, at + length);
            write_file(forged);
            ++tried;
            bool read = check_scene(s, &verdict) == CAROM_OK;
            bool good = read && !verdict.valid;
            refused += good;
            silent += good && !(verdict.reason[0] && verdict.where[0] && verdict.fix[0]);
            CHECK(good, "%s: %.*s for %.*s is refused", name, 40, edit, (int)length, at);
        }
    CHECK(tried > 100 && refused == tried, "%s: %d edits tried, %d refused", name, tried, refused);
    CHECK(silent == 0, "%s: all refusals say what, where and fix (%d do not)", name, silent);
    free(forged);
}

static void check_subject(const subject *s)
{
    carom_tower_proof proof = { 0 };
    carom_tower_verdict verdict = { 0 };
    carom_status status = s->space  ? carom_tower_space_prove(s->space, &proof, &err)
                          : s->flat ? carom_tower_prove(s->flat, &proof, &err)
                                    : err.status;
    if (!CHECK(status == CAROM_OK && proof.certificate, "%s: %s", s->name, err.what))
        return;
    write_file(proof.certificate);
    CHECK(check_scene(s, &verdict) == CAROM_OK && verdict.valid && verdict.of_the_scene &&
              verdict.accelerations == !proof.stable,
          "%s: the certificate itself is accepted: %s in %s", s->name, verdict.reason,
          verdict.where);
    edit_all(s, proof.certificate);
    carom_tower_prove_free(&proof);
}

static void check_tower(const char *name, const carom_tower *tower)
{
    check_subject(&(subject){ .name = name, .flat = tower });
}

// A box on another on the floor: it stands.
static void check_stack(void)
{
    carom_tower_space *space = carom_tower_space_create((double[]){ 0, 0, -9.81 });
    carom_tower_space_body floor = { .name = "floor", .fixed = true };
    const double half[3] = { 0.5, 0.25, 0.125 };
    carom_tower_space_add_body(space, &floor, NULL, &err);
    carom_tower_space_add_half(space, 0, (double[]){ 0, 0, 0 }, (double[]){ 0, 0, 1 }, &err);
    carom_tower_space_add_box(space, (double[]){ 0, 0, 0.125 }, half, NULL, 1, false, NULL, &err);
    carom_tower_space_add_box(space, (double[]){ 0.2, 0.1, 0.375 }, half, NULL, 0.3, false, NULL,
                              &err);
    check_subject(&(subject){ .name = "two boxes", .space = space });
    carom_tower_space_destroy(space);
}

static void check_space(const char *name)
{
    char scene[300];
    carom_tower *flat = NULL;
    carom_tower_space *space = NULL;
    snprintf(scene, sizeof scene, "%s/scenes/tower_space/%s.json", CAROM_SOURCE_DIR, name);
    carom_tower_space_file_load(scene, &flat, &space, &err);
    check_subject(&(subject){ .name = name, .space = space });
    carom_tower_space_destroy(space);
}

static carom_tower *built(const char *spec)
{
    carom_tower *tower = NULL;
    carom_tower_build(spec, &tower, &err);
    return tower;
}

// Turned bodies, which touch to rounding only; a triangle and a trapezoid, whose centres of mass
// are rounded; corner masses; a fixed block and a table.
static carom_tower *mixed(carom_tower_mass spread)
{
    static const double triangle[6] = { 0, 0, 1, 0, 0.25, 0.5 };
    static const double trapezoid[8] = { 0, 0, 1, 0, 0.7, 0.3, 0.1, 0.3 };
    carom_tower *tower = carom_tower_create(9.81);
    carom_tower_body block = { .width = 1, .height = 0.5, .x = 3, .y = 0.25, .fixed = true };
    carom_tower_body bodies[3] = {
        { .corners = triangle, .corner_count = 3, .x = 2.75, .y = 0.5 },
        { .corners = trapezoid, .corner_count = 4, .x = -0.4, .y = 0, .mass = 0.3 },
        { .width = 0.5, .height = 0.25, .x = -2, .angle = 0.3 },
    };
    // standing on a corner: the lowest one at height 0
    bodies[2].y = 0.25 * 0.29552020666133957 + 0.125 * 0.9553364891256060;
    carom_tower_add_body(tower, &block, NULL, &err);
    for (int n = 0; n < 3; ++n) {
        bodies[n].spread = spread;
        carom_tower_add_body(tower, &bodies[n], NULL, &err);
    }
    carom_tower_add_table(tower, -4, 1, 0, &err);
    carom_tower_add_ground(tower, (double[]){ 0, 0 }, (double[]){ 0, 1 }, &err);
    return tower;
}

// A certificate of one tower is not one of another that differs in a single number.
static void check_neighbour(void)
{
    carom_tower *one = built("single:0.5"), *other = built("single:0.5000000001");
    carom_tower_proof proof = { 0 };
    carom_tower_verdict verdict = { 0 };
    CHECK(carom_tower_prove(one, &proof, &err) == CAROM_OK, "%s", err.what);
    write_file(proof.certificate);
    CHECK(carom_tower_scene_check(path, other, &verdict, &err) == CAROM_OK && !verdict.valid,
          "another tower's certificate is refused: %s", verdict.reason);
    carom_tower_prove_free(&proof);
    carom_tower_destroy(one);
    carom_tower_destroy(other);
}

int main(void)
{
    snprintf(path, sizeof path, "/tmp/carom_edits_%ld.json", (long)getpid());
    static const char *const specs[] = { "diamond:2", "single:0.75", "harmonic:2,0.01" };
    for (int n = 0; n < 3; ++n) {
        carom_tower *tower = built(specs[n]);
        check_tower(specs[n], tower);
        carom_tower_destroy(tower);
    }
    for (int n = 0; n < 2; ++n) {
        carom_tower *tower = mixed(n ? CAROM_TOWER_CORNERS : CAROM_TOWER_HOMOGENEOUS);
        check_tower(n ? "mixed bodies, corner masses" : "mixed bodies", tower);
        carom_tower_destroy(tower);
    }
    check_space("corner");
    check_stack();
    check_neighbour();
    unlink(path);
    return check_report();
}

// `carom tower` on a scene of kind "world": the first instant in space.
#include "tower_space.h"
#include "carom/json.h"
#include "carom/text.h"
#include "output.h"
#include "tower_json.h"
#include <stdio.h>
#include <string.h>

static void json_instant(carom_json *json, const carom_tower_space *t,
                         const carom_tower_space_instant *i)
{
    carom_json_bool(json, "stable", i->stable);
    carom_json_array(json, "names");
    for (int b = 0; b < i->bodies; ++b)
        carom_json_string(json, 0, carom_tower_space_name(t, b));
    carom_json_end(json);
    carom_json_array(json, "accelerations");
    for (int b = 0; b < i->bodies; ++b)
        carom_json_numbers(json, 0, i->accelerations + 6 * (size_t)b, 6);
    carom_json_end(json);
    carom_json_array(json, "forces");
    for (int n = 0; n < i->force_count; ++n) {
        const carom_tower_space_force *f = &i->forces[n];
        carom_tower_json_force(json, f->a, f->b, f->point, f->normal, 3, f->force);
        carom_tower_json_opens(json, f->force, f->opening);
    }
    carom_json_end(json);
    carom_tower_json_sums(json, i->sum_m_a2, i->support_force, i->kkt, i->method);
}

static int print_json(const carom_tower_space *t, const carom_tower_space_instant *i,
                      const carom_tower_proof *proof)
{
    carom_json *json = carom_json_create();
    carom_json_object(json, 0);
    carom_json_integer(json, "carom", 1);
    carom_json_string(json, "kind", "tower-result");
    carom_json_integer(json, "dimension", 3);
    carom_json_integer(json, "bodies", carom_tower_space_bodies(t));
    json_instant(json, t, i);
    if (proof->certificate)
        carom_tower_json_proof(json, proof);
    carom_json_end(json);
    return carom_output_finish_json(json, "-", false);
}

static void print_words(const carom_arguments *given, const carom_tower_space *t,
                        const carom_tower_space_instant *i, const carom_tower_proof *proof)
{
    printf("%s: %d %s in space, %d %s, friction left out\n", i->stable ? "stable" : "unstable",
           i->bodies, carom_text_noun(i->bodies, "body", "bodies"), i->force_count,
           carom_text_noun(i->force_count, "contact", "contacts"));
    if (i->force_count == 0)
        printf("  nothing touches: gaps above a billionth of a body's size are air\n");
    if (!i->stable)
        printf("  sum m a^2       %.15g\n", i->sum_m_a2);
    printf("  support force   %.15g\n", i->support_force);
    printf("  residual        %.1e (%s)\n", i->kkt, i->method);
    for (int b = 0; carom_command_flag(given, "--initial") && b < i->bodies; ++b) {
        const double *a = i->accelerations + 6 * (size_t)b;
        if (!carom_tower_space_fixed(t, b))
            printf("  %-12s a = (%.12g, %.12g, %.12g), alpha = (%.12g, %.12g, %.12g)\n",
                   carom_tower_space_name(t, b), a[0], a[1], a[2], a[3], a[4], a[5]);
    }
    if (!proof->certificate)
        return;
    printf("proved %s in rational arithmetic (%d bits, %d %s), contacts as found\n",
           proof->stable ? "stable" : "unstable", proof->bits, proof->contacts,
           carom_text_noun(proof->contacts, "force", "forces"));
    if (!proof->stable && strlen(proof->sum_m_a2) <= 60)
        printf("  sum m a^2 = %s%s%s\n", proof->sum_m_a2,
               *proof->support ? ", support force = " : "", proof->support);
}

// Options that only make sense in the plane.
static int check_options(const carom_arguments *given)
{
    static const char *const flags[] = { "--plain-start", "--ignore-symmetry", "--all-corners",
                                         NULL };
    static const char *const texts[] = { "--svg", "--html", NULL };
    if (carom_command_integer(given, "--steps") > 0)
        return carom_command_misuse("move the scene with `carom run`",
                                    "--steps moves towers in the plane, of kind \"tower\"");
    if (carom_command_number(given, "--penalty") > 0 ||
        carom_command_number(given, "--stop-early") > 0)
        return carom_command_misuse("leave it out", "the option is for towers in the plane");
    for (int n = 0; flags[n]; ++n)
        if (carom_command_flag(given, flags[n]))
            return carom_command_misuse("leave it out", "%s is for towers in the plane", flags[n]);
    for (int n = 0; texts[n]; ++n)
        if (carom_command_text(given, texts[n]))
            return carom_command_misuse("picture the scene with `carom view` or `carom export`",
                                        "%s is for towers in the plane", texts[n]);
    return CAROM_EXIT_GOOD;
}

// The first instant, and its proof where it is asked for.
static carom_status work(const carom_arguments *given, const carom_tower_space *tower,
                         carom_tower_space_instant *instant, carom_tower_proof *proof,
                         carom_error *err)
{
    const char *path = carom_command_text(given, "--certificate");
    bool replace = carom_command_flag(given, "--force");
    carom_status status = path ? carom_output_check(path, replace, err) : CAROM_OK;
    if (status == CAROM_OK)
        status = carom_tower_space_initial(tower, CAROM_TOWER_AUTO, instant, err);
    if (status == CAROM_OK && carom_command_flag(given, "--prove"))
        status = carom_tower_space_prove(tower, proof, err);
    if (status == CAROM_OK && path)
        status = carom_output_write(path, proof->certificate, replace, err);
    return status;
}

int carom_tower_space_report(const carom_arguments *given, const carom_tower_space *tower,
                             const char *file)
{
    carom_tower_space_instant instant = { 0 };
    carom_tower_proof proof = { 0 };
    carom_error err = { 0 };
    int code = check_options(given);
    if (code != CAROM_EXIT_GOOD)
        return code;
    if (work(given, tower, &instant, &proof, &err) != CAROM_OK) {
        if (!err.where[0])
            snprintf(err.where, sizeof err.where, "%.90s", file);
        code = carom_command_fail(&err);
    } else if (carom_command_flag(given, "--json"))
        code = print_json(tower, &instant, &proof);
    else
        print_words(given, tower, &instant, &proof);
    carom_tower_space_initial_free(&instant);
    carom_tower_prove_free(&proof);
    return code;
}

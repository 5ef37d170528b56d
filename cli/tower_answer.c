// The answer of `carom tower` about a tower in the plane: as JSON, or in words.
#include "tower_answer.h"
#include "carom/json.h"
#include "carom/text.h"
#include "output.h"
#include "tower_json.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef carom_tower_job job;

static void json_instant(carom_json *json, const job *j)
{
    const carom_tower_instant *i = &j->instant;
    carom_json_bool(json, "stable", i->stable);
    carom_json_array(json, "accelerations");
    for (int b = 0; b < i->bodies; ++b)
        carom_json_numbers(json, 0, i->accelerations + 3 * b, 3);
    carom_json_end(json);
    carom_json_array(json, "forces");
    for (int n = 0; n < i->force_count; ++n) {
        const carom_tower_force *f = &i->forces[n];
        carom_tower_json_force(json, f->a, f->b, f->point, f->normal, 2, f->force);
        if (carom_tower_friction(j->tower) > 0)
            carom_json_number(json, "tangent", f->tangent);
        carom_tower_json_opens(json, f->force, f->opening);
    }
    carom_json_end(json);
    if (i->tie_count) {
        carom_json_array(json, "ties");
        for (int n = 0; n < i->tie_count; ++n) {
            carom_json_object(json, 0);
            carom_json_integer(json, "a", i->ties[n].a);
            carom_json_integer(json, "b", i->ties[n].b);
            carom_json_string(json, "kind", i->ties[n].bar ? "bar" : "pin");
            carom_json_numbers(json, "point", i->ties[n].point, 2);
            carom_json_numbers(json, "direction", i->ties[n].direction, 2);
            carom_json_number(json, "force", i->ties[n].force);
            carom_json_end(json);
        }
        carom_json_end(json);
    }
    carom_tower_json_sums(json, i->sum_m_a2, i->support_force, i->kkt, i->method);
    if (carom_command_number(j->given, "--penalty") > 0)
        carom_json_number(json, "bar_stretch", j->stretch);
    if (!j->has_recording)
        carom_json_number(json, "asymmetry", i->asymmetry);
}

// Without --prove the certificate is the floating-point one: the forces or the motion above.
static void json_certificate(carom_json *json, const job *j)
{
    if (!j->has_proof) {
        carom_json_object(json, "certificate");
        carom_json_string(json, "kind", j->instant.stable ? "forces" : "motion");
        carom_json_bool(json, "exact", false);
        carom_json_number(json, j->instant.stable ? "largest_imbalance" : "power",
                          j->instant.stable ? j->instant.largest : j->instant.power);
        carom_json_end(json);
        return;
    }
    carom_tower_json_proof(json, &j->proof);
}

static void json_recording(carom_json *json, const job *j)
{
    const carom_tower_recording *f = &j->recording;
    carom_json_array(json, "states");
    for (int n = 0; n < f->frames; ++n) {
        carom_json_array(json, 0);
        for (int b = 0; b < f->bodies; ++b)
            carom_json_numbers(json, 0, f->place + 3 * ((size_t)n * (size_t)f->bodies + (size_t)b),
                               3);
        carom_json_end(json);
    }
    carom_json_end(json);
    carom_json_numbers(json, "time", f->time, f->frames);
    carom_json_array(json, "energy");
    for (int n = 0; n < f->frames; ++n)
        carom_json_number(json, 0, f->kinetic[n] + f->potential[n]);
    carom_json_end(json);
    carom_json_number(json, "dt", f->options.dt);
    carom_json_integer(json, "steps", f->audit.steps);
    carom_json_number(json, "energy_start", f->audit.energy_start);
    carom_json_number(json, "energy_gain", f->audit.energy_gain_total);
    carom_json_number(json, "energy_gain_step", f->audit.energy_gain_step);
    carom_json_number(json, "penetration", f->audit.penetration);
    carom_json_number(json, "size_error", f->audit.size_error);
    carom_json_number(json, "asymmetry", f->audit.asymmetry);
    carom_json_bool(json, "symmetric", f->audit.symmetric);
    carom_json_bool(json, "bitwise_symmetric", f->audit.symmetric && f->bitwise);
    carom_json_number(json, "motion_kkt", f->audit.kkt);
    carom_json_number(json, "first_support_contact", f->audit.first_contact_with_support);
    carom_json_number(json, "qp_ms", f->audit.steps ? f->audit.qp_ms / (double)f->audit.steps : 0);
    carom_json_number(json, "qp_ms_max", f->qp_ms_max);
    char hash[20];
    snprintf(hash, sizeof hash, "%016llx", f->hash);
    carom_json_string(json, "hash", hash);
}

int carom_tower_answer_json(const job *j)
{
    carom_json *json = carom_json_create();
    carom_json_object(json, 0);
    carom_json_integer(json, "carom", 1);
    carom_json_string(json, "kind", "tower-result");
    carom_json_integer(json, "bodies", carom_tower_bodies(j->tower));
    if (j->has_instant)
        json_instant(json, j);
    if (j->has_instant)
        json_certificate(json, j);
    if (j->has_recording)
        json_recording(json, j);
    carom_json_end(json);
    return carom_output_finish_json(json, "-", false);
}

void carom_tower_answer_words(const job *j)
{
    const carom_tower_instant *i = &j->instant;
    if (j->has_instant) {
        printf("%s: %d %s, %d %s\n", i->stable ? "stable" : "unstable", i->bodies,
               carom_text_noun(i->bodies, "body", "bodies"), i->force_count,
               carom_text_noun(i->force_count, "contact", "contacts"));
        if (!i->stable)
            printf("  sum m a^2       %.15g\n", i->sum_m_a2);
        if (carom_tower_friction(j->tower) > 0 && i->stable)
            printf("  with friction this is necessary for rest, not sufficient: forces that "
                   "balance exist\n");
        printf("  support force   %.15g\n", i->support_force);
        if (carom_command_number(j->given, "--penalty") > 0)
            printf("  bars stretch    %.3g of their length per time^2, at most (penalty %g)\n",
                   j->stretch, carom_command_number(j->given, "--penalty"));
        printf("  residual        %.1e (%s)\n", i->kkt, i->method);
        double g = carom_tower_gravity(j->tower);
        if (!j->has_proof && i->largest > 1e-13 * g && i->largest < 1e-7 * g)
            printf("  close to the boundary (largest acceleration %.1e): settle it with --prove\n",
                   i->largest);
    }
    if (carom_command_flag(j->given, "--initial"))
        for (int b = 0; b < i->bodies; ++b)
            printf("  body %-4d a = (%.15g, %.15g), alpha = %.15g\n", b, i->accelerations[3 * b],
                   i->accelerations[3 * b + 1], i->accelerations[3 * b + 2]);
    if (j->has_proof) {
        printf("proved %s in rational arithmetic (%d bits, %d %s%s)\n",
               j->proof.stable ? "stable" : "unstable", j->proof.bits, j->proof.contacts,
               carom_text_noun(j->proof.contacts, "force", "forces"),
               j->proof.tolerance > 0 ? "" : ", every contact touches exactly");
        if (j->proof.tolerance > 0)
            printf("  gaps up to %.1e were taken for contact\n", j->proof.tolerance);
        if (!j->proof.stable && strlen(j->proof.sum_m_a2) <= 60)
            printf("  sum m a^2 = %s, support force = %s\n", j->proof.sum_m_a2, j->proof.support);
    }
    if (j->has_recording) {
        const carom_tower_audit *a = &j->recording.audit;
        printf("motion: %ld %s of %g to t = %g\n", a->steps,
               carom_text_noun(a->steps, "step", "steps"), j->recording.options.dt,
               j->recording.time[j->recording.frames - 1]);
        printf("  energy          %.9g at the start, gained %.2e, now %.9g\n", a->energy_start,
               a->energy_gain_total,
               j->recording.kinetic[j->recording.frames - 1] +
                   j->recording.potential[j->recording.frames - 1]);
        printf("  deepest overlap %.1e, size error %.1e, residual %.1e\n", a->penetration,
               a->size_error, a->kkt);
        if (a->symmetric)
            printf("  symmetric       %s; raw asymmetry of the solver %.1e\n",
                   j->recording.bitwise ? "to the last bit in every step" : "NOT to the last bit",
                   a->asymmetry);
        if (a->first_contact_with_support >= 0)
            printf("  first new touch of a support at t = %.6g\n", a->first_contact_with_support);
        printf("  solver          %.3f ms per step, %.3f at most\n",
               a->steps ? a->qp_ms / (double)a->steps : 0, j->recording.qp_ms_max);
    }
}

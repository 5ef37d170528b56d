// What a run has kept and lost, and whether its law kept its promises.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "math/vec.h"
#include "trajectory/runner.h"

// What round-off and the laws' own tolerances amount to in one impact; the bounds by which the
// desiderata of a single instant are judged.
#define GAIN_BOUND 1e-10
#define MOMENTUM_BOUND 1e-11
#define PULL_BOUND 1e-12
#define PENETRATION_BOUND 1e-8
#define ADDED_BOUND 1e-3
// Of the thickness of the thinner body: position correction takes out a hundredth unseen, and
// bodies that are a quarter inside each other were struck too late or are pressed together.
#define OVERLAP_BOUND 0.25

carom_runner_totals carom_runner_sum(const carom_world *world)
{
    carom_runner_totals totals = { 0 };
    vec3 momentum = { 0, 0, 0 }, angular = { 0, 0, 0 };
    for (int i = 0; i < carom_world_body_count(world); ++i) {
        double position[3], rotation[4], velocity[3], spin[3],
            mass = carom_world_mass(world, carom_world_body_at(world, i));
        if (carom_world_kind(world, carom_world_body_at(world, i)) != CAROM_BODY_MOVING)
            continue;
        carom_world_body(world, carom_world_body_at(world, i), position, rotation, velocity, spin);
        carom_mass shape =
            carom_shape_mass(carom_world_shape(world, carom_world_body_at(world, i)));
        const double *s = shape.inertia;
        double density = mass / shape.volume;
        quat q = { rotation[0], rotation[1], rotation[2], rotation[3] };
        vec3 inner = quat_rotate(quat_conjugate(q), vec3_from(spin));
        vec3 turning = quat_rotate(
            q, vec3_scale(density, sym3_mul((sym3){ s[0], s[1], s[2], s[3], s[4], s[5] }, inner)));
        vec3 p = vec3_scale(mass, vec3_from(velocity));
        vec3 orbit = vec3_cross(vec3_from(position), p);
        momentum = vec3_add(momentum, p);
        angular = vec3_add(angular, vec3_add(orbit, turning));
        totals.momentum_scale += vec3_length(p);
        totals.angular_scale += vec3_length(orbit) + vec3_length(turning);
    }
    vec3_store(momentum, totals.momentum);
    vec3_store(angular, totals.angular);
    return totals;
}

carom_runner_report carom_runner_judge(const carom_runner *runner)
{
    if (!runner)
        return (carom_runner_report){ 0 };
    carom_runner_totals now = carom_runner_sum(runner->world);
    carom_runner_report report = { .ledger = carom_world_ledger(runner->world),
                                   .audit = carom_world_audit(runner->world),
                                   .done = runner->done,
                                   .steps = runner->steps };
    memcpy(report.stopped, runner->stopped, sizeof report.stopped);
    memcpy(report.momentum, now.momentum, sizeof now.momentum);
    memcpy(report.start_momentum, runner->start.momentum, sizeof now.momentum);
    memcpy(report.angular, now.angular, sizeof now.angular);
    memcpy(report.start_angular, runner->start.angular, sizeof now.angular);
    report.momentum_scale = fmax(now.momentum_scale, runner->start.momentum_scale);
    report.angular_scale = fmax(now.angular_scale, runner->start.angular_scale);
    const unsigned judged = CAROM_KIN | CAROM_MOM | CAROM_ONE | CAROM_NOP;
    report.promised = carom_law_promises(carom_scene_world_options(runner->scene).law) & judged;
    const carom_audit *audit = &report.audit;
    unsigned broken = (audit->gain > GAIN_BOUND ? CAROM_KIN : 0u) |
                      (audit->momentum > MOMENTUM_BOUND ? CAROM_MOM : 0u) |
                      (audit->pull > PULL_BOUND ? CAROM_ONE : 0u) |
                      (audit->penetration > PENETRATION_BOUND ? CAROM_NOP : 0u);
    report.broken = broken & report.promised;
    report.added = carom_world_energy_gain(runner->world, &report.added_body, &report.added_joint);
    report.added_broken = report.added > ADDED_BOUND;
    report.overlap_broken = audit->overlap > OVERLAP_BOUND;
    return report;
}

void carom_runner_energy_json(const carom_ledger *l, carom_json *json)
{
    if (!l)
        return;
    carom_json_number(json, "start", l->start);
    carom_json_number(json, "kinetic", l->kinetic);
    carom_json_number(json, "potential", l->potential);
    carom_json_number(json, "driven", l->driven);
    carom_json_number(json, "lost_in_impacts", l->law);
    carom_json_number(json, "lost_at_rest", l->rest);
    carom_json_number(json, "drift", l->position_correction);
    carom_json_number(json, "motors", l->motors);
    carom_json_number(json, "dampers", l->dampers);
    carom_json_number(json, "stops", l->stops);
    carom_json_number(json, "breakage", l->breakage);
    carom_json_number(json, "cohesion", l->cohesion);
    carom_json_number(json, "scheme", l->integrator);
}

static void json_promises(const carom_runner_report *report, carom_json *json)
{
    carom_json_object(json, "promises");
    for (int bit = 0; bit < CAROM_PROMISE_COUNT; ++bit)
        if (report->promised >> bit & 1)
            carom_json_string(json, carom_law_promise_name(bit),
                              report->broken >> bit & 1 ? "broken" : "kept");
    carom_json_string(json, "GAP", report->overlap_broken ? "broken" : "kept");
    carom_json_end(json);
    carom_json_object(json, "worst");
    carom_json_number(json, "gain", report->audit.gain);
    carom_json_number(json, "momentum", report->audit.momentum);
    carom_json_number(json, "pull", report->audit.pull);
    carom_json_number(json, "penetration", report->audit.penetration);
    carom_json_number(json, "added", report->added);
    carom_json_number(json, "overlap", report->audit.overlap);
    carom_json_end(json);
    if (report->audit.elastic_steps == 0)
        return;
    carom_json_object(json, "elastic_step");
    carom_json_integer(json, "steps", report->audit.elastic_steps);
    carom_json_number(json, "mean_error",
                      report->audit.elastic_sum / (double)report->audit.elastic_steps);
    carom_json_number(json, "most_error", report->audit.elastic_max);
    carom_json_end(json);
}

void carom_runner_report_json(const carom_runner_report *report, const carom_runner *runner,
                              carom_json *json)
{
    if (!report || !runner)
        return;
    const carom_ledger *l = &report->ledger;
    char hash[32];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)carom_world_hash(runner->world));
    carom_json_string(json, "title", carom_scene_world_title(runner->scene));
    carom_json_string(json, "law", carom_law_name(carom_scene_world_options(runner->scene).law));
    carom_json_integer(json, "steps", report->done);
    carom_json_integer(json, "of", report->steps);
    carom_json_number(json, "time", l->time);
    if (report->stopped[0])
        carom_json_string(json, "stopped", report->stopped);
    carom_json_object(json, "energy");
    carom_runner_energy_json(l, json);
    carom_json_end(json);
    carom_json_numbers(json, "momentum", report->momentum, 3);
    carom_json_numbers(json, "momentum_at_start", report->start_momentum, 3);
    carom_json_numbers(json, "angular_momentum", report->angular, 3);
    carom_json_numbers(json, "angular_momentum_at_start", report->start_angular, 3);
    carom_json_number(json, "deepest", l->peak_overlap);
    carom_json_integer(json, "impacts", l->impacts);
    carom_json_integer(json, "contacts", l->contacts);
    carom_json_integer(json, "limited", l->limited);
    carom_json_integer(json, "capped", l->capped);
    carom_json_integer(json, "endless", l->endless);
    json_promises(report, json);
    carom_json_string(json, "hash", hash);
}

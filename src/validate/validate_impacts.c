// Single frictional impacts of a plane body, measured before and after.
//
// All impacts are one problem for a law: each is an island of its own, with the surface as an
// immovable body that islands do not see. An engine gets each as a scene of its own: a small sphere
// on the body, off its centre, touches a plane.
//
// Symbols: m mass (cancels), k radius of gyration, M = diag(m, m, m k^2), v = (vx, vy, spin), n and
// d rows of the normal and tangential Jacobian at the contact, r contact point seen from the
// centre, p impulse (normal, tangential), W = J M^-1 J^T.
#include <stdlib.h>
#include <string.h>
#include "base/progress.h"
#include "base/team.h"
#include "carom/impact.h"
#include "validate/validate.h"

// Columns of a file; places in a row.
enum {
    VX,
    VY,
    SPIN,
    VX_AFTER,
    VY_AFTER,
    SPIN_AFTER,
    N_X,
    N_Y,
    N_ANGLE,
    D_X,
    D_Y,
    D_ANGLE,
    COLUMNS
};
static const char *const names[COLUMNS] = { "vx",       "vy",         "spin", "vx_after",
                                            "vy_after", "spin_after", "n_x",  "n_y",
                                            "n_angle",  "d_x",        "d_y",  "d_angle" };

// The speed at which a fitted restitution is given, m/s; resolves of a search, about.
static const double speed_of_reference = 2.5, search_size = 180;

// Impacts that are resolved together.
typedef struct batch {
    int count;
    const carom_case *cases;
    carom_impact_body *bodies; // the surface first
    carom_impact_contact *contacts;
    double (*velocities)[3], (*spins)[3], (*impulses)[3];
    double *errors;
} batch;

typedef struct fitting {
    const carom_validate_options *options;
    batch *batch;
    const carom_law *law; // null: an engine
    carom_workspace *workspace;
    carom_engine **engines; // one per thread
    const char *name;
    double done, total; // resolves
} fitting;

static carom_status fill_batch(const carom_validate_options *options, const carom_parts_list *part,
                               batch *b, carom_error *err);
static void free_batch(batch *b);
static carom_status try_material(void *context, const double numbers[CAROM_FIT_NUMBERS], bool rough,
                                 double *error, carom_error *err);
static carom_status resolve_batch(fitting *f, const carom_validate_material *material,
                                  double *error, carom_error *err);
static carom_status measure_all(const carom_validate_options *options, const batch *judge,
                                carom_validation *v, carom_error *err);

// What a row is judged with.
typedef struct work {
    fitting *f;
    batch *parts; // to fit, to judge
    double *columns;
} work;

static carom_status judge_row(void *context, carom_engine **engines, int number,
                              carom_validate_row *row, carom_error *err)
{
    const work *w = context;
    fitting *f = w->f;
    batch *judged = &w->parts[1];
    double numbers[CAROM_FIT_NUMBERS], mean;
    double *errors = w->columns + (size_t)number * (size_t)judged->count;
    f->engines = engines;
    f->law = row->law;
    f->name = row->name;
    f->done = number * search_size;
    carom_fit fit = carom_validate_fit(f->options, row->law);
    fit.coarse = 11;
    fit.fine = row->law ? 1e-3 : 4e-3;
    fit.error = try_material;
    fit.context = f;
    f->batch = &w->parts[0];
    TRY(carom_fit_search(&fit, numbers, err));
    row->material = carom_validate_material_of(f->options, numbers, speed_of_reference);
    f->batch = judged;
    TRY(resolve_batch(f, &row->material, &mean, err));
    memcpy(errors, judged->errors, (size_t)judged->count * sizeof *errors);
    row->errors = errors;
    return carom_validate_average(errors, judged->count, &row->mean, &row->median, err);
}

static carom_status judge_all(const carom_validate_options *options, batch parts[2],
                              carom_validation *v, double *columns, carom_error *err)
{
    fitting f = { .options = options,
                  .workspace = carom_workspace_create(),
                  .total = v->row_count * search_size };
    work w = { &f, parts, columns };
    if (!f.workspace)
        return carom_error_no_memory(err, "resolving impacts");
    carom_workspace_set_threads(f.workspace, options->threads);
    carom_status status = carom_validate_rows(v, options->threads, judge_row, &w, err);
    carom_workspace_destroy(f.workspace);
    return status == CAROM_OK ? measure_all(options, &parts[1], v, err) : status;
}

carom_status carom_validate_impacts(const carom_validate_options *options, carom_validation **out,
                                    carom_error *err)
{
    static const carom_parts_layout layout = { names, COLUMNS, -1 };
    carom_parts p = { 0 };
    batch parts[2] = { 0 };
    double *columns;
    NEED(err, options, out);
    *out = NULL;
    TRY(carom_validate_check(options, err));
    carom_status status = carom_parts_read(options, &layout, &p, err);
    if (status == CAROM_OK)
        status = fill_batch(options, &p.fit, &parts[0], err);
    if (status == CAROM_OK)
        status = fill_batch(options, &p.judge, &parts[1], err);
    if (status == CAROM_OK)
        status = carom_validate_create(options, p.judge.count, 1, out, &columns, err);
    if (status == CAROM_OK) {
        (*out)->fitted = p.fit.count;
        status = judge_all(options, parts, *out, columns, err);
    }
    free_batch(&parts[0]);
    free_batch(&parts[1]);
    carom_parts_free(&p);
    if (status != CAROM_OK) {
        carom_validate_destroy(*out);
        *out = NULL;
    }
    return status;
}

// -- data ------------------------------------------------------------------------------------

static carom_status make_room(batch *b, int count, carom_error *err)
{
    size_t n = (size_t)count;
    b->bodies = calloc(n + 1, sizeof *b->bodies);
    b->contacts = malloc(n * sizeof *b->contacts);
    b->velocities = malloc((n + 1) * sizeof *b->velocities);
    b->spins = malloc((n + 1) * sizeof *b->spins);
    b->impulses = malloc(n * sizeof *b->impulses);
    b->errors = malloc(n * sizeof *b->errors);
    if (b->bodies && b->contacts && b->velocities && b->spins && b->impulses && b->errors)
        return CAROM_OK;
    return carom_error_no_memory(err, "%d impacts", count);
}

static void free_batch(batch *b)
{
    free(b->bodies);
    free(b->contacts);
    free(b->velocities);
    free(b->spins);
    free(b->impulses);
    free(b->errors);
}

// What spin adds to the speed along the tangent, m.
static double tangent_arm(const double *row, int reversed)
{
    return reversed ? -row[D_ANGLE] : row[D_ANGLE];
}

// The contact point from r x n = n_angle and r x d = d_angle.
static carom_status contact_of(const double *row, int reversed, int index, carom_impact_contact *c,
                               carom_error *err)
{
    double determinant = row[N_X] * row[D_Y] - row[N_Y] * row[D_X];
    double length = sqrt(row[N_X] * row[N_X] + row[N_Y] * row[N_Y]);
    if (!(fabs(length - 1) < 1e-6 && fabs(fabs(determinant) - 1) < 1e-6)) {
        carom_error_set(err, CAROM_BAD_INPUT,
                        "impact %d has Jacobian rows that are no unit normal and tangent", index);
        return carom_error_fix(err, "n_x, n_y and d_x, d_y are two unit vectors at a right angle");
    }
    double arm = tangent_arm(row, reversed);
    *c = carom_impact_contact_default();
    c->a = 0;
    c->b = index + 1;
    c->normal[0] = row[N_X] / length;
    c->normal[1] = row[N_Y] / length;
    c->normal[2] = 0;
    c->point[0] = (row[N_X] * arm - row[D_X] * row[N_ANGLE]) / determinant;
    c->point[1] = (row[N_Y] * arm - row[D_Y] * row[N_ANGLE]) / determinant;
    return CAROM_OK;
}

static carom_status add_impact(const carom_validate_options *options, const double *row, batch *b,
                               carom_error *err)
{
    int i = b->count;
    carom_impact_body body = { .inverse_mass = 1 };
    if (!(row[VX] * row[VX] + row[VY] * row[VY] + row[SPIN] * row[SPIN] > 0)) {
        carom_error_set(err, CAROM_BAD_INPUT, "impact %d does not move before", i);
        return carom_error_fix(err, "leave it out: errors are relative to the motion before");
    }
    // turns in the plane only
    body.inverse_inertia[2] = 1 / (options->gyration * options->gyration);
    body.velocity[0] = row[VX];
    body.velocity[1] = row[VY];
    body.spin[2] = row[SPIN];
    TRY(contact_of(row, options->reversed, i, &b->contacts[i], err));
    b->bodies[i + 1] = body;
    ++b->count;
    return CAROM_OK;
}

static carom_status fill_batch(const carom_validate_options *options, const carom_parts_list *part,
                               batch *b, carom_error *err)
{
    carom_status status = make_room(b, part->count, err);
    b->cases = part->cases;
    for (int i = 0; i < part->count && status == CAROM_OK; ++i) {
        status = add_impact(options, part->cases[i].rows, b, err);
        if (status != CAROM_OK)
            carom_error_where(err, "%s", part->path);
    }
    return status;
}

// -- errors ----------------------------------------------------------------------------------

// sqrt of twice the kinetic energy per mass.
static double size_of(double x, double y, double spin, double gyration)
{
    return sqrt(x * x + y * y + gyration * gyration * spin * spin);
}

static double approach_of(const double *row)
{
    return -(row[N_X] * row[VX] + row[N_Y] * row[VY] + row[N_ANGLE] * row[SPIN]);
}

static double slip_of(const double *row, int reversed)
{
    return row[D_X] * row[VX] + row[D_Y] * row[VY] + tangent_arm(row, reversed) * row[SPIN];
}

static carom_status resolve_by_law(fitting *f, const carom_validate_material *material,
                                   carom_error *err)
{
    batch *b = f->batch;
    for (int i = 0; i < b->count; ++i) {
        const double *row = b->cases[i].rows;
        b->contacts[i].restitution = carom_validate_restitution(material, approach_of(row),
                                                                slip_of(row, f->options->reversed));
        b->contacts[i].friction = material->friction;
    }
    const carom_impact impact = { b->count + 1, b->count, b->bodies, b->contacts };
    carom_impact_outcome out = { .velocities = b->velocities,
                                 .spins = b->spins,
                                 .impulses = b->impulses };
    return carom_impact_resolve(f->workspace, &impact, f->law, NULL, &out, err);
}

// The sphere on which the body touches, m; how long an engine has for the impact, s, and its steps.
static const double pin = 0.001, duration = 0.004;
enum { ENGINE_STEPS = 40 };

// Which way spin counts for an engine, so that the body is above the surface.
static double sense_of(const fitting *f, const double *row)
{
    return tangent_arm(row, f->options->reversed) < 0 ? -1 : 1;
}

// The same impact for an engine: the surface is z = 0, the normal up, the tangent along x.
static void engine_scene(const fitting *f, int i, carom_engine_body bodies[2])
{
    const double *row = f->batch->cases[i].rows;
    double k = f->options->gyration, arm = fabs(row[D_ANGLE]), sense = sense_of(f, row);
    bodies[0] = (carom_engine_body){ .shape = CAROM_ENGINE_PLANE, .rotation = { 1 } };
    bodies[1] = (carom_engine_body){
        .shape = CAROM_ENGINE_SPHERE,
        .size = { pin },
        // spin about -y: what is at r moves with (-spin r_z, spin r_x)
        .offset = { sense * row[N_ANGLE], 0, -arm + pin },
        .mass = 1,
        .inertia = { k * k, k * k, k * k },
        .position = { 0, 0, arm },
        .rotation = { 1 },
        .velocity = { row[D_X] * row[VX] + row[D_Y] * row[VY], 0,
                      row[N_X] * row[VX] + row[N_Y] * row[VY] },
        .spin = { 0, -sense * row[SPIN], 0 },
    };
}

// Every `size`-th impact from `first` on, in one question.
static carom_status resolve_share(const fitting *f, const carom_validate_material *m, int first,
                                  int size, carom_error *err)
{
    const batch *b = f->batch;
    size_t count = first < b->count ? (size_t)((b->count - first + size - 1) / size) : 0;
    carom_engine_scene *scenes = malloc((count + 1) * sizeof *scenes);
    carom_engine_body *bodies = malloc(2 * (count + 1) * sizeof *bodies);
    carom_engine_state *states = malloc(2 * (count + 1) * sizeof *states);
    carom_status status = CAROM_NO_MEMORY;
    for (size_t k = 0; k < count && scenes && bodies && states; ++k) {
        engine_scene(f, first + (int)k * size, bodies + 2 * k);
        scenes[k] = (carom_engine_scene){ .bodies = bodies + 2 * k,
                                          .body_count = 2,
                                          .restitution = m->restitution,
                                          .friction = m->friction,
                                          .step = duration / ENGINE_STEPS,
                                          .steps = ENGINE_STEPS,
                                          .every = ENGINE_STEPS };
    }
    if (scenes && bodies && states)
        status = carom_engine_run(f->engines[first], scenes, (int)count, states, NULL, err);
    else
        carom_error_no_memory(err, "%zu impacts", count);
    for (size_t k = 0; k < count && status == CAROM_OK; ++k) {
        int i = first + (int)k * size;
        const double *row = b->cases[i].rows;
        double along = states[2 * k + 1].velocity[0], up = states[2 * k + 1].velocity[2];
        b->velocities[i + 1][0] = along * row[D_X] + up * row[N_X];
        b->velocities[i + 1][1] = along * row[D_Y] + up * row[N_Y];
        b->spins[i + 1][2] = -sense_of(f, row) * states[2 * k + 1].spin[1];
    }
    free(scenes);
    free(bodies);
    free(states);
    return status;
}

typedef struct trial {
    const fitting *f;
    const carom_validate_material *material;
    carom_status status;
    carom_error error;
} trial;

static void engine_share(trial *t, int threads)
{
    carom_error err = { 0 };
    carom_status status =
        resolve_share(t->f, t->material, carom_team_me(threads), carom_team_size(threads), &err);
    carom_team_lock(threads);
    if (status != CAROM_OK) {
        t->status = status;
        t->error = err;
    }
    carom_team_unlock(threads);
}
CAROM_TEAM_SHARE2(engine_share, trial *, int)

static carom_status resolve_by_engine(fitting *f, const carom_validate_material *material,
                                      carom_error *err)
{
    trial t = { .f = f, .material = material };
    int threads = f->options->threads;
    CAROM_TEAM(threads, engine_share(&t, threads));
    if (t.status != CAROM_OK && err)
        *err = t.error;
    return t.status;
}

static carom_status resolve_batch(fitting *f, const carom_validate_material *material,
                                  double *error, carom_error *err)
{
    batch *b = f->batch;
    double sum = 0, k = f->options->gyration;
    TRY(carom_progress_report(f->options->progress, fmin(f->done++, f->total), f->total, f->name,
                              err));
    TRY(f->law ? resolve_by_law(f, material, err) : resolve_by_engine(f, material, err));
    for (int i = 0; i < b->count; ++i) {
        const double *row = b->cases[i].rows, *v = b->velocities[i + 1];
        b->errors[i] = size_of(v[0] - row[VX_AFTER], v[1] - row[VY_AFTER],
                               b->spins[i + 1][2] - row[SPIN_AFTER], k) /
                       size_of(row[VX], row[VY], row[SPIN], k);
        sum += b->errors[i];
    }
    *error = sum / b->count;
    return CAROM_OK;
}

static carom_status try_material(void *context, const double numbers[CAROM_FIT_NUMBERS], bool rough,
                                 double *error, carom_error *err)
{
    fitting *f = context;
    (void)rough; // all impacts together take a millisecond
    carom_validate_material material =
        carom_validate_material_of(f->options, numbers, speed_of_reference);
    return resolve_batch(f, &material, error, err);
}

// -- what was measured, whatever the law -----------------------------------------------------

// What is left of the measured change of velocity when the best impulse at the point is taken out:
// its part across the plane that M^-1 n and M^-1 d span, in the norm of M.
static double least_squares(const double *row, double k, int reversed)
{
    const double *n = row + N_X, *d = row + D_X;
    // coordinates in which the norm is the plain one: (x, y, k spin); rows become (x, y, angle / k)
    double a[3] = { n[0], n[1], n[2] / k }, b[3] = { d[0], d[1], tangent_arm(row, reversed) / k };
    double across[3] = { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                         a[0] * b[1] - a[1] * b[0] };
    double change[3] = { row[VX_AFTER] - row[VX], row[VY_AFTER] - row[VY],
                         k * (row[SPIN_AFTER] - row[SPIN]) };
    double length = sqrt(across[0] * across[0] + across[1] * across[1] + across[2] * across[2]);
    double left = (change[0] * across[0] + change[1] * across[1] + change[2] * across[2]) / length;
    return fabs(left) / size_of(row[VX], row[VY], row[SPIN], k);
}

// The best impulse solves W p = change of the relative velocity.
static carom_validate_measured measure_one(const double *row, double k, int reversed)
{
    double n = row[N_ANGLE] / k, d = tangent_arm(row, reversed) / k;
    double w[3] = { 1 + n * n, n * d, 1 + d * d }; // nn, nd, dd
    double un = -approach_of(row);
    double ut = row[D_X] * row[VX] + row[D_Y] * row[VY] + d * k * row[SPIN];
    double after = row[N_X] * row[VX_AFTER] + row[N_Y] * row[VY_AFTER] + n * k * row[SPIN_AFTER];
    double slip = row[D_X] * row[VX_AFTER] + row[D_Y] * row[VY_AFTER] + d * k * row[SPIN_AFTER];
    double determinant = w[0] * w[2] - w[1] * w[1];
    double normal = (w[2] * (after - un) - w[1] * (slip - ut)) / determinant;
    double tangential = (w[0] * (slip - ut) - w[1] * (after - un)) / determinant;
    return (carom_validate_measured){ .approach = -un,
                                      .slip = ut,
                                      .restitution = -after / un,
                                      .friction = tangential / normal,
                                      .free_slip = ut + w[1] * (after - un) / w[0],
                                      .slip_after = slip };
}

static carom_status measure_all(const carom_validate_options *options, const batch *judge,
                                carom_validation *v, carom_error *err)
{
    carom_validate_measured *measured = (carom_validate_measured *)(uintptr_t)v->measured;
    double *bounds = (double *)(uintptr_t)v->bounds, median, k = options->gyration;
    double *other = judge->errors; // no longer needed
    for (int i = 0; i < v->judged; ++i) {
        const double *row = judge->cases[i].rows;
        measured[i] = measure_one(row, k, options->reversed);
        bounds[i] = least_squares(row, k, options->reversed);
        other[i] = least_squares(row, k, !options->reversed);
    }
    TRY(carom_validate_average(bounds, v->judged, &v->bound, &median, err));
    return carom_validate_average(other, v->judged, &v->other_bound, &median, err);
}

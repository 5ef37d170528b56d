// Single frictional impacts of a plane body, measured before and after.
//
// All impacts are one problem for the law: each is an island of its own, with the surface as an
// immovable body that islands do not see.
//
// Symbols: m mass (cancels), k radius of gyration, M = diag(m, m, m k^2), v = (vx, vy, spin), n and
// d rows of the normal and tangential Jacobian at the contact, r contact point seen from the
// centre.
#include <stdlib.h>
#include <string.h>
#include "base/progress.h"
#include "carom/impact.h"
#include "validate/data_table.h"
#include "validate/fit.h"
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

// Impacts that are resolved together.
typedef struct batch {
    int count;
    const double **rows;       // of the table
    carom_impact_body *bodies; // the surface first
    carom_impact_contact *contacts;
    double (*velocities)[3], (*spins)[3], (*impulses)[3];
    double *errors;
    double gyration;
} batch;

typedef struct fitting {
    batch *batch;
    const carom_law *law;
    carom_workspace *workspace;
    const carom_progress *progress;
    double done, total; // resolves
} fitting;

// Two halves of one file, or two files.
typedef struct parts {
    carom_data_table data, other;
    batch fit, judge;
} parts;

static carom_status read_parts(const carom_validate_options *options, parts *p, carom_error *err);
static void free_parts(parts *p);
static carom_status resolve_batch(void *context, double restitution, double friction, double *error,
                                  carom_error *err);
static double least_squares(const double *row, double gyration);

static carom_status judge_law(fitting *f, parts *p, carom_validate_row *row, double *errors,
                              carom_error *err)
{
    const carom_fit fit = { .restitution = carom_law_bounces(row->law),
                            .friction = carom_law_has_friction(row->law),
                            .most_friction = 1,
                            .coarse = 11,
                            .fine = 1e-3,
                            .error = resolve_batch,
                            .context = f };
    double mean;
    f->law = row->law;
    f->batch = &p->fit;
    TRY(carom_fit_search(&fit, &row->restitution, &row->friction, err));
    f->batch = &p->judge;
    TRY(resolve_batch(f, row->restitution, row->friction, &mean, err));
    memcpy(errors, p->judge.errors, (size_t)p->judge.count * sizeof *errors);
    row->errors = errors;
    return carom_validate_average(errors, p->judge.count, &row->mean, &row->median, err);
}

static carom_status judge_all(const carom_validate_options *options, parts *p, carom_validation *v,
                              double *columns, carom_error *err)
{
    fitting f = { .workspace = carom_workspace_create(), .progress = options->progress };
    carom_status status = CAROM_OK;
    double median;
    if (!f.workspace)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for resolving impacts");
    carom_workspace_set_threads(f.workspace, options->threads);
    f.total = options->law_count * 150.0; // about as many as a search takes
    for (int i = 0; i < v->row_count && status == CAROM_OK; ++i) {
        status = judge_law(&f, p, &v->rows[i], columns + (size_t)i * (size_t)v->judged, err);
        f.done = (i + 1) * 150.0;
    }
    double *bounds = columns + (size_t)v->row_count * (size_t)v->judged;
    for (int i = 0; i < v->judged; ++i)
        bounds[i] = least_squares(p->judge.rows[i], options->gyration);
    v->bounds = bounds;
    if (status == CAROM_OK)
        status = carom_validate_average(bounds, v->judged, &v->bound, &median, err);
    carom_workspace_destroy(f.workspace);
    return status;
}

carom_status carom_validate_impacts(const carom_validate_options *options, carom_validation **out,
                                    carom_error *err)
{
    parts p = { 0 };
    double *columns;
    NEED(err, options, out);
    *out = NULL;
    TRY(carom_validate_check(options, err));
    carom_status status = read_parts(options, &p, err);
    if (status == CAROM_OK)
        status = carom_validate_create(options, p.judge.count, 1, out, &columns, err);
    if (status == CAROM_OK) {
        (*out)->fitted = p.fit.count;
        status = judge_all(options, &p, *out, columns, err);
    }
    free_parts(&p);
    if (status != CAROM_OK) {
        carom_validate_destroy(*out);
        *out = NULL;
    }
    return status;
}

// -- data
// ------------------------------------------------------------------------------------------

static carom_status make_room(batch *b, int count, double gyration, carom_error *err)
{
    size_t n = (size_t)count;
    b->gyration = gyration;
    b->rows = malloc(n * sizeof *b->rows);
    b->bodies = malloc((n + 1) * sizeof *b->bodies);
    b->contacts = malloc(n * sizeof *b->contacts);
    b->velocities = malloc((n + 1) * sizeof *b->velocities);
    b->spins = malloc((n + 1) * sizeof *b->spins);
    b->impulses = malloc(n * sizeof *b->impulses);
    b->errors = malloc(n * sizeof *b->errors);
    if (b->rows && b->bodies && b->contacts && b->velocities && b->spins && b->impulses &&
        b->errors)
        return CAROM_OK;
    return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %d impacts", count);
}

static void free_batch(batch *b)
{
    free(b->rows);
    free(b->bodies);
    free(b->contacts);
    free(b->velocities);
    free(b->spins);
    free(b->impulses);
    free(b->errors);
}

// The contact point from r x n = n_angle and r x d = d_angle.
static carom_status contact_of(const double *row, int index, const char *path,
                               carom_impact_contact *c, carom_error *err)
{
    double determinant = row[N_X] * row[D_Y] - row[N_Y] * row[D_X];
    double length = sqrt(row[N_X] * row[N_X] + row[N_Y] * row[N_Y]);
    if (!(fabs(length - 1) < 1e-6 && fabs(fabs(determinant) - 1) < 1e-6)) {
        carom_error_set(err, CAROM_BAD_INPUT,
                        "impact %d has Jacobian rows that are no unit normal and tangent", index);
        carom_error_where(err, "%s", path);
        return carom_error_fix(err, "n_x, n_y and d_x, d_y are two unit vectors at a right angle");
    }
    *c = carom_impact_contact_default();
    c->a = 0;
    c->b = index + 1;
    c->normal[0] = row[N_X] / length;
    c->normal[1] = row[N_Y] / length;
    c->normal[2] = 0;
    c->point[0] = (row[N_X] * row[D_ANGLE] - row[D_X] * row[N_ANGLE]) / determinant;
    c->point[1] = (row[N_Y] * row[D_ANGLE] - row[D_Y] * row[N_ANGLE]) / determinant;
    return CAROM_OK;
}

static carom_status add_impact(batch *b, const double *row, const char *path, carom_error *err)
{
    int i = b->count;
    carom_impact_body body = { .inverse_mass = 1 };
    if (!(row[VX] * row[VX] + row[VY] * row[VY] + row[SPIN] * row[SPIN] > 0)) {
        carom_error_set(err, CAROM_BAD_INPUT, "impact %d does not move before", i);
        carom_error_where(err, "%s", path);
        return carom_error_fix(err, "leave it out: errors are relative to the motion before");
    }
    body.inverse_inertia[2] = 1 / (b->gyration * b->gyration); // turns in the plane only
    body.velocity[0] = row[VX];
    body.velocity[1] = row[VY];
    body.spin[2] = row[SPIN];
    TRY(contact_of(row, i, path, &b->contacts[i], err));
    b->bodies[i + 1] = body;
    b->rows[i] = row;
    ++b->count;
    return CAROM_OK;
}

static const double *row_of(const carom_data_table *table, int i)
{
    return table->values + (size_t)i * COLUMNS;
}

static carom_status split_halves(const carom_validate_options *options, parts *p, carom_error *err)
{
    unsigned char *fits = malloc((size_t)p->data.rows);
    if (!fits)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %d impacts", p->data.rows);
    carom_status status = carom_validate_halves(p->data.rows, options->seed, fits, err);
    for (int i = 0; i < p->data.rows && status == CAROM_OK; ++i)
        status = add_impact(fits[i] ? &p->fit : &p->judge, row_of(&p->data, i), options->data, err);
    free(fits);
    return status;
}

static carom_status read_parts(const carom_validate_options *options, parts *p, carom_error *err)
{
    const carom_data_table *fit = options->fit ? &p->other : &p->data;
    TRY(carom_data_table_read(options->data, names, COLUMNS, &p->data, err));
    if (options->fit)
        TRY(carom_data_table_read(options->fit, names, COLUMNS, &p->other, err));
    TRY(make_room(&p->fit, fit->rows, options->gyration, err));
    TRY(make_room(&p->judge, p->data.rows, options->gyration, err));
    p->fit.bodies[0] = p->judge.bodies[0] = (carom_impact_body){ 0 };
    if (!options->fit)
        return split_halves(options, p, err);
    for (int i = 0; i < p->other.rows; ++i)
        TRY(add_impact(&p->fit, row_of(&p->other, i), options->fit, err));
    for (int i = 0; i < p->data.rows; ++i)
        TRY(add_impact(&p->judge, row_of(&p->data, i), options->data, err));
    return CAROM_OK;
}

static void free_parts(parts *p)
{
    free_batch(&p->fit);
    free_batch(&p->judge);
    carom_data_table_free(&p->data);
    carom_data_table_free(&p->other);
}

// -- errors
// ----------------------------------------------------------------------------------------

// sqrt of twice the kinetic energy per mass.
static double size_of(double x, double y, double spin, double gyration)
{
    return sqrt(x * x + y * y + gyration * gyration * spin * spin);
}

static carom_status resolve_batch(void *context, double restitution, double friction, double *error,
                                  carom_error *err)
{
    fitting *f = context;
    batch *b = f->batch;
    double sum = 0;
    for (int i = 0; i < b->count; ++i) {
        b->contacts[i].restitution = restitution;
        b->contacts[i].friction = friction;
    }
    const carom_impact impact = { b->count + 1, b->count, b->bodies, b->contacts };
    carom_impact_outcome out = { .velocities = b->velocities,
                                 .spins = b->spins,
                                 .impulses = b->impulses };
    TRY(carom_progress_report(f->progress, fmin(f->done++, f->total), f->total,
                              carom_law_name(f->law), err));
    TRY(carom_impact_resolve(f->workspace, &impact, f->law, NULL, &out, err));
    for (int i = 0; i < b->count; ++i) {
        const double *row = b->rows[i], *v = b->velocities[i + 1];
        b->errors[i] = size_of(v[0] - row[VX_AFTER], v[1] - row[VY_AFTER],
                               b->spins[i + 1][2] - row[SPIN_AFTER], b->gyration) /
                       size_of(row[VX], row[VY], row[SPIN], b->gyration);
        sum += b->errors[i];
    }
    *error = sum / b->count;
    return CAROM_OK;
}

// What is left of the measured change of velocity when the best impulse at the point is taken out:
// its part across the plane that M^-1 n and M^-1 d span, in the norm of M.
static double least_squares(const double *row, double gyration)
{
    const double *n = row + N_X, *d = row + D_X;
    double k = gyration;
    // coordinates in which the norm is the plain one: (x, y, k spin); rows become (x, y, angle / k)
    double a[3] = { n[0], n[1], n[2] / k }, b[3] = { d[0], d[1], d[2] / k };
    double across[3] = { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                         a[0] * b[1] - a[1] * b[0] };
    double change[3] = { row[VX_AFTER] - row[VX], row[VY_AFTER] - row[VY],
                         k * (row[SPIN_AFTER] - row[SPIN]) };
    double length = sqrt(across[0] * across[0] + across[1] * across[1] + across[2] * across[2]);
    double left = (change[0] * across[0] + change[1] * across[1] + change[2] * across[2]) / length;
    return fabs(left) / size_of(row[VX], row[VY], row[SPIN], k);
}

// Mirrors, rotates and renumbers an impact by seeded random choices, and carries its result back.
#include "impact/symmetry.h"
#include "impact/problem.h"

static void keep_order(carom_symmetry *symmetry, const carom_impact *impact);
static mat3 reflection(carom_random *random);
static mat3 rotation(carom_random *random);
static mat3 product(mat3 a, mat3 b);

void carom_symmetry_mirror(carom_symmetry *symmetry, const carom_impact *impact,
                           carom_random *random)
{
    keep_order(symmetry, impact);
    symmetry->q = reflection(random);
    symmetry->handed = -1;
}

void carom_symmetry_rotate(carom_symmetry *symmetry, const carom_impact *impact,
                           carom_random *random)
{
    keep_order(symmetry, impact);
    symmetry->q = rotation(random);
}

// Backwards: every pair of contacts changes its order, so that whoever goes by it is found out.
void carom_symmetry_renumber(carom_symmetry *symmetry, const carom_impact *impact)
{
    for (int i = 0; i < impact->body_count; ++i)
        symmetry->place[i] = impact->body_count - 1 - i;
    for (int i = 0; i < impact->contact_count; ++i)
        symmetry->origin[i] = impact->contact_count - 1 - i;
    symmetry->q = quat_matrix(quat_identity());
    symmetry->handed = 1;
    symmetry->swap = true;
}

static void keep_order(carom_symmetry *symmetry, const carom_impact *impact)
{
    symmetry->q = quat_matrix(quat_identity());
    symmetry->handed = 1;
    symmetry->swap = false;
    for (int i = 0; i < impact->body_count; ++i)
        symmetry->place[i] = i;
    for (int i = 0; i < impact->contact_count; ++i)
        symmetry->origin[i] = i;
}

// I - 2 n n^T for a random plane.
static mat3 reflection(carom_random *random)
{
    double n[3];
    mat3 q;
    carom_random_direction(random, n);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            q.m[i][j] = (i == j) - 2 * n[i] * n[j];
    return q;
}

// Two reflections make a rotation; a random pair makes a random one, without angles.
static mat3 rotation(carom_random *random)
{
    mat3 first = reflection(random);
    return product(first, reflection(random));
}

static mat3 product(mat3 a, mat3 b)
{
    mat3 c = { { { 0 } } };
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k)
                c.m[i][j] += a.m[i][k] * b.m[k][j];
    return c;
}

static void transform_vector(const carom_symmetry *symmetry, const double from[3], double sign,
                             double to[3])
{
    vec3_store(vec3_scale(sign, mat3_mul(symmetry->q, vec3_from(from))), to);
}

static carom_impact_body transform_body(const carom_symmetry *symmetry,
                                        const carom_impact_body *body)
{
    carom_impact_body seen = *body;
    const double *s = body->inverse_inertia;
    sym3 inverse = sym3_rotate(symmetry->q, (sym3){ s[0], s[1], s[2], s[3], s[4], s[5] });
    transform_vector(symmetry, body->position, 1, seen.position);
    transform_vector(symmetry, body->velocity, 1, seen.velocity);
    transform_vector(symmetry, body->spin, symmetry->handed, seen.spin);
    seen.inverse_inertia[0] = inverse.xx;
    seen.inverse_inertia[1] = inverse.yy;
    seen.inverse_inertia[2] = inverse.zz;
    seen.inverse_inertia[3] = inverse.xy;
    seen.inverse_inertia[4] = inverse.xz;
    seen.inverse_inertia[5] = inverse.yz;
    return seen;
}

void carom_symmetry_apply(const carom_symmetry *symmetry, const carom_impact *impact,
                          carom_impact_body *bodies, carom_impact_contact *contacts)
{
    for (int i = 0; i < impact->body_count; ++i)
        bodies[symmetry->place[i]] = transform_body(symmetry, &impact->bodies[i]);
    for (int k = 0; k < impact->contact_count; ++k) {
        const carom_impact_contact *contact = &impact->contacts[symmetry->origin[k]];
        bool swapped = symmetry->swap && k % 2 == 1;
        double of_b[3];
        vec3_store(carom_problem_point_of_b(contact), of_b);
        contacts[k] = *contact;
        contacts[k].a = symmetry->place[swapped ? contact->b : contact->a];
        contacts[k].b = symmetry->place[swapped ? contact->a : contact->b];
        transform_vector(symmetry, swapped ? of_b : contact->point, 1, contacts[k].point);
        transform_vector(symmetry, contact->shift, swapped ? -1 : 1, contacts[k].shift);
        transform_vector(symmetry, contact->normal, swapped ? -1 : 1, contacts[k].normal);
    }
}

void carom_symmetry_restore(const carom_symmetry *symmetry, int i, const double (*velocities)[3],
                            const double (*spins)[3], vec3 *velocity, vec3 *spin)
{
    int there = symmetry->place[i];
    *velocity = mat3_tmul(symmetry->q, vec3_from(velocities[there]));
    *spin = vec3_scale(symmetry->handed, mat3_tmul(symmetry->q, vec3_from(spins[there])));
}

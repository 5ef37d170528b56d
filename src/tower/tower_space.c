// Building a tower in space: bodies, polyhedra, half spaces, contacts that are given. What cannot
// be used is refused here.
#include "tower/tower_space.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Largest coordinate, length, mass; smallest ones; see tower.c.
static const double LARGEST = 1e6, SMALLEST = 1e-6, LIGHTEST = 1e-9;

static carom_status refuse(carom_error *err, const char *what, double value, const char *fix)
{
    carom_error_set(err, CAROM_BAD_INPUT, "%s is %g", what, value);
    return carom_error_fix(err, "%s", fix);
}

carom_tower_space *carom_tower_space_create(const double gravity[3])
{
    if (!gravity)
        return NULL;
    carom_tower_space *t = calloc(1, sizeof *t);
    if (t)
        t->gravity = vec3_from(gravity);
    return t;
}

void carom_tower_space_destroy(carom_tower_space *t)
{
    if (!t)
        return;
    for (int b = 0; b < t->body_count; ++b)
        free(t->bodies[b].name);
    for (int p = 0; p < t->piece_count; ++p) {
        free(t->pieces[p].corners);
        free(t->pieces[p].first);
        free(t->pieces[p].loop);
        free(t->pieces[p].normals);
        free(t->pieces[p].offsets);
    }
    free(t->bodies);
    free(t->pieces);
    free(t->halves);
    free(t->given.item);
    free(t);
}

// Makes room for one more item; the capacity is the next power of two.
static carom_status grow(void **items, int count, size_t size, carom_error *err)
{
    if (*items && (count & (count - 1)) != 0)
        return CAROM_OK;
    void *wider = realloc(*items, (size_t)(count ? 2 * count : 1) * size);
    if (!wider)
        return carom_error_no_memory(err, "a tower of %d parts", count);
    *items = wider;
    return CAROM_OK;
}

static carom_status check_place(vec3 p, carom_error *err)
{
    double max = fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z)));
    if (!(max <= LARGEST) || isnan(p.x + p.y + p.z))
        return refuse(err, "a coordinate", max, "use coordinates within 1e6");
    return CAROM_OK;
}

static carom_status check_unit(vec3 n, carom_error *err)
{
    double length = vec3_length(n);
    if (!(fabs(length - 1) <= 1e-9))
        return refuse(err, "the length of a normal", length, "give unit normals");
    return CAROM_OK;
}

static carom_status check_body(const carom_tower_space *t, int body, carom_error *err)
{
    if (body < 0 || body >= t->body_count)
        return refuse(err, "the number of a body", body, "use the number of a body that was added");
    return CAROM_OK;
}

// Positive definite, with a smallest pivot that means something.
static carom_status check_inertia(const carom_tower_space_body *b, carom_error *err)
{
    const double *j = b->inertia;
    sym3 s = { j[0], j[1], j[2], j[3], j[4], j[5] };
    double c[6];
    sym3_root(s, c);
    if (!(b->mass >= LIGHTEST && b->mass <= LARGEST))
        return refuse(err, "the mass of a body", b->mass,
                      "use a mass from 1e-9 to 1e6, or fix the body");
    double min = fmin(c[0] * c[0], fmin(c[2] * c[2], c[5] * c[5]));
    if (!(min >= 1e-24 && j[0] + j[1] + j[2] <= 1e20))
        return refuse(err, "a moment of inertia", min, "give a body with extent in all directions");
    return CAROM_OK;
}

carom_status carom_tower_space_add_body(carom_tower_space *t, const carom_tower_space_body *body,
                                        int *index, carom_error *err)
{
    NEED(err, t, body);
    const double *j = body->inertia;
    if (t->body_count >= CAROM_TOWER_SPACE_BODIES_MAX) {
        carom_error_set(err, CAROM_UNSUPPORTED, "a tower may have at most %d bodies",
                        CAROM_TOWER_SPACE_BODIES_MAX);
        return carom_error_fix(err, "split the scene, or use fewer bodies");
    }
    TRY(check_place(vec3_from(body->centre), err));
    if (!body->fixed)
        TRY(check_inertia(body, err));
    TRY(grow((void **)&t->bodies, t->body_count, sizeof *t->bodies, err));
    char number[24];
    snprintf(number, sizeof number, "%d", t->body_count);
    const char *name = body->name ? body->name : number;
    space_body made = { .mass = body->mass,
                        .centre = vec3_from(body->centre),
                        .inertia = { j[0], j[1], j[2], j[3], j[4], j[5] },
                        .fixed = body->fixed,
                        .group = body->group,
                        .block = -1,
                        .name = malloc(strlen(name) + 1) };
    if (!made.name)
        return carom_error_no_memory(err, "the name of a body");
    strcpy(made.name, name);
    if (!made.fixed) {
        made.block = t->block_count;
        t->block_count += 2;
        t->size = fmax(t->size, body->size);
    }
    t->bodies[t->body_count] = made;
    if (index)
        *index = t->body_count;
    ++t->body_count;
    return CAROM_OK;
}

// -- polyhedra ----------------------------------------------------------------------------------

// Plane of a face by Newell's sums: as good as its corners are flat.
static bool face_plane(const space_piece *p, int face, vec3 *normal, double *offset)
{
    vec3 sum = { 0, 0, 0 }, mean = { 0, 0, 0 };
    int from = p->first[face], count = p->first[face + 1] - from;
    for (int k = 0; k < count; ++k) {
        vec3 a = vec3_sub(p->corners[p->loop[from + k]], p->corners[p->loop[from]]);
        vec3 b = vec3_sub(p->corners[p->loop[from + (k + 1) % count]], p->corners[p->loop[from]]);
        sum = vec3_add(sum, vec3_cross(a, b));
        mean = vec3_axpy(mean, 1.0 / count, p->corners[p->loop[from + k]]);
    }
    double length = vec3_length(sum);
    if (!(length >= SMALLEST * SMALLEST))
        return false;
    *normal = vec3_scale(1 / length, sum);
    *offset = vec3_dot(*normal, mean);
    return true;
}

static void find_bounds(space_piece *p)
{
    p->low = p->high = p->corners[0];
    for (int v = 1; v < p->corner_count; ++v) {
        vec3 c = p->corners[v];
        p->low = vec3_make(fmin(p->low.x, c.x), fmin(p->low.y, c.y), fmin(p->low.z, c.z));
        p->high = vec3_make(fmax(p->high.x, c.x), fmax(p->high.y, c.y), fmax(p->high.z, c.z));
    }
}

// Faces close, and every corner is behind every face.
static carom_status check_convex(space_piece *p, carom_error *err)
{
    double size = vec3_length(vec3_sub(p->high, p->low));
    if (!(size >= SMALLEST && size <= LARGEST))
        return refuse(err, "the size of a polyhedron", size, "use sizes from 1e-6 to 1e6");
    for (int f = 0; f < p->face_count; ++f) {
        if (!face_plane(p, f, &p->normals[f], &p->offsets[f])) {
            carom_error_set(err, CAROM_BAD_INPUT, "face %d of a polyhedron has no area", f);
            return carom_error_fix(err, "leave the face out, or use another unit of length");
        }
        for (int v = 0; v < p->corner_count; ++v) {
            double out = vec3_dot(p->normals[f], p->corners[v]) - p->offsets[f];
            if (out > 1e-7 * size) {
                carom_error_set(err, CAROM_BAD_INPUT,
                                "a polyhedron is not convex: corner %d is %.3g before face %d", v,
                                out, f);
                return carom_error_fix(err, "split the body into convex pieces");
            }
        }
    }
    return CAROM_OK;
}

static void *copied(const void *from, size_t bytes)
{
    void *copy = malloc(bytes + 1);
    return copy ? memcpy(copy, from, bytes) : NULL;
}

carom_status carom_tower_space_add_piece(carom_tower_space *t, int body,
                                         const carom_tower_space_piece *given, carom_error *err)
{
    NEED(err, t, given);
    const int max = CAROM_TOWER_SPACE_CORNERS_MAX;
    TRY(check_body(t, body, err));
    if (given->corner_count < 4 || given->corner_count > max || given->face_count < 4 ||
        given->face_count > max)
        return refuse(err, "the number of corners of a polyhedron", given->corner_count,
                      "use 4 to 4096 corners and as many faces");
    for (int f = 0; f < given->face_count; ++f)
        if (given->first[f + 1] - given->first[f] < 3)
            return refuse(err, "the number of corners of a face",
                          given->first[f + 1] - given->first[f], "give at least three");
    TRY(grow((void **)&t->pieces, t->piece_count, sizeof *t->pieces, err));
    size_t corners = (size_t)given->corner_count, faces = (size_t)given->face_count;
    space_piece *p = &t->pieces[t->piece_count];
    *p = (space_piece){ .body = body,
                        .corner_count = given->corner_count,
                        .face_count = given->face_count };
    p->corners = malloc(corners * sizeof *p->corners);
    p->first = copied(given->first, (faces + 1) * sizeof *p->first);
    p->loop = copied(given->loop, (size_t)given->first[faces] * sizeof *p->loop);
    p->normals = malloc(faces * sizeof *p->normals);
    p->offsets = malloc(faces * sizeof *p->offsets);
    ++t->piece_count; // owned from here on
    if (!p->corners || !p->first || !p->loop || !p->normals || !p->offsets)
        return carom_error_no_memory(err, "a polyhedron");
    for (size_t v = 0; v < corners; ++v) {
        p->corners[v] = vec3_from(given->corners + 3 * v);
        TRY(check_place(p->corners[v], err));
    }
    for (int k = 0; k < p->first[p->face_count]; ++k)
        if (p->loop[k] < 0 || p->loop[k] >= p->corner_count)
            return refuse(err, "a corner number of a face", p->loop[k],
                          "use the numbers of corners that are given");
    find_bounds(p);
    TRY(check_convex(p, err));
    vec3 d = vec3_sub(p->high, p->low);
    if (!t->bodies[body].fixed)
        t->size = fmax(t->size, fmax(d.x, fmax(d.y, d.z)));
    return CAROM_OK;
}

static sym3 box_inertia(double mass, const double h[3], mat3 r)
{
    sym3 own = { mass / 3 * (h[1] * h[1] + h[2] * h[2]),
                 mass / 3 * (h[0] * h[0] + h[2] * h[2]),
                 mass / 3 * (h[0] * h[0] + h[1] * h[1]),
                 0,
                 0,
                 0 };
    return sym3_rotate(r, own);
}

carom_status carom_tower_space_add_box(carom_tower_space *t, const double centre[3],
                                       const double half[3], const double *rotation, double mass,
                                       bool fixed, int *index, carom_error *err)
{
    NEED(err, half);
    static const int first[7] = { 0, 4, 8, 12, 16, 20, 24 };
    static const int loop[24] = { 0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                  2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6 };
    mat3 r = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
    double corners[24];
    int number = -1;
    for (int k = 0; k < 3; ++k)
        if (!(half[k] >= SMALLEST / 2 && half[k] <= LARGEST))
            return refuse(err, "half an edge of a box", half[k],
                          "use lengths from 1e-6 to 1e6, or another unit");
    if (rotation)
        memcpy(r.m, rotation, sizeof r.m);
    for (int v = 0; v < 8; ++v) {
        vec3 own = vec3_make(v & 1 ? half[0] : -half[0], v & 2 ? half[1] : -half[1],
                             v & 4 ? half[2] : -half[2]);
        vec3_store(vec3_add(vec3_from(centre), mat3_mul(r, own)), corners + 3 * v);
    }
    sym3 j = box_inertia(mass, half, r);
    carom_tower_space_body body = { .mass = mass,
                                    .centre = { centre[0], centre[1], centre[2] },
                                    .inertia = { j.xx, j.yy, j.zz, j.xy, j.xz, j.yz },
                                    .fixed = fixed };
    TRY(carom_tower_space_add_body(t, &body, &number, err));
    carom_tower_space_piece piece = { corners, 8, first, loop, 6 };
    if (index)
        *index = number;
    return carom_tower_space_add_piece(t, number, &piece, err);
}

carom_status carom_tower_space_add_half(carom_tower_space *t, int body, const double point[3],
                                        const double normal[3], carom_error *err)
{
    NEED(err, t);
    TRY(check_body(t, body, err));
    if (!t->bodies[body].fixed)
        return refuse(err, "the number of a movable body that should be a half space", body,
                      "fix the body");
    TRY(check_place(vec3_from(point), err));
    TRY(check_unit(vec3_from(normal), err));
    TRY(grow((void **)&t->halves, t->half_count, sizeof *t->halves, err));
    t->halves[t->half_count++] = (space_half){ body, vec3_from(point), vec3_from(normal) };
    return CAROM_OK;
}

carom_status carom_tower_space_append(space_contacts *list, space_contact contact, carom_error *err)
{
    if (list->count == list->room) {
        int room = 2 * list->room + 64;
        space_contact *wider = realloc(list->item, (size_t)room * sizeof *wider);
        if (!wider)
            return carom_error_no_memory(err, "%d contacts", room);
        list->item = wider;
        list->room = room;
    }
    list->item[list->count++] = contact;
    return CAROM_OK;
}

carom_status carom_tower_space_add_contact(carom_tower_space *t, int a, int b,
                                           const double point[3], const double normal[3],
                                           carom_error *err)
{
    NEED(err, t, point, normal);
    TRY(check_body(t, a, err));
    TRY(check_body(t, b, err));
    TRY(check_place(vec3_from(point), err));
    TRY(check_unit(vec3_from(normal), err));
    if (a == b)
        return refuse(err, "a contact of a body with itself, number", a, "name two bodies");
    return carom_tower_space_append(
        &t->given, (space_contact){ a, b, vec3_from(point), vec3_from(normal) }, err);
}

// -- answers ------------------------------------------------------------------------------------

int carom_tower_space_bodies(const carom_tower_space *t)
{
    if (!t)
        return 0;
    return t->body_count;
}
const char *carom_tower_space_name(const carom_tower_space *t, int body)
{
    if (!t || body < 0 || body >= carom_tower_space_bodies(t))
        return "";
    return t->bodies[body].name;
}
bool carom_tower_space_fixed(const carom_tower_space *t, int body)
{
    if (!t || body < 0 || body >= carom_tower_space_bodies(t))
        return false;
    return t->bodies[body].fixed;
}
void carom_tower_space_gravity(const carom_tower_space *t, double gravity[3])
{
    if (!t || !gravity)
        return;
    vec3_store(t->gravity, gravity);
}

void carom_tower_space_centre(const carom_tower_space *tower, int body, double centre[3])
{
    if (!centre || body < 0 || body >= carom_tower_space_bodies(tower))
        return;
    vec3_store(tower->bodies[body].centre, centre);
}

int carom_tower_space_pieces(const carom_tower_space *tower)
{
    return tower ? tower->piece_count : 0;
}

carom_tower_space_piece carom_tower_space_piece_at(const carom_tower_space *tower, int index,
                                                   int *body)
{
    if (!body || index < 0 || index >= carom_tower_space_pieces(tower))
        return (carom_tower_space_piece){ 0 };
    const space_piece *piece = &tower->pieces[index];
    *body = piece->body;
    return (carom_tower_space_piece){ .corners = &piece->corners[0].x,
                                      .corner_count = piece->corner_count,
                                      .first = piece->first,
                                      .loop = piece->loop,
                                      .face_count = piece->face_count };
}

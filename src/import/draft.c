// Filling a draft: equal shapes and materials are kept once, what is impossible is refused here.
#include "import/draft.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "math/trig.h"

void carom_draft_free(carom_draft *draft)
{
    free(draft->shapes);
    free(draft->parts);
    free(draft->bodies);
    free(draft->materials);
    free(draft->joints);
    free(draft->remarks);
    carom_arena_destroy(draft->memory);
    *draft = (carom_draft){ 0 };
}

// Room for one more item.
static carom_status grow(void *list, int count, int *room, size_t size, carom_error *err)
{
    if (count < *room)
        return CAROM_OK;
    if (*room > 1 << 28)
        return carom_error_set(err, CAROM_NO_MEMORY, "more than %d things in one file", *room);
    int more = 2 * *room + 16;
    void **items = list, *moved = realloc(*items, (size_t)more * size);
    if (!moved)
        return carom_error_no_memory(err, "the scene that is read");
    *items = moved;
    *room = more;
    return CAROM_OK;
}

carom_status carom_draft_keep(carom_draft *draft, const char *words, const char **out,
                              carom_error *err)
{
    size_t length = strlen(words);
    char *copy;
    if (!draft->memory)
        draft->memory = carom_arena_create(0);
    if (!draft->memory)
        return carom_error_no_memory(err, "the scene that is read");
    TAKE(draft->memory, copy, length + 1, err);
    memcpy(copy, words, length + 1);
    *out = copy;
    return CAROM_OK;
}

// -- shapes ---------------------------------------------------------------------------------------

static const struct {
    const char *name;
    int sizes;
} forms[CAROM_DRAFT_FORMS] = {
    [CAROM_DRAFT_SPHERE] = { "sphere", 1 },   [CAROM_DRAFT_BOX] = { "box", 3 },
    [CAROM_DRAFT_CAPSULE] = { "capsule", 2 }, [CAROM_DRAFT_CYLINDER] = { "cylinder", 2 },
    [CAROM_DRAFT_PLANE] = { "plane", 0 },     [CAROM_DRAFT_MESH] = { "mesh", 1 },
};

static carom_status check_shape(carom_draft_form form, const double size[3], carom_error *err)
{
    for (int i = 0; i < forms[form].sizes; ++i)
        if (!(size[i] > 0 && size[i] <= 1e12)) {
            carom_error_set(err, CAROM_BAD_INPUT, "a %s has the size %g, which is not above 0",
                            forms[form].name, size[i]);
            return carom_error_fix(err, "give every size in metres, above 0");
        }
    double length = vec3_length(vec3_from(size));
    if (form == CAROM_DRAFT_PLANE && !(length > 1e-9 && length <= 1e12)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the normal of a plane has no direction");
        return carom_error_fix(err, "give a vector that is not zero");
    }
    return CAROM_OK;
}

carom_status carom_draft_shape_add(carom_draft *draft, carom_draft_form form, const double size[3],
                                   const char *file, int *at, carom_error *err)
{
    TRY(check_shape(form, size, err));
    carom_draft_shape shape = { .form = form, .file = file };
    memcpy(shape.size, size, sizeof shape.size);
    for (int i = forms[form].sizes; form != CAROM_DRAFT_PLANE && i < 3; ++i)
        shape.size[i] = 0;
    for (int i = draft->shape_count - 1; i >= 0 && i >= draft->shape_count - 64; --i) {
        const carom_draft_shape *other = &draft->shapes[i];
        bool same_file = file ? other->file && strcmp(file, other->file) == 0 : !other->file;
        if (other->form == form && same_file &&
            memcmp(other->size, shape.size, sizeof shape.size) == 0) {
            *at = i;
            return CAROM_OK;
        }
    }
    if (file)
        TRY(carom_draft_keep(draft, file, &shape.file, err));
    TRY(grow(&draft->shapes, draft->shape_count, &draft->shape_room, sizeof shape, err));
    *at = draft->shape_count;
    draft->shapes[draft->shape_count++] = shape;
    return CAROM_OK;
}

carom_status carom_draft_material_add(carom_draft *draft, double restitution, double friction,
                                      int *at, carom_error *err)
{
    if (!(restitution >= 0 && restitution <= 1) || !(friction >= 0 && friction <= 1e6)) {
        carom_error_set(err, CAROM_BAD_INPUT, "restitution %g or friction %g is out of range",
                        restitution, friction);
        return carom_error_fix(err, "restitution is from 0 to 1, friction from 0 on");
    }
    for (int i = 0; i < draft->material_count; ++i)
        if (draft->materials[i].restitution == restitution &&
            draft->materials[i].friction == friction) {
            *at = i;
            return CAROM_OK;
        }
    carom_draft_material material = { .restitution = restitution, .friction = friction };
    char name[24] = "surface";
    if (draft->material_count)
        snprintf(name, sizeof name, "surface%d", draft->material_count + 1);
    TRY(carom_draft_keep(draft, name, &material.name, err));
    TRY(grow(&draft->materials, draft->material_count, &draft->material_room, sizeof material,
             err));
    *at = draft->material_count;
    draft->materials[draft->material_count++] = material;
    return CAROM_OK;
}

// -- bodies ---------------------------------------------------------------------------------------

void carom_draft_spell(const char *name, char out[CAROM_DRAFT_NAME])
{
    size_t n = 0;
    for (; *name && n + 20 < CAROM_DRAFT_NAME; ++name) { // room for a number behind it
        bool letter = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z');
        bool other = (*name >= '0' && *name <= '9') || *name == '-' || *name == '_' || *name == ' ';
        if (letter || (other && n > 0))
            out[n++] = *name;
        else if (n > 0 && out[n - 1] != '-')
            out[n++] = '-';
    }
    while (n > 0 && (out[n - 1] == '-' || out[n - 1] == ' '))
        --n;
    out[n] = 0;
    if (n == 0)
        snprintf(out, CAROM_DRAFT_NAME, "body");
}

static bool name_taken(const carom_draft *draft, const char *name)
{
    for (int i = 0; i < draft->body_count; ++i)
        if (draft->bodies[i].name && strcmp(draft->bodies[i].name, name) == 0)
            return true;
    return strcmp(name, "world") == 0;
}

carom_status carom_draft_body_add(carom_draft *draft, const char *name, int *at, carom_error *err)
{
    carom_draft_body body = {
        .part = -1, .rotation = quat_identity(), .material = -1, .colour = -1
    };
    if (name) {
        char plain[CAROM_DRAFT_NAME], word[CAROM_DRAFT_NAME + 20];
        carom_draft_spell(name, plain);
        snprintf(word, sizeof word, "%s", plain);
        for (int i = 2; name_taken(draft, word) && i < 100000; ++i)
            snprintf(word, sizeof word, "%s-%d", plain, i);
        TRY(carom_draft_keep(draft, word, &body.name, err));
    }
    TRY(grow(&draft->bodies, draft->body_count, &draft->body_room, sizeof body, err));
    *at = draft->body_count;
    draft->bodies[draft->body_count++] = body;
    return CAROM_OK;
}

carom_status carom_draft_part_add(carom_draft *draft, int body, int shape, vec3 position,
                                  quat rotation, carom_error *err)
{
    TRY(grow(&draft->parts, draft->part_count, &draft->part_room, sizeof *draft->parts, err));
    int *end = &draft->bodies[body].part;
    while (*end >= 0)
        end = &draft->parts[*end].next;
    *end = draft->part_count;
    draft->parts[draft->part_count++] = (carom_draft_part){ shape, -1, position, rotation };
    ++draft->shapes[shape].users;
    return CAROM_OK;
}

carom_status carom_draft_joint_add(carom_draft *draft, const char *kind, int a, int b,
                                   carom_draft_joint **out, carom_error *err)
{
    TRY(grow(&draft->joints, draft->joint_count, &draft->joint_room, sizeof *draft->joints, err));
    *out = &draft->joints[draft->joint_count++];
    **out = (carom_draft_joint){ .kind = kind, .a = a, .b = b };
    return CAROM_OK;
}

carom_status carom_draft_remark(carom_draft *draft, carom_error *err, const char *words, ...)
{
    char line[200];
    va_list list;
    va_start(list, words);
    vsnprintf(line, sizeof line, words, list);
    va_end(list);
    for (char *c = line; *c; ++c)
        if ((unsigned char)*c < ' ')
            *c = ' '; // one line of comment
    for (int i = 0; i < draft->remark_count; ++i)
        if (strcmp(draft->remarks[i], line) == 0)
            return CAROM_OK;
    TRY(grow(&draft->remarks, draft->remark_count, &draft->remark_room, sizeof *draft->remarks,
             err));
    TRY(carom_draft_keep(draft, line, &draft->remarks[draft->remark_count], err));
    ++draft->remark_count;
    return CAROM_OK;
}

// -- several as one -------------------------------------------------------------------------------

// Moments about a point that lies `way` from the centre, less those about the centre.
static sym3 steiner(double mass, vec3 way)
{
    double x = way.x, y = way.y, z = way.z;
    return (sym3){ mass * (y * y + z * z), mass * (x * x + z * z), mass * (x * x + y * y),
                   -mass * x * y,          -mass * x * z,          -mass * y * z };
}

static sym3 sum(sym3 a, sym3 b)
{
    return (sym3){ a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz };
}

carom_draft_mass carom_draft_together(carom_draft_mass a, carom_draft_mass b)
{
    carom_draft_mass out = { .mass = a.mass + b.mass };
    if (!(out.mass > 0))
        return out;
    out.centre = vec3_scale(1 / out.mass,
                            vec3_add(vec3_scale(a.mass, a.centre), vec3_scale(b.mass, b.centre)));
    out.inertia = sum(sum(a.inertia, steiner(a.mass, vec3_sub(a.centre, out.centre))),
                      sum(b.inertia, steiner(b.mass, vec3_sub(b.centre, out.centre))));
    return out;
}

carom_status carom_draft_merge(carom_draft *draft, int into, int from, carom_error *err)
{
    carom_draft_body *to = &draft->bodies[into], *gone = &draft->bodies[from];
    bool bare = to->part < 0 && !to->has_mass; // a frame only
    quat back = quat_conjugate(to->rotation), turn = quat_mul(back, gone->rotation);
    vec3 way = quat_rotate(back, vec3_sub(gone->position, to->position));
    for (int i = gone->part; i >= 0;) {
        carom_draft_part part = draft->parts[i];
        --draft->shapes[part.shape].users;
        i = part.next;
        TRY(carom_draft_part_add(draft, into, part.shape,
                                 vec3_add(way, quat_rotate(turn, part.position)),
                                 quat_mul(turn, part.rotation), err));
    }
    if (bare)
        to->name = gone->name;
    gone->part = -1;
    if (!to->has_mass && !gone->has_mass && (bare || to->density == gone->density)) {
        to->density = gone->density;
        return CAROM_OK;
    }
    if ((gone->density > 0 && !(gone->m.mass > 0)) || (to->density > 0 && !(to->m.mass > 0)))
        return carom_error_set(err, CAROM_UNSUPPORTED,
                               "\"%.60s\" and \"%.60s\" are one body, and the mass of a mesh in it "
                               "is not known here",
                               to->name, gone->name);
    carom_draft_mass moved = { gone->m.mass, vec3_add(way, quat_rotate(turn, gone->m.centre)),
                               sym3_rotate(quat_matrix(turn), gone->m.inertia) };
    to->m = to->m.mass > 0 ? carom_draft_together(to->m, moved) : moved;
    to->has_mass = to->has_inertia = to->m.mass > 0;
    return CAROM_OK;
}

// -- frames ---------------------------------------------------------------------------------------

quat carom_draft_turn(vec3 axis, double angle)
{
    double length = vec3_length(axis);
    if (!(length > 0) || !isfinite(length) || !(fabs(angle) <= 1e5))
        return quat_identity();
    vec3 n = vec3_scale(carom_trig_sin(0.5 * angle) / length, axis);
    return (quat){ carom_trig_cos(0.5 * angle), n.x, n.y, n.z };
}

vec3 carom_draft_upright(vec3 v)
{
    return vec3_make(v.x, -v.z, v.y);
}

quat carom_draft_upright_turn(quat q)
{
    return (quat){ q.w, q.x, -q.z, q.y };
}

// Opens, builds and steps world scenes.
#include "support/play.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "support/check.h"

play play_open(const char *name)
{
    play p = { 0 };
    char path[256];
    carom_error err = { 0 };
    snprintf(path, sizeof path, "scenes/world/%s.json", name); // tests run in the source folder
    p.broken = !CHECK(carom_scene_world_open(path, &p.scene, &err) == CAROM_OK, "%s: %s (%s)",
                      err.where, err.what, err.fix);
    p.dt = p.broken ? 0 : carom_scene_world_step(p.scene);
    return p;
}

// The text with its first `from` replaced by `to`; frees the old one. Null: not there.
static char *replace(char *text, const char *from, const char *to)
{
    char *at = text ? strstr(text, from) : NULL, *made = NULL;
    if (at && (made = malloc(strlen(text) + strlen(to) + 1)))
        sprintf(made, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    free(text);
    return made;
}

play play_open_changed(const char *name, const char *const (*changes)[2], int count)
{
    char path[256], *text = NULL;
    snprintf(path, sizeof path, "scenes/world/%s.json", name);
    FILE *file = fopen(path, "rb");
    if (CHECK(file != NULL, "%s opens", path)) {
        text = calloc(1, 65536);
        CHECK(text && fread(text, 1, 65535, file) > 0, "%s is read", path);
        fclose(file);
    }
    for (int i = 0; i < count && text; ++i) {
        text = replace(text, changes[i][0], changes[i][1]);
        CHECK(text != NULL, "%s has %s", path, changes[i][0]);
    }
    play p = text ? play_parse(path, text) : (play){ .broken = true };
    free(text);
    return p;
}

play play_parse(const char *name, const char *text)
{
    play p = { 0 };
    carom_error err = { 0 };
    p.broken = !CHECK(carom_scene_world_parse(name, text, strlen(text), &p.scene, &err) == CAROM_OK,
                      "%s: %s (%s)", err.where, err.what, err.fix);
    p.dt = p.broken ? 0 : carom_scene_world_step(p.scene);
    return p;
}

void play_close(play *p)
{
    carom_world_destroy(p->world);
    carom_scene_world_close(p->scene);
    *p = (play){ 0 };
}

void play_set(play *p, const char *key, const char *value)
{
    carom_error err = { 0 };
    if (p->broken)
        return;
    p->broken = !CHECK(carom_scene_world_set(p->scene, key, value, &err) == CAROM_OK,
                       "set %s = %s: %s (%s)", key, value, err.what, err.fix);
    p->dt = carom_scene_world_step(p->scene);
}

void play_build(play *p)
{
    carom_error err = { 0 };
    if (!p->broken && !p->world)
        p->broken = !CHECK(carom_scene_world_build(p->scene, NULL, &p->world, &err) == CAROM_OK,
                           "%s: %s (%s)", err.where, err.what, err.fix);
}

bool play_steps(play *p, int64_t count)
{
    carom_error err = { 0 };
    play_build(p);
    for (int64_t i = 0; i < count && !p->broken; ++i) {
        carom_scene_world_change(p->scene, p->world, p->step++);
        p->broken =
            !CHECK(carom_world_step(p->world, p->dt, &err) == CAROM_OK, "%s, step %lld: %s, %s",
                   carom_scene_world_title(p->scene), (long long)p->step, err.what, err.where);
    }
    return !p->broken;
}

bool play_until(play *p, double time)
{
    play_build(p);
    return !p->broken && play_steps(p, llround(time / p->dt) - p->step);
}

int play_find(const play *p, const char *name)
{
    int body = p->broken ? -1 : carom_scene_world_find(p->scene, name);
    CHECK(body >= 0, "there is a body %s", name);
    return body < 0 ? 0 : body;
}

vec3 play_position(const play *p, int body)
{
    double x[3] = { NAN, NAN, NAN };
    if (p->world)
        carom_world_body(p->world, carom_world_body_at(p->world, body), x, NULL, NULL, NULL);
    return vec3_from(x);
}

vec3 play_velocity(const play *p, int body)
{
    double v[3] = { NAN, NAN, NAN };
    if (p->world)
        carom_world_body(p->world, carom_world_body_at(p->world, body), NULL, NULL, v, NULL);
    return vec3_from(v);
}

vec3 play_spin(const play *p, int body)
{
    double w[3] = { NAN, NAN, NAN };
    if (p->world)
        carom_world_body(p->world, carom_world_body_at(p->world, body), NULL, NULL, NULL, w);
    return vec3_from(w);
}

quat play_rotation(const play *p, int body)
{
    double q[4] = { NAN, NAN, NAN, NAN };
    if (p->world)
        carom_world_body(p->world, carom_world_body_at(p->world, body), NULL, q, NULL, NULL);
    return (quat){ q[0], q[1], q[2], q[3] };
}

carom_ledger play_ledger(const play *p)
{
    return p->world ? carom_world_ledger(p->world) : (carom_ledger){ .kinetic = NAN };
}

double play_energy_error(const play *p, double scale)
{
    carom_ledger ledger = play_ledger(p);
    return (ledger.kinetic + ledger.potential - ledger.start) / scale;
}

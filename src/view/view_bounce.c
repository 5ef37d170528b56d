// A bounce map on its body: restitution and contact time over the surface [Bounce, section 4].
#include "view/view_static.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "carom/bounce_map.h"
#include "math/constants.h"

typedef struct colours {
    float (*position)[3];
    float *epsilon, *tau;
    double shortest, longest; // s
} colours;

static bool fill_colours(const carom_bounce_map *map, const carom_mesh_source *mesh, colours *out)
{
    size_t corners = 3 * (size_t)mesh->triangle_count;
    *out = (colours){ .position = malloc((corners + 1) * sizeof *out->position),
                      .epsilon = malloc((corners + 1) * sizeof *out->epsilon),
                      .tau = malloc((corners + 1) * sizeof *out->tau),
                      .shortest = HUGE_VAL };
    if (!out->position || !out->epsilon || !out->tau)
        return false;
    for (int f = 0; f < mesh->triangle_count; ++f) {
        carom_bounce_value value = carom_bounce_map_sample(map, f, NULL, NULL);
        out->shortest = fmin(out->shortest, value.tau);
        out->longest = fmax(out->longest, value.tau);
        for (int k = 0; k < 3; ++k) {
            size_t corner = 3 * (size_t)f + (size_t)k;
            const double *v = mesh->vertices + 3 * (size_t)mesh->triangles[corner];
            for (int i = 0; i < 3; ++i)
                out->position[corner][i] = (float)v[i];
            out->epsilon[corner] = (float)value.epsilon;
            out->tau[corner] = (float)value.tau;
        }
    }
    return true;
}

static void add_channel(carom_json *json, const char *name, const char *unit, double min,
                        double max)
{
    carom_json_object(json, NULL);
    carom_json_string(json, "name", name);
    carom_json_string(json, "unit", unit);
    carom_json_number(json, "min", min);
    carom_json_number(json, "max", max);
    carom_json_end(json);
}

static void add_facts(const carom_bounce_map *map, carom_view_static *source)
{
    static const char *const places[] = { "faces", "edges", "vertices" };
    const carom_bounce_map_info *about = carom_bounce_map_about(map);
    carom_json_array(source->json, "facts");
    carom_view_static_fact(source, "mass", "%.4g kg", about->mass);
    carom_view_static_fact(source, "modes", "%d, %.4g to %.4g Hz", about->modes,
                           about->omega_min / CAROM_TWO_PI, about->omega_max / CAROM_TWO_PI);
    for (int place = 0; place < 3; ++place) {
        carom_bounce_statistics s = carom_bounce_map_statistics(map, place);
        if (s.count == 0)
            continue;
        carom_view_static_fact(source, places[place], "%d", s.count);
        carom_view_static_fact(source, "restitution", "%.3f to %.3f, mean %.3f", s.min, s.max,
                               s.mean);
        carom_view_static_fact(source, "contact time", "%.3g us on the mean", 1e6 * s.tau_mean);
    }
    carom_json_end(source->json);
}

static carom_status fill(const carom_bounce_map *map, const char *title, carom_view_static **out,
                         carom_error *err)
{
    const carom_bounce_map_info *about = carom_bounce_map_about(map);
    carom_mesh_source mesh = carom_mesh_surface(carom_bounce_map_mesh(map));
    colours c;
    vec3 none = vec3_make(0, 0, 0);
    TRY(carom_view_static_begin("bounce map", title, out, err));
    carom_view_static *source = *out;
    carom_json *json = source->json;
    source->failed = !fill_colours(map, &mesh, &c);
    carom_json_array(json, "bodies");
    carom_view_static_body body = { .name = "body", .mass = about->mass, .colour = -1 };
    carom_view_static_add_body(source, &body);
    carom_json_end(json);
    add_facts(map, source);
    carom_json_array(json, "channels");
    add_channel(json, "restitution", "1", 0, 1);
    add_channel(json, "contact time", "s", c.shortest, c.longest);
    carom_json_end(json);
    carom_json_array(json, "forms");
    if (!source->failed) {
        carom_view_static_surface surface = { .position = (const float(*)[3])c.position,
                                              .channel = { c.epsilon, c.tau },
                                              .channels = 2,
                                              .corners = 3 * mesh.triangle_count };
        carom_view_static_mesh(source, &surface);
    }
    carom_json_end(json);
    carom_view_static_state(source, none, quat_identity(), none, none);
    carom_view_static_frame(source, 0);
    free(c.position);
    free(c.epsilon);
    free(c.tau);
    return CAROM_OK;
}

carom_status carom_view_bounce_of(const carom_bounce_map *map, const char *title,
                                  const carom_view_source_ops **ops, void **self, carom_error *err)
{
    carom_view_static *source = NULL;
    carom_status status = fill(map, title, &source, err);
    return source ? carom_view_static_end(source, status, ops, self, err) : status;
}

carom_status carom_view_bounce_open(const char *path, const char *law,
                                    const carom_view_source_ops **ops, void **self,
                                    carom_error *err)
{
    carom_bounce_map *map = NULL;
    const char *slash = strrchr(path, '/');
    (void)law;
    TRY(carom_bounce_map_load(path, &map, err));
    carom_status status = carom_view_bounce_of(map, slash ? slash + 1 : path, ops, self, err);
    carom_bounce_map_destroy(map);
    return status;
}

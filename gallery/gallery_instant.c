// Builds and resolves impacts for entries by the name of a law.
#include "gallery/gallery_instant.h"

#include <stdio.h>
#include <string.h>

// "name:option=value:option=value"
static carom_status read_law(const char *words, const carom_law **law, carom_law_options *options,
                             carom_error *err)
{
    char copy[160], *rest = copy;
    snprintf(copy, sizeof copy, "%s", words);
    *law = carom_law_find(strtok_r(rest, ":", &rest), err);
    if (!*law)
        return CAROM_BAD_INPUT;
    *options = carom_law_defaults(*law);
    for (char *part; (part = strtok_r(rest, ":", &rest));) {
        char *value = strchr(part, '=');
        if (!value)
            return carom_error_set(err, CAROM_BAD_INPUT, "\"%s\" is no option=value", part);
        *value++ = 0;
        TRY(carom_law_set(*law, options, part, value, err));
    }
    return CAROM_OK;
}

carom_status carom_gallery_instant_resolve(carom_gallery_result *result, const carom_impact *impact,
                                           const char *words, carom_impact_outcome *out,
                                           carom_error *err)
{
    const carom_law *law;
    carom_law_options options;
    TRY(read_law(words, &law, &options, err));
    size_t bodies = (size_t)impact->body_count, contacts = (size_t)impact->contact_count;
    *out = (carom_impact_outcome){
        .velocities =
            carom_gallery_memory_take(result->memory, bodies + 1, sizeof *out->velocities),
        .spins = carom_gallery_memory_take(result->memory, bodies + 1, sizeof *out->spins),
        .impulses = carom_gallery_memory_take(result->memory, contacts + 1, sizeof *out->impulses),
    };
    carom_workspace *workspace = carom_workspace_create();
    carom_status status = out->velocities && out->spins && out->impulses && workspace
                              ? carom_impact_resolve(workspace, impact, law, &options, out, err)
                              : carom_error_set(err, CAROM_NO_MEMORY, "no memory for an instant");
    carom_workspace_destroy(workspace);
    return status;
}

carom_status carom_gallery_instant_chain(carom_gallery_result *result, int count,
                                         const double *masses, const double *velocities,
                                         carom_impact *out, carom_error *err)
{
    size_t n = (size_t)count;
    carom_impact_body *bodies = carom_gallery_memory_take(result->memory, n, sizeof *bodies);
    carom_impact_contact *contacts = carom_gallery_memory_take(result->memory, n, sizeof *contacts);
    if (!bodies || !contacts)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for a chain");
    for (int i = 0; i < count; ++i) {
        bodies[i] = carom_impact_body_default();
        bodies[i].inverse_mass = 1 / masses[i];
        for (int k = 0; k < 3; ++k) // a solid ball of radius .5
            bodies[i].inverse_inertia[k] = 10 / masses[i];
        bodies[i].position[0] = i;
        bodies[i].velocity[0] = velocities[i];
    }
    for (int i = 0; i + 1 < count; ++i) {
        contacts[i] = carom_impact_contact_default();
        contacts[i].a = i;
        contacts[i].b = i + 1;
        contacts[i].point[0] = i + 0.5;
    }
    *out = (carom_impact){ count, count - 1, bodies, contacts };
    return CAROM_OK;
}

carom_status carom_gallery_instant_compare(carom_gallery_result *result, const char *scene,
                                           const char *const *laws, const char *caption,
                                           carom_error *err)
{
    char path[4200];
    carom_scene_impact *file = NULL;
    carom_compare *compare = NULL;
    carom_status status = carom_scene_impact_open(
        carom_gallery_result_scene(result, scene, path, sizeof path), &file, err);
    if (status == CAROM_OK)
        status = carom_compare_create(file, CAROM_KIN | CAROM_MOM, &compare, err);
    for (int i = 0; status == CAROM_OK && laws[i]; ++i) {
        const carom_law *law;
        carom_law_options options;
        status = read_law(laws[i], &law, &options, err);
        if (status == CAROM_OK)
            status = carom_compare_add(compare, law, &options, err);
    }
    if (status == CAROM_OK)
        status = carom_gallery_result_take(result, carom_compare_svg(compare), caption, err);
    carom_compare_destroy(compare);
    carom_scene_impact_close(file);
    return status;
}

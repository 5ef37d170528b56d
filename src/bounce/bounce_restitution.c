// Restitution by place for bodies of a world, from a bounce map or from modes [Bounce, sections 4
// and 5]: the two sources of carom/restitution.h that this room offers.
//
// A body in a world may have another mass than its modes: its response w there scales the
// participations, a sqrt(w / w_modes), so that the problem is that of the body as it is.
#include "bounce/bounce.h"
#include "bounce/bounce_map.h"

#include <math.h>

// Doubles to the next multiple of 64 bytes: parts of the scratch stay aligned.
static size_t aligned(size_t doubles)
{
    return (doubles + 7) / 8 * 8;
}

static size_t modes_of(const carom_bounce_direct *direct)
{
    const double *omega;
    return (size_t)carom_bounce_direct_modes(direct, &omega);
}

// -- a map ----------------------------------------------------------------------------------------

static carom_status map_check(const void *data, const carom_shape *shape, carom_error *err)
{
    return carom_bounce_map_check(data, shape, err);
}

static carom_status map_value(const void *data, const carom_restitution_site *site, void *scratch,
                              double *restitution, carom_error *err)
{
    (void)scratch, (void)err;
    *restitution = carom_bounce_map_lookup(data, site->point, site->normal).epsilon;
    return CAROM_OK;
}

carom_restitution_source carom_bounce_map_restitution(const carom_bounce_map *map)
{
    static const carom_restitution_functions functions = { .check = map_check, .value = map_value };
    return (carom_restitution_source){ &functions, map, 1 };
}

// -- modes ----------------------------------------------------------------------------------------

static carom_status direct_check(const void *data, const carom_shape *shape, carom_error *err)
{
    return carom_bounce_direct_check(data, shape, err);
}

static size_t direct_scratch(const void *data, const void *other)
{
    size_t m = modes_of(data), n = other ? modes_of(other) : 0;
    size_t lists = aligned(m) + (other ? aligned(n) + aligned(2 * (m + n)) : 0);
    return (lists + carom_bounce_many_room((int)(m + n))) * sizeof(double);
}

// The modes' view of a contact, with the response that the body has in its world.
static carom_bounce_case case_at(const carom_bounce_direct *direct,
                                 const carom_restitution_site *site, double *a)
{
    carom_bounce_case one = carom_bounce_direct_case(direct, site->point, site->normal, a);
    if (site->response > 0) {
        double scale = sqrt(site->response / one.w);
        for (int i = 0; i < one.mode_count; ++i)
            a[i] *= scale;
        one.w = site->response;
    }
    return one;
}

static carom_status solve(const carom_bounce_case *one, double *room, double *restitution,
                          carom_error *err)
{
    carom_bounce_options options = carom_bounce_options_default();
    carom_bounce_result result;
    TRY(carom_bounce_many_alone(one, &options, room, &result, err));
    *restitution = fmin(1, fmax(0, result.epsilon));
    return CAROM_OK;
}

static carom_status direct_value(const void *data, const carom_restitution_site *site,
                                 void *scratch, double *restitution, carom_error *err)
{
    double *a = scratch;
    carom_bounce_case one = case_at(data, site, a);
    return solve(&one, a + aligned((size_t)one.mode_count), restitution, err);
}

// Both bodies vibrate: the two-body problem itself instead of a rule.
static carom_status direct_pair(const void *const data[2], const carom_restitution_site site[2],
                                void *scratch, double *restitution, carom_error *err)
{
    double *free = scratch;
    carom_bounce_case of[2], both = { 0 };
    for (int k = 0; k < 2; ++k) {
        of[k] = case_at(data[k], &site[k], free);
        free += aligned((size_t)of[k].mode_count);
        both.w += of[k].w;
        both.mode_count += of[k].mode_count;
    }
    double *list = free;
    for (int k = 0, at = 0; k < 2; ++k)
        for (int i = 0; i < of[k].mode_count; ++i, ++at) {
            list[at] = of[k].a[i];
            list[both.mode_count + at] = of[k].omega[i];
        }
    both.a = list;
    both.omega = list + both.mode_count;
    return solve(&both, list + aligned(2 * (size_t)both.mode_count), restitution, err);
}

carom_restitution_source carom_bounce_direct_restitution(const carom_bounce_direct *direct)
{
    static const carom_restitution_functions functions = { direct_check, direct_scratch,
                                                           direct_value, direct_pair };
    return (carom_restitution_source){ &functions, direct, 1 };
}

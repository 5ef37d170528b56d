// Four rays from one point go down the tree together: they lie close, so that boxes are asked once
// for all of them, and balls and boxes are met by all four at a time.
#include "draw/tracer_shadow.h"

carom_tracer_shadow carom_tracer_shadow_make(const vec3 direction[LANES])
{
    carom_tracer_shadow shadow;
    double min[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL }, max[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
    for (int i = 0; i < LANES; ++i) {
        double d[3];
        vec3_store(direction[i], d);
        shadow.direction.x[i] = d[0];
        shadow.direction.y[i] = d[1];
        shadow.direction.z[i] = d[2];
        for (int k = 0; k < 3; ++k) {
            min[k] = d[k] < min[k] ? d[k] : min[k];
            max[k] = d[k] > max[k] ? d[k] : max[k];
        }
    }
    shadow.beam = carom_bvh_beam_make(min, max);
    return shadow;
}

typedef struct search {
    const carom_tracer_scene *scene;
    const carom_tracer_shadow *shadow;
    vec3 origin;
    lanes through; // share of each ray's light by now
    int last;      // what was met last
} search;

LANES_INLINE lanes_flags cross_ball(const carom_tracer_item *item, const search *s)
{
    const lanes3 d = s->shadow->direction;
    vec3 o = vec3_sub(s->origin, item->position);
    double outside = vec3_dot(o, o) - item->radius * item->radius;
    lanes b = o.x * d.x + o.y * d.y + o.z * d.z;
    if (outside < 0)
        return lanes_all(0) <= lanes_all(1);
    return (b * b > lanes_all(outside)) & (b < 0);
}

LANES_INLINE lanes_flags cross_box(const carom_tracer_item *item, const search *s)
{
    double o[3], h[3];
    vec3_store(mat3_tmul(item->rotation, vec3_sub(s->origin, item->position)), o);
    vec3_store(item->half, h);
    lanes near = lanes_all(0), far = lanes_all(HUGE_VAL);
    for (int k = 0; k < 3; ++k) {
        const lanes3 w = s->shadow->direction;
        lanes d = item->rotation.m[0][k] * w.x + item->rotation.m[1][k] * w.y +
                  item->rotation.m[2][k] * w.z;
        lanes inverse = 1 / lanes_pick(lanes_abs(d) > 1e-300, d, lanes_all(1e-300));
        lanes a = (-h[k] - o[k]) * inverse, b = (h[k] - o[k]) * inverse;
        near = lanes_max(near, lanes_pick(a < b, a, b));
        lanes last = lanes_pick(a < b, b, a);
        far = lanes_pick(last < far, last, far);
    }
    return (near <= far) & (far > 0);
}

// Through a pointer: how vectors are handed over differs between widths.
static void cross_other(const carom_tracer_item *item, const search *s, lanes_flags *crossed)
{
    *crossed = (lanes_flags){ 0 };
    const lanes3 d = s->shadow->direction;
    for (int i = 0; i < LANES; ++i) {
        vec3 normal;
        carom_ray ray = carom_ray_make(s->origin, vec3_make(d.x[i], d.y[i], d.z[i]), HUGE_VAL);
        if (s->through[i] > 0 && carom_tracer_hit_item(item, &ray, &normal))
            (*crossed)[i] = -1;
    }
}

// True where nothing gets through any more.
CAROM_LANES_WIDE static bool carom_tracer_shadow_meet(search *s, int index)
{
    const carom_tracer_item *item = &s->scene->tracer->items[index];
    lanes_flags crossed;
    if (item->kind == CAROM_TRACER_BALL)
        crossed = cross_ball(item, s);
    else if (item->kind == CAROM_TRACER_BOX)
        crossed = cross_box(item, s);
    else
        cross_other(item, s, &crossed);
    s->through = lanes_pick(crossed, item->transparency * s->through, s->through);
    s->last = index;
    return !lanes_any(s->through > 0);
}

static bool meet(void *context, int entry)
{
    search *s = context;
    return carom_tracer_shadow_meet(s, s->scene->bounded[entry]);
}

double carom_tracer_shadow_share(const carom_tracer_scene *scene, const carom_tracer_shadow *shadow,
                                 vec3 origin, int *before)
{
    search s = { scene, shadow, origin, lanes_all(1), -1 };
    if (*before >= 0 && carom_tracer_shadow_meet(&s, *before))
        return 0;
    double o[3];
    vec3_store(origin, o);
    s.through = lanes_all(1);
    carom_bvh_beam_visit(&scene->bvh, &shadow->beam, o, meet, &s);
    double share = 0;
    for (int i = 0; i < LANES; ++i)
        share += 0.25 * s.through[i];
    *before = share > 0 ? -1 : s.last;
    return share;
}

// Gathering pairs into lanes, and the manifolds of those that touch.
#include "collide/box_pairs.h"
#include "collide/narrow.h"

#include <string.h>

static void put_vector(double out[3][CAROM_BOXES], int lane, vec3 v)
{
    out[0][lane] = v.x;
    out[1][lane] = v.y;
    out[2][lane] = v.z;
}

static void put_rotation(double out[9][CAROM_BOXES], int lane, const quat *q)
{
    out[0][lane] = q->w;
    out[1][lane] = q->x;
    out[2][lane] = q->y;
    out[3][lane] = q->z;
}

static void find_held(carom_box_pairs *pairs)
{
    carom_boxes *boxes = &pairs->boxes;
    carom_boxes_find(boxes);
    for (int lane = 0, k = pairs->count - pairs->held; k < pairs->count; ++k, ++lane) {
        carom_box_axis *axis = &pairs->axis[k];
        if (axis->skipped)
            continue;
        axis->normal =
            vec3_make(boxes->normal[0][lane], boxes->normal[1][lane], boxes->normal[2][lane]);
        axis->gap = boxes->gap[lane] > boxes->margin[lane] ? HUGE_VAL : boxes->gap[lane];
        axis->exact = boxes->exact[lane] != 0;
    }
    pairs->held = 0;
}

void carom_box_pairs_add(carom_box_pairs *pairs, const carom_box_pair *pair)
{
    // the lower place comes first, as everywhere in the narrow phase; 0: they have the same
    int order = vec3_compare(pair->position[0], pair->position[1]), lane = pairs->held++;
    int low = order > 0, high = 1 - low;
    carom_boxes *boxes = &pairs->boxes;
    pairs->axis[pairs->count++] = (carom_box_axis){ .turned = order > 0, .skipped = order == 0 };
    put_vector(boxes->half_a, lane, pair->shape[low]->half);
    put_vector(boxes->half_b, lane, pair->shape[high]->half);
    put_vector(boxes->between, lane, vec3_sub(pair->position[high], pair->position[low]));
    put_rotation(boxes->turn_a, lane, pair->rotation[low]);
    put_rotation(boxes->turn_b, lane, pair->rotation[high]);
    boxes->radius_a[lane] = pair->shape[low]->bounding_radius;
    boxes->radius_b[lane] = pair->shape[high]->bounding_radius;
    boxes->margin[lane] = pair->margin;
    if (pairs->held == CAROM_BOXES)
        find_held(pairs);
}

void carom_box_pairs_end(carom_box_pairs *pairs)
{
    if (pairs->held > 0)
        find_held(pairs);
}

bool carom_box_pairs_touch(const carom_box_axis *axis, const carom_box_pair *pair,
                           carom_manifold *out)
{
    if (axis->skipped)
        return false;
    out->count = 0;
    out->min = false;
    if (axis->gap == HUGE_VAL)
        return true;
    int low = axis->turned, high = 1 - low;
    vec3 origin = pair->position[low];
    carom_core a = { .shape = pair->shape[low],
                     .pose = carom_pose_make(vec3_make(0, 0, 0), *pair->rotation[low]) };
    carom_core b = {
        .shape = pair->shape[high],
        .pose = carom_pose_make(vec3_sub(pair->position[high], origin), *pair->rotation[high]),
    };
    carom_axis along = { .normal = axis->normal, .gap = axis->gap, .exact = axis->exact };
    carom_convex_touch_along(&a, &b, along, pair->margin, out);
    for (int i = 0; i < out->count; ++i) {
        carom_manifold_point *p = &out->points[i];
        p->point = vec3_add(p->point, origin);
        if (axis->turned) {
            uint32_t feature = p->feature_a;
            p->feature_a = p->feature_b;
            p->feature_b = feature;
            p->normal = vec3_neg(p->normal);
        }
    }
    return true;
}

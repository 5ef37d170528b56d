// Contacts of a frame summed per pair of bodies: one entry for all impacts of the pair since the
// last frame, one for what rested between them. Impulses and losses add up, which keeps forces,
// stresses and dissipation; where and how is the mean, weighted by the length of the impulse.
#include "trajectory/contact_sums.h"

#include <math.h>
#include <stdlib.h>
#include "math/vec.h"

static int compare(const void *left, const void *right)
{
    const carom_world_contact *l = left, *r = right;
    if (l->impact != r->impact)
        return r->impact - l->impact;
    if (l->a != r->a)
        return l->a < r->a ? -1 : 1;
    if (l->b != r->b)
        return l->b < r->b ? -1 : 1;
    return (l->time > r->time) - (l->time < r->time);
}

static bool together(const carom_world_contact *l, const carom_world_contact *r)
{
    return l->impact == r->impact && l->a == r->a && l->b == r->b;
}

static carom_world_contact add_up(const carom_world_contact *list, int count)
{
    carom_world_contact sum = list[0];
    vec3 point = { 0, 0, 0 }, normal = point, impulse = point, slip = point;
    double weight = 0;
    sum.loss = 0;
    for (int i = 0; i < count; ++i) {
        const carom_world_contact *c = &list[i];
        double w = vec3_length(vec3_from(c->impulse));
        impulse = vec3_add(impulse, vec3_from(c->impulse));
        point = vec3_axpy(point, w, vec3_from(c->point));
        normal = vec3_axpy(normal, w, vec3_from(c->normal));
        slip = vec3_axpy(slip, w, vec3_from(c->slip));
        weight += w;
        sum.gap = fmin(sum.gap, c->gap);
        sum.loss += c->loss;
        sum.time = fmax(sum.time, c->time);
    }
    double length = vec3_length(normal);
    vec3_store(impulse, sum.impulse);
    if (!(weight > 0 && length > 0)) // nothing passed: where the first one was
        return sum;
    vec3_store(vec3_scale(1 / weight, point), sum.point);
    vec3_store(vec3_scale(1 / weight, slip), sum.slip);
    vec3_store(vec3_scale(1 / length, normal), sum.normal);
    return sum;
}

int carom_contact_sums(carom_world_contact *contacts, int count)
{
    int left = 0;
    qsort(contacts, (size_t)count, sizeof *contacts, compare);
    for (int first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && together(&contacts[first], &contacts[end]);)
            ++end;
        contacts[left++] = add_up(&contacts[first], end - first);
    }
    return left;
}

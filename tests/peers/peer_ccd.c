// libccd: GJK with EPA on support functions of our own.
#include "peer.h"

#include <ccd/ccd.h>
#include <ccd/quat.h>
#include <math.h>

const char *const peer_name = "libccd";

void peer_open(void) {}
void peer_close(void) {}

static void local_support(const peer_shape *s, const double d[3], double out[3])
{
    double rho = sqrt(d[0] * d[0] + d[1] * d[1]), length = sqrt(rho * rho + d[2] * d[2]);
    double end = d[2] < 0 ? -s->half_length : s->half_length;
    for (int k = 0; k < 3; ++k) {
        out[k] = d[k] < 0 ? -s->half[k] : s->half[k];
        if (s->kind == PEER_SPHERE || s->kind == PEER_CAPSULE)
            out[k] = length > 0 ? s->radius * d[k] / length : 0;
    }
    if (s->kind == PEER_CAPSULE)
        out[2] += end;
    if (s->kind == PEER_CYLINDER) {
        out[0] = rho > 0 ? s->radius * d[0] / rho : 0;
        out[1] = rho > 0 ? s->radius * d[1] / rho : 0;
        out[2] = end;
    }
    if (s->kind != PEER_HULL)
        return;
    double max = -HUGE_VAL;
    for (int i = 0; i < s->point_count; ++i) {
        const double *p = s->points + 3 * i;
        double reach = p[0] * d[0] + p[1] * d[1] + p[2] * d[2];
        if (reach > max) {
            max = reach;
            for (int k = 0; k < 3; ++k)
                out[k] = p[k];
        }
    }
}

static void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out)
{
    const peer_shape *s = object;
    const double *r = s->rotation, *d = direction->v;
    double local[3], point[3];
    for (int k = 0; k < 3; ++k)
        local[k] = r[k] * d[0] + r[3 + k] * d[1] + r[6 + k] * d[2];
    local_support(s, local, point);
    for (int k = 0; k < 3; ++k)
        out->v[k] = s->position[k] + r[3 * k] * point[0] + r[3 * k + 1] * point[1] +
                    r[3 * k + 2] * point[2];
}

peer_answer peer_ask(const peer_shape *a, const peer_shape *b)
{
    peer_answer answer = { 0 };
    if (a->kind == PEER_PLANE || b->kind == PEER_PLANE)
        return answer;
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = support;
    ccd.max_iterations = 200;
    ccd.epa_tolerance = 1e-6;
    ccd_real_t depth;
    ccd_vec3_t direction, position;
    int code = ccdGJKPenetration(a, b, &ccd, &depth, &direction, &position);
    if (code < -1)
        return answer; // out of memory
    answer.known = 1;
    answer.overlap = answer.measured = code == 0;
    answer.gap = -depth;
    for (int k = 0; k < 3; ++k)
        answer.normal[k] = direction.v[k]; // the way to move b
    return answer;
}

// ODE: what dCollide reports for its own primitives and planes.
#include "peer.h"

#include <math.h>
#include <ode/ode.h>

const char *const peer_name = "ODE";

static dGeomID kept[2][PEER_SLOTS]; // first and second of a pair: both may have the same slot

void peer_open(void)
{
    dInitODE2(0);
}

void peer_close(void)
{
    for (int i = 0; i < 2 * PEER_SLOTS; ++i)
        if (kept[i / PEER_SLOTS][i % PEER_SLOTS])
            dGeomDestroy(kept[i / PEER_SLOTS][i % PEER_SLOTS]);
    dCloseODE();
}

static dGeomID make(const peer_shape *s)
{
    dGeomID geom = 0;
    switch (s->kind) {
    case PEER_SPHERE:
        geom = dCreateSphere(0, s->radius);
        break;
    case PEER_CAPSULE:
        geom = dCreateCapsule(0, s->radius, 2 * s->half_length);
        break;
    case PEER_CYLINDER:
        geom = dCreateCylinder(0, s->radius, 2 * s->half_length);
        break;
    case PEER_BOX:
        geom = dCreateBox(0, 2 * s->half[0], 2 * s->half[1], 2 * s->half[2]);
        break;
    case PEER_PLANE:
        geom = dCreatePlane(0, 0, 0, 1, 0);
        break;
    case PEER_HULL:
        break;
    }
    return geom;
}

static dGeomID placed(const peer_shape *s, int which)
{
    const double *r = s->rotation, *p = s->position;
    dGeomID *geom = &kept[which][s->slot];
    if (!*geom)
        *geom = make(s);
    if (!*geom)
        return 0;
    if (s->kind == PEER_PLANE) {
        dGeomPlaneSetParams(*geom, r[2], r[5], r[8], r[2] * p[0] + r[5] * p[1] + r[8] * p[2]);
        return *geom;
    }
    dMatrix3 m = { r[0], r[1], r[2], 0, r[3], r[4], r[5], 0, r[6], r[7], r[8], 0 };
    dGeomSetPosition(*geom, p[0], p[1], p[2]);
    dGeomSetRotation(*geom, m);
    return *geom;
}

peer_answer peer_ask(const peer_shape *a, const peer_shape *b)
{
    peer_answer answer = { 0 };
    dGeomID ga = placed(a, 0), gb = placed(b, 1);
    if (ga && gb) {
        dContactGeom contact[16];
        int count = dCollide(ga, gb, 16, contact, sizeof contact[0]);
        answer.known = 1;
        answer.gap = HUGE_VAL;
        for (int i = 0; i < count; ++i)
            if (-contact[i].depth < answer.gap) {
                answer.gap = -contact[i].depth;
                for (int k = 0; k < 3; ++k)
                    answer.normal[k] = -contact[i].normal[k]; // ODE's points into the first
            }
        answer.overlap = answer.measured = count > 0;
    }
    return answer;
}

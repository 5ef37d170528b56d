// The instant of an impact: shared by clash.c, clash_net.c and clash_batch.c, and, with joints in
// it, by clash_stand.c and clash_joints.c.
#ifndef CAROM_WORLD_CLASH_H
#define CAROM_WORLD_CLASH_H

#include "world/step.h"

// A touch of a body, and the body on the other side.
typedef struct carom_clash_net_link {
    int candidate, other;
} carom_clash_net_link;

// What the passes need of a touch again and again.
typedef struct carom_clash_net_edge {
    int a, b;
    vec3 normal;
    double gap, u, resting;
} carom_clash_net_edge;

// All touches of an interval as the passes of its impacts need them.
typedef struct carom_clash_net {
    carom_step *step;
    int threads;
    carom_clash_net_edge *edges; // per touch
    unsigned char *near;         // per touch: it touches, or closes within the interval
    unsigned char *kind;         // per touch: flags of clash_net.c
    int near_count;
    int *seeds, seed_count; // touches that approach faster than the resting speed
    int *first;             // compressed rows over bodies; movable bodies only
    carom_clash_net_link *around;
    bool mapped; // some body has a bounce map
} carom_clash_net;

// clash_net.c: finds out which touch and which impact; rows are made once, and when asked for.
carom_status carom_clash_net_look(carom_step *step, carom_clash_net *net, carom_error *err);
carom_status carom_clash_net_make(carom_clash_net *net, carom_error *err);
// Whether something impacts; only where a gap is left, if so asked.
bool carom_clash_net_any(const carom_clash_net *net, bool apart);
// The normal speed of a touch now, m/s.
double carom_clash_net_speed(const carom_clash_net *net, int candidate);
// The listed bodies have changed their velocities: takes the speeds of their touches, and makes
// those that impact the new seeds. `changed` says the same per body.
void carom_clash_net_refresh(carom_clash_net *net, const int *list, int count,
                             const unsigned char *changed);
// Hands the speeds to the touches, for every later phase.
void carom_clash_net_return(carom_clash_net *net);
// Restitution by place on the surface, where bodies have it.
carom_status carom_clash_net_map(carom_clash_net *net, carom_error *err);

// A touch with its bodies.
typedef struct carom_clash_pair {
    int candidate, a, b;
} carom_clash_pair;

// What the law said of a batch of components, as long as one of them stands: a component that is
// resolved again, with a wider surrounding, takes its part back.
typedef struct carom_clash_verdict {
    carom_impact_report report;
    double largest;   // N s, normal impulse
    int first, count; // of the components' bodies below
} carom_clash_verdict;

typedef struct carom_clash_verdicts {
    carom_clash_verdict *list;
    int count;
    int *bodies, body_count; // a movable body of each component
} carom_clash_verdicts;

// What goes to the law at once.
typedef struct carom_clash_task {
    carom_step *step;
    const carom_clash_net *net;
    const carom_clash_pair *pairs; // one connected component after the other
    const int *first;              // where each begins
    int component_count;
    const int *ring; // as carom_clash_joints_rings; with joints components may be connected
    double fastest;  // m/s, approach: what residuals are relative to
    int *numbers;    // room for one per body and thread, -1
    vec3 *impulse;   // N s on b, per touch: the answer, where somebody asks for it
    carom_clash_verdicts *verdicts; // what the law reports is added
} carom_clash_task;

// clash_batch.c: asks the law and gives the bodies their new velocities.
carom_status carom_clash_batch_resolve(const carom_clash_task *task, carom_error *err);
// Judges and books the verdicts that stand at the end of a pass, as if all had been one.
void carom_clash_batch_judge(carom_world *world, const carom_clash_verdicts *verdicts);

// The bodies of an instant, and what stands for them before the law. Bodies go by their place in
// the impact.
typedef struct carom_clash_crew {
    carom_world *world;
    const carom_impact *impact;
    const int *body_of;        // the world's number
    int *place_of;             // by the world's number; -1: not in this instant
    carom_impact_body *stands; // welded bodies: one for all, at the place `root`
    int *root;
    unsigned char *pinned; // per root: it can only turn about its position, which rests
    unsigned char *stands_in;
} carom_clash_crew;

// clash_stand.c: welded bodies become one, bodies held by what rests turn about their anchor.
carom_status carom_clash_stand_make(carom_clash_crew *crew, carom_error *err);
// Velocities of all bodies from those of their stand-ins.
void carom_clash_stand_expand(const carom_clash_crew *crew, double (*velocities)[3],
                              double (*spins)[3]);
// Whether an end of a joint is immovable, and at rest besides.
bool carom_clash_stand_ground(const carom_world *world, int end);
bool carom_clash_stand_still(const carom_world *world, int end);

// clash_joints.c: per body the next one of its cluster, in a ring: what joints connect, directly or
// through others, answers as one. Null where there are no joints.
carom_status carom_clash_joints_rings(carom_world *world, int **next, carom_error *err);
// As carom_impact_resolve by the world's law, with the joints as constraints of the instant.
carom_status carom_clash_joints_resolve(carom_world *world, const int *body_of,
                                        const carom_impact *impact, carom_impact_outcome *out,
                                        carom_error *err);

#endif

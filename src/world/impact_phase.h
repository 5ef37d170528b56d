// The instant of an impact. In the order of the story: impact_phase.c (passes), contact_graph.c
// (who touches and who approaches), impact_phase_spread.c and impact_phase_dense.c (whom it
// reaches), impact_phase_batch.c (the law); with joints in it reduced_body.c,
// impact_phase_joints.c and impact_phase_stops.c.
#ifndef CAROM_WORLD_IMPACT_PHASE_H
#define CAROM_WORLD_IMPACT_PHASE_H

#include "world/step.h"

// A candidate of a body, and the body on the other side.
typedef struct carom_contact_graph_link {
    int candidate, other;
} carom_contact_graph_link;

// What the passes need of a candidate again and again.
typedef struct carom_contact_graph_edge {
    int a, b;
    vec3 normal;
    double gap, u, resting;
} carom_contact_graph_edge;

// What a candidate does at this moment. Each state has the bits of the one before.
typedef enum carom_contact_graph_state {
    CAROM_CONTACT_GRAPH_APART = 0,
    CAROM_CONTACT_GRAPH_TOUCHING = 1,  // or closes within the interval
    CAROM_CONTACT_GRAPH_IMPACTING = 3, // and approaches faster than its resting speed
} carom_contact_graph_state;

// All candidates of an interval as the passes of its impacts need them.
typedef struct carom_contact_graph {
    carom_step *step;
    int threads;
    carom_contact_graph_edge *edges; // per candidate
    unsigned char *state;            // per candidate: a carom_contact_graph_state
    unsigned char *flags;            // per candidate: flags of contact_graph.c
    int near_count;                  // that touch or impact
    int *seeds, seed_count;          // candidates that approach faster than the resting speed
    int *first;                      // compressed rows over bodies; movable bodies only
    carom_contact_graph_link *adjacency;
    bool mapped; // some body has a source of restitution
} carom_contact_graph;

static inline bool carom_contact_graph_near(const carom_contact_graph *graph, int candidate)
{
    return graph->state[candidate] != CAROM_CONTACT_GRAPH_APART;
}
// contact_graph.c: finds out which candidates touch and which impact; adjacency is made once, when
// asked for.
carom_status carom_contact_graph_init(carom_step *step, carom_contact_graph *graph,
                                      carom_error *err);
carom_status carom_contact_graph_connect(carom_contact_graph *graph, carom_error *err);
// Whether something impacts; only where a gap is left, if so asked.
bool carom_contact_graph_impacts(const carom_contact_graph *graph, bool apart);
// The normal speed of a candidate now, m/s.
double carom_contact_graph_speed(const carom_contact_graph *graph, int candidate);
// The listed bodies have changed their velocities: takes the speeds of their candidates, and makes
// those that impact the new seeds. `changed` says the same per body.
void carom_contact_graph_update(carom_contact_graph *graph, const int *list, int count,
                                const unsigned char *changed);
// Hands the speeds to the candidates, for every later phase.
void carom_contact_graph_store_speeds(carom_contact_graph *graph);
// Restitution by place on the surface, where bodies have it.
carom_status carom_contact_graph_map_restitution(carom_contact_graph *graph, carom_error *err);

// A contact candidate with its bodies.
typedef struct carom_impact_phase_contact {
    int candidate, a, b;
} carom_impact_phase_contact;

// What the law said of a batch of components, as long as one of them stands: a component that is
// resolved again, with a wider surrounding, takes its part back.
typedef struct carom_impact_phase_report {
    carom_impact_report report;
    double largest;   // N s, normal impulse
    int first, count; // of the components' bodies below
} carom_impact_phase_report;

typedef struct carom_impact_phase_reports {
    carom_impact_phase_report *list;
    int count;
    int *bodies, body_count; // a movable body of each component
} carom_impact_phase_reports;

// What goes to the law at once.
typedef struct carom_impact_phase_task {
    carom_step *step;
    const carom_contact_graph *graph;
    const carom_impact_phase_contact *contacts; // one connected component after the other
    const int *first;                           // where each begins
    int component_count;
    const int *cluster_next;      // as of carom_impact_phase_joints_clusters, a component has
    const unsigned char *jointed; // whole ones; null: no joints
    double fastest;               // m/s, approach: what residuals are relative to
    bool coarse;                  // the moment is known to a step only, and so may the answer be
    int *numbers;                 // room for one per body and thread, -1
    vec3 *impulse;                // N s on b, per candidate: the answer, where somebody asks for it
    carom_impact_phase_reports *reports; // what the law reports is added
} carom_impact_phase_task;

// impact_phase_batch.c: asks the law and gives the bodies their new velocities.
carom_status carom_impact_phase_batch_resolve(const carom_impact_phase_task *task,
                                              carom_error *err);
// Judges and books the reports that stand at the end of a pass, as if all had been one.
void carom_impact_phase_batch_judge(carom_world *world, const carom_impact_phase_reports *reports);

// How far a body takes part in a pass.
typedef enum carom_impact_phase_part {
    CAROM_IMPACT_PHASE_OUTSIDE, // by contacts of others at most
    CAROM_IMPACT_PHASE_CORE,    // all its touching contacts go to the law
    CAROM_IMPACT_PHASE_ISLAND,  // and its whole island
} carom_impact_phase_part;

typedef struct carom_impact_phase_member {
    carom_impact_phase_part part;
    bool unresolved; // its component must be resolved (again)
} carom_impact_phase_member;

struct carom_impact_phase_reach;

// The impacts of an interval, pass by pass.
typedef struct carom_impact_phase {
    carom_step *step;
    carom_contact_graph graph;
    const struct carom_impact_phase_reach *reach; // how this pass finds whom its impacts reach
    bool coarse;            // the step is crowded, and nothing of this pass is elastic or jointed
    bool goes_on;           // where the impact went on beyond what it reached is the next pass's
    int *cluster_next;      // per body the next that joints connect with it; null: no joints
    unsigned char *jointed; // per body: a joint holds it; likewise
    uint64_t *in;           // one bit per candidate: goes to the law; and how many there are
    int in_count;           // (impact_phase_spread.c)
    carom_impact_phase_member *members; // per body
    unsigned char *reached;             // per body: some contact of it goes to the law
    int *list, count;                   // bodies that are reached
    int *queue;                         // of a breadth-first search: bodies ...
    int *queued, search;                // ... and which search saw them last
    int *parent;                        // components of what goes to the law
    int *beyond;           // candidates where the impact went on beyond what the law has seen
    vec3 *velocity, *spin; // before the impact; reached bodies only
    vec3 *impulse;         // N s, per candidate, on b; only of those that go to the law
    // what the law sees
    carom_impact_phase_contact *contacts; // in the order of candidates
    carom_impact_phase_contact *sorted;   // component by component
    int contact_count, *first;            // where components begin
    int *component;                       // per contact
    int *number;                          // per root: of its component
    int *numbers;                         // for batches
    int *driven, driven_count;            // candidates that go to the law with an immovable body
    carom_impact_phase_reports reports;   // of the components that stand
    double fastest;                       // m/s, approach
} carom_impact_phase;

// A way to find whom impacts reach.
typedef struct carom_impact_phase_reach {
    // From the seeds of the graph: lists bodies and contacts, keeps velocities, sets `fastest`.
    carom_status (*begin)(carom_impact_phase *phase, carom_error *err);
    // After the law's answer of a round: where the impact went on, its contacts are listed anew and
    // their bodies are back where they were; false where it did not.
    bool (*widen)(carom_impact_phase *phase, int round);
    // Notes every contact that went to the law in the journal.
    void (*note)(const carom_impact_phase *phase);
    // After the pass: nobody is reached.
    void (*reset)(carom_impact_phase *phase);
} carom_impact_phase_reach;

extern const carom_impact_phase_reach carom_impact_phase_spread, carom_impact_phase_dense;
bool carom_impact_phase_dense_suits(const carom_impact_phase *phase);
// impact_phase.c: notes a candidate that went to the law in the journal.
void carom_impact_phase_note(const carom_impact_phase *c, int candidate);
// The root of a contact's component.
int carom_impact_phase_root(carom_impact_phase *phase, const carom_impact_phase_contact *contact);

// The bodies of an instant, and what represents them before the law. Bodies go by their place in
// the impact.
typedef struct carom_reduced_system {
    carom_world *world;
    const carom_impact *impact;
    const int *body_of;        // the world's number
    int *place_of;             // by the world's number; -1: not in this instant
    carom_impact_body *bodies; // welded bodies: one for all, at the place `root`
    int *root;
    unsigned char *pinned; // per root: it can only turn about its position, which rests
    unsigned char *is_reduced;
} carom_reduced_system;

// reduced_body.c: welded bodies become one, bodies held by what rests turn about their anchor.
carom_status carom_reduced_body_make(carom_reduced_system *system, carom_error *err);
// Velocities of all bodies from those of their reduced bodies.
void carom_reduced_body_expand(const carom_reduced_system *system, double (*velocities)[3],
                               double (*spins)[3]);
// Whether an end of a joint is immovable, and at rest besides.
bool carom_reduced_body_immovable(const carom_world *world, int end);
bool carom_reduced_body_at_rest(const carom_world *world, int end);

// impact_phase_joints.c: per body the next one of its joint cluster, in a circular list: what
// joints connect, directly or through others, answers as one. `jointed`: a joint holds it, if only
// to something immovable. Null where there are no joints.
carom_status carom_impact_phase_joints_clusters(carom_world *world, int **next,
                                                unsigned char **jointed, carom_error *err);
// As carom_impact_resolve by the world's law, with the joints as constraints of the instant.
carom_status carom_impact_phase_joints_resolve(carom_world *world, const int *body_of,
                                               const carom_impact *impact,
                                               carom_impact_outcome *out, carom_error *err);

// impact_phase_stops.c: notes which stops of joints are met at the start of the interval (or within
// it, where times are not looked for).
void carom_impact_phase_stops_find(const carom_step *step);
// Where one is met faster than the resting speed: asks the law about the linkage it belongs to.
// `any`: there was one.
carom_status carom_impact_phase_stops_resolve(carom_step *step, bool *any, carom_error *err);
// m: how far from a hinge its stops act.
double carom_impact_phase_stops_lever(const carom_world *world, const carom_world_joint *joint);

#endif

// Other engines behind one small face, so that a benchmark can run the same scene in all of them.
#ifndef CAROM_BENCH_PEERS_H
#define CAROM_BENCH_PEERS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum peer_kind { PEER_SPHERE, PEER_BOX, PEER_HULL, PEER_MESH, PEER_PLANE } peer_kind;

// A body of a scene. Planes are fixed half spaces below `normal` through `position`.
typedef struct peer_body {
    peer_kind kind;
    double size[3];       // m: radius, or half edges
    const double *points; // hull or mesh: x y z each, about the centre of mass
    int point_count;
    const int *triangles; // mesh: three points each
    int triangle_count;
    double position[3], rotation[4]; // m; w x y z
    double velocity[3], spin[3];     // m/s, rad/s
    double mass;                     // kg
    double inertia[3];               // kg m^2, diagonal of the shape frame
    double normal[3];                // of a plane
} peer_body;

// Two bodies (b below 0: the world) that stay together at a point; a hinge turns about its axis only.
typedef struct peer_joint {
    int a, b;
    int hinge;
    double point[3], axis[3]; // m; unit; world frame at the start
} peer_joint;

typedef struct peer_state {
    double position[3], rotation[4], velocity[3], spin[3];
} peer_state;

typedef struct peer {
    const char *name;
    void *(*create)(const peer_body *bodies, int count, double friction, double restitution);
    void (*gravity)(void *world, double z); // m/s^2, -9.81 until told otherwise
    void (*step)(void *world, double dt);
    void (*state)(void *world, int body, peer_state *out);
    int (*contacts)(void *world);
    void (*destroy)(void *world);
    void (*join)(void *world, const peer_joint *joints, int count); // those do not collide
} peer;

// Those this build has: none where the packages are missing.
extern const peer *const peers[];
extern const int peer_count;

#ifdef __cplusplus
}
#endif
#endif

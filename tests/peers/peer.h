// What another collision library says about two convex shapes. Plain C so that drivers may be C or
// C++.
#ifndef CAROM_TESTS_PEER_H
#define CAROM_TESTS_PEER_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum peer_kind {
    PEER_SPHERE,
    PEER_CAPSULE,
    PEER_CYLINDER,
    PEER_BOX,
    PEER_HULL,
    PEER_PLANE
} peer_kind;

typedef struct peer_shape {
    peer_kind kind;
    double radius, half_length, half[3]; // as carom/shape.h
    const double *points;                // hull: x y z each
    int point_count;
    double position[3], rotation[9]; // rows
    int slot; // shapes with the same slot differ in place only, so a driver may keep what it made
              // of them
} peer_shape;

typedef struct peer_answer {
    int known;        // 0: this library has nothing to say about the pair
    int overlap;      // 1 when it says the shapes overlap
    double gap;       // distance, or minus the depth; meaningful only if `measured`
    int measured;     // gap and normal are filled
    double normal[3]; // from a to b
} peer_answer;

#define PEER_SLOTS 512

extern const char *const peer_name;
void peer_open(void);
void peer_close(void);
peer_answer peer_ask(const peer_shape *a, const peer_shape *b);

#ifdef __cplusplus
}
#endif
#endif

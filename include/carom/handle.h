/// @file
/// Handles: which body or joint of a world is meant.
#ifndef CAROM_HANDLE_H
#define CAROM_HANDLE_H

#ifdef __cplusplus
extern "C" {
#endif

/// A body of a world, by value. All zeros: none; where a joint ends, the world itself. What was
/// removed leaves its slot to a later one of another generation, so a handle that was kept too long
/// is refused (CAROM_BAD_INPUT) wherever it is used. The slot is also the body's index in
/// recordings, lists of contacts and reports.
typedef struct carom_body_id {
    int slot;            ///< from 0
    unsigned generation; ///< from 1
} carom_body_id;

/// A joint of a world, likewise.
typedef struct carom_joint_id {
    int slot;            ///< from 0
    unsigned generation; ///< from 1
} carom_joint_id;

#ifdef __cplusplus
}
#endif
#endif

// The scene in which the order of two impacts decides: a ball between two others.
#ifndef CAROM_TESTS_WEDGE_H
#define CAROM_TESTS_WEDGE_H

// A ball with v = (1, 0) meets two equal ones at rest at +-30 degrees, elastic and smooth. The
// first gets u n with u = cos 30; the second then u' = u - u n.n' = u / 2; the cue is left with (1
// - 3/4 - 3/8, -+(u/2 - u/4)) = (-1/8, -+sqrt(3)/8).
static const char wedge_scene[] =
    "{\"carom\": 1, \"kind\": \"impact\", \"bodies\": ["
    "{\"name\": \"cue\", \"mass\": 1, \"velocity\": [1, 0, 0]},"
    "{\"name\": \"left\", \"mass\": 1, \"position\": [0.1732050807568877, 0.1, 0]},"
    "{\"name\": \"right\", \"mass\": 1, \"position\": [0.1732050807568877, -0.1, 0]}],"
    "\"contacts\": ["
    "{\"a\": \"cue\", \"b\": \"left\", \"point\": [0.0866025403784439, 0.05, 0],"
    " \"normal\": [0.8660254037844387, 0.5, 0]},"
    "{\"a\": \"cue\", \"b\": \"right\", \"point\": [0.0866025403784439, -0.05, 0],"
    " \"normal\": [0.8660254037844387, -0.5, 0]}], \"law\": \"qce\"}";

#endif

// Numbers written as expressions: "2 * radius + 0.01", with the names that a file's "let" gives.
#ifndef CAROM_SCENE_EXPRESSION_H
#define CAROM_SCENE_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

typedef struct carom_expression_name {
    const char *name;
    double value;
} carom_expression_name;

typedef struct carom_expression_names {
    carom_expression_name *list;
    int count;
} carom_expression_names;

// + - * / ^, round brackets, the constant pi, and abs, ceil, cos, floor, max, min, sin, sqrt, tan
// (angles in radians). False where the text is no such expression or its value is not finite;
// `flaw` then says why in a few words. The same bits on every machine.
bool carom_expression_evaluate(const char *text, const carom_expression_names *names, double *out,
                               char *flaw, size_t size);

// Letters, digits and underscores, no digit first, and none of the words above.
bool carom_expression_is_name(const char *text);

#endif

// Sobol's sequence by Gray code, 32 bits; see sobol.h.
#include "base/sobol.h"

enum { BITS = 32 };

// Primitive polynomials (degree, inner coefficients) and first direction numbers of axes 1, 2, ...;
// axis 0 is van der Corput's. (Joe and Kuo 2008, table new-joe-kuo-6, dimensions 2 to 10.)
static const struct {
    int degree, inner, first[5];
} net[CAROM_SOBOL_AXES - 1] = {
    { 1, 0, { 1 } },
    { 2, 1, { 1, 3 } },
    { 3, 1, { 1, 3, 1 } },
    { 3, 2, { 1, 1, 1 } },
    { 4, 1, { 1, 1, 3, 3 } },
    { 4, 4, { 1, 3, 5, 13 } },
    { 5, 2, { 1, 1, 5, 5, 17 } },
    { 5, 4, { 1, 1, 5, 5, 5 } },
    { 5, 7, { 1, 1, 7, 11, 19 } },
};

static void directions(int axis, uint32_t v[BITS])
{
    for (int i = 0; i < BITS; ++i) {
        if (axis == 0) {
            v[i] = 1u << (BITS - 1 - i);
            continue;
        }
        int s = net[axis - 1].degree;
        if (i < s) {
            v[i] = (uint32_t)net[axis - 1].first[i] << (BITS - 1 - i);
            continue;
        }
        v[i] = v[i - s] ^ (v[i - s] >> s);
        for (int k = 1; k < s; ++k)
            if (net[axis - 1].inner >> (s - 1 - k) & 1)
                v[i] ^= v[i - k];
    }
}

double carom_sobol_at(int axis, uint64_t index)
{
    uint32_t v[BITS], x = 0;
    uint64_t gray = index ^ (index >> 1);
    directions(axis, v);
    for (int i = 0; i < BITS; ++i)
        if (gray >> i & 1)
            x ^= v[i];
    return (double)x / 4294967296.0;
}

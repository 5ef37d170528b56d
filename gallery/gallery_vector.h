// The few operations on vectors that entries need.
#ifndef CAROM_GALLERY_GALLERY_VECTOR_H
#define CAROM_GALLERY_GALLERY_VECTOR_H

static inline double carom_gallery_vector_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void carom_gallery_vector_minus(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[k] - b[k];
}

static inline void carom_gallery_vector_cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

// The inverse of a symmetric matrix xx yy zz xy xz yz.
static inline void carom_gallery_vector_invert(const double s[6], double out[6])
{
    double xx = s[1] * s[2] - s[5] * s[5], xy = s[4] * s[5] - s[3] * s[2],
           xz = s[3] * s[5] - s[4] * s[1];
    double scale = 1 / (s[0] * xx + s[3] * xy + s[4] * xz);
    out[0] = scale * xx;
    out[1] = scale * (s[0] * s[2] - s[4] * s[4]);
    out[2] = scale * (s[0] * s[1] - s[3] * s[3]);
    out[3] = scale * xy;
    out[4] = scale * xz;
    out[5] = scale * (s[3] * s[4] - s[0] * s[5]);
}

#endif

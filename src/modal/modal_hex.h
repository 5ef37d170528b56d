// Stiffness and mass of a quadratic brick cell (27 nodes) that is filled in part.
#ifndef CAROM_MODAL_MODAL_HEX_H
#define CAROM_MODAL_MODAL_HEX_H

enum {
    CAROM_MODAL_HEX_NODES = 27, // node a + 3 b + 9 c sits at (a, b, c) - 1 in the reference cell
    CAROM_MODAL_HEX_DEGREE = 5, // Legendre polynomials 0 .. 4 per axis
    CAROM_MODAL_HEX_MOMENTS = 125
};

// What a cell's matrices depend on: the integrals of P_p(x) P_q(y) P_r(z) over its filled part, in
// the reference cell [-1, 1]^3, at [(5 p + q) 5 + r].

// Lame's constants at unit Young's modulus.
typedef struct carom_modal_elastic {
    double lambda, mu;
} carom_modal_elastic;

static inline carom_modal_elastic carom_modal_elastic_make(double poisson)
{
    return (carom_modal_elastic){ poisson / ((1 + poisson) * (1 - 2 * poisson)),
                                  1 / (2 * (1 + poisson)) };
}

// mass[27 a + b] for unit density; half[3]: half edges of the cell.
void carom_modal_hex_mass(const double *moments, const double half[3], double *mass);
// stiffness (81 x 81, row by row) for unit Young's modulus.
void carom_modal_hex_stiffness(const double *moments, const double half[3],
                               carom_modal_elastic elastic, double *stiffness);

// Legendre polynomials P_0 .. P_4 at x.
void carom_modal_hex_legendre(double x, double p[5]);
// Their integrals from a to b.
void carom_modal_hex_integrals(double a, double b, double integral[5]);
// The three quadratic functions with nodes -1, 0, 1 at x.
static inline void carom_modal_hex_functions(double x, double n[3])
{
    n[0] = 0.5 * x * (x - 1);
    n[1] = (1 - x) * (1 + x);
    n[2] = 0.5 * x * (x + 1);
}

#endif

// Matrices of a partly filled brick from the moments of its filled part.
//
// Every entry is an integral of products of one-dimensional quadratics and their slopes,
// polynomials of degree <= 4 along each axis: it is a linear function of 125 moments, exactly. The
// sum is taken one axis after the other (z, y, x), 4e4 multiplications per cell, however finely the
// filled part was integrated.
//
// Symbols: kind of a pair of functions (a, b) along an axis: VV values, SV slope of a, VS slope of
// b, SS both; code[kind][3 a + b][p] its Legendre coefficients.
#include "modal/modal_hex.h"

#include <string.h>

enum { VV, SV, VS, SS, KINDS };
enum { DEGREE = CAROM_MODAL_HEX_DEGREE, NODES = CAROM_MODAL_HEX_NODES };

// Products of 1 - x^2 and x (x -+ 1) / 2 and their slopes in Legendre polynomials: by hand from
// x^2 = (2 P2 + 1)/3, x^3 = (2 P3 + 3 P1)/5, x^4 = (8 P4 + 20 P2 + 7)/35.
static const double FUNCTION[3][3] = { { 0, -0.5, 0.5 }, { 1, 0, -1 }, { 0, 0.5, 0.5 } };
static const double SLOPE[3][3] = { { -0.5, 1, 0 }, { 0, -2, 0 }, { 0.5, 1, 0 } };
static const double POWER[5][5] = { { 1, 0, 0, 0, 0 },
                                    { 0, 1, 0, 0, 0 },
                                    { 1. / 3, 0, 2. / 3, 0, 0 },
                                    { 0, 3. / 5, 0, 2. / 5, 0 },
                                    { 7. / 35, 0, 20. / 35, 0, 8. / 35 } };

typedef double codes[KINDS][9][DEGREE];

static void make_codes(codes code)
{
    memset(code, 0, sizeof(codes));
    for (int kind = 0; kind < KINDS; ++kind)
        for (int pair = 0; pair < 9; ++pair) {
            const double *f = kind == SV || kind == SS ? SLOPE[pair / 3] : FUNCTION[pair / 3];
            const double *g = kind == VS || kind == SS ? SLOPE[pair % 3] : FUNCTION[pair % 3];
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    for (int p = 0; p < DEGREE; ++p)
                        code[kind][pair][p] += f[i] * g[j] * POWER[i + j][p];
        }
}

// along_z[pair][p q] = sum_r code[pair][r] moments[p q][r]
static void contract_z(const double (*code)[DEGREE], const double *moments, double (*out)[25])
{
    for (int pair = 0; pair < 9; ++pair)
        for (int pq = 0; pq < 25; ++pq) {
            double sum = 0;
            for (int r = 0; r < DEGREE; ++r)
                sum += code[pair][r] * moments[5 * pq + r];
            out[pair][pq] = sum;
        }
}

// out[y pair][z pair][p] = sum_q code[y pair][q] along_z[z pair][p][q]
static void contract_y(const double (*code)[DEGREE], const double (*along_z)[25],
                       double (*out)[9][DEGREE])
{
    for (int y = 0; y < 9; ++y)
        for (int z = 0; z < 9; ++z)
            for (int p = 0; p < DEGREE; ++p) {
                double sum = 0;
                for (int q = 0; q < DEGREE; ++q)
                    sum += code[y][q] * along_z[z][5 * p + q];
                out[y][z][p] = sum;
            }
}

// out[27 A + B], A = ax + 3 ay + 9 az
static void contract_x(const double (*code)[DEGREE], const double (*along)[9][DEGREE], double scale,
                       double *out)
{
    for (int y = 0; y < 9; ++y)
        for (int z = 0; z < 9; ++z)
            for (int x = 0; x < 9; ++x) {
                double sum = 0;
                for (int p = 0; p < DEGREE; ++p)
                    sum += code[x][p] * along[y][z][p];
                int a = x / 3 + 3 * (y / 3) + 9 * (z / 3), b = x % 3 + 3 * (y % 3) + 9 * (z % 3);
                out[NODES * a + b] = scale * sum;
            }
}

void carom_modal_hex_mass(const double *moments, const double half[3], double *mass)
{
    codes code;
    double along_z[9][25], along[9][9][DEGREE];
    make_codes(code);
    contract_z((const double(*)[DEGREE])code[VV], moments, along_z);
    contract_y((const double(*)[DEGREE])code[VV], (const double(*)[25])along_z, along);
    contract_x((const double(*)[DEGREE])code[VV], (const double(*)[9][DEGREE])along,
               half[0] * half[1] * half[2], mass);
}

// slopes[6][27 A + B]: integrals of d_i N_A d_j N_B for (i, j) = xx yy zz xy xz yz.
static void slope_products(const double *moments, const double half[3], double (*slopes)[729])
{
    static const int KIND[6][3] = { { SS, VV, VV }, { VV, SS, VV }, { VV, VV, SS },
                                    { SV, VS, VV }, { SV, VV, VS }, { VV, SV, VS } };
    static const int AXIS[6][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 0, 1 }, { 0, 2 }, { 1, 2 } };
    codes code;
    double along_z[KINDS][9][25], along[9][9][DEGREE], volume = half[0] * half[1] * half[2];
    make_codes(code);
    for (int kind = 0; kind < KINDS; ++kind)
        contract_z((const double(*)[DEGREE])code[kind], moments, along_z[kind]);
    for (int s = 0; s < 6; ++s) {
        contract_y((const double(*)[DEGREE])code[KIND[s][1]],
                   (const double(*)[25])along_z[KIND[s][2]], along);
        contract_x((const double(*)[DEGREE])code[KIND[s][0]], (const double(*)[9][DEGREE])along,
                   volume / (half[AXIS[s][0]] * half[AXIS[s][1]]), slopes[s]);
    }
}

void carom_modal_hex_stiffness(const double *moments, const double half[3],
                               carom_modal_elastic elastic, double *stiffness)
{
    // pick[i][j]: which product holds d_i N_A d_j N_B; below the diagonal with A and B exchanged
    static const int PICK[3][3] = { { 0, 3, 4 }, { 3, 1, 5 }, { 4, 5, 2 } };
    double slopes[6][729];
    slope_products(moments, half, slopes);
    for (int a = 0; a < NODES; ++a)
        for (int b = 0; b < NODES; ++b) {
            int ab = NODES * a + b, ba = NODES * b + a;
            double trace = slopes[0][ab] + slopes[1][ab] + slopes[2][ab];
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) {
                    double ij = slopes[PICK[i][j]][i <= j ? ab : ba];
                    double ji = slopes[PICK[j][i]][j <= i ? ab : ba];
                    stiffness[(3 * a + i) * 81 + 3 * b + j] =
                        elastic.lambda * ij + elastic.mu * ji + (i == j ? elastic.mu * trace : 0);
                }
        }
}

void carom_modal_hex_legendre(double x, double p[5])
{
    p[0] = 1;
    p[1] = x;
    for (int n = 1; n < 4; ++n)
        p[n + 1] = ((2 * n + 1) * x * p[n] - n * p[n - 1]) / (n + 1);
}

void carom_modal_hex_integrals(double a, double b, double integral[5])
{
    // (2 n + 1) P_n = P'_(n+1) - P'_(n-1)
    double at[2][6], x[2] = { a, b };
    for (int end = 0; end < 2; ++end) {
        double *p = at[end];
        p[0] = 1;
        p[1] = x[end];
        for (int n = 1; n < 5; ++n)
            p[n + 1] = ((2 * n + 1) * x[end] * p[n] - n * p[n - 1]) / (n + 1);
    }
    integral[0] = b - a;
    for (int n = 1; n < 5; ++n)
        integral[n] = ((at[1][n + 1] - at[1][n - 1]) - (at[0][n + 1] - at[0][n - 1])) / (2 * n + 1);
}

// mini-gmp as one unit: its rational numbers use the inside of its integers.
#include "mini-gmp.c"
#include "mini-mpq.c"

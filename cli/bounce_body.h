// A body named on the command line: its mesh, its material, its modes.
#ifndef CAROM_CLI_BOUNCE_BODY_H
#define CAROM_CLI_BOUNCE_BODY_H

#include "carom/bounce_map.h"
#include "command.h"

#define CAROM_BOUNCE_TURN 6.283185307179586 // radians: circular frequencies to Hz

// The arguments of every command that computes modes.
#define CAROM_BOUNCE_BODY_ARGUMENTS                                                                \
    { "--material",                                                                                \
      CAROM_ARGUMENT_CHOICE,                                                                       \
      .value = "NAME",                                                                             \
      .choices = "steel aluminium glass wood ceramic plastic paper",                               \
      .initial = "steel",                                                                          \
      .doc =                                                                                       \
          "what it is made of; \"paper\" is E = 7e10 Pa, nu = 0.3, rho = 2000 kg/m^3 [Bounce]" },  \
        { "--young", CAROM_ARGUMENT_NUMBER, .value = "E", .unit = "Pa",                            \
          .doc = "Young's modulus instead of the material's" },                                    \
        { "--poisson", CAROM_ARGUMENT_NUMBER, .value = "NU",                                       \
          .doc = "Poisson's ratio instead of the material's" },                                    \
        { "--density", CAROM_ARGUMENT_NUMBER, .value = "RHO", .unit = "kg/m^3",                    \
          .doc = "density instead of the material's" },                                            \
        { "--unit",        CAROM_ARGUMENT_CHOICE,                                                  \
          .value = "UNIT", .choices = "m cm mm inch",                                              \
          .initial = "m",  .doc = "of the coordinates in a mesh file" },                           \
        { "--modes",                                                                               \
          CAROM_ARGUMENT_INTEGER,                                                                  \
          .value = "N",                                                                            \
          .initial = "45",                                                                         \
          .min = 1,                                                                                \
          .max = 1000,                                                                             \
          .doc = "vibration modes; more where N would split equal ones" },                         \
        { "--across",                                                                              \
          CAROM_ARGUMENT_NUMBER,                                                                   \
          .value = "N",                                                                            \
          .initial = "2.5",                                                                        \
          .min = 0.5,                                                                              \
          .max = 20,                                                                               \
          .doc = "cells across the thinnest dimension" },                                          \
        { "--unknowns",                                                                            \
          CAROM_ARGUMENT_INTEGER,                                                                  \
          .value = "N",                                                                            \
          .initial = "60000",                                                                      \
          .min = 1000,                                                                             \
          .max = 1e7,                                                                              \
          .doc = "coarser cells rather than more unknowns (unknowns_max)" },                       \
        { "--no-cache", CAROM_ARGUMENT_FLAG,                                                       \
          .doc = "compute the modes even where the cache folder ($CAROM_CACHE, else "              \
                 "~/.cache/carom) has them, and keep nothing there" },                             \
    {                                                                                              \
        "--repair", CAROM_ARGUMENT_FLAG,                                                           \
            .doc = "mend a mesh: drop degenerate and double triangles, turn inverted ones"         \
    }

typedef struct carom_bounce_body {
    carom_shape *shape; // a mesh
    carom_modes *modes;
    double shift[3];  // m: mesh coordinates of the shape's origin
    double origin[3]; // m: coordinates of the modes of the shape's origin
    double unit;      // m per unit of the mesh file
} carom_bounce_body;

// Reads MESH (a file, or "shape:NAME...") and, with `modes`, computes them. A failure is printed;
// returns an exit code.
int carom_bounce_body_open(const carom_arguments *given, const char *mesh, bool modes,
                           carom_bounce_body *body);
// The same with modes, of a partner that may be of another material: --material-b, --young-b,
// --poisson-b, --density-b; what is not given is as for the first.
int carom_bounce_body_open_second(const carom_arguments *given, const char *mesh,
                                  carom_bounce_body *body);
void carom_bounce_body_close(carom_bounce_body *body);
// Refines to at least so many faces.
int carom_bounce_body_refine(carom_bounce_body *body, int faces);
// Reads "x,y,z". Prints the misuse; returns an exit code.
int carom_bounce_body_vector(const char *name, const char *text, double out[3]);
// The same for a point in mesh coordinates (body frame comes out, m), checked to lie on the
// surface.
int carom_bounce_body_point(const carom_bounce_body *body, const char *name, const char *text,
                            double out[3]);

#endif

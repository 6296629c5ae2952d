/** Eigenvectors of symmetric 3x3 matrices, of moments for example. */
#ifndef GEOMETRY_EIGEN_H
#define GEOMETRY_EIGEN_H

#include "geometry/vec.h"

typedef struct geo_eigen {
    double value[3]; /* the largest first */
    vec3 vector[3];  /* unit, right-handed */
} geo_eigen;

/**
 * By Jacobi's method, the same bits everywhere. Vectors are orthonormal to rounding whatever the
 * matrix is: among equal values any will do, and a diagonal matrix has the coordinate axes.
 *
 * Cost     about 1 us.
 */
geo_eigen geo_eigen_symmetric(mat3 m);

#endif

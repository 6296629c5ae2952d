#include "geometry/eigen.h"

/* Each sweep roughly squares the remaining off-diagonal entries. */
enum { SWEEPS = 12 };

/** A matrix with indexed entries. */
typedef struct square {
    double at[3][3];
} square;

/**
 * Rotates rows and columns p and q of m, and the columns of `axes`, so that m.at[p][q] becomes 0.
 */
static void jacobi_turn(square *m, square *axes, int p, int q)
{
    const double off = m->at[p][q];
    if (off == 0) {
        return;
    }
    const double theta = (m->at[q][q] - m->at[p][p]) / (2 * off);
    const double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int i = 0; i < 3; i++) {
        const double ip = m->at[i][p], iq = m->at[i][q];
        m->at[i][p] = c * ip - s * iq;
        m->at[i][q] = s * ip + c * iq;
    }
    for (int i = 0; i < 3; i++) {
        const double pi = m->at[p][i], qi = m->at[q][i];
        m->at[p][i] = c * pi - s * qi;
        m->at[q][i] = s * pi + c * qi;
        const double ap = axes->at[i][p], aq = axes->at[i][q];
        axes->at[i][p] = c * ap - s * aq;
        axes->at[i][q] = s * ap + c * aq;
    }
}

/** Orders the columns of m by their diagonal entries, the largest first. */
static void sort_columns(const square *m, int order[3])
{
    for (int i = 0; i < 3; i++) {
        order[i] = i;
    }
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            if (m->at[order[k]][order[k]] < m->at[order[k + 1]][order[k + 1]]) {
                const int other = order[k];
                order[k] = order[k + 1];
                order[k + 1] = other;
            }
        }
    }
}

geo_eigen geo_eigen_symmetric(mat3 matrix)
{
    square m, axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            m.at[i][k] = vec3_get(matrix.row[i], k);
        }
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        jacobi_turn(&m, &axes, 0, 1);
        jacobi_turn(&m, &axes, 0, 2);
        jacobi_turn(&m, &axes, 1, 2);
    }
    int order[3];
    sort_columns(&m, order);
    geo_eigen e;
    for (int k = 0; k < 3; k++) {
        const int at = order[k];
        e.value[k] = m.at[at][at];
        e.vector[k] = vec3_normalize((vec3){axes.at[0][at], axes.at[1][at], axes.at[2][at]});
    }
    e.vector[2] = vec3_cross(e.vector[0], e.vector[1]);
    return e;
}

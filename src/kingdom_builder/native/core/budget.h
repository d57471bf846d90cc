/* How long a search may take: positions, time, or both; as players/budget.py measures them. */

#ifndef KB_BUDGET_H
#define KB_BUDGET_H

#include <stdbool.h>

enum { CLOCK_WALL, CLOCK_PROCESS, CLOCK_THREAD };

typedef struct {
    double *left; /* positions; NULL if they do not matter */
    double least; /* how many must be left */
    double until; /* by the clock; INFINITY if time does not matter */
    int clock;
} Limit;

double read_clock(int clock);

/* Spend some positions; returns false when the limit is reached. */
bool spend(Limit *limit, int positions);

#endif

#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L
#endif

#include "budget.h"

#include <math.h>
#include <time.h>

double read_clock(int clock_id) {
#if defined(CLOCK_MONOTONIC) && defined(CLOCK_PROCESS_CPUTIME_ID) && defined(CLOCK_THREAD_CPUTIME_ID)
    static const clockid_t CLOCKS[] = {CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID};
    struct timespec now;
    clock_gettime(CLOCKS[clock_id], &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#else
    struct timespec now;
    if (clock_id != CLOCK_WALL) return (double)clock() / CLOCKS_PER_SEC;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#endif
}

bool spend(Limit *limit, int positions) {
    if (limit->left) {
        *limit->left -= positions;
        if (*limit->left < 0 || *limit->left < limit->least) return false;
    }
    return limit->until == INFINITY || read_clock(limit->clock) < limit->until;
}

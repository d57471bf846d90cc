/* The search for whole turns, as players/turn_search.py specifies it. */

#ifndef KB_SEARCH_H
#define KB_SEARCH_H

#include "evaluation.h"
#include "budget.h"
#include "lines.h"

typedef struct {
    const Evaluator *evaluator;
    int seat;
    Limit *limit; /* NULL while there is none */
    Lines lines;
    List children, found, scratch;
    Keys known, built;
} Search;

/* Returns false, with nothing to free, if there is no memory. */
bool begin_search(Search *search, const Evaluator *evaluator, const State *start);
void free_search(Search *search);

/* Whether the turn may be ended here; and whether the seat has nothing to choose. */
bool can_end(const State *state);
bool is_over(const State *state, int seat);

/* The line with the action that looks best right now, the same line if it looks best to end the turn. */
int greedy_step(Search *search, int line, int sources, int looks);

/* A whole turn of greedy steps from a line, up to its end or a draw. */
int greedy_turn(Search *search, int line);

/* Find the best whole turns, best first: their lines are left in `found`. */
void run_search(Search *search, int leaders, Limit *comparing);

/* In a last turn, the line with the further uses of tiles that pay; else the same line. */
int completed(Search *search, int line, Limit *comparing);

enum { GREEDY_SOURCES = 2, LEADERS = 40 };

#endif

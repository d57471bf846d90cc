/* Games played quickly to their end, as players/rollouts.py and players/expert.py specify them. */

#ifndef KB_ROLLOUTS_H
#define KB_ROLLOUTS_H

#include "evaluation.h"

/* Deal the hidden cards of a state at random, as rules/observation.py does. */
void deal_hidden(State *state, Random *rng);

/* What came of it: nobody can do anything in a position that no game comes to. */
typedef enum { PLAYED, NOTHING_TO_DO, NO_MEMORY } Outcome;

/* Play some greedy turns, whoever plays them. */
Outcome play_greedy_turns(const Evaluator *evaluator, State *state, int turns, Random *rng);

/* Play a state to its end: the gold of each seat. */
Outcome play_out(const Evaluator *evaluator, State *state, Random *rng, double *gold);

#endif

/* Games played quickly to their end, as players/rollouts.py and players/expert.py specify them. */

#ifndef KB_ROLLOUTS_H
#define KB_ROLLOUTS_H

#include "evaluation.h"

/* Deal the hidden cards of a state at random, as rules/observation.py does. */
void deal_hidden(State *state, Random *rng);

/* Play some greedy turns, whoever plays them. */
void play_greedy_turns(const Evaluator *evaluator, State *state, int turns, Random *rng);

/* Play a state to its end: the gold of each seat. */
void play_out(const Evaluator *evaluator, State *state, Random *rng, double *gold);

#endif

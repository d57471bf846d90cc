/* Whole games of random players, and counts of positions. */

#ifndef KB_GAMES_H
#define KB_GAMES_H

#include "state.h"

/* One of the actions of a set that is not empty, each with the same probability. */
int random_action(const Set *actions, Random *rng);

/* Play a state to its end with random players and random draws, as players/random.py does; returns the actions played,
   or -1 if there is none that anybody could play, as in a position that no game comes to. */
long random_rollout(State *state, Random *rng);

/* The number of positions after so many actions, as rules/perft.py counts them. */
long long perft(const State *state, int depth);

#endif

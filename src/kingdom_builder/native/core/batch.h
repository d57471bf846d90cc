/* Games that are played side by side, and their arrays: one step plays an action in each and writes what the seats in turn
   see. Begun and ended are they by whoever steps, since setups come from Python. */

#ifndef KB_BATCH_H
#define KB_BATCH_H

#include "encode.h"

typedef struct {
    bool is_here; /* the game is played here, and not in Python */
    bool has_ended; /* by the action that was played last */
    bool is_known; /* the legal actions are known */
    int mover;     /* the seat that acted last */
    Random *rng;
    Set legal;
    State state;
    Encoding encoding;
    Set shown[MOST_PLANES]; /* the sets of hexes that the planes show */
} Game;

typedef struct {
    Layout layout;
    int size;
    Game *games;
    /* The arrays, one game after the other. */
    uint8_t *planes;
    float *vectors;
    int8_t *goals, *masks, *seats;
} Batch;

/* Begin to play a game whose encoding and state are there. */
void begin_game(Batch *batch, int number, Random *rng);

/* Play an action in each game from the number `first` on, with the draws that are due after it. Stops at the first game that
   is over then, is not here, or where the action is not legal, which changes nothing. Returns its number; the size of the
   batch if there is none. */
int play_games(Batch *batch, const int64_t *actions, int first);

/* Write what each game that is here looks like for the seat in turn. */
void write_games(Batch *batch);

#endif

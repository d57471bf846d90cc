/* The state of a game and the flow of a turn, as rules/state.py specifies them. */

#ifndef KB_STATE_H
#define KB_STATE_H

#include <stddef.h>

#include "random.h"
#include "setup.h"

enum { NOT_AWAITING, AWAITING_HAND, AWAITING_CARD, AWAITING_ACTION };
enum { NOBODY_ACTS = -1, MOST_DISCARDED = 64 };

typedef struct {
    Set own;  /* the pieces of a seat, of all kinds */
    Set near; /* the hexes next to them */
} Seat;

typedef struct {
    const Setup *setup;
    int16_t round, source; /* source: NOWHERE while no piece is chosen */
    int32_t steps;
    int8_t player, card, builds_left, acting, awaiting;
    bool adjacency_lifted, ending, over;
    uint8_t deck_size, discard_size;
    uint8_t deck[CARDS];                     /* how many cards of each terrain */
    uint8_t hands[MOST_PLAYERS][CARDS + 1];  /* likewise, with hidden ones */
    uint8_t discard[MOST_DISCARDED];         /* the cards in the order in which they came */
    int16_t supply[MOST_PLAYERS];
    uint64_t taken[MOST_PLAYERS], held[MOST_PLAYERS], ready, just_taken;
    uint8_t tiles_left[MOST_TILES];
    int32_t numbers[MOST_FIELDS];
    uint32_t by_seat[MOST_FIELDS][MOST_PLAYERS];
    Set free;
    Seat seats[MOST_PLAYERS];
    Set blocked, special, scouts;
    Set hexes[MOST_FIELDS];
} State;

/* The state before the first card is dealt. */
void new_state(State *state, const Setup *setup);

/* Read a state of a setup, as native/states.py writes it; and write one, into at least WRITTEN bytes. */
enum { WRITTEN = 4096 };
bool read_state(State *state, const Setup *setup, const uint8_t *bytes, size_t size);
size_t write_state(const State *state, uint8_t *bytes);

/* The legal actions; empty when the game is over. */
Set legal(const State *state);

/* Carry out an action, which must be legal. */
void apply(State *state, int action);

/* Draw a random card, as rules/chance.py does; returns false, and changes nothing, if there is none. */
bool draw_at_random(State *state, Random *rng);

/* The gold that a seat has now from one card, or from all. */
long long score(const State *state, int seat, const Shape *card);
long long gold(const State *state, int seat);

/* ---- for the other files of the core ---- */

static inline Set own(const State *state) { return state->seats[state->player].own; }
static inline Set near(const State *state) { return state->seats[state->player].near; }
static inline Set own_and_scouts(const State *state) { return or_(own(state), state->scouts); }

/* Where the player may build on land: next to their own pieces if possible, else anywhere. */
Set spots(const State *state, Set land);

Set draws(const State *state);
bool can_draw(const State *state);
bool has_useful_card(const State *state, int *cards);
bool card_is_replaced(const State *state);
void finish(State *state);
void build(State *state, int h);
void place(State *state, int piece, Set hexes);
void move_piece(State *state, int from, int to);
void lift_pieces(State *state, int piece, Set hexes);
void relocate(State *state, int piece, Set from, Set to);
void remove_piece(State *state, int seat, int h);
int kind_of(const State *state, int h); /* of the piece on a hex; -1 for a settlement */
Set movable_specials(const State *state);
Set footing(const State *state, int h);
Set free_without(const State *state, int h);
Set empty_hexes(const State *state);
void place_wall(State *state, int h);
void place_scout(State *state, int h);
void remove_scouts(State *state);
void drop_just_taken(State *state, int kind);
uint64_t used_tiles(const State *state);
void discard_card(State *state, int card);
Set settlements_only(const State *state, int seat); /* without pieces that cannot be removed */

/* Extra actions (actions.c). */
Set action_legal(const State *state, int kind);
void action_begin(State *state, int kind);
void action_apply(State *state, int choice);
void action_taken(State *state, int kind);
void action_lost(State *state, int kind, int seat);
bool goes_by_adjacency(const State *state, int kind);
bool begin_finale(State *state); /* returns false if there is nothing to play */

/* Hooks (scores.c). */
void built_hooks(State *state, int h);
void arrived_hooks(State *state, int h);
void turn_ended_hooks(State *state);
void spend_settlement(State *state);

#endif

#include "rollouts.h"

#include <math.h>

#include "search.h"

enum {
    TILE = 3,    /* what attracts a settlement besides cards, in half gold: tiles, */
    TOWARDS = 1, /* hexes next to tiles and castles, */
    FREEDOM = 2, /* no new terrain */
    CASTLE = 8,
    LOOKS = 8,
    DIGITS = 7,
    NEXT_TIE_BREAK = 137,
    MOST_TURNS = 2000,
    MOST_OF_A_TURN = 100,
    MOST_STEPS = 1000,
    MOST_TRIES = 1000
};

/* ---- hidden cards ---- */

/* Take some cards of the deck into a hand, as Random.sample chooses them from the sorted deck. */
static void sample_cards(State *state, Random *rng, uint8_t *hand, int wanted) {
    int deck[MOST_PLAYERS * 40], chosen[MOST_PLAYERS * 40], size = 0, pool_size = 21;
    bool is_taken[MOST_PLAYERS * 40] = {false};
    for (int card = 0; card < CARDS; card++)
        for (int i = 0; i < state->deck[card]; i++) deck[size++] = card;
    if (wanted > 5) {
        int power = 1;
        while (power < 3 * wanted) power *= 4;
        pool_size += power;
    }
    if (wanted > size) wanted = size;
    for (int i = 0; i < wanted; i++) {
        if (size <= pool_size) {
            int at = (int)random_below(rng, (uint32_t)(size - i));
            chosen[i] = deck[at];
            deck[at] = deck[size - i - 1];
        } else {
            int at = (int)random_below(rng, (uint32_t)size);
            while (is_taken[at]) at = (int)random_below(rng, (uint32_t)size);
            is_taken[at] = true;
            chosen[i] = deck[at];
        }
    }
    for (int i = 0; i < wanted; i++) {
        state->deck[chosen[i]]--;
        state->deck_size--;
        hand[chosen[i]]++;
    }
    hand[HIDDEN] = 0;
}

static State guess(const State *seen, Random *rng) {
    State state = *seen;
    for (int seat = 0; seat < seen->setup->players; seat++)
        if (state.hands[seat][HIDDEN]) sample_cards(&state, rng, state.hands[seat], state.hands[seat][HIDDEN]);
    return state;
}

/* Several cards without any free hex would have been replaced. */
static bool is_possible(const State *state) {
    int size = 0, cards;
    for (int card = 0; card <= CARDS; card++) size += state->hands[state->player][card];
    bool choice_is_open = state->card == NO_CARD && size > 1 && !state->numbers[CHOSEN_FIELD];
    return !choice_is_open || has_useful_card(state, &cards);
}

void deal_hidden(State *state, Random *rng) {
    State seen = *state;
    *state = guess(&seen, rng);
    for (int tries = 1; tries < MOST_TRIES && !is_possible(state); tries++) *state = guess(&seen, rng);
}

/* ---- greedy turns ---- */

Outcome play_greedy_turns(const Evaluator *evaluator, State *state, int turns, Random *rng) {
    for (int step = 0; step < MOST_STEPS && turns && !state->over; step++) {
        if (state->awaiting) {
            if (!draw_at_random(state, rng)) return NOTHING_TO_DO;
            continue;
        }
        Search search;
        if (!begin_search(&search, evaluator, state)) return NO_MEMORY;
        int seat = state->player;
        *state = line_at(&search.lines, greedy_turn(&search, 0))->state;
        free_search(&search);
        if (!is_over(state, seat)) {
            Set actions = legal(state);
            if (!has(&actions, END)) return NOTHING_TO_DO;
            apply(state, END);
            turns--;
        }
    }
    return PLAYED;
}

/* ---- quick games ---- */

/* Add a weight to the sums of some hexes; the sums are written in binary digits, lowest first. */
static void add_weight(Set *digits, int weight, Set hexes) {
    for (int place = 0; weight; weight >>= 1, place++) {
        if (!(weight & 1)) continue;
        Set carry = hexes;
        for (int at = place; any(carry) && at < DIGITS; at++) {
            Set sum = xor_(digits[at], carry);
            carry = and_(digits[at], carry);
            digits[at] = sum;
        }
    }
}

static Set castles_without(const Evaluator *evaluator, Set pieces) {
    Set hexes = EMPTY;
    for (int i = 0; i < evaluator->castle_count; i++)
        if (!meets(evaluator->castle_sides[i], pieces)) hexes = or_(hexes, evaluator->castle_sides[i]);
    return hexes;
}

static void add_attractions(const Evaluator *evaluator, const State *state, Set *digits) {
    int seat = state->player;
    Set tiles = beside_tiles(evaluator, state, seat);
    Set castles = castles_without(evaluator, state->seats[seat].own);
    add_weight(digits, TILE, tiles);
    add_weight(digits, CASTLE, and_(castles, AREA));
    add_weight(digits, TOWARDS, around(and_(or_(castles, tiles), state->free)));
    for (int i = 0; i < evaluator->attraction_count; i++) {
        const Heuristic *attraction = &evaluator->attractions[i];
        add_weight(digits, (int)nearbyint(2 * attraction->gold), and_(wanted_hexes(evaluator, attraction, state, seat), AREA));
    }
    Set beside_new = EMPTY, open = and_(near(state), state->free);
    for (int card = 0; card < CARDS; card++)
        if (!meets(open, state->setup->terrain[card])) beside_new = or_(beside_new, around(state->setup->terrain[card]));
    add_weight(digits, FREEDOM, without(AREA, beside_new));
}

/* The first of some choices from a start on, continuing with the lowest after the highest. */
static int first_from(Set choices, int start) {
    Set rest = choices;
    for (int i = 0; i < start / 64; i++) rest.w[i] = 0;
    rest.w[start / 64] &= ~(uint64_t)0 << start % 64;
    return lowest(any(rest) ? rest : choices);
}

/* The best of some hexes by cards whose attraction is unknown. */
static int best_by_score(const Evaluator *evaluator, const State *state, Set hexes, int tie_break) {
    State trial = *state;
    int first = first_from(hexes, tie_break), best = first, most = 0;
    for (int look = -1; look < LOOKS && (look < 0 || any(hexes)); look++) {
        int h = look < 0 ? first : pop(&hexes), gold = 0;
        trial.seats[state->player].own = state->seats[state->player].own;
        put(&trial.seats[state->player].own, h);
        for (int i = 0; i < evaluator->other_score_count; i++)
            gold += score(&trial, state->player, &state->setup->scores[evaluator->other_scores[i]]);
        if (look < 0 || gold > most) best = h, most = gold;
    }
    return best;
}

/* The most attractive hex to build on. */
static int attractive_hex(const Evaluator *evaluator, const State *state, Set hexes, int tie_break) {
    if (has_one(hexes)) return lowest(hexes);
    Set digits[DIGITS] = {{{0}}};
    add_attractions(evaluator, state, digits);
    for (int place = DIGITS - 1; place >= 0; place--) {
        Set better = and_(hexes, digits[place]);
        if (any(better)) hexes = better;
    }
    if (evaluator->other_score_count && !has_one(hexes)) return best_by_score(evaluator, state, hexes, tie_break);
    return first_from(hexes, tie_break);
}

static Set building_uses(const Setup *setup) {
    Set uses = EMPTY;
    for (int kind = 0; kind < setup->kind_count; kind++)
        if (setup->actions[kind].traits & BUILDS_ONE) put(&uses, USE + kind);
    return uses;
}

/* Play until the end of the turn, or until a card is drawn; returns false if there is nothing that could be played. */
static bool play_turn(const Evaluator *evaluator, State *state, int tie_break) {
    const Setup *setup = state->setup;
    int round = state->round, player = state->player;
    Set uses = building_uses(setup);
    for (int step = 0; step < MOST_OF_A_TURN; step++) {
        if (state->over || state->awaiting || state->round != round || state->player != player) break;
        Set actions = legal(state), hexes = and_(actions, AREA);
        if (!any(actions)) return false;
        bool builds = state->acting == NOBODY_ACTS || setup->actions[state->acting].traits & BUILDS_ONE;
        if (any(hexes) && builds) apply(state, attractive_hex(evaluator, state, hexes, tie_break));
        else if (meets(actions, uses)) apply(state, lowest(and_(actions, uses)));
        else if (has(&actions, END)) apply(state, END);
        else apply(state, first_from(actions, tie_break));
    }
    return true;
}

/* What the tiles are worth in a turn that a quick game does not use. */
static double worth_of_unused(const Evaluator *evaluator, const State *state) {
    const Setup *setup = state->setup;
    double unused = 0.0;
    for (int kind = 0; kind < setup->kind_count; kind++) {
        uint64_t tiles = setup->kind_tiles[kind] & setup->location_tiles;
        if (tiles && !(setup->actions[kind].traits & BUILDS_ONE))
            unused += evaluator->tile_gold[kind] * count64(state->held[state->player] & tiles);
    }
    return unused;
}

Outcome play_out(const Evaluator *evaluator, State *state, Random *rng, double *gold_of_seats) {
    int players = state->setup->players;
    for (int seat = 0; seat < players; seat++) gold_of_seats[seat] = 0.0;
    int tie_break = (int)random_below(rng, HEXES);
    for (int turn = 0; turn < MOST_TURNS && !state->over; turn++) {
        if (state->awaiting) {
            if (!draw_at_random(state, rng)) return NOTHING_TO_DO;
            continue;
        }
        if (state->builds_left == MANDATORY) gold_of_seats[state->player] += worth_of_unused(evaluator, state);
        tie_break = (tie_break + NEXT_TIE_BREAK) % HEXES;
        if (!play_turn(evaluator, state, tie_break)) return NOTHING_TO_DO;
    }
    for (int seat = 0; seat < players; seat++) gold_of_seats[seat] += gold(state, seat);
    return PLAYED;
}

#include "state.h"

void new_state(State *state, const Setup *setup) {
    memset(state, 0, sizeof *state);
    state->setup = setup;
    state->free = setup->room;
    state->source = NOWHERE;
    state->steps = 1;
    state->card = NO_CARD;
    state->acting = NOBODY_ACTS;
    state->awaiting = AWAITING_HAND;
    for (int card = 0; card < CARDS; card++) state->deck[card] = 5;
    state->deck_size = 5 * CARDS;
    for (int seat = 0; seat < setup->players; seat++) {
        state->supply[seat] = SETTLEMENTS;
        state->held[seat] = setup->standing;
    }
    memcpy(state->tiles_left, setup->tiles_left, sizeof state->tiles_left);
}

/* ---- what may be done ---- */

static Set card_hexes(const State *state) {
    return state->card == NO_CARD ? EMPTY : state->setup->terrain[state->card];
}

static int hand_size(const State *state, int seat) {
    int size = 0;
    for (int card = 0; card <= HIDDEN; card++) size += state->hands[seat][card];
    return size;
}

bool can_draw(const State *state) {
    int hidden = 0;
    for (int seat = 0; seat < state->setup->players; seat++) hidden += state->hands[seat][HIDDEN];
    return state->deck_size > hidden;
}

Set draws(const State *state) {
    Set found = EMPTY;
    for (int card = 0; card < CARDS; card++)
        if (state->deck[card]) put(&found, DRAW + card);
    return found;
}

Set spots(const State *state, Set land) {
    Set free = and_(state->free, land);
    if (state->adjacency_lifted) return free;
    Set beside = and_(free, near(state));
    return any(beside) ? beside : free;
}

/* Add the tiles that lift the adjacency rule, if that opens hexes; or, once one is declared, those hexes. */
static Set without_adjacency(const State *state, Set actions, Set everywhere) {
    const Setup *setup = state->setup;
    if (state->adjacency_lifted) return everywhere;
    if (any(without(everywhere, actions)))
        for (int kind = 0; kind < setup->kind_count; kind++)
            if (setup->kind_tiles[kind] & state->ready & setup->lifting_tiles) put(&actions, USE + kind);
    return actions;
}

static bool choice_is_open(const State *state) {
    return state->card == NO_CARD && hand_size(state, state->player) > 1 && !state->numbers[CHOSEN_FIELD];
}

/* The different cards in hand that have a free hex, as bits. */
bool has_useful_card(const State *state, int *cards) {
    const uint8_t *hand = state->hands[state->player];
    int different = 0, in_hand = 0;
    for (int card = 0; card <= HIDDEN; card++)
        if (hand[card]) different++, in_hand |= 1 << card;
    if (hand[HIDDEN] || (different == 1 && state->setup->options & EQUAL_CARDS_FREE)) in_hand = (1 << CARDS) - 1;
    *cards = 0;
    for (int card = 0; card < CARDS; card++)
        if (in_hand >> card & 1 && meets(state->free, state->setup->terrain[card])) *cards |= 1 << card;
    return *cards != 0;
}

static Set legal_of_action(const State *state) {
    Set actions = action_legal(state, state->acting);
    if (state->setup->lifting_tiles && !state->adjacency_lifted && goes_by_adjacency(state, state->acting)) {
        State lifted = *state;
        lifted.adjacency_lifted = true;
        actions = without_adjacency(state, actions, action_legal(&lifted, state->acting));
    }
    return actions;
}

static Set legal_of_turn(const State *state) {
    const Setup *setup = state->setup;
    Set actions = EMPTY;
    if (state->builds_left) {
        Set free = and_(state->free, card_hexes(state));
        Set beside = and_(free, near(state));
        actions = any(beside) ? beside : free;
        if (setup->lifting_tiles) actions = without_adjacency(state, actions, free);
    } else {
        put(&actions, END);
    }
    if (state->builds_left && state->builds_left != MANDATORY) return actions;
    int cards;
    if (choice_is_open(state) && has_useful_card(state, &cards))
        for (int card = 0; card < CARDS; card++)
            if (cards >> card & 1) put(&actions, CHOOSE + card);
    if (state->ready && !state->adjacency_lifted)
        for (int kind = 0; kind < setup->kind_count; kind++)
            if (state->ready & setup->kind_tiles[kind] && any(action_legal(state, kind))) put(&actions, USE + kind);
    return actions;
}

Set legal(const State *state) {
    if (state->awaiting) return draws(state);
    if (state->acting != NOBODY_ACTS) return legal_of_action(state);
    return state->over ? EMPTY : legal_of_turn(state);
}

/* ---- pieces ---- */

static Set blocking(const State *state) {
    const Setup *setup = state->setup;
    Set found = EMPTY;
    for (int i = 0; i < setup->piece_kind_count; i++)
        if (setup->piece_kinds[i].blocks) found = or_(found, state->hexes[setup->piece_kinds[i].field]);
    return found;
}

static Set *hexes_of(State *state, int piece) { return &state->hexes[state->setup->piece_kinds[piece].field]; }

Set empty_hexes(const State *state) {
    Set taken = or_(state->hexes[WALLS_FIELD], state->scouts);
    for (int seat = 0; seat < state->setup->players; seat++) taken = or_(taken, state->seats[seat].own);
    return without(state->setup->room, taken);
}

static void update_blocked(State *state) {
    state->blocked = and_(around(blocking(state)), AREA);
    state->free = without(empty_hexes(state), state->blocked);
}

static void update_near(State *state, int seat) {
    Set pieces = state->seats[seat].own;
    if (seat == state->player) pieces = or_(pieces, state->scouts);
    state->seats[seat].near = and_(around(pieces), AREA);
}

int kind_of(const State *state, int h) {
    const Setup *setup = state->setup;
    if (has(&state->special, h))
        for (int i = 0; i < setup->piece_kind_count; i++)
            if (has(&state->hexes[setup->piece_kinds[i].field], h)) return i;
    return -1;
}

Set footing(const State *state, int h) {
    int kind = kind_of(state, h);
    return kind < 0 ? EMPTY : state->setup->piece_kinds[kind].footing;
}

Set movable_specials(const State *state) {
    Set found = EMPTY;
    if (state->setup->options & SPECIALS_STAY) return found;
    Set specials = and_(state->special, own(state));
    while (any(specials)) {
        int h = pop(&specials);
        if (any(footing(state, h))) put(&found, h);
    }
    return found;
}

Set free_without(const State *state, int h) {
    Set free = state->free;
    int kind = any(state->blocked) ? kind_of(state, h) : -1;
    if (kind >= 0 && state->setup->piece_kinds[kind].blocks) {
        free = empty_hexes(state);
        put(&free, h);
        return without(free, around(xor_(blocking(state), of_hex(h))));
    }
    if (!has(&state->blocked, h)) put(&free, h);
    return free;
}

Set settlements_only(const State *state, int seat) {
    const Setup *setup = state->setup;
    Set pieces = state->seats[seat].own;
    for (int i = 0; i < setup->piece_kind_count; i++)
        if (!setup->piece_kinds[i].removable) pieces = without(pieces, state->hexes[setup->piece_kinds[i].field]);
    return pieces;
}

static void take_tile(State *state, int tile) {
    uint64_t bit = bit64(tile);
    state->tiles_left[tile]--;
    state->taken[state->player] |= bit;
    state->held[state->player] |= bit;
    state->just_taken |= bit;
    action_taken(state, state->setup->tile_kind[tile]);
}

/* A piece of the player has arrived on a hex: take the tiles there and call the hooks. */
static void touch(State *state, int h) {
    uint64_t beside = state->setup->tiles_beside[h];
    for (; beside; beside &= beside - 1) {
        int tile = lowest64(beside);
        if (state->tiles_left[tile] && !(state->taken[state->player] >> tile & 1)) take_tile(state, tile);
    }
    if (state->setup->has_arrived_hooks) arrived_hooks(state, h);
}

/* A new piece stands on these hexes: its effects in the order of RULES 3. */
static void has_been_built(State *state, Set hexes) {
    state->adjacency_lifted = false;
    if (state->acting != FINALE && state->setup->has_built_hooks)
        for (Set rest = hexes; any(rest);) built_hooks(state, pop(&rest));
    while (any(hexes)) touch(state, pop(&hexes));
}

static void stand(State *state, int h) {
    Seat *seat = &state->seats[state->player];
    drop(&state->free, h);
    put(&seat->own, h);
    seat->near = or_(seat->near, NEAR[h]);
}

static void trigger_end(State *state) {
    state->ending = true;
    state->builds_left = 0;
}

void spend_settlement(State *state) {
    if (!--state->supply[state->player]) trigger_end(state);
}

void build(State *state, int h) {
    spend_settlement(state);
    stand(state, h);
    if (has(&state->setup->watched, h)) has_been_built(state, of_hex(h));
}

void place(State *state, int piece, Set hexes) {
    for (Set rest = hexes; any(rest);) stand(state, pop(&rest));
    state->special = or_(state->special, hexes);
    *hexes_of(state, piece) = or_(*hexes_of(state, piece), hexes);
    if (state->setup->piece_kinds[piece].blocks) update_blocked(state);
    has_been_built(state, hexes);
}

static void lose_tile(State *state, int seat, int tile) {
    uint64_t lost = bit64(tile);
    int kind = state->setup->tile_kind[tile];
    state->held[seat] ^= lost;
    action_lost(state, kind, seat);
    if (seat != state->player) return;
    uint64_t twins = state->held[seat] & state->setup->kind_tiles[kind];
    uint64_t used = twins & ~state->ready & ~state->just_taken;
    if (state->ready & lost) {
        state->ready ^= lost;
        uint64_t worse = used ? used : twins & state->just_taken;
        uint64_t heir = worse & -worse;
        state->ready |= heir;
        state->just_taken &= ~heir;
    } else if (state->just_taken & lost) {
        state->just_taken ^= lost;
        state->just_taken |= used & -used;
    }
}

static void lose_contact(State *state, int seat, int h) {
    for (uint64_t beside = state->setup->tiles_beside[h]; beside; beside &= beside - 1) {
        int tile = lowest64(beside);
        bool held = state->held[seat] & state->setup->location_tiles & bit64(tile);
        if (held && !meets(state->setup->tile_side[tile], state->seats[seat].own)) lose_tile(state, seat, tile);
    }
}

static void move_special(State *state, int from, int to) {
    int kind = kind_of(state, from);
    Set both = or_(of_hex(from), of_hex(to));
    state->special = xor_(state->special, both);
    if (kind < 0) return;
    *hexes_of(state, kind) = xor_(*hexes_of(state, kind), both);
    if (state->setup->piece_kinds[kind].blocks) update_blocked(state);
}

void move_piece(State *state, int from, int to) {
    Seat *seat = &state->seats[state->player];
    state->adjacency_lifted = false;
    drop(&seat->own, from);
    if (!has(&state->blocked, from)) put(&state->free, from);
    drop(&state->free, to);
    put(&seat->own, to);
    update_near(state, state->player);
    if (has(&state->special, from)) move_special(state, from, to);
    if (state->setup->tiles_beside[from]) lose_contact(state, state->player, from);
    if (has(&state->setup->watched, to)) touch(state, to);
}

void lift_pieces(State *state, int piece, Set hexes) {
    Seat *seat = &state->seats[state->player];
    seat->own = without(seat->own, hexes);
    update_near(state, state->player);
    state->special = without(state->special, hexes);
    *hexes_of(state, piece) = without(*hexes_of(state, piece), hexes);
    update_blocked(state);
}

void relocate(State *state, int piece, Set from, Set to) {
    lift_pieces(state, piece, from);
    for (Set rest = to; any(rest);) stand(state, pop(&rest));
    state->special = or_(state->special, to);
    *hexes_of(state, piece) = or_(*hexes_of(state, piece), to);
    update_blocked(state);
    while (any(from)) lose_contact(state, state->player, pop(&from));
    while (any(to)) touch(state, pop(&to));
}

void remove_piece(State *state, int seat, int h) {
    drop(&state->seats[seat].own, h);
    update_near(state, seat);
    if (!has(&state->blocked, h)) put(&state->free, h);
    int kind = kind_of(state, h);
    if (kind < 0) {
        state->supply[seat]++;
    } else {
        drop(&state->special, h);
        drop(hexes_of(state, kind), h);
        if (state->setup->piece_kinds[kind].blocks) update_blocked(state);
    }
    lose_contact(state, seat, h);
}

void place_wall(State *state, int h) {
    put(&state->hexes[WALLS_FIELD], h);
    drop(&state->free, h);
}

void place_scout(State *state, int h) {
    Seat *seat = &state->seats[state->player];
    put(&state->scouts, h);
    drop(&state->free, h);
    seat->near = or_(seat->near, NEAR[h]);
}

void remove_scouts(State *state) {
    if (!any(state->scouts)) return;
    state->scouts = EMPTY;
    update_near(state, state->player);
    state->free = without(empty_hexes(state), state->blocked);
}

void drop_just_taken(State *state, int kind) {
    uint64_t tiles = state->just_taken & state->setup->kind_tiles[kind];
    state->just_taken &= ~tiles;
    state->held[state->player] &= ~tiles;
}

uint64_t used_tiles(const State *state) {
    return state->held[state->player] & ~state->ready & ~state->just_taken;
}

void finish(State *state) {
    state->acting = NOBODY_ACTS;
    state->source = NOWHERE;
    state->steps = 0;
}

/* ---- turns and cards ---- */

static void reshuffle(State *state) {
    for (int i = 0; i < state->discard_size; i++)
        if (state->discard[i] < CARDS) state->deck[state->discard[i]]++, state->deck_size++;
    state->discard_size = 0;
}

static void discard(State *state, int card) {
    if (state->discard_size < MOST_DISCARDED) state->discard[state->discard_size++] = (uint8_t)card;
}

void discard_card(State *state, int card) {
    discard(state, card);
    if (!state->deck_size) reshuffle(state);
}

bool card_is_replaced(const State *state) {
    if (meets(state->free, card_hexes(state))) return false;
    return state->builds_left || state->setup->options & REDRAW_ALWAYS;
}

/* The order of the letters of hidden and terrain cards: a hidden one comes first. */
static const int IN_ORDER[CARDS + 1] = {HIDDEN, 0, 1, 2, 3, 4};

static void drop_card(uint8_t *hand, int card) {
    if (card == NO_CARD) return;
    for (int i = 0; !hand[card] && i <= CARDS; i++)
        if (hand[IN_ORDER[i]]) card = IN_ORDER[i];
    if (hand[card]) hand[card]--;
}

/* Replace a card that has no free hex of its terrain; it leaves the game (RULES 4.3). */
static void replace_card(State *state) {
    int cards;
    uint8_t *hand = state->hands[state->player];
    if (state->over || state->acting == FINALE) return;
    if (choice_is_open(state)) {
        if (has_useful_card(state, &cards)) return;
        memset(hand, 0, CARDS + 1);
    } else if (!state->builds_left && !(state->setup->options & REDRAW_ALWAYS)) {
        return;
    } else {
        drop_card(hand, state->card);
    }
    state->card = NO_CARD;
    if (can_draw(state)) {
        state->awaiting = AWAITING_CARD;
    } else {
        bool has_cards = false;
        for (int seat = 0; seat < state->setup->players; seat++) has_cards |= hand_size(state, seat) > 0;
        state->ending |= !has_cards;
        state->builds_left = 0;
    }
}

static void play_card(State *state, int card) {
    state->card = (int8_t)card;
    if (!meets(state->free, card_hexes(state))) replace_card(state);
}

static void next_turn(State *state) {
    if (++state->player == state->setup->players) {
        state->player = 0;
        state->round++;
    }
    if (!state->round) {
        state->steps = 1;
        state->awaiting = AWAITING_HAND;
        return;
    }
    state->steps = 0;
    state->builds_left = state->supply[state->player] ? MANDATORY : 0;
    state->ready = state->held[state->player];
    int card = NO_CARD;
    if (hand_size(state, state->player) == 1)
        for (int i = 0; i < CARDS; i++)
            if (state->hands[state->player][i]) card = i;
    play_card(state, card);
}

/* Whether the game ends after this round: in play `ending` is already set, in a position written by hand perhaps not. */
static bool is_last_round(State *state) {
    bool is_empty = false;
    for (int seat = 0; seat < state->setup->players; seat++) is_empty |= !state->supply[seat];
    state->ending = state->setup->options & EMPTY_SUPPLY_ENDS && is_empty;
    return state->ending;
}

static void clean_up(State *state) {
    turn_ended_hooks(state);
    state->held[state->player] &= ~state->setup->nomad_tiles | state->just_taken;
    state->numbers[CHOSEN_FIELD] = 0;
}

static void end_game(State *state) {
    state->steps = 0;
    if (!begin_finale(state)) state->over = true;
}

static void end_turn(State *state) {
    const Setup *setup = state->setup;
    uint8_t *hand = state->hands[state->player];
    state->steps = 1;
    remove_scouts(state);
    if (setup->cleans_up) clean_up(state);
    else if (!(setup->options & CHOICE_LASTS)) state->numbers[CHOSEN_FIELD] = 0;
    state->ready = state->just_taken = 0;
    for (int i = 0; i <= CARDS; i++)
        for (; hand[IN_ORDER[i]]; hand[IN_ORDER[i]]--) discard(state, IN_ORDER[i]);
    state->card = NO_CARD;
    if (!state->deck_size) reshuffle(state);
    if (state->player == setup->players - 1 && (state->ending || is_last_round(state))) end_game(state);
    else if (state->deck_size) state->awaiting = AWAITING_HAND;
    else next_turn(state);
}

static void draw(State *state, int card) {
    state->deck[card]--;
    if (!--state->deck_size) reshuffle(state);
    int purpose = state->awaiting;
    state->awaiting = NOT_AWAITING;
    if (purpose == AWAITING_ACTION) {
        action_apply(state, DRAW + card);
        return;
    }
    state->hands[state->player][card]++;
    if (purpose == AWAITING_CARD) {
        play_card(state, card);
    } else if (state->steps == 1 || !state->deck_size) {
        next_turn(state);
    } else {
        state->steps--;
        state->awaiting = AWAITING_HAND;
    }
}

void apply(State *state, int action) {
    const Setup *setup = state->setup;
    if (action >= DRAW && action < DRAW + CARDS) {
        draw(state, action - DRAW);
    } else if (action >= USE && (state->acting == NOBODY_ACTS || setup->actions[action - USE].traits & LIFTS)) {
        int kind = action - USE;
        uint64_t usable = state->ready & setup->kind_tiles[kind];
        state->ready ^= usable & -usable;
        if (setup->actions[kind].traits & LIFTS) {
            state->adjacency_lifted = true;
        } else {
            state->acting = (int8_t)kind;
            action_begin(state, kind);
        }
    } else if (action < END || state->acting != NOBODY_ACTS) {
        if (state->acting == NOBODY_ACTS) {
            state->builds_left--;
            build(state, action);
        } else {
            action_apply(state, action);
        }
        if (!meets(state->free, card_hexes(state))) replace_card(state);
    } else if (action == END) {
        end_turn(state);
    } else {
        state->numbers[CHOSEN_FIELD] = 1;
        play_card(state, action - CHOOSE);
    }
}

bool draw_at_random(State *state, Random *rng) {
    if (!state->deck_size) return false;
    int chosen = (int)(random_double(rng) * state->deck_size);
    int card = 0;
    while (card < CARDS - 1 && chosen >= state->deck[card]) chosen -= state->deck[card++];
    apply(state, DRAW + card);
    return true;
}

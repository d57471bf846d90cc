/* The extra actions, by shape: what may be chosen, and what a choice does. Each follows the method of the same name in
   rules/components.py and content/. */

#include "state.h"

enum { BUILDING = 1, MOVING = 2 }; /* what a silo is used for */

static const Shape *shape_of(const State *state, int kind) { return &state->setup->actions[kind]; }

static Set if_supplied(const State *state, Set actions) { return state->supply[state->player] ? actions : EMPTY; }

static Set choices(Set hexes, int choice, bool offered) {
    if (offered) put(&hexes, choice);
    return hexes;
}

static Set terrain_of_card(const State *state) {
    return state->card == NO_CARD ? EMPTY : state->setup->terrain[state->card];
}

/* ---- building ---- */

static Set near_others(const State *state) {
    Set beside = EMPTY;
    for (int seat = 0; seat < state->setup->players; seat++)
        if (seat != state->player) beside = or_(beside, state->seats[seat].near);
    return beside;
}

static Set beyond_ends(const State *state, const Shape *shape) {
    int length = shape->numbers[0];
    Set pieces = own_and_scouts(state), ends = EMPTY;
    for (int i = 0; i < 3; i++) {
        int axis = AXES[i];
        Set rows = pieces;
        for (int step = 1; step < length; step++) rows = and_(rows, up(pieces, step * axis));
        ends = or_(ends, or_(up(rows, axis), down(rows, length * axis)));
    }
    return and_(ends, shape->land);
}

static Set among_three(const State *state, const Shape *shape) {
    Set ones, twos, fours;
    neighbour_counts(own_and_scouts(state), &ones, &twos, &fours);
    return and_(or_(fours, and_(twos, ones)), shape->land);
}

/* ---- moving ---- */

/* Whether a tile lifts the adjacency rule: a declared one or, while a piece is chosen, one still to declare. */
static bool is_lifted(const State *state) {
    if (!state->setup->lifting_tiles) return false;
    if (state->adjacency_lifted) return true;
    return state->source == NOWHERE && state->setup->lifting_tiles & state->ready && state->setup->options & LIFT_MOVES;
}

static Set adjacent_targets(const State *state, Set area, int from, Set free) {
    Set available = and_(free_without(state, from), area);
    if (is_lifted(state)) return and_(available, free);
    Set beside = and_(available, around(or_(xor_(own(state), of_hex(from)), state->scouts)));
    return and_(any(beside) ? beside : available, free);
}

static Set adjacent_sources(const State *state, Set area) {
    Set mine = own(state), free = and_(state->free, area);
    if (!any(free)) return EMPTY;
    if (is_lifted(state)) return mine;
    Set tied = without(and_(and_(mine, near(state)), area), state->blocked);
    Set beside = and_(free, near(state));
    if (!any(beside)) return without(mine, tied);
    Set pieces = own_and_scouts(state);
    Set supporters = and_(NEAR[lowest(beside)], pieces);
    if (!has_one(supporters) || !meets(supporters, tied) || meets(beside, around(xor_(pieces, supporters)))) return mine;
    return xor_(mine, supporters);
}

static Set straight_targets(Set land, int from) {
    Set found = EMPTY;
    for (int d = 0; d < 6; d++) {
        int h = from, next = from + DIRECTIONS[d];
        while (next >= 0 && next < HEXES && has(&land, next)) h = next, next += DIRECTIONS[d];
        put(&found, h);
    }
    drop(&found, from);
    return found;
}

static Set area_sources(const State *state, Set land) {
    Set found = EMPTY, rest = own_and_scouts(state);
    land = and_(state->free, land);
    while (any(rest)) found = or_(found, supported_moves(pop_area(&rest), land));
    return and_(found, own(state));
}

static Set area_targets(const State *state, Set land, int from, Set free) {
    Set rest = own_and_scouts(state);
    while (any(rest)) {
        Set area = pop_area(&rest);
        if (has(&area, from)) {
            drop(&area, from);
            return and_(and_(around(area), free), land);
        }
    }
    return EMPTY;
}

static const Set *second_set(const State *state, const Shape *shape) { return &state->setup->sets[shape->first_set + 1]; }

/* The settlements of the player that a moving action can move. */
static Set move_sources(const State *state, const Shape *shape) {
    switch (shape->shape) {
        case ACT_move_next_to: return adjacent_sources(state, shape->land);
        case ACT_move_to_card: return adjacent_sources(state, terrain_of_card(state));
        case ACT_move_two: return and_(two_away(and_(state->free, shape->land)), own(state));
        case ACT_move_straight: return and_(around(and_(state->free, shape->land)), own(state));
        case ACT_move_along_area: return area_sources(state, shape->land);
        default: /* move_between */
            return meets(*second_set(state, shape), state->free) ? and_(shape->land, own(state)) : EMPTY;
    }
}

static Set targets_of(const State *state, const Shape *shape, int from, Set free) {
    switch (shape->shape) {
        case ACT_move_next_to: return adjacent_targets(state, shape->land, from, free);
        case ACT_move_to_card: return adjacent_targets(state, terrain_of_card(state), from, free);
        case ACT_move_two: return and_(and_(TWO_AWAY[from], free), shape->land);
        case ACT_move_straight: return straight_targets(and_(free, shape->land), from);
        case ACT_move_along_area: return area_targets(state, shape->land, from, free);
        default: /* move_between */
            return has(&shape->land, from) ? and_(*second_set(state, shape), free) : EMPTY;
    }
}

static Set move_targets(const State *state, const Shape *shape, int from) {
    if (!has(&state->special, from)) return targets_of(state, shape, from, state->free);
    Set free = free_without(state, from);
    drop(&free, from);
    return and_(targets_of(state, shape, from, free), footing(state, from));
}

static Set move_legal(const State *state, const Shape *shape) {
    if (state->source != NOWHERE) return move_targets(state, shape, state->source);
    Set sources = without(move_sources(state, shape), state->special);
    for (Set specials = movable_specials(state); any(specials);) {
        int h = pop(&specials);
        if (any(move_targets(state, shape, h))) put(&sources, h);
    }
    return sources;
}

/* ---- steps ---- */

static Set step_targets(const State *state, const Shape *shape, int from) {
    Set land = and_(shape->land, NEAR[from]);
    if (!has(&state->special, from)) return and_(land, state->free);
    return and_(and_(land, free_without(state, from)), footing(state, from));
}

static Set step_movers(const State *state, const Shape *shape) {
    Set movers = without(and_(around(and_(state->free, shape->land)), own(state)), state->special);
    for (Set specials = movable_specials(state); any(specials);) {
        int h = pop(&specials);
        if (any(step_targets(state, shape, h))) put(&movers, h);
    }
    return movers;
}

static Set steps_legal(const State *state, const Shape *shape) {
    if (state->source == NOWHERE) return step_movers(state, shape);
    Set targets = step_targets(state, shape, state->source);
    if (state->steps == shape->numbers[0]) return targets;
    Set movers = step_movers(state, shape);
    drop(&movers, state->source);
    return choices(or_(targets, movers), DONE, true);
}

static void steps_apply(State *state, const Shape *shape, int choice) {
    Set mine = own(state);
    if (choice == DONE) {
        finish(state);
    } else if (state->source == NOWHERE || has(&mine, choice)) {
        state->source = (int16_t)choice;
    } else {
        move_piece(state, state->source, choice);
        state->source = (int16_t)choice;
        if (!--state->steps || !any(step_movers(state, shape))) finish(state);
    }
}

/* ---- walls, scouts, numbers ---- */

static Set wall_spots(const State *state, const Shape *shape) {
    if (count(state->hexes[WALLS_FIELD]) >= shape->numbers[0]) return EMPTY;
    return and_(and_(state->free, terrain_of_card(state)), near(state));
}

static void walls_apply(State *state, const Shape *shape, int choice) {
    if (choice == DONE) {
        finish(state);
        return;
    }
    place_wall(state, choice);
    if (!--state->steps || (!any(wall_spots(state, shape)) && !card_is_replaced(state))) finish(state);
}

enum { SCOUTS_EACH = 2 };

static int scouts_left(const State *state, const Shape *shape) {
    if (shape->numbers[0]) return SCOUTS_EACH; /* an old ruling: they are picked up first */
    int left = SCOUTS_EACH - count(state->scouts);
    return left > 0 ? left : 0;
}

static Set scout_spots(const State *state) { return and_(state->free, near(state)); }

static Set scouts_legal(const State *state, const Shape *shape, bool is_acting) {
    if (is_acting) return choices(scout_spots(state), DONE, state->steps == 1);
    return scouts_left(state, shape) ? scout_spots(state) : EMPTY;
}

static void scouts_begin(State *state, const Shape *shape) {
    if (shape->numbers[0]) remove_scouts(state);
    state->steps = scouts_left(state, shape);
}

static void scouts_apply(State *state, int choice) {
    if (choice == DONE) {
        finish(state);
        return;
    }
    place_scout(state, choice);
    if (!--state->steps || !any(scout_spots(state))) finish(state);
}

/* The fields of `numbers`: its own by seat, and that of what was repeated; its number: a repetition may take one more. */
static uint32_t *numbers_of(State *state, const Shape *shape, int seat) {
    return &state->by_seat[shape->fields[0]][seat];
}

static Set number_spots(const State *state, const Shape *shape) {
    if (!state->by_seat[shape->fields[0]][state->player]) return EMPTY;
    return if_supplied(state, spots(state, terrain_of_card(state)));
}

static Set numbers_legal(const State *state, int kind, bool is_acting) {
    const Shape *shape = shape_of(state, kind);
    Set found = number_spots(state, shape);
    if (state->adjacency_lifted && any(found)) return found;
    if (is_acting && state->steps) return choices(found, DONE, true);
    bool repeated = shape->numbers[1] && state->numbers[shape->fields[1]] == kind + 1;
    return choices(found, OTHER, !repeated || shape->numbers[0]);
}

static void numbers_apply(State *state, const Shape *shape, int choice) {
    uint32_t *left = numbers_of(state, shape, state->player);
    if (choice == OTHER) {
        ++*left;
    } else if (choice != DONE) {
        --*left;
        build(state, choice);
        state->steps = 1;
        left = numbers_of(state, shape, state->player);
        bool more_by_another_card = *left && state->supply[state->player] && card_is_replaced(state);
        if (any(number_spots(state, shape)) || more_by_another_card) return;
    }
    if (shape->numbers[1]) state->numbers[shape->fields[1]] = 0;
    finish(state);
}

/* ---- other kinds of pieces ---- */

static const PieceKind *piece_of(const State *state, const Shape *shape) {
    return &state->setup->piece_kinds[shape->piece];
}

/* The pieces of the player of the kind that the action puts on the board. */
static Set standing(const State *state, const Shape *shape) {
    return and_(own(state), state->hexes[piece_of(state, shape)->field]);
}

static Set put_or_take_legal(const State *state, const Shape *shape) {
    Set pieces = standing(state, shape);
    Set found = count(pieces) < piece_of(state, shape)->each ? spots(state, shape->land) : EMPTY;
    return state->adjacency_lifted ? found : or_(found, pieces);
}

static void put_or_take_apply(State *state, const Shape *shape, int choice) {
    Set pieces = standing(state, shape);
    if (has(&pieces, choice)) remove_piece(state, state->player, choice);
    else place(state, shape->piece, of_hex(choice));
    finish(state);
}

enum { RANGE = 3 }; /* the steps of a vehicle */

static Set vehicle_targets(const State *state, const Shape *shape, int from) {
    return and_(and_(NEAR[from], state->free), piece_of(state, shape)->footing);
}

static Set vehicle_legal(const State *state, const Shape *shape) {
    if (state->source != NOWHERE)
        return choices(vehicle_targets(state, shape, state->source), state->steps == RANGE ? OTHER : DONE, true);
    Set pieces = standing(state, shape);
    return any(pieces) ? pieces : spots(state, piece_of(state, shape)->footing);
}

static void vehicle_apply(State *state, const Shape *shape, int choice) {
    if (choice == OTHER && state->source != NOWHERE) {
        remove_piece(state, state->player, state->source);
        finish(state);
    } else if (choice == DONE) {
        finish(state);
    } else if (state->source != NOWHERE) {
        move_piece(state, state->source, choice);
        state->source = (int16_t)choice;
        if (!--state->steps || !any(vehicle_targets(state, shape, choice))) finish(state);
    } else if (any(standing(state, shape))) {
        state->source = (int16_t)choice;
        state->steps = RANGE;
    } else {
        place(state, shape->piece, of_hex(choice));
        finish(state);
    }
}

static Set hall_centres(const State *state, const Shape *shape) {
    Set land = and_(state->free, shape->land);
    return and_(and_(surrounded(land), land), around(near(state)));
}

/* Where the hall may go in the turn in which it was placed. */
static Set other_hall_centres(const State *state, const Shape *shape) {
    if (shape->numbers[0]) return EMPTY; /* a ruling: it stays */
    Set hall = standing(state, shape);
    State lifted = *state;
    lift_pieces(&lifted, shape->piece, hall);
    return without(hall_centres(&lifted, shape), and_(surrounded(hall), hall));
}

static Set hall_legal(const State *state, const Shape *shape, bool is_acting) {
    if (!any(standing(state, shape))) return hall_centres(state, shape);
    return is_acting ? other_hall_centres(state, shape) : EMPTY;
}

static void hall_apply(State *state, const Shape *shape, int choice) {
    Set hall = standing(state, shape), hexes = or_(of_hex(choice), NEAR[choice]);
    if (any(hall)) relocate(state, shape->piece, hall, hexes);
    else place(state, shape->piece, hexes);
    finish(state);
}

/* ---- removing others' pieces ---- */

/* The next seat in turn order, after the player, that loses a piece; `asked` holds the seats that have not lost one. */
static int next_victim(const State *state, int32_t asked) {
    int players = state->setup->players;
    for (int i = 1; i < players; i++) {
        int seat = (state->player + i) % players;
        if (asked >> seat & 1 && any(settlements_only(state, seat))) return seat;
    }
    return -1;
}

static Set remove_legal(const State *state, bool is_acting) {
    int victim = next_victim(state, is_acting ? state->steps : (1 << MOST_PLAYERS) - 1);
    return victim < 0 ? EMPTY : settlements_only(state, victim);
}

static void remove_begin(State *state) {
    state->steps = 0;
    for (int seat = 0; seat < state->setup->players; seat++)
        if (seat != state->player && any(settlements_only(state, seat))) state->steps |= 1 << seat;
}

static void remove_apply(State *state, const Shape *shape, int choice) {
    int victim = next_victim(state, state->steps);
    remove_piece(state, victim, choice);
    if (shape->numbers[0]) { /* a ruling: a settlement that comes back cancels the end */
        bool all_supplied = true;
        for (int seat = 0; seat < state->setup->players; seat++) all_supplied &= state->supply[seat] > 0;
        if (all_supplied) state->ending = false;
    }
    state->steps ^= 1 << victim;
    if (next_victim(state, state->steps) < 0) finish(state);
}

/* ---- drawing and repeating ---- */

/* The terrain of the drawn card. */
static Set drawn_land(const State *state, const Shape *shape) {
    int drawn = state->numbers[shape->fields[0]];
    return drawn > 0 && drawn <= CARDS ? state->setup->terrain[drawn - 1] : EMPTY;
}

static Set draw_and_build_legal(const State *state, const Shape *shape, bool is_acting) {
    if (is_acting && state->numbers[shape->fields[0]]) return spots(state, drawn_land(state, shape));
    return state->supply[state->player] && can_draw(state) ? draws(state) : EMPTY;
}

static void draw_and_build_apply(State *state, const Shape *shape, int choice) {
    if (choice >= DRAW) {
        discard_card(state, choice - DRAW);
        state->numbers[shape->fields[0]] = choice - DRAW + 1;
        if (meets(state->free, drawn_land(state, shape))) return;
    } else {
        build(state, choice);
    }
    state->numbers[shape->fields[0]] = 0;
    finish(state);
}

/* Whether an action, already used in this turn, can be done again. */
static bool can_repeat(const State *state, int kind) {
    const Shape *shape = shape_of(state, kind);
    switch (shape->shape) {
        case ACT_extra_card: return true;
        case ACT_numbers: return shape->numbers[0] || any(number_spots(state, shape));
        case ACT_hall:
            return any(any(standing(state, shape)) ? other_hall_centres(state, shape) : hall_centres(state, shape));
        case ACT_scouts: {
            State lifted = *state;
            remove_scouts(&lifted);
            return any(scout_spots(&lifted));
        }
        default: return any(action_legal(state, kind));
    }
}

static Set repeat_legal(const State *state) {
    const Setup *setup = state->setup;
    uint64_t held = state->held[state->player], used = used_tiles(state);
    Set found = EMPTY;
    for (int kind = 0; kind < setup->kind_count; kind++) {
        int traits = setup->actions[kind].traits;
        uint64_t tiles = (traits & PASSIVE ? held : used) & setup->kind_tiles[kind];
        if (tiles && traits & REPEATABLE && can_repeat(state, kind)) put(&found, USE + kind);
    }
    return found;
}

static void repeat_apply(State *state, const Shape *shape, int choice) {
    int kind = choice - USE;
    finish(state);
    state->numbers[shape->fields[0]] = kind + 1;
    state->acting = (int8_t)kind;
    if (shape_of(state, kind)->shape == ACT_scouts) remove_scouts(state); /* a repetition may relocate them */
    if (shape_of(state, kind)->shape == ACT_extra_card) {
        state->numbers[shape_of(state, kind)->fields[0]] = 1;
        finish(state);
        return;
    }
    action_begin(state, kind);
}

/* ---- silos ---- */

/* The fields of `silo`: the silos left, and what the current one is used for; its sets: land and silos. */
static Set silo_targets(const State *state, const Shape *shape, int from) {
    Set others = and_(around(xor_(own(state), of_hex(from))), shape->land);
    if (!has(&state->special, from)) return and_(others, state->free);
    Set found = and_(and_(others, free_without(state, from)), footing(state, from));
    drop(&found, from);
    return found;
}

static Set silo_movers(const State *state, const Shape *shape) {
    Set found = without(supported_moves(own(state), and_(state->free, shape->land)), state->special);
    for (Set specials = movable_specials(state); any(specials);) {
        int h = pop(&specials);
        if (any(silo_targets(state, shape, h))) put(&found, h);
    }
    return found;
}

static Set silo_legal(const State *state, const Shape *shape) {
    if (state->source != NOWHERE) return silo_targets(state, shape, state->source);
    int use = state->numbers[shape->fields[1]];
    Set found = EMPTY;
    put(&found, END);
    if (use != MOVING && state->supply[state->player])
        found = or_(found, and_(and_(state->free, shape->land), near(state)));
    return use == BUILDING ? found : or_(found, silo_movers(state, shape));
}

static bool is_only_end(Set actions) {
    drop(&actions, END);
    return !any(actions);
}

/* Begin with the first remaining silo that the seat is next to and can use. */
static bool begin_silo(State *state, const Shape *shape) {
    state->numbers[shape->fields[1]] = 0;
    state->source = NOWHERE;
    for (Set silos = state->hexes[shape->fields[0]]; any(silos);) {
        int silo = pop(&silos);
        state->acting = FINALE;
        state->steps = 3;
        bool touches = !shape->numbers[0] || has(&state->seats[state->player].near, silo);
        Set actions = silo_legal(state, shape);
        if (touches && !(has(&actions, END) && is_only_end(actions))) return true;
        drop(&state->hexes[shape->fields[0]], silo);
    }
    finish(state);
    return false;
}

static bool next_silo_seat(State *state, const Shape *shape, int first) {
    for (int seat = first; seat < state->setup->players; seat++) {
        state->player = (int8_t)seat;
        Set silos = *second_set(state, shape);
        if (!shape->numbers[0]) silos = and_(silos, near(state)); /* numbers[0]: a ruling, adjacency is checked live */
        state->hexes[shape->fields[0]] = silos;
        if (begin_silo(state, shape)) return true;
    }
    return false;
}

static void end_silo(State *state, const Shape *shape) {
    Set *silos = &state->hexes[shape->fields[0]];
    if (any(*silos)) pop(silos);
    if (!begin_silo(state, shape) && !next_silo_seat(state, shape, state->player + 1)) state->over = true;
}

static void silo_apply(State *state, const Shape *shape, int choice) {
    Set mine = own(state);
    if (choice == END) {
        end_silo(state, shape);
        return;
    }
    if (state->source == NOWHERE && has(&mine, choice)) {
        state->source = (int16_t)choice;
        return;
    }
    if (state->source == NOWHERE) {
        state->numbers[shape->fields[1]] = BUILDING;
        build(state, choice);
    } else {
        state->numbers[shape->fields[1]] = MOVING;
        move_piece(state, state->source, choice);
        state->source = NOWHERE;
    }
    state->just_taken = 0; /* a tile taken now is of no use */
    state->steps--;
    Set actions = state->steps ? silo_legal(state, shape) : EMPTY;
    if (!state->steps || (has(&actions, END) && is_only_end(actions))) end_silo(state, shape);
}

bool begin_finale(State *state) {
    if (!state->setup->has_finale) return false;
    return next_silo_seat(state, shape_of(state, FINALE), 0);
}

/* ---- all of them ---- */

Set action_legal(const State *state, int kind) {
    const Shape *shape = shape_of(state, kind);
    bool is_acting = state->acting == kind;
    switch (shape->shape) {
        case ACT_build: return if_supplied(state, spots(state, shape->land));
        case ACT_build_on_card: return if_supplied(state, spots(state, terrain_of_card(state)));
        case ACT_build_near_others: return if_supplied(state, spots(state, and_(shape->land, near_others(state))));
        case ACT_build_at_ends: return if_supplied(state, and_(beyond_ends(state, shape), state->free));
        case ACT_build_among: return if_supplied(state, and_(among_three(state, shape), state->free));
        case ACT_build_next_to: return if_supplied(state, and_(and_(shape->land, near(state)), state->free));
        case ACT_move_next_to:
        case ACT_move_to_card:
        case ACT_move_two:
        case ACT_move_straight:
        case ACT_move_along_area:
        case ACT_move_between: return move_legal(state, shape);
        case ACT_walls: return choices(wall_spots(state, shape), DONE, is_acting && state->steps == 1);
        case ACT_steps: return steps_legal(state, shape);
        case ACT_remove: return remove_legal(state, is_acting);
        case ACT_draw_and_build: return draw_and_build_legal(state, shape, is_acting);
        case ACT_put_or_take: return put_or_take_legal(state, shape);
        case ACT_vehicle: return vehicle_legal(state, shape);
        case ACT_hall: return hall_legal(state, shape, is_acting);
        case ACT_scouts: return scouts_legal(state, shape, is_acting);
        case ACT_numbers: return numbers_legal(state, kind, is_acting);
        case ACT_repeat: return repeat_legal(state);
        case ACT_silo: return silo_legal(state, shape);
        default: return EMPTY; /* lift, gold, extra_card: never chosen */
    }
}

bool goes_by_adjacency(const State *state, int kind) {
    const Shape *shape = shape_of(state, kind);
    if (shape->shape == ACT_move_next_to || shape->shape == ACT_move_to_card)
        return state->source != NOWHERE && state->setup->options & LIFT_MOVES;
    return shape->traits & BY_ADJACENCY;
}

void action_begin(State *state, int kind) {
    const Shape *shape = shape_of(state, kind);
    switch (shape->shape) {
        case ACT_build:
            if (shape->numbers[0] > 1) state->steps = shape->numbers[0];
            break;
        case ACT_walls: state->steps = 2; break;
        case ACT_steps: state->steps = shape->numbers[0]; break;
        case ACT_remove: remove_begin(state); break;
        case ACT_draw_and_build: state->awaiting = AWAITING_ACTION; break;
        case ACT_scouts: scouts_begin(state, shape); break;
        default: break;
    }
}

static void build_apply(State *state, const Shape *shape, int choice) {
    build(state, choice);
    bool repeats = shape->shape == ACT_build && shape->numbers[0] > 1;
    if (repeats && --state->steps && any(action_legal(state, state->acting))) return;
    finish(state);
}

static void move_apply(State *state, int choice) {
    if (state->source == NOWHERE) {
        state->source = (int16_t)choice;
        return;
    }
    move_piece(state, state->source, choice);
    finish(state);
}

void action_apply(State *state, int choice) {
    const Shape *shape = shape_of(state, state->acting);
    switch (shape->shape) {
        case ACT_build:
        case ACT_build_on_card:
        case ACT_build_near_others:
        case ACT_build_at_ends:
        case ACT_build_among:
        case ACT_build_next_to: build_apply(state, shape, choice); break;
        case ACT_move_next_to:
        case ACT_move_to_card:
        case ACT_move_two:
        case ACT_move_straight:
        case ACT_move_along_area:
        case ACT_move_between: move_apply(state, choice); break;
        case ACT_walls: walls_apply(state, shape, choice); break;
        case ACT_steps: steps_apply(state, shape, choice); break;
        case ACT_remove: remove_apply(state, shape, choice); break;
        case ACT_draw_and_build: draw_and_build_apply(state, shape, choice); break;
        case ACT_put_or_take: put_or_take_apply(state, shape, choice); break;
        case ACT_vehicle: vehicle_apply(state, shape, choice); break;
        case ACT_hall: hall_apply(state, shape, choice); break;
        case ACT_scouts: scouts_apply(state, choice); break;
        case ACT_numbers: numbers_apply(state, shape, choice); break;
        case ACT_repeat: repeat_apply(state, shape, choice); break;
        case ACT_silo: silo_apply(state, shape, choice); break;
        default: break;
    }
}

void action_taken(State *state, int kind) {
    const Shape *shape = shape_of(state, kind);
    if (shape->shape == ACT_gold) {
        state->by_seat[shape->fields[0]][state->player] += (uint32_t)shape->numbers[0];
        drop_just_taken(state, kind);
    } else if (shape->shape == ACT_numbers) {
        ++*numbers_of(state, shape, state->player);
    }
}

void action_lost(State *state, int kind, int seat) {
    const Shape *shape = shape_of(state, kind);
    if (shape->shape == ACT_numbers) *numbers_of(state, shape, seat) = 0;
}

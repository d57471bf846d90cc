/* What cards pay, by shape, and what happens besides when pieces are built; as the cards in content/ specify. */

#include "state.h"

/* The place, among some sets, of the first with most (sign 1) or fewest (sign -1) of some pieces. */
static int first_best(const Set *sets, int sets_count, Set pieces, int sign, int *best) {
    int found = 0;
    for (int i = 0; i < sets_count; i++) {
        int here = count(and_(pieces, sets[i]));
        if (!i || sign * here > sign * *best) *best = here, found = i;
    }
    return found;
}

static int score_links(Set pieces, Set linked) {
    Set found = EMPTY;
    while (any(pieces)) {
        Set touched = and_(around(pop_area(&pieces)), linked);
        if (any(touched) && !has_one(touched)) found = or_(found, touched);
    }
    return count(found);
}

static int score_rows(const Setup *setup, Set pieces, bool lonely) {
    int rows = 0;
    for (int row = 0; row < setup->row_count; row++) {
        Set here = and_(pieces, setup->rows[row]);
        rows += lonely ? has_one(here) : any(here);
    }
    return rows;
}

static int score_areas(Set pieces) {
    int areas = 0;
    for (; any(pieces); areas++) pop_area(&pieces);
    return areas;
}

static int largest_area(Set pieces) {
    int largest = 0;
    while (any(pieces)) {
        int size = count(pop_area(&pieces));
        if (size > largest) largest = size;
    }
    return largest;
}

static int score_majorities(const State *state, int seat, const Shape *card) {
    const Setup *setup = state->setup;
    int first = card->numbers[0], second = card->numbers[1], least = card->numbers[2], total = 0;
    for (int sector = 0; sector < SECTORS; sector++) {
        int counts[MOST_PLAYERS], most = 0, next = -1;
        for (int i = 0; i < setup->players; i++) {
            counts[i] = count(and_(state->seats[i].own, setup->sectors[sector]));
            if (counts[i] > most) most = counts[i];
        }
        for (int i = 0; i < setup->players; i++)
            if (counts[i] < most && counts[i] > next) next = counts[i];
        int mine = counts[seat];
        if (!most || mine < least) continue;
        if (mine == most) total += first;
        else if (mine == next) total += second;
    }
    return total;
}

static int score_chains(Set pieces) {
    Set ones, twos, fours;
    neighbour_counts(pieces, &ones, &twos, &fours);
    return count(without(without(and_(pieces, twos), ones), fours));
}

static bool has_diagonal(Set pieces, int length) {
    return any(runs(pieces, SE, length)) || any(runs(pieces, SW, length));
}

long long score(const State *state, int seat, const Shape *card) {
    const Setup *setup = state->setup;
    const Set *sets = setup->sets + card->first_set;
    Set pieces = state->seats[seat].own;
    long long each = card->numbers[0];
    int found = 0;
    switch (card->shape) {
        case SCORE_on:
            for (int i = 0; i < card->set_count; i++) found += count(and_(pieces, sets[i]));
            return each * found;
        case SCORE_beside:
            for (int i = 0; i < card->set_count; i++) found += meets(pieces, sets[i]);
            return each * found;
        case SCORE_links: return each * score_links(pieces, card->land);
        case SCORE_rows: return each * score_rows(setup, pieces, false);
        case SCORE_lonely_rows: return each * score_rows(setup, pieces, true);
        case SCORE_fullest_row: first_best(setup->rows, setup->row_count, pieces, 1, &found); return each * found;
        case SCORE_areas: return each * score_areas(pieces);
        case SCORE_largest_area: return each * (largest_area(pieces) / 2);
        case SCORE_majorities: return score_majorities(state, seat, card);
        case SCORE_thinnest_sector: first_best(setup->sectors, SECTORS, pieces, -1, &found); return each * found;
        case SCORE_fullest_sector: first_best(setup->sectors, SECTORS, pieces, 1, &found); return each * found;
        case SCORE_chains: return each * score_chains(pieces);
        case SCORE_collected: return state->by_seat[card->fields[0]][seat];
        case SCORE_marks: return each * count64(state->by_seat[card->fields[0]][seat]);
        case SCORE_filled:
            for (int i = 0; i < card->set_count; i++)
                if (!any(without(sets[i], pieces))) return each;
            return 0;
        case SCORE_ring: return meets(pieces, surrounded(pieces)) ? each : 0;
        case SCORE_ring_around: return meets(card->land, surrounded(pieces)) ? each : 0;
        case SCORE_diagonal: return has_diagonal(pieces, card->numbers[1]) ? each : 0;
        case SCORE_crowded_set: first_best(sets, card->set_count, pieces, 1, &found); return found >= card->numbers[1] ? each : 0;
        case SCORE_all_sets:
            for (int i = 0; i < card->set_count; i++)
                if (!meets(pieces, sets[i])) return 0;
            return each;
        default: return 0;
    }
}

long long gold(const State *state, int seat) {
    long long total = 0;
    for (int i = 0; i < state->setup->score_count; i++) total += score(state, seat, &state->setup->scores[i]);
    return total;
}

/* ---- hooks ---- */

static void row_of_three(State *state, const Shape *hook, int h) {
    if (state->acting != NOBODY_ACTS) return;
    Set *family = &state->hexes[hook->fields[1]];
    put(family, h);
    for (int i = 0; i < 3; i++)
        if (any(runs(*family, AXES[i], 3))) {
            state->by_seat[hook->fields[0]][state->player] += (uint32_t)hook->numbers[0];
            return;
        }
}

/* Its sets: the hexes of each terrain, which do not overlap. */
static void cut_off(State *state, const Shape *hook, int h) {
    const Set *terrains = state->setup->sets + hook->first_set;
    Set empty = and_(or_(empty_hexes(state), state->scouts), NEAR[h]);
    for (int i = 0; i < hook->set_count; i++)
        if (has(&terrains[i], h) && meets(terrains[i], empty)) return;
    state->by_seat[hook->fields[0]][state->player] += (uint32_t)hook->numbers[0];
}

static void near_others(State *state, const Shape *hook, int h) {
    for (int seat = 0; seat < state->setup->players; seat++)
        if (seat != state->player && meets(state->seats[seat].own, NEAR[h])) {
            state->by_seat[hook->fields[0]][state->player] += (uint32_t)hook->numbers[0];
            return;
        }
}

static void sectors_built(State *state, const Shape *hook, int h) {
    for (int sector = 0; sector < SECTORS; sector++)
        if (has(&state->setup->sectors[sector], h)) state->numbers[hook->fields[1]] |= 1 << sector;
}

void built_hooks(State *state, int h) {
    for (int i = 0; i < state->setup->hook_count; i++) {
        const Shape *hook = &state->setup->hooks[i];
        switch (hook->shape) {
            case HOOK_row_of_three: row_of_three(state, hook, h); break;
            case HOOK_cut_off: cut_off(state, hook, h); break;
            case HOOK_near_others: near_others(state, hook, h); break;
            case HOOK_sectors_built: sectors_built(state, hook, h); break;
            default: break;
        }
    }
}

static void first_in_row(State *state, const Shape *hook, int h) {
    int row = row_of(h);
    uint32_t *marks = state->by_seat[hook->fields[0]];
    if (!state->supply[state->player] || count(and_(own(state), state->setup->rows[row])) < hook->numbers[0]) return;
    for (int seat = 0; seat < state->setup->players; seat++)
        if (marks[seat] >> row & 1) return;
    marks[state->player] += (uint32_t)1 << row;
    spend_settlement(state);
}

void arrived_hooks(State *state, int h) {
    for (int i = 0; i < state->setup->hook_count; i++)
        if (state->setup->hooks[i].shape == HOOK_first_in_row) first_in_row(state, &state->setup->hooks[i], h);
}

void turn_ended_hooks(State *state) {
    const Setup *setup = state->setup;
    for (int kind = 0; kind < setup->kind_count; kind++) {
        const Shape *action = &setup->actions[kind];
        if (action->shape == ACT_extra_card) {
            int32_t *again = &state->numbers[action->fields[0]];
            state->steps += (state->held[state->player] & setup->kind_tiles[kind] ? 1 : 0) + *again;
            *again = 0;
        } else if (action->shape == ACT_repeat) {
            state->numbers[action->fields[0]] = 0;
        }
    }
    for (int i = 0; i < setup->hook_count; i++) {
        const Shape *hook = &setup->hooks[i];
        if (hook->shape == HOOK_row_of_three) {
            state->hexes[hook->fields[1]] = EMPTY;
        } else if (hook->shape == HOOK_sectors_built) {
            int32_t *built = &state->numbers[hook->fields[1]];
            state->by_seat[hook->fields[0]][state->player] += (uint32_t)count64((uint64_t)*built);
            *built = 0;
        }
    }
}

/* A state as bytes, in the order of native/states.py. */

#include "state.h"

typedef struct {
    uint8_t *at;
} Writer;

static void give(Writer *writer, const void *from, size_t size) {
    memcpy(writer->at, from, size);
    writer->at += size;
}

static void give_number(Writer *writer, int32_t value) { give(writer, &value, sizeof value); }
static void give_bits(Writer *writer, uint64_t bits) { give(writer, &bits, sizeof bits); }
static void give_set(Writer *writer, Set set) { give(writer, set.w, HEX_WORDS * sizeof set.w[0]); }

size_t write_state(const State *state, uint8_t *bytes) {
    const Setup *setup = state->setup;
    Writer writer = {bytes};
    int32_t scalars[] = {state->round,  state->source,   state->steps,            state->player,
                         state->card,   state->builds_left, state->acting,        state->awaiting,
                         state->adjacency_lifted, state->ending, state->over,     state->discard_size};
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++) give_number(&writer, scalars[i]);
    for (int card = 0; card < CARDS; card++) give_number(&writer, state->deck[card]);
    uint8_t discard[MOST_DISCARDED] = {0};
    memcpy(discard, state->discard, state->discard_size);
    give(&writer, discard, sizeof discard);
    for (int seat = 0; seat < setup->players; seat++) {
        for (int card = 0; card <= CARDS; card++) give_number(&writer, state->hands[seat][card]);
        give_number(&writer, state->supply[seat]);
    }
    for (int tile = 0; tile < setup->tile_count; tile++) give_number(&writer, state->tiles_left[tile]);
    for (int field = 0; field < setup->number_fields; field++) give_number(&writer, state->numbers[field]);
    for (int field = 0; field < setup->seat_fields; field++)
        for (int seat = 0; seat < setup->players; seat++) give_number(&writer, (int32_t)state->by_seat[field][seat]);
    give_bits(&writer, state->ready);
    give_bits(&writer, state->just_taken);
    for (int seat = 0; seat < setup->players; seat++) {
        give_bits(&writer, state->taken[seat]);
        give_bits(&writer, state->held[seat]);
    }
    give_set(&writer, state->free);
    give_set(&writer, state->blocked);
    give_set(&writer, state->special);
    give_set(&writer, state->scouts);
    for (int seat = 0; seat < setup->players; seat++) {
        give_set(&writer, state->seats[seat].own);
        give_set(&writer, state->seats[seat].near);
    }
    for (int field = 0; field < setup->hex_fields; field++) give_set(&writer, state->hexes[field]);
    return (size_t)(writer.at - bytes);
}

static void read_scalars(Reader *reader, State *state) {
    const Setup *setup = state->setup;
    state->round = (int16_t)read_number(reader, 0, 30000);
    state->source = (int16_t)read_number(reader, NOWHERE, HEXES - 1);
    state->steps = read_number(reader, 0, 1 << 20);
    state->player = (int8_t)read_number(reader, 0, setup->players - 1);
    state->card = (int8_t)read_number(reader, NO_CARD, CARDS - 1);
    state->builds_left = (int8_t)read_number(reader, 0, MANDATORY);
    state->acting = (int8_t)read_number(reader, NOBODY_ACTS, MOST_KINDS);
    state->awaiting = (int8_t)read_number(reader, NOT_AWAITING, AWAITING_ACTION);
    state->adjacency_lifted = read_number(reader, 0, 1);
    state->ending = read_number(reader, 0, 1);
    state->over = read_number(reader, 0, 1);
    state->discard_size = (uint8_t)read_number(reader, 0, 32);
    bool is_there = state->acting < setup->kind_count || (state->acting == FINALE && setup->has_finale);
    bool draws = is_there && state->acting != NOBODY_ACTS && setup->actions[state->acting].shape == ACT_draw_and_build;
    if (!is_there || (state->awaiting == AWAITING_ACTION && !draws)) reader->failed = true;
}

static void read_cards(Reader *reader, State *state) {
    for (int card = 0; card < CARDS; card++) {
        state->deck[card] = (uint8_t)read_number(reader, 0, 40);
        state->deck_size += state->deck[card];
    }
    for (int i = 0; i < MOST_DISCARDED / 8; i++) {
        uint64_t letters = read_bits(reader);
        memcpy(state->discard + 8 * i, &letters, sizeof letters);
    }
    for (int i = 0; i < state->discard_size; i++)
        if (state->discard[i] > HIDDEN) reader->failed = true;
    for (int seat = 0; seat < state->setup->players; seat++) {
        for (int card = 0; card <= CARDS; card++) state->hands[seat][card] = (uint8_t)read_number(reader, 0, 40);
        state->supply[seat] = (int16_t)read_number(reader, 0, 1000);
    }
}

static Set read_hexes(Reader *reader) {
    Set hexes = read_set(reader);
    if (any(without(hexes, AREA))) reader->failed = true;
    return hexes;
}

bool read_state(State *state, const Setup *setup, const uint8_t *bytes, size_t size) {
    memset(state, 0, sizeof *state);
    state->setup = setup;
    Reader reader = {bytes, bytes + size, false};
    read_scalars(&reader, state);
    read_cards(&reader, state);
    uint64_t tiles = setup->tile_count == MOST_TILES ? ~(uint64_t)0 : bit64(setup->tile_count) - 1, all = 0;
    for (int tile = 0; tile < setup->tile_count; tile++) state->tiles_left[tile] = (uint8_t)read_number(&reader, 0, 255);
    for (int field = 0; field < setup->number_fields; field++) state->numbers[field] = read_number(&reader, 0, 1 << 24);
    for (int field = 0; field < setup->seat_fields; field++)
        for (int seat = 0; seat < setup->players; seat++)
            state->by_seat[field][seat] = (uint32_t)read_number(&reader, 0, 1 << 30);
    all |= state->ready = read_bits(&reader);
    all |= state->just_taken = read_bits(&reader);
    for (int seat = 0; seat < setup->players; seat++) {
        all |= state->taken[seat] = read_bits(&reader);
        all |= state->held[seat] = read_bits(&reader);
    }
    if (all & ~tiles) reader.failed = true;
    state->free = read_hexes(&reader);
    state->blocked = read_hexes(&reader);
    state->special = read_hexes(&reader);
    state->scouts = read_hexes(&reader);
    for (int seat = 0; seat < setup->players; seat++) {
        state->seats[seat].own = read_hexes(&reader);
        state->seats[seat].near = read_hexes(&reader);
    }
    for (int field = 0; field < setup->hex_fields; field++) state->hexes[field] = read_hexes(&reader);
    return !reader.failed && reader.at == reader.end;
}

#include "setup.h"

#include <stdlib.h>

#define SHAPE_NAME(name) #name,
const char *const ACTION_SHAPE_NAMES[ACTION_SHAPE_COUNT] = {ACTION_SHAPES(SHAPE_NAME)};
const char *const SCORE_SHAPE_NAMES[SCORE_SHAPE_COUNT] = {SCORE_SHAPES(SHAPE_NAME)};
const char *const HOOK_SHAPE_NAMES[HOOK_SHAPE_COUNT] = {HOOK_SHAPES(SHAPE_NAME)};

static bool take(Reader *reader, void *into, size_t size) {
    if (reader->failed || (size_t)(reader->end - reader->at) < size) {
        reader->failed = true;
        memset(into, 0, size);
        return false;
    }
    memcpy(into, reader->at, size);
    reader->at += size;
    return true;
}

int read_number(Reader *reader, int least, int most) {
    int32_t value;
    if (take(reader, &value, sizeof value) && (value < least || value > most)) reader->failed = true;
    return reader->failed ? least : value;
}

uint64_t read_bits(Reader *reader) {
    uint64_t value;
    take(reader, &value, sizeof value);
    return value;
}

Set read_set(Reader *reader) {
    Set set = EMPTY;
    take(reader, set.w, HEX_WORDS * sizeof set.w[0]);
    return set;
}

/* Read a shape, whose sets follow those of the shapes before it. */
static Shape read_shape(Reader *reader, const Setup *setup, int shapes, int *sets) {
    Shape shape = {0};
    shape.shape = read_number(reader, 0, shapes - 1);
    shape.traits = read_number(reader, 0, 63);
    shape.piece = read_number(reader, -1, MOST_PIECE_KINDS - 1);
    shape.first_set = *sets;
    shape.set_count = read_number(reader, 0, setup->set_count - *sets);
    *sets += shape.set_count;
    int numbers = read_number(reader, 0, MOST_NUMBERS), fields = read_number(reader, 0, MOST_NUMBERS);
    for (int i = 0; i < numbers; i++) shape.numbers[i] = read_number(reader, 0, 1000);
    for (int i = 0; i < fields; i++) shape.fields[i] = read_number(reader, 0, MOST_FIELDS - 1);
    shape.land = shape.set_count ? setup->sets[shape.first_set] : EMPTY;
    return shape;
}

/* A setup as bytes: how many numbers there are, the numbers, the tiles of four kinds, and the sets. */
typedef struct {
    Reader numbers, sets;
} Description;

static Description described(const uint8_t *bytes, size_t size) {
    Reader reader = {bytes, bytes + size, false};
    int numbers = read_number(&reader, 0, (int)(size / sizeof(int32_t)) - 1);
    const uint8_t *middle = reader.failed ? reader.end : reader.at + (size_t)numbers * sizeof(int32_t);
    return (Description){{reader.at, middle, reader.failed}, {middle, reader.end, reader.failed}};
}

static void read_tiles(Reader *numbers, Setup *setup) {
    setup->tile_count = read_number(numbers, 0, MOST_TILES);
    for (int tile = 0; tile < setup->tile_count; tile++) {
        setup->tile_kind[tile] = read_number(numbers, 0, MOST_KINDS - 1);
        int h = setup->tile_hex[tile] = read_number(numbers, NOWHERE, HEXES - 1);
        setup->tiles_left[tile] = (uint8_t)read_number(numbers, 0, 255);
        Set side = setup->tile_side[tile] = h == NOWHERE ? EMPTY : and_(NEAR[h], setup->hexes);
        setup->kind_tiles[setup->tile_kind[tile]] |= bit64(tile);
        setup->beside_tiles = or_(setup->beside_tiles, side);
        while (any(side)) setup->tiles_beside[pop(&side)] |= bit64(tile);
    }
}

static void read_land(Reader *sets, Setup *setup) {
    setup->location_tiles = read_bits(sets);
    setup->nomad_tiles = read_bits(sets);
    setup->standing = read_bits(sets);
    setup->lifting_tiles = read_bits(sets);
    Set hexes = setup->hexes = read_set(sets);
    for (int row = 0; row < setup->row_count; row++) setup->rows[row] = and_(ROW[row], hexes);
    for (int sector = 0; sector < SECTORS; sector++) setup->sectors[sector] = and_(QUARTER[sector], hexes);
    setup->room = read_set(sets);
    for (int card = 0; card < CARDS; card++) setup->terrain[card] = read_set(sets);
}

static void read_piece_kinds(Reader *numbers, Reader *sets, Setup *setup) {
    setup->piece_kind_count = read_number(numbers, 0, MOST_PIECE_KINDS);
    for (int i = 0; i < setup->piece_kind_count; i++) {
        PieceKind *kind = &setup->piece_kinds[i];
        kind->footing = read_set(sets);
        kind->field = read_number(numbers, 0, MOST_FIELDS - 1);
        kind->each = read_number(numbers, 0, HEXES);
        kind->blocks = read_number(numbers, 0, 1);
        kind->removable = read_number(numbers, 0, 1);
    }
}

/* All sets of shapes: they are what is left. */
static void read_sets(Reader *sets, Setup *setup) {
    size_t left = sets->failed ? 0 : (size_t)(sets->end - sets->at) / (HEX_WORDS * sizeof(uint64_t));
    setup->sets = malloc((left + 1) * sizeof(Set));
    if (!setup->sets) {
        sets->failed = true;
        return;
    }
    setup->set_count = (int)left;
    for (size_t i = 0; i < left; i++) setup->sets[i] = read_set(sets);
}

static void read_all(Reader *numbers, Reader *sets, Setup *setup) {
    setup->players = read_number(numbers, 2, MOST_PLAYERS);
    setup->options = read_number(numbers, 0, 63);
    setup->row_count = read_number(numbers, 1, ROWS);
    setup->hex_fields = read_number(numbers, 0, MOST_FIELDS);
    setup->number_fields = read_number(numbers, 0, MOST_FIELDS);
    setup->seat_fields = read_number(numbers, 0, MOST_FIELDS);
    read_land(sets, setup);
    read_piece_kinds(numbers, sets, setup);
    read_tiles(numbers, setup);
    read_sets(sets, setup);
    if (sets->failed) return;
    int used = 0;
    setup->kind_count = read_number(numbers, 0, MOST_KINDS);
    for (int i = 0; i < setup->kind_count; i++) setup->actions[i] = read_shape(numbers, setup, ACTION_SHAPE_COUNT, &used);
    setup->has_finale = read_number(numbers, 0, 1);
    if (setup->has_finale) setup->actions[FINALE] = read_shape(numbers, setup, ACTION_SHAPE_COUNT, &used);
    setup->score_count = read_number(numbers, 0, MOST_SCORES);
    for (int i = 0; i < setup->score_count; i++) setup->scores[i] = read_shape(numbers, setup, SCORE_SHAPE_COUNT, &used);
    setup->hook_count = read_number(numbers, 0, MOST_HOOKS);
    for (int i = 0; i < setup->hook_count; i++) setup->hooks[i] = read_shape(numbers, setup, HOOK_SHAPE_COUNT, &used);
    if (used != setup->set_count) sets->failed = true;
}

static void gather(Setup *setup) {
    bool has_extra_cards = false, has_turn_end_hooks = false;
    for (int i = 0; i < setup->kind_count; i++) {
        int shape = setup->actions[i].shape;
        has_extra_cards |= shape == ACT_extra_card;
        has_turn_end_hooks |= shape == ACT_extra_card || shape == ACT_repeat;
    }
    for (int i = 0; i < setup->hook_count; i++) {
        int shape = setup->hooks[i].shape;
        if (shape == HOOK_first_in_row) setup->has_arrived_hooks = true;
        else setup->has_built_hooks = true;
        has_turn_end_hooks |= shape == HOOK_row_of_three || shape == HOOK_sectors_built;
    }
    setup->cleans_up = has_turn_end_hooks || has_extra_cards || setup->nomad_tiles;
    bool everywhere = setup->has_built_hooks || setup->has_arrived_hooks || setup->lifting_tiles;
    setup->watched = everywhere ? setup->room : setup->beside_tiles;
}

static bool is_consistent(const Setup *setup) {
    for (int tile = 0; tile < setup->tile_count; tile++)
        if (setup->tile_kind[tile] >= setup->kind_count) return false;
    for (int i = 0; i <= MOST_KINDS; i++) {
        const Shape *action = &setup->actions[i];
        bool is_there = i == FINALE ? setup->has_finale : i < setup->kind_count;
        bool needs_piece = action->shape == ACT_put_or_take || action->shape == ACT_vehicle || action->shape == ACT_hall;
        if (is_there && (action->shape == ACT_silo) != (i == FINALE)) return false;
        if (is_there && (action->piece >= setup->piece_kind_count || (needs_piece && action->piece < 0))) return false;
        bool needs_two_sets = action->shape == ACT_move_between || action->shape == ACT_silo;
        if (is_there && needs_two_sets && action->set_count < 2) return false;
        if (is_there && action->shape == ACT_repeat && action->traits & REPEATABLE) return false; /* without end */
    }
    uint64_t tiles = setup->tile_count == MOST_TILES ? ~(uint64_t)0 : bit64(setup->tile_count) - 1;
    return !((setup->location_tiles | setup->nomad_tiles | setup->standing | setup->lifting_tiles) & ~tiles);
}

bool read_setup(Setup *setup, const uint8_t *bytes, size_t size) {
    memset(setup, 0, sizeof *setup);
    Description from = described(bytes, size);
    read_all(&from.numbers, &from.sets, setup);
    bool is_read = !from.numbers.failed && !from.sets.failed;
    bool is_all = from.numbers.at == from.numbers.end && from.sets.at == from.sets.end;
    if (!is_read || !is_all || !is_consistent(setup)) {
        free_setup(setup);
        return false;
    }
    gather(setup);
    return true;
}

void free_setup(Setup *setup) {
    free(setup->sets);
    setup->sets = NULL;
}

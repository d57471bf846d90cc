#include "encode.h"

#define NAME(name) #name,
const char *const ENCODED_PLANE_NAMES[ENCODED_PLANE_COUNT] = {ENCODED_PLANES(NAME)};
const char *const ENCODED_PART_NAMES[ENCODED_PART_COUNT] = {ENCODED_PARTS(NAME)};
const char *const ENCODED_CHOICE_NAMES[ENCODED_CHOICE_COUNT] = {ENCODED_CHOICES(NAME)};

static int16_t PLACE[HEXES];  /* the place of each hex in a plane */
static int16_t HEX_AT[PLANE]; /* and the other way round */

void prepare_encoding(void) {
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++) {
            int h = row * STRIDE - row / 2 + column, place = row * COLUMNS + column;
            PLACE[h] = (int16_t)place;
            HEX_AT[place] = (int16_t)h;
        }
}

/* ---- reading ---- */

/* The least number of entries that each part needs. */
static int least_size(int part, int extra_count, int byte_count) {
    switch (part) {
        case PART_seat:
        case PART_turn:
        case PART_supply: return MOST_PLAYERS;
        case PART_hand: return MOST_PLAYERS * (CARDS + 1);
        case PART_card:
        case PART_deck:
        case PART_discard: return CARDS;
        case PART_awaiting: return AWAITING_ACTION;
        case PART_acting:
        case PART_ready:
        case PART_just_taken: return extra_count;
        case PART_held: return MOST_PLAYERS * extra_count;
        case PART_seat_numbers: return MOST_PLAYERS * byte_count;
        case PART_gold: return MOST_PLAYERS;
        default: return 1;
    }
}

bool read_layout(Layout *layout, const uint8_t *bytes, size_t size) {
    Reader reader = {bytes, bytes + size, false};
    layout->plane_count = read_number(&reader, MOST_PLAYERS, MOST_PLANES);
    layout->map_sets = read_number(&reader, 0, MOST_MAP_SETS);
    if (layout->map_sets > layout->plane_count) reader.failed = true;
    layout->vector_size = read_number(&reader, 1, 1 << 20);
    layout->action_count = read_number(&reader, PLANE, 1 << 20);
    layout->goal_count = read_number(&reader, 0, MOST_GOALS);
    layout->extra_count = read_number(&reader, 1, 1000);
    layout->byte_count = read_number(&reader, 1, 4);
    for (int i = 0; i < ENCODED_PLANE_COUNT; i++) {
        bool by_seat = i >= PLANE_pieces_of_seat_0 && i <= PLANE_tiles_taken_by_seat_0;
        layout->planes[i] = read_number(&reader, 0, layout->plane_count - (by_seat ? MOST_PLAYERS : 1));
    }
    for (int i = 0; i < ENCODED_PART_COUNT; i++) {
        Part *part = &layout->parts[i];
        part->start = read_number(&reader, 0, layout->vector_size - 1);
        part->size = read_number(&reader, least_size(i, layout->extra_count, layout->byte_count),
                                 layout->vector_size - part->start);
        part->scale = read_number(&reader, 1, 1000);
    }
    for (int i = 0; i < ENCODED_CHOICE_COUNT; i++) {
        int many = i == CHOICE_CHOOSE ? CARDS : i == CHOICE_USE ? layout->extra_count : 1;
        layout->choices[i] = read_number(&reader, PLANE, layout->action_count - many);
    }
    return !reader.failed && reader.at == reader.end;
}

/* How many entries of a part each seat has. */
static int each_seat(const Layout *layout, int part) { return layout->parts[part].size / MOST_PLAYERS; }

bool read_encoding(Encoding *encoding, const Layout *layout, const Setup *setup, const uint8_t *bytes, size_t size) {
    Reader reader = {bytes, bytes + size, false};
    encoding->layout = layout;
    encoding->setup = setup;
    for (int i = 0; i < layout->map_sets; i++) encoding->map[i] = and_(read_set(&reader), AREA);
    encoding->goals = read_bits(&reader);
    encoding->one_count = read_number(&reader, 0, MOST_ONES);
    for (int i = 0; i < encoding->one_count; i++) encoding->ones[i] = read_number(&reader, 0, layout->vector_size - 1);
    for (int kind = 0; kind < setup->kind_count; kind++)
        encoding->extras[kind] = read_number(&reader, 0, layout->extra_count - 1);
    if (setup->has_finale) encoding->extras[FINALE] = read_number(&reader, 0, layout->extra_count - 1);
    for (int tile = 0; tile < setup->tile_count; tile++) encoding->locations[tile] = read_number(&reader, 0, 255);
    for (int i = 0; i < setup->hex_fields; i++)
        encoding->hex_planes[i] = read_number(&reader, -1, layout->plane_count - 1);
    for (int i = 0; i < setup->number_fields; i++)
        encoding->number_places[i] = read_number(&reader, -1, layout->parts[PART_numbers].size - 1);
    for (int i = 0; i < setup->seat_fields; i++)
        encoding->seat_places[i] =
            read_number(&reader, -1, each_seat(layout, PART_seat_numbers) / layout->byte_count - 1);
    for (int i = 0; i < setup->score_count; i++)
        encoding->score_places[i] = read_number(&reader, 0, each_seat(layout, PART_gold) - 1);
    return !reader.failed && reader.at == reader.end;
}

/* ---- planes ---- */

/* Write a number on some hexes. */
static void paint(uint8_t *plane, Set hexes, uint8_t number) {
    for (int i = 0; i < HEX_WORDS; i++)
        for (uint64_t rest = hexes.w[i]; rest; rest &= rest - 1) plane[PLACE[64 * i + lowest64(rest)]] = number;
}

void write_setup(const Encoding *encoding, uint8_t *planes, int8_t *goals) {
    const Layout *layout = encoding->layout;
    const Setup *setup = encoding->setup;
    memset(planes, 0, (size_t)layout->plane_count * PLANE);
    for (int i = 0; i < layout->map_sets; i++) paint(planes + i * PLANE, encoding->map[i], 1);
    for (int tile = 0; tile < setup->tile_count; tile++) {
        if (setup->tile_hex[tile] == NOWHERE) continue;
        int place = PLACE[setup->tile_hex[tile]];
        planes[layout->planes[PLANE_location] * PLANE + place] = (uint8_t)encoding->locations[tile];
        planes[layout->planes[PLANE_kind] * PLANE + place] = (uint8_t)(encoding->extras[setup->tile_kind[tile]] + 1);
    }
    for (int goal = 0; goal < layout->goal_count; goal++) goals[goal] = encoding->goals >> goal & 1;
}

/* The eight bits of a byte, each as a byte. */
static uint64_t spread(uint64_t byte) {
    uint64_t bits = byte * 0x0101010101010101u & 0x8040201008040201u;
    return ((bits + 0x7f7f7f7f7f7f7f7fu) | bits) >> 7 & 0x0101010101010101u;
}

/* Write a whole plane; faster than `paint` for more than a few hexes. */
static void draw_plane(uint8_t *plane, const Set *hexes) {
    for (int row = 0; row < ROWS; row++, plane += COLUMNS) {
        int first = row * STRIDE - row / 2, word = first >> 6, shift = first & 63;
        uint64_t bits = hexes->w[word] >> shift | hexes->w[word + 1] << 1 << (63 - shift);
        uint64_t left = spread(bits & 255), middle = spread(bits >> 8 & 255), right = spread(bits >> 16 & 15);
        memcpy(plane, &left, 8);
        memcpy(plane + 8, &middle, 8);
        memcpy(plane + 16, &right, 4);
    }
}

static bool are_many(const Set *hexes) {
    enum { FEW = 12 };
    int found = 0;
    for (int i = 0; i < HEX_WORDS; i++)
        for (uint64_t rest = hexes->w[i]; rest; rest &= rest - 1)
            if (++found > FEW) return true;
    return false;
}

/* Let a plane show a set of hexes; `shown` is what it shows now. */
static void show(Set *shown, uint8_t *plane, const Set *hexes) {
    Set changed = xor_(*shown, *hexes);
    if (!any(changed)) return;
    if (are_many(&changed)) {
        draw_plane(plane, hexes);
    } else {
        paint(plane, without(*hexes, *shown), 1);
        paint(plane, without(*shown, *hexes), 0);
    }
    *shown = *hexes;
}

static Set hexes_of_tiles(const Setup *setup, uint64_t tiles) {
    Set found = EMPTY;
    for (; tiles; tiles &= tiles - 1) {
        int h = setup->tile_hex[lowest64(tiles)];
        if (h != NOWHERE) put(&found, h);
    }
    return found;
}

void write_planes(const Encoding *encoding, const State *state, int seat, const Set *actions, Set *shown, uint8_t *planes) {
    const Setup *setup = encoding->setup;
    const int *plane = encoding->layout->planes;
    Set none = EMPTY;
#define SHOW(number, set) show(shown + (number), planes + (number) * PLANE, set)
#define SHOW_TILES(number, tiles)                                                                  \
    do {                                                                                           \
        Set hexes = hexes_of_tiles(setup, tiles);                                                  \
        SHOW(number, &hexes);                                                                      \
    } while (false)
    for (int seen = 0; seen < setup->players; seen++) {
        int other = (seat + seen) % setup->players;
        SHOW(plane[PLANE_pieces_of_seat_0] + seen, &state->seats[other].own);
        SHOW_TILES(plane[PLANE_tiles_held_by_seat_0] + seen, state->held[other]);
        SHOW_TILES(plane[PLANE_tiles_taken_by_seat_0] + seen, state->taken[other]);
    }
    SHOW_TILES(plane[PLANE_tiles_just_taken], state->just_taken);
    SHOW(plane[PLANE_scouts], &state->scouts);
    Set source = state->source == NOWHERE ? EMPTY : of_hex(state->source);
    SHOW(plane[PLANE_source], &source);
    SHOW(plane[PLANE_hexes_of_the_card], state->card == NO_CARD ? &none : &setup->terrain[state->card]);
    Set choices = seat == state->player && !state->awaiting ? and_(*actions, AREA) : EMPTY;
    SHOW(plane[PLANE_legal], &choices);
    for (int field = 0; field < setup->hex_fields; field++)
        if (encoding->hex_planes[field] >= 0) SHOW(encoding->hex_planes[field], &state->hexes[field]);
    uint8_t *left = planes + plane[PLANE_tiles_left] * PLANE;
    for (int tile = 0; tile < setup->tile_count; tile++)
        if (setup->tile_hex[tile] != NOWHERE) left[PLACE[setup->tile_hex[tile]]] = state->tiles_left[tile];
}

/* ---- the vector ---- */

/* Python divides in doubles too, and numpy rounds what comes of it. */
static float scaled(double number, int scale) { return (float)(number / scale); }

/* Write a number into an entry that is 0. */
static void enter(float *entry, int number, int scale) {
    if (number) *entry = scaled(number, scale);
}

static void write_kinds(const Encoding *encoding, uint64_t tiles, int scale, float *entries) {
    for (; tiles; tiles &= tiles - 1)
        entries[encoding->extras[encoding->setup->tile_kind[lowest64(tiles)]]] += scaled(1, scale);
}

/* The cards of another seat as everybody sees them: the card in play, or all if equal cards are played as another one.
   The others are counted in `hidden`. */
static void hide(const State *state, int seat, uint8_t *hand, int *hidden) {
    uint8_t open[CARDS + 1] = {0};
    if (seat == state->player && state->card != NO_CARD) {
        if (hand[state->card]) open[state->card] = 1;
        else memcpy(open, hand, sizeof open);
    }
    int secret = 0;
    for (int card = 0; card <= CARDS; card++) {
        int more = hand[card] - open[card];
        secret += more;
        if (card < CARDS) hidden[card] += more;
        hand[card] = open[card];
    }
    hand[HIDDEN] = (uint8_t)(hand[HIDDEN] + secret);
}

static void write_cards(const Encoding *encoding, const State *state, int seat, float *vector) {
    const Part *parts = encoding->layout->parts;
    int players = encoding->setup->players, unseen[CARDS], discarded[CARDS + 1] = {0};
    for (int card = 0; card < CARDS; card++) unseen[card] = state->deck[card];
    for (int seen = 0; seen < players; seen++) {
        int other = (seat + seen) % players;
        uint8_t hand[CARDS + 1];
        memcpy(hand, state->hands[other], sizeof hand);
        if (seen) hide(state, other, hand, unseen);
        float *row = vector + parts[PART_hand].start + seen * (CARDS + 1);
        for (int card = 0; card <= CARDS; card++) enter(row + card, hand[card], parts[PART_hand].scale);
    }
    for (int i = 0; i < state->discard_size; i++) discarded[state->discard[i]]++;
    for (int card = 0; card < CARDS; card++) {
        enter(vector + parts[PART_deck].start + card, unseen[card], parts[PART_deck].scale);
        enter(vector + parts[PART_discard].start + card, discarded[card], parts[PART_discard].scale);
    }
    if (state->card != NO_CARD) vector[parts[PART_card].start + state->card] = 1;
}

/* What components remember. */
static void write_memory(const Encoding *encoding, const State *state, int seat, float *vector) {
    const Setup *setup = encoding->setup;
    const Layout *layout = encoding->layout;
    const Part *numbers = &layout->parts[PART_numbers], *by_seat = &layout->parts[PART_seat_numbers];
    for (int field = 0; field < setup->number_fields; field++) {
        int place = encoding->number_places[field];
        if (place >= 0) enter(vector + numbers->start + place, state->numbers[field], numbers->scale);
    }
    for (int field = 0; field < setup->seat_fields; field++) {
        int place = encoding->seat_places[field];
        for (int seen = 0; place >= 0 && seen < setup->players; seen++) {
            uint32_t number = state->by_seat[field][(seat + seen) % setup->players];
            float *entries =
                vector + by_seat->start + seen * each_seat(layout, PART_seat_numbers) + place * layout->byte_count;
            for (int i = 0; i < layout->byte_count; i++) enter(entries + i, number >> 8 * i & 255, by_seat->scale);
        }
    }
}

static void write_gold(const Encoding *encoding, const State *state, int seat, float *vector) {
    const Setup *setup = encoding->setup;
    const Part *part = &encoding->layout->parts[PART_gold];
    for (int seen = 0; seen < setup->players; seen++) {
        float *entries = vector + part->start + seen * each_seat(encoding->layout, PART_gold);
        for (int i = 0; i < setup->score_count; i++) {
            double gold = (double)score(state, (seat + seen) % setup->players, &setup->scores[i]);
            entries[encoding->score_places[i]] = scaled(gold, part->scale);
        }
    }
}

void write_vector(const Encoding *encoding, const State *state, int seat, float *vector) {
    const Layout *layout = encoding->layout;
    const Part *parts = layout->parts;
    int players = encoding->setup->players;
    memset(vector, 0, (size_t)layout->vector_size * sizeof *vector);
    for (int i = 0; i < encoding->one_count; i++) vector[encoding->ones[i]] = 1;
    vector[parts[PART_seat].start + seat] = 1;
    vector[parts[PART_turn].start + (state->player - seat + players) % players] = 1;
    enter(vector + parts[PART_round].start, state->round, parts[PART_round].scale);
    for (int seen = 0; seen < players; seen++) {
        int other = (seat + seen) % players;
        enter(vector + parts[PART_supply].start + seen, state->supply[other], parts[PART_supply].scale);
        float *held = vector + parts[PART_held].start + seen * each_seat(layout, PART_held);
        write_kinds(encoding, state->held[other], parts[PART_held].scale, held);
    }
    write_cards(encoding, state, seat, vector);
    enter(vector + parts[PART_builds_left].start, state->builds_left, parts[PART_builds_left].scale);
    enter(vector + parts[PART_steps].start, state->steps, parts[PART_steps].scale);
    vector[parts[PART_adjacency_lifted].start] = state->adjacency_lifted;
    vector[parts[PART_ending].start] = state->ending;
    vector[parts[PART_over].start] = state->over;
    if (state->awaiting) vector[parts[PART_awaiting].start + state->awaiting - 1] = 1;
    if (state->acting != NOBODY_ACTS) vector[parts[PART_acting].start + encoding->extras[state->acting]] = 1;
    write_kinds(encoding, state->ready, parts[PART_ready].scale, vector + parts[PART_ready].start);
    write_kinds(encoding, state->just_taken, parts[PART_just_taken].scale, vector + parts[PART_just_taken].start);
    write_memory(encoding, state, seat, vector);
    if (encoding->has_gold) write_gold(encoding, state, seat, vector);
}

/* ---- actions ---- */

/* The common number of an action that is not a hex; -1 for a draw, which nobody chooses. */
static int number_of(const Encoding *encoding, int action) {
    const int *choices = encoding->layout->choices;
    if (action >= USE) return choices[CHOICE_USE] + encoding->extras[action - USE];
    if (action == END) return choices[CHOICE_END];
    if (action == DONE) return choices[CHOICE_DONE];
    if (action == OTHER) return choices[CHOICE_OTHER];
    return action < DONE ? choices[CHOICE_CHOOSE] + action - CHOOSE : -1;
}

void write_mask(const Encoding *encoding, const State *state, int seat, const Set *actions, const uint8_t *planes,
                int8_t *mask) {
    const Layout *layout = encoding->layout;
    memcpy(mask, planes + layout->planes[PLANE_legal] * PLANE, PLANE);
    memset(mask + PLANE, 0, (size_t)(layout->action_count - PLANE));
    if (seat != state->player || state->awaiting) return;
    for (uint64_t rest = actions->w[HEX_WORDS]; rest; rest &= rest - 1) {
        int number = number_of(encoding, HEXES + lowest64(rest));
        if (number >= 0) mask[number] = 1;
    }
}

int action_of(const Encoding *encoding, int64_t number) {
    const int *choices = encoding->layout->choices;
    if (number < 0) return -1;
    if (number < PLANE) return HEX_AT[number];
    if (number == choices[CHOICE_END]) return END;
    if (number == choices[CHOICE_DONE]) return DONE;
    if (number == choices[CHOICE_OTHER]) return OTHER;
    if (number >= choices[CHOICE_CHOOSE] && number < choices[CHOICE_CHOOSE] + CARDS)
        return CHOOSE + (int)(number - choices[CHOICE_CHOOSE]);
    for (int kind = 0; kind < encoding->setup->kind_count; kind++)
        if (number == choices[CHOICE_USE] + encoding->extras[kind]) return USE + kind;
    return -1;
}

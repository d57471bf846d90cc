/* Writes what a seat sees as arrays, as encoding/encoder.py does: planes, vector and mask of actions.

   The core knows what a state holds, not where that is written: all numbers of planes, actions and entries come from
   encoding/tables.py. The names of planes and of parts of the vector are those of encoding/spaces.py. */

#ifndef KB_ENCODE_H
#define KB_ENCODE_H

#include "state.h"

enum { PLANE = ROWS * COLUMNS, MOST_PLANES = 64, MOST_MAP_SETS = 24, MOST_ONES = 32, MOST_GOALS = 64 };

/* The planes that are not one of the map's sets, nor a field of the memory. */
#define ENCODED_PLANES(X)                                                                          \
    X(location) X(kind) X(tiles_left)                                                              \
    X(pieces_of_seat_0) X(tiles_held_by_seat_0) X(tiles_taken_by_seat_0) /* the next seats follow */ \
    X(tiles_just_taken) X(scouts) X(source) X(hexes_of_the_card) X(legal)

/* The parts of the vector that change in a game. */
#define ENCODED_PARTS(X)                                                                           \
    X(seat) X(turn) X(round) X(supply) X(hand) X(card) X(deck) X(discard) X(builds_left) X(steps)  \
    X(adjacency_lifted) X(ending) X(over) X(awaiting) X(acting) X(held) X(ready) X(just_taken)     \
    X(numbers) X(seat_numbers) X(gold)

/* The common numbers of the actions that are not hexes; the first of several. */
#define ENCODED_CHOICES(X) X(END) X(CHOOSE) X(DONE) X(OTHER) X(USE)

#define NAME_PLANE(name) PLANE_##name,
#define NAME_PART(name) PART_##name,
#define NAME_CHOICE(name) CHOICE_##name,
enum { ENCODED_PLANES(NAME_PLANE) ENCODED_PLANE_COUNT };
enum { ENCODED_PARTS(NAME_PART) ENCODED_PART_COUNT };
enum { ENCODED_CHOICES(NAME_CHOICE) ENCODED_CHOICE_COUNT };

extern const char *const ENCODED_PLANE_NAMES[ENCODED_PLANE_COUNT];
extern const char *const ENCODED_PART_NAMES[ENCODED_PART_COUNT];
extern const char *const ENCODED_CHOICE_NAMES[ENCODED_CHOICE_COUNT];

typedef struct {
    int start, size;
    int scale; /* what the numbers are divided by */
} Part;

/* Where things are written: the same for all setups. */
typedef struct {
    int plane_count;
    int map_sets; /* how many of the first planes are sets that stay the same in a game */
    int vector_size, action_count, goal_count;
    int extra_count; /* of extra actions that have a number */
    int byte_count;  /* how many bytes of a number that is kept for a seat are written */
    int planes[ENCODED_PLANE_COUNT];
    Part parts[ENCODED_PART_COUNT];
    int choices[ENCODED_CHOICE_COUNT];
} Layout;

/* What a setup adds to that; -1 stands for what is not written. */
typedef struct {
    const Layout *layout;
    const Setup *setup;
    bool has_gold; /* gold by card is written too, which takes time */
    Set map[MOST_MAP_SETS];
    uint64_t goals; /* the cards and tasks in play */
    int one_count;
    int ones[MOST_ONES]; /* the entries of the vector that are 1 in the whole game */
    int extras[MOST_KINDS + 1];
    int locations[MOST_TILES]; /* the number on the map of the location of each tile, or 0 */
    int hex_planes[MOST_FIELDS], number_places[MOST_FIELDS], seat_places[MOST_FIELDS];
    int score_places[MOST_SCORES];
} Encoding;

void prepare_encoding(void);

/* Read them from bytes; false if they are none. */
bool read_layout(Layout *layout, const uint8_t *bytes, size_t size);
bool read_encoding(Encoding *encoding, const Layout *layout, const Setup *setup, const uint8_t *bytes, size_t size);

/* Write what stays the same in a game: all planes but those of the map are empty then. */
void write_setup(const Encoding *encoding, uint8_t *planes, int8_t *goals);

/* Write what a seat sees: the mask after the planes. `shown` holds what the planes show, so that only what has changed is
   written; `actions` are the legal ones. */
void write_planes(const Encoding *encoding, const State *state, int seat, const Set *actions, Set *shown, uint8_t *planes);
void write_vector(const Encoding *encoding, const State *state, int seat, float *vector);
void write_mask(const Encoding *encoding, const State *state, int seat, const Set *actions, const uint8_t *planes,
                int8_t *mask);

/* The action of the setup with a common number; -1 if it has none. */
int action_of(const Encoding *encoding, int64_t number);

#endif

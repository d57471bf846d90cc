/* A setup: everything that is fixed before the first card is dealt, as native/setups.py hands it over.

   The core knows shapes, not cards: each extra action, each card that pays and each hook has a shape from the lists below,
   and the sets, numbers and fields that make it this one. */

#ifndef KB_SETUP_H
#define KB_SETUP_H

#include "hexes.h"

enum {
    MOST_PLAYERS = 5,
    CARDS = 5,       /* the terrains of cards */
    HIDDEN = 5,      /* the number of a card that nobody may see, beside the terrains */
    NO_CARD = -1,
    MOST_TILES = 64, /* drawn maps may have more: they are played in Python */
    MOST_KINDS = 48,
    MOST_SCORES = 32,
    MOST_HOOKS = 8,
    MOST_PIECE_KINDS = 8,
    MOST_FIELDS = 8, /* of each type */
    MOST_NUMBERS = 4,
    SETTLEMENTS = 40,
    MANDATORY = 3,
    SECTORS = 4
};

/* Numbers of the actions, as in rules/actions.py. */
enum { END = HEXES, CHOOSE = HEXES + 1, DONE = HEXES + 6, OTHER = HEXES + 7, DRAW = HEXES + 8, USE = HEXES + 16 };

/* What an extra action does. `land` is its first set. */
#define ACTION_SHAPES(X)                                                                           \
    X(build)          /* build `times` settlements on land, next to own pieces if possible */      \
    X(build_on_card)  /* build on the terrain of the card, next to own pieces if possible */       \
    X(build_near_others) /* build on land next to others' pieces, and to own ones if possible */   \
    X(build_at_ends)  /* build on land beyond an end of `length` own pieces in a row */            \
    X(build_among)    /* build on land next to at least three own pieces */                        \
    X(build_next_to)  /* build on land next to own pieces */                                       \
    X(move_next_to)   /* move to land, next to own pieces if possible */                           \
    X(move_to_card)   /* move to the terrain of the card, next to own pieces if possible */        \
    X(move_two)       /* move to land two hexes away in a straight line */                         \
    X(move_straight)  /* move in a straight line over free land as far as it goes */               \
    X(move_along_area) /* move to land next to the area that the piece leaves */                   \
    X(move_between)   /* move from one set to another */                                           \
    X(walls)          /* put one or two walls on the terrain of the card, next to own pieces */    \
    X(steps)          /* move pieces `steps` steps in all over land */                             \
    X(lift)           /* ignore the adjacency rule for one build */                                \
    X(remove)         /* remove a piece of each other seat */                                      \
    X(gold)           /* pays when it is taken */                                                  \
    X(draw_and_build) /* draw a card and build on its terrain */                                   \
    X(extra_card)     /* draw one more card at the end of the turn */                              \
    X(put_or_take)    /* put a piece of its own kind on land, or take one back */                  \
    X(vehicle)        /* put a piece of its own kind on its footing, move it, or take it back */   \
    X(hall)           /* put a piece of seven hexes on land, once */                               \
    X(scouts)         /* put scouts next to own pieces */                                          \
    X(numbers)        /* take one more number, or build as many settlements */                     \
    X(repeat)         /* repeat a used tile */                                                     \
    X(silo)           /* after the last turn: build or move three settlements for each silo */

/* What a card pays for. */
#define SCORE_SHAPES(X)                                                                            \
    X(on)             /* gold for each piece on a set; sets may overlap */                         \
    X(beside)         /* gold for each set with a piece on it */                                   \
    X(links)          /* gold for each hex of a set that an area connects to another */            \
    X(rows)           /* gold for each row with a piece */                                         \
    X(lonely_rows)    /* gold for each row with exactly one piece */                               \
    X(fullest_row)    /* gold for each piece on the row with most */                               \
    X(areas)          /* gold for each area */                                                     \
    X(largest_area)   /* gold for every two pieces of the largest area */                          \
    X(majorities)     /* gold for most and second most in each sector */                           \
    X(thinnest_sector) /* gold for each piece in the sector with fewest */                         \
    X(fullest_sector) /* gold for each piece in the sector with most */                            \
    X(chains)         /* gold for each piece with exactly two neighbours */                        \
    X(collected)      /* the number of a seat in a field */                                        \
    X(marks)          /* gold for each bit of a seat in a field */                                 \
    X(filled)         /* gold if one of the sets is full */                                        \
    X(ring)           /* gold if six own pieces surround an own piece */                           \
    X(ring_around)    /* gold if six own pieces surround a hex of a set */                         \
    X(diagonal)       /* gold for `length` pieces in a row on a diagonal */                        \
    X(crowded_set)    /* gold if a set has at least `number` pieces */                             \
    X(all_sets)       /* gold if every set has a piece */

/* What happens besides, when a piece is built or arrives, or at the end of a turn. */
#define HOOK_SHAPES(X)                                                                             \
    X(row_of_three)   /* gold if the three settlements of the mandatory action are in a row */     \
    X(cut_off)        /* gold for a piece built where no empty hex of its terrain is next to it */ \
    X(near_others)    /* gold for a piece built next to others' pieces */                          \
    X(sectors_built)  /* gold at the end of a turn for each sector built in */                     \
    X(first_in_row)   /* the first with `number` pieces on a row marks it with a settlement */

#define NAME_ACTION(name) ACT_##name,
#define NAME_SCORE(name) SCORE_##name,
#define NAME_HOOK(name) HOOK_##name,
enum { ACTION_SHAPES(NAME_ACTION) ACTION_SHAPE_COUNT };
enum { SCORE_SHAPES(NAME_SCORE) SCORE_SHAPE_COUNT };
enum { HOOK_SHAPES(NAME_HOOK) HOOK_SHAPE_COUNT };

extern const char *const ACTION_SHAPE_NAMES[ACTION_SHAPE_COUNT];
extern const char *const SCORE_SHAPE_NAMES[SCORE_SHAPE_COUNT];
extern const char *const HOOK_SHAPE_NAMES[HOOK_SHAPE_COUNT];

/* Traits of an extra action, as bits. */
enum { BY_ADJACENCY = 1, REPEATABLE = 2, PASSIVE = 4, LIFTS = 8, BUILDS_ONE = 16, MOVES_ONE = 32 };

/* Options of the turn itself, as bits. */
enum {
    REDRAW_ALWAYS = 1,
    EMPTY_SUPPLY_ENDS = 2,
    EQUAL_CARDS_FREE = 4,
    SPECIALS_STAY = 8, /* other actions do not move pieces of other kinds */
    LIFT_MOVES = 16,   /* what lifts the adjacency rule does so for moves too */
    CHOICE_LASTS = 32
};

typedef struct {
    int shape, traits;
    int numbers[MOST_NUMBERS];
    int fields[MOST_NUMBERS]; /* places in the memory of a state */
    int piece;                /* the kind of piece it puts on the board; -1 for none */
    int first_set, set_count; /* in the sets of the setup */
    Set land;                 /* its first set, or nothing */
} Shape;

typedef struct {
    Set footing;
    int field; /* where the hexes of the kind are remembered */
    int each;
    bool blocks, removable;
} PieceKind;

typedef struct {
    int players, options;
    Set hexes;          /* of the map */
    Set room;           /* where a piece can ever stand */
    Set terrain[CARDS]; /* what each terrain card allows */
    Set rows[ROWS], sectors[SECTORS];
    int row_count;
    int tile_count;
    int tile_kind[MOST_TILES], tile_hex[MOST_TILES];
    uint8_t tiles_left[MOST_TILES];
    Set tile_side[MOST_TILES];
    uint64_t location_tiles, nomad_tiles, standing, lifting_tiles;
    uint64_t tiles_beside[HEXES]; /* the tiles that a piece on a hex touches */
    Set beside_tiles;             /* the hexes with such tiles */
    Set watched;                  /* where something happens when a piece arrives */
    int kind_count;
    uint64_t kind_tiles[MOST_KINDS];
    Shape actions[MOST_KINDS + 1]; /* the last is played after the last turn; its number is FINALE */
    bool has_finale;
    int score_count, hook_count;
    Shape scores[MOST_SCORES], hooks[MOST_HOOKS];
    bool has_built_hooks, has_arrived_hooks;
    bool cleans_up; /* something besides the change of cards happens at the end of a turn */
    int piece_kind_count;
    PieceKind piece_kinds[MOST_PIECE_KINDS];
    int hex_fields, number_fields, seat_fields; /* how many of each type are in use */
    Set *sets;
    int set_count;
} Setup;

enum { FINALE = MOST_KINDS, WALLS_FIELD = 0, CHOSEN_FIELD = 0 };

/* Bytes that are read one after the other. */
typedef struct {
    const uint8_t *at, *end;
    bool failed; /* there were too few, or a number was out of range */
} Reader;

int read_number(Reader *reader, int least, int most);
uint64_t read_bits(Reader *reader);
Set read_set(Reader *reader);

/* Read a setup. Returns false, with nothing to free, if the bytes are not one. */
bool read_setup(Setup *setup, const uint8_t *bytes, size_t size);
void free_setup(Setup *setup);

#endif

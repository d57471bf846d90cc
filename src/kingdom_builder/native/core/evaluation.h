/* The worth of a position, as players/evaluation.py and players/card_heuristics.py specify it.

   Every sum adds the same numbers in the same order as there, so that both cores choose the same moves. */

#ifndef KB_EVALUATION_H
#define KB_EVALUATION_H

#include "state.h"

/* The hexes on which one more settlement is likely to pay. */
#define WANTED_SHAPES(X)                                                                           \
    X(on)              /* those of its set */                                                      \
    X(new_rows)        /* rows without a piece */                                                  \
    X(fullest_row)     /* the row with most pieces that has free land, its set */                  \
    X(apart)           /* hexes without a neighbour */                                             \
    X(beside_largest)  /* beside the largest area */                                               \
    X(thinnest_sector) /* the sector with fewest pieces */                                         \
    X(fullest_sector)  /* the sector with most pieces */                                           \
    X(beside_others)   /* beside others' pieces */                                                 \
    X(contested)       /* sectors where the seat is level or up to three behind */                 \
    X(links)           /* what connects an area next to its set to another hex of the set */       \
    X(new_sets)        /* its sets without a piece */

/* How much more or less than now a card is likely to pay at the end. */
#define PROGRESS_SHAPES(X)                                                                         \
    X(level_sectors)   /* filling up the sectors with fewest, as far as its set, land, can be reached */ \
    X(joined_areas)    /* areas that land, its set, connects to the largest one */                 \
    X(majorities)      /* holding or losing sectors */                                             \
    X(links)           /* hexes of its second set near an area that touches one, over land, its first */ \
    X(every_set)       /* a task: a piece on each of its sets */                                   \
    X(crowded_set)     /* a task: seven pieces on one of its sets */                               \
    X(ring)            /* a task: an own piece surrounded */                                       \
    X(ring_around)     /* a task: a hex of its set surrounded */                                   \
    X(diagonal)        /* a task: seven in a row on a diagonal */                                  \
    X(turn_end)        /* what the end of the turn will pay: the bits of a field */

#define NAME_WANTED(name) WANTED_##name,
#define NAME_PROGRESS(name) PROGRESS_##name,
enum { WANTED_SHAPES(NAME_WANTED) WANTED_SHAPE_COUNT };
enum { PROGRESS_SHAPES(NAME_PROGRESS) PROGRESS_SHAPE_COUNT };
extern const char *const WANTED_SHAPE_NAMES[WANTED_SHAPE_COUNT];
extern const char *const PROGRESS_SHAPE_NAMES[PROGRESS_SHAPE_COUNT];

enum { MOST_WEIGHTS = 16 + MOST_SCORES + MOST_KINDS + 6 + 2 * MOST_SCORES, MOST_SIDES = 128 };

typedef struct {
    int shape, field;
    double gold;
    int first_set, set_count; /* in the sets of the evaluator */
    int score;                /* for progress: the place of its card among the scores of the setup */
} Heuristic;

typedef struct {
    const Setup *setup;
    int liked_count, wanted_count, progress_count, attraction_count;
    Shape liked[MOST_SCORES]; /* tastes: what these cards would pay counts on top; their sets are the setup's */
    double liking[MOST_SCORES];
    Heuristic wanted[MOST_SCORES], progress[MOST_SCORES], attractions[MOST_SCORES];
    uint64_t building;            /* the tiles that build a settlement every turn */
    double tile_gold[MOST_KINDS]; /* the worth of each kind of tile in a turn */
    double build_gold;            /* the worth of a settlement to come */
    double castle_gold, quick_tile_gold, action_gold, rivalry, pace;
    int castle_count;
    Set castle_sides[MOST_SIDES];
    int factor_count;
    double factors[MOST_WEIGHTS];
    int other_score_count, other_scores[MOST_SCORES]; /* cards whose attraction is unknown, by place */
    bool acts_in_order; /* the order of settlements may matter */
    Set land; /* all land that can be built on */
    Set *sets;
    int set_count;
} Evaluator;

bool read_evaluator(Evaluator *evaluator, const Setup *setup, const uint8_t *bytes, size_t size);
void free_evaluator(Evaluator *evaluator);

double gold_of(const Evaluator *evaluator, const State *state, int seat);
double worth(const Evaluator *evaluator, const State *state, int seat);
double expected(const Evaluator *evaluator, const State *state, int seat, double *builds);
double lead(const Evaluator *evaluator, const State *state, int seat);
double quick_score(const Evaluator *evaluator, const State *state, int seat);
double worth_without(const Evaluator *evaluator, const State *state, int seat, int source);
double worth_with(const Evaluator *evaluator, const State *state, int seat, int target);
double left_to_do(const Evaluator *evaluator, const State *state);
double pending(const Evaluator *evaluator, const State *state);
Set beside_tiles(const Evaluator *evaluator, const State *state, int seat);

/* Heuristics (heuristics.c). */
Set wanted_hexes(const Evaluator *evaluator, const Heuristic *wanted, const State *state, int seat);
double progress_of(const Evaluator *evaluator, const Heuristic *progress, const State *state, int seat, double builds);

#endif

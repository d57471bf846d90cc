/* Lines of actions, kept in chunks that never move, and the collections that the search needs. */

#ifndef KB_LINES_H
#define KB_LINES_H

#include "state.h"

enum { NO_LINE = -1, MOST_LINES = 1 << 18, CHUNK = 256 };

typedef struct {
    State state;
    double worth;    /* of stopping here */
    double prospect; /* of going on from here */
    int before;      /* the line with one action less; NO_LINE for the first */
    int16_t action, length;
    int first_child, child_count; /* in the list of children; child_count is -1 until they are known */
} Line;

typedef struct {
    int *items;
    int count, room;
} List;

typedef struct {
    Line *chunks[MOST_LINES / CHUNK];
    int count;
    bool is_full; /* no line can be added any more: whoever searches must stop */
} Lines;

static inline Line *line_at(const Lines *lines, int number) { return &lines->chunks[number / CHUNK][number % CHUNK]; }

/* The number of a new line with this state; once there is no room, that of the last one, again and again; NO_LINE if there
   never was room for one. */
int add_line(Lines *lines, const State *state, int before, int action);
void free_lines(Lines *lines);

void push(List *list, int item);
void free_list(List *list);

/* Keep the items with the greatest keys, greatest first, at most `most` of them; of equal ones the earlier first. */
void keep_best(List *list, const double *keys, int most);

/* Sets of keys of 128 bits. */
typedef struct {
    uint64_t first, second;
} Key;

typedef struct {
    Key *slots;
    int count, room;
} Keys;

Key begin_key(void);
void mix_word(Key *key, uint64_t word);
void mix_set(Key *key, const Set *set);

/* Add a key; returns whether it was new. */
bool add_key(Keys *keys, Key key);
bool has_key(const Keys *keys, Key key);
void free_keys(Keys *keys);

#endif

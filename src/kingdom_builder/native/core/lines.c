#include "lines.h"

#include <stdlib.h>

int add_line(Lines *lines, const State *state, int before, int action) {
    if (!lines->is_full && lines->count % CHUNK == 0) {
        Line *chunk = lines->count < MOST_LINES ? malloc(CHUNK * sizeof(Line)) : NULL;
        if (chunk) lines->chunks[lines->count / CHUNK] = chunk;
        else lines->is_full = true;
    }
    if (lines->is_full && !lines->count) return NO_LINE;
    int number = lines->is_full ? lines->count - 1 : lines->count++;
    Line *line = line_at(lines, number);
    line->state = *state;
    line->worth = line->prospect = 0.0;
    line->before = number == before ? NO_LINE : before;
    line->action = (int16_t)action;
    line->length = (int16_t)(line->before == NO_LINE ? 0 : line_at(lines, line->before)->length + 1);
    line->first_child = 0;
    line->child_count = -1;
    return number;
}

void free_lines(Lines *lines) {
    for (int i = 0; i < MOST_LINES / CHUNK && lines->chunks[i]; i++) free(lines->chunks[i]);
    memset(lines, 0, sizeof *lines);
}

static void *grown(void *items, size_t size) {
    void *moved = realloc(items, size);
    if (!moved) abort(); /* a few bytes for a list: the machine has no memory at all */
    return moved;
}

void push(List *list, int item) {
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 64;
        list->items = grown(list->items, (size_t)list->room * sizeof *list->items);
    }
    list->items[list->count++] = item;
}

void free_list(List *list) {
    free(list->items);
    memset(list, 0, sizeof *list);
}

enum { FEW = 32 };

typedef struct {
    double key;
    int place, item;
} Ranked;

static int compare(const void *a, const void *b) {
    const Ranked *left = a, *right = b;
    if (left->key != right->key) return left->key > right->key ? -1 : 1;
    return left->place - right->place;
}

/* As keep_best, for few items to keep. */
static void keep_few(List *list, const double *keys, int most) {
    Ranked kept[FEW];
    int count = 0;
    for (int i = 0; i < list->count; i++) {
        int at = count < most ? count++ : most;
        for (; at && keys[i] > kept[at - 1].key; at--)
            if (at < most) kept[at] = kept[at - 1];
        if (at < most) kept[at] = (Ranked){keys[i], i, list->items[i]};
    }
    list->count = count;
    for (int i = 0; i < count; i++) list->items[i] = kept[i].item;
}

void keep_best(List *list, const double *keys, int most) {
    if (most <= FEW) {
        keep_few(list, keys, most);
        return;
    }
    Ranked *ranked = grown(NULL, (size_t)(list->count + 1) * sizeof *ranked);
    for (int i = 0; i < list->count; i++) ranked[i] = (Ranked){keys[i], i, list->items[i]};
    qsort(ranked, (size_t)list->count, sizeof *ranked, compare);
    if (most < list->count) list->count = most;
    for (int i = 0; i < list->count; i++) list->items[i] = ranked[i].item;
    free(ranked);
}

/* ---- keys ---- */

static uint64_t rotated(uint64_t x, int by) { return x << by | x >> (64 - by); }

Key begin_key(void) { return (Key){0x9e3779b97f4a7c15u, 0xd1b54a32d192ed03u}; }

void mix_word(Key *key, uint64_t word) {
    key->first = rotated((key->first ^ word) * 0xff51afd7ed558ccdu, 29) + key->second;
    key->second = (rotated(key->second + word, 37) ^ key->first) * 0xc4ceb9fe1a85ec53u;
}

void mix_set(Key *key, const Set *set) {
    for (int i = 0; i < HEX_WORDS; i++) mix_word(key, set->w[i]);
}

static Key *slot_of(const Keys *keys, Key key) {
    unsigned mask = (unsigned)keys->room - 1;
    for (unsigned at = (unsigned)key.first & mask;; at = (at + 1) & mask) {
        Key *slot = &keys->slots[at];
        if (!slot->second || (slot->first == key.first && slot->second == key.second)) return slot;
    }
}

bool has_key(const Keys *keys, Key key) {
    key.second |= 1; /* no key is empty */
    return keys->room && slot_of(keys, key)->second;
}

bool add_key(Keys *keys, Key key) {
    key.second |= 1;
    if (2 * keys->count >= keys->room) {
        Keys larger = {NULL, keys->count, keys->room ? 2 * keys->room : 1024};
        larger.slots = grown(NULL, (size_t)larger.room * sizeof(Key));
        memset(larger.slots, 0, (size_t)larger.room * sizeof(Key));
        for (int i = 0; i < keys->room; i++)
            if (keys->slots[i].second) *slot_of(&larger, keys->slots[i]) = keys->slots[i];
        free(keys->slots);
        *keys = larger;
    }
    Key *slot = slot_of(keys, key);
    if (slot->second) return false;
    *slot = key;
    keys->count++;
    return true;
}

void free_keys(Keys *keys) {
    free(keys->slots);
    memset(keys, 0, sizeof *keys);
}

#include "search.h"

#include <stdlib.h>

static const int WIDTHS[] = {1, 3, 8, 20, 50, 120, 300, 1000};

enum { SOURCES = 5, LOOKS = 12, GREEDY_LOOKS = 6, MOST_QUIET = 5, MOST_WAYS = 4000, MOST_STEPS = 1000 };

typedef void (*Visit)(Search *search, int line, void *context, bool *stop);

bool begin_search(Search *search, const Evaluator *evaluator, const State *start) {
    memset(search, 0, sizeof *search);
    search->evaluator = evaluator;
    search->seat = start->player;
    return add_line(&search->lines, start, NO_LINE, 0) != NO_LINE;
}

void free_search(Search *search) {
    free_lines(&search->lines);
    free_list(&search->children);
    free_list(&search->found);
    free_list(&search->scratch);
    free_keys(&search->known);
    free_keys(&search->built);
}

bool can_end(const State *state) {
    if (state->awaiting || state->over) return false;
    if (state->acting == FINALE) return state->source == NOWHERE;
    return state->acting == NOBODY_ACTS && !state->builds_left;
}

bool is_over(const State *state, int seat) { return state->awaiting || state->over || state->player != seat; }

static bool may_spend(Search *search, Limit *limit, int positions) {
    if (search->lines.is_full) return false;
    return !limit || spend(limit, positions);
}

static bool is_choice_of_card(int action) { return action >= CHOOSE && action < CHOOSE + CARDS; }

/* ---- following actions ---- */

static bool remembers_the_same(const State *a, const State *b) {
    const Setup *setup = a->setup;
    for (int i = 0; i < setup->number_fields; i++)
        if (a->numbers[i] != b->numbers[i]) return false;
    for (int i = 0; i < setup->seat_fields; i++)
        for (int seat = 0; seat < setup->players; seat++)
            if (a->by_seat[i][seat] != b->by_seat[i][seat]) return false;
    for (int i = 0; i < setup->hex_fields; i++)
        if (!equal(a->hexes[i], b->hexes[i])) return false;
    return true;
}

/* Whether an action only prepares another one: it chose a tile, a card or the piece to move. */
static bool is_quiet(const State *before, int action, const State *after) {
    if (after->awaiting || !(after->acting != NOBODY_ACTS || after->adjacency_lifted))
        return is_choice_of_card(action) && !after->awaiting;
    for (int seat = 0; seat < before->setup->players; seat++)
        if (!equal(before->seats[seat].own, after->seats[seat].own)) return false;
    if (!equal(before->free, after->free)) return false;
    return action >= USE || remembers_the_same(before, after);
}

/* The lines with one more action: those that change the board, and those that only prepare a change, of which the ones
   that chose the piece to move are kept apart. */
typedef struct {
    List done, prepared, lifted;
} Followed;

static void free_followed(Followed *followed) {
    free_list(&followed->done);
    free_list(&followed->prepared);
    free_list(&followed->lifted);
}

static int after_action(Search *search, int line, int action) {
    State after = line_at(&search->lines, line)->state;
    apply(&after, action);
    return add_line(&search->lines, &after, line, action);
}

static Followed follow(Search *search, int line, Set actions) {
    Followed followed = {{0}, {0}, {0}};
    const State *state = &line_at(&search->lines, line)->state;
    while (any(actions) && !search->lines.is_full) {
        int action = pop(&actions), new = after_action(search, line, action);
        const State *after = &line_at(&search->lines, new)->state;
        if (!is_quiet(state, action, after)) push(&followed.done, new);
        else push(after->source == action ? &followed.lifted : &followed.prepared, new);
    }
    return followed;
}

static void push_all(List *list, const List *more) {
    for (int i = 0; i < more->count; i++) push(list, more->items[i]);
}

static Set without_end(Set actions) {
    drop(&actions, END);
    return actions;
}

static Set hexes_only(Set actions) { return and_(actions, AREA); }

/* Keep the lines with the best quick scores, if there are more than so many. */
static void keep_quick(Search *search, List *lines, int seat, int most) {
    if (lines->count <= most) return;
    double *scores = malloc((size_t)lines->count * sizeof *scores);
    if (!scores) {
        lines->count = most;
        return;
    }
    for (int i = 0; i < lines->count; i++)
        scores[i] = quick_score(search->evaluator, &line_at(&search->lines, lines->items[i])->state, seat);
    keep_best(lines, scores, most);
    free(scores);
}

/* The moves of chosen pieces that promise most, best first: each has the worth without the piece where it stood, and the
   worth with one more piece at the target. */
static void push_best_moves(Search *search, const List *lifted, int looks, List *into) {
    double gains[HEXES], *promises = NULL;
    Set weighed = EMPTY;
    List moves = {0};
    int room = 0;
    for (int i = 0; i < lifted->count; i++) {
        const Line *line = line_at(&search->lines, lifted->items[i]);
        const State *state = &line->state;
        int seat = state->player;
        double without_piece = worth_without(search->evaluator, state, seat, line->action);
        Set targets = without(hexes_only(legal(state)), state->seats[seat].own);
        while (any(targets)) {
            int target = pop(&targets);
            if (!has(&weighed, target)) {
                put(&weighed, target);
                gains[target] = worth_with(search->evaluator, state, seat, target);
            }
            if (moves.count == room) {
                room = room ? 2 * room : 256;
                double *larger = realloc(promises, (size_t)room * sizeof *larger);
                if (!larger) abort();
                promises = larger;
            }
            promises[moves.count] = without_piece + gains[target];
            push(&moves, i * HEXES + target);
        }
    }
    keep_best(&moves, promises, looks);
    for (int i = 0; i < moves.count && !search->lines.is_full; i++)
        push(into, after_action(search, lifted->items[moves.items[i] / HEXES], moves.items[i] % HEXES));
    free(promises);
    free_list(&moves);
}

/* The ways to go on until the board changes, after an action that only prepares the change. */
static List ways_from(Search *search, int start, int sources, int looks) {
    List ways = {0}, stack = {0};
    int first_length = line_at(&search->lines, start)->length;
    push(&stack, start);
    while (stack.count && ways.count < MOST_WAYS && !search->lines.is_full) {
        int at = stack.items[--stack.count];
        const Line *line = line_at(&search->lines, at);
        Followed followed = follow(search, at, without_end(legal(&line->state)));
        push_all(&ways, &followed.done);
        if (line->length - first_length + 1 < MOST_QUIET) {
            push_all(&stack, &followed.prepared);
            bool has_source = line->state.source != NOWHERE; /* choosing another piece would go round in circles */
            if (!has_source && followed.lifted.count <= sources) push_all(&stack, &followed.lifted);
            else if (!has_source) push_best_moves(search, &followed.lifted, looks, &ways);
        }
        free_followed(&followed);
    }
    free_list(&stack);
    return ways;
}

static Key key_of_build(const State *state, int seat, int h) {
    Key key = begin_key();
    Set pieces = state->seats[seat].own, free = state->free;
    put(&pieces, h);
    drop(&free, h);
    mix_set(&key, &pieces);
    mix_set(&key, &free);
    mix_word(&key, (uint64_t)state->builds_left << 8 | (uint8_t)state->card);
    mix_word(&key, state->ready);
    mix_word(&key, state->held[seat]);
    return key;
}

/* Leave out settlements that were already built in another order, and note the others. */
static Set not_built(Search *search, const State *state, Set actions) {
    Set hexes = hexes_only(actions);
    List keyed = {0};
    for (Set rest = hexes; any(rest);) {
        int h = pop(&rest);
        if (has_key(&search->built, key_of_build(state, state->player, h))) drop(&actions, h);
        else push(&keyed, h);
    }
    for (int i = 0; i < keyed.count; i++) add_key(&search->built, key_of_build(state, state->player, keyed.items[i]));
    free_list(&keyed);
    return actions;
}

static void visit_all(Search *search, const List *lines, Visit visit, void *context, bool *stop) {
    for (int i = 0; i < lines->count && !*stop; i++) visit(search, lines->items[i], context, stop);
}

/* Visit the ways to change the board, or to get to a draw, with as few actions as possible. `remember`: leave out what
   was built before in another order. `check_cost`: the positions that a look at the limit costs. */
static void steps(Search *search, int line, int sources, int looks, bool remember, Limit *limit, int check_cost,
                  Visit visit, void *context) {
    const State *state = &line_at(&search->lines, line)->state;
    int seat = state->player;
    Set actions = without_end(legal(state));
    if (remember && state->acting == NOBODY_ACTS && !search->evaluator->acts_in_order)
        actions = not_built(search, state, actions);
    Followed followed = follow(search, line, actions);
    if (followed.lifted.count <= sources) push_all(&followed.prepared, &followed.lifted);
    else push_best_moves(search, &followed.lifted, looks, &followed.done);
    bool stop = false, found = followed.done.count > 0;
    visit_all(search, &followed.done, visit, context, &stop);
    for (int i = 0; i < followed.prepared.count && !stop; i++) {
        int start = followed.prepared.items[i];
        if (found && !may_spend(search, limit, check_cost)) break;
        found = true;
        const Line *prepared = line_at(&search->lines, start);
        Set hexes = hexes_only(legal(&prepared->state));
        if (is_choice_of_card(prepared->action) && prepared->state.acting == NOBODY_ACTS && any(hexes)) {
            Followed builds = follow(search, start, hexes);
            visit_all(search, &builds.done, visit, context, &stop);
            free_followed(&builds);
            continue;
        }
        List ways = ways_from(search, start, sources, looks);
        keep_quick(search, &ways, seat, looks);
        visit_all(search, &ways, visit, context, &stop);
        free_list(&ways);
    }
    free_followed(&followed);
}

/* ---- greedy turns ---- */

static void collect(Search *search, int line, void *context, bool *stop) {
    (void)search;
    (void)stop;
    push(context, line);
}

int greedy_step(Search *search, int line, int sources, int looks) {
    const State *state = &line_at(&search->lines, line)->state;
    int seat = state->player, best = line;
    List lines = {0};
    Set hexes = state->builds_left && state->acting == NOBODY_ACTS ? hexes_only(legal(state)) : EMPTY;
    if (any(hexes)) {
        Followed followed = follow(search, line, hexes);
        push_all(&lines, &followed.done);
        free_followed(&followed);
    } else {
        steps(search, line, sources, GREEDY_LOOKS, false, search->limit, 0, collect, &lines);
    }
    keep_quick(search, &lines, seat, looks);
    for (int i = 0; i < lines.count; i++) {
        Line *new = line_at(&search->lines, lines.items[i]);
        new->worth = worth(search->evaluator, &new->state, seat) + pending(search->evaluator, &new->state);
        if (!i || new->worth > line_at(&search->lines, best)->worth) best = lines.items[i];
    }
    free_list(&lines);
    if (best != line && can_end(state) &&
        worth(search->evaluator, state, seat) >= line_at(&search->lines, best)->worth)
        return line;
    return best;
}

int greedy_turn(Search *search, int line) {
    int seat = line_at(&search->lines, line)->state.player;
    for (int number = 0; number < MOST_STEPS; number++) {
        const State *state = &line_at(&search->lines, line)->state;
        if (is_over(state, seat) || (number && can_end(state) && !may_spend(search, search->limit, 0))) break;
        int next = greedy_step(search, line, GREEDY_SOURCES, GREEDY_LOOKS);
        if (next == line) break;
        line = next;
    }
    return line;
}

/* ---- the search ---- */

/* What may come after the end of a line: nothing, unless a draw interrupts the turn. */
static double interrupted(const Search *search, const State *state) {
    return is_over(state, search->seat) ? left_to_do(search->evaluator, state) : 0.0;
}

static double lead_after(const Search *search, const State *state) {
    return lead(search->evaluator, state, search->seat) + interrupted(search, state);
}

static void add_turn(Search *search, int number) {
    Line *line = line_at(&search->lines, number);
    line->worth = worth(search->evaluator, &line->state, search->seat) + interrupted(search, &line->state);
    push(&search->found, number);
}

static Key key_of_position(const State *state, int seat) {
    const Setup *setup = state->setup;
    Key key = begin_key();
    mix_set(&key, &state->seats[seat].own);
    mix_set(&key, &state->free);
    mix_word(&key, state->ready);
    mix_word(&key, state->held[seat]);
    mix_word(&key, (uint64_t)(uint8_t)state->builds_left << 24 | (uint64_t)(uint8_t)state->acting << 16 |
                       (uint64_t)(uint8_t)state->card << 8 | (uint64_t)(uint8_t)state->awaiting);
    mix_word(&key, (uint64_t)(uint32_t)state->steps << 32 | (uint16_t)state->source);
    for (int i = 0; i < setup->number_fields; i++) mix_word(&key, (uint64_t)(uint32_t)state->numbers[i]);
    for (int i = 0; i < setup->seat_fields; i++)
        for (int each = 0; each < setup->players; each++) mix_word(&key, state->by_seat[i][each]);
    for (int i = 0; i < setup->hex_fields; i++) mix_set(&key, &state->hexes[i]);
    return key;
}

typedef struct {
    List children;
    bool is_cut; /* the limit was reached */
} Expansion;

static void look_at(Search *search, int number, void *context, bool *stop) {
    Expansion *expansion = context;
    Line *line = line_at(&search->lines, number);
    Key key = key_of_position(&line->state, search->seat);
    bool is_known = has_key(&search->known, key);
    if (!may_spend(search, search->limit, is_known ? 0 : 1)) {
        expansion->is_cut = *stop = true;
        return;
    }
    if (is_known) return;
    add_key(&search->known, key);
    line->worth = worth(search->evaluator, &line->state, search->seat);
    line->prospect = line->worth + left_to_do(search->evaluator, &line->state);
    if (is_over(&line->state, search->seat)) {
        line->worth = line->prospect;
        push(&search->found, number);
        return;
    }
    if (can_end(&line->state)) push(&search->found, number);
    push(&expansion->children, number);
}

/* Find and evaluate the lines that go on from a line. Returns false if the limit is reached. */
static bool expand(Search *search, int number) {
    if (!may_spend(search, search->limit, 1)) return false;
    Expansion expansion = {{0}, false};
    steps(search, number, SOURCES, LOOKS, true, search->limit, 0, look_at, &expansion);
    if (!expansion.is_cut) {
        Line *line = line_at(&search->lines, number);
        line->first_child = search->children.count;
        line->child_count = expansion.children.count;
        push_all(&search->children, &expansion.children);
    }
    free_list(&expansion.children);
    return !expansion.is_cut;
}

static void keep_promising(Search *search, List *lines, int most) {
    double *prospects = malloc((size_t)(lines->count + 1) * sizeof *prospects);
    if (!prospects) abort();
    for (int i = 0; i < lines->count; i++) prospects[i] = line_at(&search->lines, lines->items[i])->prospect;
    keep_best(lines, prospects, most);
    free(prospects);
}

static bool sweep(Search *search, int width) {
    List frontier = {0};
    bool goes_on = true;
    push(&frontier, 0);
    while (frontier.count && goes_on) {
        List children = {0};
        for (int i = 0; i < frontier.count && goes_on; i++) {
            int number = frontier.items[i];
            if (line_at(&search->lines, number)->child_count < 0) goes_on = expand(search, number);
            if (!goes_on) break;
            const Line *line = line_at(&search->lines, number);
            for (int k = 0; k < line->child_count; k++) push(&children, search->children.items[line->first_child + k]);
        }
        keep_promising(search, &children, width);
        free_list(&frontier);
        frontier = children;
    }
    free_list(&frontier);
    return goes_on;
}

static void keep_worthy(Search *search, List *lines) {
    double *worths = malloc((size_t)(lines->count + 1) * sizeof *worths);
    if (!worths) abort();
    for (int i = 0; i < lines->count; i++) worths[i] = line_at(&search->lines, lines->items[i])->worth;
    keep_best(lines, worths, lines->count);
    free(worths);
}

/* The best lines with different results, best first. */
static List different_results(Search *search, int leaders) {
    Keys results = {0};
    List best = {0};
    keep_worthy(search, &search->found);
    for (int i = 0; i < search->found.count && best.count < leaders; i++) {
        const State *state = &line_at(&search->lines, search->found.items[i])->state;
        Key key = begin_key();
        mix_set(&key, &state->seats[search->seat].own);
        mix_set(&key, &state->free);
        mix_word(&key, (uint64_t)state->awaiting);
        if (add_key(&results, key)) push(&best, search->found.items[i]);
    }
    free_keys(&results);
    return best;
}

void run_search(Search *search, int leaders, Limit *comparing) {
    add_turn(search, greedy_turn(search, 0));
    if (can_end(&line_at(&search->lines, 0)->state)) add_turn(search, 0);
    for (size_t i = 0; i < sizeof WIDTHS / sizeof *WIDTHS; i++)
        if (!sweep(search, WIDTHS[i])) break;
    List best = different_results(search, leaders);
    search->found.count = 0;
    for (int i = 0; i < best.count; i++) {
        if (i && comparing && !spend(comparing, 1)) break;
        Line *line = line_at(&search->lines, best.items[i]);
        line->worth = lead_after(search, &line->state);
        push(&search->found, best.items[i]);
    }
    free_list(&best);
    keep_worthy(search, &search->found);
    if (search->found.count) search->found.items[0] = completed(search, search->found.items[0], comparing);
}

int completed(Search *search, int number, Limit *comparing) {
    for (;;) {
        const Line *line = line_at(&search->lines, number);
        if (!line->state.ending || !can_end(&line->state) || search->lines.is_full) return number;
        if (comparing && !spend(comparing, 1)) return number;
        double gold = gold_of(search->evaluator, &line->state, search->seat);
        int best = number;
        search->scratch.count = 0;
        steps(search, number, HEXES, MOST_WAYS, false, comparing, 1, collect, &search->scratch);
        for (int i = 0; i < search->scratch.count; i++) {
            Line *new = line_at(&search->lines, search->scratch.items[i]);
            bool ends = can_end(&new->state) || is_over(&new->state, search->seat);
            if (!ends || gold_of(search->evaluator, &new->state, search->seat) <= gold) continue;
            if (comparing && !spend(comparing, 0)) continue;
            new->worth = lead_after(search, &new->state);
            if (new->worth > line_at(&search->lines, best)->worth) best = search->scratch.items[i];
        }
        if (best == number) return number;
        number = best;
    }
}

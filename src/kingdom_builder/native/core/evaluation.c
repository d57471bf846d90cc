#include "evaluation.h"

#include <stdlib.h>

enum { ACCESS = 4, SPACE_STEPS = 6 };

/* ---- reading ---- */

static double read_double(Reader *reader) {
    uint64_t bits = read_bits(reader);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void read_heuristics(Reader *reader, const Evaluator *evaluator, Heuristic *into, int *number, int shapes) {
    *number = read_number(reader, 0, MOST_SCORES);
    for (int i = 0; i < *number; i++) {
        into[i].shape = read_number(reader, 0, shapes - 1);
        into[i].field = read_number(reader, 0, MOST_FIELDS - 1);
        into[i].score = read_number(reader, 0, MOST_SCORES - 1);
        into[i].first_set = read_number(reader, 0, evaluator->set_count);
        into[i].set_count = read_number(reader, 0, evaluator->set_count - into[i].first_set);
        into[i].gold = read_double(reader);
    }
}

/* Whether the heuristics have the sets that their shapes need. */
static bool have_sets(const Evaluator *evaluator) {
    for (int i = 0; i < evaluator->progress_count; i++) {
        const Heuristic *each = &evaluator->progress[i];
        int needed = each->shape == PROGRESS_links ? 2 : each->shape == PROGRESS_level_sectors ||
                     each->shape == PROGRESS_joined_areas || each->shape == PROGRESS_ring_around ? 1 : 0;
        if (each->set_count < needed || each->score >= evaluator->setup->score_count) return false;
    }
    const Heuristic *lists[] = {evaluator->wanted, evaluator->attractions};
    int counts[] = {evaluator->wanted_count, evaluator->attraction_count};
    for (int list = 0; list < 2; list++)
        for (int i = 0; i < counts[list]; i++) {
            int shape = lists[list][i].shape;
            bool needs_one = shape == WANTED_on || shape == WANTED_fullest_row || shape == WANTED_links;
            if (needs_one && !lists[list][i].set_count) return false;
        }
    return true;
}

static void read_all(Reader *reader, Evaluator *evaluator) {
    int set_count = read_number(reader, 0, 10000);
    if (reader->failed) return;
    evaluator->sets = malloc((size_t)(set_count + 1) * sizeof(Set));
    if (!evaluator->sets) {
        reader->failed = true;
        return;
    }
    evaluator->set_count = set_count;
    for (int i = 0; i < set_count; i++) evaluator->sets[i] = read_set(reader);
    evaluator->land = read_set(reader);
    evaluator->castle_count = read_number(reader, 0, MOST_SIDES);
    for (int i = 0; i < evaluator->castle_count; i++) evaluator->castle_sides[i] = read_set(reader);
    read_heuristics(reader, evaluator, evaluator->wanted, &evaluator->wanted_count, WANTED_SHAPE_COUNT);
    read_heuristics(reader, evaluator, evaluator->progress, &evaluator->progress_count, PROGRESS_SHAPE_COUNT);
    read_heuristics(reader, evaluator, evaluator->attractions, &evaluator->attraction_count, WANTED_SHAPE_COUNT);
    evaluator->liked_count = read_number(reader, 0, MOST_SCORES);
    for (int i = 0; i < evaluator->liked_count; i++) {
        Shape *liked = &evaluator->liked[i];
        liked->shape = read_number(reader, 0, SCORE_SHAPE_COUNT - 1);
        for (int k = 0; k < MOST_NUMBERS; k++) liked->numbers[k] = read_number(reader, 0, 1000);
        evaluator->liking[i] = read_double(reader);
        liked->set_count = read_number(reader, 0, 1); /* one set at most: it is kept in `land` */
        if (liked->set_count) liked->land = read_set(reader);
    }
    evaluator->other_score_count = read_number(reader, 0, MOST_SCORES);
    for (int i = 0; i < evaluator->other_score_count; i++)
        evaluator->other_scores[i] = read_number(reader, 0, evaluator->setup->score_count - 1);
    evaluator->building = read_bits(reader);
    for (int kind = 0; kind < evaluator->setup->kind_count; kind++) evaluator->tile_gold[kind] = read_double(reader);
    double *constants[] = {&evaluator->build_gold,  &evaluator->castle_gold, &evaluator->quick_tile_gold,
                           &evaluator->action_gold, &evaluator->rivalry,     &evaluator->pace};
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) *constants[i] = read_double(reader);
    evaluator->factor_count = read_number(reader, 0, MOST_WEIGHTS);
    for (int i = 0; i < evaluator->factor_count; i++) evaluator->factors[i] = read_double(reader);
    evaluator->acts_in_order = read_number(reader, 0, 1);
}

bool read_evaluator(Evaluator *evaluator, const Setup *setup, const uint8_t *bytes, size_t size) {
    memset(evaluator, 0, sizeof *evaluator);
    evaluator->setup = setup;
    Reader reader = {bytes, bytes + size, false};
    read_all(&reader, evaluator);
    int features = evaluator->progress_count + setup->kind_count + 2 * (ACCESS + evaluator->wanted_count);
    bool fits = !reader.failed && reader.at == reader.end && evaluator->factor_count == features;
    if (!fits || !have_sets(evaluator)) {
        free_evaluator(evaluator);
        return false;
    }
    return true;
}

void free_evaluator(Evaluator *evaluator) {
    free(evaluator->sets);
    evaluator->sets = NULL;
}

/* ---- worth ---- */

static double least(double a, double b) { return b < a ? b : a; }

/* What a liked card would pay; of its shapes only those with one set at most are there. */
static int score_liked(const State *state, int seat, const Shape *liked) {
    if (liked->shape == SCORE_on) return liked->numbers[0] * count(and_(state->seats[seat].own, liked->land));
    return score(state, seat, liked);
}

double gold_of(const Evaluator *evaluator, const State *state, int seat) {
    double total = 0.0;
    for (int i = 0; i < evaluator->setup->score_count; i++) total += score(state, seat, &evaluator->setup->scores[i]);
    for (int i = 0; i < evaluator->liked_count; i++)
        total += evaluator->liking[i] * score_liked(state, seat, &evaluator->liked[i]);
    return total;
}

static bool can_take(const State *state, int seat, int tile) {
    return state->tiles_left[tile] && !(state->taken[seat] >> tile & 1) &&
           !meets(state->setup->tile_side[tile], state->seats[seat].own);
}

/* The worth of each side: castles, then tiles on the board; the sides follow in the same order. */
static int worth_of_sides(const Evaluator *evaluator, const State *state, int seat, double rounds, double *values,
                          const Set **sides) {
    const Setup *setup = evaluator->setup;
    int number = 0;
    for (int i = 0; i < evaluator->castle_count; i++, number++) {
        sides[number] = &evaluator->castle_sides[i];
        values[number] = meets(evaluator->castle_sides[i], state->seats[seat].own) ? 0.0 : evaluator->castle_gold;
    }
    for (int tile = 0; tile < setup->tile_count; tile++) {
        if (!any(setup->tile_side[tile])) continue;
        sides[number] = &setup->tile_side[tile];
        double value = 0.0;
        if (can_take(state, seat, tile)) {
            double gold = evaluator->tile_gold[setup->tile_kind[tile]] +
                          evaluator->build_gold * (evaluator->building >> tile & 1);
            value = setup->nomad_tiles >> tile & 1 ? gold : gold * (rounds - 1);
        }
        values[number++] = value > 0 ? value : 0.0;
    }
    return number;
}

typedef struct {
    double builds, others, weighed;
} Features;

typedef struct {
    const double *factor;
    double sum;
} Weighing;

static void weigh(Weighing *weighing, double feature) { weighing->sum += *weighing->factor++ * feature; }

/* The free land at most some steps away from the pieces of a seat. */
static int room_around(const Evaluator *evaluator, const State *state, int seat) {
    Set space = state->seats[seat].near;
    for (int step = 1; step < SPACE_STEPS; step++) space = or_(space, and_(around(space), AREA));
    return count(and_(and_(space, state->free), evaluator->land));
}

/* What the next terrain cards give access to. */
static void weigh_access(const Evaluator *evaluator, const State *state, int seat, double rounds, double builds,
                         Weighing *weighing) {
    const Setup *setup = evaluator->setup;
    double values[MOST_SIDES + MOST_TILES];
    const Set *sides[MOST_SIDES + MOST_TILES];
    int side_count = worth_of_sides(evaluator, state, seat, rounds, values, sides);
    Set wanted[MOST_SCORES];
    double wanted_sums[MOST_SCORES], best_sum = 0.0, all_sum = 0.0, open_lands = 0.0;
    for (int i = 0; i < evaluator->wanted_count; i++) {
        wanted[i] = wanted_hexes(evaluator, &evaluator->wanted[i], state, seat);
        wanted_sums[i] = 0.0;
    }
    for (int card = 0; card < CARDS; card++) {
        Set open = and_(state->free, setup->terrain[card]), first = and_(open, state->seats[seat].near);
        if (!any(first)) {
            if (!any(open)) continue;
            open_lands += 1;
            first = open;
        }
        Set second = or_(first, and_(around(first), open)), third = or_(second, and_(around(second), open));
        double best = 0.0;
        for (int i = 0; i < side_count; i++) {
            if (values[i] == 0.0 || !meets(third, *sides[i])) continue;
            double value = values[i] * (meets(first, *sides[i]) ? 1.0 : meets(second, *sides[i]) ? 0.7 : 0.5);
            all_sum += value;
            if (value > best) best = value;
        }
        best_sum += best;
        for (int i = 0; i < evaluator->wanted_count; i++) {
            int paying = count(and_(third, wanted[i]));
            wanted_sums[i] += evaluator->wanted[i].gold * (paying < 3 ? paying : 3);
        }
    }
    double soon = least(1.0, rounds) / 5, late = builds / evaluator->pace / 50;
    double sums[ACCESS] = {best_sum, all_sum, open_lands, room_around(evaluator, state, seat)};
    for (int i = 0; i < ACCESS + evaluator->wanted_count; i++) {
        double value = i < ACCESS ? sums[i] : wanted_sums[i - ACCESS];
        weigh(weighing, soon * value);
        weigh(weighing, late * value);
    }
}

static Features features_of(const Evaluator *evaluator, const State *state, int seat) {
    const Setup *setup = evaluator->setup;
    Features features = {0.0, -1.0, 0.0};
    Weighing weighing = {evaluator->factors, 0.0};
    double rates[MOST_PLAYERS];
    double rounds = 1e9;
    for (int i = 0; i < setup->players; i++) {
        rates[i] = evaluator->pace + count64(state->held[i] & evaluator->building);
        rounds = least(rounds, state->supply[i] / rates[i]);
    }
    if (state->ending) rounds = 0.0;
    for (int i = 0; i < setup->players; i++) {
        double builds = least(state->supply[i], rounds * rates[i]);
        if (i == seat) features.builds = builds;
        else if (builds > features.others) features.others = builds;
    }
    for (int i = 0; i < evaluator->progress_count; i++)
        weigh(&weighing, progress_of(evaluator, &evaluator->progress[i], state, seat, features.builds));
    uint64_t mine = state->held[seat];
    for (int kind = 0; kind < setup->kind_count; kind++) {
        uint64_t tiles = setup->kind_tiles[kind];
        bool once = tiles & setup->nomad_tiles;
        weigh(&weighing, mine & tiles ? count64(mine & tiles) * (once ? least(1.0, rounds) : rounds) : 0.0);
    }
    if (rounds) weigh_access(evaluator, state, seat, rounds, features.builds, &weighing);
    features.weighed = weighing.sum;
    return features;
}

double worth(const Evaluator *evaluator, const State *state, int seat) {
    Features features = features_of(evaluator, state, seat);
    return gold_of(evaluator, state, seat) + evaluator->build_gold * (features.builds - features.others) +
           features.weighed;
}

double expected(const Evaluator *evaluator, const State *state, int seat, double *builds) {
    Features features = features_of(evaluator, state, seat);
    if (builds) *builds = features.builds;
    return gold_of(evaluator, state, seat) + evaluator->build_gold * features.builds + features.weighed;
}

double lead(const Evaluator *evaluator, const State *state, int seat) {
    double mine = expected(evaluator, state, seat, NULL), best = 0.0;
    bool is_first = true;
    for (int other = 0; other < state->setup->players; other++) {
        if (other == seat) continue;
        double gold = expected(evaluator, state, other, NULL);
        if (is_first || gold > best) best = gold;
        is_first = false;
    }
    return mine - evaluator->rivalry * best;
}

double quick_score(const Evaluator *evaluator, const State *state, int seat) {
    double gold = gold_of(evaluator, state, seat);
    if (state->ending) return gold;
    return gold + evaluator->quick_tile_gold * count64(state->held[seat] & evaluator->setup->location_tiles);
}

Set beside_tiles(const Evaluator *evaluator, const State *state, int seat) {
    const Setup *setup = evaluator->setup;
    Set hexes = EMPTY;
    for (int tile = 0; tile < setup->tile_count; tile++)
        if (any(setup->tile_side[tile]) && can_take(state, seat, tile)) hexes = or_(hexes, setup->tile_side[tile]);
    return hexes;
}

double worth_without(const Evaluator *evaluator, const State *state, int seat, int source) {
    const Setup *setup = evaluator->setup;
    State changed = *state;
    Seat *mine = &changed.seats[seat];
    drop(&mine->own, source);
    mine->near = and_(around(or_(mine->own, state->scouts)), AREA);
    if (!has(&state->blocked, source)) put(&changed.free, source);
    for (uint64_t beside = setup->tiles_beside[source]; beside; beside &= beside - 1) {
        int tile = lowest64(beside);
        if (setup->location_tiles >> tile & 1 && !meets(setup->tile_side[tile], mine->own))
            changed.held[seat] &= ~bit64(tile);
    }
    return worth(evaluator, &changed, seat);
}

double worth_with(const Evaluator *evaluator, const State *state, int seat, int target) {
    State changed = *state;
    Seat *mine = &changed.seats[seat];
    put(&mine->own, target);
    mine->near = or_(mine->near, NEAR[target]);
    drop(&changed.free, target);
    for (uint64_t beside = evaluator->setup->tiles_beside[target]; beside; beside &= beside - 1) {
        int tile = lowest64(beside);
        if (state->tiles_left[tile] && !(state->taken[seat] >> tile & 1)) changed.held[seat] |= bit64(tile);
    }
    return worth(evaluator, &changed, seat);
}

double pending(const Evaluator *evaluator, const State *state) {
    return state->awaiting == AWAITING_ACTION ? evaluator->action_gold : 0.0;
}

double left_to_do(const Evaluator *evaluator, const State *state) {
    return 1.2 * state->builds_left + evaluator->action_gold * count64(state->ready) + pending(evaluator, state);
}

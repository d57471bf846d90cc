/* What cards will still pay, by shape, as players/card_heuristics.py specifies it. */

#include <math.h>

#include "evaluation.h"

#define SHAPE_NAME(name) #name,
const char *const WANTED_SHAPE_NAMES[WANTED_SHAPE_COUNT] = {WANTED_SHAPES(SHAPE_NAME)};
const char *const PROGRESS_SHAPE_NAMES[PROGRESS_SHAPE_COUNT] = {PROGRESS_SHAPES(SHAPE_NAME)};

static double least(double a, double b) { return b < a ? b : a; }

static Set pop_largest(Set pieces) {
    Set largest = EMPTY;
    int size = 0;
    while (any(pieces)) {
        Set area = pop_area(&pieces);
        int here = count(area);
        if (here > size) largest = area, size = here;
    }
    return largest;
}

/* ---- wanted hexes ---- */

static Set new_rows(const Setup *setup, Set pieces) {
    Set rows = EMPTY;
    for (int row = 0; row < setup->row_count; row++)
        if (!meets(pieces, setup->rows[row])) rows = or_(rows, setup->rows[row]);
    return rows;
}

static Set fullest_row(const State *state, Set pieces, Set land) {
    const Setup *setup = state->setup;
    Set fullest = EMPTY, free = and_(state->free, land);
    int most = -1;
    for (int row = 0; row < setup->row_count; row++) {
        int here = count(and_(setup->rows[row], pieces));
        if (here > most && meets(setup->rows[row], free)) fullest = setup->rows[row], most = here;
    }
    return fullest;
}

static Set thinnest_sector(const Setup *setup, Set pieces) {
    int fewest = HEXES, thinnest = 0;
    for (int sector = 0; sector < SECTORS; sector++) {
        int here = count(and_(setup->sectors[sector], pieces));
        if (here < fewest) fewest = here, thinnest = sector;
    }
    return setup->sectors[thinnest];
}

static Set fullest_sector(const Setup *setup, Set pieces) {
    int most = -1, fullest = 0;
    for (int sector = 0; sector < SECTORS; sector++) {
        int here = count(and_(setup->sectors[sector], pieces));
        if (here > most) most = here, fullest = sector;
    }
    return setup->sectors[fullest];
}

static Set beside_others(const State *state, int seat) {
    Set beside = EMPTY;
    for (int other = 0; other < state->setup->players; other++)
        if (other != seat) beside = or_(beside, state->seats[other].near);
    return beside;
}

enum { BEHIND = 3 };

static Set contested_sectors(const State *state, int seat) {
    const Setup *setup = state->setup;
    Set contested = EMPTY;
    for (int sector = 0; sector < SECTORS; sector++) {
        int mine = count(and_(state->seats[seat].own, setup->sectors[sector])), most = 0;
        for (int other = 0; other < setup->players; other++) {
            int here = count(and_(state->seats[other].own, setup->sectors[sector]));
            if (other != seat && here > most) most = here;
        }
        if (-BEHIND <= mine - most && mine - most <= 0) contested = or_(contested, setup->sectors[sector]);
    }
    return contested;
}

static Set new_links(Set pieces, Set special) {
    Set unlinked = special, linked = EMPTY;
    while (any(pieces)) {
        Set beside = around(pop_area(&pieces));
        if (meets(beside, special)) {
            unlinked = without(unlinked, beside);
            linked = or_(linked, beside);
        }
    }
    return and_(around(unlinked), linked);
}

Set wanted_hexes(const Evaluator *evaluator, const Heuristic *wanted, const State *state, int seat) {
    const Setup *setup = evaluator->setup;
    const Set *sets = evaluator->sets + wanted->first_set;
    Set pieces = state->seats[seat].own, found = EMPTY;
    switch (wanted->shape) {
        case WANTED_on: return sets[0];
        case WANTED_new_rows: return new_rows(setup, pieces);
        case WANTED_fullest_row: return fullest_row(state, pieces, sets[0]);
        case WANTED_apart: return without(AREA, state->seats[seat].near);
        case WANTED_beside_largest: return around(pop_largest(pieces));
        case WANTED_thinnest_sector: return thinnest_sector(setup, pieces);
        case WANTED_fullest_sector: return fullest_sector(setup, pieces);
        case WANTED_beside_others: return beside_others(state, seat);
        case WANTED_contested: return contested_sectors(state, seat);
        case WANTED_links: return new_links(pieces, sets[0]);
        case WANTED_new_sets:
            for (int i = 0; i < wanted->set_count; i++)
                if (!meets(sets[i], pieces)) found = or_(found, sets[i]);
            return found;
        default: return EMPTY;
    }
}

/* ---- progress ---- */

static double unfinished_task(double gold, int done, int needed, double builds) {
    int missing = needed - done;
    if (missing <= 0 || missing > builds) return 0.0;
    double share = (double)done / needed;
    return gold * (share * share) * 0.7;
}

enum { REACH_STEPS = 6 };

/* The free land that is at most some steps away, or of a terrain that the seat may build on anywhere. */
static Set within_steps(const State *state, int seat, Set buildable, int steps) {
    Set near = state->seats[seat].near, land = and_(state->free, buildable);
    Set reach = and_(near, land);
    for (int card = 0; card < CARDS; card++) {
        Set open = and_(state->free, state->setup->terrain[card]);
        if (!meets(open, near)) reach = or_(reach, open);
    }
    if (steps > REACH_STEPS) steps = REACH_STEPS;
    while (steps-- > 0) reach = or_(reach, and_(around(reach), land));
    return reach;
}

static double level_sectors(const State *state, int seat, double builds, Set buildable) {
    const Setup *setup = state->setup;
    Set pieces = state->seats[seat].own, reach = within_steps(state, seat, buildable, (int)(builds / 2));
    int counts[SECTORS];
    for (int sector = 0; sector < SECTORS; sector++) {
        int here = count(and_(setup->sectors[sector], pieces)), at = sector;
        for (; at && counts[at - 1] > here; at--) counts[at] = counts[at - 1];
        counts[at] = here;
    }
    double left = builds * 0.5, level = counts[0];
    for (int filled = 1; filled < SECTORS; filled++) {
        double step = least(counts[filled] - level, left / filled);
        level += step;
        left -= step * filled;
    }
    level += left / SECTORS;
    for (int sector = 0; sector < SECTORS; sector++)
        level = least(level, count(and_(setup->sectors[sector], or_(pieces, reach))));
    return 3 * (level - counts[0]) * 0.35;
}

static double joined_areas(const State *state, int seat, double builds, Set buildable) {
    static const double JOINED[] = {0.7, 0.45, 0.25};
    Set parts[HEXES], rest = state->seats[seat].own, land = and_(state->free, buildable), reach = EMPTY;
    int part_count = 0, largest = 0;
    while (any(rest)) {
        Set part = pop_area(&rest);
        int size = count(part);
        if (size > largest) reach = part, largest = size;
        parts[part_count++] = part;
    }
    double joined = 0.0;
    for (int step = 0; step < 3; step++) {
        reach = or_(reach, and_(around(reach), land));
        Set beside = around(reach);
        for (int i = 0; i < part_count; i++) {
            if (meets(parts[i], beside) && !meets(parts[i], reach)) {
                joined += JOINED[step] * count(parts[i]);
                reach = or_(reach, parts[i]);
            }
        }
    }
    return 0.5 * joined * least(1.0, builds / 6);
}

static double majorities(const State *state, int seat, double builds, const Shape *card) {
    const Setup *setup = state->setup;
    if (!builds) return 0.0;
    double swing = sqrt(builds), total = 0.0;
    for (int sector = 0; sector < SECTORS; sector++) {
        int mine = count(and_(state->seats[seat].own, setup->sectors[sector])), best = -1, next = -1;
        for (int other = 0; other < setup->players; other++) {
            if (other == seat) continue;
            int here = count(and_(state->seats[other].own, setup->sectors[sector]));
            if (here > best) next = best, best = here;
            else if (here > next) next = here;
        }
        double first = 0.5 + 0.5 * tanh((mine - best) / swing);
        total += 12 * first;
        if (setup->players == 2) total += 6 * (1 - first);
        else total += 6 * (1 - first) * (0.5 + 0.5 * tanh((mine - next) / swing));
    }
    return 0.4 * (total - score(state, seat, card));
}

static double links(const State *state, int seat, double builds, Set buildable, Set special) {
    static const double GOLD[] = {2.7, 1.6, 0.9};
    Set pieces = state->seats[seat].own, free = and_(state->free, buildable);
    double total = 0.0;
    while (any(pieces)) {
        Set reach = pop_area(&pieces), beside = around(reach), seen = and_(beside, special);
        if (!any(seen)) continue;
        for (int step = 0; step < 3; step++) {
            reach = or_(reach, and_(beside, free));
            beside = around(reach);
            Set found = without(and_(beside, special), seen);
            total += GOLD[step] * count(found);
            seen = or_(seen, found);
        }
    }
    return least(total, 16.0) * least(1.0, builds / 6);
}

static double ring(Set pieces, double builds, Set centres, double gold) {
    Set ones, twos, fours;
    neighbour_counts(pieces, &ones, &twos, &fours);
    if (meets(and_(fours, twos), centres)) return 0.0;
    if (meets(and_(fours, ones), centres)) return unfinished_task(gold, 5, 6, builds / 2);
    if (meets(fours, centres)) return unfinished_task(gold, 4, 6, builds / 2);
    return meets(twos, centres) ? unfinished_task(gold, 2, 6, builds / 2) : 0.0;
}

static double diagonal(Set pieces, double builds, double gold) {
    for (int length = 7; length >= 3; length--)
        if (any(runs(pieces, SE, length)) || any(runs(pieces, SW, length)))
            return unfinished_task(gold, length, 7, builds / 2);
    return 0.0;
}

double progress_of(const Evaluator *evaluator, const Heuristic *progress, const State *state, int seat, double builds) {
    const Set *sets = evaluator->sets + progress->first_set;
    Set pieces = state->seats[seat].own;
    int done = 0;
    switch (progress->shape) {
        case PROGRESS_level_sectors: return level_sectors(state, seat, builds, sets[0]);
        case PROGRESS_joined_areas: return joined_areas(state, seat, builds, sets[0]);
        case PROGRESS_majorities: return majorities(state, seat, builds, &state->setup->scores[progress->score]);
        case PROGRESS_links: return links(state, seat, builds, sets[0], sets[1]);
        case PROGRESS_every_set:
            for (int i = 0; i < progress->set_count; i++) done += meets(sets[i], pieces);
            return unfinished_task(progress->gold, done, progress->set_count, builds / 3);
        case PROGRESS_crowded_set:
            for (int i = 0; i < progress->set_count; i++) {
                int here = count(and_(sets[i], pieces));
                if (here > done) done = here;
            }
            return unfinished_task(progress->gold, done, 7, builds / 2);
        case PROGRESS_ring: return ring(pieces, builds, pieces, progress->gold);
        case PROGRESS_ring_around: return ring(pieces, builds, sets[0], progress->gold);
        case PROGRESS_diagonal: return diagonal(pieces, builds, progress->gold);
        case PROGRESS_turn_end:
            return seat == state->player ? count64((uint64_t)state->numbers[progress->field]) : 0.0;
        default: return 0.0;
    }
}

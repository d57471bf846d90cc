#include "hexes.h"

Set AREA, ROW[ROWS], QUARTER[4], NEAR[HEXES], TWO_AWAY[HEXES];

void prepare_hexes(void) {
    AREA = EMPTY;
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++) {
            int h = row * STRIDE - row / 2 + column;
            put(&AREA, h);
            put(&ROW[row], h);
            put(&QUARTER[row / (ROWS / 2) * 2 + column / (COLUMNS / 2)], h);
        }
    for (int h = 0; h < HEXES; h++) {
        NEAR[h] = has(&AREA, h) ? and_(around(of_hex(h)), AREA) : EMPTY;
        TWO_AWAY[h] = has(&AREA, h) ? and_(two_away(of_hex(h)), AREA) : EMPTY;
    }
}

Set two_away(Set x) {
    Set rows = or_(down(x, 1), up(x, 1));
    Set beside = or_(down(x, 2), up(x, 2));
    return or_(beside, or_(up(rows, 2 * STRIDE - 1), down(rows, 2 * STRIDE - 1)));
}

Set surrounded(Set x) {
    Set inner = x;
    EACH_WORD(i) inner.w[i] = ~(uint64_t)0;
    for (int d = 0; d < 6; d++) inner = and_(inner, shifted(x, DIRECTIONS[d]));
    return inner;
}

Set runs(Set x, int axis, int length) {
    while (--length > 0) x = and_(x, down(x, axis));
    return x;
}

Set within(Set x, int distance) {
    while (distance--) x = or_(x, and_(around(x), AREA));
    return x;
}

void neighbour_counts(Set x, Set *ones, Set *twos, Set *fours) {
    *ones = *twos = *fours = EMPTY;
    for (int d = 0; d < 6; d++) {
        Set more = shifted(x, DIRECTIONS[d]);
        Set carry = and_(*ones, more);
        *ones = xor_(*ones, more);
        *fours = or_(*fours, and_(*twos, carry));
        *twos = xor_(*twos, carry);
    }
}

Set pop_area(Set *x) {
    Set area = EMPTY, edge = of_hex(lowest(*x));
    while (any(edge)) {
        area = or_(area, edge);
        *x = without(*x, edge);
        edge = and_(around(edge), *x);
    }
    return area;
}

Set supported_moves(Set pieces, Set land) {
    Set beside = and_(around(pieces), land);
    if (!any(beside)) return EMPTY;
    Set supporters = and_(NEAR[lowest(beside)], pieces);
    if (!has_one(supporters) || meets(beside, around(xor_(pieces, supporters)))) return pieces;
    return xor_(pieces, supporters);
}

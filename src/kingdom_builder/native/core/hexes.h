/* Sets of hexes with the bit layout of kingdom_builder.hexes: bit `row * 23 - row / 2 + column`.

   448 bits hold the hexes: seven words of 64. The eighth word holds the choices that are not hexes, so that a set of
   actions is a set too. Sets of hexes have nothing in it. */

#ifndef KB_HEXES_H
#define KB_HEXES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { ROWS = 20, COLUMNS = 20, STRIDE = 23, HEXES = 448, HEX_WORDS = 7, WORDS = 8, NOWHERE = -1 };

typedef struct {
    uint64_t w[WORDS];
} Set;

#define EACH_WORD(i) for (int i = 0; i < WORDS; i++)

static const Set EMPTY = {{0}};

static inline uint64_t bit64(int n) { return (uint64_t)1 << n; }
static inline int lowest64(uint64_t x) { return __builtin_ctzll(x); }

/* How many bits of each byte are set. Counting so is portable and twice as fast as the compiler's own way without an
   instruction for it, which not every CPU has. */
static inline uint64_t count_in_bytes(uint64_t x) {
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    return (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
}

static inline int count64(uint64_t x) { return (int)(count_in_bytes(x) * 0x0101010101010101u >> 56); }

static inline Set and_(Set a, Set b) { EACH_WORD(i) a.w[i] &= b.w[i]; return a; }
static inline Set or_(Set a, Set b) { EACH_WORD(i) a.w[i] |= b.w[i]; return a; }
static inline Set xor_(Set a, Set b) { EACH_WORD(i) a.w[i] ^= b.w[i]; return a; }
static inline Set without(Set a, Set b) { EACH_WORD(i) a.w[i] &= ~b.w[i]; return a; }

static inline bool any(Set x) {
    uint64_t all = 0;
    EACH_WORD(i) all |= x.w[i];
    return all != 0;
}

static inline bool meets(Set a, Set b) { return any(and_(a, b)); }
static inline bool equal(Set a, Set b) { return !any(xor_(a, b)); }
static inline bool has(const Set *x, int h) { return x->w[h >> 6] >> (h & 63) & 1; }
static inline void put(Set *x, int h) { x->w[h >> 6] |= bit64(h & 63); }
static inline void drop(Set *x, int h) { x->w[h >> 6] &= ~bit64(h & 63); }
static inline Set of_hex(int h) { Set x = EMPTY; put(&x, h); return x; }

/* Add three words bit by bit: the sums are left in `a`, the carries are returned. */
static inline uint64_t carry_of(uint64_t *a, uint64_t b, uint64_t c) {
    uint64_t some = *a ^ b, carry = (*a & b) | (some & c);
    *a = some ^ c;
    return carry;
}

static inline int count(Set x) {
    uint64_t ones = x.w[0], twos;
    uint64_t first = carry_of(&ones, x.w[1], x.w[2]), second = carry_of(&ones, x.w[3], x.w[4]);
    twos = carry_of(&ones, x.w[5], x.w[6]);
    uint64_t fours = carry_of(&twos, first, second);
    uint64_t sum = count_in_bytes(ones) + 2 * count_in_bytes(twos) + 4 * count_in_bytes(fours) + count_in_bytes(x.w[7]);
    sum = (sum & 0x00ff00ff00ff00ffu) + (sum >> 8 & 0x00ff00ff00ff00ffu);
    return (int)(sum * 0x0001000100010001u >> 48);
}

/* The lowest member; NOWHERE if there is none. */
static inline int lowest(Set x) {
    EACH_WORD(i) if (x.w[i]) return 64 * i + lowest64(x.w[i]);
    return NOWHERE;
}

static inline bool has_one(Set x) { return count(x) == 1; }

/* Take the lowest member out of a set that is not empty. */
static inline int pop(Set *x) {
    int h = lowest(*x);
    x->w[h >> 6] &= x->w[h >> 6] - 1;
    return h;
}

/* The k-th lowest member, counted from 0. */
static inline int nth(const Set *x, int k) {
    EACH_WORD(i) {
        int here = count64(x->w[i]);
        if (k < here) {
            uint64_t word = x->w[i];
            while (k--) word &= word - 1;
            return 64 * i + lowest64(word);
        }
        k -= here;
    }
    return NOWHERE;
}

/* Every member moved up or down by some bits; what leaves the hexes is gone. */
static inline Set up(Set x, int by) {
    Set moved = EMPTY;
    int words = by >> 6, rest = by & 63;
    for (int i = HEX_WORDS - 1; i >= words; i--) {
        moved.w[i] = x.w[i - words] << rest;
        if (rest && i > words) moved.w[i] |= x.w[i - words - 1] >> (64 - rest);
    }
    return moved;
}

static inline Set down(Set x, int by) {
    Set moved = EMPTY;
    int words = by >> 6, rest = by & 63;
    for (int i = 0; i + words < HEX_WORDS; i++) {
        moved.w[i] = x.w[i + words] >> rest;
        if (rest && i + words + 1 < HEX_WORDS) moved.w[i] |= x.w[i + words + 1] << (64 - rest);
    }
    return moved;
}

static inline Set shifted(Set x, int by) { return by > 0 ? up(x, by) : down(x, -by); }

enum { E = 1, SE = STRIDE, SW = STRIDE - 1 };
static const int AXES[3] = {E, SE, SW};
static const int DIRECTIONS[6] = {E, -E, SE, SW, -SE, -SW};

/* Every hex next to a member. The result may have members and bits between the rows: intersect it. */
static inline Set around(Set x) {
    Set found = EMPTY;
    uint64_t before_a = 0, x_before = 0;
    for (int i = 0; i < HEX_WORDS; i++) {
        uint64_t after = i + 1 < HEX_WORDS ? x.w[i + 1] : 0;
        uint64_t after2 = i + 2 < HEX_WORDS ? x.w[i + 2] : 0;
        (void)after2;
        uint64_t east = x.w[i] << 1 | x_before >> 63, west = x.w[i] >> 1 | after << 63;
        uint64_t east_after = after << 1 | x.w[i] >> 63;
        uint64_t a = x.w[i] | west, b = x.w[i] | east, b_after = after | east_after;
        found.w[i] = east | west | a << STRIDE | before_a >> (64 - STRIDE) | b >> STRIDE;
        if (i + 1 < HEX_WORDS) found.w[i] |= b_after << (64 - STRIDE);
        before_a = a;
        x_before = x.w[i];
    }
    return found;
}

extern Set AREA;            /* the hexes of the 20 x 20 area */
extern Set ROW[ROWS];       /* its rows */
extern Set QUARTER[4];      /* its quarters of 10 x 10, the upper two first */
extern Set NEAR[HEXES];     /* the neighbours of each hex within the area */
extern Set TWO_AWAY[HEXES]; /* the hexes two steps in a straight line from each hex */

void prepare_hexes(void);

static inline int row_of(int h) {
    int row = h / STRIDE; /* rows begin ever earlier than their multiple of the stride */
    return h >= (row + 1) * STRIDE - (row + 1) / 2 ? row + 1 : row;
}

/* Every hex two steps in a straight line from a member. Intersect the result. */
Set two_away(Set x);

/* The hexes with six neighbours, all of them in the set. */
Set surrounded(Set x);

/* The first hex of every straight run of some length in a set. */
Set runs(Set x, int axis, int length);

/* Every hex at most some steps from a member. */
Set within(Set x, int distance);

/* How many neighbours in the set each hex has: the binary digits of the number. */
void neighbour_counts(Set x, Set *ones, Set *twos, Set *fours);

/* Take the area that holds the lowest member out of a set that is not empty. */
Set pop_area(Set *x);

/* The pieces that can be lifted and still leave a hex of the land next to one of the others. */
Set supported_moves(Set pieces, Set land);

#endif

#include "random.h"

enum { MIDDLE = 397 };

static void begin(Random *rng, uint32_t seed) {
    uint32_t *words = rng->words;
    words[0] = seed;
    for (uint32_t i = 1; i < RANDOM_WORDS; i++) words[i] = 1812433253u * (words[i - 1] ^ words[i - 1] >> 30) + i;
    rng->next = RANDOM_WORDS;
}

void seed_random(Random *rng, const uint32_t *key, int length) {
    static const uint32_t none = 0;
    if (!length) {
        key = &none;
        length = 1;
    }
    begin(rng, 19650218u);
    uint32_t *words = rng->words;
    int i = 1, j = 0;
    for (int k = length > RANDOM_WORDS ? length : RANDOM_WORDS; k; k--) {
        words[i] = (words[i] ^ (words[i - 1] ^ words[i - 1] >> 30) * 1664525u) + key[j] + (uint32_t)j;
        if (++i == RANDOM_WORDS) words[0] = words[RANDOM_WORDS - 1], i = 1;
        if (++j == length) j = 0;
    }
    for (int k = RANDOM_WORDS - 1; k; k--) {
        words[i] = (words[i] ^ (words[i - 1] ^ words[i - 1] >> 30) * 1566083941u) - (uint32_t)i;
        if (++i == RANDOM_WORDS) words[0] = words[RANDOM_WORDS - 1], i = 1;
    }
    words[0] = 0x80000000u;
}

static uint32_t twist(uint32_t here, uint32_t after, uint32_t far) {
    uint32_t y = (here & 0x80000000u) | (after & 0x7fffffffu);
    return far ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
}

static void refill(Random *rng) {
    uint32_t *words = rng->words;
    int i = 0;
    for (; i < RANDOM_WORDS - MIDDLE; i++) words[i] = twist(words[i], words[i + 1], words[i + MIDDLE]);
    for (; i < RANDOM_WORDS - 1; i++) words[i] = twist(words[i], words[i + 1], words[i + MIDDLE - RANDOM_WORDS]);
    words[i] = twist(words[i], words[0], words[MIDDLE - 1]);
    rng->next = 0;
}

uint32_t random_bits(Random *rng, int bits) {
    if (rng->next == RANDOM_WORDS) refill(rng);
    uint32_t y = rng->words[rng->next++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    y ^= y >> 18;
    return y >> (32 - bits);
}

double random_double(Random *rng) {
    uint32_t high = random_bits(rng, 27), low = random_bits(rng, 26);
    return (high * 67108864.0 + low) / 9007199254740992.0;
}

uint32_t random_below(Random *rng, uint32_t below) {
    int bits = 32 - __builtin_clz(below);
    uint32_t chosen = random_bits(rng, bits);
    while (chosen >= below) chosen = random_bits(rng, bits);
    return chosen;
}

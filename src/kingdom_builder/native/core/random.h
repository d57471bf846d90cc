/* The random numbers of Python's random.Random (Mersenne Twister), so that both cores draw the same cards. */

#ifndef KB_RANDOM_H
#define KB_RANDOM_H

#include <stdint.h>

enum { RANDOM_WORDS = 624 };

typedef struct {
    uint32_t words[RANDOM_WORDS];
    int next;
} Random;

/* The generator that Python makes of a seed that is not negative: `key` holds its 32-bit digits, lowest first. */
void seed_random(Random *rng, const uint32_t *key, int length);

double random_double(Random *rng);                      /* Random.random */
uint32_t random_bits(Random *rng, int bits);            /* Random.getrandbits, 1 to 32 bits */
uint32_t random_below(Random *rng, uint32_t below);     /* Random.randrange(below), for below > 0 */

#endif

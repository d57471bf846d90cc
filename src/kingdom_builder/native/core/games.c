#include "games.h"

int random_action(const Set *actions, Random *rng) {
    int choices = count(*actions);
    return nth(actions, choices > 1 ? (int)(random_double(rng) * choices) : 0);
}

long random_rollout(State *state, Random *rng) {
    long played = 0;
    for (; !state->over; played++) {
        if (state->awaiting) {
            if (!draw_at_random(state, rng)) return -1;
        } else {
            Set actions = legal(state);
            if (!any(actions)) return -1;
            apply(state, random_action(&actions, rng));
        }
    }
    return played;
}

long long perft(const State *state, int depth) {
    Set actions = legal(state);
    if (depth <= 1) return depth ? count(actions) : 1;
    long long positions = 0;
    while (any(actions)) {
        State after = *state;
        apply(&after, pop(&actions));
        positions += perft(&after, depth - 1);
    }
    return positions;
}

#include "batch.h"

static uint8_t *planes_of(const Batch *batch, int number) {
    return batch->planes + (size_t)number * (size_t)batch->layout.plane_count * PLANE;
}

static void draw_cards(Game *game) {
    while (game->state.awaiting && draw_at_random(&game->state, game->rng)) continue;
}

static const Set *known_legal(Game *game) {
    if (!game->is_known) game->legal = legal(&game->state);
    game->is_known = true;
    return &game->legal;
}

void begin_game(Batch *batch, int number, Random *rng) {
    Game *game = &batch->games[number];
    game->is_here = true;
    game->has_ended = game->is_known = false;
    game->rng = rng;
    memset(game->shown, 0, sizeof game->shown);
    write_setup(&game->encoding, planes_of(batch, number), batch->goals + (size_t)number * batch->layout.goal_count);
    draw_cards(game);
}

int play_games(Batch *batch, const int64_t *actions, int first) {
    for (int number = first; number < batch->size; number++) {
        Game *game = &batch->games[number];
        if (!game->is_here) return number;
        game->has_ended = false;
        int action = action_of(&game->encoding, actions[number]);
        if (action < 0 || !has(known_legal(game), action)) return number;
        game->mover = game->state.player;
        game->is_known = false;
        apply(&game->state, action);
        draw_cards(game);
        game->has_ended = game->state.over;
        if (game->has_ended) return number;
    }
    return batch->size;
}

void write_games(Batch *batch) {
    const Layout *layout = &batch->layout;
    for (int number = 0; number < batch->size; number++) {
        Game *game = &batch->games[number];
        if (!game->is_here) continue;
        const Set *actions = known_legal(game);
        int seat = game->state.player;
        batch->seats[number] = (int8_t)seat;
        uint8_t *planes = planes_of(batch, number);
        write_planes(&game->encoding, &game->state, seat, actions, game->shown, planes);
        write_vector(&game->encoding, &game->state, seat, batch->vectors + (size_t)number * layout->vector_size);
        int8_t *mask = batch->masks + (size_t)number * layout->action_count;
        write_mask(&game->encoding, &game->state, seat, actions, planes, mask);
    }
}

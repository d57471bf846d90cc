"""The Gymnasium environment `KingdomBuilder-v0`: one seat learns, the others are played by named players.

>>> import gymnasium
>>> env = gymnasium.make("kingdom_builder.learn:KingdomBuilder-v0", opponents=["greedy"])
>>> observation, info = env.reset(seed=7)
>>> bool((observation["action_mask"] == env.unwrapped.action_masks()).all())
True
"""

from collections.abc import Sequence
from random import Random
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from kingdom_builder.encoding import Arrays, to_axial
from kingdom_builder.learn.games import Against, Games, Illegal, Reward, begin, check_opponents, rewards, summary
from kingdom_builder.learn.pictures import RENDER_MODES, RenderMode, render
from kingdom_builder.learn.spaces import action_space, observation_space


class KingdomBuilderSingle(gymnasium.Env[Any, Any]):
    """One seat of a game. `step` goes on until that seat has to decide again, or the game is over."""

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 4}

    def __init__(
        self,
        opponents: Sequence[str] = ("greedy",),
        sets: Sequence[str] = ("base",),
        *,
        seat: int | None = None,
        games: Games | None = None,
        reward: Reward = "victory",
        axial: bool = False,
        gold: bool = False,
        illegal: Illegal = "lose",
        render_mode: RenderMode | None = None,
    ) -> None:
        """`opponents` are names of players, one for each other seat; where `games` has more seats they start over.

        Without `seat` the learner gets a random seat in each game. An illegal action loses the game, as in PettingZoo,
        and the reason is in the info; or it raises `IllegalAction`. `games`, `axial` and `gold` are as in `aec`.
        """
        self.render_mode = render_mode
        self._opponents = check_opponents(opponents)
        self._games = games or Games(len(self._opponents) + 1, tuple(sets))
        self._seat = seat
        self._reward: Reward = reward
        self._axial, self._gold = axial, gold
        self._illegal: Illegal = illegal
        self._rng = Random()
        self.observation_space = observation_space(axial=axial)
        self.action_space = action_space()
        self._run: Against

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Arrays, dict[str, Any]]:
        """Begin a game. `options` may have a `setup`, or a `position` as text, in place of a new setup."""
        super().reset(seed=seed)
        if seed is not None:
            self._rng = Random(seed)
        run = begin(self._games, self._rng, options, seat=self._seat, opponents=self._opponents, gold=self._gold)
        assert isinstance(run, Against)
        self._run = run
        setup = run.state.setup
        goals = [card.text for card in (*setup.cards, *setup.tasks)]
        return self._observation(), {"goal_text": goals, "seat": run.seat}

    def step(self, action: int) -> tuple[Arrays, float, bool, bool, dict[str, Any]]:
        try:
            self._run.play(int(action))
        except ValueError as reason:  # IllegalAction, or an action that this setup does not have
            if self._illegal == "raise":
                raise
            return self._observation(), -1.0, True, False, {"illegal": str(reason), "seat": self._run.seat}
        state, seat = self._run.state, self._run.seat
        if not state.over:
            return self._observation(), 0.0, False, False, {}
        return self._observation(), rewards(state, self._reward)[seat], True, False, {"seat": seat, **summary(state)}

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, as MaskablePPO asks for them."""
        return self._run.encoder.mask(self._run.state).astype(bool)

    def render(self) -> Any:
        return render(self._run.state, self.render_mode)

    def _observation(self) -> Arrays:
        seen = self._run.encoder.observation(self._run.state, self._run.seat)
        if self._axial:
            seen["planes"] = to_axial(seen["planes"])
        return seen

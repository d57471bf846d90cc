"""The PettingZoo environment `kingdom_builder_v0`: all seats act in turn, each sees what it may know.

>>> from kingdom_builder.learn import kingdom_builder_v0
>>> env = kingdom_builder_v0.env(players=3)
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     action = None if termination else env.action_space(agent).sample(observation["action_mask"])
...     env.step(action)
"""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from kingdom_builder.encoding import Arrays, to_axial
from kingdom_builder.learn.games import Games, Illegal, Reward, Run, begin, rewards, summary
from kingdom_builder.learn.pictures import RENDER_MODES, RenderMode, render
from kingdom_builder.learn.spaces import action_space, observation_space, state_space
from kingdom_builder.notation import position_of
from kingdom_builder.rules import EVERYTHING, observe


def env(**options: Any) -> "KingdomBuilderEnv":
    """The environment; an illegal action loses the game for the agent, as with PettingZoo's own wrappers."""
    return KingdomBuilderEnv(**options)


def raw_env(**options: Any) -> "KingdomBuilderEnv":
    """The environment; an illegal action raises `IllegalAction` and changes nothing."""
    return KingdomBuilderEnv(illegal="raise", **options)


class KingdomBuilderEnv(AECEnv[str, Any, Any]):
    """A game with an agent for each seat. Cards are drawn inside of `step`."""

    metadata: dict[str, Any] = {
        "name": "kingdom_builder_v0",
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(
        self,
        players: int = 2,
        sets: Sequence[str] = ("base",),
        *,
        games: Games | None = None,
        reward: Reward = "victory",
        axial: bool = False,
        gold: bool = False,
        illegal: Illegal = "lose",
        render_mode: RenderMode | None = None,
    ) -> None:
        """`games` says where setups come from and takes the place of `players` and `sets`.

        `axial` skews the planes into axial coordinates; `gold` fills in the gold by card so far, which takes time.
        `illegal` says what an illegal action does: `lose`, or `raise` an `IllegalAction`.
        """
        super().__init__()
        self.render_mode = render_mode
        self._games = games or Games(players, tuple(sets))
        self._reward: Reward = reward
        self._axial, self._gold = axial, gold
        self._illegal: Illegal = illegal
        self._rng = Random()
        most = self._games.most_players
        self.possible_agents = [f"seat_{seat}" for seat in range(most)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observation_space = cache(lambda agent: observation_space(axial=axial))
        self._action_space = cache(lambda agent: action_space())
        self.state_space = state_space()
        self.agents: list[str] = []
        self._started: Run | None = None

    @property
    def _run(self) -> Run:
        """The game that is played."""
        if self._started is None:
            raise RuntimeError("no game yet: expected a call of reset() first")
        return self._started

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observation_space(agent)

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._action_space(agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. `options` may have a `setup`, or a `position` as text, in place of a new setup."""
        if seed is not None:
            self._rng = Random(seed)
        self._started = begin(self._games, self._rng, options, gold=self._gold)
        state = self._run.state
        players = state.setup.players
        if players > len(self.possible_agents):
            raise ValueError(f"a game of {players}: expected at most {len(self.possible_agents)}, the agents there are")
        self.agents = self.possible_agents[:players]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        goals = [card.text for card in (*state.setup.cards, *state.setup.tasks)]
        self.infos: dict[str, dict[str, Any]] = {agent: {"goal_text": goals} for agent in self.agents}
        self.agent_selection = self.agents[state.player]
        self._skip_agent_selection = None

    def observe(self, agent: str) -> Arrays:
        seen = self._run.encoder.observation(self._run.state, self._seats[agent])
        if self._axial:
            seen["planes"] = to_axial(seen["planes"])
        return seen

    def state(self) -> NDArray[np.float32]:
        """Everything, hidden cards too, as one array: planes, vector and goal from the first seat."""
        run = self._run
        planes, vector = run.encoder.planes(run.state, EVERYTHING), run.encoder.vector(run.state, EVERYTHING)
        return np.concatenate([planes.reshape(-1).astype(np.float32), vector, run.encoder.goal.astype(np.float32)])

    def position(self) -> str:
        """The position line of the game as the agent in turn sees it, to store, to show or to go on from."""
        return position_of(observe(self._run.state, self._run.state.player))

    def step(self, action: int | None) -> None:
        run = self._run
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        try:
            run.play(int(action))
        except ValueError as reason:  # IllegalAction, or an action that this setup does not have
            if self._illegal == "raise":
                raise
            self._lose(agent, str(reason))
        if run.state.over:
            self._end()
        self.agent_selection = self.possible_agents[run.state.player]

    def _lose(self, agent: str, reason: str) -> None:
        """End the game since an agent did what is illegal: it loses 1, the others nothing."""
        self.rewards[agent] = -1.0
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos[agent]["illegal"] = reason
        self._accumulate_rewards()

    def _end(self) -> None:
        earned, told = rewards(self._run.state, self._reward), summary(self._run.state)
        for seat, agent in enumerate(self.agents):
            self.rewards[agent] = earned[seat]
            self.terminations[agent] = True
            self.infos[agent] = {"seat": seat, **told}
        self._accumulate_rewards()

    def render(self) -> Any:
        return render(self._run.state, self.render_mode)

    def close(self) -> None:
        pass

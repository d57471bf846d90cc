"""Players that choose by numbers: a policy sees arrays and answers with an action of the encoding; networks in files.

Needs numpy, and onnxruntime for the files (the extra `onnx`).
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kingdom_builder.encoding import ACTIONS, GOALS, PLANES, VECTOR_SIZE, Encoder, check_version
from kingdom_builder.hexes import COLS, ROWS
from kingdom_builder.rules import Action, Observation

METADATA = "kingdom_builder_encoding"
"""The key under which a file says for which version of the encoding it was made."""

INPUTS: dict[str, tuple[int, ...]] = {
    "planes": (len(PLANES), ROWS, COLS),
    "vector": (VECTOR_SIZE,),
    "goal": (len(GOALS),),
}
"""What a network may read, each with the shape of one observation."""

OUTPUT = "policy"
"""What it answers: a number for each action; the highest of a legal one is played."""

TYPES: dict[str, type[np.generic]] = {
    "tensor(float)": np.float32,
    "tensor(float16)": np.float16,
    "tensor(double)": np.float64,
    "tensor(uint8)": np.uint8,
    "tensor(int8)": np.int8,
    "tensor(int64)": np.int64,
}

Policy: TypeAlias = Callable[[Mapping[str, NDArray[np.generic]]], int]
"""Chooses an action of the encoding for what a seat sees: planes, vector, goal and action_mask."""


class PolicyPlayer:
    """A policy as a player."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._encoder: Encoder | None = None

    def choose(self, seen: Observation) -> Action:
        if self._encoder is None or self._encoder.setup is not seen.setup:
            self._encoder = Encoder(seen.setup)
        observation = self._encoder.observation(seen, seen.player)
        number = int(self._policy(observation))
        if not 0 <= number < ACTIONS or not observation["action_mask"][number]:
            raise ValueError(f"the policy chose action {number}: expected one that the action mask allows")
        return self._encoder.action(number)


class Network:
    """The policy of an ONNX file."""

    def __init__(self, file: str) -> None:
        """Raises ValueError if the file cannot be played with."""
        self._session = _session(file)
        self._types = _input_types(self._session, file)

    def __call__(self, observation: Mapping[str, NDArray[np.generic]]) -> int:
        given = {name: observation[name][np.newaxis].astype(kind) for name, kind in self._types.items()}
        [logits] = self._session.run([OUTPUT], given)[0]
        return int(np.where(observation["action_mask"] != 0, logits, -np.inf).argmax())


def network_player(file: str) -> PolicyPlayer:
    """The player of an ONNX file. Raises ValueError if the file cannot be played with."""
    path = Path(file)
    if not path.is_file():
        raise ValueError(f"{file!r} is not a network: expected an ONNX file")
    return PolicyPlayer(_network(str(path.resolve()), path.stat().st_mtime_ns))


@lru_cache(maxsize=8)
def _network(file: str, changed: int) -> Network:
    """The network of a file that was changed at this time: several seats and games share it."""
    return Network(file)


def _session(file: str) -> Any:
    try:
        import onnxruntime
    except ImportError:
        raise ValueError(
            "a network needs the package onnxruntime: expected after pip install 'kingdom-builder[onnx]'"
        ) from None
    options = onnxruntime.SessionOptions()
    # One thread: sums are added up in the same order in every run, and the games of an arena have a core each.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3  # what is wrong with a file becomes our sentence, and hints are not for players
    try:
        return onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the classes of its errors are private
        reason = str(error).strip().splitlines()[0]
        raise ValueError(f"{file!r} is not a network: onnxruntime cannot read it ({reason})") from None


def _input_types(session: Any, file: str) -> dict[str, type[np.generic]]:
    """The inputs that a network reads, with their types. Raises ValueError if they are not those of the encoding."""
    found = session.get_modelmeta().custom_metadata_map.get(METADATA)
    if found is None:
        raise ValueError(f"{file!r} does not say its version of the encoding: expected the metadata {METADATA}")
    check_version(int(found) if found.isdecimal() else found, repr(file))
    if OUTPUT not in [output.name for output in session.get_outputs()]:
        raise ValueError(f"{file!r} has no output {OUTPUT}: expected one of {ACTIONS} numbers")
    types: dict[str, type[np.generic]] = {}
    for each in session.get_inputs():
        if each.name not in INPUTS:
            raise ValueError(f"{file!r} has an input {each.name}: expected some of {', '.join(INPUTS)}")
        if each.type not in TYPES or not _fits(each.shape[1:], INPUTS[each.name]):
            raise ValueError(
                f"{file!r}: input {each.name} is {each.type} {list(each.shape)}: "
                f"expected numbers [N, {', '.join(map(str, INPUTS[each.name]))}]"
            )
        types[each.name] = TYPES[each.type]
    return types


def _fits(found: Sequence[object], expected: tuple[int, ...]) -> bool:
    """Whether a shape is the expected one; names in it stand for any number."""
    return len(found) == len(expected) and all(
        n == m or not isinstance(n, int) for n, m in zip(found, expected, strict=True)
    )

"""Networks as players: files that were made for our encoding play, others are refused in one sentence."""

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper

from kingdom_builder.arena.tournament import Tournament
from kingdom_builder.cli.main import main
from kingdom_builder.content import first_game, random_setup
from kingdom_builder.encoding import ACTIONS, GOALS, PLANES, VECTOR_SIZE, VERSION, Encoder, spaces
from kingdom_builder.game import Game
from kingdom_builder.hexes import bits, parse_hex
from kingdom_builder.message import Refusal
from kingdom_builder.notation import position_of
from kingdom_builder.players import LEVELS, make_player, seconds_of
from kingdom_builder.players.network import METADATA, Network, PolicyPlayer
from kingdom_builder.players.registry import OFFERED, offer_networks
from kingdom_builder.rules import END, State, observe
from kingdom_builder.server.catalogue import catalogue
from kingdom_builder.server.desk import bot_turn
from kingdom_builder.server.people import check_level

PREFERRED = "s5"
"""The hex that the network of these tests likes best; then it likes those with high numbers."""

PREFERRED_NUMBER = 4 * 20 + 18


def liking(number: int) -> float:
    """How much the network of these tests likes an action."""
    return 1000 if number == PREFERRED_NUMBER else -1000 if number == spaces.END else number


def write_network(
    file: Path,
    version: str | None = str(VERSION),
    inputs: Mapping[str, tuple[int, list[str | int | None]]] | None = None,
    output: str = "policy",
) -> str:
    """Write a network whose logits rise with the number of the action; the planes of the map add nothing to them."""
    inputs = inputs or {
        "planes": (TensorProto.UINT8, ["N", len(PLANES), 20, 20]),
        "vector": (TensorProto.FLOAT, ["N", VECTOR_SIZE]),
        "goal": (TensorProto.FLOAT, ["N", len(GOALS)]),
    }
    logits = np.array([[liking(number) for number in range(ACTIONS)]], np.float32)
    nodes = [
        *[helper.make_node("Cast", [name], [f"{name} float"], to=TensorProto.FLOAT) for name in inputs],
        *[helper.make_node("Flatten", [f"{name} float"], [f"{name} flat"]) for name in inputs],
        helper.make_node("Concat", [f"{name} flat" for name in inputs], ["all"], axis=1),
        helper.make_node("ReduceSum", ["all", "axes"], ["sum"], keepdims=1),
        helper.make_node("Mul", ["sum", "zero"], ["nothing"]),
        helper.make_node("Add", ["nothing", "by number"], [output]),
    ]
    graph = helper.make_graph(
        nodes,
        "test",
        [helper.make_tensor_value_info(name, kind, shape) for name, (kind, shape) in inputs.items()],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, ["N", ACTIONS])],
        [
            onnx.numpy_helper.from_array(logits, "by number"),
            onnx.numpy_helper.from_array(np.zeros(1, np.float32), "zero"),
            onnx.numpy_helper.from_array(np.array([1], np.int64), "axes"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)
    if version is not None:
        helper.set_model_props(model, {METADATA: version})
    onnx.save(model, str(file))
    return str(file)


@pytest.fixture
def network(tmp_path: Path) -> str:
    return write_network(tmp_path / "best.onnx")


def test_it_plays_the_legal_action_with_the_highest_number(network: str) -> None:
    game = Game.first(seed=1)
    player = make_player(f"onnx:{network}")
    assert player.choose(observe(game.state, 0)) == parse_hex(PREFERRED)
    game.play(PREFERRED)
    encoder = Encoder(game.setup)
    for _ in range(30):
        seen = observe(game.state, game.player)
        action = player.choose(seen)
        legal = {encoder.number(each): each for each in bits(seen.legal()) if each != END}
        assert action == (legal[max(legal, key=liking)] if legal else END)
        game.apply(action)
        game.draw()


def test_the_numbers_reach_the_network_as_they_are(network: str) -> None:
    """The logits do not depend on the observation in this network, so the inputs are looked at on their way."""
    seen = Encoder(first_game()).observation(Game.first(seed=1).state, 0)
    found = Network(network)
    given: dict[str, NDArray[np.generic]] = {}
    run: Callable[..., list[NDArray[np.float32]]] = found._session.run

    class Watched:
        def run(self, outputs: list[str], inputs: dict[str, NDArray[np.generic]]) -> list[NDArray[np.float32]]:
            given.update(inputs)
            return run(outputs, inputs)

    found._session = Watched()
    found(seen)
    assert {name: (array.dtype, array.shape) for name, array in given.items()} == {
        "planes": (np.dtype(np.uint8), (1, 44, 20, 20)),
        "vector": (np.dtype(np.float32), (1, 676)),
        "goal": (np.dtype(np.float32), (1, 25)),
    }
    assert all((given[name][0] == seen[name]).all() for name in given)


def test_planes_may_be_floats_and_inputs_may_be_left_out(tmp_path: Path) -> None:
    planes: tuple[int, list[str | int | None]] = (TensorProto.FLOAT, ["N", len(PLANES), 20, 20])
    file = write_network(tmp_path / "planes.onnx", inputs={"planes": planes})
    game = Game.first(seed=1)
    assert make_player(f"onnx:{file}").choose(observe(game.state, 0)) == parse_hex(PREFERRED)


def test_it_plays_in_the_arena_and_games_repeat(network: str) -> None:
    tournament = Tournament(
        [f"onnx:{network}", f"net=onnx:{network}", "random"], seats=2, sets=("base", "nomads"), seed=3
    )
    results = [tournament.play(game) for game in range(3)]
    assert [result.faults for result in results] == [[], [], []]
    assert [tournament.play(game).record for game in range(3)] == [result.record for result in results]
    assert results[0].players == [f"onnx:{network}", "net"]
    assert seconds_of(f"onnx:{network}") is None


def test_it_plays_in_the_terminal(network: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["play", "--humans", "0", "--bots", f"onnx:{network},random", "--seed", "1"])
    assert ended.value.code == 0
    assert re.search(r"(A|B|both|Both).*w[io]ns?", capsys.readouterr().out)


def test_a_file_that_was_replaced_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "best.onnx"
    write_network(file)
    make_player(f"onnx:{file}")
    write_network(file, version="99")
    with pytest.raises(ValueError, match="version 99"):
        make_player(f"onnx:{file}")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"version": "99"}, f"is made for version 99 of the encoding: expected version {VERSION}"),
        ({"version": "new"}, f"is made for version new of the encoding: expected version {VERSION}"),
        ({"version": None}, f"does not say its version of the encoding: expected the metadata {METADATA}"),
        ({"output": "logits"}, "has no output policy: expected one of 450 numbers"),
        (
            {"inputs": {"image": (TensorProto.FLOAT, ["N", 44, 20, 20])}},
            "has an input image: expected some of planes, vector, goal",
        ),
        (
            {"inputs": {"planes": (TensorProto.FLOAT, ["N", 40, 20, 20])}},
            "input planes is tensor(float) ['N', 40, 20, 20]: expected numbers [N, 44, 20, 20]",
        ),
        (
            {"inputs": {"vector": (TensorProto.FLOAT, ["N", 26, 26])}},
            "input vector is tensor(float) ['N', 26, 26]: expected numbers [N, 676]",
        ),
    ],
)
def test_a_network_for_something_else_is_refused(tmp_path: Path, changes: dict[str, object], reason: str) -> None:
    file = write_network(tmp_path / "other.onnx", **changes)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    with pytest.raises(ValueError, match=re.escape(reason)) as found:
        make_player(f"onnx:{file}")
    assert "\n" not in str(found.value)


def test_what_is_no_network_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "text.onnx"
    file.write_text("no network", "utf-8")
    with pytest.raises(ValueError, match=r"text.onnx' is not a network: onnxruntime cannot read it \(.*\)$"):
        make_player(f"onnx:{file}")
    with pytest.raises(ValueError, match=r"nowhere.onnx' is not a network: expected an ONNX file$"):
        make_player(f"onnx:{tmp_path / 'nowhere.onnx'}")


@pytest.mark.parametrize("missing", ["onnxruntime", "kingdom_builder.players.network"])
def test_without_its_packages_one_sentence_says_what_to_do(
    missing: str, network: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second case is numpy, which the module needs to be imported at all."""
    other = Path(network).with_name("other.onnx")
    write_network(other)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ValueError, match=r"a network needs .*: expected after pip install 'kingdom-builder\[onnx\]'$"):
        make_player(f"onnx:{other}")


def test_nobody_names_a_file_to_a_server(network: str) -> None:
    for name in (f"onnx:{network}", f"net=onnx:{network}", f"easy=onnx:{network}"):
        with pytest.raises(Refusal, match="There is no bot"):
            check_level(name)


@pytest.fixture
def offered(network: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server whose operator offers the network as `alpha`; this process has not looked yet, as its workers."""
    monkeypatch.setenv(OFFERED, f"alpha={network}")
    catalogue.cache_clear()
    yield
    LEVELS.pop("alpha", None)
    catalogue.cache_clear()


def test_a_server_offers_a_network_by_the_name_that_its_operator_gave(offered: None, network: str) -> None:
    offer_networks()
    check_level("alpha")
    assert [(level.key, level.text) for level in catalogue().levels][-1] == (
        "alpha",
        "A neural network of this server.",
    )
    for name in (f"onnx:{network}", f"alpha:{network}", "beta"):
        with pytest.raises(Refusal, match="There is no bot"):
            check_level(name)


def test_a_worker_knows_what_its_server_offers(offered: None) -> None:
    game = Game.first(seed=1)
    turn = bot_turn("alpha", position_of(observe(game.state, 0)), "seed")
    assert turn.fault is None
    assert turn.moves[0] == PREFERRED


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("best.onnx", "expected NAME=FILE, and neither spaces nor commas in it"),
        ("a=my best.onnx", "expected NAME=FILE, and neither spaces nor commas in it"),
        ("greedy=best.onnx", "greedy is a bot of ours, expected another name"),
        ("a=nowhere.onnx", "'nowhere.onnx' is not a network: expected an ONNX file"),
    ],
)
def test_a_server_does_not_start_with_a_network_that_cannot_play(
    text: str, reason: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(OFFERED, "")
    with pytest.raises(SystemExit) as ended:
        main(["serve", "--network", text])
    assert ended.value.code == 2
    assert reason in capsys.readouterr().err


def test_a_policy_that_chooses_what_is_not_legal_fails() -> None:
    seen = observe(Game.first(seed=1).state, 0)
    for number in (10, -1, ACTIONS, spaces.END):
        with pytest.raises(ValueError, match=f"the policy chose action {number}: expected one that the action mask"):
            PolicyPlayer(lambda observation, number=number: number).choose(seen)  # type: ignore[misc]


def test_a_policy_plays_game_after_game_of_different_setups() -> None:
    player = PolicyPlayer(lambda observation: int(np.flatnonzero(observation["action_mask"])[-1]))
    for seed, sets in enumerate((("base",), ("base", "nomads"), ("crossroads", "harvest"))):
        game = Game(State(random_setup(Random(seed), 3, sets=sets)), seed)
        for _ in range(60):
            game.apply(player.choose(observe(game.state, game.player)))
            game.draw()

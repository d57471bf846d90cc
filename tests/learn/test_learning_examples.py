"""The examples run: each in a short form, that its figures can be trusted is in docs/learn.md."""

import json
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "learn"


@pytest.fixture(autouse=True)
def beside_the_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))


def run_main(module: str, monkeypatch: pytest.MonkeyPatch, *arguments: object) -> None:
    """Run an example as its reader would."""
    monkeypatch.setattr(sys, "argv", [module, *map(str, arguments)])
    __import__(module).main()


def test_a_notebook_runs_from_top_to_bottom(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMES", "3")
    notebook = json.loads((EXAMPLES / "tour.ipynb").read_text(encoding="utf-8"))
    code = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(code) > 5
    names: dict[str, object] = {}
    for cell in code:
        exec(cell, names)
    assert all(cell["outputs"] == [] for cell in notebook["cells"] if cell["cell_type"] == "code")
    assert names["points"]


def test_a_language_model_plays_to_the_end(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    run_main("llm_agent", monkeypatch, "--games", 1)
    assert "0 answers of no use" in capsys.readouterr().out


def test_a_model_that_answers_nonsense_ends_its_game_all_the_same() -> None:
    import llm_agent

    from kingdom_builder.learn.text import TextEnvironment

    rng = Random(1)

    def confused(text: str) -> str:
        return rng.choice(["MOVE: z99", "I do not know.", "MOVE:", llm_agent.stand_in(1)(text)])

    reward, useless = llm_agent.play(TextEnvironment(["random"]), confused, 1)
    assert reward in (-1.0, 0.0, 1.0)
    assert useless > 10


def test_ppo_learns_the_small_map(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_main(
        "ppo_small", monkeypatch, "--seconds", 2, "--games", 4, "--out", tmp_path / "m.zip", "--curve", tmp_path / "c"
    )
    assert "the model wins" in capsys.readouterr().out
    assert (tmp_path / "m.zip").exists()
    assert (tmp_path / "c").read_text().startswith("seconds,decisions,won")


def test_ppo_learns_the_same_from_the_same_seed_and_number_of_decisions() -> None:
    import torch
    from ppo_small import Curve, train

    def weights(seed: int, every: float) -> torch.Tensor:
        model = train(seed, Curve(600, every, 1, decisions=2056))  # one update, after 2,048
        assert model.num_timesteps == 2056
        return torch.nn.utils.parameters_to_vector(model.policy.parameters())

    first = weights(7, 600)
    assert torch.equal(first, weights(7, 0.5)), "looking at the win rate changes nothing"
    assert not torch.equal(first, weights(8, 600))


def test_a_network_learns_from_a_search_then_from_itself_and_plays_as_a_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from kingdom_builder.content import first_game
    from kingdom_builder.learn.games import Run
    from kingdom_builder.players import make_player
    from kingdom_builder.rules import observe

    small = ("--seconds", 2, "--threads", 1)
    size = ("--channels", 8, "--layers", 1)
    run_main("imitate", monkeypatch, *small, *size, "--games", 1, "--positions", 20, "--out", tmp_path / "a.pt")
    assert "% best choices" in capsys.readouterr().out
    run_main("selfplay", monkeypatch, "--start", tmp_path / "a.pt", *small, "--out", tmp_path / "b.pt")
    run_main("torch_to_onnx", monkeypatch, tmp_path / "b.pt", tmp_path / "b.onnx")
    player = make_player(f"onnx:{tmp_path / 'b.onnx'}")
    run = Run(first_game(), Random(1))
    for _ in range(20):
        run.act(player.choose(observe(run.state, run.state.player)))


def test_the_file_answers_as_the_network_does(tmp_path: Path) -> None:
    import onnxruntime
    import torch
    from network import Network
    from torch_to_onnx import export

    from kingdom_builder.content import first_game
    from kingdom_builder.learn.games import Run

    torch.manual_seed(1)
    network = Network(8, 2)
    export(network, tmp_path / "n.onnx")
    run = Run(first_game(), Random(1))
    seen = run.encoder.observation(run.state, run.state.player)
    given = {name: seen[name][None].astype(np.float32) for name in ("planes", "vector", "goal")}
    session = onnxruntime.InferenceSession(str(tmp_path / "n.onnx"), providers=["CPUExecutionProvider"])
    (answer,) = session.run(None, given)
    with torch.no_grad():
        expected, _ = network(*(torch.from_numpy(each) for each in given.values()))
    np.testing.assert_allclose(np.asarray(answer), expected.numpy(), atol=1e-4)


def test_hexes_of_the_network_are_where_they_were() -> None:
    """What is up to two steps away from a hex decides the logit of its action, and nothing else on the board does."""
    import torch
    from network import Network

    from kingdom_builder.encoding.spaces import PLANE
    from kingdom_builder.hexes import ALL, NEAR, bits

    torch.manual_seed(1)
    network = Network(4, 0)
    torch.nn.init.zeros_(network.mood.weight)  # else the whole board would decide as well
    planes = torch.zeros(1, 44, 20, 20)
    planes[:, PLANE["legal"]] = 1
    vector, goal = torch.zeros(1, 676), torch.zeros(1, 25)
    before, _ = network(planes, vector, goal)
    for number in (0, 19, 20, 37, 210, 399):
        lit = planes.clone()
        lit.view(1, 44, -1)[0, PLANE["ships"], number] = 5
        after, _ = network(lit, vector, goal)
        near = {ALL[number], *bits(NEAR[ALL[number]])}
        close = {h for other in near for h in (other, *bits(NEAR[other]))}
        changed = (after - before)[0, :400].abs() > 1e-6
        assert {h for h, is_changed in zip(ALL, changed.tolist(), strict=True) if is_changed} == close


def test_a_convolution_sees_a_hex_and_its_neighbours() -> None:
    import torch
    from network import HexConv, around

    from kingdom_builder.hexes import ALL, NEAR, bits

    torch.manual_seed(1)
    conv = HexConv(1, 1)
    for number in (0, 19, 20, 37, 210, 399):
        lit = torch.zeros(1, 1, 400)
        lit[..., number] = 1
        lit = lit.unflatten(2, (20, 20))
        near = {ALL[number], *bits(NEAR[ALL[number]])}
        for found in (conv(lit) - conv(0 * lit), around(lit)):
            assert {h for h, is_lit in zip(ALL, (found.flatten() != 0).tolist(), strict=True) if is_lit} == near

"""The page is told what has changed, and that is enough."""

from random import Random

from browser.users import Browsers


def test_turns_are_played_by_differences_on_one_connection(visit: Browsers) -> None:
    """A page that cannot apply a difference connects again, which nobody would notice."""
    user = visit()
    sent: list[str] = []
    received: list[str] = []
    user.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    user.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: received.append(str(frame))))
    user.open()
    user.press("play-now")
    rng = Random(1)
    for _ in range(3):
        user.await_turn()
        user.play_turn(rng)
    user.await_turn()
    kinds = [frame.partition(",")[0] for frame in received]
    assert kinds.count('{"type":"welcome"') == 1
    assert kinds.count('{"type":"difference"') > 10
    assert '{"type":"update"' not in kinds
    assert len([frame for frame in sent if '"hello"' in frame]) == 1

"""Programs that wait for their next game, so that they need not start anew.

A process that plays many games keeps them, if it has called `keep_programs`. It ends them when it ends itself.
"""

from time import monotonic

from kingdom_builder.players.programs import QUIT_SECONDS, Program

_waiting: dict[str, list[Program]] | None = None
"""The programs by the name of their player; None if none are kept."""


def keep_programs() -> None:
    """From now on keep programs that can play another game, until `end_programs`."""
    global _waiting
    _waiting = {}


def keep(player: str, program: Program) -> bool:
    """Let a program wait for the next game of a player; returns False if programs are not kept."""
    if _waiting is None:
        return False
    _waiting.setdefault(player, []).append(program)
    return True


def take(player: str) -> Program | None:
    """A program that waits for a game of this player."""
    programs = (_waiting or {}).get(player)
    return programs.pop() if programs else None


def end_programs() -> None:
    """End all programs of this process: those in the middle of a game at once, the others in their own way."""
    global _waiting
    waiting = [program for programs in (_waiting or {}).values() for program in programs]
    _waiting = None
    for program in Program.running - set(waiting):
        program.kill()
    for program in waiting:
        program.ask_to_quit()
    deadline = monotonic() + QUIT_SECONDS
    for program in waiting:
        program.wait(max(0.0, deadline - monotonic()))

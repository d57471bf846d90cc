"""All attacks, by name."""

from siege.attacks import answers, door, frames, strangers, tables, thinking
from siege.attacks.listed import ATTACKS, Siege

__all__ = ["ATTACKS", "Siege", "answers", "door", "frames", "strangers", "tables", "thinking"]

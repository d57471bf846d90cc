"""What a person is told about themselves and others."""

from dataclasses import dataclass


@dataclass(slots=True)
class Me:
    """The person at this device."""

    id: str
    """A number that others may see; it opens nothing."""
    name: str
    """Empty for a guest who has not chosen one."""
    member: bool
    """Whether they can sign in at another device."""
    role: str
    """What they may do for the operator: `admin`, or empty."""

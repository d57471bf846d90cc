"""Makes the environments known to Gymnasium and PettingZoo.

Older versions of Gymnasium find `register` by the entry point `gymnasium.envs`; since 1.4 they look for none.
"""

from gymnasium.envs.registration import register as register_gymnasium
from gymnasium.envs.registration import registry
from pettingzoo.env_registry import register as register_pettingzoo
from pettingzoo.env_registry.registration import aec_registry

GYMNASIUM_ID = "KingdomBuilder-v0"
PETTINGZOO_ID = "kingdom_builder-v0"


def register() -> None:
    """Register the environments, once."""
    if GYMNASIUM_ID not in registry:
        register_gymnasium(
            GYMNASIUM_ID,
            entry_point="kingdom_builder.learn.single:KingdomBuilderSingle",
            vector_entry_point="kingdom_builder.learn.vector:KingdomBuilderVector",
        )
    if PETTINGZOO_ID not in aec_registry:
        register_pettingzoo("aec", PETTINGZOO_ID, entry_point="kingdom_builder.learn.aec:env")

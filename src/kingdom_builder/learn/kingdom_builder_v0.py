"""The first version of the PettingZoo environment, under the name that PettingZoo expects."""

from kingdom_builder.learn.aec import env, raw_env

__all__ = ["env", "raw_env"]

"""Learning: environments, splits, data sets and evaluation. Needs the extra `learn`; `docs/learn.md` describes it.

Importing it makes the environments known to Gymnasium and PettingZoo, so
`gymnasium.make("kingdom_builder.learn:KingdomBuilder-v0")` works without any other import.
"""

from importlib.util import find_spec

if find_spec("gymnasium") and find_spec("pettingzoo"):  # the text environment and the MCP server do without
    from kingdom_builder.learn.registration import register

    register()

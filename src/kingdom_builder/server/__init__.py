"""The game in the browser: tables, seats, storage, live updates. Observations and legal moves come from the rules."""

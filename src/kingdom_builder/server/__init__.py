"""The game in the browser: tables, seats, persistence, live updates. It passes observations and legal moves through."""

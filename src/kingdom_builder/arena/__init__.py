"""Many games: tournaments between players, ratings, statistics, simulation, benchmarks."""

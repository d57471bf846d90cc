PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: play test setup check soak bench golden docs clean

# The game in the terminal; ARGS go to `kb play`, as in: make play ARGS="--humans 2"
play: .venv/.played
	@$(BIN)/kb play $(ARGS)

# All checks that CI makes.
test: .venv/.tested
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/pytest -n auto

setup: .venv/.tested

# Long runs, for before a release.
soak: .venv/.tested
	$(BIN)/kb simulate --games 10000 --players 2-5 --check
	$(BIN)/kb simulate --games 10000 --players 2-5 --sets all --check
	HYPOTHESIS_PROFILE=soak $(BIN)/pytest -n auto

# Speed, next to OpenSpiel's Hex.
bench: .venv/.tested
	$(PIP) --editable '.[rl]'
	$(BIN)/kb bench

# The golden records anew, after a change of the rules or of the notation that is meant.
golden: .venv/.tested
	$(BIN)/python tests/make_golden.py

# The pages that are made from the code.
docs: .venv/.tested
	$(BIN)/python tests/make_docs.py
	$(BIN)/kb replay tests/golden/02.kbr --turn 8A --svg docs/board.svg

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed: make PYTHON=python3.11"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/.played: .venv/bin/python pyproject.toml constraints.txt
	@echo "Setting up the game in .venv ..."
	@$(PIP) --editable .
	@touch $@

.venv/.tested: .venv/bin/python pyproject.toml constraints.txt
	@echo "Setting up the game and its checks in .venv ..."
	@$(PIP) --editable '.[test]'
	@touch $@ .venv/.played

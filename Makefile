PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
NPM := $(BIN)/python hatch_build.py npm
CLIENT := src/kingdom_builder/server/static/index.html
# One more than there are cores, since tests of servers wait a lot.
WORKERS = $(shell $(BIN)/python -c 'import os; print(min(os.cpu_count() or 1, 7) + 1)')
SANITIZED := build/sanitized/_core.abi3.so

# $(call tests,ARGUMENTS) runs tests, and those that fail once more, one after the other: what fails again is broken, what
# passes then is unsteady. Many tests start servers and browsers, and a machine that stands still for some seconds fails
# one in thousands.
tests = $(BIN)/pytest $(1) || { echo "Once more, what failed: mend also what passes now."; \
	$(BIN)/pytest $(filter-out -n 2 $(WORKERS),$(1)) --last-failed --last-failed-no-failures none; }

.PHONY: play play-terminal test check-python check-page setup coverage soak faults bench strength tuning calibration golden native sanitize docs api screenshots web-dev clean FORCE

# The game in the browser; ARGS go to `kb serve`, as in: make play ARGS="--port 8080"
play: .venv/.played
	@KB_STARTED_BY="make play" $(BIN)/kb serve --open $(ARGS)

# The game in the terminal; ARGS go to `kb play`, as in: make play-terminal ARGS="--humans 2"
play-terminal: .venv/.played
	@$(BIN)/kb play $(ARGS)

# All checks that CI makes. The browser tests are a call of their own, since Playwright keeps an event loop running, and so
# are the siege and the faults, which measure how long people wait.
test: setup
	$(MAKE) --no-print-directory --jobs 2 check-python check-page
	$(call tests,-n $(WORKERS))
	$(call tests,-n 2 tests/browser)
	$(call tests,tests/siege)
	$(call tests,tests/faults)

check-python: .venv/.tested
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/basedpyright
	$(BIN)/lint-imports --no-logo

check-page: .venv/.tested
	$(NPM) run check
	$(NPM) run lint
	$(NPM) run test

setup: .venv/.tested
	@$(BIN)/python tests/browser/chromium.py

# The branches that the tests reach, those in the browser left out; fails below the figure in pyproject.toml (fail_under).
# Not a part of `make test`: it makes tests of the rules three times as slow.
coverage: .venv/.tested
	$(BIN)/pytest --timeout 0 -n auto --cov --cov-report=term:skip-covered

# What has rows beside the logs, and is run on PostgreSQL as well as in memory.
SIDE_TABLES := accounts blocks company conduct daily_games erasure game_lists given_seats lobby mailed_codes merging \
	notifications_routes notifier outbox persons privacy projector rated_games reports secret_lists timekeeper

# Long runs, for before a release.
soak: .venv/.tested
	$(BIN)/kb simulate --games 10000 --players 2-5 --check
	$(BIN)/kb simulate --games 10000 --players 2-5 --sets all --check
	HYPOTHESIS_PROFILE=soak $(BIN)/pytest --timeout 0 -n auto
	ON_POSTGRES=1 $(BIN)/pytest --timeout 0 -n auto $(SIDE_TABLES:%=tests/server/test_%.py)
	SIEGE=full $(BIN)/pytest --timeout 0 tests/siege
	$(MAKE) sanitize

# What docs/promises.md promises, with every fault of the disk, 500 power cuts, and 1,000 faults of several servers with
# one database (20 to 30 minutes).
faults: .venv/.tested
	EVERY_FAULT=1 POWER_CUTS=500 DOWN_SECONDS=60 $(BIN)/pytest --timeout 0 -n auto tests/server/test_power_cuts.py tests/server/test_faults.py \
		tests/server/test_journal.py tests/server/test_clock.py tests/server/test_backup.py tests/server/test_kills.py tests/server/test_timekeeper.py
	FAULTS=1000 $(BIN)/pytest --timeout 0 tests/faults

# Speed, next to OpenSpiel's Hex.
bench: .venv/.tested
	$(PIP) --editable '.[bench]'
	$(BIN)/kb bench
	$(BIN)/kb bench serve
	$(BIN)/kb bench lobby
	$(BIN)/kb bench people
	$(BIN)/kb bench learn

# The ladder of all players, and the page that shows it; goes on where it stopped. ARGS as in: make strength ARGS="--games 100"
strength: .venv/.tested
	$(BIN)/python -m kingdom_builder.arena.studies.ladder $(ARGS)

# What larger and smaller weights of the evaluation bring (docs/experiments/0002). ARGS as in: make tuning ARGS="--games 400 --seed 1"
tuning: .venv/.tested
	$(BIN)/python -m kingdom_builder.arena.studies.tuning $(ARGS)

# How well the search and the rollouts predict what follows a turn (docs/experiments/0020). ARGS as in: make calibration ARGS=--all-sets
calibration: .venv/.tested
	$(BIN)/python -m kingdom_builder.arena.studies.calibration $(ARGS)

# Write the golden records again, after an intended change of the rules or of the notation.
golden: .venv/.tested
	$(BIN)/python tools/make_golden.py

# The native core; says why if it cannot be built, where `make play` and `make test` go on without it.
native: .venv/bin/python
	@$(BIN)/python hatch_build.py core

# The tests of the native core with one that reports wrong uses of memory and undefined behaviour (gcc only).
sanitize: .venv/.tested
	CC=gcc $(BIN)/python hatch_build.py sanitized
	KB_NATIVE_FILE=$(SANITIZED) LD_PRELOAD=$$(gcc -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0 \
		UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc $(BIN)/pytest --timeout 0 -n auto tests/native tests/learn/test_native_batch.py \
		--ignore=tests/native/test_build.py

# What is made from the code: pages and the client's types.
docs: .venv/.tested
	$(BIN)/python tools/make_docs.py
	$(BIN)/python tools/make_types.py
	$(BIN)/python tools/make_differences.py
	$(BIN)/kb replay tests/golden/02.kbr --turn 8A --svg docs/board.svg

# The reference of the library, from its docstrings: build/api/index.html.
api: .venv/.tested
	@$(BIN)/python tools/make_api.py

# The pictures of the pages in docs/, and of the table at nine sizes in build/screenshots/.
screenshots: setup
	PYTHONPATH=tests $(BIN)/python tools/make_screenshots.py

# The client with changes shown at once; it asks a server that runs on port 8000 (make play).
web-dev: .venv/.played
	$(NPM) run dev

clean:
	rm -rf .venv build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache web/node_modules $(dir $(CLIENT)) \
		$(filter-out %.pyi,$(wildcard src/kingdom_builder/native/_core.*))

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed: make PYTHON=python3.11"; exit 1; }
	$(PYTHON) -m venv .venv

# Asked each time: it compares the content of the sources, of the client and of the native core, with what was built.
$(CLIENT): .venv/bin/python FORCE
	@$(BIN)/python hatch_build.py

.venv/.played: .venv/bin/python pyproject.toml constraints.txt | $(CLIENT)
	@echo "Setting up the game in .venv ..."
	@$(PIP) --editable .
	@touch $@

.venv/.tested: .venv/bin/python pyproject.toml constraints.txt | $(CLIENT)
	@echo "Setting up the game and its checks in .venv ..."
	@$(PIP) --editable '.[test]'
	@touch $@ .venv/.played

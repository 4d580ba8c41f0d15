# Everything here sets itself up: the first run builds .venv from the pinned requirements, later runs find it ready.

GAME ?= ro-trimino/manufacturer
SETS ?= 1000
TILES ?= 1000
GAMES ?= 40
SEED ?= 1
SECONDS ?= 60
HOURS ?= 8
PYTEST = .venv/bin/python -m pytest
READY = .venv/ready
ROOMS = referee vision display hardware calibration

.PHONY: demo test matrix package prove kills soak lint bench accuracy robustness torture screenshots pictures load browser fuzz train install-test setup clean
.DEFAULT_GOAL := demo

demo: $(READY)  ## a whole simulated game through every room; GAME=fr-domino for dominoes, LONG=1 to play to 400
	.venv/bin/referee demo --game $(GAME) $(if $(LONG),--target 400)

test: $(READY)  ## all tests
	$(PYTEST)

matrix: $(READY)  ## all tests on the oldest and newest Python, OpenCV and pygame(-ce); LEGS=3.13-newest PYTHONS=/path/to/python3.13
	PYTHONS="$(PYTHONS)" .venv/bin/python .ci/matrix.py $(LEGS)

package: $(READY)  ## wheel and source archive in dist/, each installed and tried in an empty environment; needs the network
	.ci/package

prove: $(READY)  ## the rules against naive second judges: 20,000 random moves for every preset, and whole matches
	REFEREE_PROVE=20000 $(PYTEST) -v $(wildcard tests/test_naive_*.py)

kills: $(READY)  ## the table's process killed at 200 random moments of whole matches
	REFEREE_KILLS=200 $(PYTEST) -o faulthandler_timeout=3600 tests/test_killed.py

soak: $(READY)  ## a whole house through an evening of HOURS=8 in fast motion: memory and file handles of every room
	.venv/bin/python -m tests.soak --hours $(HOURS)

lint: $(READY)  ## style, format and types
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy

bench: $(READY)  ## how long the hot paths take on this machine, beside one yardstick; into tests/benchmarks/NUMBERS.md
	$(PYTEST) tests/benchmarks --benchmark-quiet --numbers tests/benchmarks/NUMBERS.md

accuracy: $(READY)  ## how well the eye reads a folder of labelled photos: make accuracy PHOTOS=folder
	@test -n "$(PHOTOS)" || { echo "Say which labelled folder: make accuracy PHOTOS=folder" >&2; exit 64; }
	.venv/bin/referee accuracy "$(PHOTOS)"

robustness: $(READY)  ## how much of that is left in pictures made worse: make robustness PHOTOS=folder
	@test -n "$(PHOTOS)" || { echo "Say which labelled folder: make robustness PHOTOS=folder" >&2; exit 64; }
	.venv/bin/referee robustness "$(PHOTOS)"

torture: $(READY)  ## matches on the virtual table with all that goes wrong at real ones: make torture GAMES=40 SEED=1
	.venv/bin/referee torture --games $(GAMES) --seed $(SEED)

screenshots: $(READY)  ## every page of the screen in every language, into screenshots/
	.venv/bin/python -m tests.display.gallery screenshots

pictures: $(READY)  ## the film and the pictures of README.md, by the program itself; needs Chromium for the phone's
	.requirements/browser.sh
	.venv/bin/python -m tests.pictures .github/pictures

load: $(READY)  ## 50 web clients and 20 programs, 25 views a second: how late they are, and what a crowd costs
	.venv/bin/python -m tests.load

browser: $(READY)  ## the phone page in a real browser; pictures of it in every language go into screenshots/phone
	.requirements/browser.sh
	$(PYTEST) tests/browser

fuzz: .fuzz/ready  ## bytes at the wire decoder, guided by what they reach, for SECONDS=60
	nice -n 5 .fuzz/venv/bin/python -m tests.fuzz.wire -max_total_time=$(SECONDS) -max_len=4096 -print_final_stats=1

train: .training/ready  ## the small networks anew, then a report on both; goes on where it stopped; SETS=1000 made-up sets
	nice -n 5 .training/venv/bin/python -m vision.models.train --sets $(SETS) --tiles $(TILES)
	@echo "If the new networks are better everywhere: cp .training/*.onnx vision/models/"

install-test:  ## systemd/install for real in fresh Debian 12 and 13; needs root, debootstrap and the network; some minutes
	timeout 3600 systemd/install-test

setup: $(READY)  ## only the set-up

# Training needs far more than running does, so it has an environment of its own; nothing else makes or uses it.
.training/ready: pyproject.toml | $(READY)
	mkdir -p .training
	echo '*' > .training/.gitignore
	.venv/bin/python -m venv --clear .training/venv
	.training/venv/bin/pip --quiet --disable-pip-version-check install -e '.[train]'
	@touch $@

# The fuzzer needs a Python and a machine that it has been built for, so it too has an environment of its own.
.fuzz/ready: pyproject.toml | $(READY)
	mkdir -p .fuzz
	echo '*' > .fuzz/.gitignore
	.venv/bin/python -m venv --clear .fuzz/venv
	.fuzz/venv/bin/pip --quiet --disable-pip-version-check install -e '.[fuzz]'
	@touch $@

$(READY): pyproject.toml .requirements/setup.sh $(wildcard .requirements/py*.txt display/languages/*.po)
	.requirements/setup.sh
	@touch $@

clean:  ## forget the environment and what runs leave behind
	rm -rf .venv .matrix dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .benchmarks demo-output screenshots display/languages/*.mo
	find $(ROOMS) tests -name __pycache__ -prune -exec rm -rf {} +

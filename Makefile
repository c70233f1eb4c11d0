# `make demo` on a fresh clone is enough: it sets up .venv first. A second run finds it up to date.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
DEV_GROUP = $$($(PYTHON) -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"]["dev"])')
SEED ?= 1
COUNT ?= 2000
LIMIT ?= 60
TIMES ?= 20

.PHONY: setup tables demo test browser test-long check bench bench-explore bench-impact bench-fusion bench-likely bench-order bench-scaling bench-growth bench-facts bench-symmetry \
        bench-peers bench-portfolio bench-limits bench-weak bench-replay bench-everyday bench-attacks litmus fuzz fuzz-c fuzz-files contract-faults mutants frontend-report clean
.DEFAULT_GOAL := demo

setup: $(READY)

$(READY): pyproject.toml
	@echo "Setting up .venv (once; takes a minute)"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . $(DEV_GROUP)
	@$(BIN)/python -m compileall -q src
	@touch $@

# Exit code 1 means BUG, 3 UNKNOWN: that is what these programs are there to show.
demo: $(READY)
	@echo '$$ sley check examples/lost_update.c'
	@$(BIN)/sley check examples/lost_update.c; test $$? -eq 1
	@echo
	@echo '$$ sley replay --native --times 20'
	@if command -v gcc >/dev/null || command -v clang >/dev/null; then $(BIN)/sley replay --native --times 20; test $$? -eq 1; \
	else echo 'needs gcc or clang'; fi
	@echo
	@echo '$$ sley check examples/locked_update.c'
	@$(BIN)/sley check examples/locked_update.c
	@echo
	@echo '$$ sley check examples/sensor/sensor.c'
	@$(BIN)/sley check examples/sensor/sensor.c; test $$? -eq 3
	@echo
	@echo '$$ sley check examples/sensor/sensor.c --models examples/sensor/model.c'
	@$(BIN)/sley check examples/sensor/sensor.c --models examples/sensor/model.c

check: $(READY)
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy --no-error-summary
	@report=$$($(BIN)/lint-imports --no-logo) || { echo "$$report"; exit 1; }

# For the tests of pages: Debian's Chromium, where it may be installed; without it they are skipped, and pytest says so.
browser:
	@command -v chromedriver || { test "$$(id -u)" = 0 && timeout 120 apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
	timeout 120 apt-get install -qq --yes --no-install-recommends chromium chromium-driver; } || true

# The browser comes while the static checks run. The last line is pytest's closing line.
test: $(READY)
	@$(MAKE) --no-print-directory browser >/dev/null 2>&1 & \
	$(MAKE) --no-print-directory check || exit; wait; \
	$(BIN)/python -m pytest -n 2

# Also what takes long: every marked program with every engine, more seeds, more orders.
test-long: check
	@$(BIN)/python -m pytest -n 2 -m "long or not long"

# The page of the supported library, from the contract.
docs-library: $(READY)
	@$(BIN)/python -m tests.contract.library_page > docs/library.md

# The tables of the documents, each written there by its command: make tables ONLY=impact LIMIT=60
tables: $(READY)
	@$(BIN)/python -m bench.documents --only "$(ONLY)" --limit $(LIMIT)

bench: $(READY)
	@$(BIN)/python bench/bench_startup.py
	@$(BIN)/python bench/bench_frontend.py
	@$(BIN)/python bench/bench_explore.py

# The engine impact beside the published tables, then its growth as a plot: make bench-impact LIMIT=60
bench-impact: $(READY)
	@$(BIN)/python -m bench.impact.tables --time-limit $(LIMIT)
	@$(BIN)/python -m bench.impact.growth --time-limit $(LIMIT)

# The engine explore with more and more threads, then its growth as a plot: make bench-explore LIMIT=60
bench-explore: $(READY)
	@$(BIN)/python -m bench.explore.tables --seconds $(LIMIT)
	@$(BIN)/python -m bench.explore.growth --seconds $(LIMIT)

# The engine bmc in the three modes of the staged analysis, beside the published table; stage by stage; ways to instantiate an axiom: make bench-fusion LIMIT=60
bench-fusion: $(READY)
	@$(BIN)/python -m bench.fusion.tables --time-limit $(LIMIT)
	@$(BIN)/python -m bench.fusion.stages --time-limit $(LIMIT)
	@$(BIN)/python -m bench.fusion.instances --time-limit $(LIMIT)

# With likely invariants: plain, refined as published, direct, as hints: make bench-likely LIMIT=200
bench-likely: $(READY)
	@$(BIN)/python -m bench.likely.tables --time-limit $(LIMIT)

# Its ways to write down the order of events: make bench-order LIMIT=60
bench-order: $(READY)
	@$(BIN)/python -m bench.order.tables --time-limit $(LIMIT)

# Its growth with rounds, threads and elements, as a table and a plot: make bench-scaling LIMIT=60
bench-scaling: $(READY)
	@$(BIN)/python -m bench.scaling.tables --time-limit $(LIMIT)

# Every check of programs of growing length, and of growing numbers of threads: make bench-growth LIMIT=600
bench-growth: $(READY)
	@$(BIN)/python -m bench.large.growth --time-limit $(LIMIT)

# Engines with and without what abstract proves before them, on marked programs drawn by lot: make bench-facts COUNT=300 SEED=18 LIMIT=5
bench-facts: $(READY)
	@$(BIN)/python -m bench.facts --sample $(COUNT) --seed $(SEED) --time-limit $(LIMIT)

# Symmetric programs for n and for any number of threads, beside the published table: make bench-symmetry LIMIT=60
bench-symmetry: $(READY)
	@$(BIN)/python -m bench.symmetry.tables --time-limit $(LIMIT)

# Programs under models of machines, beside the published table, and what memory models cost: make bench-weak LIMIT=60
bench-weak: $(READY)
	@$(BIN)/python -m bench.weak.tables --time-limit $(LIMIT)
	@$(BIN)/python -m bench.weak.cost --time-limit $(LIMIT)

# Every bug of the corpus on the real program, compiled with gcc: make bench-replay TIMES=20 ONLY=deadlock
bench-replay: $(READY)
	@$(BIN)/python -m bench.replay --times $(TIMES) --only "$(ONLY)"

# Eighty programs of everyday C: how many are decided, and is every answer right? make bench-everyday ONLY=pipe
bench-everyday: LIMIT := 10
bench-everyday: $(READY)
	@$(BIN)/python -m bench.everyday.tables --time-limit $(LIMIT) --only "$(ONLY)"

# Is the default as good as the best single engine? make bench-portfolio COUNT=100 LIMIT=60 (all programs: COUNT=1000)
bench-portfolio: $(READY)
	@$(BIN)/python -m bench.portfolio.compare --sample $(COUNT) --seed $(SEED) --limit $(LIMIT)

# Hostile files, folders and names beside the C file, in ten groups: make bench-attacks ONLY='7 terminal'
bench-attacks: $(READY)
	@$(BIN)/python -m bench.attacks --only "$(ONLY)"

# CBMC and Deagle, if they are on PATH, on the same programs: make bench-peers LIMIT=60
bench-peers: $(READY)
	@$(BIN)/python -m bench.peers.tables --time-limit $(LIMIT)

# Do limits hold, on programs drawn by lot, also from DIR; signals at random moments; 2,000 calls: make bench-limits SEED=1 DIR=folder
bench-limits: $(READY)
	@$(BIN)/python -m bench.limits.hold --seed $(SEED) $(addprefix --also ,$(DIR))
	@$(BIN)/python -m bench.limits.attacks --seed $(SEED)
	@$(BIN)/python -m bench.limits.calls

# The classic litmus tests in all their variants, by bmc and explore, beside what is published: make litmus MODEL=power SAMPLE=100
litmus: $(READY)
	@$(BIN)/python -m tests.litmus --seed $(SEED) $(if $(MODEL),--model $(MODEL)) $(if $(ENGINE),--engine $(ENGINE)) $(if $(SAMPLE),--sample $(SAMPLE))

# Engines on random programs against explore and gcc: make fuzz SEED=1 COUNT=2000 ENGINE=bmc FAMILY=heap (private, arrays, counting, …), or ENGINE=all
fuzz: $(READY)
	@$(BIN)/python -m tests.fuzz --seed $(SEED) --count $(COUNT) $(if $(ENGINE),--engine $(ENGINE)) $(if $(FAMILY),--family $(FAMILY))

# Small C programs against gcc and, if it is there, clang, with their sanitizers: make fuzz-c SEED=1 COUNT=2000
KEEP ?= build/differing
fuzz-c: $(READY)
	@$(BIN)/python -m tests.fuzz.judge --seed $(SEED) --count $(COUNT) --keep $(KEEP) --minimise

# Damaged files beside the C file, of thirteen formats, by grammar and by bytes: make fuzz-files SEED=1 COUNT=20000
fuzz-files: $(READY)
	@$(BIN)/python -m tests.fuzz.files --seed $(SEED) --count $(COUNT)

# Models of the library broken by lot: do the questions of the contract notice? make contract-faults SEED=1912 COUNT=60
contract-faults: $(READY)
	@$(BIN)/python -m tests.contract.faults --seed $(SEED) --count $(COUNT)

# Seeded faults, one at a time: which checks stop a wrong claim before it is an answer
mutants: $(READY)
	@$(BIN)/python -m tests.mutants
	@$(BIN)/python -m tests.mutants.memory_models

# How much C the front end takes: make frontend-report DIR="folder folder"
frontend-report: $(READY)
	@$(BIN)/python bench/frontend_report.py $(DIR)

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist

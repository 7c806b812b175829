# Every target works from a clean clone on a machine with make, git and python3-venv.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

VENV ?= .venv
PY := $(VENV)/bin/python
PIP_RETRY := --retries 8 --timeout 60 --disable-pip-version-check -q
STAMP := $(VENV)/.installed
# `make test UPDATE=1` rewrites the goldens; `make test ARGS="-k hover"` runs a part.
ARGS ?=
export UPDATE
# Tests run side by side, one more than there are cores here, since many wait; one process by WORKERS=0 (for a debugger).
WORKERS ?= 3
PYTEST := $(PY) -m pytest -n $(WORKERS) --dist loadgroup

.PHONY: help
help: ## this list
	@grep -hE '^[a-z][a-z-]*:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(STAMP): pyproject.toml server/requirements.lock
	python3 -m venv $(VENV)
	for try in 1 2 3; do $(PY) -m pip install $(PIP_RETRY) -c server/requirements.lock -e '.[dev,local]' && break; \
	  test $$try -lt 3; sleep 5; done
	touch $@

.PHONY: setup
setup: $(STAMP) ## virtual environment with everything the tests need

.PHONY: model
model: setup ## the embedded model (1.1 GB, once, into the user's cache)
	$(PY) -m pairwright model fetch

.PHONY: demo
demo: model ## the main job on a real repository, with the embedded model
	$(PY) tests/demo/demo.py

.PHONY: test
test: model ## the whole suite: unit, end to end, Neovim, embedded model
	$(PYTEST) $(ARGS)

.PHONY: check
check: lint type arch fresh ## formatting, lint, types, layers, generated settings

.PHONY: fmt
fmt: setup ## format the code
	$(VENV)/bin/ruff format server tests
	$(VENV)/bin/ruff check --fix server tests

.PHONY: lint
lint: setup ## formatting and lint, nothing changed
	$(VENV)/bin/ruff format --check server tests
	$(VENV)/bin/ruff check server tests

.PHONY: type
type: setup ## mypy, strict
	$(VENV)/bin/mypy

.PHONY: arch
arch: setup ## the layers of docs/architecture.md
	PYTHONPATH=server $(VENV)/bin/lint-imports

.PHONY: fresh
fresh: setup ## the settings of the docs and of both clients are those of the code; nothing changed
	$(PY) -m pairwright.config.emit | diff docs/settings.md - || { echo "stale: run make docs"; exit 1; }
	$(PY) -m pairwright.config.emit lua | diff editors/nvim/lua/pairwright/settings.lua - || { echo "stale: run make docs"; exit 1; }
	$(PY) -m pairwright.config.manifest < editors/vscode/package.json | diff editors/vscode/package.json - || { echo "stale: run make docs"; exit 1; }

.PHONY: e2e
e2e: model ## only the end-to-end tests
	$(PYTEST) tests/e2e $(ARGS)

# `make e2e-editors ARGS=emacs` for one of them.
.PHONY: e2e-editors
e2e-editors: setup ## Neovim 0.12, Emacs, and the VS Code workbench in Chromium, for real (fetches them, once)
	tests/e2e_editors/run $(abspath $(PY)) $(ARGS)

# Needs Node 20 or newer with npm; the wheel of the server goes into the package.
VSIX := editors/vscode/pairwright.vsix
NODE_STAMP := editors/vscode/node_modules/.package-lock.json
$(NODE_STAMP): editors/vscode/package-lock.json
	cd editors/vscode && for try in 1 2 3; do npm ci --no-audit --no-fund --loglevel=error && break; \
	  test $$try -lt 3; sleep 5; done
	touch $@

.PHONY: vscode
vscode: setup vsix ## editors/vscode/pairwright.vsix: types and unit tests checked, under 2 MB

.PHONY: vsix
vsix: $(NODE_STAMP)
	rm -rf editors/vscode/server
	$(PY) -m build --no-isolation --wheel -o editors/vscode/server . > /dev/null
	cp LICENSE editors/vscode/LICENSE
	cd editors/vscode && npm test && npm run package -- --out pairwright.vsix
	test "$$(stat -c %s $(VSIX))" -lt 2000000

.PHONY: bench
bench: setup ## speeds, with ratios against Aider in the same run
	$(PY) -m tests.bench $(ARGS)

.PHONY: bench-model
bench-model: model ## the embedded model: its speed, `symbol` beside `diff`, Aider on the same edits, a task of four files, plans
	$(PY) -m tests.bench.model
	$(PY) -m tests.bench.formats $(ARGS)
	$(PY) -m tests.bench.duel
	$(PY) -m pytest -s tests/bench/real_task.py tests/bench/real_plan.py

.PHONY: fuzz
fuzz: fuzz-parsers ## every hypothesis property with many examples, and the edit parsers by coverage
	HYPOTHESIS_PROFILE=fuzz $(PY) -m pytest tests/unit -m hypothesis $(ARGS)

# `make fuzz-parsers SECONDS=20` for a short run; findings are kept in .fuzz.
SECONDS ?= 600
FORMATS := diff udiff patch whole symbol
.PHONY: fuzz-parsers
fuzz-parsers: setup ## the edit parsers and the planner, SECONDS for each format
	$(PY) -m pip install $(PIP_RETRY) -c server/requirements.lock -e '.[fuzz]'
	for format in $(FORMATS); do $(PY) -m tests.fuzz $$format --seconds $(SECONDS) --corpus .fuzz/$$format; done

CLUSTER := .venv-cluster
.PHONY: e2e-cluster
e2e-cluster: ## two Dask workers and a local S3 server, in an environment of their own
	test -x $(CLUSTER)/bin/python || python3 -m venv $(CLUSTER)
	$(CLUSTER)/bin/python -m pip install $(PIP_RETRY) -r tests/e2e_cluster/requirements.txt -e '.[cluster]'
	$(CLUSTER)/bin/python -m pytest tests/e2e_cluster/cluster.py $(ARGS)

.PHONY: soak
soak: setup ## a long editing session against the real server; kills and a user with git at every step
	PAIRWRIGHT_SOAK=1 $(PYTEST) tests/unit/engine/test_killed.py tests/unit/engine/test_crossfire.py -o timeout=7200
	$(PY) -m tests.bench.soak $(ARGS)

.PHONY: pictures
pictures: model ## docs/pictures, from real runs: the demo, Neovim, VS Code, our own code
	$(PY) -m tests.demo.pictures $(ARGS)

.PHONY: docs
docs: setup ## generated documentation
	$(PY) -m pairwright.config.emit > docs/settings.md
	$(PY) -m pairwright.config.manifest < editors/vscode/package.json > editors/vscode/package.fresh
	mv editors/vscode/package.fresh editors/vscode/package.json
	$(PY) -m pairwright.config.emit lua > editors/nvim/lua/pairwright/settings.lua

.PHONY: nvim-plugin
nvim-plugin: setup ## dist/pairwright.nvim: the Neovim plugin as a tree of its own, for plugin managers
	$(PY) -m pairwright editor nvim --copy dist/pairwright.nvim

.PHONY: lock
lock: setup ## pin what is installed now
	$(PY) -m pip freeze --exclude-editable > server/requirements.lock

.PHONY: wheel
wheel: setup ## dist/*.whl and *.tar.gz
	$(PY) -m build --no-isolation

.PHONY: clean
clean: ## what the targets above made, the user's cache left alone
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find server tests -name __pycache__ -type d -prune -exec rm -rf {} +

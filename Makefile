# Every target does its own set-up, and nothing twice: see `make help`.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules
.PHONY: run test quick check bench soak dev docs dist clean help setup

# A service is a process of its own: each start would compile all it imports again, which takes as long as all else.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
NODE := $(shell command -v node)
VENV := .venv/.ready
MODULES := console/node_modules/.ready
CONSOLE := console/dist/index.html
CONSOLE_SOURCES := $(shell find console/src console/public console/scripts console/index.html console/*.json \
	console/vite.config.ts -type f 2>/dev/null)

run: $(VENV) $(CONSOLE)  ## Start the whole platform with its demo on this machine; Ctrl+C stops it
	@ZCBUS_DEMO=$${ZCBUS_DEMO:-1} exec .venv/bin/zcbus serve

test: $(VENV) $(CONSOLE) $(MODULES)  ## Run the tests; SUITES="python faults console browser" chooses; WIDE=1: all that CI runs
	@.venv/bin/python scripts/install_test_programs.py
	@.venv/bin/python scripts/run_tests.py $(if $(RETRY),--retry) $(if $(WIDE),--wide) $(SUITES)

quick: $(VENV) $(MODULES)  ## The tests that need no server and no browser; for every change
	@.venv/bin/python scripts/run_tests.py --quick

check: $(VENV) $(MODULES)  ## Check format, lint, types, layers, dependencies, docs, migrations, translations and the generated client
	@.venv/bin/python scripts/check.py $(CHECKS)

bench: $(VENV) $(CONSOLE)  ## Measure beside peers; writes bench/results/latest.json
	@.venv/bin/python -m bench $(SUITES)

soak: $(VENV) $(CONSOLE) $(MODULES)  ## What make test leaves out, and the long fault runs; SUITES="python browser long faults" chooses
	@.venv/bin/python scripts/install_test_programs.py
	@.venv/bin/python scripts/run_soak.py $(SUITES)

dev: $(VENV) $(MODULES)  ## Run with reloading of Python and console
	@.venv/bin/python scripts/dev.py

docs: $(VENV)  ## Build the documentation as a site into build/docs
	@.venv/bin/python scripts/make_reference.py
	@.venv/bin/python scripts/build_docs.py

dist: $(VENV) $(CONSOLE)  ## Build the wheel that carries the console
	@.venv/bin/python scripts/build_wheel.py

setup: $(VENV) $(CONSOLE)  ## Only install and build what the other targets need

clean:  ## Remove what was built and installed (not ./var, the data)
	rm -rf .venv .uv build dist console/node_modules console/dist bench/results

help:  ## Show this
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(VENV): pyproject.toml uv.lock scripts/set_up_python.py
	@$(PYTHON) scripts/set_up_python.py
	@touch $@

ifneq ($(NODE),)

$(MODULES): console/package.json console/package-lock.json
	cd console && npm ci --no-audit --no-fund
	@touch $@

$(CONSOLE): $(CONSOLE_SOURCES) $(MODULES)
	cd console && npm run --silent build
	@touch $@

else

# Without Node a console that is built already is good enough to run; it is only not built anew.
$(CONSOLE) $(MODULES):
	@echo "Node 20 or newer is needed to build the console: https://nodejs.org" >&2; exit 1

endif

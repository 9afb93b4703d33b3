# `make run` starts Kontra, `make test` proves it; the other verbs are parts of these.

HOST ?= 127.0.0.1
PORT ?= 8000
DEMO ?= 1

PYTHON ?= python3
BIN := .venv/bin
MANAGE := $(BIN)/python manage.py
LOCALE := ledger/locale
CATALOGUES := $(patsubst %.po,%.mo,$(wildcard $(LOCALE)/*/LC_MESSAGES/django.po))

.PHONY: run setup test lint format messages bench lock clean

# --- the parts of .venv, each installed when its lock changes

setup: .venv/dev $(CATALOGUES)

.venv/python:
	$(PYTHON) -m venv .venv
	touch $@

.venv/runtime: requirements.txt | .venv/python
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --requirement $<
	touch $@

.venv/dev: requirements-dev.txt | .venv/python
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --requirement $<
	touch .venv/runtime $@

%.mo: %.po | .venv/runtime
	$(BIN)/pybabel --quiet compile --domain django --input-file $< --output-file $@

run: export ALLOWED_HOSTS ?= localhost,127.0.0.1,[::1],$(HOST)
run: .venv/runtime $(CATALOGUES)
	$(MANAGE) migrate --verbosity 0
	$(MANAGE) collectstatic --no-input --verbosity 0
	$(MANAGE) first_start $(if $(filter 0,$(DEMO)),--no-demo)
	@echo
	@echo "Kontra is at http://$(HOST):$(PORT)/. Sign in as its owner, once, by this link:"
	@$(MANAGE) signin --site http://$(HOST):$(PORT)
	@echo
	exec $(BIN)/gunicorn ledger.wsgi --bind $(HOST):$(PORT) --no-control-socket \
	  --workers 2 --threads 32

test: setup
	.ci/test

lint: setup
	.ci/test lint

format: setup
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .
	find templates -name '*.html' -exec $(BIN)/djade {} +

messages: setup
	.ci/messages
	$(MAKE) setup

bench: setup
	$(BIN)/pytest tests/bench --override-ini testpaths= --benchmark-only --benchmark-columns=median,iqr,ops,rounds

# The second lock holds the first one and what development needs.
lock: .venv/python
	$(BIN)/pip install --quiet uv
	$(LOCK) pyproject.toml --output-file requirements.txt
	$(LOCK) pyproject.toml --group dev --constraint requirements.txt \
	  --output-file requirements-dev.txt

LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
  --generate-hashes --no-header --no-annotate --no-emit-index-url

clean:
	rm -rf .venv .coverage* .benchmarks .hypothesis .*_cache data/static
	find . -name __pycache__ -exec rm -rf {} +
	rm -f $(LOCALE)/*/LC_MESSAGES/*.mo

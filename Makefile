# `make run` starts Kontra, `make test` proves it; the other verbs are parts of these.

export HOST ?= 127.0.0.1
export PORT ?= 8000
DEMO ?= 1
export DATA_DIR ?= data

PYTHON ?= python3
BIN := .venv/bin
MANAGE := $(BIN)/python manage.py
LOCALE := ledger/locale
CATALOGUES := $(patsubst %.po,%.mo,$(wildcard $(LOCALE)/*/LC_MESSAGES/django.po))
STATIC := $(DATA_DIR)/static/staticfiles.json

.PHONY: run setup test lint format messages bench load saves attacks lock htmx clean

# Each part is made when what it is made from has changed.

setup: .venv/dev $(CATALOGUES)

.venv/python:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Kontra needs Python 3.11.")'
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

$(STATIC): .venv/runtime $(shell find ledger/static -type f)
	$(MANAGE) collectstatic --no-input --verbosity 0

# Else each thread has memory of its own, and keeps what it has freed.
run: export MALLOC_ARENA_MAX ?= 2
run: .venv/runtime $(CATALOGUES) $(STATIC)
	$(MANAGE) migrate --verbosity 0
	$(MANAGE) statistics --verbosity 0
	$(MANAGE) first_start $(if $(filter 0,$(DEMO)),--no-demo)
	@echo
	@$(MANAGE) signin --starting
	@echo
	exec $(BIN)/gunicorn --config ledger/serving/gunicorn.py --bind $(HOST):$(PORT) ledger.wsgi

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
	$(BIN)/pytest tests/bench --override-ini addopts=--import-mode=importlib \
	  --override-ini python_files='bench_*.py' --benchmark-columns=median,iqr,ops,rounds

# Sixteen phones for a minute, then a server that is killed fifty times, on both
# databases; LOAD="--seconds 5" makes it shorter.
PHONES = $(BIN)/python -m tests.load.phones
load: setup
	$(PHONES) $(LOAD)
	.ci/postgres $(PHONES) $(LOAD)
	$(PHONES) --kills 50 $(LOAD)
	.ci/postgres $(PHONES) --kills 50 $(LOAD)

# A save under few and many phones, and each page, beside another checkout:
# SAVES="--beside ../before".
saves: setup
	$(BIN)/python -m tests.load.saves $(SAVES)
	.ci/postgres $(BIN)/python -m tests.load.saves $(SAVES)

# A scorer under attacks, beside another checkout: ATTACKS="--beside ../before".
attacks: setup
	$(BIN)/python -m tests.load.attacks $(ATTACKS)
	.ci/postgres $(BIN)/python -m tests.load.attacks $(ATTACKS)

# The second lock holds the first one and what development needs.
lock: .venv/python
	$(BIN)/pip install --quiet uv
	$(LOCK) pyproject.toml --output-file requirements.txt
	$(LOCK) pyproject.toml --group dev --constraint requirements.txt \
	  --output-file requirements-dev.txt

LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
  --generate-hashes --no-header --no-annotate --no-emit-index-url

# The browser's part of htmx, as it was released and no other: the hash of the script
# stands in a file beside it, and a test holds it to that.
HTMX := 4.0.1
HTMX_AT := ledger/static/ledger/htmx
htmx:
	curl --fail --silent --show-error https://registry.npmjs.org/htmx.org/-/htmx.org-$(HTMX).tgz | \
	  tar --extract --gzip --strip-components 1 --directory $(HTMX_AT) \
	  package/LICENSE --transform 's,dist/,,' package/dist/htmx.min.js
	cd $(HTMX_AT) && sha256sum --check SHA256SUMS

clean:
	rm -rf .venv .coverage* .benchmarks .hypothesis .*_cache data/static
	find . -name __pycache__ -exec rm -rf {} +
	rm -f $(LOCALE)/*/LC_MESSAGES/*.mo

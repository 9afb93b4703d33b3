# Every job has a verb. `make run` starts Kontra, `make test` proves it.

HOST ?= 127.0.0.1
PORT ?= 8000
DEMO ?= 1

PYTHON ?= python3
BIN = .venv/bin
LOCALE = ledger/locale
CATALOGUES = $(patsubst %.po,%.mo,$(wildcard $(LOCALE)/*/LC_MESSAGES/django.po))

.PHONY: setup
setup: .venv/dev $(CATALOGUES)

.venv/bin/pip:
	$(PYTHON) -m venv .venv

.venv/runtime: requirements.txt | .venv/bin/pip
	$(BIN)/pip install --quiet --require-hashes -r requirements.txt
	touch $@

.venv/dev: requirements-dev.txt | .venv/bin/pip
	$(BIN)/pip install --quiet --require-hashes -r requirements-dev.txt
	touch $@ .venv/runtime

%.mo: %.po | .venv/bin/pip
	$(BIN)/pybabel --quiet compile --domain django --input-file $< --output-file $@

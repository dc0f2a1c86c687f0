# `make run` and `make test` work on a machine that has only Python 3.11 or newer with venv, and make.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Of every editable installation setuptools warns that a folder of the package's name could hide it.
INSTALL := PYTHONWARNINGS="ignore:Editable installation" $(BIN)/python -m pip install -q

.PHONY: run test check docs bench fuzz clean

run: $(VENV)/installed                 ## both engines on the first two puzzles
	$(BIN)/twostep compare pentomino:3x20 pentomino:3x5:PUV

test: $(VENV)/installed                ## all tests but the long ones
	$(BIN)/python -m pytest -q -n auto -m "not long"

check: $(VENV)/installed               ## format, lint, types, who may import whom
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	PYTHONPATH=.types $(BIN)/lint-imports

docs: $(VENV)/documented               ## the documentation as a site, in site/; a warning is an error
	$(BIN)/mkdocs build -q

bench: $(VENV)/installed               ## the small benchmark suite, against installed peers
	$(INSTALL) -e '.[peers,plot]'
	$(BIN)/twostep bench small

fuzz: $(VENV)/installed                ## the long tests: hours; ten minutes for each reader
	$(INSTALL) -e '.[fuzz]'
	$(BIN)/python -m pytest -q -m long

clean:
	rm -rf $(VENV) build dist site *.egg-info

$(VENV)/installed: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Twostep needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade pip
	$(INSTALL) -e '.[dev]'
	touch $@

$(VENV)/documented: $(VENV)/installed
	$(INSTALL) -e '.[docs]'
	touch $@

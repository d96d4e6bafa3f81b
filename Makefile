# Needs Python 3.11 or newer with venv, make and the package index; everything goes into .venv and out.

PYTHON ?= python3
PY := .venv/bin/python
comma := ,
LOG := .venv/pip.log
PAGES := constraints papers your-own-board graphs index ten-minutes find prove count sample draw puzzles families warnsdorff wrong-turn closed-by-rule papers-more shards limits
SHARED := -n auto --dist worksteal  # tests on all cores
quick test check measured-quick measured-rest: export PYTHONDONTWRITEBYTECODE =  # tests start hundreds of processes: modules are compiled once
group = $$($(PY) tools/groups.py $(1))  # requirements of dependency groups, for any pip
define install  # quietly, unless it fails
	@$(PY) -m pip --disable-pip-version-check install --constraint constraints.txt --editable $(1) > $(LOG) 2>&1 \
		|| { cat $(LOG); exit 1; }
	@touch $@
endef

.PHONY: tour studio site man quick test test-browser journeys lint check measured-quick measured-rest mutants mutation coverage test-wheel test-slow
.PHONY: bounds oldest bench docs formal proved dist release clean

tour: .venv/installed  ## a closed tour of the chessboard, and its picture
	@mkdir -p out
	@.venv/bin/cavalcade tour 8x8
	@.venv/bin/cavalcade tour 8x8 -o out/8x8.svg
	@echo "The picture: out/8x8.svg"
	@echo "Go on with .venv/bin/cavalcade --help, or activate .venv first: . .venv/bin/activate"

studio: .venv/studio  ## a page in the browser: draw a board, ask, watch, walk
	@.venv/bin/cavalcade studio

site: .venv/documented  ## the documentation as pages for the browser
	@NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build > .venv/site.log 2>&1 || { cat .venv/site.log; exit 1; }
	@echo "The site: open out/site/index.html"

man: .venv/installed  ## the man page, from the help: man out/cavalcade.1
	@mkdir -p out
	@$(PY) tools/man_page.py > out/cavalcade.1
	@echo "The man page: out/cavalcade.1"

quick: .venv/developed  ## one strong test file for each room: less than a minute
	@$(PY) tests/quick.py

test: .venv/developed  ## all tests but the slow ones
	@$(PY) -m pytest $(SHARED)

test-browser: .venv/browsing  ## the studio and the site in Chromium, which the system has to have
	@$(PY) -m pytest $(SHARED) -m "browser and not slow" tests/browser

journeys: .venv/browsing  ## sixty journeys through the page, each on its screens, and axe where they end; all tests of the page on a small screen
	@$(PY) -m pytest $(SHARED) -m "browser and slow" tests/browser

lint: .venv/developed  ## the linter, the formatter, the habits that tools/style.py counts, and the types
	@.venv/bin/ruff check
	@.venv/bin/ruff format --check
	@$(PY) tools/style.py
	@.venv/bin/mypy

check: lint test  ## everything that has to be right before a commit

test-wheel: .venv/developed  ## the source distribution, and the wheel built from it, on every Python from 3.11 on that is here
	@$(PY) tools/test_wheel.py $(TESTS)

measured-quick: .venv/developed  ## the tests of `make quick`, and which lines of the checker they reach
	@rm -f .coverage .coverage.*
	@$(PY) tests/quick.py --measure-checker

measured-rest: .venv/developed  ## the tests of `make test` that `make measured-quick` leaves; it adds their lines of the checker
	@$(PY) -m pytest $(SHARED) --measure-checker --without-quick

mutants: .venv/developed  ## damage the checker line by line: the tests must notice, and have reached all its lines
	@$(PY) -m coverage run --parallel-mode tests/mutants.py
	@$(PY) -m coverage combine --quiet
	@$(PY) -m coverage report

bounds: .venv/developed  ## all kernels with bounds checks: minutes, because each is compiled once more
	@$(PY) tests/bounds.py out/bounds

oldest: .venv/developed  ## the quick tests with the oldest versions that pyproject.toml allows, in out/oldest
	@mkdir -p out
	@$(PY) tools/oldest.py > out/oldest.txt
	@$(PYTHON) -m venv --clear out/oldest
	@out/oldest/bin/python -m pip --disable-pip-version-check install --no-compile --only-binary :all: \
		--constraint out/oldest.txt --editable . $(call group,dev) > out/oldest.log 2>&1 \
		|| { cat out/oldest.log; exit 1; }
	@out/oldest/bin/python tests/quick.py

mutation: .venv/developed  ## random mutants of every room, for the night; the scores have floors
	@$(PY) tools/mutation.py

coverage: .venv/developed  ## the lines of the checker: its tests reach them all, and notice when one is damaged
	@rm -f .coverage .coverage.*
	@$(PY) -m pytest $(SHARED) --measure-checker -m "checker and not slow"
	@$(MAKE) --no-print-directory mutants

test-slow: .venv/developed  ## the tests that take minutes
	@$(PY) -m pytest -m "slow and not browser"

release: check test-wheel dist  ## everything up to the upload, from a commit: tests, and what is published

dist: .venv/releasing  ## what is published, built twice, into dist/; without a network RELEASE=--unaudited
	@$(PY) tools/release.py $(RELEASE)

bench: .venv/measured  ## speed, ours and others'
	@$(PY) benchmarks/run.py
	@$(PY) benchmarks/counting.py
	@$(PY) benchmarks/building.py
	@$(PY) benchmarks/holes.py
	@$(PY) benchmarks/ratios.py

docs: .venv/developed  ## print the examples in the documentation anew
	@$(PY) tests/examples.py README.md docs/data.ipynb docs/ten-cells.ipynb $(PAGES:%=docs/%.md) docs/commands/*.md

formal:  ## the theorems that Coq checks; needs Debian's coq and ocaml-nox
	@$(MAKE) --no-print-directory -C formal

proved: formal  ## the theorems, and once more by Coq's independent checker
	@$(MAKE) --no-print-directory -C formal recheck

clean:
	rm -rf .venv out build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

# ---- the environment: each stamp is newer than what it was made from

.venv/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed, this is " + sys.version)'
	@$(PYTHON) -m venv --clear .venv
	@touch $@

.venv/installed: .venv/python pyproject.toml constraints.txt
	@echo "Installing cavalcade into .venv"
	$(call install,.)

.venv/developed: .venv/installed
	@echo "Installing the tools for tests into .venv"
	$(call install,. $(call group,dev))

.venv/studio: .venv/installed
	@echo "Installing the studio's server into .venv"
	$(call install,'.[studio$(comma)png$(comma)pdf$(comma)gif]')

.venv/documented: .venv/installed
	@echo "Installing what makes the site into .venv"
	$(call install,. $(call group,site))

.venv/browsing: .venv/developed
	@echo "Installing what drives a browser into .venv"
	$(call install,. $(call group,dev browser site))

.venv/tested: .venv/python pyproject.toml constraints.txt  # what .ci/run needs, in one installation
	@echo "Installing cavalcade with all that its tests need into .venv"
	$(call install,. $(call group,dev browser site) --no-compile)
	@touch .venv/installed .venv/developed .venv/browsing .venv/documented

.venv/releasing: .venv/developed
	@echo "Installing what makes a release into .venv"
	$(call install,. $(call group,dev release))

.venv/measured: .venv/developed
	@echo "Installing the peers to measure against into .venv"
	$(call install,. $(call group,dev bench))

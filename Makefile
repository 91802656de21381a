# Every target has one line of help: `make help`.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3.11
BIN := .venv/bin
# Torch has no hash in the lock: which build of a version is installed depends on the machine.
TORCH := $(shell sed -nE 's/^ *"(torch==[^"]+)",$$/\1/p' pyproject.toml)
PIP_TOOLS := 7.6.2
VARS ?= {}
export VARS
export FINRAG_DATABASE ?= finrag.duckdb
export HF_HUB_OFFLINE ?= 1

.PHONY: help install build summary report export sql test test-slow test-deep test-frameworks test-cluster test-spark test-all lint docs dashboard dashboard-build ask bench lock clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

.venv/.installed: requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check $(TORCH)
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

install: .venv/.installed ## create .venv with the locked dependencies

build: install ## build what has changed, print the summary, write report, alerts and export; VARS='{corpus: ...}' sets variables, SELECTOR=monthly builds a part, FULL=1 builds everything, ENGINE=pool or spark reads the corpus in shards stored in STORE
	@mkdir -p .finrag/spill
	@$(BIN)/finrag build --vars "$$VARS" $(if $(SELECTOR),--selector $(SELECTOR)) $(if $(FULL),--full) $(if $(ENGINE),--engine $(ENGINE)) $(if $(STORE),--store '$(STORE)')

summary: install ## print the last screen of the build again; ALL=1 prints every system and gate
	@$(BIN)/finrag summary $(if $(ALL),--all)

report: install ## write the report of the last build as JSON and Markdown
	@$(BIN)/finrag report --vars "$$VARS"

export: install ## write the tables of the dashboard to one file
	@$(BIN)/finrag export --vars "$$VARS"

sql: install ## open a SQL shell on a read-only copy of the warehouse; ANALYSIS=hit_by_length_bucket runs one file of analyses/
	@$(BIN)/finrag sql --vars "$$VARS" $(if $(ANALYSIS),--analysis $(ANALYSIS))

test: install ## run the quick tests: library, house rules, dbt unit tests, one small warehouse checked against trec_eval
	@mkdir -p .finrag/spill
	$(BIN)/pytest -m "not slow and not cluster"

test-slow: install ## run the tests that build their own warehouses or open a browser
	@mkdir -p .finrag/spill
	$(BIN)/pytest -m "slow and not deep and not cluster"

test-deep: install ## run the slowest tests: real filings, mutants of the models, the remaining planted faults, every page in each window
	@mkdir -p .finrag/spill
	$(BIN)/pytest -m deep
	FINRAG_EACH_WINDOW=1 $(BIN)/pytest tests/dashboard

test-frameworks: install ## test with real LangChain and LlamaIndex objects, installed beside the locked packages
	@$(BIN)/pip install --quiet --disable-pip-version-check --upgrade --no-deps --target .finrag/frameworks -r tests/frameworks.txt
	PYTHONPATH=.finrag/frameworks FINRAG_REQUIRE_FRAMEWORKS=1 $(BIN)/pytest -n 0 tests/unit/test_evaluating.py -k a_real

.finrag/spark/.installed: tests/spark.txt .venv/.installed
	@$(BIN)/pip install --quiet --disable-pip-version-check --upgrade --no-deps --target .finrag/spark -r tests/spark.txt
	@touch $@

test-cluster: install .finrag/spark/.installed ## test shards on a Spark cluster where one of two workers is killed, and in an S3 store; needs Java 17
	PYTHONPATH=.finrag/spark FINRAG_REQUIRE_SPARK=1 $(BIN)/pytest -n 0 -m cluster tests/cluster/test_standalone.py tests/cluster/test_s3.py

test-spark: install .finrag/spark/.installed ## test shards with local Spark and Spark Connect, with faults injected; needs Java 17
	PYTHONPATH=.finrag/spark FINRAG_REQUIRE_SPARK=1 $(BIN)/pytest -n 0 -m cluster tests/cluster/test_spark.py tests/cluster/test_spark_faults.py

test-all: test test-slow test-deep test-frameworks test-cluster test-spark ## run all tests

lint: install ## run ruff, mypy and sqlfluff
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@mkdir -p .finrag
	FINRAG_DATABASE=.finrag/lint.duckdb $(BIN)/sqlfluff lint models analyses --processes 2 --disable-progress-bar

docs: install ## generate the dbt docs (also as one file, target/static_index.html) and serve them on this machine; DOCS_PORT=8080
	$(BIN)/dbt docs generate --static --vars "$$VARS"
	$(BIN)/dbt docs serve --host 127.0.0.1 --port $(or $(DOCS_PORT),8080) --no-browser

dashboard: dashboard-build ## build the dashboard, serve it on this machine and print its address; needs Node.js 20
	@$(BIN)/python dashboards/scripts/serve.py dashboards/build

dashboard-build: install ## build the dashboard as a static site in dashboards/build; needs Node.js 20
	@$(BIN)/finrag export --vars "$$VARS" --out .finrag/export/dashboard.duckdb
	@dashboards/scripts/build.sh .finrag/export/dashboard.duckdb

ask: install ## ask two systems one question on a local page; give it the VARS of the build
	@$(BIN)/finrag ask --port $(or $(PORT),8510) --vars "$$VARS"

bench: install ## measure speed and memory of each layer and compare with another library
	$(BIN)/python -m bench

lock: ## write requirements.lock with hashes from pyproject.toml
	rm -rf .venv-lock && $(PYTHON) -m venv .venv-lock
	.venv-lock/bin/pip install --quiet --disable-pip-version-check pip-tools==$(PIP_TOOLS)
	.venv-lock/bin/pip-compile --quiet --generate-hashes --strip-extras --no-header --no-annotate \
	--no-emit-index-url --no-emit-find-links --no-emit-trusted-host --unsafe-package torch \
	--extra dev --extra mcp --extra pdf --extra serve --output-file requirements.lock pyproject.toml
	sed -i '/^$$/d; /^#/d' requirements.lock
	rm -rf .venv-lock

clean: ## remove the warehouse and generated files; the cache stays
	rm -rf target logs finrag.duckdb finrag.duckdb.wal .finrag/spill .finrag/sample .finrag/sql .finrag/export dashboards/build dashboards/.evidence

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0

# A newcomer needs two of these: `make demo` and `make test`. All can be run again and again.

# Tests of the rooms are built for debugging; the programs that a user gets, which everything else drives, are built for
# release with Swift's own libraries linked in, so that they start on a machine without Swift.
CHECKED := --explicit-target-dependency-import-check error
# Without debug information what is in C++ below us takes two thirds of the time. `swift build` by itself makes it.
LEAN := -debug-info-format none
PROGRAMS := swift build -c release --static-swift-stdlib $(CHECKED) $(LEAN)
export LATCHKEY_BIN ?= $(CURDIR)/.build/release
PREFIX ?= $(HOME)/.local
# Two at a time: most of a test is waiting. Each has folders, sockets and ports of its own. What fails is tried once more and
# counted as rerun: a browser on a machine that does other things is late now and then.
PYTEST := .cache/venv/bin/pytest -q -p no:cacheprovider --timeout 300 --reruns 1 -rR -n 2 --dist loadfile

.PHONY: help build demo shiny-accounts test test-deps check unit soak bench deps install uninstall format clean

help:
	@echo 'make demo       see it work: a sign-in page is filled, pictures in demo-out/'
	@echo 'make shiny-accounts  the worked example of Examples/ShinyAccounts, from end to end'
	@echo 'make test       everything; on two cores the better part of an hour'
	@echo 'make soak       the full numbers: 300 kills, longer fuzzing, each defence removed once'
	@echo 'make bench      speed and memory; PEERS=1 measures KeePassXC beside it'
	@echo 'make install    programs, user unit and browser manifests for this user (PREFIX=$(PREFIX))'
	@echo 'make uninstall  takes them away again; what you saved stays'
	@echo 'make deps       just the system packages'

deps:
	@scripts/install-dependencies build

test-deps: deps
	@scripts/install-dependencies test
	@scripts/python-environment

build: deps
	$(PROGRAMS)

demo: test-deps build
	.cache/venv/bin/python Tests/Browser/demo.py

shiny-accounts: test-deps build
	.cache/venv/bin/python Examples/ShinyAccounts/demo.py

# Static checks first, because they are quick.
check:
	scripts/check-arrows
	scripts/check-arrows --self-test
	scripts/check-extension
	scripts/check-extension --self-test
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Examples Fuzz/Package.swift Fuzz/Fuzzers

unit:
	swift build --build-tests $(CHECKED) $(LEAN)
	scripts/check-api
	scripts/check-api --self-test
	scripts/unit-tests

# The worked example has dependencies that nobody else needs; the tests build it as well.
test soak shiny-accounts: export LATCHKEY_EXAMPLES = 1

test: test-deps check unit build
	scripts/check-programs
	$(PYTEST) Tests/Processes
	$(PYTEST) Tests/Browser
	SEED=1 Fuzz/run 10

soak: test-deps unit build
	LATCHKEY_KILLS=300 LATCHKEY_SLOW=1 $(PYTEST) Tests/Processes
	$(PYTEST) Tests/Browser
	scripts/check-defences
	.cache/venv/bin/python Tests/Browser/check_defences.py
	Fuzz/run $${SECONDS_EACH:-600}

bench: test-deps build
	@if [ -n "$(PEERS)" ]; then scripts/install-dependencies peers; fi
	.cache/venv/bin/python Benchmarks/bench.py $(if $(PEERS),--peers)

install: deps build
	scripts/make-manuals || echo "The manual pages could not be made; everything else is installed."
	scripts/install --prefix "$(PREFIX)"

uninstall:
	scripts/install --prefix "$(PREFIX)" --remove

format:
	swift format --in-place --recursive --parallel Package.swift Sources Tests Examples Fuzz/Package.swift Fuzz/Fuzzers

clean:
	rm -rf .build .cache demo-out

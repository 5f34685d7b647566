# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0

# A newcomer needs two of these: `make demo` and `make test`. All can be run again and again.

# Tests of the rooms are built for debugging; the programs that a user gets, which everything else drives, are built for
# release with Swift's own libraries linked in, so that they start on a machine without Swift.
CHECKED := --explicit-target-dependency-import-check error
PROGRAMS := swift build -c release --static-swift-stdlib $(CHECKED)
export LATCHKEY_BIN ?= $(CURDIR)/.build/release
PREFIX ?= $(HOME)/.local
PYTEST := .cache/venv/bin/pytest -q -p no:cacheprovider --timeout 300

.PHONY: help build demo test test-deps check unit soak bench deps install uninstall format clean

help:
	@echo 'make demo       see it work: a sign-in page is filled, pictures in demo-out/'
	@echo 'make test       everything, in under 25 minutes'
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

# Static checks first, because they are quick.
check:
	scripts/check-arrows
	scripts/check-arrows --self-test
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Fuzz/Package.swift Fuzz/Fuzzers

unit:
	swift build --build-tests $(CHECKED)
	scripts/check-api
	scripts/check-api --self-test
	scripts/unit-tests $(CHECKED)

test: test-deps check unit build
	scripts/check-programs
	$(PYTEST) Tests/Processes
	$(PYTEST) Tests/Browser
	Fuzz/run 10

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
	swift format --in-place --recursive --parallel Package.swift Sources Tests Fuzz/Package.swift Fuzz/Fuzzers

clean:
	rm -rf .build .cache demo-out

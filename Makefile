# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0

# A newcomer needs two of these: `make demo` and `make test`. All can be run again and again.

# Tests build everything once, for debugging, and drive those programs. What a user gets is built for release; it has Swift's
# shared libraries beside it, one copy for all programs, so that they start on a machine without Swift.
CHECKED := --explicit-target-dependency-import-check error
# Without debug information the C++ below us builds in a third of the time. A plain `swift build` still makes it.
LEAN := -debug-info-format none
# Each module as a whole, which takes a sixth less time than file by file; two threads for the largest.
WHOLE := -Xswiftc -disable-batch-mode -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2
PROGRAMS := swift build $(CHECKED) $(LEAN) $(WHOLE) -Xswiftc -use-ld=lld
DEBUG := $(PROGRAMS) --build-tests && scripts/build-relay .build/debug && scripts/build-login .build/debug
# What is never called leaves the programs (each function has a section of its own), and a program looks for libraries beside it.
# Addresses are packed (DT_RELR, which the C library knows since 2.36, Debian 12's): half a megabyte less for each program.
SMALL := -Xcc -ffunction-sections -Xcc -fdata-sections -Xswiftc -Xfrontend -Xswiftc -function-sections \
    -Xswiftc -use-ld=lld -Xlinker --icf=safe -Xlinker -z -Xlinker pack-relative-relocs \
    -Xswiftc -no-toolchain-stdlib-rpath
# Two threads for each module: the largest one would otherwise hold up everything behind it.
RELEASE := LATCHKEY_SMALL=1 swift build -c release $(CHECKED) $(LEAN) $(SMALL) -Xswiftc -num-threads -Xswiftc 2
PREFIX ?= $(HOME)/.local
# Several at a time, because most of a test is waiting. Each has folders, sockets and ports of its own. What fails in the crowd is run
# again alone, and a finding never: scripts/outside-tests.
WORKERS ?= 3
# Process tests wait more than the others.
MORE := -n $(shell expr $(WORKERS) + 1)
OPTIONS := -q --timeout 300 -n $(WORKERS) --dist worksteal
OUTSIDE := .cache/venv/bin/python scripts/outside-tests
PYTEST := .cache/venv/bin/pytest -p no:cacheprovider $(OPTIONS)
# A daemon of root could see which program a process is that has forbidden dumps; a daemon of an ordinary user cannot.
ORDINARY := $(shell setpriv --bounding-set -sys_ptrace -- true 2>/dev/null && echo setpriv --bounding-set -sys_ptrace --)
DEBUG_PROGRAMS := LATCHKEY_BIN=$(CURDIR)/.build/debug
RELEASE_PROGRAMS := LATCHKEY_BIN=$(CURDIR)/.build/release

.PHONY: help build build-debug demo shiny-accounts test test-release test-attacks test-all test-deps \
    all-deps check api unit release-tests soak bench deps install uninstall deb test-deb format clean

help:
	@echo 'make demo       see it work: a sign-in page is filled, pictures in demo-out/'
	@echo 'make shiny-accounts  the worked example of Examples/ShinyAccounts, from end to end'
	@echo 'make test       what a newcomer runs: static checks, unit tests, the main paths of a person'
	@echo 'make test-release  memory, hardening and one fill, on the optimised programs'
	@echo 'make test-attacks  what pages do to have something filled, in Chromium'
	@echo 'make test-all   everything, and both browsers whole'
	@echo 'make soak       the full numbers: 300 kills, the worked example, fuzzing, each defence removed once'
	@echo 'make bench      speed and memory; PEERS=1 measures KeePassXC beside it'
	@echo 'make install    programs, user unit and browser manifests for this user (PREFIX=$(PREFIX))'
	@echo 'make uninstall  takes them away again; what you saved stays'
	@echo 'make deb        Debian packages in .build/packages; make test-deb installs them in a throw-away system'
	@echo 'make deps       just the system packages'

deps:
	@scripts/install-dependencies build

test-deps: deps
	@scripts/install-dependencies test
	@scripts/python-environment

# Desktops, window managers, toolkits and Flatpak, which only `make test-all`, `make soak` and `make demo` need.
all-deps: test-deps
	@scripts/install-dependencies desktop all

build: deps
	$(RELEASE)
	scripts/build-relay .build/release
	scripts/build-login .build/release
	scripts/collect-runtime .build/release

build-debug: deps
	$(DEBUG)

# Shows the programs as they are built for debugging, which takes half as long; `make test` goes on with that build.
demo: test-deps
	@scripts/install-dependencies desktop
	$(PROGRAMS)
	scripts/build-relay .build/debug
	$(DEBUG_PROGRAMS) .cache/venv/bin/python Tests/Browser/demo.py --rounds 2
	$(DEBUG_PROGRAMS) .cache/venv/bin/python Tests/Desktop/demo.py

shiny-accounts: test-deps build
	$(RELEASE_PROGRAMS) .cache/venv/bin/python Examples/ShinyAccounts/demo.py

# Static checks first, because they are quick.
check: test-deps
	scripts/check-arrows
	scripts/check-arrows --self-test
	scripts/check-types
	scripts/check-types --self-test
	scripts/check-extension
	scripts/check-extension --self-test
	scripts/check-statements
	scripts/check-statements --self-test
	scripts/check-tests
	scripts/check-tests --self-test
	.cache/venv/bin/python scripts/outside-tests --self-test
	scripts/unit-tests --self-test
	scripts/check-defences --validate
	.cache/venv/bin/python Tests/Browser/check_defences.py --names
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Examples Fuzz/Package.swift Fuzz/Fuzzers Fuzz/VectorTests

# Needs the debug build.
api:
	scripts/check-api
	scripts/check-api --self-test
	scripts/check-acts

unit:
	scripts/unit-tests

# What the extension decides, without a browser.
logic: test-deps
	node --test $(wildcard Tests/Extension/*.test.mjs)

# The worked example has dependencies that nobody else needs.
soak shiny-accounts: export LATCHKEY_EXAMPLES = 1

test:
	@scripts/stages begin
	@scripts/stages run 'dependencies' $(MAKE) --no-print-directory test-deps
	@scripts/stages run 'static checks' $(MAKE) --no-print-directory check
	@scripts/stages run 'debug build' sh -c '$(DEBUG)'
	@scripts/stages run 'API of providers' $(MAKE) --no-print-directory api
	@scripts/stages run 'unit tests' scripts/unit-tests
	@scripts/stages run 'tests of the extension' $(MAKE) --no-print-directory logic
	@scripts/stages run 'process tests' env $(DEBUG_PROGRAMS) $(ORDINARY) $(OUTSIDE) 'process tests' $(OPTIONS) $(MORE) -m main Tests/Processes
	@scripts/stages run 'browser tests' env $(DEBUG_PROGRAMS) $(OUTSIDE) 'browser tests' $(OPTIONS) -m main Tests/Browser
	@scripts/stages run 'browser tests in Firefox' env $(DEBUG_PROGRAMS) LATCHKEY_BROWSER=firefox $(OUTSIDE) 'browser tests in Firefox' $(OPTIONS) -m main_in_firefox Tests/Browser
	@scripts/stages table

# The optimiser is where wiping breaks, so what is said of memory is shown on the programs that users get.
test-release: test-deps
	@scripts/stages begin
	@scripts/stages run 'release build' $(MAKE) --no-print-directory build
	@$(MAKE) --no-print-directory release-tests
	@scripts/stages end

release-tests:
	@scripts/stages run 'size and libraries' scripts/check-programs
	@scripts/stages run 'memory and hardening' env $(RELEASE_PROGRAMS) $(OUTSIDE) 'memory and hardening' $(OPTIONS) -m release Tests/Processes
	@scripts/stages run 'one fill' env $(RELEASE_PROGRAMS) $(OUTSIDE) 'one fill' $(OPTIONS) -n 0 Tests/Browser/test_main_job.py -k one_tap_fills_user_name_and_password

# Two at a time: with three on two cores it takes as long, and presses come too late to show anything.
test-attacks: test-deps
	@scripts/stages begin
	@scripts/stages run 'debug build' $(MAKE) --no-print-directory build-debug
	@scripts/stages run 'attacks' env $(DEBUG_PROGRAMS) $(OUTSIDE) 'attacks' $(OPTIONS) -n 2 -m attack Tests/Browser
	@scripts/stages end

# A program that signs users in may look into every process, so its tests are a stage of their own.
test-all:
	@scripts/stages begin
	@scripts/stages run 'dependencies' $(MAKE) --no-print-directory all-deps
	@scripts/stages run 'static checks' $(MAKE) --no-print-directory check
	@scripts/stages run 'debug build' sh -c '$(DEBUG)'
	@scripts/stages run 'API of providers' $(MAKE) --no-print-directory api
	@scripts/stages run 'unit tests' scripts/unit-tests
	@scripts/stages run 'tests of the extension' $(MAKE) --no-print-directory logic
	@scripts/stages run 'process tests' env $(DEBUG_PROGRAMS) $(ORDINARY) $(OUTSIDE) 'process tests' $(OPTIONS) $(MORE) Tests/Processes
	@scripts/stages run 'failing calls' env $(DEBUG_PROGRAMS) $(ORDINARY) $(OUTSIDE) 'failing calls' $(OPTIONS) Tests/Faults
	@scripts/stages run 'login tests' env $(DEBUG_PROGRAMS) $(OUTSIDE) 'login tests' $(OPTIONS) $(MORE) Tests/Processes/test_login.py Tests/Processes/test_login_attacks.py
	@scripts/stages run 'desktop tests' env $(DEBUG_PROGRAMS) $(OUTSIDE) 'desktop tests' $(OPTIONS) Tests/Desktop
	@scripts/stages run 'app tests' env $(DEBUG_PROGRAMS) $(OUTSIDE) 'app tests' $(OPTIONS) Tests/App
	@scripts/stages run 'browser tests' env $(DEBUG_PROGRAMS) $(OUTSIDE) 'browser tests' $(OPTIONS) Tests/Browser
	@scripts/stages run 'browser tests in Firefox' env $(DEBUG_PROGRAMS) LATCHKEY_BROWSER=firefox $(OUTSIDE) 'browser tests in Firefox' $(OPTIONS) Tests/Browser
	@scripts/stages run 'release build' $(MAKE) --no-print-directory build
	@$(MAKE) --no-print-directory release-tests
	@scripts/stages end

soak: all-deps build-debug unit build
	@scripts/install-dependencies programs
	$(RELEASE_PROGRAMS) LATCHKEY_KILLS=300 LATCHKEY_SLOW=1 $(PYTEST) Tests/Processes
	$(RELEASE_PROGRAMS) LATCHKEY_SLOW=1 $(PYTEST) Tests/Desktop
	$(RELEASE_PROGRAMS) LATCHKEY_KILLS=200 LATCHKEY_SLOW=1 $(PYTEST) Tests/App
	$(RELEASE_PROGRAMS) LATCHKEY_SLOW=1 $(PYTEST) Tests/Browser
	$(RELEASE_PROGRAMS) LATCHKEY_SLOW=1 LATCHKEY_BROWSER=firefox $(PYTEST) Tests/Browser
	scripts/check-defences
	.cache/venv/bin/python Tests/Browser/check_defences.py
	Fuzz/run $${SECONDS_EACH:-600}

bench: test-deps build
	@if [ -n "$(PEERS)" ]; then scripts/install-dependencies peers; fi
	$(RELEASE_PROGRAMS) .cache/venv/bin/python Benchmarks/bench.py $(if $(PEERS),--peers)

install: deps build
	scripts/make-manuals || echo "The manual pages could not be made; everything else is installed."
	scripts/install --prefix "$(PREFIX)"

uninstall:
	scripts/install --prefix "$(PREFIX)" --remove

# docs/packages.md says what is in them.
deb: build
	@scripts/install-dependencies deb
	scripts/make-manuals
	rm -f .build/packages/*.deb
	scripts/make-packages
	scripts/check-packages

# Of the packages that `make deb` has made. Needs root, for a throw-away root folder, and the archive of Debian.
test-deb: test-deps
	@scripts/install-dependencies deb
	.cache/venv/bin/pytest -q -p no:cacheprovider --timeout 1800 -rs -s Tests/Packages

format:
	swift format --in-place --recursive --parallel Package.swift Sources Tests Examples Fuzz/Package.swift Fuzz/Fuzzers Fuzz/VectorTests

clean:
	rm -rf .build .cache demo-out

# make run      install what is missing, build the release, show a reminder pop up
# make test     install what the tests need, run all tests
# make test-desktops   the life of a reminder on five real desktops, which it installs
# make pictures   the same, renewing the pictures of docs/popups.md
# make release  both programs, optimised, in .build/dist, with manual pages and completions
# make install, make uninstall   PREFIX (~/.local, as root /usr/local), DESTDIR
# make deb, make tarball   packages of the release, in .build/packages
# make test-deb   the .deb in a fresh Debian that boots: installed, upgraded, removed (as root)
# make lint     format and style
# make check-idle, make check-crash   the long checks: no wake-up in 60 s, 500 times kill -9 (crash_cycles=500,
#                  on a disk that fails, too: crash_options=--spoilt)
# make check-faults   every call to the disk goes wrong once, in every operation; any two things at once
# make check-sanitizers   the tests of the rooms under ThreadSanitizer and AddressSanitizer (rooms=…)
# make bench, make bench-peers   what it costs, beside other programs that do the same
# make bench-import   100,000 tasks of a calendar file
# make bench-load   durable adds a second
# make bench-rings   how late rings are when much is due at once, or the server hangs
# make fuzz    random inputs, ten minutes each (fuzz_seconds=600, fuzzers="ics wire …")
# make soak    fifteen minutes of mixed load, after which nothing is left (soak_minutes=15)
# make check-attacks   what others wait for while the socket is attacked
# make clean    everything that was built

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := release

dist := .build/dist
python := .build/venv/bin/python
sources := Package.swift $(shell find Sources)

.PHONY: run test test-desktops pictures release install uninstall deb tarball test-deb lint check-idle check-crash check-faults check-sanitizers bench bench-peers bench-import bench-load bench-rings fuzz fuzz-merge soak check-attacks clean

run:
	scripts/install-packages run
	$(MAKE) --no-print-directory release
	scripts/run-demo

test:
	scripts/install-packages test
	scripts/run-tests

# Makes users of its own: needs root. Leaves its pictures in .build/pictures.
as_root := $(if $(filter 0,$(shell id -u)),,sudo)
test-desktops:
	scripts/install-packages desktops
	$(MAKE) --no-print-directory release $(python)
	$(as_root) env PYTHONDONTWRITEBYTECODE=1 $(python) -m pytest Tests/Desktops

pictures: test-desktops
	for desktop in dunst gnome notification-daemon plasma xfce4-notifyd; do
		cp .build/pictures/popup-{,digest-}$$desktop.png docs
	done

release: $(dist)/remindd $(dist)/remindctl

# The Swift runtime is linked statically: no user's machine needs it. Package.swift says what
# remindctl does without besides. A commit changes what --version says, and compiles one file.
$(dist)/remindd $(dist)/remindctl &: $(sources) $(wildcard .git/logs/HEAD)
	scripts/install-packages build
	export REMINDD_COMMIT=$$([ ! -e .git ] || git rev-parse HEAD 2>/dev/null || true)
	swift build -c release --static-swift-stdlib
	mkdir -p $(dist)
	strip -o $(dist)/remindd .build/release/remindd
	strip -o $(dist)/remindctl .build/release/remindctl
	.build/release/Manuals $(dist)

$(python): Tests/requirements.txt
	/usr/bin/python3 -m venv --clear .build/venv
	.build/venv/bin/pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

install: release
	scripts/install-files

uninstall:
	scripts/uninstall-files

deb: release
	scripts/make-deb

tarball: release
	scripts/make-tarball

test-deb: release $(python)
	scripts/install-packages packages
	PYTHONDONTWRITEBYTECODE=1 $(python) -m pytest Tests/EndToEnd/test_deb.py -m deb

lint:
	swift format lint --strict --recursive --parallel Sources Tests Benchmarks Package.swift
	scripts/check-style

check-idle: release $(python)
	PYTHONDONTWRITEBYTECODE=1 $(python) -m pytest Tests/EndToEnd/test_idle.py --idle-seconds 60

crash_cycles ?= 500
crash_options ?=
check-crash: release $(python) .build/support/machine.so
	$(python) Tests/EndToEnd/crash_loop.py --cycles $(crash_cycles) $(crash_options)

# Every single call to the disk goes wrong once in every operation, and of twenty things that happen to
# a daemon each meets each in the same instant: some minutes.
check-faults:
	scripts/install-packages test
	REMINDD_ALL_FAULTS=1 REMINDD_ALL_PAIRS=1 swift test \
		--filter 'FaultTests|PowerCutTests|FaultyOpeningTests|CopyTests|PairTests'

# Each sanitizer builds everything anew, in a folder of its own.
rooms ?= .
check-sanitizers:
	scripts/install-packages test
	scripts/check-sanitizers '$(rooms)'

# What the pure parts and the programs cost, on a machine that does nothing else meanwhile; with the
# other programs that `make bench-peers` has installed. bench_sizes: tasks in the stores. The figures go
# into the sections of bench_document, and a picture of them beside it.
bench_sizes ?= 0 1000 10000 100000 1000000
bench_document ?= docs/benchmarks.md
floor := .build/floor
other_timers := $(if $(wildcard /usr/include/ev.h),$(floor)/timers)
bench: release $(python) $(floor)/empty $(floor)/insert-client $(floor)/insert-server $(floor)/timer-notify $(floor)/notify-sink $(other_timers)
	.build/release/Benchmarks pure $(bench_document) $(other_timers)
	.build/release/Benchmarks programs $(bench_document) $(dist) $(floor) $(bench_sizes)
	scripts/install-packages test
	$(python) scripts/bench-counts $(bench_document)

# Durable adds a second: 64 clients at once, and one that sends ahead.
bench-load: release
	swift build -c release --static-swift-stdlib --product Benchmarks
	.build/release/Benchmarks load $(dist)

bench-peers:
	scripts/install-packages peers

# The least that a program can do: in Swift nothing at all, in C an insert and a notification.
$(floor)/empty: Benchmarks/Floor/empty.swift
	mkdir -p $(floor)
	swiftc -O -static-executable -o $@ $<
	strip $@

$(floor)/%: Benchmarks/Floor/%.c
	scripts/install-packages build
	mkdir -p $(floor)
	cc -O2 -Wall -o $@ $< $(floor_link)
$(floor)/insert-client: floor_link = -static
$(floor)/insert-server: floor_link = -lsqlite3
$(floor)/timer-notify $(floor)/notify-sink: floor_link = $$(pkg-config --cflags --libs gio-2.0)
# libev has an event_add of its own: libevent must come first.
$(floor)/timers: floor_link = -levent -lev $$(pkg-config --cflags --libs glib-2.0)

# An import and an export of 100,000 tasks, and how late rings come meanwhile.
bench-import: release $(python)
	$(python) scripts/bench-import

# How late rings are, on a machine that does nothing else meanwhile. Takes five minutes.
bench-rings: release $(python)
	$(python) Tests/EndToEnd/ring_times.py

# Random inputs by libFuzzer, from the corpora that are checked in (Tests/Fuzz). `make fuzz-merge` makes
# these small again, with what was found.
fuzz_seconds ?= 600
fuzzers ?= phrases wire ics imports calls api
fuzz:
	scripts/build-fuzzers
	for name in $(fuzzers); do scripts/run-fuzzer $$name $(fuzz_seconds); done

fuzz-merge:
	for name in $(fuzzers); do scripts/run-fuzzer $$name 0; done

# The daemon under a mixed load, whose memory, descriptors and threads end where they began.
soak_minutes ?= 15
soak: release $(python) .build/support/machine.so
	$(python) Tests/EndToEnd/soak.py --minutes $(soak_minutes)

# What is preloaded into a daemon, to set its clock and spoil its disk.
.build/support/%.so: Tests/Support/%.c
	mkdir -p $(@D)
	cc -O2 -Wall -Wextra -Werror -shared -fPIC -o $@ $<

# What other clients wait for, and what memory the daemon takes, while its socket is attacked.
check-attacks: release $(python)
	$(python) Tests/EndToEnd/attacks.py

clean:
	rm -rf .build

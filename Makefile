# A thin front for CMake. `make demo` and `make test` do all set-up themselves.
.PHONY: api command docs web web-test demo dist harden install package wheel test test-slow bench referee gallery pictures format setup build clean
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local

build: ## configure and build the optimised library and command
	@tools/setup build
	@cmake --preset release > build/configure.log 2>&1 || (cat build/configure.log; exit 1)
	@cmake --build --preset release -j $(JOBS)

command: # the command alone, without tests and benchmarks
	@cmake --preset release > build/configure.log 2>&1 || (cat build/configure.log; exit 1)
	@cmake --build --preset release -j $(JOBS) --target carom

demo: ## build the command alone, compare the laws, and write a page with what moves
	@tools/setup demo
	@$(MAKE) --no-print-directory command
	@tools/demo build/release/carom

dist: ## a source archive with the viewer's page built, so that it needs no Node
	@tools/setup demo
	@tools/dist

install: build ## the command, libraries, headers, scenes, manual pages: make install PREFIX=/usr/local
	@cmake --install build/release --prefix $(PREFIX) > build/install.log || (tail build/install.log; exit 1)
	@echo "installed below $(PREFIX)"

package: ## Debian packages, a source archive, static programs for x86-64 and arm64, into build/package
	@tools/setup package
	@tools/package
	@tools/archive

wheel: ## a Python wheel with the libraries inside, into build/wheel
	@tools/setup wheel
	@tools/wheel

web: ## the module for browsers, the npm package and the live site, into build/web
	@tools/setup web
	@$(MAKE) --no-print-directory command
	@tools/web

web-test: web ## every scene of the live site in Chromium, its hash beside the native one
	@node tests/web/package.mjs build/web/package
	@node tests/web/misuse.mjs build/web/package
	@node tests/web/pass.mjs build/web/package
	@node tests/web/live.mjs build/web/site

test: ## the tests, with gcc, clang and the sanitizers
	@tools/setup test
	@tools/test

test-slow: ## the tests that take minutes, one hash over many builds, and the gallery in full
	@tools/setup slow
	@tools/test-slow

harden: ## attacks for hours: damaged files, kills, failing calls, fuzzing (continues where it stopped)
	@tools/setup test
	@$(MAKE) --no-print-directory build
	@cmake --preset dev > build/dev.log 2>&1 && cmake --build --preset dev -j $(JOBS) > build/dev.log 2>&1 || (tail -n 40 build/dev.log; exit 1)
	@tools/harden

bench: ## the benchmark tables, beside other engines (hours; QUICK=1: minutes)
	@tools/setup bench
	@$(MAKE) --no-print-directory build
	@tools/bench build/release $(if $(QUICK),quick)

referee: ## laws and engines side by side: rewrites the tables of docs/referee.md
	@tools/setup referee
	@$(MAKE) --no-print-directory build
	@tools/referee build/release/carom

gallery: build ## every figure and table of the papers, computed anew (continues where it stopped)
	@tools/gallery build/release/carom

pictures: build ## remake the pictures of the README and the docs
	@tools/pictures build/release/carom

docs: ## the documentation site, into build/docs/html
	@tools/setup docs
	@$(MAKE) --no-print-directory build
	@tools/docs build/release/carom

api: ## the pages of the public interface, into build/api/html
	@tools/setup test
	@tools/api

format: ## rewrite the sources in the house style
	@tools/setup test
	@git ls-files '*.c' '*.h' | xargs clang-format -i

setup: ## install what is missing and stop
	@tools/setup test

clean:
	rm -rf build demo carom-gallery
